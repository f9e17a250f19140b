"""Makes Tables I to IV: values of f_D, and the costs of units, memories and cores."""

import rtl
from results import FAMILIES, FIELDS, KINDS, MAIN, METHODS, MISSING, NAMES, ORDER, table

# The printed values. Areas are for Virtex-5.
PAPER_MULTIPLES = {2: (0, 1, 0, 1, 0, 1), 3: (0, -1, 1, 0, -1, 1), 4: (0, -1, 2, 1, 0, -1), 6: (0, -1, -2, 3, 2, 1)}
PAPER_MOD3 = {17: (6, 275), 20: (6, 230), 22: (6, 221), 24: (6, 218), 29: (10, 162), 33: (10, 161), 36: (11, 170)}
PAPER_OVERHEAD = {192: (2.9, 3.6), 256: (3.1, 3.4), 384: (2.9, 3.1), 521: (2.1, 2.5)}


def multiples(results):
    """The table of f_D(X): the printed values, and those of the generator's addends."""
    ours = {int(divisor): values for divisor, values in results.memories.get("multiples", {}).items()}
    shown = lambda values: [str(value).replace("-", "−") for value in values]
    rows = []
    for divisor, values in PAPER_MULTIPLES.items():
        own = [ours[divisor][x % divisor] for x in range(6)] if divisor in ours else [MISSING] * 6
        rows.append([f"f_{divisor}", *(f"*{printed}* → {value}" for printed, value in zip(shown(values), shown(own)))])
    said = "" if 12 not in ours else "\nf_12, which is not printed, for X = 0 … 11: " + ", ".join(shown(ours[12])) + ".\n"
    return table(["X", *range(6)], rows) + said


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
    """The table of words of w bits per Rower: published, nonzero, and allocated."""
    lines = []
    for method, addends, multipliers in (("binary", "17", "2n + 4 = 20"), ("binary-ternary", "38", "2n + 7 = 23"), ("wide", "", "")):
        memory = {each["name"]: each for each in results.memories.get(method, [])}
        if memory:
            cell = lambda name: f"{memory[name]['distinct']} / {memory[name]['depth']}"
            lines.append([NAMES[method], addends or "–", cell("add"), multipliers or "–", cell("mul"), cell("ext")])
    head = ["method", "*paper: addends*", "addends, distinct / allocated", "*paper: multipliers*", "multipliers", "extension"]
    return table(head, lines)


STATE_MACHINES = ("requests", "loader", "inverter", "products", "product_issues", "unloader")


def control(results):
    """The rest of Table III, of P-256 over 8 x 33."""
    pair = [results.whole().get(method, {}) for method in ("binary", "binary-ternary")]
    widths = [results.memories.get("widths", {}).get(method) for method in ("binary", "binary-ternary")]
    cell = lambda unit, kind: [core["xc5v"]["modules"].get(f"moduli_rns_{unit}", {}).get("largest", {}).get(kind, 0) if "xc5v" in core else MISSING
                               for core in pair]
    states = {unit: rtl.states(f"moduli_rns_{unit}") for unit in STATE_MACHINES}
    by_unit = ", ".join(f"`{unit}` {count}" for unit, count in states.items())
    wires = [f"{width['T'] + 1} + {width['A2']}" + f" + {2 * width['A3']}" * bool(width["A3"]) if width else MISSING for width in widths]
    values = [4 * (1 + (width["A3"] > 0)) if width else MISSING for width in widths]
    rows = [
        ["Rower", "unit modulo 3", "0", "6 to 11 slices", *(f"{lut} LUT" for lut in cell("mod3", "lut"))],
        ["Rower", "block RAM", "1 or 2", "1 or 2", *cell("rower", "bram")],
        ["Rower", "LUT, with all in it", "–", "–", *cell("rower", "lut")],
        ["Rower → Cox", "wires: top bits + low bits + modulo 3", "t + 2", "t + 2 + 2", *wires],
        ["Cox", "LUT, with its unit modulo 3", "–", "+ 6 to 11 slices", *cell("cox", "lut")],
        ["control", "states", 25, 30, *[sum(states.values())] * 2],
        ["control", "values of 2 bits", 4, 8, *values],
    ]
    head = ["unit", "what", "*paper: BMI*", "*paper: BTMI*", "BMI", "BTMI"]
    return table(head, rows) + f"\nOur states are those of several small controls, by module: {by_unit}; the same for both methods.\n"


