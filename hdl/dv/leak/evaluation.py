"""The measurements on a core and their expected results: unprotected operations leak, protected ones do not, attacks succeed where they should,
and the null tests find nothing.
"""

import random
from dataclasses import dataclass, field

import attacks
import faults
from bench import measure
from experiments import FIXED, RANDOM, SETS, Blinded, Inversion, Product, Result, assess, cycles, label, run, said
from multiples import ALL_OF_THEM, COORDINATES, PLACES, SCALAR, Point, PointHalves, Secret, SecretHalves
from simulate import OPERATIONS, expectations
from welch import START, Window, compare


@dataclass
class Findings:
    """The rows of the tables, and how many checks have passed and failed."""

    tests: list = field(default_factory=list)  # a row for each t-test
    attacks: list = field(default_factory=list)
    flips: dict = field(default_factory=dict)
    curves: dict = field(default_factory=dict)
    passed: int = 0
    failed: int = 0

    def check(self, right, text):
        self.passed, self.failed = self.passed + bool(right), self.failed + (not right)
        print(f"{'ok    ' if right else 'FAILED'} {text}", flush=True)

    def test(self, result, leaks):
        """A t-test that must find a leak, or none."""
        tested = result.tested
        top = max(tested.curves, key=tested.largest)
        over = len(tested.over())
        self.tests.append({
            "operation": result.operation, "secret": result.secret, "window": result.window.name, "cycles": result.window.said(), "traces": result.traces,
            "samples": tested.samples(), "threshold": round(tested.threshold, 2), "over": over, "where": top if over else "",
            "largest": round(tested.largest(top), 1), "duration": [round(t, 1) for t in result.duration]})
        self.check(tested.leaks() == leaks, said(result))


@dataclass(frozen=True)
class Sizes:
    """The sizes of the measurements: traces of a class in each set, traces for attacks, and flips."""

    control: int  # traces of unprotected operations
    ladder: int  # traces of unprotected scalar multiplications
    protected: int  # traces of protected scalar multiplications
    blinded: int
    stages: int
    cpa: int
    templates: int
    flips: int  # flips of bits in products, and half as many in blinded inversions
    point: int = 0  # traces of scalar multiplications of a secret point
    removed: int = 0  # traces of scalar multiplications that lack one of the countermeasures


def null(result):
    return result.secret.startswith("none")


def controls(bench, findings, sizes):
    """Tests that unprotected operations leak, whichever fixed secret they are compared with."""
    for operation in (Inversion(bench), Product(bench)):
        measured, chosen, _ = run(operation, sizes.control)
        for result in assess(operation, measured, chosen, sizes.control):
            findings.test(result, not null(result))
        findings.check(not measured.left, f"{operation.name}: registers in which something is left of the trace before: {', '.join(measured.left) or 'none'}")
        curve_of(operation, measured, findings)


def curve_of(operation, measured, findings):
    """Keeps the t-curve of the whole core for the first fixed secret."""
    pairs = [(label(which, FIXED), label(which, RANDOM)) for which in SETS]
    # Stops where the shortest trace ends, because few traces remain after that.
    shortest = measured.moments.shortest(*(label for pair in pairs for label in pair))
    tested = compare(measured.moments, pairs, Window("", 0, shortest))
    findings.curves[operation.name] = {"threshold": tested.threshold, "t": tested.curves["all"], "windows": [
        [window.name, window.first, window.last] for window in operation.windows(shortest, shortest) if window.side == START]}


# The windows in which A or its inverse is not blinded in a blinded inversion, so they leak there.
OPEN = ("entry", "first use", "exit")


def blinded(bench, findings, sizes):
    """Tests that the secret of a blinded inversion leaks in the windows in which it is not blinded, and nowhere else."""
    operation = Blinded(bench)
    measured, chosen, _ = run(operation, sizes.blinded, ("drawn", "1"))
    for result in assess(operation, measured, chosen, sizes.blinded):
        findings.test(result, not null(result) and result.window.name in OPEN)
    curve_of(operation, measured, findings)


def by_register(bench, findings, sizes, of=""):
    """The same test for each register alone, where other registers add no noise."""
    operation = Blinded(bench)
    operation.name += f"{of}, by register"
    measured, chosen, _ = run(operation, sizes.stages, ("1",), stages=True)
    for result in assess(operation, measured, chosen, sizes.stages):
        findings.test(result, not null(result) and result.window.name in OPEN)


# The most bits that a tile takes of a factor: TileW of moduli_rns_pkg.sv.
TILE = 18


