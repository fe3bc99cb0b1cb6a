"""Turns a table in the calling of a turn-up game into what may be said, what a strategy says, and what follows from it.

Round one orders the upcard's suit, round two names another; then the dealer picks up, the three-handed maker takes
the dummy or goes alone, and defenders may go alone.
"""

from kernels.bits import popcount
from kernels.compile import kernel
from kernels.exchange import discard, keep_five
from kernels.order import printed_order, trump_order
from kernels.play import begin_play
from kernels.seats import next_seat
from kernels.values import (
    ALONE,
    AT_DUMMY,
    AT_PHASE,
    AT_TRUMP,
    BURIED,
    BY_NAME,
    BY_ORDER,
    DEFEND,
    DONE,
    DUMMY,
    FOUR,
    GO_ALONE,
    HAND,
    HOW,
    KEEP,
    KEEP_FIVE,
    KEPT,
    LANE,
    LEAVE,
    MAKER,
    N_CALLS,
    N_DEFENDS,
    NAME,
    NEXT_LANE,
    ORDER,
    OUT,
    PASS,
    PICKUP,
    SAY_NAME,
    SAY_ORDER,
    SEEN,
    TAKE_DUMMY,
    TAKE_UP,
    TAKEN,
    THREE,
    TOGETHER,
    TURN,
    UP,
    UP_SUIT,
)
from kernels.vector import (
    CALL_CROSS,
    CALL_NAME_ALONE,
    CALL_NEXT,
    CALL_ORDER,
    CALL_ORDER_ALONE,
    DEFEND_ALONE,
    DUMMY_ALONE,
    PICKUP_MARGIN,
    TRUMPS_AT,
    UPCARD_OPPONENT,
    UPCARD_PARTNER,
)
from kernels.worth import suit_worth, worth

SAID_ALONE = 4  # added to the suit in SAY_NAME
PARTNER_OF_DEALER = 1


@kernel
def add_option(out, n, verb, what):
    """Write option `n` to out_options int64[MAX_OPTIONS, 2]; returns n + 1."""
    out[n, 0] = verb
    out[n, 1] = what
    return n + 1


# --- what may be said ---


@kernel
def must_call(rules, table):
    """Whether the seat to call in round two is a dealer who may not pass."""
    return rules.stick_the_dealer and table[TURN] == rules.n_seats - 1


@kernel
def order_options(rules, table, out_options):
    """Round one: pass, order, order alone."""
    n = add_option(out_options, 0, PASS, 0)
    only_alone = rules.partner_orders_alone and table[TURN] == PARTNER_OF_DEALER
    if not only_alone:
        n = add_option(out_options, n, SAY_ORDER, 0)
    if rules.n_seats == FOUR:
        n = add_option(out_options, n, SAY_ORDER, 1)
    return n


@kernel
def name_options(rules, table, out_options):
    """Round two: pass, or a suit, with partner or alone."""
    n = 0 if must_call(rules, table) else add_option(out_options, 0, PASS, 0)
    for suit in range(4):
        if suit == table[UP_SUIT] and rules.turned_down_barred:
            continue
        n = add_option(out_options, n, SAY_NAME, suit)
        if rules.n_seats == FOUR:
            n = add_option(out_options, n, SAY_NAME, suit + SAID_ALONE)
    return n


@kernel
def may_leave(rules, table):
    """Whether the ordered dealer may leave the upcard: never when he ordered himself."""
    return not rules.pickup_compulsory and table[MAKER] != rules.n_seats - 1


@kernel
def pickup_options(rules, table, out_options):
    """Leave the upcard, or take it and discard one card."""
    n = add_option(out_options, 0, LEAVE, 0) if may_leave(rules, table) else 0
    cards = table[HAND + rules.n_seats - 1] | (table[UP] if rules.discard_upcard else 0)
    while cards:
        n = add_option(out_options, n, TAKE_UP, cards & -cards)
        cards &= cards - 1
    return n


@kernel
def keep_options(rules, table, out_options):
    """Every five of the maker's ten cards."""
    cards = table[HAND + table[MAKER]] | table[AT_DUMMY]
    n = 0
    for subset in range(1 << popcount(cards)):
        if popcount(subset) != rules.n_cards:
            continue
        which = subset
        rest = cards
        kept = 0
        while rest:
            if which & 1:
                kept |= rest & -rest
            which >>= 1
            rest &= rest - 1
        n = add_option(out_options, n, KEEP_FIVE, kept)
    return n


