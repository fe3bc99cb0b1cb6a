"""Turns a table in the bidding of Bid Euchre into what may be bid, what a strategy bids, and what follows from it.

Levels are whole numbers in rising order: the number bids, then every trick with the partner (n_cards), ask
(n_cards + 1) and moon (n_cards + 2). After the auction the high bidder names trump and, in ask, cards are exchanged.
"""

from kernels.bits import popcount
from kernels.calling import add_option
from kernels.compile import kernel
from kernels.exchange import discard, returned_card
from kernels.order import printed_order, trump_order
from kernels.play import begin_play
from kernels.values import (
    ALONE,
    AT_PHASE,
    AT_TRUMP,
    BID,
    BURIED,
    CLAIM,
    CLAIMED,
    DONE,
    GIVE,
    GIVEN,
    HAND,
    HAND_BACK,
    HAND_OVER,
    HOW,
    KEPT,
    LANE,
    LAY_DOWN,
    LEVEL,
    MAKER,
    MAY_CLAIM,
    N_CALLS,
    N_GIVEN,
    N_RETURNED,
    OUT,
    PASS,
    PASSED,
    RETURN,
    RETURNED,
    SAY_BID,
    SAY_TRUMP,
    SEEN,
    TOLD,
    TOLD_SHIFT,
    TRUMP,
    TURN,
)
from kernels.vector import (
    BID_ASK,
    BID_FIRST,
    BID_JUMP,
    BID_MOON,
    BID_MOON_JACKS,
    BID_OPPONENT,
    BID_OPPONENT_STEP,
    BID_OVER_PARTNER,
    BID_PARTNER,
    BID_SECOND,
    BID_STEP,
    CLAIM_BELOW,
)
from kernels.worth import suit_worth

FIRST_LEVEL = 3
N_SEATS = 4
DEALER = 3


@kernel
def ask_level(rules):
    """The level of ask; moon is one higher."""
    return rules.n_cards + 1


@kernel
def is_stuck(rules, table):
    """Whether the dealer is the last to speak and nobody has bid."""
    others_passed = popcount(table[PASSED]) == N_SEATS - 1
    return rules.stick_the_dealer and table[TURN] == DEALER and table[LEVEL] == 0 and others_passed


@kernel
def may_claim(table):
    """Whether the seat may claim an ace-no-face hand: at its first turn to call."""
    return table[N_CALLS] < N_SEATS and table[MAY_CLAIM] >> table[TURN] & 1


# --- what may be said ---


@kernel
def bid_options(rules, table, out_options):
    """Pass, every higher level, and the claim."""
    n = 0 if is_stuck(rules, table) else add_option(out_options, 0, PASS, 0)
    for level in range(max(FIRST_LEVEL, table[LEVEL] + 1), rules.n_cards + 3):
        if level != rules.n_cards or rules.plain_six:
            n = add_option(out_options, n, SAY_BID, level)
    return add_option(out_options, n, CLAIM, 0) if may_claim(table) else n


@kernel
def trump_options(out_options):
    """Any of the four suits."""
    for suit in range(4):
        add_option(out_options, suit, SAY_TRUMP, suit)
    return 4


@kernel
def card_options(out_options, verb, cards):
    """One option for every card of a mask."""
    n = 0
    while cards:
        n = add_option(out_options, n, verb, cards & -cards)
        cards &= cards - 1
    return n


@kernel
def return_options(rules, table, out_options):
    """The partner's highest trump (either twin), or any card of his own where he has none."""
    own = trump_order(rules, table[HAND + table[TURN]] & ~table[GIVEN], table[AT_TRUMP])
    if own & LANE:
        best = returned_card(rules, own)
        own &= best | (best >> 1 & rules.lower_twins)
    return card_options(out_options, HAND_BACK, printed_order(rules, own, table[AT_TRUMP]))


# --- what a strategy says ---


@kernel
def best_suit(rules, players, who, hand):
    """(suit, worth) of the suit in which a hand in printed order is worth most."""
    chosen = 0
    best = -(1 << 40)
    for suit in range(4):
        value = suit_worth(rules, players, who, hand, suit)
        if value > best:
            best = value
            chosen = suit
    return chosen, best


@kernel
def choose_discard(rules, players, who, table):
    """(verb, what) of the joker game's dealer: the card that his best suit misses least."""
    hand = table[HAND + DEALER]
    suit = best_suit(rules, players, who, hand)[0]
    kept = trump_order(rules, table[KEPT + DEALER], suit)
    card = discard(rules, players, who, trump_order(rules, hand, suit), kept)
    return LAY_DOWN, printed_order(rules, card, suit)


