"""Turns players and a number of games into who won them: whole games to the target, the deal going round.

Games are played side by side, deal after deal: of all that go on, those with the same dealer are one chunk for the
kernels. Game g begins with the deal of number g * MOST_DEALS, and its next deals follow it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.batches import ALL_THREADS, How, Part, identity_of, play_deals, run_study, size_of
from analyzer.engine import Chunk, Stopwatch, product_version
from analyzer.estimates import mean_of
from analyzer.rules import Rules, Value
from analyzer.situations import in_situation, minds_score, situations_of
from analyzer.strategy import Strategy
from analyzer.winning import winners
from kernels import batches

Whole = NDArray[np.int64]
GAMES = 1 << 12
"""Games in a chunk."""
MOST_DEALS = 1 << 12
"""A game that is not over by then is nobody's."""
SHARE = 6
"""A game counts so much; where two or three win it together, each gets a part."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One player; the names and their order are a promise to other programs."""

    game: str
    players: str
    strategy: str
    player: int
    games: int
    wins: float
    win_rate: float
    win_rate_se: float
    deals_per_game: float


@dataclass(frozen=True, slots=True)
class MatchProvenance:
    """Where the numbers come from."""

    version: str
    seed: int
    games: int
    deals: int
    players: list[str]
    interrupted: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Matches:
    """What came of the games; `games` in the provenance is fewer than asked where it was interrupted."""

    game: str
    rules: dict[str, Value]
    rows: list[MatchRow]
    final_scores: list[dict[str, Any]]
    """For each side, whose players it names: how many games it ended with each score."""
    unfinished: int
    """Games of MOST_DEALS deals and no winner."""
    provenance: MatchProvenance


@dataclass(frozen=True, slots=True)
class Games:
    """Games played to their end; sides are those of the players, in the order of scores."""

    won: Whole
    """int64[n]: masks of the sides that won; 0 where none did in MOST_DEALS deals."""
    totals: Whole
    """int64[n_sides, n]"""
    deals: Whole
    """int64[n]"""


def play_games(rules: Rules, players: Sequence[Strategy], seed: int, first: int, n: int) -> Games:
    """Play games first to first + n - 1 between these players; player n - (g mod n) deals first in game g."""
    n_sides, n_players = len(rules.sides), rules.n_seats
    totals = np.zeros((n_sides, n), np.int64)
    won, deals = np.zeros(n, np.int64), np.zeros(n, np.int64)
    numbers = np.arange(first, first + n)
    is_extra = np.zeros(n, np.bool_)
    still = np.arange(n)
    for k in range(MOST_DEALS):
        dealers = (n_players - 1 - numbers[still] % n_players + k) % n_players
        for dealer in range(n_players):
            those = still[dealers == dealer]
            if not len(those):
                continue
            eldest = (dealer + 1) % n_players
            order = [(eldest + side) % n_sides for side in range(n_sides)]
            for calling, alike in _as_they_call(rules, players, totals, those):
                seated = [calling[(eldest + seat) % n_players] for seat in range(n_players)]
                rows = play_deals(rules, seated, seed, numbers[alike] * MOST_DEALS + k, with_rows=True).rows
                now, masks = _settled(rules, totals[:, alike][order], rows, is_extra[alike])
                totals[np.ix_(np.array(order), alike)] = now
                won[alike] = sum((masks >> side & 1) << order[side] for side in range(n_sides))
        deals[still] += 1
        still = still[won[still] == 0]
        if rules.game.is_bid:  # what brought both home, or did not part them, is followed by one deal more
            is_extra[still] |= (totals[:, still] >= rules.target).all(axis=0)
        if not len(still):
            break
    return Games(won, totals, deals)


def _as_they_call(
    rules: Rules, players: Sequence[Strategy], totals: Whole, those: Whole
) -> Iterator[tuple[Sequence[Strategy], Whole]]:
    """The games `those` int64[n] by the scores at which players call alike, with the players as they call then."""
    if not any(map(minds_score, players)):
        yield players, those
        return
    now = totals[:, those]
    each = np.zeros((len(players), len(those)), np.int64)
    for player, strategy in enumerate(players):
        side = player % len(now)
        each[player] = situations_of(strategy, rules, now[side], np.delete(now, side, axis=0).max(axis=0))
    for situations in np.unique(each, axis=1).T:
        alike = those[(each == situations[:, None]).all(axis=0)]
        yield [in_situation(*both) for both in zip(players, situations.tolist(), strict=True)], alike