def areas(results):
    """(what, cells of BMI, cells of BTMI) of the complete cores, of each family that was run."""
    pair = [results.whole().get(method, {}) for method in ("binary", "binary-ternary")]
    return [(name, *(core[family]["total"] for core in pair)) for family, name in FAMILIES if all(family in core for core in pair)]


def by_shape(results):
    """How many percent more LUT BTMI has than BMI: the range of each field and the paper's, then every shape."""
    percent = lambda pair, family, kind: 100 * (pair[1][family]["total"].get(kind, 0) / pair[0][family]["total"][kind] - 1)
    ranges, rows = [], []
    for bits in FIELDS:
        found = {family: [] for family, _ in FAMILIES}
        for prime, channels, width in results.shapes():
            if prime != f"P-{bits}":
                continue
            whole = results.shape(prime, channels, width)
            pair = [whole[method] for method in ("binary", "binary-ternary")]
            for family, name in FAMILIES:
                if not all(family in core for core in pair):
                    continue
                found[family].append(percent(pair, family, "lut"))
                totals = [core[family]["total"] for core in pair]
                both = lambda kind: " / ".join(str(number) for number in dict.fromkeys(total.get(kind, 0) for total in totals))
                rows.append([bits, f"{channels} × {width}", name, *(total["lut"] for total in totals), f"{percent(pair, family, 'lut'):+.1f} %",
                             f"{percent(pair, family, 'ff'):+.1f} %", both("dsp"), both("bram")])
        printed = [f"*{least} to {most}*" for least, most in [PAPER_OVERHEAD[bits]]]
        ranges.append([bits, *printed, *(f"{min(each):.1f} to {max(each):.1f} ({len(each)})" if len(each) > 1 else f"{each[0]:.1f} (one)" if each else MISSING
                                         for each in found.values())])
    head = ["bits", "n × w", "family", "LUT, BMI", "LUT, BTMI", "change", "FF", "DSP", "block RAM"]
    return (table(["bits", "*paper: least to largest, % of slices*", *(f"ours, {name}: % of LUT (shapes)" for _, name in FAMILIES)], ranges)
            + "\n" + table(head, rows))


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
    """The cells of every synthesised core of the main shape, as counted by Yosys."""
    rows = []
    for method in ORDER:
        for row in results.area["results"] if results.area else []:
            for family, name in FAMILIES:
                if row["method"] == method and family in row and (row["prime"], row["channels"], row["width"]) == MAIN:
                    total = row[family]["total"]
                    rows.append([METHODS[method], "all" if row["multiply"] else "inversion", name,
                                 *(total.get(kind, 0) for kind in KINDS), row[family].get("commit", results.area["commit"])])
    return table(["core", "operations", "family", *(kind.upper() for kind in KINDS), "commit"], rows) if rows else MISSING + "\n"


def lut_overhead(results):
    """How many percent more LUT the complete BTMI core has than the complete BMI core."""
    return {name: 100 * (ours["lut"] / base["lut"] - 1) for name, base, ours in areas(results)}


def over_btmi(results):
    """(what is counted, its number with division steps, with BTMI): complete cores, synthesised and placed, and those that only invert."""
    counts = []
    for multiply, what in ((True, "LUT"), (False, "built for inversion alone, LUT")):
        pair = [results.whole(multiply).get(method, {}) for method in ("divstep", "binary-ternary")]
        counts += [(f"{what}, {name}", *(core[family]["total"]["lut"] for core in pair)) for family, name in FAMILIES if all(family in core for core in pair)]
    both = [results.placed.get(f"P-256-8x33-{method}") for method in ("divstep", "binary-ternary")]
    return counts + ([("COMB, ECP5, placed", *(core["runs"][0]["used"]["TRELLIS_COMB"] for core in both))] if all(both) else [])


def by_module(results):
    """The LUT of each unit in both cores, for the first family that was run."""
    whole = results.whole()
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


