"""Builds, tests, checks, measures and proves the kernel `aarch64` on another machine, under QEMU.

    run.py              all of it; writes the tables of docs/aarch64.md
    run.py tests|branches|counts|prove

Needs the Rust target, a cross compiler with binutils, and QEMU's user mode: on Debian gcc-aarch64-linux-gnu,
libc6-dev-arm64-cross and qemu-user-static. GMP is built from the source that `bench` locks, and llvm-mca gives
estimates; without one of them, its columns are omitted.
"""

import os
import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import branches
import counts

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
import proofs  # noqa: E402
PAGE = ROOT / "docs/aarch64.md"
TARGET = "aarch64-unknown-linux-gnu"
BUILT = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
CARGO = os.environ.get("CARGO", "cargo")
COMPILER = "aarch64-linux-gnu-gcc"
BITS = [1024, 2048, 3072, 4096]
SUITE = ["kernels::", "modulus::", "product::", "table_file::convert"]

ENVIRONMENT = os.environ | {
    "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER": COMPILER,
    "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER": f"{counts.QEMU} -L /usr/aarch64-linux-gnu",
}


def tools():
    missing = [tool for tool in (CARGO, COMPILER, branches.OBJDUMP, counts.QEMU) if not shutil.which(tool)]
    installed = subprocess.run(["rustc", "--print", "target-libdir", "--target", TARGET], capture_output=True, text=True)
    if not Path(installed.stdout.strip()).is_dir():
        missing.append(f"the standard library for {TARGET} (rustup target add {TARGET})")
    if missing:
        sys.exit(f"make: missing: {', '.join(missing)}")


def tests():
    cargo = [CARGO, "test", "--locked", "--target", TARGET]
    subprocess.run([*cargo, "-p", "moduli", "--lib"], check=True, cwd=ROOT, env=ENVIRONMENT)
    subprocess.run([*cargo, "-p", "moduli-suites", "--test", "moduli", "--test", "kernel", "--", *SUITE], check=True, cwd=ROOT, env=ENVIRONMENT)


def build(example):
    """Builds an example of the kernel, linked to fixed addresses."""
    environment = ENVIRONMENT | {"RUSTFLAGS": "-Ctarget-feature=+crt-static -Crelocation-model=static"}
    cargo = [CARGO, "build", "--release", "--locked", "--target", TARGET, "-p", "moduli-kernel"]
    subprocess.run([*cargo, "--features", "std", "--example", example], check=True, cwd=ROOT, env=environment)
    return str(BUILT / TARGET / "release/examples" / example)


def prove():
    """Proves the operations, compares the interpreter with QEMU, and tries changed code."""
    program = build("operations")
    cargo = [CARGO, "build", "--release", "--locked", "-p", "moduli-prove"]
    subprocess.run(cargo, check=True, cwd=ROOT)
    lines = proofs.run(["--aarch64", program], BUILT / "release/prove")
    end = "".join(f"    {line}\n" for line in lines if " proved and checked" in line)
    write("proved", f"{proofs.where()}{proofs.table(lines)}\n{end}")
    cargo = [CARGO, "test", "--release", "--locked", "-p", "moduli-prove", "--test", "arm", "--", "--nocapture"]
    subprocess.run(cargo, check=True, cwd=ROOT, env=os.environ | {"MODULI_AARCH64": program})


