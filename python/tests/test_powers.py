"""powmod and similar functions, compared with gmpy2 and Python's pow."""

import sys

import gmpy2
import moduli
import moduli.gmpy2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from numbers_of_tests import LENGTHS, below, extremes, odd


def outcome(function, *arguments):
    """The result of a call, or the exact type of the exception that it raises."""
    try:
        return int(function(*arguments))
    except (ValueError, TypeError, ZeroDivisionError) as error:
        return type(error)


@pytest.mark.parametrize("bits", LENGTHS)
def test_random_operands_of_every_length(bits):
    for _ in range(6 if bits < 2000 else 2):
        m, other = odd(bits), odd(bits) + 1
        x, y = below(m), below(1 << min(bits, 600))
        assert moduli.powmod(x, y, m) == gmpy2.powmod(x, y, m)
        assert moduli.powmod(x, y, other) == gmpy2.powmod(x, y, other)
        assert moduli.powmod_sec(x, y + 1, m) == gmpy2.powmod_sec(x, y + 1, m)
        assert outcome(moduli.invert, x, m) == outcome(gmpy2.invert, x, m)
        assert outcome(moduli.powmod, x, -y, m) == outcome(gmpy2.powmod, x, -y, m)


@pytest.mark.parametrize("bits", [2, 8, 63, 64, 65, 256, 512, 1024, 2048, 4096])
def test_the_largest_and_smallest_moduli_of_a_length(bits):
    for m in ((1 << bits) - 1, (1 << (bits - 1)) + 1, (1 << bits) - 1 - 2 * below(1 << (bits // 2))):
        if m < 3:
            continue
        for x in (*extremes(m), below(m)):
            for y in (0, 1, 2, 3, 65537, m - 1, -1):
                assert outcome(moduli.powmod, x, y, m) == outcome(gmpy2.powmod, x, y, m), (x, y, m)
            assert outcome(moduli.invert, x, m) == outcome(gmpy2.invert, x, m), (x, m)
            assert moduli.powmod_sec(x, 65537, m) == pow(x, 65537, m)


def test_tiny_moduli_exhaustively():
    for m in range(-40, 41):
        for x in range(-45, 46):
            assert outcome(moduli.invert, x, m) == outcome(gmpy2.invert, x, m), (x, m)
            for y in range(-7, 12):
                assert outcome(moduli.powmod, x, y, m) == outcome(gmpy2.powmod, x, y, m), (x, y, m)
                assert outcome(moduli.powmod_sec, x, y, m) == outcome(gmpy2.powmod_sec, x, y, m), (x, y, m)


def test_huge_exponents_and_bases():
    m = odd(256)
    x, y = below(1 << 50_000), below(1 << 20_000)
    for sign in (1, -1):
        assert moduli.powmod(sign * x, y, m) == gmpy2.powmod(sign * x, y, m)
        assert moduli.powmod_sec(sign * x, y, m) == gmpy2.powmod_sec(sign * x, y, m)
        assert outcome(moduli.powmod, x, sign * y, m) == outcome(gmpy2.powmod, x, sign * y, m)


def test_moduli_that_are_too_long_are_left_to_python():
    m = (1 << 66_000) + 1
    assert moduli.powmod(3, 5, m) == 243
    assert moduli.invert(2, m) == pow(2, -1, m)
    with pytest.raises(ValueError, match="65536"):
        moduli.powmod_sec(3, 5, m)


numbers = some.one_of(some.integers(-300, 300), some.integers(-(1 << 700), 1 << 700))


def test_numbers_that_are_too_long():
    """Public numbers are left to Python or gmpy2. Secrets, lists and moduli for inverses are refused."""
    m, longest = 1_000_003, 1 << 31
    huge, huge_mpz = 1 << longest, gmpy2.mpz(1) << longest
    assert moduli.powmod(huge, 3, m) == pow(2, 3 * longest, m)
    assert moduli.invert(huge, -m) == pow(2, -longest, m)
    assert moduli.gmpy2.powmod(huge_mpz, 3, m) == pow(2, 3 * longest, m)
    with pytest.raises(ZeroDivisionError):
        moduli.invert(huge, 10)
    for x in (huge, huge_mpz):
        bound = f" has {longest + 1} bits; the maximum is {longest}"
        refused = {
            "the base": lambda x=x: moduli.powmod_sec(x, 3, m),
            "the exponent": lambda x=x: moduli.powmod_sec(3, x, m),
            "the modulus": lambda x=x: moduli.invert(3, x),
            "row 1 of bases": lambda x=x: moduli.powmod_base_list([3, x], 3, m),
        }
        for name, call in refused.items():
            with pytest.raises(ValueError, match=name + bound):
                call()


@settings(max_examples=1500, deadline=None)
@given(x=numbers, y=some.one_of(some.integers(-300, 300), some.integers(-(1 << 200), 1 << 200)), m=numbers)
def test_any_numbers(x, y, m):
    assert outcome(moduli.powmod, x, y, m) == outcome(gmpy2.powmod, x, y, m)
    assert outcome(moduli.powmod_sec, x, y, m) == outcome(gmpy2.powmod_sec, x, y, m)
    assert outcome(moduli.invert, x, m) == outcome(gmpy2.invert, x, m)


@pytest.mark.parametrize("strange", [3.0, "3", None, b"3", [3], 3j, gmpy2.mpq(3), gmpy2.mpfr(3)])
@pytest.mark.parametrize("m", [7, 8])
def test_what_is_no_integer_is_a_type_error(strange, m):
    for place in range(3):
        arguments = [3, 5, m]
        arguments[place] = strange
        for name in ("powmod", "powmod_sec"):
            assert outcome(getattr(moduli, name), *arguments) is TypeError
            assert outcome(getattr(gmpy2, name), *arguments) is TypeError
    for arguments in ((strange, m), (3, strange)):
        assert outcome(moduli.invert, *arguments) is outcome(gmpy2.invert, *arguments) is TypeError
    for arguments in ((), (3,), (3, 5), (3, 5, 7, 9)):
        assert outcome(moduli.powmod, *arguments) is outcome(gmpy2.powmod, *arguments) is TypeError


def test_masked_numbers_have_no_value():
    numpy = pytest.importorskip("numpy")
    masked = numpy.ma.array(numpy.uint64(5), mask=True)
    for call in (lambda: moduli.powmod(masked, 3, 1009), lambda: moduli.invert(masked, 1009), lambda: moduli.Modulus(1009).mul(masked, 2)):
        with pytest.raises(TypeError, match="is masked: it has no value"):
            call()
    assert moduli.powmod(numpy.ma.array(numpy.uint64(5)), 3, 1009) == 125


def test_what_has_an_index_is_an_integer():
    import numpy

    class Index:
        def __index__(self):
            return 3

    class Broken:
        def __index__(self):
            raise OSError("not today")

    for three in (Index(), gmpy2.mpz(3), numpy.int64(3), numpy.uint8(3)):
        assert moduli.powmod(three, three, 7) == moduli.powmod(3, three, 7) == 6
        assert moduli.powmod(5, 3, three) == 2
        assert moduli.powmod(five := 5, three, 8) == five**3 % 8
        assert moduli.invert(three, 7) == 5
    assert moduli.powmod(True, True, 7) == 1
    assert type(moduli.powmod(gmpy2.mpz(3), 5, 7)) is int
    with pytest.raises(OSError, match="not today"):
        moduli.powmod(Broken(), 3, 7)


def test_the_cache_tells_moduli_apart():
    many = [odd(640) for _ in range(300)]
    for _ in range(3):
        for m in many:
            assert moduli.powmod(3, 1000, m) == pow(3, 1000, m)
            # An equal object and another object of the same number.
            assert moduli.powmod(3, 1000, int(str(m))) == pow(3, 1000, m)
    # Moduli of one length that differ in only one limb.
    alike = [many[0] ^ 1 << place for place in range(2, 600, 99)]
    for m in alike * 2:
        assert moduli.powmod(3, 1000, m) == pow(3, 1000, m)


def test_the_cache_is_cleared():
    # So many moduli displace all others.
    m, others = odd(640), [odd(4096) for _ in range(2000)]
    free = sys.getrefcount(m)
    for forget in (moduli.cache_clear, lambda: [moduli.powmod(3, 5, other) for other in others]):
        assert moduli.powmod(3, 1000, m) == pow(3, 1000, m)
        # The modulus is cached with the object by which it was given.
        assert sys.getrefcount(m) == free + 1
        forget()
        assert sys.getrefcount(m) == free
    assert moduli.powmod(3, 1000, m) == pow(3, 1000, m)


def test_the_cache_knows_an_object_by_its_address_only_while_it_keeps_it():
    others = [odd(4096) for _ in range(2000)]
    for forget in (moduli.cache_clear, lambda: [moduli.powmod(3, 5, other) for other in others]):
        m = odd(640)
        assert moduli.powmod(3, 1000, m) == pow(3, 1000, m)
        forget()
        address = id(m)
        del m
        # Python reuses the memory for another number.
        later = [odd(640) for _ in range(50)]
        assert address in map(id, later)
        assert [moduli.powmod(3, 1000, m) for m in later] == [pow(3, 1000, m) for m in later]


def test_an_object_with_an_index_may_change():
    class Changing:
        def __index__(self):
            return self.value

    changing = Changing()
    for bits in (640, 1024):
        changing.value = odd(bits)
        assert moduli.powmod(3, 1000, changing) == pow(3, 1000, changing.value)


def test_a_subclass_of_int_may_lie_about_itself():
    class Shifty(int):
        def to_bytes(self, *arguments, **keywords):
            return b"\1" * 3

        def bit_length(self):
            return 1 << 40

        def nothing(self, *others):
            return 7

        __index__ = __int__ = __neg__ = __pow__ = __rpow__ = __abs__ = __and__ = __eq__ = __mod__ = nothing
        __hash__ = None

    # Numbers of one word and of several; each computed by the library and by Python.
    for x, y, m in [(3, 5, 1000003), (-3, 5, 1000002), (2**100, 2**70, 2**127 - 1), (-(2**99), 2**70, 2**127 - 1), (7, -3, 10)]:
        shifty = Shifty(x), Shifty(y), Shifty(m)
        for arguments in (shifty, (shifty[0], y, m), (x, shifty[1], m), (x, y, shifty[2])):
            assert moduli.powmod(*arguments) == pow(x, y, m)
            bases, exponents = [arguments[0]] * 2, [arguments[1]] * 2
            assert moduli.powmod_exp_list(arguments[0], exponents, arguments[2]) == [pow(x, y, m)] * 2
            assert moduli.powmod_base_list(bases, arguments[1], arguments[2]) == [pow(x, y, m)] * 2
            assert moduli.powmod_batch(bases, exponents, arguments[2]) == [pow(x, y, m)] * 2
            if m % 2:
                assert moduli.powmod_sec(*arguments) == pow(x, y, m)
                assert moduli.multi_pow([arguments[0]], [arguments[1]], arguments[2]) == pow(x, y, m)
                assert moduli.FixedBase(arguments[0], arguments[2]).pow(arguments[1]) == pow(x, y, m)
    for x, m in [(3, 10), (-3, 10), (-(2**100), 2**127 - 1), (3, 2**128)]:
        assert moduli.invert(Shifty(x), m) == moduli.invert(x, Shifty(m)) == pow(x, -1, m)
    with pytest.raises(ZeroDivisionError):
        moduli.invert(Shifty(2), Shifty(10))