def correlation(bench, findings, sizes):
    """Attacks the second factor of Montgomery products, from traces with known first factors. It guesses the factor's residue in one channel, or as
    many of its lowest bits as a tile multiplies."""
    chooser, parameters = random.Random("cpa"), bench.parameters
    secret, unit = chooser.randrange(1, bench.prime), pow(bench.product, -1, bench.prime)
    known = [chooser.randrange(bench.prime) for _ in range(sizes.cpa)]
    code = OPERATIONS["multiply"] | 4
    lines = [((0,), f"{code} {value:x} {secret:x} = {value * secret * unit % bench.prime:x} 0") for value in known]
    measured = measure(bench, lines, "cpa", traces=True)
    # The samples start when both factors are in the register files, and last as long as two results take.
    frames, read = cycles.frames(parameters), cycles.read(parameters)
    first = frames + cycles.waited(parameters, False) + (2 * frames + 1) * read
    samples = list(zip(*measured.each_trace("rowers")))[first : first + 2 * read]
    channel = 2
    modulus = bench.summary["moduli"][0][channel]
    if modulus < 1 << 12:
        right, guesses, predict = secret % modulus, range(1, modulus), lambda values, guesses: attacks.residue_products(values, modulus, guesses)
    else:
        # A tile takes a chunk of the first factor and what the highest piece leaves of the second.
        bits = parameters["W"] - TILE
        right = secret % modulus & ((1 << bits) - 1)
        # The right guess and 1000 random ones, not all guesses.
        guesses = {right, *(chooser.randrange(1, 1 << bits, 2) << (right & -right).bit_length() - 1 & (1 << bits) - 1 for _ in range(1000))}
        predict = lambda values, guesses: attacks.tile_products(values, modulus, parameters["CHUNK_W"], guesses)
    found = attacks.correlations(predict(known, guesses), samples)
    place = attacks.rank(found, right)
    text = f"the right guess of {len(found)} has rank {place} with {sizes.cpa} traces, correlation {found[right]:.2f}"
    findings.attacks.append({"attack": "correlation, second factor of a product", "result": text})
    findings.check(place <= 3, f"correlation attack: {text}")
    unknown = known[1:] + known[:1]
    place = attacks.rank(attacks.correlations(predict(unknown, guesses), samples), right)
    findings.check(place > 3, f"correlation attack with the wrong first factors: rank {place}")


