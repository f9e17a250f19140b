"""Benchmark of pycryptodome: signatures of RSA and DSA."""

import timing
from Crypto.Hash import SHA256
from Crypto.Math import _IntegerNat
from Crypto.PublicKey import DSA, RSA
from Crypto.Signature import DSS, pkcs1_15

integer = _IntegerNat.IntegerNat
with_moduli, own = integer.inplace_pow, integer.pow_of_its_own
rsa = {bits: pkcs1_15.new(RSA.generate(bits)) for bits in (2048, 3072)}
dsa = DSS.new(DSA.generate(2048), "fips-186-3")
digest = SHA256.new(b"message")
signature = dsa.sign(digest)


def use(after):
    integer.inplace_pow = with_moduli if after else own


def sign_rsa(bits):
    def sign():
        rsa[bits].verify(digest, rsa[bits].sign(digest))

    return sign


def sign_dsa():
    dsa.sign(digest)


def verify_dsa():
    dsa.verify(digest, signature)


timing.compare({
    "RSA-2048 sign and verify": sign_rsa(2048), "RSA-3072 sign and verify": sign_rsa(3072),
    "DSA-2048 sign": sign_dsa, "DSA-2048 verify": verify_dsa,
}, use)  # fmt: skip
