"""Stands before the compiler: objects of Verilator's own run-time library, which are the same for every core, are compiled once.

    object_cache.py c++ OPTIONS -c -o OBJECT SOURCE
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path


def main():
    command = sys.argv[1:]
    source, store = Path(command[-1]), os.environ.get("MODULI_OBJECT_CACHE")
    if not store or "-o" not in command or source.parent.name != "include":
        os.execvp(command[0], command)
    target = Path(command[command.index("-o") + 1])
    # What concerns the core is not seen by the library.
    kept = [word for word in command if not word.startswith(("-DMODULI", "-I")) or word.startswith(f"-I{source.parent}")]
    kept[kept.index("-o") + 1] = ""
    digest = hashlib.sha256("\0".join(kept).encode() + source.read_bytes()).hexdigest()
    cached = Path(store) / f"{digest}.o"
    if not cached.exists():
        done = subprocess.run(command).returncode
        if done:
            return done
        cached.parent.mkdir(parents=True, exist_ok=True)
        partial = cached.with_suffix(f".{os.getpid()}")
        shutil.copyfile(target, partial)
        partial.replace(cached)
    else:
        shutil.copyfile(cached, target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
