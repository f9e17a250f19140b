"""Sources of numbers: columns of Parquet files, or lists, divided into pieces.

A piece is the work of one task, and its results are in one file. Small row groups of a file are joined into a piece, and large ones
are divided, because files often have row groups of a million rows.
"""

from __future__ import annotations

import hashlib
import operator
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .errors import JobError

Rows = Any  # list[int | None] or a NumPy array uint8[n, width]
# The contents of a piece: for each column name, the numbers (a list of integers or an array), and a mask of those that are null,
# or None if none is. The single column of a list without a name is "".
Columns = dict[str, tuple[Any, Any]]


@dataclass(frozen=True)
class Span:
    """Rows of a Parquet file, from row `skip` of the first row group on; and the size and date of the file when the job began."""

    path: str
    columns: tuple[str, ...]
    groups: tuple[int, ...]
    skip: int
    size: int
    modified: int


@dataclass(frozen=True)
class Piece:
    """A task. It contains its rows, or says where they are."""

    index: int
    start: int
    rows: int
    span: Span | None = None
    # Dask logs the arguments of a failed task; this keeps the values out of the log.
    values: dict[str, Rows] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        return f"rows {self.start} to {self.start + self.rows - 1}"


class Parquet:
    """Columns of fixed-size binary in Parquet files, which are read in order."""

    def __init__(self, paths: Sequence[str | os.PathLike[str]], columns: Sequence[str] = ()) -> None:
        """Without names, the only column of fixed-size binary is used."""
        if not paths:
            raise JobError("the source is an empty list of files")
        self.paths = [os.path.abspath(os.fspath(path)) for path in paths]
        self.files: list[tuple[os.stat_result, list[int]]] = []
        self.columns = tuple(columns)
        # For each column, the bytes of a number.
        self.widths: dict[str, int] = {}
        for path in self.paths:
            try:
                with open(path, "rb") as opened:
                    file = pq.ParquetFile(opened)
                    status, schema, metadata = os.fstat(opened.fileno()), file.schema_arrow, file.metadata
                    groups = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
            except pa.ArrowInvalid as error:
                raise JobError(f"{path}: is no Parquet file: {error}") from error
            self.columns = self.columns or (only_column(path, schema),)
            for column in self.columns:
                width = width_of(path, schema, column)
                known = self.widths.setdefault(column, width)
                if known != width:
                    raise JobError(f"column {column!r} is of different widths: {known}, {width} bytes")
            self.files.append((status, groups))
        self.rows = sum(sum(groups) for _, groups in self.files)

    def identity(self) -> dict[str, Any]:
        """Identifies the source, so that only the same job is resumed. All bytes are hashed, which takes a thousandth of the time of
        their powers. Names and dates may change."""
        digests = []
        for path in self.paths:
            with open(path, "rb") as file:
                digests.append(hashlib.file_digest(file, "sha256").hexdigest())
        return {"source": digests}

    def pieces(self, most: int) -> Iterator[Piece]:
        index = start = 0
        for path, (status, groups) in zip(self.paths, self.files):
            for numbers, skip, rows in spans(groups, most):
                span = Span(path, self.columns, numbers, skip, status.st_size, status.st_mtime_ns)
                yield Piece(index, start, rows, span)
                index, start = index + 1, start + rows


