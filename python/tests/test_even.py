"""Powers and inverses modulo even and negative numbers, by EvenModulus and by the functions."""

import pickle
from math import gcd

import gmpy2 as real
import moduli
import pytest
from moduli import gmpy2
from numbers_of_tests import below, odd

MODULI = [2, 6, 2**64, 2**300, 10**6, 3 << 63, 3 << 64, (2**521 - 1) << 1, (2**521 - 1) << 200]


@pytest.mark.parametrize("n", MODULI)
def test_powers_and_inverses_are_pythons_and_gmpy2s(n):
    modulus = moduli.EvenModulus(n)
    assert modulus.value == n
    for x in (0, 1, 2, n - 1, n, n + 1, n * n, -1, -2, -n, 1 - n, -n * n * 7 - 3, below(n), 2**2000 + 1, -(2**2000) - 1):
        for y in (0, 1, 2, 65537, 2**64 - 1, 2**64, n, below(n)):
            assert modulus.pow(x, y) == modulus.pow_secret(x, y) == pow(x, y, n)
        for x in (x, x | 1):
            for y in (-1, -5, -(2**64)):
                assert outcome(modulus.pow, x, y) == outcome(modulus.pow_secret, x, y) == outcome(pow, x, y, n)
            inverse = outcome(real.invert, x, n)
            assert outcome(modulus.invert, x) == outcome(modulus.invert_secret, x) == outcome(moduli.invert, x, n) == inverse
            found, own = outcome(gmpy2.invert, x, real.mpz(-n)), outcome(real.invert, x, real.mpz(-n))
            assert found == own and type(found) is type(own)


def test_the_common_factor_is_told_of_public_numbers_alone():
    odd_one = moduli.Modulus(10007 * 10009)
    with pytest.raises(ZeroDivisionError, match=f"not invertible: .* {10007:#x}$"):
        odd_one.invert(10007)
    with pytest.raises(ZeroDivisionError, match="not invertible modulo the modulus$"):
        odd_one.invert_secret(10007)
    modulus = moduli.EvenModulus(2 * 10007 * 10009)
    for x in (10007, -10007, 2 * 10007, 10007**9):
        with pytest.raises(ZeroDivisionError, match=f"not invertible: .* {(10007 * (2 - x % 2)):#x}$"):
            modulus.invert(x)
        with pytest.raises(ZeroDivisionError, match="not invertible modulo the modulus$"):
            modulus.invert_secret(x)
        with pytest.raises(ValueError, match="not invertible modulo the modulus$"):
            modulus.pow_secret(x, -1)


