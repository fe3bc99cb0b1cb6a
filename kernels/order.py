"""Turns printed order into trump order and back: masks by suits become masks by trump, next and green.

Lane s goes to lane s ^ trump, which is its own inverse and brings trump to 0 and next to 3; then the jacks of lanes 0
and 3 rise to the top of lane 0. The joker stays where it is.
"""

from kernels.bits import leading_zeros, low_bit
from kernels.compile import kernel
from kernels.values import EVERY_LANE, JOKER, LANE

ODD_LANES = 0x7FFF_0000_FFFF_0000
EVEN_LANES = 0x0000_FFFF_0000_FFFF
LOW_HALF = 0xFFFF_FFFF
SIDE_TOPS = 0x4000_4000_4000_0000  # higher than any card of a side suit
SIDE_FULL = 0x3FFF_3FFF_3FFF_0000
LOW_15 = 0x7FFF_7FFF_7FFF_7FFF  # the places that a shift to the right by one within the lanes may reach
LOW_14 = 0x3FFF_3FFF_3FFF_3FFF
LOW_12 = 0x0FFF_0FFF_0FFF_0FFF
LOW_8 = 0x00FF_00FF_00FF_00FF


@kernel
def swap_lanes(mask, trump):
    """int64 mask with the lane of suit s moved to lane s ^ trump; no bowers on top, no joker."""
    if trump & 1:
        mask = (mask & ODD_LANES) >> 16 | (mask & EVEN_LANES) << 16
    if trump & 2:
        mask = mask >> 32 | (mask & LOW_HALF) << 32
    return mask


@kernel
def trump_order(rules, mask, trump):
    """int64 mask in printed order -> the same cards in trump order."""
    joker = mask & (rules.joker * JOKER)
    mask = swap_lanes(mask ^ joker, trump)
    right = mask & rules.jacks
    left = mask & (rules.jacks << 48)
    return (mask ^ right ^ left) | right << rules.right_shift | left >> (48 - rules.left_shift) | joker


@kernel
def printed_order(rules, mask, trump):
    """int64 mask in trump order -> the same cards in printed order."""
    joker = mask & (rules.joker * JOKER)
    right = mask & (rules.jacks << rules.right_shift)
    left = mask & (rules.jacks << rules.left_shift)
    mask = (mask ^ joker ^ right ^ left) | right >> rules.right_shift | left << (48 - rules.left_shift)
    return swap_lanes(mask, trump) | joker


@kernel
def lane_mask(lane):
    """int64 mask of lane 0 to 3."""
    return (LANE << (16 * lane)) & EVERY_LANE


@kernel
def lane_of(card):
    """int64 mask of the whole lane in which one card lies."""
    return (LANE << (low_bit(card) & 48)) & EVERY_LANE


@kernel
def lowest(cards):
    """The lowest bit of an int64 mask (of a single lane: its lowest card)."""
    return cards & -cards


@kernel
def highest(cards):
    """The highest bit of an int64 mask that is not 0 (of a single lane: its highest card)."""
    return 1 << (63 - leading_zeros(cards))


@kernel
def above(rules, card):
    """int64 mask of the places in the card's lane that are higher than it; its twin is not."""
    top = card + (card & rules.lower_twins)
    return lane_of(card) & -(top << 1)
