"""Welch's t-test over traces, as in test vector leakage assessment (Goodwill, Jun, Jaffe and Rohatgi 2011), with a threshold for how many
samples are looked at (Ding, Zhang, Durvaux, Standaert and Fei 2017), and two independent sets of traces.
"""

import math
from array import array
from dataclasses import dataclass
from statistics import NormalDist

# The probability that the first set of a test is above the threshold although the classes do not differ.
FALSE_ALARM = 0.01
# A sample is not tested if fewer traces of a class reach it, because the others have ended.
FEWEST = 15
START, END = 0, 1
# Used as t if the classes differ and all traces within each class are the same.
CERTAIN = 1e4


class Moments:
    """The sums that the harness writes. For each label, aligned at the start or the end, and each cycle: the number of traces, and for each group the
    sums of the toggles and of their squares."""

    def __init__(self, path, groups):
        words = array("Q")
        words.frombytes(path.read_bytes())
        self.groups, self._row = groups, 1 + 2 * len(groups)
        self._sums, self._cycles, at = {}, {}, 2
        for _ in range(words[0]):
            label, cycles = words[at : at + 2]
            at += 2
            sides = []
            for _ in range(words[1]):
                sides.append(words[at : at + cycles * self._row])
                at += cycles * self._row
            self._sums[label], self._cycles[label] = sides, cycles
        if at != len(words):
            raise ValueError(f"{path} has {len(words)} words, not {at}")

    def cycles(self, *labels):
        """The number of cycles of the longest trace with these labels."""
        return max(self._cycles[label] for label in labels)

    def shortest(self, *labels):
        """The number of cycles that all traces with these labels have."""
        whole = lambda label: next((k for k in range(self._cycles[label]) if self.traces(label, k) < self.traces(label, 0)), self._cycles[label])
        return min(map(whole, labels))

    def traces(self, label, cycle, side=START):
        return self._sums[label][side][cycle * self._row] if cycle < self._cycles[label] else 0

    def of(self, label, group, cycle, side=START):
        """(number of traces, sum, sum of squares)."""
        if cycle >= self._cycles[label]:
            return 0, 0, 0
        sums, at = self._sums[label][side], cycle * self._row
        column = at + 1 + 2 * self.groups.index(group)
        return sums[at], sums[column], sums[column + 1]


def t_value(one, other):
    """Welch's t of two classes, each given as (number of traces, sum, sum of squares)."""
    (n1, s1, q1), (n2, s2, q2) = one, other
    difference = s1 / n1 - s2 / n2
    # Numerators are exact integers, so that of a variance is exactly 0 if all values are the same.
    spread = (n1 * q1 - s1 * s1) / (n1 * n1 * (n1 - 1)) + (n2 * q2 - s2 * s2) / (n2 * n2 * (n2 - 1))
    if spread == 0:
        return math.copysign(CERTAIN, difference) if difference else 0.0
    return max(-CERTAIN, min(CERTAIN, difference / math.sqrt(spread)))


def threshold(samples):
    """The bound on |t| that no sample of a test exceeds by chance, except with probability FALSE_ALARM, by Bonferroni's inequality."""
    return NormalDist().inv_cdf(1 - FALSE_ALARM / (2 * max(samples, 1)))


@dataclass(frozen=True)
class Window:
    """A range of cycles of a trace, from `first` to `last` - 1, counted from the start, or backwards from the end."""

    name: str
    first: int
    last: int
    side: int = START

    def said(self):
        if self.side == END:
            return f"the last {self.last}" if self.first == 0 else f"the last {self.last} but {self.first}"
        return f"{self.first} to {self.last - 1}"


@dataclass
class Tested:
    """The t-test of a window: a value for each group and cycle, in both sets of traces."""

    window: Window
    curves: dict  # group: [t of the first set, t of the second], each a list over cycles
    threshold: float

    def samples(self):
        return sum(len(first) for first, _ in self.curves.values())

    def over(self, group=None):
        """All (group, cycle) at which both sets exceed the threshold with the same sign."""
        return [(name, self.window.first + k) for name, (first, second) in self.curves.items() if group in (None, name)
                for k, (a, b) in enumerate(zip(first, second)) if min(abs(a), abs(b)) > self.threshold and (a > 0) == (b > 0)]

    def largest(self, group):
        """The largest |t| that both sets reach at the same cycle, with the same sign."""
        return max((min(abs(a), abs(b)) for a, b in zip(*self.curves[group]) if (a > 0) == (b > 0)), default=0.0)

    def largest_of_one(self):
        """The largest value of either set, in any group."""
        return max((abs(t) for sets in self.curves.values() for curve in sets for t in curve), default=0.0)

    def leaks(self):
        return bool(self.over())


def compare(moments, pairs, window):
    """The t-test of a window. `pairs`: the two labels of each set."""
    last = min(window.last, moments.cycles(*(label for pair in pairs for label in pair)))
    cycles = [k for k in range(window.first, last) if all(moments.traces(label, k, window.side) >= FEWEST for pair in pairs for label in pair)]
    curves = {group: [[t_value(*(moments.of(label, group, k, window.side) for label in pair)) for k in cycles] for pair in pairs] for group in moments.groups}
    return Tested(window, curves, threshold(len(cycles) * len(moments.groups)))


def durations(outcomes, pairs):
    """Welch's t of the durations, in both sets. `outcomes`: label and cycles of every trace."""
    sums = {}
    for label, cycles in outcomes:
        n, s, q = sums.get(label, (0, 0, 0))
        sums[label] = n + 1, s + cycles, q + cycles * cycles
    return [t_value(sums[one], sums[other]) for one, other in pairs]
