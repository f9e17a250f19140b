"""Runs the compiler for Verilator's makefiles, with a cache. Objects that are the same for every core are compiled once: Verilator's
run-time library and the driver, and also the headers that each model reads.

    object_cache.py c++ OPTIONS -c -o OBJECT SOURCE

MODULI_OBJECT_CACHE is the directory of the cache.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HEADERS = ("verilated.h", "cstdint", "cstdio", "cstdlib", "cstring", "deque", "fstream", "iostream", "memory", "random", "sstream", "string",
           "vector")
# The level of optimisation of the shared objects. Models may use another one.
LEVEL = "-Og"


def once(command, path):
    """Compiles a file if it does not exist yet; other processes that need it wait meanwhile. Returns the exit status."""
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


def copied(command, digest, read, store, target):
    """Compiles an object unless the cache has it, and copies it to the target. Returns the exit status."""
    for path in read:
        digest.update(path.read_bytes())
    cached = store / f"{digest.hexdigest()}.o"
    done = once(command, cached)
    if not done:
        shutil.copyfile(cached, target)
    return done


def main():
    # Dropped, because the library reads the time from its context with or without this option.
    command, store = [word for word in sys.argv[1:] if word != "-DVL_TIME_CONTEXT"], os.environ.get("MODULI_OBJECT_CACHE")
    source = Path(command[-1])
    library = next((Path(word[2:]) for word in command if word.startswith("-I") and Path(word[2:], "verilated_config.h").exists()), None)
    if not store or not library or "-o" not in command or source.suffix != ".cpp":
        os.execvp(command[0], command)
    at = command.index("-o")
    target, store = Path(command[at + 1]), Path(store)
    # Options that differ between cores, also the one for delays, are removed for shared objects, which do not use them.
    apart = ("-DMODULI", "-DVM_TIMING", "-I", "-O")
    options = [word for word in command[:at] + command[at + 2 : -1] if word not in ("-c", "-MMD", "-MP") and not word.startswith(apart)]
    options += [word for word in command if word.startswith(f"-I{library}")] + [LEVEL]
    digest = hashlib.sha256("\0".join(options).encode() + (library / "verilated_config.h").read_bytes())
    if source.parent == library:
        return copied([*options, "-c", source], digest, [source], store, target)
    text = "".join(f"#include <{name}>\n" for name in HEADERS)
    digest.update(text.encode())
    header = store / f"{digest.hexdigest()}.h"
    if not header.exists():
        store.mkdir(parents=True, exist_ok=True)
        header.write_text(text)
    done = once([*options, "-x", "c++-header", header], header.with_suffix(".h.gch"))
    if not done and source.is_absolute() and '#include "V' not in source.read_text():
        return copied([*options, "-include", header, "-c", source], digest, [source, *sorted(source.parent.glob("*.h"))], store, target)
    return done or subprocess.run([*command[:-1], "-include", header, source]).returncode


if __name__ == "__main__":
    sys.exit(main())
