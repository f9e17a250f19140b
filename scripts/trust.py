"""Runs every check of trust in its short form and writes docs/trust.md: what was checked, how much, what was found.

    trust.py [NAME...]     all of them, or those with these names

What passed is kept in target/trust.json for as long as the crates are the same. The page is written when all have passed: on one
go, or one after the other.
"""

import json
import os
import platform
import re
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/trust.md"
KEPT = ROOT / "target/trust.json"
COMMAND = "target/release/moduli"

HEAD = """# What has been checked

Written by `make trust`, which ends with an error if anything is
found. [secrecy.md](secrecy.md) says what is claimed, [SECURITY.md](../SECURITY.md) against whom.

"""


def run(command, **more):
    """The output, and whether it went well."""
    environment = {**os.environ, "RUST_BACKTRACE": "0", **more}
    done = subprocess.run(command, cwd=ROOT, shell=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout, done.returncode == 0


def passed(output):
    """Tests that passed, of all binaries of a run."""
    return sum(int(count) for count in re.findall(r"(\d+) passed", output))


def interpreted():
    output, good = run("cargo test --release --locked -q -p moduli --lib -p moduli-rns --test checkmem -- checkmem ifma52 inversions --nocapture")
    instructions = sum(int(count) for count in re.findall(r"^watched (\d+)", output, re.M))
    return good, f"{passed(output)} tests, {instructions / 1e6:,.0f} million instructions, every kernel", output


def under_valgrind():
    runner = f"valgrind -q --log-file={ROOT}/target/valgrind.log"
    command = "cargo test --release --locked -q -p moduli --lib -p moduli-rns --test checkmem -- checkmem inversions --test-threads 1"
    output, good = run(command, CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=runner, MODULI_WATCHER="valgrind")
    return good, f"{passed(output)} tests, every kernel but ifma52", output


def judged():
    output, good = run(f"{sys.executable} scripts/branches.py {COMMAND}")
    return good, output.strip().splitlines()[-1] if good else "differs from the list", output


def forged():
    output, good = run(f"{sys.executable} scripts/forged_table.py {COMMAND}")
    return good, "the table is refused" if good else "the table is served", output


def wiped():
    output, good = run("cargo test --release --locked -q -p moduli --test wiped")
    return good, f"{passed(output)} tests", output


def faults():
    output, good = run("cargo test --release --locked -q -p moduli --lib -- faults")
    return good, f"{passed(output)} tests: every operation of a private power, of a nonce's power and of the keys spoilt in turn", output


def vectors():
    output, good = run("cargo test --release --locked -q -p moduli --test suite -- dsa:: rsa:: nist::")
    return good, f"{passed(output)} tests: Wycheproof, RFC 6979, NIST", output


def kernels():
    output, good = run("cargo test --release --locked -q -p moduli --test suite -- kernels:: lanes:: invert::")
    return good, f"{passed(output)} tests against num-bigint at every length", output


def plants():
    output, good = run(f"{sys.executable} scripts/plants/run.py")
    caught = len(re.findall(r"^caught", output, re.M))
    survived = len(re.findall(r"^SURVIVED", output, re.M))
    return good, f"{caught} caught, {survived} survived", output


def made(target, text, **variables):
    """A target of the Makefile that is there in this checkout; the last line of it says what came out."""
    output, good = run(" ".join(["make", "--no-print-directory", target, *(f"{name}={value}" for name, value in variables.items())]))
    return good, text(output), output


def fuzzed():
    return made("fuzz", lambda output: f"{len(re.findall(r'runs', output))} targets, 20 seconds each", SECONDS=20)


def timed():
    return made("timing", lambda output: output.strip().splitlines()[-1])


# Name, what it looks for, the command that a person would type, what runs.
CHECKS = [
    ("interpreted", "branches, addresses, divisions, masks of loads that depend on a secret", "make check-constant-time", interpreted),
    ("valgrind", "branches and addresses that depend on a secret, bit by bit", "make check-constant-time", under_valgrind),
    ("judged", "branches on memory in kernels, divisions in the command", "make check-constant-time", judged),
    ("timing", "differences in time between secrets (t-test)", "make timing", timed),
    ("plants", "whether these checks see seeded defects", "python3 scripts/plants/run.py", plants),
    ("forged", "a table file that takes a DSA key", "make forged", forged),
    ("faults", "wrong results that are released", "cargo test -p moduli --lib -- faults", faults),
    ("wiped", "secrets in freed memory", "cargo test -p moduli --test wiped", wiped),
    ("vectors", "wrong signatures and decryptions", "cargo test -p moduli --test suite -- dsa:: rsa:: nist::", vectors),
    ("kernels", "wrong arithmetic", "cargo test -p moduli --test suite -- kernels:: lanes:: invert::", kernels),
    ("fuzz", "panics, wrong results and accepted nonsense on mutated inputs", "make fuzz", fuzzed),
]


def kept(crates):
    """What has passed with the same crates."""
    try:
        found = json.loads(KEPT.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found["passed"] if found["crates"] == crates else {}


def targets():
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))


def main():
    chosen = sys.argv[1:] or [name for name, *_ in CHECKS]
    unknown = set(chosen) - {name for name, *_ in CHECKS}
    if unknown:
        sys.exit(f"{', '.join(sorted(unknown))}: unknown; there are: {', '.join(name for name, *_ in CHECKS)}")
    git = lambda *words: subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    crates, dirty = git("rev-parse", "HEAD:crates"), git("status", "--porcelain", "crates")
    failed = 0
    for name, purpose, command, check in CHECKS:
        if name not in chosen:
            continue
        if command.startswith("make ") and command.split()[1] not in targets():
            sys.exit(f"{name}: the Makefile has no target {command.split()[1]}")
        begun = time.monotonic()
        good, result, output = check()
        # Filters that match nothing would pass.
        good = good and not result.startswith("0 ")
        seconds = time.monotonic() - begun
        failed += not good
        print(f"{'passed' if good else 'FAILED'}  {name}: {result} ({seconds:.0f} s)", flush=True)
        if not good:
            print(output[-4000:])
        # Another run may have added to what is kept.
        done = kept(crates)
        done.pop(name, None)
        if good and not dirty:
            done[name] = f"| {name} | {purpose} | {result} | 0 | `{command}` |"
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps({"crates": crates, "passed": done}), encoding="utf-8")
    done = kept(crates)
    print(f"trust: {len(chosen) - failed} passed, {failed} failed")
    rows = [done[name] for name, *_ in CHECKS if name in done]
    if len(rows) == len(CHECKS):
        commit = git("rev-parse", "--short", "HEAD")
        model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
        wide = "with" if "avx512ifma" in Path("/proc/cpuinfo").read_text() else "without"
        compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.strip()
        where = f"{date.today()}, commit {commit}, {model} {wide} AVX-512 IFMA, {os.cpu_count()} cores, {compiler}.\n\n"
        table = "| check | looks for | tried | findings | command |\n| --- | --- | --- | --- | --- |\n" + "\n".join(rows) + "\n"
        PAGE.write_text(HEAD + where + table, encoding="utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
