"""The published tables and figures beside ours: writes README.md and the figures of this directory from the committed results,
hdl/report/cycles.json (make hdl-measure) and hdl/syn/results (make hdl-syn)."""

import json
from pathlib import Path
from statistics import median

import chart

HERE = Path(__file__).resolve().parent
SYNTHESIS = HERE.parent / "syn/results"
NAMES = {
    "fermat": "FLT, best window", "fermat-binary": "FLT, square and multiply", "binary": "BMI", "binary-ternary": "BTMI",
    "wide": "wide, Q = 144",
}
FIELDS = (192, 256, 384, 521)
# As printed for Virtex-5.
PAPER_MOD3 = {17: (6, 275), 20: (6, 230), 22: (6, 221), 24: (6, 218), 29: (10, 162), 33: (10, 161), 36: (11, 170)}
PAPER_OVERHEAD = {192: (2.9, 3.6), 256: (3.1, 3.4), 384: (2.9, 3.1), 521: (2.1, 2.5)}
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
        """Of the placed core itself, if it was placed."""
        inversion = "fermat" if entry["method"].startswith("fermat") else entry["method"]
        name = f"{entry['prime']}-{entry['channels']}x{entry['width']}-{inversion}"
        name += f"-contexts{entry['contexts']}" if entry["contexts"] > 1 else ""
        placed = self.placed.get(name)
        return placed and placed["median_mhz"]


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
    return table(head, rows)


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


def overhead(results):
    if not results.area:
        return MISSING + "\n"
    rows = []
    whole = {row["method"]: row for row in results.area["results"] if row["multiply"]}
    base, ours = whole.get("binary"), whole.get("binary-ternary")
    for family, name in (("xc5v", "Virtex-5"), ("xc7", "7 series"), ("ecp5", "ECP5")):
        if not (base and ours):
            continue
        for kind in ("lut", "ff", "carry", "lutram", "dsp", "bram"):
            before, after = base[family]["total"].get(kind, 0), ours[family]["total"].get(kind, 0)
            if before or after:
                change = f"{100 * (after - before) / before:+.1f} %" if before else "–"
                rows.append([name, kind.upper(), before, after, change])
    return table(["family", "cells", "BMI", "BTMI", "change"], rows)


def by_module(results):
    """LUT of each unit in the two, Virtex-5."""
    if not results.area:
        return ""
    whole = {row["method"]: row for row in results.area["results"] if row["multiply"]}
    if not {"binary", "binary-ternary"} <= whole.keys():
        return ""
    modules = [whole[method]["xc5v"]["modules"] for method in ("binary", "binary-ternary")]
    lut = lambda module: module["largest"].get("lut", 0) if module else 0
    rows = []
    for name in sorted(modules[0].keys() | modules[1].keys()):
        pair = [lut(module.get(name)) for module in modules]
        if pair[0] != pair[1]:
            rows.append([f"`{name}`", *pair, f"{pair[1] - pair[0]:+d}"])
    return "Units that differ, LUT of the largest of each on Virtex-5, with all that is below it:\n\n" + table(
        ["unit", "BMI", "BTMI", "change"], rows)


def by_channels(results):
    """Speed-up of the plus-minus methods over FLT at 384 bits, and the figure."""
    shapes = sorted({(entry["channels"], entry["width"]) for entry in results.cycles if entry["bits"] == 384})
    rows, series = [], {"BMI": [], "BTMI": []}
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
        rows.append([f"{channels} × {width}", f"{flt['cycles']:.0f}", *(f"{loop['cycles']:.0f}" for loop in loops.values()),
                     *(f"{ratio:.2f}" for ratio in ratios), f"{again:.2f}" if again else MISSING])
    if not rows:
        return MISSING + "\n"
    svg = chart.lines("Speed-up over FLT (best window), 384 bits", "channels n", "cycles of FLT / cycles", series)
    (HERE / "figure-1.svg").write_text(svg)
    head = ["n × w", "FLT cycles", "BMI cycles", "BTMI cycles", "BMI over FLT", "BTMI over FLT", "BMI over FLT by square and multiply"]
    return "![Speed-up](figure-1.svg)\n\n" + table(head, rows)


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


