"""Turns a question into its tally as `doors.ask_...` do, but every seat tries its cards before it plays one.

They stand apart from the other doors, so that no other question waits for them to be compiled.
"""

from kernels.compile import hot_door, kernel
from kernels.doors import count_option, count_world
from kernels.play import lay, random_card
from kernels.rollout import rollout_card
from kernels.steps import apply_bid_game, apply_turn_up, finish_calls_bid, finish_calls_turn_up
from kernels.values import AT_PHASE, PLAY, TURN
from kernels.vector import IS_RANDOM
from kernels.worlds import NO_WORLD, copy_table, next_bid, next_turn_up, units_of


@kernel
def play_out_trying(rules, players, table, search):
    """Play all that is left of the tricks, in place: every seat but those that play by coin tries its cards."""
    while table[AT_PHASE] == PLAY:
        if players[players[table[TURN] & 3] + IS_RANDOM]:
            lay(rules, table, random_card(rules, table))
        else:
            lay(rules, table, rollout_card(rules, table, search))


@hot_door
def ask_turn_up_trying(rules, players, question, first, n, limit, scratch, search, out_tally):
    """As doors.ask_turn_up; `search` rollout.Search."""
    found, index, end = 0, first, first + n
    table = scratch.table
    while found < limit:
        index, view, weight = next_turn_up(rules, players, question, index, end, scratch, out_tally.calls)
        if weight == NO_WORLD:
            break
        units = units_of(question, weight)
        for k in range(question.options.shape[1]):
            copy_table(scratch.reached, table)
            apply_turn_up(rules, table, question.options[view, k, 0], question.options[view, k, 1])
            finish_calls_turn_up(rules, players, table, scratch.options)
            play_out_trying(rules, players, table, search)
            count_option(rules, table, question, k, units, scratch.worths, out_tally)
        count_world(units, scratch.worths, out_tally)
        found += 1
    return found, index - first


@hot_door
def ask_bid_trying(rules, players, question, first, n, limit, scratch, search, out_tally):
    """As ask_turn_up_trying, in Bid Euchre."""
    found, index, end = 0, first, first + n
    table = scratch.table
    while found < limit:
        index, view, weight = next_bid(rules, players, question, index, end, scratch, out_tally.calls)
        if weight == NO_WORLD:
            break
        units = units_of(question, weight)
        for k in range(question.options.shape[1]):
            copy_table(scratch.reached, table)
            apply_bid_game(rules, table, question.options[view, k, 0], question.options[view, k, 1])
            finish_calls_bid(rules, players, table, scratch.options)
            play_out_trying(rules, players, table, search)
            count_option(rules, table, question, k, units, scratch.worths, out_tally)
        count_world(units, scratch.worths, out_tally)
        found += 1
    return found, index - first
