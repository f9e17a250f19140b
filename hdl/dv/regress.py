"""The regression of the core in simulation: every result against Python's own integers, every step count (and state, where the
core shows it) against the library's inverter.

    regress.py quick    a minute on two cores: make hdl, make test
    regress.py long     hours: make test-long
    regress.py tiny     every operand of tiny moduli
"""

import hashlib
import os
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "model"))
import cycles  # noqa: E402
from exchange import exchange  # noqa: E402
from generate import FERMAT, OVERLAP  # noqa: E402
from simulate import BUILD, HDL, OPERATIONS, Core, Failed, answer, build, expectations  # noqa: E402

INVERT_ONLY = ("--operations", "invert")
ABOVE = Core("757", 8, 3, "binary-ternary", INVERT_ONLY, trace=True)
PAIR = Core("4c9", 17, 2, "binary-ternary", trace=True)
# Products, interleaved inversions and checks on one more core.
EVERY = replace(PAIR, contexts=4, check=True, blind=True)
# One context more than a step has room for, which makes it longer.
FIVE = replace(PAIR, contexts=5)
CHECKED = Core("4c9", 17, 2, "binary-ternary", check=True)
# Long enough to be in each of its contexts at once; a step has room for four of the five.
STRETCHED = Core("ffffffffffffffc5", 33, 3, "wide", contexts=5)
LOOPS = ("binary", "binary-ternary", "wide")
# Division steps: issues that take longer than the steps of a jump, with one fold more; alone, and beside products.
JUMPS = Core("fb", 8, 3, "divstep", INVERT_ONLY, trace=True)
JUMPS_PAIR = Core("4c9", 17, 2, "divstep", check=True, blind=True, trace=True)
MAIN = Core("P-256", 33, 8, "binary-ternary")
JUMPS_MAIN = Core("P-256", 33, 8, "divstep")
# A step that is longer for its contexts.
SIX = Core("fb", 10, 3, "wide", contexts=6, trace=True)
# Of division steps: one to four chunks of a digit, one to four stages of sums, the least P. The quick ones and the others.
JUMPS_SHAPES = (("4c9", 22, 1), ("3fb", 64, 1))
JUMPS_MORE_SHAPES = (("b", 8, 2), ("3f1", 9, 2), ("3ff", 40, 1), ("5b3", 10, 9), ("1d3", 14, 28))
# How requests are made and responses taken. The last: one kind of request after another, while responses wait, and from the beginning again.
HALTING, STALLS = ("--gaps", "40", "--stalls", "40"), ("--gaps", "20", "--stalls", "20")
# Responses that wait for longer than an inversion takes.
UNHURRIED = ("--stalls", "99")
# Every register that has no initial value powers up at random.
POWER_UPS = tuple(("+verilator+rand+reset+2", f"+verilator+seed+{seed}") for seed in range(1, 6))
RESTLESS = ("--gaps", "30", "--stalls", "90", "--reset-every", "9000", "--clear-every", "9000")
# With steps that take longer than the issues.
JUMPS_LONG = Core("ffffffffffffffc5", 33, 3, "divstep", INVERT_ONLY, trace=True)
# Shapes that hold 26 P in each of two bases; 2^255 - 19 is 1 modulo 4.
FIELDS = (("P-192", 33, 6), ("P-224", 22, 12), ("P-256", 33, 8), ("P-384", 33, 12), ("P-521", 36, 15), ("curve25519", 33, 8))


# What the driver prints of an operation.
ANSWER = re.compile("[0-9a-f]+ [0-9]+ [0-9]+ [0-9]+")
OVERALL = re.compile(r"[0-9]+ operations: ([0-9.]+) steps, .* ([0-9.]+) cycles an operation overall")
# Seconds that a run may take.
LONGEST = 6 * 3600


@dataclass(frozen=True)
class Run:
    """Operands through a core."""

    core: Core
    count: int  # random operands beside the edges; 0 for every operand there is
    operation: str = "invert"  # multiply, exponentiate, blinded; mixed: all that a request can ask for, at random
    montgomery: bool = False  # operands and results in Montgomery form, X*M mod P
    driver: tuple = ()  # options of the driver
    disturb: str = ""  # two words of this memory are exchanged: no answer but the right one and errors may come out
    pairs: bool = False  # if every operand there is, then every pair
    powers: bool = False  # beside random ones 2^k and P - 2^k, which lead delta of division steps far from 0
    seed: int = 1

    def name(self):
        words = [self.core.name()] + [self.operation] * (self.operation != "invert") + ["montgomery"] * self.montgomery
        words += ["all pairs"] * self.pairs + ["powers of two"] * self.powers + [f"{self.disturb} disturbed"] * bool(self.disturb)
        return " ".join(words + [" ".join(self.driver)] * bool(self.driver))


