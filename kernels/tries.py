"""What the solver tries first. Nothing here can make an answer wrong, only slow.

Hands are in trump order, counted from the leader's; `side` is a mask of players.
"""

from kernels.bits import popcount
from kernels.compile import kernel
from kernels.order import LOW_8, LOW_12, LOW_14, LOW_15, SIDE_FULL, SIDE_TOPS, highest, lowest
from kernels.values import LANE


@kernel
def and_lower(cards):
    """int64 mask of the places of all cards and all places below them in their lanes."""
    cards |= cards >> 1 & LOW_15
    cards |= cards >> 2 & LOW_14
    cards |= cards >> 4 & LOW_12
    return cards | cards >> 8 & LOW_8


@kernel
def side_lanes_of(hand):
    """int64 mask of the side lanes in which a hand has a card."""
    tops = ((hand & SIDE_FULL) + SIDE_FULL) & SIDE_TOPS
    return tops - (tops >> 14)


@kernel
def not_ruffed(foe):
    """int64 mask of the lanes that a foe cannot ruff."""
    return side_lanes_of(foe) | LANE if foe & LANE else -1


@kernel
def promising_leads(hands, side):
    """(mask of the leader's cards that no foe beats, mask of the side lanes in which a friend wins)."""
    _, b, c, d = hands
    own = side if side & 1 else ~side
    friends = (b if own & 2 else 0) | (c if own & 4 else 0) | (d if own & 8 else 0)
    foes = (b | c | d) ^ friends
    safe = (-1 if own & 2 else not_ruffed(b)) & (-1 if own & 4 else not_ruffed(c)) & (-1 if own & 8 else not_ruffed(d))
    masters = safe & ~and_lower(foes)
    return masters, side_lanes_of(friends & masters) | (safe & ~not_ruffed(friends) & ~LANE)


@kernel
def preferred(moves, beats, is_ours, best, threat):
    """int64 mask of what a follower tries first; `threat` is what the foes after him may play."""
    wins = moves & beats
    lower = and_lower(threat)
    ruffed = threat & LANE
    safe = wins & ~lower & (LANE if ruffed else -1)
    holds = best & ~lower & (LANE if ruffed else -1)
    if safe and not (is_ours and holds):
        return safe
    return moves & ~beats if is_ours else wins


@kernel
def cheapest(cards):
    """The lowest side card of the first lane that has one, else the lowest trump."""
    sides = cards & ~LANE
    return lowest(sides if sides else cards)


@kernel
def guess_of(hands, goal, low, high):
    """A number of tricks to ask for first: fitted to random four-handed deals, half of which take so many.

    Half the tricks, and a third of one for each trump and each boss of a side suit more than the foes have, half of
    one for each sure trick more, a quarter for the lead. `low` and `high` are what the side takes at least and at most.
    """
    a, b, c, d = hands
    side = goal.side
    ours = (a if side & 1 else 0) | (b if side & 2 else 0) | (c if side & 4 else 0) | (d if side & 8 else 0)
    cards = a | b | c | d
    more = popcount(ours & LANE) - popcount(cards & ~ours & LANE)
    for lane in range(1, 4):
        suit = cards >> (16 * lane) & LANE
        if suit:
            more += 1 if ours >> (16 * lane) & highest(suit) else -1
    lead = 1 if side & 1 else -1
    guess = (6 * goal.left + 4 * more + 6 * (low + high - goal.left) + 3 * lead) // 12 + 1
    return min(max(guess, low + 1), high)
