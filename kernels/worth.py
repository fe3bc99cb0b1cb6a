"""Turns a strategy's numbers into tables, and a hand in trump order into its worth, in hundredths.

A hand is worth the sum of its four suits, each looked up whole: its trumps, its next suit, its two green suits; and
something for its shape: so many trumps with so many void side suits.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kernels.bits import popcount
from kernels.compile import kernel
from kernels.order import trump_order
from kernels.values import LANE, MAX_SEATS
from kernels.vector import (
    ACE_WORTH,
    BLOCK,
    GREEN_AT,
    KING_WORTH,
    LENGTH_WORTH,
    LONE_ACE_WORTH,
    N_NUMBERS,
    NEXT_AT,
    SHAPE_AT,
    TRUMP_WORTH,
    TRUMPS_AT,
    VOID_WORTH,
)

Numbers = NDArray[np.int64]
Table = NDArray[np.int64]


def _bits(size: int, bit: int) -> Table:
    """0 or 1 for every index below `size`: whether it has that bit."""
    return (np.arange(size) >> bit) & 1


def _count(size: int, bits: Iterable[int]) -> Table:
    """For every index below `size`, how many of these bits it has."""
    return np.sum([_bits(size, bit) for bit in bits], axis=0)


def trump_table(numbers: Numbers, twins: bool) -> Table:
    """int64[2**11] (double pack: [2**16]): the worth of every holding of trumps, by its mask."""
    # ten places in rising order: seven, eight, nine, ten, queen, king, ace, left, right, joker
    worths = [int(worth) for worth in numbers[TRUMP_WORTH : TRUMP_WORTH + 10]]
    if twins:
        places = [worths[place] for place in (2, 3, None, 4, 5, 6, 7, 8) if place is not None]
        by_bit = [worth for worth in (*places[:2], 0, *places[2:]) for _ in range(2)]
    else:
        by_bit = [*worths[:4], 0, *worths[4:]]
    size = 1 << len(by_bit)
    table = np.zeros(size, np.int64)
    count = np.zeros(size, np.int64)
    for bit, worth in enumerate(by_bit):
        table += worth * _bits(size, bit)
        count += _bits(size, bit)
    third, fourth, fifth, further = (int(worth) for worth in numbers[LENGTH_WORTH : LENGTH_WORTH + 4])
    table += third * (count >= 3) + fourth * (count >= 4) + fifth * (count >= 5) + further * np.maximum(0, count - 5)
    return table


def side_table(numbers: Numbers, twins: bool) -> Table:
    """int64[2**8] (double pack: [2**12]): the worth of every holding of a side suit, by its mask."""
    width = 2 if twins else 1
    size = 1 << (12 if twins else 8)
    ranks = 6 if twins else 8
    aces = _count(size, range((ranks - 1) * width, ranks * width))
    kings = _count(size, range((ranks - 2) * width, (ranks - 1) * width))
    count = _count(size, range(ranks * width))
    table = int(numbers[ACE_WORTH]) * aces + int(numbers[LONE_ACE_WORTH]) * ((aces == 1) & (count == 1))
    return table + int(numbers[KING_WORTH]) * ((kings > 0) & (count > 1))


def shape_table(numbers: Numbers) -> Table:
    """int64[16, 4]: the worth of so many trumps (15 and more alike) with so many void side suits."""
    table = np.zeros((16, 4), np.int64)
    voids = np.cumsum([0, *numbers[VOID_WORTH : VOID_WORTH + 3]])
    table[1:, :] = voids
    return table


def strategy_block(numbers: Numbers, twins: bool) -> NDArray[np.int64]:
    """int64[BLOCK]: a strategy's numbers (int64[N_NUMBERS], hundredths) and the tables made of them."""
    block = np.zeros(BLOCK, np.int64)
    block[:N_NUMBERS] = numbers
    for place, table in (
        (SHAPE_AT, shape_table(numbers).ravel()),
        (NEXT_AT, side_table(numbers, twins)),
        (GREEN_AT, side_table(numbers, twins)),
        (TRUMPS_AT, trump_table(numbers, twins)),
    ):
        block[place : place + len(table)] = table
    return block


def players_vector(seats: list[Numbers], twins: bool) -> NDArray[np.int64]:
    """int64[4 + S * BLOCK]: the strategies of the seats, equal ones once. `seats`: int64[N_NUMBERS] for each seat."""
    different = {numbers.tobytes(): numbers for numbers in seats}
    begins = {key: MAX_SEATS + BLOCK * k for k, key in enumerate(different)}
    where = [begins[numbers.tobytes()] for numbers in seats] + [0] * (MAX_SEATS - len(seats))
    blocks = [strategy_block(numbers, twins) for numbers in different.values()]
    return np.concatenate([np.array(where, np.int64), *blocks])


@kernel
def n_void(hand):
    """How many side suits a hand in trump order is void of."""
    green = 1 if hand >> 16 & LANE == 0 else 0
    other = 1 if hand >> 32 & LANE == 0 else 0
    return green + other + (1 if hand >> 48 == 0 else 0)


@kernel
def worth(players, who, hand):
    """int64 hundredths: what a hand in trump order is worth to strategy `who`."""
    trumps = hand & LANE
    green = (hand >> 16) & LANE
    other = (hand >> 32) & LANE
    following = (hand >> 48) & LANE
    return (
        players[who + TRUMPS_AT + trumps]
        + players[who + NEXT_AT + following]
        + players[who + GREEN_AT + green]
        + players[who + GREEN_AT + other]
        + players[who + SHAPE_AT + min(popcount(trumps), 15) * 4 + n_void(hand)]
    )


@kernel
def suit_worth(rules, players, who, hand, suit):
    """int64 hundredths: what a hand in printed order is worth if `suit` is trump."""
    return worth(players, who, trump_order(rules, hand, suit))
