"""Turns open hands into the tricks a side takes when both sides play perfectly with all cards in view.

Hands are in trump order and counted from the leader's: player 0 leads, player 1 is on his left; seats that sit out are
left out. `takes` asks whether a side takes at least so many tricks: each player tries his cards until one serves his
side. `value` asks it for one number after another, from a first guess on. Where a branch is cut, a comment here or in
`bounds` says why nothing is lost; `tries` only says what to try first; `memory` holds positions met before.

Cards already played to the trick in progress are put back into the hands, and `fixed` is their mask: their players
then have no other card to try.
"""

from typing import NamedTuple

import numpy as np

from kernels.bounds import is_sure, n_sure, once_each
from kernels.compile import kernel, pasted
from kernels.memory import END, SEEN_FROM, end_place, is_in_ends, remember, seen_bounds, seen_place, sunk
from kernels.order import lane_of
from kernels.trick import beating, may_play
from kernels.tries import cheapest, guess_of, preferred, promising_leads
from kernels.values import FOUR, LANE, THREE

NOTHING = np.int64(0)
"""No card is fixed. A plain 0 would be a type of its own, for which numba compiles the search once more."""


class Goal(NamedTuple):
    """What is asked of a position: whether a side takes at least `need` of the tricks left."""

    n_players: int
    side: int  # mask of players
    left: int  # tricks, the one in progress included
    need: int  # 1 to left


@kernel
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


@kernel
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


@kernel
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
