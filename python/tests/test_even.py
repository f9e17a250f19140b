"""EvenModulus: powers modulo even numbers."""

import pickle

import moduli
import pytest
from numbers_of_tests import below

MODULI = [2, 6, 2**64, 2**300, 10**6, 3 << 63, 3 << 64, (2**521 - 1) << 1, (2**521 - 1) << 200]


@pytest.mark.parametrize("n", MODULI)
def test_powers_are_pythons(n):
    modulus = moduli.EvenModulus(n)
    assert modulus.value == n
    for x in (0, 1, 2, n - 1, n, n + 1, n * n, -1, -2, -n, 1 - n, -n * n * 7 - 3, below(n), 2**2000 + 1, -(2**2000) - 1):
        for y in (0, 1, 2, 65537, 2**64 - 1, 2**64, n, below(n)):
            assert modulus.pow(x, y) == modulus.pow_secret(x, y) == pow(x, y, n)
        for power in (modulus.pow, modulus.pow_secret):
            with pytest.raises(ValueError, match="exponent is negative"):
                power(x, -1)


def test_what_is_refused():
    for n, name in [(0, "modulus"), (7, "odd"), (1, "odd"), (-10, "negative"), (2**65536, "bits")]:
        with pytest.raises(ValueError, match=name):
            moduli.EvenModulus(n)
    for n in (2.0, "2", None):
        with pytest.raises(TypeError):
            moduli.EvenModulus(n)
    modulus = moduli.EvenModulus(10)
    for arguments in [(1.0, 2), (2, 1.0), (None, 1)]:
        with pytest.raises(TypeError):
            modulus.pow(*arguments)


def test_it_is_pickled_and_says_no_number():
    modulus = moduli.EvenModulus(1234567890)
    assert pickle.loads(pickle.dumps(modulus)).value == 1234567890
    assert repr(modulus) == "<EvenModulus of 31 bits>"
