"""Turns players and a number of deals into the statistics of what every seat called and what came of it.

Every deal is played whole; the counts are those of `kernels.batches.count_deal`. `record_hands` writes the hands down.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.batches import ALL_THREADS, Growing, How, Part, identity_of, no_counts, play_deals, run_study, size_of
from analyzer.border import door_of, empty_start, kernel_players, kernel_rules, level_number, new_scratch, pool_of
from analyzer.engine import Chunk, Stopwatch, chunks, in_order, product_version
from analyzer.estimates import Estimate, mean_of, rate_of
from analyzer.record import HandRecord, make_record
from analyzer.rules import Rules, Value
from analyzer.strategy import Strategy
from kernels import batches, doors, values
from kernels.batches import Counts

CHUNK = 1 << 16
"""Deals handed to a thread at once: 50 ms of work, beside which handing over costs nothing."""
RECORDS_CHUNK = 1 << 10


@dataclass(frozen=True, slots=True)
class SimulateRow:
    """One seat and call; the names and their order are a promise to other programs. None: it never happened."""

    game: str
    players: str
    strategy: str
    seat: int
    call: str
    deals: int
    calls: int
    call_share: float
    made: float | None
    made_se: float | None
    march: float | None
    march_se: float | None
    euchred: float | None
    euchred_se: float | None
    points: float | None
    points_se: float | None
    tricks: float | None


@dataclass(frozen=True, slots=True)
class SimulateProvenance:
    """Where the numbers come from."""

    version: str
    seed: int
    deals: int
    players: list[str]
    interrupted: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Simulation:
    """What `simulate` found; `deals` in the provenance is fewer than asked where it was interrupted."""

    game: str
    rules: dict[str, Value]
    rows: list[SimulateRow]
    thrown_in: float
    claimed: float
    provenance: SimulateProvenance


@dataclass(frozen=True)
class SimulateStudy:
    """Deals with the same strategy in a seat every time, and whether they are wanted one by one."""

    rules: Rules
    players: tuple[Strategy, ...]
    seed: int = 0
    with_rows: bool = False

    @property
    def size(self) -> int:
        """Deals in a chunk."""
        return size_of(CHUNK, self.players)

    def identity(self) -> dict[str, Any]:
        """What makes it this question and no other."""
        return identity_of("simulate", "deals", self.rules, self.seed, self.players)

    def count(self, chunk: Chunk) -> Part:
        """The counts of these deals."""
        played = play_deals(self.rules, self.players, self.seed, chunk, with_rows=self.with_rows)
        return Part(played.counts._asdict(), played.rows if self.with_rows else None)


def simulate(
    rules: Rules,
    players: Sequence[Strategy],
    deals: int,
    *,
    seed: int = 0,
    how: How = ALL_THREADS,
    growing: Growing | None = None,
) -> Simulation:
    """The statistics of `deals` deals; Ctrl-C ends it early with those of the deals that were played.

    `growing` is handed every deal. Raises as `run_study` does.
    """
    watch = Stopwatch()
    study = SimulateStudy(rules, tuple(players), seed, growing is not None)
    ran = run_study(study, deals, how, growing=growing)
    counts = Counts(**ran.sums) if ran.sums else no_counts(rules)
    return _simulation(rules, players, counts, seed, ran.is_interrupted, watch.seconds)


def _simulation(
    rules: Rules, players: Sequence[Strategy], total: Counts, seed: int, is_interrupted: bool, seconds: float
) -> Simulation:
    """The rows and shares from the counts."""
    n = int(total.totals[batches.N_DEALS])
    names = [strategy.name for strategy in players]
    rows = [
        _row(rules, names, seat, call, total.calls[seat, place], n, is_all=place == batches.ALL)
        for seat in range(rules.n_seats)
        for call, place in call_kinds(rules)
    ]
    return Simulation(
        game=rules.game.name,
        rules=rules.changed(),
        rows=rows,
        thrown_in=int(total.totals[batches.THROWN_IN]) / max(1, n),
        claimed=int(total.totals[batches.WAS_CLAIMED]) / max(1, n),
        provenance=SimulateProvenance(product_version(), seed, n, names, is_interrupted, round(seconds, 3)),
    )


def call_kinds(rules: Rules) -> list[tuple[str, int]]:
    """The calls that get a row, with their places in the counts; `all` first."""
    kinds = [("all", batches.ALL)]
    if rules.game.is_bid:
        return kinds + [(str(level), level_number(rules, level)) for level in rules.levels]
    ways = [
        ("order", values.BY_ORDER),
        ("order alone", values.BY_ORDER_ALONE),
        ("name", values.BY_NAME),
        ("name alone", values.BY_NAME_ALONE),
    ]
    return kinds + [way for way in ways if rules.n_seats > 2 or "alone" not in way[0]]


def _row(
    rules: Rules, names: Sequence[str], seat: int, call: str, counts: NDArray[np.int64], n: int, *, is_all: bool
) -> SimulateRow:
    """One row; rates are of the calls, and in the row `all` points and tricks are of all deals."""
    calls, made, march, euchred, points, squares, tricks = (int(count) for count in counts)
    over = n if is_all else calls
    made_rate, march_rate, euchred_rate = (rate_of(count, calls) if calls else None for count in (made, march, euchred))
    mean = mean_of(points, squares, over, unit=2) if over else None
    return SimulateRow(
        game=rules.game.name,
        players=",".join(names),
        strategy=names[seat],
        seat=seat + 1,
        call=call,
        deals=n,
        calls=calls,
        call_share=calls / max(1, n),
        made=_mean(made_rate),
        made_se=_se(made_rate),
        march=_mean(march_rate),
        march_se=_se(march_rate),
        euchred=_mean(euchred_rate),
        euchred_se=_se(euchred_rate),
        points=_mean(mean),
        points_se=_se(mean),
        tricks=tricks / over if over else None,
    )


def _mean(estimate: Estimate | None) -> float | None:
    return estimate.mean if estimate else None


def _se(estimate: Estimate | None) -> float | None:
    return estimate.se if estimate else None


def record_hands(
    rules: Rules,
    players: Sequence[Strategy],
    deals: int,
    write: Callable[[list[HandRecord]], None],
    *,
    seed: int = 0,
    workers: int | None = None,
) -> int:
    """Play the same deals as `simulate` one event at a time and hand their records to `write`, in order.

    Returns how many were written; Ctrl-C ends it early.
    """
    written = 0
    try:
        for records in _recorded(rules, players, deals, seed, workers):
            write(records)
            written += len(records)
    except KeyboardInterrupt:
        pass
    return written


def _recorded(
    rules: Rules, players: Sequence[Strategy], deals: int, seed: int, workers: int | None
) -> Iterator[list[HandRecord]]:
    """Records of chunks of deals, in order."""
    door, kernel, seats = door_of(rules), kernel_rules(rules), kernel_players(players, rules)
    seeded = doors.Seeded(empty_start(rules), pool_of(rules.pack.cards), seed)
    names = [strategy.name for strategy in players]

    def play(chunk: Chunk) -> list[HandRecord]:
        dealt = np.zeros((chunk.n, values.TABLE_SIZE), np.int64)
        ended = np.zeros((chunk.n, values.TABLE_SIZE), np.int64)
        events = np.zeros((chunk.n, values.MAX_EVENTS, 3), np.int64)
        n_events = np.zeros(chunk.n, np.int64)
        door.record(kernel, seats, seeded, chunk.first, new_scratch(len(seeded.pool)), dealt, ended, events, n_events)
        return [
            make_record(
                rules,
                dealt[k],
                [(int(seat), int(verb), int(what)) for seat, verb, what in events[k, : n_events[k]]],
                seed=seed,
                deal=chunk.first + k,
                players=names,
                final=ended[k],
            )
            for k in range(chunk.n)
        ]

    return in_order(play, chunks(deals, RECORDS_CHUNK), workers)


def deal_hands(rules: Rules, deals: int, *, seed: int = 0, first: int = 0) -> Iterator[HandRecord]:
    """The deals first, first + 1, ... of a seed, before anybody has spoken."""
    kernel = kernel_rules(rules)
    seeded = doors.Seeded(empty_start(rules), pool_of(rules.pack.cards), seed)
    scratch = new_scratch(len(seeded.pool))
    for index in range(first, first + deals):
        doors.deal_table(kernel, seeded, index, scratch.unseen, scratch.table)
        yield make_record(rules, scratch.table, [], seed=seed, deal=index, final=scratch.table)
