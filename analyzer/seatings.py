"""Turns two strategies into the tables at which they meet, and deals played there into what one gains on the other."""

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from analyzer.rules import Rules
from kernels import batches

UNIT = 2
"""Gains at one table are counted in halves of a point."""


def seatings_of(rules: Rules) -> list[tuple[int, ...]]:
    """Who sits where at each table, 0 or 1 a seat, so that both hold every hand of a deal.

    Two players: both seats; three: each pair in its six mixed seatings; four: one on each side, and swapped.
    """
    if rules.n_seats == 4:
        return [(0, 1, 0, 1), (1, 0, 1, 0)]
    return [seats for seats in product((0, 1), repeat=rules.n_seats) if len(set(seats)) == 2]


def sides_of(rules: Rules, seating: Sequence[int]) -> list[int]:
    """Who has each side, in the order of scores."""
    return [seating[side[0] - 1] for side in rules.sides]


def gains_of(rules: Rules, seating: Sequence[int], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[n]: the mean points of the seats of strategy 0 minus those of strategy 1, of each deal, in halves.

    In four-player games side minus side.
    """
    sides = sides_of(rules, seating)
    weights = [UNIT // sides.count(who) * (1 - 2 * who) for who in sides]
    gains: NDArray[np.int64] = rows[:, batches.PAID : batches.PAID + len(sides)] @ np.array(weights, np.int64)
    return gains
