"""What can go wrong with a job, and with a row of it."""

from __future__ import annotations

from typing import NamedTuple


class BadRow(NamedTuple):
    """A row that has no power: its number in the whole source, from 0, and why."""

    row: int
    reason: str

    def __str__(self) -> str:
        return f"row {self.row}: {self.reason}"


class JobError(RuntimeError):
    """A job that could not be begun, or not be ended. What is finished stays, and another start goes on from there."""


class MismatchError(JobError):
    """The output holds results of another job."""


class BadRowError(ValueError):
    """A bad row stopped the job, which was told to stop there. Others may be bad, too."""

    def __init__(self, bad: BadRow) -> None:
        super().__init__(str(bad))
        self.row, self.reason = bad


class BadRowsWarning(UserWarning):
    """Rows of a list had no power; None (in an array, zeros) stands in their places."""
