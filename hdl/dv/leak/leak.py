"""Evaluates in simulation what the core's registers give away: make hdl-leak.

    leak.py tiny     tiny cores, and the tests of the harness: make hdl
    leak.py long     P-256 over 8 x 33 too, and blinded inversions by other controls: make test-long
"""

import sys
from dataclasses import replace

import experiments
import selftest
from bench import build
from evaluation import Findings, Sizes, blinded, by_register, controls, correlation, exchange, flips, steps
from resident import Core as ResidentCore
from resident import curve
from simulate import Core, Failed

TINY = (Core("3fffef", 11, 5, "binary-ternary", blind=True), ResidentCore("3fffef", 11, 5, ("weierstrass",), curve("small")), "small",
        Sizes(control=50, ladder=50, blinded=200, stages=60, cpa=500, templates=200, flips=200))
LONG = (Core("P-256", 33, 8, "binary-ternary", blind=True), ResidentCore("P-256", 33, 8, ("weierstrass",), ("--curve", "P-256")), "P-256",
        Sizes(control=50, ladder=25, blinded=600, stages=60, cpa=4000, templates=100, flips=800))
# Other controls of blinded inversions.
OTHERS = {"contexts 3": replace(TINY[0], contexts=3), "divstep": replace(TINY[0], inversion="divstep")}
# Both sets of what is not protected, of fixed secrets and random ones, are no more traces than that.
assert all(4 * max(sizes.control, sizes.ladder) <= 200 for *_, sizes in (TINY, LONG))


def evaluate(core, resident, name, sizes, tests):
    """What was found, and how many registers were looked at."""
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
    exchange(experiments.Scalar(bench, name), findings, sizes)
    return findings, registers


def main():
    if sys.argv[1:] not in (["tiny"], ["long"]):
        sys.exit(__doc__)
    findings, _ = evaluate(*TINY, True)
    passed, failed = findings.passed, findings.failed
    if sys.argv[1] == "long":
        for of, core in OTHERS.items():
            by_register(build(core), findings, TINY[-1], f", {of}")
        passed, failed = findings.passed, findings.failed
        findings, _ = evaluate(*LONG, False)
        passed, failed = passed + findings.passed, failed + findings.failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        sys.exit(f"leak: {failure}")
