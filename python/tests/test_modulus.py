"""Modulus objects, compared with Python's integers."""

import copy
import pickle

import gmpy2
import moduli
import numpy as np
import pytest
from numbers_of_tests import LENGTHS, below, extremes, odd


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except (ValueError, ZeroDivisionError, TypeError) as error:
        return type(error)


@pytest.mark.parametrize("bits", LENGTHS)
def test_methods_at_every_length(bits):
    for number in (odd(bits), (1 << bits) - 1):
        m = moduli.Modulus(number)
        assert (m.value, m.bits) == (number, bits)
        for x in (*extremes(number), below(number)):
            for y in (0, 1, 2, 65537, below(1 << min(bits, 300)), -1, -5):
                expected = outcome(pow, x, y, number)
                assert outcome(m.pow, x, y) == outcome(m.pow_secret, x, y) == expected, (x, y, number)
            inverse = outcome(gmpy2.invert, x, number)
            assert outcome(m.invert, x) == outcome(m.invert_secret, x) == inverse, (x, number)
            assert m.mul(x, -x) == -x * x % number and m.mul(x, number - 1) == -x % number


def test_batches():
    m = moduli.Modulus(2**127 - 1)
    xs, ys = [below(m.value) for _ in range(50)], [below(1 << 200) for _ in range(50)]
    powers = [pow(x, y, m.value) for x, y in zip(xs, ys, strict=True)]
    assert m.pow_batch(xs, ys) == powers
    as_bytes = m.pow_batch(b"".join(x.to_bytes(16, "big") for x in xs), ys, width=16)
    assert as_bytes == b"".join(power.to_bytes(16, "big") for power in powers)
    assert m.pow_batch(np.array(xs, object), np.array(ys, object)) == powers
    assert m.invert_batch(xs) == [pow(x, -1, m.value) for x in xs]
    with pytest.raises(ValueError, match="row 1"):
        moduli.Modulus(15).invert_batch([1, 3])
    with pytest.raises(ValueError, match="as many"):
        m.pow_batch(xs, ys[1:])


@pytest.mark.parametrize("bad", [0, 1, -7, 8, 2**70, pytest.param(1 << 66_000 | 1, id="long"), 3.0, "7", None])
def test_what_is_no_modulus(bad):
    with pytest.raises(ValueError if isinstance(bad, int) else TypeError):
        moduli.Modulus(bad)


def test_wrong_arguments():
    m = moduli.Modulus(1000003)
    for method, arguments in ((m.pow, (3, 2.0)), (m.pow_secret, ("3", 2)), (m.invert, (None,)), (m.invert_secret, (2.0,)), (m.mul, (2, 3j))):
        assert outcome(method, *arguments) is TypeError


def test_objects():
    m, same, other = moduli.Modulus(2**521 - 1), moduli.Modulus(gmpy2.mpz(2**521 - 1)), moduli.Modulus(2**521 + 1)
    assert m == same and hash(m) == hash(same) and m != other and len({m, same, other}) == 2
    assert pickle.loads(pickle.dumps(m)) == copy.deepcopy(m) == m
    assert repr(m).startswith("<Modulus of 521 bits, ") and str(2**521 - 1)[:6] not in repr(m)
    with pytest.raises(AttributeError):
        m.value = 3


def test_a_prepared_modulus_serves_tables():
    prepared = moduli.Modulus(odd(1024))
    for modulus in (prepared, prepared.value):
        table = moduli.FixedBase(3, modulus, exponent_bits=128, budget="64KiB")
        assert table.modulus == prepared.value and table.pow(2**127 + 5) == pow(3, 2**127 + 5, prepared.value)
    # A Modulus and the number are interchangeable.
    assert moduli.multi_pow([table, moduli.FixedBase(5, prepared, exponent_bits=128)], [7, 9]) == pow(3, 7) * pow(5, 9)
    with pytest.raises(TypeError):
        moduli.FixedBase(3, moduli.EvenModulus(10))
