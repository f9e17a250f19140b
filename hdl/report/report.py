"""Compares the published tables and figures with ours: writes results.md and the figures of this directory from the committed results,
hdl/report/cycles.json (make hdl-measure) and hdl/syn/results (make hdl-syn).

    report.py           writes these files
    report.py --check   fails if one of these files is stale, if the block diagrams lack a unit of the sources, or if a hand-written page has
                        a figure that differs from the results
"""

import sys

import chart
import decided
import diagram
import published
import quoted
import tables
from results import FIELDS, HERE, MISSING, NAMES, Results, seeds_of, span, table, with_range


FIGURES = {}


def by_channels(results):
    """The table of speed-ups of the plus-minus methods over FLT at 384 bits, and its figure."""
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
    FIGURES["figure-1.svg"] = svg
    head = ["n × w", "FLT cycles", "BMI cycles", "BTMI cycles", "BMI over FLT", "BTMI over FLT", "BMI over FLT by square and multiply"]
    said = ""
    if by_squares:
        kept = "within" if 6 <= min(by_squares) and max(by_squares) <= 12 else "not wholly within"
        said = f"\nBMI over FLT by square and multiply: {min(by_squares):.1f} to {max(by_squares):.1f}, {kept} the paper's 6 to 12.\n"
    return "![Speed-up](figure-1.svg)\n\n" + table(head, rows) + said


def by_size(results):
    """The table of full inversions by field size: cycles, and, if the core was placed, the time, over all seeds."""
    rows, series = [], {}
    for bits in FIELDS:
        for method in NAMES:
            entry = next((e for e in results.cycles if (e["bits"], e["width"], e["method"], e["contexts"]) == (bits, 33, method, 1)), None)
            if not entry:
                continue
            placed = results.placement(entry)
            mhz = [run["mhz"] for run in placed["runs"]] if placed else []
            times = [entry["cycles"] / each for each in mhz]
            if placed:
                middle = entry["cycles"] / placed["median_mhz"]
                series.setdefault(NAMES[method], []).append((bits, middle, *((min(times), max(times)) if len(times) > 1 else ())))
            spread = f"{entry['cycles_least']} to {entry['cycles_most']}"
            rows.append([bits, f"{entry['channels']} × {entry['width']}", NAMES[method], entry["steps"], f"{entry['cycles']:.0f}", spread,
                         *([with_range(placed["median_mhz"], mhz, 0), with_range(middle, times), len(mhz)] if placed else ["–"] * 3)])
    if not rows:
        return MISSING + "\n"
    svg = chart.lines("One inversion on an ECP5: median of the seeds, and their range", "bits of P", "µs", series, logarithmic=True)
    FIGURES["figure-5.svg"] = svg
    head = ["bits", "n × w", "method", "steps", "cycles", "least to most", "MHz, ECP5", "µs", "seeds"]
    return "![Time of an inversion](figure-5.svg)\n\n" + table(head, rows)


