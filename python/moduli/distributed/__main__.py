"""python -m moduli.distributed pow --table g.table exponents.parquet powers/"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import moduli

from .errors import BadRowError, JobError
from .job import pow_batch

SHOWN = 20


def number(text: str) -> int:
    return int(text, 16)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m moduli.distributed", description="Powers on many cores or machines, by Dask.")
    verbs = top.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser(
        "pow",
        help="powers of a table's base",
        description="Powers of the table's base for all exponents of Parquet files, as Parquet files in a folder. If it is "
        "killed, the same command goes on from there. Exit status: 0 if all is delivered, 3 if there were bad rows, else 1 or 2.",
    )
    verb.add_argument("source", nargs="+", metavar="in.parquet", help="exponents: fixed-size binary, big-endian")
    verb.add_argument("output", help="a folder for the results")
    verb.add_argument("--table", required=True, help="a table file (moduli table build, or FixedBase.save)")
    verb.add_argument("--column", help="the column of the exponents, if there are several of fixed-size binary")
    verb.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, tcp://… or tls://…; without one: this machine")
    verb.add_argument("--workers", type=int, help="processes on this machine, if no scheduler is named; by default one a core")
    verb.add_argument("--group", help="the table has to be that of this group's generator")
    verb.add_argument("--modulus", type=number, help="the table has to be modulo this number, in hexadecimal")
    verb.add_argument("--base", type=number, help="and for this base")
    verb.add_argument("--digest", type=bytes.fromhex, help="or the file has to have this checksum, from a place that is trusted")
    verb.add_argument("--public", action="store_true", help="exponents are public: faster, not constant-time")
    verb.add_argument("--on-error", choices=("report", "stop"), default="report", help="at bad rows (default: report)")
    verb.add_argument("--rows-per-piece", type=int, help="the most rows of a result file")
    verb.add_argument("--timeout", type=float, default=60, help="seconds to wait for scheduler and first worker (default: 60)")
    return top


def run(options: argparse.Namespace) -> int:
    base, modulus = options.base, options.modulus
    if options.group:
        if base is not None or modulus is not None:
            raise JobError("--group says modulus and base; --modulus and --base do not go with it")
        group = moduli.group(options.group)
        base, modulus = group.g, group.p
    if (base is None) != (modulus is None):
        raise JobError("--modulus and --base belong together")
    if modulus is None and options.digest is None and sys.stderr.isatty():
        print("note: the table is taken at its word: --group, --modulus with --base, or --digest say which it has to be",
              file=sys.stderr)  # fmt: skip
    report = pow_batch(
        options.source,
        options.table,
        output=options.output,
        base=base,
        modulus=modulus,
        digest=options.digest,
        client=options.scheduler,
        column=options.column,
        secret=not options.public,
        on_error=options.on_error,
        rows_per_piece=options.rows_per_piece,
        workers=options.workers,
        timeout=options.timeout,
    )
    for bad in report.bad[:SHOWN]:
        print(bad, file=sys.stderr)
    resumed = f", {report.resumed} of them from an earlier start" if report.resumed else ""
    print(f"{report.rows} rows in {report.pieces} files{resumed}; {report.bad_count} bad rows; {report.seconds:.1f} s")
    return 3 if report.bad_count else 0


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        return run(options)
    except (JobError, BadRowError, OSError, ValueError, TypeError) as error:
        print("error: " + " ".join(str(error).split()), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
