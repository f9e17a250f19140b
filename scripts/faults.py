"""Builds the library with all seeded faults, activates each in turn, and requires that the check that its marker
names fails.

    faults.py [NAME...]   all, or those whose names contain one of these; some minutes, mostly for the build
    faults.py --list      their names and checks, from the markers in the source
    faults.py --match [OPTION...]   runs none; requires that every check that a marker names has tests, compiled
                                    with these options

A fault is a marker in the source, `fault!("name", "binary filter", { what goes wrong });`, which expands to
nothing unless the build has `--cfg seeded_faults`. Without an active fault, every check must pass: this is tested
first.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MARKER = re.compile(r'\bfault!\(\s*"([^"]+)",\s*"([^"]+)",\s*\{')
# The test binaries, by package and target.
BINARIES = {
    "moduli": ("moduli", "moduli"),
    "moduli-suite": ("suites", "moduli"),
    "moduli-wiped": ("suites", "wiped"),
    "kernel-suite": ("suites", "kernel"),
    "kernel-checkmem": ("moduli-kernel", "checkmem"),
}
BUILD = ["cargo", "test", "--no-run", "--locked", "--message-format=json", "-p", "moduli", "-p", "moduli-kernel", "-p", "moduli-suites"]
BUILD += ["--features", "moduli-kernel/internals", "--lib"]
BUILD += [word for name in ("moduli", "kernel", "wiped", "checkmem") for word in ("--test", name)]
TIMEOUT = 900


def markers():
    """(name, binary, filter) of every marker, sorted by name."""
    found = []
    for path in sorted((ROOT / "crates").glob("*/src/**/*.rs")):
        for name, check in MARKER.findall(path.read_text(encoding="utf-8")):
            binary, _, filter_ = check.partition(" ")
            if binary not in BINARIES or not filter_:
                sys.exit(f"{path.relative_to(ROOT)}: {name}: {check!r} names no test binary and filter")
            found.append((name, binary, "" if filter_ == "all" else filter_))
    names = [name for name, _, _ in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        sys.exit(f"two faults of one name: {', '.join(sorted(twice))}")
    return sorted(found)


def built(command, **environment):
    """Runs a build and returns the paths of its test binaries, by the keys of BINARIES."""
    out = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
    if out.returncode:
        sys.exit("faults.py: the tests do not build")
    binaries = {}
    for line in out.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message.get("profile", {}).get("test"):
            package = Path(message["manifest_path"]).parent.name
            binaries[package, message["target"]["name"]] = message["executable"]
    return {name: binaries[key] for name, key in BINARIES.items() if key in binaries}


def match(options):
    """Checks that each check that a marker names has tests."""
    binaries, wrong = built(["cargo", "test", "--no-run", "--message-format=json", "--tests", *options]), 0
    checks = sorted({check[1:] for check in markers()})
    for binary, filter_ in checks:
        listed = subprocess.run([binaries[binary], "--list", *([filter_] if filter_ else [])], capture_output=True, text=True)
        if not re.search(r": test$", listed.stdout, re.M):
            wrong += 1
            print(f"FAILED  {binary} {filter_}: no such test, though markers of seeded faults name it")
    print(f"seeded faults: {len(markers())} markers, {len(checks)} checks")
    print(f"{len(checks) - wrong} passed, {wrong} failed")
    sys.exit(1 if wrong else 0)


def passes(binary, filter_, name):
    """Whether the tests pass with the fault `name`, and how many ran. None instead of False if no test failed: the
    program crashed or ran out of time."""
    command = [binary, "--test-threads", "1", *([filter_] if filter_ else [])]
    environment = {**os.environ, "SEEDED_FAULT": name, "RUST_BACKTRACE": "0"}
    try:
        done = subprocess.run(command, cwd=ROOT / "crates/moduli", capture_output=True, text=True, env=environment, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None, 1
    ran = sum(int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("running "))
    if done.returncode == 0:
        return True, ran
    # Only a failed test counts as catching the fault, not a crash before it or a filter without tests.
    failed = re.search(r"test result: FAILED\. \d+ passed; ([1-9]\d*) failed", done.stdout)
    return (False if failed else None), ran


def has_ifma():
    return "avx512ifma" in Path("/proc/cpuinfo").read_text(encoding="utf-8")


def main(words):
    faults = [fault for fault in markers() if not words or any(word in fault[0] for word in words)]
    if not faults:
        sys.exit("faults.py: no seeded fault of that name; --list prints them")
    # These tests execute the kernel itself, so they are skipped if the processor lacks its instructions.
    absent = [fault for fault in faults if fault[1] == "kernel-suite" and fault[2].endswith("ifma52") and not has_ifma()]
    for name, binary, filter_ in absent:
        print(f"not here  {name}: {binary} {filter_}: this processor has no AVX-512 IFMA", flush=True)
    faults = [fault for fault in faults if fault not in absent]
    # Optimised like the shipped build, without overflow checks, which branch on secrets.
    flags = {"RUSTFLAGS": "--cfg seeded_faults -Awarnings", "CARGO_TARGET_DIR": str(ROOT / "target/faults")}
    binaries = built([*BUILD, "--release"], **flags)
    checks = sorted({fault[1:] for fault in faults})
    failed = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for (binary, filter_), (good, ran) in zip(checks, pool.map(lambda check: passes(binaries[check[0]], check[1], ""), checks)):
            if not good or not ran:
                failed += 1
                print(f"FAILED  without a fault: {binary} {filter_}: {'no such test' if good else 'does not pass'}", flush=True)
        caught = pool.map(lambda fault: passes(binaries[fault[1]], fault[2], fault[0])[0] is False, faults)
        for (name, binary, filter_), good in zip(faults, caught):
            failed += not good
            print(f"{'caught' if good else 'SURVIVED'}  {name}: {binary} {filter_}", flush=True)
    without = f", {len(absent)} need a processor with AVX-512 IFMA" if absent else ""
    print(f"{len(faults) - failed} passed, {failed} failed{without}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        for name, binary, filter_ in markers():
            print(f"{name}: {binary} {filter_}")
    elif sys.argv[1:2] == ["--match"]:
        match(sys.argv[2:])
    else:
        main(sys.argv[1:])
