"""Checks the core with tools other than those that pip installs: sv2v converts it to Verilog-2005, and Icarus Verilog compiles the result and runs
the self-checking tests on it. sv2v is built from its sources, and Icarus is a package of most distributions; both must be on PATH.

    portable.py
"""

import shutil
import subprocess
import sys
from pathlib import Path

HDL = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HDL / "dv"))

import resident  # noqa: E402
from simulate import BUILD, MODULI, Core, Failed, program, run  # noqa: E402

# Tiny cores, because Icarus takes a minute for some thousand cycles of a large core: every method, and every option. The large
# core is only compiled.
TINY = (
    Core("fb", 8, 3, "binary-ternary", ("--operations", "invert")),
    Core("4c9", 17, 2, "binary-ternary", contexts=4, check=True, blind=True),
    Core("3fb", 17, 2, "binary"),
    Core("3fb", 17, 2, "wide"),
    Core("3fb", 17, 2, "fermat"),
    Core("fb", 8, 3, "divstep", ("--operations", "invert")),
    Core("4c9", 17, 2, "divstep", check=True, blind=True),
)
LARGE = Core("P-256", 33, 8, "wide")
TOPS = ("moduli_rns_tb", "moduli_rns_axi", "moduli_rns_axis")
RESIDENT = resident.Core("3d", 17, 2, ("power", "weierstrass"), resident.curve("tiny"))


def verilog(name, command, tops, memories):
    """Converts the core that a command writes to Verilog-2005, with memories as tables or from files."""
    place = BUILD / f"portable-{name}"
    place.mkdir(parents=True, exist_ok=True)
    run([*command, "--rtl", HDL / "rtl", "-o", place / "core", "--force"])
    names = (place / "core/moduli_rns.f").read_text().split()
    if memories:
        names = [name.replace("rom_case", "rom_mem") for name in names]
    path = place / ("files.v" if memories else "tables.v")
    run(["sv2v", "-DSYNTHESIS", f'-DMODULI_RNS_ROM_DIR="{place / "core"}"', *(f"--top={top}" for top in tops),
         *(place / "core" / name for name in names), HDL / f"dv/{tops[0]}.sv", "-w", path])
    for top in tops:
        run(["iverilog", "-g2005-sv", "-s", top, "-o", path.with_suffix(f".{top}"), path])
    return path


def check(core, memories, simulate):
    path = verilog(core.name(), [MODULI, "hdl", *core.choice(), *core.generated()], TOPS, memories)
    said = run(["vvp", "-n", path.with_suffix(".moduli_rns_tb")]).splitlines() if simulate else ["compiled"]
    results = [line for line in said if " passed, " in line or line == "compiled"]
    if len(results) != 1:
        raise Failed("\n".join(said[-5:]))
    print(f"{core.name()}, {'files' if memories else 'tables'}: {results[0]}", flush=True)


def check_resident():
    """Runs a scalar multiplication, and checks what is left of it after it is cleared, and after its end."""
    path = verilog(RESIDENT.name(), RESIDENT.command(), ("moduli_rns_resident_tb", "moduli_rns_resident"), False)
    said = run(["vvp", "-n", path.with_suffix(".moduli_rns_resident_tb"), *resident.example("tiny", 50), "+cycles=1000"]).splitlines()
    wiped = [line for line in said if line.endswith("bits wiped")]
    if len(wiped) != len(resident.WIPED) or len(said) != len(wiped):
        raise Failed("\n".join(said[-5:]))
    print(f"{RESIDENT.name()}: {'; '.join(wiped)}", flush=True)


def main():
    if missing := [tool for tool in ("sv2v", "iverilog", "vvp") if not shutil.which(tool)]:
        sys.exit(f"portable: nothing was run: {', '.join(missing)} not on PATH")
    for tool in (["sv2v", "--numeric-version"], ["iverilog", "-V"]):
        print(f"{tool[0]}: {subprocess.run(tool, capture_output=True, text=True).stdout.splitlines()[0]}")
    for core in TINY:
        check(core, False, True)
    check(TINY[-1], True, True)
    check(LARGE, False, False)
    check_resident()
    print(f"{len(TINY) + 3} passed, 0 failed")


if __name__ == "__main__":
    program(main)
