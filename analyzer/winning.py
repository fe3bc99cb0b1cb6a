"""Turns how often a deal pays what into the chance to win the game, from every score and for every side.

Between two deals a game stands at a score, which plays on; at a lead, where both sides of Bid Euchre are home and one
more deal decides; or it is over. The deal moves to the left after every deal, played or not, so a standing is told in
the seat order of the deal to come: what was the score of seat 2 is then that of seat 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from analyzer.border import Payoff, payoffs_of
from analyzer.errors import QuestionError
from analyzer.rules import Rules

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
CLOSE_ENOUGH = 1e-12
"""The share of games that may be unfinished when the chances are taken as found."""
ROUNDS = 200
MOST_LEAPS = 10
LONGEST = 0.99
"""The share of games that may be unfinished after ROUNDS for their winners to be told."""


@dataclass(frozen=True, slots=True)
class Standings:
    """Where a game may stand between two deals, numbered: scores, then leads, then the ends.

    A lead is that of the first side, from -most_lead to most_lead; an end is a mask of the sides that win.
    """

    rules: Rules
    lowest: int
    """No total is counted lower: in Bid Euchre minus the target, else 0."""
    most_lead: int
    """Bigger leads are as good as this one: no deal turns them. -1 where nobody plays on."""

    @property
    def n_sides(self) -> int:
        """How many can win."""
        return len(self.rules.sides)

    @property
    def span(self) -> int:
        """The totals that play on."""
        return self.rules.target - self.lowest

    @property
    def n_scores(self) -> int:
        """The scores that play on."""
        return int(self.span**self.n_sides)

    @property
    def n_open(self) -> int:
        """The standings that are no end."""
        return self.n_scores + (2 * self.most_lead + 1 if self.most_lead >= 0 else 0)

    def scores(self) -> Whole:
        """int64[n_sides, n_scores]: the totals of every score, in the order of their numbers."""
        return np.indices((self.span,) * self.n_sides).reshape(self.n_sides, -1) + self.lowest

    def ends(self) -> Floats:
        """float64[n_sides, 2 ** n_sides]: how much of the game each side wins at each end."""
        wins = np.array([[end >> side & 1 for end in range(1 << self.n_sides)] for side in range(self.n_sides)])
        shares: Floats = wins / np.maximum(1, wins.sum(axis=0))
        return shares

    def number_of(self, totals: Whole) -> Whole:
        """Number scores that play on, int64[n_sides, n]; what lies below the lowest total is taken for that."""
        number = np.zeros(totals.shape[1], np.int64)
        for each in np.maximum(totals, self.lowest):
            number = number * self.span + (each - self.lowest)
        return number

    def number_of_lead(self, lead: Whole) -> Whole:
        """Number leads of the first side."""
        return self.n_scores + np.clip(lead, -self.most_lead, self.most_lead) + self.most_lead

    def after(self, totals: Whole, payoff: Payoff, *, is_extra: bool) -> Whole:
        """Number the standings for the deal to come, from totals int64[n_sides, n] before a deal that paid this.

        `is_extra`: both sides were home, and the deal was to decide.
        """
        if is_extra and payoff.side is None:
            return self.number_of_lead(totals[1] - totals[0])
        totals = np.maximum(totals + np.array(payoff.points)[:, None], self.lowest)
        bidder = np.full(totals.shape[1], -1 if payoff.side is None else payoff.side)
        won = winners(self.rules, totals, bidder, np.full(totals.shape[1], is_extra))
        ended = self.n_open + self._moved(won)
        if is_extra:
            return np.where(won == 0, self.number_of_lead(np.zeros_like(totals[0])), ended)
        plays_on = self.number_of(np.minimum(np.roll(totals, -1, axis=0), self.rules.target - 1))
        if self.most_lead >= 0:
            is_lead = (totals >= self.rules.target).all(axis=0)
            plays_on = np.where(is_lead, self.number_of_lead(totals[1] - totals[0]), plays_on)
        return np.where(won == 0, plays_on, ended)

    def _moved(self, won: Whole) -> Whole:
        """Masks of sides in the seat order of the deal to come."""
        moved: Whole = won >> 1 | (won & 1) << self.n_sides - 1
        return moved


def winners(rules: Rules, totals: Whole, bidder: Whole, is_extra: NDArray[np.bool_]) -> Whole:
    """int64[n]: masks of the sides that have won at these totals, int64[n_sides, n], after a deal; 0: the game goes on.

    Sides are in the seat order of the deal, so the first one home is the eldest. bidder int64[n] is the maker's side,
    -1 where the deal was not played; is_extra bool[n] says that both sides were home before and it was to decide.
    """
    home = totals >= rules.target
    at_home = home.sum(axis=0)
    leading = np.left_shift(1, np.argmax(totals, axis=0))
    first = np.left_shift(1, np.argmax(home, axis=0))
    if not rules.game.is_bid:
        if rules.tie == "joint":
            return np.asarray(sum(home[side].astype(np.int64) << side for side in range(len(home))), np.int64)
        return np.where(at_home == 0, 0, first if rules.tie == "eldest" else leading)
    apart = np.where(totals[0] == totals[1], 0, leading)
    both = np.zeros_like(leading)
    if rules.tie == "bidder":
        both = np.left_shift(1, np.maximum(bidder, 0))
    elif rules.tie == "higher-total":
        both = apart
    decided = np.where(bidder < 0, 0, apart)
    return np.where(is_extra, decided, np.select([at_home == 0, at_home == 1], [0, first], both))


@lru_cache(maxsize=8)
def standings_of(rules: Rules) -> Standings:
    """Where a game under these rules may stand."""
    if not rules.game.is_bid:
        return Standings(rules, 0, -1)
    swing = max(abs(payoff.points[0] - payoff.points[1]) for payoff in payoffs_of(rules).each)
    return Standings(rules, -rules.target if rules.negative_scores else 0, swing + 1)


@dataclass(frozen=True, slots=True, eq=False)
class WinTable:
    """The chance to win the game from every standing, for each seating in turn as the deal goes round."""

    rules: Rules
    chances: Floats
    """float64[n_seatings, n_sides, n_standings]; sides in the seat order of the deal to come."""

    @property
    def n_seatings(self) -> int:
        """After so many deals the same strategies sit in the same seats."""
        return len(self.chances)

    def before(self, scores: Sequence[int], seating: int = 0) -> tuple[float, ...]:
        """Each side's chance before a deal at this score, which is in seat order; the last seat deals.

        The score is one that `checked_scores` lets pass.
        """
        standings = standings_of(self.rules)
        totals = np.array(scores, np.int64)[:, None]
        is_lead = min(scores) >= self.rules.target
        number = standings.number_of_lead(totals[0] - totals[1]) if is_lead else standings.number_of(totals)
        return tuple(self.chances[seating % self.n_seatings, :, number[0]].tolist())

    def after(self, scores: Sequence[int], seating: int = 0) -> Floats:
        """float64[n_payoffs, n_sides]: each side's chance, in the order of `scores`, after a deal that paid this."""
        standings = standings_of(self.rules)
        totals = np.array(scores, np.int64)[:, None]
        is_extra = min(scores) >= self.rules.target
        paid = payoffs_of(self.rules).each
        numbers = np.array([standings.after(totals, payoff, is_extra=is_extra)[0] for payoff in paid])
        later: Floats = np.roll(self.chances[(seating + 1) % self.n_seatings], 1, axis=0)
        return later[:, numbers].T

    def after_all(self, side: int, seating: int = 0) -> Floats:
        """float64[n_payoffs, n_scores]: a side's chance once a deal has paid this, from each of `scores_of`."""
        standings = standings_of(self.rules)
        later = self.chances[(seating + 1) % self.n_seatings, (side - 1) % standings.n_sides]
        rows = [standings.after(standings.scores(), paid, is_extra=False) for paid in payoffs_of(self.rules).each]
        found: Floats = later[np.array(rows)]
        return found


