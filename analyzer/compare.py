"""Turns strategies into who is better: every two of them on the same deals, each holding every hand of a deal.

Deals are added until all pairs are decided, by intervals that hold at any number of deals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from analyzer.batches import ALL_THREADS, How, Part, check_resumed, identity_of, play_deals, run_study, size_of
from analyzer.checkpoints import Sums
from analyzer.engine import Chunk, Stopwatch, product_version
from analyzer.estimates import SURE, any_time_z, fewest_for_a_verdict, mean_of, z_of
from analyzer.matches import GAMES, SHARE, play_games, shares_of
from analyzer.rules import Rules, Value
from analyzer.seatings import UNIT, gains_of, seatings_of, sides_of
from analyzer.strategy import Strategy

CHUNK = 1 << 15
Verdict = Literal["better", "worse", "equal", "undecided"]


@dataclass(frozen=True, slots=True)
class CompareRow:
    """One pair; the names and their order are a promise to other programs."""

    game: str
    strategy: str
    against: str
    deals: int
    points: float
    points_se: float
    points_low: float
    points_high: float
    verdict: Verdict
    win_rate: float | None
    win_rate_se: float | None


@dataclass(frozen=True, slots=True)
class CompareProvenance:
    """Where the numbers come from; every deal was played at `seatings` tables for each pair."""

    version: str
    seed: int
    deals: int
    seatings: int
    games: int
    strategies: list[str]
    margin: float
    sure: float
    interrupted: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `compare` found, the pairs in the order named."""

    game: str
    rules: dict[str, Value]
    rows: list[CompareRow]
    ranking: list[str]
    """Sentences: who is better than whom, and what is not shown."""
    provenance: CompareProvenance


@dataclass(frozen=True)
class CompareStudy:
    """Every pair of strategies on the same deals."""

    rules: Rules
    strategies: tuple[Strategy, ...]
    seed: int = 0

    @property
    def size(self) -> int:
        """Deals in a chunk."""
        return size_of(CHUNK, self.strategies)

    def identity(self) -> dict[str, Any]:
        """What makes it this question and no other."""
        return identity_of("compare", "deals", self.rules, self.seed, self.strategies)

    def count(self, chunk: Chunk) -> Part:
        """Sums of what the first of each pair gained, over all tables of a deal, and of its square."""
        gains = [self._gains(pair, chunk) for pair in combinations(self.strategies, 2)]
        sums, squares = (np.array([(each**power).sum() for each in gains]) for power in (1, 2))
        return Part({"gains": sums, "squares": squares})

    def _gains(self, pair: tuple[Strategy, ...], chunk: Chunk) -> NDArray[np.int64]:
        """int64[n]: of each deal, in halves of a point, added over the tables."""
        total = np.zeros(chunk.n, np.int64)
        for seating in seatings_of(self.rules):
            seated = [pair[who] for who in seating]
            total += gains_of(
                self.rules, seating, play_deals(self.rules, seated, self.seed, chunk, with_rows=True).rows
            )
        return total


@dataclass(frozen=True)
class CompareGames:
    """Every pair of strategies in whole games, dealt alike at every table."""

    rules: Rules
    strategies: tuple[Strategy, ...]
    seed: int = 0

    @property
    def size(self) -> int:
        """Games in a chunk."""
        return size_of(GAMES, self.strategies)

    def identity(self) -> dict[str, Any]:
        """What makes it this question and no other."""
        return identity_of("compare", "games", self.rules, self.seed, self.strategies)

    def count(self, chunk: Chunk) -> Part:
        """Sums of how much of each game the first of a pair won, over all tables, and of its square."""
        wins = [self._wins(pair, chunk) for pair in combinations(self.strategies, 2)]
        sums, squares = (np.array([(each**power).sum() for each in wins]) for power in (1, 2))
        return Part({"wins": sums, "squares": squares})

    def _wins(self, pair: tuple[Strategy, ...], chunk: Chunk) -> NDArray[np.int64]:
        """int64[n]: of each game, in SHARE parts, added over the tables."""
        total = np.zeros(chunk.n, np.int64)
        for seating in seatings_of(self.rules):
            seated = [pair[who] for who in seating]
            games = play_games(self.rules, seated, self.seed, chunk.first, chunk.n)
            own = [side for side, who in enumerate(sides_of(self.rules, seating)) if who == 0]
            total += shares_of(games.won, len(games.totals))[own].sum(axis=0)
        return total


