"""Formal proofs: prove.py quick | long | faults, and a part of a name to choose some.

Combinational claims are proved for all inputs, by decision diagrams or by SAT (ABC). Rules of handshakes are proved for all times,
by temporal induction (Yosys). `faults` tests the proofs: it alters one source at a time, and ABC must find an input, or a run from
reset, that contradicts the claim. That no proof is found would not be enough.
"""

import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyosys

HERE = Path(__file__).resolve().parent
RTL = HERE.parents[1] / "rtl"
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "syn")]

import flow  # noqa: E402
from generate import COMPOSITE, DIVISION, GUARDED, P256, RESIDENT, TINY, parameters  # noqa: E402
from simulate import Core  # noqa: E402

ABC = Path(pyosys.__file__).parent / "yosys-abc"
LIMIT = 3600  # seconds
# The most cycles of a run from reset that contradicts a claim.
CYCLES = 60
# The methods that prove a claim for all times, with the most steps of the induction.
STEPS = {"induction": 8, "states": 2}


@dataclass(frozen=True)
class Proof:
    name: str
    method: str  # diagrams, sat, induction, or states: as induction, but from any state, whatever fault has led to it
    top: str
    files: tuple  # names of files in rtl/ or in this directory
    core: Core | None = None
    parameters: tuple = ()
    # Faults, each of which alone must make the claim false: file, text, replacement.
    faults: tuple = ()
    # Wires that may have any value, so that the logic that drives them is left out.
    cut: tuple = ()


def unit(modulus, widths, fault, factor=1):
    times = f"{factor}·" if factor > 1 else ""
    return Proof(f"{times}x mod {modulus} is right for every x of 1 to {widths} bits", "diagrams", "residue",
                 ("moduli_rns_pkg.sv", "moduli_rns_mod3.sv", "moduli_rns_mod9.sv", "residue.sv"), TINY,
                 parameters=(("Modulus", modulus), ("Factor", factor), ("Widths", widths)), faults=((f"moduli_rns_mod{modulus}.sv", *fault),))


def reduction(core, direct=False, channel=0, second=False):
    what = f"channel {channel}{' of the second base' * second}: the digit is congruent to the sums and below 2^w"
    faults = (("moduli_rns_reduce.sv", "(wide_o[W] ? ShortW'(last_r) : '0)", "ShortW'(0)"),)
    if core.width > 18:  # more than one piece
        faults += (("moduli_rns_reduce.sv", "RestW'(sums_i[p*SumW+:SumW]) << (p * LowW)", "'0"),)
    if "invert" not in core.options:  # the sum of products has more bits than a tile takes; a table handles those beyond
        faults += (("moduli_rns_reduce.sv", "assign beyond = high[HighW-1:HighTileW];", "assign beyond = {1'b0, high[HighW-2:HighTileW]};"),
                   ("moduli_rns_reduce.sv", "last_r = (R2 != 0 && second[EXTRA_FOLDS]) ?", "last_r = (R2 != 0 && !second[EXTRA_FOLDS]) ?"))
    return Proof(f"reduction, {core.name()}, {what}", "diagrams" if direct else "sat", "reduce",
                 tuple(f"moduli_rns_{name}.sv" for name in ("pkg", "tile", "times", "reduce")) + ("reduce.sv",),
                 core, (("Direct", int(direct)), ("Channel", channel), ("Second", int(second))), faults)


def addend(core):
    faults = (("moduli_rns_addend.sv", "minus_i ? -u_twos_i : u_twos_i", "u_twos_i"),)
    if core.inversion == "binary-ternary":
        faults += (("moduli_rns_addend.sv", "4'((i / 4 + i % 4) % 3)", "4'(i == 6 ? 3 : (i / 4 + i % 4) % 3)"),)
    elif core.inversion == "wide":
        faults += (("moduli_rns_addend.sv", "(i / 16 + i % 16) % 9", "(i / 16 + i % 16) % (i == 69 ? 8 : 9)"),)
    return Proof(f"modular addition, {core.name()}: every address of an addend is right", "diagrams", "addend",
                 ("moduli_rns_pkg.sv", "moduli_rns_addend.sv", "addend.sv"), core, faults=faults)


