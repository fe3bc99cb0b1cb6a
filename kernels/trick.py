"""Turns a hand and the cards on the table into what may be played and what would win, in trump order.

Follow the suit led if able, else play anything; the highest trump wins, or the highest card of the suit led; of two
identical cards the first.
"""

from kernels.compile import kernel
from kernels.order import above
from kernels.values import LANE


@kernel
def may_play(hand, led):
    """int64 mask of the cards of `hand` that may be played to a lane led (mask of the lane; 0: to lead)."""
    follow = hand & led
    return follow if follow else hand


@kernel
def beating(rules, best):
    """int64 mask of all places that would win over `best`, the winning card so far."""
    higher = above(rules, best)
    return higher | (0 if best & LANE else LANE)
