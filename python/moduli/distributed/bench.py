"""Measures what Dask costs, and projects the time of large jobs: python -m moduli.distributed.bench [--rows N] [--workers N] [--rounds N].

The same work is done alternately with Dask and without, in rounds. It reads exponents from a Parquet file, and writes and syncs
result files, with the same number of processes of one thread each. "Without" is a pool of processes (concurrent.futures), which does
not verify the table; with Dask, each job verifies it. All results are first compared by SHA-256. The cluster is started only once,
and the time for its start is reported separately.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import platform
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import moduli
from moduli.bench import processor

from . import output, source
from .cluster import cores, embedded
from .fixed import pow_batch
from .job import Report

# The work without Dask, in a separate process with its own pool. It reads the name of a folder from each line, and
# answers with seconds.
ALONE = "import sys; from moduli.distributed.{} import alone; alone(sys.argv[1:])"


def make_source(path: Path, rows: int, width: int) -> None:
    """Writes random exponents in one row group, like a file that was not prepared for this program."""
    values = pa.py_buffer(secrets.token_bytes(rows * width))
    array = pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), rows, [None, values])
    pq.write_table(pa.table({"k": array}), path, row_group_size=rows)


def digest_of(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        for array in pq.read_table(file).column("power").chunks:
            digest.update(array.buffers()[1])
    return digest.hexdigest()


opened: moduli.FixedBase | None = None


def open_table(path: str, secret: bool) -> None:
    """Opens the table, once in each process of the pool."""
    global opened
    opened = moduli.FixedBase.open(path, digest=Path(path).read_bytes()[-32:], secret=secret, verify=False, mmap=True)


def one(piece: source.Piece, folder: Path) -> None:
    """Does the same as a worker, with the same functions for files."""
    assert piece.span is not None and opened is not None
    [(rows, _)] = source.columns_of(piece).values()
    arrow = output.arrow_table("power", output.powers_array(opened.pow_batch(rows)), [], "alone")
    output.write_aside(output.part(folder, piece.index), lambda file: output.write_part(arrow, file))


def alone(arguments: list[str]) -> None:
    """Does the work of a job with a pool of processes."""
    path, table, secret, most, workers = arguments[0], arguments[1], arguments[2] == "secret", int(arguments[3]), int(arguments[4])
    serve(workers, open_table, (table, secret), one, lambda: source.Parquet([path]).pieces(most))


def serve(
    workers: int, prepare: Callable[..., None], arguments: tuple[Any, ...], one: Callable[[source.Piece, Path], None],
    pieces: Callable[[], Iterable[source.Piece]],
) -> None:  # fmt: skip
    """Computes all pieces for each line of stdin, which names a folder for the results."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=prepare, initargs=arguments) as pool:
        print("ready", flush=True)
        for line in sys.stdin:
            folder = Path(line.strip())
            begun = time.perf_counter()
            folder.mkdir()
            all_pieces = list(pieces())
            list(pool.map(one, all_pieces, [folder] * len(all_pieces)))
            print(time.perf_counter() - begun, flush=True)


class Alone:
    """A process that does the work without Dask on request."""

    def __init__(self, module: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", ALONE.format(module), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "RAYON_NUM_THREADS": "1"},
        )
        self.line()

    def line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline()

    def seconds(self, folder: Path) -> float:
        assert self.process.stdin
        self.process.stdin.write(f"{folder}\n")
        self.process.stdin.flush()
        return float(self.line())

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def quartiles(values: list[float]) -> tuple[float, float]:
    """The median, and the distance between the quartiles in percent of the median."""
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else (values[0],) * 3
    return middle, 100 * (high - low) / middle