def decision(core):
    faults = {
        "binary": ("assign minus_o = A3 == 1 ?", "assign minus_o = A3 == 0 ?"),
        "binary-ternary": ("(differ != minus_o) ? 3'd2", "differ ? 3'd2"),
        "wide": ("two = int'(i[1:0]) + 1", "two = int'(i[1:0])"),
    }
    return Proof(f"the next step, {core.name()}: V, V + U or V - U and its divisor are right", "diagrams", "decide",
                 ("moduli_rns_pkg.sv", "moduli_rns_decide.sv", "decide.sv"), core,
                 faults=(("moduli_rns_decide.sv", *faults[core.inversion]),))


def cox(core):
    faults = (("moduli_rns_cox.sv", "for (j = 0; j < 3; j++)", "for (j = 0; j < 2; j++)"),
              ("moduli_rns_cox.sv", "A2'(low[1] + low[0]) + times(", "A2'(low[1] + low[0]) - times("))
    if core.inversion == "wide" and not core.options:
        # Modulo 9: one fault makes this answer and the next one wrong, the other only the next one.
        faults += (("moduli_rns_cox.sv", "<= {twos_next, threes_next};", "<= {twos_q, rest ^ 4'd1};"),
                   ("moduli_rns_cox.sv", "assign {twos_next, threes_next} = {twos_q, rest};", "assign {twos_next, threes_next} = {twos_q, sum_q[3:0]};"))
    return Proof(f"the Cox, {core.name()}: the quotient and the values modulo 2^i and 3^j are those of the sums", "diagrams", "cox",
                 tuple(f"moduli_rns_{name}.sv" for name in ("pkg", "mod3", "mod9", "cox")) + ("cox.sv",), core, faults=faults)


def axi(core, *faults):
    return Proof(f"AXI4-Lite wrapper, {core.name()}: responses wait unchanged, none is lost or made up; so do requests", "induction", "axi_rules",
                 ("moduli_rns_pkg.sv", "moduli_rns_axi_pkg.sv", "core_stub.sv", "moduli_rns_axi_port.sv", "moduli_rns_axi.sv", "axi_rules.sv"), core,
                 faults=tuple((f"moduli_rns_axi{fault[0]}.sv", *fault[1:]) for fault in faults))


AXI = (
    axi(
        TINY,
        ("", "else if (req_ready) req_valid_q <= 1'b0;", "else req_valid_q <= 1'b0;"),
        ("_port", "write_o = aw_held_q && w_held_q && (!s_axi_bvalid || s_axi_bready)", "write_o = aw_held_q && w_held_q"),
        ("_port", "s_axi_arready = !s_axi_rvalid", "s_axi_arready = 1'b1"),
        ("", "dropped_q <= write && write_acknowledge;", "dropped_q <= dropped_q || (write && write_acknowledge);"),
        ("", "if (read_allowed) begin", "if (done) begin"),
        ("", "(enable_q & {ready, done}) != '0", "(enable_q & {ready, done}) == '1"),
    ),
    axi(COMPOSITE, ("", "OffsetB[11:10] && in_range && in_bits && ready;", "OffsetB[11:10] && in_range && in_bits;")),  # with a second operand
)


def resident_axi(core, *faults):
    return Proof(f"AXI4-Lite wrapper for programs, {core.name()}: responses wait unchanged, none is lost or made up; so do programs and operands", "induction",
                 "resident_axi_rules", ("moduli_rns_pkg.sv", "moduli_rns_resident_axi_pkg.sv", "resident_stub.sv", "moduli_rns_axi_port.sv",
                                        "moduli_rns_resident_axi.sv", "resident_axi_rules.sv"), core,
                 faults=tuple(("moduli_rns_resident_axi.sv", *fault) for fault in faults))


