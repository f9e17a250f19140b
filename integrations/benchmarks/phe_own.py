"""Benchmark of phe, with keys of 2048 bits."""

import gmpy2
import phe.paillier as paillier
import phe.util
import timing
from moduli import gmpy2 as moduli_gmpy2

public, private = paillier.generate_paillier_keypair(n_length=2048)
values = [1.5 * i - 3 for i in range(4)]
ciphertexts = [public.encrypt(value) for value in values]


def use(after):
    phe.util.gmpy2 = moduli_gmpy2 if after else gmpy2


def encrypt():
    ciphertexts[:] = [public.encrypt(value) for value in values]


def decrypt():
    assert [private.decrypt(each) for each in ciphertexts] == values


def multiply():
    products = [each * 3.25 for each in ciphertexts]
    assert private.decrypt(products[-1]) == values[-1] * 3.25


timing.compare({"encrypt": encrypt, "decrypt": decrypt, "product with a scalar": multiply}, use)
