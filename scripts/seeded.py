"""Seeded mistakes in the packages for other languages: each is put into a copy of a package, whose tests must fail.

What a package has are FAULTS of a file faults.py beside it. `run.py faults LIBRARY [WORD...]` there tries all, or those whose names contain
a word.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """What stands in a file once, what stands there instead, and the test that fails then."""

    name: str
    file: str
    right: str
    wrong: str
    test: str


def tried(faults, words, source, copy, command, environment):
    """Tries them in a copy of the folder `source`, by the command of a test; ends with 1 if one is not caught."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy)
    chosen = [fault for fault in faults if not words or any(word in fault.name for word in words)]
    run = lambda test: subprocess.run(command(test), cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    for test in sorted({fault.test for fault in chosen}):
        if (ended := run(test)).returncode:
            sys.exit(f"{ended.stdout}\n{test} fails without a fault")
    missed = 0
    for fault in chosen:
        path = copy / fault.file
        text = path.read_text(encoding="utf-8")
        if text.count(fault.right) != 1:
            sys.exit(f"{fault.file} has {text.count(fault.right)} times {fault.right!r}: {fault.name}")
        path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
        ended = run(fault.test)
        path.write_text(text, encoding="utf-8")
        # What does not compile fails, too, and says nothing of the test.
        caught = bool(ended.returncode) and fault.test.rpartition(".")[2] in ended.stdout
        missed += not caught
        print(f"{'caught' if caught else 'MISSED'}  {fault.name}: {fault.test}", flush=True)
        if not caught:
            print(ended.stdout[-2000:])
    print(f"{len(chosen) - missed} caught, {missed} missed")
    sys.exit(1 if missed else 0)
