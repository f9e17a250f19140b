"""Verilates a core with its registers kept, compiles the harness, and runs requests on it."""

import hashlib
import math
import os
import subprocess
import sys
from array import array
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import resident  # noqa: E402
from registers import ALL, GROUPS, configuration, counted_by_yosys, elaborated, include, kept  # noqa: E402
from simulate import BUILD, HDL, Failed, compiler, generate, object_cache, run, verilator  # noqa: E402
from welch import Moments  # noqa: E402

HERE = Path(__file__).resolve().parent
# Leaves out code for simulation only, such as assertions, so that it adds no registers.
DEFINES = ("-DSYNTHESIS",)
PARTS = ("tile times mod3 mod9 multiply reduce rower cox decide addend inverter matrix words division_steps products product_issues clear loader "
         "requests digit_product unloader redundant release arrival product_twin control responses").split()


@dataclass
class Bench:
    """A compiled harness, with its core and the core's registers."""

    core: object
    top: str
    directory: Path
    sources: list
    summary: dict = field(repr=False)
    registers: list = field(default_factory=list, repr=False)

    @property
    def prime(self):
        return int(self.summary["prime"], 16)

    @property
    def parameters(self):
        return self.summary["parameters"]

    @property
    def product(self):
        """M, the product of the first base."""
        return math.prod(self.summary["moduli"][0])

    def bits(self, group=None):
        return sum(each.bits for each in self.registers if group in (None, each.register.group))

    def bits_by_yosys(self):
        return counted_by_yosys(self.top, self.sources, DEFINES, self.directory)


@dataclass
class Measured:
    """The results of a run of the harness."""

    columns: tuple
    moments: Moments
    outcomes: list  # (labels, outcome, cycles) of each line
    left: list  # registers that did not return to their state before the first trace
    speed: float  # cycles per second
    traces: Path = None

    def durations(self):
        return [(label, cycles) for labels, _, cycles in self.outcomes for label in labels]

    def each_trace(self, group):
        """The toggles of a group, one list per trace."""
        column, count = self.columns.index(group), len(self.columns)
        data = self.traces.read_bytes()
        at = 0
        while at < len(data):
            cycles = int.from_bytes(data[at : at + 4], sys.byteorder)
            at += 4
            words = array("H")
            words.frombytes(data[at : at + 2 * cycles * count])
            at += 2 * cycles * count
            yield words[column::count].tolist()


def build(core, hdl=HDL, where=BUILD):
    """Compiles the harness of a core, unless it was compiled from the same files before."""
    programs = isinstance(core, resident.Core)
    directory = where.resolve() / f"leak-{core.name()}"
    directory.mkdir(parents=True, exist_ok=True)
    if programs:
        summary = resident.generated(core, directory / "core")
        sources = resident.sources(directory / "core", hdl)
    else:
        constants, summary = generate(core, directory)
        rtl = hdl / "rtl"
        sources = [constants / "moduli_rns_params_pkg.sv", rtl / "moduli_rns_pkg.sv", constants / "moduli_rns_rom_case.sv",
                   *(rtl / f"moduli_rns_{part}.sv" for part in PARTS), rtl / "moduli_rns.sv"]
    top = "moduli_rns_resident" if programs else "moduli_rns"
    bench = Bench(core, top, directory, sources, summary)
    registers = elaborated(top, sources, DEFINES, directory)
    chosen = directory / "registers.vlt"
    chosen.write_text(configuration(registers))
    harness, header, stamp = directory / "harness", directory / f"obj/V{top}___024root.h", directory / "digest"
    digest = hashlib.sha256()
    for path in (*sources, chosen, *sorted(HERE.glob("*.h")), HERE / "harness.cpp", HERE / "registers.py"):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    if not (harness.exists() and stamp.exists() and stamp.read_text() == digest.hexdigest()):
        stamp.unlink(missing_ok=True)
        # Verilator runs first, because the list of registers is read from its output, and compiled with it.
        verilate = [verilator(), "--cc", "--exe", "-O3", "--x-assign", "fast", "--x-initial", "unique", "--output-split", "0", "-Wno-fatal", "-Wno-lint",
                    "--Mdir", directory / "obj", "-o", harness, "--top-module", top, *DEFINES, *["-CFLAGS", "-DMODULI_LEAK_RESIDENT"] * programs,
                    *compiler(f"-I{HDL / 'dv/driver'}", f"-I{HERE}", f"-I{directory}"), chosen, *sources, HERE / "harness.cpp"]
        environment = {**os.environ, **object_cache()}
        run(verilate, env=environment)
        bench.registers = kept(registers, header)
        (directory / "registers.inc").write_text(include(bench.registers))
        # Optimised, because running takes longer than compiling.
        level = os.environ.get("MODULI_OPTIMISE", "-O1")
        run(["make", "-s", "-C", directory / "obj", "-f", f"V{top}.mk", f"OPT_FAST={level}", "OPT_GLOBAL=-Og"], env={**environment, "MAKEFLAGS": ""})
        stamp.write_text(digest.hexdigest())
    bench.registers = kept(registers, header)
    return bench


def measure(bench, lines, name, traces=False, limit=1_000_000, wanted=("right",), stages=False, same=False):
    """Runs lines, each (labels, request). Every outcome must be one of `wanted`; "right" means that the answer is that of the line. Registers are
    counted by groups of modules, or, with `stages`, by register of the sources, over all instances. With `same`, all traces have the same length."""
    names = [each.register.stage if stages else each.register.group for each in bench.registers]
    columns = tuple(sorted(set(names)) if stages else GROUPS)
    place = bench.directory / name
    place.with_suffix(".lines").write_text("".join(f"{','.join(map(str, labels))} {request}\n" for labels, request in lines))
    place.with_suffix(".groups").write_text("".join(f"{columns.index(each)}\n" for each in names))
    done = subprocess.run([str(word) for word in (bench.directory / "harness", place.with_suffix(".lines"), place.with_suffix(".groups"), place,
                                                  *["--traces"] * traces, *["--same"] * same, "--limit", limit)], capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{name}: {done.stderr.strip()[-500:]}")
    cycles, seconds, *left = done.stdout.split()
    outcomes = []
    for (labels, request), line in zip(lines, place.with_suffix(".outcomes").read_text().splitlines(), strict=True):
        outcome, taken = line.split()
        if outcome not in wanted:
            raise Failed(f"{name}: {outcome} is what came of {request}")
        outcomes.append((labels, outcome, int(taken)))
    if same and len({cycles for *_, cycles in outcomes}) != 1:
        raise Failed(f"{name}: the traces are not all as long")
    columns += (ALL,)
    return Measured(columns, Moments(place.with_suffix(".moments"), columns), outcomes, left, int(cycles) / max(float(seconds), 1e-3),
                    place.with_suffix(".traces") if traces else None)
