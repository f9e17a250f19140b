"""Integers as arguments and as bytes."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex

import numpy as np


def number(value: SupportsIndex, name: str, least: int = 0) -> int:
    """Checks that an argument is an integer of at least `least`, and returns it."""
    try:
        found = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: is a {type(value).__name__}, and must be an integer") from None
    if found < least:
        raise ValueError(f"{name}: is less than {least}")
    return found


def bytes_of(modulus: int) -> int:
    """The number of bytes of a number below the modulus."""
    return (modulus.bit_length() + 7) // 8


def rows_of(powers: Any, width: int) -> Any:
    """Powers as rows uint8[n, width], from a list or from such rows."""
    if isinstance(powers, np.ndarray):
        return powers
    return np.frombuffer(b"".join(power.to_bytes(width, "big") for power in powers), np.uint8).reshape(-1, width)