def scores_of(rules: Rules) -> list[tuple[int, ...]]:
    """Every score that plays on, in order; in Bid Euchre from minus the target on."""
    return [tuple(each) for each in standings_of(rules).scores().T.tolist()]


def solve(rules: Rules, frequencies: Floats) -> WinTable:
    """Return the chances to win where deals pay with these frequencies, float64[n_seatings, n_payoffs].

    Games begin at every standing and go on round by round. What is won by then only grows, and the share of games that
    are not over bounds what is still to come: so it ends when hardly a game is left, however often deals are thrown in
    or scores fall back. Where games are long, the share q left after ROUNDS bounds the rest just as well: of any
    guess that moves by at most d in so many rounds no chance is wrong by more than d / (1 - q). There each guess leaps
    ahead to where its slowest part is going.

    Raises QuestionError where games hardly ever end.
    """
    work = _Rounds(rules, frequencies)
    for _ in range(ROUNDS):
        work.play()
        left = work.left()
        if left <= CLOSE_ENOUGH:
            return WinTable(rules, work.chances)
    for _ in range(MOST_LEAPS if left <= LONGEST else 0):
        before = work.moved_in(ROUNDS)
        moved = work.moved_in(ROUNDS)
        if np.abs(moved).max() <= CLOSE_ENOUGH * (1 - left):
            return WinTable(rules, work.chances)
        slow = min(float((moved * before).sum() / (before * before).sum()), LONGEST)
        work.chances += moved * slow / (1 - slow)
    raise QuestionError("games between these players hardly ever end: who wins them cannot be told")


