"""moduli.distributed.verify. Equations that hold, and forged ones."""

import math
import signal
import time

import moduli
import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pytest
from moduli.distributed import BadRowError, BadRowsWarning, MismatchError, small_exponents, verify
from moduli.distributed.equation import equation_of
from jobs_of_tests import leftovers, parts, started, wait_for_parts
from numbers_of_tests import below
from proofs_of_tests import EQUATION, G, GROUP, P, Q, WIDTHS, by_python, proofs, write_columns

OUTSIDE, UNEQUAL = "{} is not in the subgroup", f"{EQUATION} does not hold"
SYSTEM = small_exponents.System((equation_of(EQUATION),), {"g": G}, ("R", "y"), P, Q)


def test_equations_that_hold(client, tmp_path):
    columns = proofs(300)
    assert all(by_python(columns))
    assert verify(columns, EQUATION, group=GROUP, client=client, rows_per_piece=100) == [True] * 300
    arrays = {
        name: np.frombuffer(b"".join(value.to_bytes(WIDTHS[name], "big") for value in values), np.uint8).reshape(300, -1)
        for name, values in columns.items()
    }
    assert verify(arrays, [EQUATION], modulus=P, order=Q, bases={"g": G}, client=client) == [True] * 300
    # Exponents are taken modulo the order and may be negative; a side may be empty.
    columns["t"] = [(Q - c) + Q * below(2**200) for c in columns["c"]]
    columns["u"] = [-s for s in columns["s"]]
    assert verify(columns, ["g^s * y^t = R", "1 = R * y^c * g^u", "R^-1 * g^s = y^c", "y = y^1"], group=GROUP, client=client) == [True] * 300
    assert verify({name: [] for name in WIDTHS}, EQUATION, group=GROUP, client=client) == []
    folder = tmp_path / "out"
    path = write_columns(tmp_path / "in.parquet", columns | {"u": [0] * 300}, {**WIDTHS, "t": 64, "u": 1}, 70)
    for resumed in (0, 9):
        report = verify(path, EQUATION, group=GROUP, output=folder, client=client, rows_per_piece=35)
        assert (report.rows, report.bad_count, report.bad, report.resumed) == (300, 0, [], resumed)
    assert pa.dataset.dataset(folder, format="parquet").to_table().column("holds").to_pylist() == [True] * 300


