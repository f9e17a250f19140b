"""FixedBase, multi_pow, plan and the named groups."""

import errno
import hashlib
import os
import pickle
import random

import gmpy2
import moduli
import numpy as np
import pytest
from numbers_of_tests import below, odd, takes

P = moduli.group("dsa-1024-160").p
Q = moduli.group("dsa-1024-160").q
G = moduli.group("dsa-1024-160").g


@pytest.mark.parametrize("secret", [True, False])
@pytest.mark.parametrize("method", [None, "comb:5,2", "comb:4,3,1", "radix:16", "m0m1:17,6", "residue-digits:17,6"])
def test_powers_by_every_method(secret, method):
    g = moduli.FixedBase(G, P, exponent_bits=160, budget="4MiB", secret=secret, method=method)
    assert method in (None, g.plan.method)
    exponents = [0, 1, -1, 2**160 - 1, 1 - 2**160] + [below(1 << 160) for _ in range(60)]
    expected = [pow(G, k, P) for k in exponents]
    assert [g.pow(k) for k in exponents] == expected
    assert g.pow_batch(exponents) == expected
    assert (g.base, g.modulus, g.exponent_bits, g.secret) == (G, P, 160, secret)
    with pytest.raises(ValueError, match="160"):
        g.pow(2**160)
    with pytest.raises(ValueError, match="row 1"):
        g.pow_batch([1, 2**160])


@pytest.mark.parametrize("bits", [9, 64, 512, 2048, 4096])
def test_powers_of_every_length(bits):
    m = odd(bits)
    base = below(m - 1) + 1
    for x in (base, -base, base + 5 * m):
        fixed = moduli.FixedBase(x, m, exponent_bits=100, budget="256KiB")
        k = below(1 << 100)
        assert fixed.pow(k) == pow(x, k, m)


def test_batches_of_bytes_and_arrays():
    g = moduli.FixedBase(G, P, exponent_bits=160)
    rows = np.frombuffer(random.Random(1).randbytes(20 * 500), np.uint8).reshape(500, 20)
    expected = b"".join(pow(G, int.from_bytes(row.tobytes(), "big"), P).to_bytes(128, "big") for row in rows)
    powers = g.pow_batch(rows)
    assert powers.shape == (500, 128) and powers.dtype == np.uint8 and powers.flags.writeable
    assert powers.tobytes() == g.pow_batch(rows.tobytes(), width=20) == expected


def test_an_order_reduces():
    g = moduli.FixedBase(G, P, exponent_bits=160, order=Q)
    assert g.pow(Q * 2**200 + 5) == pow(G, 5, P)
    with pytest.raises(ValueError, match="order"):
        moduli.FixedBase(G, P, exponent_bits=160, order=Q - 1)
    with pytest.raises(ValueError, match="order"):
        moduli.FixedBase(G, P, exponent_bits=160, order=-Q)


@pytest.mark.parametrize("arguments", [
    {"exponent_bits": -1}, {"exponent_bits": 1 << 64}, {"count": -1}, {"count": 0}, {"batch": 0}, {"count": 1 << 64}, {"batch": -1}, {"batch": 1 << 64}, {"budget": "1 mile"}, {"budget": 7}, {"budget": -1}, {"exponent_bits": 0}, {"exponent_bits": 1 << 20},
    {"method": "comb"}, {"method": "comb:0,1"}, {"method": "radix:1"},
])
def test_what_is_out_of_range(arguments):
    with pytest.raises(ValueError, match="(?s)" + next(iter(arguments)) if {"count", "batch"} & set(arguments) else None):
        moduli.FixedBase(G, P, **arguments)
    if "method" not in arguments:
        with pytest.raises(ValueError):
            moduli.plan(P, **arguments)


@pytest.mark.parametrize("bits", [-1, 0, 131_073, 1 << 40, 1 << 64])
def test_exponents_of_lengths_that_are_not_served(bits):
    for wrong in (lambda: moduli.plan(P, exponent_bits=bits), lambda: moduli.FixedBase(G, P, exponent_bits=bits)):
        with pytest.raises(ValueError, match="exponent_bits: must lie between 1 and 131072"):
            wrong()


