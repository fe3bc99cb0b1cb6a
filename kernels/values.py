"""The values that cross the border into the kernels: Rules, the table, and the words for its places.

All are integers. A mask has one lane of 16 bits a suit; a higher bit in a lane is a better card.

* printed order: lanes clubs, diamonds, hearts, spades = 0, 1, 2, 3, so the next suit of s is s ^ 3; single packs have
  7 8 9 T J Q K A at bits 0 to 7 of a lane, the double pack 9 T J Q K A at bit pairs 0 to 10.
* trump order: lane of suit s is s ^ trump, so lane 0 is trump, lane 3 next, lanes 1 and 2 green. The bowers stand on
  top of lane 0 (bits 8 and 9; double: pairs 12 and 14).
* the joker is bit 10 of lane 0 in both orders.
"""

from typing import Any, NamedTuple

import numpy as np

from kernels.compile import JIT

LANE = 0xFFFF
"""The trumps, in trump order; the first suit, in printed order."""
EVERY_LANE = 0x7FFF_FFFF_FFFF_FFFF
JOKER = 1 << 10
CERTAIN = 1 << 53
"""A chance of one."""
THREE = 3
FOUR = 4
MAX_SEATS = 4
MAX_SIDES = 3
NEXT_LANE = 3
KING = 1 << 6
"""Of trumps, in a single pack."""


class Rules(NamedTuple):
    """A game and its house rules as integers; yes is 1, no is 0."""

    bid: int  # Bid Euchre, not a turn-up game
    n_seats: int
    n_cards: int  # in a hand, so tricks in a deal too
    twins: int  # every card twice
    joker: int
    pack: int  # mask of all cards, printed order
    pack_in_trump_order: int  # the same for every trump
    jacks: int  # mask of the first suit's jack or jacks, printed order
    left_shift: int  # from a jack's bit to the left bower's
    right_shift: int
    lower_twins: int  # mask of the first of each pair of twins; 0 in a single pack
    top_ranks: int  # mask of the aces
    stick_the_dealer: int
    turned_down_barred: int
    pickup_compulsory: int
    discard_upcard: int
    partner_orders_alone: int
    joker_is_hearts: int  # what a turned joker stands for: hearts, or a blind pick of the dealer
    both_alone_lead: int  # 0 defender, 1 maker, 2 eldest
    lone_maker_march: int
    lone_march: int
    loner_euchred: int
    defend_alone: int
    lone_lead: int  # 0 eldest (turn-up) or bidder, 1 left of the maker or bidder
    ace_no_face: int
    plain_six: int
    until_three_pass: int
    exchange: int
    failed_value: int
    defenders_score: int  # 0 always, 1 when set, 2 never
    renege_caught: int  # -1 nobody can renege; else the chance that an illegal play is noticed, in parts of CERTAIN


RULES_DTYPE = np.dtype([(name, np.int64) for name in Rules._fields])


def rules_record(rules: Rules) -> Any:
    """The rules as kernels take them: one record, so a call hands on one pointer and not every field.

    With the JIT off the tuple itself serves: its fields have the same names.
    """
    return np.array([tuple(rules)], RULES_DTYPE).view(np.recarray)[0] if JIT else rules


# What a table is waiting for: its phase.
ORDER, PICKUP, NAME, DUMMY, KEEP, DEFEND, DISCARD, BID, TRUMP, GIVE, RETURN, PLAY, DONE = range(13)
PHASES = (
    "order", "pickup", "name", "dummy", "keep", "defend", "discard", "bid", "trump", "give", "return", "play", "done",
)  # fmt: skip
WHETHER_TO_RENEGE, WHETHER_NOTICED = DONE + 1, DONE + 2  # coins that belong to no phase