RESIDENT_AXI = resident_axi(
    RESIDENT[1],
    ("else if (start_ready) start_valid_q <= 1'b0;", "else start_valid_q <= 1'b0;"),
    ("else if (operand_ready) operand_valid_q <= 1'b0;", "else operand_valid_q <= 1'b0;"),
    ("in_bits && free;", "in_bits && whole;"),
    ("dropped_q <= write && write_acknowledge;", "dropped_q <= dropped_q || (write && write_acknowledge);"),
    ("(operand_valid_q && operand_ready)) operand_q", "1'b0) operand_q"),
    ("if (read_allowed) begin", "if (done) begin"),
    ("(enable_q & {free, ready, done}) != '0", "(enable_q & {free, ready, done}) == '1"),
)


def axis(core, *faults):
    return Proof(f"AXI4-Stream wrapper, {core.name()}: every packet is a request or refused; every response goes out, and waits unchanged; nothing stays",
                 "induction", "axis_rules", ("moduli_rns_pkg.sv", "core_stub.sv", "moduli_rns_axis.sv", "axis_rules.sv"), core,
                 faults=tuple(("moduli_rns_axis.sv", *fault) for fault in faults))


AXIS = (
    axis(  # two words an operand
        Core("ffffffffa9", 17, 4, "binary-ternary"),
        ("(req_valid && req_ready) ||", "req_valid ||"),
        ("state = (complete && !wrong) ? Request : Refusal;", "state = wrong ? Refusal : Request;"),
        ("state = (complete || wrong) ? Rest : onward;", "state = wrong ? Rest : onward;"),
        ("else if (state_q == First) dropped_q <= 1'b0;", "else if (state_q == Refusal) dropped_q <= 1'b0;"),
        ("assign rsp_ready = out_free && state_q != Refusal;", "assign rsp_ready = out_free;"),
        ("m_axis_tvalid <= !m_axis_tlast;", "m_axis_tvalid <= left_q > CountW'(1);"),
        ("state == First || state == Rest || state == Refusal)", "state == First || state == Refusal)"),
        ("state_q != First || m_axis_tvalid;", "state_q != First;"),
    ),
    axis(  # four words an operand, all of them full
        Core("ffffffffffffffffffffffffffffff61", 33, 5, "binary-ternary"),
        ("{DataWidth{1'b1}} >> (PaddedW - L);", "{DataWidth{1'b1}} >> (DataWidth - L % DataWidth);"),
        ("      out_q <= out_q >> DataWidth;", "      out_q <= OutW'((3 * DataWidth)'(out_q)) >> DataWidth;"),
        ("localparam int CountW = clog2(Words + 1);", "localparam int CountW = clog2(Words);"),
    ),
)


def constant_program(core):
    name = "moduli_rns_resident_sequencer.sv"
    return Proof(f"sequencer, {core.name()}: what is fetched, awaited and issued depends on no bit of a scalar, but for which of a pair is meant",
                 "induction", "constant_program", ("*", "constant_program.sv"), core, faults=(
                     (name, "ControlAwaitOperand: branch = !loaded_i;", "ControlAwaitOperand: branch = !loaded_i && bit_i;"),
                     (name, "issue.use_a = word.use_a || word.ring;", "issue.use_a = (word.use_a && bit_i) || word.ring;")))


def constant_scalar(core):
    name = "moduli_rns_resident_scalar.sv"
    return Proof(f"scalar, {core.name()}: when it is waited for and when it is there depends on no operand", "induction", "constant_scalar",
                 ("moduli_rns_pkg.sv", name, "constant_scalar.sv"), core, faults=(
                     (name, "state_q <= state_q == Adding ? AddingAgain", "state_q <= (state_q == Adding && !added[CompletedBit]) ? AddingAgain"),
                     (name, "state_q  <= completed_q ? Adding : Idle;", "state_q  <= (completed_q && data_i != '0) ? Adding : Idle;")))