def test_what_makes_no_table():
    for base, m in [(0, 7), (7, 7), (3, 8), (3, 1), (3, -7), (3, 0)]:
        with pytest.raises(ValueError):
            moduli.FixedBase(base, m, exponent_bits=8)
    for base, m in [(3.0, 7), (3, 7.0), ("3", 7)]:
        with pytest.raises(TypeError):
            moduli.FixedBase(base, m, exponent_bits=8)
    with pytest.raises(TypeError):
        moduli.FixedBase(3, 7, budget=1.5)
    # Three has no inverse modulo nine.
    table = moduli.FixedBase(3, 9, exponent_bits=8)
    assert table.pow(1) == 3
    with pytest.raises(ValueError):
        table.pow(-1)


def test_tables_in_files(tmp_path):
    path = tmp_path / "g.table"
    g = moduli.FixedBase(G, P, exponent_bits=160, budget="64KiB")
    g.save(path)
    k = below(1 << 160)
    for arguments in ({}, {"secret": False}, {"secret": False, "verify": False}):
        opened = moduli.FixedBase.open(str(path), G, P, **arguments)
        assert opened.pow(k) == opened.pow_batch([k])[0] == pow(G, k, P)
        assert opened.plan.method == g.plan.method and opened.table_bytes == g.table_bytes
    g.save(os.fsencode(path))
    assert moduli.FixedBase.open(os.fsencode(path), G, P).pow(k) == pow(G, k, P)
    for none in (5, None, ["g.table"]):
        with pytest.raises(TypeError):
            moduli.FixedBase.open(none, G, P)
        with pytest.raises(TypeError):
            g.save(none)
    with pytest.raises(ValueError, match="base"):
        moduli.FixedBase.open(path, G + 1, P)
    with pytest.raises(ValueError, match="modulus"):
        moduli.FixedBase.open(path, G, P + 2)
    with pytest.raises(ValueError, match="verified"):
        moduli.FixedBase.open(path, G, P, verify=False)
    with pytest.raises(FileNotFoundError) as caught:
        moduli.FixedBase.open(tmp_path / "none", G, P)
    assert str(caught.value.filename) == str(tmp_path / "none")
    with pytest.raises(FileNotFoundError) as caught:
        g.save(tmp_path / "none" / "g.table")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(tmp_path / "none" / "g.table"))
    with pytest.raises(IsADirectoryError) as caught:
        g.save(tmp_path)
    assert (caught.value.errno, caught.value.filename) == (errno.EISDIR, str(tmp_path))
    link = tmp_path / "link"
    link.symlink_to(path)
    path.chmod(0o640)
    g.save(link)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640
    spoilt = bytearray(path.read_bytes())
    spoilt[len(spoilt) // 2] ^= 1
    path.write_bytes(spoilt)
    with pytest.raises(ValueError):
        moduli.FixedBase.open(path, G, P)


def test_tables_by_their_digest_and_mapped(tmp_path):
    path = tmp_path / "g.table"
    g = moduli.FixedBase(G, P, exponent_bits=160, budget="64KiB")
    g.save(path)
    digest, k = path.read_bytes()[-32:], below(1 << 160)
    for arguments in ({}, {"verify": False}, {"base": G, "modulus": P}, {"base": G, "modulus": P, "verify": False}):
        for mmap in (True, False):
            opened = moduli.FixedBase.open(path, digest=digest, mmap=mmap, **arguments)
            assert opened.secret and opened.is_mapped == mmap and opened.pow(k) == pow(G, k, P)
            assert opened.base == G and opened.modulus == P
    assert not g.is_mapped and moduli.FixedBase.open(path, G, P, mmap=True).is_mapped
    # If others can write to the file, it is mapped for public exponents only.
    path.chmod(0o666)
    assert not moduli.FixedBase.open(path, G, P, mmap=True).is_mapped
    assert moduli.FixedBase.open(path, G, P, mmap=True, secret=False).is_mapped
    for arguments, error, match in [
        ({"digest": digest[1:]}, ValueError, "32 bytes"),
        ({"digest": bytes(32)}, ValueError, "checksum"),
        ({"digest": digest, "base": G + 1, "modulus": P}, ValueError, "base"),
        ({"digest": digest, "base": G, "modulus": P + 2}, ValueError, "modulus"),
        ({"digest": digest, "base": G}, TypeError, "digest"),
        ({}, TypeError, "digest"),
    ]:
        with pytest.raises(error, match=match):
            moduli.FixedBase.open(path, **arguments)
    # The digest identifies a file, but does not show that it is right: this one has a wrong entry and the right checksum. Words
    # of another base's table in place of the entry are valid digits in the layout of every kernel.
    forged = bytearray(path.read_bytes()[:-32])
    other = tmp_path / "other.table"
    moduli.FixedBase(G + 1, P, exponent_bits=160, budget="64KiB").save(other)
    forged[-4968:-4936] = other.read_bytes()[:-32][-4968:-4936]
    forged += hashlib.sha256(forged).digest()
    path.write_bytes(forged)
    for mmap in (True, False):
        moduli.FixedBase.open(path, digest=bytes(forged[-32:]), verify=False, mmap=mmap)
        with pytest.raises(ValueError, match="entry"):
            moduli.FixedBase.open(path, digest=bytes(forged[-32:]), mmap=mmap)


def test_products():
    g, h = (moduli.FixedBase(pow(G, i, P), P, exponent_bits=160, budget="64KiB") for i in (1, 7))
    public = moduli.FixedBase(G, P, exponent_bits=64, secret=False)
    a, b, c = below(1 << 160), -below(1 << 160), below(1 << 64)
    assert moduli.multi_pow([g, h], [a, b]) == pow(G, a + 7 * b, P)
    assert moduli.multi_pow([g, h, public], [a, b, c], P) == pow(G, a + 7 * b + c, P)
    assert moduli.multi_pow([public], [c], P) == pow(G, c, P)
    for secret in (True, False):
        assert moduli.multi_pow([G, 5, -3], [a, c, 3], P, secret=secret) == pow(G, a, P) * pow(5, c, P) * -27 % P
    assert moduli.multi_pow([], [], P) == 1
    for arguments, error in [
        (([g, 5], [1, 2]), TypeError),
        (([5], [1]), TypeError),
        (([5], [1.0], P), TypeError),
        (([5], [1, 2], P), ValueError),
        (([g], [2**160]), ValueError),
        (([g], [1], P + 2), ValueError),
        (([3], [-1], 9), ValueError),
    ]:
        with pytest.raises(error):
            moduli.multi_pow(*arguments)


def test_plans():
    plan = moduli.plan(P, exponent_bits=160, budget="128KiB", secret=False, count=10_000)
    assert plan.bytes <= 128 * 1024 and not plan.secret and plan.modulus == P and plan.exponent_bits == 160
    assert plan.nanoseconds > 0 and plan.build_nanoseconds > 0 and plan.break_even > 0 and plan.scratch_bytes > 0
    assert plan.crowded_nanoseconds == plan.nanoseconds
    large = moduli.plan(P, exponent_bits=160, budget="64MiB", secret=False)
    assert large.bytes > 2**20 and large.crowded_nanoseconds > large.nanoseconds
    assert sum(plan.counts.values()) > 0 and plan.runners_up and not plan.runners_up[0].runners_up
    assert plan.method in repr(plan) and plan.method in plan._repr_html_()
    assert plan._repr_html_().count("<tr>") == 2 + len(plan.runners_up)
    with pytest.raises(ValueError, match="bytes"):
        moduli.plan(P, budget=10)
    with pytest.raises(ValueError, match='budget: "12XB" is not an amount'):
        moduli.plan(P, budget="12XB")
    # A batch of one is a single exponent. A plan for a batch takes no longer for each exponent than any other table.
    alone, batch = (moduli.plan(P, exponent_bits=160, budget="1MiB", batch=count) for count in (1, 1 << 20))
    assert alone.batch == moduli.plan(P).batch == 1 and batch.batch == batch.runners_up[0].batch == 1 << 20
    assert alone.method == moduli.plan(P, exponent_bits=160, budget="1MiB").method
    assert batch.nanoseconds <= alone.nanoseconds
    g = moduli.FixedBase(G, P, exponent_bits=160, budget="1MiB", batch=1 << 20)
    assert (g.plan.batch, g.plan.method, g.plan.bytes) == (1 << 20, batch.method, batch.bytes)
    assert g.pow_batch([5, 2**160 - 1] * 40) == [pow(G, k, P) for k in [5, 2**160 - 1] * 40]


def test_a_plan_is_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    plan = moduli.plan(P, exponent_bits=160)
    axes = plan.plot(budgets=[1 << 12, 1 << 14, 1 << 16])
    assert axes.get_xscale() == axes.get_yscale() == "log"
    line = axes.get_lines()[0]
    assert len(line.get_xdata()) == 3 and list(line.get_ydata()) == sorted(line.get_ydata(), reverse=True)
    assert plan.plot(axes, budgets=[1 << 12]) is axes


def test_what_tables_say_of_themselves():
    g = moduli.FixedBase(G, P, exponent_bits=160, budget="64KiB")
    assert "1024 bits" in repr(g) and "secret" in repr(g) and "<table>" in g._repr_html_()
    for thing in (g, g.plan):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(thing)


def test_groups():
    for name in moduli.groups():
        group = moduli.group(name)
        assert group.name == name and gmpy2.powmod(group.g, group.q, group.p) == 1 and name in repr(group)
        assert group.is_safe_prime == (group.p == 2 * group.q + 1)
    group = moduli.group("ffdhe2048")
    group.validate(pow(group.g, 5, group.p))
    for y in (0, 1, -1, group.p - 1, group.p):
        with pytest.raises(ValueError):
            group.validate(y)
    with pytest.raises(ValueError, match="ffdhe3072"):
        moduli.group("none")
    again = pickle.loads(pickle.dumps(group))
    assert again == group == moduli.group("ffdhe2048") != moduli.group("ffdhe3072") and group != "ffdhe2048"
    assert len({again, group, moduli.group("ffdhe3072")}) == 2


def test_secret_exponents_take_the_same_time_and_public_ones_do_not():
    """A coarse check of which functions are called: variable-time code skips nearly all products for an exponent of one bit."""

    def two_powers(secret):
        table = moduli.FixedBase(G, P, exponent_bits=160, method="comb:5,1", secret=secret)
        return lambda: table.pow(1), lambda: table.pow(2**160 - 1)

    def two_batches(secret, count):
        table = moduli.FixedBase(G, P, exponent_bits=160, method="comb:5,1", secret=secret)
        low, high = (np.frombuffer(k.to_bytes(20, "big") * count, np.uint8).reshape(count, 20) for k in (1, 2**160 - 1))
        return lambda: table.pow_batch(low), lambda: table.pow_batch(high)

    def two_products(secret):
        # If one table is for secret exponents, the whole product is constant-time.
        tables = [moduli.FixedBase(G, P, exponent_bits=160, method="comb:5,1", secret=each) for each in (False, secret)]
        return lambda: moduli.multi_pow(tables, [1, 1]), lambda: moduli.multi_pow(tables, [2**160 - 1] * 2)

    def two_products_of_numbers(secret):
        def product(k):
            return lambda: moduli.multi_pow([G, 5], [k, k], P, secret=secret)

        return product(1), product(2**64 - 1)

    def two_of_a_call(secret):
        call = moduli.powmod_sec if secret else moduli.powmod
        return lambda: call(G, 1, P), lambda: call(G, 2**64 - 1, P)

    def two_lists(secret, count):
        def powers(k):
            if secret:
                return lambda: moduli.powmod_base_list([G] * count, k, P)
            return lambda: moduli.powmod_exp_list(G, [k] * count, P)

        return powers(1), powers(2**64 - 1)

    def two_of_a_modulus(secret, modulus):
        call = modulus.pow_secret if secret else modulus.pow
        return lambda: call(G, 1), lambda: call(G, 2**64 - 1)

    for make, arguments, rounds in [
        (two_of_a_modulus, (moduli.Modulus(P),), 1000),
        (two_of_a_modulus, (moduli.EvenModulus(P - 1),), 200),
        (two_powers, (), 1000),
        (two_batches, (3,), 1000),
        (two_batches, (100,), 100),
        (two_products, (), 500),
        (two_products_of_numbers, (), 500),
        (two_of_a_call, (), 1000),
        (two_lists, (2,), 1000),
    ]:
        assert takes(0.8, *make(True, *arguments), 1.25, rounds), make
        assert takes(0, *make(False, *arguments), 0.8, rounds), make
