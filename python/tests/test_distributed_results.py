"""moduli.distributed. Files of results: which job they belong to, whether they are complete, and how they are replaced."""

import json
import os
import stat

import moduli
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from moduli.distributed import JobError, MismatchError, output, pow_batch
from jobs_of_tests import BITS, G, P, digest_of, exponents, leftovers, parts, write


def test_another_job_does_not_go_on(client, fixed, tmp_path):
    rows = exponents(100)
    path, folder = write(tmp_path / "in.parquet", rows, 50), tmp_path / "out"
    run = {"output": folder, "client": client, "secret": False}
    pow_batch(path, fixed.path, **run)
    before = parts(folder)
    other = tmp_path / "other.table"
    moduli.FixedBase(G**2, P, exponent_bits=BITS, budget="64KiB").save(other)
    changed = write(tmp_path / "changed.parquet", exponents(100), 50)
    for arguments, keywords, match in [
        ((path, other), {}, "of another table"),
        ((changed, fixed.path), {}, "of another source"),
        ((path, fixed.path), {"rows_per_piece": 7}, "in pieces of"),
    ]:
        with pytest.raises(MismatchError, match=match):
            pow_batch(*arguments, **run, **keywords)
    assert parts(folder) == before
    # A run on another column of the same source.
    columns = {name: pa.array([row.tobytes() for row in exponents(10)], pa.binary(32)) for name in "ab"}
    pq.write_table(pa.table(columns), tmp_path / "two.parquet")
    pow_batch(tmp_path / "two.parquet", fixed.path, **{**run, "output": tmp_path / "a"}, column="a")
    with pytest.raises(MismatchError, match="of another column"):
        pow_batch(tmp_path / "two.parquet", fixed.path, **{**run, "output": tmp_path / "a"}, column="b")
    # The same bytes under another name are the same source.
    os.rename(path, tmp_path / "moved.parquet")
    assert pow_batch(tmp_path / "moved.parquet", fixed.path, **run).resumed == len(before)
    # A result of another job in this folder, and a folder that belongs to something else.
    manifest = json.loads((folder / "_manifest.json").read_text())
    number = output.job_number({name: manifest[name] for name in manifest if name != "about"})
    # It is as long as the result that it replaces.
    count = pq.read_metadata(folder / "part-00000.parquet").num_rows
    foreign = output.arrow_table("power", output.powers_array(np.zeros((count, 256), np.uint8)), [], number[::-1])
    output.write_aside(folder / "part-00000.parquet", lambda file: output.write_part(foreign, file))
    with pytest.raises(MismatchError, match="is not a result of this job"):
        pow_batch(tmp_path / "moved.parquet", fixed.path, **run)
    with pytest.raises(MismatchError, match="choose an empty folder"):
        pow_batch(tmp_path / "moved.parquet", fixed.path, **{**run, "output": tmp_path})
    # That folder is unchanged.
    assert not (tmp_path / ".lock").exists()


def test_spoilt_and_half_written_results_are_made_again(client, fixed, tmp_path):
    path, folder = write(tmp_path / "in.parquet", exponents(100), 25), tmp_path / "out"
    run = {"output": folder, "client": client, "rows_per_piece": 25}
    pow_batch(path, fixed.path, **run)
    before = digest_of(folder)
    spoilt = folder / "part-00001.parquet"
    os.truncate(spoilt, 1000)
    (folder / ".part-00002.parquet.0123.tmp").write_bytes(b"half")
    assert pow_batch(path, fixed.path, **run).resumed == 3
    assert digest_of(folder) == before and not leftovers(folder)


def test_a_result_with_one_wrong_byte_is_made_again(client, fixed, tmp_path):
    path, folder = write(tmp_path / "in.parquet", exponents(100), 25, nulls=[30]), tmp_path / "out"
    run = {"output": folder, "client": client, "rows_per_piece": 25}
    pow_batch(path, fixed.path, **run)
    before, spoilt = digest_of(folder), folder / "part-00001.parquet"
    honest = spoilt.read_bytes()
    # Bytes among the powers, among the flags of null rows, and in the text about the bad row.
    places = [100, 3000, len(honest) // 2, honest.index(b"is null"), honest.index(b"moduli.bad_count") + 19]
    for place in places:
        spoilt.write_bytes(honest[:place] + bytes([honest[place] ^ 1]) + honest[place + 1 :])
        report = pow_batch(path, fixed.path, **run)
        assert report.resumed == 3 and report.bad == [(30, "is null")], place
        assert digest_of(folder) == before and spoilt.read_bytes() == honest, place
    # Wherever the changed byte is, a wrong file never counts as finished.
    held = output.Output(folder)
    held.job = output.job_number({name: value for name, value in held.manifest().items() if name != "about"})
    good = held.finished(1, 25)
    assert good == (1, [(30, "is null")])
    for place in range(0, len(honest), 37):
        spoilt.write_bytes(honest[:place] + bytes([honest[place] ^ 4]) + honest[place + 1 :])
        try:
            found = held.finished(1, 25)
        except MismatchError:
            continue
        assert found is None or found == good and digest_of(folder) == before, place
    spoilt.write_bytes(honest)
    # The result must have as many rows as the piece.
    with pytest.raises(MismatchError, match="is not a result of this job"):
        held.finished(1, 24)
    # A file without its metadata is the result of no job.
    pq.write_table(pq.read_table(spoilt).replace_schema_metadata(None), spoilt)
    with pytest.raises(MismatchError, match="is not a result of this job"):
        held.finished(1, 25)
    held.close()


def test_files_are_replaced_and_never_cut(tmp_path, monkeypatch):
    path, honest, done = tmp_path / "file", (os.fsync, os.replace), []
    monkeypatch.setattr(os, "fsync", lambda file: (done.append("directory" if stat.S_ISDIR(os.fstat(file).st_mode) else "file"), honest[0](file)))
    monkeypatch.setattr(os, "replace", lambda *names: (done.append("replace"), honest[1](*names)))
    output.write_aside(path, lambda file: file.write(b"old"))
    # The contents are written first, then the name: after a loss of power, the file is complete or missing.
    assert done == ["file", "replace", "directory"]
    with open(path, "rb") as reader:
        output.write_aside(path, lambda file: file.write(b"new"))
        assert reader.read() == b"old" and path.read_bytes() == b"new" and os.listdir(tmp_path) == ["file"]

    def fail(file):
        file.write(b"ha")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        output.write_aside(path, fail)
    assert path.read_bytes() == b"new" and os.listdir(tmp_path) == ["file"]


def test_one_process_at_a_time_writes_there(fixed, tmp_path):
    held = output.Output(tmp_path / "out")
    with pytest.raises(JobError, match="another process"):
        pow_batch([1], fixed.path, output=tmp_path / "out")
    held.close()


def test_results_travel_from_workers_that_cannot_see_the_folder(client, fixed, tmp_path, monkeypatch):
    monkeypatch.setattr(output, "is_seen", lambda directory, job: False)
    written = []
    honest = output.write_aside
    monkeypatch.setattr(output, "write_aside", lambda path, write: (written.append(path.name), honest(path, write)))
    path = write(tmp_path / "in.parquet", exponents(200), 50, nulls=[60])
    report = pow_batch(path, fixed.path, client=client, output=tmp_path / "out", rows_per_piece=50)
    assert len(report.files) == len(parts(tmp_path / "out")) == 4 and report.bad == [(60, "is null")]
    assert not [name for name in written if name.startswith("part")]