def core_rules(core):
    return Proof(f"core, {core.name()}: a response waits unchanged; what is under way is shown", "induction", "core_rules",
                 ("*", "core_rules.sv"), core, faults=(
                     ("moduli_rns_unloader.sv", "Done: if (ready_i) state_q <= Free;", "Done: state_q <= Free;"),
                     ("moduli_rns_responses.sv", "unloaded_o && answer_i && core_rst_ni", "unloaded_o && answer_i"),
                     ("moduli_rns.sv", "requests_busy || !unload_free || owes || !rst_n", "requests_busy || !rst_n")))


def withheld(core):
    return Proof(f"core, {core.name()}: no result leaves and no request is taken while a fault is flagged, which stays so; one flip does not change a checked result", "states", "withheld",
                 ("*", "withheld.sv"), core, faults=(
                     ("moduli_rns_responses.sv", "assign wrong = fault_q || different ||", "assign wrong ="),
                     ("moduli_rns.sv", "(used || fault),", "(used),"),
                     ("moduli_rns.sv", "!unload_free || owes ||", "!unload_free ||"),
                     ("moduli_rns_responses.sv", "core_rst_ni && released && is_asked;", "core_rst_ni && released;"),
                     ("moduli_rns_responses.sv", "fault_q <= fault_q || different ||", "fault_q <= different ||"),
                     ("moduli_rns_unloader.sv", "first_q  <= Bits'({lowest_o, first_q} >> W);", "first_q  <= Bits'({first_q[W-1:0], first_q} >> W);"),
                     ("moduli_rns_unloader.sv", "second_q <= Bits'({lowest_o, second_q} >> W);", "second_q <= Bits'({second_q[W-1:0], second_q} >> W);"),
                     ("moduli_rns_unloader.sv", "second[k/W] ? second_q[k] : first_q[k]", "second[k/W] ? first_q[k] : second_q[k]"),
                     ("moduli_rns_release.sv", "parities_q <= {^digit_i, parities_q[N:1]};", "parities_q <= {1'b0, parities_q[N:1]};"),
                     ("moduli_rns_release.sv", "if (rotated_q && damaged_i) damaged_q <= 1'b1;", ""),
                     ("moduli_rns_release.sv", " && !damaged_q", ""),
                     ("moduli_rns_release.sv", " && parities_q[0]", ""),
                     ("moduli_rns_release.sv", " && reduced_i == reduced_q", "")))


def withheld_program(core):
    return Proof(f"programs, {core.name()}: while a fault is flagged only errors leave and no program is started, and the flag stays", "states",
                 "withheld_program", ("*", "withheld_program.sv"), core, faults=(
                     ("moduli_rns_resident.sv", "fault_q || unjudged || guard_fault;", "fault_q || unjudged;"),
                     ("moduli_rns_resident.sv", "settled && !guard_fault &&", "settled &&"),
                     ("moduli_rns_resident_guard.sv", "fault_q <= fault_q || (settled_o", "fault_q <= (settled_o"),
                     ("moduli_rns_resident_guard.sv", "owing_q || (!rst_ni && owed_q != '0);", "owing_q;")),
                 cut=tuple(f"u_core.{wire}" for wire in ("tops", "lows", "residues3", "ring", "unused_words", "one", "minus_one", "result", "word")))


def constant_time(core):
    return Proof(f"core, {core.name()}: when a request is taken and a response is there does not depend on operands", "induction", "constant_time",
                 ("*", "constant_time.sv"), core, faults=(
                     ("moduli_rns_requests.sv", ".reduce_i(!(DivisionSteps && load_by_steps_q))", ".reduce_i(1'b1)"),
                     ("moduli_rns_division_steps.sv", "if (load_valid_i) state_q <= Loading;", "if (load_valid_i && !above_i) state_q <= Loading;")))


