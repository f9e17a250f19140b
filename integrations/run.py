"""Runs other projects' programs on moduli: `make integrations`, or run.py NAME... for some of them.

For each, it installs the package from its registry, at pinned versions, under target/integrations; runs the package's own tests without
and with moduli, which must give the same results; runs a benchmark of both in one process; and writes the row of
docs/integrations.md. Other rows stay as they are. With --tests it measures and writes nothing, and skips a package that cannot be
installed; in continuous integration (with CI in the environment) such a package is a failure.
"""

import argparse
import os
import platform
import sys
from datetime import date
from pathlib import Path

import crates
import go_modules
import python_packages
from outcome import ROOT, Unavailable

PAGE = ROOT / "docs/integrations.md"
# All integrations by name. Each has a `title` and a `run(folder, measured) -> Result`.
INTEGRATIONS = {**python_packages.PACKAGES, **crates.CRATES, **go_modules.MODULES}

HEAD = """# Programs that were moved to moduli

Read this page before you move a program from another library of arithmetic to moduli.

## How to move a program

- **Python with gmpy2**: `from moduli import gmpy2` in place of `import gmpy2` ([python.md](python.md)).
- **Rust with num-bigint or rug**: [rust.md](rust.md).
- **C with GMP or GMPMEE**: `moduli_gmp.h` has their functions for `mpz_t` ([c.md](c.md#for-programs-with-mpz_t)).
- **Java with VMGJ**: a second jar has its names ([java.md](java.md)).
- **Go with math/big**: [go.md](go.md); [`integrations/tss_lib/on_moduli.go`](../integrations/tss_lib/on_moduli.go)
  is the code that tss-lib needed.

## What they gained

Each package comes from its registry, in the version that is named. Its own arithmetic is replaced by
moduli when it is imported or linked; its algorithms do not change.

*Its tests*: how many of the package's own tests pass without moduli → with it. Tests that fail do so in
both cases. *Times faster*: the speed with moduli, relative to the package's own arithmetic. Both are
measured alternately in one process, by processor time; the figures are the median of the rounds and the
distance between the quartiles. "Automatic tables" are those of
[`moduli.auto_tables`](python.md#automatic-tables).

`make integrations` writes this page. The programs are in `integrations/`.

| package | its tests | times faster | own arithmetic, machine |
| --- | --- | --- | --- |
"""


def processor():
    """The name of the processor, which may not identify it, and its family and model, if Linux reports them."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    said = {name.strip(): value.strip() for name, colon, value in (line.partition(":") for line in lines) if colon}
    if "model name" not in said:
        return platform.machine()
    kind = [f"{part} {said[key]}" for part, key in (("family", "cpu family"), ("model", "model")) if key in said]
    return ", ".join([said["model name"], *kind])


def rows_of_page():
    """The current rows of the page, by the titles in their first cells."""
    if not PAGE.exists():
        return {}
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and not line.startswith(("| package", "| ---"))]
    return {row.split("|")[1].strip(): row for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(INTEGRATIONS)}; by default all")
    parser.add_argument("--tests", action="store_true", help="run the tests alone")
    options = parser.parse_args()
    if unknown := set(options.names) - set(INTEGRATIONS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    rows, failed = rows_of_page(), []
    for name in options.names or INTEGRATIONS:
        integration = INTEGRATIONS[name]
        try:
            result = integration.run(ROOT / "target/integrations" / name, not options.tests)
        except Unavailable as error:
            print(f"{name}: skipped, for it could not be installed: {error}", flush=True)
            if not options.tests or "CI" in os.environ:
                failed.append(name)
            continue
        print(f"{name}: tests {result.before} -> {result.after}" + (f"; {result.faster}" if result.faster else ""), flush=True)
        if result.wrong:
            print(f"{name}: FAILED: {result.wrong}", flush=True)
            failed.append(name)
        elif not options.tests:
            tests = f"{result.before} → {result.after}" if integration.tests else "none in the package"
            machine = f"{result.baseline}; {processor()}, {date.today()}"
            rows[integration.title] = f"| {integration.title} | {tests} | {result.faster} | {machine} |"
    if not options.tests:
        titles = [each.title for each in INTEGRATIONS.values()]
        PAGE.write_text(HEAD + "".join(rows[title] + "\n" for title in titles if title in rows), encoding="utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
