#!/usr/bin/env python3
"""Runs every fuzz target for some seconds: run.py SECONDS [TARGET...]. Prints a line for each; fails if anything is found."""

import os
import re
import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
PROGRAMS = FUZZ / "target/x86_64-unknown-linux-gnu/release"
# The longest input, and the program's limit for one in seconds: far above what any takes on a machine that is busy.
TARGETS = {"table": 4096, "keys": 2048, "command": 1024, "planner": 256, "arithmetic": 1024, "rns": 256}
SECONDS_FOR_ONE = 60


def run(target, seconds):
    """One target: its summary, and how many findings."""
    working, findings, kept = (FUZZ / folder / target for folder in ("target/corpus", "findings", "corpus"))
    for folder in (working, findings):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(findings.iterdir())
    command = [PROGRAMS / target, f"-max_total_time={seconds}", f"-max_len={TARGETS[target]}", "-print_final_stats=1",
               f"-timeout={SECONDS_FOR_ONE}",
               f"-report_slow_units={SECONDS_FOR_ONE}", "-rss_limit_mb=2048", f"-artifact_prefix={findings}/", working, kept]
    # Detection of leaks stops every thread, which a container may forbid.
    environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}
    log = FUZZ / "target" / f"{target}.log"
    with log.open("w") as output:
        status = subprocess.run(command, stdout=output, stderr=output, env=environment, check=False).returncode
    text = log.read_text(errors="replace")
    runs = re.findall(r"stat::number_of_executed_units: (\d+)", text) or re.findall(r"^#(\d+)\t", text, re.M)
    edges = re.findall(r"cov: (\d+)", text)
    found = sorted(set(findings.iterdir()) - before)
    print(f"{target:<11} {runs[-1] if runs else 0:>9} runs {edges[-1] if edges else 0:>6} edges {len(found):>3} findings",
          flush=True)
    for path in found:
        print(f"  {path.relative_to(FUZZ.parent)}; {log.relative_to(FUZZ.parent)} says what happened")
    if status and not found:
        print(f"  ended with status {status}; {log.relative_to(FUZZ.parent)} says why")
    return status != 0 or bool(found)


def main():
    seconds, *targets = sys.argv[1:]
    unknown = [target for target in targets if target not in TARGETS]
    if unknown or not seconds.isdigit():
        sys.exit(f"usage: run.py SECONDS [TARGET...]; targets are {', '.join(TARGETS)}")
    # All of them, even if the first finds something.
    sys.exit(1 if sum([run(target, int(seconds)) for target in targets or TARGETS]) else 0)


if __name__ == "__main__":
    main()
