"""Tests scalar multiplications with scalars in two random halves (hdl/programs/endomorphism.rns): on a tiny curve, also without each countermeasure,
and on secp256k1 over 8 x 33. The results are hdl/report/leakage-halves.json.

    halves.py tiny     tests the tiny core with few traces: a minute
    halves.py long     tests both, and checks that the results are those that are committed: make test-long
    halves.py write [CORE]   tests both, or one (tiny or secp256k1), and writes the results and a table of hdl/doc/leakage.md
    halves.py check    checks that the table agrees with the committed results: make hdl-lint
"""

import json
import sys

from bench import build
from evaluation import Findings, protected, removed
from multiples import PointHalves, SecretHalves
from pages import HDL, PAGE, filled, has_table, is_committed, tests, text_of
from resident import Core, splitting
from simulate import program, told

RESULTS = HDL / "report/leakage-halves.json"
CORES = {"tiny": ("cubic", Core("3fffdf", 11, 5, ("endomorphism",), splitting("cubic"))),
         "secp256k1": ("secp256k1", Core("secp256k1", 33, 8, ("endomorphism",), splitting("secp256k1")))}
# The traces of a class in a set: of secret scalars, secret points, and without one of the countermeasures.
FEW, TRACES = (100, 100, 50), {"tiny": (2500, 500, 50), "secp256k1": (50, 0, 0)}


def tested(name, scalars, points, less):
    """Runs the tests on a core."""
    curve, core = CORES[name]
    bench, findings = build(core), Findings()
    protected(bench, curve, findings, scalars, (SecretHalves,))
    if points:
        protected(bench, curve, findings, points, (PointHalves,))
    if less:
        removed(bench, curve, findings, less, SecretHalves, PointHalves)
    return findings


def table_of(results):
    return {"halves": tests([(core, row) for core, rows in results.items() for row in rows])}


def main():
    words = sys.argv[1:]
    if words not in (["tiny"], ["long"], ["write"], *(["write", core] for core in CORES), ["check"]):
        sys.exit(__doc__)
    if words == ["check"]:
        return 0 if has_table(table_of(json.loads(RESULTS.read_text())), "halves.py") else 1
    wanted = words[1:] or (["tiny"] if words == ["tiny"] else CORES)
    each = {core: tested(core, *(FEW if words == ["tiny"] else TRACES[core])) for core in wanted}
    passed, failed = (sum(getattr(findings, what) for findings in each.values()) for what in ("passed", "failed"))
    results = json.loads(text_of({core: findings.tests for core, findings in each.items()}))
    if words[0] == "write":
        results = {**(json.loads(RESULTS.read_text()) if RESULTS.exists() else {}), **results}
        RESULTS.write_text(text_of(results))
        PAGE.write_text(filled(PAGE, table_of(json.loads(text_of(results))), "halves.py"))
    elif words == ["long"]:
        same = is_committed(RESULTS, results)
        passed, failed = passed + same, failed + (not same)
    return told(passed, failed)


if __name__ == "__main__":
    program(main)
