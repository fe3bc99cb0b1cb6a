"""Turns open positions as they lie on the table, seat by seat, into what a side takes: the doors of the solver.

They stand apart from the other doors, so that no other question waits for the solver to be compiled.

A position is four hands in trump order in seat order, empty where a seat sits out or there is none; cards played to the
trick in progress are put back into the hands, and `played` is their mask.
"""

from kernels.bits import popcount
from kernels.bounds import once_each
from kernels.compile import hot_door, kernel
from kernels.order import lane_of, lowest, printed_order, trump_order
from kernels.solver import Goal, value
from kernels.trick import beating, may_play
from kernels.values import FOUR

MAX_CARDS = 16


@kernel
def from_leader(hands, leader, side):
    """(hands counted from the leader's, how many players, the side's mask of players) of int64[4] and a seat mask."""
    a = hands[leader]
    b = c = d = 0
    n = 1
    mask = side >> leader & 1
    for k in range(1, FOUR):
        seat = (leader + k) & 3
        hand = hands[seat]
        if hand:
            b, c, d = (hand if n == 1 else b), (hand if n == 2 else c), (hand if n == 3 else d)
            mask |= (side >> seat & 1) << n
            n += 1
    return (a, b, c, d), n, mask


@kernel
def led_and_best(rules, hands, played):
    """(mask of the lane led, the winning card, its player) of a trick in progress; (0, 0, 0) before the lead."""
    led = best = winner = 0
    for player in range(FOUR):
        card = hands[player] & played
        if player == 0 and card:
            led, best = lane_of(card), card
        elif card and card & beating(rules, best):
            best = card
            winner = player
    return led, best, winner


@hot_door
def solve_positions(rules, memory, hands, leaders, sides, played, out_tricks):
    """Write what a side takes from each of n positions to out_tricks int64[n].

    `hands` int64[n, 4]; `leaders` int64[n] seats; `sides` int64[n] masks of seats; `played` int64[n] masks.
    """
    for i in range(len(out_tricks)):
        players, n, side = from_leader(hands[i], leaders[i], sides[i])
        out_tricks[i] = value(rules, memory, players, Goal(n, side, popcount(players[0]), 0), played[i])


@hot_door
def solve_cards(rules, memory, hands, leader, side, played, out_cards, out_tricks):
    """Write every card that may be played now to out_cards int64[MAX_CARDS], lowest first; returns how many.

    out_tricks int64[MAX_CARDS] has what `side` (a seat mask) takes, this trick included, if that card is played.
    `hands` int64[4], `leader` a seat, `played` a mask of less than a whole trick.
    """
    players, n, mask = from_leader(hands, leader, side)
    led, best, _ = led_and_best(rules, players, played)
    hand = players[popcount(played)]
    others = (players[0] | players[1] | players[2] | players[3]) & ~(hand | played) | best
    cards = may_play(hand, led)
    tried = once_each(rules, cards, hand, others)
    count = 0
    tricks = 0
    while cards:
        card = lowest(cards)
        cards ^= card
        if card & tried:  # else it is the equal of the one before
            tricks = value(rules, memory, players, Goal(n, mask, popcount(players[0]), tricks), played | card)
        out_cards[count] = card
        out_tricks[count] = tricks
        count += 1
    return count


@hot_door
def trick_winner(rules, hands, leader, played):
    """The seat that is winning the trick in progress; arguments as in solve_cards."""
    players, _, _ = from_leader(hands, leader, 0)
    _, best, _ = led_and_best(rules, players, played)
    for seat in range(FOUR):
        if hands[seat] & best:
            return seat
    return leader


@hot_door
def into_trump_order(rules, trump, cards):
    """Bring `cards`, int64[n] masks in printed order, into trump order, in place."""
    for i in range(len(cards)):
        cards[i] = trump_order(rules, cards[i], trump)


@hot_door
def into_printed_order(rules, trump, cards):
    """The inverse of into_trump_order."""
    for i in range(len(cards)):
        cards[i] = printed_order(rules, cards[i], trump)
