"""Compiles and runs one of the test programs quickly, for seeded faults: with the headers and the library as they are.

    one.py TARGET NAME    TARGET: where cargo put libmoduli_capi.so; NAME: gmp, wiped, or one of the tests that main.c
                          names

Programs are compiled again if what they are made of has changed. secrets runs under valgrind.
"""

import os
import subprocess
import sys
from pathlib import Path

from run import C, CRATE, MEMCHECK

SOURCES = {"gmp": ["gmp/main.c"], "wiped": ["wiped/main.c", "wiped/freed.c"]}
OPTIONS = {"gmp": ["-lgmp"], "wiped": ["-DWITH_GMP", "-lgmp"], "main": ["-D_POSIX_C_SOURCE=200809L", "-lcrypto", "-lpthread"]}


def compiled(name, libraries, folder):
    """The program, up to date."""
    program = folder / name
    sources = [CRATE / "c" / source for source in SOURCES[name]] if name in SOURCES else sorted(CRATE.glob("c/*.c"))
    headers = CRATE.glob("include/moduli/*.h" if name == "main" else "include/**/*.h")
    inputs = [*sources, *headers, *CRATE.glob("c/**/*.h")]
    if not program.is_file() or any(file.stat().st_mtime > program.stat().st_mtime for file in inputs):
        library = [f"-I{CRATE}/include", f"-L{libraries}", "-lmoduli_capi", *OPTIONS[name]]
        subprocess.run([*C, "-o", program, *sources, *library], check=True)
    return program


def main(libraries, name):
    folder = libraries.parent / "capi-one"
    folder.mkdir(exist_ok=True)
    program = compiled(name if name in SOURCES else "main", libraries, folder)
    command = [program, "quick"] if name in SOURCES else [program, folder, "quick", name]
    environment = os.environ | {"LD_LIBRARY_PATH": str(libraries), "RAYON_NUM_THREADS": "1"}
    return subprocess.run([*(MEMCHECK if name == "secrets" else []), *command], env=environment).returncode


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2]))
