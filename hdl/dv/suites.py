"""The suites of the regression: cores, and the operands that they compute with."""

from dataclasses import dataclass, replace

from generate import FERMAT, GUARDED, OVERLAP, REDUNDANT
from simulate import Core, Failed

INVERT_ONLY = ("--operations", "invert")
ABOVE = Core("757", 8, 3, "binary-ternary", INVERT_ONLY, trace=True)
PAIR = Core("4c9", 17, 2, "binary-ternary", trace=True)
# A core with products, interleaved inversions and checks.
EVERY = replace(PAIR, contexts=4, check=True, blind=True)
# One context more than a step has room for, which makes it longer; with memories that are read from files.
FIVE = replace(PAIR, contexts=5, rom="mem")
# A composite P, with blinded inversions and without a check.
BINARY = Core("4c9", 17, 2, "binary", blind=True, trace=True)
CHECKED = Core("4c9", 17, 2, "binary-ternary", check=True)
SPOILED = replace(CHECKED, blind=True)
# P is so long that all contexts are in use at once. A step has room for four of the five.
STRETCHED = Core("ffffffffffffffc5", 33, 3, "wide", contexts=5)
LOOPS = ("binary", "binary-ternary", "wide")
# Division steps, alone and with products. The issues take longer than the steps of a jump, and there is one more fold.
JUMPS = Core("fb", 8, 3, "divstep", INVERT_ONLY, trace=True)
JUMPS_PAIR = Core("4c9", 17, 2, "divstep", check=True, blind=True, trace=True)
MAIN = Core("P-256", 33, 8, "binary-ternary")
WIDE_MAIN = replace(MAIN, inversion="wide")
JUMPS_MAIN = Core("P-256", 33, 8, "divstep")
# A core whose number of contexts makes its step longer.
SIX = Core("fb", 10, 3, "wide", contexts=6, trace=True)
# Shapes for division steps: one to four chunks of a digit, one to four stages of sums, the least P.
JUMPS_SHAPES = (("3fb", 64, 1), ("4c9", 22, 1), ("b", 8, 2), ("3f1", 9, 2), ("3ff", 40, 1), ("5b3", 10, 9), ("1d3", 14, 28))
# Options of the driver for handshakes. RESTLESS also resets and clears the core.
HALTING, STALLS = ("--gaps", "40", "--stalls", "40"), ("--gaps", "20", "--stalls", "20")
# Responses wait longer than an inversion takes.
UNHURRIED = ("--stalls", "99")
# Every register that has no initial value powers up at random.
POWER_UPS = tuple(("+verilator+rand+reset+2", f"+verilator+seed+{seed}") for seed in range(1, 6))
RESTLESS = ("--gaps", "30", "--stalls", "90", "--reset-every", "9000", "--clear-every", "9000")
# Division steps that take longer than the issues.
JUMPS_LONG = Core("ffffffffffffffc5", 33, 3, "divstep", INVERT_ONLY, trace=True)
# Shapes that hold 26 P in each of two bases; 2^255 - 19 is 1 modulo 4.
FIELDS = (("P-192", 33, 6), ("P-224", 22, 12), ("P-256", 33, 8), ("P-384", 33, 12), ("P-521", 36, 15), ("curve25519", 33, 8))


@dataclass(frozen=True)
class Run:
    """A core, the operands that it computes with, and the options of the driver."""

    core: Core
    count: int  # random operands in addition to the edge cases; 0 for all possible operands
    operation: str = "invert"  # or multiply, exponentiate, blinded; mixed: all operations, at random
    montgomery: bool = False  # operands and results in Montgomery form, X*M mod P
    driver: tuple = ()  # options of the driver
    disturb: str = ""  # two words of this memory are exchanged: answers must be right, or errors
    pairs: bool = False  # with all possible operands: every pair of them
    powers: bool = False  # also operands 2^k and P - 2^k, which lead delta of division steps far from 0
    seed: int = 1

    def name(self):
        words = [self.core.name()] + [self.operation] * (self.operation != "invert") + ["montgomery"] * self.montgomery
        words += ["all pairs"] * self.pairs + ["powers of two"] * self.powers + [f"{self.disturb} disturbed"] * bool(self.disturb)
        return " ".join(words + [" ".join(self.driver)] * bool(self.driver))


