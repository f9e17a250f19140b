"""Synthesis results: run.py mod3 | area [METHOD [FAMILY [OPERATIONS]]] | place [NAME [SEEDS]] | resident [SEEDS] | all | stale. Writes
results/*.json, which are committed.

    mod3    the unit modulo 3: LUT on Virtex-5 and 7 series and MHz on ECP5, by width (minutes)
    area    LUT, FF, DSP, BRAM of the methods, by hierarchy (half an hour)
    place   nextpnr on ECP5: MHz and cells of whole cores (hours)
    resident   the core for programs over resident residues, P-256's scalar multiplication and powers: cells by hierarchy, MHz on ECP5 (an hour)
    stale   which results of area and place are stale: made of sources that have changed since

Yosys knows no slices, and there is no free timing model of Xilinx parts: MHz are given for ECP5 alone.
"""

import json
import re
import statistics
import sys
from pathlib import Path

import flow

sys.path.insert(0, str(flow.HDL / "dv"))

from generate import RESIDENT, parameters  # noqa: E402
from simulate import BUILD, Core  # noqa: E402

RESULTS = flow.HDL / "syn/results"
SEEDS = (1, 2, 3)
WIDTHS = (17, 20, 22, 24, 29, 33, 36)
TARGET_MHZ = 130
METHODS = ("binary-ternary", "binary", "wide", "fermat", "divstep")


def write(name, what, **more):
    RESULTS.mkdir(exist_ok=True)
    head = {"commit": flow.commit(), "versions": flow.versions(), **more}
    (RESULTS / f"{name}.json").write_text(json.dumps({**head, "results": what}, indent=1) + "\n")
    print(f"results/{name}.json")


def mod3():
    unit, registered = flow.RTL / "moduli_rns_mod3.sv", flow.HDL / "syn/moduli_rns_mod3_registered.sv"
    rows = []
    for width in WIDTHS:
        row = {"w": width}
        for family in ("xc5v", "xc7"):
            # Wide multiplexers would hide tables.
            row[family] = flow.area(family, [unit], "moduli_rns_mod3", [("W", width)], options="-nowidelut")["total"]
        runs = list(flow.place(BUILD / f"syn/mod3-{width}", [registered, unit], "moduli_rns_mod3_registered", [("W", width)],
                               mhz=400, seeds=SEEDS))
        row["ecp5"] = {"mhz": [run["mhz"] for run in runs], "median_mhz": statistics.median(run["mhz"] for run in runs),
                       "comb": runs[0]["used"]["TRELLIS_COMB"]}
        print(row, flush=True)
        rows.append(row)
    write("mod3", rows, seeds=SEEDS, speed_grade=8)


def by_role(modules):
    """Cells of the modules under names without the suffixes of their parameters, the largest of each, and how many."""
    roles = {}
    for name, cells in modules.items():
        role = re.split(r"[$]|\\", name)[0]
        roles.setdefault(role, []).append(cells)
    return {role: {"variants": len(each), "largest": max(each, key=lambda cells: cells.get("lut", 0))}
            for role, each in sorted(roles.items())}


FAMILIES = ("xc5v", "xc7", "ecp5")


def one_of(name, names):
    if name not in (None, *names):
        sys.exit(f"run.py: {name} is none of {', '.join(names)}")


def area_files(core, family):
    """The sources that cells are counted of. Tables would be left in LUTs on Xilinx parts, so ROMs are read from files."""
    directory, _ = parameters(core)
    files = flow.sources(directory, family, tables=False)
    return directory, files, flow.digest(files + sorted(directory.glob("*.hex")))


def area(only_method=None, only_family=None, only_operations=None):
    """The methods over the same pair of bases, and invert-only cores beside them. Results are added to those that are there."""
    one_of(only_method, METHODS)
    one_of(only_family, FAMILIES)
    one_of(only_operations, ("all", "invert"))
    file = RESULTS / "area.json"
    rows = {row["core"]: row for row in json.loads(file.read_text())["results"]} if file.exists() else {}
    for options in ((), ("--operations", "invert")):
        for method in METHODS:
            if (options and method == "fermat") or only_method not in (None, method) or only_operations not in (None, (options or ("all",))[-1]):
                continue
            core = Core("P-256", 33, 8, method, options)
            row = rows.setdefault(core.name(), {"core": core.name()})
            for family in FAMILIES:
                if only_family not in (None, family):
                    continue
                # Hierarchy kept: flattened, constants would run from one unit into the next.
                directory, files, digest = area_files(core, family)
                row |= {"method": method, "multiply": not options, "memory": memory(directory)}
                report = flow.area(family, files, "moduli_rns", memories=directory)
                row[family] = {"total": report["total"], "commit": flow.commit(), "sources": digest, "modules": by_role(report["modules"])}
                print(core.name(), family, row[family]["total"], flush=True)
                write("area", list(rows.values()))


def memory(directory):
    """Words of the ROMs of channel 0: allocated, and different from 0 or used."""
    words = {}
    for name in ("mul", "add", "ext"):
        file = directory / f"{name}_0.hex"
        if file.exists():
            lines = [line.split("//")[0].strip() for line in file.read_text().splitlines()]
            values = [int(line, 16) for line in lines if line]
            words[name] = {"allocated": len(values), "distinct": len(set(values) - {0})}
    return words