def edges(p):
    """0, 1, 2, 3, P - 1, P - 2, P, P + 1, the largest that the port takes."""
    top = (1 << p.bit_length()) - 1
    return [a for a in (0, 1, 2, 3, p - 1, p - 2, p, p + 1, top - 1, top) if a <= top]


def operands(run, p):
    """Lists of operands, the second for products and powers only."""
    chooser, bits = random.Random(f"{run.seed} {run.name()}"), p.bit_length()
    if run.count == 0:
        first = list(range(1 << bits))
        second = [chooser.getrandbits(bits) for _ in first]
        if run.pairs:
            first, second = [a for a in first for _ in first], first * len(first)
    else:
        first = edges(p) + [chooser.getrandbits(bits) for _ in range(run.count)]
        first += [a for k in range(2, bits) for a in (1 << k, p - (1 << k))] if run.powers else []
        # Multiples of what P has in common with something, if anything.
        factor = next((f for f in range(2, 1000) if p % f == 0 and f != p), None)
        first += [factor * k % p for k in range(1, 20)] if factor else []
        second = [chooser.choice(edges(p)) if k % 7 == 0 else chooser.getrandbits(bits) for k in range(len(first))]
        first += edges(p)
        second += reversed(edges(p))
    return first, second


def codes(run, count):
    """What req_op_i is for each operand; if mixed, an inversion in plain form more often than anything else."""
    if run.operation != "mixed":
        return [OPERATIONS[run.operation] | run.montgomery << 2] * count
    chooser = random.Random(f"{run.seed} codes {run.name()}")
    return [chooser.choice((*range(8), 2, 2)) for _ in range(count)]


def oracle(run, built, first, second):
    """RESULT ERROR of every operand, by Python's integers."""
    return [answer(built, code, a, b) for code, a, b in zip(codes(run, len(first)), first, second)]


def steps(run, built, first, second, errors):
    """What the core is to say of its steps: of an inversion the library's, of a blinded one those of A*R/M."""
    # Without products P may share a factor with the base.
    unit = 1 if "invert" in run.core.options else pow(built.product, -1, built.prime)
    asked = [code & 3 for code in codes(run, len(first))]
    inverted = expectations(run.core, [a * b * unit % built.prime if operation == OPERATIONS["blinded"] else a
                                       for operation, a, b in zip(asked, first, second)]).splitlines()
    known = {OPERATIONS["multiply"]: "1", OPERATIONS["exponentiate"]: str(2 * built.prime.bit_length())}
    of_inverse = [line.split()[2] for line in inverted]
    return ["0" if error == 3 else known.get(operation, own) for operation, own, error in zip(asked, of_inverse, errors, strict=True)]


def expected(run, built, first, second):
    """The lines for the driver: the library's for inversions, each compared with the oracle."""
    answers = oracle(run, built, first, second)
    if run.operation != "invert" or run.montgomery:
        taken = steps(run, built, first, second, [error for _, error in answers])
        return "".join(f"{result:x} {error} {each}\n" for (result, error), each in zip(answers, taken, strict=True))
    text = expectations(run.core, first, run.core.trace)
    results = [line.split() for line in text.splitlines() if not line.startswith("step")]
    if [(int(result, 16), int(error)) for result, error, _ in results] != answers:
        raise Failed("the library and Python's integers differ")
    return text


def late(run, built, first, second, answers):
    """What did not take the cycles of the formula."""
    wrong, names = [], {code: name for name, code in OPERATIONS.items()}
    parameters = built.summary["parameters"]
    for code, operand, other, answer in zip(codes(run, len(first)), first, second, answers, strict=True):
        _, error, steps, taken = answer.split()
        reduced = operand >= built.prime, other >= built.prime
        right = cycles.cycles(parameters, names[code & 3], code >> 2, int(steps), reduced, int(error))
        if int(taken) != right:
            wrong.append(f"{names[code & 3]} of {operand:x} and {other:x} took {taken} cycles, not {right}")
    return wrong


