"""A progress bar for terminals."""

from __future__ import annotations

import sys
import time
from typing import TextIO


class Progress:
    """Shows how many rows are done. Silent if the stream is not a terminal, unless it was requested."""

    def __init__(self, rows: int, done: int, asked: bool | None = None, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.shown = self.stream.isatty() if asked is None else asked
        self.rows, self.done, self.before = rows, done, done
        self.begun = time.monotonic()
        self.drawn = 0.0
        self.length = 0

    def add(self, rows: int) -> None:
        self.done += rows
        self.draw()

    def draw(self) -> None:
        now = time.monotonic()
        if not self.shown or (now - self.drawn < 0.1 and self.done < self.rows):
            return
        self.drawn = now
        share = self.done / self.rows if self.rows else 1.0
        text = f"[{'#' * int(30 * share):<30}] {100 * share:3.0f} %  {self.done:,} of {self.rows:,} rows"
        fresh = self.done - self.before
        if fresh:
            rate = fresh / (now - self.begun)
            text += f"  {rate:,.0f}/s  {clock((self.rows - self.done) / rate)} left"
        self.stream.write("\r" + text.ljust(self.length))
        self.stream.flush()
        self.length = len(text)

    def end(self) -> None:
        """Ends the line, so that later output starts on a new one."""
        if self.shown and self.drawn:
            self.stream.write("\n")
            self.stream.flush()


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
