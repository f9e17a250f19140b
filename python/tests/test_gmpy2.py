"""moduli.gmpy2 compared with gmpy2 itself: values, types of results, types of exceptions."""

import fractions
import itertools
import os
import pickle
import subprocess
import sys
import textwrap

import gmpy2 as real
import moduli
import numpy as np
import pytest
from moduli import gmpy2
from numbers_of_tests import LENGTHS, below, extremes, odd


def outcome(function, *arguments):
    """The result of a call, with the types of everything in it, or the exact type of the exception that it raises."""
    try:
        result = function(*arguments)
    except Exception as error:
        return type(error)
    return (list, [(type(each), each) for each in result]) if isinstance(result, list) else (type(result), result)


def same(name, *arguments):
    assert outcome(getattr(gmpy2, name), *arguments) == outcome(getattr(real, name), *arguments), (name, arguments)


class Index:
    def __index__(self):
        return 5


class Shifty(int):
    def __index__(self):
        return 7

    __int__ = __mod__ = __neg__ = __index__


STRANGE = [
    0, 1, -1, 2, 7, -7, 8, -8, 9, 15, True, False, 2**64 - 1, -(2**64), 2**127 - 1, 3 * 2**100, 2**300 + 1, -(2**300) - 1, 2**300,
    real.mpz(0), real.mpz(-1), real.mpz(6), real.mpz(2**127 - 1), real.mpz(2**300 + 7), real.xmpz(5), real.mpq(4, 2), real.mpfr(3),
    np.int64(5), np.uint8(3), np.float64(3), fractions.Fraction(4, 2), 3.0, "3", b"3", None, [3], Index(), Shifty(3),
]  # fmt: skip


def test_every_combination_of_strange_arguments():
    for x, m in itertools.product(STRANGE, STRANGE):
        same("invert", x, m)
    for x, y, m in itertools.product(STRANGE, STRANGE, STRANGE):
        same("powmod", x, y, m)
        same("powmod_sec", x, y, m)


def test_wrong_counts_of_arguments():
    for name in ("powmod", "powmod_sec", "invert", "powmod_exp_list", "powmod_base_list"):
        for count in (0, 1, 4):
            same(name, *[3] * count)


@pytest.mark.parametrize("name", ["powmod", "powmod_sec", "invert"])
def test_functions_have_the_names_that_callers_know(name):
    function = getattr(gmpy2, name)
    with pytest.raises(TypeError, match=rf"^(gmpy2\.)?{name}\(\) "):
        function(1)
    assert (function.__module__, function.__name__) == ("moduli.gmpy2", name)
    assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize("bits", [*range(2, 9), *LENGTHS])
def test_numbers_of_every_length(bits):
    mpz = real.mpz
    for m in (odd(bits), -odd(bits), odd(bits) & ~1 | 1 << (bits - 1), (odd(bits) | 7) ^ 7 | 1 << (bits - 1), 1 << (bits - 1)):
        for x in (*extremes(abs(m)), below(1 << bits)) if bits < 600 else (below(1 << bits), -below(1 << bits), 0, abs(m) + 1):
            ys = (0, 1, -1, 65537, below(1 << min(bits, 300)), -below(1 << 100))
            for y in ys:
                same("powmod", mpz(x), mpz(y), mpz(m))
                same("powmod", x, y, m)
            same("powmod_sec", mpz(x), mpz(ys[4]), mpz(m))
            same("invert", mpz(x), mpz(m))
            same("invert", x, m)


@pytest.mark.parametrize("words", range(2, 9))
def test_words_that_make_quotients_extreme(words):
    special = (0, 1, 1 << 63, (1 << 64) - 2, (1 << 64) - 1)
    for top in itertools.product(special, repeat=3):
        if not top[0]:
            continue
        *low, last = (below(1 << 64) for _ in range(words))
        number = lambda *high: sum(word << 64 * i for i, word in enumerate(reversed([*high, *low, last][:words])))
        for m in (number(*top) | 1, number(*top) & ~1, -number(*top) | 1):
            for x in (number(top[0], top[1]), abs(m) - 1, number(*special[2:]), 1 << (64 * words - 1), (1 << 64 * words) - 1, -number(*top[::-1]) << 1):
                for y in (1, 3, (1 << 64) - 1, -1):
                    same("powmod", x, y, m)


def test_tiny_numbers_exhaustively():
    for m in range(-70, 71):
        for x in range(-71, 72):
            same("invert", x, m)
            for y in (-3, -1, 0, 1, 2, 5, 8, 64, 65):
                same("powmod", x, y, m)


SEQUENCES = [
    [1, 2, 3], (1, 2), range(4), [], [True], [0, -1, 5], [-1], [1, "a"], [1.5], [None], [[1]], [np.int64(3)], [real.mpz(3), 4, 2**300],
    [real.xmpz(3)], [real.mpq(4, 2)], {1, 2}, {1: 2}, b"ab", bytearray(b"ab"), "12", 5, None, np.array([1, 2]), np.array([1, 2], object),
    np.array([[1, 2], [3, 4]], object), np.array([], object), np.array([2, real.mpz(3), -1], object), [Index()], [Shifty(3)],
]  # fmt: skip


