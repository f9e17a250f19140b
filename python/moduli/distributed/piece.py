"""What runs on a worker: a piece of the job, and an end to the job."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from distributed import get_worker

import moduli

from . import output, source
from .errors import BadRow
from .table import TableMissing, TablePlugin


@dataclass(frozen=True)
class Job:
    """What all pieces have in common."""

    number: str
    # Of this run: another one may go on with the same job.
    run: str
    plugin: str
    output: str
    modulus_bytes: int
    stop: bool


@dataclass(frozen=True)
class Result:
    """What comes back from a piece: its file, where the folder of the job cannot be seen from the worker."""

    rows: int
    bad_count: int = 0
    bad: tuple[BadRow, ...] = ()
    contents: bytes | None = None
    table_missing: str | None = None


def compute(piece: source.Piece, job: Job) -> Result:
    """Computes the piece and writes its result, or returns it. If it is to stop at bad rows and has one, nothing is written."""
    worker = get_worker()
    plugin = worker.plugins.get(job.plugin)
    if not isinstance(plugin, TablePlugin):
        return Result(piece.rows, table_missing="was not sent")
    try:
        table = plugin.table()
    except TableMissing as error:
        return Result(piece.rows, table_missing=str(error))
    rows, nulls = rows_of(piece)
    powers, bad = powers_of(table, rows, nulls, piece.start, job.modulus_bytes)
    result = Result(piece.rows, len(bad), tuple(bad[: output.KEPT]))
    if job.stop and bad:
        return result
    arrow = output.arrow_table(powers, bad, piece.start, job.number)
    if output.is_seen(job.output, job.number):
        with plugin.writing:
            if job.run not in plugin.halted:
                output.write_aside(output.part(job.output, piece.index), lambda file: output.write_part(arrow, file))
        return result
    buffer = io.BytesIO()
    output.write_part(arrow, buffer)
    return Result(piece.rows, len(bad), result.bad, contents=buffer.getvalue())


def halt(plugin: str, run: str, dask_worker: Any) -> None:
    """From here on this worker writes nothing for the run, and is writing nothing."""
    found = dask_worker.plugins.get(plugin)
    if isinstance(found, TablePlugin):
        with found.writing:
            found.halted.add(run)


def rows_of(piece: source.Piece) -> tuple[Any, Any]:
    """The exponents: an array or a list, and a mask of those that are null."""
    if piece.span is not None:
        return source.read(piece.span, piece.rows)
    if isinstance(piece.values, np.ndarray):
        return piece.values, None
    nulls = np.array([value is None for value in piece.values])
    return [0 if value is None else value for value in piece.values], nulls if nulls.any() else None


def powers_of(table: moduli.FixedBase, rows: Any, nulls: Any, start: int, width: int) -> tuple[Any, list[BadRow]]:
    """The powers, uint8[n, width] with zeros for bad rows, and the bad rows."""
    reasons: dict[int, str] = {}
    if nulls is not None:
        reasons = {int(index): "is null" for index in np.flatnonzero(nulls)}
        rows = without(rows, reasons)
    try:
        powers = table.pow_batch(rows)
    except ValueError as error:
        # Looked at one by one only where something is wrong, and only what can be: which rows those are is public.
        suspects = suspicious(rows, table.exponent_bits)
        for index in suspects:
            try:
                table.pow_batch(rows[index : index + 1])
            except ValueError as of_row:
                reasons[int(index)] = str(of_row).removeprefix("row 0: ")
        if not reasons:
            raise error
        powers = table.pow_batch(without(rows, reasons))
    if not isinstance(powers, np.ndarray):
        joined = b"".join(power.to_bytes(width, "big") for power in powers)
        powers = np.frombuffer(joined, np.uint8).reshape(-1, width)
    bad = [BadRow(start + index, reasons[index]) for index in sorted(reasons)]
    if bad:
        powers = powers.copy()
        powers[list(reasons)] = 0
    return powers, bad


def without(rows: Any, bad: dict[int, str]) -> Any:
    """The rows with zeros for bad ones."""
    if isinstance(rows, np.ndarray):
        rows = rows.copy()
        rows[list(bad)] = 0
        return rows
    return [0 if index in bad else row for index, row in enumerate(rows)]


def suspicious(rows: Any, bits: int) -> Sequence[int]:
    """Rows that are longer than so many bits, or negative."""
    if not isinstance(rows, np.ndarray):
        return [index for index, row in enumerate(rows) if row < 0 or row.bit_length() > bits]
    spare = max(0, 8 * rows.shape[1] - bits)
    whole, rest = divmod(spare, 8)
    long = rows[:, :whole].any(axis=1)
    if rest:
        long |= (rows[:, whole] >> (8 - rest)) != 0
    suspects: list[int] = np.flatnonzero(long).tolist()
    return suspects
