"""Products of powers and equations between them, as text: "g^v * alpha^c = a".

A factor is a name, or a name raised to another name or to a number. A name is that of a column, or of a base that all rows share.
A product without factors is 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

NAME = r"[^\W\d]\w*"
FACTOR = re.compile(rf"\s*({NAME})\s*(?:(?:\^|\*\*)\s*(?:({NAME})|(-?\d+)))?\s*")


@dataclass(frozen=True)
class Factor:
    """A base and its exponent, which is the name of a column or a number."""

    base: str
    exponent: str | int

    def __str__(self) -> str:
        return self.base if self.exponent == 1 else f"{self.base}^{self.exponent}"


@dataclass(frozen=True)
class Product:
    factors: tuple[Factor, ...]

    def __str__(self) -> str:
        return " * ".join(map(str, self.factors)) or "1"


@dataclass(frozen=True)
class Equation:
    left: Product
    right: Product

    def __str__(self) -> str:
        return f"{self.left} = {self.right}"

    def factors(self) -> Iterator[tuple[int, Factor]]:
        """All factors, with the signs of their exponents if all are on one side. The side with more bare names is positive, so that
        their exponents are short in a batch."""
        bare = [sum(factor.exponent == 1 for factor in side.factors) for side in (self.left, self.right)]
        sign = 1 if bare[0] > bare[1] else -1
        for side, of_side in ((self.left, sign), (self.right, -sign)):
            for factor in side.factors:
                yield of_side, factor


def product_of(text: str) -> Product:
    """Parses a product. Raises ValueError for other text."""
    factors: list[Factor] = []
    if text.strip() != "1":
        # A power written with ** is not two factors.
        for part in re.split(r"(?<!\*)\*(?!\*)", text):
            found = FACTOR.fullmatch(part)
            if not found:
                raise ValueError(f"{text.strip()!r}: {part.strip()!r} is not a factor: a name, or a name^name, or a name^number")
            base, name, number = found.groups()
            factors.append(Factor(base, name or int(number or 1)))
    return Product(tuple(factors))


def equation_of(text: str) -> Equation:
    """Parses an equation. Raises ValueError for other text."""
    sides = text.split("=")
    if len(sides) != 2:
        raise ValueError(f"{text.strip()!r}: not an equation of two products")
    return Equation(product_of(sides[0]), product_of(sides[1]))


def columns_in(products: Iterable[Product], fixed: Iterable[str]) -> tuple[list[str], list[str]]:
    """The columns of bases and the columns of exponents, without duplicates."""
    products, fixed = list(products), set(fixed)
    factors = [factor for product in products for factor in product.factors]
    bases = dict.fromkeys(factor.base for factor in factors if factor.base not in fixed)
    exponents = dict.fromkeys(factor.exponent for factor in factors if isinstance(factor.exponent, str))
    for name in exponents:
        if name in fixed:
            raise ValueError(f"{name!r} is a base that all rows have in common, and no column of exponents")
    return list(bases), list(exponents)
