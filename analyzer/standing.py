"""Turns sums over the worlds tried so far into how the options stand, and that into whether more are to be tried."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analyzer.estimates import (
    FEWEST_ANY_TIME,
    Difference,
    Estimate,
    Kind,
    differences,
    fewest_for_a_verdict,
    kind_of,
    mean_of_payoffs,
)
from analyzer.rules import Rules
from analyzer.trials import BASE, Budget, Play, Trials
from analyzer.verdicts import Aim

DEALS_OPEN_48 = 200
"""So many worlds are tried where hands of twelve are solved, which takes seconds a world."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What a deal is worth to the asker, by what it pays: in points, or in chances to win the game."""

    aim: Aim
    place: int
    """Of its row in the question."""
    worths: Sequence[float]
    counted: NDArray[np.int64]
    """The same as kernels count them, in whole numbers."""
    unit: float
    """How many of these make one."""

    def means(self, trials: Trials) -> list[Estimate]:
        """What each option is worth."""
        sums = trials.sums(self.place)
        rough = [sums.mean(k, self.unit) for k in range(len(sums.worths))]
        if self.aim == "points":
            return rough
        means = [mean_of_payoffs(trials.payoffs(k), self.worths) for k in range(len(rough))]
        return (
            [Estimate(mean.mean, of.se) for mean, of in zip(means, rough, strict=True)] if trials.is_counted else means
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """How the options of a question stand, by their places."""

    kind: Kind
    best: int
    equal: list[int]
    """The options that the verdict calls equal, the best among them."""
    apart: list[Difference]
    """Each option against the best."""


def standing(trials: Trials, scale: Scale, margin: float, *, is_any_time: bool) -> Standing:
    """How the options stand after these worlds; `is_any_time` where their number was not fixed beforehand."""
    sums = trials.sums(scale.place)
    means = [mean.mean for mean in scale.means(trials)]
    best = means.index(max(means))
    exact = means if scale.aim == "win" else None
    apart = differences(sums, best, unit=scale.unit, is_any_time=is_any_time, means=exact)
    kind, equal = kind_of(apart, best, margin)
    if sums.effective < fewest_for_a_verdict(is_any_time=is_any_time) and not sums.n_all and kind != "only":
        kind, equal = "undecided", []
    return Standing(kind, best, equal, apart)


# --- how many worlds ---


def default_deals(rules: Rules, play: Play = BASE) -> int:
    """The most worlds that a question is tried in until its verdict falls; fewer where each card is tried."""
    if not rules.game.is_bid:
        most = 1_000_000
    elif rules.deck == 24:
        most = 250_000
    else:
        most = 50_000
    if play.is_open:
        return DEALS_OPEN_48 if rules.deck == 48 else most // 4
    return max(2 * FEWEST_ANY_TIME, most // 8 // play.n_tried) if play.n_tried else most


def fewest_deals(rules: Rules, play: Play = BASE) -> int:
    """The worlds that are tried however clear the matter is: they cost next to nothing and make the shares readable."""
    if play.n_tried or rules.deck == 48:
        return FEWEST_ANY_TIME
    return 4_000 if rules.game.is_bid else 20_000


def default_margin(rules: Rules, decide_by: Aim = "points") -> float:
    """How many points, or chances to win, count as equal."""
    if decide_by == "win":
        return 0.0025
    if not rules.game.is_bid:
        return 0.02
    return 0.2 if rules.deck == 48 else 0.1


def until_decided(rules: Rules, scale: Scale, margin: float, max_deals: int | None = None, play: Play = BASE) -> Budget:
    """Worlds are tried until one option is better, or the best are equal within the margin, or there are enough."""

    def is_decided(trials: Trials) -> bool:
        if trials.effective < fewest_deals(rules, play):
            return False
        return standing(trials, scale, margin, is_any_time=True).kind != "undecided"

    return Budget(max_deals or default_deals(rules, play), is_decided)
