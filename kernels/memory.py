"""What the solver remembers: endings with two cards each by their shape, longer positions by a hash.

Hands are in trump order, counted from the leader's.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.bits import low_bit, popcount
from kernels.compile import kernel
from kernels.dice import draw, word_at
from kernels.order import lowest
from kernels.values import FOUR, LANE, THREE

TWO_LANES = 0xFFFF_FFFF
THREE_LANES = 0xFFFF_FFFF_FFFF
N_LENGTHS_EIGHT, N_LENGTHS_SIX, N_LENGTHS_FOUR = 165, 84, 35  # ways to share eight, six, four cards among four suits
N_FOUR = N_LENGTHS_EIGHT * 28 * 15 * 6  # ... and, two cards to each player, among four, three, two of them
N_THREE = N_LENGTHS_SIX * 15 * 6
N_TWO = N_LENGTHS_FOUR * 6
THREE_HANDS = N_FOUR
TWO_HANDS = THREE_HANDS + 3 * N_THREE
N_ENDS = TWO_HANDS + N_TWO
END = 2
"""Cards in each hand of an ending that is looked up."""
SEEN_FROM = 4
"""Cards in each hand from which on positions are remembered, if there is room for it."""
SEEN_WORDS = 6


class Memory(NamedTuple):
    """What is known of positions met before, in this call or another; one for each thread, all zeros at first."""

    ends: NDArray[np.uint8]  # (N_ENDS,) endings with END cards each, by `end_place`
    seen: NDArray[np.int64]  # (n * SEEN_WORDS,) longer ones: four sunk hands, side, 256 * low + high; n may be 0


@kernel
def pair_of(pair, cards):
    """The number, from 0, of a pair among all pairs of `cards`."""
    low = lowest(pair)
    first = popcount(cards & (low - 1))
    second = popcount(cards & ((pair ^ low) - 1))
    return (second * (second - 1) >> 1) + first


@kernel
def end_place(hands, goal):
    """The place in Memory.ends of an ending with two cards each.

    It says the lengths of the suits and who holds the first, second ... card of each: all that matters of an ending.
    """
    a, b, c, d = hands
    cards = a | b | c | d
    p = popcount(cards & LANE)
    q = popcount(cards & TWO_LANES) + 1
    r = popcount(cards & THREE_LANES) + 2
    lengths = (r * (r - 1) * (r - 2) * 43691 >> 18) + (q * (q - 1) >> 1) + p  # * 43691 >> 18 divides so little by 6
    if goal.n_players == FOUR:
        return ((lengths * 28 + pair_of(a, cards)) * 15 + pair_of(b, cards ^ a)) * 6 + pair_of(c, c | d)
    if goal.n_players == THREE:
        place = (lengths * 15 + pair_of(a, cards)) * 6 + pair_of(b, cards ^ a)
        side = goal.side if goal.side & 1 else 7 ^ goal.side
        return THREE_HANDS + (side >> 1) * N_THREE + place
    return TWO_HANDS + lengths * 6 + pair_of(a, cards)


@kernel
def is_in_ends(rules, hands, goal):
    """Whether `end_place` says all of an ending: partners sit across, and no two twins are still out.

    Twins in two hands have no order before they are played. In one hand they are as good as two neighbours, but such
    endings are too few to be worth telling apart.
    """
    cards = hands[0] | hands[1] | hands[2] | hands[3]
    if cards & cards >> 1 & rules.lower_twins:
        return False
    return goal.n_players < FOUR or goal.side == 0b0101 or goal.side == 0b1010


@kernel
def sunk(rules, hands):
    """The hands with the places between cards closed up: all that matters of a position that is looked up in `seen`.

    Whether one card beats another depends on nothing but their order within a suit, so to close the places that no hand
    holds changes no trick. Twins have no order: the first player who holds one gets the lower place.
    """
    a, b, c, d = hands
    out_a = out_b = out_c = out_d = 0
    cards = a | b | c | d
    width = 1 + rules.twins
    ones = 1 | rules.twins << 1
    place = lane = 0
    while cards:
        at = low_bit(cards) & ~rules.twins
        if at >> 4 != lane:
            lane = at >> 4
            place = lane << 4
        cards &= ~(ones << at)
        k = popcount(a >> at & ones)
        out_a |= ((1 << k) - 1) << place
        n = k
        k = popcount(b >> at & ones)
        out_b |= ((1 << k) - 1) << (place + n)
        n += k
        k = popcount(c >> at & ones)
        out_c |= ((1 << k) - 1) << (place + n)
        n += k
        k = popcount(d >> at & ones)
        out_d |= ((1 << k) - 1) << (place + n)
        place += width
    return out_a, out_b, out_c, out_d


@kernel
def seen_place(seen, hands, goal):
    """The place in Memory.seen of a longer position."""
    word = word_at(word_at(word_at(word_at(goal.side, hands[0]), hands[1]), hands[2]), hands[3])
    return draw(word, len(seen) // SEEN_WORDS)[0] * SEEN_WORDS


@kernel
def seen_bounds(seen, place, hands, goal):
    """256 * (what the side takes at least) + (at most) as far as is known."""
    if (
        seen[place] == hands[0]
        and seen[place + 1] == hands[1]
        and seen[place + 2] == hands[2]
        and seen[place + 3] == hands[3]
        and seen[place + 4] == goal.side
    ):
        return seen[place + 5]
    return goal.left


@kernel
def remember(seen, place, hands, goal, bounds):
    """Write a position over what stood in its place."""
    seen[place] = hands[0]
    seen[place + 1] = hands[1]
    seen[place + 2] = hands[2]
    seen[place + 3] = hands[3]
    seen[place + 4] = goal.side
    seen[place + 5] = bounds