# --- what a strategy says ---


@kernel
def order_worth(rules, players, who, table, seat):
    """(worth of ordering, of ordering alone): the hand with the upcard where it goes."""
    suit = table[UP_SUIT]
    hand = trump_order(rules, table[HAND + seat], suit)
    up = up_in_trump_order(rules, table)
    if seat == rules.n_seats - 1:
        six = hand | up
        own = worth(players, who, six ^ discard(rules, players, who, six, 0 if rules.discard_upcard else up))
        return own, own
    own = worth(players, who, hand)
    gift = players[who + TRUMPS_AT + (up & LANE)]
    if rules.n_seats == FOUR and seat == PARTNER_OF_DEALER:
        return own + gift * players[who + UPCARD_PARTNER] // 100, own
    own -= gift * players[who + UPCARD_OPPONENT] // 100
    return own, own


@kernel
def up_in_trump_order(rules, table):
    """The upcard as a trump: the joker stands for the suit it was turned for."""
    return trump_order(rules, table[UP], table[UP_SUIT])


@kernel
def choose_order(rules, players, who, table):
    """(verb, what) of the seat to call in round one."""
    seat = table[TURN] & 3
    own, alone = order_worth(rules, players, who, table, seat)
    goes_alone = rules.n_seats == FOUR and alone >= players[who + CALL_ORDER_ALONE + seat]
    only_alone = rules.partner_orders_alone and seat == PARTNER_OF_DEALER
    if own < players[who + CALL_ORDER + seat] or (only_alone and not goes_alone):
        return PASS, 0
    return SAY_ORDER, 1 if goes_alone else 0


@kernel
def choose_name(rules, players, who, table):
    """(verb, what) of the seat to call in round two: the suit furthest above its threshold."""
    seat = table[TURN] & 3
    best = -(1 << 40)
    chosen = 0
    chosen_worth = 0
    for suit in range(4):
        if suit == table[UP_SUIT] and rules.turned_down_barred:
            continue
        value = suit_worth(rules, players, who, table[HAND + seat], suit)
        is_next = suit == table[UP_SUIT] ^ NEXT_LANE
        over = value - players[who + (CALL_NEXT if is_next else CALL_CROSS) + seat]
        if over > best:
            best = over
            chosen = suit
            chosen_worth = value
    if best < 0 and not must_call(rules, table):
        return PASS, 0
    goes_alone = rules.n_seats == FOUR and chosen_worth >= players[who + CALL_NAME_ALONE + seat]
    return SAY_NAME, chosen + (SAID_ALONE if goes_alone else 0)


@kernel
def choose_pickup(rules, players, who, table):
    """(verb, what) of the ordered dealer: the best discard, or to leave the upcard where it adds too little."""
    trump = table[AT_TRUMP]
    hand = trump_order(rules, table[HAND + rules.n_seats - 1], trump)
    up = up_in_trump_order(rules, table)
    card = buried_card(rules, players, who, table)
    if may_leave(rules, table):
        gain = worth(players, who, (hand | up) ^ card) - worth(players, who, hand)
        if gain < players[who + PICKUP_MARGIN]:
            return LEAVE, 0
    return TAKE_UP, printed_order(rules, card, trump)


@kernel
def buried_card(rules, players, who, table):
    """The card that the dealer who takes the upcard lays down, in trump order: none of those he is known to play."""
    trump = table[AT_TRUMP]
    dealer = rules.n_seats - 1
    up = up_in_trump_order(rules, table)
    hand = trump_order(rules, table[HAND + dealer], trump) | up
    barred = trump_order(rules, table[KEPT + dealer], trump) | (0 if rules.discard_upcard else up)
    return discard(rules, players, who, hand, barred)


@kernel
def choose_dummy(rules, players, who, table):
    """(verb, what) of the three-handed maker before he sees the dummy."""
    value = suit_worth(rules, players, who, table[HAND + table[MAKER]], table[AT_TRUMP])
    return (GO_ALONE, 0) if value >= players[who + DUMMY_ALONE] else (TAKE_DUMMY, 0)