def slow(run, built, lines):
    """What says that contexts are not used: inversions as fast as the core takes them, and more cycles than its steps explain."""
    parameters = built.summary["parameters"]
    steps, taken = (float(each) for each in OVERALL.search("\n".join(lines)).groups())
    each = cycles.step_cycles(parameters) * (max(parameters["N"], 3) + steps + 2)
    most = 1.05 * each / run.core.contexts + each / run.count  # the last run alone
    return [] if taken <= most else [f"{taken} cycles an operation overall, more than {most:.1f}"]


def undetected(run, built, first, second, answers):
    """What a disturbed core answered wrongly and without telling; of a blinded inversion a disturbed A*R may have no inverse."""
    wrong, told = [], False
    harmless = {(0, 2)} | ({(0, 1)} if run.operation == "blinded" else set())
    for operand, right, answer in zip(first, oracle(run, built, first, second), answers, strict=True):
        result, error = int(answer.split()[0], 16), int(answer.split()[1])
        told |= error == 2
        if (result, error) not in {right, *harmless}:
            wrong.append(f"of {operand:x}: {result:x}, error {error}")
    return wrong if told else [*wrong, "no check failed"]


def execute(run, hdl=HDL, where=BUILD, alter=None):
    """Builds and runs; (passed, failed, what to say)."""
    start = time.monotonic()
    if run.disturb:
        where, alter = where / "disturbed", lambda directory: exchange(directory, run.disturb, 0)
    built = build(run.core, hdl, where, alter)
    compiled = time.monotonic()
    first, second = operands(run, built.prime)
    place = built.driver.parent / f"run-{hashlib.sha256(repr(run).encode()).hexdigest()[:12]}"
    files = place.with_suffix(".operands"), place.with_suffix(".expected")
    kinds = (f"{code} " if run.operation == "mixed" else "" for code in codes(run, len(first)))
    two = run.operation != "invert"
    files[0].write_text("".join(f"{kind}{a:x} {b:x}\n" if two else f"{a:x}\n" for kind, a, b in zip(kinds, first, second)))
    files[1].write_text(expected(run, built, first, second))
    # One after the other, each takes as many cycles as the formula says.
    timed = "--serial" in run.driver
    looked_at = timed or run.disturb
    command = [built.driver, *["--quiet"] * (not looked_at), "--max-cycles", 1_000_000, "--op", run.operation,
               *["--expect", files[1]] * (not run.disturb), *["--montgomery"] * run.montgomery, *run.driver, files[0]]
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return 0, len(first), f"{run.name()}: not done in {LONGEST} s"
    lines = done.stdout.strip().splitlines()
    wrong = []
    if looked_at:
        answers = [line for line in lines if ANSWER.fullmatch(line)]
        lines = [line for line in lines if not ANSWER.fullmatch(line)]
        # If there are less, the driver has failed.
        if len(answers) == len(first):
            wrong = undetected(run, built, first, second, answers) if run.disturb else late(run, built, first, second, answers)
    last = lines[-1].split() if lines else []
    if len(last) == 4 and last[1::2] == ["passed,", "failed"]:
        passed, failed = int(last[0]), int(last[2])
    elif run.disturb and done.returncode == 0:
        passed, failed = len(first), 0
    else:
        passed, failed = 0, len(first)
    if done.returncode != 0 and failed == 0:
        failed = 1
    # Tiny operands wait for each other on their way in.
    if failed == 0 and run.core.contexts > 1 and run.count and run.operation == "invert" and not (run.montgomery or run.core.check or run.driver):
        wrong += slow(run, built, lines)
    passed, failed = passed - len(wrong), failed + len(wrong)
    lines += wrong
    for file in files:
        if failed == 0:
            file.unlink()
    detail = "\n".join((lines + done.stderr.strip().splitlines())[-12:]) if failed else (lines[-2] if len(lines) > 1 else "")
    seconds = f"{compiled - start:.0f} s to build, {time.monotonic() - compiled:.0f} s to run"
    return passed, failed, f"{run.name()}: {detail} ({seconds})"


