"""Runs the short form of every check of trust, and writes docs/trust.md: what was checked, how much, what was found.

    trust.py [NAME...]     all checks, or those with these names
    trust.py --check       checks that the counts on the page are those of the tree, and prints the page's age in commits;
                           runs nothing
    trust.py --current     checks, for a release, that crates (but proofs and Python) and fuzzer are those of the page's commit;
                           runs nothing

target/trust.json keeps the results of checks that passed, until the crates change. The page is written when all checks have
passed, in one run or several.
"""

import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import faults

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/trust.md"
KEPT = ROOT / "target/trust.json"
# The paths on which results depend. The proofs have a page of their own and the Python package has its own tests, so no
# check uses them.
WATCHED = ["crates", "fuzz", ":!crates/prove", ":!crates/moduli-python"]
PYTHON = sys.executable
COMMAND = "target/release/moduli"

HEAD = """# What has been checked

Read this page to see how the code was tested before you rely on it. `make trust` runs these checks,
and writes this page if none of them finds anything.
[secrecy.md](secrecy.md) states the claims about constant time and the lengths that are checked.
[SECURITY.md](../SECURITY.md) lists the attackers.

A *seeded fault* is a mistake that is put into the code on purpose, which one of the checks must
find. A function is *too noisy* if its times scattered too much for a decision, and a difference is
*known* if [secrecy.md](secrecy.md#what-remains-on-zen-4) explains it: both count as neither passed
nor failed. Checks can find mistakes, but cannot show that there are none.

"""


def passed(what):
    """A function that states, from the output of a run, how many tests of all its binaries passed."""
    return lambda output: f"{sum(int(count) for count in re.findall(r'([0-9]+) passed', output))} {what}"


def interpreted(output):
    instructions = sum(int(count) for count in re.findall(r"^watched (\d+)", output, re.M))
    return f"{passed('tests')(output)}, {instructions / 1e6:,.0f} million instructions, every kernel"


def told(output):
    """The output of a failed check to show: its end, and earlier lines that name a failure. Backtraces are left out."""
    lines = [line for line in output.splitlines() if not re.match(r"\s+(\d+: |at /|at \./)|note: |stack backtrace", line)]
    end = "\n".join(lines)[-8000:]
    wrong = [line for line in lines if re.search(r"LEAKS|LEAK NOT SEEN|FAILED|panicked", line) and line not in end]
    return "\n".join([*wrong, end])


def last_line(output):
    return output.strip().splitlines()[-1]


@dataclass
class Check:
    """One row of the page."""

    name: str
    looks_for: str
    typed: str  # the command that the page shows
    runs: str
    said: Callable[[str], str]  # makes the result on the page from the output
    environment: dict[str, str] = field(default_factory=dict)


def tests(name, looks_for, arguments, what, said=None, typed=None, **environment):
    """A check that runs tests of the release build: one cargo command for each of `arguments`."""
    arguments = [arguments] if isinstance(arguments, str) else arguments
    # Runs all commands, even if an earlier one has failed.
    command = "; ".join(f"cargo test --release --locked -q {each} || failed=1" for each in arguments) + '; test -z "$failed"'
    return Check(name, looks_for, typed or f"cargo test --release {arguments[0]}", command, said or passed(what), environment)


def constant_time(options):
    """The cargo arguments for the watched tests, which `make test` has already compiled."""
    workspace = "--workspace --exclude moduli-python --exclude moduli-header"
    # moduli-kernel is excluded, because `--lib` would compile the kernels again, although they have no such unit tests.
    return [f"{workspace} --test checkmem -- {options}", f"{workspace} --exclude moduli-kernel --lib -- checkmem {options}"]


VALGRIND = {
    "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER": f"valgrind -q --log-file={ROOT}/target/valgrind.log",
    "MODULI_WATCHER": "valgrind",
}
CHECKS = [
    tests("interpreted", "branches, addresses, divisions and masks of loads that depend on a secret",
          constant_time("--nocapture"), "", interpreted, "make check-constant-time"),
    tests("valgrind", "branches and addresses that depend on a secret, bit by bit",
          constant_time("--test-threads 1"), "tests, every kernel but ifma52", None, "python3 scripts/trust.py valgrind", **VALGRIND),
    Check("timing", "differences in running time between secrets, by t-tests", "make timing", "make --no-print-directory timing", last_line),
    Check("seeded", "seeded faults that none of these checks finds",
          "python3 scripts/faults.py", f"{PYTHON} scripts/faults.py", last_line),
    Check("forged", "an attack on a DSA key by a forged table file",
          "make forged", f"{PYTHON} scripts/forged_table.py {COMMAND}", lambda output: "the forged table is refused"),
    tests("faults", "wrong results that are released after a fault", "-p moduli --lib -- faults",
          "tests: each operation of a private RSA operation, of a power by `CrtModulus` and of a DSA signature with its check, and each part of a key, is corrupted in turn"),
    tests("wiped", "secrets that remain in freed memory", "-p moduli-suites --test wiped", "tests"),
    tests("vectors", "wrong signatures and decryptions", "-p moduli-suites --test moduli -- dsa:: rsa:: nist::",
          "tests: Wycheproof, RFC 6979, NIST"),
    tests("kernels", "wrong arithmetic", "-p moduli-suites --test moduli --test kernel -- kernels:: lanes:: "
          "checks:: invert::",
          "tests against num-bigint"),
    Check("fuzz", "panics, wrong results, and invalid inputs that are accepted, on mutated inputs", "make fuzz", "make --no-print-directory fuzz SECONDS=20",
          lambda output: f"{len(re.findall(r'runs', output))} targets, 20 seconds each"),
]


