"""Puts the table of the front page together from docs/benchmarks.md, which `make bench` measures.

    front_table.py           writes it into README.md
    front_table.py --check   fails if README.md holds another one
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

# What, the section of the page, its line, and the column of each rival and kernel; the first rival that is there is compared with.
RIVALS = ("GMP", "OpenSSL", "crypto-bigint")
ROWS = [
    *(
        (f"x^e mod p, {bits} bits, constant-time", "Exponentiation", f"{bits}/{bits}", ("mpz_powm", "OpenSSL", "crypto-bigint"), ("ifma52", "fma50"))
        for bits in (1024, 2048, 3072, 4096)
    ),
    ("g^e mod p, 3072 bits, e of 256, a table of 1 MiB, constant-time", "Fixed base", "256/3072, 1.00 MiB", ("mpz_powm", None, None), ("ifma52 constant-time", "fma50 constant-time")),
    ("the same, e public", "Fixed base", "256/3072, 1.00 MiB", ("mpz_powm", None, None), ("ifma52 public", "fma50 public")),
    ("RSA-2048 private operation, blinded and checked", "RSA private operation", "2048", (None, "OpenSSL", None), ("ifma52", "fma50")),
    ("an inverse mod p, 2048 bits, constant-time (`mpz_invert` is not)", "Modular inversion", "2048", ("mpz_invert", "OpenSSL", "crypto-bigint"), ("invert", "invert")),
    ("1000 inverses mod p, 2048 bits, constant-time", "Modular inversion", "1000 values, 2048", ("mpz_invert", None, None), ("ifma52", "fma50")),
]


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def sections(page):
    """By the title of a section the lines of its table, each by column."""
    found = {}
    for part in page.split("\n### ")[1:]:
        lines = [line for line in part.splitlines() if line.startswith("|")]
        if len(lines) > 2:
            head = cells(lines[0])
            found[part.splitlines()[0]] = {cells(line)[0]: dict(zip(head, cells(line))) for line in lines[2:]}
    return found


def time_of(cell):
    return re.match(r"[\d.]+ \S+", cell)[0] if cell else ""


def with_ratio(cell):
    """The time, and how many times faster than the first rival, a median over rounds, in bold."""
    return f"{time_of(cell)}, **{re.search(r'[*][*]([0-9.]+)[*][*]', cell)[1]}**"


def table(page):
    about = dict(re.findall(r"^- (Processor|Date|GMP|OpenSSL|crypto-bigint): (.*)$", page, re.M))
    all_sections = sections(page)
    rows = []
    for what, title, line, rivals, kernels in ROWS:
        section = next(section for name, section in all_sections.items() if name.startswith(title))
        found = section[line]
        theirs = [time_of(found.get(rival, "")) if rival else "" for rival in rivals]
        rows.append([what, *theirs, *(with_ratio(found[kernel]) for kernel in kernels)])
    head = ["one core", *RIVALS, "moduli, AVX-512 IFMA", "moduli, AVX2 and FMA"]
    lines = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    day = about["Date"].split(";")[0]
    where = (
        f"{about['Processor'].split(';')[0]}; {day}; GMP {about['GMP'].split()[0]} built for the processor, "
        f"{' '.join(about['OpenSSL'].split()[:2])}, crypto-bigint {about['crypto-bigint']}."
    )
    said = (
        "Bold: how many times faster than the first rival in the row. All in one process, interleaved, results compared first; "
        f"{where}\nMore, with spreads and losses: [docs/benchmarks.md](docs/benchmarks.md), by `make bench`."
    )
    return "\n".join([*lines, "", said])


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    made = f"{before}{BEGIN}\n{table((ROOT / 'docs/benchmarks.md').read_text(encoding='utf-8'))}\n{END}{after}"
    if sys.argv[1:] and made != text:
        sys.exit("the table of README.md is stale: run scripts/front_table.py")
    readme.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