def compare(
    rules: Rules,
    strategies: Sequence[Strategy],
    deals: int | None = None,
    *,
    max_deals: int,
    margin: float,
    games: int = 0,
    seed: int = 0,
    how: How = ALL_THREADS,
    how_games: How = ALL_THREADS,
) -> Comparison:
    """Compare every two strategies: on `deals` deals, or until each pair is decided or `max_deals` are played.

    Then in `games` whole games, which change no verdict. Ctrl-C ends it early with what was played; raises
    KeyboardInterrupt where that was nothing, and as `run_study` does.
    """
    watch = Stopwatch()
    study, study_games = CompareStudy(rules, tuple(strategies), seed), CompareGames(rules, tuple(strategies), seed)
    judge = partial(_judged, rules, strategies, margin=margin, is_any_time=deals is None)

    def is_enough(sums: Sums, n: int) -> bool:
        return all(row.verdict != "undecided" for row in judge(sums, n))

    if games:
        check_resumed(study_games, games, how_games)
    ran = run_study(study, deals or max_deals, how, is_enough=None if deals else is_enough)
    if not ran.deals:
        raise KeyboardInterrupt
    won = None
    if games and not ran.is_interrupted:
        won = run_study(study_games, games, how_games)
    wins = won.sums if won is not None and won.deals else None
    rows = judge(ran.sums, ran.deals, wins=wins, games=won.deals if won is not None else 0)
    return Comparison(
        game=rules.game.name,
        rules=rules.changed(),
        rows=rows,
        ranking=ranking_of([strategy.name for strategy in strategies], rows),
        provenance=CompareProvenance(
            version=product_version(),
            seed=seed,
            deals=ran.deals,
            seatings=len(seatings_of(rules)),
            games=won.deals if won is not None else 0,
            strategies=[strategy.name for strategy in strategies],
            margin=margin,
            sure=SURE,
            interrupted=ran.is_interrupted or (won is not None and won.is_interrupted),
            seconds=round(watch.seconds, 3),
        ),
    )


def _judged(
    rules: Rules,
    strategies: Sequence[Strategy],
    sums: Sums,
    n: int,
    *,
    margin: float,
    is_any_time: bool,
    wins: Sums | None = None,
    games: int = 0,
) -> list[CompareRow]:
    """The rows; their intervals hold for all pairs together."""
    tables = len(seatings_of(rules))
    pairs = list(combinations(strategies, 2))
    z = any_time_z(n, len(pairs)) if is_any_time else z_of(SURE, len(pairs))
    rows = []
    for place, (one, other) in enumerate(pairs):
        gain = mean_of(int(sums["gains"][place]), int(sums["squares"][place]), n, unit=UNIT * tables)
        rate = None
        if wins is not None:
            rate = mean_of(int(wins["wins"][place]), int(wins["squares"][place]), games, unit=SHARE * tables)
        low, high = gain.mean - z * gain.se, gain.mean + z * gain.se
        is_known = n >= fewest_for_a_verdict(is_any_time=is_any_time)
        rows.append(
            CompareRow(
                game=rules.game.name,
                strategy=one.name,
                against=other.name,
                deals=n,
                points=gain.mean,
                points_se=gain.se,
                points_low=low,
                points_high=high,
                verdict=verdict_of(low, high, margin) if is_known else "undecided",
                win_rate=rate.mean if rate else None,
                win_rate_se=rate.se if rate else None,
            )
        )
    return rows


def verdict_of(low: float, high: float, margin: float) -> Verdict:
    """What an interval of a difference shows: one is better, or neither by more than the margin."""
    if low > 0:
        return "better"
    if high < 0:
        return "worse"
    return "equal" if low >= -margin and high <= margin else "undecided"


def ranking_of(names: Sequence[str], rows: Sequence[CompareRow]) -> list[str]:
    """Who is better than whom, from the one that gains most, and which differences are not shown."""
    gained = dict.fromkeys(names, 0.0)
    for row in rows:
        gained[row.strategy] += row.points
        gained[row.against] -= row.points
    order = sorted(gained, key=lambda name: -gained[name])
    found = []
    for name in order:
        beaten = [row.against for row in rows if row.strategy == name and row.verdict == "better"]
        beaten += [row.strategy for row in rows if row.against == name and row.verdict == "worse"]
        if beaten:
            found.append(f"{name} is better than {_listed([each for each in order if each in beaten])}.")
    for kind, words in (
        ("equal", "are equal within the margin"),
        ("undecided", "are not told apart: more deals would"),
    ):
        found += [f"{row.strategy} and {row.against} {words}." for row in rows if row.verdict == kind]
    return found


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else names[0]
