"""The workers: those of a given scheduler, or processes on this machine for the duration of a job."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from threading import Thread
from typing import Any

import dask
import distributed
import distributed.comm.core

from .errors import JobError

# Dask is only partly typed.
Client: Any = distributed.Client
Security: Any = distributed.Security
connect: Any = distributed.comm.core.connect
LocalCluster: Any = distributed.LocalCluster

UNGUARDED = (
    "the processes of the embedded cluster did not start. They import the script that starts them: what it does has to stand "
    'under `if __name__ == "__main__":`'
)


def cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@contextmanager
def connected(client: Any, workers: int | None, timeout: float) -> Iterator[Any]:
    """Yields a client: the given one, one for the given address, or one for a cluster that ends with the context."""
    if client is None:
        with embedded(workers or cores()) as own:
            yield own
        return
    if isinstance(client, str):
        try:
            greet(client, timeout)
            own = Client(client, timeout=timeout, set_as_default=False)
        except (OSError, ValueError) as error:
            raise JobError(f"the scheduler at {client} does not answer: {str(error).splitlines()[0]}") from error
        with own:
            wait_for_workers(own, timeout)
            yield own
        return
    if not isinstance(client, Client) or client.asynchronous:
        raise TypeError("client: is neither a scheduler's address nor a distributed.Client for use without await")
    wait_for_workers(client, timeout)
    yield client


def greet(address: str, timeout: float) -> None:
    """Opens and closes a connection to the scheduler, as a client does. A client would wait forever for a program that listens but does not
    respond, and a client with an invalid address could not be closed.

    Raises OSError.
    """

    async def shake_hands() -> None:
        greeting = connect(address, timeout=timeout, **Security().get_connection_args("client"))
        comm = await asyncio.wait_for(greeting, timeout)
        comm.abort()

    answer: Future[None] = Future()

    def run() -> None:
        try:
            answer.set_result(asyncio.run(shake_hands()))
        except BaseException as error:
            answer.set_exception(error)

    # Run it on a separate thread, because this thread may have a running event loop, as notebooks do. Nobody waits for it
    # after Ctrl-C.
    Thread(target=run, daemon=True).start()
    try:
        answer.result()
    except TimeoutError as error:
        raise OSError(str(error) or f"no greeting within {timeout:g} seconds") from error
    except Exception as error:
        raise OSError(str(error) or type(error).__name__) from error


@contextmanager
def embedded(workers: int) -> Iterator[Any]:
    """A cluster of processes with one thread each.

    Its connections are encrypted with certificates made for this cluster. Otherwise other users of the machine could give it work, which
    would run as this user. It serves no web pages, because these are not encrypted, and keeps no profiles for them, which would interrupt
    each worker a hundred times a second.
    """
    quiet: dict[str, Any] = {
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        "distributed.worker.profile.enabled": False,
    }
    with dask.config.set(quiet), ExitStack() as stack:
        try:
            cluster = stack.enter_context(LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                # Use any port, because the usual one may be taken.
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                security=True,
                silence_logs=logging.CRITICAL,
                env={"RAYON_NUM_THREADS": "1"},
            ))  # fmt: skip
            client = stack.enter_context(Client(cluster, set_as_default=False))
        except RuntimeError as error:
            raise JobError(UNGUARDED) from error
        yield client


def wait_for_workers(client: Any, timeout: float) -> None:
    try:
        client.wait_for_workers(1, timeout=timeout)
    except TimeoutError:
        raise JobError(f"the scheduler has no worker after {timeout:g} seconds") from None
