"""The table of a job, on every worker.

A plugin carries the table to each worker once, also to workers that join later. If a worker can read the file under its path, only
the path is sent. Otherwise the bytes are sent, and stored in the folder that the workers of a machine share, so that all of them map
one file. The digest identifies the table everywhere. The client obtained it when it verified the table, or from the caller. Workers
reject every other file.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

import moduli

from .errors import BadRow
from .numbers import bytes_of, rows_of
from .output import powers_array, write_aside
from .plugin import Missing, Plugin
from .source import Columns


def plugin_name(digest: str, secret: bool) -> str:
    return f"moduli-table-{digest}-{'secret' if secret else 'public'}"


class TablePlugin(Plugin):
    """Computes powers of one base from a table file. The first task that needs the table opens it on the worker."""

    def __init__(self, digest: str, secret: bool, path: str, contents: bytes | None = None) -> None:
        super().__init__(plugin_name(digest, secret))
        self.digest, self.secret, self.path, self.contents = digest, secret, path, contents

    def setup(self, worker: Any) -> None:
        super().setup(worker)
        self.lock = threading.Lock()
        self.opened: moduli.FixedBase | None = None
        self.sent: Path | None = None

    def teardown(self, worker: Any) -> None:
        self.opened = None
        if self.sent:
            # Other processes that have the file mapped keep it, without a name.
            self.sent.unlink(missing_ok=True)

    def with_contents(self) -> TablePlugin:
        return TablePlugin(self.digest, self.secret, self.path, Path(self.path).read_bytes())

    def results(self, columns: Columns, rows: int, start: int) -> tuple[Any, list[BadRow]]:
        table = self.table()
        [(values, nulls)] = columns.values()
        powers, bad = powers_of(table, values, nulls, start, bytes_of(table.modulus))
        return powers_array(powers, [each.row - start for each in bad]), bad

    def table(self) -> moduli.FixedBase:
        """The table. It is mapped unless others could write to the file and exponents are secret.

        Raises Missing; ValueError if the bytes that were sent do not match the digest.
        """
        with self.lock:
            if self.opened is None:
                self.opened = self._open()
                self.contents = None
            return self.opened

    def _open(self) -> moduli.FixedBase:
        # If the file at that path is no table, or another one, that says nothing about this table: it is just missing
        # here.
        reason = ""
        local = self.folder / f"moduli-{self.digest}.table"
        for path in (self.path, str(local)):
            try:
                return self._map(path)
            except (OSError, ValueError) as error:
                reason = reason or str(error)
        if self.contents is None:
            raise Missing(reason)
        contents = self.contents

        def write(file: IO[bytes]) -> None:
            # Nobody else may be able to write to the file; otherwise it would not be mapped for secret exponents.
            os.chmod(file.name, 0o600)
            file.write(contents)

        write_aside(local, write)
        try:
            opened = self._map(str(local))
        except ValueError as error:
            local.unlink(missing_ok=True)
            raise ValueError(f"the table that was sent is not the one that was verified: {error}") from error
        self.sent = local
        return opened

    def _map(self, path: str) -> moduli.FixedBase:
        return moduli.FixedBase.open(
            path, digest=bytes.fromhex(self.digest), secret=self.secret, verify=False, mmap=True
        )


def file_digest(path: str | os.PathLike[str]) -> str:
    """The checksum at the end of a table file. It is compared with the contents only when the file is opened."""
    # fspath is needed because open() would take a number for an open file descriptor, and close it.
    with open(os.fspath(path), "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 32))
        digest = file.read()
    if len(digest) != 32:
        raise ValueError(f"{os.fspath(path)}: not a table file")
    return digest.hex()


def powers_of(table: moduli.FixedBase, rows: Any, nulls: Any, start: int, width: int) -> tuple[Any, list[BadRow]]:
    """The powers, uint8[n, width] with zeros for bad rows, and the bad rows."""
    reasons: dict[int, str] = {}
    if nulls is not None:
        reasons = {int(index): "is null" for index in np.flatnonzero(nulls)}
        rows = without(rows, reasons)
    try:
        powers = table.pow_batch(rows)
    except ValueError as error:
        # Rows are checked one by one only if something is wrong, and only those that can be wrong: which rows those
        # are is public.
        suspects = suspicious(rows, table.exponent_bits)
        for index in suspects:
            try:
                table.pow_batch(rows[index : index + 1])
            except ValueError as of_row:
                reasons[int(index)] = str(of_row).removeprefix("row 0: ")
        if not reasons:
            raise error
        powers = table.pow_batch(without(rows, reasons))
    powers = rows_of(powers, width)
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
