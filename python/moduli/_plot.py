"""Plots time against bytes for a plan. Needs Matplotlib."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._moduli import Plan, plan

# From the smallest useful table to one that exceeds the caches of most machines.
BUDGETS = tuple(1 << bits for bits in range(12, 25))


def front(of: Plan, budgets: Iterable[int]) -> list[Plan]:
    """The best plan for each budget that is large enough for a table. Each plan is faster than those of fewer bytes."""
    found: list[Plan] = []
    for budget in sorted(budgets):
        try:
            best = plan(of.modulus, exponent_bits=of.exponent_bits, budget=budget, secret=of.secret, batch=of.batch)
        except ValueError:
            continue
        if not found or best.nanoseconds < found[-1].nanoseconds:
            found.append(best)
    return found


def plot(of: Plan, ax: Any = None, budgets: Iterable[int] | None = None) -> Any:
    """Implements Plan.plot: draws on the axes, and returns them."""
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError("plots need Matplotlib: pip install matplotlib, or pip install '.[plot]' in a clone of moduli") from error
        _, ax = pyplot.subplots()
    plans = front(of, BUDGETS if budgets is None else budgets)
    ax.plot([each.bytes for each in plans], [each.nanoseconds / 1e3 for each in plans], "o-", label="best for its bytes")
    ax.plot([of.bytes], [of.nanoseconds / 1e3], "D", label=f"this plan: {of.method}")
    for other in of.runners_up:
        ax.plot([other.bytes], [other.nanoseconds / 1e3], "x", label=other.method)
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xlabel("bytes of the table")
    ax.set_ylabel("time of a power, µs")
    ax.set_title(f"{of.modulus.bit_length()} bits, {'secret' if of.secret else 'public'} exponents of {of.exponent_bits} bits")
    ax.grid(True, which="both", alpha=0.3)
    ax.legend()
    return ax
