"""Functions for work on variable bases: numbers of rows, names, and the time of a product."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np

import moduli

from .numbers import number
from .source import Columns


def ints(values: Any) -> list[int]:
    """The numbers of a column as integers."""
    if not isinstance(values, np.ndarray):
        return list(values)
    data, width = values.tobytes(), values.shape[1]
    return [int.from_bytes(data[at : at + width], "big") for at in range(0, len(data), width)]


def null_rows(columns: Columns) -> dict[int, str]:
    """The reasons for rows in which a column is null."""
    reasons: dict[int, str] = {}
    for name, (_, nulls) in columns.items():
        for row in np.flatnonzero(nulls) if nulls is not None else ():
            reasons.setdefault(int(row), f"{name} is null")
    return reasons


def plugin_name(identity: Mapping[str, Any]) -> str:
    return f"moduli-{hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()}"


def odd_modulus(value: SupportsIndex) -> int:
    """Checks a modulus: odd, at least 3, of at most 65,536 bits. Raises ValueError for others."""
    modulus = number(value, "modulus")
    moduli.Modulus(modulus)
    return modulus


def numbers_by_name(bases: Mapping[str, SupportsIndex] | None) -> dict[str, int]:
    return {name: number(value, f"bases: {name}") for name, value in (bases or {}).items()}


def names(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def squaring_nanoseconds(modulus: int) -> float:
    """Measures the time of one of many squarings."""
    prepared, best = moduli.Modulus(modulus), float("inf")
    for _ in range(3):
        begun = time.perf_counter()
        prepared.pow(3, 1 << 256)
        best = min(best, time.perf_counter() - begun)
    return max(1.0, best * 1e9 / 256)
