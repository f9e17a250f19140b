"""Cross-compiles the native library for other machines, and calls it under QEMU if that is installed."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CARGO = os.environ.get("CARGO", "cargo")
# The machines that are supported, by their names in Java.
MACHINES = ("aarch64",)

POWER = """#include <moduli.h>
#include <stdio.h>
int main(void) {
    moduli_modulus *p;
    uint8_t out[3];
    const uint8_t million_and_3[] = {0x0f, 0x42, 0x43}, three[] = {3}, twenty[] = {20};
    if (moduli_modulus_new(&p, million_and_3, 3) != MODULI_STATUS_OK || moduli_pow(p, out, 3, three, 1, twenty, 1) != MODULI_STATUS_OK) return 1;
    printf("%d\\n", out[0] << 16 | out[1] << 8 | out[2]);
    moduli_modulus_free(p);
    return 0;
}
"""


def run(*command, **options):
    print("$", " ".join(str(part) for part in command), flush=True)
    return subprocess.run([str(part) for part in command], check=True, **options)


def library(machine, own, place):
    """Builds the library for `machine` into the file `place`. `own` is this machine's library; both must export the same functions."""
    if machine not in MACHINES:
        sys.exit(f"java: no library is cross-compiled for {machine}; there are {', '.join(MACHINES)}")
    target, tool = f"{machine}-unknown-linux-gnu", f"{machine}-linux-gnu-".__add__
    missing = [tool(name) for name in ("gcc", "strip", "nm") if not shutil.which(tool(name))]
    installed = subprocess.run(["rustc", "--print", "target-libdir", "--target", target], capture_output=True, text=True)
    if not Path(installed.stdout.strip()).is_dir():
        missing.append(f"the standard library for {target} (rustup target add {target})")
    if missing:
        sys.exit(f"java: missing: {', '.join(missing)}")
    linker = {f"CARGO_TARGET_{target.upper().replace('-', '_')}_LINKER": tool("gcc")}
    run(CARGO, "build", "--release", "--locked", "-p", "moduli-capi", "--target", target, cwd=ROOT, env=os.environ | linker)
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / target / "release"
    if functions(tool("nm"), built / own.name) != functions("nm", own):
        sys.exit(f"java: {built / own.name} offers other functions than {own}")
    calls(machine, tool("gcc"), built)
    place.parent.mkdir(parents=True, exist_ok=True)
    run(tool("strip"), "--strip-unneeded", "-o", place, built / own.name)


def functions(nm, file):
    """The names of moduli's functions that a library file exports."""
    listed = run(nm, "--dynamic", "--defined-only", file, stdout=subprocess.PIPE, text=True).stdout
    return {name for name in (line.split()[-1] for line in listed.splitlines()) if name.startswith("moduli_")}


def calls(machine, compiler, built):
    """Checks under QEMU that a program linked with the library computes correctly."""
    qemu = shutil.which(f"qemu-{machine}-static") or shutil.which(f"qemu-{machine}")
    if not qemu:
        print(f"the library for {machine} is not called: QEMU's user mode is missing")
        return
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "power.c", Path(folder) / "power"
        source.write_text(POWER, encoding="utf-8")
        run(compiler, "-o", program, source, f"-I{ROOT / 'crates/moduli-capi/include'}", f"-L{built}", "-lmoduli_capi")
        said = run(qemu, "-L", f"/usr/{machine}-linux-gnu", "-E", f"LD_LIBRARY_PATH={built}", program, stdout=subprocess.PIPE, text=True).stdout
    if said != f"{pow(3, 20, 1_000_003)}\n":
        sys.exit(f"java: on {machine} 3^20 modulo 1000003 is {said!r}")