def _settled(rules: Rules, totals: Whole, rows: Whole, is_extra: NDArray[np.bool_]) -> tuple[Whole, Whole]:
    """The totals after a deal each, int64[n_sides, n] in its seat order, and masks of those that have won by it.

    is_extra bool[n]: both sides were home, and this deal is to decide.
    """
    n_sides = len(totals)
    now = totals + rows[:, batches.PAID : batches.PAID + n_sides].T
    if rules.has_floor:
        now = np.maximum(now, 0)
    makers = rows[:, batches.BY]
    bidder = np.where((makers < 0) | (rows[:, batches.IS_CLAIMED] > 0), -1, makers % n_sides)
    return now, winners(rules, now, bidder, is_extra)


@dataclass(frozen=True)
class MatchStudy:
    """Whole games between the same players."""

    rules: Rules
    players: tuple[Strategy, ...]
    seed: int = 0

    @property
    def size(self) -> int:
        """Games in a chunk."""
        return size_of(GAMES, self.players)

    def identity(self) -> dict[str, Any]:
        """What makes it this question and no other."""
        return identity_of("simulate", "games", self.rules, self.seed, self.players)

    def count(self, chunk: Chunk) -> Part:
        """Who won these games, in SHARE parts of a game, and with what scores."""
        games = play_games(self.rules, self.players, self.seed, chunk.first, chunk.n)
        lowest, n_scores = score_span(self.rules)
        wins = shares_of(games.won, len(games.totals))
        finals = [np.bincount(np.clip(each - lowest, 0, n_scores - 1), minlength=n_scores) for each in games.totals]
        return Part(
            {
                "wins": wins.sum(axis=1),
                "squares": (wins * wins).sum(axis=1),
                "finals": np.array(finals, np.int64),
                "games": np.array([chunk.n, games.deals.sum(), (games.won == 0).sum()], np.int64),
            }
        )


def shares_of(won: Whole, n_sides: int) -> Whole:
    """int64[n_sides, n]: how much of each game a side won, in SHARE parts."""
    each = np.array([won >> side & 1 for side in range(n_sides)])
    shares: Whole = each * SHARE // np.maximum(1, each.sum(axis=0))
    return shares


def score_span(rules: Rules) -> tuple[int, int]:
    """The lowest final score that is told apart, and how many are: from minus the target to twice it."""
    lowest = 0 if rules.has_floor else -rules.target
    return lowest, 2 * rules.target + 50 - lowest


def play_matches(
    rules: Rules, players: Sequence[Strategy], games: int, *, seed: int = 0, how: How = ALL_THREADS
) -> Matches:
    """Play whole games; Ctrl-C ends it early with those that were finished. Raises as `run_study` does."""
    watch = Stopwatch()
    ran = run_study(MatchStudy(rules, tuple(players), seed), games, how)
    if not ran.deals:
        raise KeyboardInterrupt
    n, deals, unfinished = (int(count) for count in ran.sums["games"])
    names = [strategy.name for strategy in players]
    n_sides = len(rules.sides)
    rows = []
    for player, name in enumerate(names):
        side = player % n_sides
        rate = mean_of(int(ran.sums["wins"][side]), int(ran.sums["squares"][side]), n, unit=SHARE)
        wins = int(ran.sums["wins"][side]) / SHARE
        row = MatchRow(rules.game.name, ",".join(names), name, player + 1, n, wins, rate.mean, rate.se, deals / n)
        rows.append(row)
    lowest, _ = score_span(rules)
    finals = [
        {
            "players": list(seats),
            "scores": [
                [lowest + place, count] for place, count in enumerate(ran.sums["finals"][side].tolist()) if count
            ],
        }
        for side, seats in enumerate(rules.sides)
    ]
    seconds = round(watch.seconds, 3)
    provenance = MatchProvenance(product_version(), seed, n, deals, names, ran.is_interrupted, seconds)
    return Matches(rules.game.name, rules.changed(), rows, finals, unfinished, provenance)
