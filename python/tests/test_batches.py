"""Batches of every kind, compared with one call for each row."""

import array

import gmpy2
import moduli
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from numbers_of_tests import below, odd


def in_kind(kind, values, width):
    """The values as a batch of that kind, with rows of `width` bytes, and the keywords that the call then needs."""
    if kind == "list":
        return list(values), {}
    if kind == "tuple":
        return tuple(values), {}
    joined = b"".join(value.to_bytes(width, "big") for value in values)
    if kind in ("bytes", "bytearray", "memoryview"):
        return {"bytes": bytes, "bytearray": bytearray, "memoryview": memoryview}[kind](joined), {"width": width}
    if kind == "uint8":
        return np.frombuffer(joined, np.uint8).reshape(len(values), width), {}
    joined = b"".join(value.to_bytes(width, "little") for value in values)
    return np.frombuffer(joined, np.uint64).reshape(len(values), width // 8), {}


def values_of(batch, length):
    """The integers in a batch of results, whose rows must have the length of the modulus."""
    if isinstance(batch, list):
        assert all(type(value) is int for value in batch)
        return batch
    if isinstance(batch, bytes):
        return [int.from_bytes(batch[i : i + length], "big") for i in range(0, len(batch), length)]
    if batch.dtype == np.uint8:
        assert batch.shape[1] == length
        return [int.from_bytes(row.tobytes(), "big") for row in batch]
    assert batch.dtype == np.uint64 and batch.shape[1] == -(-length // 8)
    return [int.from_bytes(row.tobytes(), "little") for row in batch]


KINDS = ("list", "tuple", "bytes", "bytearray", "memoryview", "uint8", "uint64")


SIZES = [(bits, count) for count in (0, 1, 7, 33, 300) for bits in (9, 64, 65, 250, 512, 1024, 3072)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bits,count", [pytest.param(*each, marks=[pytest.mark.slow] * (each[0] * each[1] > 300_000)) for each in SIZES])
def test_every_kind(kind, bits, count):
    m = odd(bits)
    length = (bits + 7) // 8
    width = (bits + 63) // 64 * 8
    base = below(m)
    values = [below(m) for _ in range(count)]
    exponents = [below(1 << 64) for _ in range(count)]
    batch, keywords = in_kind(kind, exponents, 16)
    expected = [pow(base, k, m) for k in exponents]
    assert values_of(moduli.powmod_exp_list(base, batch, m, **keywords), length) == expected
    batch, keywords = in_kind(kind, values, width)
    assert values_of(moduli.powmod_base_list(batch, 65537, m, **keywords), length) == [pow(x, 65537, m) for x in values]
    expected = [pow(x, k, m) for x, k in zip(values, exponents)]
    assert values_of(moduli.powmod_batch(batch, exponents, m, **keywords), length) == expected
    units = [x for x in values if gmpy2.gcd(x, m) == 1]
    batch, keywords = in_kind(kind, units, width)
    assert values_of(moduli.invert_batch(batch, m, **keywords), length) == [pow(x, -1, m) for x in units]


@pytest.mark.parametrize("kind_of_exponents", KINDS)
@pytest.mark.parametrize("kind", KINDS)
def test_pairs_of_every_two_kinds(kind, kind_of_exponents):
    for m in (odd(250), odd(250) + 1):
        bases, exponents = [below(m) for _ in range(100)], [below(1 << 128) for _ in range(100)]
        batch, keywords = in_kind(kind, bases, 32)
        ks, of_exponents = in_kind(kind_of_exponents, exponents, 16)
        keywords |= {f"exponent_{name}": value for name, value in of_exponents.items()}
        expected = [pow(x, k, m) for x, k in zip(bases, exponents)]
        assert values_of(moduli.powmod_batch(batch, ks, m, **keywords), 32) == expected


@pytest.mark.parametrize("count", [3, 300])
@pytest.mark.parametrize("bits", [64, 250, 512])
def test_numbers_below_zero(bits, count):
    prime = int(gmpy2.next_prime(odd(bits)))
    for m in (prime, prime + 1):
        xs = [(-1) ** i * (2 * below(m // 2) + 1) for i in range(count)] + [-1, -m - 1, 1 - 3 * m]
        xs = [x for x in xs if gmpy2.gcd(x, m) == 1]
        ks = [(-1) ** (i // 2) * below(1 << 64) for i in range(len(xs))]
        for k in (5, -5):
            assert moduli.powmod_base_list(xs, k, m) == [pow(x, k, m) for x in xs]
        assert moduli.powmod_batch(xs, ks, m) == [pow(x, k, m) for x, k in zip(xs, ks)]
        assert moduli.powmod_exp_list(xs[1], ks, m) == [pow(xs[1], k, m) for k in ks]
    xs = [x for x in xs if gmpy2.gcd(x, prime) == 1]
    assert moduli.invert_batch(xs, prime) == [pow(x, -1, prime) for x in xs]


@pytest.mark.parametrize("bits", [1024, pytest.param(2048, marks=pytest.mark.slow)])
def test_long_lists_get_a_table(bits):
    m = int(gmpy2.next_prime(odd(bits)))
    base = below(m)
    exponents = [below(1 << 256) * (-1) ** i for i in range(1200)] + [0, 1, -1, (1 << 256) - 1]
    assert moduli.powmod_exp_list(base, exponents, m) == gmpy2.powmod_exp_list(base, exponents, m)
    assert moduli.powmod_exp_list(-base, exponents, m) == gmpy2.powmod_exp_list(-base, exponents, m)
    assert moduli.powmod_exp_list(0, [5, 0] * 1000, m) == [0, 1] * 1000
    assert moduli.powmod_exp_list(m, [0] * 5000, m) == [1] * 5000


@settings(max_examples=150, deadline=None)
@given(
    base=some.integers(-(1 << 300), 1 << 300),
    exponents=some.lists(some.integers(0, 1 << 200), max_size=20),
    m=some.one_of(some.integers(1, 100), some.integers(1, 1 << 300)),
)
def test_lists_of_anything(base, exponents, m):
    assert moduli.powmod_exp_list(base, exponents, m) == gmpy2.powmod_exp_list(base, exponents, m)
    assert moduli.powmod_base_list(exponents, 77, m) == gmpy2.powmod_base_list(exponents, 77, m)
    assert moduli.powmod_batch(exponents, exponents, m) == [pow(x, x, m) for x in exponents]


def test_even_moduli_in_every_kind():
    for kind in KINDS:
        batch, keywords = in_kind(kind, [1, 2, 3], 8)
        assert values_of(moduli.powmod_exp_list(3, batch, 2**20, **keywords), 3) == [3, 9, 27]
        assert values_of(moduli.powmod_base_list(batch, 2, 1, **keywords), 1) == [0, 0, 0]
        assert values_of(moduli.powmod_batch(batch, [5, 6, 7], 10, **keywords), 1) == [1, 4, 7]


def test_strided_and_foreign_arrays():
    m = odd(128)
    rows = np.arange(64, dtype=np.uint8).reshape(4, 16)
    values = [int.from_bytes(row.tobytes(), "big") for row in rows[:, ::-1]]
    got = moduli.powmod_base_list(rows[:, ::-1], 3, m)
    assert values_of(got, 16) == [pow(x, 3, m) for x in values]
    got = moduli.powmod_base_list(np.asfortranarray(rows), 3, m)
    assert values_of(got, 16) == [pow(int.from_bytes(row.tobytes(), "big"), 3, m) for row in rows]
    unaligned = np.frombuffer(bytes(17), np.uint8)[1:].view(np.uint64).reshape(1, 2)
    assert values_of(moduli.powmod_exp_list(3, unaligned, m), 16) == [1]
    # Another library's array, by the buffer protocol.
    view = memoryview(bytes(range(32))).cast("B", (2, 16))
    assert values_of(moduli.powmod_base_list(view, 3, m), 16) == [pow(int.from_bytes(bytes(range(s, s + 16)), "big"), 3, m) for s in (0, 16)]


def test_wrong_batches_say_what_is_wrong():
    m = 1000003
    for bad, error, match in [
        (np.array([b"\x01\x00"], dtype="S2"), TypeError, "trailing zero bytes"),
        (np.zeros((2, 2), ">u8"), TypeError, "native byte order"),
        (np.zeros((2, 2), "int64"), TypeError, "uint8"),
        (np.zeros((2, 2), "uint32"), TypeError, "uint8"),
        (np.zeros((2, 2)), TypeError, "uint8"),
        (np.array([[1, 2]], dtype=object), TypeError, "list of integers"),
        (np.zeros(4, "uint8"), ValueError, "1 dimension; .* call tolist"),
        (np.ma.masked_array(np.ones((2, 2), "uint8"), mask=[[0, 0], [0, 1]]), TypeError, "masked"),
        (np.ma.masked_array(np.ones(2, object), mask=[0, 1]), TypeError, "masked"),
        ([1, np.ma.array(np.uint64(5), mask=True)], TypeError, "masked"),
        (np.zeros((2, 0), "uint8"), ValueError, "without a byte"),
        (b"1234", TypeError, "width="),
        (memoryview(array.array("Q", [1, 2])), ValueError, "dimension"),
        (memoryview(array.array("d", [1, 2])), TypeError, "uint8"),
        ("1234", TypeError, "sequence of integers"),
        ({1, 2}, TypeError, "sequence of integers"),
        (iter([1]), TypeError, "sequence of integers"),
        (5, TypeError, "sequence of integers"),
        ([1, 2.0], TypeError, "row 1 of exponents"),
        ([1, None], TypeError, "row 1 of exponents"),
    ]:
        with pytest.raises(error, match=match):
            moduli.powmod_exp_list(3, bad, m)
    # A masked array without masked elements is like any other array.
    unmasked = np.ma.masked_array(np.ones((2, 2), "uint8"))
    assert moduli.powmod_exp_list(3, unmasked, m).tolist() == moduli.powmod_exp_list(3, unmasked.data, m).tolist()
    for width in (0, 3, -1, 1 << 64):
        with pytest.raises(ValueError, match="width"):
            moduli.powmod_exp_list(3, b"1234", m, width=width)
    # There is no row, but the length of rows is known.
    for call in (lambda: moduli.powmod_exp_list(3, b"", m, width=1 << 61), lambda: moduli.powmod_exp_list(3, np.zeros((0, 1 << 58), "uint64"), m)):
        with pytest.raises(ValueError, match=rf"the rows of exponents have {1 << 64} bits; the maximum is {1 << 31}"):
            call()
    # The bytes of words would be in the order of the machine.
    for batch in ([1], memoryview(array.array("Q", [1, 2]))):
        with pytest.raises(TypeError, match="width"):
            moduli.powmod_exp_list(3, batch, m, width=8)
    with pytest.raises(ValueError, match="as many"):
        moduli.powmod_batch([1], [1, 2], m)
    for m in (0, -7):
        for call in (moduli.powmod_exp_list, lambda x, xs, m: moduli.powmod_base_list(xs, x, m)):
            with pytest.raises(ValueError):
                call(3, [1], m)
    for m in (0, 1, -8, -7, 1 << 65_536):
        with pytest.raises(ValueError, match="modulus"):
            moduli.invert_batch([1], m)


def test_results_that_do_not_fit_into_memory():
    with pytest.raises(MemoryError):
        moduli.powmod_base_list(bytes(1 << 27), 1, (1 << 65_000) + 1, width=1)


def test_bad_rows_are_named():
    m = 15015
    with pytest.raises(ValueError, match="row 2"):
        moduli.invert_batch([1, 2, 3, 4], m)
    with pytest.raises(ValueError, match="row 1"):
        moduli.powmod_exp_list(3, [1, -1], m)
    with pytest.raises(ValueError, match="row 5000"):
        moduli.powmod_base_list([1] * 5000 + [3], -1, m)
    with pytest.raises(ValueError, match="row 1"):
        moduli.powmod_batch([1, 2], [-1, -1], 16)
