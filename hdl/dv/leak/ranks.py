"""Attacks Montgomery products of P-256 over 8 x 33 by correlation with all guesses, in each Rower: the results are hdl/report/ranks.json.

    ranks.py long     attacks, and checks that the results are those that are committed: make test-long, five minutes
    ranks.py write    attacks, and writes the results and the table of hdl/doc/leakage.md
    ranks.py check    checks that the table agrees with the committed results: make hdl-lint

The attacker knows the first factors, and guesses the lowest 15 bits of the second factor's residue in a Rower. The second factor is the same in all
traces or, with a mask, multiplied by another random number in each.
"""

import json
import random
import statistics
import sys
from math import sqrt
from operator import mul, sub

from attacks import centred
from bench import build, measure
from evaluation import TILE, cycles
from leak import LONG
from pages import HDL, PAGE, filled, table, text_of
from simulate import OPERATIONS, program, told

RESULTS = HDL / "report/ranks.json"
TRACES = 2000
# The largest rank without a mask, and a rank that the median with a mask exceeds.
FOUND, LOST = 4, 8000
# The tiles have a product three cycles after its issue: decide, add, multiply.
STAGES = 3


def samples(bench, masked):
    """The first factors, the second one before it is masked, and two samples of each trace. The first sample is the toggles of the Rowers in the
    cycle in which the tiles have the products by the first chunks. One cycle later these products are cleared, which takes as many toggles, and those
    by the second chunks are there. So the second sample is the difference to the first."""
    chooser, parameters = random.Random(f"ranks {masked}"), bench.parameters
    secret, unit = chooser.randrange(1, bench.prime), pow(bench.product, -1, bench.prime)
    known, lines = [], []
    for _ in range(TRACES):
        first, second = chooser.randrange(bench.prime), secret * (chooser.randrange(1, bench.prime) if masked else 1) % bench.prime
        known.append(first)
        lines.append(((0,), f"{OPERATIONS['multiply'] | 4} {first:x} {second:x} = {first * second * unit % bench.prime:x} 0"))
    measured = measure(bench, lines, "ranks", traces=True)
    frames, read = cycles.frames(parameters), cycles.read(parameters)
    at = frames + cycles.waited(parameters, False) + (2 * frames + 1) * read + STAGES
    toggles = [[trace[cycle] for trace in measured.each_trace("rowers")] for cycle in (at, at + 1)]
    return known, secret, [centred(toggles[0]), centred(list(map(sub, toggles[1], toggles[0])))]


def rank(chunks, samples, bits, right):
    """The rank of the right one of all guesses of so many bits, and its score: the sum of the correlations of both samples with the numbers of 1 bits
    of the products by the known `chunks`. A guess and twice the guess have the same products but for a 0 bit, so the even ones are not tried. The
    rank counts them."""
    def score(guess):
        found = 0.0
        for values, sample in zip(chunks, samples):
            counts = [(value * guess).bit_count() for value in values]
            found += sum(map(mul, counts, sample)) / sqrt(sum(map(mul, counts, counts)) - sum(counts) ** 2 / len(counts))
        return found

    odd = right >> (right & -right).bit_length() - 1
    least = score(odd)
    # With an odd guess as many multiples of it by powers of 2 are ahead as are guesses.
    return 1 + sum(bits + 1 - guess.bit_length() for guess in range(1, 1 << bits, 2) if guess != odd and score(guess) > least), least


def attacked(bench, masked):
    """The rank and the score in each Rower."""
    known, secret, seen = samples(bench, masked)
    low, bits, rows = bench.parameters["CHUNK_W"], bench.parameters["W"] - TILE, []
    for modulus in bench.summary["moduli"][0]:
        residues = [value % modulus for value in known]
        chunks = [residue & ((1 << low) - 1) for residue in residues], [residue >> low for residue in residues]
        place, score = rank(chunks, seen, bits, secret % modulus & ((1 << bits) - 1))
        rows.append({"rank": place, "score": round(score, 3)})
        print(f"       {'masked' if masked else 'not masked'}, Rower {len(rows) - 1}: rank {place} of {(1 << bits) - 1}, score {score:.3f}", flush=True)
    return {"traces": TRACES, "guesses": (1 << bits) - 1, "rowers": rows}


def passed(results):
    """Whether the attack finds the second factor without a mask, and does not with one."""
    ranks = {name: [row["rank"] for row in each["rowers"]] for name, each in results.items()}
    return max(ranks["not masked"]) <= FOUND and statistics.median(ranks["masked"]) > LOST


def table_of(results):
    rows = []
    for name in ("not masked", "masked"):
        each = results[name]
        ranks, scores = ([row[what] for row in each["rowers"]] for what in ("rank", "score"))
        rows.append([name, f"{each['traces']:,}", f"{each['guesses']:,}", ", ".join(f"{place:,}" for place in ranks), f"{statistics.median(ranks):,.0f}",
                     f"{min(scores):.2f} to {max(scores):.2f}"])
    return {"ranks": table(["second factor", "traces", "guesses", "ranks of the correct guess in the eight Rowers", "median", "scores of the correct guess"], rows)}


def main():
    if sys.argv[1:] not in (["long"], ["write"], ["check"]):
        sys.exit(__doc__)
    if sys.argv[1] == "check":
        results = json.loads(RESULTS.read_text())
        right = PAGE.read_text() == filled(PAGE, table_of(results), "ranks.py") and passed(results)
        print(f"{'ok    ' if right else 'FAILED'} {PAGE.name} has the table of the committed ranks, which are as they must be")
        return 0 if right else 1
    bench = build(LONG[0])
    results = {"not masked": attacked(bench, False), "masked": attacked(bench, True)}
    checks = [passed(results)]
    print(f"{'ok    ' if checks[0] else 'FAILED'} at most rank {FOUND} without a mask, median above {LOST} with one")
    if sys.argv[1] == "write":
        RESULTS.write_text(text_of(results))
        PAGE.write_text(filled(PAGE, table_of(json.loads(text_of(results))), "ranks.py"))
    else:
        checks.append(json.loads(RESULTS.read_text()) == json.loads(text_of(results)))
        print(f"{'ok    ' if checks[1] else 'FAILED'} what is committed is what came out")
    return told(sum(checks), len(checks) - sum(checks))


if __name__ == "__main__":
    program(main)
