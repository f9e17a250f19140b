"""Shared by several tests: moduli of awkward lengths, repeatable random numbers, and comparisons of times."""

import random
import time

# One word and its neighbours, lengths of exactly 64·n bits, those at which kernels change, and common ones.
LENGTHS = (2, 3, 8, 31, 63, 64, 65, 127, 128, 129, 191, 192, 256, 320, 383, 384, 385, 512, 521, 1023, 1024, 1025, 2048, 3071, 3072, 4096, 4160)

random_numbers = random.Random(2026)


def odd(bits):
    """An odd number of exactly `bits` bits, prime or not."""
    return random_numbers.getrandbits(bits) | 1 << (bits - 1) | 1


def below(limit):
    return random_numbers.randrange(limit)


def extremes(m):
    """Operands at the ends of the range, just beyond it, and far beyond it."""
    return (0, 1, 2, m - 1, m, m + 1, 7 * m, 7 * m + 1, -1, -m, 1 - m, -3 * m - 2, (1 << 3 * m.bit_length()) + 5)


def ratio(low, high, rounds=1000):
    """The time of one call divided by that of another. Each is the least of many times, some of which are undisturbed even on a busy machine."""
    least = [float("inf")] * 2
    for _ in range(rounds):
        for place, call in enumerate((low, high)):
            begun = time.perf_counter()
            call()
            least[place] = min(least[place], time.perf_counter() - begun)
    return least[0] / least[1]


def takes(least, low, high, most, rounds=1000):
    """Whether the ratio is within these bounds. It may take several attempts on a busy machine; code that is really out of bounds fails them all."""
    return any(least < ratio(low, high, rounds) < most for _ in range(5))
