"""Turns a table in trump order into the next card and what follows from it, until the last trick is taken.

`lay` is the rules; `choose_card` asks the rules of thumb, `lead` and `follow`; `play_tricks` does both at once.
"""

from kernels.bits import low_bit, popcount
from kernels.compile import kernel
from kernels.dice import draw, word_at
from kernels.follow import follow_card
from kernels.lead import lead_card
from kernels.order import lane_of, lowest, trump_order
from kernels.score import score
from kernels.seats import first_active, first_leader, next_seat
from kernels.trick import beating, may_play
from kernels.values import (
    AHEAD,
    AT_PHASE,
    AT_TRUMP,
    BEST,
    CAUGHT,
    CERTAIN,
    COIN,
    DONE,
    FOUR,
    GONE,
    HAND,
    IN_TRICK,
    LEADER,
    LED,
    MAKER,
    MAKING,
    N_ACTIVE,
    N_TRICKS,
    OUT,
    PLAY,
    RENEGED,
    SEEN,
    TAKEN,
    TRICKS,
    TURN,
    UP,
    VOID,
    WHETHER_NOTICED,
    WINNER,
)

ALL_AHEAD = 0x321  # the next of seats 0, 1, 2; the last one's is 0


@kernel
def begin_play(rules, table):
    """Fix trump order, sides, who plays and who leads; the table is then at the first lead."""
    n = rules.n_seats
    trump = table[AT_TRUMP]
    maker = table[MAKER]
    table[MAKING] = 1 << maker | 1 << (maker ^ 2) if n == FOUR else 1 << maker
    for seat in range(n):
        table[HAND + seat] = trump_order(rules, table[HAND + seat], trump)
        if table[SEEN + seat]:
            table[SEEN + seat] = trump_order(rules, table[SEEN + seat], trump)
    if not table[TAKEN]:
        table[GONE] = trump_order(rules, table[UP], trump)
    ahead = ALL_AHEAD & ((1 << (4 * (n - 1))) - 1)
    if table[OUT]:
        ahead = 0
        for seat in range(n):
            ahead |= first_active(rules, table, next_seat(rules, seat)) << (4 * seat)
    table[AHEAD] = ahead
    table[N_ACTIVE] = n - popcount(table[OUT])
    table[TURN] = first_active(rules, table, first_leader(rules, table))
    table[AT_PHASE] = PLAY


@kernel
def lay(rules, table, card):
    """The seat in TURN plays one card (a bit of its hand, trump order); the trick, and the deal, end when they do.

    A card that breaks suit stands as played, and is counted.
    """
    seat = table[TURN] & 3
    in_trick = table[IN_TRICK] + 1
    table[HAND + seat] ^= card
    table[GONE] |= card
    if in_trick == 1:
        table[LEADER] = seat
        table[LED] = lane_of(card)
        winner = seat
        table[BEST] = card
    else:
        led = table[LED]
        best = table[BEST]
        wins = card & beating(rules, best)
        winner = seat if wins else table[WINNER]
        table[VOID + (low_bit(led) >> 4)] |= 0 if card & led else 1 << seat
        if not card & led and table[HAND + seat] & led:
            note_renege(rules, table)
        table[BEST] = card if wins else best
    table[WINNER] = winner
    if in_trick < table[N_ACTIVE]:
        table[IN_TRICK] = in_trick
        table[TURN] = table[AHEAD] >> (4 * seat) & 15
        return
    table[TRICKS + winner] += 1
    table[N_TRICKS] += 1
    table[IN_TRICK] = 0
    table[LED] = 0
    table[TURN] = winner
    if table[N_TRICKS] == rules.n_cards:
        score(rules, table)
        table[AT_PHASE] = DONE


@kernel
def note_renege(rules, table):
    """Count an illegal play of the seat in TURN, and whether the others notice it, by a coin of its own."""
    once = 1 << (8 * table[TURN])
    table[RENEGED] += once
    if toss(table, WHETHER_NOTICED, table[N_TRICKS], CERTAIN) < rules.renege_caught:
        table[CAUGHT] += once


@kernel
def choose_card(rules, table):
    """The card the seat in TURN plays by the rules of thumb (one bit, trump order)."""
    seat = table[TURN] & 3
    hand = table[HAND + seat]
    if not hand & (hand - 1):
        return hand
    unseen = rules.pack_in_trump_order & ~(table[GONE] | hand | table[SEEN + seat])
    if table[IN_TRICK] == 0:
        return lead_card(rules, table, seat, hand, unseen)
    left = table[N_ACTIVE] - table[IN_TRICK] - 1
    return follow_card(rules, table, seat, hand, unseen, table[LED], table[BEST], table[WINNER], left)


@kernel
def play_tricks(rules, table):
    """Play all that is left of the tricks by the rules of thumb: `lay` of each `choose_card`, held in registers."""
    ahead = table[AHEAD]
    n_active = table[N_ACTIVE]
    in_trick = table[IN_TRICK]
    led = table[LED]
    best = table[BEST]
    winner = table[WINNER]
    seat = table[TURN] & 3
    rest = rules.pack_in_trump_order & ~table[GONE]
    for _ in range(table[N_TRICKS], rules.n_cards):
        if in_trick == 0:
            hand = table[HAND + seat]
            card = hand
            if hand & (hand - 1):
                card = lead_card(rules, table, seat, hand, rest & ~(hand | table[SEEN + seat]))
            table[HAND + seat] = hand ^ card
            rest &= ~card
            led = lane_of(card)
            best = card
            winner = seat
            in_trick = 1
            seat = ahead >> (4 * seat) & 3
        lane = low_bit(led) >> 4
        for left in range(n_active - in_trick - 1, -1, -1):
            hand = table[HAND + seat]
            card = hand
            if hand & (hand - 1):
                unseen = rest & ~(hand | table[SEEN + seat])
                card = follow_card(rules, table, seat, hand, unseen, led, best, winner, left)
            table[HAND + seat] = hand ^ card
            rest &= ~card
            table[VOID + lane] |= 0 if card & led else 1 << seat
            wins = card & beating(rules, best)
            best = card if wins else best
            winner = seat if wins else winner
            seat = ahead >> (4 * seat) & 3
        table[TRICKS + winner] += 1
        seat = winner
        in_trick = 0
    table[N_TRICKS] = rules.n_cards
    score(rules, table)
    table[AT_PHASE] = DONE


@kernel
def nth_card(cards, n):
    """The n-th lowest bit of a mask, from 0."""
    for _ in range(n):
        cards &= cards - 1
    return lowest(cards)


@kernel
def toss(table, phase, count, n):
    """A number below `n` from the coin of (deal, seat to act, phase, count), so no other choice shifts it."""
    place = (table[TURN] * 16 + phase) * 64 + count
    return draw(word_at(table[COIN], place), n)[0]


@kernel
def random_card(rules, table):
    """A card drawn evenly from those that may be played; twins count once."""
    may = may_play(table[HAND + table[TURN]], table[LED])
    may &= ~((may & rules.lower_twins) << 1)
    return nth_card(may, toss(table, PLAY, table[N_TRICKS], popcount(may)))
