"""Finds the rows that fail their equations, by random small exponents.

The test of Bellare, Garay and Rabin (Fast Batch Verification for Modular Exponentiation and Digital Signatures, EUROCRYPT 1998): each
equation of each row is raised to a random z below 2^128, and all are multiplied. If each equation holds, the product holds. Among
members of a group of prime order q > 2^128, at most one z in 2^128 hides an equation that does not hold, whatever the other z are. This
is not true of elements outside the group, which may have a small order (-1 vanishes for every second z). So membership is tested first.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import moduli

from .equation import Equation, Product

# The bits of the random exponents, and the rounds of the test for membership. Either fails to detect an error with a
# probability of at most 2^-BITS.
BITS = 128

Numbers = Any  # list[int] or an array uint8[n, width]


@dataclass(frozen=True)
class System:
    """The equations of every row, in the subgroup of prime order modulo a prime."""

    equations: tuple[Equation, ...]
    # Members of the subgroup, by name, that all rows have in common.
    fixed: dict[str, int]
    # The columns of bases.
    bases: tuple[str, ...]
    modulus: int
    order: int


def failing(system: System, columns: dict[str, list[int]], rows: Sequence[int]) -> dict[int, str]:
    """The rows that fail, with the reason: an element outside the subgroup, or the first equation that does not hold."""
    reasons: dict[int, str] = {}

    def members(some: Sequence[int]) -> bool:
        elements = [columns[name][row] for name in system.bases for row in some]
        return moduli.are_members(elements, system.order, system.modulus, rounds=BITS)

    # A test of few elements costs more than a power of each.
    few = max(1, BITS // max(1, len(system.bases)))
    for row in narrowed(rows, members, few):
        for name in system.bases:
            if not is_member(columns[name][row], system.order, system.modulus):
                reasons[row] = f"{name} is not in the subgroup"
                break
    inside = [row for row in rows if row not in reasons]
    for row in narrowed(inside, lambda some: hold_together(system, columns, some), 1):
        for equation in system.equations:
            if not holds(equation, system, columns, row):
                reasons[row] = f"{equation} does not hold"
                break
    return reasons


def narrowed(rows: Sequence[int], hold: Callable[[Sequence[int]], bool], few: int, fail: bool = False) -> Iterator[int]:
    """The rows to test one by one. Batches that fail are halved until they have few rows."""
    if len(rows) <= few:
        yield from rows
    elif fail or not hold(rows):
        middle = len(rows) // 2
        first = list(narrowed(rows[:middle], hold, few))
        yield from first
        # If a batch fails and its first half holds, the second half must fail.
        yield from narrowed(rows[middle:], hold, few, fail=not first)


def is_member(x: int, order: int, modulus: int) -> bool:
    return 0 < x < modulus and moduli.powmod(x, order, modulus) == 1


def hold_together(system: System, columns: dict[str, list[int]], rows: Sequence[int]) -> bool:
    """Whether all equations of all rows hold, each raised to a random exponent. All elements must be members."""
    order = system.order
    common = dict.fromkeys(system.fixed, 0)
    bases: list[int] = []
    exponents: list[int] = []
    signed = [list(equation.factors()) for equation in system.equations]
    for row in rows:
        own = dict.fromkeys(system.bases, 0)
        for factors in signed:
            z = secrets.randbits(BITS)
            for sign, factor in factors:
                exponent = factor.exponent if isinstance(factor.exponent, int) else columns[factor.exponent][row]
                (common if factor.base in common else own)[factor.base] += sign * z * exponent
        for name, exponent in own.items():
            bases.append(columns[name][row])
            exponents.append(exponent if 0 <= exponent < order else exponent % order)
    bases += system.fixed.values()
    exponents += [common[name] % order for name in system.fixed]
    return moduli.multi_pow(bases, exponents, system.modulus) == 1


def holds(equation: Equation, system: System, columns: dict[str, list[int]], row: int) -> bool:
    """Whether an equation of a row holds."""

    def value(product: Product) -> int:
        bases = [system.fixed[factor.base] if factor.base in system.fixed else columns[factor.base][row] for factor in product.factors]
        exponents = [
            (factor.exponent if isinstance(factor.exponent, int) else columns[factor.exponent][row]) % system.order
            for factor in product.factors
        ]
        return moduli.multi_pow(bases, exponents, system.modulus)

    return value(equation.left) == value(equation.right)
