"""Makes the tables of README.md and docs/benchmarks.md, and the chart of README.md, from the pages that `make bench`
writes, one for each processor.

    front_table.py           writes them
    front_table.py --check   fails if one of them is stale
"""

import re
import sys
from pathlib import Path

import front_chart

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs/benchmarks"
# The processors of the front page, and their names there: one of each maker with AVX-512 IFMA, and one without.
FRONT = [
    ("intel-6-167", "Intel with AVX-512 IFMA"),
    ("amd-25-17", "AMD Zen 4 with AVX-512 IFMA"),
    ("amd-25-1", "AMD Zen 3, without"),
]
# Those of the chart.
DRAWN = [("intel-6-167", "Intel with AVX-512 IFMA"), ("amd-25-1", "AMD Zen 3")]
CHART = ROOT / "docs/speed.svg"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

# For each row: its name, the section and the line of the page, and the columns of each rival and each kernel. The
# kernel is compared with the first rival that the page has.
RIVALS = ("GMP", "OpenSSL", "crypto-bigint")
ROWS = [
    *(
        (f"x^e mod p, {bits} bits, constant-time", "Exponentiation", f"{bits}/{bits}", ("mpz_powm", "OpenSSL", "crypto-bigint"), ("ifma52", "fma50"))
        for bits in (1024, 2048, 3072, 4096)
    ),
    ("g^e mod p, 3072 bits, e of 256 bits, a table of 1 MiB, constant-time", "Fixed base", "256/3072, 1.00 MiB", ("mpz_powm", None, None), ("ifma52 constant-time", "fma50 constant-time")),
    ("g^e mod p as in the row above, but e public", "Fixed base", "256/3072, 1.00 MiB", ("mpz_powm", None, None), ("ifma52 public", "fma50 public")),
    ("RSA-2048 private operation, blinded and checked", "RSA private operation", "2048", (None, "OpenSSL", None), ("ifma52", "fma50")),
    ("one inverse mod p, 2048 bits, constant-time", "Modular inversion", "2048", ("mpz_invert", "OpenSSL", "crypto-bigint"), ("invert", "invert")),
    ("1000 inverses mod p, 2048 bits, constant-time", "Modular inversion", "1000 values, 2048", ("mpz_invert", None, None), ("ifma52", "fma50")),
]


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def sections(page):
    """The tables of a page: for each section title its lines by their first cell, and their cells by column."""
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
    """The time, and in bold its ratio: the first rival's time divided by this one, as the median over rounds."""
    return f"{time_of(cell)}, **{re.search(r'[*][*]([0-9.]+)[*][*]', cell)[1]}**"


def about(page):
    """The facts about a run at the head of its page: processor, date, versions."""
    return dict(re.findall(r"^- (Processor|Date|GMP|OpenSSL|crypto-bigint): (.*)$", page, re.M))


def lines_of(page):
    """Each of `ROWS` with its line on a page, which is empty if the page has none."""
    found = sections(page)
    for row in ROWS:
        yield row, next((section for name, section in found.items() if name.startswith(row[1])), {}).get(row[2], {})


def table(pages):
    """The table of README: the fastest kernel, for each processor of the front page."""
    columns = [
        [fastest(found, kernels) for (_, _, _, _, kernels), found in lines_of(pages[name])] for name, _ in FRONT
    ]
    rows = [[row[0], *(column[index] for column in columns)] for index, row in enumerate(ROWS)]
    head = ["one core", *(title for _, title in FRONT)]
    lines = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    runs = []
    for name, title in FRONT:
        run = about(pages[name])
        runs.append(
            f"{title.removesuffix(', without')}: {run['Processor'].split(';')[0]}, {run['Date'].split(';')[0]}, GMP {run['GMP'].split()[0]} built for it, "
            f"{' '.join(run['OpenSSL'].split()[:2])}."
        )
    said = "\n".join(
        [
            "Times are moduli's. A bold number is GMP's time (for RSA, OpenSSL's) divided by moduli's, as the median over rounds. "
            'If it is below 1, moduli is slower. "Constant-time" describes moduli; GMP\'s `mpz_powm` and `mpz_invert` are variable-time. '
            "The name in parentheses is moduli's kernel; `invert` runs the same code whatever the kernel. "
            "The benchmark compares the results first, and then runs all candidates in turn, in one process.",
            " ".join(runs),
        ]
    )
    return "\n".join([*lines, "", said])


def picture(pages):
    """The chart of README and its text alternative."""
    groups = []
    for name, title in DRAWN:
        for (_, section, line, rivals, kernels), found in lines_of(pages[name]):
            if section == "Exponentiation" and line.split("/")[0] in ("2048", "4096"):
                ours = re.match(r"[\d.]+ \S+(?=,)", fastest(found, kernels))[0]
                bars = [("moduli", ours), *zip(RIVALS, (time_of(found[rival]) for rival in rivals))]
                groups.append((f"{line.split('/')[0]} bits, {title}", bars))
    return front_chart.chart(groups)


def fastest(found, kernels):
    """The time and name of the fastest of these kernels, or "" if the page has none of them."""
    named = {name: found[name] for first in kernels for name in (first, first.replace("fma50", "adx")) if found.get(name)}
    ratio = lambda cell: float(re.search(r"[*][*]([0-9.]+)[*][*]", cell)[1])
    best = max(named, key=lambda name: ratio(named[name]), default=None)
    return f"{with_ratio(named[best])} ({best.split()[0]})" if best else ""


def by_processor(pages):
    """The table of docs/benchmarks.md: a row for each of `ROWS`, a column for each page."""
    names = [f"[{name}](benchmarks/{name}.md)" for name in pages]
    rows = []
    found = [list(lines_of(page)) for page in pages.values()]
    for index, (what, _, _, _, kernels) in enumerate(ROWS):
        rows.append([what, *(fastest(lines[index][1], kernels) for lines in found)])
    head = ["one core", *names]
    said = [f"- {name}: {re.search(r'^- Processor: (.*?);', page, re.M)[1]}, {re.search(r'^- Date: (.*?);', page, re.M)[1]}" for name, page in pages.items()]
    return "\n".join(["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)] + ["", *said])


def replaced(path, table, is_check):
    """Writes this table between the marks of the file. With `is_check`, ends the program if the file has another one."""
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
    replaced(ROOT / "README.md", table(pages), is_check)
    drawing, said = picture(pages)
    if is_check and drawing != CHART.read_text(encoding="utf-8"):
        sys.exit(f"{CHART.relative_to(ROOT)} is stale: run scripts/front_table.py")
    CHART.write_text(drawing, encoding="utf-8")
    if f"![{said}](docs/speed.svg)" not in (ROOT / "README.md").read_text(encoding="utf-8"):
        sys.exit(f"README.md: the text alternative of the chart must be: {said}")
    replaced(ROOT / "docs/benchmarks.md", by_processor(pages), is_check)


if __name__ == "__main__":
    main()
