"""Powers of one base, from a table."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, SupportsIndex, overload

import numpy as np
import pyarrow as pa

import moduli

from .job import Options, Path_, Report, carry_out, powers, wanted
from .numbers import bytes_of
from .plugin import Work
from .source import Parquet, files_of, source_of
from .table import TablePlugin, file_digest


# fmt: off
@overload
def pow_batch(
    source: Path_ | Sequence[str], table: Path_ | moduli.FixedBase, *, output: Path_, base: SupportsIndex | None = None,
    modulus: SupportsIndex | None = None, digest: bytes | None = None, client: Any = None, column: str | None = None,
    secret: bool = True, on_error: str = "report", rows_per_piece: SupportsIndex | None = None, workers: SupportsIndex | None = None,
    progress: bool | None = None, timeout: float = 60,
) -> Report: ...
@overload
def pow_batch(
    source: Sequence[int | None], table: Path_ | moduli.FixedBase, *, output: Path_ | None = None,
    base: SupportsIndex | None = None, modulus: SupportsIndex | None = None, digest: bytes | None = None, client: Any = None,
    column: str | None = None, secret: bool = True, on_error: str = "report", rows_per_piece: SupportsIndex | None = None,
    workers: SupportsIndex | None = None, progress: bool | None = None, timeout: float = 60,
) -> list[int | None]: ...
@overload
def pow_batch(
    source: Any, table: Path_ | moduli.FixedBase, *, output: Path_ | None = None, base: SupportsIndex | None = None,
    modulus: SupportsIndex | None = None, digest: bytes | None = None, client: Any = None, column: str | None = None,
    secret: bool = True, on_error: str = "report", rows_per_piece: SupportsIndex | None = None, workers: SupportsIndex | None = None,
    progress: bool | None = None, timeout: float = 60,
) -> Any: ...
# fmt: on
def pow_batch(
    source: Any,
    table: Path_ | moduli.FixedBase,
    *,
    output: Path_ | None = None,
    base: SupportsIndex | None = None,
    modulus: SupportsIndex | None = None,
    digest: bytes | None = None,
    client: Any = None,
    column: str | None = None,
    secret: bool = True,
    on_error: str = "report",
    rows_per_piece: SupportsIndex | None = None,
    workers: SupportsIndex | None = None,
    progress: bool | None = None,
    timeout: float = 60,
) -> Any:
    """Computes the powers of the table's base for all exponents of the source, in order.

    source: a Parquet file or a list of them, with the exponents in a column of fixed-size binary, big-endian;
        or a list of integers, or an array uint8[n, width].
    table: a table file, or a FixedBase.
    base, modulus, digest: identify the table that you expect: either its base and modulus, or the digest of
        its file (the last 32 bytes) from a trusted source. Without a digest, this function verifies all
        entries once. Without all three, it accepts the base and modulus that are in the file.
    column: the name of the column, needed if several are of fixed-size binary.
    secret: whether exponents are secret, so that the powers are computed in constant time.
    output: a folder for the results, `part-00000.parquet` and so on, each with a column `power`. Required for
        Parquet files. Results of lists go to a temporary folder unless you name one. If the folder holds
        results of the same job (source, column and table), these are kept, and only the rest is computed.
    client: the address of a scheduler, or a distributed.Client. Without a client, processes are started on
        this machine: as many as `workers` says, or one per core. A script that starts them needs
        `if __name__ == "__main__":`.
    timeout: seconds to wait for the scheduler, and for a worker whenever there is none.
    on_error: "report" continues after a bad row (null, or too long for the table). The result of the row is
        null, and the report lists it. "stop" raises BadRowError.
    rows_per_piece: the most rows in a result file; by default as many as take about a second.
    progress: whether to draw a progress bar on stderr; by default, only on terminals.

    Returns a Report for Parquet files. For a list, returns a list of integers, with None for bad rows. For an
    array, returns an array uint8[n, bytes of the modulus], with zeros for bad rows. If there are bad rows in
    a list or an array, a BadRowsWarning is issued.

    Raises JobError if the job fails (MismatchError if the folder belongs to another job), ValueError if the
    table is not the expected one, and OSErrors. However a job ends, every file in the folder is complete, and
    the next start continues from these files.
    """
    begun = time.monotonic()
    options: Options = {
        "output": output, "client": client, "on_error": on_error, "rows_per_piece": rows_per_piece, "workers": workers,
        "progress": progress, "timeout": timeout,
    }  # fmt: skip
    if isinstance(table, moduli.FixedBase) and (base is not None or modulus is not None or digest is not None):
        raise TypeError("base, modulus, digest: say which table a file has to hold; a FixedBase knows its own")
    with ExitStack() as stack:
        if isinstance(table, moduli.FixedBase):
            path = os.path.join(stack.enter_context(tempfile.TemporaryDirectory()), "table")
            table.save(path)
            # Tables for secret exponents were built or verified by this process. Others may have been opened unverified.
            digest = bytes.fromhex(file_digest(path)) if table.secret else None
            base, modulus, table = table.base, table.modulus, path
        work = look_at(table, base, modulus, digest, secret)
        if column is not None and files_of(source) is None:
            raise TypeError("column: only Parquet files have one")
        rows = source_of(source, [column] if column is not None else [])
        wanted(rows, options)
        work.identity["column"] = rows.columns[0]

        def collect(report: Report) -> Any:
            if isinstance(rows, Parquet):
                return report
            return powers(report, work.row_bytes, isinstance(rows.values[""], np.ndarray))

        return carry_out(rows, work, collect, begun, **options)


def look_at(
    path: Path_, base: SupportsIndex | None, modulus: SupportsIndex | None, digest: bytes | None, secret: bool
) -> Work:
    """Opens the table by its digest, as the workers do. Unless the caller gave the digest, all entries are verified first."""
    expected = digest if digest is not None else bytes.fromhex(file_digest(path))
    opened = moduli.FixedBase.open(
        path, base, modulus, digest=expected, verify=digest is None, secret=secret, mmap=True
    )
    length = bytes_of(opened.modulus)
    plugin = TablePlugin(expected.hex(), secret, os.path.abspath(path))
    about = {"modulus_bytes": length}
    return Work(plugin, {"table": expected.hex()}, about, pa.binary(length), opened.plan.nanoseconds, length)
