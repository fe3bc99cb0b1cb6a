"""The entry kernels that the analyzer calls: the step door, and one door a study and kind of game.

The step door moves one table by one event: records, positions and players written in Python come in by it. The other
doors play many deals; those of a turn-up game and of Bid Euchre are apart, so that a question compiles only its own.
All sums are integers, so no order of adding changes a digit.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.compile import door, kernel
from kernels.deal import deal
from kernels.dice import CARDS, COINS, key_of, word_at
from kernels.score import doubled_points, is_made, makers_tricks
from kernels.steps import (
    apply_bid_game,
    apply_turn_up,
    begin,
    choose_bid_game,
    choose_turn_up,
    finish_bid,
    finish_turn_up,
    options_bid,
    options_turn_up,
)
from kernels.values import (
    AT_PHASE,
    CLAIMED,
    DONE,
    HOW,
    MAKER,
    MAKING,
    TABLE_SIZE,
    TRICKS,
    TURN,
)

# Places of a row of counts in simulate.
CALLS, MADE, MARCH, EUCHRED, POINTS_SUM, POINTS_SQUARES, TRICKS_SUM = range(7)
N_COUNTS = 7
N_HOWS = 16
"""Ways to become maker that are counted apart: BY_..., or the level of the bid; the row after them is `all`."""
ALL = N_HOWS
THROWN_IN, WAS_CLAIMED, N_DEALS = 0, 1, 2
N_TOTALS = 3

# Places of a row of counts in ask, from the asker's side.
OWN_MADE, OWN_MARCH, OWN_EUCHRED, OTHER_MADE, OTHER_EUCHRED, NOBODY = range(6)
N_OUTCOMES = 6
UNKNOWN = -1
"""What of an event whose card the asker did not see."""


class Seeded(NamedTuple):
    """Deals to come: what is known of them, the unseen cards, and the seed that deals them out."""

    start: NDArray[np.int64]  # (TABLE_SIZE,) the table before the deal, with NEED
    pool: NDArray[np.int64]  # (n_unseen,) one mask a card
    seed: int


class Question(NamedTuple):
    """A decision to be tried: eight views of it, alike but for the names of the suits.

    Each world is looked at in one of the eight, by its coin: a tie that a strategy breaks by the order of suits then
    favours none.
    """

    starts: NDArray[np.int64]  # (8, TABLE_SIZE) the table before the deal, with the asker's cards, NEED of the others
    pools: NDArray[np.int64]  # (8, n_unseen) one mask a card
    events: NDArray[np.int64]  # (8, n_events, 2) verb, what (UNKNOWN: a card the asker did not see)
    options: NDArray[np.int64]  # (8, n_options, 2) verb, what
    asker: int  # seat
    seed: int


class Scratch(NamedTuple):
    """Room for one thread to work in; what it holds before and after means nothing."""

    table: NDArray[np.int64]  # (TABLE_SIZE,)
    reached: NDArray[np.int64]  # (TABLE_SIZE,)
    unseen: NDArray[np.int64]  # (n_unseen,)
    options: NDArray[np.int64]  # (MAX_OPTIONS, 2)
    points: NDArray[np.int64]  # (n_options,)


class Tally(NamedTuple):
    """What `ask` counts, from the asker's side; points doubled, so that three-handed halves are whole."""

    outcomes: NDArray[np.int64]  # (n_options, N_OUTCOMES)
    points: NDArray[np.int64]  # (n_options,) sums
    products: NDArray[np.int64]  # (n_options, n_options) sums of products of two options' points in the same world
    agreed: NDArray[np.int64]  # (n_events + 1,) worlds that agreed with the first k events


# --- the step door ---


@door
def begin_table(rules, table):
    """Set a dealt `table` int64[TABLE_SIZE] to its first decision, in place."""
    begin(rules, table)


@door
def turn_up_options(rules, table, out_options):
    """Write the legal events to out_options int64[MAX_OPTIONS, 2] (verb, what); returns how many."""
    return options_turn_up(rules, table, out_options)


