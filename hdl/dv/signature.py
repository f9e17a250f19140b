"""Computes an ECDSA signature by two cores in one design, modulo p and modulo the order of a curve. OpenSSL verifies it; for P-256 the
signature of RFC 6979 is also compared. Each core of the design is linted alone.

    signature.py [CURVE]     P-256, or secp256k1; both if none is named
"""

import hashlib
import hmac
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pair
from resident import CURVES, Core
from simulate import BUILD, HDL, compiler, object_cache, program, run, told, verilator

GENERATORS = {
    "P-256": (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296, 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5),
    "secp256k1": (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798, 0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8),
}
IDENTIFIERS = {"P-256": "2a8648ce3d030107", "secp256k1": "2b8104000a"}
BENCH = HDL / "dv/moduli_rns_signature_tb.sv"
# RFC 6979, A.2.5: P-256 with SHA-256, the message "sample".
PUBLISHED_KEY = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
PUBLISHED = (0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716, 0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8)


def nonce(key, digest, n):
    """The nonce of RFC 6979 with SHA-256, for an order of 256 bits."""
    seed = key.to_bytes(32, "big") + (int.from_bytes(digest, "big") % n).to_bytes(32, "big")
    k, v = b"\0" * 32, b"\1" * 32
    for mark in (b"\0", b"\1"):
        k = hmac.digest(k, v + mark + seed, "sha256")
        v = hmac.digest(k, v, "sha256")
    while True:
        v = hmac.digest(k, v, "sha256")
        if 0 < int.from_bytes(v, "big") < n:
            return int.from_bytes(v, "big")
        k = hmac.digest(k, v + b"\0", "sha256")
        v = hmac.digest(k, v, "sha256")


def tlv(tag, content):
    length = len(content)
    return bytes([tag, length] if length < 128 else [tag, 0x81, length]) + content


def integer(value):
    return tlv(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def verified(name, public, signature, message):
    """Whether OpenSSL accepts a signature."""
    algorithm = tlv(0x30, tlv(6, bytes.fromhex("2a8648ce3d0201")) + tlv(6, bytes.fromhex(IDENTIFIERS[name])))
    point = b"\4" + b"".join(each.to_bytes(32, "big") for each in public)
    with tempfile.TemporaryDirectory() as place:
        files = [Path(place, name) for name in ("key", "signature", "message")]
        files[0].write_bytes(tlv(0x30, algorithm + tlv(3, b"\0" + point)))
        files[1].write_bytes(tlv(0x30, b"".join(map(integer, signature))))
        files[2].write_bytes(message)
        done = subprocess.run(["openssl", "dgst", "-sha256", "-keyform", "DER", "-verify", files[0], "-signature", *files[1:]], capture_output=True)
    return done.returncode == 0


def write(core, directory, prefix=None):
    """Writes a core with its sources, and returns the list of files for compilers."""
    named = ["--prefix", prefix] if prefix else []
    run([*core.command(), "--rtl", HDL / "rtl", *named, "-o", directory, "--force"])
    return directory / f"{prefix + '_' if prefix else ''}moduli_rns.f"


def design(name):
    """Builds the simulator of both cores."""
    cores = (Core(name, 33, 8, ("weierstrass",), ("--curve", name)), Core(f"{CURVES[name][3]:x}", 33, 8, ("signature",)))
    place = BUILD / f"signature-{name}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    files = write(cores[0], place / "field"), write(cores[1], place / "order", "order")
    pair.lint(files[0], "moduli_rns_resident", place)
    pair.lint(files[1], "order_moduli_rns_resident", place)
    lists = [word for path in files for word in ("-F", path)]
    run([verilator(), "--binary", "--timing", "--assert", "-Wno-fatal", "--output-split", "0", "-j", "1", *compiler(),
         "--Mdir", place / "obj", "--top-module", "moduli_rns_signature_tb", *lists, BENCH], env={**os.environ, **object_cache()})
    return place / "obj/Vmoduli_rns_signature_tb"


def sign(name):
    """Computes and verifies a few signatures. Returns (passed, failed)."""
    simulator = design(name)
    n = CURVES[name][3]
    chooser = random.Random(9)
    messages = [(PUBLISHED_KEY, b"sample")] + [(chooser.randrange(1, n), chooser.randbytes(chooser.randrange(200))) for _ in range(3)]
    passed = 0
    for key, message in messages:
        digest = hashlib.sha256(message).digest()
        x, y = GENERATORS[name]
        given = {"x": x, "y": y, "d": key, "k": nonce(key, digest, n), "e": int.from_bytes(digest, "big")}
        said = run([simulator, *(f"+{what}={value:x}" for what, value in given.items())]).split()
        *public, r, s = (int(word, 16) for word in said[:4])
        right = verified(name, public, (r, s), message) and not verified(name, public, (r, s), message + b"!")
        if (name, key) == ("P-256", PUBLISHED_KEY):
            right = right and (r, s) == PUBLISHED
        passed += right
        print(f"{name}: {said[4]} cycles, {'verified by OpenSSL' if right else 'WRONG'}: {r:x} {s:x}", flush=True)
    return passed, len(messages) - passed


def main():
    passed = failed = 0
    for name in sys.argv[1:] or GENERATORS:
        if name not in GENERATORS:
            sys.exit(__doc__)
        good, bad = sign(name)
        passed, failed = passed + good, failed + bad
    return told(passed, failed)


if __name__ == "__main__":
    program(main)
