"""Seeds each fault of faults.toml into a copy of the core, and shows which test catches it.

    faults.py [WORDS]    all faults, or those whose names contain WORDS
    faults.py --match    checks only that the text that each fault replaces, here and in the proofs, is in its source once: make hdl-lint
"""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / part) for part in (".", "cocotb")]
import run as bus  # noqa: E402
from exchange import exchange  # noqa: E402
from generate import BOTH, TINY  # noqa: E402
from regress import execute  # noqa: E402
from resident import checked, narrow, simulate, tiny, wiped, wiping  # noqa: E402
from simulate import BUILD, HDL, Failed, generate, program  # noqa: E402
from suites import catching, quick, redundant  # noqa: E402


# The exit status of the tests with flipped bits if they have caught a fault.
CAUGHT = 3


def plant(fault, where):
    """Seeds the fault into a copy of the core. Returns the copy, and for a fault in the constants a function that alters them."""
    copy = where / "hdl"
    for part in ("rtl", "dv/driver"):
        shutil.copytree(HDL / part, copy / part)
    if "constants" in fault:
        return copy, lambda directory: exchange(directory, fault["constants"])
    path = copy / "rtl" / fault["file"]
    text = path.read_text()
    if text.count(fault["find"]) != 1:
        raise Failed(f"{fault['file']} has {text.count(fault['find'])} times {fault['find']!r}; it must have it once")
    path.write_text(text.replace(fault["find"], fault["replace"]))
    return copy, None


def wrapped(fault):
    """The cores behind a port, and the tests of the port, that look for a fault."""
    if fault.get("several"):
        return [(*each, bus.TESTS[each[1]]) for each in bus.SEVERAL if each[1] == (bus.AXIS if fault.get("stream") else bus.PROGRAMS)]
    if fault.get("stream"):
        return [(*each, bus.TESTS[each[1]]) for each in bus.STREAMS]
    if fault.get("program_registers"):
        return [(BOTH, bus.PROGRAMS, {"ClearAfter": 0}, bus.TESTS[bus.PROGRAMS])]
    if fault.get("registers"):
        return [(TINY, "moduli_rns_axi", {"ClearAfter": 0}, ["test_axi"]), *((*each, ["test_wipe"]) for each in bus.WIPED)]
    return []


def caught_by(fault):
    """The output of the first run that failed, or None. If the core does not build, the fault is not caught."""
    where = BUILD / "fault"
    shutil.rmtree(where, ignore_errors=True)
    copy, alter = plant(fault, where)
    # The runs of programs look for faults in the core for programs.
    for run in (checked() if fault.get("checks") else tiny() + narrow()) if fault.get("programs") and not fault.get("guard") else []:
        _, failed, said = simulate(*run, hdl=copy, where=where, alter=alter)
        if failed:
            return f"{failed} failed; {said[:150]}"
    if fault.get("programs") and not fault.get("checks"):
        _, failed, said = wiped(*wiping(), hdl=copy, where=where)
        if failed:
            return f"{failed} failed; {said[-150:]}"
    # The tests of a wrapper look for faults in its port, until one fails.
    for core, top, choice, modules in wrapped(fault):
        _, failed, said = bus.test(core, top, choice, generate(core, where / core.name()), modules, copy / "rtl")
        if failed:
            return said
    for run in runs(fault):
        _, failed, said = execute(run, copy, where, alter)
        if failed:
            lines = said.splitlines()
            said = next((line for line in lines[1:] if line.strip()), lines[0])
            return f"{run.name()}: {failed} failed; {said.strip()[:150]}"
    if fault.get("checks") and (fault.get("guard") or not fault.get("programs")):
        # Run in its own process, because modules there have the same names as here.
        suite = "watched" if fault.get("guard") else "stepped" if fault.get("steps") else "guards"
        done = subprocess.run([sys.executable, HDL / "dv/leak/flips.py", suite, copy, where], capture_output=True, text=True)
        if done.returncode == CAUGHT:
            return f"flipped bits: {done.stdout.strip()[:150]}"
        if done.returncode:
            raise Failed(done.stderr.strip()[-500:])
    return None


def runs(fault):
    """The runs of the regression that look for a fault. If it is in the checks of a redundant channel, their core has such a channel."""
    if fault.get("checks"):
        return redundant() if not (fault.get("programs") or fault.get("steps")) else []
    return catching() if not any(fault.get(kind) for kind in ("programs", "stream", "registers", "program_registers")) else []


def match(faults):
    """Whether each text is in its source once: 0 or 1."""
    sys.path.append(str(HDL / "dv/formal"))
    from prove import LONG, QUICK, SHAPES

    texts = [(fault["file"], fault["find"]) for fault in faults if "constants" not in fault]
    texts += [(name, text) for proof in {*QUICK, *SHAPES, *LONG} for name, text, _ in proof.faults]
    lost = [(name, text) for name, text in texts if (HDL / "rtl" / name).read_text().count(text) != 1]
    for name, text in lost:
        print(f"{name} must have once: {text}")
    print(f"faults: {len(texts) - len(lost)} of {len(texts)} texts are in their sources")
    return 1 if lost else 0


def main():
    faults = tomllib.loads((Path(__file__).parent / "faults.toml").read_text())["fault"]
    if sys.argv[1:] == ["--match"]:
        return match(faults)
    wanted = " ".join(sys.argv[1:])
    quick()  # fails if a run of catching() is not among its runs
    bus.tools()
    missed = errors = 0
    for fault in (fault for fault in faults if wanted in fault["name"]):
        try:
            how = caught_by(fault)
        except Failed as failure:
            errors += 1
            print(f"ERROR  {fault['name']}: {failure}", flush=True)
            continue
        missed += how is None
        print(f"caught {fault['name']} by {how}" if how else f"MISSED {fault['name']}", flush=True)
    print(f"{len(faults) - missed - errors if not wanted else 'of those asked for all but ' + str(missed)} caught, "
          f"{missed} missed, {errors} not planted")
    return 1 if missed or errors else 0


if __name__ == "__main__":
    program(main)
