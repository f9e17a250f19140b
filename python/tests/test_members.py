"""moduli.are_members, compared with a power of each element; moduli.is_probable_prime, with a sieve and known numbers."""

import moduli
import numpy as np
import pytest
from numbers_of_tests import below

GROUP = moduli.group("dsa-1024-160")
P, Q, G = GROUP.p, GROUP.q, GROUP.g


def members(count):
    return [pow(G, below(Q), P) for _ in range(count)]


@pytest.mark.parametrize("count", [1, 2, 127, 300])
def test_members_and_one_outside(count):
    xs = members(count)
    assert moduli.are_members(xs, Q, P)
    cofactor = (P - 1) // Q
    for outside in (P - 1, pow(3, Q, P), 3, P - xs[0], 0, P, xs[0] + P, -xs[0], 1 - P, 2**2000):
        assert not (0 < outside < P and pow(outside, Q, P) == 1)
        at = below(count)
        assert not moduli.are_members(xs[:at] + [outside] + xs[at + 1 :], Q, P)
    assert moduli.are_members([1, pow(5, cofactor, P)], Q, P) and moduli.are_members([], Q, P)
    # One round finds an element of order 2 half of the time.
    found = sum(not moduli.are_members(xs + [P - 1], Q, P, rounds=1) for _ in range(60))
    assert 10 <= found <= 50


def test_all_kinds_of_batches():
    xs = members(40)
    joined = b"".join(x.to_bytes(130, "big") for x in xs)
    forged = joined[:-1] + bytes([joined[-1] ^ 1])
    for data, expected in ((joined, True), (forged, False)):
        assert moduli.are_members(data, Q, P, width=130) == expected
        assert moduli.are_members(np.frombuffer(data, np.uint8).reshape(40, 130), Q, P) == expected


def test_tiny_moduli_exhaustively():
    for p in range(3, 60, 2):
        for order in (1, 2, 3, 5, 6, 11, p - 1):
            for x in range(-2, p + 3):
                assert moduli.are_members([x], order, p) == (0 < x < p and pow(x, order, p) == 1), (x, order, p)


def test_what_is_refused():
    for arguments, keywords, error in [
        (([1], 0, P), {}, ValueError), (([1], -Q, P), {}, ValueError), (([1], Q, P - 1), {}, ValueError), (([1], Q, 1), {}, ValueError),
        (([1], Q, P), {"rounds": 0}, ValueError), (([1], Q, P), {"rounds": -1}, (ValueError, OverflowError)), (([1.5], Q, P), {}, TypeError),
        ((["1"], Q, P), {}, TypeError), ((b"\1", Q, P), {}, TypeError), (([1], None, P), {}, TypeError), (([1], Q, None), {}, TypeError),
    ]:  # fmt: skip
        with pytest.raises(error):
            moduli.are_members(*arguments, **keywords)


def test_primes():
    limit = 5000
    sieve = [True] * limit
    sieve[:2] = [False, False]
    for p in range(2, 71):
        if sieve[p]:
            sieve[p * p :: p] = [False] * len(sieve[p * p :: p])
    assert [moduli.is_probable_prime(n) for n in range(limit)] == sieve
    # Carmichael numbers, and a composite that passes the test with the first twelve primes as bases.
    for composite in (561, 41041, 825265, 321197185, 318665857834031151167461, P * Q, P * P, 4 * Q):
        assert not moduli.is_probable_prime(composite)
    for prime in (P, Q, 2**127 - 1, 2**2203 - 1, moduli.group("electionguard-v2.1").p):
        assert moduli.is_probable_prime(prime, rounds=3) and not moduli.is_probable_prime(-prime)
    with pytest.raises(ValueError, match="rounds"):
        moduli.is_probable_prime(7, rounds=0)
    with pytest.raises(TypeError, match="n must be an integer"):
        moduli.is_probable_prime(7.0)
