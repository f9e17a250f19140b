"""Automatic tables for repeated bases: the results are those without tables; counts, bounds, threads."""

import threading

import moduli
import pytest
from moduli import gmpy2
from numbers_of_tests import below, odd, takes

M = odd(512)


def info(name):
    return moduli.auto_tables_info()[name]


def exponents(count, bits=256):
    return [below(1 << bits) | 1 << (bits - 1) for _ in range(count)]


def test_off_by_default():
    for y in exponents(20):
        moduli.powmod(3, y, M)
    assert moduli.auto_tables_info() == dict.fromkeys(("budget", "tables", "bytes", "hits", "built", "dropped"), 0)


@pytest.mark.parametrize("call", [
    moduli.powmod, moduli.powmod_sec, gmpy2.powmod, gmpy2.powmod_sec,
    lambda x, y, m: moduli.Modulus(m).pow(x, y), lambda x, y, m: moduli.Modulus(m).pow_secret(x, y),
])  # fmt: skip
def test_the_eighth_time(call):
    with moduli.auto_tables("1MiB"):
        assert info("budget") == 1 << 20
        for place, y in enumerate(exponents(20), 1):
            assert call(3, y, M) == pow(3, y, M)
            assert (info("built"), info("tables"), info("hits")) == ((0, 0, 0) if place < 8 else (1, 1, place - 8))
        assert 0 < info("bytes") <= 1 << 17
        # The same base plus the modulus, and shorter, longer, negative and zero exponents.
        for y in (*exponents(3, 70), *exponents(3, 300), *exponents(3, 1000)):
            assert call(M + 3, y, M) == pow(3, y, M)
        assert call(3, 5, M) == 243 and moduli.powmod(3, -(2**200), M) == pow(3, -(2**200), M) and moduli.powmod(3, 0, M) == 1
        for x in (0, 1, M - 1, M, -1):
            for y in exponents(12):
                assert call(x, y, M) == pow(x, y, M)
    assert info("budget") == info("tables") == info("bytes") == 0


def test_moduli_and_bases_are_told_apart():
    # Both pairs have the same limbs if base and modulus are concatenated, but split at another place.
    short = odd(256)
    low, high = below(1 << 64), below(1 << 64) | 1 << 63
    pairs = [(low + (high << 64), short), (high, short + (low << 256))]
    with moduli.auto_tables("1MiB"):
        for y in exponents(12):
            for x, m in pairs:
                assert moduli.powmod_sec(x, y, m) == pow(x, y, m)
                assert moduli.Modulus(m).pow(x, y) == pow(x, y, m)
        assert info("tables") == 4


def test_longer_exponents_get_a_longer_table():
    with moduli.auto_tables("1MiB"):
        for bits in (128, 500):
            for y in exponents(30, bits):
                assert moduli.powmod(5, y, M) == pow(5, y, M)
        assert (info("tables"), info("built")) == (1, 2) and info("hits") == 2 * 22


def test_secret_and_public_have_tables_of_their_own():
    with moduli.auto_tables("4MiB"):
        for y in exponents(8):
            moduli.powmod(3, y, M)
            moduli.powmod_sec(3, y, M)
        assert info("tables") == 2


def test_secret_exponents_take_the_same_time_and_public_ones_do_not():
    m = odd(2048)
    with moduli.auto_tables("1MiB"):
        for call, bounds in ((moduli.powmod_sec, (0.8, 1.25)), (moduli.powmod, (0, 0.8))):
            for y in exponents(9):
                call(3, y, m)
            # Exponents of two words: all bits but one are 0, or all are 1.
            assert takes(bounds[0], lambda: call(3, 1 << 64, m), lambda: call(3, (1 << 128) - 1, m), bounds[1], 300), call
        assert info("tables") == 2 and info("hits") > 600


def test_bytes_are_bounded_and_the_oldest_goes():
    with moduli.auto_tables("64KiB"):
        for _ in range(12):
            for x in range(2, 40):
                y = exponents(1)[0]
                assert moduli.powmod(x, y, M) == pow(x, y, M)
                assert info("bytes") <= 64 << 10
        assert info("dropped") > 0 and info("tables") > 1 and info("built") == info("tables") + info("dropped")
        # A dropped table is not rebuilt at once.
        built = info("built")
        for y in exponents(9):
            moduli.powmod(2, y, M)
        assert info("built") == built
    with moduli.auto_tables(0):
        for y in exponents(20):
            assert moduli.powmod(3, y, M) == pow(3, y, M)
        assert info("tables") == 0


def test_settings():
    outer = moduli.auto_tables("1MiB")
    with outer as entered:
        assert entered is outer
        with pytest.raises(KeyError), moduli.auto_tables("2MiB"):
            assert info("budget") == 2 << 20
            raise KeyError
        assert info("budget") == 1 << 20
        for y in exponents(9):
            moduli.powmod(3, y, M)
        assert info("tables") == 1
        moduli.cache_clear()
        assert (info("tables"), info("budget")) == (0, 1 << 20)
        moduli.auto_tables(None)
        assert info("budget") == 0
    for bad, error in (("much", ValueError), (-1, ValueError), (1.5, TypeError)):
        with pytest.raises(error):
            moduli.auto_tables(bad)
    assert info("budget") == 0


def test_threads():
    work = [(x, y) for y in exponents(40) for x in (3, 5, 7)]
    expected = [pow(x, y, M) for x, y in work]
    wrong = []

    def all_of_it():
        for _ in range(5):
            if [moduli.powmod(x, y, M) for x, y in work] != expected:
                wrong.append("powmod")
            if [moduli.powmod_sec(x, y, M) for x, y in work] != expected:
                wrong.append("powmod_sec")

    with moduli.auto_tables("1MiB"):
        threads = [threading.Thread(target=all_of_it) for _ in range(8)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            moduli.auto_tables_info()
        for thread in threads:
            thread.join()
        assert info("built") == info("tables") == 6
    assert not wrong
