"""Turns a strategy and the score of the game into the strategy as it calls then: its thresholds shift at the brink."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from analyzer.rules import Rules
from analyzer.strategy import SITUATIONS, Strategy

Whole = NDArray[np.int64]
OWN_BRINK, OTHER_BRINK, BEHIND = (1 << place for place in range(len(SITUATIONS)))
"""Bits of a situation, in the order of SITUATIONS."""


def minds_score(strategy: Strategy) -> bool:
    """Whether it calls otherwise at any score."""
    return any(strategy.numbers.get(f"score.{name}.{what}") for name in SITUATIONS for what in ("call", "alone"))


def situations_of(strategy: Strategy, rules: Rules, own: Whole, others: Whole) -> Whole:
    """int64[n]: the situations of a side at these totals, int64[n] each; `others` is the highest of the others'.

    While both are home and one more deal is to decide, there is none.
    """
    brink, behind = (round(strategy.numbers.get(f"score.{name}", 0)) for name in ("brink", "behind"))
    target = rules.target
    found = np.where(own >= target - brink, OWN_BRINK, 0) | np.where(others >= target - brink, OTHER_BRINK, 0)
    if behind:
        found |= np.where(others - own >= behind, BEHIND, 0)
    return np.where((own < target) & (others < target), found, 0)


def in_situation(strategy: Strategy, situation: int) -> Strategy:
    """The strategy with its shifts for this situation."""
    numbers = dict(strategy.numbers)
    for place, name in enumerate(SITUATIONS):
        if situation >> place & 1:
            for what in ("call", "alone"):
                numbers[f"shift.{what}"] = numbers.get(f"shift.{what}", 0) + numbers.get(f"score.{name}.{what}", 0)
    return replace(strategy, numbers=MappingProxyType(numbers))


def at_score(players: tuple[Strategy, ...], rules: Rules, scores: tuple[int, ...] | None) -> tuple[Strategy, ...]:
    """The players, in seat order, as they call at this score, a total a side."""
    if scores is None or not any(map(minds_score, players)):
        return players
    totals = np.array(scores, np.int64)
    found = []
    for seat, player in enumerate(players):
        side = seat % len(rules.sides)
        own, others = totals[[side]], np.delete(totals, side).max(keepdims=True)
        found.append(in_situation(player, int(situations_of(player, rules, own, others)[0])))
    return tuple(found)
