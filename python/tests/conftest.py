"""Fixtures for the tests of moduli.distributed. They import its modules only when used, as other tests do not need them."""

import types

import moduli
import pytest


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    """A table and its file."""
    from jobs_of_tests import BITS, G, P

    built = moduli.FixedBase(G, P, exponent_bits=BITS, budget="256KiB", secret=False)
    path = tmp_path_factory.mktemp("table") / "g.table"
    built.save(path)
    return types.SimpleNamespace(table=built, path=str(path))


@pytest.fixture
def cluster(tmp_path):
    """A cluster of processes, which may be killed."""
    from jobs_of_tests import Cluster

    started = Cluster(tmp_path)
    yield started
    started.close()


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A client for tests that kill nothing: its workers are threads of this process."""
    import distributed

    folder = str(tmp_path_factory.mktemp("scratch"))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, local_directory=folder
    ) as local, distributed.Client(local, set_as_default=False) as own:
        yield own
