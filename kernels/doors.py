"""The entry kernels that the analyzer calls: the step door, and the door of a question for each kind of game.

The step door moves one table by one event: records, positions and players written in Python come in by it. The doors
of a turn-up game and of Bid Euchre are apart, here and elsewhere, so that a question compiles only its own. All sums
are integers, so no order of adding changes a digit.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.compile import door, kernel
from kernels.deal import deal
from kernels.dice import CARDS, COINS, key_of
from kernels.score import is_made, makers_tricks, payoff, score
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
    CLAIMED,
    MAKER,
    MAKING,
)
from kernels.worlds import NO_WORLD, copy_table, next_bid, next_turn_up, units_of

# Places of a row of counts in ask, from the asker's side.
OWN_MADE, OWN_MARCH, OWN_EUCHRED, OTHER_MADE, OTHER_EUCHRED, NOBODY = range(6)
N_OUTCOMES = 6


class Seeded(NamedTuple):
    """Deals to come: what is known of them, the unseen cards, and the seed that deals them out."""

    start: NDArray[np.int64]  # (TABLE_SIZE,) the table before the deal, with NEED
    pool: NDArray[np.int64]  # (n_unseen,) one mask a card
    seed: int


class Tally(NamedTuple):
    """What `ask` counts, from the asker's side. A deal is worth something on each scale (see worlds.Question).

    Every world counts with its weight w, in sixteenths (see worlds.units_of).
    """

    outcomes: NDArray[np.int64]  # (n_options, N_OUTCOMES) sums of w
    payoffs: NDArray[np.int64]  # (n_options, n_payoffs, 2) sums of w and of w * w where the deal paid this
    worths: NDArray[np.int64]  # (n_scales, n_options) sums of w * worth
    leverage: NDArray[np.int64]  # (n_scales, n_options) sums of w * w * worth
    products: NDArray[np.int64]  # (n_scales, n_options, n_options) sums of w * w * the product of two options' worths
    weights: NDArray[np.int64]  # (2,) sums of w and of w * w
    calls: NDArray[np.int64]  # (n_events, 2) see worlds.reach_turn_up


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


@door
def score_table(rules, table):
    """Write the points of a deal to `table` int64[TABLE_SIZE], from its MAKER, HOW, ALONE and TRICKS."""
    score(rules, table)


# --- one question ---


@kernel
def count_option(rules, table, question, k, weight, worths, out_tally):
    """Add the finished deal to the tally of option `k`, and write what it is worth to int64[n_scales, n_options]."""
    paid = payoff(rules, table, question.codes)
    out_tally.payoffs[k, paid, 0] += weight
    out_tally.payoffs[k, paid, 1] += weight * weight
    for scale in range(len(worths)):
        worths[scale, k] = question.worths[scale, paid]
    outcomes = out_tally.outcomes
    if table[CLAIMED] or table[MAKER] < 0:
        outcomes[k, NOBODY] += weight
        return
    tricks = makers_tricks(rules, table)
    made = is_made(rules, table, tricks)
    own = table[MAKING] >> question.asker & 1
    outcomes[k, (OWN_MADE if made else OWN_EUCHRED) if own else (OTHER_MADE if made else OTHER_EUCHRED)] += weight
    if own and made and tricks == rules.n_cards:
        outcomes[k, OWN_MARCH] += weight


@kernel
def count_world(weight, worths, out_tally):
    """Add what the options were worth in one world, int64[n_scales, n_options], to the sums."""
    square = weight * weight
    out_tally.weights[0] += weight
    out_tally.weights[1] += square
    for scale in range(worths.shape[0]):
        for i in range(worths.shape[1]):
            out_tally.worths[scale, i] += weight * worths[scale, i]
            out_tally.leverage[scale, i] += square * worths[scale, i]
            for j in range(i + 1):
                out_tally.products[scale, i, j] += square * worths[scale, i] * worths[scale, j]


@kernel
def try_options_turn_up(rules, players, question, view, weight, scratch, out_tally):
    """Play on from scratch.reached with every option, and count each with the weight of the world."""
    for k in range(question.options.shape[1]):
        copy_table(scratch.reached, scratch.table)
        apply_turn_up(rules, scratch.table, question.options[view, k, 0], question.options[view, k, 1])
        finish_turn_up(rules, players, scratch.table, scratch.options)
        count_option(rules, scratch.table, question, k, weight, scratch.worths, out_tally)


@kernel
def try_options_bid(rules, players, question, view, weight, scratch, out_tally):
    """As try_options_turn_up, in Bid Euchre."""
    for k in range(question.options.shape[1]):
        copy_table(scratch.reached, scratch.table)
        apply_bid_game(rules, scratch.table, question.options[view, k, 0], question.options[view, k, 1])
        finish_bid(rules, players, scratch.table, scratch.options)
        count_option(rules, scratch.table, question, k, weight, scratch.worths, out_tally)


@door
def ask_turn_up(rules, players, question, first, n, limit, scratch, out_tally):
    """Try every option in each world of first to first + n - 1 that is one, at most `limit` of them.

    Adds to out_tally; returns (worlds found, worlds dealt).
    """
    found, index, end = 0, first, first + n
    while found < limit:
        index, view, weight = next_turn_up(rules, players, question, index, end, scratch, out_tally.calls)
        if weight == NO_WORLD:
            break
        units = units_of(question, weight)
        try_options_turn_up(rules, players, question, view, units, scratch, out_tally)
        count_world(units, scratch.worths, out_tally)
        found += 1
    return found, index - first


@door
def ask_bid(rules, players, question, first, n, limit, scratch, out_tally):
    """As ask_turn_up, in Bid Euchre."""
    found, index, end = 0, first, first + n
    while found < limit:
        index, view, weight = next_bid(rules, players, question, index, end, scratch, out_tally.calls)
        if weight == NO_WORLD:
            break
        units = units_of(question, weight)
        try_options_bid(rules, players, question, view, units, scratch, out_tally)
        count_world(units, scratch.worths, out_tally)
        found += 1
    return found, index - first