@kernel
def number_bid(rules, players, who, seat, value, lowest):
    """The number a hand of this worth bids: `lowest` or more; 0 where it reaches no such level."""
    top = rules.n_cards if rules.plain_six else rules.n_cards - 1
    over = value - players[who + BID_SECOND + seat]
    if over >= 0:
        reach = min(FIRST_LEVEL + 1 + over // max(1, players[who + BID_STEP]), top)
    else:
        reach = FIRST_LEVEL if value >= players[who + BID_FIRST + seat] else 0
    if reach < lowest:
        return 0
    return reach if players[who + BID_JUMP] and seat != DEALER else lowest


@kernel
def has_jacks_for_moon(rules, players, who, hand):
    """Whether a hand (printed order) has so many jacks that the strategy shoots the moon on them alone."""
    enough = players[who + BID_MOON_JACKS]
    if enough == 0:
        return False
    jacks = rules.jacks | rules.jacks << 16
    return 100 * popcount(hand & (jacks | jacks << 32)) >= enough


@kernel
def choose_bid(rules, players, who, table):
    """(verb, what) of the seat to bid."""
    seat = table[TURN] & 3
    value = best_suit(rules, players, who, table[HAND + seat])[1]
    if may_claim(table) and value < players[who + CLAIM_BELOW]:
        return CLAIM, 0
    standing = table[LEVEL]
    if value >= players[who + BID_MOON + seat] or has_jacks_for_moon(rules, players, who, table[HAND + seat]):
        return SAY_BID, ask_level(rules) + 1
    if value >= players[who + BID_ASK + seat] and standing < ask_level(rules):
        return SAY_BID, ask_level(rules)
    if standing and table[MAKER] == seat ^ 2:
        value -= players[who + BID_OVER_PARTNER]
    elif standing:
        value -= players[who + BID_OPPONENT] + players[who + BID_OPPONENT_STEP] * max(0, standing - FIRST_LEVEL)
        if table[N_CALLS] >= 2 and not table[PASSED] >> (seat ^ 2) & 1:
            value += players[who + BID_PARTNER]
    bid = number_bid(rules, players, who, seat, value, max(FIRST_LEVEL, standing + 1))
    if bid == 0 and is_stuck(rules, table):
        bid = FIRST_LEVEL
    return (SAY_BID, bid) if bid else (PASS, 0)


@kernel
def suit_is_told(table):
    """Whether an option of `ask` told the suit with the bid that stands."""
    return table[TOLD] >= 0 and table[TOLD] >> 2 == table[MAKER]


@kernel
def choose_trump(rules, players, who, table):
    """(verb, what) of the high bidder; a suit told with the bid stands."""
    if suit_is_told(table):
        return SAY_TRUMP, table[TOLD] & 3
    return SAY_TRUMP, best_suit(rules, players, who, table[HAND + table[MAKER]])[0]


@kernel
def choose_give(rules, players, who, table):
    """(verb, what) of the bidder who asks: the card he misses least."""
    trump = table[AT_TRUMP]
    maker = table[MAKER]
    kept = trump_order(rules, table[KEPT + maker], trump)
    card = discard(rules, players, who, trump_order(rules, table[HAND + maker], trump), kept)
    return HAND_OVER, printed_order(rules, card, trump)


@kernel
def choose_return(rules, table):
    """(verb, what) of the asked partner: his highest trump, else his highest card."""
    own = table[HAND + table[TURN]] & ~table[GIVEN]
    kept = trump_order(rules, own & table[KEPT + table[MAKER]], table[AT_TRUMP])
    own = trump_order(rules, own, table[AT_TRUMP])
    card = kept if kept and not own & LANE else own
    return HAND_BACK, printed_order(rules, returned_card(rules, card), table[AT_TRUMP])


# --- what follows from it ---


@kernel
def apply_discard(table, what):
    """The joker game's dealer lays his seventh card down."""
    table[HAND + DEALER] ^= what
    table[BURIED] |= what
    table[SEEN + DEALER] = what
    table[AT_PHASE] = BID
    table[TURN] = 0


@kernel
def apply_bid(rules, table, verb, what):
    """A pass, a bid or a claim."""
    seat = table[TURN] & 3
    if verb == CLAIM:
        table[CLAIMED] = 1
        table[AT_PHASE] = DONE
        return
    table[N_CALLS] += 1
    if verb == PASS:
        table[PASSED] |= 1 << seat
    else:
        table[LEVEL] = what & ((1 << TOLD_SHIFT) - 1)
        table[MAKER] = seat
        if what >> TOLD_SHIFT:
            table[TOLD] = seat << 2 | ((what >> TOLD_SHIFT) - 1)
    if auction_is_over(rules, table):
        end_auction(rules, table)
        return
    seat = (seat + 1) % N_SEATS
    while rules.until_three_pass and table[PASSED] >> seat & 1:
        seat = (seat + 1) % N_SEATS
    table[TURN] = seat


@kernel
def auction_is_over(rules, table):
    """A moon; one turn each, or a bid that stands with the three others out, or all four out."""
    if table[LEVEL] == ask_level(rules) + 1:
        return True
    if not rules.until_three_pass:
        return table[N_CALLS] == N_SEATS
    n_passed = popcount(table[PASSED])
    return n_passed == N_SEATS or (n_passed == N_SEATS - 1 and table[LEVEL] > 0)


@kernel
def end_auction(rules, table):
    """The high bidder names trump; without one the deal is thrown in."""
    if table[LEVEL] == 0:
        table[AT_PHASE] = DONE
        return
    maker = table[MAKER]
    table[HOW] = table[LEVEL]
    if table[LEVEL] >= ask_level(rules):
        table[ALONE] = 1 << maker
        table[OUT] = 1 << (maker ^ 2)
    table[AT_PHASE] = TRUMP
    table[TURN] = maker


@kernel
def apply_trump(rules, table, what):
    """Trump is named: on to the exchange or the play."""
    table[AT_TRUMP] = what
    if table[HOW] == ask_level(rules):
        table[AT_PHASE] = GIVE
        return
    begin_play(rules, table)


@kernel
def apply_give(rules, table, what):
    """A card to the partner; after the last of them he returns as many."""
    maker = table[MAKER]
    table[HAND + maker] ^= what
    table[HAND + (maker ^ 2)] |= what
    table[GIVEN] |= what
    table[SEEN + maker] |= what
    table[N_GIVEN] += 1
    if table[N_GIVEN] == rules.exchange:
        table[AT_PHASE] = RETURN
        table[TURN] = maker ^ 2


@kernel
def apply_return(rules, table, what):
    """A card back to the bidder."""
    maker = table[MAKER]
    table[HAND + (maker ^ 2)] ^= what
    table[HAND + maker] |= what
    table[RETURNED] |= what
    table[N_RETURNED] += 1
    if table[N_RETURNED] == rules.exchange:
        begin_play(rules, table)
