"""Turns work cut into numbered chunks into results in the order of their numbers, on threads.

Chunks are fixed by the question and not by the machine, kernels let go of the interpreter, and results are handed on
in order: so the number of threads changes nothing but the time.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TypeVar

from numba.core import event

from kernels.compile import is_warm

Result = TypeVar("Result")
AHEAD = 2
"""Chunks waiting for each thread: memory stays flat however many there are."""
Progress = Callable[[int], None]
"""Called from the main thread with the number of deals done so far."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The deals first to first + n - 1."""

    first: int
    n: int


def chunks(n_deals: int, size: int, first: int = 0) -> Iterator[Chunk]:
    """The deals `first` to n_deals - 1, cut after every multiple of `size`."""
    while first < n_deals:
        end = min(n_deals, (first // size + 1) * size)
        yield Chunk(first, end - first)
        first = end


def available_workers() -> int:
    """The threads this process may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(work: Callable[[Chunk], Result], parts: Iterator[Chunk], workers: int | None) -> Iterator[Result]:
    """The results of `work` on every chunk, in order; chunks are fetched only as threads get free.

    After the iterator is closed, or Ctrl-C, no more are started, and those in hand are not waited for: they may take
    long, or wait for the compiler.
    """
    n = workers or available_workers()
    waiting: deque[Future[Result]] = deque()
    pool = ThreadPoolExecutor(n)
    try:
        for part in parts:
            waiting.append(pool.submit(work, part))
            if len(waiting) >= n * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


_compiling = event.TimingListener()
event.register("numba:compiler_lock", _compiling)


class Stopwatch:
    """How long work takes, without what the compiler takes of it, which is for the first time only."""

    def __init__(self) -> None:
        """Start."""
        self._began, self._compiled = time.perf_counter(), self._compiler_seconds()

    @staticmethod
    def _compiler_seconds() -> float:
        return _compiling.duration if _compiling.done else 0.0

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        compiled = self._compiler_seconds() - self._compiled
        return max(0.0, time.perf_counter() - self._began - compiled)


def must_compile(door: Callable[..., object]) -> bool:
    """Whether the first call of this kernel will wait for the compiler, because nothing is cached."""
    return not is_warm(door.__name__)


def product_version() -> str:
    """The version of this program, as installed."""
    try:
        return version("euchre-lab")
    except PackageNotFoundError:
        return "unknown"
