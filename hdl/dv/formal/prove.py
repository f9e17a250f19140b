"""Formal proofs: prove.py quick | long | faults, and a part of a name to choose some.

Combinational claims are proved for all inputs, by decision diagrams or by SAT (ABC); the rules of handshakes for all times, by
temporal induction (Yosys). `faults` alters a source for each proof and shows that the proof then fails.
"""

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pyosys

HERE = Path(__file__).resolve().parent
RTL = HERE.parents[1] / "rtl"
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "syn")]

import flow  # noqa: E402
from generate import TINY, parameters  # noqa: E402
from simulate import Core  # noqa: E402

ABC = Path(pyosys.__file__).parent / "yosys-abc"
LIMIT = 3600  # seconds


@dataclass(frozen=True)
class Proof:
    name: str
    method: str  # diagrams, sat or induction
    top: str
    files: tuple  # of rtl/, or of this directory
    core: Core | None = None
    parameters: tuple = ()
    # What is altered to see it fail: file, text, other text.
    fault: tuple = ()


def unit(modulus, widths, fault):
    file = f"moduli_rns_mod{modulus}.sv"
    return Proof(f"x mod {modulus} is right for every x of 1 to {widths} bits", "diagrams", "residue",
                 tuple(f"moduli_rns_mod{each}.sv" for each in (3, 9)) + ("residue.sv",),
                 parameters=(("Modulus", modulus), ("Widths", widths)), fault=(file, *fault))


def reduction(core, direct):
    what = "the digit is congruent to the sums and below 2^w"
    return Proof(f"reduction, {core.name()}: {what}", "diagrams" if direct else "sat", "reduce",
                 tuple(f"moduli_rns_{name}.sv" for name in ("pkg", "tile", "times", "reduce")) + ("reduce.sv",),
                 core, (("Direct", int(direct)),),
                 fault=("moduli_rns_reduce.sv", "RestW'(sums_i[p*SumW+:SumW]) << (p * LowW)", "'0") if core.width > 18
                 else ("moduli_rns_reduce.sv", "(wide_o[W] ? ShortW'(last_r) : '0)", "ShortW'(0)"))


def addend(core):
    return Proof(f"modular addition, {core.name()}: every address of an addend is right", "diagrams", "addend",
                 ("moduli_rns_pkg.sv", "moduli_rns_addend.sv", "addend.sv"), core,
                 fault=("moduli_rns_addend.sv", "v_twos_i - u_twos_i : v_twos_i + u_twos_i",
                        "v_twos_i + u_twos_i : v_twos_i + u_twos_i"))


AXI = Proof("AXI4-Lite wrapper: responses wait unchanged, none is lost or made up; so do requests", "induction", "axi_rules",
            ("moduli_rns_pkg.sv", "moduli_rns_axi_pkg.sv", "core_stub.sv", "moduli_rns_axi.sv", "axi_rules.sv"), TINY,
            fault=("moduli_rns_axi.sv", "else if (req_ready) req_valid_q <= 1'b0;", "else req_valid_q <= 1'b0;"))


def core_rules(core):
    return Proof(f"core, {core.name()}: a response waits unchanged; what is under way is shown", "induction", "core_rules",
                 ("*", "core_rules.sv"), core,
                 fault=("moduli_rns_unloader.sv", "Done: if (ready_i) state_q <= Free;", "Done: state_q <= Free;"))


MOD3 = ("4'b0110, 4'b1001: add3 = 2'd0", "4'b0110: add3 = 2'd0")
MOD9 = ("{b[1:0], ~b[2]}", "{b[1:0], b[2]}")
INVERT = ("--operations", "invert")
QUICK = (
    unit(3, 40, MOD3),
    unit(9, 30, MOD9),
    addend(TINY),
    addend(Core("P-256", 33, 8, "binary")),
    addend(Core("P-256", 33, 8, "wide")),
    reduction(TINY, True),
    reduction(Core("P-256", 33, 8, "binary-ternary", INVERT), False),
    AXI,
    core_rules(TINY),
)
LONG = QUICK + (
    unit(3, 80, MOD3),
    unit(9, 40, MOD9),
    reduction(Core("P-224", 22, 12, "binary-ternary", INVERT), False),
    reduction(Core("P-521", 36, 15, "binary-ternary", INVERT), False),
)


def source(name, directory, altered):
    """A file: the altered one if there is, of rtl/, or of this directory."""
    if name in altered:
        return altered[name]
    return RTL / name if (RTL / name).exists() else HERE / name


def prove(proof, altered=None):
    """Whether it holds."""
    altered = altered or {}
    directory = parameters(proof.core)[0] if proof.core else None
    files = [directory / "moduli_rns_params_pkg.sv"] if directory else []
    for name in proof.files:
        if name == "*":
            files = [altered.get(file.name, file) for file in flow.sources(directory) if file.parent.name != "syn"]
        else:
            files.append(source(name, directory, altered))
    script = [flow.read(files, proof.top, proof.parameters), f"hierarchy -top {proof.top}", "proc", "flatten"]
    if proof.method == "induction":
        script += [
            "setundef -undriven -anyseq", "async2sync", "chformal -lower", "opt -full", "memory_map", "opt -full", "dffunmap",
            f"sat -tempinduct -prove-asserts -set-assumes -maxsteps 8 -timeout {LIMIT} {proof.top}",
        ]
        said = flow.yosys(script)
        return "Induction step proven: SUCCESS!" in said
    with tempfile.TemporaryDirectory() as scratch:
        # Registers are wires here: the claims are about values that go through.
        script += [
            "memory", "opt_expr", "opt_clean", f"techmap -map {HERE / 'transparent.v'}", "opt_expr", "opt_clean", "techmap",
            "opt -full" if proof.method == "sat" else "opt_expr", "opt_clean", "setundef -anyseq", "aigmap", "opt_clean",
            f"write_aiger {scratch}/claim.aig",
        ]
        flow.yosys(script)
        collapse = "clp; strash; " if proof.method == "diagrams" else ""
        done = subprocess.run([str(ABC), "-c", f"read_aiger claim.aig; {collapse}orpos; iprove"], cwd=scratch,
                              capture_output=True, text=True, timeout=LIMIT)
    return any(line.startswith("UNSATISFIABLE") for line in done.stdout.splitlines())


def fails_when_altered(proof):
    name, text, other = proof.fault
    original = (RTL / name).read_text()
    if original.count(text) < 1:
        sys.exit(f"prove: {name} does not contain {text!r} any more")
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / name
        file.write_text(original.replace(text, other))
        return not prove(proof, {name: file})


def main():
    # A part of a name chooses among the proofs.
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    suites = {"quick": (QUICK, prove), "long": (LONG, prove), "faults": (QUICK, fails_when_altered)}
    if len(sys.argv) < 2 or sys.argv[1] not in suites:
        sys.exit(__doc__)
    proofs, check = suites[sys.argv[1]]
    proofs = [proof for proof in proofs if part in proof.name]
    failed = 0
    for proof in proofs:
        start = time.monotonic()
        holds = check(proof)
        failed += not holds
        verdict = {True: "proved", False: "NOT PROVED"} if check is prove else {True: "fault caught", False: "fault NOT CAUGHT"}
        print(f"{verdict[holds]}: {proof.name} ({proof.method}, {time.monotonic() - start:.0f} s)", flush=True)
    print(f"{len(proofs) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
