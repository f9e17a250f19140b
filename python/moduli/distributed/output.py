"""Writes result files. Each file is complete or absent, and all belong to one job.

Names of files that are not results begin with a dot or an underscore, so that readers of a folder of Parquet files skip them.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .errors import BadRow, JobError, MismatchError

MANIFEST = "_manifest.json"
LOCK = ".lock"
# The number of bad rows whose positions are kept in each result file and in a report. All bad rows are counted, and
# null in the results.
KEPT = 1000
# The entries in a result file's metadata, apart from its digest.
TOLD = ("moduli.job", "moduli.bad_count", "moduli.bad")


def write_aside(path: Path, write: Callable[[IO[bytes]], Any]) -> None:
    """Writes a file that is complete or absent, also after a power cut, and also if others write it at the same time."""
    aside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with open(aside, "xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    # Directories cannot be opened on every system.
    try:
        descriptor = os.open(directory, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(directory: Path) -> None:
    """Removes incomplete files of killed processes."""
    for aside in directory.glob(".*.tmp"):
        aside.unlink(missing_ok=True)


def job_number(identity: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def part(directory: str | Path, index: int) -> Path:
    return Path(directory) / f"part-{index:05}.parquet"


class Output:
    """A folder for the results of one job. No other process may write to it."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(os.path.abspath(directory))
        self.lock: IO[bytes] | None = None
        self.job = ""
        self.directory.mkdir(parents=True, exist_ok=True)
        # Refuse foreign folders before anything is put there.
        self._refuse_others()
        self._lock()

    def _lock(self) -> None:
        """Takes a lock that lasts until this process ends. Without locks in the system or folder, callers must take care."""
        try:
            import fcntl
        except ImportError:
            return
        self.lock = open(self.directory / LOCK, "ab")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.lock.close()
            raise JobError(f"{self.directory}: another process is writing results there") from None
        except OSError:
            pass

    def manifest(self) -> dict[str, Any] | None:
        """The manifest of the job whose results the folder holds."""
        path = self.directory / MANIFEST
        try:
            found = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise MismatchError(f"{path}: not a manifest: {error}") from error
        if not isinstance(found, dict) or found.get("format") != 1:
            raise MismatchError(f"{path}: not a manifest of this version")
        return found

    def _refuse_others(self) -> None:
        """Refuses a folder that holds files but no manifest."""
        names = sorted(path.name for path in self.directory.iterdir() if not path.name.startswith("."))
        if names and MANIFEST not in names:
            raise MismatchError(f"{self.directory}: holds {names[0]!r}, and no manifest of a job: choose an empty folder")

    def claim(self, identity: dict[str, Any], found: dict[str, Any] | None, about: dict[str, Any]) -> None:
        """Binds the folder to the job, or checks that it is already bound to this job."""
        self.job = job_number(identity)
        if found is None:
            self._refuse_others()
            text = json.dumps({**identity, "about": about}, indent=1) + "\n"
            write_aside(self.directory / MANIFEST, lambda file: file.write(text.encode()))
            return
        names = {"source": "of another source", "column": "of another column", "table": "of another table",
                 "work": "of other work", "rows_per_piece": f"in pieces of {found.get('rows_per_piece')} rows"}  # fmt: skip
        differences = [text for name, text in names.items() if found.get(name) != identity.get(name)]
        if differences:
            raise MismatchError(f"{self.directory}: holds results {', '.join(differences)}: choose another folder, or remove it")

    def finished(self, index: int, rows: int) -> tuple[int, list[BadRow]] | None:
        """The bad rows of a finished piece, or None if it must still be computed. Reads the whole file."""
        path = part(self.directory, index)
        try:
            with open(path, "rb") as opened:
                file = pq.ParquetFile(opened)
                keys: dict[bytes, bytes] = file.metadata.metadata or {}
                told = [keys.get(name.encode(), b"") for name in TOLD]
                digest = keys.get(b"moduli.sha256") if all(told) else None
                if digest and digest_of(file.read(use_threads=False).column(0).chunks, told) != digest.decode():
                    return None
        except FileNotFoundError:
            return None
        except (OSError, pa.ArrowException, ValueError, KeyError, IndexError):
            # The file was complete when it was written and has been damaged since: it is computed again.
            return None
        if not digest or told[0] != self.job.encode() or file.metadata.num_rows != rows:
            raise MismatchError(f"{path}: is not a result of this job")
        return int(told[1]), [BadRow(*each) for each in json.loads(told[2])]

    def no_rows(self, name: str, kind: Any) -> Path:
        """Writes the only file for a source without rows, so that readers of the folder find the column."""
        path = part(self.directory, 0)
        if self.finished(0, 0) is None:
            arrow = arrow_table(name, pa.array([], kind), [], self.job)
            write_aside(path, lambda file: write_part(arrow, file))
        return path

    def close(self) -> None:
        if self.lock:
            self.lock.close()


def is_seen(directory: str, job: str) -> bool:
    """Whether this machine sees the folder of the job, and not another folder of that name."""
    try:
        found = json.loads((Path(directory) / MANIFEST).read_bytes())
        found.pop("about")
        return job_number(found) == job
    except (OSError, ValueError, KeyError, AttributeError):
        return False


def digest_of(arrays: Iterable[Any], told: Iterable[bytes]) -> str:
    """The SHA-256 of the contents of a result file: the values of its metadata, which rows are null, and the other rows."""
    arrays, digest = list(arrays), hashlib.sha256()
    for value in told:
        digest.update(b"%d:%b" % (len(value), value))
    for array in arrays:
        digest.update(np.asarray(array.is_valid()).tobytes())
    for array in arrays:
        # The bytes in the place of a null are undefined.
        array = array.drop_null() if array.null_count else array
        if pa.types.is_boolean(array.type):
            digest.update(np.asarray(array).tobytes())
        elif len(array):
            width = array.type.byte_width
            digest.update(memoryview(array.buffers()[1])[array.offset * width : (array.offset + len(array)) * width])
    return digest.hexdigest()


def powers_array(powers: Any, bad: Sequence[int] = ()) -> Any:
    """Powers uint8[n, width] as an Arrow array with null for bad rows."""
    rows, width = powers.shape
    validity = None
    if bad:
        valid = np.ones(rows, bool)
        valid[list(bad)] = False
        validity = pa.py_buffer(np.packbits(valid, bitorder="little").tobytes())
    buffers = [validity, pa.py_buffer(np.ascontiguousarray(powers))]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), rows, buffers, len(bad))


def arrow_table(name: str, array: Any, bad: list[BadRow], job: str) -> Any:
    """The result of a piece: a column, with metadata for the report of a resumed job."""
    told = dict(zip(TOLD, (job, str(len(bad)), json.dumps(bad[:KEPT]))))
    metadata = {**told, "moduli.sha256": digest_of([array], [value.encode() for value in told.values()])}
    return pa.Table.from_arrays([array], schema=pa.schema([pa.field(name, array.type)], metadata=metadata))


def write_part(table: Any, file: Any) -> None:
    # Powers look random, so dictionaries, compression and statistics do not help.
    options = {"use_dictionary": False, "compression": "NONE", "write_statistics": False}
    pq.write_table(table, file, row_group_size=max(1, table.num_rows), **options)
