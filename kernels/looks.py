"""Turns the worlds of a question into what a person may look at: where the unseen cards lie, and worlds whole."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.compile import door, kernel
from kernels.dice import CARDS, COINS, key_of
from kernels.order import trump_order
from kernels.values import AT_DUMMY, AT_PHASE, AT_TRUMP, BURIED, HAND, MAX_SEATS, PLAY
from kernels.worlds import NO_WORLD, copy_table, deal_world, next_bid, next_turn_up, units_of

# Where an unseen card can lie: with a seat (its number), or
WITH_DUMMY, IS_BURIED, IN_STOCK = MAX_SEATS, MAX_SEATS + 1, MAX_SEATS + 2
N_LIES = MAX_SEATS + 3

# Places of a row of Look.worlds.
INDEX, VIEW, UNITS = range(3)


class Look(NamedTuple):
    """What is seen in the worlds of a question; tables and whats are in the names of a world's view."""

    lies: NDArray[np.int64]  # (n_unseen, N_LIES) sums of w; cards in the order of question.pools
    worlds: NDArray[np.int64]  # (m, 3) INDEX, VIEW, UNITS of the first m worlds that are tried
    dealt: NDArray[np.int64]  # (m, TABLE_SIZE) their tables before the first call
    reached: NDArray[np.int64]  # (m, TABLE_SIZE) and at the decision
    whats: NDArray[np.int64]  # (m, n_events) what each event was, hidden cards too
    calls: NDArray[np.int64]  # (n_events, 2) see worlds.reach_turn_up


@kernel
def lie_of(rules, table, card):
    """Where a card (one bit, printed order) lies at a decision: 0 to N_LIES - 1."""
    held = trump_order(rules, card, table[AT_TRUMP]) if table[AT_PHASE] == PLAY else card
    for seat in range(rules.n_seats):
        if table[HAND + seat] & held:
            return seat
    if table[BURIED] & card:
        return IS_BURIED
    return WITH_DUMMY if table[AT_DUMMY] & card else IN_STOCK


@kernel
def count_lies(rules, table, pool, weight, out_lies):
    """Add a world's weight where each card of `pool` int64[n] lies: out_lies int64[n, N_LIES]."""
    for i in range(len(pool)):
        out_lies[i, lie_of(rules, table, pool[i])] += weight


@kernel
def look_at(rules, question, view, weight, index, found, scratch, out_look):
    """Count where the cards lie in the world in scratch.reached, and write it down if there is room for it."""
    units = units_of(question, weight)
    count_lies(rules, scratch.reached, question.pools[view], units, out_look.lies)
    if found >= len(out_look.worlds):
        return
    out_look.worlds[found, INDEX] = index
    out_look.worlds[found, VIEW] = view
    out_look.worlds[found, UNITS] = units
    for k in range(out_look.whats.shape[1]):
        out_look.whats[found, k] = scratch.whats[k]
    copy_table(scratch.reached, out_look.reached[found])
    deal_world(rules, question, key_of(question.seed, CARDS), key_of(question.seed, COINS), index, scratch)
    copy_table(scratch.reached, out_look.dealt[found])


@door
def look_turn_up(rules, players, question, first, n, limit, scratch, out_look):
    """Look at each world of first to first + n - 1 that is tried, at most `limit` of them; (worlds found, dealt).

    Adds to out_look: its sums, and the first worlds as far as there is room for them.
    """
    found, index, end = 0, first, first + n
    while found < limit:
        index, view, weight = next_turn_up(rules, players, question, index, end, scratch, out_look.calls)
        if weight == NO_WORLD:
            break
        look_at(rules, question, view, weight, index - 1, found, scratch, out_look)
        found += 1
    return found, index - first


@door
def look_bid(rules, players, question, first, n, limit, scratch, out_look):
    """As look_turn_up, in Bid Euchre."""
    found, index, end = 0, first, first + n
    while found < limit:
        index, view, weight = next_bid(rules, players, question, index, end, scratch, out_look.calls)
        if weight == NO_WORLD:
            break
        look_at(rules, question, view, weight, index - 1, found, scratch, out_look)
        found += 1
    return found, index - first
