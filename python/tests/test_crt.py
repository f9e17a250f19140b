"""CrtModulus: powers for callers who know the factors."""

import pickle

import moduli
import pytest
from numbers_of_tests import below

P, Q = 2**127 - 1, moduli.group("dsa-1024-160").q


@pytest.mark.parametrize("power", [1, 2, 3])
@pytest.mark.parametrize(("p", "q"), [(3, 5), (5, 3), (P, Q), (Q, P), (7, 2**521 - 1)])
def test_powers_are_pythons(p, q, power):
    owner = moduli.CrtModulus(p, q, power)
    n = (p * q) ** power
    assert owner.modulus == n
    order = (p - 1) * (q - 1) * (p * q) ** (power - 1)
    for x in (0, 1, 2, n - 1, n, p, q**power, -1, -p, below(n), n * 7 + 2):
        for e in (0, 1, 2, p, order, order + 1, n, n * 2**64 + 1, below(n)):
            assert owner.pow(x, e) == pow(x, e, n)
    x = 2
    assert owner.pow(x, -5) == pow(x, -5, n)


def test_what_is_refused():
    for p, q, power, name in [
        (9, 5, 1, "p"),
        (5, 2, 1, "q"),
        (5, 5, 1, "q"),
        (-3, 5, 1, "p"),
        (3, 0, 1, "q"),
        (3, 5, 0, "power"),
        (3, 5, 2**31, "bits"),
        (3, 5, -1, "power"),
        (3, 5, 2**32, "power"),
    ]:
        with pytest.raises(ValueError, match=name):
            moduli.CrtModulus(p, q, power)
    for arguments in [(3.0, 5), (3, 5, 1.0), (3, 5, "1")]:
        with pytest.raises(TypeError, match="must be an integer"):
            moduli.CrtModulus(*arguments)
    owner = moduli.CrtModulus(3, 5)
    with pytest.raises(ValueError, match="invert"):
        owner.pow(6, -1)
    assert "3" not in repr(owner).replace("3 bits", "")
    with pytest.raises(TypeError, match="secret primes"):
        pickle.dumps(owner)
