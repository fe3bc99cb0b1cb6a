"""What the solver need not try, and which tricks are sure: each with the argument why nothing is lost.

Hands are in trump order, counted from the leader's.
"""

from kernels.bits import popcount
from kernels.compile import kernel
from kernels.order import highest
from kernels.values import LANE

NOT_LOWEST = 0x7FFE_FFFE_FFFE_FFFE
MAY_BE_FREE = 0x3FFF_3FFF_3FFF_7FFF  # no pack has the top bits: to add within a lane never reaches the next one


@kernel
def once_each(rules, cards, hand, others):
    """int64 mask: of each run of equals among `cards` (some whole lanes of `hand`) the lowest.

    `others` are the cards that others still hold and the best card of the trick. Two cards of a hand with none of
    these between them beat, and are beaten by, exactly the same cards now and in every later trick, so to play one or
    the other is the same game with two names exchanged. A card whose twin is among the others is a run of its own: who
    plays first then matters.
    """
    twins = others | (others & rules.lower_twins) << 1 | (others >> 1) & rules.lower_twins
    shared = hand & twins
    own = hand ^ shared
    free = MAY_BE_FREE & ~(own | twins)
    runs = own | free
    starts = runs & ~(runs << 1 & NOT_LOWEST)
    # Adding the start of a run carries over the free places below its first card and stops at that card.
    return cards & ((free + (starts & free)) & own | starts & own | shared)


@kernel
def has_sure(rules, trumps, against, n):
    """Whether one player's `trumps` take at least `n` tricks against the foes' trumps, whatever anybody plays.

    A trick to which he plays a trump is lost to his side only if a foe plays a trump to it that is higher (or its
    twin, which may come first). Take his k best trumps: the foes have m trumps as high as the least of these, and each
    of them can beat at most one of the k, for it is played to one trick. So k - m tricks at least are his side's, for
    every k, however badly they are played. He will have played all his cards in the end.
    """
    k = 0
    while trumps:
        top = highest(trumps)
        trumps ^= top
        k += 1
        least = top - (top >> 1 & rules.lower_twins)
        if k - popcount(against & -least) >= n:
            return True
    return False


@kernel
def trumps_of(hands, side):
    """int64 mask of the trumps of a side."""
    a, b, c, d = hands
    return LANE & ((a if side & 1 else 0) | (b if side & 2 else 0) | (c if side & 4 else 0) | (d if side & 8 else 0))


@kernel
def is_sure(rules, hands, side, n):
    """Whether the trumps of one player of a side are sure of `n` tricks (see has_sure); two players' do not add up."""
    a, b, c, d = hands
    own = trumps_of(hands, side)
    if popcount(own) < n:
        return False
    against = LANE & (a | b | c | d) ^ own
    a, b, c, d = a & own, b & own, c & own, d & own
    return (
        (popcount(a) >= n and has_sure(rules, a, against, n))
        or (popcount(b) >= n and has_sure(rules, b, against, n))
        or (popcount(c) >= n and has_sure(rules, c, against, n))
        or (popcount(d) >= n and has_sure(rules, d, against, n))
    )


@kernel
def n_sure(rules, hands, side, most):
    """The tricks, at most `most`, that a side's trumps are sure of."""
    n = 0
    while n < most and is_sure(rules, hands, side, n + 1):
        n += 1
    return n