# What a seat can say or do: the verb of an event. An event is (verb, what).
PASS = 0  # what: 0
SAY_ORDER = 1  # what: 1 alone, 0 with partner
SAY_NAME = 2  # what: suit, + 4 if alone
TAKE_UP = 3  # what: the card discarded
LEAVE = 4  # what: 0
TAKE_DUMMY = 5  # what: 0; KEEP_FIVE follows
KEEP_FIVE = 6  # what: mask of the cards kept
GO_ALONE = 7  # what: 0
TOGETHER = 8  # what: 0
LAY_DOWN = 9  # what: the card discarded (bid with joker)
CLAIM = 10  # what: 0
SAY_BID = 11  # what: level (in `ask` with the suit told, see TOLD_SHIFT)
SAY_TRUMP = 12  # what: suit
HAND_OVER = 13  # what: card (ask: bidder to partner)
HAND_BACK = 14  # what: card
LAY = 15  # what: card (a play)
N_VERBS = 16
WITH_CARDS = frozenset({TAKE_UP, KEEP_FIVE, LAY_DOWN, HAND_OVER, HAND_BACK, LAY})
"""Verbs whose what is a mask of cards."""
TOLD_SHIFT = 8
"""A bid of `ask`'s options tells its suit: level | (suit + 1) << TOLD_SHIFT."""

# How a contract was called, in the turn-up games (in bid the level stands in its place).
BY_ORDER, BY_ORDER_ALONE, BY_NAME, BY_NAME_ALONE = range(4)

# The table: int64[TABLE_SIZE], one deal in progress. Seats count from 0, the dealer's left; the dealer is last.
AT_PHASE = 0
TURN = 1  # the seat to act
HAND = 2  # +seat: mask, printed order; trump order from the first lead on
AT_DUMMY = 6  # mask, printed order
UP = 7  # mask of the upcard, printed order; 0 in bid
UP_SUIT = 8  # the suit it proposes; -1 before the deal, where the upcard is still to be turned
AT_TRUMP = 9  # suit, -1 while open
MAKER = 10  # seat, -1 while open (bid: the high bidder)
LEVEL = 11  # bid: the standing level, 0 none; n_cards + 1 ask, n_cards + 2 moon
HOW = 12  # BY_..., or the level of the contract
PASSED = 13  # mask of seats that passed (bid)
N_CALLS = 14  # calls made so far in this round of calling (bid: in the auction)
ALONE = 15  # mask of seats alone
OUT = 16  # mask of seats that sit out
MAKING = 17  # mask of the maker's side
TAKEN = 18  # 1: the dealer took the upcard
BURIED = 19  # mask, printed order: discarded and laid-away cards
N_GIVEN = 20
N_RETURNED = 21
GIVEN = 22  # mask, printed order
RETURNED = 23
MAY_CLAIM = 24  # mask of seats dealt an ace and no face card
CLAIMED = 25  # 1: the deal was claimed by the seat in TURN
TOLD = 26  # suit + 4 * seat that an option of `ask` told with its bid, -1 none
N_DEFENDS = 27  # defenders asked so far
LEADER = 28
IN_TRICK = 29  # cards in the present trick
BEST = 30  # the winning card so far, trump order
WINNER = 31  # the seat that laid it
LED = 32  # mask of the lane led
N_TRICKS = 33  # tricks finished
TRICKS = 34  # +seat: tricks taken
GONE = 38  # mask, trump order: cards all have seen and none holds
SEEN = 39  # +seat: mask, trump order: buried cards that only this seat knows
VOID = 43  # +lane: mask of the seats that have shown themselves void of it
POINTS = 47  # +seat (turn-up: per seat; four players: per side)
COIN = 51  # 63-bit key of the deal's coin flips
NEED = 52  # +seat: cards still to be dealt
NEED_DUMMY = 56
NEED_UP = 57
AHEAD = 58  # the seats after each seat, one nibble each, those that sit out left out
N_ACTIVE = 59  # seats that play
KEPT = 60  # +seat: mask, printed order: cards the seat is known to play later, so that it buries none of them
RENEGED = 64  # illegal plays of each seat, a byte each
CAUGHT = 65  # ... those that were noticed
TABLE_SIZE = 66

MAX_OPTIONS = 256
MAX_EVENTS = 96
