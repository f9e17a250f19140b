"""moduli.distributed. Refused input, and the messages of the command."""

import contextlib
import socket
import threading
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from moduli.distributed import JobError, pow_batch
from moduli.distributed.__main__ import main
from jobs_of_tests import G, P, exponents, parts, started, write


def test_arguments_that_say_nothing_or_nonsense(client, fixed, tmp_path):
    for wrong, error in [(0, ValueError), (-1, ValueError), (np.int64(0), ValueError), (10.5, TypeError), ("3", TypeError)]:
        with pytest.raises(error, match="rows_per_piece"):
            pow_batch([1, 2, 3], fixed.table, client=client, rows_per_piece=wrong)
        with pytest.raises(error, match="workers"):
            pow_batch([1, 2, 3], fixed.table, workers=wrong)
    for count, files in [(np.int64(2), 2), (True, 3)]:
        folder = tmp_path / f"{files}"
        assert pow_batch([1, 2, 3], fixed.table, client=client, output=folder, rows_per_piece=count) == [G, G**2, G**3]
        assert len(parts(folder)) == files
    for named in ({"base": G}, {"modulus": P}, {"base": G, "modulus": P}, {"digest": bytes(32)}):
        with pytest.raises(TypeError, match="a FixedBase knows its own"):
            pow_batch([1], fixed.table, client=client, **named)
    for wrong, match in [(None, "is a NoneType"), (5, "is a int"), ([1, 2.5], "row 1 is a float"), (["3"] + [4], "row 0 is a str")]:
        with pytest.raises(TypeError, match=match):
            pow_batch(wrong, fixed.table, client=client)
    # A number could be the descriptor of an open file.
    with open(fixed.path, "rb") as file:
        with pytest.raises(TypeError, match="int"):
            pow_batch([1], file.fileno(), client=client)
        file.read(1)