class Values:
    """Named columns of equal length: lists of integers (None is a bad row), or arrays uint8[n, width] of big-endian numbers."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self.values = {name: numbers(f"column {name!r}" if name else "the source", given) for name, given in columns.items()}
        self.columns = tuple(self.values)
        counts = {len(values) for values in self.values.values()}
        if len(counts) > 1:
            raise ValueError(f"the columns are of different lengths: {', '.join(map(str, sorted(counts)))}")
        self.rows = counts.pop() if counts else 0
        self.widths = {name: bytes_of(values) for name, values in self.values.items()}

    def identity(self) -> dict[str, Any]:
        digests = []
        for values in self.values.values():
            if isinstance(values, np.ndarray):
                digest = hashlib.sha256(str(values.shape).encode())
                digest.update(values.data)
            else:
                digest = hashlib.sha256(b"list")
                for value in values:
                    digest.update(b"null\n" if value is None else b"%x\n" % value)
            digests.append(digest.hexdigest())
        return {"source": digests}

    def pieces(self, most: int) -> Iterator[Piece]:
        for index, (_, start, rows) in enumerate(spans([self.rows], most)):
            yield Piece(index, start, rows, values={name: each[start : start + rows] for name, each in self.values.items()})


def numbers(name: str, values: Any) -> Rows:
    """Checks a column that a caller gave, and returns it."""
    if isinstance(values, np.ndarray):
        if values.dtype != np.uint8 or values.ndim != 2 or not values.shape[1]:
            raise TypeError(f"{name}: an array must be uint8[n, width], not {values.dtype}{list(values.shape)}")
        return np.ascontiguousarray(values)
    if isinstance(values, (bytes, bytearray, memoryview)):
        raise TypeError(f"{name}: bytes do not say how long a row is; np.frombuffer(…, np.uint8).reshape(-1, width) does")
    if not isinstance(values, Iterable):
        kind = type(values).__name__
        raise TypeError(f"{name}: is a {kind}, and must be Parquet files, a list of integers, or an array uint8[n, width]")
    return [integer(name, row, value) for row, value in enumerate(values)]


def integer(name: str, row: int, value: Any) -> int | None:
    try:
        return None if value is None else operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: row {row} is a {type(value).__name__}, and must be an integer or None") from None


def bytes_of(values: Rows) -> int:
    """The number of bytes of the longest number."""
    if isinstance(values, np.ndarray):
        return int(values.shape[1])
    longest = max((value.bit_length() for value in values if value is not None), default=0)
    return max(1, -(-longest // 8))


def files_of(source: Any) -> list[str | os.PathLike[str]] | None:
    """The paths, if the source consists of files."""
    if isinstance(source, (str, os.PathLike)):
        return [source]
    if isinstance(source, Sequence) and source and all(isinstance(each, (str, os.PathLike)) for each in source):
        return list(source)
    return None


def source_of(source: Any, columns: Sequence[str] = ()) -> Parquet | Values:
    """The source of a caller: a path or a list of paths, with names of columns (without names: the only column); or a dictionary of lists
    or arrays; or, if no column is named, a list of integers or an array."""
    files = files_of(source)
    if files is not None:
        return Parquet(files, columns)
    if not columns:
        return Values({"": source})
    if not isinstance(source, Mapping):
        kind = type(source).__name__
        raise TypeError(f"the source: is a {kind}, and must be Parquet files, or a dictionary of columns: lists of integers or arrays")
    for name in columns:
        if name not in source:
            raise JobError(f"the source has no column {name!r}; it has {', '.join(map(repr, source)) or 'none'}")
    return Values({name: source[name] for name in columns})


def spans(groups: Sequence[int], most: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Divides the row groups of a file into pieces of at most `most` rows: the groups, the rows to skip, the rows to read."""
    joined: list[int] = []
    rows = 0
    for number, count in enumerate(groups):
        if joined and rows + count > most:
            yield tuple(joined), 0, rows
            joined, rows = [], 0
        if count > most:
            # Pieces have equal lengths, so that no worker waits for a long one among short ones.
            parts = -(-count // most)
            for part in range(parts):
                begin, end = part * count // parts, (part + 1) * count // parts
                yield (number,), begin, end - begin
        elif count:
            joined.append(number)
            rows += count
    if joined:
        yield tuple(joined), 0, rows


def columns_of(piece: Piece) -> Columns:
    """The numbers of a piece."""
    if piece.span is not None:
        return read(piece.span, piece.rows)
    columns: Columns = {}
    for name, values in piece.values.items():
        if isinstance(values, np.ndarray):
            columns[name] = values, None
        else:
            nulls = np.array([value is None for value in values])
            columns[name] = [0 if value is None else value for value in values], nulls if nulls.any() else None
    return columns


def read(span: Span, rows: int) -> Columns:
    """Reads a piece: an array uint8[rows, width] for each column."""
    with open(span.path, "rb") as opened:
        status = os.fstat(opened.fileno())
        if (status.st_size, status.st_mtime_ns) != (span.size, span.modified):
            raise JobError(f"{span.path}: has changed since the job began")
        table = pq.ParquetFile(opened).read_row_groups(list(span.groups), columns=list(span.columns), use_threads=False)
    columns: Columns = {}
    for name in span.columns:
        array = table.column(name).slice(span.skip, rows).combine_chunks()
        if isinstance(array, pa.ChunkedArray):
            array = pa.concat_arrays(array.chunks)
        width = array.type.byte_width
        values = np.frombuffer(array.buffers()[1], np.uint8, rows * width, array.offset * width).reshape(rows, width)
        columns[name] = values, np.asarray(array.is_null()) if array.null_count else None
    return columns


def width_of(path: str, schema: Any, column: str) -> int:
    if column not in schema.names:
        raise JobError(f"{path}: has no column {column!r}; it has {', '.join(map(repr, schema.names)) or 'none'}")
    kind = schema.field(column).type
    if not pa.types.is_fixed_size_binary(kind) or not kind.byte_width:
        raise JobError(f"{path}: column {column!r} is of type {kind}; numbers are fixed-size binary, big-endian")
    return int(kind.byte_width)


def only_column(path: str, schema: Any) -> str:
    names = [field.name for field in schema if pa.types.is_fixed_size_binary(field.type)]
    if len(names) != 1:
        found = ", ".join(map(repr, names)) or "none"
        raise JobError(f"{path}: which column holds the exponents? Of fixed-size binary there are: {found}")
    return str(names[0])
