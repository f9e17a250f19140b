"""Integers as arguments, and in bytes."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex

import numpy as np


def number(value: SupportsIndex, name: str, least: int = 0) -> int:
    """An argument that is an integer, and not less than that."""
    try:
        found = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: is a {type(value).__name__}, and must be an integer") from None
    if found < least:
        raise ValueError(f"{name}: is less than {least}")
    return found


def bytes_of(modulus: int) -> int:
    """How many bytes a number below the modulus takes."""
    return (modulus.bit_length() + 7) // 8


def rows_of(powers: Any, width: int) -> Any:
    """Powers in a list, or such rows already, as uint8[n, width]."""
    if isinstance(powers, np.ndarray):
        return powers
    return np.frombuffer(b"".join(power.to_bytes(width, "big") for power in powers), np.uint8).reshape(-1, width)