def catching():
    """The runs by which seeded faults are caught, those first that are soon built. All are among the quick ones."""
    return [
        Run(ABOVE, 0),
        # An odd number of channels, and responses that wait.
        Run(ABOVE, 0, driver=STALLS),
        Run(JUMPS, 0),
        Run(JUMPS, 0, driver=("--serial",)),
        Run(JUMPS, 0, driver=UNHURRIED),
        Run(PAIR, 0, driver=HALTING),
        Run(EVERY, 0, driver=STALLS),
        Run(EVERY, 1000, "mixed", driver=RESTLESS),
        Run(EVERY, 0, "blinded", driver=STALLS),
        Run(EVERY, 0, "multiply", driver=STALLS),
        Run(EVERY, 300, "mixed", driver=("--serial",)),
        Run(CHECKED, 0, disturb="out"),
        Run(replace(CHECKED, blind=True), 0, "blinded", disturb="out"),
        Run(FIVE, 0, driver=("--gaps", "5", "--stalls", "20")),
        Run(STRETCHED, 400),
        Run(MAIN, 2000),
        Run(MAIN, 200, driver=("--reset-every", "3000", "--clear-every", "5000")),
        Run(replace(MAIN, inversion="wide"), 2000),
        Run(JUMPS_PAIR, 1000, "mixed", driver=RESTLESS),
        Run(FERMAT, 40, montgomery=True),
        Run(JUMPS_LONG, 400),
        Run(JUMPS_LONG, 400, driver=("--reset-every", "400")),
        Run(JUMPS_MAIN, 1500, powers=True),
    ]


def jumps():
    """Division steps over every operand of tiny moduli, state by state and with one number of cycles for all: prime and composite ones, in
    shapes that differ in what a jump is made of."""
    runs = [Run(core, 0, driver=driver) for core in (JUMPS, JUMPS_PAIR) for driver in ((), ("--serial",), STALLS, UNHURRIED)]
    runs += [Run(Core(*shape, "divstep", INVERT_ONLY, trace=True), 0, driver=("--serial",)) for shape in JUMPS_SHAPES]
    # Resets so soon after one another that the steps of a jump could go on in the next inversion.
    runs += [Run(JUMPS_LONG, 400, driver=driver) for driver in (("--serial",), (), ("--reset-every", "400"))]
    runs.append(Run(Core("3fb", 40, 2, "divstep"), 300, "mixed", driver=("--serial",)))
    runs += [Run(JUMPS_PAIR, 300, "mixed", driver=("--serial",)), Run(JUMPS_PAIR, 1000, "mixed", driver=RESTLESS), Run(JUMPS, 1000, "mixed", driver=RESTLESS)]
    runs += [Run(JUMPS_PAIR, 0, operation, montgomery, driver=STALLS) for operation in ("invert", "blinded") for montgomery in (False, True)
             if (operation, montgomery) != ("invert", False)]
    return runs + [Run(core, 40, "mixed", driver=power_up) for core in (JUMPS, JUMPS_PAIR) for power_up in POWER_UPS]


