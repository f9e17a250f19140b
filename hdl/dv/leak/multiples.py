"""Scalar multiplication as an experiment: the countermeasures that are active, the operand that is secret, and the windows by the schedule."""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import resident  # noqa: E402
from experiments import SETS, Operation, cycles  # noqa: E402
from simulate import Failed  # noqa: E402
from welch import Window  # noqa: E402

# The countermeasures: a random number that scales coordinates, random places of pairs, and what hides the scalar: a random
# multiple of the order, or random halves.
COORDINATES, PLACES, SCALAR = "coordinates", "places", "scalar"
ALL_OF_THEM = (COORDINATES, PLACES, SCALAR)


class Multiple(Operation):
    """A multiple of a point. The secret is the scalar, with a known and fixed point, or the point, with random scalars. A countermeasure is removed
    by the random words (which make the number 1, or the first place), or by a scalar without a multiple of the order."""

    same = True
    kind, program = "scalar multiplication", "weierstrass"
    places = (1 / 2,)  # the bits of the scalar that are tested one by one, as parts of its length

    def __init__(self, bench, curve, protected=ALL_OF_THEM):
        super().__init__(bench)
        self.curve, (_, self.a, _, self.n) = curve, resident.CURVES[curve]
        self.protected = protected
        self.points = resident.points(curve, random.Random(f"{curve} points"), 40)[1:]
        less = [what for what in ALL_OF_THEM if what not in protected]
        self.name = self.kind + (", protected" if not less else f", no random {' and '.join(less)}" if protected else "")

    def parts(self, secret, chooser):
        """The scalar and the point."""
        return secret, self.points[0]

    def request(self, secret, chooser):
        k, point = self.parts(secret, chooser)
        result = resident.times(k, point, self.p, self.a)
        self.operand = self.hidden(k, chooser)
        number = chooser.randrange(1, self.p) if COORDINATES in self.protected else 1
        place = chooser.getrandbits(32) if PLACES in self.protected else 0
        words = " ".join(f"{word:x}" for word in [place, *self.words(number)])
        return f"0 {point[0]:x} {point[1]:x} {self.operand:x} ~ {words} = {result[0]:x} {result[1]:x}"

    def hidden(self, k, chooser):
        """The operand for a scalar k."""
        return resident.blinded(k, self.n, resident.BLINDING[self.curve], chooser) if SCALAR in self.protected else k

    def words(self, number):
        """The random words from which the core makes this number: it takes their highest bits, the first word lowest."""
        bits = self.bench.parameters["L"]
        count = -(-bits // 32)
        return [number << 32 * count - bits >> 32 * k & 0xFFFFFFFF for k in range(count)]

    def scalar(self):
        """The bits of the scalar that the program reads in the last request, the highest first."""
        return f"{self.operand + resident.completion(self.n, resident.BLINDING[self.curve])[1]:b}"

    def windows(self, shortest, longest):
        """The windows. x and y enter and are scaled (entry), until the ladder begins. In its first turn a register is 0, which scaling does not
        change. The product by the inverse makes the result, which leaves unscaled (exit). Without protection, one window is the whole trace."""
        if not self.protected:
            return super().windows(shortest, longest)
        loading = cycles.loading(self.bench.parameters, self.program)
        # Results of earlier words are still in the pipeline.
        late = cycles.read(self.bench.parameters)
        begun, turned, ended = walked(self.bench)
        first, second, last = begun + loading + late, turned + loading + late, ended + loading
        return [Window("entry", 0, first), Window("first turn", first, second), Window("inside", second, last), Window("exit", last, longest)]


class Secret(Multiple):
    """The scalar is secret."""

    def fixed(self):
        return {"drawn": random.Random("scalar").randrange(2, self.n - 1)}

    def secret(self, chooser):
        return chooser.randrange(1, self.n)


class Point(Multiple):
    """The point is secret."""

    def __init__(self, *given):
        super().__init__(*given)
        self.name += ", secret point"

    def fixed(self):
        return {"drawn": self.points[1]}

    def secret(self, chooser):
        return chooser.choice(self.points)

    def parts(self, secret, chooser):
        return chooser.randrange(1, self.n), secret


class Halves(Multiple):
    """A multiple by the endomorphism, with two random halves of the scalar in place of a multiple of the order. Without random halves, the halves of
    each scalar are always the same."""

    kind, program = "scalar multiplication in halves", "endomorphism"
    places = (1 / 4, 3 / 4)  # in the middle of each half

    def hidden(self, k, chooser):
        middle = (1 << resident.HALVES[self.curve][1] - 1,) * 2
        return resident.split(k, self.curve, chooser, None if SCALAR in self.protected else middle)

    def scalar(self):
        return f"{self.operand:b}"


class SecretHalves(Halves, Secret):
    """The scalar is secret."""


class PointHalves(Halves, Point):
    """The point is secret."""


def walked(bench):
    """The number of words that the sequencer executes before the ladder begins, before its second turn, and before the last loop ends."""
    parameters = bench.parameters
    argument = parameters["ARGUMENT_W"]
    memory = [int(line, 16) for line in (bench.directory / "core/words.hex").read_text().split()]
    count = lambda word: word & (1 << argument) - 1
    control = lambda word: word >> argument & 15
    nexts, repeated, again, at, branch = [], 0, 0, 0, None
    for issued in range(10_000_000):
        word = memory[at]
        if word >> argument + 4 & 1:
            nexts.append(issued)
        at, branch = (at + 1 if branch is None else branch), None
        if control(word) == 1:
            again = count(word)
        elif control(word) == 2:
            repeated = issued
            if again:
                again, branch = again - 1, count(word)
        elif control(word) == 12:
            return *nexts[:2], repeated
    raise Failed("the program does not end")