MOD3 = ("(i[1] & j[1])", "(i[1] & j[2])")
MOD9 = ("{b[1:0], ~b[2]}", "{b[1:0], b[2]}")
# A core with two bases, and with more bits above a digit than a tile takes.
PAIR = Core("4c9", 17, 2, "binary-ternary")
INVERT = ("--operations", "invert")
LOOPS = ("binary", "binary-ternary", "wide")
QUICK = (
    unit(3, 16, MOD3),
    unit(9, 12, MOD9),
    *(unit(9, 12, MOD9, factor) for factor in (2, 4, 5, 7, 8)),  # the width changes only the tree, not its last table
    addend(TINY),
    addend(Core("P-256", 33, 8, "binary")),
    addend(Core("P-256", 33, 8, "wide")),
    *(decision(Core("P-256", 33, 8, method)) for method in LOOPS),
    decision(Core("4c9", 17, 2, "wide", ("--wide-modulus", "8"))),
    *(cox(Core("P-256", 33, 8, method)) for method in LOOPS),
    cox(Core("fb", 10, 3, "wide", ("--wide-modulus", "48"), contexts=6)),  # its values wait in registers for the end of a longer step
    cox(Core("4c9", 22, 3, "wide")),  # weights other than 1, modulo 16 and 9
    cox(TINY),
    reduction(TINY, direct=True),
    reduction(PAIR),
    reduction(PAIR, second=True),
    reduction(Core("P-256", 33, 8, "binary-ternary", INVERT)),
    reduction(Core("P-256", 33, 8, "binary-ternary")),
    *AXI,
    RESIDENT_AXI,
    *AXIS,
    constant_program(RESIDENT[0]),
    constant_scalar(RESIDENT[-1]),  # of several digits, the order added
    core_rules(DIVISION),
    withheld(GUARDED),
    withheld_program(RESIDENT[2]),
    constant_time(DIVISION),
)
SHAPES = (
    core_rules(TINY),
    *(decision(Core("4c9", 17, 2, "wide", ("--wide-modulus", q))) for q in ("72", "48", "36", "24", "16")),
    cox(Core("P-521", 36, 15, "binary-ternary")),
    reduction(Core("P-256", 33, 8, "binary-ternary"), second=True),
    reduction(Core("P-224", 22, 12, "binary-ternary", INVERT)),
    reduction(Core("P-521", 36, 15, "binary-ternary", INVERT)),
    reduction(Core("P-384", 33, 12, "wide", INVERT)),  # one more fold
)
CHANNELS = tuple(reduction(Core("P-256", 33, 8, "binary-ternary", INVERT), channel=channel) for channel in (1, 2))
COXES = tuple(cox(Core(*shape, method)) for shape in (("P-192", 33, 6), ("P-224", 22, 12)) for method in LOOPS)
LONG = QUICK + (unit(3, 80, MOD3), unit(9, 40, MOD9)) + SHAPES + CHANNELS + COXES + (axis(P256),)


def source(name, altered):
    """The path of a file: the altered one if there is one, or the one in rtl/ or in this directory."""
    if name in altered:
        return altered[name]
    return RTL / name if (RTL / name).exists() else HERE / name


def read(proof, altered):
    """The Yosys script that reads the sources of a proof into one flat module."""
    directory = parameters(proof.core)[0] if proof.core else None
    files = [directory / "moduli_rns_params_pkg.sv"] if directory else []
    for name in proof.files:
        if name == "*":
            files = [altered.get(file.name, file) for file in flow.sources(directory, resident=proof.core in RESIDENT) if file.parent.name != "syn"]
        else:
            files.append(source(name, altered))
    if missing := set(altered.values()) - set(files):
        sys.exit(f"prove: {proof.name} does not read {missing}")
    script = [flow.read(files, proof.top, proof.parameters), f"hierarchy -top {proof.top}", "proc", "flatten"]
    if proof.method in STEPS:
        for wire in proof.cut:
            script += [f"select -assert-count 1 w:{wire}", f"cutpoint w:{wire}"]
        # Removes memories that no claim depends on: Yosys keeps them, although nothing reads them.
        rest = ["memory_collect", "select -set cone t:$check %ci*", "delete c:* @cone %d"] * bool(proof.cut)
        return script + rest + [
            "setundef -undriven -anyseq", "async2sync", "chformal -lower", "opt -full", "memory_map", "opt -full", "dffunmap",
        ]
    # Registers become wires: the claims are about the values that pass through them.
    return script + [
        "memory", "opt_expr", "opt_clean", f"techmap -map {HERE / 'transparent.v'}", "opt_expr", "opt_merge", "opt_clean", "techmap",
        "opt -full" if proof.method == "sat" else "opt_expr", "setundef -anyseq", "aigmap",
    ]


