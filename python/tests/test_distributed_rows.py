"""moduli.distributed. Input and output: lists, arrays and files, their rows and pieces."""

import os
import subprocess
import sys
import urllib.request

import distributed
import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pytest
from moduli.distributed import cluster as distributed_cluster
from moduli.distributed import BadRowError, BadRowsWarning, JobError, fixed as fixed_base, job, pow_batch, source
from jobs_of_tests import BITS, ENVIRONMENT, G, P, exponents, leftovers, parts, write
from numbers_of_tests import random_numbers


def test_an_embedded_cluster_and_a_list(fixed):
    values = [random_numbers.getrandbits(BITS) for _ in range(300)] + [0, 1, 2**BITS - 1, -5]
    expected = [pow(G, value, P) for value in values]
    assert pow_batch(values, fixed.path, base=G, modulus=P, workers=2, rows_per_piece=100) == expected


def test_the_embedded_cluster_serves_nobody_else():
    with distributed_cluster.embedded(1) as own:
        address, page = own.scheduler.address, own.cluster.scheduler.http_server
        assert address.startswith("tls://127.0.0.1:") and page.address == "127.0.0.1"
        environment = own.submit(os.getenv, "RAYON_NUM_THREADS").result()
        assert environment == "1" and set(own.nthreads().values()) == {1}
        for url in (address.replace("tls", "tcp"), address):
            with pytest.raises((OSError, TypeError)):
                distributed.Client(url, timeout=2, set_as_default=False)
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(f"http://127.0.0.1:{page.port}/health")


def test_lists_and_arrays(client, fixed, tmp_path):
    rows = exponents(500)
    powers = pow_batch(rows, fixed.table, client=client, rows_per_piece=90)
    assert (powers == fixed.table.pow_batch(rows)).all()
    with pytest.warns(BadRowsWarning, match="2 bad rows: row 1: is null; row 3: the exponent"):
        assert pow_batch([1, None, 2, 2**300], fixed.table, client=client) == [G, None, G**2, None]
    assert pow_batch([], fixed.table, client=client) == []
    # The results for a list may be kept as well, and then a second run resumes.
    for _ in range(2):
        assert pow_batch([1, 2, 3], fixed.table, client=client, output=tmp_path / "out", rows_per_piece=1) == [G, G**2, G**3]
    for wrong, error in [([1.5], TypeError), (b"bytes", TypeError), (rows.astype(np.uint16), TypeError)]:
        with pytest.raises(error):
            pow_batch(wrong, fixed.table, client=client)


def test_bad_rows_are_reported_by_position(client, fixed, tmp_path):
    rows = exponents(1000).copy()
    long, nulls = [0, 299, 700], [5, 300, 999]
    rows[long, 0] = 0xFF
    path, folder = write(tmp_path / "in.parquet", rows, 300, nulls), tmp_path / "out"
    # In the last run, only the first piece is missing, so it is done last.
    for resumed in (0, 10, 9):
        if resumed == 9:
            (folder / "part-00000.parquet").unlink()
        report = pow_batch(path, fixed.path, output=folder, client=client, column="k", secret=False, rows_per_piece=100)
        assert report.resumed == resumed and report.bad_count == 6 and [bad.row for bad in report.bad] == sorted(long + nulls)
        assert {bad.reason for bad in report.bad} == {"is null", "the exponent has 256 bits; at most 250 fit"}
    got = pa.dataset.dataset(folder, format="parquet").to_table().column("power").to_pylist()
    rows[long + nulls] = 0
    expected = [bytes(power) for power in fixed.table.pow_batch(rows)]
    assert got == [None if index in long + nulls else power for index, power in enumerate(expected)]