@kernel
def choose_keep(rules, players, who, table):
    """(verb, what) of the maker who has taken the dummy."""
    trump = table[AT_TRUMP]
    maker = table[MAKER]
    cards = trump_order(rules, table[HAND + maker] | table[AT_DUMMY], trump)
    kept = trump_order(rules, table[KEPT + maker], trump)
    return KEEP_FIVE, printed_order(rules, keep_five(rules, players, who, cards, rules.n_cards, kept), trump)


@kernel
def choose_defend(rules, players, who, table):
    """(verb, what) of a defender who may go alone."""
    value = suit_worth(rules, players, who, table[HAND + table[TURN]], table[AT_TRUMP])
    return (GO_ALONE, 0) if value >= players[who + DEFEND_ALONE] else (TOGETHER, 0)


# --- what follows from it ---


@kernel
def apply_call(rules, table, verb, what):
    """A call of either round."""
    seat = table[TURN] & 3
    last = rules.n_seats - 1
    if verb == PASS:
        table[N_CALLS] += 1
        table[TURN] = next_seat(rules, seat)
        if seat == last:
            table[AT_PHASE] = NAME if table[AT_PHASE] == ORDER else DONE
        return
    ordered = verb == SAY_ORDER
    alone = what if ordered else what >> 2
    table[MAKER] = seat
    table[AT_TRUMP] = table[UP_SUIT] if ordered else what & 3
    table[HOW] = (BY_ORDER if ordered else BY_NAME) + alone
    if alone:
        table[ALONE] |= 1 << seat
        table[OUT] |= 1 << (seat ^ 2)
    if ordered and not table[OUT] >> last & 1:
        table[AT_PHASE] = PICKUP
        table[TURN] = last
    else:
        after_pickup(rules, table)


@kernel
def apply_pickup(rules, table, verb, what):
    """The dealer takes the upcard and lays `what` down, or leaves it."""
    last = rules.n_seats - 1
    if verb == TAKE_UP:
        table[HAND + last] = (table[HAND + last] | table[UP]) ^ what
        table[BURIED] |= what
        table[SEEN + last] = what
        table[TAKEN] = 1
    after_pickup(rules, table)


@kernel
def after_pickup(rules, table):
    """Trump and hands are fixed: on to the dummy, or to the defenders."""
    if rules.n_seats == THREE:
        table[AT_PHASE] = DUMMY
        table[TURN] = table[MAKER]
    else:
        ask_defenders(rules, table)


@kernel
def apply_dummy(rules, table, verb, what):
    """The maker goes alone or takes the dummy; then he keeps five of the ten."""
    maker = table[MAKER]
    if verb == TAKE_DUMMY:
        table[AT_PHASE] = KEEP
        return
    if verb == GO_ALONE:
        table[ALONE] |= 1 << maker
        table[HOW] += 1
    else:
        away = (table[HAND + maker] | table[AT_DUMMY]) ^ what
        table[HAND + maker] = what
        table[BURIED] |= away
        table[SEEN + maker] |= away
    ask_defenders(rules, table)


@kernel
def ask_defenders(rules, table):
    """On to the next defender who may go alone, clockwise from the maker, or to the play."""
    maker = table[MAKER]
    n = rules.n_seats
    may = n == THREE or (n == FOUR and rules.defend_alone and table[ALONE])
    lone_defender = table[ALONE] & ~(1 << maker)
    if may and not lone_defender and table[N_DEFENDS] < 2:
        step = 1 + table[N_DEFENDS] * (n - 2)
        table[AT_PHASE] = DEFEND
        table[TURN] = (maker + step) % n
        return
    begin_play(rules, table)


@kernel
def apply_defend(rules, table, verb):
    """A defender goes alone, and his partner sits out; or leaves it."""
    seat = table[TURN] & 3
    table[N_DEFENDS] += 1
    if verb == GO_ALONE:
        table[ALONE] |= 1 << seat
        partner = THREE - seat - table[MAKER] if rules.n_seats == THREE else seat ^ 2
        table[OUT] |= 1 << partner
    ask_defenders(rules, table)
