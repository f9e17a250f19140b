"""The product of powers over all rows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex, Unpack, overload

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import moduli

from .equation import Product, columns_in, product_of
from .errors import BadRow
from .job import Options, Path_, Report, carry_out, warn_of
from .numbers import bytes_of
from .output import powers_array
from .plugin import Plugin, Work
from .source import Columns, Parquet, source_of
from .variable import ints, null_rows, numbers_by_name, odd_modulus, plugin_name, squaring_nanoseconds


class ProductPlugin(Plugin):
    """Computes one row for each piece: the product of the powers of all its rows."""

    def __init__(self, name: str, product: Product, fixed: dict[str, int], modulus: int, secret: bool) -> None:
        super().__init__(name)
        self.product, self.fixed, self.modulus, self.secret = product, fixed, modulus, secret

    def result_rows(self, rows: int) -> int:
        return 1

    def results(self, columns: Columns, rows: int, start: int) -> tuple[Any, list[BadRow]]:
        reasons = null_rows(columns)
        values = {name: ints(each) for name, (each, _) in columns.items()}
        try:
            found = self.of(values, [row for row in range(rows) if row not in reasons])
        except ValueError:
            for row in range(rows):
                try:
                    self.of(values, [row] if row not in reasons else [])
                except ValueError as error:
                    reasons[row] = str(error)
            found = self.of(values, [row for row in range(rows) if row not in reasons])
        width = bytes_of(self.modulus)
        array = powers_array(np.frombuffer(found.to_bytes(width, "big"), np.uint8).reshape(1, width))
        return array, [BadRow(start + row, reasons[row]) for row in sorted(reasons)]

    def of(self, values: dict[str, list[int]], rows: Sequence[int]) -> int:
        """The product over these rows. Raises ValueError for a negative exponent of a base without an inverse."""
        bases: list[int] = []
        exponents: list[int] = []
        common = dict.fromkeys(self.fixed, 0)
        for factor in self.product.factors:
            own = [factor.exponent] * len(rows) if isinstance(factor.exponent, int) else [values[factor.exponent][row] for row in rows]
            if factor.base in common:
                common[factor.base] += sum(own)
            else:
                bases += [values[factor.base][row] for row in rows]
                exponents += own
        return moduli.multi_pow(bases + list(self.fixed.values()), exponents + list(common.values()), self.modulus, secret=self.secret)


# fmt: off
@overload
def multi_pow(
    source: Path_ | Sequence[str], product: str, modulus: SupportsIndex, *, bases: Mapping[str, SupportsIndex] | None = None,
    secret: bool = False, **options: Unpack[Options],
) -> Report: ...
@overload
def multi_pow(
    source: Mapping[str, Any], product: str, modulus: SupportsIndex, *, bases: Mapping[str, SupportsIndex] | None = None,
    secret: bool = False, **options: Unpack[Options],
) -> int: ...
# fmt: on
def multi_pow(
    source: Path_ | Sequence[str] | Mapping[str, Any],
    product: str,
    modulus: SupportsIndex,
    *,
    bases: Mapping[str, SupportsIndex] | None = None,
    secret: bool = False,
    **options: Unpack[Options],
) -> Any:
    """Computes the product over all rows of the source. Each row contributes a product of powers such as "x^e"
    or "alpha^c * g^v".

    source: as for powmod_batch.
    product: names of columns, or of `bases`, each raised to a column or a number.
    bases: numbers that all rows share. The exponents of such a base are added up, and it is raised once per
        piece.
    modulus: odd, at least 3, of at most 65,536 bits.
    secret: whether bases and exponents are secret, so that the product is computed in constant time (except
        for their lengths and signs), as by moduli.multi_pow.

    Each result file has one row, the product of its piece. For Parquet files, returns a Report, whose
    attribute `product` is the product. Otherwise returns the product. The output folder is optional, also
    for Parquet files, but an interrupted job without one cannot be continued. The other options and errors
    are those of pow_batch. Bad rows (null, or, in lists, a negative exponent of a base without an inverse)
    are left out of the product, and reported.
    """
    begun = time.monotonic()
    parsed, fixed, number = product_of(product), numbers_by_name(bases), odd_modulus(modulus)
    base_columns, exponent_columns = columns_in([parsed], fixed)
    used = {factor.base for factor in parsed.factors}
    fixed = {name: base for name, base in fixed.items() if name in used}
    columns = list(dict.fromkeys([*base_columns, *exponent_columns]))
    if not columns:
        raise ValueError(f"{product!r}: has no column of the source")
    rows = source_of(source, columns)
    identity = {"work": {"verb": "multipow", "product": str(parsed), "bases": fixed, "modulus": number}}
    plugin = ProductPlugin(plugin_name({**identity, "secret": secret}), parsed, fixed, number, secret)
    bits = max([8 * rows.widths[name] for name in exponent_columns], default=8)
    width = bytes_of(number)
    # With hundreds of bases, each takes an eighth of a product for each bit.
    nanoseconds = squaring_nanoseconds(number) * max(1, len(base_columns)) * bits / (1 if secret else 8)
    work = Work(plugin, identity, {"modulus_bytes": width}, pa.binary(width), nanoseconds, sum(rows.widths.values()))

    def collect(report: Report) -> Any:
        partial = [int.from_bytes(each, "big") for file in report.files for each in pq.read_table(file).column("power").to_pylist()]
        report.product = moduli.multi_pow(partial, [1] * len(partial), number, secret=secret)
        if isinstance(rows, Parquet):
            return report
        warn_of(report)
        return report.product

    return carry_out(rows, work, collect, begun, **options)
