"""Tries the seeded faults of the Python package, in a copy of the tree. `make python` tests the package itself.

    run.py faults [WORD...]    all, or those whose names contain a word; by a Python that has the tools of
                               requirements-python.txt
    run.py build               compiles the extension of this tree quickly, and puts it beside the package
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "scripts"))

import seeded  # noqa: E402


def build():
    subprocess.run(seeded.cargo("moduli-python"), cwd=ROOT, check=True)
    shutil.copy(ROOT / "target/release/lib_moduli.so", ROOT / "python/moduli/_moduli.abi3.so")


def command(test):
    file, _, name = test.partition(" ")
    return [sys.executable, "-m", "pytest", "--exitfirst", "-p", "no:cacheprovider", f"python/tests/{file}::{name}"]


def faults(words):
    from faults import FAULTS

    seeded.update_crates()
    # In place of an installed package.
    environment = os.environ | {"PYTHONPATH": str(seeded.CRATES / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    seeded.tried(FAULTS, words, seeded.CRATES, command, environment, [sys.executable, "python/run.py", "build"])


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["build"]:
            build()
        case ["faults", *words]:
            faults(words)
        case _:
            sys.exit(__doc__)
