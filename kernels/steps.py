"""Turns a table into its legal events, the event a strategy chooses, and the table after an event: the one rule engine.

An event is (verb, what) of the seat in TURN. Every deal, whether simulated by the million, replayed from a record or
asked about, goes through `apply_...`; `options_...` says what it may be given and `choose_...` what a strategy gives
it. Turn-up games and Bid Euchre stand apart so that a question compiles only its own.
"""

from kernels.auction import (
    apply_bid,
    apply_discard,
    apply_give,
    apply_return,
    apply_trump,
    bid_options,
    card_options,
    choose_bid,
    choose_discard,
    choose_give,
    choose_return,
    choose_trump,
    return_options,
    suit_is_told,
    trump_options,
)
from kernels.bits import low_bit
from kernels.calling import (
    add_option,
    apply_call,
    apply_defend,
    apply_dummy,
    apply_pickup,
    choose_defend,
    choose_dummy,
    choose_keep,
    choose_name,
    choose_order,
    choose_pickup,
    keep_options,
    name_options,
    order_options,
    pickup_options,
)
from kernels.compile import kernel
from kernels.follow import winning_renege
from kernels.order import printed_order, trump_order
from kernels.play import choose_card, lay, play_tricks, random_card, toss
from kernels.trick import may_play
from kernels.values import (
    AT_PHASE,
    AT_TRUMP,
    BID,
    DEFEND,
    DISCARD,
    DONE,
    DUMMY,
    GIVE,
    GO_ALONE,
    HAND,
    HAND_OVER,
    JOKER,
    KEEP,
    LAY,
    LAY_DOWN,
    LED,
    MAY_CLAIM,
    N_CALLS,
    N_DEFENDS,
    N_GIVEN,
    N_RETURNED,
    N_TRICKS,
    NAME,
    ORDER,
    PICKUP,
    PLAY,
    RETURN,
    TAKE_DUMMY,
    TOGETHER,
    TRUMP,
    TURN,
    UP,
    UP_SUIT,
    WHETHER_TO_RENEGE,
)
from kernels.vector import IS_RANDOM, PLAY_RENEGE

HEARTS = 2
HUNDREDTHS = 100
ANY_PLACE = (1 << 20) - 1  # tells the compiler that a block's place is not negative


@kernel
def begin(rules, table):
    """Set a dealt table to its first phase and turn."""
    if not rules.bid:
        if table[UP_SUIT] < 0:
            table[UP_SUIT] = suit_turned_up(rules, table)
        table[AT_PHASE] = ORDER
        table[TURN] = 0
        return
    if rules.ace_no_face:
        for seat in range(rules.n_seats):
            cards = table[HAND + seat]
            if cards & rules.top_ranks and not cards & faces(rules):
                table[MAY_CLAIM] |= 1 << seat
    table[AT_PHASE] = DISCARD if rules.joker else BID
    table[TURN] = rules.n_seats - 1 if rules.joker else 0


@kernel
def suit_turned_up(rules, table):
    """The suit the upcard proposes; a joker's is hearts or the dealer's blind pick, by a coin of his own."""
    if table[UP] != JOKER:
        return low_bit(table[UP]) >> 4
    if rules.joker_is_hearts:
        return HEARTS
    table[TURN] = rules.n_seats - 1
    return toss(table, DONE, 0, 4)


@kernel
def faces(rules):
    """int64 mask of all jacks, queens and kings, printed order; the joker is none."""
    step = 2 if rules.twins else 1
    suit = rules.jacks | rules.jacks << step | rules.jacks << (2 * step)
    return suit | suit << 16 | suit << 32 | suit << 48


@kernel
def reneges(rules, table, out_options):
    """Write every card of the seat in TURN, whether it follows or not, as options_turn_up does; none but in the play.

    None either where nobody can renege.
    """
    if table[AT_PHASE] != PLAY or rules.renege_caught < 0:
        return 0
    return card_options(out_options, LAY, printed_order(rules, table[HAND + table[TURN]], table[AT_TRUMP]))


# --- turn-up games ---


