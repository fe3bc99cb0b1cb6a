"""Turns a table in the play into the card that comes out best when the rest is played out often by the rules of thumb.

The seat in TURN deals the cards it cannot see in many ways that agree with what it knows: its own cards and those it
buried, the cards played, how many each seat holds, the voids shown, and the upcard that the dealer took. Late in the
play, where there are no more ways than that, it goes through all of them. It tries every card in each, all seats then
playing by the rules of thumb, and plays the one with the best mean; of equals that of the rules of thumb. No hidden
card enters the choice.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.bits import low_bit, popcount
from kernels.compile import kernel
from kernels.dice import draw, word_at
from kernels.exact import next_combination, spread
from kernels.order import lowest, trump_order
from kernels.play import choose_card, lay, nth_card, play_tricks
from kernels.score import doubled_points
from kernels.trick import may_play
from kernels.values import (
    AT_PHASE,
    AT_TRUMP,
    BEST,
    COIN,
    EVERY_LANE,
    GONE,
    HAND,
    IN_TRICK,
    LANE,
    LED,
    N_TRICKS,
    OUT,
    PLAY,
    SEEN,
    TAKEN,
    TURN,
    UP,
    VOID,
)
from kernels.worlds import copy_table

MOST_CARDS = 16
"""At least as many as a hand holds."""
TRIES = 6
"""How often cards are dealt blindly before those that showed voids are served first."""
TRYING = 1 << 13  # a place of the coin that no decision uses
DRAWS_PER_WORD = 6
LAST_PLACE = 63

# Places of a row of Search.ways: a combination of the cards a seat may hold, the cards left after it.
CHOSEN, LEFT = range(2)


class Search(NamedTuple):
    """Room for one thread to try cards in."""

    world: NDArray[np.int64]  # (TABLE_SIZE,) the table with its unseen cards dealt anew
    trial: NDArray[np.int64]  # (TABLE_SIZE,)
    unseen: NDArray[np.int64]  # (64,) one mask a card
    totals: NDArray[np.int64]  # (MOST_CARDS,) sums of doubled points
    ways: NDArray[np.int64]  # (MAX_SEATS, 2) CHOSEN and LEFT of each seat, where all worlds are gone through
    n_tried: int  # worlds in which each card is tried, at most


@kernel
def finish_play(rules, table):
    """Play all that is left of the tricks by the rules of thumb, in place."""
    if table[AT_PHASE] == PLAY:
        play_tricks(rules, table)


@kernel
def barred_to(table, seat):
    """int64 mask of the lanes of which a seat has shown itself void."""
    barred = 0
    for lane in range(4):
        if table[VOID + lane] >> seat & 1:
            barred |= (LANE << (16 * lane)) & EVERY_LANE
    return barred


@kernel
def n_barred(table, seat):
    """How many suits a seat has shown itself void of."""
    n = 0
    for lane in range(4):
        n += table[VOID + lane] >> seat & 1
    return n


@kernel
def one_of_each(rules, table, cards):
    """`cards` of one hand without those that the one below equals: no card still out lies between."""
    seat = table[TURN] & 3
    out = rules.pack_in_trump_order & ~(table[GONE] | table[HAND + seat] | table[SEEN + seat])
    if table[IN_TRICK]:
        out |= table[BEST]
    kept = 0
    below = 0
    rest = cards
    while rest:
        card = lowest(rest)
        rest ^= card
        between = (card - 1) & ~((below << 1) - 1)
        if rules.twins:
            between |= (card | below) << 1 | (card | below) >> 1
        is_same_lane = below != 0 and low_bit(below) >> 4 == low_bit(card) >> 4
        if not is_same_lane or between & out:
            kept |= card
        below = card
    return kept


@kernel
def held_upcard(rules, table, seat):
    """The upcard where all know that another dealer still holds it, in trump order; else 0."""
    dealer = rules.n_seats - 1
    if rules.bid or rules.discard_upcard or not table[TAKEN] or seat == dealer or table[OUT] >> dealer & 1:
        return 0
    return trump_order(rules, table[UP], table[AT_TRUMP]) & ~table[GONE]


@kernel
def deal_blindly(rules, table, up, unseen, n_unseen, key, world):
    """Deal the unseen cards to the other hands of `world`; False where one gets a suit it has shown itself void of."""
    me = table[TURN] & 3
    dealer = rules.n_seats - 1
    drawn = 0
    word = key
    fits = True
    for seat in range(rules.n_seats):
        if seat == me or table[OUT] >> seat & 1:
            continue
        hand = up if seat == dealer else 0
        for _ in range(popcount(table[HAND + seat]) - popcount(hand)):
            if drawn % DRAWS_PER_WORD == 0:
                word = word_at(key, drawn)
            k, word = draw(word, n_unseen - drawn)
            place = (drawn + k) & LAST_PLACE
            card = unseen[place]
            unseen[place] = unseen[drawn & LAST_PLACE]
            unseen[drawn & LAST_PLACE] = card
            drawn += 1
            hand |= card
        world[HAND + seat] = hand
        fits = fits and not hand & barred_to(table, seat)
    return fits


@kernel
def serve_voids_first(rules, table, up, rest, key, world):
    """Deal the cards of mask `rest`: who may hold fewest chooses first, of what he may hold while it lasts."""
    me = table[TURN] & 3
    dealer = rules.n_seats - 1
    for n_void in range(4, -1, -1):
        for seat in range(rules.n_seats):
            barred = barred_to(table, seat)
            if seat == me or table[OUT] >> seat & 1 or n_barred(table, seat) != n_void:
                continue
            hand = up if seat == dealer else 0
            word = word_at(key, 40 + seat)
            for _ in range(popcount(table[HAND + seat]) - popcount(hand)):
                may = rest & ~barred
                may = may if may else rest
                k, word = draw(word, popcount(may))
                card = nth_card(may, k)
                hand |= card
                rest ^= card
            world[HAND + seat] = hand


@kernel
def deal_again(rules, table, k, search):
    """Write the table as it may be, seen from the seat in TURN, for the k-th time, to search.world.

    search.unseen begins with the cards it cannot see, however ordered.
    """
    me = table[TURN] & 3
    world = search.world
    copy_table(table, world)
    up = held_upcard(rules, table, me)
    rest = rules.pack_in_trump_order & ~(table[GONE] | table[HAND + me] | table[SEEN + me] | up)
    n_unseen = popcount(rest)
    key = word_at(word_at(table[COIN], TRYING + table[N_TRICKS] * 4 + table[IN_TRICK]), k)
    fits = False
    for again in range(TRIES):
        if deal_blindly(rules, table, up, search.unseen, n_unseen, word_at(key, again), world):
            fits = True
            break
    if not fits:
        serve_voids_first(rules, table, up, rest, key, world)
    for seat in range(rules.n_seats):
        if seat != me:
            rest &= ~world[HAND + seat] if not table[OUT] >> seat & 1 else -1
    bury_some(rules, table, rest, world)


@kernel
def bury_some(rules, table, rest, world):
    """Others know what they buried: as many of the cards of mask `rest`, which nobody holds."""
    for seat in range(rules.n_seats):
        if seat == table[TURN] & 3 or not table[SEEN + seat]:
            continue
        world[SEEN + seat] = 0
        for _ in range(min(popcount(table[SEEN + seat]), popcount(rest))):
            card = lowest(rest)
            world[SEEN + seat] |= card
            rest ^= card


@kernel
def next_way(rules, table, up, unseen, is_first, search):
    """Write the next of all ways in which the cards of mask `unseen` can lie to search.world; False after the last one.

    Each other seat holds, one after another, every combination of what the seats before it have left and it may hold.
    """
    me = table[TURN] & 3
    dealer = rules.n_seats - 1
    ways = search.ways
    seat = 0 if is_first else dealer
    begins = is_first
    while 0 <= seat <= dealer:
        rest = ways[seat - 1, LEFT] if seat > 0 else unseen
        if seat == me or table[OUT] >> seat & 1:
            ways[seat, LEFT] = rest
            seat += 1 if begins else -1
            continue
        known = up if seat == dealer else 0
        pool = rest & ~(barred_to(table, seat) & EVERY_LANE)
        of, wants = popcount(pool), popcount(table[HAND + seat]) - popcount(known)
        first = (1 << wants) - 1
        if of < wants or (not begins and ways[seat, CHOSEN] == first << (of - wants)):
            begins = False
            seat -= 1
            continue
        ways[seat, CHOSEN] = first if begins else next_combination(ways[seat, CHOSEN])
        held = spread(ways[seat, CHOSEN], pool)
        search.world[HAND + seat] = held | known
        ways[seat, LEFT] = rest ^ held
        begins = True
        seat += 1
    return seat > dealer


@kernel
def are_too_many(rules, table, up, unseen, most):
    """Whether the cards of mask `unseen` can lie in more than `most` ways, as far as that is seen without voids."""
    ways = 1
    of = popcount(unseen)
    for seat in range(rules.n_seats):
        if seat == table[TURN] & 3 or table[OUT] >> seat & 1:
            continue
        if barred_to(table, seat):
            return False
        wants = popcount(table[HAND + seat]) - (popcount(up) if seat == rules.n_seats - 1 else 0)
        chosen = 1
        for k in range(wants):
            chosen = chosen * (of - k) // (k + 1)
        of -= wants
        ways *= chosen
        if ways > most:
            return True
    return False


@kernel
def n_ways(rules, table, up, unseen, search):
    """In how many ways the cards of mask `unseen` can lie, where these are no more than search.n_tried; else 0."""
    if are_too_many(rules, table, up, unseen, search.n_tried):
        return 0
    n = 0
    while n <= search.n_tried and next_way(rules, table, up, unseen, n == 0, search):
        n += 1
    return n if n <= search.n_tried else 0


@kernel
def rollout_card(rules, table, search):
    """The card (one bit, trump order) that the seat in TURN plays after trying each in search.n_tried worlds."""
    seat = table[TURN] & 3
    cards = one_of_each(rules, table, may_play(table[HAND + seat], table[LED]))
    usual = choose_card(rules, table)
    if not cards & (cards - 1):
        return usual
    totals = search.totals
    for i in range(MOST_CARDS):
        totals[i] = 0
    n_unseen = 0
    up = held_upcard(rules, table, seat)
    unseen = rules.pack_in_trump_order & ~(table[GONE] | table[HAND + seat] | table[SEEN + seat] | up)
    n_all = n_ways(rules, table, up, unseen, search)
    copy_table(table, search.world)
    rest = unseen
    while rest:
        search.unseen[n_unseen] = rest & -rest
        rest &= rest - 1
        n_unseen += 1
    for world in range(n_all if n_all else search.n_tried):
        if n_all:
            next_way(rules, table, up, unseen, world == 0, search)
            bury_some(rules, table, search.ways[rules.n_seats - 1, LEFT], search.world)
        else:
            deal_again(rules, table, world, search)
        i = 0
        rest = cards
        while rest:
            copy_table(search.world, search.trial)
            lay(rules, search.trial, rest & -rest)
            finish_play(rules, search.trial)
            totals[i] += doubled_points(rules, search.trial, seat)
            rest &= rest - 1
            i += 1
    return best_card(cards, usual, totals)


@kernel
def best_card(cards, usual, totals):
    """The card of the highest total; of equals the usual one, or else the lowest. The usual one stands for its like."""
    best = 0
    chosen = 0
    i = 0
    rest = cards
    while rest:
        card = rest & -rest
        above = rest & (rest - 1)
        is_usual = usual >= card and (above == 0 or usual < (above & -above))
        if i == 0 or totals[i] > best or (totals[i] == best and is_usual):
            best = totals[i]
            chosen = usual if is_usual else card
        rest = above
        i += 1
    return chosen


@kernel
def play_out_some_trying(rules, table, seats, search):
    """Play all that is left of the tricks, in place: the seats of a mask try their cards, the others do as usual."""
    while table[AT_PHASE] == PLAY:
        if seats >> table[TURN] & 1:
            lay(rules, table, rollout_card(rules, table, search))
        else:
            lay(rules, table, choose_card(rules, table))
