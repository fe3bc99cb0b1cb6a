"""Turns hands of the seat to call into what each is worth there to its strategy, and from what worth on it calls.

The same numbers that calling.choose_order, calling.choose_name and auction.choose_bid compare.
"""

from kernels.auction import FIRST_LEVEL, ask_level, best_suit
from kernels.calling import PARTNER_OF_DEALER, order_worth
from kernels.compile import door, kernel
from kernels.values import AT_PHASE, FOUR, HAND, LEVEL, MAKER, N_CALLS, NEXT_LANE, ORDER, PASSED, TURN, UP_SUIT
from kernels.vector import (
    BID_ASK,
    BID_FIRST,
    BID_MOON,
    BID_OPPONENT,
    BID_OPPONENT_STEP,
    BID_OVER_PARTNER,
    BID_PARTNER,
    BID_SECOND,
    BID_STEP,
    CALL_CROSS,
    CALL_NEXT,
    CALL_ORDER,
    CALL_ORDER_ALONE,
)
from kernels.worth import suit_worth


@kernel
def order_strength(rules, players, who, table):
    """(worth, threshold) of ordering in round one; of going alone where that is the only order there is."""
    seat = table[TURN] & 3
    own, alone = order_worth(rules, players, who, table, seat)
    threshold = players[who + CALL_ORDER + seat]
    if rules.n_seats == FOUR and rules.partner_orders_alone and seat == PARTNER_OF_DEALER:
        return alone, max(players[who + CALL_ORDER_ALONE + seat], threshold + alone - own)
    return own, threshold


@kernel
def name_strength(rules, players, who, table):
    """(worth, threshold) of the suit furthest above its threshold in round two."""
    seat = table[TURN] & 3
    worth, threshold = 0, 1 << 40
    for suit in range(4):
        if suit == table[UP_SUIT] and rules.turned_down_barred:
            continue
        value = suit_worth(rules, players, who, table[HAND + seat], suit)
        is_next = suit == table[UP_SUIT] ^ NEXT_LANE
        least = players[who + (CALL_NEXT if is_next else CALL_CROSS) + seat]
        if value - least > worth - threshold:
            worth, threshold = value, least
    return worth, threshold


@kernel
def bid_strength(rules, players, who, table):
    """(worth of the best suit, threshold of the lowest bid that may be made, or of ask or moon if that is lower)."""
    seat = table[TURN] & 3
    worth = best_suit(rules, players, who, table[HAND + seat])[1]
    standing = table[LEVEL]
    threshold = players[who + BID_MOON + seat]
    if standing < ask_level(rules):
        threshold = min(threshold, players[who + BID_ASK + seat])
    lowest = max(FIRST_LEVEL, standing + 1)
    if lowest <= (rules.n_cards if rules.plain_six else rules.n_cards - 1):
        least = players[who + BID_SECOND + seat]
        if lowest == FIRST_LEVEL:
            least = min(least, players[who + BID_FIRST + seat])
        else:
            least += (lowest - FIRST_LEVEL - 1) * max(1, players[who + BID_STEP])
        if standing and table[MAKER] == seat ^ 2:
            least += players[who + BID_OVER_PARTNER]
        elif standing:
            least += players[who + BID_OPPONENT] + players[who + BID_OPPONENT_STEP] * max(0, standing - FIRST_LEVEL)
            if table[N_CALLS] >= 2 and not table[PASSED] >> (seat ^ 2) & 1:
                least -= players[who + BID_PARTNER]
        threshold = min(threshold, least)
    return worth, threshold


@door
def strengths_turn_up(rules, players, table, hands, out):
    """Write (worth, threshold), hundredths, of each hand to out int64[n, 2].

    hands int64[n] in printed order, of the seat in TURN of `table` int64[TABLE_SIZE], whose hand is changed.
    """
    seat = table[TURN] & 3
    who = players[seat]
    for k in range(len(hands)):
        table[HAND + seat] = hands[k]
        if table[AT_PHASE] == ORDER:
            out[k, 0], out[k, 1] = order_strength(rules, players, who, table)
        else:
            out[k, 0], out[k, 1] = name_strength(rules, players, who, table)


@door
def strengths_bid(rules, players, table, hands, out):
    """As strengths_turn_up, in Bid Euchre."""
    seat = table[TURN] & 3
    who = players[seat]
    for k in range(len(hands)):
        table[HAND + seat] = hands[k]
        out[k, 0], out[k, 1] = bid_strength(rules, players, who, table)
