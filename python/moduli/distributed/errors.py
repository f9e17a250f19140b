"""Errors of a job, and of a row of it."""

from __future__ import annotations

from typing import NamedTuple


class BadRow(NamedTuple):
    """A row without a result: its number in the whole source, from 0, and the reason."""

    row: int
    reason: str

    def __str__(self) -> str:
        return f"row {self.row}: {self.reason}"


class JobError(RuntimeError):
    """A job that could not start or finish. Finished pieces stay, and another start continues from there."""


class MismatchError(JobError):
    """The output holds results of another job."""


class BadRowError(ValueError):
    """A bad row stopped the job, because `on_error` is "stop". Other rows may be bad, too."""

    def __init__(self, bad: BadRow) -> None:
        super().__init__(str(bad))
        self.row, self.reason = bad


class BadRowsWarning(UserWarning):
    """Some rows of a list had no result; they are None (in an array, zeros)."""
