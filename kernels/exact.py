"""Turns the number of a world into the world: every way the unseen cards can lie, each once, and what comes of it.

The places that want unseen cards are filled in turn, each with a combination of the cards the ones before have left; a
world's number is made of theirs, the last place changing fastest. So chunks of worlds can be counted apart and added up
in any order. Where half of the worlds are the mirror images of the others, the first place goes through a list of its
combinations, and numbers count the worlds that remain.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.bits import low_bit
from kernels.compile import hot_door, kernel
from kernels.dice import CARDS, key_of, word_at
from kernels.doors import try_options_bid, try_options_turn_up
from kernels.looks import count_lies
from kernels.order import lowest
from kernels.steps import begin
from kernels.values import HAND
from kernels.worlds import NO_WORLD, copy_table, reach_bid, reach_turn_up

# Places of a row of Ways.places.
PLACE, WANTS, OF, SOURCE = range(4)
FROM_REST = -1
"""A SOURCE: the cards that the places before have left, not those of one of these places."""

# Places of a row of Walk.state.
CHOSEN, HELD, REST = range(3)


class Ways(NamedTuple):
    """How the unseen cards can lie. Cards are counted from 0, alike in every view; a set of them has a bit for each."""

    cards: NDArray[np.int64]  # (8, n) one mask a card, in the names of each view: the unseen cards and KNOWN ones
    unseen: int  # set of the unseen cards
    known: int  # set of the cards known to lie in one of two places
    places: NDArray[
        np.int64
    ]  # (n_places, 4) PLACE of the table, cards it WANTS, OF how many, SOURCE (only of the last)
    binomials: NDArray[np.int64]  # (most cards, most wanted + 1) combinations
    firsts: NDArray[np.int64]  # (n,) the combinations of the first place that are gone through; none: all there are
    n_views: int  # 8: every world is looked at in each of them; 1: in the one its number draws


class Walk(NamedTuple):
    """Room for one thread to count in, and where the cards lie."""

    state: NDArray[np.int64]  # (n_places, 3) the combination, its cards, the cards left for the places after it
    at: NDArray[np.int64]  # (1,) where in Ways.firsts the first place is
    masks: NDArray[np.int64]  # (n_places, 8) the cards of all places but the last in the names of each view
    lies: NDArray[np.int64]  # (n_unseen or 0, looks.N_LIES) sums of weights, if there is room for them


# --- combinations ---


@kernel
def combination_at(binomials, m, k, number):
    """Combination `number` of k of m things, as a mask of m bits; higher numbers are higher masks."""
    mask = 0
    for left in range(k, 0, -1):
        m -= 1
        while binomials[m, left] > number:
            m -= 1
        number -= binomials[m, left]
        mask |= 1 << m
    return mask


@kernel
def next_combination(mask):
    """The next higher mask with as many bits; `mask` is not 0."""
    ripple = mask + lowest(mask)
    return ripple | (mask ^ ripple) >> (2 + low_bit(mask))


@kernel
def spread(combination, pool):
    """The things of the set `pool` that a combination, a mask of their places among them, takes."""
    chosen = 0
    while combination:
        thing = lowest(pool)
        chosen |= thing & -(combination & 1)
        pool ^= thing
        combination >>= 1
    return chosen


# --- worlds by their numbers ---


@kernel
def masked(cards, held):
    """The mask of a set of cards, of which `cards` int64[n] has one mask each."""
    mask = 0
    while held:
        mask |= cards[low_bit(held)]
        held &= held - 1
    return mask


@kernel
def fill(ways, state, i):
    """Work out the cards of place `i` from its combination and those of the places before it."""
    rest = state[i - 1, REST] if i > 0 else ways.unseen
    source = ways.places[i, SOURCE]
    if source == FROM_REST:
        held = spread(state[i, CHOSEN], rest)
        state[i, HELD] = held
        state[i, REST] = rest ^ held
    else:
        state[i, HELD] = spread(state[i, CHOSEN], state[source, HELD] | ways.known)
        state[i, REST] = rest


@kernel
def fill_from(ways, walk, first):
    """Work out the cards of place `first` and of those after it."""
    last = len(ways.places) - 1
    for i in range(first, last + 1):
        fill(ways, walk.state, i)
        if i < last:
            for view in range(len(ways.cards)):
                walk.masks[i, view] = masked(ways.cards[view], walk.state[i, HELD])


@kernel
def go_to(ways, walk, number):
    """Set the walk to world `number`."""
    for i in range(len(ways.places) - 1, -1, -1):
        if i == 0 and len(ways.firsts):
            walk.at[0] = number
            walk.state[0, CHOSEN] = ways.firsts[number]
            break
        wants, of = ways.places[i, WANTS], ways.places[i, OF]
        n = ways.binomials[of, wants]
        walk.state[i, CHOSEN] = combination_at(ways.binomials, of, wants, number % n)
        number //= n
    fill_from(ways, walk, 0)


@kernel
def go_on(ways, walk):
    """Set the walk to the next world; after the last one comes the first."""
    state = walk.state
    last = len(ways.places) - 1
    for i in range(last, -1, -1):
        if i == 0 and len(ways.firsts):
            walk.at[0] = (walk.at[0] + 1) % len(ways.firsts)
            state[0, CHOSEN] = ways.firsts[walk.at[0]]
            break
        wants, of = ways.places[i, WANTS], ways.places[i, OF]
        first = (1 << wants) - 1
        chosen = state[i, CHOSEN]
        if chosen != first << (of - wants):
            state[i, CHOSEN] = next_combination(chosen)
            if i == last:
                fill(ways, state, i)
            else:
                fill_from(ways, walk, i)
            return
        state[i, CHOSEN] = first
    fill_from(ways, walk, 0)


@kernel
def lay_world(rules, question, ways, walk, view, table):
    """Lay the world of the walk on `table`, in a view; False where a seat holds a suit of which it was void."""
    copy_table(question.starts[view], table)
    cards = ways.cards[view]
    last = len(ways.places) - 1
    for i in range(last):
        table[ways.places[i, PLACE]] |= walk.masks[i, view]
    if last >= 0:
        held = walk.state[last, HELD]
        table[ways.places[last, PLACE]] |= masked(cards, held)
        source = ways.places[last, SOURCE]
        if source != FROM_REST:
            table[ways.places[source, PLACE]] = masked(cards, (walk.state[source, HELD] | ways.known) ^ held)
    for seat in range(rules.n_seats):
        if table[HAND + seat] & question.barred[view, seat]:
            return False
    begin(rules, table)
    return True


@kernel
def view_of(ways, key, number, k):
    """The view that a world is looked at in the k-th time."""
    return k if ways.n_views > 1 else np.int64(word_at(key, number) & np.uint64(7))


@kernel
def count_worths(weight, worths, out_tally):
    """Add what the options were worth, int64[n_scales, n_options]; squares are not needed, there is no error."""
    out_tally.weights[0] += weight
    for scale in range(worths.shape[0]):
        for i in range(worths.shape[1]):
            out_tally.worths[scale, i] += weight * worths[scale, i]


@hot_door
def count_turn_up(rules, players, question, ways, first, n, scratch, out_walk, out_tally):
    """Try every option in worlds first to first + n - 1, each with its whole weight; returns how many are possible.

    Adds to out_tally, where squares stay 0, and to out_walk.lies.
    """
    key = key_of(0, CARDS)
    found = 0
    go_to(ways, out_walk, first)
    for number in range(first, first + n):
        is_world = 0
        for look in range(ways.n_views):
            view = view_of(ways, key, number, look)
            if not lay_world(rules, question, ways, out_walk, view, scratch.reached):
                break
            weight = reach_turn_up(rules, players, question, view, scratch, out_tally.calls)
            if weight == NO_WORLD:
                continue
            is_world = 1
            if len(out_walk.lies):
                count_lies(rules, scratch.reached, question.pools[view], weight, out_walk.lies)
            try_options_turn_up(rules, players, question, view, weight, scratch, out_tally)
            count_worths(weight, scratch.worths, out_tally)
        found += is_world
        go_on(ways, out_walk)
    return found


@hot_door
def count_bid(rules, players, question, ways, first, n, scratch, out_walk, out_tally):
    """As count_turn_up, in Bid Euchre."""
    key = key_of(0, CARDS)
    found = 0
    go_to(ways, out_walk, first)
    for number in range(first, first + n):
        is_world = 0
        for look in range(ways.n_views):
            view = view_of(ways, key, number, look)
            if not lay_world(rules, question, ways, out_walk, view, scratch.reached):
                break
            weight = reach_bid(rules, players, question, view, scratch, out_tally.calls)
            if weight == NO_WORLD:
                continue
            is_world = 1
            if len(out_walk.lies):
                count_lies(rules, scratch.reached, question.pools[view], weight, out_walk.lies)
            try_options_bid(rules, players, question, view, weight, scratch, out_tally)
            count_worths(weight, scratch.worths, out_tally)
        found += is_world
        go_on(ways, out_walk)
    return found
