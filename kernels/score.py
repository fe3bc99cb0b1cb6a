"""Turns a contract and the tricks taken into points: per seat in two- and three-handed, per side in four-player games.

Source: the rule sheets of each game; see docs/rules.md for every line and house rule.
"""

from kernels.compile import kernel
from kernels.values import (
    ALONE,
    CAUGHT,
    CLAIMED,
    FOUR,
    HOW,
    MAKER,
    POINTS,
    THREE,
    TRICKS,
)

BYTE = 0xFF
MOST_PAID = 48
"""Points to the maker's side lie between minus this and this."""
MOST_TO_OTHERS = 12
NOT_PLAYED = 0
"""The payoff of a deal thrown in or claimed."""


@kernel
def makers_tricks(rules, table):
    """Tricks of the maker's side."""
    maker = table[MAKER]
    tricks = table[TRICKS + maker]
    return tricks + table[TRICKS + (maker ^ 2)] if rules.n_seats == FOUR else tricks


@kernel
def is_made(rules, table, tricks):
    """Whether the contract is made with so many tricks of the maker's side."""
    if rules.bid:
        return tricks >= min(table[HOW], rules.n_cards)
    return tricks >= 3


@kernel
def score(rules, table):
    """Write the points of the deal into POINTS of the table, from MAKER, HOW, ALONE, TRICKS and CAUGHT."""
    tricks = makers_tricks(rules, table)
    if rules.bid:
        score_bid(rules, table, tricks)
    elif rules.n_seats == THREE:
        score_three(rules, table, tricks)
    else:
        score_sides(rules, table, tricks)
    if table[CAUGHT]:
        fine(rules, table)


@kernel
def fine(rules, table):
    """Take two points for every illegal play noticed from the offender's side; of two or three seats from his own."""
    for seat in range(rules.n_seats):
        side = seat & 1 if rules.n_seats == FOUR else seat
        table[POINTS + side] -= 2 * (table[CAUGHT] >> (8 * seat) & BYTE)


@kernel
def score_sides(rules, table, tricks):
    """Two- and four-handed: one side against the other."""
    maker = table[MAKER]
    side = maker & 1
    lone_maker = table[ALONE] >> maker & 1
    if tricks == rules.n_cards:
        table[POINTS + side] = rules.lone_march if lone_maker else 2
    elif tricks >= 3:
        table[POINTS + side] = 1
    else:
        lone_defender = table[ALONE] & ~(1 << maker)
        euchre = rules.loner_euchred if lone_maker else 2
        table[POINTS + 1 - side] = 4 if lone_defender else euchre


@kernel
def score_three(rules, table, tricks):
    """Three-handed: the maker against each of the two others."""
    maker = table[MAKER]
    if tricks >= 3:
        lone_march = rules.lone_maker_march if table[ALONE] >> maker & 1 else 3
        table[POINTS + maker] = lone_march if tricks == rules.n_cards else 1
        return
    lone_defender = table[ALONE] & ~(1 << maker)
    each = 4 if lone_defender and tricks == 0 else 2
    for seat in range(THREE):
        if seat != maker:
            table[POINTS + seat] = each


@kernel
def score_bid(rules, table, tricks):
    """Bid Euchre: a point a trick, or the contract's price."""
    side = table[MAKER] & 1
    level = table[HOW]
    over = level - rules.n_cards  # 1 ask, 2 moon; 0 and less a number
    price = rules.n_cards * 2 * over if over > 0 else tricks
    made = is_made(rules, table, tricks)
    if made:
        table[POINTS + side] = price
    elif over > 0:
        table[POINTS + side] = -price if rules.failed_value else -rules.n_cards
    else:
        table[POINTS + side] = -level
    others = rules.n_cards - tricks
    if rules.defenders_score == 0 or (rules.defenders_score == 1 and not made):
        table[POINTS + 1 - side] = others


@kernel
def doubled_points(rules, table, seat):
    """Twice the points of the deal as one seat counts them: own side's minus the others' (three-handed: their mean)."""
    if rules.n_seats == THREE:
        total = table[POINTS] + table[POINTS + 1] + table[POINTS + 2]
        return 3 * table[POINTS + seat] - total
    return 2 * (table[POINTS + (seat & 1)] - table[POINTS + 1 - (seat & 1)])


@kernel
def payoff(rules, table, codes):
    """The payoff of a finished deal without a fine: NOT_PLAYED, or its number in `codes` (see worlds.Question)."""
    maker = table[MAKER]
    if table[CLAIMED] or maker < 0:
        return NOT_PLAYED
    side, other = (maker, (maker + 1) % THREE) if rules.n_seats == THREE else (maker & 1, 1 - (maker & 1))
    return codes[side, table[POINTS + side] + MOST_PAID, table[POINTS + other]]