def fuzz_targets():
    return len({path.stem for path in (ROOT / "fuzz/src/bin").glob("*.rs")} - {"seeds"})


def wiped_tests():
    return sum(path.read_text(encoding="utf-8").count("#[test]") for path in (ROOT / "crates/moduli/tests/wiped").glob("*.rs"))


def stale():
    """The differences between the counts on the page and the tree, one line each."""
    page = PAGE.read_text(encoding="utf-8")
    said = {row[1].strip(): row[3] for row in (line.split("|") for line in page.splitlines()) if len(row) > 4}
    wrong = [f"{PAGE.name} has no row {check.name!r}" for check in CHECKS if check.name not in said]
    wrong += [f"{PAGE.name} has a row {name!r} that no check writes" for name in said if name not in {"check", "---"} | {check.name for check in CHECKS}]
    counts = [
        ("seeded", len(faults.markers()), "seeded faults"),
        ("fuzz", fuzz_targets(), "targets of the fuzzer"),
        ("wiped", wiped_tests(), "tests of what is wiped"),
    ]
    for name, count, what in counts:
        # Counts also the faults that the machine of the page could not run ("need").
        found = [int(number) for number in re.findall(r"(\d+)(?= passed| failed| need| targets| tests)", said.get(name, ""))]
        if found and sum(found) != count:
            wrong.append(f"{PAGE.name} speaks of {sum(found)} {what}; the tree has {count}: run make trust")
    return wrong


def commits_since():
    """The page's commit, and how many commits since then changed WATCHED: None if the history is not available."""
    commit = re.search(r"commit ([0-9a-f]{7,})", PAGE.read_text(encoding="utf-8"))[1]
    count = subprocess.run(["git", "rev-list", "--count", f"{commit}..HEAD", "--", *WATCHED], cwd=ROOT, capture_output=True, text=True)
    return commit, int(count.stdout) if count.returncode == 0 else None


def kept(crates):
    """The kept results, if they are of the commit `crates`, the last that changed WATCHED."""
    try:
        found = json.loads(KEPT.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found["passed"] if found["crates"] == crates else {}


def main():
    if sys.argv[1:] == ["--check"]:
        wrong = stale()
        print("%s is of commit %s; since then %s commits changed crates or fuzzer" % (PAGE.name, *commits_since()))
        sys.exit("\n".join(wrong) if wrong else 0)
    if sys.argv[1:] == ["--current"]:
        commit, count = commits_since()
        sys.exit(0 if count == 0 else f"{PAGE.name} is of commit {commit}, {count} commits to crates or fuzzer ago: run make trust")
    chosen = sys.argv[1:] or [check.name for check in CHECKS]
    unknown = set(chosen) - {check.name for check in CHECKS}
    if unknown:
        sys.exit(f"{', '.join(sorted(unknown))}: unknown; there are: {', '.join(check.name for check in CHECKS)}")
    git = lambda *words: subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    crates = git("rev-list", "-1", "HEAD", "--", *WATCHED)
    dirty = git("status", "--porcelain", "--", *WATCHED)
    failed = 0
    for check in CHECKS:
        if check.name not in chosen:
            continue
        begun = time.monotonic()
        environment = {**os.environ, "RUST_BACKTRACE": "0", **check.environment}
        ended = subprocess.run(
            check.runs, cwd=ROOT, shell=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        result = check.said(ended.stdout) if ended.returncode == 0 else "it ends with an error"
        # A filter that matches no test would pass.
        good = ended.returncode == 0 and not result.startswith("0 ")
        failed += not good
        print(f"{'passed' if good else 'FAILED'}  {check.name}: {result} ({time.monotonic() - begun:.0f} s)", flush=True)
        if not good:
            print(told(ended.stdout))
        # Reads the file again, because another run may have added results.
        done = kept(crates)
        done.pop(check.name, None)
        if good and not dirty:
            done[check.name] = f"| {check.name} | {check.looks_for} | {result} | 0 | `{check.typed}` |"
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps({"crates": crates, "passed": done}), encoding="utf-8")
    done = kept(crates)
    print(f"trust: {len(chosen) - failed} passed, {failed} failed")
    rows = [done[check.name] for check in CHECKS if check.name in done]
    if len(rows) == len(CHECKS) and not dirty:
        commit = git("rev-parse", "--short", "HEAD")
        model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
        wide = "with" if "avx512ifma" in Path("/proc/cpuinfo").read_text() else "without"
        compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.strip()
        where = f"Written on {date.today()} at commit {commit}, on {model} {wide} AVX-512 IFMA with {os.cpu_count()} cores, with {compiler}.\n\n"
        table = "| check | looks for | extent and result | findings | command |\n| --- | --- | --- | --- | --- |\n" + "\n".join(rows) + "\n"
        PAGE.write_text(HEAD + where + table, encoding="utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
