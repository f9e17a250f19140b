"""moduli.distributed. Powers of variable bases, and products of powers over all rows."""

import math

import moduli
import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from moduli.distributed import BadRowError, BadRowsWarning, MismatchError, multi_pow, powmod_batch
from moduli.distributed.__main__ import main
from moduli.distributed.equation import product_of
from numbers_of_tests import below, odd
from proofs_of_tests import write_columns

P = moduli.group("ffdhe2048").p
WIDTHS = {"x": 256, "y": 32, "m": 256}


def rows(count, modulus=None):
    return {"x": [below(2**2048) for _ in range(count)], "y": [below(2**256) for _ in range(count)], "m": [modulus or odd(2048) for _ in range(count)]}


def array(values, width):
    return np.frombuffer(b"".join(value.to_bytes(width, "big") for value in values), np.uint8).reshape(-1, width)


def test_powers_of_columns_and_numbers(client, tmp_path):
    columns = rows(60)
    columns["x"][:4], columns["y"][:5] = [0, 1, P - 1, P], [0, 1, 2, 5, 0]
    x, y, m = columns.values()
    for arguments, expected in [
        (("x", "y", P), [pow(a, b, P) for a, b in zip(x, y)]),
        (("x", 65537, P), [pow(a, 65537, P) for a in x]),
        ((3, "y", P), [pow(3, b, P) for b in y]),
        (("x", "y", "m"), [pow(*row) for row in zip(x, y, m)]),
        (("x", "y", 2**70), [pow(a, b, 2**70) for a, b in zip(x, y)]),
        (("x", "x", 1), [0] * 60),
    ]:
        assert powmod_batch(columns, *arguments, client=client, rows_per_piece=25) == expected
    arrays = {name: array(values, WIDTHS[name]) for name, values in columns.items()}
    for modulus in (P, "m"):
        found = powmod_batch(arrays, "x", "y", modulus, client=client)
        assert [int.from_bytes(row.tobytes(), "big") for row in found] == [pow(a, b, P if modulus == P else c) for a, b, c in zip(x, y, m)]
    path, folder = write_columns(tmp_path / "in.parquet", columns, WIDTHS, 50), tmp_path / "out"
    for resumed in (0, 4):
        assert powmod_batch(path, "x", "y", "m", output=folder, client=client, rows_per_piece=25).resumed in (resumed, resumed - 1)
    powers = pa.dataset.dataset(folder, format="parquet").to_table().column("power").to_pylist()
    assert powers == [pow(*row).to_bytes(256, "big") for row in zip(x, y, m)]
    with pytest.raises(MismatchError, match="of other work"):
        powmod_batch(path, "x", "y", P, output=folder, client=client)
    with pytest.raises(MismatchError, match="of another source"):
        powmod_batch(write_columns(tmp_path / "other.parquet", rows(60), WIDTHS, 50), "x", "y", "m", output=folder, client=client)


def test_moduli_of_a_column_of_all_kinds(client):
    kinds = [1, 2, 3, 2**64, 6 * 10**30, 2**64 - 1, odd(100), odd(2048), odd(2048) - 1]
    columns = {"x": [below(2**2048) for _ in kinds * 3], "y": [below(2**70) for _ in kinds * 3], "m": kinds * 3}
    assert powmod_batch(columns, "x", "y", "m", client=client) == [pow(*row) for row in zip(*columns.values())]


def test_bad_rows(client, tmp_path):
    columns = {"x": [2, None, 3, 4, 5, 6], "y": [3, 1, None, 2, -1, -1], "m": [7, 7, 7, 0, 9, 9]}
    with pytest.warns(BadRowsWarning, match="4 bad rows: row 1: x is null; row 2: y is null; row 3: m is 0, and must be above 0"):
        assert powmod_batch(columns, "x", "y", "m", client=client) == [1, None, None, None, 2, None]
    with pytest.warns(BadRowsWarning, match="row 5: the base is not invertible, and the exponent negative"):
        assert powmod_batch(columns, "x", "y", 9, client=client) == [8, None, None, 7, 2, None]
    columns = {"x": [2, 3, 4, 5], "y": [3, 4, 5, 6]}
    columns["y"][2] = None
    path = write_columns(tmp_path / "in.parquet", columns, {"x": 4, "y": 2}, 2)
    report = powmod_batch(path, "x", "y", 1009, output=tmp_path / "out", client=client)
    assert report.bad == [(2, "y is null")] and report.bad_count == 1
    powers = pa.dataset.dataset(tmp_path / "out", format="parquet").to_table().column("power").to_pylist()
    assert powers == [b"\0\x08", b"\0\x51", None, (15625 % 1009).to_bytes(2, "big")]
    with pytest.raises(BadRowError, match="row 2: y is null"):
        powmod_batch(path, "x", "y", 1009, output=tmp_path / "stop", client=client, on_error="stop")
    for arguments, error in [((2, 3, 7), ValueError), (("x", "y", 0), ValueError), (("x", "y", -7), ValueError), (("x", "y", 1.5), TypeError),
                             (("x", "z", 7), RuntimeError), (("x", -1, 7), ValueError)]:  # fmt: skip
        with pytest.raises(error):
            powmod_batch(columns, *arguments, client=client)


