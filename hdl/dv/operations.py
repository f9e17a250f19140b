"""Tests the program of `make hdl-sim` on a tiny core: every operation in both forms, and inputs that it must refuse."""

import subprocess
import sys
import tempfile
from pathlib import Path

SIMULATE = Path(__file__).resolve().parent / "simulate.py"
CORE = ("--prime=3fb", "--width=17", "--channels=2", "--inversion=binary")
ONE, TWO = "2\n0x3fb  # P\n1ff\n", "2 3\n3fb 1ff\n3fa 3fa\n"


def simulate(text, *options):
    """Runs the program on a file with this text; returns its exit status and its last line."""
    with tempfile.NamedTemporaryFile("w") as vectors:
        vectors.write(text)
        vectors.flush()
        done = subprocess.run([sys.executable, SIMULATE, *CORE, f"--vectors={vectors.name}", *options], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip().splitlines()[-1]


def main():
    passed = failed = 0
    blind = "--options=--blind"
    for text, operation in ((ONE, "invert"), (TWO, "multiply"), (TWO, "exponentiate"), (TWO, "blinded")):
        for form in ((), ("--montgomery",)):
            status, said = simulate(text, blind, f"--operation={operation}", *form)
            right = status == 0 and said == "3 passed, 0 failed"
            passed, failed = passed + right, failed + (not right)
            print(operation, *form, said, flush=True)
    for text, operation, reason in ((ONE, "multiply", "two hexadecimal numbers"), (TWO, "invert", "one hexadecimal number"), (TWO, "blinded", "--blind")):
        status, said = simulate(text, f"--operation={operation}")
        right = status == 1 and reason in said
        passed, failed = passed + right, failed + (not right)
        print(f"refused: {operation}: {said}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
