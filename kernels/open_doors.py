"""Turns a question into its tally as `doors.ask_...` do, but all see all cards from the lead on and play perfectly.

They stand apart from the other doors, so that no other question waits for the solver to be compiled.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.compile import hot_door, kernel
from kernels.doors import count_option, count_world
from kernels.memory import Memory
from kernels.order import trump_order
from kernels.score import score
from kernels.solver import Goal, value
from kernels.steps import apply_bid_game, apply_turn_up, finish_calls_bid, finish_calls_turn_up
from kernels.values import (
    AHEAD,
    AT_PHASE,
    AT_TRUMP,
    DONE,
    FOUR,
    HAND,
    IN_TRICK,
    LEADER,
    MAKER,
    MAKING,
    N_ACTIVE,
    N_TRICKS,
    PLAY,
    THREE,
    TRICKS,
    TURN,
)
from kernels.worlds import NO_WORLD, copy_table, next_bid, next_turn_up, units_of

N_KNOWN = 7


class Open(NamedTuple):
    """Room for one thread to solve the options of a world in."""

    memory: Memory
    known: NDArray[np.int64]  # (n_options, N_KNOWN) solved in this world: four hands, side, played, tricks


@kernel
def take_back(rules, table, whats, n_events, last):
    """Put the cards of a trick in progress back into the hands that laid them; returns their mask.

    `whats` int64[] what each of the `n_events` events of the question was, `last` the card laid after them, as printed.
    """
    cards = 0
    seat = table[LEADER]
    first = n_events + 1 - table[IN_TRICK]
    for k in range(first, n_events + 1):
        card = trump_order(rules, whats[k] if k < n_events else last, table[AT_TRUMP])
        table[HAND + seat] |= card
        cards |= card
        seat = table[AHEAD] >> (4 * seat) & 3
    return cards


@kernel
def solved(rules, room, n_known, hands, goal, played):
    """(tricks of the side of `goal`, how many positions of this world are now known); arguments as solver.value.

    Many options of a bidder end in the same play: five hearts as four. So what was solved is looked up first.
    """
    known = room.known
    for k in range(n_known):
        if (
            known[k, 0] == hands[0]
            and known[k, 1] == hands[1]
            and known[k, 2] == hands[2]
            and known[k, 3] == hands[3]
            and known[k, 4] == goal.side
            and known[k, 5] == played
        ):
            return known[k, 6], n_known
    tricks = value(rules, room.memory, hands, goal, played)
    for k in range(FOUR):
        known[n_known, k] = hands[k]
    known[n_known, 4] = goal.side
    known[n_known, 5] = played
    known[n_known, 6] = tricks
    return tricks, n_known + 1


@kernel
def play_open(rules, table, played, room, n_known):
    """Play all that is left of the tricks as both sides do best with all cards in view; returns how many are known.

    `played` mask of the cards of the trick in progress, which the hands still hold. All tricks of the maker's side go
    to the maker. Every contract pays by their number, and never less for more of them, so to take as many as one can is
    best for either side.
    """
    n = table[N_ACTIVE]
    ahead, making = table[AHEAD], table[MAKING]
    first = table[LEADER] if table[IN_TRICK] else table[TURN]
    second = ahead >> (4 * first) & 3
    third = ahead >> (4 * second) & 3
    fourth = ahead >> (4 * third) & 3
    hands = (
        table[HAND + first],
        table[HAND + second],
        table[HAND + third] if n >= THREE else 0,
        table[HAND + fourth] if n == FOUR else 0,
    )
    side = (making >> first & 1) | (making >> second & 1) << 1
    side |= (making >> third & 1) << 2 if n >= THREE else 0
    side |= (making >> fourth & 1) << 3 if n == FOUR else 0
    goal = Goal(n, side, rules.n_cards - table[N_TRICKS], 0)
    tricks, n_known = solved(rules, room, n_known, hands, goal, played)
    table[TRICKS + table[MAKER]] += tricks
    table[N_TRICKS] = rules.n_cards
    score(rules, table)
    table[AT_PHASE] = DONE
    return n_known


@hot_door
def ask_turn_up_open(rules, players, question, first, n, limit, scratch, room, out_tally):
    """As doors.ask_turn_up; `room` Open."""
    found, index, end = 0, first, first + n
    table = scratch.table
    n_events = question.events.shape[1]
    while found < limit:
        index, view, weight = next_turn_up(rules, players, question, index, end, scratch, out_tally.calls)
        if weight == NO_WORLD:
            break
        units = units_of(question, weight)
        n_known = 0
        for k in range(question.options.shape[1]):
            what = question.options[view, k, 1]
            copy_table(scratch.reached, table)
            apply_turn_up(rules, table, question.options[view, k, 0], what)
            finish_calls_turn_up(rules, players, table, scratch.options)
            if table[AT_PHASE] == PLAY:
                played = take_back(rules, table, scratch.whats, n_events, what) if table[IN_TRICK] else 0
                n_known = play_open(rules, table, played, room, n_known)
            count_option(rules, table, question, k, units, scratch.worths, out_tally)
        count_world(units, scratch.worths, out_tally)
        found += 1
    return found, index - first


@hot_door
def ask_bid_open(rules, players, question, first, n, limit, scratch, room, out_tally):
    """As ask_turn_up_open, in Bid Euchre."""
    found, index, end = 0, first, first + n
    table = scratch.table
    n_events = question.events.shape[1]
    while found < limit:
        index, view, weight = next_bid(rules, players, question, index, end, scratch, out_tally.calls)
        if weight == NO_WORLD:
            break
        units = units_of(question, weight)
        n_known = 0
        for k in range(question.options.shape[1]):
            what = question.options[view, k, 1]
            copy_table(scratch.reached, table)
            apply_bid_game(rules, table, question.options[view, k, 0], what)
            finish_calls_bid(rules, players, table, scratch.options)
            if table[AT_PHASE] == PLAY:
                played = take_back(rules, table, scratch.whats, n_events, what) if table[IN_TRICK] else 0
                n_known = play_open(rules, table, played, room, n_known)
            count_option(rules, table, question, k, units, scratch.worths, out_tally)
        count_world(units, scratch.worths, out_tally)
        found += 1
    return found, index - first