@pytest.mark.parametrize("says", [b"", b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n", bytes(64)])
def test_who_listens_but_is_no_scheduler(fixed, says):
    listener = socket.create_server(("127.0.0.1", 0))
    connections = []

    def listen():
        with contextlib.suppress(OSError):
            while True:
                connections.append(listener.accept()[0])
                connections[-1].sendall(says)

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    begun = time.monotonic()
    with pytest.raises(JobError, match="does not answer"):
        pow_batch([1], fixed.table, client=f"tcp://127.0.0.1:{listener.getsockname()[1]}", timeout=1)
    assert time.monotonic() - begun < 10
    listener.close()
    for connection in connections:
        connection.close()


@pytest.mark.parametrize("arguments, text", [
    (["none.parquet", "out"], "none.parquet"),
    (["{table}", "out"], "is no Parquet file"),
    (["{source}", "out", "--column", "other"], "column 'other' is of type int64"),
    (["{source}", "out", "--column", "x"], "has no column 'x'; it has 'other', 'k'"),
    (["{source}", "out", "--group", "none"], "none"),
    (["{source}", "out", "--group", "ffdhe3072"], "modulus"),
    (["{source}", "out", "--modulus", "f1"], "given together"),
    (["{source}", "out", "--digest", "00" * 32], "checksum"),
    (["{source}", "{source}"], "exists"),
    (["{source}", ""], "output: is an empty path"),
    (["{source}", "out", "--rows-per-piece", "0"], "rows_per_piece"),
    (["{source}", "out", "--scheduler", "tcp://127.0.0.1:9", "--timeout", "1"], "does not answer"),
    (["{source}", "out", "--scheduler", "nowhere", "--timeout", "1"], "missing port number"),
    (["{source}", "out", "--scheduler", "tcp://127.0.0.1:99999", "--timeout", "1"], "does not answer"),
    (["{source}", "out", "--scheduler", "abc://127.0.0.1:9", "--timeout", "1"], "does not answer"),
])
def test_errors_of_the_command_are_one_line(fixed, tmp_path, monkeypatch, capsys, arguments, text):
    monkeypatch.chdir(tmp_path)
    names = {"source": write(tmp_path / "in.parquet", exponents(10), 5), "table": fixed.path}
    assert main(["pow", "--table", fixed.path, *(argument.format(**names) for argument in arguments)]) == 1
    caught = capsys.readouterr()
    assert caught.out == "" and caught.err.count("\n") == 1 and caught.err.startswith("error: ") and text in caught.err, caught.err


POWMOD, MULTIPOW, VERIFY = ["powmod", "--base=x", "--exponent=y"], ["multipow", "--product=x^y"], ["verify", "--equation=x = x^y"]
MODULUS = f"--modulus={P:x}"


@pytest.mark.parametrize("command, text", [
    ([*POWMOD, "--modulus=0x0"], "modulus: is less than 1"),
    ([*POWMOD, "--modulus=-0x5"], "modulus: is less than 1"),
    ([*POWMOD, "--modulus=none"], "has no column 'none'; it has 'x', 'y', 'n'"),
    ([*POWMOD, "--modulus=n"], "column 'n' is of type int64"),
    ([*POWMOD, "--modulus=x", "--timeout=nan"], "timeout: is nan seconds"),
    ([*POWMOD, "--modulus=x", "--timeout=-1"], "timeout: is -1 seconds, and must be above 0"),
    ([*POWMOD, "--modulus=x", "--scheduler=tcp://127.0.0.1:9", "--workers=2"], "workers: only the embedded cluster"),
    ([*POWMOD, "--modulus=x", "--workers=0"], "workers: is less than 1"),
    ([*MULTIPOW, "--modulus=0"], "the modulus must be greater than 1"),
    ([*MULTIPOW, "--modulus=-5"], "modulus: is less than 0"),
    ([*MULTIPOW, "--modulus=8"], "the modulus is even"),
    ([*MULTIPOW, f"--modulus={2**65536 + 1:x}"], "the modulus has 65537 bits; the maximum is 65536"),
    ([*MULTIPOW, "--group=ffdhe2048", "--modulus=7"], "--group or --modulus"),
    ([*VERIFY, "--modulus=1", "--order=7"], "the modulus must be greater than 1"),
    ([*VERIFY, MODULUS, "--order=0"], "order: is not prime"),
    ([*VERIFY, MODULUS, "--order=-7"], "order: is less than 0"),
    ([*VERIFY, MODULUS, f"--order={2**521 - 1:x}"], "order: does not divide the modulus less one"),
    ([*VERIFY[:1], "--equation=h = x^y", "--group=ffdhe2048", "--base=h=0"], "bases: h is not in the subgroup"),
    ([*POWMOD, "--modulus=0xzz"], "--modulus: '0xzz' is not a hexadecimal number"),
    ([*MULTIPOW, "--modulus=zz"], "--modulus: 'zz' is not a hexadecimal number"),
    ([*MULTIPOW, "--modulus=7", "--base=h"], "--base: 'h' is not NAME=HEX"),
    ([*MULTIPOW, "--modulus=7", "--base=h=z"], "--base: 'z' is not a hexadecimal number"),
    (["pow", "--table=none", "--digest=0"], "--digest: '0' is not an even number of hexadecimal digits"),
])
def test_what_the_commands_refuse_leaves_nothing_behind(tmp_path, capsys, command, text):
    columns = {"x": pa.array([b"\0\2", b"\0\3"], pa.binary(2)), "y": pa.array([b"\1", b"\2"], pa.binary(1)), "n": [1, 2]}
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    try:
        status = main([*command, str(tmp_path / "in.parquet"), str(tmp_path / "out")])
    except SystemExit as usage:
        status = usage.code
    caught = capsys.readouterr()
    last = caught.err.splitlines()[-1]
    # Errors in the usage are printed after the usage.
    assert status == (2 if "usage: " in caught.err else 1) and (status == 2 or caught.err == last + "\n")
    assert caught.out == "" and "error: " in last and text in last, caught.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", [[*POWMOD, "--modulus=x"], [*MULTIPOW, "--modulus=7"], [*VERIFY, "--group=ffdhe2048"]])
def test_sources_that_are_no_parquet(tmp_path, capsys, command):
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_bytes(b"no numbers" * 9)
    (tmp_path / "folder").mkdir()
    for name, text in (("none", "No such file"), ("empty", "is no Parquet file"), ("text", "is no Parquet file"), ("folder", "Is a directory")):
        assert main([*command, str(tmp_path / name), str(tmp_path / "out")]) == 1
        caught = capsys.readouterr()
        assert caught.err.startswith("error: ") and caught.err.count("\n") == 1 and str(tmp_path / name) in caught.err and text in caught.err
        assert not (tmp_path / "out").exists()


def test_the_command_says_which_rows_are_bad(cluster, fixed, tmp_path):
    path = write(tmp_path / "in.parquet", exponents(10), 5, nulls=[7])
    process = started("pow", path, tmp_path / "out", "--table", fixed.path, "--scheduler", cluster.address)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3 and err == "row 7: is null\n" and "10 rows in" in out and "1 bad rows" in out
