"""Functions that run on a worker: they compute a piece of the job, or stop the job."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from distributed import get_worker

from . import output, source
from .errors import BadRow
from .plugin import Missing, Plugin


@dataclass(frozen=True)
class Job:
    """The data that all pieces share."""

    number: str
    # The identifier of this run, as another run may resume the same job.
    run: str
    plugin: str
    output: str
    stop: bool


@dataclass(frozen=True)
class Result:
    """The result of a piece. It contains the file if the worker cannot access the folder of the job."""

    rows: int
    bad_count: int = 0
    bad: tuple[BadRow, ...] = ()
    contents: bytes | None = None
    missing: str | None = None


def compute(piece: source.Piece, job: Job) -> Result:
    """Computes the piece, and writes or returns its result. If the job stops at bad rows and there is one, nothing is written."""
    worker = get_worker()
    plugin = worker.plugins.get(job.plugin)
    if not isinstance(plugin, Plugin):
        return Result(piece.rows, missing="was not sent")
    try:
        array, bad = plugin.results(source.columns_of(piece), piece.rows, piece.start)
    except Missing as error:
        return Result(piece.rows, missing=str(error))
    result = Result(piece.rows, len(bad), tuple(bad[: output.KEPT]))
    if job.stop and bad:
        return result
    arrow = output.arrow_table(plugin.column, array, bad, job.number)
    if output.is_seen(job.output, job.number):
        with plugin.writing:
            if job.run not in plugin.halted:
                output.write_aside(output.part(job.output, piece.index), lambda file: output.write_part(arrow, file))
        return result
    buffer = io.BytesIO()
    output.write_part(arrow, buffer)
    return Result(piece.rows, len(bad), result.bad, contents=buffer.getvalue())


def halt(plugin: str, run: str, dask_worker: Any) -> None:
    """Makes this worker write nothing more for the run. Returns when it is not writing."""
    found = dask_worker.plugins.get(plugin)
    if isinstance(found, Plugin):
        with found.writing:
            found.halted.add(run)
