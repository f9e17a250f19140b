"""moduli.distributed. Workers, schedulers and clients are killed, and what they leave is checked."""

import hashlib
import signal
import threading
import time
import types

import distributed
import pyarrow as pa
import pyarrow.dataset
import pytest
from moduli.distributed import BadRowError, JobError, output, piece, pow_batch, source, table
from jobs_of_tests import G, P, digest_of, exponents, leftovers, parts, started, wait_for_parts, write


@pytest.mark.parametrize("count", [20_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_a_worker_and_then_the_client_are_killed(cluster, fixed, tmp_path, count):
    rows = exponents(count)
    path, folder = write(tmp_path / "in.parquet", rows, -(-count // 3)), tmp_path / "out"
    arguments = ["pow", path, folder, "--table", fixed.path, "--group", "ffdhe2048", "--public", "--scheduler", cluster.address]
    arguments += ["--rows-per-piece", str(count // 40)]
    first = started(*arguments)
    wait_for_parts(folder, 3, first)
    cluster.workers[0].send_signal(signal.SIGKILL)
    wait_for_parts(folder, 8, first)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    # Running tasks of a killed client may end, but there are not many.
    time.sleep(1)
    done = parts(folder)
    assert 8 <= len(done) < 35
    second = started(*arguments)
    out, err = second.communicate(timeout=300)
    # Without a terminal there is no progress bar, and nothing else is printed.
    assert second.returncode == 0 and err == "", err
    assert f"{count} rows" in out and f"{len(done)} of them from an earlier start" in out
    assert done.items() <= parts(folder).items()
    assert sorted(parts(folder)) == [f"part-{index:05}.parquet" for index in range(42)] and not leftovers(folder)
    # Compare all powers with one machine's, and some with Python's.
    assert digest_of(folder) == hashlib.sha256(fixed.table.pow_batch(rows).tobytes()).hexdigest()
    column = pa.dataset.dataset(folder, format="parquet").to_table().column("power")
    for index in (0, count // 2, count - 1):
        assert int.from_bytes(column[index].as_py(), "big") == pow(G, int.from_bytes(rows[index].tobytes(), "big"), P)


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


def test_a_run_that_was_called_off_writes_nothing(client, fixed, tmp_path, monkeypatch):
    folder = output.Output(tmp_path / "out")
    values = source.Values({"": [1, 2]})
    folder.claim({"format": 1, **values.identity(), "table": "", "rows_per_piece": 2}, None, {})
    plugin = table.TablePlugin(table.file_digest(fixed.path), False, fixed.path)
    plugin.setup(types.SimpleNamespace(local_directory=str(tmp_path / "worker")))
    worker = types.SimpleNamespace(plugins={plugin.name: plugin})
    monkeypatch.setattr(piece, "get_worker", lambda: worker)
    [first] = values.pieces(2)
    jobs = [piece.Job(folder.job, run, plugin.name, str(folder.directory), False) for run in ("ended", "new")]
    # The call that ends a job waits for the file that is being written.
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
    # A job that stops calls this on all workers.
    called, honest = [], client.run
    monkeypatch.undo()
    monkeypatch.setattr(client, "run", lambda function, *rest, **keywords: (called.append(function), honest(function, *rest, **keywords)))
    with pytest.raises(BadRowError):
        pow_batch([1, None], fixed.table, client=client, on_error="stop")
    assert called == [piece.halt]
