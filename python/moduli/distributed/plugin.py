"""What a worker keeps of a job, and what it computes for a piece.

A plugin travels once to each worker, later comers included; the tasks that it serves are as short as what they say about their rows.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin

from .errors import BadRow
from .source import Columns


class Missing(Exception):
    """The worker has not got what the job needs, and would have to be sent it."""


class Plugin(WorkerPlugin):
    """One for each kind of work: what it gives for the rows of a piece."""

    idempotent = False
    # The name of the column of the results.
    column = "power"

    def __init__(self, name: str) -> None:
        self.name = name

    def setup(self, worker: Any) -> None:
        self.folder = Path(worker.local_directory).parent
        # Taken while a result is written, and by who calls the job off: see piece.halt.
        self.writing = threading.Lock()
        self.halted: set[str] = set()
        # The workers are the threads: a batch that used all cores in each of them would only make them wait for one another.
        os.environ.setdefault("RAYON_NUM_THREADS", "1")

    def with_contents(self) -> Plugin:
        """The same, with all that a worker could not find where it is."""
        return self

    def result_rows(self, rows: int) -> int:
        """How many rows the result of so many has."""
        return rows

    def results(self, columns: Columns, rows: int, start: int) -> tuple[Any, list[BadRow]]:
        """The results of rows as an Arrow array, and the bad rows, counted from `start`. Raises Missing."""
        raise NotImplementedError


@dataclass(frozen=True)
class Work:
    """What is to be done with every row, as the client knows it."""

    plugin: Plugin
    # What binds a folder of results to the work, as JSON, and what else is worth telling there.
    identity: dict[str, Any]
    about: dict[str, Any]
    # The Arrow type of the results.
    kind: Any
    # Predicted for a row; and the most bytes of one, read or written.
    nanoseconds: float
    row_bytes: int