def gmp():
    """Builds the program that does the same by GMP. Returns it with GMP's version; None if GMP is not available."""
    folder = BUILT / "aarch64/gmp"
    program, library = folder.parent / "gmp-count", folder / ".libs/libgmp.a"
    manifest = subprocess.run(
        [CARGO, "metadata", "--format-version", "1", "--locked", "--manifest-path", "bench/Cargo.toml"],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    found = re.search(r'"manifest_path":"([^"]*gmp-mpfr-sys-[^"]*)Cargo.toml"', manifest.stdout)
    source = found and Path(found[1], "gmp-6.3.0-c")
    if not source or not source.is_dir() or not shutil.which("m4"):
        print("GMP is not counted: its source, which cargo fetches for bench, or m4 is missing")
        return None
    if not library.exists():
        folder.mkdir(parents=True, exist_ok=True)
        configure = ["sh", str(source / "configure"), "--host=aarch64-linux-gnu", "--disable-shared", "--enable-static"]
        with (folder.parent / "gmp.log").open("w") as log:
            subprocess.run(configure, check=True, cwd=folder, stdout=log, stderr=log)
            subprocess.run(["make", f"-j{os.cpu_count()}"], check=True, cwd=folder, stdout=log, stderr=log)
    compiler = [COMPILER, "-O2", "-static", "-fno-ipa-icf", "-I", str(folder), str(Path(__file__).with_name("gmp.c"))]
    subprocess.run([*compiler, str(library), "-o", str(program)], check=True)
    return str(program)


def watch(program):
    functions, conditional, wrong = branches.check(program)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{functions} functions in assembly, {conditional} conditional branches, all of them and all addresses by lengths, as divisions are")


def count(program):
    rival = gmp()
    mca = counts.analyser()
    who = {"aarch64": [program, "aarch64"], "portable": [program, "portable"]} | ({"GMP 6.3.0": [rival]} if rival else {})
    known = {name: counts.texts(command[0]) for name, command in who.items()}
    rows, estimates = [], []
    for bits in BITS:
        for operation in ("product", "square"):
            found, printed = {}, {}
            for name, command in who.items():
                addresses, printed[name] = counts.executed([*command, str(bits), operation])
                found[name] = len(addresses)
                if bits == 2048 and mca:
                    trace = [known[name][address] for address in addresses]
                    guesses = [counts.cycles(mca, processor, trace) for processor in counts.PROCESSORS]
                    estimates.append((f"{operation}, {name}", guesses))
            if printed["aarch64"] != printed["portable"]:
                sys.exit(f"{bits} bits, {operation}: the kernels differ")
            least = found["aarch64"]
            cells = [f"{value:,}" if name == "aarch64" else f"{value:,}, **{least / value:.2f}**" for name, value in found.items()]
            rows.append([f"{bits} bits, {operation}", *cells])
    table = grid(["instructions", *who], rows)
    if estimates:
        names = [name for name, guess in zip(counts.PROCESSORS, estimates[0][1], strict=True) if guess]
        cells = [[what, *(f"{guess:,}" for guess in guesses if guess)] for what, guesses in estimates]
        version = re.search(r"LLVM version (\S+)", subprocess.run([mca, "--version"], capture_output=True, text=True).stdout)[1]
        table += f"\nEstimates of cycles at 2048 bits, by llvm-mca {version} on what was executed, no caches:\n\n"
        table += grid(["estimated", *names], cells)
    return table


def grid(head, rows):
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def head():
    """The head of the page: date, commit, and the tools that counted."""
    qemu = said(counts.QEMU, "--version").splitlines()[0]
    commit, compiler = said("git", "rev-parse", "--short", "HEAD"), said("rustc", "--version")
    return f"{date.today()}, commit {commit}, {compiler}, {qemu}. Bold: of it the part that `aarch64` takes.\n\n"


def write(name, text):
    """Writes the text into the page, between its marks."""
    page = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, after = page[: page.index(begin) + len(begin)], page[page.index(end) :]
    PAGE.write_text(before + text + after, encoding="utf-8")


def main():
    wanted = sys.argv[1:]
    if any(name not in ("tests", "branches", "counts", "prove") for name in wanted):
        sys.exit(__doc__)
    tools()
    table = None
    program = build("instructions") if not wanted or {"branches", "counts"} & set(wanted) else None
    if not wanted or "branches" in wanted:
        watch(program)
    if not wanted or "counts" in wanted:
        table = count(program)
        print(table)
    if not wanted or "tests" in wanted:
        tests()
    if not wanted or "prove" in wanted:
        prove()
    # The page is written last, so that the proofs run on the committed sources.
    if table:
        write("counted", head() + table)


if __name__ == "__main__":
    main()
