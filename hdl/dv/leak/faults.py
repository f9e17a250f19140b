"""Flips single register bits at random, and counts the wrong answers without an error."""

import random
from collections import Counter

from bench import measure
from registers import GROUPS

WHAT = {"right": "no effect", "error": "told by an error", "wrong": "wrong and not told", "hang": "no answer"}


def injected(operation, count, seed=1):
    """{(group, outcome): number of flips}. Each flip is in another request with random operands, at a random cycle. All bits are equally likely."""
    bench, chooser = operation.bench, random.Random(f"flips {operation.name} {seed}")
    requests = [operation.request(operation.secret(chooser), chooser) for _ in range(count)]
    clean = measure(bench, [((0,), request) for request in requests], "unflipped")
    longest = max(cycles for _, _, cycles in clean.outcomes)
    weights = [each.bits for each in bench.registers]
    lines, groups = [], []
    for request, (_, _, cycles) in zip(requests, clean.outcomes):
        (index,) = chooser.choices(range(len(weights)), weights)
        each = bench.registers[index]
        flip = f"@{index}.{chooser.randrange(each.elements)}.{chooser.randrange(each.width)}.{chooser.randrange(cycles - 1)}"
        lines.append(((0,), f"{flip} {request}"))
        groups.append(each.register.group)
    flipped = measure(bench, lines, "flipped", limit=4 * longest, wanted=WHAT)
    return Counter((group, outcome) for group, (_, outcome, _) in zip(groups, flipped.outcomes, strict=True))


def said(name, counts):
    """The counts as lines for a command to print."""
    total = {outcome: sum(number for (_, what), number in counts.items() if what == outcome) for outcome in WHAT}
    yield f"{name}: {sum(total.values())} flips of a register bit: " + ", ".join(f"{number} {WHAT[what]}" for what, number in total.items())
    for group in GROUPS:
        of = {what: counts[group, what] for what in WHAT}
        if any(of.values()):
            yield f"  {group}: " + ", ".join(f"{number} {WHAT[what]}" for what, number in of.items())
