"""Turns counts and sums into estimates with intervals, and estimates into a verdict; it knows no cards.

Sums are whole numbers and stay so until the last division, so equal counts give equal digits. Intervals of rates are
Wilson's (1927); differences are paired: every option was tried in the same worlds. Where deals are added until the
verdict falls, intervals hold at every number of deals at once: Robbins' normal mixture (1970), with the variance as
estimated (Waudby-Smith and others, 2021).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist
from typing import Literal

SURE = 0.95
Kind = Literal["better", "equal", "undecided", "only"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error."""

    mean: float
    se: float


@dataclass(frozen=True, slots=True)
class Interval:
    """From low to high."""

    low: float
    high: float


def mean_of_payoffs(payoffs: Sequence[tuple[int, int]], worths: Sequence[float]) -> Estimate:
    """The mean worth of worlds, from sums of weights and squared weights of each payoff, and what that is worth."""
    weight = sum(w for w, _ in payoffs)
    mean = sum(w * worth for (w, _), worth in zip(payoffs, worths, strict=True)) / weight
    spread = sum(square * (worth - mean) ** 2 for (_, square), worth in zip(payoffs, worths, strict=True))
    return Estimate(mean, sqrt(spread) / weight)


def mean_of(total: int, squares: int, n: int, unit: int = 1) -> Estimate:
    """The mean of `n` whole numbers from their sum and sum of squares, in units of 1 / unit; n is not 0."""
    spread = n * squares - total * total
    return Estimate(total / n / unit, sqrt(spread / n) / n / unit)


def rate_of(count: int, n: int) -> Estimate:
    """A share and its standard error; n is not 0."""
    return mean_of(count, count, n)


def z_of(sure: float, n_rivals: int = 1) -> float:
    """Standard errors to either side that hold with probability `sure` for all of `n_rivals` intervals together."""
    return NormalDist().inv_cdf(1 - (1 - sure) / (2 * max(1, n_rivals)))


def wilson(share: float, n: float, sure: float = SURE) -> Interval:
    """Wilson's interval of a share seen in `n` trials (the effective number where worlds are weighted)."""
    z = z_of(sure)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Interval(0.0 if share <= 0 else middle - half, 1.0 if share >= 1 else middle + half)


@dataclass(frozen=True, slots=True)
class Sums:
    """Whole-number sums over weighted worlds: of what each option was worth, x, and of the weights w."""

    worths: Sequence[int]
    """Of w x, an option each."""
    leverage: Sequence[int]
    """Of w w x."""
    products: Sequence[Sequence[int]]
    """Of w w x y for options x and y; only places [k][j] with j <= k are read."""
    weight: int
    """Of w."""
    squares: int
    """Of w w."""
    n_all: int = 0
    """How many worlds these are if they are all there are: then nothing has an error. Else 0."""

    @property
    def effective(self) -> float:
        """How many worlds of equal weight would tell as much."""
        if self.n_all:
            return self.n_all
        return self.weight**2 / self.squares if self.squares else 0.0

    def mean(self, k: int, unit: float = 1) -> Estimate:
        """What option `k` is worth on the mean, in units of 1 / unit."""
        return self._mean(self.worths[k], self.leverage[k], self.products[k][k], unit)

    def gap(self, k: int, other: int, unit: float = 1) -> Estimate:
        """The mean of option `k` minus that of the other, paired world by world."""
        both = self.products[max(k, other)][min(k, other)]
        squares = self.products[k][k] + self.products[other][other] - 2 * both
        leverage = self.leverage[k] - self.leverage[other]
        return self._mean(self.worths[k] - self.worths[other], leverage, squares, unit)

    def _mean(self, total: int, leverage: int, squares: int, unit: float) -> Estimate:
        """sum(w x) / sum(w), and the root of sum(w w (x - mean)^2) over sum(w)."""
        w = self.weight
        if self.n_all:
            return Estimate(total / w / unit, 0.0)
        spread = w * w * squares - 2 * w * total * leverage + total * total * self.squares
        return Estimate(total / w / unit, sqrt(spread) / (w * w) / unit)


@dataclass(frozen=True, slots=True)
class Difference:
    """An option's mean minus the best option's, with the interval shared over all rivals."""

    mean: float
    se: float
    low: float
    high: float


TUNED_FOR = 20_000
"""The number of worlds at which intervals that hold at any time are as narrow as they can be."""
FEWEST_ANY_TIME = 512
"""Effective worlds before which intervals that hold at any time say nothing: the variance is not yet known."""


FEWEST_FOR_A_VERDICT = 100
"""The same where the number of worlds was told beforehand."""


def fewest_for_a_verdict(*, is_any_time: bool) -> int:
    """So few effective worlds may look alike by chance, and their errors then look like none."""
    return FEWEST_ANY_TIME if is_any_time else FEWEST_FOR_A_VERDICT


def any_time_z(n: float, n_rivals: int = 1, sure: float = SURE) -> float:
    """Standard errors to either side that hold at every `n` (effective worlds) at once, for all rivals together."""
    miss = (1 - sure) / max(1, n_rivals)
    tuned = (1 - 2 * log(miss) + log(1 - 2 * log(miss))) / TUNED_FOR * n
    return sqrt((1 + 1 / tuned) * (log(1 + tuned) - 2 * log(miss)))


def differences(
    sums: Sums, best: int, *, unit: float = 1, is_any_time: bool = False, means: Sequence[float] | None = None
) -> list[Difference]:
    """Each option against option `best`; `means` where they are known better than from sums of rounded worths."""
    n_rivals = len(sums.worths) - 1
    z = any_time_z(sums.effective, n_rivals) if is_any_time else z_of(SURE, n_rivals)
    found = []
    for k in range(len(sums.worths)):
        gap = sums.gap(k, best, unit)
        mean = gap.mean if means is None else means[k] - means[best]
        found.append(Difference(mean, gap.se, mean - z * gap.se, mean + z * gap.se))
    return found


def kind_of(found: Sequence[Difference], best: int, margin: float) -> tuple[Kind, list[int]]:
    """The verdict on the differences to option `best`, and the options that it calls equal to each other."""
    rivals = [k for k in range(len(found)) if k != best]
    if not rivals:
        return "only", []
    open_rivals = [k for k in rivals if found[k].high >= 0]
    if not open_rivals:
        return "better", []
    if all(found[k].low >= -margin for k in open_rivals):
        return "equal", [best, *open_rivals]
    return "undecided", []
