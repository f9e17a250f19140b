"""Powers of variable bases."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex, Unpack, overload

import numpy as np
import pyarrow as pa

import moduli

from .errors import BadRow
from .job import Options, Path_, Report, carry_out, powers, wanted
from .numbers import bytes_of, number, rows_of
from .output import powers_array
from .plugin import Plugin, Work
from .source import Columns, Parquet, source_of
from .variable import ints, null_rows, plugin_name, squaring_nanoseconds


class PowersPlugin(Plugin):
    """A power for each row. Base, exponent and modulus are each the name of a column, or a number for all rows."""

    def __init__(self, name: str, base: str | int, exponent: str | int, modulus: str | int, width: int) -> None:
        super().__init__(name)
        self.base, self.exponent, self.modulus, self.width = base, exponent, modulus, width

    def results(self, columns: Columns, rows: int, start: int) -> tuple[Any, list[BadRow]]:
        reasons = null_rows(columns)

        def values(which: str | int) -> Any:
            return columns[which][0] if isinstance(which, str) else [which] * rows

        bases, exponents, found = values(self.base), values(self.exponent), np.zeros((rows, self.width), np.uint8)
        if isinstance(self.modulus, int):
            if rows:
                found[:] = powers_of(bases, exponents, self.modulus, self.width, range(rows), reasons)
        else:
            bases, exponents = ints(bases), ints(exponents)
            by_modulus: dict[int, list[int]] = {}
            for row, modulus in enumerate(ints(columns[self.modulus][0])):
                if modulus < 1:
                    reasons.setdefault(row, f"{self.modulus} is {modulus}, and must be above 0")
                if row not in reasons:
                    by_modulus.setdefault(modulus, []).append(row)
            for modulus, some in by_modulus.items():
                pairs = [bases[row] for row in some], [exponents[row] for row in some]
                found[some] = powers_of(*pairs, modulus, self.width, some, reasons)
        bad = sorted(reasons)
        return powers_array(found, bad), [BadRow(start + row, reasons[row]) for row in bad]


def powers_of(bases: Any, exponents: Any, modulus: int, width: int, rows: Sequence[int], reasons: dict[int, str]) -> Any:
    """The powers, uint8[n, width]. Adds reasons for rows whose negative exponent has no result."""
    try:
        found = moduli.powmod_batch(bases, exponents, modulus)
    except ValueError:
        exponents = ints(exponents)
        for at, exponent in enumerate(exponents):
            if exponent < 0:
                try:
                    moduli.powmod(int_at(bases, at), -1, modulus)
                except (ValueError, ZeroDivisionError):
                    reasons.setdefault(rows[at], "the base is not invertible, and the exponent negative")
                    exponents[at] = 0
        found = moduli.powmod_batch(bases, exponents, modulus)
    return rows_of(found, width)


def int_at(values: Any, at: int) -> int:
    return int.from_bytes(values[at].tobytes(), "big") if isinstance(values, np.ndarray) else values[at]


# fmt: off
@overload
def powmod_batch(
    source: Path_ | Sequence[str], base: str | SupportsIndex, exponent: str | SupportsIndex, modulus: str | SupportsIndex,
    **options: Unpack[Options],
) -> Report: ...
@overload
def powmod_batch(
    source: Mapping[str, Any], base: str | SupportsIndex, exponent: str | SupportsIndex, modulus: str | SupportsIndex,
    **options: Unpack[Options],
) -> Any: ...
# fmt: on
def powmod_batch(
    source: Path_ | Sequence[str] | Mapping[str, Any],
    base: str | SupportsIndex,
    exponent: str | SupportsIndex,
    modulus: str | SupportsIndex,
    **options: Unpack[Options],
) -> Any:
    """Computes base**exponent modulo modulus for all rows of the source, in order.

    source: a Parquet file or a list of them, with columns of fixed-size binary, big-endian; or a dictionary
        of columns, each a list of integers or an array uint8[n, width].
    base, exponent, modulus: each is the name of a column, or a number for all rows; at least one is a column.
        The modulus is at least 1. For odd moduli of up to 65,536 bits, the powers are constant-time, as those
        of moduli.powmod_batch. A modulus that many rows of a piece share is prepared once for them.

    The results, `power`, are as long as the modulus, or as the numbers of its column. Options, results and
    errors are those of pow_batch; the results have the type of the bases. Bad rows are null, have a modulus
    of 0, or, in lists, have a negative exponent and a base without an inverse.
    """
    begun = time.monotonic()
    base, exponent, modulus = (
        each if isinstance(each, str) else number(each, name, least)
        for each, name, least in ((base, "base", 0), (exponent, "exponent", 0), (modulus, "modulus", 1))
    )
    columns = list(dict.fromkeys(each for each in (base, exponent, modulus) if isinstance(each, str)))
    if not columns:
        raise ValueError("base, exponent and modulus are numbers: one of them has to be the name of a column")
    rows = source_of(source, columns)
    wanted(rows, options)
    width = bytes_of(modulus) if isinstance(modulus, int) else rows.widths[modulus]
    exponent_bits = exponent.bit_length() if isinstance(exponent, int) else 8 * rows.widths[exponent]
    identity = {"work": {"verb": "powmod", "base": base, "exponent": exponent, "modulus": modulus}}
    plugin = PowersPlugin(plugin_name(identity), base, exponent, modulus, width)
    # Any odd modulus of that length gives the same estimate.
    nanoseconds = squaring_nanoseconds((1 << min(8 * width, 65_536)) - 1) * 1.2 * max(8, exponent_bits)
    row_bytes = width + sum(rows.widths.values())
    work = Work(plugin, identity, {"modulus_bytes": width}, pa.binary(width), nanoseconds, row_bytes)

    def collect(report: Report) -> Any:
        if isinstance(rows, Parquet):
            return report
        return powers(report, width, isinstance(base, str) and isinstance(rows.values[base], np.ndarray))

    return carry_out(rows, work, collect, begun, **options)
