"""The data of a job that a worker keeps, and the computation for a piece.

A plugin is sent once to each worker, also to workers that join later. The tasks then contain only the description of their rows.
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
    """The worker does not have the data of the job, which must be sent to it."""


class Plugin(WorkerPlugin):
    """The base class for each kind of work. A subclass computes the results for the rows of a piece."""

    idempotent = False
    # The name of the column of the results.
    column = "power"

    def __init__(self, name: str) -> None:
        self.name = name

    def setup(self, worker: Any) -> None:
        self.folder = Path(worker.local_directory).parent
        # Held while a result is written, and by the call that ends the job: see piece.halt.
        self.writing = threading.Lock()
        self.halted: set[str] = set()
        # Each worker is one thread. A batch that used all cores in each of them would only make them wait for one another.
        os.environ.setdefault("RAYON_NUM_THREADS", "1")

    def with_contents(self) -> Plugin:
        """A copy that contains everything that a worker could not find on its machine."""
        return self

    def result_rows(self, rows: int) -> int:
        """The number of rows of the result for so many rows."""
        return rows

    def results(self, columns: Columns, rows: int, start: int) -> tuple[Any, list[BadRow]]:
        """The results of rows as an Arrow array, and the bad rows, counted from `start`. Raises Missing."""
        raise NotImplementedError


@dataclass(frozen=True)
class Work:
    """The work for each row, as the client knows it."""

    plugin: Plugin
    # The JSON that binds a folder of results to the work, and what else should be recorded there.
    identity: dict[str, Any]
    about: dict[str, Any]
    # The Arrow type of the results.
    kind: Any
    # The predicted time of a row; and the most bytes of a row, read or written.
    nanoseconds: float
    row_bytes: int
