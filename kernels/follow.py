"""The rules of thumb of a good club player who follows: a trick begun into the card he lays.

In words in docs/play.md. He sees what `lead` sees and the trick: who holds it, and who plays after him.
"""

from kernels.bits import low_bit, popcount
from kernels.compile import kernel
from kernels.order import above, highest, lane_mask, lane_of, lowest
from kernels.seats import is_against_loner, is_four, partner_follows, side_of
from kernels.sides import beaten, beats_fewest, of_lowest_rank, singleton_first, singletons
from kernels.trick import beating
from kernels.values import AHEAD, ALONE, BEST, FOUR, HAND, KING, LANE, LED, MAKER, MAKING, THREE, TURN, VOID, WINNER


@kernel
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
