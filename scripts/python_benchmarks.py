"""Compares powers and inverses of the Python package with gmpy2's wheel, for docs/python-benchmarks.md: `make
python-bench`.

It measures moduli of 32 to 4096 bits, calls that use one modulus and calls that cycle through many, and integers of
Python and of gmpy2, all in one process. It compares the results first, and then measures both packages alternately, in
rounds. A figure is the median of the ratios of the rounds, with the distance between their quartiles.
"""

import argparse
import math
import platform
import random
import statistics
import sys
import time
from datetime import date
from pathlib import Path

import gmpy2
import moduli
from moduli import bench
from moduli import gmpy2 as drop_in

PAGE = Path(__file__).resolve().parents[1] / "docs/python-benchmarks.md"
LENGTHS = (32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 384, 512, 1024, 2048, 3072, 4096)
MODULI = (1, 16, 17, 100, 1000)
# The seconds that a round of each package should take, and the number of different calls. With few calls, the processor
# would learn to predict the branches.
ROUND, OPERANDS = 0.0015, 1000
BOUND = 0.9

numbers = random.Random(1)


def operands(bits, count):
    """(x, y, m) of this length, cycling through this many moduli; x has an inverse. Each modulus is one object."""
    moduli_ = [numbers.getrandbits(bits) | 1 << (bits - 1) | 1 for _ in range(count)]
    triples = []
    for m in moduli_ * max(1, OPERANDS // count):
        x = numbers.randrange(2, m)
        while math.gcd(x, m) != 1:
            x = numbers.randrange(2, m)
        triples.append((x, numbers.getrandbits(bits) | 1 << (bits - 1), m))
    return triples


def in_gmpy2(triples):
    """The same numbers as integers of gmpy2, again with one object for each modulus."""
    known = {}
    return [(gmpy2.mpz(x), gmpy2.mpz(y), known.setdefault(m, gmpy2.mpz(m))) for x, y, m in triples]


def seconds(function, arguments):
    begun = time.perf_counter()
    for each in arguments:
        function(*each)
    return (time.perf_counter() - begun) / len(arguments)


def compare(ours, theirs, arguments, rounds):
    """The microseconds of both, the median of the ratios of the rounds, and the distance between their quartiles."""
    assert [ours(*each) for each in arguments] == [theirs(*each) for each in arguments]
    each = max(seconds(theirs, arguments[:3]), 1e-7)
    arguments = arguments[: max(1, round(ROUND / each))] if len({m for *_, m in arguments}) == 1 else arguments
    arguments = arguments * max(1, round(ROUND / each / len(arguments)))
    times = [[seconds(function, arguments) for function in (ours, theirs)] for _ in range(rounds)]
    low, ratio, high = statistics.quantiles([b / a for a, b in times], n=4)
    return [statistics.median(each) * 1e6 for each in zip(*times, strict=True)], ratio, high - low


def tables(lengths, rounds):
    """(title, numbers of moduli, rows of (bits, cells)). A cell is a result of compare."""
    kinds = (("integers of Python", moduli, list), ("integers of gmpy2", drop_in, in_gmpy2))
    for kind, module, make in kinds:
        for title, name, counts, cut in (
            ("`powmod`, exponents as long as the modulus", "powmod", (1,), lambda x, y, m: (x, y, m)),
            ("`powmod`, exponent 65537", "powmod", MODULI, lambda x, y, m: (x, 65537, m)),
            ("`invert`", "invert", MODULI, lambda x, y, m: (x, m)),
        ):
            rows = []
            for bits in lengths:
                cells = []
                for count in counts:
                    arguments = [cut(*each) for each in make(operands(bits, count))]
                    few = rounds if name == "invert" or count < 1000 or bits < 1000 else max(5, rounds // 10)
                    cells.append(compare(getattr(module, name), getattr(gmpy2, name), arguments, few))
                rows.append((bits, cells))
                print(kind, title, bits, *(f"{ratio:.2f}" for _, ratio, _ in cells), flush=True)
            yield f"{title}: {kind}", counts, rows


def figure(value):
    """Three digits, without an exponent."""
    return f"{value:.3g}" if value < 999.5 else f"{float(f'{value:.3g}'):,.0f}"


def page(lengths, rounds):
    body, worst = [], []
    for title, counts, rows in tables(lengths, rounds):
        body += [f"\n## {title}\n"]
        body += ["| bits | " + " | ".join(f"{count} moduli" if count > 1 else "1 modulus" for count in counts) + " |"]
        body += ["| ---: |" + " ---: |" * len(counts)]
        for bits, cells in rows:
            texts = []
            for count, ((ours, theirs), ratio, spread) in zip(counts, cells, strict=True):
                mark = "**" if ratio < BOUND else ""
                texts.append(f"{figure(ours)} / {figure(theirs)} µs, {mark}{ratio:.2f}{mark} ± {spread:.2f}")
                if ratio < BOUND:
                    worst.append(f"{title}, {bits} bits, {count}: {ratio:.2f}")
            body.append(f"| {bits} | " + " | ".join(texts) + " |")
    about = (
        f"moduli {moduli.__version__} and gmpy2 {gmpy2.version()} (its wheel, {gmpy2.mp_version()}), Python {platform.python_version()}; "
        f"{bench.processor()}; {date.today()}."
    )
    below = "No ratio is below 0.9." if not worst else f"Ratios below 0.9 are bold: {len(worst)} of them."
    return "\n".join([
        "# Powers and inverses in Python compared with gmpy2",
        "",
        "This page is for readers who consider moduli in place of gmpy2. [python.md](python.md) has a summary, and the times of",
        "lists and tables.",
        "",
        "A cell such as `11.8 / 19.4 µs, 1.65 ± 0.13` gives the time of one call in moduli and in gmpy2, and the ratio of the",
        "two: moduli is 1.65 times as fast. The ratio is the median of the rounds; ± is the distance between the quartiles. Both",
        "packages are measured alternately in one process with one thread, after their results are compared. The columns differ",
        "in the number of different moduli that the calls cycle through. Each modulus is the same object in all calls. In the",
        "tables for integers of gmpy2, results are also integers of gmpy2 (`moduli.gmpy2`). `make python-bench` writes this page.",
        "",
        about,
        "",
        below,
        *body,
        "",
    ])  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer lengths and rounds, printed and not written")
    quick = parser.parse_args().quick
    text = page((32, 64, 128, 256, 1024) if quick else LENGTHS, 7 if quick else 61)
    if quick:
        sys.stdout.write(text)
    else:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
