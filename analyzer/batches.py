"""Turns a study of many deals into its sums: cut into chunks, counted on threads, and gone on with after a break.

A study is plain data, so that it can be sent to another machine. Its sums are whole numbers and chunks are added in
the order of their deals: neither threads nor breaks change a digit.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from analyzer.border import door_of, empty_start, kernel_players, kernel_rules, new_scratch, payoffs_of, pool_of
from analyzer.by_hand import play_by_hand
from analyzer.checkpoints import PART, Checkpoint, Saved, Sums
from analyzer.cluster import on_cluster
from analyzer.engine import Chunk, Progress, chunks, in_order, product_version
from analyzer.errors import QuestionError
from analyzer.files import uninterrupted
from analyzer.players import Bot
from analyzer.rules import Rules
from analyzer.strategy import Strategy
from kernels import batches, doors
from kernels.compile import digest

Rows = NDArray[np.int64]
"""int64[n, batches.N_COLUMNS]: a deal each."""
BY_HAND = Lock()
"""Players in Python are asked one at a time."""
OPTIONS = {"deals": "--deals", "games": "--matches"}
"""How many a study plays is asked for by these, by the part of a command that it is."""
FEW = 64
"""Deals in a chunk where such players sit at the table."""


class Part(NamedTuple):
    """What came of one chunk of deals."""

    sums: Sums
    rows: Rows | None = None
    """The deals one by one, where they are wanted."""


class Study(Protocol):
    """Deals to be played and counted."""

    @property
    def size(self) -> int:
        """Deals in a chunk."""

    def identity(self) -> dict[str, Any]:
        """What makes it this question and no other, as JSON has it."""

    def count(self, chunk: Chunk) -> Part:
        """Play these deals; called on many threads at once."""


class Growing(Protocol):
    """A file that takes the deals one by one."""

    @property
    def name(self) -> str:
        """Its path."""

    def append(self, chunk: Chunk, rows: Rows) -> None:
        """Add these deals, all of them or none."""

    def size(self) -> int:
        """How much there is, as `cut` takes it."""

    def cut(self, size: int) -> None:
        """Take back what is beyond this size."""


@dataclass(frozen=True, slots=True)
class How:
    """How a study is run; nothing of it changes what comes out."""

    workers: int | None = None
    progress: Progress | None = None
    checkpoint: Checkpoint | None = None
    cluster: str | None = None
    """The address of a Dask scheduler to run on instead of this machine."""

    @property
    def runner(self) -> Callable[[Callable[[Chunk], Part], Iterator[Chunk], int | None], Iterator[Part]]:
        """What counts chunks and hands their results on in order."""
        return in_order if self.cluster is None else partial(on_cluster, self.cluster)


ALL_THREADS = How()


@dataclass(slots=True)
class Ran:
    """What was counted, over how many deals."""

    sums: Sums
    deals: int
    is_interrupted: bool = False


def run_study(
    study: Study,
    deals: int,
    how: How,
    *,
    is_enough: Callable[[Sums, int], bool] | None = None,
    growing: Growing | None = None,
) -> Ran:
    """Play the deals 0 to `deals` - 1, or go on with them, until `is_enough`; Ctrl-C ends it early.

    Whether it is enough is asked after whole chunks only, so that a break does not move the question. Raises
    QuestionError where the checkpoint is of another question or holds more deals, RunError where a file cannot be
    written.
    """
    ran = _begun(study, deals, how.checkpoint, growing)

    def is_over() -> bool:
        return is_enough is not None and ran.deals % study.size == 0 and is_enough(ran.sums, ran.deals)

    if ran.deals and is_over():
        return ran
    cut, still_cut = (chunks(deals, study.size, ran.deals) for _ in range(2))
    try:
        for chunk, part in zip(cut, how.runner(study.count, still_cut, how.workers), strict=True):
            with uninterrupted():  # what is counted is in the file
                if growing is not None and part.rows is not None:
                    growing.append(chunk, part.rows)
                ran.sums = {name: part.sums[name] + ran.sums.get(name, 0) for name in part.sums}
                ran.deals = chunk.first + chunk.n
                if how.checkpoint is not None and how.checkpoint.is_due():
                    _save(study, how.checkpoint, ran, growing)
            if how.progress is not None:
                how.progress(ran.deals)
            if is_over():
                break
    except KeyboardInterrupt:
        ran.is_interrupted = True
    if how.checkpoint is not None and ran.deals:
        _save(study, how.checkpoint, ran, growing)
    return ran


def check_resumed(study: Study, deals: int, how: How) -> None:
    """Refuse a checkpoint that `run_study` would refuse, before other work is begun."""
    _saved(study, deals, how.checkpoint)


def _saved(study: Study, deals: int, checkpoint: Checkpoint | None) -> Saved | None:
    """What the checkpoint has of this study; raises QuestionError as `run_study` does."""
    saved = checkpoint.read(study.identity()) if checkpoint is not None else None
    if saved is not None and checkpoint is not None and saved.deals > deals:
        what = str(saved.identity[PART])
        raise QuestionError(
            f"--resume {checkpoint.path} holds {saved.deals:,} {what} and {deals:,} are asked for: expected as many"
            f" or more, as in {OPTIONS[what]} {saved.deals}; or begin anew with another --resume"
        )
    return saved


def _begun(study: Study, deals: int, checkpoint: Checkpoint | None, growing: Growing | None) -> Ran:
    """What was done before, of `deals` at most."""
    saved = _saved(study, deals, checkpoint)
    size = 0
    if saved is not None:
        assert checkpoint is not None
        size = checkpoint.grown(saved, growing.name if growing is not None else None)
    if growing is not None:
        growing.cut(size)
    if saved is None:
        return Ran({}, 0)
    return Ran({name: np.array(each, np.int64) for name, each in saved.sums.items()}, saved.deals)


def _save(study: Study, checkpoint: Checkpoint, ran: Ran, growing: Growing | None) -> None:
    grown = {growing.name: growing.size()} if growing is not None else {}
    checkpoint.write(study.identity(), ran.deals, ran.sums, grown)


# --- seats ---


def identity_of(command: str, part: str, rules: Rules, seed: int, strategies: Sequence[Strategy]) -> dict[str, Any]:
    """What every study is told apart by; `kernels` is the text of the rules of play."""
    return {
        "command": command,
        PART: part,
        "game": rules.game.name,
        "rules": rules.changed(),
        "seed": seed,
        "version": product_version(),
        "kernels": digest(),
        "strategies": [strategy.name for strategy in strategies],
        "numbers": [[float(strategy.is_random), *strategy.numbers.values()] for strategy in strategies],
    }


@dataclass(frozen=True, slots=True)
class Played:
    """What came of deals at one table."""

    counts: batches.Counts
    rows: Rows
    """None of them unless asked for."""


def size_of(usual: int, strategies: Sequence[Strategy]) -> int:
    """Deals, or games, in a chunk: as usual, or few where players in Python are asked."""
    return min(usual, FEW) if any(isinstance(strategy, Bot) for strategy in strategies) else usual


def no_counts(rules: Rules) -> batches.Counts:
    """Before the first deal."""
    return batches.Counts(
        calls=np.zeros((rules.n_seats, batches.N_HOWS + 1, batches.N_COUNTS), np.int64),
        totals=np.zeros(batches.N_TOTALS, np.int64),
        payoffs=np.zeros(len(payoffs_of(rules).each), np.int64),
    )


def play_deals(
    rules: Rules, seating: Sequence[Strategy], seed: int, chunk: Chunk | Rows, *, with_rows: bool = False
) -> Played:
    """Play a chunk of deals, or those of the numbers int64[n], with a strategy in every seat."""
    indices = np.arange(chunk.first, chunk.first + chunk.n) if isinstance(chunk, Chunk) else chunk
    counts = no_counts(rules)
    rows = np.zeros((len(indices) if with_rows else 0, batches.N_COLUMNS), np.int64)
    if any(isinstance(strategy, Bot) for strategy in seating):
        with BY_HAND:
            play_by_hand(rules, seating, seed, indices, counts, rows)
        return Played(counts, rows)
    seeded = doors.Seeded(empty_start(rules), pool_of(rules.pack.cards), seed)
    scratch = new_scratch(len(seeded.pool))
    kernel, seats, codes = kernel_rules(rules), kernel_players(seating, rules), payoffs_of(rules).codes
    door_of(rules).simulate(kernel, seats, seeded, indices, scratch, codes, counts, rows)
    return Played(counts, rows)
