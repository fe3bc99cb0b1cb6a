"""Turns open hands into the tricks a side takes when both sides play perfectly with all cards in view.

Hands are in trump order and counted from the leader's: player 0 leads, player 1 is on his left; seats that sit out are
left out. `takes` asks whether a side takes at least so many tricks: each player tries his cards until one serves his
side. `value` asks it for one number after another, from a first guess on. Where a branch is cut, a comment says why
nothing is lost; everything else only says what to try first.

Cards already played to the trick in progress are put back into the hands, and `fixed` is their mask: their players
then have no other card to try.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.bits import low_bit, popcount
from kernels.compile import inlined, kernel, pasted
from kernels.dice import draw, word_at
from kernels.order import highest, lane_of, lowest
from kernels.trick import beating, may_play
from kernels.values import LANE

THREE = 3
FOUR = 4
NOT_LOWEST = 0x7FFE_FFFE_FFFE_FFFE
MAY_BE_FREE = 0x3FFF_3FFF_3FFF_7FFF  # no pack has the top bits: to add within a lane never reaches the next one
SIDE_TOPS = 0x4000_4000_4000_0000
SIDE_FULL = 0x3FFF_3FFF_3FFF_0000
LOW_15 = 0x7FFF_7FFF_7FFF_7FFF
LOW_14 = 0x3FFF_3FFF_3FFF_3FFF
LOW_12 = 0x0FFF_0FFF_0FFF_0FFF
LOW_8 = 0x00FF_00FF_00FF_00FF
TWO_LANES = 0xFFFF_FFFF
THREE_LANES = 0xFFFF_FFFF_FFFF

N_LENGTHS_EIGHT, N_LENGTHS_SIX, N_LENGTHS_FOUR = 165, 84, 35  # ways to share eight, six, four cards among four suits
N_FOUR = N_LENGTHS_EIGHT * 28 * 15 * 6  # ... and, two cards to each player, among four, three, two of them
N_THREE = N_LENGTHS_SIX * 15 * 6
N_TWO = N_LENGTHS_FOUR * 6
THREE_HANDS = N_FOUR
TWO_HANDS = THREE_HANDS + 3 * N_THREE
N_ENDS = TWO_HANDS + N_TWO
NOTHING = np.int64(0)
"""No card is fixed. A plain 0 would be a type of its own, for which numba compiles the search once more."""
END = 2
"""Cards in each hand of an ending that is looked up."""
SEEN_FROM = 4
"""Cards in each hand from which on positions are remembered, if there is room for it."""
SEEN_WORDS = 6


class Memory(NamedTuple):
    """What is known of positions met before, in this call or another; one for each thread, all zeros at first."""

    ends: NDArray[np.uint8]  # (N_ENDS,) endings with END cards each, by `end_place`
    seen: NDArray[np.int64]  # (n * SEEN_WORDS,) longer ones: four sunk hands, side, 256 * low + high; n may be 0


class Goal(NamedTuple):
    """What is asked of a position: whether a side takes at least `need` of the tricks left."""

    n_players: int
    side: int  # mask of players
    left: int  # tricks, the one in progress included
    need: int  # 1 to left


# --- what need not be tried twice ---


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


# --- sure trump tricks ---


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


# --- what is tried first ---


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


@inlined
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


# --- endings and positions met before ---


@inlined
def pair_of(pair, cards):
    """The number, from 0, of a pair among all pairs of `cards`."""
    low = lowest(pair)
    first = popcount(cards & (low - 1))
    second = popcount(cards & ((pair ^ low) - 1))
    return (second * (second - 1) >> 1) + first


@inlined
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


# --- the search ---


@inlined
def rotated(hands, n_players, winner):
    """The hands counted from the winner's."""
    a, b, c, d = hands
    one = winner & 1
    two = winner & 2
    if n_players == FOUR:
        p, q, r, s = (b if one else a), (c if one else b), (d if one else c), (a if one else d)
        return (r if two else p), (s if two else q), (p if two else r), (q if two else s)
    if n_players == THREE:
        return (c if two else b if one else a), (a if two else c if one else b), (b if two else a if one else c), d
    return (b if one else a), (a if one else b), c, d


@inlined
def last_winner(rules, hands):
    """The player who takes the last trick; an empty hand takes none."""
    best = hands[0]
    winner = 0
    for player in range(1, FOUR):
        card = hands[player]
        wins = card & beating(rules, best)
        best = card if wins else best
        winner = player if wins else winner
    return winner


@inlined
def may_try(rules, hand, others, led, fixed):
    """int64 mask of the cards a follower tries; 0 for a player there is not."""
    must = fixed & hand
    return must if must else once_each(rules, may_play(hand, led), hand, others)


@pasted
def rest_takes(rules, memory, hands, goal):
    """1 if the side takes what it needs from the start of a trick on, else 0: what is known, else `takes`."""
    if goal.left == END and is_in_ends(rules, hands, goal):
        place = end_place(hands, goal)
        known = memory.ends[place]
        # Bit 0, 1: the leader's side takes at least one, two tricks; bit 2, 3: it does not. The foes of a side take at
        # least n of two exactly if it does not take 3 - n.
        leads = goal.side & 1
        bit = goal.need - 1 if leads else 2 - goal.need
        if known >> bit & 1:
            return leads
        if known >> (bit + 2) & 1:
            return 1 - leads
        found = takes(rules, memory, hands, goal, NOTHING)
        memory.ends[place] = known | (1 << bit if found == leads else 4 << bit)
        return found
    # Either side's sure tricks are sure from here on too, and what one side takes the other does not.
    if is_sure(rules, hands, goal.side, goal.need):
        return 1
    if is_sure(rules, hands, ~goal.side, goal.left - goal.need + 1):
        return 0
    if goal.left < SEEN_FROM or len(memory.seen) == 0:
        return takes(rules, memory, hands, goal, NOTHING)
    key = sunk(rules, hands)
    place = seen_place(memory.seen, key, goal)
    bounds = seen_bounds(memory.seen, place, key, goal)
    if goal.need <= bounds >> 8:
        return 1
    if goal.need > bounds & 255:
        return 0
    found = takes(rules, memory, hands, goal, NOTHING)
    bounds = goal.need << 8 | bounds & 255 if found else (bounds >> 8) << 8 | goal.need - 1
    remember(memory.seen, place, key, goal, bounds)
    return found


