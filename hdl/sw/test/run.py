"""Compiles the driver as C99 for this machine, with c++ like all tests here, and runs it on stand-ins for the cores.

    run.py           the tests
    run.py faults    seeds faults into the driver, one after the other: the tests must detect each
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DRIVER = ("moduli_rns_driver.c", "moduli_rns_resident_driver.c")
TESTS = ("model.c", "driver_test.c")
FLAGS = ("-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
# Faults by name: the index of the file, a text, and its replacement.
FAULTS = {
    "the error of a result is not looked at": (0, "job->outcome = (enum moduli_rns_outcome)error;", "job->outcome = MODULI_RNS_OK;"),
    "a result with an error is read": (0, "error == MODULI_RNS_ERROR_NONE ? MODULI_RNS_READ", "true ? MODULI_RNS_READ"),
    "a result is not acknowledged": (0, "    set(core, MODULI_RNS_ACKNOWLEDGE_OFFSET, 1);\n", ""),
    "results are sorted by nothing": (0, "job = &core->jobs[core->tagged[tag]];", "job = &core->jobs[core->ended];"),
    "a tag is given twice": (0, "    while (core->used & 1u << tag) {\n        tag++;\n    }\n", "    tag = core->begun & 1u;\n"),
    "more commands than tags": (0, "core->begun < core->count && core->used != all) {\n            start", "core->begun < core->count) {\n            start"),
    "a tag that nobody gave is believed": (0, "if (!(core->used & 1u << tag))", "if (false)"),
    "a command is started that cannot be": (0, "status & MODULI_RNS_STATUS_READY_MASK && core->begun", "core->begun"),
    "an operation that is not there is tried": (0, "if (!built_in(core, job->operation))", "if (false)"),
    "a number that is too large is written": (0, "return above != 0 && number[core->words - 1] >> above != 0;", "return above != 0 && number == NULL;"),
    "READY stays enabled": (0, "if (core->begun < core->count && core->used != all) {\n            causes", "if (core->count) {\n            causes"),
    "DONE is not enabled": (0, "core->used ? MODULI_RNS_INTERRUPT_ENABLE_DONE_MASK : 0;", "0;"),
    "waiting has hardly an end": (0, "if (polls >= core->patience) {", "if (polls >= 1000u * core->patience) {"),
    "wiping is not waited for": (0, "while (get(core, MODULI_RNS_STATUS_OFFSET) & MODULI_RNS_STATUS_BUSY_MASK) {", "while (false) {"),
    "the core is not wiped after a secret": (0, "clearing = moduli_rns_clear(core);", "clearing = MODULI_RNS_OK;"),
    "scratch is not wiped": (0, "            moduli_rns_wipe(scratch, 4 * core->words);\n", ""),
    "interrupts stay enabled when the core is wiped": (0, "    set(core, MODULI_RNS_INTERRUPT_ENABLE_OFFSET, 0);\n    set(core, MODULI_RNS_CLEAR",
                                                       "    set(core, MODULI_RNS_CLEAR"),
    "the results of what is given up stay": (0, "    moduli_rns_wipe(job->result, 4 * core->words);\n    job->outcome = outcome;", "    job->outcome = outcome;"),
    "the version is not looked at": (0, " || get(core, MODULI_RNS_VERSION_OFFSET) >> 16 != MODULI_RNS_MAJOR", ""),
    "the identification of the other core is taken": (1, "get(core, MODULI_RNS_RESIDENT_ID_OFFSET) != MODULI_RNS_RESIDENT_IDENTIFICATION ||", ""),
    "the error of a program is not looked at": (1, "core->failed || status & MODULI_RNS_RESIDENT_STATUS_ERROR_MASK;", "core->failed;"),
    "the error of the last result alone counts": (1, "core->failed = core->failed || status", "core->failed = status"),
    "the results of a program with an error stay": (1, "    moduli_rns_wipe(core->call->results, 4 * core->words * core->call->result_count);\n", ""),
    "a result of a program is not acknowledged": (1, "            set(core, MODULI_RNS_RESIDENT_ACKNOWLEDGE_OFFSET, 1);\n", ""),
    "an operand is not waited with": (1, "status & MODULI_RNS_RESIDENT_STATUS_FREE_MASK && core->offered", "core->offered"),
    "FREE stays enabled": (1, "if (under_way(core) && core->offered < core->call->operand_count) {", "if (core->call->operand_count) {"),
    "waiting for a program has hardly an end": (1, "if (polls >= core->patience) {", "if (polls >= 1000u * core->patience) {"),
    "starving is taken for slowness": (1, "starved ? MODULI_RNS_STARVED : MODULI_RNS_TIMEOUT", "starved ? MODULI_RNS_TIMEOUT : MODULI_RNS_TIMEOUT"),
    "a longer operand is written": (1, "operand->words <= core->operand_words &&", ""),
    "an operand's bits are not counted": (1, " || operand->number[operand->words - 1] >> above == 0", " || above"),
    "a program that waits in vain is not dropped": (1, "            (void)wiped(core);\n", ""),
    "the core for programs stays enabled when it is wiped": (1, "    set(core, MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_OFFSET, 0);\n    set(core, MODULI_RNS_RESIDENT_CLEAR",
                                                             "    set(core, MODULI_RNS_RESIDENT_CLEAR"),
}


def built(driver, program, flags=FLAGS):
    """Compiles the driver with the tests. Returns whether this succeeded."""
    sources = [word for path in (*(driver / name for name in DRIVER), *(HERE / name for name in TESTS)) for word in ("-x", "c", path)]
    command = ["c++", *flags, '-DMODULI_RNS_ACCESS="model.h"', f"-I{HERE.parent}", f"-I{HERE}", "-o", program, *sources]
    return subprocess.run(list(map(str, command))).returncode == 0


def seeded(scratch, which, find, replace):
    """Runs the tests with a fault, and returns how they end."""
    for name in DRIVER:
        shutil.copy(HERE.parent / name, scratch / name)
    path = scratch / DRIVER[which]
    text = path.read_text()
    if text.count(find) != 1:
        sys.exit(f"{path.name} has {text.count(find)} times {find!r}; 1 is wanted")
    path.write_text(text.replace(find, replace))
    # A fault may leave something unused, so warnings are not errors here.
    if not built(scratch, scratch / "test", (*FLAGS, "-Wno-unused", "-Wno-error")):
        sys.exit(f"{path.name} does not compile with {replace!r}")
    try:
        done = subprocess.run([scratch / "test"], capture_output=True, text=True, timeout=20)
    except subprocess.TimeoutExpired:
        return "does not end"
    return (done.stdout.splitlines() or [f"status {done.returncode}"])[0] if done.returncode else None


def main():
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        if sys.argv[1:] == ["faults"]:
            missed = 0
            for what, fault in FAULTS.items():
                how = seeded(scratch, *fault)
                missed += how is None
                print(f"{'MISSED' if how is None else 'caught'} {what}{f': {how}' if how else ''}", flush=True)
            print(f"{len(FAULTS) - missed} passed, {missed} failed")
            return missed != 0
        if not built(HERE.parent, scratch / "test"):
            return 1
        return subprocess.run([scratch / "test"], timeout=60).returncode


if __name__ == "__main__":
    sys.exit(main())
