"""Turns a question into its tally as `doors.ask_...` do, but every seat tries its cards before it plays one.

They stand apart from the other doors, so that no other question waits for them to be compiled.
"""

from kernels.compile import door, kernel
from kernels.dice import CARDS, COINS, key_of
from kernels.doors import count_option, count_world
from kernels.play import lay, random_card
from kernels.rollout import rollout_card
from kernels.steps import apply_bid_game, apply_turn_up, call_bid, call_turn_up, say_bid, say_turn_up
from kernels.values import AT_PHASE, PLAY, TURN
from kernels.vector import IS_RANDOM
from kernels.worlds import NO_WORLD, copy_table, deal_world, reach_bid, reach_turn_up, units_of


@kernel
def play_out_trying(rules, players, table, search):
    """Play all that is left of the tricks, in place: every seat but those that play by coin tries its cards."""
    while table[AT_PHASE] == PLAY:
        if players[players[table[TURN] & 3] + IS_RANDOM]:
            lay(rules, table, random_card(rules, table))
        else:
            lay(rules, table, rollout_card(rules, table, search))


@door
def ask_turn_up_trying(rules, players, question, first, n, limit, scratch, search, out_tally):
    """As doors.ask_turn_up; `search` rollout.Search."""
    card_key, coin_key = key_of(question.seed, CARDS), key_of(question.seed, COINS)
    found = 0
    for index in range(first, first + n):
        if found == limit:
            return found, index - first
        view = deal_world(rules, question, card_key, coin_key, index, scratch)
        if view < 0:
            continue
        weight = reach_turn_up(rules, players, question, view, scratch, out_tally.calls)
        if weight == NO_WORLD:
            continue
        found += 1
        units = units_of(question, weight)
        table = scratch.table
        for option in range(question.options.shape[1]):
            copy_table(scratch.reached, table)
            apply_turn_up(rules, table, question.options[view, option, 0], question.options[view, option, 1])
            while table[AT_PHASE] < PLAY:
                verb, what = say_turn_up(rules, players, table, scratch.options)
                call_turn_up(rules, table, verb, what)
            play_out_trying(rules, players, table, search)
            count_option(rules, table, question, option, units, scratch.worths, out_tally)
        count_world(units, scratch.worths, out_tally)
    return found, n


@door
def ask_bid_trying(rules, players, question, first, n, limit, scratch, search, out_tally):
    """As ask_turn_up_trying, in Bid Euchre."""
    card_key, coin_key = key_of(question.seed, CARDS), key_of(question.seed, COINS)
    found = 0
    for index in range(first, first + n):
        if found == limit:
            return found, index - first
        view = deal_world(rules, question, card_key, coin_key, index, scratch)
        if view < 0:
            continue
        weight = reach_bid(rules, players, question, view, scratch, out_tally.calls)
        if weight == NO_WORLD:
            continue
        found += 1
        units = units_of(question, weight)
        table = scratch.table
        for option in range(question.options.shape[1]):
            copy_table(scratch.reached, table)
            apply_bid_game(rules, table, question.options[view, option, 0], question.options[view, option, 1])
            while table[AT_PHASE] < PLAY:
                verb, what = say_bid(rules, players, table, scratch.options)
                call_bid(rules, table, verb, what)
            play_out_trying(rules, players, table, search)
            count_option(rules, table, question, option, units, scratch.worths, out_tally)
        count_world(units, scratch.worths, out_tally)
    return found, n
