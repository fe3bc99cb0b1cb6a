"""The rules of thumb of a good club player who leads: a table in trump order into the card he leads.

In words in docs/play.md. A player sees his own cards, the cards played, the voids shown and what he buried himself:
nothing else enters a choice.
"""

from kernels.bits import low_bit, popcount
from kernels.compile import kernel
from kernels.order import above, highest, lane_mask, lowest
from kernels.seats import is_against_loner, is_four, is_lone, n_lost, next_seat, side_of
from kernels.sides import beaten, of_highest_rank, of_lowest_rank, singleton_first, singletons, suit_by_unseen
from kernels.values import ALONE, BY_NAME, FOUR, HOW, KING, LANE, MAKER, MAKING, NEXT_LANE, OUT, TAKEN, THREE, UP, VOID


@kernel
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


@kernel
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
def draws_trumps(rules, table, seat):
    """Whether a leader is of the maker's side and some opponent has not shown that he is out of trumps."""
    making = table[MAKING]
    foes = ((1 << rules.n_seats) - 1) & ~(making | table[OUT] | table[VOID])
    return making >> seat & 1 and foes != 0


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
def leads_to_maker(table, seat, hand, n_out):
    """Whether the maker's partner leads trumps: four or more are out, no opponent is void of them, no suit is long."""
    if n_out < FOUR or table[VOID] & ~side_of(table, seat):
        return False
    return max(popcount(hand >> 16 & LANE), popcount(hand >> 32 & LANE), popcount(hand >> 48)) < THREE


@kernel
def n_above(rules, unseen, card):
    """How many unseen cards beat a card within its suit."""
    return popcount(unseen & above(rules, card))


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