def test_every_combination_of_lists():
    ones = (0, 1, -1, 3, -3, 2**200, real.mpz(5), True, 3.0, "3", None, np.int64(3))
    moduli_ = (0, 1, -1, 7, -7, 8, 2**127 - 1, 2**521 - 1, 2**300, 3 * 2**70, real.mpz(13), real.mpz(2**521 - 1), True, 7.0, "7", None)
    for one, items, m in itertools.product(ones, SEQUENCES, moduli_):
        # gmpy2 ends the process for such arguments.
        try:
            items_ = [int(real.mpz(item)) for item in items]
            pairs = [(one, y) for y in items_], [(x, one) for x in items_]
        except (TypeError, ValueError):
            pairs = [], []
        for name, arguments, some in (("powmod_exp_list", (one, items, m), pairs[0]), ("powmod_base_list", (items, one, m), pairs[1])):
            if any(outcome(real.powmod, x, y, m) is ValueError for x, y in some) and outcome(int, m)[1] > 0:
                assert outcome(getattr(gmpy2, name), *arguments) in (ValueError, TypeError), (name, arguments)
            else:
                same(name, *arguments)


@pytest.mark.parametrize("bits", [40, 64, 128, 200, 256, 512, 1100])
def test_long_lists(bits):
    m, y = odd(bits), below(1 << 200)
    numbers = [below(m) for _ in range(50)]
    for m in (m, real.mpz(m), m - 1):
        same("powmod_exp_list", numbers[0], numbers, m)
        same("powmod_base_list", numbers, y, m)
        same("powmod_base_list", np.array([real.mpz(x) for x in numbers]), y, m)


def test_results_are_numbers_like_any_other():
    m = real.mpz(2**127 - 1)
    first, second = gmpy2.powmod(3, 5, m), gmpy2.powmod(2, 126, m)
    assert hash(first) == hash(243) and first + second == 243 + 2**126 and {first: 1}[243] == 1
    assert gmpy2.powmod(0, 5, m) == 0 and gmpy2.powmod(3, 5, -m) == 243 - m
    # Repeat this so that gmpy2 reuses numbers that it caches, also for long numbers after short ones.
    for _ in range(500):
        values = [gmpy2.powmod(3, 10**6 + i, 2 ** (60 + 67 * i) - 1) for i in range(40)]
        assert str(values[0]) == str(int(values[0]))
    assert values == [pow(3, 10**6 + i, 2 ** (60 + 67 * i) - 1) for i in range(40)]


def test_the_rest_is_gmpy2():
    assert gmpy2.mpz is real.mpz and gmpy2.next_prime is real.next_prime and gmpy2.version() == real.version()
    assert gmpy2.gcd(12, 18) == 6 and gmpy2.isqrt(17) == 4 and gmpy2.jacobi(2, 7) == 1 and gmpy2.divm(1, 3, 7) == 5
    assert {name for name in dir(real) if not name.startswith("_")} <= set(dir(gmpy2))
    scope = {}
    exec("from moduli.gmpy2 import *", scope)
    assert scope["powmod"] is gmpy2.powmod and scope["is_prime"](7) and scope["mpfr"] is real.mpfr
    with pytest.raises(AttributeError):
        gmpy2.nothing_of_this_name
    assert outcome(gmpy2.mulmod, 7, real.mpz(8), 10) == (real.mpz, 6)
    assert gmpy2.mulmod(-7, 8, 10) == 4 and gmpy2.mulmod(7, 8, -10) == -4
    for arguments, error in (((7, 8, 0), ZeroDivisionError), ((7, "8", 10), TypeError), ((7, 8, 10.0), TypeError)):
        assert outcome(gmpy2.mulmod, *arguments) is error


def run(code, **keywords):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, **keywords)


def test_without_gmpy2():
    result = run("""
        import sys
        sys.modules["gmpy2"] = None
        from moduli import gmpy2
        assert gmpy2.mpz is int and gmpy2.powmod(3, 5, 7) == 5 and gmpy2.powmod_sec(3, 5, 7) == 5 and gmpy2.invert(3, 7) == 5
        assert gmpy2.powmod_exp_list(3, [1, 2], 7) == [3, 2] and gmpy2.powmod_base_list([3], 5, 8) == [3]
        assert gmpy2.mulmod(7, 8, 10) == 6
        try:
            gmpy2.next_prime
        except AttributeError as error:
            print(error)
    """)
    assert "not installed" in result.stdout and "powmod_exp_list" in result.stdout, result


@pytest.mark.parametrize("environment", [{"MODULI_STABLE_INTERFACE": "1"}, {}])
def test_integers_by_either_interface(environment):
    result = run("""
        import moduli, random
        numbers = random.Random(1)
        for bits in (*range(1, 66), 89, 90, 91, 119, 120, 121, 127, 128, 129, 192, 255, 256, 257, 1000, 5000):
            for x in (numbers.getrandbits(bits) | 1 << bits - 1, (1 << bits) - 1, 1 << bits - 1):
                for m in (2**61 - 1, 2**521 - 1, 10**30):
                    assert moduli.powmod(x, 1, m) == x % m
                    assert moduli.powmod(-x, 1, m) == -x % m
                    assert moduli.powmod(1, x, m) == moduli.powmod(1, -x, m) == 1
                assert bits > 300 or moduli.powmod(3, x, x | 1) == pow(3, x, x | 1)
                assert moduli.invert(x, x + 1) == x and moduli.invert(-x, x + 1) == 1
        print("all equal")
    """, env={**os.environ, **environment})
    assert result.stdout == "all equal\n", result
