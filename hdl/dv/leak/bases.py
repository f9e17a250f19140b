"""Tests what leak-resistant bases would hide: Welch's t-tests of a fixed operand against random ones, on a model of a chain of squarings.

    bases.py tiny     2,000 traces of each countermeasure, two seconds: make hdl-leak
    bases.py write    100,000 traces, and 1,000,000 where that finds nothing: some minutes; writes hdl/report/bases.json and the table of
                      hdl/doc/leakage.md
    bases.py check    checks that the table agrees with the results: make hdl-lint

A leak-resistant base (Bajard, Imbert, Liardet and Teglia, CHES 2004) takes other moduli for each operation. Here each Rower has four moduli,
of which it takes one for the first base and another for the second, 12^8 = 2^28 choices of P-256 over 8 x 33. The model computes the exact
values of Montgomery squarings, and counts the bits of both residues of each Rower that change from one value to the next, without noise.
"""

import json
import math
import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

HDL = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HDL / "dv"), str(HDL / "dv/leak")]

import pages  # noqa: E402
from simulate import program  # noqa: E402
from welch import threshold  # noqa: E402

RESULTS = HDL / "report/bases.json"
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
ROWERS, WIDTH, SQUARINGS = 8, 33, 8
FEW, SOME, MANY = 2_000, 100_000, 1_000_000
NAMES = {
    "none": "none",
    "exchanged": "the two moduli of each Rower exchanged at random, 2^8 choices",
    "bases": "random bases: two of the four moduli of each Rower, 2^28 choices",
    "blinded": "a random factor before the squarings, as in programs",
    "both": "random bases and a random factor",
}


def moduli():
    """Four moduli for each Rower: the largest that are coprime."""
    found = []
    candidate = 2**WIDTH - 1
    while len(found) < 4 * ROWERS:
        if all(math.gcd(candidate, each) == 1 for each in found):
            found.append(candidate)
        candidate -= 2
    return [found[4 * k : 4 * k + 4] for k in range(ROWERS)]


MODULI = moduli()


def base(countermeasure, numbers):
    """The pairs of moduli that an operation uses."""
    if countermeasure in ("bases", "both"):
        return [numbers.sample(four, 2) for four in MODULI]
    if countermeasure == "exchanged":
        return [four[:2] if numbers.getrandbits(1) else four[1::-1] for four in MODULI]
    return [four[:2] for four in MODULI]


def trace(x, countermeasure, numbers):
    """The numbers of changed bits of each residue of each Rower: on loading the operand, on entering Montgomery form, and for each squaring."""
    pairs = base(countermeasure, numbers)
    product = math.prod(first for first, _ in pairs)
    inverse = pow(-P, -1, product)
    # M is larger than 9 P, so values stay below 3 P.
    montgomery = lambda a, b: (a * b + a * b * inverse % product * P) // product
    values = [x, montgomery(x, product * product % P)]
    start = values[-1]
    if countermeasure in ("blinded", "both"):
        # As in programs, the operand is multiplied by the factor after it is in Montgomery form.
        start = montgomery(start, numbers.randrange(1, P))
    for _ in range(SQUARINGS):
        start = montgomery(start, start)
        values.append(start)
    flat = [modulus for pair in pairs for modulus in pair]
    registers = [[value % modulus for modulus in flat] for value in values]
    before = [[0] * len(flat), *registers]
    return [[(a ^ b).bit_count() for a, b in zip(old, new)] for old, new in zip(before, registers)]


def sums(arguments):
    """(number, sums, sums of squares) of a class of traces, for each sample: of each residue, and of all together."""
    countermeasure, is_fixed, count, seed = arguments
    numbers = random.Random(f"{countermeasure} {is_fixed} {seed}")
    fixed = random.Random("the fixed operand").randrange(1, P)
    samples = (SQUARINGS + 2) * (2 * ROWERS + 1)
    first, second = [0] * samples, [0] * samples
    for _ in range(count):
        x = fixed if is_fixed else numbers.randrange(1, P)
        values = [value for changed in trace(x, countermeasure, numbers) for value in (*changed, sum(changed))]
        for at, value in enumerate(values):
            first[at] += value
            second[at] += value * value
    return count, first, second


def tested(countermeasure, traces, pool):
    """The largest |t| of single residues and of all together: on loading, on entering Montgomery form, and in the squarings."""
    parts = 20
    found = []
    for is_fixed in (True, False):
        results = list(pool.map(sums, [(countermeasure, is_fixed, traces // 2 // parts, part) for part in range(parts)]))
        count = sum(n for n, _, _ in results)
        mean = [sum(column) / count for column in zip(*(first for _, first, _ in results))]
        square = [sum(column) / count for column in zip(*(second for _, _, second in results))]
        found.append((count, mean, [q - m * m for q, m in zip(square, mean)]))
    (n, mean, variance), (other_n, other_mean, other_variance) = found
    t = []
    for at in range(len(mean)):
        spread = math.sqrt(variance[at] / n + other_variance[at] / other_n)
        t.append(abs(mean[at] - other_mean[at]) / spread if spread else 0.0)
    row = 2 * ROWERS + 1
    steps = [t[k : k + row] for k in range(0, len(t), row)]
    largest = lambda steps: {"single": round(max(max(step[:-1]) for step in steps), 1), "all": round(max(step[-1] for step in steps), 1)}
    return {"traces": traces, "samples": SQUARINGS * row, "threshold": round(threshold(SQUARINGS * row), 2),
            "loaded": largest(steps[:1]), "entered": largest(steps[1:2]), "squarings": largest(steps[2:])}


def is_hidden(result):
    return max(result["squarings"].values()) < result["threshold"]


def table(results):
    cell = lambda pair: f"{pair['all']}, {pair['single']}"
    rows = [[NAMES[name], f"{one['traces']:,}", cell(one["loaded"]), cell(one["entered"]), cell(one["squarings"]), one["threshold"]]
            for name in NAMES for one in results[name]]
    return {"bases": pages.table(["countermeasure", "traces", "loaded", "in Montgomery form", "squared", "threshold"], rows)}


def main():
    if sys.argv[1:] not in (["tiny"], ["write"], ["check"]):
        sys.exit(__doc__)
    if sys.argv[1] == "check":
        results = json.loads(RESULTS.read_text())
        if pages.PAGE.read_text() == pages.filled(pages.PAGE, table(results), "bases.py"):
            return 0
        print(f"{pages.PAGE.name} is not what {RESULTS.name} says: bases.py write")
        return 1
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        results = {name: [tested(name, FEW if sys.argv[1] == "tiny" else SOME, pool)] for name in NAMES}
        if sys.argv[1] == "write":
            for name, of in results.items():
                if is_hidden(of[0]):
                    of.append(tested(name, MANY, pool))
                    print(f"{name}: {of[-1]}", flush=True)
    failed = 0
    for name, of in results.items():
        right = is_hidden(of[0]) == (name not in ("none", "exchanged"))
        failed += not right
        print(f"{'ok    ' if right else 'FAILED'} {NAMES[name]}: {of}")
    if sys.argv[1] == "write":
        RESULTS.write_text(pages.text_of(results))
        pages.PAGE.write_text(pages.filled(pages.PAGE, table(results), "bases.py"))
    return 1 if failed else 0


if __name__ == "__main__":
    program(main)