def measure(options: argparse.Namespace, folder: Path) -> None:
    group = moduli.group(options.group)
    secret = not options.public
    table, path = folder / "g.table", folder / "in.parquet"
    built = moduli.FixedBase(group.g, group.p, exponent_bits=256, budget=options.budget, secret=secret)
    built.save(table)
    make_source(path, options.rows, 32)
    begun = time.perf_counter()
    with embedded(options.workers) as client:
        started = time.perf_counter() - begun

        def job(target: Path) -> Report:
            report = pow_batch(
                str(path), table, output=target, base=group.g, modulus=group.p, client=client, secret=secret,
                rows_per_piece=options.rows_per_piece, progress=False,
            )  # fmt: skip
            assert isinstance(report, Report)
            return report

        first = job(folder / "first")
        most = -(-options.rows // first.pieces)
        without = Alone("bench", str(path), str(table), "secret" if secret else "public", str(most), str(options.workers))
        without.seconds(folder / "second")
        count = len(list((folder / "second").glob("part-*")))
        if count != first.pieces or digest_of(first.files) != digest_of([output.part(folder / "second", i) for i in range(count)]):
            sys.exit("the results differ")
        times: tuple[list[float], list[float]] = ([], [])
        for number in range(options.rounds):
            for name in ("first", "second"):
                shutil.rmtree(folder / name)
            # Each of the two is first in every other round.
            order = (0, 1) if number % 2 else (1, 0)
            for which in order:
                times[which].append(job(folder / "first").seconds if which == 0 else without.seconds(folder / "second"))
        without.end()
    print(f"{setting(options.workers)}\n")
    print(
        f"{options.rows:,} exponents of 256 bits, {'secret' if secret else 'public'}, modulo "
        f"{group.p.bit_length()} bits; {built!r}; {first.pieces} pieces; median of {options.rounds} rounds ± distance of the quartiles\n"
    )
    print_times(options.rows, times)
    print(f"start of the cluster {started:.1f} s\n")
    rate = options.rows / quartiles(times[0])[0] / options.workers
    extrapolate(rate, options.powers, os.path.getsize(path) / options.rows, sum(map(os.path.getsize, first.files)) / options.rows)


def setting(workers: int) -> str:
    """The versions and the machine of a measurement."""
    return (
        f"moduli {moduli.__version__}, dask and distributed {version('distributed')}, pyarrow {pa.__version__}, NumPy "
        f"{np.__version__}, Python {platform.python_version()}; {processor()}, {workers} workers; load {os.getloadavg()[0]:.1f} at the end"
    )


def print_times(rows: int, times: tuple[list[float], list[float]]) -> None:
    """Prints the seconds of the rounds with Dask and without."""
    overheads = [100 * (ours / theirs - 1) for ours, theirs in zip(*times)]
    for name, values in zip(("with Dask", "without"), times):
        middle, spread = quartiles(values)
        print(f"{name:<12} {middle:8.2f} s ± {spread:.0f} %  {rows / middle:10,.0f} rows/s; best {min(values):.2f} s")
    low, middle, high = statistics.quantiles(overheads, n=4) if len(overheads) > 1 else overheads * 3
    best = 100 * (min(times[0]) / min(times[1]) - 1)
    print(f"overhead     {middle:8.1f} % (quartiles {low:.1f} and {high:.1f} %), of the best rounds {best:.1f} %")


def extrapolate(rate: float, powers: int, read: float, written: float) -> None:
    """Prints a projection of the measurement to many ballots."""
    print(f"{rate:,.0f} powers a second and worker; {powers} powers a ballot; {read:.0f} bytes read and {written:.0f} written a power, "
          f"{size(16 * rate * written)} written a second by 16 workers\n")  # fmt: skip
    print("| ballots | powers | read | written | core hours | on 1 machine of 16 cores | on 4 | on 16 |\n" + "| --- " * 8 + "|")
    for ballots in (10**6, 10**8):
        hours = ballots * powers / rate / 3600
        print(
            f"| {ballots:,} | {ballots * powers:,} | {size(ballots * powers * read)} | {size(ballots * powers * written)} | {hours:,.3g} "
            + "".join(f"| {duration(hours / cores * 3600)} " for cores in (16, 64, 256))
            + "|"
        )


def size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            break
        count /= 1000
    return f"{count:.3g} {unit}"


def duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.2g} min" if seconds < 6000 else f"{seconds / 3600:.2g} h"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m moduli.distributed.bench", description="Measures what Dask costs, and projects the time of large jobs.")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--group", default="ffdhe3072")
    parser.add_argument("--budget", default="4MiB", help="the most bytes of the table")
    parser.add_argument("--public", action="store_true", help="exponents are public")
    parser.add_argument("--powers", type=int, default=60, help="the powers of a ballot, for the projection")
    parser.add_argument("--rows-per-piece", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(options, Path(folder))


if __name__ == "__main__":
    main()