def forged():
    """Columns with rows of every kind that does not hold, and the reasons."""
    columns, small = proofs(200), pow(7, (P - 1) // 3, P) if (P - 1) % 3 == 0 else P - 1
    reasons = {}

    def spoil(row, name, value, reason):
        columns[name][row], reasons[row] = value, reason

    spoil(0, "s", (columns["s"][0] + 1) % Q, UNEQUAL)
    spoil(17, "c", columns["c"][17] ^ 1, UNEQUAL)
    spoil(64, "R", columns["R"][65], UNEQUAL)
    spoil(150, "y", pow(G, 5, P), UNEQUAL)
    # Factors of order 2, alone and in a pair whose product is right; one of another small order; a member times a non-member.
    for row in (30, 90, 91):
        spoil(row, "R", P - columns["R"][row], OUTSIDE.format("R"))
    spoil(100, "y", P - 1, OUTSIDE.format("y"))
    spoil(101, "R", small, OUTSIDE.format("R"))
    spoil(102, "R", columns["R"][102] * pow(3, Q, P) % P, OUTSIDE.format("R"))
    # Numbers out of range.
    spoil(120, "R", 0, OUTSIDE.format("R"))
    spoil(121, "R", P, OUTSIDE.format("R"))
    if columns["y"][122] + P < 2**1024:
        spoil(122, "y", columns["y"][122] + P, OUTSIDE.format("y"))
    spoil(199, "s", None, "s is null")
    return columns, reasons


@pytest.mark.parametrize("piece", [200, 64, 3])
def test_forged_rows_are_found_and_named(client, tmp_path, piece):
    columns, reasons = forged()
    # Python's result for each row: elements first, then the equation.
    expected = by_python(columns)
    assert [row for row, holds in enumerate(expected) if not holds] == sorted(reasons)
    with pytest.warns(BadRowsWarning, match=f"{len(reasons)} bad rows: row 0: "):
        assert verify(columns, EQUATION, group=GROUP, client=client, rows_per_piece=piece) == expected
    path = write_columns(tmp_path / "in.parquet", columns, WIDTHS, 70)
    report = verify(path, EQUATION, group=GROUP, output=tmp_path / "out", client=client, rows_per_piece=piece)
    assert dict(report.bad) == reasons and report.bad_count == len(reasons)
    assert pa.dataset.dataset(tmp_path / "out", format="parquet").to_table().column("holds").to_pylist() == expected
    with pytest.raises(BadRowError, match="row 0: "):
        verify(path, EQUATION, group=GROUP, output=tmp_path / "stop", client=client, rows_per_piece=10**6, on_error="stop")
    with pytest.raises(MismatchError, match="of other work"):
        verify(path, "g^s = R * y", group=GROUP, output=tmp_path / "out", client=client)


def test_why_membership_is_tested(monkeypatch):
    """Two commitments with the wrong sign pass a test with random exponents in half of all cases."""
    columns = proofs(50)
    for row in (10, 40):
        columns["R"][row] = P - columns["R"][row]
    passed = sum(small_exponents.hold_together(SYSTEM, columns, range(50)) for _ in range(60))
    assert 10 <= passed <= 50
    assert small_exponents.failing(SYSTEM, columns, range(50)) == {10: OUTSIDE.format("R"), 40: OUTSIDE.format("R")}
    # Errors in the subgroup do not pass either, even if they cancel without random exponents.
    columns = proofs(50)
    columns["s"][10], columns["s"][40] = (columns["s"][10] + 1) % Q, (columns["s"][40] - 1) % Q
    assert small_exponents.failing(SYSTEM, columns, range(50)) == {10: UNEQUAL, 40: UNEQUAL}
    monkeypatch.setattr(small_exponents.secrets, "randbits", lambda bits: 1)
    assert small_exponents.hold_together(SYSTEM, columns, range(50))


def test_a_failing_batch_is_halved(monkeypatch):
    columns, tested = proofs(256), []
    honest = small_exponents.hold_together
    monkeypatch.setattr(small_exponents, "hold_together", lambda system, columns, rows: (tested.append(len(rows)), honest(system, columns, rows))[1])
    assert not small_exponents.failing(SYSTEM, columns, range(256)) and tested == [256]
    for row in (0, 100, 255):
        tested.clear()
        wrong = {**columns, "s": [s + (at == row) for at, s in enumerate(columns["s"])]}
        assert small_exponents.failing(SYSTEM, wrong, range(256)) == {row: UNEQUAL}
        # One test of all rows, then tests of halves: fewer than twice as many rows in all, one or two tests for each halving.
        assert tested[0] == 256 and sum(tested) <= 3 * 256 and len(tested) <= 2 * math.log2(256) + 1
    # All rows are wrong.
    wrong = {**columns, "s": [s + 1 for s in columns["s"]]}
    assert len(small_exponents.failing(SYSTEM, wrong, range(256))) == 256


def test_random_exponents_have_128_bits(monkeypatch):
    columns, seen = proofs(100), []
    monkeypatch.setattr(moduli, "multi_pow", lambda bases, exponents, modulus: seen.append((bases, exponents)) or 1)
    small_exponents.hold_together(SYSTEM, columns, range(100))
    [(bases, exponents)] = seen
    of_commitments = [k for base, k in zip(bases, exponents) if base in columns["R"]]
    assert len(set(of_commitments)) == 100 and 120 < max(map(int.bit_length, of_commitments)) <= 128
    # The random numbers are the operating system's, not a seeded generator's.
    assert small_exponents.secrets.randbits.__self__.__class__.__name__ == "SystemRandom"


def test_ballots(client):
    """Disjunctive Chaum-Pedersen proofs that a vote is 0 or 1."""
    group = moduli.group("electionguard-v2.1")
    p, q, g = group.p, group.q, group.g
    key = pow(g, below(q), p)
    columns = {name: [] for name in ("alpha", "beta", "a0", "b0", "a1", "b1", "c0", "v0", "c1", "v1")}
    for vote in (0, 1, 0, 1, 2):
        r, c0, v0, c1, v1 = (below(q) for _ in range(5))
        alpha, beta = pow(g, r, p), pow(key, r + vote, p)
        commitments = [
            x for w, c, v in ((0, c0, v0), (1, c1, v1)) for x in (pow(g, v, p) * pow(alpha, c, p) % p, pow(key, (v - w * c) % q, p) * pow(beta, c, p) % p)
        ]
        for name, value in zip(columns, (alpha, beta, *commitments, c0, v0, c1, v1)):
            columns[name].append(value)
    equations = ["g^v0 * alpha^c0 = a0", "K^v0 * beta^c0 = b0", "g^v1 * alpha^c1 = a1", "K^v1 * beta^c1 = b1 * K^c1"]
    assert verify(columns, equations, group=group, bases={"K": key}, client=client) == [True] * 5
    columns["b1"][3] = p - columns["b1"][3]
    columns["v1"][2] += 1
    with pytest.warns(BadRowsWarning, match=r"row 2: g\^v1 \* alpha\^c1 = a1 does not hold; row 3: b1 is not in the subgroup"):
        assert verify(columns, equations, group=group, bases={"K": key}, client=client) == [True, True, False, False, True]


def test_what_is_refused(client, tmp_path):
    columns = proofs(3)
    run = {"client": client, "group": GROUP}
    for equations, keywords, error, match in [
        ("g^s", run, ValueError, "not an equation"),
        ("g^s = R = y", run, ValueError, "not an equation"),
        ("g^s = R + y", run, ValueError, "is not a factor"),
        ("g^s = R y", run, ValueError, "is not a factor"),
        ("g^s = ", run, ValueError, "is not a factor"),
        ("g^s = 2", run, ValueError, "is not a factor"),
        ([], run, ValueError, "there is none"),
        ("g = g", run, ValueError, "no column"),
        ("R^g = y", run, ValueError, "'g' is a base that all rows have in common"),
        ("h^s = R * y^c", run, RuntimeError, "no column 'h'; it has 'R', 'y', 's', 'c'"),
        (EQUATION, {"client": client}, TypeError, "group, or modulus and order"),
        (EQUATION, {**run, "order": Q}, TypeError, "group"),
        (EQUATION, {"client": client, "modulus": P, "order": P - 1, "bases": {"g": G}}, ValueError, "order: is not prime"),
        (EQUATION, {"client": client, "modulus": P * P, "order": Q, "bases": {"g": G}}, ValueError, "modulus: is not prime"),
        (EQUATION, {**run, "bases": {"g": P - 1}}, ValueError, "g is not in the subgroup"),
        (EQUATION, {"client": client, "modulus": P, "order": 2, "bases": {"g": G}}, ValueError, "must have more than 128"),
        (EQUATION, {"client": client, "modulus": P, "order": 2**521 - 1, "bases": {"g": G}}, ValueError, "does not divide"),
        (EQUATION, {"client": client, "modulus": P + 1, "order": Q, "bases": {"g": G}}, ValueError, "odd"),
    ]:
        with pytest.raises(error, match=match):
            verify(columns, equations, **keywords)
    with pytest.raises(TypeError, match="dictionary"):
        verify([1, 2], EQUATION, **run)
    with pytest.raises(ValueError, match="different lengths"):
        verify({**columns, "s": [1]}, EQUATION, **run)
    with pytest.raises(TypeError, match="column 's': row 1 is a float"):
        verify({**columns, "s": [1, 1.5, 2]}, EQUATION, **run)
    with pytest.raises(TypeError, match="output"):
        verify(write_columns(tmp_path / "in.parquet", columns, WIDTHS, 3), EQUATION, **run)


def test_a_worker_and_then_the_client_are_killed(cluster, tmp_path):
    columns = {name: values * 10 for name, values in proofs(200).items()}
    columns["s"][1234] += 1
    path, folder = write_columns(tmp_path / "in.parquet", columns, WIDTHS, 1000), tmp_path / "out"
    arguments = ["verify", path, folder, "--group", "dsa-1024-160", "--equation", EQUATION, "--scheduler", cluster.address]
    arguments += ["--rows-per-piece", "50"]
    first = started(*arguments)
    wait_for_parts(folder, 3, first)
    cluster.workers[0].send_signal(signal.SIGKILL)
    wait_for_parts(folder, 8, first)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    time.sleep(1)
    done = parts(folder)
    assert 8 <= len(done) < 40
    second = started(*arguments)
    out, err = second.communicate(timeout=300)
    assert second.returncode == 3 and err == f"row 1234: {EQUATION} does not hold\n", err
    assert "2000 rows in 40 files" in out and "1 bad rows" in out and f"{len(done)} of them from an earlier start" in out
    assert done.items() <= parts(folder).items() and not leftovers(folder)
    column = pa.dataset.dataset(folder, format="parquet").to_table().column("holds").to_pylist()
    assert column == [row != 1234 for row in range(2000)]