def tiny():
    """Every operand of tiny moduli in every method, step by step: 1019 is 3 modulo 4; 1225 = 25 * 49 is 1; with 1879 the digit of 1
    in a channel is so small that it can be met above its modulus."""
    pairs = [Core("4c9", 17, 2, method, trace=True) for method in LOOPS]
    runs = [Run(ABOVE, 0), Run(ABOVE, 0, driver=STALLS), Run(ABOVE, 0, driver=("--serial",))]
    runs += [Run(core, 0, driver=HALTING) for core in pairs]
    runs += [Run(FERMAT, 0), Run(FERMAT, 40, montgomery=True), Run(Core("4c9", 17, 2, "fermat"), 0, driver=("--serial",))]
    # Steps that are longer for their contexts; wide with another Q.
    runs += [Run(core, 0, driver=driver) for core in (FIVE, SIX) for driver in (("--gaps", "5", "--stalls", "20"), ("--serial",))]
    runs += [Run(Core("4c9", 17, 2, "wide", ("--wide-modulus", "36"), trace=True), 0), Run(STRETCHED, 400)]
    # Moduli that are merely coprime to Q, for a fold less: the weights of the Cox are not 1.
    runs += [Run(Core("4c9", 22, 3, "binary-ternary", trace=True), 0, driver=driver) for driver in ((), ("--serial",))]
    # The formulas of cycles: of every operation that a request can ask for, odd n.
    timed = (PAIR, CHECKED, EVERY, SIX, ABOVE, Core("4c9", 17, 2, "binary", blind=True), FERMAT)
    runs += [Run(core, 300, "mixed", driver=("--serial",)) for core in timed]
    runs.append(Run(Core("3fb", 17, 2, "binary-ternary", rom="mem"), 0))
    runs += [Run(EVERY, 0, driver=STALLS), Run(EVERY, 500, driver=("--reset-every", "300", "--clear-every", "500"))]
    for montgomery in (False, True):
        runs += [Run(EVERY, 0, operation, montgomery, driver=STALLS) for operation in ("multiply", "exponentiate", "blinded")]
    runs.append(Run(EVERY, 0, montgomery=True, driver=STALLS))
    for power_up in POWER_UPS:
        runs += [Run(core, 40, "mixed", driver=power_up) for core in (ABOVE, EVERY, STRETCHED, FERMAT)]
    # Blinding: 35 with every factor for every operand; alone, as many cycles as foreseen.
    blinding = Core("4c9", 17, 2, "binary", blind=True)
    runs.append(Run(Core("23", 17, 1, "binary-ternary", blind=True), 0, "blinded", pairs=True))
    runs.append(Run(blinding, 0, "blinded", driver=("--serial",)))
    runs += [Run(core, 1000, "mixed", driver=RESTLESS) for core in (ABOVE, *pairs, FERMAT, blinding, FIVE, EVERY)]
    runs += jumps()
    # What a check is for: an inverse that is spoiled on its way out.
    runs += [Run(CHECKED, 0, disturb="out"), Run(CHECKED, 0, montgomery=True, disturb="out")]
    runs.append(Run(replace(CHECKED, blind=True), 0, "blinded", disturb="out"))
    return runs


def quick():
    wide = replace(MAIN, inversion="wide")
    runs = [Run(core, 2000) for core in (MAIN, wide)]
    runs.append(Run(MAIN, 200, driver=("--reset-every", "3000", "--clear-every", "5000")))
    runs += [Run(MAIN, 200, "multiply", montgomery) for montgomery in (False, True)]
    runs += [Run(MAIN, 5, "exponentiate", montgomery=True), Run(MAIN, 200, montgomery=True)]
    runs += [Run(MAIN, 5, driver=power_up) for power_up in POWER_UPS]
    runs += [Run(core, 100, driver=("--serial",)) for core in (MAIN, wide)]
    runs += [Run(JUMPS_MAIN, 1500, powers=True), Run(JUMPS_MAIN, 200, driver=("--serial",))]
    runs += [Run(JUMPS_MAIN, 200, driver=("--reset-every", "3000", "--clear-every", "5000")), Run(JUMPS_MAIN, 100, "multiply")]
    runs += [Run(JUMPS_MAIN, 5, driver=power_up) for power_up in POWER_UPS]
    runs += tiny()
    if missing := [run.name() for run in catching() if run not in runs]:
        raise Failed(f"seeded faults are caught by runs that are not quick: {', '.join(missing)}")
    return runs