def catching():
    """The runs that catch seeded faults. Those that are built fastest come first. The regression contains all of them."""
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
        Run(SPOILED, 0, disturb="out"),
        Run(SPOILED, 0, "blinded", disturb="out"),
        Run(FIVE, 0, driver=("--gaps", "5", "--stalls", "20")),
        Run(STRETCHED, 400),
        Run(MAIN, 300),
        Run(MAIN, 50, driver=("--reset-every", "3000", "--clear-every", "5000")),
        Run(JUMPS_PAIR, 1000, "mixed", driver=RESTLESS),
        Run(FERMAT, 40, montgomery=True),
        *redundant(),
        Run(JUMPS_LONG, 400),
        Run(JUMPS_LONG, 400, driver=("--reset-every", "400")),
        Run(JUMPS_MAIN, 200, powers=True),
    ]


def redundant():
    """A core with a redundant channel must raise no alarm and take the predicted cycles; if one of its memories is disturbed, it must report an
    error for every operand, and go on. A core with a guard must raise no alarm either, in the predicted cycles."""
    runs = [Run(REDUNDANT, 0), *(Run(core, 300, "mixed", driver=("--serial",)) for core in (REDUNDANT, GUARDED)), Run(GUARDED, 1000, "mixed", driver=RESTLESS)]
    # Resets so soon after one another that they come at every cycle of a product.
    runs.append(Run(REDUNDANT, 400, "mixed", driver=("--reset-every", "400")))
    runs += [Run(core, 0, "multiply", montgomery, driver=STALLS) for core, montgomery in ((GUARDED, False), (REDUNDANT, True))]
    runs.append(Run(REDUNDANT, 0, "multiply", disturb="out", driver=STALLS))
    return runs + [Run(REDUNDANT, 0, "multiply", disturb=memory) for memory in ("ext", "out")]


def jumps(power_ups):
    """Division steps for every operand of tiny moduli, prime and composite: states are compared, and all operands must take the same cycles."""
    runs = [Run(JUMPS, 0, driver=driver) for driver in ((), ("--serial",), STALLS, UNHURRIED)]
    runs += [Run(JUMPS_PAIR, 0, driver=("--serial",)), Run(JUMPS_PAIR, 0, "blinded", True, driver=STALLS)]
    # Resets so soon after one another that the steps of a jump could go on in the next inversion.
    runs += [Run(JUMPS_LONG, 400, driver=driver) for driver in (("--serial",), (), ("--reset-every", "400"))]
    runs += [Run(JUMPS_PAIR, 300, "mixed", driver=("--serial",))] + [Run(core, 1000, "mixed", driver=RESTLESS) for core in (JUMPS_PAIR, JUMPS)]
    return runs + [Run(core, 40, "mixed", driver=power_up) for core in (JUMPS, JUMPS_PAIR) for power_up in power_ups]


def tiny(power_ups=POWER_UPS):
    """Every operand of tiny moduli with every method, step by step. 1019 is 3 modulo 4; 1225 = 25 * 49 is 1 modulo 4; with 1879 the digit of 1
    in a channel is so small that it can occur plus the modulus."""
    pairs = [BINARY, PAIR, replace(PAIR, inversion="wide")]
    runs = [Run(ABOVE, 0), Run(ABOVE, 0, driver=STALLS), Run(ABOVE, 0, driver=("--serial",))]
    runs += [Run(core, 0, driver=HALTING) for core in pairs]
    runs += [Run(FERMAT, 0), Run(FERMAT, 40, montgomery=True), *redundant()]
    # The number of contexts makes the step longer.
    runs += [Run(FIVE, 0, driver=driver) for driver in (("--gaps", "5", "--stalls", "20"), ("--serial",))]
    runs.append(Run(STRETCHED, 400))
    # The formulas for cycles, with every operation and odd n.
    runs += [Run(core, 300, "mixed", driver=("--serial",)) for core in (PAIR, EVERY, ABOVE, BINARY, FERMAT)]
    runs += [Run(EVERY, 0, driver=STALLS), Run(EVERY, 500, driver=("--reset-every", "300", "--clear-every", "500"))]
    runs += [Run(EVERY, 0, operation, driver=STALLS) for operation in ("multiply", "blinded")]
    runs += [Run(EVERY, 0, operation, True, driver=STALLS) for operation in ("multiply", "invert", "blinded")]
    runs += [Run(EVERY, 300, "exponentiate", montgomery, driver=STALLS) for montgomery in (False, True)]
    for power_up in power_ups:
        runs += [Run(core, 40, "mixed", driver=power_up) for core in (ABOVE, EVERY, STRETCHED, FERMAT, REDUNDANT, GUARDED)]
    # Blinded inversions one at a time must take the predicted cycles.
    runs.append(Run(BINARY, 0, "blinded", driver=("--serial",)))
    runs += [Run(core, 1000, "mixed", driver=RESTLESS) for core in (ABOVE, *pairs, FERMAT, FIVE, EVERY)]
    runs += jumps(power_ups)
    # The check must detect an inverse that was disturbed on its way out.
    forms = ("invert", False), ("invert", True), ("blinded", False)
    return runs + [Run(SPOILED, 0, operation, montgomery, disturb="out") for operation, montgomery in forms]


