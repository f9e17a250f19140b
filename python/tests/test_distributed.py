"""moduli.distributed: a real scheduler and its workers on loopback, which are killed, and what is left then."""

import contextlib
import hashlib
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import types
import urllib.request

import distributed
import moduli
import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from moduli.distributed import cluster as distributed_cluster
from moduli.distributed import BadRowError, BadRowsWarning, JobError, MismatchError, job, output, piece, pow_batch, source, table
from moduli.distributed.__main__ import main
from numbers_of_tests import random_numbers

GROUP = moduli.group("ffdhe2048")
P, G = GROUP.p, GROUP.g
BITS = 250
ENVIRONMENT = {**os.environ, "RAYON_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}


def exponents(count, bits=BITS):
    joined = b"".join(random_numbers.getrandbits(bits).to_bytes(32, "big") for _ in range(count))
    return np.frombuffer(joined, np.uint8).reshape(count, 32)


def write(path, rows, group_rows, nulls=()):
    values = [None if index in nulls else row.tobytes() for index, row in enumerate(rows)]
    pq.write_table(pa.table({"other": range(len(rows)), "k": pa.array(values, pa.binary(32))}), path, row_group_size=group_rows)
    return str(path)


def digest_of(folder):
    """SHA-256 of all powers, in order, as a reader of the folder finds them."""
    column = pa.dataset.dataset(folder, format="parquet").to_table().column("power")
    return hashlib.sha256(b"".join(bytes(value or b"null") for value in column.to_pylist())).hexdigest()


def leftovers(folder):
    return [name for name in os.listdir(folder) if name.endswith(".tmp")]


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    """A table, and its file."""
    built = moduli.FixedBase(G, P, exponent_bits=BITS, budget="256KiB", secret=False)
    path = tmp_path_factory.mktemp("table") / "g.table"
    built.save(path)
    return types.SimpleNamespace(table=built, path=str(path))


class Cluster:
    """A scheduler and two workers, as a user starts them in three shells. Without nannies, so that who is killed stays dead."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        run = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self.log = open(folder / "scheduler.log", "w+")
        self.scheduler = self.start(run, self.log)
        for _ in range(300):
            found = re.search(r"tcp://127.0.0.1:\d+", (folder / "scheduler.log").read_text())
            if found:
                break
            time.sleep(0.1)
        self.address = found[0]
        self.workers = [self.worker(str(folder / "scratch")) for _ in range(2)]

    def start(self, arguments, log):
        self.processes.append(subprocess.Popen(arguments, stdout=log, stderr=log, env=ENVIRONMENT))
        return self.processes[-1]

    def worker(self, scratch):
        run = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        return self.start([*run, "--local-directory", scratch], subprocess.DEVNULL)

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
        self.log.close()


@pytest.fixture
def cluster(tmp_path):
    started = Cluster(tmp_path)
    yield started
    started.close()


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """For tests in which nobody dies: workers are threads of this process."""
    folder = str(tmp_path_factory.mktemp("scratch"))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, local_directory=folder
    ) as local, distributed.Client(local, set_as_default=False) as own:
        yield own


def started(*arguments):
    run = [sys.executable, "-m", "moduli.distributed", "pow", *map(str, arguments)]
    return subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def parts(folder):
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.glob("part-*.parquet")}


def wait_for_parts(folder, count, process):
    begun = time.monotonic()
    while len(parts(folder)) < count:
        assert process.poll() is None and time.monotonic() - begun < 120, process.communicate()
        time.sleep(0.01)


@pytest.mark.parametrize("count", [20_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_a_worker_and_then_the_client_are_killed(cluster, fixed, tmp_path, count):
    rows = exponents(count)
    path, folder = write(tmp_path / "in.parquet", rows, -(-count // 3)), tmp_path / "out"
    arguments = [path, folder, "--table", fixed.path, "--group", "ffdhe2048", "--public", "--scheduler", cluster.address]
    arguments += ["--rows-per-piece", str(count // 40)]
    first = started(*arguments)
    wait_for_parts(folder, 3, first)
    cluster.workers[0].send_signal(signal.SIGKILL)
    wait_for_parts(folder, 8, first)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    # Tasks of a client that is gone may end, but are not many.
    time.sleep(1)
    done = parts(folder)
    assert 8 <= len(done) < 35
    second = started(*arguments)
    out, err = second.communicate(timeout=300)
    # No terminal, no progress bar; and nothing else.
    assert second.returncode == 0 and err == "", err
    assert f"{count} rows" in out and f"{len(done)} of them from an earlier start" in out
    assert done.items() <= parts(folder).items()
    assert sorted(parts(folder)) == [f"part-{index:05}.parquet" for index in range(42)] and not leftovers(folder)
    # All of it against one machine, some of it against Python.
    assert digest_of(folder) == hashlib.sha256(fixed.table.pow_batch(rows).tobytes()).hexdigest()
    column = pa.dataset.dataset(folder, format="parquet").to_table().column("power")
    for index in (0, count // 2, count - 1):
        assert int.from_bytes(column[index].as_py(), "big") == pow(G, int.from_bytes(rows[index].tobytes(), "big"), P)


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
    # A list may be kept, and then goes on, too.
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
    # The last time, the first piece is done after those that are there.
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
    with pytest.raises(BadRowError, match="row 700: the exponent has") as caught:
        pow_batch(path, fixed.path, output=folder, client=client, on_error="stop", rows_per_piece=100)
    assert caught.value.row == 700 and not leftovers(folder) and "part-00007.parquet" not in parts(folder)
    # What was done is kept, by those who then want the rest.
    done = parts(folder)
    report = pow_batch(path, fixed.path, output=folder, client=client)
    assert report.resumed == len(done) and report.bad_count == 1 and done.items() <= parts(folder).items()
    with pytest.raises(BadRowError, match="row 700"):
        pow_batch(path, fixed.path, output=folder, client=client, on_error="stop")


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
    # Another column of the same source.
    columns = {name: pa.array([row.tobytes() for row in exponents(10)], pa.binary(32)) for name in "ab"}
    pq.write_table(pa.table(columns), tmp_path / "two.parquet")
    pow_batch(tmp_path / "two.parquet", fixed.path, **{**run, "output": tmp_path / "a"}, column="a")
    with pytest.raises(MismatchError, match="of another column"):
        pow_batch(tmp_path / "two.parquet", fixed.path, **{**run, "output": tmp_path / "a"}, column="b")
    # The same bytes under another name are the same source.
    os.rename(path, tmp_path / "moved.parquet")
    assert pow_batch(tmp_path / "moved.parquet", fixed.path, **run).resumed == len(before)
    # A result of another job that was put there, and a folder that is something else's.
    manifest = json.loads((folder / "_manifest.json").read_text())
    number = output.job_number({name: manifest[name] for name in manifest if name != "about"})
    foreign = output.arrow_table(np.zeros((50, 256), np.uint8), [], 0, number[::-1])
    output.write_aside(folder / "part-00000.parquet", lambda file: output.write_part(foreign, file))
    with pytest.raises(MismatchError, match="is not a result of this job"):
        pow_batch(tmp_path / "moved.parquet", fixed.path, **run)
    with pytest.raises(MismatchError, match="choose an empty folder"):
        pow_batch(tmp_path / "moved.parquet", fixed.path, **{**run, "output": tmp_path})
    # Which is left as it was.
    assert not (tmp_path / ".lock").exists()


def test_a_source_without_rows(client, fixed, tmp_path):
    path, folder = write(tmp_path / "in.parquet", exponents(0), 10), tmp_path / "out"
    for _ in range(2):
        report = pow_batch(path, fixed.path, output=folder, client=client)
        assert (report.rows, report.pieces, report.bad_count) == (0, 1, 0) and list(parts(folder)) == ["part-00000.parquet"]
    assert pa.dataset.dataset(folder, format="parquet").to_table().schema.field("power").type == pa.binary(256)


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
    # Among the powers, in what says which rows are null, and in what the file tells of the bad one.
    places = [100, 3000, len(honest) // 2, honest.index(b"is null"), honest.index(b"moduli.bad_count") + 19]
    for place in places:
        spoilt.write_bytes(honest[:place] + bytes([honest[place] ^ 1]) + honest[place + 1 :])
        report = pow_batch(path, fixed.path, **run)
        assert report.resumed == 3 and report.bad == [(30, "is null")], place
        assert digest_of(folder) == before and spoilt.read_bytes() == honest, place
    # Wherever it is, no wrong file is taken as finished.
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
    # As many rows as the piece has.
    with pytest.raises(MismatchError, match="is not a result of this job"):
        held.finished(1, 24)
    # What has lost its metadata is nobody's result.
    pq.write_table(pq.read_table(spoilt).replace_schema_metadata(None), spoilt)
    with pytest.raises(MismatchError, match="is not a result of this job"):
        held.finished(1, 25)
    held.close()


def test_files_are_replaced_and_never_cut(tmp_path, monkeypatch):
    path, honest, done = tmp_path / "file", (os.fsync, os.replace), []
    monkeypatch.setattr(os, "fsync", lambda file: (done.append("directory" if stat.S_ISDIR(os.fstat(file).st_mode) else "file"), honest[0](file)))
    monkeypatch.setattr(os, "replace", lambda *names: (done.append("replace"), honest[1](*names)))
    output.write_aside(path, lambda file: file.write(b"old"))
    # What is written first, then its name: a loss of power leaves all of the file, or none.
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


def test_tables_travel_to_workers_that_cannot_read_the_file(client, fixed, tmp_path, monkeypatch):
    # As on another machine: under the path of the table there is something else.
    honest = table.TablePlugin._map
    elsewhere = str(tmp_path / "elsewhere")
    monkeypatch.setattr(table.TablePlugin, "_map", lambda self, path: honest(self, elsewhere if path == fixed.path else path))
    seen = []
    ended = table.TablePlugin.teardown

    def teardown(self, worker):
        if self.opened:
            seen.append((self.opened.is_mapped, str(self.sent)))
        ended(self, worker)

    monkeypatch.setattr(table.TablePlugin, "teardown", teardown)
    values = list(range(2, 40))
    # Also where the user lets everybody write: what others can write to is not mapped for secret exponents.
    mask = os.umask(0)
    try:
        assert pow_batch(values, fixed.path, client=client, rows_per_piece=2) == [pow(G, k, P) for k in values]
    finally:
        os.umask(mask)
    local = {each for each in seen if each[1] != "None"}
    # One file for both workers, mapped; the name says which.
    assert all(mapped for mapped, _ in seen) and len(local) == 1
    [(_, sent)] = local
    # It is gone with the job.
    assert table.file_digest(fixed.path) in sent and not os.path.exists(sent)


@pytest.mark.parametrize("secret", [True, False])
def test_workers_compute_in_constant_time_if_exponents_are_secret(client, fixed, monkeypatch, secret):
    honest, seen = piece.powers_of, set()
    monkeypatch.setattr(piece, "powers_of", lambda table, *rest: (seen.add(table.secret), honest(table, *rest))[1])
    assert pow_batch([2, 3], fixed.path, client=client, secret=secret) == [G**2, G**3]
    assert seen == {secret}


def test_results_travel_from_workers_that_cannot_see_the_folder(client, fixed, tmp_path, monkeypatch):
    monkeypatch.setattr(output, "is_seen", lambda directory, job: False)
    written = []
    honest = output.write_aside
    monkeypatch.setattr(output, "write_aside", lambda path, write: (written.append(path.name), honest(path, write)))
    path = write(tmp_path / "in.parquet", exponents(200), 50, nulls=[60])
    report = pow_batch(path, fixed.path, client=client, output=tmp_path / "out", rows_per_piece=50)
    assert len(report.files) == len(parts(tmp_path / "out")) == 4 and report.bad == [(60, "is null")]
    assert not [name for name in written if name.startswith("part")]


def test_a_table_that_was_tampered_with_on_its_way_is_refused(client, fixed, tmp_path, monkeypatch):
    honest = table.TablePlugin.__init__

    def tamper(self, digest, secret, path, contents=None):
        if contents:
            forged = contents[:-5000] + bytes([contents[-5000] ^ 1]) + contents[-4999:-32]
            contents = forged + hashlib.sha256(forged).digest()
        honest(self, digest, secret, str(tmp_path / "elsewhere"), contents)

    monkeypatch.setattr(table.TablePlugin, "__init__", tamper)
    with pytest.raises(JobError, match="is not the one that was verified"):
        pow_batch([1, 2], fixed.path, client=client, output=tmp_path / "out")
    assert not parts(tmp_path / "out") and not leftovers(tmp_path / "out")
    # One that does not stay there ends the job.
    monkeypatch.setattr(table.TablePlugin, "table", lambda self: (_ for _ in ()).throw(table.TableMissing("gone")))
    monkeypatch.setattr(job, "SENDS", 1)
    with pytest.raises(JobError, match="does not stay with the workers: gone"):
        pow_batch([1, 2], fixed.path, client=client)
    monkeypatch.undo()
    # Nor is a file of the right name that was put there.
    plugin = table.TablePlugin(table.file_digest(fixed.path), True, "")
    plugin.setup(types.SimpleNamespace(local_directory=str(tmp_path / "worker")))
    with pytest.raises(table.TableMissing):
        plugin.table()


def test_the_client_verifies_the_table(client, fixed, tmp_path):
    forged = bytearray(open(fixed.path, "rb").read()[:-32])
    forged[-5000] ^= 1
    path = tmp_path / "forged.table"
    path.write_bytes(forged + hashlib.sha256(forged).digest())
    with pytest.raises(ValueError, match="entry"):
        pow_batch([1], path, client=client)
    unverified = moduli.FixedBase.open(path, G, P, secret=False, verify=False)
    with pytest.raises(ValueError, match="entry"):
        pow_batch([1], unverified, client=client)
    with pytest.raises(ValueError, match="base"):
        pow_batch([1], fixed.path, base=G + 1, modulus=P, client=client)


def test_the_longest_exponent_and_one_bit_more(client, fixed):
    good, long = 2**BITS - 1, 2**BITS
    rows = np.frombuffer(b"".join(k.to_bytes(32, "big") for k in (good, long, 5, long)), np.uint8).reshape(4, 32)
    with pytest.warns(BadRowsWarning, match="2 bad rows: row 1: the exponent has 256 bits; at most 250 fit; row 3"):
        powers = pow_batch(rows, fixed.table, client=client)
    # Zeros stand for bad rows.
    assert [int.from_bytes(row.tobytes(), "big") for row in powers] == [pow(G, good, P), 0, G**5, 0]
    with pytest.warns(BadRowsWarning, match="row 1"):
        assert pow_batch([good, long], fixed.table, client=client) == [pow(G, good, P), None]


def test_a_run_that_was_called_off_writes_nothing(client, fixed, tmp_path, monkeypatch):
    folder = output.Output(tmp_path / "out")
    values = source.Values([1, 2])
    folder.claim({"format": 1, **values.identity(), "table": "", "rows_per_piece": 2}, None, {})
    plugin = table.TablePlugin(table.file_digest(fixed.path), False, fixed.path)
    plugin.setup(types.SimpleNamespace(local_directory=str(tmp_path / "worker")))
    worker = types.SimpleNamespace(plugins={plugin.name: plugin})
    monkeypatch.setattr(piece, "get_worker", lambda: worker)
    [first] = values.pieces(2)
    jobs = [piece.Job(folder.job, run, plugin.name, str(folder.directory), 256, False) for run in ("ended", "new")]
    # Who calls it off waits for what is being written.
    with plugin.writing:
        halting = threading.Thread(target=piece.halt, args=(plugin.name, "ended", worker))
        halting.start()
        halting.join(0.05)
        assert halting.is_alive()
    halting.join()
    piece.compute(first, jobs[0])
    assert not parts(tmp_path / "out")
    piece.compute(first, jobs[1])
    assert list(parts(tmp_path / "out")) == ["part-00000.parquet"]
    folder.close()
    # And a job that stops tells all workers.
    called, honest = [], client.run
    monkeypatch.undo()
    monkeypatch.setattr(client, "run", lambda function, *rest, **keywords: (called.append(function), honest(function, *rest, **keywords)))
    with pytest.raises(BadRowError):
        pow_batch([1, None], fixed.table, client=client, on_error="stop")
    assert called == [piece.halt]


def test_all_workers_and_then_the_scheduler_are_killed(cluster, fixed, tmp_path):
    path, folder = write(tmp_path / "in.parquet", exponents(20_000), 20_000), tmp_path / "out"
    run = {"output": folder, "client": cluster.address, "secret": False, "rows_per_piece": 100}

    def kill_after(count, processes):
        def kill():
            while len(parts(folder)) < count:
                time.sleep(0.005)
            for process in processes:
                process.kill()

        thread = threading.Thread(target=kill, daemon=True)
        thread.start()
        return thread

    def wait_for_a_worker():
        with distributed.Client(cluster.address, set_as_default=False) as waiting:
            waiting.wait_for_workers(1, timeout=30)

    wait_for_a_worker()
    killer = kill_after(3, cluster.workers)
    with pytest.raises(JobError, match="the last worker has gone, and none has come for 0.5 seconds; start again"):
        pow_batch(path, fixed.path, timeout=0.5, **run)
    killer.join()
    with pytest.raises(JobError, match="has no worker after 0.5 seconds"):
        pow_batch(path, fixed.path, timeout=0.5, **run)
    done = parts(folder)
    assert 3 <= len(done) < 150
    cluster.worker(str(tmp_path / "scratch"))
    wait_for_a_worker()
    killer = kill_after(len(done) + 3, [cluster.scheduler])
    with pytest.raises(JobError, match="the scheduler has gone; start again"):
        pow_batch(path, fixed.path, timeout=1, **run)
    killer.join()
    assert done.items() <= parts(folder).items() and len(parts(folder)) < 200 and not leftovers(folder)


def test_a_script_without_a_guard(fixed, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"from moduli.distributed import pow_batch\npow_batch([5, 6], {fixed.path!r}, workers=1)\n")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("moduli.distributed.errors.JobError: ") and '`if __name__ == "__main__":`' in result.stderr


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
    # A number could be a file that is open.
    with open(fixed.path, "rb") as file:
        with pytest.raises(TypeError, match="int"):
            pow_batch([1], file.fileno(), client=client)
        file.read(1)


def test_a_source_that_changes_on_the_way(client, fixed, tmp_path, monkeypatch):
    path = write(tmp_path / "in.parquet", exponents(100), 50)
    span = next(source.Parquet([path], None).pieces(100)).span
    assert len(source.read(span, 100)[0]) == 100
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
    known = job.look_at(fixed.path, G, P, None, False)
    for rows in (1, 1000, 10**6, 10**10):
        pieces = len(list(source.spans([rows], job.piece_rows(rows, known, 2))))
        assert pieces <= job.PIECES // 2 and (rows < 10**6 or pieces >= 32)
    monkeypatch.setattr(job, "PIECES", 3)
    with pytest.raises(JobError, match="more than 3 pieces"):
        pow_batch([1, 2, 3, 4], fixed.table, client=client, rows_per_piece=1)
    assert pow_batch([1, 2, 3], fixed.table, client=client, rows_per_piece=1) == [G, G**2, G**3]


def test_secrets_do_not_show(fixed):
    assert "123456789" not in repr(source.Piece(0, 0, 2, values=[123456789, 987654321]))


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
    (["{source}", "out", "--modulus", "f1"], "belong together"),
    (["{source}", "out", "--digest", "00" * 32], "checksum"),
    (["{source}", "{source}"], "exists"),
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


def test_the_command_says_which_rows_are_bad(cluster, fixed, tmp_path):
    path = write(tmp_path / "in.parquet", exponents(10), 5, nulls=[7])
    process = started(path, tmp_path / "out", "--table", fixed.path, "--scheduler", cluster.address)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3 and err == "row 7: is null\n" and "10 rows in" in out and "1 bad rows" in out
