"""The published tables and figures beside ours: writes results.md and the figures of this directory from the committed results,
hdl/report/cycles.json (make hdl-measure) and hdl/syn/results (make hdl-syn)."""

import json
from pathlib import Path
from statistics import median

import chart

HERE = Path(__file__).resolve().parent
SYNTHESIS = HERE.parent / "syn/results"
NAMES = {
    "fermat": "FLT, best window", "fermat-binary": "FLT, square and multiply", "binary": "BMI", "binary-ternary": "BTMI",
    "wide": "wide, Q = 144", "divstep": "division steps",
}
FIELDS = (192, 256, 384, 521)
# As printed for Virtex-5.
PAPER_MOD3 = {17: (6, 275), 20: (6, 230), 22: (6, 221), 24: (6, 218), 29: (10, 162), 33: (10, 161), 36: (11, 170)}
PAPER_OVERHEAD = {192: (2.9, 3.6), 256: (3.1, 3.4), 384: (2.9, 3.1), 521: (2.1, 2.5)}
METHODS = {**NAMES, "fermat": "FLT"}
ORDER = ("fermat", "binary", "binary-ternary", "wide", "divstep")
KINDS = ("lut", "ff", "carry", "lutram", "dsp", "bram")
FAMILIES = (("xc5v", "Virtex-5"), ("xc7", "7 series"), ("ecp5", "ECP5"))
MISSING = "not measured"


def load(path):
    return json.loads(path.read_text()) if path.exists() else None


def table(head, rows):
    line = lambda cells: "| " + " | ".join(str(cell) for cell in cells) + " |"
    return "\n".join([line(head), line(["---"] * len(head)), *map(line, rows)]) + "\n"


class Results:
    def __init__(self):
        self.cycles = load(HERE / "cycles.json") or []
        self.mod3 = load(SYNTHESIS / "mod3.json")
        self.memories = load(HERE / "memories.json") or {}
        self.area = load(SYNTHESIS / "area.json")
        self.placed = {}
        for path in sorted(SYNTHESIS.glob("ecp5-*.json")):
            run = load(path)
            self.placed[run["results"]["core"]] = {**run["results"], "commit": run["commit"]}

    def core(self, bits, channels, width, method, contexts=1):
        wanted = (bits, channels, width, method, contexts)
        keys = ("bits", "channels", "width", "method", "contexts")
        return next((entry for entry in self.cycles if tuple(entry[key] for key in keys) == wanted), None)

    def mhz(self, entry):
        placed = self.placement(entry)
        return placed and placed["median_mhz"]

    def placement(self, entry):
        """Of the core itself, if it was placed."""
        inversion = "fermat" if entry["method"].startswith("fermat") else entry["method"]
        name = f"{entry['prime']}-{entry['channels']}x{entry['width']}-{inversion}"
        name += f"-contexts{entry['contexts']}" if entry["contexts"] > 1 else ""
        return self.placed.get(name)


def mod3(results):
    rows = []
    ours = {row["w"]: row for row in results.mod3["results"]} if results.mod3 else {}
    for width, (slices, mhz) in PAPER_MOD3.items():
        row = ours.get(width)
        cells = [MISSING] * 4
        if row:
            each = row["ecp5"]["mhz"]
            cells = [row["xc5v"].get("lut", 0), row["xc7"].get("lut", 0), row["ecp5"]["comb"],
                     f"{row['ecp5']['median_mhz']:.0f} ({min(each):.0f} to {max(each):.0f})"]
        rows.append([width, slices, mhz, *cells])
    head = ["w", "*paper: slices*", "*paper: MHz*", "LUT, Virtex-5", "LUT, 7 series", "COMB, ECP5", "MHz, ECP5"]
    return table(head, rows) + (f"\nSynthesised at `{results.mod3['commit']}`.\n" if results.mod3 else "")


def memories(results):
    """Words of w bits a Rower: published, different from 0, allocated."""
    lines = []
    for method, addends, multipliers in (("binary", "17", "2n + 4 = 20"), ("binary-ternary", "38", "2n + 7 = 23"), ("wide", "", "")):
        memory = {each["name"]: each for each in results.memories.get(method, [])}
        if memory:
            cell = lambda name: f"{memory[name]['distinct']} / {memory[name]['depth']}"
            lines.append([NAMES[method], addends or "–", cell("add"), multipliers or "–", cell("mul"), cell("ext")])
    head = ["method", "*paper: addends*", "addends, distinct / allocated", "*paper: multipliers*", "multipliers", "extension"]
    return table(head, lines)


