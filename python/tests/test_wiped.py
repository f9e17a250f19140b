"""Memory in which the extension keeps secrets is wiped: a free() that is loaded before glibc's searches for them. Python's
own integers are not checked."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "crates/moduli-capi/c/wiped/freed.c"

# Python stores short integers and bytes in its own arenas, and does not free them one by one; longer objects are kept
# alive.
PROGRAM = """
import ctypes, random
import moduli

looks = ctypes.CDLL(None)
looks.freed_found.restype = ctypes.c_size_t
numbers = random.Random(7)
P = 2**521 - 1
M, EVEN, Q = (2**607 - 1) * P, (2**607 - 1) << 500, moduli.group("ffdhe2048")
xs, es = ([numbers.getrandbits(1000) | 1 for _ in range(3)], [numbers.getrandbits(256) for _ in range(3)])
rows, exponents = b"".join(x.to_bytes(128, "big") for x in xs), b"".join(e.to_bytes(32, "big") for e in es)
table = moduli.FixedBase(3, M, exponent_bits=256, budget="64KiB")
modulus, even, owner = moduli.Modulus(M), moduli.EvenModulus(EVEN), moduli.CrtModulus(P, 2**607 - 1)
kept = []

calls = {
    "powmod_sec": lambda: moduli.powmod_sec(xs[0], es[0], M),
    "Modulus.pow_secret": lambda: modulus.pow_secret(xs[0], es[0]),
    "Modulus.pow_secret of a negative base": lambda: modulus.pow_secret(-xs[0], es[0]),
    "Modulus.pow_secret, inverse": lambda: modulus.pow_secret(xs[0], -es[0]),
    "Modulus.invert_secret": lambda: modulus.invert_secret(xs[0]),
    "Modulus.mul": lambda: modulus.mul(xs[0], xs[1]),
    "EvenModulus.pow_secret": lambda: even.pow_secret(xs[0], es[0]),
    "EvenModulus.invert_secret": lambda: even.invert_secret(xs[0]),
    "CrtModulus.pow": lambda: owner.pow(xs[0], es[0]),
    "FixedBase.pow": lambda: table.pow(es[0]),
    "FixedBase.pow_batch": lambda: table.pow_batch(es),
    "FixedBase.pow_batch of bytes": lambda: table.pow_batch(exponents, width=32),
    "powmod_batch": lambda: moduli.powmod_batch(xs, es, M),
    "powmod_batch of bytes": lambda: moduli.powmod_batch(rows, exponents, M, width=128, exponent_width=32),
    "powmod_base_list": lambda: moduli.powmod_base_list(xs, es[0], M),
    "invert_batch": lambda: moduli.invert_batch(rows, M, width=128),
    "multi_pow": lambda: moduli.multi_pow(xs, es, M, secret=True),
    "multi_pow of tables": lambda: moduli.multi_pow([table, table], es[:2]),
}


def results(found):
    found = found if isinstance(found, list) else [found]
    return [each if isinstance(each, bytes) else each.to_bytes(144, "big") for each in found]


def watch(secret):
    looks.freed_watch(secret, ctypes.c_size_t(len(secret)))


looks.freed_watch(exponents, ctypes.c_size_t(len(exponents)))
block = looks.malloc
block.restype = ctypes.c_void_p
copy = block(ctypes.c_size_t(64))
ctypes.memmove(copy, exponents, 64)
looks.free(ctypes.c_void_p(copy))
assert looks.freed_found() == 8, "what is left is found"
for name, call in calls.items():
    # Twice: the first time to know the results, which have whole words in front as they have in memory.
    expected = results(call())
    for secret in (rows, exponents, *expected):
        watch(secret)
    kept.append(call())
    found = looks.freed_found()
    if found:
        print(name, "leaves", found, "words")
print("looked at", len(calls))
"""


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("gcc"), reason="gcc and glibc")
def test_secrets_are_wiped_before_their_memory_is_freed(tmp_path):
    library = tmp_path / "freed.so"
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library), "RAYON_NUM_THREADS": "1"}
    result = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, env=environment)
    assert result.stdout == "looked at 18\n", result
