"""Turns a table in trump order into the next card and what follows from it, until the last trick is taken.

`lay` is the rules; `choose_card` the rules of thumb of a good club player, in words in docs/play.md. A player sees his
own cards, the cards played, the voids shown and what he buried himself: nothing else enters a choice.
"""

from kernels.bits import leading_zeros, low_bit, popcount
from kernels.compile import inlined, kernel
from kernels.dice import draw, word_at
from kernels.order import above, highest, lane_of, lowest, trump_order
from kernels.score import score
from kernels.trick import beating, may_play
from kernels.values import (
    AHEAD,
    ALONE,
    AT_PHASE,
    AT_TRUMP,
    BEST,
    COIN,
    DONE,
    GONE,
    HAND,
    IN_TRICK,
    LANE,
    LEADER,
    LED,
    MAKER,
    MAKING,
    N_ACTIVE,
    N_TRICKS,
    OUT,
    PLAY,
    SEEN,
    TAKEN,
    TRICKS,
    TURN,
    UP,
    VOID,
    WINNER,
)

THREE = 3
FOUR = 4
ALL_AHEAD = 0x321  # the next of seats 0, 1, 2; the last one's is 0
SIDE_ONES = 0x0001_0001_0001_0000
SIDE_TOPS = 0x4000_4000_4000_0000  # higher than any card of a side suit
SIDE_FULL = 0x3FFF_3FFF_3FFF_0000
ONE_A_LANE = 0x0001_0001_0001_0001
LOW_15 = 0x7FFF_7FFF_7FFF_7FFF
LOW_14 = 0x3FFF_3FFF_3FFF_3FFF
LOW_12 = 0x0FFF_0FFF_0FFF_0FFF
LOW_8 = 0x00FF_00FF_00FF_00FF


# --- the rules ---


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
def next_seat(rules, seat):
    """The seat to the left."""
    return 0 if seat == rules.n_seats - 1 else seat + 1


@kernel
def first_active(rules, table, seat):
    """The first seat from `seat` on, clockwise, that does not sit out."""
    while table[OUT] >> seat & 1:
        seat = next_seat(rules, seat)
    return seat


@kernel
def first_leader(rules, table):
    """The seat that should lead first; if it sits out, the next one does."""
    maker = table[MAKER]
    alone = table[ALONE]
    if rules.bid:
        return next_seat(rules, maker) if rules.lone_lead and alone else maker
    lone_maker = alone >> maker & 1
    lone_defender = alone & ~(1 << maker)
    if rules.n_seats != THREE:
        return next_seat(rules, maker) if rules.lone_lead and lone_maker else 0
    if lone_maker and lone_defender:
        if rules.both_alone_lead == 0:
            return low_bit(lone_defender)
        return maker if rules.both_alone_lead == 1 else 0
    if lone_maker:
        return next_seat(rules, maker)
    return maker if lone_defender else 0


@kernel
def lay(rules, table, card):
    """The seat in TURN plays one card (a bit of its hand, trump order); the trick, and the deal, end when they do."""
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


# --- the rules of thumb ---


@kernel
def beaten(rules, unseen):
    """int64 mask of all places that some card of `unseen` beats within its suit."""
    higher = (unseen | unseen >> 1) & rules.lower_twins if rules.twins else unseen
    lower = higher >> 1 & LOW_15
    lower |= lower >> 1 & LOW_15
    lower |= lower >> 2 & LOW_14
    lower |= lower >> 4 & LOW_12
    return lower | lower >> 8 & LOW_8 if rules.twins else lower


@kernel
def of_rank_at(rules, sides, place):
    """int64 mask of the side cards of the rank at bit `place` of a lane, one a suit: of two twins one."""
    same = sides & (ONE_A_LANE * (1 + 2 * rules.twins)) << (place & ~rules.twins)
    return same & ~((same & rules.lower_twins) << 1)


@kernel
def ranks_of(sides):
    """int64: the places of the lanes of all side cards, one upon the other."""
    return (sides >> 16 | sides >> 32 | sides >> 48) & LANE