def areas(results):
    """(what, cells of BMI, cells of BTMI) of the complete cores, of each family that was run."""
    whole = {row["method"]: row for row in results.area["results"] if row["multiply"]} if results.area else {}
    pair = [whole.get(method, {}) for method in ("binary", "binary-ternary")]
    return [(name, *(core[family]["total"] for core in pair)) for family, name in FAMILIES if all(family in core for core in pair)]


def overhead(results):
    rows = []
    for name, base, ours in areas(results):
        for kind in KINDS:
            before, after = base.get(kind, 0), ours.get(kind, 0)
            if before or after:
                change = f"{100 * (after - before) / before:+.1f} %" if before else "–"
                rows.append([name, kind.upper(), before, after, change])
    return table(["family", "cells", "BMI", "BTMI", "change"], rows) if rows else MISSING + "\n"


def cells(results):
    """Every complete core that was synthesised, as Yosys counts it."""
    rows = []
    for method in ORDER:
        for row in results.area["results"] if results.area else []:
            for family, name in FAMILIES:
                if row["method"] == method and family in row:
                    total = row[family]["total"]
                    rows.append([METHODS[method], "all" if row["multiply"] else "inversion", name,
                                 *(total.get(kind, 0) for kind in KINDS), row[family].get("commit", results.area["commit"])])
    return table(["core", "operations", "family", *(kind.upper() for kind in KINDS), "commit"], rows) if rows else MISSING + "\n"


def lut_overhead(results):
    """By how many percent the complete BTMI core has more LUT than the complete BMI core."""
    return {name: 100 * (ours["lut"] / base["lut"] - 1) for name, base, ours in areas(results)}


def over_btmi(results):
    """What is counted, and so many in division steps and BTMI: complete cores, as synthesised and as placed."""
    whole = {row["method"]: row for row in results.area["results"] if row["multiply"]} if results.area else {}
    pair = [whole.get(method, {}) for method in ("divstep", "binary-ternary")]
    counts = [(f"LUT, {name}", *(core[family]["total"]["lut"] for core in pair)) for family, name in FAMILIES if all(family in core for core in pair)]
    both = [results.placed.get(f"P-256-8x33-{method}") for method in ("divstep", "binary-ternary")]
    return counts + ([("COMB, ECP5, placed", *(core["runs"][0]["used"]["TRELLIS_COMB"] for core in both))] if all(both) else [])


def by_module(results):
    """LUT of each unit in the two, of the first family that was run."""
    if not results.area:
        return ""
    whole = {row["method"]: row for row in results.area["results"] if row["multiply"]}
    if not {"binary", "binary-ternary"} <= whole.keys():
        return ""
    both = [(family, name) for family, name in FAMILIES if family in whole["binary"] and family in whole["binary-ternary"]]
    if not both:
        return ""
    modules = [whole[method][both[0][0]]["modules"] for method in ("binary", "binary-ternary")]
    lut = lambda module: module["largest"].get("lut", 0) if module else 0
    rows = []
    for name in sorted(modules[0].keys() | modules[1].keys()):
        pair = [lut(module.get(name)) for module in modules]
        if pair[0] != pair[1]:
            rows.append([f"`{name}`", *pair, f"{pair[1] - pair[0]:+d}"])
    return f"Units that differ, LUT of the largest of each, {both[0][1]}, with all that is below it (there are 8 Rowers and as many of their parts):\n\n" + table(
        ["unit", "BMI", "BTMI", "change"], rows)


def by_channels(results):
    """Speed-up of the plus-minus methods over FLT at 384 bits, and the figure."""
    shapes = sorted({(entry["channels"], entry["width"]) for entry in results.cycles if entry["bits"] == 384})
    rows, series, by_squares = [], {"BMI": [], "BTMI": []}, []
    for channels, width in shapes:
        flt = results.core(384, channels, width, "fermat")
        square = results.core(384, channels, width, "fermat-binary")
        loops = {method: results.core(384, channels, width, method) for method in ("binary", "binary-ternary")}
        if not flt or not all(loops.values()):
            continue
        ratios = [flt["cycles"] / loops[method]["cycles"] for method in loops]
        for name, ratio in zip(series, ratios):
            series[name].append((channels, ratio))
        again = square["cycles"] / loops["binary"]["cycles"] if square else None
        by_squares += [again] if square else []
        rows.append([f"{channels} × {width}", f"{flt['cycles']:.0f}", *(f"{loop['cycles']:.0f}" for loop in loops.values()),
                     *(f"{ratio:.2f}" for ratio in ratios), f"{again:.2f}" if again else MISSING])
    if not rows:
        return MISSING + "\n"
    svg = chart.lines("Speed-up over FLT (best window), 384 bits", "channels n", "cycles of FLT / cycles", series)
    (HERE / "figure-1.svg").write_text(svg)
    head = ["n × w", "FLT cycles", "BMI cycles", "BTMI cycles", "BMI over FLT", "BTMI over FLT", "BMI over FLT by square and multiply"]
    said = ""
    if by_squares:
        kept = "within" if 6 <= min(by_squares) and max(by_squares) <= 12 else "not wholly within"
        said = f"\nBMI over FLT by square and multiply: {min(by_squares):.1f} to {max(by_squares):.1f}, {kept} the paper's 6 to 12.\n"
    return "![Speed-up](figure-1.svg)\n\n" + table(head, rows) + said


