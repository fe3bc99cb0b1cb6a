"""Turns a question and a deal index into a world: a table at the decision, and the weight its calls give it.

A world fills every place the asker cannot see. Calls of the others bind softly: each counts with the chance that the
seat's strategy makes it with the hand it has there, or with a floor where it would not, for people err. Cards played
bind hard: a world in which they could not have been played is none. Weights are in units of 1 / ONE.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.auction import return_options
from kernels.calling import buried_card
from kernels.compile import kernel
from kernels.deal import deal
from kernels.dice import CARDS, COINS, draw, key_of, word_at
from kernels.order import lowest, printed_order, trump_order
from kernels.play import lay, toss
from kernels.steps import begin, call_bid, call_turn_up, options_bid, options_turn_up, say_bid, say_turn_up
from kernels.trick import may_play
from kernels.values import (
    AT_PHASE,
    AT_TRUMP,
    COIN,
    HAND,
    HAND_BACK,
    LEAVE,
    LED,
    PICKUP,
    PLAY,
    TABLE_SIZE,
    TAKE_UP,
    TURN,
)
from kernels.vector import IS_RANDOM
from kernels.voids import deal_by_voids

WEIGHT_BITS = 30
ONE = 1 << WEIGHT_BITS
UNKNOWN = -1
"""What of an event whose card the asker did not see."""
HEAVIEST = 16 * 50**2
HEAVIEST_WORTH = 1 << 10
"""With it the products of a chunk of 4,096 worlds fit 64 bits, were all of them of the greatest weight."""
NO_WORLD = 0
"""The weight of what could not have come about."""
LUCK = 1 << 12  # a place of the coin that no decision uses
SHARING = 62  # a place of the card key that no card of a deal uses


class Question(NamedTuple):
    """A decision to be tried: eight views of it, alike but for the names of the suits.

    Each world is looked at in one of the eight, by its coin: a tie that a strategy breaks by the order of suits then
    favours none.
    """

    starts: NDArray[np.int64]  # (8, TABLE_SIZE) the table before the deal: known cards, NEED of the others, KEPT
    pools: NDArray[np.int64]  # (8, n_unseen) one mask a card
    barred: NDArray[np.int64]  # (8, MAX_SEATS) unseen cards that a seat cannot have been dealt, by the voids it showed
    shared: NDArray[np.int64]  # (8, 4) two places, cards known to lie in one of them, cards of the second; or -1
    events: NDArray[np.int64]  # (8, n_events, 2) verb, what (UNKNOWN: a card the asker did not see)
    options: NDArray[np.int64]  # (8, n_options, 2) verb, what
    asker: int  # seat
    seed: int
    floor: int  # the least weight of a call
    reference: int  # worlds of this weight and more are all tried, lighter ones by chance
    codes: NDArray[np.int64]  # (MAX_SIDES, 2 * MOST_PAID + 1, MOST_TO_OTHERS + 1) maker's side, points -> payoff
    worths: NDArray[np.int64]  # (n_scales, n_payoffs) what each payoff is worth to the asker; at most HEAVIEST_WORTH


class Scratch(NamedTuple):
    """Room for one thread to work in; what it holds before and after means nothing."""

    table: NDArray[np.int64]  # (TABLE_SIZE,)
    reached: NDArray[np.int64]  # (TABLE_SIZE,)
    unseen: NDArray[np.int64]  # (n_unseen,)
    options: NDArray[np.int64]  # (MAX_OPTIONS, 2)
    worths: NDArray[np.int64]  # (n_scales, n_options)
    whats: NDArray[np.int64]  # (MAX_EVENTS,) what each event of a question was in this world, hidden cards too


@kernel
def copy_table(table, out_table):
    """int64[TABLE_SIZE] to int64[TABLE_SIZE]."""
    for i in range(TABLE_SIZE):
        out_table[i] = table[i]


@kernel
def share_cards(table, first, second, known, n, key):
    """Deal `n` of the cards of place `first` and the mask `known` to place `second`, all alike, the rest to `first`."""
    cards = table[first] | known
    word = word_at(key, SHARING)
    left = 0
    rest = cards
    while rest:
        left += 1
        rest &= rest - 1
    table[second] = 0
    for _ in range(n):
        k, word = draw(word, left)
        rest = cards
        for _ in range(k):
            rest &= rest - 1
        card = lowest(rest)
        table[second] |= card
        cards ^= card
        left -= 1
    table[first] = cards


@kernel
def deal_world(rules, question, card_key, coin_key, index, scratch):
    """Deal world `index` into scratch.reached, in the view its coin chooses.

    Returns the view, or -1 where this index deals none, as some do not where seats have shown voids.
    """
    view = np.int64(word_at(coin_key, index) & np.uint64(7))
    table = scratch.reached
    start, pool, barred = question.starts[view], question.pools[view], question.barred[view]
    if barred[0] | barred[1] | barred[2] | barred[3]:
        if not deal_by_voids(rules, start, pool, barred, card_key, coin_key, index, table):
            return -1
    else:
        deal(rules, start, pool, scratch.unseen, card_key, coin_key, index, table)
    second = question.shared[view, 1]
    if second >= 0:
        first, known, n = question.shared[view, 0], question.shared[view, 2], question.shared[view, 3]
        share_cards(table, first, second, known, n, word_at(card_key, index))
    begin(rules, table)
    return view


@kernel
def luck_of(table, question):
    """A number below the reference weight, all alike: a world lighter than it is left out."""
    if question.reference >= ONE and question.events.shape[1] == 0:
        return 0
    return draw(word_at(table[COIN], LUCK), question.reference)[0]


@kernel
def lay_told(rules, table, what):
    """Play a card as told (printed order); False where the seat in TURN could not have played it."""
    card = trump_order(rules, what, table[AT_TRUMP])
    if not may_play(table[HAND + table[TURN]], table[LED]) & card:
        return False
    lay(rules, table, card)
    return True


@kernel
def may_return(rules, table, card, options):
    """Whether the partner in TURN may return this card: his highest trump, if he has one; options int64[, 2]."""
    for k in range(return_options(rules, table, options)):
        if options[k, 1] == card:
            return True
    return False


@kernel
def chance_at_random(options, n, verb, told):
    """The weight of an event said by coin: its share of the `n` events in int64[MAX_OPTIONS, 2]."""
    same = 0
    for k in range(n):
        if options[k, 0] == verb and (told == UNKNOWN or options[k, 1] == told):
            same += 1
    return ONE * same // max(n, 1)


@kernel
def chance_of(chosen_verb, chosen_what, verb, told):
    """The weight of an event told where a strategy chose one: ONE where they agree as far as the asker saw, else 0."""
    return ONE if chosen_verb == verb and (told == UNKNOWN or told == chosen_what) else 0


@kernel
def buried_if_told(rules, players, table):
    """What a dealer who would have left the upcard lays down, if told that he took it; printed order."""
    card = buried_card(rules, players, players[rules.n_seats - 1], table)
    return printed_order(rules, card, table[AT_TRUMP])


@kernel
def called_turn_up(rules, players, table, options, verb, told):
    """(the chance that the strategy in TURN does this, what it does where that is hidden)."""
    chosen, what = say_turn_up(rules, players, table, options)
    if told == UNKNOWN and chosen == LEAVE and verb == TAKE_UP:
        what = buried_if_told(rules, players, table)
    if players[players[table[TURN]] + IS_RANDOM]:
        n = options_turn_up(rules, table, options)
        if told == UNKNOWN and chosen != verb:
            what = options[1 + toss(table, PICKUP, 1, n - 1), 1]  # the first of them is to leave the upcard
        return chance_at_random(options, n, verb, told), what
    return chance_of(chosen, what, verb, told), what


@kernel
def called_bid(rules, players, table, options, verb, told):
    """As called_turn_up, in Bid Euchre, where what is hidden is never a choice between verbs."""
    chosen, what = say_bid(rules, players, table, options)
    if players[players[table[TURN]] + IS_RANDOM]:
        return chance_at_random(options, options_bid(rules, table, options), verb, told), what
    return chance_of(chosen, what, verb, told), what


@kernel
def reach_turn_up(rules, players, question, view, scratch, out_calls):
    """Bring a dealt table to the decision and return its weight, NO_WORLD where it is not to be tried.

    out_calls int64[n_events, 2]: worlds that came to each event, and those in which its seat would do it.
    """
    table = scratch.reached
    weight = ONE
    luck = luck_of(table, question)
    for k in range(question.events.shape[1]):
        verb, told = question.events[view, k, 0], question.events[view, k, 1]
        if table[AT_PHASE] == PLAY:
            if not lay_told(rules, table, told):
                return NO_WORLD
            scratch.whats[k] = told
            continue
        what = told
        if table[TURN] != question.asker:
            chance, hidden = called_turn_up(rules, players, table, scratch.options, verb, told)
            what = hidden if told == UNKNOWN else told
            out_calls[k, 0] += ONE
            out_calls[k, 1] += chance
            weight = weight * max(chance, question.floor) >> WEIGHT_BITS
            if weight <= luck:
                return NO_WORLD
        scratch.whats[k] = what
        call_turn_up(rules, table, verb, what)
    return weight


@kernel
def reach_bid(rules, players, question, view, scratch, out_calls):
    """As reach_turn_up, in Bid Euchre."""
    table = scratch.reached
    weight = ONE
    luck = luck_of(table, question)
    for k in range(question.events.shape[1]):
        verb, told = question.events[view, k, 0], question.events[view, k, 1]
        if table[AT_PHASE] == PLAY:
            if not lay_told(rules, table, told):
                return NO_WORLD
            scratch.whats[k] = told
            continue
        what = told
        if verb == HAND_BACK and told != UNKNOWN and not may_return(rules, table, told, scratch.options):
            return NO_WORLD
        if table[TURN] != question.asker:
            chance, hidden = called_bid(rules, players, table, scratch.options, verb, told)
            what = hidden if told == UNKNOWN else told
            out_calls[k, 0] += ONE
            out_calls[k, 1] += chance
            weight = weight * max(chance, question.floor) >> WEIGHT_BITS
            if weight <= luck:
                return NO_WORLD
        scratch.whats[k] = what
        call_bid(rules, table, verb, what)
    return weight


@kernel
def next_turn_up(rules, players, question, first, end, scratch, out_calls):
    """Deal worlds first, first + 1, ... until one is to be tried, and bring it to the decision in scratch.reached.

    Returns (the number after it, its view, its weight), or (end, -1, NO_WORLD) where none before `end` is.
    """
    card_key, coin_key = key_of(question.seed, CARDS), key_of(question.seed, COINS)
    for index in range(first, end):
        view = deal_world(rules, question, card_key, coin_key, index, scratch)
        if view >= 0:
            weight = reach_turn_up(rules, players, question, view, scratch, out_calls)
            if weight != NO_WORLD:
                return index + 1, view, weight
    return end, -1, NO_WORLD


@kernel
def next_bid(rules, players, question, first, end, scratch, out_calls):
    """As next_turn_up, in Bid Euchre."""
    card_key, coin_key = key_of(question.seed, CARDS), key_of(question.seed, COINS)
    for index in range(first, end):
        view = deal_world(rules, question, card_key, coin_key, index, scratch)
        if view >= 0:
            weight = reach_bid(rules, players, question, view, scratch, out_calls)
            if weight != NO_WORLD:
                return index + 1, view, weight
    return end, -1, NO_WORLD


@kernel
def units_of(question, weight):
    """The weight of a world that is tried, in sixteenths of the reference: what it counts.

    Cut at HEAVIEST, so that sums of squares over a chunk fit 64 bits: by the choice of the reference none is so heavy.
    """
    units = max(16 * weight + question.reference // 2, 16 * question.reference) // question.reference
    return min(units, HEAVIEST)