class _Rounds:
    """Chances to win that get better round by round.

    A round takes the standings from the most points down, so that whatever deals bring forward is done in one.
    """

    def __init__(self, rules: Rules, frequencies: Floats) -> None:
        """Begin where no game is over."""
        standings = standings_of(rules)
        self.n_open = standings.n_open
        self.chances: Floats = np.zeros((len(frequencies), standings.n_sides, self.n_open + (1 << standings.n_sides)))
        """As WinTable has them."""
        self.chances[:, :, self.n_open :] = standings.ends()
        following = _following(standings)
        points = np.full(self.n_open, standings.n_sides * rules.target)
        points[: standings.n_scores] = standings.scores().sum(axis=0)
        order = np.argsort(-points, kind="stable")
        self._layers = np.split(order, np.flatnonzero(np.diff(points[order])) + 1)
        paid = [np.flatnonzero(each) for each in frequencies]
        self._weights = [each[used] for each, used in zip(frequencies, paid, strict=True)]
        self._following = [[following[used][:, layer] for layer in self._layers] for used in paid]

    def play(self) -> None:
        """One deal more from every standing."""
        n = len(self.chances)
        for place, layer in enumerate(self._layers):
            for seating in reversed(range(n)):
                later = self.chances[(seating + 1) % n][:, self._following[seating][place]]
                # the side that is first in the next deal is second in this one
                self.chances[seating][:, layer] = np.roll(np.einsum("spn,p->sn", later, self._weights[seating]), 1, 0)

    def moved_in(self, rounds: int) -> Floats:
        """Play so many rounds, and return by how much each chance has changed."""
        before = self.chances.copy()
        for _ in range(rounds):
            self.play()
        return self.chances - before

    def left(self) -> float:
        """The share of games that are not over, from where that is most."""
        return float(1 - self.chances[:, :, : self.n_open].sum(axis=1).min())


def _following(standings: Standings) -> NDArray[np.int32]:
    """int32[n_payoffs, n_open]: the standing after each payoff, from each."""
    scores = standings.scores()
    leads = np.arange(-standings.most_lead, standings.most_lead + 1)
    target = standings.rules.target
    home = np.array([target + np.maximum(leads, 0), target + np.maximum(-leads, 0)])
    rows = []
    for payoff in payoffs_of(standings.rules).each:
        row = [standings.after(scores, payoff, is_extra=False)]
        if standings.most_lead >= 0:
            row.append(standings.after(home, payoff, is_extra=True))
        rows.append(np.concatenate(row))
    return np.array(rows, np.int32)