def test_inverses_of_lists_modulo_even_numbers():
    for m in (2, 2**64, odd(300) << 65, odd(40) << 1):
        xs = [x for x in (1, -1, m - 1, m + 1, 3 - m, *(below(m * m) | 1 for _ in range(50))) if gcd(x, m) == 1]
        assert moduli.invert_batch(xs, m) == [pow(x, -1, m) for x in xs]
        length = -(-m.bit_length() // 8)
        rows = b"".join((x % m).to_bytes(length, "big") for x in xs)
        assert moduli.invert_batch(rows, m, width=length) == b"".join(pow(x, -1, m).to_bytes(length, "big") for x in xs)
        with pytest.raises(ValueError, match="row 2: "):
            moduli.invert_batch([1, 1, m // 2 * 2, 0], m)
    assert moduli.invert_batch([], 10) == []


def test_what_is_refused():
    for n, name in [(0, "modulus"), (7, "odd"), (1, "greater than 1"), (-10, "negative"), (2**65536, "bits")]:
        with pytest.raises(ValueError, match=name):
            moduli.EvenModulus(n)
    for n in (2.0, "2", None):
        with pytest.raises(TypeError):
            moduli.EvenModulus(n)
    modulus = moduli.EvenModulus(10)
    for arguments in [(1.0, 2), (2, 1.0), (None, 1)]:
        with pytest.raises(TypeError):
            modulus.pow(*arguments)
    for inverse in (modulus.invert, modulus.invert_secret):
        for x in (1.0, "3", None):
            with pytest.raises(TypeError):
                inverse(x)


def test_it_is_pickled_and_says_no_number():
    modulus = moduli.EvenModulus(1234567890)
    assert pickle.loads(pickle.dumps(modulus)).value == 1234567890
    assert repr(modulus) == "<EvenModulus of 31 bits>"


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except (ValueError, ZeroDivisionError, TypeError) as error:
        return type(error)


def shapes():
    """Moduli from the shortest that need preparation up to some thousand bits, with few, some, many or only factors of 2."""
    for bits in (257, 320, 512, 521, 1023, 1024, 1025, 2048, 4096):
        for twos in {1, 2, 63, 64, 65, bits // 4, bits // 2, bits - 65, bits - 2}:
            yield odd(bits - twos) << twos
        yield ((1 << bits - 64) - 1) << 64
        yield 1 << bits - 1


@pytest.mark.parametrize("sign,every", [(1, 1), (-1, 5), pytest.param(-1, 1, marks=pytest.mark.slow)])
def test_powmod_of_every_shape(sign, every):
    for m in list(shapes())[::every]:
        bases = (0, 1, 2, 3, m - 1, m, m + 1, m // 2, -1, -3, -m, below(m) | 1, below(m) & -2, 2 << below(200), below(m) ** 3, -below(m * m))
        for y in (0, 1, 2, 127, 128, 255, 65537, 2**64, below(2**128), below(2**256), -1, -2, -below(2**140)):
            for x in bases[::1 if m.bit_length() < 1000 else 3]:
                expected = outcome(pow, x, y, sign * m)
                assert outcome(moduli.powmod, x, y, sign * m) == expected, (x, y, sign * m)
                found, honest = outcome(gmpy2.powmod, x, y, real.mpz(sign * m)), outcome(real.powmod, x, y, real.mpz(sign * m))
                assert found == honest and type(found) is type(honest), (x, y, sign * m)


def test_negative_odd_moduli():
    for bits in (257, 1024, 3072):
        m = -odd(bits)
        for x in (0, 1, 3, -m, -m - 1, m + 1, below(-m), -below(m * m)):
            for y in (0, 1, 5, 2**64 + 1, below(2**256), -1, -7):
                assert outcome(moduli.powmod, x, y, m) == outcome(pow, x, y, m)
                assert outcome(gmpy2.powmod, x, y, real.mpz(m)) == outcome(real.powmod, x, y, real.mpz(m))


def test_lists_modulo_even_numbers():
    m = odd(600) << 300
    xs, ys = [below(m) for _ in range(5)] + [-3, 2], [below(2**300) for _ in range(5)] + [4, 0]
    assert moduli.powmod_batch(xs, ys, m) == [pow(x, y, m) for x, y in zip(xs, ys)]
    assert moduli.powmod_exp_list(xs[0], ys, m) == [pow(xs[0], y, m) for y in ys]
    assert moduli.powmod_base_list(xs, ys[0], m) == [pow(x, ys[0], m) for x in xs]
    with pytest.raises(ValueError, match="row 1: "):
        moduli.powmod_batch([1, 2], [-1, -1], m)


def test_moduli_of_0():
    for function, own in ((moduli.powmod_sec, real.powmod_sec), (gmpy2.powmod_sec, real.powmod_sec), (moduli.powmod, real.powmod)):
        for arguments in ((3, 5, 0), (0, 1, 0), (3, 2**300, 0), (3, 0, 0), (3, -1, 0), (2**300, 5, 2**300), (3.0, 5, 0)):
            assert outcome(function, *arguments) == outcome(own, *arguments)


def test_the_longest_even_modulus():
    m = 2**65535 + 2**65000
    assert moduli.powmod(3, 300, m) == pow(3, 300, m) and moduli.powmod(3, 300, 2 * m) == pow(3, 300, 2 * m)
