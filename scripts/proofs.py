"""Runs `prove` and writes what it printed into docs/proof.md, between two marks.

    proofs.py [ARGUMENT...]    passes its arguments to target/release/prove

The page is written only if everything was proved. crates/prove/tests/page.rs tests that it names the current proofs.
"""

import os
import platform
import re
import subprocess
import sys
from collections import defaultdict
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/proof.md"
BEGIN, END = "<!-- written by make prove-page -->\n", "<!-- to here -->\n"
ROW = re.compile(r"(\S+) +(\S+?)(?:/\d+)? +(\d+) +(\d+) +\d+ +\d+ +([\d.]+) +([\d.]+) +\d+ +(\d+)")
HEAD = """| kernel | operation | proofs | bits of the moduli | instructions at the longest modulus | bytes of that certificate | seconds to find and check that proof |
| --- | --- | --- | --- | --- | --- | --- |
"""


def run(arguments, command=ROOT / "target/release/prove"):
    """Runs the command, shows its output as it arrives, and returns it."""
    process = subprocess.Popen([command, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    lines = []
    for line in process.stdout:
        sys.stdout.write(line)
        lines.append(line.rstrip("\n"))
    if process.wait():
        sys.exit(process.returncode)
    return lines


def table(lines):
    """A row for each operation of each kernel."""
    operations = defaultdict(list)
    for row in filter(None, map(ROW.fullmatch, lines)):
        kernel, operation, bits, instructions, found, checked, size = row.groups()
        operations[kernel, operation].append((int(bits), int(instructions), float(found) + float(checked), int(size)))
    rows = []
    for (kernel, operation), proofs in operations.items():
        bits, instructions, seconds, size = max(proofs)
        shortest = min(proofs)[0]
        rows.append(f"| `{kernel}` | `{operation}` | {len(proofs)} | {shortest} to {bits} | {instructions:,} | {size:,} | {seconds:.2f} |\n")
    return HEAD + "".join(rows)


def where():
    """Where the proofs were made: commit, processor and compiler."""
    git = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=7", "--exclude=*", "--dirty=+"]
    commit = subprocess.run(git, capture_output=True, text=True).stdout.strip()
    known = dict(line.split(":", 1) for line in Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines() if ":" in line)
    known = {name.strip(): value.strip() for name, value in known.items()}
    model = f"{known.get('model name', platform.machine())} family {known.get('cpu family')} model {known.get('model')}"
    compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.strip()
    return f"{date.today()}, commit {commit}, {model}, {os.cpu_count()} cores, {compiler}.\n\n"


def main():
    lines = run(sys.argv[1:])
    said = [line for line in lines if not ROW.fullmatch(line) and not line.startswith("kernel ")]
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    written = where() + table(lines) + "\n" + "".join(f"    {line}\n" for line in said)
    PAGE.write_text(before + BEGIN + "\n" + written + "\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
