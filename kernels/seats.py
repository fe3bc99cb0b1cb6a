"""Turns a table into who plays after whom, who plays with whom, and who leads first."""

from kernels.bits import low_bit
from kernels.compile import kernel
from kernels.values import ALONE, FOUR, MAKER, MAKING, OUT, THREE, TRICKS


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
def is_lone(rules, table, seat):
    """Whether no other seat in play is of the side of `seat`."""
    return side_of(table, seat) & ((1 << rules.n_seats) - 1) & ~table[OUT] == 1 << seat


@kernel
def is_against_loner(table, seat):
    """Whether a seat defends against a maker who plays alone."""
    return table[ALONE] >> table[MAKER] & ~table[MAKING] >> seat & 1


@kernel
def partner_follows(ahead, side, seat, left):
    """1 if one of the `left` seats that play after `seat`, at most two of which matter, is of its `side` (a mask)."""
    second = ahead >> (4 * seat) & 3
    third = ahead >> (4 * second) & 3
    return (left >= 1) & (side >> second) | (left >= 2) & (side >> third) & 1
