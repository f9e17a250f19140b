"""A job: from a source to result files, by tasks on the workers.

The tasks are plain futures, a few for each worker at a time, so that the scheduler never holds more of a long job than that. What is
finished is in files; the client only counts.
"""

from __future__ import annotations

import operator
import os
import queue
import secrets
import tempfile
import time
import warnings
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, SupportsIndex, overload

import numpy as np
import pyarrow.parquet as pq
from distributed.scheduler import KilledWorker

import moduli

from . import piece as tasks
from .cluster import connected, cores
from .errors import BadRow, BadRowError, BadRowsWarning, JobError
from .output import KEPT, Output, part, sweep, write_aside
from .progress import Progress
from .source import Parquet, Piece, Values, source_of
from .table import TablePlugin, file_digest, plugin_name

# What a piece is to take, in seconds: long beside the few milliseconds that a task costs, short beside the job.
PIECE = (0.2, 1.5)
# And the most bytes of its result, which lies in the memory of the worker.
PIECE_BYTES = 64 << 20
# Of the names of result files, which sort in order: the most pieces.
PIECES = 100_000
# How often a table is sent again, before something must be wrong.
SENDS = 10

AGAIN = "start again to go on from here"
GONE = f"the scheduler has gone; {AGAIN}"

Path_ = str | os.PathLike[str]


@dataclass
class Report:
    """What became of a job."""

    rows: int
    output: Path
    files: list[Path] = field(repr=False)
    pieces: int = 0
    resumed: int = 0
    """Pieces that an earlier start had finished."""
    bad_count: int = 0
    bad: list[BadRow] = field(default_factory=list)
    """The first bad rows of each piece, in order: all of them, where a piece has no more than a thousand."""
    seconds: float = 0.0


@dataclass(frozen=True)
class Table:
    """What the client knows of the table once it has verified it."""

    path: str
    digest: str
    secret: bool
    modulus_bytes: int
    nanoseconds: float

    def plugin(self, with_contents: bool = False) -> TablePlugin:
        contents = Path(self.path).read_bytes() if with_contents else None
        return TablePlugin(self.digest, self.secret, self.path, contents)


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
    """The powers of the table's base for all exponents of the source, in order.

    source: a Parquet file or a list of them, with the exponents in a column of fixed-size binary, big-endian; or a list of integers,
    or an array uint8[n, width]. table: a table file, or a FixedBase. base and modulus, or the digest of the file from a place
    that is trusted, say which table it has to be; without a digest all entries are verified here, once; without all three the
    file is taken at its word. column: needed where there are several of fixed-size binary. secret: whether exponents are secret,
    and computed with in constant time.

    output: a folder for the results, `part-00000.parquet` and so on, each with a column `power`. Parquet files want one; the results
    of lists go to a temporary folder without. If the folder holds results of the same job (source, column and table), they are
    left alone and the rest is computed.

    client: a scheduler's address, or a distributed.Client; without one, processes on this machine (as many as `workers` says, or
    cores). A script that starts them wants `if __name__ == "__main__":`. timeout: seconds to wait for the
    scheduler, and for a worker whenever there is none.

    on_error: "report" computes on after a bad row (null, or too long for the table), gives null for it and reports it; "stop"
    raises BadRowError. rows_per_piece: the most rows in a result file; by default what takes about a second.
    progress: whether a bar is drawn on stderr; by default, on terminals.

    Returns a Report for Parquet files. For a list, a list of integers, None for bad rows; for an array, uint8[n, bytes of the modulus],
    zeros for bad rows; and a BadRowsWarning if there are any.

    Raises JobError for what goes wrong (MismatchError: the folder is another job's), ValueError for a table that is not the
    expected one, and OSErrors. Whatever ends a job, what stands in the folder is whole, and the next start goes on from there.
    """
    if on_error not in ("report", "stop"):
        raise ValueError(f"on_error: is {on_error!r}, and may be 'report' or 'stop'")
    rows_per_piece, workers = at_least_one(rows_per_piece, "rows_per_piece"), at_least_one(workers, "workers")
    if isinstance(table, moduli.FixedBase) and (base is not None or modulus is not None or digest is not None):
        raise TypeError("base, modulus, digest: say which table a file has to hold; a FixedBase knows its own")
    begun = time.monotonic()
    with ExitStack() as stack:
        if isinstance(table, moduli.FixedBase):
            path = os.path.join(stack.enter_context(tempfile.TemporaryDirectory()), "table")
            table.save(path)
            # Those for secret exponents were built or verified by this process. Others may have been opened unverified.
            digest = bytes.fromhex(file_digest(path)) if table.secret else None
            base, modulus, table = table.base, table.modulus, path
        known = look_at(table, base, modulus, digest, secret)
        rows = source_of(source, column)
        if output is None:
            if isinstance(rows, Parquet):
                raise TypeError("output: is missing; the powers of Parquet files go to a folder")
            output = stack.enter_context(tempfile.TemporaryDirectory())
        folder = Output(output)
        stack.callback(folder.close)
        found = folder.manifest()
        if rows_per_piece is None:
            rows_per_piece = found.get("rows_per_piece") if found else None
        if not isinstance(rows_per_piece, int):
            rows_per_piece = piece_rows(rows.rows, known, workers or cores())
        identity = {"format": 1, **rows.identity(), "table": known.digest, "rows_per_piece": rows_per_piece}
        folder.claim(identity, found, {"moduli": moduli.__version__, "rows": rows.rows, "modulus_bytes": known.modulus_bytes})
        report = run(rows, known, folder, rows_per_piece, on_error == "stop", client, workers, progress, timeout)
        report.seconds = time.monotonic() - begun
        return report if isinstance(rows, Parquet) else collect(rows, report, known)


