"""Counts what ways of hiding a scalar cost on a curve whose order has many equal bits at its top, and tests whether they hide each of its bits.

    splittings.py write    writes the table of hdl/doc/choosing.md: half a minute
    splittings.py check    checks that this table is what comes out: make hdl-lint

The curve is secp256k1 over 8 x 33. A fixed k is compared with random ones: at each position of the numbers that the program's loops run over, by
the frequency of a 1. A position is called visible if the frequencies differ by more than five standard deviations.
"""

import json
import math
import random
import sys
import tempfile
from pathlib import Path

HDL = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HDL / "dv"), str(HDL / "dv/leak")]

from pages import filled, table  # noqa: E402
from resident import CURVES, HALVES, PROGRAMS, blinded, completion, split  # noqa: E402
from simulate import MODULI, program, run  # noqa: E402

PAGE, NAME, SAMPLES = HDL / "doc/choosing.md", "secp256k1", 20_000
N = CURVES[NAME][3]

# Twice a point, and the sum with another one: complete formulas for a = 0 (Renes, Costello, Batina, algorithms 9 and 7), with
# 3*b = 21 by sums. A joint ladder for two scalars needs four points to add; here a pair stands for them.
TIMES21 = "s = 2({0} + {0})\ns = s + {0}\ns = 2(s + s)\n{0} = s + {0}\n"
STEP = f"""
t0 = y1 * y1
w = 2(t0 + t0)
w = w + w
t1 = y1 * z1
t2 = z1 * z1
{TIMES21.format("t2")}
u = t2 * w
v = t0 + t2
w = t1 * w
t1 = t2 + t2
t2 = t1 + t2
t0 = t0 - t2
v = t0 * v
t1 = x1 * y1
y1 = u + v
x1 = t0 * t1
x1 = x1 + x1
z1 = w
t0 = x1 * x2[bit]
t1 = y1 * y2[bit]
t2 = z1 * l
t3 = x1 + y1
t4 = x2[bit] + y2[bit]
t3 = t3 * t4
t4 = t0 + t1
t3 = t3 - t4
t4 = y1 + z1
t4 = t4 * yz[bit]
t5 = t1 + t2
t4 = t4 - t5
t5 = x1 + z1
t5 = t5 * xz[bit]
t6 = t0 + t2
t5 = t5 - t6
t6 = t0 + t0
t0 = t6 + t0
{TIMES21.format("t2")}
t6 = t1 + t2
t1 = t1 - t2
{TIMES21.format("t5")}
x1 = t4 * t5
t2 = t3 * t1
x1 = t2 - x1
y1 = t5 * t0
t1 = t1 * t6
y1 = t1 + y1
t0 = t0 * t3
z1 = t6 * t4
z1 = z1 + t0
"""
ENTRY = "pairs = random\nl = random\nx = load\ny = load\nscalar = load\nx1 = x\ny1 = y\nz1 = l\n" + "".join(
    f"{pair}[0] = x\n{pair}[1] = y\n" for pair in ("x2", "y2", "xz", "yz"))


def words(path, blinding):
    """The words that a program for this curve takes."""
    with tempfile.TemporaryDirectory() as place:
        said = run([MODULI, "hdl", "--prime", NAME, "--width", 33, "--channels", 8, "--inversion", "fermat", "--program", path, "--curve", NAME,
                    "--blinding", blinding, "-o", place, "--force", "--json"])
    return json.loads(said)["cycles"][0]


def joint():
    """The words that a step of a joint ladder takes."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "joint.rns"
        path.write_text(f"{ENTRY}loop\n{STEP}end\nstore x1\nstore y1\nstore z1\n")
        return words(path, 11) - words(path, 10)


def visible(draw, chooser):
    """At how many positions 1, n - 1 and a random number are visible, each fixed. `draw` gives for k the numbers whose bits are used."""
    def ones(ks):
        counts = []
        for k in ks:
            # A sum of bits for each position, in a number of its own.
            for at, part in enumerate(draw(k, chooser)):
                if len(counts) <= at:
                    counts.append([])
                planes = counts[at]
                level = 0
                while part:
                    if level == len(planes):
                        planes.append(0)
                    planes[level], part = planes[level] ^ part, planes[level] & part
                    level += 1
        return [[sum((plane >> bit & 1) << level for level, plane in enumerate(planes)) for bit in range(400)] for planes in counts]

    others = ones(chooser.randrange(N) for _ in range(SAMPLES))
    every = []
    for fixed in (1, N - 1, chooser.randrange(N)):
        found = 0
        for ours, theirs in zip(ones(fixed for _ in range(SAMPLES)), others):
            for one, other in zip(ours, theirs):
                mean = (one + other) / (2 * SAMPLES)
                found += abs(one - other) > 5 * math.sqrt(2 * SAMPLES * mean * (1 - mean))
        every.append(str(found))
    return ", ".join(every)


def euclid(k, chooser):
    r = chooser.getrandbits(127) | 1 << 127
    return r, k // r, k % r


def additive(k, chooser):
    r = chooser.randrange(N)
    return r, (k - r) % N


def multiplicative(k, chooser):
    r = chooser.getrandbits(127) | 1 << 127
    return r, k * pow(r, -1, N) % N


def of_halves(k, chooser):
    both = split(k, NAME, chooser)
    bits = HALVES[NAME][0]
    return both >> bits, both % (1 << bits)


def completed(k, bits, chooser):
    """What a core makes of a blinded scalar."""
    return (blinded(k, N, bits, chooser) + completion(N, bits)[1],)


def rows():
    chooser = random.Random("splittings")
    plain, today, step = words(PROGRAMS / "weierstrass.rns", 0), words(PROGRAMS / "weierstrass.rns", 160), joint()
    bit = (today - plain) // 160
    halves = words(PROGRAMS / "endomorphism.rns", 2 * HALVES[NAME][0] - N.bit_length())
    rest = plain - 257 * bit
    found = [
        ("not hidden", "", plain, lambda k, _: (k + N if k + N >> 256 else k + 2 * N,)),
        ("k + r·n, 96 random bits", "", today - 64 * bit, lambda k, chooser: completed(k, 96, chooser)),
        ("k + r·n, 160 random bits", "built", today, lambda k, chooser: completed(k, 160, chooser)),
        ("halves k1 + λ·k2, 64 random bits: two ladders", "built", halves, of_halves),
        ("the same: a joint ladder", "counted", halves - 2 * (HALVES[NAME][0] - 1) * bit + HALVES[NAME][0] * step, of_halves),
        ("k = k1·r + k2, r < 2^128: a ladder, then a joint one", "counted", rest + 128 * (bit + step), euclid),
        ("k = (k/r)·r, r < 2^128: a ladder, then another one", "counted", 2 * rest + 384 * bit, multiplicative),
        ("k = r + (k − r): a joint ladder", "counted", rest + 256 * step, additive),
    ]
    for name, how, count, draw in found:
        more = f"{100 * (count / plain - 1):+.1f} %" if count != plain else "–"
        yield [name, how or "–", f"{count:,}", more, visible(draw, chooser)]


def main():
    if sys.argv[1:] not in (["write"], ["check"]):
        sys.exit(__doc__)
    text = filled(PAGE, {"splittings": table(["scalar of secp256k1", "", "words", "more", "visible positions: k = 1, n − 1, random"], list(rows()))}, "splittings.py")
    if sys.argv[1] == "write":
        PAGE.write_text(text)
        return 0
    right = PAGE.read_text() == text
    print(f"{'ok    ' if right else 'FAILED'} {PAGE.name} has the table of splittings")
    return 0 if right else 1


if __name__ == "__main__":
    program(main)