@kernel
def of_highest_rank(rules, sides):
    """int64 mask of the cards of the highest rank among side cards, one a suit; `sides` is not 0."""
    return of_rank_at(rules, sides, 63 - leading_zeros(ranks_of(sides)))


@kernel
def of_lowest_rank(rules, sides):
    """int64 mask of the cards of the lowest rank among side cards, one a suit; `sides` is not 0."""
    return of_rank_at(rules, sides, low_bit(ranks_of(sides)))


@kernel
def singletons(cards, sides):
    """int64 mask of those of `cards` that are alone in their suit of `sides`."""
    several = sides & ((sides | SIDE_TOPS) - SIDE_ONES)
    tops = (several + SIDE_FULL) & SIDE_TOPS
    return cards & ~(tops - (tops >> 14))


@kernel
def singleton_first(cards, sides):
    """One of `cards`, a mask of at most one side card a suit: one that is alone in its suit of `sides`, if any."""
    alone = singletons(cards, sides)
    return lowest(alone if alone else cards)


@inlined
def lead_card(rules, hand, unseen, is_making, is_maker, is_lone, draws):
    """The card to lead; `is_making`: of the maker's side, `draws`: so, and an opponent may still hold trumps.

    He draws trumps with the boss or with enough of them; anybody leads the boss trump of his last two cards, a defender
    of his last three. Then a boss; then the highest side card, or of a defender with a partner the lowest. Of equals a
    singleton first.
    """
    trumps = hand & LANE
    out_trumps = unseen & LANE
    top = highest(trumps | 1)
    is_boss = out_trumps < (top + (top & rules.lower_twins)) << 1
    sides = hand ^ trumps
    if not sides:
        return top if is_boss else lowest(trumps)
    if trumps and out_trumps:
        size = popcount(hand)
        if draws and (is_boss or is_enough(rules, popcount(trumps), size, out_trumps, is_maker)):
            return top
        if is_boss and size <= (2 if is_making else 3):
            return top
        if is_lone and draws and size == 2 and n_above(rules, unseen, top) <= n_above(rules, unseen, sides):
            return top
    bosses = sides & ~beaten(rules, unseen)
    if bosses or is_making or rules.n_seats != FOUR:
        return singleton_first(of_highest_rank(rules, bosses if bosses else sides), sides)
    return singleton_first(of_lowest_rank(rules, sides), sides)


@kernel
def is_enough(rules, n, size, out_trumps, is_maker):
    """Whether `n` trumps without the boss, of `size` cards in hand, are enough to draw trumps.

    Three are, or two at the first lead and while few are out; to a partner who leads first any; a bidder wants three.
    """
    if size == rules.n_cards and not is_maker:
        return True
    if rules.bid:
        return n >= (3 if is_maker else 2)
    return n >= 3 or (n == 2 and (size == rules.n_cards or popcount(out_trumps) < FOUR))


@kernel
def n_above(rules, unseen, card):
    """How many unseen cards beat a card within its suit."""
    return popcount(unseen & above(rules, card))


@inlined
def follow_card(rules, hand, unseen, is_making, led, best, is_ours, left, partner_left):
    """The card to play to a trick begun.

    `led` mask of the lane led, `best` the winning card so far, `is_ours` whether this side laid it, `left` how many
    play after this seat, `partner_left` whether one of its side is among them.
    """
    follows = hand & led
    better = beating(rules, best)
    is_sure = unseen & above(rules, best) == 0
    is_at_risk = is_ours and not is_sure and left > partner_left
    if follows:
        top = highest(follows)
        beats = follows & better
        top_is_sure = unseen & above(rules, top) == 0
        takes = (not is_ours) & ((left == 0) | top_is_sure | (not partner_left))
        if not beats or not (takes or is_at_risk):
            return lowest(follows)
        return lowest(beats) if left == 0 else top
    ruffs = hand & LANE & better
    if ruffs:
        leaves_it = is_making and partner_left and not (is_sure or best & LANE) and hand & LANE & (hand & LANE) - 1
        if is_at_risk or not (is_ours or leaves_it):
            return lowest(ruffs)
    return throw_away(rules, hand, unseen)


