"""Turns a table in trump order into the next card and what follows from it, until the last trick is taken.

`lay` is the rules; `choose_card` the rules of thumb of a good club player, in words in docs/play.md. A player sees his
own cards, the cards played, the voids shown and what he buried himself: nothing else enters a choice.
"""

from kernels.bits import leading_zeros, low_bit, popcount
from kernels.compile import inlined, kernel
from kernels.dice import draw, word_at
from kernels.order import above, highest, lane_mask, lane_of, lowest, trump_order
from kernels.score import score
from kernels.trick import beating, may_play
from kernels.values import (
    AHEAD,
    ALONE,
    AT_PHASE,
    AT_TRUMP,
    BEST,
    BY_NAME,
    CAUGHT,
    CERTAIN,
    COIN,
    DONE,
    GONE,
    HAND,
    HOW,
    IN_TRICK,
    LANE,
    LEADER,
    LED,
    MAKER,
    MAKING,
    N_ACTIVE,
    N_TRICKS,
    NEXT_LANE,
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

THREE = 3
FOUR = 4
KING = 1 << 6  # of trumps, in a single pack
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
def lead_card(rules, table, seat, hand, unseen):
    """The card to lead.

    Trumps, where they are drawn or nothing else is left. Then a boss; then the highest side card or the lowest. Of
    equals a singleton first.
    """
    is_making = table[MAKING] >> seat & 1
    trumps = hand & LANE
    out_trumps = unseen & LANE
    top = highest(trumps | 1)
    is_boss = out_trumps < (top + (top & rules.lower_twins)) << 1
    sides = hand ^ trumps
    if not sides:
        return top if is_boss or (is_making and is_four(rules) and n_lost(rules, table, seat) != 1) else lowest(trumps)
    bosses = sides & ~beaten(rules, unseen)
    if trumps:
        if is_four(rules) and not table[ALONE] and leads_low_trump(rules, table, seat, hand, unseen, bosses, is_boss):
            return lowest(trumps)
        if keeps_trumps(rules, table, seat, hand, out_trumps, bosses, is_boss):
            return singleton_first(of_lowest_rank(rules, sides), sides)
        if leads_trumps(rules, table, seat, hand, unseen, bosses, is_boss):
            return top
    elif is_making and is_four(rules) and not table[ALONE]:
        card = lead_without_trumps(hand, unseen, bosses)
        if card:
            return card
    if rules.bid and is_making and not bosses and not table[ALONE]:
        return singleton_first(of_lowest_rank(rules, sides), sides)
    if is_making or rules.n_seats != FOUR:
        return singleton_first(of_highest_rank(rules, bosses if bosses else sides), sides)
    return defenders_side_card(rules, table, seat, hand, unseen, sides, bosses)


@kernel
def is_four(rules):
    """Whether the game is four-handed, at five tricks."""
    return rules.n_seats == FOUR and not rules.bid


@kernel
def side_of(table, seat):
    """Mask of all seats that hold together with `seat`, itself among them; bits beyond the seats may be set."""
    making = table[MAKING]
    return making if making >> seat & 1 else ~making


@kernel
def n_lost(rules, table, seat):
    """How many tricks the other side has taken."""
    side = side_of(table, seat)
    lost = 0
    for other in range(rules.n_seats):
        lost += table[TRICKS + other] & -(~side >> other & 1)
    return lost


@kernel
def leads_low_trump(rules, table, seat, hand, unseen, bosses, is_boss):
    """Whether a player of four, nobody alone, leads his lowest trump: what takes the trick comes after.

    The maker's side where the dealer's partner leads and the dealer took the right bower up; or in the first two
    tricks, from trumps that are not sure, three or two beside a sure card. A defender first, from three, before the
    maker at his left.
    """
    n = popcount(hand & LANE)
    size = popcount(hand)
    if not table[MAKING] >> seat & 1:
        return size == rules.n_cards and n >= THREE and not is_boss and table[MAKER] == next_seat(rules, seat)
    if seat ^ 2 == rules.n_seats - 1 and took_right_bower(rules, table) and unseen & right_bower(rules):
        return True
    return not is_boss and size >= FOUR and (n >= THREE or (n > 1 and bosses != 0))


@kernel
def right_bower(rules):
    """The right bower, in trump order."""
    return rules.jacks << rules.right_shift


@kernel
def took_right_bower(rules, table):
    """Whether the dealer took a jack up, which is then the right bower."""
    return table[TAKEN] and low_bit(table[UP]) & 15 == low_bit(rules.jacks)


@kernel
def keeps_trumps(rules, table, seat, hand, out_trumps, bosses, is_boss):
    """Whether the maker's side leads low in a side suit and keeps its trumps; among four, with partner, no sure card.

    In Bid Euchre when two trumps or fewer are out, the maker if his own are not sure; else with one or two trumps: the
    maker while no trick is lost, his partner when three trumps or fewer are out, and with three cards left if all his
    trumps are kings or better.
    """
    trumps = hand & LANE
    if rules.n_seats != FOUR or not table[MAKING] >> seat & 1 or table[ALONE] or bosses:
        return False
    is_maker = seat == table[MAKER]
    if rules.bid:
        return popcount(out_trumps) <= 2 and not (is_maker and is_boss)
    if popcount(trumps) > 2:
        return False
    if popcount(hand) == THREE and lowest(trumps) >= KING:
        return True
    return n_lost(rules, table, seat) == 0 if is_maker else popcount(out_trumps) <= THREE


@inlined
def leads_trumps(rules, table, seat, hand, unseen, bosses, is_boss):
    """Whether a player with trumps and other cards leads his highest trump; `is_boss`: it is sure."""
    out_trumps = unseen & LANE
    n_out = popcount(out_trumps)
    n = popcount(hand & LANE)
    size = popcount(hand)
    if not table[MAKING] >> seat & 1:
        if rules.n_seats == FOUR and defender_leads_trumps(rules, table, seat, hand, n_out, is_boss):
            return True
        return out_trumps != 0 and is_boss and size <= (THREE if bosses or not is_four(rules) else 2)
    draws = draws_trumps(rules, table, seat)
    lone = is_lone(rules, table, seat)
    if rules.n_seats == FOUR:
        lost = n_lost(rules, table, seat)
        if is_four(rules) and lone and size == 2 and lost < 2:
            return lost == 0
        if lone and lost == 0 and (n > 1 or is_boss or not draws):
            return True
        if lost == n_to_spare(rules, table) and (is_boss if rules.bid else n_out > 1):
            return True
        if is_four(rules) and leads_high_trump(rules, table, seat, hand, unseen, bosses, lost, lone):
            return True
    if not out_trumps:
        return False
    if draws and (is_boss or is_enough(rules, n, size, out_trumps, seat == table[MAKER])):
        return True
    if is_boss and size <= 2:
        return True
    top = highest(hand & LANE)
    return lone and draws and size == 2 and n_above(rules, unseen, top) <= n_above(rules, unseen, hand & ~LANE)


@kernel
def n_to_spare(rules, table):
    """How many tricks the maker's side may lose and still keep its contract; below 0 after an ask or a moon."""
    return rules.n_cards - min(table[HOW], rules.n_cards) if rules.bid else 2


@kernel
def leads_high_trump(rules, table, seat, hand, unseen, bosses, lost, lone):
    """Whether a leader of the maker's side, four-handed, leads his highest trump for what is his alone to know.

    A loner with three cards whom only the right bower beats; with partner, two trumps and a sure card after one trick
    lost; the maker's partner to the maker.
    """
    trumps = hand & LANE
    if not lone:
        if bosses and lost == 1 and popcount(hand) == THREE and popcount(trumps) == 2:
            return True
        return seat != table[MAKER] and leads_to_maker(table, seat, hand, popcount(unseen & LANE))
    return popcount(hand) == THREE and unseen & above(rules, highest(trumps)) == right_bower(rules)


@kernel
def defender_leads_trumps(rules, table, seat, hand, n_out, is_boss):
    """Whether a defender with a partner leads his highest trump.

    In Bid Euchre the boss. Four-handed one of two cards at two tricks all; and, nobody alone, first from three before
    the maker at his left, or later a king or better once his partner is out of trumps.
    """
    if rules.bid:
        return is_boss and n_out > 0 and not table[VOID] & ~side_of(table, seat)
    size = popcount(hand)
    if not table[ALONE]:
        if size == rules.n_cards:
            return popcount(hand & LANE) >= THREE and table[MAKER] == next_seat(rules, seat)
        if table[VOID] >> (seat ^ 2) & 1 and highest(hand & LANE) >= KING:
            return True
    return size == 2 and 0 < n_out <= FOUR and n_lost(rules, table, seat) == 2


@kernel
def leads_to_maker(table, seat, hand, n_out):
    """Whether the maker's partner leads trumps: four or more are out, no opponent is void of them, no suit is long."""
    if n_out < FOUR or table[VOID] & ~side_of(table, seat):
        return False
    return max(popcount(hand >> 16 & LANE), popcount(hand >> 32 & LANE), popcount(hand >> 48)) < THREE


@kernel
def defenders_side_card(rules, table, seat, hand, unseen, sides, bosses):
    """The side card that a defender with a partner leads: a boss, or else the lowest; four-handed he has more rules.

    There, after the first trick, he leads the highest, but in the second, after an order, low where fewest are out; and
    if the maker named, first the highest of next. Against a loner he has rules of his own.
    """
    if is_four(rules):
        size = popcount(hand)
        nexts = hand & lane_mask(NEXT_LANE)
        if is_against_loner(table, seat):
            if size == rules.n_cards:
                return first_against_loner(rules, sides, nexts, bosses)
        elif not bosses:
            if size == rules.n_cards:
                if nexts and table[HOW] >= BY_NAME:
                    return highest(nexts)
            elif size == FOUR and table[HOW] < BY_NAME:
                return lowest(suit_by_unseen(sides, unseen, False))
            else:
                return singleton_first(of_highest_rank(rules, sides), sides)
    if bosses:
        return singleton_first(of_highest_rank(rules, bosses), sides)
    return singleton_first(of_lowest_rank(rules, sides), sides)


@kernel
def first_against_loner(rules, sides, nexts, bosses):
    """The side card led first against a loner: the highest of next, but where it is sure the highest green card.

    With none of next a singleton, if some card is sure; then the lowest.
    """
    if nexts:
        greens = sides ^ nexts
        if bosses & nexts and greens:
            return singleton_first(of_highest_rank(rules, greens), sides)
        return highest(nexts)
    singles = singletons(sides, sides)
    if bosses and singles:
        return lowest(of_lowest_rank(rules, singles))
    if bosses:
        return singleton_first(of_highest_rank(rules, bosses), sides)
    return singleton_first(of_lowest_rank(rules, sides), sides)


@kernel
def lead_without_trumps(hand, unseen, bosses):
    """The card of the suit of which most are unseen that one of the maker's side leads, four-handed; 0: as usual.

    In the second trick the lowest if no card is sure, in the third the highest while five trumps or more are out.
    """
    size = popcount(hand)
    if size == FOUR and not bosses:
        return lowest(suit_by_unseen(hand, unseen, True))
    if size == THREE and popcount(unseen & LANE) > FOUR:
        return highest(suit_by_unseen(hand, unseen, True))
    return 0


@kernel
def suit_by_unseen(sides, unseen, most):
    """The cards of `sides`, which is not 0, in the suit with most unseen, or else fewest; of equals the first."""
    found = 0
    best = 0
    for lane in range(1, 4):
        cards = sides & lane_mask(lane)
        n = popcount(unseen & lane_mask(lane))
        if cards and (not found or (n > best if most else n < best)):
            best = n
            found = cards
    return found


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
def follow_card(rules, table, seat, hand, unseen, led, best, winner, left):
    """The card to play to a trick begun.

    `led` mask of the lane led, `best` the winning card so far, `winner` who laid it, `left` how many play after `seat`.
    """
    making = table[MAKING]
    is_making = making >> seat & 1
    side = making if is_making else ~making
    is_ours = side >> winner & 1
    partner_left = partner_follows(table[AHEAD], side, seat, left)
    follows = hand & led
    better = beating(rules, best)
    is_sure = unseen & above(rules, best) == 0
    is_at_risk = is_ours and not is_sure and left > partner_left
    if follows:
        top = highest(follows)
        beats = follows & better
        if not beats:
            return lowest(follows)
        top_is_sure = unseen & above(rules, top) == 0
        takes = (not is_ours) & ((left == 0) | top_is_sure | (not partner_left))
        if takes or is_at_risk:
            return lowest(beats) if left == 0 or saves_top(rules, table, seat, hand, best, winner) else top
        takes_over = rules.bid and is_making and seat != table[MAKER] and is_ours and is_sure and top_is_sure
        return lowest(beats) if takes_over else lowest(follows)
    ruffs = hand & LANE & better
    if ruffs:
        is_maker = seat == table[MAKER]
        is_open = partner_left and not best & LANE
        if is_at_risk or not (is_ours or (is_open and leaves_trick(rules, hand, unseen, best, is_making, is_maker))):
            return lowest(ruffs)
    if rules.n_seats == FOUR and hand & ~LANE:
        if is_against_loner(table, seat):
            return throw_to_loner(rules, table, hand, unseen)
        if is_four(rules) and popcount(hand) == 2 and not hand & LANE:
            return throw_one_of_two(rules, hand, unseen)
    return throw_away(rules, hand, unseen)


@kernel
def saves_top(rules, table, seat, hand, best, winner):
    """Whether a defender with a partner, four-handed, beats the maker's trump by the lowest in the last three tricks.

    Of two trumps that beat it the higher takes a trick later.
    """
    is_late = best & LANE and popcount(hand) <= THREE
    return is_four(rules) and is_late and winner == table[MAKER] and winner & 1 != seat & 1 and not table[ALONE]


@kernel
def leaves_trick(rules, hand, unseen, best, is_making, is_maker):
    """Whether a player who could ruff an opponent's side card `best` leaves it to his partner, who plays after him.

    In Bid Euchre a defender does whose trumps are all sure, if the card is not. So does either side else, the
    maker's while two trumps or more are out; and even from a sure card, while three or more are. There the maker also
    leaves a queen or less in the second trick, and his side what is not sure with two trumps and no other sure card.
    """
    trumps = hand & LANE
    is_sure = unseen & above(rules, best) == 0
    n_out = popcount(unseen & LANE)
    if unseen & above(rules, lowest(trumps)) == 0:
        if rules.bid:
            return not (is_sure or is_making)
        if n_out >= THREE or not (is_sure or (is_making and n_out < 2)):
            return True
    if rules.bid or not is_making:
        return False
    if is_maker and popcount(hand) == FOUR and 1 << (low_bit(best) & 15) < KING:
        return True
    return not is_sure and trumps & (trumps - 1) != 0 and hand & ~LANE & ~beaten(rules, unseen) == 0


@kernel
def beats_fewest(rules, sides, unseen):
    """Of side cards, which are not 0, that which beats fewest unseen ones of its suit; of equals the lowest rank."""
    least = 0
    fewest = LANE
    while sides:
        card = lowest(sides)
        sides ^= card
        place = low_bit(card) & ~rules.twins
        n = popcount(unseen & lane_of(card) & ((1 << place) - 1)) << 4 | (place & 15)
        if n < fewest:
            fewest = n
            least = card
    return least


@kernel
def throw_to_loner(rules, table, hand, unseen):
    """The side card thrown away against a loner: of a suit he is known to be void of, or else the one least missed."""
    sides = hand & ~LANE
    if is_four(rules):
        idle = 0
        for lane in range(1, 4):
            if table[VOID + lane] >> table[MAKER] & 1:
                idle |= sides & lane_mask(lane)
        if idle:
            return beats_fewest(rules, idle, unseen)
        if popcount(hand) == 2 and sides == hand:
            return throw_one_of_two(rules, hand, unseen)
    return beats_fewest(rules, sides, unseen)


@kernel
def throw_one_of_two(rules, hand, unseen):
    """Of the last two cards, both side cards, the one thrown away: not the sure one while unseen cards fall to it."""
    losers = hand & beaten(rules, unseen)
    boss = hand ^ losers
    if losers and boss and unseen & lane_of(boss):
        return losers
    return beats_fewest(rules, hand, unseen)


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
    unseen = rules.pack_in_trump_order & ~(table[GONE] | hand | table[SEEN + seat])
    if table[IN_TRICK] == 0:
        return lead_card(rules, table, seat, hand, unseen)
    left = table[N_ACTIVE] - table[IN_TRICK] - 1
    return follow_card(rules, table, seat, hand, unseen, table[LED], table[BEST], table[WINNER], left)


@kernel
def winning_renege(rules, table):
    """The lowest trump that would win the trick as it stands from a seat that must follow and cannot win so; 0: none.

    None either where its own side holds the trick.
    """
    seat = table[TURN] & 3
    hand = table[HAND + seat]
    led = table[LED]
    better = beating(rules, table[BEST])
    if not hand & led or hand & led & better or side_of(table, seat) >> table[WINNER] & 1:
        return 0
    return lowest(hand & better) if hand & better else 0


@kernel
def partner_follows(ahead, side, seat, left):
    """1 if one of the `left` seats that play after `seat`, at most two of which matter, is of its `side` (a mask)."""
    second = ahead >> (4 * seat) & 3
    third = ahead >> (4 * second) & 3
    return (left >= 1) & (side >> second) | (left >= 2) & (side >> third) & 1


@kernel
def is_lone(rules, table, seat):
    """Whether no other seat in play is of the side of `seat`."""
    return side_of(table, seat) & ((1 << rules.n_seats) - 1) & ~table[OUT] == 1 << seat


@kernel
def is_against_loner(table, seat):
    """Whether a seat defends against a maker who plays alone."""
    return table[ALONE] >> table[MAKER] & ~table[MAKING] >> seat & 1


@kernel
def draws_trumps(rules, table, seat):
    """Whether a leader is of the maker's side and some opponent has not shown that he is out of trumps."""
    making = table[MAKING]
    foes = ((1 << rules.n_seats) - 1) & ~(making | table[OUT] | table[VOID])
    return making >> seat & 1 and foes != 0


@kernel
def play_tricks(rules, table):
    """Play whole tricks to the end by the rules of thumb: `lay` of each `choose_card`, held in registers."""
    ahead = table[AHEAD]
    n_active = table[N_ACTIVE]
    leader = table[TURN] & 3
    rest = rules.pack_in_trump_order & ~table[GONE]
    for _ in range(table[N_TRICKS], rules.n_cards):
        hand = table[HAND + leader]
        unseen = rest & ~(hand | table[SEEN + leader])
        card = hand
        if hand & (hand - 1):
            card = lead_card(rules, table, leader, hand, unseen)
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
                unseen = rest & ~(hand | table[SEEN + seat])
                card = follow_card(rules, table, seat, hand, unseen, led, best, winner, left)
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
