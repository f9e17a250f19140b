"""Compares this package with gmpy2 on this machine: python -m moduli.bench [--quick] [--json FILE].

Everything runs in one process. The results of both packages are compared before anything is timed. Then
both are timed alternately, in rounds. Each figure is the median of the rounds, with the distance between the
quartiles in percent. The ratio says how many times faster this package is; "slower" marks ratios below 1.
Times of lists are divided by their length. This package computes lists on all cores, and gmpy2 on one;
RAYON_NUM_THREADS=1 limits this package to one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import moduli

Call = Callable[[], Any]


@dataclass
class Row:
    """A comparison: times in microseconds, spreads in percent."""

    name: str
    bits: int
    ours: float
    ours_spread: float
    theirs: float
    theirs_spread: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def seconds(call: Call, repeats: int) -> float:
    begun = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - begun) / repeats


def compare(name: str, bits: int, ours: Call, theirs: Call, rounds: int, divisor: int = 1) -> Row:
    """Times both alternately, so that other load on the machine affects both."""
    if ours() != theirs():
        raise SystemExit(f"{name}, {bits} bits: the results differ")
    # A round takes about 20 ms.
    repeats = [max(1, int(0.02 / seconds(call, 1))) for call in (ours, theirs)]
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for call, count, kept in zip((ours, theirs), repeats, times):
            kept.append(seconds(call, count) * 1e6 / divisor)

    def figures(kept: list[float]) -> tuple[float, float]:
        low, middle, high = statistics.quantiles(kept, n=4)
        return middle, 100 * (high - low) / middle

    return Row(name, bits, *figures(times[0]), *figures(times[1]))


def comparisons(gmpy2: Any, lengths: list[int], rounds: int) -> list[Row]:
    """All rows. Each is printed when it is measured."""
    rows, numbers = [], random.Random(1)

    def row(*arguments: Any) -> None:
        rows.append(compare(*arguments))
        show(rows[-1])

    for bits in lengths:
        m = int(gmpy2.next_prime(numbers.getrandbits(bits - 1) | 1 << (bits - 1)))
        x, y = numbers.randrange(m), numbers.getrandbits(bits) | 1 << (bits - 1)
        row("powmod", bits, lambda: moduli.powmod(x, y, m), lambda: gmpy2.powmod(x, y, m), rounds)
        row("powmod, y = 65537", bits, lambda: moduli.powmod(x, 65537, m), lambda: gmpy2.powmod(x, 65537, m), rounds)
        row("powmod, y = 1", bits, lambda: moduli.powmod(x, 1, m), lambda: gmpy2.powmod(x, 1, m), rounds)
        row("powmod_sec", bits, lambda: moduli.powmod_sec(x, y, m), lambda: gmpy2.powmod_sec(x, y, m), rounds)
        xs, few = [numbers.randrange(1, m) for _ in range(1000)], max(3, rounds // 3)
        # With the same operand in every call, the processor would learn the branches.
        row(
            "invert, 1000 different values",
            bits,
            lambda: [moduli.invert(x, m) for x in xs],
            lambda: [gmpy2.invert(x, m) for x in xs],
            rounds,
            1000,
        )
        row(
            "invert_batch of 1000",
            bits,
            lambda: moduli.invert_batch(xs, m),
            lambda: [gmpy2.invert(x, m) for x in xs],
            few,
            1000,
        )
        for count in (100, 1000):
            ks = [numbers.getrandbits(256) for _ in range(count)]
            row(
                f"powmod_exp_list of {count}, 256 bits",
                bits,
                lambda: moduli.powmod_exp_list(x, ks, m),
                lambda: gmpy2.powmod_exp_list(x, ks, m),
                few,
                count,
            )
        ks = [numbers.getrandbits(256) for _ in range(200)]
        row(
            "powmod_base_list of 200, 256 bits",
            bits,
            lambda: moduli.powmod_base_list(xs[:200], ks[0], m),
            lambda: gmpy2.powmod_base_list(xs[:200], ks[0], m),
            few,
            200,
        )
        for secret in (True, False):
            g = moduli.FixedBase(x, m, exponent_bits=256, secret=secret)
            row(
                f"FixedBase.pow, 256 bits, {'secret' if secret else 'public'}, compared with powmod{'_sec' if secret else ''}",
                bits,
                lambda: g.pow(ks[0]),
                lambda: (gmpy2.powmod_sec if secret else gmpy2.powmod)(x, ks[0], m),
                rounds,
            )
        g = moduli.FixedBase(x, m, exponent_bits=256, secret=False, budget="4MiB")
        ks = [numbers.getrandbits(256) for _ in range(1000)]
        row(
            "FixedBase.pow_batch of 1000, 256 bits, public, 4 MiB, compared with powmod_exp_list",
            bits,
            lambda: g.pow_batch(ks),
            lambda: gmpy2.powmod_exp_list(x, ks, m),
            few,
            1000,
        )
    return rows


def figure(value: float) -> str:
    """Four digits, without an exponent."""
    return f"{value:.4g}" if value < 9999.5 else f"{value:,.0f}"


def show(row: Row) -> None:
    slower = "" if row.ratio >= 1 else " (slower)"
    print(
        f"| {row.name} | {row.bits} | {figure(row.ours)} ± {row.ours_spread:.0f} % "
        f"| {figure(row.theirs)} ± {row.theirs_spread:.0f} % | {row.ratio:.2f}{slower} |",
        flush=True,
    )


def processor() -> str:
    """The name of the processor, with family and model if the system reports them."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            pairs = (line.partition(":") for line in file)
            said = {name.strip(): value.strip() for name, colon, value in pairs if colon}
    except OSError:
        said = {}
    if "model name" not in said:
        return platform.processor() or platform.machine()
    kind = [f"{part} {said[key]}" for part, key in (("family", "cpu family"), ("model", "model")) if key in said]
    return ", ".join([said["model name"], *kind])


def main() -> None:
    parser = argparse.ArgumentParser(description="Compares this package with gmpy2 on this machine.")
    parser.add_argument("--quick", action="store_true", help="fewer lengths and rounds")
    parser.add_argument("--json", help="write the figures to this file")
    options = parser.parse_args()
    try:
        import gmpy2  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        sys.exit("python -m moduli.bench compares with gmpy2: pip install gmpy2")
    threads = os.environ.get("RAYON_NUM_THREADS") or os.cpu_count()
    about = (
        f"moduli {moduli.__version__}, gmpy2 {gmpy2.version()} ({gmpy2.mp_version()}), Python {platform.python_version()}; "
        f"{processor()}, {threads} threads; microseconds, median ± distance of the quartiles; "
        f"load {os.getloadavg()[0]:.1f} at the start"
    )
    print(about + "\n\n| what | bits | moduli | gmpy2 | times faster |\n| --- | --- | --- | --- | --- |", flush=True)
    lengths, rounds = ([256, 1024, 2048], 5) if options.quick else ([256, 512, 1024, 2048, 3072, 4096], 15)
    rows = comparisons(gmpy2, lengths, rounds)
    slower = [f"{row.name} at {row.bits} bits" for row in rows if row.ratio < 1]
    print("\nSlower than gmpy2: " + ("; ".join(slower) if slower else "none of these"))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"about": about, "rows": [asdict(row) for row in rows]}, file, indent=1)


if __name__ == "__main__":
    main()