def abc(script, commands):
    """Runs ABC on the claim that the script makes, and returns its output."""
    with tempfile.TemporaryDirectory() as scratch:
        flow.yosys(script + [f"write_aiger -zinit {scratch}/claim.aig"])
        try:
            done = subprocess.run([str(ABC), "-c", f"read_aiger claim.aig; {commands}"], cwd=scratch, capture_output=True,
                                  text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return "no answer in time"
    return done.stdout


def induced(proof, script):
    """Tries to prove a claim by induction, with as many steps as its method allows, and returns Yosys's output."""
    return flow.yosys(script + [f"sat -tempinduct -prove-asserts -set-assumes -maxsteps {STEPS[proof.method]} -timeout {LIMIT} {proof.top}"])


def prove(proof):
    """Tries a proof. Returns, as a list of one, whether the claim holds and the line to print."""
    script = read(proof, {})
    if proof.method in STEPS:
        holds = "Induction step proven: SUCCESS!" in induced(proof, script)
    else:
        said = abc(script, ("clp; strash; " if proof.method == "diagrams" else "") + "orpos; iprove")
        holds = any(line.startswith("UNSATISFIABLE") for line in said.splitlines())
    return [(holds, f"{'proved' if holds else 'NOT PROVED'}: {proof.name} ({proof.method}")]


def contradict(proof):
    """Yields for each fault whether a contradiction to the claim was found, and the line to print."""
    for name, text, other in proof.faults:
        original = (RTL / name).read_text()
        if original.count(text) != 1:
            sys.exit(f"prove: {name} has {original.count(text)} times {text!r}; it must have it once")
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / name
            file.write_text(original.replace(text, other))
            script = read(proof, {name: file})
            if proof.method == "states":
                # A timeout does not count as a contradiction.
                found = re.search("model found for base case|Reached maximum number of time steps", induced(proof, script))
                how = "a state"
            elif proof.method == "induction":
                said = abc(script + ["techmap", "opt -full", "dffunmap", "aigmap", "opt_clean"],
                           f"fold; strash; orpos; bmc3 -F {CYCLES}")
                found = re.search(r"was asserted in frame (\d+)", said)
                how = f"a run from reset, {int(found.group(1)) + 1} cycles" if found else ""
            else:
                said = abc(script, "orpos; sat -C 0")
                found = any(line.startswith("SATISFIABLE") for line in said.splitlines())
                how = "an input"
        yield bool(found), f"fault {'caught' if found else 'NOT CAUGHT'}: {proof.name}: {text!r} ({how}"


def cpu():
    """The seconds of processor time of all tools that were run so far."""
    times = os.times()
    return times.children_user + times.children_system


def timed(check, proof):
    """The results of a check, each with its processor time. Called in a process that runs one proof at a time."""
    told, start = [], cpu()
    for holds, text in check(proof):
        told.append((holds, f"{text}, {cpu() - start:.0f} s)"))
        start = cpu()
    return told


def main():
    # Only proofs whose names contain this are run.
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    suites = {"quick": (QUICK, prove), "long": (LONG, prove), "faults": (QUICK + SHAPES, contradict)}
    if len(sys.argv) < 2 or sys.argv[1] not in suites:
        sys.exit(__doc__)
    proofs, check = suites[sys.argv[1]]
    passed = failed = 0
    chosen = [proof for proof in proofs if part in proof.name]
    # Writes the constants of all cores first, because several processes cannot write those of one core at the same time.
    for core in {proof.core for proof in chosen if proof.core}:
        parameters(core)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("fork")) as pool:
        for told in pool.map(timed, [check] * len(chosen), chosen):
            for holds, text in told:
                passed += holds
                failed += not holds
                print(text, flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
