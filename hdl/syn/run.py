"""Synthesis results: run.py mod3 | area [WORD ...] | place [NAME [SEEDS]] | resident [SEEDS] | protected | all | stale. Writes results/*.json,
which are committed.

    mod3    the unit modulo 3: LUT on Virtex-5 and 7 series and MHz on ECP5, by width (minutes)
    area    LUT, FF, DSP, BRAM by hierarchy: of every method at P-256 over 8 x 33, and of BMI and BTMI at the other shapes of Table IV, on
            the paper's family alone unless another is named (hours). Each word chooses: a shape (P-192-6x33), a family (xc5v, xc7,
            ecp5), a method, or all or invert, the operations. What is there of the same design is kept
    place   nextpnr on ECP5: MHz and cells of whole cores (hours)
    resident   the core for programs over resident residues, P-256's scalar multiplication and powers: cells by hierarchy, MHz on ECP5 (an hour)
    protected   cells on ECP5 of cores at P-256 over 8 x 33 without protection against leakage and faults and with it (half an hour)
    stale   which results of area, place, resident and protected are stale, made of a design that has changed since, and which are missing: every core
            is elaborated (minutes)

Yosys knows no slices, and there is no free timing model of Xilinx parts: MHz are given for ECP5 alone.
"""

import json
import re
import statistics
import sys
from dataclasses import replace
from pathlib import Path

import flow

sys.path[:0] = [str(flow.HDL / part) for part in ("dv", "model")]

import cycles  # noqa: E402
from generate import RESIDENT, WEIERSTRASS, parameters  # noqa: E402
from simulate import BUILD, Core, generate  # noqa: E402

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
    """The modules by names without the suffixes of their parameters: the cells of the largest variant, and the number of variants."""
    roles = {}
    for name, cells in modules.items():
        role = re.split(r"[$]|\\", name)[0]
        roles.setdefault(role, []).append(cells)
    return {role: {"variants": len(each), "largest": max(each, key=lambda cells: cells.get("lut", 0))}
            for role, each in sorted(roles.items())}


FAMILIES = ("xc5v", "xc7", "ecp5")
# The shapes (n, w) of Table IV, by P. The publication does not name its shapes; the widths are those of its Table II.
SHAPES = {
    "P-192": ((12, 17), (9, 22), (7, 29), (6, 33)),
    "P-256": ((12, 22), (9, 29), (8, 33)),
    "P-384": ((18, 22), (14, 29), (12, 33)),
    "P-521": ((24, 22), (19, 29), (16, 33)),
}
MAIN = ("P-256", 8, 33)


def shape_of(core):
    return f"{core.prime}-{core.channels}x{core.width}"


def area_cores():
    """The cores whose cells are counted, each with the families that are run by default."""
    prime, channels, width = MAIN
    for options in ((), ("--operations", "invert")):
        for method in METHODS:
            if not (options and method == "fermat"):
                yield Core(prime, width, channels, method, options), FAMILIES
    for prime, shapes in SHAPES.items():
        for channels, width in shapes:
            if (prime, channels, width) != MAIN:
                for method in ("binary", "binary-ternary"):
                    yield Core(prime, width, channels, method), ("xc5v",)


def operations_of(core):
    return "invert" if core.options else "all"


def one_of(name, names):
    if name not in (None, *names):
        sys.exit(f"run.py: {name} is not one of {', '.join(names)}")


def area_files(core, family):
    """The directory, the sources and the digest of a core to count. ROMs are read from files: as tables they would become LUTs on Xilinx parts."""
    directory, _ = parameters(core)
    files = flow.sources(directory, family, tables=False)
    return directory, files, flow.digest(files, "moduli_rns", memories=directory)


def area_rows():
    file = RESULTS / "area.json"
    return {row["core"]: row for row in json.loads(file.read_text())["results"]} if file.exists() else {}


def area(*words):
    """Counts the cells of cores. Writes after every core and family, so that a run can be interrupted, and several with different words can run at once."""
    cores = list(area_cores())
    kinds = [{shape_of(core) for core, _ in cores}, set(METHODS), {"all", "invert"}, set(FAMILIES)]
    for word in words:
        one_of(word, sorted(set().union(*kinds)))
    *chosen, families = [kind & set(words) or kind for kind in kinds]
    for core, usual in cores:
        if not all(name in kind for name, kind in zip((shape_of(core), core.inversion, operations_of(core)), chosen)):
            continue
        for family in FAMILIES:
            if family not in families or family not in (*usual, *words):
                continue
            # Hierarchy is kept, because flattening would propagate constants from one unit into the next.
            directory, files, digest = area_files(core, family)
            if area_rows().get(core.name(), {}).get(family, {}).get("design") == digest:
                print(core.name(), family, "is there", flush=True)
                continue
            report = flow.area(family, files, "moduli_rns", memories=directory)
            counted = {"total": report["total"], "commit": flow.commit(), "design": digest, "modules": by_role(report["modules"])}
            rows = area_rows()
            row = rows.setdefault(core.name(), {"core": core.name()})
            row |= {"prime": core.prime, "channels": core.channels, "width": core.width, "method": core.inversion,
                    "multiply": not core.options, family: counted}
            print(core.name(), family, counted["total"], flush=True)
            write("area", list(rows.values()))