def at_a_glance(results):
    """The table of P-256 over 8 x 33, with the claims of the papers."""
    at = lambda method, contexts=1: results.core(256, 8, 33, method, contexts)
    rows = []

    def row(name, value, text, published="–"):
        rows.append([name, text if value else MISSING, published])

    def ratio(name, above, below, published="–"):
        value = above / below if above and below else None
        row(name, value, value and f"{value:.3f}", published)
        return value

    cycles = {method: at(method) and at(method)["cycles"] for method in NAMES}
    steps = {method: at(method) and at(method)["steps"] for method in NAMES}
    ratio("BTMI / BMI, cycles", cycles["binary-ternary"], cycles["binary"], "0.7")
    ratio("BTMI / BMI, steps of the loop", steps["binary-ternary"], steps["binary"])
    ratio("wide / BTMI, cycles", cycles["wide"], cycles["binary-ternary"])
    products = {method: at(method) and at(method).get("multiply_cycles") for method in ("binary", "binary-ternary")}
    ratio("a product with BTMI / with BMI, cycles", products["binary-ternary"], products["binary"])
    ratio("FLT by best window / BMI, cycles", cycles["fermat"], cycles["binary"])
    ratio("FLT by square and multiply / BMI, cycles", cycles["fermat-binary"], cycles["binary"], "6 to 12")

    row("division steps, cycles", cycles["divstep"], cycles["divstep"] and f"{cycles['divstep']:.0f}")
    entry = at("divstep")
    row("the same, largest less smallest", entry, entry and str(entry["cycles_most"] - entry["cycles_least"]))

    placed = {method: results.placed.get(f"P-256-8x33-{method}") for method in ("binary", "binary-ternary")}
    mhz = [method and method["median_mhz"] for method in placed.values()]
    ratio("MHz of BMI / of BTMI, ECP5, medians", *mhz)
    if all(mhz):
        spreads = [span([run["mhz"] for run in core["runs"]]) for core in placed.values()]
        rows[-1][2] = f"the same; here {spreads[0]} beside {spreads[1]} MHz, {seeds_of(placed['binary'])} and {seeds_of(placed['binary-ternary'])}"
        times = [cycles[method] / placed[method]["median_mhz"] for method in ("binary-ternary", "binary")]
        ratio("BTMI / BMI, time at these medians, ECP5", *times, "0.7")
    for name, method, contexts, key in (
        ("one BTMI inversion", "binary-ternary", 1, "cycles"),
        ("an interleaved BTMI inversion, 4 contexts", "binary-ternary", 4, "cycles_overall"),
        ("one wide inversion", "wide", 1, "cycles"),
        ("one inversion by division steps", "divstep", 1, "cycles"),
        ("an interleaved wide inversion, 5 contexts", "wide", 5, "cycles_overall"),
    ):
        entry = at(method, contexts)
        core = entry and results.placement(entry)
        for which in ("median", "best") if core and len(core["runs"]) > 1 else ("median",):
            value = entry[key] / core[f"{which}_mhz"] if core else None
            seeds = f"{which} of {seeds_of(core)}" if core and len(core["runs"]) > 1 else "one seed"
            row(f"{name}, µs, ECP5, {seeds}", value, core and f"{value:.2f} ({entry[key]:.0f} cycles at {core[f'{which}_mhz']:.1f} MHz)")
    cost = tables.lut_overhead(results)
    for family, percent in (cost or {}).items():
        row(f"area of BTMI over BMI, LUT, {family}", 100 + percent, f"{percent:+.1f} %")
    if not cost:
        rows.append(["area of BTMI over BMI, LUT", MISSING, "–"])
    for name, ours, base in tables.over_btmi(results):
        row(f"area of division steps over BTMI, {name}", ours, f"{100 * (ours / base - 1):+.1f} %")
    return table(["P-256, n = 8, w = 33", "measured", "published"], rows)


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
        rows.append([core, f"{run['median_mhz']:.1f} ({seeds})", cell("TRELLIS_COMB"),
                     cell("TRELLIS_FF"), cell("MULT18X18D"), cell("DP16KD"), run["commit"]])
    return table(["core", "MHz", "COMB", "FF", "MULT18", "DP16KD", "commit"], rows) if rows else MISSING + "\n"


def made():
    """{file: the text that it must contain}."""
    results, text = Results(), (HERE / "page.md").read_text()
    FIGURES.update({f"{name}.svg": diagram.draw(*picture) for name, picture in diagram.PICTURES.items()})
    for name, part in (
        ("at_a_glance", at_a_glance), ("beside", published.side_by_side), ("published", published.others), ("multiples", tables.multiples),
        ("mod3", tables.mod3), ("memories", tables.memories), ("control", tables.control), ("shapes", tables.by_shape),
        ("overhead", tables.overhead), ("modules", tables.by_module), ("cells", tables.cells), ("channels", by_channels), ("size", by_size),
        ("interleaved", interleaved), ("placed", placed), ("protected", decided.protected), ("paths", decided.paths), ("alone", decided.steps_alone),
    ):
        text = text.replace(f"<!-- {name} -->\n", part(results))
    return {"results.md": text, **FIGURES}


def main():
    files, wrong = made(), diagram.missing() + quoted.wrong()
    if sys.argv[1:] == ["--check"]:
        wrong += [f"{name} is not what the results say: make hdl-report" for name, text in files.items()
                  if not (HERE / name).exists() or (HERE / name).read_text() != text]
        print("report: what the results say, diagrams as the sources, pages as the results" if not wrong else "\n".join(wrong))
    else:
        for name, text in files.items():
            (HERE / name).write_text(text)
        print("\n".join(wrong), end="\n" * bool(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
