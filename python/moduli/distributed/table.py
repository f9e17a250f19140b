"""The table of a job, on every worker.

It travels as a plugin, once to each worker, later comers included: where the file can be read under its own path that path is all
that travels, elsewhere its bytes do, into the folder that the workers of a machine have in common, so that they map one file.
Everywhere it is the digest that says which table it is. The client learnt the digest when it verified the table; not a byte of
another file is used.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import IO, Any

from distributed import WorkerPlugin

import moduli

from .output import write_aside


class TableMissing(Exception):
    """The worker has not got the table, and would have to be sent its bytes."""


def plugin_name(digest: str, secret: bool) -> str:
    return f"moduli-table-{digest}-{'secret' if secret else 'public'}"


class TablePlugin(WorkerPlugin):
    """A table file, opened on a worker by the first task that wants it."""

    idempotent = False

    def __init__(self, digest: str, secret: bool, path: str, contents: bytes | None = None) -> None:
        self.name = plugin_name(digest, secret)
        self.digest, self.secret, self.path, self.contents = digest, secret, path, contents

    def setup(self, worker: Any) -> None:
        self.folder = Path(worker.local_directory).parent
        self.lock = threading.Lock()
        # Taken while a result is written, and by who calls the job off: see piece.halt.
        self.writing = threading.Lock()
        self.halted: set[str] = set()
        self.opened: moduli.FixedBase | None = None
        self.sent: Path | None = None
        # The workers are the threads: a batch that used all cores in each of them would only make them wait for one another.
        os.environ.setdefault("RAYON_NUM_THREADS", "1")

    def teardown(self, worker: Any) -> None:
        self.opened = None
        if self.sent:
            # Others that have it mapped keep it, without a name.
            self.sent.unlink(missing_ok=True)

    def table(self) -> moduli.FixedBase:
        """The table, mapped unless others could write to the file and exponents are secret.

        Raises TableMissing; ValueError if the bytes that were sent are not those that the digest stands for.
        """
        with self.lock:
            if self.opened is None:
                self.opened = self._open()
                self.contents = None
            return self.opened

    def _open(self) -> moduli.FixedBase:
        # A file of that path that is none, or another one, says nothing about the table: it is not there, that is all.
        reason = ""
        local = self.folder / f"moduli-{self.digest}.table"
        for path in (self.path, str(local)):
            try:
                return self._map(path)
            except (OSError, ValueError) as error:
                reason = reason or str(error)
        if self.contents is None:
            raise TableMissing(reason)
        contents = self.contents

        def write(file: IO[bytes]) -> None:
            # Nobody else can write to it, or it would not be mapped for secret exponents.
            os.chmod(file.name, 0o600)
            file.write(contents)

        write_aside(local, write)
        try:
            opened = self._map(str(local))
        except ValueError as error:
            local.unlink(missing_ok=True)
            raise ValueError(f"the table that was sent is not the one that was verified: {error}") from error
        self.sent = local
        return opened

    def _map(self, path: str) -> moduli.FixedBase:
        return moduli.FixedBase.open(
            path, digest=bytes.fromhex(self.digest), secret=self.secret, verify=False, mmap=True
        )


def file_digest(path: str | os.PathLike[str]) -> str:
    """The checksum that a table file ends in. Whether it is that of the file is seen where the file is opened."""
    # fspath: open() would take a number for a file that is open already, and close it.
    with open(os.fspath(path), "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 32))
        digest = file.read()
    if len(digest) != 32:
        raise ValueError(f"{os.fspath(path)}: is no table file")
    return digest.hex()