FIELDS = [(Core(prime, width, channels, method), SEEDS)
          for prime, width, channels in (("P-192", 33, 6), ("P-384", 33, 12), ("P-521", 33, 16)) for method in METHODS]
PLACED = (
    # The main shape, then the other fields of the report's figure 5, and one P that is 1 modulo 4. The two cores whose
    # frequencies are compared have more seeds.
    (Core("P-256", 33, 8, "binary-ternary"), (*SEEDS, 4, 5)),
    (Core("P-256", 33, 8, "binary"), (*SEEDS, 4, 5)),
    (Core("P-256", 33, 8, "binary-ternary", contexts=4), SEEDS),
    (Core("P-256", 33, 8, "wide"), SEEDS),
    (Core("P-256", 33, 8, "wide", contexts=5), SEEDS),
    (Core("P-256", 33, 8, "fermat"), SEEDS),
    (Core("P-256", 33, 8, "fermat", redundant=True), SEEDS),
    (Core("P-256", 33, 8, "fermat", redundant=True, guard=True), SEEDS),
    *((Core("P-256", 33, 8, "binary-ternary", blind=blind, check=check), SEEDS) for blind, check in ((True, False), (False, True), (True, True))),
    (Core("P-256", 33, 8, "divstep"), SEEDS),
    (Core("P-256", 33, 8, "binary-ternary", ("--operations", "invert")), (1,)),
    *FIELDS,
    (Core("curve25519", 33, 8, "binary-ternary"), (1,)),
)


def place(only=None, only_seeds=None):
    """Places each core, and writes its file after every seed, so that a run can be interrupted. Seeds of the same design are
    kept. The arguments are a name, and seeds separated by commas."""
    one_of(only, [core.name() for core, _ in PLACED])
    for core, seeds in PLACED:
        if only and only != core.name():
            continue
        seeds = tuple(int(seed) for seed in only_seeds.split(",")) if only_seeds else seeds
        directory, _ = parameters(core)
        where, files = BUILD / core.name() / "ecp5", flow.sources(directory, "ecp5")
        file, digest = RESULTS / f"ecp5-{core.name()}.json", flow.digest(files, "moduli_rns_harness")
        kept = json.loads(file.read_text()) if file.exists() else {}
        runs = {run["seed"]: run for run in kept["results"]["runs"]} if kept.get("design") == digest else {}
        text = (directory / "moduli_rns_params_pkg.sv").read_text()
        folds = int(re.search(r"EXTRA_FOLDS = (\d+)", text).group(1))
        cycles = max(6 + folds + (3 if core.inversion == "wide" else 2), 2 * core.contexts)
        for run in flow.place(where, files, "moduli_rns_harness", design=digest, mhz=TARGET_MHZ, seeds=[seed for seed in seeds if seed not in runs]):
            runs[run["seed"]] = run
            each = [runs[seed]["mhz"] for seed in sorted(runs)]
            median, best = statistics.median(each), max(each)
            step = None if core.inversion in ("fermat", "divstep") else {
                "cycles": cycles, "ns": round(1000 * cycles / median, 2), "best_ns": round(1000 * cycles / best, 2)}
            results = {"core": core.name(), "median_mhz": median, "best_mhz": best, "step": step,
                       "runs": [runs[seed] for seed in sorted(runs)]}
            write(file.stem, results, design=digest, seeds=sorted(runs), device="LFE5U-85F, CABGA756", speed_grade=8, target_mhz=TARGET_MHZ)
            print(core.name(), each, step, flush=True)


def resident(seeds="1,2,3"):
    """Counts and places the core for programs. Writes after every step, so that a run can be interrupted."""
    directory, _ = parameters(RESIDENT[-1])
    top, results = "moduli_rns_resident", {}
    for family in ("xc7", "ecp5"):
        files = flow.sources(directory, family, tables=False, resident=True)
        report = flow.area(family, files, top, memories=directory)
        results[family] = {"total": report["total"], "modules": by_role(report["modules"])}
        print(family, report["total"], flush=True)
        write("resident", results)
    files, results["runs"] = flow.sources(directory, "ecp5", resident=True), []
    digest = flow.digest(files, f"{top}_harness")
    for run in flow.place(BUILD / "syn/resident", files, f"{top}_harness", design=digest, mhz=TARGET_MHZ, seeds=[int(seed) for seed in seeds.split(",")]):
        results["runs"].append(run)
        each = [run["mhz"] for run in results["runs"]]
        results["median_mhz"] = statistics.median(each)
        print(each, flush=True)
        write("resident", results, design=digest, device="LFE5U-85F, CABGA756", speed_grade=8, target_mhz=TARGET_MHZ)


