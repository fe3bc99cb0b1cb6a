"""Turns a position into a question for the kernels: eight views of it that differ by the names of the suits.

The eight exchanges of suits keep colours together, so next stays next. Each world is looked at in one of them: a tie
that a strategy breaks by the order of suits then favours none.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from analyzer.border import Vector, payoffs_of
from analyzer.events import UNKNOWN, Step
from analyzer.position import Position, barred_cards, known_start, known_steps, shared_places
from analyzer.rules import Rules
from kernels import values, worlds

N_VIEWS = 8
_CARD_PLACES = (
    *range(values.HAND, values.HAND + values.MAX_SEATS),
    values.AT_DUMMY,
    values.UP,
    *range(values.KEPT, values.KEPT + values.MAX_SEATS),
)
FLOOR = 0.02
"""The least weight of a call that a strategy would not have made: people err."""


def question_of(position: Position, tried: Sequence[Step], seed: int, worths: Vector | None = None) -> worlds.Question:
    """The position and the options to try as kernels take them; every world is tried that is one.

    `worths` is what each payoff is worth to the asker, a row a scale; without it doubled points.
    """
    rules = position.rules
    start, pool = known_start(position)
    events = known_steps(position)
    barred = barred_cards(position)
    shared = shared_places(position)

    def in_views(moved: Callable[[int], object]) -> NDArray[np.int64]:
        return np.array([moved(view) for view in range(N_VIEWS)], np.int64)

    def places(view: int) -> list[int]:
        if shared is None:
            return [-1, -1, 0, 0]
        return [shared.first, shared.second, moved_cards(rules, view, shared.cards), shared.n_second]

    def masks(view: int, cards: Sequence[int]) -> list[int]:
        return [moved_cards(rules, view, int(mask)) for mask in cards]

    def steps(view: int, of: Sequence[Step]) -> list[Step]:
        return [moved_step(rules, view, step) for step in of]

    return worlds.Question(
        starts=in_views(lambda view: moved_start(rules, view, start)),
        pools=in_views(lambda view: masks(view, pool.tolist())),
        barred=in_views(lambda view: masks(view, barred + [0] * (values.MAX_SEATS - len(barred)))),
        shared=in_views(places),
        events=in_views(lambda view: steps(view, events)).reshape(N_VIEWS, -1, 2),
        options=in_views(lambda view: steps(view, tried)).reshape(N_VIEWS, -1, 2),
        asker=position.seat - 1,
        seed=seed,
        floor=round(FLOOR * worlds.ONE),
        reference=worlds.ONE,
        codes=payoffs_of(rules).codes,
        worths=np.array([doubled_points(rules, position.seat)]) if worths is None else worths,
    )


def win_worths(chances: NDArray[np.float64]) -> tuple[Vector, float]:
    """int64[n_payoffs], chances to win as whole numbers that kernels can multiply, and how many of these make 1.

    They are told from the middle, and so finely that the furthest is HEAVIEST_WORTH: rounding then moves no standard
    error to speak of, and means are not taken from these numbers.
    """
    middle = (chances.max() + chances.min()) / 2
    half = float(chances.max() - middle)
    unit = worlds.HEAVIEST_WORTH / half if half > 0 else 1.0
    return np.rint((chances - middle) * unit).astype(np.int64), unit


def side_of(rules: Rules, seat: int) -> int:
    """The place of a seat's side in a list of scores."""
    return next(place for place, side in enumerate(rules.sides) if seat in side)


def doubled_points(rules: Rules, seat: int) -> Vector:
    """int64[n_payoffs]: twice the points of each payoff, own side's minus the other's or the mean of the two others."""
    own, n_others = side_of(rules, seat), len(rules.sides) - 1
    paid = [payoff.points for payoff in payoffs_of(rules).each]
    return np.array([2 * (points[own] * (n_others + 1) - sum(points)) // n_others for points in paid], np.int64)


def moved_suit(view: int, suit: int) -> int:
    """Where a suit goes in a view: the four exchanges that keep colours together, with and without the middle swap."""
    if view & 4 and suit in (1, 2):
        suit = 3 - suit
    return suit ^ (view & 3)


def back_from(view: int) -> int:
    """The view that turns the names of a view back to those of the position."""
    return next(back for back in range(N_VIEWS) if joined_view(view, back) == 0)


def joined_view(first: int, then: int) -> int:
    """The view that renames suits as one view does and another one after it."""
    renamed = [moved_suit(then, moved_suit(first, suit)) for suit in range(4)]
    return next(view for view in range(N_VIEWS) if [moved_suit(view, suit) for suit in range(4)] == renamed)


def moved_cards(rules: Rules, view: int, cards: int) -> int:
    """The cards of a mask in a view; the joker has no suit."""
    joker = cards & values.JOKER if rules.joker else 0
    cards ^= joker
    lanes = [(cards >> 16 * suit & values.LANE) << 16 * moved_suit(view, suit) for suit in range(4)]
    return sum(lanes) | joker


def moved_step(rules: Rules, view: int, step: Step) -> Step:
    """The same step in a view; cards and suits change their names."""
    verb, what = step
    if what == UNKNOWN:
        return step
    if verb == values.SAY_NAME:
        return Step(verb, moved_suit(view, what & 3) | what & 4)
    if verb == values.SAY_TRUMP:
        return Step(verb, moved_suit(view, what))
    if verb == values.SAY_BID and what >> values.TOLD_SHIFT:
        level = what & ((1 << values.TOLD_SHIFT) - 1)
        return Step(verb, level | (moved_suit(view, (what >> values.TOLD_SHIFT) - 1) + 1) << values.TOLD_SHIFT)
    if verb in values.WITH_CARDS:
        return Step(verb, moved_cards(rules, view, what))
    return step


def moved_start(rules: Rules, view: int, start: Vector) -> Vector:
    """The same table in a view, int64[TABLE_SIZE], as it is before the play."""
    moved = start.copy()
    for place in _CARD_PLACES:
        moved[place] = moved_cards(rules, view, int(start[place]))
    if start[values.UP_SUIT] >= 0:
        moved[values.UP_SUIT] = moved_suit(view, int(start[values.UP_SUIT]))
    return moved
