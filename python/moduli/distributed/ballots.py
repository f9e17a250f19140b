"""Measures the verification of ballots: python -m moduli.distributed.ballots [--ballots N] [--selections N] [--workers N] [--rounds N].

The ballots have the form of ElectionGuard, and their proofs include commitments. Each selection is a ciphertext (alpha, beta) of 0 or
1 and the two halves of a disjunctive proof of Chaum and Pedersen, a_w = g^(v_w)·alpha^(c_w), b_w = K^(v_w - w·c_w)·beta^(c_w). They are
generated from tables of g and K, without the secret key, and one of them is forged. All are verified once with Dask while a worker is
killed, and then alternately with Dask and without (a pool of processes that reads and writes the same pieces). In every run, exactly the
forged proof must be found. The program does not test whether challenges are the right hashes, because moduli does not compute hashes.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import signal
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

import moduli

from . import output, source
from .bench import Alone, duration, print_times, quartiles, serve, setting, size
from .cluster import cores, embedded
from .equation import equation_of
from .job import Report
from .numbers import bytes_of
from .small_exponents import System
from .verification import VerificationPlugin, verify

EQUATIONS = ("g^v0 * alpha^c0 = a0", "K^v0 * beta^c0 = b0", "g^v1 * alpha^c1 = a1", "K^v1 * beta^c1 = K^c1 * b1")
BASES, NUMBERS = ("alpha", "beta", "a0", "b0", "a1", "b1"), ("c0", "v0", "c1", "v1")
# The number of selections that are made at a time, and of rows in a row group.
CHUNK = 2000


@dataclass(frozen=True)
class Election:
    """A group and a key."""

    group: moduli.Group
    key: int

    def make(self, path: Path, rows: int, forged: int) -> None:
        """Generates selections with proofs that they are 0 or 1. One proof is forged."""
        group, q = self.group, self.group.q
        tables = [
            moduli.FixedBase(base, group.p, exponent_bits=q.bit_length(), budget="4MiB", secret=False, batch=CHUNK)
            for base in (group.g, self.key)
        ]
        widths = {**dict.fromkeys(BASES, bytes_of(group.p)), **dict.fromkeys(NUMBERS, bytes_of(q))}
        schema = pa.schema([pa.field(name, pa.binary(width)) for name, width in widths.items()])
        with pq.ParquetWriter(path, schema, use_dictionary=False, compression="NONE", write_statistics=False) as file:
            for start in range(0, rows, CHUNK):
                count = min(CHUNK, rows - start)
                r, u, made_up, c, v = ([secrets.randbelow(q) for _ in range(count)] for _ in range(5))
                votes = [secrets.randbelow(2) for _ in range(count)]
                # The exponents of g for alpha, a0 and a1, and of K for the others; and the numbers of the proofs.
                values: dict[str, list[int]] = {name: [] for name in BASES + NUMBERS}
                for row, vote in enumerate(votes):
                    values["alpha"].append(r[row])
                    values["beta"].append((r[row] + vote) % q)
                    for w in (0, 1):
                        challenge, response = (made_up[row], v[row]) if w != vote else (c[row], (u[row] - c[row] * r[row]) % q)
                        exponent = response + challenge * r[row]
                        values[f"a{w}"].append(exponent % q)
                        values[f"b{w}"].append((exponent + (vote - w) * challenge) % q)
                        values[f"c{w}"].append(challenge)
                        values[f"v{w}"].append((response + (start + row == forged and w == 0)) % q)
                columns = []
                for name in widths:
                    found = as_rows(values[name], widths["c0"])
                    if name in BASES:
                        found = tables[name[0] == "b"].pow_batch(found)
                    columns.append(output.powers_array(found))
                file.write_table(pa.Table.from_arrays(columns, schema=schema), row_group_size=CHUNK)

    def system(self) -> System:
        group = self.group
        return System(tuple(map(equation_of, EQUATIONS)), {"g": group.g, "K": self.key}, BASES, group.p, group.q)


def as_rows(numbers: list[int], width: int) -> Any:
    return np.frombuffer(b"".join(number.to_bytes(width, "big") for number in numbers), np.uint8).reshape(-1, width)


prepared: VerificationPlugin | None = None


def prepare(name: str, key: int) -> None:
    """Prepares the test, once in each process of the pool."""
    global prepared
    prepared = VerificationPlugin("alone", Election(moduli.group(name), key).system())


def one(piece: source.Piece, folder: Path) -> None:
    """Does the same as a worker, with the same functions for rows and files."""
    assert prepared is not None
    array, bad = prepared.results(source.columns_of(piece), piece.rows, piece.start)
    arrow = output.arrow_table("holds", array, bad, "alone")
    output.write_aside(output.part(folder, piece.index), lambda file: output.write_part(arrow, file))


def alone(arguments: list[str]) -> None:
    """Does the work of a job with a pool of processes."""
    path, group, key, most, workers = arguments[0], arguments[1], int(arguments[2], 16), int(arguments[3]), int(arguments[4])
    serve(workers, prepare, (group, key), one, lambda: source.Parquet([path], [*BASES, *NUMBERS]).pieces(most))


def found_in(folder: Path) -> list[int]:
    """The rows that do not hold, according to the result files."""
    holds = [each for file in sorted(folder.glob("part-*")) for each in pq.read_table(file).column("holds").to_pylist()]
    return [row for row, each in enumerate(holds) if not each]


def kill_one(client: Any, folder: Path, pieces: int, killed: list[int]) -> None:
    """Kills a worker when a third of the pieces are finished."""
    process = min(client.run(os.getpid).values())
    while len(list(folder.glob("part-*"))) < pieces / 3:
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    killed.append(len(list(folder.glob("part-*"))))


def processor_time(process: Any) -> float:
    """The processor time of a process and its children, on which other programs have less influence than on elapsed time."""
    return sum(sum(each.cpu_times()[:2]) for each in (process, *process.children(recursive=True)))


def measure(options: argparse.Namespace, folder: Path) -> None:
    group = moduli.group(options.group)
    election = Election(group, moduli.powmod(group.g, secrets.randbelow(group.q), group.p))
    path, rows = folder / "in.parquet", options.ballots * options.selections
    forged = secrets.randbelow(rows)
    begun = time.perf_counter()
    election.make(path, rows, forged)
    print(f"made {rows:,} selections in {time.perf_counter() - begun:.0f} s, {size(path.stat().st_size)}", flush=True)
    idle = 0.0
    with embedded(options.workers) as client:

        def job(target: Path) -> Report:
            report = verify(
                str(path), EQUATIONS, group=group, bases={"K": election.key}, output=target, client=client,
                rows_per_piece=options.rows_per_piece, progress=False,
            )  # fmt: skip
            if [bad.row for bad in report.bad] != [forged] or found_in(target) != [forged]:
                sys.exit(f"row {forged} was forged, and found were {report.bad}")
            return report

        times: tuple[list[float], list[float]] = ([], [])
        computed: tuple[list[float], list[float]] = ([], [])
        killed: list[int] = []
        target = folder / "killed"
        pieces = len(list(source.Parquet([path], [*BASES, *NUMBERS]).pieces(options.rows_per_piece)))
        threading.Thread(target=kill_one, args=(client, target, pieces, killed), daemon=True).start()
        report = job(target)
        print(
            f"a worker killed when {killed[0]} of {pieces} pieces were there: {report.seconds:.1f} s; found: {report.bad[0]}", flush=True
        )
        client.wait_for_workers(options.workers)
        without = Alone("ballots", str(path), options.group, f"{election.key:x}", str(options.rows_per_piece), str(options.workers))
        all_of_it, others = psutil.Process(), psutil.Process(without.process.pid)
        before, begun = (processor_time(all_of_it), 0.0), time.perf_counter()
        time.sleep(5)
        idle = (processor_time(all_of_it) - before[0]) / (time.perf_counter() - begun)
        for number in range(options.rounds):
            for which in (0, 1) if number % 2 else (1, 0):
                target = folder / "round"
                before = processor_time(all_of_it), processor_time(others)
                times[which].append(job(target).seconds if which == 0 else without.seconds(target))
                after = processor_time(all_of_it), processor_time(others)
                computed[which].append(after[which] - before[which])
                if found_in(target) != [forged]:
                    sys.exit("the results differ")
                shutil.rmtree(target)
        without.end()
    print(f"\n{setting(options.workers)}\n\n{options.ballots:,} ballots of {options.selections} selections, {options.group}, {pieces} pieces; "
          f"{options.rounds} rounds, medians ± distance of the quartiles\n")  # fmt: skip
    if options.rounds:
        print_times(rows, times)
        print(f"\nprocessor time of all processes; with nothing to do those of Dask take {100 * idle:.0f} % of a core")
        print_times(rows, computed)
    rate = rows / (quartiles(computed[0])[0] if options.rounds else report.seconds * options.workers)
    print(f"\n{rate:,.0f} selections a second and core; {path.stat().st_size / rows:,.0f} bytes a selection\n")
    print("| ballots | selections | read | core hours | on 1 machine of 16 cores | on 4 | on 16 |\n" + "| --- " * 7 + "|")
    for ballots in (10**6, 10**8):
        count = ballots * options.selections
        hours = count / rate / 3600
        print(
            f"| {ballots:,} | {count:,} | {size(count * path.stat().st_size / rows)} | {hours:,.3g} "
            + "".join(f"| {duration(hours / cores * 3600)} " for cores in (16, 64, 256))
            + "|"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m moduli.distributed.ballots", description="Measures the verification of the proofs of ballots.")
    parser.add_argument("--ballots", type=int, default=20_000)
    parser.add_argument("--selections", type=int, default=10, help="the selections of a ballot")
    parser.add_argument("--rounds", type=int, default=3, help="the rounds with Dask and without (0: only the run in which a worker is killed)")
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--group", default="electionguard-v2.1")
    parser.add_argument("--rows-per-piece", type=int, default=CHUNK)
    parser.add_argument("--folder", help="a folder for the ballots and the results, about 3.2 kB per selection (default: a temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        measure(options, Path(folder))


if __name__ == "__main__":
    main()
