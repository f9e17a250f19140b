"""Runs a job, which computes result files from a source by tasks on the workers.

The tasks are plain futures, a few for each worker at a time, so that the scheduler never holds more of a long job. Finished
results are in files, and the client only counts them.
"""

from __future__ import annotations

import os
import queue
import secrets
import tempfile
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, SupportsIndex, TypedDict, TypeVar

import numpy as np
import pyarrow.parquet as pq
from distributed.scheduler import KilledWorker

import moduli

from . import piece as tasks
from .cluster import connected, cores
from .errors import BadRow, BadRowError, BadRowsWarning, JobError
from .numbers import number
from .output import Output, part, sweep, write_aside
from .plugin import Plugin, Work
from .progress import Progress
from .source import Parquet, Piece, Values

# The seconds that a piece should take: long compared with the few milliseconds of a task, short compared with the job.
PIECE = (0.2, 1.5)
# The most bytes of the rows or of the result of a piece, which are in the memory of the worker.
PIECE_BYTES = 64 << 20
# The most pieces, because the names of result files sort in order.
PIECES = 100_000
# How often a job sends its table again before it fails.
SENDS = 10

AGAIN = "start again to go on from here"
GONE = f"the scheduler has gone; {AGAIN}"

Path_ = str | os.PathLike[str]
T = TypeVar("T")


class Options(TypedDict, total=False):
    """The options of every job. pow_batch documents them."""

    output: Path_ | None
    client: Any
    on_error: str
    rows_per_piece: SupportsIndex | None
    workers: SupportsIndex | None
    progress: bool | None
    timeout: float


@dataclass
class Report:
    """The outcome of a job."""

    rows: int
    output: Path
    files: list[Path] = field(repr=False)
    pieces: int = 0
    resumed: int = 0
    """The number of pieces that an earlier start finished."""
    bad_count: int = 0
    bad: list[BadRow] = field(default_factory=list)
    """The first thousand bad rows of each piece, in order."""
    seconds: float = 0.0
    product: int | None = None
    """The product, for multi_pow."""


def carry_out(
    rows: Parquet | Values,
    work: Work,
    collect: Callable[[Report], T],
    begun: float,
    *,
    output: Path_ | None = None,
    client: Any = None,
    on_error: str = "report",
    rows_per_piece: SupportsIndex | None = None,
    workers: SupportsIndex | None = None,
    progress: bool | None = None,
    timeout: float = 60,
) -> T:
    """Does the work, and returns the result of `collect` for the report, while the files exist. `begun` is a time.monotonic."""
    if on_error not in ("report", "stop"):
        raise ValueError(f"on_error: is {on_error!r}, and may be 'report' or 'stop'")
    most, count = at_least_one(rows_per_piece, "rows_per_piece"), at_least_one(workers, "workers")
    # Check this before anything is put into the folder.
    if count is not None and client is not None:
        raise TypeError("workers: only the embedded cluster is told how many")
    if not timeout > 0:
        raise ValueError(f"timeout: is {timeout:g} seconds, and must be above 0")
    if output is not None and not os.fspath(output):
        raise ValueError("output: is an empty path")
    with ExitStack() as stack:
        if output is None:
            output = stack.enter_context(tempfile.TemporaryDirectory())
        folder = Output(output)
        stack.callback(folder.close)
        found = folder.manifest()
        if most is None and found:
            most = found.get("rows_per_piece")
        if not isinstance(most, int):
            most = piece_rows(rows.rows, work, count or cores())
        identity = {"format": 1, **rows.identity(), **work.identity, "rows_per_piece": most}
        folder.claim(identity, found, {"moduli": moduli.__version__, "rows": rows.rows, **work.about})
        report = run(rows, work, folder, most, on_error == "stop", client, count, progress, timeout)
        report.seconds = time.monotonic() - begun
        return collect(report)


def at_least_one(value: SupportsIndex | None, name: str) -> int | None:
    return None if value is None else number(value, name, 1)


