"""Tests the Go package, or measures it.

    run.py find                  ends with 1 if there is no Go of 1.24 or later, or no C compiler
    run.py test LIBRARY          LIBRARY: where `cargo build --release -p moduli-capi` put libmoduli_capi.so
    run.py bench LIBRARY PAGE    measures beside math/big, and writes the table into PAGE
    run.py faults LIBRARY [WORD...]
                                 tries the seeded faults (faults.py), or those whose names contain a word

The library is laid out as an installation would be, so that pkg-config finds it. The tests run with the race detector, and fuzz some seconds.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
OLDEST = (1, 24)
# A number and not a time: Go reports an execution that its deadline interrupts as a failure.
FUZZ_EXECUTIONS = 4000


def found():
    go = shutil.which("go")
    if not go or not shutil.which("gcc") or not shutil.which("pkg-config"):
        return False
    said = subprocess.run([go, "version"], capture_output=True, text=True).stdout
    version = re.search(r"go(\d+)\.(\d+)", said)
    return bool(version) and tuple(map(int, version.groups())) >= OLDEST


def run(*command, **options):
    print("$", " ".join(str(part) for part in command), flush=True)
    return subprocess.run([str(part) for part in command], check=True, **options)


def staged(libraries):
    """Lays out the library and its headers as an installation would, and returns an environment in which programs find them."""
    prefix = libraries.parent / "go"
    shutil.rmtree(prefix, ignore_errors=True)
    (prefix / "lib/pkgconfig").mkdir(parents=True)
    shutil.copytree(ROOT / "crates/moduli-capi/include", prefix / "include")
    shutil.copy(libraries / "libmoduli_capi.so", prefix / "lib/libmoduli.so")
    (prefix / "lib/pkgconfig/moduli.pc").write_text(
        f"Name: moduli\nDescription: the C library moduli\nVersion: 0\nLibs: -L{prefix}/lib -lmoduli\nCflags: -I{prefix}/include\n", encoding="utf-8")
    return os.environ | {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig"), "LD_LIBRARY_PATH": str(prefix / "lib"), "CGO_ENABLED": "1",
                         "GOFLAGS": "-mod=mod -buildvcs=false", "GOTOOLCHAIN": "local"}


def run_page(environment):
    """Checks that the first program of docs/go.md prints the output shown there."""
    page = (ROOT / "docs/go.md").read_text(encoding="utf-8")
    program = re.search(r"```go\n(package main\n.*?)```\n\n```text\n\$ go run \.\n(.*?)```", page, flags=re.S)
    if not program:
        sys.exit("docs/go.md has no program with what it prints")
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "main.go").write_text(program[1], encoding="utf-8")
        (Path(name) / "go.mod").write_text(f"module begin\n\ngo 1.24\n\nrequire moduli v0.0.0\n\nreplace moduli => {HERE}\n", encoding="utf-8")
        printed = run("go", "run", ".", cwd=name, env=environment, stdout=subprocess.PIPE, text=True).stdout
    if printed != program[2]:
        sys.exit(f"docs/go.md says {program[2]!r}; the program prints {printed!r}")


def test(environment):
    if unformatted := run("gofmt", "-l", ".", cwd=HERE, stdout=subprocess.PIPE, text=True).stdout:
        sys.exit(f"gofmt would change {unformatted}")
    run("go", "vet", "./...", cwd=HERE, env=environment)
    run("go", "test", "-race", "-count=1", ".", cwd=HERE, env=environment)
    run("go", "test", "-race", "-run=NONE", "-fuzz=FuzzPowers", f"-fuzztime={FUZZ_EXECUTIONS}x", "-fuzzminimizetime=10x", "-parallel=2", ".", cwd=HERE, env=environment)
    run_page(environment)
    print("the Go package: all tests passed")


def bench(environment, page):
    done = run("go", "run", "./bench", cwd=HERE, env=environment | {"RAYON_NUM_THREADS": "1", "GOMAXPROCS": "1"}, stdout=subprocess.PIPE, text=True)
    print(done.stdout)
    text = page.read_text(encoding="utf-8")
    begin, end = "<!-- measured: begin -->\n", "<!-- measured: end -->"
    page.write_text(text[: text.index(begin) + len(begin)] + done.stdout + text[text.index(end):], encoding="utf-8")


def seeded(environment, words):
    sys.path.append(str(ROOT / "scripts"))
    from faults import FAULTS
    from seeded import tried, update

    copy = ROOT / "target/go-faults"
    update(HERE, copy, ("",))
    tried(FAULTS, words, copy, lambda test: ["go", "test", "-count=1", "-timeout=120s", f"-run=^{test}$", "."], environment)


def main():
    if sys.argv[1:] == ["find"]:
        sys.exit(0 if found() else 1)
    elif not found():
        sys.exit(f"no Go of {'.'.join(map(str, OLDEST))} or later, or no gcc and pkg-config")
    elif sys.argv[1:2] == ["test"] and len(sys.argv) == 3:
        test(staged(Path(sys.argv[2]).resolve()))
    elif sys.argv[1:2] == ["bench"] and len(sys.argv) == 4:
        bench(staged(Path(sys.argv[2]).resolve()), Path(sys.argv[3]).resolve())
    elif sys.argv[1:2] == ["faults"] and len(sys.argv) >= 3:
        seeded(staged(Path(sys.argv[2]).resolve()), sys.argv[3:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
