"""Benchmark of MPyC with one party: inverses and powers of secure field elements modulo a prime of 2048 bits, by its gmpy module."""

import gmpy2
import mpyc.finfields as finfields
import mpyc.gmpy
import timing
from moduli import gmpy2 as moduli_gmpy2

field = finfields.GF(modulus=2**2203 - 1)
elements = [field(pow(3, 10**6 + i, 2**2203 - 1)) for i in range(100)]


def use(after):
    module = moduli_gmpy2 if after else gmpy2
    for own in (mpyc.gmpy, finfields.gmpy2):
        own.powmod, own.invert = module.powmod, module.invert


def powers():
    assert (elements[0] ** (2**2203 - 2)).value == 1


def inverses():
    for each in elements:
        assert each * each.reciprocal() == 1


timing.compare({"power in a field of 2203 bits": powers, "inverse": inverses}, use)