def steps(bench, findings, sizes):
    """Reads the steps of a plain inversion from one trace, by templates."""
    operation, chooser = Inversion(bench), random.Random("templates")
    secrets = [operation.secret(chooser) for _ in range(sizes.templates)]
    measured = measure(bench, [((0,), operation.request(secret, chooser)) for secret in secrets], "templates", traces=True)
    actions = [[]]
    for line in expectations(bench.core, secrets, True).splitlines():
        if line.startswith("step"):
            actions[-1].append(line.split()[2])
        else:
            actions.append([])
    step, frames = cycles.step_cycles(bench.parameters), cycles.frames(bench.parameters)
    begin = frames + frames * step
    columns = [list(measured.each_trace(group)) for group in ("rowers", "cox", "control")]
    observed = []
    for k in range(len(secrets)):
        # The first action belongs to loading.
        places = [(action, begin + step * place) for place, action in enumerate(actions[k][1:])]
        observed.append([(action, [value for column in columns for value in column[k][at : at + 3 * step // 2]]) for action, at in places
                         if at + 3 * step // 2 <= len(columns[0][k])])
    profiled = 3 * len(secrets) // 4
    right, count, guessed = attacks.success([each for trace in observed[:profiled] for each in trace],
                                            [each for trace in observed[profiled:] for each in trace])
    text = f"{100 * right / count:.1f} % of {count} steps are read, {100 * guessed / count:.1f} % by guessing"
    findings.attacks.append({"attack": "templates, steps of an inversion that is not blinded, one trace each", "result": text})
    findings.check(right > 1.5 * guessed, f"templates: {text}")


def flips(bench, findings, sizes):
    """Flips single register bits. The outcomes are only counted."""
    for operation, count in ((Product(bench), sizes.flips), (Blinded(bench), sizes.flips // 2)):
        counts = faults.injected(operation, count)
        findings.flips[operation.name] = {f"{group}: {faults.WHAT[what]}": number for (group, what), number in sorted(counts.items())}
        for line in faults.said(operation.name, counts):
            print(f"       {line}", flush=True)


def exchange(bench, curve, findings, sizes):
    """Tests an unprotected scalar multiplication: the whole trace depends on the scalar, and each bit leaks where it exchanges the ladder's registers.
    Templates read all bits from one trace."""
    operation = Secret(bench, curve, ())
    # Tests late bits: without a random multiple of the order, the first bits are almost always the same.
    places, labels = neighbours(operation, 3 / 4)
    measured, chosen, _ = run(operation, sizes.ladder, ("drawn",), more=labels)
    for result in assess(operation, measured, chosen, sizes.ladder):
        findings.test(result, not null(result))
    findings.check(not measured.left, f"{operation.name}: registers in which something is left of the trace before: {', '.join(measured.left) or 'none'}")
    tested = [of_bit(operation, measured, place) for place in places]
    for place, each in zip(places, tested):
        over = each.over("control")
        findings.check(over, f"{operation.name}: bit {place} shows in {len(over)} samples of the control, {4 * sizes.ladder} traces; "
                             f"threshold {each.threshold:.2f}")
    # The places of two neighbouring bits give the length of a turn, and so the places of the other bits.
    starts = [min((cycle for _, cycle in each.over("control")), default=0) for each in tested]
    turn, first = starts[1] - starts[0], starts[0] - (places[0] - 2) * (starts[1] - starts[0])
    chooser = random.Random("scalars")
    lines, scalars = [], []
    for _ in range(8):
        lines.append(((0,), operation.request(operation.secret(chooser), chooser)))
        scalars.append(operation.scalar())
    one = measure(operation.bench, lines, "scalar-templates", traces=True)
    observed = []
    for scalar, control, rowers in zip(scalars, one.each_trace("control"), one.each_trace("rowers")):
        # Leaves out the second bit, which has an additional exchange before it, and the last two, whose turns are different.
        at = [(bit, first + turn * place) for place, bit in enumerate(scalar[2:-2])]
        observed.append([(bit, control[start : start + turn] + rowers[start : start + turn]) for bit, start in at])
    right, count, guessed = attacks.success([each for trace in observed[:6] for each in trace], [each for trace in observed[6:] for each in trace])
    text = f"{right} of {count} bits are read, {guessed} by guessing"
    findings.attacks.append({"attack": "templates, bits of a scalar, one trace each", "result": text})
    findings.check(right == count, f"templates of the ladder: {text}; a turn is {turn} cycles")


def neighbours(operation, part):
    """The places of two neighbouring bits after this part of all bits, and a function that labels the last request by their values and the set."""
    chooser = random.Random("length")
    operation.request(operation.secret(chooser), chooser)
    place = int(part * len(operation.scalar()))
    places = place, place + 1
    return places, lambda which: [1000 * (1 + which) + 2 * place + int(operation.scalar()[place]) for place in places]


def places_of(operation):
    """The places of the bits that are tested one by one, and a function that labels the last request by them."""
    found = [neighbours(operation, part) for part in operation.places]
    return [place for (place, _), _ in found], lambda which: [each for _, labels in found for each in labels(which)]


def of_bit(operation, measured, place):
    """The t-test between the values of a bit of the scalar; all else is random. It leaves out the window in which the scalar enters, which shows the bit."""
    pairs = [tuple(1000 * (1 + which) + 2 * place + value for value in (0, 1)) for which in SETS]
    longest = measured.moments.cycles(label(0, RANDOM))
    entered = next((window.last for window in operation.windows(longest, longest) if window.name == "entry"), 0)
    return compare(measured.moments, pairs, Window("all but entry", entered, longest))


def protected(bench, curve, findings, each, kinds):
    """Tests that with all countermeasures the scalar and the point leak only where they are not hidden, and bits of the scalar do not leak. (A fixed
    scalar makes a fixed result.)"""
    for kind in kinds:
        operation, open_ = kind(bench, curve), OPEN_MULTIPLE[kind]
        places, labels = places_of(operation)
        measured, chosen, _ = run(operation, each, more=labels, null=False)
        for result in assess(operation, measured, chosen, each, null=False):
            findings.test(result, result.window.name in open_)
        findings.check(not measured.left, f"{operation.name}: registers in which something is left of the trace before: {', '.join(measured.left) or 'none'}")
        for place in places:
            bit(findings, operation, measured, place, False, 2 * each)
        curve_of(operation, measured, findings)


# The windows in which the scalar and the point must leak.
OPEN_MULTIPLE = {Secret: ("exit",), Point: ("entry", "first turn"), SecretHalves: ("exit",), PointHalves: ("entry",)}


def removed(bench, curve, findings, each, secret=Secret, point=Point):
    """Tests that each random number is needed: without it, a test fails that passes with all of them."""
    less = lambda what: tuple(other for other in ALL_OF_THEM if other != what)
    for kind, what in ((secret, SCALAR), (point, COORDINATES)):
        operation = kind(bench, curve, less(what))
        measured, chosen, _ = run(operation, each)
        for result in assess(operation, measured, chosen, each, ("inside",)):
            findings.test(result, not null(result))
    operation = secret(bench, curve, less(PLACES))
    places, labels = places_of(operation)
    measured, _, _ = run(operation, each, (), more=labels)
    for place in places:
        bit(findings, operation, measured, place, True, 2 * each)


def bit(findings, operation, measured, place, leaks, traces):
    """Runs a t-test between the values of a bit, which must find a leak if `leaks` is set, and none otherwise."""
    tested = of_bit(operation, measured, place)
    findings.check(tested.samples(), f"{operation.name}: there are traces enough for bit {place}")
    findings.test(Result(operation.name, f"bit {place} of the scalar", traces, tested, [0.0, 0.0]), leaks)
