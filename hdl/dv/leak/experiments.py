"""Experiments that compare fixed secrets with random ones: the operation, the operand that is secret, and the windows of the trace.

Every experiment has two independent sets of traces. A set has equally many traces of random secrets, of other random secrets (for the null test),
and of each fixed secret, in a random order. The other operands are random in all traces.
"""

import random
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "model"))
import cycles  # noqa: E402
from bench import measure  # noqa: E402
from simulate import OPERATIONS  # noqa: E402
from welch import END, Window, compare, durations  # noqa: E402

SETS = (0, 1)
RANDOM, AGAIN, FIXED = 0, 1, 2  # classes in a set: random secrets, other random secrets, then each fixed secret
MONTGOMERY = 4


def label(which_set, kind):
    return 100 * which_set + kind


@dataclass(frozen=True)
class Result:
    """The result of a t-test of one experiment in one window, for one fixed secret or for the null test."""

    operation: str
    secret: str  # the name of the fixed secret, or "none ..." for the null test
    traces: int  # in both sets together
    tested: object
    duration: list  # t of the durations, one for each set

    @property
    def window(self):
        return self.tested.window


class Operation:
    """An operation of moduli_rns with a secret operand."""

    name = ""
    same = False  # whether all traces have the same length

    def __init__(self, bench):
        self.bench, self.p = bench, bench.prime

    def fixed(self):
        """The fixed secrets by name: one random number and the edge cases."""
        return {"drawn": random.Random(f"{self.name} secret").randrange(2, self.p - 1), "1": 1, "P - 1": self.p - 1}

    def secret(self, chooser):
        return chooser.randrange(1, self.p)

    def request(self, secret, chooser):
        raise NotImplementedError

    def windows(self, shortest, longest):
        """The windows: the whole trace aligned at its start, and also at its end if the length varies."""
        return [Window("whole", 0, longest), *[Window("whole, from the end", 0, longest, END)] * (shortest != longest)]


class Inversion(Operation):
    name = "inversion, not blinded"

    def request(self, secret, chooser):
        return f"{OPERATIONS['invert']} {secret:x} 0 = {pow(secret, -1, self.p):x} 0"


class Product(Operation):
    name = "Montgomery product, second factor secret"

    def request(self, secret, chooser):
        first = chooser.randrange(self.p)
        unit = pow(self.bench.product, -1, self.p)
        return f"{OPERATIONS['multiply'] | MONTGOMERY} {first:x} {secret:x} = {first * secret * unit % self.p:x} 0"


class Blinded(Operation):
    """A blinded inversion. The schedule gives its windows, before anything is measured: A enters (entry), then R, and they are multiplied in chunks
    (first use); then all values are products by R (inside), until A^(-1) is computed and leaves (exit)."""

    name = "inversion, blinded"

    def request(self, secret, chooser):
        return f"{OPERATIONS['blinded']} {secret:x} {chooser.randrange(1, self.p):x} = {pow(secret, -1, self.p):x} 0"

    def windows(self, shortest, longest):
        parameters = self.bench.parameters
        frames, read = cycles.frames(parameters), cycles.read(parameters)
        entered = frames + (frames + 3) * read
        # Both factors have entered; their chunk products, which hide A no better than a chunk of R does, are written and read in
        # both bases.
        used = frames + cycles.waited(parameters, False) + (2 * frames + 1) * read + 2 * (read + parameters["CHUNKS"])
        last = cycles.multiplication(parameters, True, False, False)
        return [
            Window("entry", 0, entered),
            Window("first use", entered, used),
            Window("inside", used, shortest - last),
            Window("inside, from the end", last, shortest - used, END),
            Window("exit", 0, last, END),
        ]


def run(operation, each, fixed=None, seed=1, traces=False, more=None, name=None, stages=False, null=True):
    """Measures the sets of an operation, with `each` traces of a class. Returns the measurement, the fixed secrets by name, and the secret of each
    line. `more` returns further labels of the last request, by the set. Without `null` there is no class for a null test."""
    chooser = random.Random(f"{operation.name} {seed}")
    chosen = {key: value for key, value in operation.fixed().items() if fixed is None or key in fixed}
    lines, secrets = [], []
    for which in SETS:
        classes = [kind for kind in range(FIXED + len(chosen)) if null or kind != AGAIN for _ in range(each)]
        chooser.shuffle(classes)
        for kind in classes:
            secret = list(chosen.values())[kind - FIXED] if kind >= FIXED else operation.secret(chooser)
            request = operation.request(secret, chooser)
            further = more(which) if more and kind < FIXED else ()
            lines.append(((label(which, kind), *further), request))
            secrets.append(secret)
    measured = measure(operation.bench, lines, name or operation.name.replace(" ", "-").replace(",", ""), traces, stages=stages,
                       same=operation.same)
    return measured, chosen, secrets


def assess(operation, measured, chosen, each, names=None, null=True):
    """Runs the t-tests of all windows, or of those with these names: the null test if there is one, and each fixed secret against random ones."""
    kinds = {**({"none: random against random": AGAIN} if null else {}), **{name: FIXED + k for k, name in enumerate(chosen)}}
    labels = [label(which, kind) for which in SETS for kind in (RANDOM, *kinds.values())]
    windows = operation.windows(measured.moments.shortest(*labels), measured.moments.cycles(*labels))
    windows = [window for window in windows if names is None or window.name in names]
    results = []
    for secret, kind in kinds.items():
        pairs = [(label(which, kind), label(which, RANDOM)) for which in SETS]
        duration = durations(measured.durations(), pairs)
        results += [Result(operation.name, secret, 4 * each, compare(measured.moments, pairs, window), duration) for window in windows]
    return results


def said(result):
    """A result as a line for a command to print."""
    tested = result.tested
    over = tested.over()
    groups = {group: tested.largest(group) for group in tested.curves}
    top = max(groups, key=groups.get)
    found = f"{len(over)} samples of {tested.samples()}, {groups[top]:.1f} in {top}" if over else (
        f"none of {tested.samples()} samples, {tested.largest_of_one():.2f} in one set")
    return (f"{result.operation}: {result.window.name} ({result.window.said()}), secret {result.secret}, {result.traces} traces: {found}; "
            f"threshold {tested.threshold:.2f}")