@door
def turn_up_apply(rules, table, verb, what):
    """Change `table` int64[TABLE_SIZE] in place by one legal event (int64, int64) of the seat in TURN."""
    apply_turn_up(rules, table, verb, what)


@door
def turn_up_choose(rules, players, table, scratch):
    """(verb, what) that the strategy in TURN chooses; scratch int64[MAX_OPTIONS, 2]."""
    return choose_turn_up(rules, players, table, scratch)


@door
def bid_options(rules, table, out_options):
    """As turn_up_options, in Bid Euchre."""
    return options_bid(rules, table, out_options)


@door
def bid_apply(rules, table, verb, what):
    """As turn_up_apply, in Bid Euchre."""
    apply_bid_game(rules, table, verb, what)


@door
def bid_choose(rules, players, table, scratch):
    """As turn_up_choose, in Bid Euchre."""
    return choose_bid_game(rules, players, table, scratch)


@door
def deal_table(rules, seeded, index, unseen, out_table):
    """Write deal `index` (int64) to out_table int64[TABLE_SIZE], at its first decision; `unseen` int64[n_unseen]."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    deal(rules, seeded.start, seeded.pool, unseen, card_key, coin_key, index, out_table)
    begin(rules, out_table)


# --- many deals ---


@kernel
def count_deal(rules, table, out_calls, out_totals):
    """Add one finished deal to out_calls int64[n_seats, N_HOWS + 1, N_COUNTS] and out_totals int64[N_TOTALS]."""
    out_totals[N_DEALS] += 1
    maker = table[MAKER]
    if table[CLAIMED] or maker < 0:
        out_totals[WAS_CLAIMED if table[CLAIMED] else THROWN_IN] += 1
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


@door
def simulate_turn_up(rules, players, seeded, first, n, scratch, out_calls, out_totals):
    """Play deals first to first + n - 1 of a turn-up game and add them to the counts (see count_deal)."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.table
    for index in range(first, first + n):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, index, table)
        begin(rules, table)
        finish_turn_up(rules, players, table, scratch.options)
        count_deal(rules, table, out_calls, out_totals)


@door
def simulate_bid(rules, players, seeded, first, n, scratch, out_calls, out_totals):
    """As simulate_turn_up, in Bid Euchre."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.table
    for index in range(first, first + n):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, index, table)
        begin(rules, table)
        finish_bid(rules, players, table, scratch.options)
        count_deal(rules, table, out_calls, out_totals)


@kernel
def write_event(table, out_events, n, verb, what):
    """Write event `n` to out_events int64[MAX_EVENTS, 3]: seat, verb, what."""
    out_events[n, 0] = table[TURN]
    out_events[n, 1] = verb
    out_events[n, 2] = what


@door
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


@door
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


@kernel
def copy_table(table, out_table):
    """int64[TABLE_SIZE] to int64[TABLE_SIZE]."""
    for i in range(TABLE_SIZE):
        out_table[i] = table[i]


# --- one question ---


@kernel
def agrees(question, view, k, verb, what):
    """Whether a choice of another seat is what event `k` says, as far as the asker saw it."""
    told = question.events[view, k, 1]
    return verb == question.events[view, k, 0] and (told == UNKNOWN or told == what)


@kernel
def count_option(rules, table, asker, k, points, outcomes, sums):
    """Add the finished deal to the tally of option `k`: its outcome from the asker's side, and his doubled points."""
    if table[AT_PHASE] == DONE and (table[CLAIMED] or table[MAKER] < 0):
        outcomes[k, NOBODY] += 1
        points[k] = 0
        return
    tricks = makers_tricks(rules, table)
    made = is_made(rules, table, tricks)
    own = table[MAKING] >> asker & 1
    outcomes[k, (OWN_MADE if made else OWN_EUCHRED) if own else (OTHER_MADE if made else OTHER_EUCHRED)] += 1
    if own and made and tricks == rules.n_cards:
        outcomes[k, OWN_MARCH] += 1
    points[k] = doubled_points(rules, table, asker)
    sums[k] += points[k]


