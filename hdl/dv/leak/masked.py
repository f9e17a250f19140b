"""Tests inversions of operands that come as A*R and R, with a random R that stays outside the core: what is inverted is A*R, and the result is A^(-1)*R^(-1).
The core is one without an operation for blinded inversions. The results are hdl/report/leakage-masked.json.

    masked.py long     tests a tiny core and P-256 over 8 x 33, and checks that the results are those that are committed: make test-long, minutes
    masked.py write    tests, and writes the results and a table of hdl/doc/leakage.md
    masked.py check    checks that the table agrees with the committed results: make hdl-lint
"""

import json
import sys

from bench import build
from evaluation import Findings, null
from experiments import Inversion, assess, run
from pages import HDL, PAGE, filled, has_table, is_committed, tests, text_of
from simulate import OPERATIONS, Core, program, told

RESULTS = HDL / "report/leakage-masked.json"
CORES = {"P-256": Core("P-256", 33, 8, "binary-ternary"), "tiny": Core("3fffef", 11, 5, "binary-ternary")}
# The traces of a class in a set: with random factors, and with R = 1, which must leak.
TRACES = {"P-256": (600, 50), "tiny": (2500, 50)}


class Masked(Inversion):
    """An inversion of A*R. The secret is A, in all windows: neither A nor its inverse is in the core."""

    name = "inversion of A·R"

    def factor(self, chooser):
        return chooser.randrange(1, self.p)

    def request(self, secret, chooser):
        product = secret * self.factor(chooser) % self.p
        return f"{OPERATIONS['invert']} {product:x} 0 = {pow(product, -1, self.p):x} 0"


class Bare(Masked):
    name = "inversion of A·R, R = 1"

    def factor(self, chooser):
        return 1


def tested():
    """The rows of the table, by core, and how many tests have passed and failed."""
    rows, passed, failed = {}, 0, 0
    for name, core in CORES.items():
        bench, findings = build(core), Findings()
        for operation, each in zip((Masked(bench), Bare(bench)), TRACES[name]):
            measured, chosen, _ = run(operation, each, ("drawn", "1"), seed="masked")
            for result in assess(operation, measured, chosen, each):
                findings.test(result, isinstance(operation, Bare) and not null(result))
            findings.check(not measured.left, f"{operation.name}: registers in which something is left of the trace before: {', '.join(measured.left) or 'none'}")
        rows[name], passed, failed = findings.tests, passed + findings.passed, failed + findings.failed
    return json.loads(text_of(rows)), passed, failed


def table_of(results):
    return {"masked": tests([(core, row) for core, rows in results.items() for row in rows])}


def main():
    words = sys.argv[1:]
    if words not in (["long"], ["write"], ["check"]):
        sys.exit(__doc__)
    if words == ["check"]:
        return 0 if has_table(table_of(json.loads(RESULTS.read_text())), "masked.py") else 1
    results, passed, failed = tested()
    if words == ["write"]:
        RESULTS.write_text(text_of(results))
        PAGE.write_text(filled(PAGE, table_of(results), "masked.py"))
    else:
        same = is_committed(RESULTS, results)
        passed, failed = passed + same, failed + (not same)
    return told(passed, failed)


if __name__ == "__main__":
    program(main)
