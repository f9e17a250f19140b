"""Counts the instructions of an operation, as recorded by QEMU, and estimates their cycles by llvm-mca."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

QEMU = "qemu-aarch64-static"
FROM, TO = "instructions_from", "instructions_to"
TRACE = re.compile(r"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/[^\]]*\]\s*(\S*)")
# Models of llvm-mca. It depends on its version which of them describe the processor that they are named after.
PROCESSORS = ["cortex-a72", "neoverse-n1", "neoverse-v1", "neoverse-v2", "apple-m1"]


def executed(command):
    """The addresses that `command` executes between the two marks, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        run = [QEMU, "-singlestep", "-d", "exec,nochain", "-D", str(log), *command]
        printed = subprocess.run(run, check=True, capture_output=True, text=True).stdout.strip()
        found, on = [], False
        with log.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                match = TRACE.match(line)
                if not match:
                    continue
                if match[2] == FROM:
                    on, found = True, []
                elif match[2] == TO:
                    return found, printed
                elif on:
                    found.append(int(match[1], 16))
    raise SystemExit(f"{' '.join(command)}: the marks were not seen")


def texts(binary):
    """The instruction at each address of a program linked to fixed addresses, without branch targets."""
    out = subprocess.run(
        ["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", binary], check=True, capture_output=True, text=True
    ).stdout
    found = {}
    for line in out.splitlines():
        match = re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)$", line)
        if match:
            operands = re.sub(r"\s*(//|<).*", "", match[3]).strip()
            if match[2].startswith(("b.", "cb", "tb")) or match[2] in ("b", "bl", "adr", "adrp"):
                operands = ", ".join([*operands.split(", ")[:-1], "#0"])
            found[int(match[1], 16)] = f"{match[2]} {operands}"
    return found


def analyser():
    """The newest llvm-mca, or None."""
    if named := os.environ.get("LLVM_MCA"):
        return named
    versions = [f"llvm-mca-{version}" for version in range(30, 12, -1)]
    return next((found for name in [*versions, "llvm-mca"] if (found := shutil.which(name))), None)


def cycles(mca, processor, trace):
    """Cycles by llvm-mca's model, without caches and mispredictions; None for a processor that it does not know."""
    run = [mca, "-mtriple=aarch64-linux-gnu", f"-mcpu={processor}", "-iterations=1", "-summary-view", "-resource-pressure=false", "-instruction-info=false"]
    result = subprocess.run(run, input="\n".join(trace) + "\n", capture_output=True, text=True)
    if "is not a recognized processor" in result.stderr or result.returncode:
        return None
    return int(re.search(r"Total Cycles:\s+(\d+)", result.stdout)[1])