@kernel
def add_products(points, products):
    """Add the products of all pairs of options' points in one world to int64[n_options, n_options]."""
    for i in range(len(points)):
        for j in range(i + 1):
            products[i, j] += points[i] * points[j]


@kernel
def reach_turn_up(rules, players, question, view, scratch, agreed):
    """Bring a dealt table to the decision; False where another seat would not have called as it did."""
    table = scratch.reached
    agreed[0] += 1
    for k in range(question.events.shape[1]):
        if table[TURN] == question.asker:
            verb, what = question.events[view, k, 0], question.events[view, k, 1]
        else:
            verb, what = choose_turn_up(rules, players, table, scratch.options)
            if not agrees(question, view, k, verb, what):
                return False
        apply_turn_up(rules, table, verb, what)
        agreed[k + 1] += 1
    return True


@kernel
def reach_bid(rules, players, question, view, scratch, agreed):
    """As reach_turn_up, in Bid Euchre."""
    table = scratch.reached
    agreed[0] += 1
    for k in range(question.events.shape[1]):
        if table[TURN] == question.asker:
            verb, what = question.events[view, k, 0], question.events[view, k, 1]
        else:
            verb, what = choose_bid_game(rules, players, table, scratch.options)
            if not agrees(question, view, k, verb, what):
                return False
        apply_bid_game(rules, table, verb, what)
        agreed[k + 1] += 1
    return True


@kernel
def deal_world(rules, question, card_key, coin_key, index, scratch):
    """Deal world `index` into scratch.reached, in the view its coin chooses; returns the view."""
    view = np.int64(word_at(coin_key, index) & np.uint64(7))
    table = scratch.reached
    deal(rules, question.starts[view], question.pools[view], scratch.unseen, card_key, coin_key, index, table)
    begin(rules, table)
    return view


@door
def ask_turn_up(rules, players, question, first, n, limit, scratch, out_tally):
    """Try every option in each world of first to first + n - 1 that agrees with the calls, at most `limit` of them.

    Adds to out_tally; returns (worlds found, worlds dealt).
    """
    card_key, coin_key = key_of(question.seed, CARDS), key_of(question.seed, COINS)
    found = 0
    for index in range(first, first + n):
        if found == limit:
            return found, index - first
        view = deal_world(rules, question, card_key, coin_key, index, scratch)
        if not reach_turn_up(rules, players, question, view, scratch, out_tally.agreed):
            continue
        found += 1
        for k in range(question.options.shape[1]):
            copy_table(scratch.reached, scratch.table)
            apply_turn_up(rules, scratch.table, question.options[view, k, 0], question.options[view, k, 1])
            finish_turn_up(rules, players, scratch.table, scratch.options)
            count_option(rules, scratch.table, question.asker, k, scratch.points, out_tally.outcomes, out_tally.points)
        add_products(scratch.points, out_tally.products)
    return found, n


@door
def ask_bid(rules, players, question, first, n, limit, scratch, out_tally):
    """As ask_turn_up, in Bid Euchre."""
    card_key, coin_key = key_of(question.seed, CARDS), key_of(question.seed, COINS)
    found = 0
    for index in range(first, first + n):
        if found == limit:
            return found, index - first
        view = deal_world(rules, question, card_key, coin_key, index, scratch)
        if not reach_bid(rules, players, question, view, scratch, out_tally.agreed):
            continue
        found += 1
        for k in range(question.options.shape[1]):
            copy_table(scratch.reached, scratch.table)
            apply_bid_game(rules, scratch.table, question.options[view, k, 0], question.options[view, k, 1])
            finish_bid(rules, players, scratch.table, scratch.options)
            count_option(rules, scratch.table, question.asker, k, scratch.points, out_tally.outcomes, out_tally.points)
        add_products(scratch.points, out_tally.products)
    return found, n
