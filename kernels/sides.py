"""Turns side cards into the one to part with first: bosses, ranks, singletons, in trump order."""

from kernels.bits import leading_zeros, low_bit, popcount
from kernels.compile import kernel
from kernels.order import LOW_8, LOW_12, LOW_14, LOW_15, SIDE_FULL, SIDE_TOPS, lane_mask, lane_of, lowest
from kernels.values import LANE

SIDE_ONES = 0x0001_0001_0001_0000
ONE_A_LANE = 0x0001_0001_0001_0001


@kernel
def beaten(rules, unseen):
    """int64 mask of all places that some card of `unseen` beats within its suit."""
    higher = (unseen | unseen >> 1) & rules.lower_twins if rules.twins else unseen
    lower = higher >> 1 & LOW_15
    lower |= lower >> 1 & LOW_15
    lower |= lower >> 2 & LOW_14
    lower |= lower >> 4 & LOW_12
    return lower | lower >> 8 & LOW_8 if rules.twins else lower


@kernel
def of_rank_at(rules, sides, place):
    """int64 mask of the side cards of the rank at bit `place` of a lane, one a suit: of two twins one."""
    same = sides & (ONE_A_LANE * (1 + 2 * rules.twins)) << (place & ~rules.twins)
    return same & ~((same & rules.lower_twins) << 1)


@kernel
def ranks_of(sides):
    """int64: the places of the lanes of all side cards, one upon the other."""
    return (sides >> 16 | sides >> 32 | sides >> 48) & LANE


@kernel
def of_highest_rank(rules, sides):
    """int64 mask of the cards of the highest rank among side cards, one a suit; `sides` is not 0."""
    return of_rank_at(rules, sides, 63 - leading_zeros(ranks_of(sides)))


@kernel
def of_lowest_rank(rules, sides):
    """int64 mask of the cards of the lowest rank among side cards, one a suit; `sides` is not 0."""
    return of_rank_at(rules, sides, low_bit(ranks_of(sides)))


@kernel
def singletons(cards, sides):
    """int64 mask of those of `cards` that are alone in their suit of `sides`."""
    several = sides & ((sides | SIDE_TOPS) - SIDE_ONES)
    tops = (several + SIDE_FULL) & SIDE_TOPS
    return cards & ~(tops - (tops >> 14))


@kernel
def singleton_first(cards, sides):
    """One of `cards`, a mask of at most one side card a suit: one that is alone in its suit of `sides`, if any."""
    alone = singletons(cards, sides)
    return lowest(alone if alone else cards)


@kernel
def beats_fewest(rules, sides, unseen):
    """Of side cards, which are not 0, that which beats fewest unseen ones of its suit; of equals the lowest rank."""
    least = 0
    fewest = LANE
    while sides:
        card = lowest(sides)
        sides ^= card
        place = low_bit(card) & ~rules.twins
        n = popcount(unseen & lane_of(card) & ((1 << place) - 1)) << 4 | (place & 15)
        if n < fewest:
            fewest = n
            least = card
    return least


@kernel
def suit_by_unseen(sides, unseen, most):
    """The cards of `sides`, which is not 0, in the suit with most unseen, or else fewest; of equals the first."""
    found = 0
    best = 0
    for lane in range(1, 4):
        cards = sides & lane_mask(lane)
        n = popcount(unseen & lane_mask(lane))
        if cards and (not found or (n > best if most else n < best)):
            best = n
            found = cards
    return found
