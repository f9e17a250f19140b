"""Tests protected scalar multiplications with more traces than leak.py takes, in parts. After each part it keeps the sums in the build folder, so that a
run that was stopped can be continued.

    more.py run N    measures P-256 over 8 x 33, until there are N traces: a second each
    more.py write    tests the traces so far, and writes the results: hdl/report/leakage-more.json, a table of hdl/doc/leakage.md
    more.py tiny     measures a tiny core in parts and at once: the sums must be the same
    more.py check    checks that the table agrees with the committed results: make hdl-lint
"""

import json
import operator
import os
import sys
from array import array

from bench import build
from evaluation import OPEN_MULTIPLE, Findings, bit, neighbours
from experiments import FIXED, RANDOM, SETS, assess, label, run
from leak import LONG, TINY
from multiples import Secret
from pages import HDL, PAGE, filled, has_table, tests, text_of
from simulate import Failed, program, told
from welch import Moments

RESULTS = HDL / "report/leakage-more.json"
# The traces of a class in a part. A part has two sets, each with fixed and with random scalars.
EACH = 10
PART = 2 * 2 * EACH


class Measured:
    """The sums of all parts, with the interface of a measurement."""

    def __init__(self, moments, cycles):
        self.moments, self.cycles = moments, cycles

    def durations(self):
        """All traces have the same length."""
        return [(label(which, kind), self.cycles) for which in SETS for kind in (RANDOM, FIXED) for _ in range(2)]


def summed(one, other):
    """Adds the moments of two measurements, which are sums of integers."""
    if one is None:
        return other
    if one._cycles != other._cycles:
        raise Failed("traces of the parts are not as long")
    for name, sides in one._sums.items():
        one._sums[name] = [array("Q", map(operator.add, *pair)) for pair in zip(sides, other._sums[name], strict=True)]
    return one


def save(moments, path):
    """Writes moments in the format of the harness."""
    whole = path.with_suffix(".new")
    with whole.open("wb") as file:
        sides = next(iter(moments._sums.values()))
        array("Q", [len(moments._sums), len(sides)]).tofile(file)
        for name, sums in moments._sums.items():
            array("Q", [name, moments._cycles[name]]).tofile(file)
            for side in sums:
                side.tofile(file)
    os.replace(whole, path)


class Parts:
    """The parts that were measured of a core."""

    def __init__(self, core, curve):
        self.bench = build(core)
        self.operation = Secret(self.bench, curve)
        (self.place, _), self.labels = neighbours(self.operation, 1 / 2)
        self.file, self.about = (self.bench.directory / f"more.{what}" for what in ("sums", "json"))
        digest = (self.bench.directory / "digest").read_text()
        self.said = json.loads(self.about.read_text()) if self.about.exists() else {}
        if self.said.get("digest") != digest:
            self.said = {"digest": digest, "parts": 0, "left": []}
        self.moments = Moments(self.file, self.said["groups"]) if self.said["parts"] else None

    def add(self):
        """Measures and adds another part, with its own operands."""
        part = self.said["parts"]
        measured, _, _ = run(self.operation, EACH, seed=f"more {part}", more=self.labels, null=False, name="more")
        self.moments = summed(self.moments, measured.moments)
        self.said |= {"parts": part + 1, "groups": list(measured.moments.groups), "cycles": measured.outcomes[0][-1],
                      "left": sorted({*self.said["left"], *measured.left})}
        # Removed first: a run that is stopped before it is written again starts this core from the beginning.
        self.about.unlink(missing_ok=True)
        save(self.moments, self.file)
        self.about.write_text(json.dumps(self.said))
        print(f"{PART * (part + 1)} traces", flush=True)

    def assessed(self):
        """Runs the tests of all windows, and of a bit of the scalar."""
        findings, parts = Findings(), self.said["parts"]
        measured, chosen = Measured(self.moments, self.said["cycles"]), self.operation.fixed()
        for result in assess(self.operation, measured, chosen, EACH * parts, null=False):
            findings.test(result, result.window.name in OPEN_MULTIPLE[Secret])
        findings.check(not self.said["left"], f"registers in which something is left of the trace before: {', '.join(self.said['left']) or 'none'}")
        bit(findings, self.operation, measured, self.place, False, 2 * EACH * parts)
        return findings


def tiny():
    """Tests that the sums of two parts are those of the traces of both."""
    findings, parts = Findings(), Parts(TINY[1], TINY[2])
    parts.said, parts.moments = parts.said | {"parts": 0, "left": []}, None
    alone = [run(parts.operation, EACH, seed=f"more {part}", more=parts.labels, null=False, name="more-alone")[0].moments for part in (0, 1)]
    for _ in alone:
        parts.add()
    again = Parts(TINY[1], TINY[2])
    right = all(again.moments.of(name, group, cycle) == tuple(map(sum, zip(*(each.of(name, group, cycle) for each in alone))))
                for name in again.moments._sums for group in again.moments.groups for cycle in range(again.said["cycles"]))
    findings.check(right and again.said["parts"] == 2 and again.moments.traces(label(0, FIXED), 0) == 2 * EACH, "sums of two parts, read again, are those of both")
    return findings


def table_of(tested):
    return {"more": tests([("P-256", row) for row in tested])}


def main():
    words = sys.argv[1:]
    if words == ["check"]:
        return 0 if has_table(table_of(json.loads(RESULTS.read_text())), "more.py") else 1
    if words == ["tiny"]:
        findings = tiny()
        return told(findings.passed, findings.failed)
    if not (words == ["write"] or words[:1] == ["run"] and len(words) == 2 and words[1].isdigit()):
        sys.exit(__doc__)
    parts = Parts(LONG[1], LONG[2])
    while words[0] == "run" and PART * parts.said["parts"] < int(words[1]):
        parts.add()
    if words == ["write"]:
        if not parts.said["parts"]:
            raise Failed("nothing was run: more.py run N")
        findings = parts.assessed()
        RESULTS.write_text(text_of(findings.tests))
        PAGE.write_text(filled(PAGE, table_of(json.loads(text_of(findings.tests))), "more.py"))
        return told(findings.passed, findings.failed)
    return 0


if __name__ == "__main__":
    program(main)