def at_least_one(number: SupportsIndex | None, name: str) -> int | None:
    if number is None:
        return None
    try:
        count = operator.index(number)
    except TypeError:
        raise TypeError(f"{name}: is a {type(number).__name__}, and must be an integer") from None
    if count < 1:
        raise ValueError(f"{name}: is less than 1")
    return count


def look_at(
    path: Path_, base: SupportsIndex | None, modulus: SupportsIndex | None, digest: bytes | None, secret: bool
) -> Table:
    """Opens the table as the workers will, by its digest; but unless that was given, only after all entries were verified."""
    expected = digest if digest is not None else bytes.fromhex(file_digest(path))
    opened = moduli.FixedBase.open(
        path, base, modulus, digest=expected, verify=digest is None, secret=secret, mmap=True
    )
    length = (opened.modulus.bit_length() + 7) // 8
    return Table(os.path.abspath(path), expected.hex(), secret, length, opened.plan.nanoseconds)


def piece_rows(rows: int, table: Table, workers: int) -> int:
    """Some 16 pieces for each worker, within bounds."""
    per_second = 1e9 / table.nanoseconds
    least, most = (max(1, int(seconds * per_second)) for seconds in PIECE)
    most = min(most, max(1, PIECE_BYTES // table.modulus_bytes))
    # The ends of files and row groups make more pieces than this, but not twice as many.
    return max(min(-(-rows // (16 * workers)), most), min(least, most), -(-rows // (PIECES // 2)))


def run(
    rows: Parquet | Values, table: Table, folder: Output, most: int, stop: bool, client: Any, workers: int | None,
    progress: bool | None, timeout: float,
) -> Report:  # fmt: skip
    """Has all pieces computed that are not there yet."""
    sweep(folder.directory)
    report = Report(rows.rows, folder.directory, [])
    left: deque[Piece] = deque()
    for piece in rows.pieces(most):
        if piece.index >= PIECES:
            raise JobError(f"more than {PIECES:,} pieces: larger rows_per_piece, fewer files, or several jobs")
        report.pieces += 1
        report.files.append(part(folder.directory, piece.index))
        done = folder.finished(piece.index, piece.rows)
        if done is None:
            left.append(piece)
        else:
            report.resumed += 1
            note(report, *done, stop)
    if not report.pieces and isinstance(rows, Parquet):
        report.pieces, report.files = 1, [folder.no_rows(table.modulus_bytes)]
    if left:
        shown = Progress(rows.rows, rows.rows - sum(piece.rows for piece in left), progress)
        try:
            with connected(client, workers, timeout) as own:
                Pieces(own, table, folder, stop, shown, report, timeout).compute(left)
        finally:
            shown.end()
            # Also after the workers of an embedded cluster were ended in the middle of a file.
            sweep(folder.directory)
    report.bad.sort()
    return report


def note(report: Report, count: int, bad: Iterable[BadRow], stop: bool) -> None:
    bad = list(bad)
    if stop and bad:
        raise BadRowError(bad[0])
    report.bad_count += count
    report.bad += bad


class Pieces:
    """Pieces on their way."""

    def __init__(
        self, client: Any, table: Table, folder: Output, stop: bool, progress: Progress, report: Report, timeout: float
    ) -> None:
        self.client, self.table, self.folder, self.progress, self.report = client, table, folder, progress, report
        self.timeout = timeout
        self.plugin = plugin_name(table.digest, table.secret)
        self.job = tasks.Job(
            folder.job, secrets.token_hex(8), self.plugin, str(folder.directory), table.modulus_bytes, stop
        )
        self.sends, self.sent = 0, -1.0
        self.running: dict[Any, Piece] = {}
        self.done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        # How many pieces are handed out at a time, and when the workers were counted last, and last there at all.
        self.window, self.looked, self.seen = 1, 0.0, time.monotonic()

    def compute(self, left: deque[Piece]) -> None:
        self.client.register_plugin(self.table.plugin(), name=self.plugin)
        ended = False
        try:
            while left or self.running:
                self.look_around()
                while left and len(self.running) < self.window:
                    piece = left.popleft()
                    key = f"moduli-{self.job.run}-{piece.index}-{secrets.token_hex(4)}"
                    future = self.client.submit(tasks.compute, piece, self.job, key=key, pure=False)
                    self.running[future] = piece
                    future.add_done_callback(self.done.put)
                try:
                    future = self.done.get(timeout=0.5)
                except queue.Empty:
                    self.progress.draw()
                    continue
                again = self.finish(future, self.running.pop(future))
                if again:
                    left.appendleft(again)
            ended = True
        finally:
            if not ended:
                self.call_off()
            with suppress(Exception):
                self.client.unregister_worker_plugin(self.plugin)

    def look_around(self) -> None:
        """Counts the workers, every other second: each thread computes a piece while the next ones wait beside it."""
        now = time.monotonic()
        if self.looked and now - self.looked < 2:
            return
        self.looked = now
        try:
            threads: dict[str, int] = self.client.nthreads()
        except (OSError, RuntimeError, TimeoutError) as error:
            raise JobError(GONE) from error
        if threads:
            self.seen = now
        elif now - self.seen > self.timeout:
            raise JobError(f"the last worker has gone, and none has come for {self.timeout:g} seconds; {AGAIN}")
        self.window = max(4, 3 * sum(threads.values()))

    def finish(self, future: Any, piece: Piece) -> Piece | None:
        """Counts a piece in; gives it back if it has to be computed again."""
        result = self.outcome(future)
        if isinstance(result, KilledWorker):
            raise JobError(f"{piece}: every worker that computed them died, of too little memory perhaps") from result
        if isinstance(result, BaseException):
            raise JobError(f"{piece}: {type(result).__name__}: {result}") from result
        future.release()
        if result.table_missing is not None:
            self.send_contents(result.table_missing)
            return piece
        note(self.report, result.bad_count, result.bad, self.job.stop)
        path = part(self.folder.directory, piece.index)
        if result.contents is not None:
            contents = result.contents
            write_aside(path, lambda file: file.write(contents))
        elif not path.exists():
            raise JobError(f"{piece}: the worker wrote them to a folder {path.parent} that is not this one")
        self.progress.add(piece.rows)
        return None

    def outcome(self, future: Any) -> tasks.Result | BaseException:
        """What became of a task that is done. The worker that has its result may die before it is asked for it: then another one
        computes it again, if there is one."""
        patience = 2.0
        while True:
            try:
                if future.status == "error":
                    error: BaseException = future.exception(timeout=patience)
                    return error
                result: tasks.Result = future.result(timeout=patience)
                return result
            except TimeoutError:
                self.look_around()
                patience *= 2
            except (OSError, CancelledError) as lost:
                # Of the connection, unless it is what the task ended with the second time.
                if future.status != "error":
                    raise JobError(GONE) from lost

    def send_contents(self, reason: str) -> None:
        """Some worker cannot read the table's file, or has another one there: the bytes travel then. Another job with the same
        table may also have taken it away when it ended."""
        # Pieces that were handed out before come back, too: that is no reason to send it again.
        if time.monotonic() - self.sent < 1:
            time.sleep(0.01)
            return
        if self.sends == SENDS:
            raise JobError(f"the table does not stay with the workers: {reason}")
        self.client.register_plugin(self.table.plugin(with_contents=True), name=self.plugin)
        self.sends, self.sent = self.sends + 1, time.monotonic()

    def call_off(self) -> None:
        """Ends what runs, and waits until no worker is writing."""
        with suppress(Exception):
            self.client.run(tasks.halt, self.plugin, self.job.run, on_error="ignore")
        with suppress(Exception):
            self.client.cancel(list(self.running))


def collect(source: Values, report: Report, table: Table) -> Any:
    """The results of a list, in order, from the files."""
    if report.bad_count:
        first = "; ".join(map(str, report.bad[:3]))
        warnings.warn(f"{report.bad_count} bad rows: {first}{' …' if report.bad_count > 3 else ''}", BadRowsWarning, stacklevel=3)
    if isinstance(source.values, np.ndarray):
        powers = np.zeros((report.rows, table.modulus_bytes), np.uint8)
        start = 0
        for file in report.files:
            for array in pq.read_table(file).column("power").chunks:
                data = np.frombuffer(array.buffers()[1], np.uint8, len(array) * table.modulus_bytes)
                powers[start : start + len(array)] = data.reshape(len(array), -1)
                if array.null_count:
                    # Arrow leaves anything in their places.
                    powers[start : start + len(array)][np.asarray(array.is_null())] = 0
                start += len(array)
        return powers
    results: list[int | None] = []
    for file in report.files:
        values = pq.read_table(file).column("power").to_pylist()
        results += [None if value is None else int.from_bytes(value, "big") for value in values]
    return results