FIELDS = [(Core(prime, width, channels, method), (1,))
                     for prime, width, channels in (("P-192", 33, 6), ("P-384", 33, 12), ("P-521", 33, 16)) for method in METHODS[:4]]
PLACED = (
    # The figures of the main shape, then the other fields of the report's figure 5, and one P that is 1 modulo 4. More seeds of the two
    # whose frequencies are compared.
    (Core("P-256", 33, 8, "binary-ternary"), (*SEEDS, 4, 5)),
    (Core("P-256", 33, 8, "binary"), (*SEEDS, 4, 5)),
    (Core("P-256", 33, 8, "binary-ternary", contexts=4), SEEDS),
    (Core("P-256", 33, 8, "wide"), SEEDS),
    (Core("P-256", 33, 8, "wide", contexts=5), SEEDS),
    (Core("P-256", 33, 8, "fermat"), SEEDS),
    (Core("P-256", 33, 8, "divstep"), SEEDS),
    (Core("P-256", 33, 8, "binary-ternary", ("--operations", "invert")), (1,)),
    *FIELDS,
    (Core("curve25519", 33, 8, "binary-ternary"), (1,)),
)


def place(only=None, only_seeds=None):
    """Each core in a file of its own, written after every seed, so that a run can be broken off; seeds that are there of the same
    sources are kept. The arguments: a name, and seeds with commas."""
    one_of(only, [core.name() for core, _ in PLACED])
    for core, seeds in PLACED:
        if only and only != core.name():
            continue
        seeds = tuple(int(seed) for seed in only_seeds.split(",")) if only_seeds else seeds
        directory, _ = parameters(core)
        where, files = BUILD / core.name() / "ecp5", flow.sources(directory, "ecp5")
        file, digest = RESULTS / f"ecp5-{core.name()}.json", flow.digest(files)
        kept = json.loads(file.read_text()) if file.exists() else {}
        runs = {run["seed"]: run for run in kept["results"]["runs"]} if kept.get("sources") == digest else {}
        text = (directory / "moduli_rns_params_pkg.sv").read_text()
        folds = int(re.search(r"EXTRA_FOLDS = (\d+)", text).group(1))
        cycles = max(6 + folds + (3 if core.inversion == "wide" else 2), 2 * core.contexts)
        for run in flow.place(where, files, "moduli_rns_harness", mhz=TARGET_MHZ, seeds=[seed for seed in seeds if seed not in runs]):
            runs[run["seed"]] = run
            each = [runs[seed]["mhz"] for seed in sorted(runs)]
            median, best = statistics.median(each), max(each)
            step = None if core.inversion in ("fermat", "divstep") else {
                "cycles": cycles, "ns": round(1000 * cycles / median, 2), "best_ns": round(1000 * cycles / best, 2)}
            results = {"core": core.name(), "median_mhz": median, "best_mhz": best, "step": step,
                       "runs": [runs[seed] for seed in sorted(runs)]}
            write(file.stem, results, sources=digest, seeds=sorted(runs), device="LFE5U-85F, CABGA756", speed_grade=8, target_mhz=TARGET_MHZ)
            print(core.name(), each, step, flush=True)


def resident(seeds="1,2,3"):
    """Written after every step, so that a run can be broken off."""
    directory, _ = parameters(RESIDENT[-1])
    top, results = "moduli_rns_resident", {}
    for family in ("xc7", "ecp5"):
        files = flow.sources(directory, family, tables=False, resident=True)
        report = flow.area(family, files, top, memories=directory)
        results[family] = {"total": report["total"], "modules": by_role(report["modules"])}
        print(family, report["total"], flush=True)
        write("resident", results)
    files, results["runs"] = flow.sources(directory, "ecp5", resident=True), []
    for run in flow.place(BUILD / "syn/resident", files, f"{top}_harness", mhz=TARGET_MHZ, seeds=[int(seed) for seed in seeds.split(",")]):
        results["runs"].append(run)
        each = [run["mhz"] for run in results["runs"]]
        results["median_mhz"] = statistics.median(each)
        print(each, flush=True)
        write("resident", results, sources=flow.digest(files), device="LFE5U-85F, CABGA756", speed_grade=8, target_mhz=TARGET_MHZ)


def stale():
    """Names the stale results; their commits are with them."""
    other = []
    for row in json.loads((RESULTS / "area.json").read_text())["results"]:
        core = Core("P-256", 33, 8, row["method"], () if row["multiply"] else ("--operations", "invert"))
        other += [f"area {core.name()} {family}" for family in FAMILIES if family in row and row[family].get("sources") != area_files(core, family)[2]]
    for core, _ in PLACED:
        file = RESULTS / f"ecp5-{core.name()}.json"
        if file.exists() and json.loads(file.read_text()).get("sources") != flow.digest(flow.sources(parameters(core)[0], "ecp5")):
            other.append(f"place {core.name()}")
    print("\n".join(other) or "all results are of today's sources")


if __name__ == "__main__":
    jobs = {"mod3": [mod3], "area": [area], "place": [place], "resident": [resident], "all": [mod3, area, place, resident], "stale": [stale]}
    if len(sys.argv) < 2 or sys.argv[1] not in jobs:
        sys.exit(__doc__)
    for job in jobs[sys.argv[1]]:
        job(*sys.argv[2:])