def piece_rows(rows: int, work: Work, workers: int) -> int:
    """The rows of a piece: about 16 pieces for each worker, within bounds."""
    per_second = 1e9 / work.nanoseconds
    least, most = (max(1, int(seconds * per_second)) for seconds in PIECE)
    most = min(most, max(1, PIECE_BYTES // work.row_bytes))
    # The ends of files and row groups make more pieces than this, but not twice as many.
    return max(min(-(-rows // (16 * workers)), most), min(least, most), -(-rows // (PIECES // 2)))


def run(
    rows: Parquet | Values, work: Work, folder: Output, most: int, stop: bool, client: Any, workers: int | None,
    progress: bool | None, timeout: float,
) -> Report:  # fmt: skip
    """Computes all pieces without a result file."""
    sweep(folder.directory)
    report = Report(rows.rows, folder.directory, [])
    left: deque[Piece] = deque()
    for piece in rows.pieces(most):
        if piece.index >= PIECES:
            raise JobError(f"more than {PIECES:,} pieces: larger rows_per_piece, fewer files, or several jobs")
        report.pieces += 1
        report.files.append(part(folder.directory, piece.index))
        done = folder.finished(piece.index, work.plugin.result_rows(piece.rows))
        if done is None:
            left.append(piece)
        else:
            report.resumed += 1
            note(report, *done, stop)
    if not report.pieces and isinstance(rows, Parquet):
        report.pieces, report.files = 1, [folder.no_rows(work.plugin.column, work.kind)]
    if left:
        shown = Progress(rows.rows, rows.rows - sum(piece.rows for piece in left), progress)
        try:
            with connected(client, workers, timeout) as own:
                Pieces(own, work.plugin, folder, stop, shown, report, timeout).compute(left)
        finally:
            shown.end()
            # This also removes what the workers of an embedded cluster leave if they are ended in the middle of a
            # file.
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
    """The pieces that are being computed."""

    def __init__(
        self, client: Any, plugin: Plugin, folder: Output, stop: bool, progress: Progress, report: Report, timeout: float
    ) -> None:
        self.client, self.plugin, self.folder, self.progress, self.report = client, plugin, folder, progress, report
        self.timeout = timeout
        self.job = tasks.Job(folder.job, secrets.token_hex(8), plugin.name, str(folder.directory), stop)
        self.sends, self.sent = 0, -1.0
        self.running: dict[Any, Piece] = {}
        self.done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        # The number of pieces that are handed out at a time; when the workers were last counted, and when there last
        # were any.
        self.window, self.looked, self.seen = 1, 0.0, time.monotonic()

    def compute(self, left: deque[Piece]) -> None:
        self.client.register_plugin(self.plugin, name=self.plugin.name)
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
                self.client.unregister_worker_plugin(self.plugin.name)

    def look_around(self) -> None:
        """Counts the workers, every two seconds. Each thread computes one piece while the next ones wait on the worker."""
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
        """Counts a finished piece. Returns the piece if it must be computed again."""
        result = self.outcome(future)
        if isinstance(result, KilledWorker):
            raise JobError(f"{piece}: every worker that computed them died, of too little memory perhaps") from result
        if isinstance(result, BaseException):
            raise JobError(f"{piece}: {type(result).__name__}: {result}") from result
        future.release()
        if result.missing is not None:
            self.send_contents(result.missing)
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
        """The result of a finished task. If the worker that holds the result dies before the client gets it, another worker
        computes it again."""
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
                # An error of the connection, unless the task failed with it the second time.
                if future.status != "error":
                    raise JobError(GONE) from lost

    def send_contents(self, reason: str) -> None:
        """Sends the bytes of a table, because a worker cannot read the file, or has a different file under its path. Another job
        with the same plugin may also have removed the file when it ended."""
        # Pieces that were handed out before the table was sent fail as well, which is no reason to send it again.
        if time.monotonic() - self.sent < 1:
            time.sleep(0.01)
            return
        if self.sends == SENDS:
            raise JobError(f"what the job needs does not stay with the workers: {reason}")
        self.client.register_plugin(self.plugin.with_contents(), name=self.plugin.name)
        self.sends, self.sent = self.sends + 1, time.monotonic()

    def call_off(self) -> None:
        """Cancels running tasks, and waits until no worker is writing."""
        with suppress(Exception):
            self.client.run(tasks.halt, self.plugin.name, self.job.run, on_error="ignore")
        with suppress(Exception):
            self.client.cancel(list(self.running))


def warn_of(report: Report) -> None:
    """Warns the caller of a function of this package of the bad rows of a list."""
    if report.bad_count:
        first = "; ".join(map(str, report.bad[:3]))
        text = f"{report.bad_count} bad rows: {first}{' …' if report.bad_count > 3 else ''}"
        warnings.warn(text, BadRowsWarning, stacklevel=5)


def wanted(rows: Parquet | Values, options: Options) -> None:
    if isinstance(rows, Parquet) and options.get("output") is None:
        raise TypeError("output: is missing; the results of Parquet files go to a folder")


def powers(report: Report, width: int, as_array: bool) -> Any:
    """The powers of a list, in order, from the files: integers, with None for bad rows, or an array uint8[n, width], with zeros."""
    warn_of(report)
    if as_array:
        found = np.zeros((report.rows, width), np.uint8)
        start = 0
        for file in report.files:
            for array in pq.read_table(file).column("power").chunks:
                data = np.frombuffer(array.buffers()[1], np.uint8, len(array) * width)
                found[start : start + len(array)] = data.reshape(len(array), -1)
                if array.null_count:
                    # Arrow leaves undefined bytes in the places of nulls.
                    found[start : start + len(array)][np.asarray(array.is_null())] = 0
                start += len(array)
        return found
    results: list[int | None] = []
    for file in report.files:
        values = pq.read_table(file).column("power").to_pylist()
        results += [None if value is None else int.from_bytes(value, "big") for value in values]
    return results
