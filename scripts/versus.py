"""Compares this tree's library with that of another commit, alternately in one process.

    versus.py COMMIT     ten minutes, a fifth of them for the build; needs a quiet core

It prints all ratios, and writes them into docs/versus/MAKER-FAMILY-MODEL.md, the page of this processor. Both libraries are
built once and linked several times, with the functions in a different order each time. The place of code in memory changes
a row by a twentieth on most processors, and by a quarter on Zen 5. A real difference shows in all orders. The linker is
LLVM's, which rustc uses on Linux on x86-64.
"""

import datetime
import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "target/versus"
# Seeds by which the linker shuffles the functions; 0 keeps their order.
SEEDS = (0, 1, 2, 3)

MANIFEST = """[package]
name = "versus"
version = "0.0.0"
edition = "2024"

[[bin]]
name = "versus"
path = "{root}/bench/versus/main.rs"

[dependencies]
base = {{ package = "moduli", path = "base/crates/moduli", features = ["dsa", "rsa"], default-features = false }}
new = {{ package = "moduli", path = "{root}/crates/moduli", features = ["dsa", "rsa"], default-features = false }}
crypto-bigint = "0.7"
getrandom = {{ version = "0.4", features = ["sys_rng"] }}

[profile.release]
debug = 1

[workspace]
exclude = ["base"]
"""


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run([*git, "rev-parse", "--verify", f"{sys.argv[1]}^{{commit}}"], capture_output=True, text=True)
    if commit.returncode:
        sys.exit(f"versus.py: {sys.argv[1]}: no such commit")
    base = PLACE / "base"
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir(parents=True)
    files = subprocess.run([*git, "archive", commit.stdout.strip()], check=True, capture_output=True)
    subprocess.run(["tar", "x", "-C", str(base)], input=files.stdout, check=True)
    if not (base / "crates/moduli/Cargo.toml").exists():
        sys.exit(f"versus.py: {sys.argv[1]} has no crates/moduli")
    # A lock file cannot contain two packages of the same name and version.
    for manifest in [base / "Cargo.toml", *base.glob("crates/*/Cargo.toml")]:
        text = re.sub(r'^version(\.workspace)? = .*', 'version = "0.0.1"', manifest.read_text(), count=1, flags=re.M)
        manifest.write_text(re.sub(r'(path = "[^"]*", )version = "[^"]*"', r'\g<1>version = "0.0.1"', text))
    (PLACE / "Cargo.toml").write_text(MANIFEST.format(root=ROOT))
    # Both use the same versions of all other packages.
    locked = (ROOT / "Cargo.lock").read_text().split("\n[[package]]\n")
    kept = [package for package in locked[1:] if "\nsource = " in package]
    (PLACE / "Cargo.lock").write_text("\n[[package]]\n".join([locked[0], *kept]))
    programs = [linked(seed) for seed in SEEDS]
    # Measures on one core: the last that this process may use.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    measured = [rows(program) for program in programs]
    columns = "".join(f"{seed:>9}" for seed in SEEDS)
    print(f"{'new against base, by order of the code':<42}{columns}   median")
    for name in measured[0]:
        ratios = [each[name] for each in measured]
        print(f"{name:<42}" + "".join(f"{ratio:9.3f}" for ratio in ratios) + f"{statistics.median(ratios):9.3f}", flush=True)
    of_tree = subprocess.run([*git, "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=, with changes"], capture_output=True, text=True)
    write(commit.stdout.strip()[:12], of_tree.stdout.strip(), measured)


def write(base, new, measured):
    """Writes the page of this processor, with the commits that were compared."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    said = {name.strip(): value.strip() for name, colon, value in (line.partition(":") for line in lines) if colon}
    maker = {"GenuineIntel": "intel", "AuthenticAMD": "amd"}.get(said.get("vendor_id"), "other")
    kind = said.get("cpu family", "?"), said.get("model", "?")
    page = ROOT / f"docs/versus/{maker}-{'-'.join(kind)}.md"
    rows = [[name, *(f"{each[name]:.3f}" for each in measured), f"**{statistics.median(each[name] for each in measured):.3f}**"]
            for name in measured[0]]
    table = [["time of the new version, relative to the base", *(f"order {seed}" for seed in SEEDS), "median"], ["---"] * (len(SEEDS) + 2), *rows]
    page.parent.mkdir(exist_ok=True)
    page.write_text("\n".join([
        f"# {new} against {base}: {said.get('model name', maker)}, family {kind[0]}, model {kind[1]}",
        "",
        f"`make versus` wrote this page on {datetime.date.today()}. It shows, to those who change a kernel, what a change",
        "costs. Both versions run alternately in one process. Each column links their functions in another",
        'order. A row is for the kernel that it names, or for the fastest one (`detect`). "256 of 2048 bits"',
        "means an exponent of 256 bits and a modulus of 2048 bits.",
        "",
        *(f"| {' | '.join(line)} |" for line in table),
        "",
    ]), encoding="utf-8")  # fmt: skip


def linked(seed):
    """Links the program of both versions, with the functions in the order of this seed, and returns its path."""
    target, program = PLACE / "target", PLACE / f"versus-{seed}"
    shuffled = ["--", f"-Clink-arg=-Wl,--shuffle-sections=.text.*={seed}"] if seed else []
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    if subprocess.run(["cargo", "rustc", "--release", "--quiet", *shuffled], cwd=PLACE, env=environment).returncode:
        sys.exit("versus.py: one of the two does not build; bench/versus/main.rs calls what both have")
    shutil.copy(target / "release/versus", program)
    return program


def rows(program):
    """The median ratio of each row that the program prints."""
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^(.+?) +\d+ ns +([\d.]+) ", printed, re.M)
    return {name: float(ratio) for name, ratio in found}


if __name__ == "__main__":
    main()