@kernel
def options_turn_up(rules, table, out_options):
    """Write every legal event to out_options int64[MAX_OPTIONS, 2] (verb, what); returns how many. Cards as printed."""
    phase = table[AT_PHASE]
    if phase == ORDER:
        return order_options(rules, table, out_options)
    if phase == NAME:
        return name_options(rules, table, out_options)
    if phase == PICKUP:
        return pickup_options(rules, table, out_options)
    if phase == DUMMY:
        add_option(out_options, 0, TAKE_DUMMY, 0)
        return add_option(out_options, 1, GO_ALONE, 0)
    if phase == KEEP:
        return keep_options(rules, table, out_options)
    if phase == DEFEND:
        add_option(out_options, 0, TOGETHER, 0)
        return add_option(out_options, 1, GO_ALONE, 0)
    return play_options(rules, table, out_options)


@kernel
def play_options(rules, table, out_options):
    """The cards that may be played; none when the deal is over."""
    if table[AT_PHASE] != PLAY:
        return 0
    may = may_play(table[HAND + table[TURN]], table[LED])
    return card_options(out_options, LAY, printed_order(rules, may, table[AT_TRUMP]))


@kernel
def call_turn_up(rules, table, verb, what):
    """Change the table in place by one legal event before the play. Cards as printed."""
    phase = table[AT_PHASE]
    if phase == ORDER or phase == NAME:
        apply_call(rules, table, verb, what)
    elif phase == PICKUP:
        apply_pickup(rules, table, verb, what)
    elif phase == DEFEND:
        apply_defend(rules, table, verb)
    else:
        apply_dummy(rules, table, verb, what)


@kernel
def apply_turn_up(rules, table, verb, what):
    """Change the table in place by one legal event of the seat in TURN. Cards as printed."""
    if table[AT_PHASE] == PLAY:
        lay(rules, table, trump_order(rules, what, table[AT_TRUMP]))
    else:
        call_turn_up(rules, table, verb, what)


@kernel
def say_turn_up(rules, players, table, scratch):
    """(verb, what) that the strategy in TURN chooses before the play; scratch int64[MAX_OPTIONS, 2]."""
    who = players[table[TURN] & 3] & ANY_PLACE
    phase = table[AT_PHASE]
    if players[who + IS_RANDOM]:
        return pick_at_random(table, scratch, options_turn_up(rules, table, scratch))
    if phase == ORDER:
        return choose_order(rules, players, who, table)
    if phase == NAME:
        return choose_name(rules, players, who, table)
    if phase == PICKUP:
        return choose_pickup(rules, players, who, table)
    if phase == DUMMY:
        return choose_dummy(rules, players, who, table)
    if phase == KEEP:
        return choose_keep(rules, players, who, table)
    return choose_defend(rules, players, who, table)


@kernel
def choose_turn_up(rules, players, table, scratch):
    """(verb, what) that the strategy in TURN chooses in any phase; cards as printed."""
    if table[AT_PHASE] == PLAY:
        return LAY, printed_order(rules, card_of(rules, players, table), table[AT_TRUMP])
    return say_turn_up(rules, players, table, scratch)


@kernel
def finish_calls_turn_up(rules, players, table, scratch):
    """Call a deal up to its first lead, buried and exchanged cards and all, in place; scratch int64[MAX_OPTIONS, 2]."""
    while table[AT_PHASE] < PLAY:
        verb, what = say_turn_up(rules, players, table, scratch)
        call_turn_up(rules, table, verb, what)


@kernel
def finish_turn_up(rules, players, table, scratch):
    """Call and play a deal to its end, in place; scratch int64[MAX_OPTIONS, 2]."""
    finish_calls_turn_up(rules, players, table, scratch)
    play_out(rules, players, table)


# --- Bid Euchre ---


@kernel
def options_bid(rules, table, out_options):
    """Write every legal event to out_options int64[MAX_OPTIONS, 2] (verb, what); returns how many. Cards as printed."""
    phase = table[AT_PHASE]
    hand = table[HAND + table[TURN]]
    if phase == BID:
        return bid_options(rules, table, out_options)
    if phase == TRUMP:
        return trump_options(out_options)
    if phase == GIVE:
        return card_options(out_options, HAND_OVER, hand)
    if phase == RETURN:
        return return_options(rules, table, out_options)
    if phase == DISCARD:
        return card_options(out_options, LAY_DOWN, hand)
    return play_options(rules, table, out_options)