def quick():
    runs = [Run(MAIN, 300), Run(MAIN, 50, driver=("--reset-every", "3000", "--clear-every", "5000"))]
    runs += [Run(MAIN, 100, "multiply", montgomery) for montgomery in (False, True)]
    runs += [Run(MAIN, 40, montgomery=True), Run(MAIN, 40, driver=("--serial",))]
    runs += [Run(MAIN, 5, driver=power_up) for power_up in POWER_UPS[:2]]
    runs += tiny(POWER_UPS[:2])
    if missing := [run.name() for run in catching() if run not in runs + beyond()]:
        raise Failed(f"seeded faults are caught by runs that are not in the regression: {', '.join(missing)}")
    return runs


def beyond():
    """Runs like the quick ones that take longer: more operands, handshakes and ways to power up, division steps for P-256, and shapes that rarely
    show an error for their cost."""
    serial, restless, stalls = ({"driver": driver} for driver in (("--serial",), RESTLESS, STALLS))
    resets = {"driver": ("--reset-every", "3000", "--clear-every", "5000")}
    runs = [run for run in tiny() if run.driver in POWER_UPS[2:]]
    runs += [Run(core, 2000) for core in (MAIN, WIDE_MAIN)] + [Run(core, 100, **serial) for core in (MAIN, WIDE_MAIN)]
    runs += [Run(MAIN, 200, **resets), Run(JUMPS_MAIN, 200, **resets), Run(MAIN, 200, montgomery=True)]
    runs += [Run(MAIN, 200, "multiply", montgomery) for montgomery in (False, True)]
    runs += [Run(MAIN, 5, "exponentiate", montgomery=True), Run(JUMPS_MAIN, 1500, powers=True), Run(JUMPS_MAIN, 200, **serial)]
    runs += [Run(JUMPS_MAIN, 200, powers=True), Run(JUMPS_MAIN, 100, "multiply")]
    runs += [Run(MAIN, 5, driver=power_up) for power_up in POWER_UPS[2:]] + [Run(JUMPS_MAIN, 5, driver=power_up) for power_up in POWER_UPS]
    runs += [Run(EVERY, 0, "exponentiate", montgomery, **stalls) for montgomery in (False, True)]
    runs += [Run(Core("4c9", 17, 2, "fermat"), 0, **serial), Run(CHECKED, 300, "mixed", **serial)]
    runs += [Run(CHECKED, 0, montgomery=montgomery, disturb="out") for montgomery in (False, True)]
    compiled = replace(FIVE, rom="case")
    runs += [Run(compiled, 0, driver=driver) for driver in (("--gaps", "5", "--stalls", "20"), ("--serial",))]
    runs += [Run(compiled, 1000, "mixed", **restless), Run(Core("3fb", 17, 2, "binary-ternary", rom="mem"), 0)]
    # Six contexts, which make the step longer; wide with another Q.
    runs += [Run(SIX, 0, driver=("--gaps", "5", "--stalls", "20")), Run(SIX, 0, **serial), Run(SIX, 300, "mixed", **serial)]
    runs.append(Run(Core("4c9", 17, 2, "wide", ("--wide-modulus", "36"), trace=True), 0))
    # Moduli that are only coprime to Q, which saves a fold: the weights of the Cox are not 1.
    runs += [Run(Core("4c9", 22, 3, "binary-ternary", trace=True), 0, driver=driver) for driver in ((), ("--serial",))]
    # P = 35, with every factor for every operand of blinded inversions.
    runs.append(Run(Core("23", 17, 1, "binary-ternary", blind=True), 0, "blinded", pairs=True))
    binary = replace(BINARY, blind=False)
    runs += [Run(binary, 0, driver=HALTING), Run(binary, 1000, "mixed", **restless)]
    # Division steps.
    runs += [Run(JUMPS_PAIR, 0, driver=driver) for driver in ((), STALLS, UNHURRIED)]
    runs += [Run(JUMPS_PAIR, 0, operation, montgomery, **stalls) for operation, montgomery in (("invert", True), ("blinded", False))]
    return [*runs, Run(Core("3fb", 40, 2, "divstep"), 300, "mixed", **serial)]