@kernel
def throw_away(rules, hand, unseen):
    """The card least missed by a player who neither follows nor ruffs: no boss, and low; trumps last.

    With trumps in hand he first makes a void, for a ruff to come.
    """
    sides = hand & ~LANE
    if not sides:
        return lowest(hand)
    losers = sides & beaten(rules, unseen)
    cards = losers if losers else sides
    if hand & LANE:
        singles = singletons(cards, sides)
        cards = singles if singles else cards
    return singleton_first(of_lowest_rank(rules, cards), sides)


@kernel
def choose_card(rules, table):
    """The card the seat in TURN plays by the rules of thumb (one bit, trump order)."""
    seat = table[TURN] & 3
    hand = table[HAND + seat]
    if not hand & (hand - 1):
        return hand
    making = table[MAKING]
    unseen = rules.pack_in_trump_order & ~(table[GONE] | hand | table[SEEN + seat])
    if table[IN_TRICK] == 0:
        draws = draws_trumps(rules, table, seat)
        lone = is_lone(rules, table, seat)
        return lead_card(rules, hand, unseen, making >> seat & 1, seat == table[MAKER], lone, draws)
    is_making = making >> seat & 1
    side = making if is_making else ~making
    left = table[N_ACTIVE] - table[IN_TRICK] - 1
    partner_left = partner_follows(table[AHEAD], side, seat, left)
    is_ours = side >> table[WINNER] & 1
    return follow_card(rules, hand, unseen, is_making, table[LED], table[BEST], is_ours, left, partner_left)


@kernel
def partner_follows(ahead, side, seat, left):
    """1 if one of the `left` seats that play after `seat`, at most two of which matter, is of its `side` (a mask)."""
    second = ahead >> (4 * seat) & 3
    third = ahead >> (4 * second) & 3
    return (left >= 1) & (side >> second) | (left >= 2) & (side >> third) & 1


@kernel
def is_lone(rules, table, seat):
    """Whether no other seat in play is of the side of `seat`."""
    making = table[MAKING]
    side = making if making >> seat & 1 else ~making
    return side & ((1 << rules.n_seats) - 1) & ~table[OUT] == 1 << seat


@kernel
def draws_trumps(rules, table, seat):
    """Whether a leader is of the maker's side and some opponent has not shown that he is out of trumps."""
    making = table[MAKING]
    foes = ((1 << rules.n_seats) - 1) & ~(making | table[OUT] | table[VOID])
    return making >> seat & 1 and foes != 0


@kernel
def play_tricks(rules, table):
    """Play whole tricks to the end by the rules of thumb: `lay` of each `choose_card`, held in registers."""
    making = table[MAKING]
    maker = table[MAKER]
    ahead = table[AHEAD]
    n_active = table[N_ACTIVE]
    leader = table[TURN] & 3
    rest = rules.pack_in_trump_order & ~table[GONE]
    for _ in range(table[N_TRICKS], rules.n_cards):
        hand = table[HAND + leader]
        unseen = rest & ~(hand | table[SEEN + leader])
        card = hand
        if hand & (hand - 1):
            draws = draws_trumps(rules, table, leader)
            lone = is_lone(rules, table, leader)
            card = lead_card(rules, hand, unseen, making >> leader & 1, leader == maker, lone, draws)
        table[HAND + leader] = hand ^ card
        rest &= ~card
        led = lane_of(card)
        lane = low_bit(led) >> 4
        best = card
        winner = leader
        seat = leader
        for left in range(n_active - 2, -1, -1):
            seat = ahead >> (4 * seat) & 3
            hand = table[HAND + seat]
            card = hand
            if hand & (hand - 1):
                is_making = making >> seat & 1
                side = making if is_making else ~making
                is_ours = side >> winner & 1
                unseen = rest & ~(hand | table[SEEN + seat])
                partner_left = partner_follows(ahead, side, seat, left)
                card = follow_card(rules, hand, unseen, is_making, led, best, is_ours, left, partner_left)
            table[HAND + seat] = hand ^ card
            rest &= ~card
            table[VOID + lane] |= 0 if card & led else 1 << seat
            wins = card & beating(rules, best)
            best = card if wins else best
            winner = seat if wins else winner
        table[TRICKS + winner] += 1
        leader = winner
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
