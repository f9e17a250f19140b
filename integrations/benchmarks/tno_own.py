"""Benchmark of tno.mpc.encryption_schemes.paillier, with keys of 2048 bits."""

import gmpy2
import timing
import tno.mpc.encryption_schemes.paillier.paillier as paillier
import tno.mpc.encryption_schemes.utils.utils as utils
from moduli import gmpy2 as moduli_gmpy2

scheme = paillier.Paillier.from_security_parameter(key_length=2048, precision=0)
values = [3, -4, 5]
ciphertexts = []


def use(after):
    utils.gmpy2 = moduli_gmpy2 if after else gmpy2


def encrypt():
    ciphertexts[:] = [scheme.encrypt(value) for value in values]
    for each in ciphertexts:
        each.get_value()


def decrypt():
    assert [int(scheme.decrypt(each)) for each in ciphertexts] == values


def multiply():
    assert int(scheme.decrypt(ciphertexts[0] * (2**200 + 1))) == 3 * (2**200 + 1)


timing.compare({"encrypt": encrypt, "decrypt": decrypt, "product with a scalar": multiply}, use)
