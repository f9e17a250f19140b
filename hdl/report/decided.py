"""Tables of results on which decisions rest: where the longest paths of large cores end, the cost of division steps alone, and of protection."""

import re

from results import MISSING, table

# Where a path ends (or begins, if the name says so), by patterns for the register's name. The first that matches counts.
ENDS = (
    ("the sum of the Rowers' top bits in the Cox", r"u_cox\.tops_q"),
    ("requests and their loader", r"u_requests\."),
    ("the unloader", r"u_unloader\."),
    ("the address of an addend", r"addend_addr_q"),
    ("residues modulo 9 of wide", r"threes"),
    ("the reduction in a Rower", r"u_reduce\."),
    ("reset", r"out_q"),
)
# The shapes, in the figure by field size, whose sums of top bits are long.
LARGE = ("P-384-12x33", "P-521-16x33")


def ends(results):
    """{shape: {end of the longest path: [MHz of each run]}}."""
    found = {shape: {what: [] for what, _ in ENDS} for shape in LARGE}
    for core, placed in results.placed.items():
        for shape in (shape for shape in LARGE if core.startswith(shape)):
            for run in placed["runs"]:
                last = run["path"][-1].split()[-1]
                what = next((what for what, pattern in ENDS if re.search(pattern, last)), None)
                if what is None:
                    raise ValueError(f"{core}, seed {run['seed']}: the longest path ends at {last}")
                found[shape][what].append(run["mhz"])
    return found


def paths(results):
    found = ends(results)
    cell = lambda each: f"{len(each)}: {min(each):.0f} to {max(each):.0f} MHz" if len(each) > 1 else f"1: {each[0]:.0f} MHz" if each else "none"
    rows = [[what, *(cell(found[shape][what]) for shape in LARGE)] for what, _ in ENDS]
    rows.append(["all", *(sum(map(len, found[shape].values())) for shape in LARGE)])
    return table(["the longest path ends in", *(shape.replace("-12x33", ", 12 × 33").replace("-16x33", ", 16 × 33") + ": runs" for shape in LARGE)], rows)


def alone(results, family="ecp5"):
    """(part, cells of BTMI, cells of division steps) of cores that only invert: LUT, then block RAM."""
    pair = [results.whole(False)[method][family] for method in ("binary-ternary", "divstep")]
    rowers = [core["modules"]["moduli_rns_rower"] for core in pair]
    count = [8 * rower["largest"].get("lut", 0) for rower in rowers]
    unit = lambda core, name, kind="lut": core["modules"].get(f"moduli_rns_{name}", {}).get("largest", {}).get(kind, 0)
    steps = [unit(pair[0], "inverter"), unit(pair[1], "division_steps")]
    total = [core["total"]["lut"] for core in pair]
    rows = [
        ("eight Rowers", *count), ("control of the steps", *steps),
        ("of which the matrix", *(unit(core, "matrix") for core in pair)), ("of which sums of words", *(unit(core, "words") for core in pair)),
        ("all else", *(all_ - rower - step for all_, rower, step in zip(total, count, steps))), ("LUT", *total),
        ("block RAM of constants of base extensions", *(8 * unit(core, "rom_ext", "bram") for core in pair)),
        ("block RAM of addends", *(8 * unit(core, "rom_add", "bram") for core in pair)),
        ("block RAM", *(core["total"]["bram"] for core in pair)),
    ]
    return rows


def steps_alone(results):
    return table(["built for inversion alone, ECP5", "BTMI", "division steps", "change"], [[*row, f"{row[2] - row[1]:+d}"] for row in alone(results)])


def saved_by_moduli(results):
    """The part of a core's LUT on Virtex-5 that BTMI's moduli would save in the reductions if their complements were those of BMI, for the shape that
    would save the most; and the number of shapes."""
    cells = lambda core, name: core["xc5v"]["modules"][f"moduli_rns_{name}"]["largest"]["lut"]
    more = {}
    for shape in results.shapes():
        whole = results.shape(*shape)
        base, ours = whole["binary"], whole["binary-ternary"]
        more[shape] = shape[1] * (cells(ours, "reduce") - cells(base, "reduce")) / ours["xc5v"]["total"]["lut"]
    return max(more.values()), len(more)


def protected(results):
    """The table of cells and clocks on ECP5 with and without protection, and of cycles."""
    rows, plain = [], {}
    clock = lambda core: f"{core['median_mhz']:.0f} ({len(core['runs'])} seeds, {core['commit']})" if core else "not placed"
    for row in results.protected["results"] if results.protected else []:
        total, cells = row["total"], ["not counted"] * 4 + ["–"]
        plain.setdefault(row["operation"], total)
        if total:
            base = plain[row["operation"]] if row["protection"] else None
            change = lambda kind: f"{total[kind]:,}" + (f" ({100 * (total[kind] / base[kind] - 1):+.1f} %)" if base else "")
            cells = [change("lut"), change("ff"), total["dsp"], total["bram"], row["commit"]]
        rows.append([row["operation"], row["protection"] or "none", f"{row['cycles']:,}", *cells[:-1], cells[-1], clock(results.placed.get(row["core"]))])
    return table(["operation", "protection", "cycles", "LUT", "FF", "DSP", "block RAM", "commit", "MHz, median"], rows) if rows else MISSING + "\n"
