"""Turns a hand with too many cards into the cards to keep: discards, the five of ten, ask's cards.

Cards leave one at a time, each time the lowest card of the side suit that costs the strategy least worth. Hands in
trump order.
"""

from kernels.bits import low_bit, popcount
from kernels.compile import kernel
from kernels.order import highest, lowest
from kernels.values import LANE, NEXT_LANE
from kernels.vector import GREEN_AT, NEXT_AT, SHAPE_AT
from kernels.worth import n_void

NO_CARD = 0
NEVER = 1 << 40


@kernel
def discard(rules, players, who, hand, barred):
    """The card to lay down: one bit of int64 `hand`, not of `barred`; of equals the lowest rank, then the first suit.

    The lowest card of a side suit goes, the one whose loss costs least; a trump only from a hand of trumps.
    """
    trumps = min(popcount(hand & LANE), 15)
    voids = n_void(hand)
    shape = players[who + SHAPE_AT + trumps * 4 + voids]
    void_gain = players[who + SHAPE_AT + trumps * 4 + min(voids + 1, 3)] - shape
    chosen = NO_CARD
    best = NEVER
    for lane in range(1, 4):
        table = who + (NEXT_AT if lane == NEXT_LANE else GREEN_AT)
        cards = hand >> (16 * lane) & LANE
        card = lowest(cards & ~(barred >> (16 * lane)))
        rest = cards ^ card
        loss = players[table + cards] - players[table + rest] - (0 if rest else void_gain)
        value = loss << 8 | low_bit(card) >> rules.twins if card else NEVER
        chosen = card << (16 * lane) if value < best else chosen
        best = min(value, best)
    return chosen if chosen else lowest(hand & ~barred)


@kernel
def keep_five(rules, players, who, cards, n, barred):
    """int64 mask of the `n` cards to keep of `cards` (the maker's own and the dummy), those of `barred` among them."""
    left = popcount(cards)
    while left > n:
        cards ^= discard(rules, players, who, cards, barred)
        left -= 1
    return cards


@kernel
def highest_side_card(rules, hand):
    """The side card of the highest rank, the first suit among equals; NO_CARD where there is none."""
    chosen = NO_CARD
    best = -1
    for lane in range(1, 4):
        cards = (hand >> (16 * lane)) & LANE
        if cards:
            card = highest(cards)
            rank = low_bit(card) >> rules.twins
            if rank > best:
                best = rank
                chosen = card << (16 * lane)
    return chosen


@kernel
def returned_card(rules, hand):
    """The card a partner gives back: his highest trump, else his highest side card."""
    trumps = hand & LANE
    return highest(trumps) if trumps else highest_side_card(rules, hand)