def more():
    """Shapes and lengths of a step that differ from a quick run in only one respect."""
    serial, every = {"driver": ("--serial",)}, {"trace": True}
    runs = [Run(Core("3f1", 8, 3, method, INVERT_ONLY, **every), 0) for method in LOOPS]
    # One channel; the 1 of Fermat's check is 1 + P for all but a P like 7; three pieces of a digit.
    runs += [Run(Core("fb", 17, 1, "binary-ternary", INVERT_ONLY, **every), 0), Run(Core("7", 17, 2, "fermat"), 0)]
    pieces = Core("3fb", 40, 2, "fermat")
    runs += [Run(pieces, 0, **serial), Run(pieces, 300, "mixed", **serial), Run(Core("fb", 10, 3, "fermat"), 0, **serial)]
    # Another Q, one with an unused slot; fewer contexts.
    runs += [Run(replace(SIX, contexts=4), 0), Run(replace(SIX, options=("--wide-modulus", "48")), 0)]
    runs += [Run(Core("4c9", 17, 2, "wide", ("--wide-modulus", q), **every), 0) for q in ("48", "16")]
    runs += [Run(Core("4c9", 18, 2, "wide", INVERT_ONLY, **every), 0, driver=driver) for driver in ((), ("--serial",))]
    runs += [Run(OVERLAP, 400, "mixed"), Run(Core("fb", 10, 3, "wide", blind=True), 0, "blinded", **serial)]
    runs += [Run(core, 40, "mixed", driver=power_up) for core in (OVERLAP, pieces) for power_up in POWER_UPS]
    # Division steps.
    runs += [Run(Core(*shape, "divstep", INVERT_ONLY, **every), 0, **serial) for shape in JUMPS_SHAPES]
    runs += [Run(Core("3fb", 17, 2, "divstep", rom="mem"), 0), Run(replace(JUMPS_PAIR, trace=False), 0, disturb="out")]
    # P-256 by other methods, with contexts, blinded, state by state.
    binary, fermat = (replace(MAIN, inversion=method) for method in ("binary", "fermat"))
    contexts = replace(MAIN, contexts=4)
    runs += [Run(binary, 2000), Run(binary, 100, **serial), Run(fermat, 50), Run(fermat, 5, **serial)]
    runs += [Run(fermat, 5, driver=power_up) for power_up in POWER_UPS]
    runs += [Run(replace(fermat, redundant=True, guard=guard), count, "mixed", **driver) for guard, count, driver in (
        (False, 200, serial), (True, 400, {"driver": STALLS}))]
    runs += [Run(contexts, 2000, driver=("--gaps", "5", "--stalls", "20")), Run(contexts, 200, "mixed", driver=("--stalls", "90"))]
    runs += [Run(replace(WIDE_MAIN, contexts=5), 2000), Run(Core("P-224", 22, 12, "binary-ternary", **every), 300)]
    runs += [Run(MAIN, 20, "exponentiate", montgomery) for montgomery in (False, True)]
    runs += [Run(replace(MAIN, blind=True), 100, operation, **serial) for operation in ("blinded", "mixed")]
    return [*runs, Run(replace(JUMPS_MAIN, **every), 100), Run(replace(MAIN, rom="mem"), 2000)]


def long():
    runs = []
    for prime, width, channels in FIELDS:
        for method in LOOPS:
            core = Core(prime, width, channels, method)
            contexts = 5 if method == "wide" else 4
            runs += [Run(core, 50_000), Run(replace(core, contexts=contexts), 2000), Run(replace(core, trace=True), 300)]
            runs += [Run(core, 20_000, operation="multiply"), Run(core, 200, operation="exponentiate")]
            runs += [Run(replace(core, blind=True), 2000, "blinded"), Run(replace(core, blind=True, check=True), 2000, "blinded")]
        core = Core(prime, width, channels, "divstep")
        runs += [Run(core, 50_000, powers=True), Run(core, 2000, driver=("--serial",)), Run(replace(core, trace=True), 300)]
        runs.append(Run(core, 2000, operation="multiply"))
        runs += [Run(replace(core, options=INVERT_ONLY), 50_000), Run(replace(core, blind=True, check=True), 2000, "blinded")]
        for window in ((), ("--window", "binary")):
            core = Core(prime, width, channels, "fermat", window)
            runs += [Run(core, 2000), Run(core, 5, driver=("--serial",))]
    return quick() + beyond() + more() + runs
