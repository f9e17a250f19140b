"""Compares powers and inverses of the Python package with gmpy2's wheel, for docs/python-benchmarks.md: `make
python-bench`.

It uses short to long moduli, one or many in turn, and Python's and gmpy2's integers, all in one process. It compares
results first, and then measures both alternately, round after round. A figure is the median of the rounds' ratios, with
the distance between their quartiles.
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
# The seconds that a round of either should take, and the number of different calls: with few, the processor would
# learn the branches of both.
ROUND, OPERANDS = 0.0015, 1000
BOUND = 0.9

numbers = random.Random(1)


def operands(bits, count):
    """(x, y, m) with these bits, for this many moduli in turn; x has an inverse. Each modulus is one object."""
    moduli_ = [numbers.getrandbits(bits) | 1 << (bits - 1) | 1 for _ in range(count)]
    triples = []
    for m in moduli_ * max(1, OPERANDS // count):
        x = numbers.randrange(2, m)
        while math.gcd(x, m) != 1:
            x = numbers.randrange(2, m)
        triples.append((x, numbers.getrandbits(bits) | 1 << (bits - 1), m))
    return triples


def in_gmpy2(triples):
    """The same as gmpy2's numbers, again one object for each modulus."""
    known = {}
    return [(gmpy2.mpz(x), gmpy2.mpz(y), known.setdefault(m, gmpy2.mpz(m))) for x, y, m in triples]


def seconds(function, arguments):
    begun = time.perf_counter()
    for each in arguments:
        function(*each)
    return (time.perf_counter() - begun) / len(arguments)


def compare(ours, theirs, arguments, rounds):
    """Microseconds of both, and the ratios of the rounds: median and distance of the quartiles."""
    assert [ours(*each) for each in arguments] == [theirs(*each) for each in arguments]
    each = max(seconds(theirs, arguments[:3]), 1e-7)
    arguments = arguments[: max(1, round(ROUND / each))] if len({m for *_, m in arguments}) == 1 else arguments
    arguments = arguments * max(1, round(ROUND / each / len(arguments)))
    times = [[seconds(function, arguments) for function in (ours, theirs)] for _ in range(rounds)]
    low, ratio, high = statistics.quantiles([b / a for a, b in times], n=4)
    return [statistics.median(each) * 1e6 for each in zip(*times, strict=True)], ratio, high - low


def tables(lengths, rounds):
    """(title, head, rows of (bits, cells)), a cell being what compare gives."""
    kinds = (("Python's integers", moduli, list), ("gmpy2's", drop_in, in_gmpy2))
    for kind, module, make in kinds:
        for title, name, counts, cut in (
            ("powmod, exponents as long as the modulus", "powmod", (1,), lambda x, y, m: (x, y, m)),
            ("powmod, exponent 65537", "powmod", MODULI, lambda x, y, m: (x, 65537, m)),
            ("invert", "invert", MODULI, lambda x, y, m: (x, m)),
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


def page(lengths, rounds):
    body, worst = [], []
    for title, counts, rows in tables(lengths, rounds):
        body += [f"\n## {title[0].upper()}{title[1:]}\n"]
        body += ["| bits | " + " | ".join(f"{count} in turn" if count > 1 else "one modulus" for count in counts) + " |"]
        body += ["| ---: |" + " ---: |" * len(counts)]
        for bits, cells in rows:
            texts = []
            for count, ((ours, theirs), ratio, spread) in zip(counts, cells, strict=True):
                mark = "**" if ratio < BOUND else ""
                texts.append(f"{ours:.3g} / {theirs:.3g} µs, {mark}{ratio:.2f}{mark} ± {spread:.2f}")
                if ratio < BOUND:
                    worst.append(f"{title}, {bits} bits, {count}: {ratio:.2f}")
            body.append(f"| {bits} | " + " | ".join(texts) + " |")
    about = (
        f"moduli {moduli.__version__} and gmpy2 {gmpy2.version()} (its wheel, {gmpy2.mp_version()}), Python {platform.python_version()}; "
        f"{bench.processor()}; {date.today()}."
    )
    below = "Nothing is below 0.9." if not worst else f"Ratios below 0.9 are bold: {len(worst)} of them."
    return "\n".join([
        "# Powers and inverses in Python beside gmpy2",
        "",
        "Each cell gives microseconds per call, moduli / gmpy2; then how many times faster moduli is: the median of the rounds,",
        "and the distance between their quartiles. Both are measured alternately in one process with one thread, after their",
        "results are compared. Each modulus is the same object in all calls. With gmpy2's integers, results are gmpy2's as well",
        "(`moduli.gmpy2`). `make python-bench` writes this page.",
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
