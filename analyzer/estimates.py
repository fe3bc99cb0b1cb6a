"""Turns counts and sums into estimates with intervals, and estimates into a verdict; it knows no cards.

Sums are whole numbers and stay so until the last division, so equal counts give equal digits. Intervals of rates are
Wilson's (1927); differences are paired: every option was tried in the same worlds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
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
class Difference:
    """An option's mean minus the best option's, with the interval shared over all rivals."""

    mean: float
    se: float
    low: float
    high: float


def differences(
    sums: Sequence[int], products: Sequence[Sequence[int]], n: int, best: int, unit: int = 1
) -> list[Difference]:
    """Each option against option `best`, from sums and sums of products over the same `n` worlds."""
    z = z_of(SURE, len(sums) - 1)
    found = []
    for k, total in enumerate(sums):
        squares = products[k][k] + products[best][best] - 2 * products[max(k, best)][min(k, best)]
        mean = mean_of(total - sums[best], squares, n, unit)
        found.append(Difference(mean.mean, mean.se, mean.mean - z * mean.se, mean.mean + z * mean.se))
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
