"""Shared by the tests of moduli.distributed: exponents, files, and clusters as users start them."""

import hashlib
import os
import re
import subprocess
import sys
import time

import moduli
import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
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
    """SHA-256 of all powers, in the order in which a reader of the folder finds them."""
    column = pa.dataset.dataset(folder, format="parquet").to_table().column("power")
    return hashlib.sha256(b"".join(bytes(value or b"null") for value in column.to_pylist())).hexdigest()


def leftovers(folder):
    return [name for name in os.listdir(folder) if name.endswith(".tmp")]


class Cluster:
    """A scheduler and two workers, as a user starts them in three shells. There are no nannies to restart killed workers."""

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


def started(*arguments):
    run = [sys.executable, "-m", "moduli.distributed", *map(str, arguments)]
    return subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def parts(folder):
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.glob("part-*.parquet")}


def wait_for_parts(folder, count, process):
    begun = time.monotonic()
    while len(parts(folder)) < count:
        assert process.poll() is None and time.monotonic() - begun < 120, process.communicate()
        time.sleep(0.01)