# The cores by their protection. Programs always have random coordinates and places.
FERMAT, BTMI = (Core("P-256", 33, 8, method) for method in ("fermat", "binary-ternary"))
MULTIPLE = Core("P-256", 33, 8, "fermat", (*WEIERSTRASS, "--curve", "P-256"))
BLINDED = replace(MULTIPLE, options=(*MULTIPLE.options, "--blinding", "96"))
PROTECTED = (
    ("products and powers", "", FERMAT), ("products and powers", "redundant", replace(FERMAT, redundant=True)),
    ("products and powers", "redundant, guard", replace(FERMAT, redundant=True, guard=True)),
    ("inversion", "", BTMI), ("inversion", "blinded", replace(BTMI, blind=True)), ("inversion", "checked", replace(BTMI, check=True)),
    ("inversion", "blinded, checked", replace(BTMI, blind=True, check=True)),
    ("scalar multiplication", "", MULTIPLE), ("scalar multiplication", "blinded", BLINDED), ("scalar multiplication", "checked", replace(MULTIPLE, check=True)),
    ("scalar multiplication", "blinded, checked", replace(BLINDED, check=True)),
    ("scalar multiplication", "blinded, checked, guard", replace(BLINDED, check=True, guard=True)),
)


def protected_files(core):
    directory, _ = parameters(core)
    programs = "--program" in core.options
    top = "moduli_rns_resident" if programs else "moduli_rns"
    files = flow.sources(directory, "ecp5", tables=False, resident=programs)
    return directory, files, top, flow.digest(files, top, memories=directory)


def cycles_of(operation, core):
    """The cycles of a product in Montgomery form, of an inversion with the average number of steps, or of a program, by the model's formulas. Tests
    compare every run with these formulas."""
    summary = generate(core, BUILD / core.name())[1]
    if operation == "scalar multiplication":
        return cycles.program(summary["parameters"], "weierstrass", summary["cycles"][0], 0)
    if operation == "products and powers":
        return cycles.cycles(summary["parameters"], "multiply", True, 1, (False, False), 0)
    measured = json.loads((flow.HDL / "report/cycles.json").read_text())
    wanted = {"prime": core.prime, "channels": core.channels, "width": core.width, "method": core.inversion, "contexts": 1}
    steps = next(entry["steps"] for entry in measured if wanted.items() <= entry.items())
    return round(cycles.cycles(summary["parameters"], "blinded" if core.blind else "invert", False, steps, (False, False), 0))


def protected():
    """Counts the cells of protected cores. Writes after every core, so that a run can be interrupted, and keeps results of the same design. Cores that
    were not counted have only cycles."""
    file, rows = RESULTS / "protected.json", []
    there = {row["core"]: row for row in json.loads(file.read_text())["results"]} if file.exists() else {}
    for operation, protection, core in PROTECTED:
        digest = protected_files(core)[-1]
        row = there.get(core.name(), {})
        kept = row.get("design") == digest
        rows.append({"operation": operation, "protection": protection, "core": core.name(), "cycles": cycles_of(operation, core), "design": digest,
                     "total": row["total"] if kept else None, "commit": row["commit"] if kept else None})
    write("protected", rows)
    for row, (*_, core) in zip(rows, PROTECTED):
        if row["total"] is None:
            directory, files, top, _ = protected_files(core)
            row |= {"total": flow.area("ecp5", files, top, memories=directory)["total"], "commit": flow.commit()}
            print(row["operation"], row["protection"], row["total"], flush=True)
            write("protected", rows)


def stale():
    """Prints the stale results, each with its commit, and the missing ones."""
    rows = area_rows()
    for core, usual in area_cores():
        for family in FAMILIES:
            there = rows.get(core.name(), {}).get(family)
            tell(f"area {core.name()} {family}", there, area_files(core, family)[2] if there else None, family in usual)
    for core, seeds in PLACED:
        file = RESULTS / f"ecp5-{core.name()}.json"
        there = json.loads(file.read_text()) if file.exists() else None
        tell(f"place {core.name()}", there, flow.digest(flow.sources(parameters(core)[0], "ecp5"), "moduli_rns_harness"))
        for seed in sorted(set(seeds) - set(there["seeds"] if there else seeds)):
            print(f"place {core.name()} {seed}: missing")
    file = RESULTS / "protected.json"
    rows = {row["core"]: row for row in json.loads(file.read_text())["results"]} if file.exists() else {}
    for *_, core in PROTECTED:
        tell(f"protected {core.name()}", rows.get(core.name()), protected_files(core)[-1])
    there = json.loads((RESULTS / "resident.json").read_text())
    tell("resident", there, flow.digest(flow.sources(parameters(RESIDENT[-1])[0], "ecp5", resident=True), "moduli_rns_resident_harness"))


def tell(name, there, digest, wanted=True):
    if not there and wanted:
        print(f"{name}: missing")
    elif there and there.get("design") != digest:
        print(f"{name}: stale")


if __name__ == "__main__":
    jobs = {"mod3": [mod3], "area": [area], "place": [place], "resident": [resident], "protected": [protected],
            "all": [mod3, area, place, resident, protected], "stale": [stale]}
    if len(sys.argv) < 2 or sys.argv[1] not in jobs:
        sys.exit(__doc__)
    for job in jobs[sys.argv[1]]:
        job(*sys.argv[2:])
