"""python -m moduli.distributed pow|powmod|multipow|verify … in.parquet results/"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import moduli

from .errors import BadRowError, JobError
from .fixed import pow_batch
from .job import Options, Report
from .powmod import powmod_batch
from .product import multi_pow
from .verification import verify

SHOWN = 20


def number(text: str) -> int:
    try:
        return int(text, 16)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a hexadecimal number") from None


def column_or_number(text: str) -> str | int:
    return number(text) if text.lower().lstrip("+-").startswith("0x") else text


def named_number(text: str) -> tuple[str, int]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=HEX, a name and a hexadecimal number")
    return name, number(value)


def digest(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an even number of hexadecimal digits") from None


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m moduli.distributed", description="Computes powers and verifies equations on many cores or machines, with Dask.")
    verbs = top.add_subparsers(dest="verb", required=True)

    def add(name: str, function: Any, about: str, description: str) -> argparse.ArgumentParser:
        verb = verbs.add_parser(
            name,
            help=about,
            description=f"{description} The results are Parquet files in a folder. If the job is killed, run the same command again to continue it. "
            "Exit status: 0 if all rows have results, 3 if there were bad rows, otherwise 1 or 2.",
        )
        verb.set_defaults(function=function)
        verb.add_argument("source", nargs="+", metavar="in.parquet", help="numbers: fixed-size binary, big-endian")
        verb.add_argument("output", help="a folder for the results")
        verb.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, tcp://… or tls://… (default: processes on this machine)")
        verb.add_argument("--workers", type=int, help="the number of processes on this machine, without --scheduler (default: one per core)")
        verb.add_argument("--on-error", choices=("report", "stop"), default="report", help="what to do at a bad row (default: report)")
        verb.add_argument("--rows-per-piece", type=int, help="the most rows in a result file")
        verb.add_argument("--timeout", type=float, default=60, help="seconds to wait for the scheduler, and for a worker whenever there is none (default: 60)")
        return verb

    verb = add("pow", of_table, "powers of the base of a table", "Computes the powers of the table's base for all exponents of Parquet files.")
    verb.add_argument("--table", required=True, help="a table file, written by FixedBase.save or by the command moduli table build")
    verb.add_argument("--column", help="the column of the exponents, if several columns are of fixed-size binary")
    verb.add_argument("--group", help="require a table of the generator of this group")
    verb.add_argument("--modulus", type=number, help="require a table with this modulus, in hexadecimal")
    verb.add_argument("--base", type=number, help="require a table with this base, in hexadecimal")
    verb.add_argument("--digest", type=digest, help="require a file with this checksum (its last 32 bytes) from a trusted source; entries are then not verified")
    verb.add_argument("--public", action="store_true", help="exponents are public, so that powers are computed faster, and not in constant time")

    verb = add("powmod", of_columns, "a power for each row", "Computes a power for each row of Parquet files.")
    for name in ("base", "exponent"):
        verb.add_argument(f"--{name}", type=column_or_number, required=True, help="the name of a column, or 0x… for all rows")
    verb.add_argument("--modulus", type=column_or_number, help="the name of a column, or 0x… for all rows")
    verb.add_argument("--group", help="use the modulus of this group")

    for name, function, about, description in (
        ("multipow", of_product, "the product of powers over all rows", "Computes the product over all rows and prints it in hexadecimal."),
        ("verify", of_equations, "whether equations hold", "Tests for each row whether equations hold, by random small exponents."),
    ):
        verb = add(name, function, about, description)
        verb.add_argument("--group", help="use the modulus of this group; g is its generator")
        verb.add_argument("--modulus", type=number, help="the modulus, in hexadecimal, if there is no --group")
        verb.add_argument("--base", type=named_number, action="append", default=[], metavar="NAME=HEX", help="a base that all rows share")
        if name == "verify":
            verb.add_argument("--order", type=number, help="the order of the subgroup, with --modulus")
            verb.add_argument("--equation", action="append", required=True, metavar='"g^s = R * y^c"', help="an equation of columns and bases; if given several times, all must hold")
        else:
            verb.add_argument("--product", required=True, metavar='"x^e * y^f"', help="a product of columns and bases")
            verb.add_argument("--secret", action="store_true", help="bases and exponents are secret, so that the product is computed in constant time, and more slowly")
    return top


def of_table(options: argparse.Namespace, common: Options) -> Report:
    base, modulus = options.base, options.modulus
    if options.group:
        if base is not None or modulus is not None:
            raise JobError("--group sets modulus and base: leave out --modulus and --base")
        group = moduli.group(options.group)
        base, modulus = group.g, group.p
    if (base is None) != (modulus is None):
        raise JobError("--modulus and --base must be given together")
    if modulus is None and options.digest is None and sys.stderr.isatty():
        print("note: any base and modulus of the table file are accepted; to require a certain table, use --group, --modulus with --base, or --digest",
              file=sys.stderr)  # fmt: skip
    report: Report = pow_batch(
        options.source, options.table, base=base, modulus=modulus, digest=options.digest, column=options.column,
        secret=not options.public, **common,
    )  # fmt: skip
    return report


def modulus_of(options: argparse.Namespace) -> Any:
    if (options.group is None) == (options.modulus is None):
        raise JobError("either --group or --modulus is needed")
    return moduli.group(options.group).p if options.group else options.modulus


def of_columns(options: argparse.Namespace, common: Options) -> Report:
    report: Report = powmod_batch(options.source, options.base, options.exponent, modulus_of(options), **common)
    return report


def of_product(options: argparse.Namespace, common: Options) -> Report:
    bases = dict(options.base)
    if options.group:
        bases.setdefault("g", moduli.group(options.group).g)
    report: Report = multi_pow(
        options.source, options.product, modulus_of(options), bases=bases, secret=options.secret, **common
    )
    return report


def of_equations(options: argparse.Namespace, common: Options) -> Report:
    report: Report = verify(
        options.source, options.equation, group=options.group, modulus=options.modulus, order=options.order,
        bases=dict(options.base), **common,
    )  # fmt: skip
    return report


def run(options: argparse.Namespace) -> int:
    common: Options = {
        "output": options.output, "client": options.scheduler, "on_error": options.on_error,
        "rows_per_piece": options.rows_per_piece, "workers": options.workers, "timeout": options.timeout,
    }  # fmt: skip
    report = options.function(options, common)
    for bad in report.bad[:SHOWN]:
        print(bad, file=sys.stderr)
    resumed = f", {report.resumed} of them from an earlier start" if report.resumed else ""
    if report.product is not None:
        print(f"{report.product:x}")
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
        print("interrupted; the same command continues from here", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
