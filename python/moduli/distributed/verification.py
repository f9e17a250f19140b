"""Verifies equations of public numbers in batches."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex, Unpack, overload

import pyarrow as pa
import pyarrow.parquet as pq

import moduli

from .equation import columns_in, equation_of
from .errors import BadRow
from .job import Options, Path_, Report, carry_out, wanted, warn_of
from .numbers import number
from .plugin import Plugin, Work
from .small_exponents import BITS, System, failing, is_member
from .source import Columns, Parquet, source_of
from .variable import ints, names, null_rows, numbers_by_name, odd_modulus, plugin_name, squaring_nanoseconds


class VerificationPlugin(Plugin):
    """Tests for each row whether all equations hold."""

    column = "holds"

    def __init__(self, name: str, system: System) -> None:
        super().__init__(name)
        self.system = system

    def results(self, columns: Columns, rows: int, start: int) -> tuple[Any, list[BadRow]]:
        reasons = null_rows(columns)
        values = {name: ints(each) for name, (each, _) in columns.items()}
        reasons |= failing(self.system, values, [row for row in range(rows) if row not in reasons])
        array = pa.array([row not in reasons for row in range(rows)], pa.bool_())
        return array, [BadRow(start + row, reasons[row]) for row in sorted(reasons)]


# fmt: off
@overload
def verify(
    source: Path_ | Sequence[str], equations: str | Sequence[str], *, group: str | moduli.Group | None = None,
    modulus: SupportsIndex | None = None, order: SupportsIndex | None = None, bases: Mapping[str, SupportsIndex] | None = None,
    **options: Unpack[Options],
) -> Report: ...
@overload
def verify(
    source: Mapping[str, Any], equations: str | Sequence[str], *, group: str | moduli.Group | None = None,
    modulus: SupportsIndex | None = None, order: SupportsIndex | None = None, bases: Mapping[str, SupportsIndex] | None = None,
    **options: Unpack[Options],
) -> list[bool]: ...
# fmt: on
def verify(
    source: Path_ | Sequence[str] | Mapping[str, Any],
    equations: str | Sequence[str],
    *,
    group: str | moduli.Group | None = None,
    modulus: SupportsIndex | None = None,
    order: SupportsIndex | None = None,
    bases: Mapping[str, SupportsIndex] | None = None,
    **options: Unpack[Options],
) -> Any:
    """Tests whether equations such as "g^s = R * y^c" hold for the rows of the source. For public numbers;
    variable-time.

    source: as for powmod_batch.
    equations: one or several, between products of powers of columns and of `bases`. Exponents are columns or
        numbers, modulo the order.
    bases: numbers that all rows share.
    group: the name of a group, or a group. Its generator is `g` unless `bases` defines `g`.
    modulus, order: instead of a group, a prime modulus, and a prime order of more than 128 bits that divides
        modulus - 1.

    A row holds if each of its bases x is a member of the subgroup (0 < x < modulus, x**order = 1), and all
    equations hold. The equations of a piece are tested together, by random exponents of 128 bits, and
    membership by 128 random subsets. If a piece fails, it is halved until the failing rows are found. Rows
    that hold always pass. In each piece, a row that does not hold passes with a probability of at most
    2**-127. One failing row makes its piece take two to three times as long, and many failing rows about ten
    times or longer.

    Results are in a column `holds`. For Parquet files, returns a Report, in which failing rows are the bad
    rows, with reasons. For lists, returns a list of bools, and issues a BadRowsWarning if not all are true.
    Rows with null do not hold. Options and errors are those of pow_batch. ValueError is also raised if one
    of `bases` is outside the subgroup.
    """
    begun = time.monotonic()
    fixed = numbers_by_name(bases)
    if group is not None:
        if modulus is not None or order is not None:
            raise TypeError("group: sets modulus and order; leave these out")
        named = moduli.group(group) if isinstance(group, str) else group
        p, q, fixed = named.p, named.q, {"g": named.g, **fixed}
    elif modulus is None or order is None:
        raise TypeError("group, or modulus and order: are missing")
    else:
        p, q = odd_modulus(modulus), number(order, "order")
        for name, value in (("modulus", p), ("order", q)):
            if not moduli.is_probable_prime(value):
                raise ValueError(f"{name}: is not prime")
    if q.bit_length() <= BITS:
        raise ValueError(f"order: has {q.bit_length()} bits, and must have more than {BITS}")
    if p % q != 1:
        raise ValueError("order: does not divide the modulus less one")
    parsed = tuple(equation_of(text) for text in names(equations))
    if not parsed:
        raise ValueError("equations: there is none")
    sides = [side for equation in parsed for side in (equation.left, equation.right)]
    base_columns, exponent_columns = columns_in(sides, fixed)
    used = {factor.base for side in sides for factor in side.factors}
    fixed = {name: base for name, base in fixed.items() if name in used}
    for name, base in fixed.items():
        if not is_member(base, q, p):
            raise ValueError(f"bases: {name} is not in the subgroup of that order")
    columns = list(dict.fromkeys([*base_columns, *exponent_columns]))
    if not columns:
        raise ValueError("equations: they have no column of the source")
    rows = source_of(source, columns)
    wanted(rows, options)
    identity = {"work": {"verb": "verify", "equations": list(map(str, parsed)), "bases": fixed, "modulus": p, "order": q}}
    plugin = VerificationPlugin(plugin_name(identity), System(parsed, fixed, tuple(base_columns), p, q))
    # For each base: its membership, and an eighth of a product for each bit of its exponent.
    nanoseconds = squaring_nanoseconds(p) * max(1, len(base_columns)) * (20 + q.bit_length() / 8)
    work = Work(plugin, identity, {}, pa.bool_(), nanoseconds, sum(rows.widths.values()))

    def collect(report: Report) -> Any:
        if isinstance(rows, Parquet):
            return report
        warn_of(report)
        return [bool(each) for file in report.files for each in pq.read_table(file).column("holds").to_pylist()]

    return carry_out(rows, work, collect, begun, **options)