def targets(results):
    """Ratios that the methods promise, at 256 bits."""
    at = lambda method, contexts=1: results.core(256, 8, 33, method, contexts)
    rows = []

    def ratio(name, above, below, promise):
        value = f"{above / below:.3f}" if above and below else MISSING
        rows.append([name, promise, value])

    cycles = {method: at(method) and at(method)["cycles"] for method in NAMES}
    ratio("BTMI / BMI, cycles", cycles["binary-ternary"], cycles["binary"], "0.70 at most (paper)")
    steps = {method: at(method) and at(method)["steps"] for method in NAMES}
    ratio("BTMI / BMI, steps of the loop", steps["binary-ternary"], steps["binary"], "–")
    ratio("wide / BTMI, cycles", cycles["wide"], cycles["binary-ternary"], "0.82 at most")
    ratio("FLT by best window / BMI", cycles["fermat"], cycles["binary"], "–")
    ratio("FLT by square and multiply / BMI", cycles["fermat-binary"], cycles["binary"], "6 to 12 (paper)")
    products = {method: at(method) and at(method).get("multiply_cycles") for method in ("binary", "binary-ternary")}
    ratio("a product with BTMI / with BMI, cycles", products["binary-ternary"], products["binary"], "1")
    entry, many = at("binary-ternary"), at("binary-ternary", 4)
    for name, entry, cycles, promise in (
        ("one BTMI inversion, µs", entry, entry and entry["cycles"], "18 at most, 14 wanted"),
        ("an interleaved BTMI inversion, µs", many, many and many["cycles_overall"], "4.5 at most, 3 wanted"),
    ):
        mhz = entry and results.mhz(entry)
        rows.append([name, promise, f"{cycles / mhz:.2f} ({cycles:.0f} cycles at {mhz:.0f} MHz)" if mhz else MISSING])
    return table(["P-256, n = 8, w = 33", "promised", "measured"], rows)


def interleaved(results):
    rows = []
    for entry in results.cycles:
        if entry["contexts"] > 1:
            mhz = results.mhz(entry)
            rows.append([entry["prime"], f"{entry['channels']} × {entry['width']}", NAMES[entry["method"]], entry["contexts"],
                         f"{entry['cycles_overall']:.0f}", f"{entry['cycles_overall'] / mhz:.2f}" if mhz else "–"])
    return table(["P", "n × w", "method", "contexts", "cycles an inversion", "µs"], rows) if rows else MISSING + "\n"


def placed(results):
    rows = []
    for core, run in results.placed.items():
        each = [placed["mhz"] for placed in run["runs"]]
        used = run["runs"][0]["used"]
        cell = lambda kind: used.get(kind, 0)
        rows.append([core, f"{median(each):.1f} ({min(each):.1f} to {max(each):.1f}, {len(each)} seeds)", cell("TRELLIS_COMB"),
                     cell("TRELLIS_FF"), cell("MULT18X18D"), cell("DP16KD"), run["commit"]])
    return table(["core", "MHz", "COMB", "FF", "MULT18", "DP16KD", "commit"], rows) if rows else MISSING + "\n"


def main():
    results = Results()
    text = (HERE / "page.md").read_text()
    for name, part in (
        ("targets", targets), ("mod3", mod3), ("memories", memories), ("overhead", overhead), ("modules", by_module),
        ("channels", by_channels), ("size", by_size), ("interleaved", interleaved), ("placed", placed),
    ):
        text = text.replace(f"<!-- {name} -->\n", part(results))
    paper = table(["bits", *FIELDS], [[f"*{name} overhead, %*", *(pair[k] for pair in PAPER_OVERHEAD.values())]
                                      for k, name in enumerate(("least", "largest"))])
    (HERE / "README.md").write_text(text.replace("<!-- paper-overhead -->\n", paper))


if __name__ == "__main__":
    main()
