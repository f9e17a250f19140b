"""The errors of a job and of its rows."""

from __future__ import annotations

from typing import NamedTuple


class BadRow(NamedTuple):
    """A row without a result: the number of the row, counted from 0 over all sources, and the reason."""

    row: int
    reason: str

    def __str__(self) -> str:
        return f"row {self.row}: {self.reason}"


class JobError(RuntimeError):
    """A job could not start or finish. Finished pieces are kept, and the next start continues from them."""


class MismatchError(JobError):
    """The output folder holds results of another job."""


class BadRowError(ValueError):
    """A bad row stopped the job, because `on_error` is "stop". Other rows may also be bad."""

    def __init__(self, bad: BadRow) -> None:
        super().__init__(str(bad))
        self.row, self.reason = bad


class BadRowsWarning(UserWarning):
    """Some rows of a list have no result. They are None, or zeros in an array."""
