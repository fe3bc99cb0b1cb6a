"""Turns deals played by given strategies into counts, into one row each, or into all that was said and done.

Their doors stand apart from those of a question, so that neither waits for the other to be compiled.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.compile import hot_door, kernel
from kernels.deal import deal
from kernels.dice import CARDS, COINS, key_of
from kernels.score import doubled_points, is_made, makers_tricks, payoff
from kernels.steps import (
    apply_bid_game,
    apply_turn_up,
    begin,
    choose_bid_game,
    choose_turn_up,
    finish_bid,
    finish_turn_up,
)
from kernels.values import (
    ALONE,
    AT_PHASE,
    AT_TRUMP,
    CAUGHT,
    CLAIMED,
    DONE,
    HOW,
    MAKER,
    MAX_SEATS,
    POINTS,
    RENEGED,
    TRICKS,
    TURN,
    UP,
)
from kernels.worlds import copy_table

# Places of a row of counts.
CALLS, MADE, MARCH, EUCHRED, POINTS_SUM, POINTS_SQUARES, TRICKS_SUM = range(7)
N_COUNTS = 7
N_HOWS = 16
"""Ways to become maker that are counted apart: BY_..., or the level of the bid; the row after them is `all`."""
ALL = N_HOWS
THROWN_IN, WAS_CLAIMED, N_DEALS = 0, 1, 2
N_TOTALS = 3

# Places of a row: of the finished table UP, AT_TRUMP, MAKER, HOW, ALONE, CLAIMED, RENEGED, CAUGHT, then TRICKS and
# POINTS of each seat.
UPCARD, TRUMP, BY, CALL, LONE, IS_CLAIMED, RENEGES, NOTICED = range(8)
TOOK = 8
PAID = TOOK + MAX_SEATS
N_COLUMNS = PAID + MAX_SEATS


class Counts(NamedTuple):
    """What `simulate` counts."""

    calls: NDArray[np.int64]  # (n_seats, N_HOWS + 1, N_COUNTS) what each seat called and what came of it
    totals: NDArray[np.int64]  # (N_TOTALS,)
    payoffs: NDArray[np.int64]  # (n_payoffs,) deals without a fine that paid this


@kernel
def count_deal(rules, table, codes, out_counts):
    """Add one finished deal to the counts."""
    out_counts.totals[N_DEALS] += 1
    if not table[CAUGHT]:
        out_counts.payoffs[payoff(rules, table, codes)] += 1
    out_calls = out_counts.calls
    maker = table[MAKER]
    if table[CLAIMED] or maker < 0:
        out_counts.totals[WAS_CLAIMED if table[CLAIMED] else THROWN_IN] += 1
        return
    tricks = makers_tricks(rules, table)
    for seat in range(rules.n_seats):
        partners = table[TRICKS + (seat ^ 2)] if rules.n_seats == 4 else 0
        count_points(out_calls[seat, ALL], doubled_points(rules, table, seat), table[TRICKS + seat] + partners)
    made = 1 if is_made(rules, table, tricks) else 0
    march = 1 if tricks == rules.n_cards else 0
    count_call(out_calls[maker, ALL], made, march)
    count_call(out_calls[maker, table[HOW]], made, march)
    count_points(out_calls[maker, table[HOW]], doubled_points(rules, table, maker), tricks)


@kernel
def count_points(out_row, points, tricks):
    """Add a deal's doubled points and tricks to int64[N_COUNTS]."""
    out_row[POINTS_SUM] += points
    out_row[POINTS_SQUARES] += points * points
    out_row[TRICKS_SUM] += tricks


@kernel
def count_call(out_row, made, march):
    """Add a contract, made or not (1, 0), to int64[N_COUNTS]."""
    out_row[CALLS] += 1
    out_row[MADE] += made
    out_row[MARCH] += march
    out_row[EUCHRED] += 1 - made


# --- deals ---


@kernel
def write_row(table, out_row):
    """Write a finished deal to int64[N_COLUMNS]."""
    out_row[UPCARD] = table[UP]
    out_row[TRUMP] = table[AT_TRUMP]
    out_row[BY] = table[MAKER]
    out_row[CALL] = table[HOW]
    out_row[LONE] = table[ALONE]
    out_row[IS_CLAIMED] = table[CLAIMED]
    out_row[RENEGES] = table[RENEGED]
    out_row[NOTICED] = table[CAUGHT]
    for seat in range(MAX_SEATS):
        out_row[TOOK + seat] = table[TRICKS + seat]
        out_row[PAID + seat] = table[POINTS + seat]


@hot_door
def count_table(rules, table, codes, out_counts, out_row):
    """Add a deal that was played elsewhere to the counts, and write its row int64[N_COLUMNS]."""
    count_deal(rules, table, codes, out_counts)
    write_row(table, out_row)


@hot_door
def simulate_turn_up(rules, players, seeded, indices, scratch, codes, out_counts, out_rows):
    """Play the deals of a turn-up game whose numbers are indices int64[n], and add them to the counts.

    `codes` see worlds.Question. Where there is room for rows, out_rows int64[n or 0, N_COLUMNS], they are written too.
    """
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.table
    for k in range(len(indices)):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, indices[k], table)
        begin(rules, table)
        finish_turn_up(rules, players, table, scratch.options)
        count_deal(rules, table, codes, out_counts)
        if len(out_rows):
            write_row(table, out_rows[k])


@hot_door
def simulate_bid(rules, players, seeded, indices, scratch, codes, out_counts, out_rows):
    """As simulate_turn_up, in Bid Euchre."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.table
    for k in range(len(indices)):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, indices[k], table)
        begin(rules, table)
        finish_bid(rules, players, table, scratch.options)
        count_deal(rules, table, codes, out_counts)
        if len(out_rows):
            write_row(table, out_rows[k])


@kernel
def write_event(table, out_events, n, verb, what):
    """Write event `n` to out_events int64[MAX_EVENTS, 3]: seat, verb, what."""
    out_events[n, 0] = table[TURN]
    out_events[n, 1] = verb
    out_events[n, 2] = what


@hot_door
def record_turn_up(rules, players, seeded, first, scratch, out_dealt, out_ended, out_events, out_n_events):
    """Play deals first, first + 1, ... one event at a time and write them down.

    out_dealt, out_ended int64[n, TABLE_SIZE]: the table as dealt and after the deal; out_events
    int64[n, MAX_EVENTS, 3]: seat, verb, what; out_n_events int64[n].
    """
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.table
    for i in range(len(out_n_events)):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, first + i, table)
        begin(rules, table)
        copy_table(table, out_dealt[i])
        n = 0
        while table[AT_PHASE] != DONE:
            verb, what = choose_turn_up(rules, players, table, scratch.options)
            write_event(table, out_events[i], n, verb, what)
            apply_turn_up(rules, table, verb, what)
            n += 1
        out_n_events[i] = n
        copy_table(table, out_ended[i])


@hot_door
def record_bid(rules, players, seeded, first, scratch, out_dealt, out_ended, out_events, out_n_events):
    """As record_turn_up, in Bid Euchre."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.table
    for i in range(len(out_n_events)):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, first + i, table)
        begin(rules, table)
        copy_table(table, out_dealt[i])
        n = 0
        while table[AT_PHASE] != DONE:
            verb, what = choose_bid_game(rules, players, table, scratch.options)
            write_event(table, out_events[i], n, verb, what)
            apply_bid_game(rules, table, verb, what)
            n += 1
        out_n_events[i] = n
        copy_table(table, out_ended[i])