@kernel
def call_bid(rules, table, verb, what):
    """Change the table in place by one legal event before the play. Cards as printed."""
    phase = table[AT_PHASE]
    if phase == BID:
        apply_bid(rules, table, verb, what)
    elif phase == TRUMP:
        apply_trump(rules, table, what)
    elif phase == GIVE:
        apply_give(rules, table, what)
    elif phase == RETURN:
        apply_return(rules, table, what)
    else:
        apply_discard(table, what)


@kernel
def apply_bid_game(rules, table, verb, what):
    """Change the table in place by one legal event of the seat in TURN. Cards as printed."""
    if table[AT_PHASE] == PLAY:
        lay(rules, table, trump_order(rules, what, table[AT_TRUMP]))
    else:
        call_bid(rules, table, verb, what)


@kernel
def say_bid(rules, players, table, scratch):
    """(verb, what) that the strategy in TURN chooses before the play; scratch int64[MAX_OPTIONS, 2]."""
    who = players[table[TURN] & 3] & ANY_PLACE
    phase = table[AT_PHASE]
    if players[who + IS_RANDOM] and not (phase == TRUMP and suit_is_told(table)):
        return pick_at_random(table, scratch, options_bid(rules, table, scratch))
    if phase == BID:
        return choose_bid(rules, players, who, table)
    if phase == TRUMP:
        return choose_trump(rules, players, who, table)
    if phase == GIVE:
        return choose_give(rules, players, who, table)
    if phase == RETURN:
        return choose_return(rules, table)
    return choose_discard(rules, players, who, table)


@kernel
def choose_bid_game(rules, players, table, scratch):
    """(verb, what) that the strategy in TURN chooses in any phase; cards as printed."""
    if table[AT_PHASE] == PLAY:
        return LAY, printed_order(rules, card_of(rules, players, table), table[AT_TRUMP])
    return say_bid(rules, players, table, scratch)


@kernel
def finish_calls_bid(rules, players, table, scratch):
    """As finish_calls_turn_up, in Bid Euchre."""
    while table[AT_PHASE] < PLAY:
        verb, what = say_bid(rules, players, table, scratch)
        call_bid(rules, table, verb, what)


@kernel
def finish_bid(rules, players, table, scratch):
    """Bid and play a deal to its end, in place; scratch int64[MAX_OPTIONS, 2]."""
    finish_calls_bid(rules, players, table, scratch)
    play_out(rules, players, table)


# --- both ---


@kernel
def pick_at_random(table, scratch, n):
    """(verb, what): one of the `n` events in scratch, all alike, by the coin of this decision."""
    count = table[N_CALLS] + table[N_DEFENDS] + table[N_GIVEN] + table[N_RETURNED]
    k = toss(table, table[AT_PHASE], count, n)
    return scratch[k, 0], scratch[k, 1]


@kernel
def card_of(rules, players, table):
    """The card the seat in TURN plays by its strategy (one bit, trump order)."""
    who = players[table[TURN] & 3] & ANY_PLACE
    if players[who + IS_RANDOM]:
        return random_card(rules, table)
    if may_renege(rules, players, who):
        card = winning_renege(rules, table)
        if card and toss(table, WHETHER_TO_RENEGE, table[N_TRICKS], HUNDREDTHS) < players[who + PLAY_RENEGE]:
            return card
    return choose_card(rules, table)


@kernel
def may_renege(rules, players, who):
    """Whether the strategy whose block begins at `who` reneges at times, and the house rules let it."""
    return rules.renege_caught >= 0 and players[who + PLAY_RENEGE] > 0


@kernel
def play_out(rules, players, table):
    """Play all that is left of the tricks, in place."""
    by_coin = plays_by_coin(rules, players)
    while table[AT_PHASE] == PLAY:
        if by_coin:
            lay(rules, table, card_of(rules, players, table))
        else:
            play_tricks(rules, table)


@kernel
def plays_by_coin(rules, players):
    """Whether any seat plays by coin, at random or to renege."""
    for seat in range(rules.n_seats):
        if players[players[seat] + IS_RANDOM] or may_renege(rules, players, players[seat]):
            return True
    return False
