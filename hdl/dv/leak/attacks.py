"""Attacks on traces: correlation power analysis (Brier, Clavier and Olivier 2004) with known operands, and templates (Chari, Rao and Rohatgi 2002),
which are made from traces with known secrets and then read a single trace.
"""

import math
from collections import Counter, defaultdict
from operator import mul


def centred(values):
    """The values minus their mean, scaled so that the sum of squares is 1; None if all values are the same."""
    mean = sum(values) / len(values)
    apart = [value - mean for value in values]
    norm = math.sqrt(sum(map(mul, apart, apart)))
    return [value / norm for value in apart] if norm > 1e-9 else None


def correlations(predicted, samples):
    """For each guess the largest correlation of its prediction with any sample. `predicted` has for each guess a value per trace, `samples` for each
    cycle a value per trace."""
    columns = [column for column in map(centred, samples) if column]
    found = {}
    for guess, values in predicted:
        values = centred(values)
        found[guess] = max(sum(map(mul, values, column)) for column in columns) if values else 0.0
    return found


def rank(found, right):
    """The rank of the right guess: 1 if its correlation is the largest."""
    return 1 + sum(value > found[right] for guess, value in found.items() if guess != right)


def residue_products(known, modulus, guesses):
    """The predicted numbers of 1 bits that a Rower writes when it multiplies the residues of known operands by a guessed one."""
    residues = [value % modulus for value in known]
    for guess in guesses:
        yield guess, [(residue * guess % modulus).bit_count() for residue in residues]


def tile_products(known, modulus, bits, guesses):
    """As residue_products(), for a tile that multiplies the lowest `bits` of residues by the guessed lowest bits of another."""
    pieces = [value % modulus & ((1 << bits) - 1) for value in known]
    for guess in guesses:
        yield guess, [(piece * guess).bit_count() for piece in pieces]


def solve(matrix, vector):
    """x with matrix * x = vector, for a positive definite matrix, by Cholesky's decomposition."""
    n = len(vector)
    lower = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            left = matrix[i][j] - sum(map(mul, lower[i][:j], lower[j][:j]))
            lower[i][j] = math.sqrt(left) if i == j else left / lower[j][j]
    x = []
    for i in range(n):
        x.append((vector[i] - sum(map(mul, lower[i][:i], x))) / lower[i][i])
    for i in reversed(range(n)):
        x[i] = (x[i] - sum(lower[k][i] * x[k] for k in range(i + 1, n))) / lower[i][i]
    return x


class Templates:
    """Normal distributions with a mean for each class and one covariance for all, over the points at which the classes differ most."""

    # Added to variances. Without it, a point that never varies within a class would decide alone.
    LEAST_VARIANCE = 0.05

    def __init__(self, observed, points=48):
        """`observed`: (class, values) of known secrets."""
        groups = defaultdict(list)
        for name, values in observed:
            groups[name].append(values)
        self.prior = {name: len(group) / len(observed) for name, group in groups.items()}
        width = len(observed[0][1])
        means = {name: [sum(column) / len(group) for column in zip(*group)] for name, group in groups.items()}
        total = [sum(self.prior[name] * means[name][k] for name in groups) for k in range(width)]
        between = [sum(self.prior[name] * (means[name][k] - total[k]) ** 2 for name in groups) for k in range(width)]
        within = [0.0] * width
        for name, values in observed:
            for k, (value, mean) in enumerate(zip(values, means[name])):
                within[k] += (value - mean) ** 2 / len(observed)
        ratio = [b / (w + self.LEAST_VARIANCE) for b, w in zip(between, within)]
        self.points = sorted(range(width), key=lambda k: -ratio[k])[:points]
        chosen = {name: [mean[k] for k in self.points] for name, mean in means.items()}
        size = len(self.points)
        covariance = [[self.LEAST_VARIANCE * (i == j) for j in range(size)] for i in range(size)]
        for name, values in observed:
            apart = [values[k] - mean for k, mean in zip(self.points, chosen[name])]
            for i in range(size):
                for j in range(i + 1):
                    covariance[i][j] += apart[i] * apart[j] / len(observed)
        for i in range(size):
            for j in range(i):
                covariance[j][i] = covariance[i][j]
        # Apart from terms that all classes share, the logarithm of the density is linear in the values.
        self.weights, self.offsets = {}, {}
        for name, mean in chosen.items():
            self.weights[name] = solve(covariance, mean)
            self.offsets[name] = math.log(self.prior[name]) - sum(map(mul, self.weights[name], mean)) / 2

    def read(self, values):
        """The likeliest class."""
        seen = [values[k] for k in self.points]
        return max(self.weights, key=lambda name: self.offsets[name] + sum(map(mul, self.weights[name], seen)))


def success(profiled, attacked):
    """Makes templates from `profiled`, pairs of (class, values), and reads `attacked`. Returns how many are read correctly, how many there are, and how
    many would be correct by always naming the most frequent class."""
    templates = Templates(profiled)
    right = sum(templates.read(values) == name for name, values in attacked)
    commonest = max(templates.prior, key=templates.prior.get)
    return right, len(attacked), Counter(name for name, _ in attacked)[commonest]