def by_size(results):
    """Full inversions by field size: cycles, and the time where the core was placed."""
    rows, series = [], {}
    for bits in FIELDS:
        for method in NAMES:
            entry = next((e for e in results.cycles if (e["bits"], e["width"], e["method"], e["contexts"]) == (bits, 33, method, 1)), None)
            if not entry:
                continue
            mhz = results.mhz(entry)
            series.setdefault(NAMES[method], []).append((bits, entry["cycles"]))
            spread = f"{entry['cycles_least']} to {entry['cycles_most']}"
            rows.append([bits, f"{entry['channels']} × {entry['width']}", NAMES[method], entry["steps"], f"{entry['cycles']:.0f}", spread,
                         f"{mhz:.0f}" if mhz else "–", f"{entry['cycles'] / mhz:.1f}" if mhz else "–"])
    if not rows:
        return MISSING + "\n"
    svg = chart.lines("One inversion from request to response", "bits of P", "cycles", series, logarithmic=True)
    (HERE / "figure-5.svg").write_text(svg)
    head = ["bits", "n × w", "method", "steps", "cycles", "least to most", "MHz, ECP5", "µs"]
    return "![Cycles of an inversion](figure-5.svg)\n\n" + table(head, rows)


def span(values):
    return f"{values[0]:.1f}" if len(values) == 1 else f"{min(values):.1f} to {max(values):.1f}"


def seeds_of(core):
    count = len(core["runs"])
    return "one seed" if count == 1 else f"{count} seeds"


def verdict(value, bounds):
    """Met or missed, and by how much, for each bound that a value must not be above."""
    words = []
    for name, bound in bounds.items():
        apart = 100 * (value / bound - 1)
        words.append(f"{name} {bound:g} {'met' if value <= bound else 'missed'} by {abs(apart):.1f} %")
    return "; ".join(words)