def more():
    """Shapes and lengths of a step that differ from a quick run in one thing."""
    serial, every = {"driver": ("--serial",)}, {"trace": True}
    runs = [Run(Core("3f1", 8, 3, method, INVERT_ONLY, **every), 0) for method in LOOPS]
    # One channel; the 1 of Fermat's check is 1 + P for all but a P like 7; three pieces of a digit.
    runs += [Run(Core("fb", 17, 1, "binary-ternary", INVERT_ONLY, **every), 0), Run(Core("7", 17, 2, "fermat"), 0)]
    pieces = Core("3fb", 40, 2, "fermat")
    runs += [Run(pieces, 0, **serial), Run(pieces, 300, "mixed", **serial), Run(Core("fb", 10, 3, "fermat"), 0, **serial)]
    # Another Q, one with a slot that is nobody's; fewer contexts.
    runs += [Run(replace(SIX, contexts=4), 0), Run(replace(SIX, options=("--wide-modulus", "48")), 0)]
    runs += [Run(Core("4c9", 17, 2, "wide", ("--wide-modulus", q), **every), 0) for q in ("48", "16")]
    runs += [Run(Core("4c9", 18, 2, "wide", INVERT_ONLY, **every), 0, driver=driver) for driver in ((), ("--serial",))]
    runs += [Run(OVERLAP, 400, "mixed"), Run(Core("fb", 10, 3, "wide", blind=True), 0, "blinded", **serial)]
    runs += [Run(core, 40, "mixed", driver=power_up) for core in (OVERLAP, pieces) for power_up in POWER_UPS]
    # Division steps.
    runs += [Run(Core(*shape, "divstep", INVERT_ONLY, **every), 0, **serial) for shape in JUMPS_MORE_SHAPES]
    runs += [Run(Core("3fb", 17, 2, "divstep", rom="mem"), 0), Run(replace(JUMPS_PAIR, trace=False), 0, disturb="out")]
    # P-256 by other methods, with contexts, blinded, state by state.
    binary, wide, fermat = (replace(MAIN, inversion=method) for method in ("binary", "wide", "fermat"))
    contexts = replace(MAIN, contexts=4)
    runs += [Run(binary, 2000), Run(binary, 100, **serial), Run(fermat, 50), Run(fermat, 5, **serial)]
    runs += [Run(fermat, 5, driver=power_up) for power_up in POWER_UPS]
    runs += [Run(contexts, 2000, driver=("--gaps", "5", "--stalls", "20")), Run(contexts, 200, "mixed", driver=("--stalls", "90"))]
    runs += [Run(replace(wide, contexts=5), 2000), Run(Core("P-224", 22, 12, "binary-ternary", **every), 300)]
    runs += [Run(MAIN, 20, "exponentiate", montgomery) for montgomery in (False, True)]
    runs += [Run(replace(MAIN, blind=True), 100, operation, **serial) for operation in ("blinded", "mixed")]
    return [*runs, Run(replace(JUMPS_MAIN, **every), 100), Run(replace(MAIN, rom="mem"), 2000)]


def long():
    runs = []
    for prime, width, channels in FIELDS:
        for method in LOOPS:
            core = Core(prime, width, channels, method)
            runs += [Run(core, 50_000), Run(replace(core, contexts=5 if method == "wide" else 4), 2000), Run(replace(core, trace=True), 300)]
            runs += [Run(core, 20_000, operation="multiply"), Run(core, 200, operation="exponentiate")]
            runs += [Run(replace(core, blind=True), 2000, "blinded"), Run(replace(core, blind=True, check=True), 2000, "blinded")]
        core = Core(prime, width, channels, "divstep")
        runs += [Run(core, 50_000, powers=True), Run(core, 2000, driver=("--serial",)), Run(replace(core, trace=True), 300), Run(core, 2000, operation="multiply")]
        runs += [Run(replace(core, options=INVERT_ONLY), 50_000), Run(replace(core, blind=True, check=True), 2000, "blinded")]
        for window in ((), ("--window", "binary")):
            core = Core(prime, width, channels, "fermat", window)
            runs += [Run(core, 2000), Run(core, 5, driver=("--serial",))]
    return quick() + more() + runs


def all_of(runs, hdl=HDL, where=BUILD):
    """Runs all, as many cores at once as there are processors; how many passed and failed."""
    totals = [0, 0]

    def guarded(run):
        try:
            return execute(run, hdl, where)
        except Failed as failure:
            return 0, 1, f"{run.name()}: {failure}"

    # What has one simulator runs in turn, so that nobody waits for it to be built; the largest first, so that none is left at the end.
    groups = {}
    for run in runs:
        groups.setdefault((run.core, run.disturb), []).append(run)
    largest = sorted(groups.values(), key=lambda group: -group[0].core.width * group[0].core.channels)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for results in pool.map(lambda group: [guarded(run) for run in group], largest):
            for passed, failed, said in results:
                totals = [totals[0] + passed, totals[1] + failed]
                print(f"{'ok    ' if failed == 0 else 'FAILED'} {said}", flush=True)
    return totals


def main():
    suites = {"quick": quick, "long": long, "tiny": tiny}
    if len(sys.argv) != 2 or sys.argv[1] not in suites:
        sys.exit(f"usage: regress.py {'|'.join(suites)}")
    try:
        runs = suites[sys.argv[1]]()
    except Failed as failure:
        sys.exit(f"regress: {failure}")
    passed, failed = all_of(runs)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
