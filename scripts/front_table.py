"""Puts the tables of the front page and of docs/benchmarks.md together from the pages that `make bench` writes, one for each processor.

    front_table.py           writes them
    front_table.py --check   fails if README.md or docs/benchmarks.md holds another one
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs/benchmarks"
# The processor of the front page.
FRONT = "intel-6-167"
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
        f"{where}\nMore, with spreads and losses, and other processors: [docs/benchmarks.md](docs/benchmarks.md), by `make bench`."
    )
    return "\n".join([*lines, "", said])


def fastest(found, kernels):
    """The time of the fastest of these kernels, and its name; of a page without any, nothing."""
    named = {name: found[name] for first in kernels for name in (first, first.replace("fma50", "adx")) if found.get(name)}
    ratio = lambda cell: float(re.search(r"[*][*]([0-9.]+)[*][*]", cell)[1])
    best = max(named, key=lambda name: ratio(named[name]), default=None)
    return f"{with_ratio(named[best])} ({best.split()[0]})" if best else ""


def by_processor(pages):
    """A row for each of `ROWS`, a column for each page."""
    names = [f"[{name}](benchmarks/{name}.md)" for name in pages]
    rows = []
    for what, title, line, _, kernels in ROWS:
        row = [what]
        for page in pages.values():
            section = next((section for name, section in sections(page).items() if name.startswith(title)), {})
            row.append(fastest(section.get(line, {}), kernels))
        rows.append(row)
    head = ["one core", *names]
    said = [f"- {name}: {re.search(r'^- Processor: (.*?);', page, re.M)[1]}, {re.search(r'^- Date: (.*?);', page, re.M)[1]}" for name, page in pages.items()]
    return "\n".join(["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)] + ["", *said])


def replaced(path, table, is_check):
    """The file with this table between its marks; whether it had another one."""
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    made = f"{before}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}"
    if is_check and made != text:
        sys.exit(f"the table of {path.relative_to(ROOT)} is stale: run scripts/front_table.py")
    path.write_text(made, encoding="utf-8")


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    pages = {path.stem: path.read_text(encoding="utf-8") for path in sorted(PAGES.glob("*.md"))}
    is_check = bool(sys.argv[1:])
    replaced(ROOT / "README.md", table(pages[FRONT]), is_check)
    replaced(ROOT / "docs/benchmarks.md", by_processor(pages), is_check)


if __name__ == "__main__":
    main()