def targets(results):
    """What was promised for P-256 over 8 x 33, and whether it is kept."""
    at = lambda method, contexts=1: results.core(256, 8, 33, method, contexts)
    rows = []

    def row(name, value, text, bounds):
        rows.append([name, text if value else MISSING, verdict(value, bounds) if value and bounds else "–"])

    def ratio(name, above, below, bounds):
        value = above / below if above and below else None
        row(name, value, value and f"{value:.3f}", bounds)
        return value

    cycles = {method: at(method) and at(method)["cycles"] for method in NAMES}
    steps = {method: at(method) and at(method)["steps"] for method in NAMES}
    ratio("BTMI / BMI, cycles", cycles["binary-ternary"], cycles["binary"], {"must (the paper's)": 0.70})
    ratio("BTMI / BMI, steps of the loop", steps["binary-ternary"], steps["binary"], {})
    ratio("wide / BTMI, cycles", cycles["wide"], cycles["binary-ternary"], {"must": 0.82})
    products = {method: at(method) and at(method).get("multiply_cycles") for method in ("binary", "binary-ternary")}
    ratio("a product with BTMI / with BMI, cycles", products["binary-ternary"], products["binary"], {"must": 1})
    ratio("FLT by best window / BMI, cycles", cycles["fermat"], cycles["binary"], {})
    faster = ratio("FLT by square and multiply / BMI, cycles", cycles["fermat-binary"], cycles["binary"], {})
    if faster:
        rows[-1][2] = f"the paper's 6 to 12: {'within' if 6 <= faster <= 12 else 'not within'}"

    row("division steps, cycles", cycles["divstep"], cycles["divstep"] and f"{cycles['divstep']:.0f}", {"must": 1300, "goal": 1100})
    entry = at("divstep")
    row("the same, largest less smallest", entry, entry and str(entry["cycles_most"] - entry["cycles_least"]), {})
    rows[-1][2] = "must 0" + (" met; proved on a tiny core" if entry and entry["cycles_most"] == entry["cycles_least"] else " missed")

    placed = {method: results.placed.get(f"P-256-8x33-{method}") for method in ("binary", "binary-ternary")}
    mhz = [method and method["median_mhz"] for method in placed.values()]
    ratio("MHz of BMI / of BTMI, ECP5, medians", *mhz, {})
    if all(mhz):
        spreads = [span([run["mhz"] for run in core["runs"]]) for core in placed.values()]
        rows[-1][2] = f"the paper's: the same; {spreads[0]} beside {spreads[1]} MHz, {seeds_of(placed['binary'])} and {seeds_of(placed['binary-ternary'])}"
        times = [cycles[method] / placed[method]["median_mhz"] for method in ("binary-ternary", "binary")]
        ratio("BTMI / BMI, time at these medians, ECP5", *times, {"with the frequencies as placed, the paper's": 0.70})
    for name, method, contexts, key, bounds in (
        ("one BTMI inversion", "binary-ternary", 1, "cycles", {"must": 18, "goal": 14}),
        ("an interleaved BTMI inversion, 4 contexts", "binary-ternary", 4, "cycles_overall", {"must": 4.5, "goal": 3}),
        ("one wide inversion", "wide", 1, "cycles", {}),
        ("one inversion by division steps", "divstep", 1, "cycles", {"must": 10, "goal": 8.5}),
        ("an interleaved wide inversion, 5 contexts", "wide", 5, "cycles_overall", {"asked of BTMI, goal": 3}),
    ):
        entry = at(method, contexts)
        core = entry and results.placement(entry)
        for which in ("median", "best") if core and len(core["runs"]) > 1 else ("median",):
            value = entry[key] / core[f"{which}_mhz"] if core else None
            seeds = f"{which} of {seeds_of(core)}" if core and len(core["runs"]) > 1 else "one seed"
            row(f"{name}, µs, ECP5, {seeds}", value, core and f"{value:.2f} ({entry[key]:.0f} cycles at {core[f'{which}_mhz']:.1f} MHz)", bounds)
    cost = lut_overhead(results)
    for family, percent in (cost or {}).items():
        row(f"area of BTMI over BMI, LUT, {family}", 100 + percent, f"{percent:+.1f} %", {})
        rows[-1][2] = "; ".join(f"{name} {bound} % {'met' if percent <= bound else f'missed by {percent - bound:.1f} points'}"
                                for name, bound in (("must", 6), ("goal", 4)))
    if not cost:
        rows.append(["area of BTMI over BMI, LUT", MISSING, "–"])
    for name, ours, base in over_btmi(results):
        row(f"area of division steps over BTMI, {name}", ours, f"{100 * (ours / base - 1):+.1f} %", {})
        rows[-1][2] = f"must 20 % {'met' if ours <= 1.2 * base else f'missed by {100 * (ours / base - 1.2):.1f} points'}"
    return table(["P-256, n = 8, w = 33", "measured", "kept"], rows)


def interleaved(results):
    rows = []
    for entry in results.cycles:
        if entry["contexts"] > 1:
            mhz = results.mhz(entry)
            rows.append([entry["prime"], f"{entry['channels']} × {entry['width']}", NAMES[entry["method"]], entry["contexts"],
                         f"{entry['cycles_overall']:.0f}", f"{200 * entry['steps'] / entry['cycles_overall']:.0f}",
                         f"{entry['cycles_overall'] / mhz:.2f}" if mhz else "–"])
    return table(["P", "n × w", "method", "contexts", "cycles an inversion", "issue slots, %", "µs"], rows) if rows else MISSING + "\n"


def placed(results):
    rows = []
    for core, run in results.placed.items():
        each = [placed["mhz"] for placed in run["runs"]]
        used = run["runs"][0]["used"]
        cell = lambda kind: used.get(kind, 0)
        seeds = f"{span(each)}, {seeds_of(run)}" if len(each) > 1 else seeds_of(run)
        rows.append([core, f"{median(each):.1f} ({seeds})", cell("TRELLIS_COMB"),
                     cell("TRELLIS_FF"), cell("MULT18X18D"), cell("DP16KD"), run["commit"]])
    return table(["core", "MHz", "COMB", "FF", "MULT18", "DP16KD", "commit"], rows) if rows else MISSING + "\n"


def main():
    results = Results()
    text = (HERE / "page.md").read_text()
    for name, part in (
        ("targets", targets), ("mod3", mod3), ("memories", memories), ("overhead", overhead), ("modules", by_module), ("cells", cells),
        ("channels", by_channels), ("size", by_size), ("interleaved", interleaved), ("placed", placed),
    ):
        text = text.replace(f"<!-- {name} -->\n", part(results))
    paper = table(["bits", *FIELDS], [[f"*{name} overhead, %*", *(pair[k] for pair in PAPER_OVERHEAD.values())]
                                      for k, name in enumerate(("least", "largest"))])
    (HERE / "results.md").write_text(text.replace("<!-- paper-overhead -->\n", paper))


if __name__ == "__main__":
    main()