@pytest.mark.parametrize("secret", [False, True])
def test_products(client, tmp_path, secret):
    columns = rows(70, 1)
    x, y, _ = columns.values()
    g = 3
    expected = math.prod(pow(a, b, P) for a, b in zip(x, y)) % P
    run = {"client": client, "secret": secret}
    assert multi_pow(columns, "x^y", P, rows_per_piece=20, **run) == expected
    both = expected * pow(g, sum(y), P) * math.prod(a * a for a in x) % P
    assert multi_pow(columns, "x^y * g^y * x^2", P, bases={"g": g, "h": 4}, **run) == both
    assert multi_pow({"x": [], "y": []}, "x ** y", P, **run) == 1
    negative = {"x": x, "y": [-each for each in y]}
    assert multi_pow(negative, "x^y", P, **run) == pow(expected, -1, P)
    path, folder = write_columns(tmp_path / "in.parquet", columns, WIDTHS, 50), tmp_path / "out"
    for resumed in (0, 4):
        report = multi_pow(path, "x^y", P, output=folder, rows_per_piece=20, **run)
        assert (report.product, report.rows, report.pieces, report.resumed) == (expected, 70, 4, resumed)
    # A lost product is computed again, from its rows only.
    (folder / "part-00001.parquet").unlink()
    report = multi_pow(path, "x^y", P, output=folder, **run)
    assert (report.product, report.resumed) == (expected, 3)
    assert [pq.read_table(file).num_rows for file in report.files] == [1] * 4
    assert multi_pow(path, "x^y", P, **run).product == expected
    with pytest.raises(MismatchError, match="of other work"):
        multi_pow(path, "x^y * x", P, output=folder, **run)


@pytest.mark.parametrize("secret", [False, True])
def test_products_of_secrets_are_computed_as_such(client, monkeypatch, secret):
    honest, seen = moduli.multi_pow, []
    monkeypatch.setattr(moduli, "multi_pow", lambda *rest, secret=False: (seen.append(secret), honest(*rest, secret=secret))[1])
    assert multi_pow({"x": [2, 3], "y": [5, 7]}, "x^y", P, client=client, secret=secret, rows_per_piece=1) == 2**5 * 3**7
    # One call for each row, and one for both together.
    assert seen == [secret] * 3


def test_bad_rows_are_left_out_of_products(client, tmp_path):
    with pytest.warns(BadRowsWarning, match="3 bad rows: row 1: x is null; row 2: y is null; row 4: "):
        assert multi_pow({"x": [2, None, 3, 5, 3], "y": [3, 1, None, -1, -1]}, "x^y", 9, client=client) == 8 * 2 % 9
    path = write_columns(tmp_path / "in.parquet", {"x": [2, None, 5], "y": [3, 1, 1]}, {"x": 2, "y": 1}, 2)
    report = multi_pow(path, "x^y", 1009, client=client)
    assert (report.product, report.bad) == (40, [(1, "x is null")])
    for product, modulus, error in [("x^", 7, ValueError), ("", 7, ValueError), ("1", 7, ValueError), ("x^y", 8, ValueError), ("x^y", 1, ValueError),
                                    ("x^z", 7, RuntimeError), ("x^y", None, TypeError)]:  # fmt: skip
        with pytest.raises(error):
            multi_pow({"x": [1], "y": [1]}, product, modulus, client=client)


def test_products_as_text():
    for text, expected in [("x^y", "x^y"), (" x ** y*z", "x^y * z"), ("a1^-3 * _b", "a1^-3 * _b"), ("1", "1"), ("x^1", "x")]:
        assert str(product_of(text)) == expected
    for text in ("", "x^", "^y", "2^x", "x*", "x^y^z", "x y", "x+y", "x***y", "x^1.5", "x * 1"):
        with pytest.raises(ValueError, match="is not a factor"):
            product_of(text)


def test_the_commands(cluster, tmp_path, capsys):
    columns = {"x": [2, 3, 5], "y": [1, 2, 3], "m": [11, 7, 11]}
    path = write_columns(tmp_path / "in.parquet", columns, {"x": 2, "y": 1, "m": 2}, 2)
    common = ["--scheduler", cluster.address]
    assert main(["powmod", path, str(tmp_path / "a"), "--base", "x", "--exponent", "y", "--modulus", "m", *common]) == 0
    assert pa.dataset.dataset(tmp_path / "a", format="parquet").to_table().column("power").to_pylist() == [b"\0\2", b"\0\2", b"\0\4"]
    assert main(["powmod", path, str(tmp_path / "b"), "--base", "x", "--exponent", "0x10", "--modulus", "0x65", *common]) == 0
    assert pa.dataset.dataset(tmp_path / "b", format="parquet").to_table().column("power")[1].as_py() == bytes([pow(3, 16, 101)])
    capsys.readouterr()
    assert main(["multipow", path, str(tmp_path / "c"), "--product", "x^y * h", "--base", "h=2", "--modulus", "fffd", *common]) == 0
    assert capsys.readouterr().out.startswith(f"{2 * 9 * 125 * 8:x}\n3 rows in")
    for arguments, text in [
        (["powmod", path, "{out}", "--base", "x", "--exponent", "y"], "--group or --modulus"),
        (["multipow", path, "{out}", "--product", "x^q", "--modulus", "7"], "has no column 'q'"),
        (["verify", path, "{out}", "--equation", "x = y"], "group, or modulus and order"),
        (["verify", path, "{out}", "--equation", "x = y", "--group", "none"], "none"),
    ]:
        assert main([argument.format(out=tmp_path / "out") for argument in arguments] + common) == 1
        caught = capsys.readouterr()
        assert caught.out == "" and caught.err.count("\n") == 1 and text in caught.err, caught.err
