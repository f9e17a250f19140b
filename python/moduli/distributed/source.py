"""Where exponents come from: Parquet files or a list, cut into pieces.

A piece is what a task computes and what one result file holds. Small row groups of a file are joined into a piece, large ones are
cut: files that were written without a thought for this have a million rows in each.
"""

from __future__ import annotations

import hashlib
import operator
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .errors import JobError

Rows = Any  # list[int | None] or a NumPy array uint8[n, width]


@dataclass(frozen=True)
class Span:
    """Rows of a Parquet file: `skip` rows into the first of the row groups, and what the file was when the job began."""

    path: str
    column: str
    groups: tuple[int, ...]
    skip: int
    size: int
    modified: int


@dataclass(frozen=True)
class Piece:
    """A task. Its rows travel with it, or it says where they stand."""

    index: int
    start: int
    rows: int
    span: Span | None = None
    # Dask writes the arguments of a task that failed to its log: not these.
    values: Rows = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"rows {self.start} to {self.start + self.rows - 1}"


class Parquet:
    """The fixed-size binary column of Parquet files, one after the other."""

    def __init__(self, paths: Sequence[str | os.PathLike[str]], column: str | None) -> None:
        if not paths:
            raise JobError("the source is an empty list of files")
        self.paths = [os.path.abspath(os.fspath(path)) for path in paths]
        self.files: list[tuple[os.stat_result, list[int]]] = []
        self.column = column or ""
        widths = set()
        for path in self.paths:
            try:
                with open(path, "rb") as opened:
                    file = pq.ParquetFile(opened)
                    status, schema, metadata = os.fstat(opened.fileno()), file.schema_arrow, file.metadata
                    groups = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
            except pa.ArrowInvalid as error:
                raise JobError(f"{path}: is no Parquet file: {error}") from error
            self.column = self.column or only_column(path, schema)
            widths.add(width_of(path, schema, self.column))
            self.files.append((status, groups))
        if len(widths) > 1:
            raise JobError(f"column {self.column!r} is of different widths: {', '.join(map(str, sorted(widths)))} bytes")
        self.rows = sum(sum(groups) for _, groups in self.files)

    def identity(self) -> dict[str, Any]:
        """What a resumed job must have been about. All bytes are hashed, which takes a thousandth of the time of their powers; names
        and dates may change."""
        digests = []
        for path in self.paths:
            with open(path, "rb") as file:
                digests.append(hashlib.file_digest(file, "sha256").hexdigest())
        return {"source": digests, "column": self.column}

    def pieces(self, most: int) -> Iterator[Piece]:
        index = start = 0
        for path, (status, groups) in zip(self.paths, self.files):
            for numbers, skip, rows in spans(groups, most):
                span = Span(path, self.column, numbers, skip, status.st_size, status.st_mtime_ns)
                yield Piece(index, start, rows, span)
                index, start = index + 1, start + rows


class Values:
    """A list of integers (None is a bad row), or an array uint8[n, width] of big-endian numbers."""

    def __init__(self, values: Any) -> None:
        self.values: Rows
        if isinstance(values, np.ndarray):
            if values.dtype != np.uint8 or values.ndim != 2 or not values.shape[1]:
                raise TypeError(f"the source: an array must be uint8[n, width], not {values.dtype}{list(values.shape)}")
            self.values = np.ascontiguousarray(values)
        else:
            if not isinstance(values, Iterable):
                kind = type(values).__name__
                raise TypeError(f"the source: is a {kind}, and must be Parquet files, a list of integers, or an array uint8[n, width]")
            self.values = [integer(row, value) for row, value in enumerate(values)]
        self.rows = len(self.values)

    def identity(self) -> dict[str, Any]:
        if isinstance(self.values, np.ndarray):
            digest = hashlib.sha256(str(self.values.shape).encode())
            digest.update(self.values.data)
        else:
            digest = hashlib.sha256(b"list")
            for value in self.values:
                digest.update(b"null\n" if value is None else b"%x\n" % value)
        return {"source": [digest.hexdigest()], "column": ""}

    def pieces(self, most: int) -> Iterator[Piece]:
        for index, (_, start, rows) in enumerate(spans([self.rows], most)):
            yield Piece(index, start, rows, values=self.values[start : start + rows])


def integer(row: int, value: Any) -> int | None:
    try:
        return None if value is None else operator.index(value)
    except TypeError:
        raise TypeError(f"the source: row {row} is a {type(value).__name__}, and must be an integer or None") from None


def source_of(source: Any, column: str | None) -> Parquet | Values:
    """The source that a caller named: a path, a list of paths, a list of integers or an array."""
    if isinstance(source, (str, os.PathLike)):
        return Parquet([source], column)
    if isinstance(source, (bytes, bytearray, memoryview)):
        raise TypeError("the source: bytes do not say how long a row is; np.frombuffer(…, np.uint8).reshape(-1, width) does")
    if isinstance(source, Sequence) and source and all(isinstance(each, (str, os.PathLike)) for each in source):
        return Parquet(list(source), column)
    if column is not None:
        raise TypeError("column: only Parquet files have one")
    return Values(source)


def spans(groups: Sequence[int], most: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Row groups of a file as pieces of at most so many rows: which groups, how many rows to skip, how many to take."""
    joined: list[int] = []
    rows = 0
    for number, count in enumerate(groups):
        if joined and rows + count > most:
            yield tuple(joined), 0, rows
            joined, rows = [], 0
        if count > most:
            # Of equal lengths, so that no worker waits for the long one among short ones.
            parts = -(-count // most)
            for part in range(parts):
                begin, end = part * count // parts, (part + 1) * count // parts
                yield (number,), begin, end - begin
        elif count:
            joined.append(number)
            rows += count
    if joined:
        yield tuple(joined), 0, rows


def read(span: Span, rows: int) -> tuple[Any, Any]:
    """Reads a piece: an array uint8[rows, width], and which of its rows are null (or None, if none is)."""
    with open(span.path, "rb") as opened:
        status = os.fstat(opened.fileno())
        if (status.st_size, status.st_mtime_ns) != (span.size, span.modified):
            raise JobError(f"{span.path}: has changed since the job began")
        table = pq.ParquetFile(opened).read_row_groups(list(span.groups), columns=[span.column], use_threads=False)
    chunked = table.column(span.column).slice(span.skip, rows)
    array = chunked.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    width = array.type.byte_width
    values = np.frombuffer(array.buffers()[1], np.uint8, rows * width, array.offset * width).reshape(rows, width)
    if not array.null_count:
        return values, None
    return values, np.asarray(array.is_null())


def width_of(path: str, schema: Any, column: str) -> int:
    if column not in schema.names:
        raise JobError(f"{path}: has no column {column!r}; it has {', '.join(map(repr, schema.names)) or 'none'}")
    kind = schema.field(column).type
    if not pa.types.is_fixed_size_binary(kind) or not kind.byte_width:
        raise JobError(f"{path}: column {column!r} is of type {kind}; exponents are fixed-size binary, big-endian")
    return int(kind.byte_width)


def only_column(path: str, schema: Any) -> str:
    names = [field.name for field in schema if pa.types.is_fixed_size_binary(field.type)]
    if len(names) != 1:
        found = ", ".join(map(repr, names)) or "none"
        raise JobError(f"{path}: which column holds the exponents? Of fixed-size binary there are: {found}")
    return str(names[0])