@pasted
def after(rules, memory, hands, goal, winner):
    """1 if the side takes what it needs when `winner` takes this trick, else 0."""
    need = goal.need - (goal.side >> winner & 1)
    left = goal.left - 1
    # It has all it needs, or even every trick left is not enough.
    if need <= 0:
        return 1
    if need > left:
        return 0
    n = goal.n_players
    turned = rotated(hands, n, winner)
    side = (goal.side >> winner | goal.side << (n - winner)) & ((1 << n) - 1)
    if left == 1:
        return side >> last_winner(rules, turned) & 1
    return rest_takes(rules, memory, turned, Goal(n, side, left, need))


@pasted
def fourth(rules, memory, hands, goal, fixed, led, best, winner):
    """1 if the side takes what it needs, else 0, with player 3 to play (as all four: he has no card if there is none).

    As soon as one of his cards gives his side what it wants, the others need not be tried: he will play that one.
    """
    a, b, c, d = hands
    wants = goal.side >> 3 & 1
    beats = beating(rules, best)
    moves = may_try(rules, d, a | b | c | best, led, fixed)
    first = moves & ~beats if (goal.side >> winner & 1) == wants else moves & beats
    while True:
        chosen = moves & first
        card = cheapest(chosen if chosen else moves)
        moves ^= card
        found = after(rules, memory, (a, b, c, d ^ card), goal, 3 if card & beats else winner)
        if found == wants or not moves:
            return found


@pasted
def third(rules, memory, hands, goal, fixed, led, best, winner):
    """As fourth, with player 2 to play."""
    a, b, c, d = hands
    wants = goal.side >> 2 & 1
    beats = beating(rules, best)
    moves = may_try(rules, c, a | b | d | best, led, fixed)
    first = moves
    if moves & (moves - 1):
        threat = 0 if (goal.side >> 3 & 1) == wants else may_play(d, led)
        first = preferred(moves, beats, (goal.side >> winner & 1) == wants, best, threat)
    while True:
        chosen = moves & first
        card = cheapest(chosen if chosen else moves)
        moves ^= card
        rest = (a, b, c ^ card, d)
        wins = card & beats
        found = fourth(rules, memory, rest, goal, fixed, led, card if wins else best, 2 if wins else winner)
        if found == wants or not moves:
            return found


@pasted
def second(rules, memory, hands, goal, fixed, led, best):
    """As fourth, with player 1 to play."""
    a, b, c, d = hands
    wants = goal.side >> 1 & 1
    beats = beating(rules, best)
    moves = may_try(rules, b, a | c | d | best, led, fixed)
    first = moves
    if moves & (moves - 1):
        threat = 0 if (goal.side >> 2 & 1) == wants else may_play(c, led)
        threat |= 0 if (goal.side >> 3 & 1) == wants else may_play(d, led)
        first = preferred(moves, beats, (goal.side & 1) == wants, best, threat)
    while True:
        chosen = moves & first
        card = cheapest(chosen if chosen else moves)
        moves ^= card
        rest = (a, b ^ card, c, d)
        wins = card & beats
        found = third(rules, memory, rest, goal, fixed, led, card if wins else best, 1 if wins else 0)
        if found == wants or not moves:
            return found


@kernel
def takes(rules, memory, hands, goal, fixed):
    """1 if the side of `goal` takes what it needs, else 0.

    `hands` four int64 masks, all as long as `goal.left` but for those of players there are not, which are 0.
    """
    if goal.left <= 0:
        return 0
    a, b, c, d = hands
    wants = goal.side & 1
    must = fixed & a
    moves = must if must else once_each(rules, a, a, b | c | d)
    masters, lanes = promising_leads(hands, goal.side)
    while True:
        chosen = moves & masters & ~LANE
        if not chosen:
            chosen = moves & lanes
        if not chosen:
            chosen = moves & masters
        card = cheapest(chosen if chosen else moves)
        moves ^= card
        found = second(rules, memory, (a ^ card, b, c, d), goal, fixed, lane_of(card), card)
        if found == wants or not moves:
            return found


@kernel
def value(rules, memory, hands, goal, fixed):
    """The tricks that the side of `goal` takes, 0 to goal.left; goal.need is the number to ask for first, 0 any."""
    n, side, left, need = goal
    everyone = (1 << n) - 1
    if side == 0 or side == everyone:
        return left if side else 0
    low = n_sure(rules, hands, side, left)
    high = left - n_sure(rules, hands, everyone ^ side, left)
    if low < high:
        need = min(max(need, low + 1), high) if need else guess_of(hands, goal, low, high)
    while low < high:
        if takes(rules, memory, hands, Goal(n, side, left, need), fixed):
            low = need
            need += 1
        else:
            high = need - 1
            need -= 1
    return low