def test_or_the_job_stops(client, fixed, tmp_path):
    rows = exponents(1000).copy()
    rows[700, 0] = 0xFF
    path, folder = write(tmp_path / "in.parquet", rows, 100), tmp_path / "out"
    with pytest.raises(BadRowError, match="row 700: the exponent has more than") as caught:
        pow_batch(path, fixed.path, output=folder, client=client, on_error="stop", rows_per_piece=100)
    assert caught.value.row == 700 and not leftovers(folder) and "part-00007.parquet" not in parts(folder)
    # A later run without `on_error="stop"` keeps what was done.
    done = parts(folder)
    report = pow_batch(path, fixed.path, output=folder, client=client)
    assert report.resumed == len(done) and report.bad_count == 1 and done.items() <= parts(folder).items()
    with pytest.raises(BadRowError, match="row 700"):
        pow_batch(path, fixed.path, output=folder, client=client, on_error="stop")


def test_a_source_without_rows(client, fixed, tmp_path):
    path, folder = write(tmp_path / "in.parquet", exponents(0), 10), tmp_path / "out"
    for _ in range(2):
        report = pow_batch(path, fixed.path, output=folder, client=client)
        assert (report.rows, report.pieces, report.bad_count) == (0, 1, 0) and list(parts(folder)) == ["part-00000.parquet"]
    assert pa.dataset.dataset(folder, format="parquet").to_table().schema.field("power").type == pa.binary(256)


def test_the_longest_exponent_and_one_bit_more(client, fixed):
    good, long = 2**BITS - 1, 2**BITS
    rows = np.frombuffer(b"".join(k.to_bytes(32, "big") for k in (good, long, 5, long)), np.uint8).reshape(4, 32)
    with pytest.warns(BadRowsWarning, match="2 bad rows: row 1: the exponent has more than 250 bits, which do not fit; row 3"):
        powers = pow_batch(rows, fixed.table, client=client)
    # Bad rows are zero.
    assert [int.from_bytes(row.tobytes(), "big") for row in powers] == [pow(G, good, P), 0, G**5, 0]
    with pytest.warns(BadRowsWarning, match="row 1"):
        assert pow_batch([good, long], fixed.table, client=client) == [pow(G, good, P), None]


def test_a_script_without_a_guard(fixed, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"from moduli.distributed import pow_batch\npow_batch([5, 6], {fixed.path!r}, workers=1)\n")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("moduli.distributed.errors.JobError: ") and '`if __name__ == "__main__":`' in result.stderr


def test_a_source_that_changes_on_the_way(client, fixed, tmp_path, monkeypatch):
    path = write(tmp_path / "in.parquet", exponents(100), 50)
    span = next(source.Parquet([path]).pieces(100)).span
    assert len(source.read(span, 100)["k"][0]) == 100
    write(tmp_path / "in.parquet", exponents(100), 50)
    with pytest.raises(JobError, match="has changed"):
        source.read(span, 100)


@pytest.mark.parametrize("groups, most", [([10], 3), ([1, 1, 1, 1], 3), ([5, 0, 12, 2, 2], 5), ([0], 4), ([7, 7], 7)])
def test_pieces_cover_all_rows_once(groups, most):
    begins = [sum(groups[:index]) for index in range(len(groups))]
    covered = []
    for numbers, skip, rows in source.spans(groups, most):
        assert 0 < rows <= most
        covered += range(begins[numbers[0]] + skip, begins[numbers[0]] + skip + rows)
    assert covered == list(range(sum(groups)))


def test_there_are_names_for_all_pieces(client, fixed, tmp_path, monkeypatch):
    known = fixed_base.look_at(fixed.path, G, P, None, False)
    for rows in (1, 1000, 10**6, 10**10):
        pieces = len(list(source.spans([rows], job.piece_rows(rows, known, 2))))
        assert pieces <= job.PIECES // 2 and (rows < 10**6 or pieces >= 32)
    monkeypatch.setattr(job, "PIECES", 3)
    with pytest.raises(JobError, match="more than 3 pieces"):
        pow_batch([1, 2, 3, 4], fixed.table, client=client, rows_per_piece=1)
    assert pow_batch([1, 2, 3], fixed.table, client=client, rows_per_piece=1) == [G, G**2, G**3]
