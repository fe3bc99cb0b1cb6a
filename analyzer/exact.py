"""Turns a question into sums over every world there is: each way the unseen cards can lie counts once.

Worlds are numbered in names of the suits that the question fixes and not who asked it, so a question with its suits
renamed has the same worlds under the same numbers, and the same answer to the last digit.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from analyzer.border import Step, door_of, kernel_players, kernel_rules, new_scratch
from analyzer.cards import each_card
from analyzer.engine import Chunk, Progress, available_workers, chunks, in_order
from analyzer.errors import QuestionError
from analyzer.position import Position
from analyzer.strategy import Strategy
from analyzer.trials import Trials
from analyzer.views import N_VIEWS, joined_view, moved_cards, question_of
from kernels import exact, looks, values, worlds

MOST_WORLDS = 10**9
"""More than so many are not counted."""
EVERY_VIEW = 20_000
"""Up to so many worlds each is looked at in all eight views, beyond it in one that its number draws."""
CHUNK = 1 << 14
"""Worlds counted at once: 10 ms and more."""
PILOT = 1 << 11
"""Worlds counted to forecast the time."""
Forecast = Callable[[int, float], None]
"""Called before the work with the number of worlds and the seconds that they will take."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What came of every world."""

    trials: Trials
    lies: NDArray[np.object_]
    """(n_unseen, looks.N_LIES) of Python's whole numbers, where the unseen cards lie; no rows where not asked for."""


def count_worlds(position: Position) -> int:
    """Return in how many ways the unseen cards can lie, those that the calls and cards told rule out included."""
    _, ways = _ways_of(position, question_of(position, [], 0))
    return prod(comb(int(of), int(wants)) for _, wants, of, _ in ways.places)


def check_countable(position: Position, players: Sequence[Strategy]) -> None:
    """Raise QuestionError where worlds cannot be counted: too many, or players who flip coins."""
    random = [strategy.name for strategy in players if strategy.is_random]
    if random:
        raise QuestionError(f"--exact goes with strategies that always do the same: {random[0]} flips coins")
    n = count_worlds(position)
    if n > MOST_WORLDS:
        raise QuestionError(f"--exact counts up to {MOST_WORLDS:,} deals; the unseen cards can lie in {n:,} ways")


def count_options(
    position: Position,
    players: Sequence[Strategy],
    tried: Sequence[Step],
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    forecast: Forecast | None = None,
    worths: NDArray[np.int64] | None = None,
    lies: bool = False,
) -> Counted:
    """Try the options in every world. What was counted before Ctrl-C is no answer: the interrupt goes through."""
    rules = position.rules
    question, ways = _ways_of(position, question_of(position, tried, 0, worths))
    n_cards = question.pools.shape[1]
    n_worlds = count_worlds(position)
    kernel, seats, door = kernel_rules(rules), kernel_players(players, rules), door_of(rules)

    def count(chunk: Chunk) -> Counted:
        part = Trials.none(question)
        walk = new_walk(ways, n_cards if lies else 0)
        scratch = new_scratch(n_cards, len(tried), len(question.worths))
        part.found = door.count(kernel, seats, question, ways, chunk.first, chunk.n, scratch, walk, part.tally)
        part.drawn = chunk.n
        return Counted(part, walk.lies.astype(object))

    if forecast is not None:
        forecast(n_worlds, _seconds(count, n_worlds, workers))
    total = Counted(Trials.none(question), np.zeros((n_cards if lies else 0, looks.N_LIES), object))
    total.trials.is_exact = True
    for part in in_order(count, chunks(n_worlds, CHUNK), workers):
        total = Counted(total.trials.with_(part.trials), total.lies + part.lies)
        if progress is not None:
            progress(total.trials.drawn)
    return total


def new_walk(ways: exact.Ways, n_cards: int = 0) -> exact.Walk:
    """Room for one thread, and for where so many cards lie."""
    n = len(ways.places)
    return exact.Walk(
        np.zeros((n, 3), np.int64), np.zeros((n, N_VIEWS), np.int64), np.zeros((n_cards, looks.N_LIES), np.int64)
    )


def _seconds(count: Callable[[Chunk], Counted], n_worlds: int, workers: int | None) -> float:
    """How long all worlds will take, from some in the middle; once compiled."""
    count(Chunk(0, 1))
    n = min(PILOT, n_worlds)
    began = time.perf_counter()
    count(Chunk((n_worlds - n) // 2, n))
    return (time.perf_counter() - began) / n * n_worlds / (workers or available_workers())


def _ways_of(position: Position, question: worlds.Question) -> tuple[worlds.Question, exact.Ways]:
    """The question with its views in an order that its own names do not change, and how its unseen cards can lie."""
    rules = position.rules
    base = min(range(N_VIEWS), key=lambda view: [array[view].tolist() for array in (question.starts, question.events)])
    order = [joined_view(base, view) for view in range(N_VIEWS)]
    first, second, _, n_second = question.shared[0].tolist()
    known = list(each_card(int(question.shared[0, 2] | question.starts[0, first]))) if second >= 0 else []
    unseen = sorted(question.pools[0].tolist(), key=lambda card: moved_cards(rules, base, card))
    cards = unseen + sorted(known, key=lambda card: moved_cards(rules, base, card))
    n_unseen = len(unseen)
    places = []
    rest = n_unseen
    for place, need in _wanting(question.starts[0]):
        if need or place == first:
            places.append([place, need, rest, exact.FROM_REST])
            rest -= need
    if second >= 0:
        source = next(k for k, row in enumerate(places) if row[0] == first)
        places.append([second, n_second, places[source][1] + len(known), source])
    most, widest = max((row[1] for row in places), default=0), len(cards)
    ways = exact.Ways(
        cards=np.array([[moved_cards(rules, view, card) for card in cards] for view in order], np.int64),
        unseen=(1 << n_unseen) - 1,
        known=((1 << len(known)) - 1) << n_unseen,
        places=np.array(places, np.int64).reshape(-1, 4),
        binomials=np.array([[comb(m, k) for k in range(most + 1)] for m in range(widest + 1)], np.int64),
        n_views=N_VIEWS if prod(comb(of, wants) for _, wants, of, _ in places) <= EVERY_VIEW else 1,
    )
    in_order_of_views = question._replace(
        starts=question.starts[order],
        pools=question.pools[order],
        barred=question.barred[order],
        shared=question.shared[order],
        events=question.events[order],
        options=question.options[order],
        reference=1,
    )
    return in_order_of_views, ways


def _wanting(start: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Each place of the table and the unseen cards it wants."""
    needs: list[int] = start[values.NEED : values.NEED + values.MAX_SEATS].tolist()
    return [(values.HAND + seat, need) for seat, need in enumerate(needs)] + [
        (values.AT_DUMMY, int(start[values.NEED_DUMMY]))
    ]
