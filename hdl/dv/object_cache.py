"""Stands before the compiler of Verilator's makefiles. What is the same for every core is compiled once: the objects of Verilator's own
run-time library, and the headers that each model and driver reads.

    object_cache.py c++ OPTIONS -c -o OBJECT SOURCE

MODULI_OBJECT_CACHE is the directory where it is kept.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HEADERS = ("verilated.h", "cstdint", "cstdio", "cstdlib", "cstring", "deque", "fstream", "iostream", "random", "sstream", "string", "vector")


def once(command, path):
    """Has the compiler write a file that is not there yet; others that want it meanwhile wait. Its exit status."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            return 0
        partial = path.with_suffix(".partial")
        done = subprocess.run([*command, "-o", partial]).returncode
        if not done:
            partial.replace(path)
        return done


def main():
    command, store = sys.argv[1:], os.environ.get("MODULI_OBJECT_CACHE")
    source = Path(command[-1])
    library = next((Path(word[2:]) for word in command if word.startswith("-I") and Path(word[2:], "verilated_config.h").exists()), None)
    if not store or not library or "-o" not in command or source.suffix != ".cpp":
        os.execvp(command[0], command)
    at = command.index("-o")
    target, store = Path(command[at + 1]), Path(store)
    # What concerns the core is not seen by the library; of several levels of optimisation the last counts.
    options = [word for word in command[:at] + command[at + 2 : -1] if word not in ("-c", "-MMD", "-MP") and not word.startswith(("-DMODULI", "-I", "-O"))]
    options += [word for word in command if word.startswith(f"-I{library}")] + [word for word in command if word.startswith("-O")][-1:]
    digest = hashlib.sha256("\0".join(options).encode() + (library / "verilated_config.h").read_bytes())
    if source.parent == library:
        digest.update(source.read_bytes())
        cached = store / f"{digest.hexdigest()}.o"
        done = once([*options, "-c", source], cached)
        if not done:
            shutil.copyfile(cached, target)
        return done
    text = "".join(f"#include <{name}>\n" for name in HEADERS)
    digest.update(text.encode())
    header = store / f"{digest.hexdigest()}.h"
    if not header.exists():
        store.mkdir(parents=True, exist_ok=True)
        header.write_text(text)
    done = once([*options, "-x", "c++-header", header], header.with_suffix(".h.gch"))
    return done or subprocess.run([*command[:-1], "-include", header, source]).returncode


if __name__ == "__main__":
    sys.exit(main())
