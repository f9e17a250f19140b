"""Writes the results of an evaluation: hdl/report/leakage.json, the curves of hdl/report/leakage.svg, and the tables of hdl/doc/leakage.md."""

import json
import math
import re
import sys
from html import escape
from pathlib import Path

HDL = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HDL / "report"))
import chart  # noqa: E402
from welch import CERTAIN  # noqa: E402

RESULTS, FIGURE, PAGE = HDL / "report/leakage.json", HDL / "report/leakage.svg", HDL / "doc/leakage.md"
# The most points of a curve. A point stands for as many cycles as that requires.
POINTS = 250


def reduced(curve):
    """A t-curve with fewer points: for each few cycles the largest value that both sets reach, with the threshold and the windows."""
    first, second = curve["t"]
    both = [min(abs(a), abs(b)) if (a > 0) == (b > 0) else 0.0 for a, b in zip(first, second)]
    each = -(-len(both) // POINTS)
    return {"threshold": round(curve["threshold"], 2), "cycles": len(both), "each": each, "windows": curve["windows"],
            "t": [round(max(both[k : k + each]), 2) for k in range(0, len(both), each)]}


def record(findings, registers):
    """An evaluation in the form in which it is committed."""
    return {"registers": registers, "tests": findings.tests, "attacks": findings.attacks, "flips": findings.flips,
            "curves": {name: reduced(curve) for name, curve in findings.curves.items()}}


def text_of(results):
    return json.dumps(results, indent=1, sort_keys=True) + "\n"


def drawing(results):
    """Draws the curves of P-256 below each other: |t| in both sets by cycle on a logarithmic axis, the threshold and the windows."""
    curves = results["P-256"]["curves"]
    width, height, left, top = 760, 200, 60, 50
    parts = [chart.opening(width, top + len(curves) * (height + 70)),
             f'<text class="ink" x="{left}" y="24" font-size="14">|t| of the whole core that both sets reach, P-256 over 8 × 33</text>']
    least, most = 0.5, 1000.0
    for k, (name, curve) in enumerate(sorted(curves.items())):
        base = top + k * (height + 70) + height + 20
        across = lambda cycle: left + cycle / curve["cycles"] * (width - left - 20)
        up = lambda t: base - math.log(max(min(t, most), least) / least) / math.log(most / least) * height
        parts.append(f'<text class="ink" x="{left}" y="{base - height - 8}">{escape(name)}; cycles from the request on</text>')
        for mark in (1, 10, 100, 1000):
            parts.append(f'<path class="grid" d="M{left} {up(mark):.1f}H{width - 20}"/>')
            parts.append(f'<text class="ink" x="{left - 6}" y="{up(mark) + 4:.1f}" text-anchor="end">{mark}</text>')
        for place, (window, first, last) in enumerate(curve["windows"]):
            parts.append(f'<path class="grid" stroke-dasharray="3" d="M{across(last):.1f} {base}V{base - height}"/>')
            middle = (across(first) + across(last)) / 2
            parts.append(f'<text class="ink" x="{middle:.1f}" y="{base - height + 14 * (place % 3 + 1)}" text-anchor="middle">{escape(window)}</text>')
        points = " ".join(f"{across(curve['each'] * (at + 0.5)):.1f},{up(t):.1f}" for at, t in enumerate(curve["t"]))
        parts.append(f'<polyline fill="none" stroke="{chart.COLOURS[0]}" points="{points}"/>')
        parts.append(f'<path stroke="{chart.COLOURS[1]}" d="M{left} {up(curve["threshold"]):.1f}H{width - 20}"/>')
        for cycle in range(0, curve["cycles"], 10 ** int(math.log10(curve["cycles"])) // 2):
            parts.append(f'<text class="ink" x="{across(cycle):.1f}" y="{base + 16}" text-anchor="middle">{cycle}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


# Operations whose names begin with this have a table of their own, with both cores.
MULTIPLES = "scalar multiplication"


def tests(rows_of):
    """The table of t-tests. `rows_of` has pairs of a core, if it is to be named, and a test."""
    rows, null, named = [], [], any(core for core, _ in rows_of)
    for core, row in rows_of:
        if row["secret"].startswith("none"):
            null.append(row["over"] == 0)
            continue
        largest = "with zero variance" if row["largest"] >= CERTAIN else f"up to {row['largest']:.1f}"
        found = f"{row['over']:,} samples, {largest} in `{row['where']}`" if row["over"] else "none"
        rows.append([*[core] * named, row["operation"], row["secret"], f"{row['window']}: {re.sub(' but ', ' except the final ', row['cycles'])}", f"{row['traces']:,}", f"{row['samples']:,}",
                     f"{row['threshold']:.2f}", found])
    text = table([*["core"] * named, "operation", "fixed secret, or bit", "window: cycles", "traces", "samples", "threshold", "above it in both sets"], rows)
    if not null:
        return text
    return f"{text}\nOf the {len(null)} null tests in the same windows, {sum(null)} pass.\n"


# Replacements of the words in which the results describe attacks by those of the table.
LABELS = ((r"the right guess of (\d+) has rank (\d+) with", r"the correct one of \1 guesses has rank \2 after"), ("are read,", "are read correctly,"),
          ("one trace each", "each from one trace"), ("an inversion that is not blinded", "an unblinded inversion"))


def label(text):
    for pattern, shown in LABELS:
        text = re.sub(pattern, shown, text)
    return text


def summary(results):
    """The tables of a page, by name."""
    large = results["P-256"]
    of_multiple = lambda row: row["operation"].startswith(MULTIPLES)
    multiples = [(core, row) for core, which in (("P-256", large), ("tiny", results["tiny"])) for row in which["tests"] if of_multiple(row)]
    found = {"tests": tests([("", row) for row in large["tests"] if not of_multiple(row)]), "multiples": tests(multiples), "attacks": table(["attack", "P-256 over 8 × 33", "tiny core"], [
        [label(one["attack"]), label(one["result"]), label(other["result"])] for one, other in zip(large["attacks"], results["tiny"]["attacks"], strict=True)])}
    rows = []
    for name, counts in large["flips"].items():
        of = lambda what: sum(number for key, number in counts.items() if key.endswith(what))
        rows.append([name, sum(counts.values()), *(of(what) for what in ("no effect", "told by an error", "wrong and not told", "no answer"))])
    found["flips"] = table(["operation", "flips", "no effect", "error", "wrong result without an error", "no answer"], rows)
    found["registers"] = table(["core", "registers", "bits", "bits according to Yosys"], [
        [name, f"{count:,}", f"{ours:,}", f"{theirs:,}"] for which in results.values() for name, count, ours, theirs in which["registers"]])
    return found


def filled(path, tables, writer="leak.py"):
    """The text of a page with its tables, {name: text}, inserted between their marks."""
    page = path.read_text()
    for name, text in tables.items():
        begin, end = f"<!-- {name}: written by {writer} -->\n", f"<!-- end of {name} -->"
        page, number = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _, text=text, begin=begin, end=end: begin + text + end, page, flags=re.S)
        if number != 1:
            raise ValueError(f"{path.name} has {number} places for the table {name}")
    return page


def has_table(tables, writer):
    """Whether the page has the tables of the committed results. Says so."""
    right = PAGE.read_text() == filled(PAGE, tables, writer)
    print(f"{'ok    ' if right else 'FAILED'} {PAGE.name} has the table of the committed results")
    return right


def is_committed(path, results):
    """Whether these results are the committed ones. Says so."""
    same = json.loads(path.read_text()) == results
    print(f"{'ok    ' if same else 'FAILED'} what is committed is what came out")
    return same


def write(results):
    results = json.loads(text_of(results))
    RESULTS.write_text(text_of(results))
    FIGURE.write_text(drawing(results))
    PAGE.write_text(filled(PAGE, summary(results)))


def differing():
    """The files that do not agree with the committed results."""
    results = json.loads(RESULTS.read_text())
    wanted = {FIGURE: drawing(results), PAGE: filled(PAGE, summary(results))}
    return [str(path.relative_to(HDL.parent)) for path, text in wanted.items() if path.read_text() != text]
