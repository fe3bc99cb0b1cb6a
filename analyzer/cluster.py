"""Turns chunks of work into results in order, as `engine` does, on the machines of a Dask cluster.

A chunk lost with its worker is played again elsewhere; as sums are whole numbers and added in order, nothing changes.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from analyzer.engine import AHEAD, Chunk, product_version
from analyzer.errors import QuestionError, RunError
from kernels.compile import digest

Result = TypeVar("Result")
WAIT = 10
"""Seconds in which a scheduler must answer."""


def about() -> tuple[str, str]:
    """The version and the text of the kernels of a worker."""
    return product_version(), digest()


def on_cluster(
    address: str, work: Callable[[Chunk], Result], parts: Iterator[Chunk], _workers: int | None = None
) -> Iterator[Result]:
    """The results of `work` on every chunk, in order; chunks are sent only as workers get free.

    Raises QuestionError where no scheduler answers, it has no workers, or they have another version than ours;
    RunError where a chunk is lost again and again.
    """
    client = _connected(address)
    try:
        _check_workers(client, address)
        waiting: deque[Any] = deque()
        try:
            for part in parts:
                waiting.append(client.submit(work, part, pure=False))
                if len(waiting) >= max(1, sum(client.nthreads().values())) * AHEAD:
                    yield _result(waiting.popleft())
            while waiting:
                yield _result(waiting.popleft())
        finally:
            client.cancel(list(waiting))
    finally:
        client.close()


def _connected(address: str) -> Any:
    try:
        from distributed import Client  # an extra
    except ImportError as error:
        raise QuestionError("--cluster needs Dask: pip install 'euchre-lab[cluster]'") from error
    logging.getLogger("distributed").setLevel(logging.ERROR)
    try:
        return Client(address, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise QuestionError(
            f"no scheduler answers at --cluster {address}: start one with dask scheduler and give the address it"
            " prints, as in tcp://192.168.1.5:8786"
        ) from error


def _check_workers(client: Any, address: str) -> None:
    """Refuse a cluster without workers, or with others than ours."""
    found: dict[str, tuple[str, str]] = client.run(about)
    if not found:
        raise QuestionError(f"the scheduler at {address} has no workers: start some with dask worker {address}")
    others = [f"{worker} has {version}" for worker, (version, text) in found.items() if (version, text) != about()]
    if others:
        raise QuestionError(
            f"workers of {address} play by other kernels than this version, {product_version()}: {', '.join(others)};"
            " install the same on all"
        )


def _result(future: Any) -> Any:
    from distributed import KilledWorker

    try:
        return future.result()
    except KilledWorker as error:
        raise RunError(f"the cluster lost a chunk of deals more than once: {error}") from error
