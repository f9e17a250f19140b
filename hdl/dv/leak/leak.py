"""Evaluates in simulation what the core's registers reveal: make hdl-leak.

    leak.py tiny     evaluates tiny cores, and tests the harness: make hdl
    leak.py long     also evaluates P-256 over 8 x 33, and checks that all results are those that are committed: make test-long
    leak.py write    as long, but writes the results: hdl/report/leakage.json and .svg, the tables of hdl/doc/leakage.md
    leak.py check    checks that figure and tables agree with the committed results: make hdl-lint
"""

import json
import sys
from dataclasses import replace

import pages
import selftest
from bench import build
from evaluation import Findings, Sizes, blinded, by_register, controls, correlation, exchange, flips, protected, removed, steps
from multiples import Point, Secret
from resident import Core as ResidentCore
from resident import BLINDING, curve
from simulate import Core, program, told

TINY = (Core("3fffef", 11, 5, "binary-ternary", blind=True), ResidentCore("3fffef", 11, 5, ("weierstrass",), (*curve("small"), "--blinding", str(BLINDING["small"]))), "small",
        Sizes(control=50, ladder=25, protected=40, blinded=200, stages=60, cpa=500, templates=200, flips=200))
LONG = (Core("P-256", 33, 8, "binary-ternary", blind=True), ResidentCore("P-256", 33, 8, ("weierstrass",), ("--curve", "P-256", "--blinding", str(BLINDING["P-256"]))), "P-256",
        Sizes(control=50, ladder=25, protected=50, blinded=600, stages=60, cpa=4000, templates=100, flips=800))
# The tiny cores with more traces, which take minutes.
TINY_LONG = (*TINY[:-1], replace(TINY[-1], protected=2500, point=500, removed=50))
# Blinded inversions on cores with another control.
OTHERS = {"contexts 3": replace(TINY[0], contexts=3), "divstep": replace(TINY[0], inversion="divstep")}
# Tests of unprotected operations use at most 200 traces: two sets, each with fixed and with random secrets.
assert all(4 * max(sizes.control, sizes.ladder) <= 200 for *_, sizes in (TINY, LONG))


def evaluate(core, resident, name, sizes, tests):
    """Runs all tests on both cores. Returns the findings and the counts of registers."""
    findings, registers = Findings(), []
    bench = build(core)
    registers.append(selftest.counted(bench, findings))
    if tests:
        selftest.arithmetic(findings)
        selftest.flip(bench, findings)
        selftest.planted(bench, findings, 40)
    controls(bench, findings, sizes)
    blinded(bench, findings, sizes)
    by_register(bench, findings, sizes)
    correlation(bench, findings, sizes)
    steps(bench, findings, sizes)
    flips(bench, findings, sizes)
    bench = build(resident)
    registers.append(selftest.counted(bench, findings))
    exchange(bench, name, findings, sizes)
    protected(bench, name, findings, sizes.protected, (Secret,))
    if sizes.point:
        protected(bench, name, findings, sizes.point, (Point,))
    if sizes.removed:
        removed(bench, name, findings, sizes.removed)
    return findings, registers


def main():
    if sys.argv[1:] not in (["tiny"], ["long"], ["write"], ["check"]):
        sys.exit(__doc__)
    if sys.argv[1] == "check":
        differing = pages.differing()
        for path in differing:
            print(f"{path} is not what the results say: leak.py write")
        return 1 if differing else 0
    tiny, registers = evaluate(*(TINY if sys.argv[1] == "tiny" else TINY_LONG), True)
    if sys.argv[1] == "tiny":
        return told(tiny.passed, tiny.failed)
    for of, core in OTHERS.items():
        by_register(build(core), tiny, TINY[-1], f", {of}")
    long, more = evaluate(*LONG, False)
    results = {"tiny": pages.record(tiny, registers), "P-256": pages.record(long, more)}
    passed, failed = tiny.passed + long.passed, tiny.failed + long.failed
    if sys.argv[1] == "write":
        pages.write(results)
    else:
        same = json.loads(pages.RESULTS.read_text()) == json.loads(pages.text_of(results))
        print(f"{'ok    ' if same else 'FAILED'} what is committed is what came out")
        passed, failed = passed + same, failed + (not same)
    return told(passed, failed)


if __name__ == "__main__":
    program(main)
