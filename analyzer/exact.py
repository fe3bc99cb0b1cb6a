"""Turns a question into sums over every world there is: each way the unseen cards can lie counts once.

Worlds are numbered in names of the suits that the question fixes and not who asked it, so a question with its suits
renamed has the same worlds under the same numbers, and the same answer to the last digit.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.border import door_of, kernel_players, kernel_rules, new_scratch
from analyzer.cards import each_card
from analyzer.engine import Chunk, available_workers, chunks, in_order
from analyzer.errors import QuestionError
from analyzer.events import Step
from analyzer.position import Position
from analyzer.strategy import Strategy
from analyzer.trials import Trials, Watch
from analyzer.views import N_VIEWS, joined_view, moved_cards, question_of
from kernels import exact, looks, values, worlds

MOST_WORLDS = 10**9
"""More than so many are not counted."""
EVERY_VIEW = 20_000
"""Up to so many worlds each is looked at in all eight views, beyond it in one that its number draws."""
CHUNK = 1 << 14
"""Worlds counted at once: 10 ms and more."""
MOST_FIRSTS = 1 << 16
"""Where the first place can be filled in more ways, mirror images are not looked for."""
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
    return _n_numbers(_ways_of(position, question_of(position, [], 0))[1])


def _n_numbers(ways: exact.Ways) -> int:
    """How many worlds have a number."""
    each = [comb(int(of), int(wants)) for _, wants, of, _ in ways.places]
    return prod([len(ways.firsts), *each[1:]] if len(ways.firsts) else each)


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
    watch: Watch | None = None,
    forecast: Forecast | None = None,
    worths: NDArray[np.int64] | None = None,
    lies: bool = False,
) -> Counted:
    """Try the options in every world; where half of them are mirror images of the others, in that half.

    Chunks of worlds are counted in a shuffled order, so those counted before Ctrl-C are a fair sample of all.
    """
    rules = position.rules
    question, ways = _ways_of(position, question_of(position, tried, 0, worths))
    ways, mirror = _halved(question, ways)
    n_cards = question.pools.shape[1]
    n_doubled, n_numbers = mirror.n_doubled if mirror else 0, _n_numbers(ways)
    kernel, seats, door = kernel_rules(rules), kernel_players(players, rules), door_of(rules)

    def count(chunk: Chunk) -> Counted:
        part = Trials.none(question)
        walk = new_walk(ways, n_cards if lies else 0)
        scratch = new_scratch(n_cards, len(tried), len(question.worths))
        part.found = door.count(kernel, seats, question, ways, chunk.first, chunk.n, scratch, walk, part.tally)
        part.drawn = chunk.n
        found = Counted(part, walk.lies.astype(object))
        return _as_one(mirror.with_images(found) if mirror and chunk.first < n_doubled else found)

    if forecast is not None:
        forecast(count_worlds(position), _seconds(count, n_numbers, workers))
    total = Counted(Trials.none(question), np.zeros((n_cards if lies else 0, looks.N_LIES), object))
    total.trials.is_counted = True
    try:
        for part in in_order(count, _shuffled(n_doubled, n_numbers), workers):
            total = Counted(total.trials.with_(part.trials), total.lies + part.lies)
            if watch is not None:
                watch(total.trials)
    except KeyboardInterrupt:
        total.trials.is_interrupted = True
    else:
        total.trials.is_exact = True
    return total


def _shuffled(n_doubled: int, n_numbers: int) -> Iterator[Chunk]:
    """Chunks of all numbers, in an order that is always the same; in none some worlds count for two and some do not."""
    parts = [*chunks(n_doubled, CHUNK)]
    parts += [Chunk(n_doubled + part.first, part.n) for part in chunks(n_numbers - n_doubled, CHUNK)]
    return (parts[k] for k in np.random.default_rng(0).permutation(len(parts)))


def _as_one(found: Counted) -> Counted:
    """A chunk of worlds with the squares that it has as one world of their weight.

    Its worlds are alike, so as long as not all chunks are counted, they differ as much as chunks do and not as worlds.
    """
    tally = found.trials.tally
    weight, worths = int(tally.weights[0]), tally.worths.astype(object)
    found.trials.tally = tally._replace(
        weights=np.array([weight, weight * weight], object),
        leverage=weight * worths,
        products=worths[:, :, None] * worths[:, None, :],
    )
    return found


def new_walk(ways: exact.Ways, n_cards: int = 0) -> exact.Walk:
    """Room for one thread, and for where so many cards lie."""
    n = len(ways.places)
    return exact.Walk(
        state=np.zeros((n, 3), np.int64),
        at=np.zeros(1, np.int64),
        masks=np.zeros((n, N_VIEWS), np.int64),
        lies=np.zeros((n_cards, looks.N_LIES), np.int64),
    )


def _seconds(count: Callable[[Chunk], Counted], n_numbers: int, workers: int | None) -> float:
    """How long all worlds will take, from some in the middle; once compiled."""
    count(Chunk(0, 1))
    n = min(PILOT, n_numbers)
    began = time.perf_counter()
    count(Chunk((n_numbers - n) // 2, n))
    return (time.perf_counter() - began) / n * n_numbers / (workers or available_workers())


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
        firsts=np.zeros(0, np.int64),
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


# --- half of the worlds ---


@dataclass(frozen=True, slots=True)
class Mirror:
    """Two suits of a colour, or more, change names and leave the question as it is: so worlds come in pairs.

    Of a pair one is the other's image. Looked at in the view that renames suits back, an image is to the last bit the
    table that the world is in its own view: whatever the strategies and however they break ties, the same cards are
    played. What an option is worth in a world, its own image is worth in the world's. So one of each pair is tried, and
    counts for both. It needs nothing else but that the hand, the upcard, the calls and cards told, the voids shown and
    the options as a whole stay what they are.
    """

    options: list[int]
    """Which option each one becomes."""
    cards: list[int]
    """Which unseen card each one becomes, by their places in the pool."""
    n_doubled: int
    """The worlds with lower numbers count for two; those with higher ones have their images among themselves."""

    def with_images(self, found: Counted) -> Counted:
        """What came of these worlds and of their images."""
        trials, lies = found.trials, found.lies
        tally = trials.tally
        both = tally._replace(
            outcomes=tally.outcomes + tally.outcomes[self.options],
            payoffs=tally.payoffs + tally.payoffs[self.options],
            worths=tally.worths + tally.worths[:, self.options],
            weights=2 * tally.weights,
            calls=2 * tally.calls,
        )
        return Counted(Trials(both, 2 * trials.found, 2 * trials.drawn), lies + lies[self.cards] if len(lies) else lies)


def _halved(question: worlds.Question, ways: exact.Ways) -> tuple[exact.Ways, Mirror | None]:
    """The ways to go through where images are left out, and the mirror; all ways where there is none."""
    n, wants = (int(k) for k in ways.places[0, [exact.OF, exact.WANTS]]) if len(ways.places) else (0, 0)
    view = _mirror_view(question)
    if view is None or comb(n, wants) > MOST_FIRSTS:
        return ways, None
    image = [1 << place for place in _places_in(ways.cards[0, :n].tolist(), ways.cards[view, :n].tolist())]
    doubled, single = [], []  # of the cards of the first place: those that differ from their image, one of each two
    for chosen in combinations(range(n), wants):
        mask, other = sum(1 << k for k in chosen), sum(image[k] for k in chosen)
        if mask == other:
            single.append(mask)
        elif mask < other:
            doubled.append(mask)
    halved = ways._replace(firsts=np.array(doubled + single, np.int64))
    return halved, Mirror(
        options=_places_in(question.options[0].tolist(), question.options[view].tolist()),
        cards=_places_in(question.pools[0].tolist(), question.pools[view].tolist()),
        n_doubled=_n_numbers(halved) // len(halved.firsts) * len(doubled),
    )


def _mirror_view(question: worlds.Question) -> int | None:
    """A view that leaves the question as it is and, taken twice, every world; None where there is none."""
    told = (question.starts, question.barred, question.shared, question.events)
    for view in range(1, N_VIEWS):
        is_own_inverse = joined_view(view, view) == 0
        if is_own_inverse and all(np.array_equal(array[view], array[0]) for array in told):
            moved, own = ({tuple(step) for step in question.options[k].tolist()} for k in (view, 0))
            if moved == own and set(question.pools[view].tolist()) == set(question.pools[0].tolist()):
                return view
    return None


def _places_in(things: Sequence[Any], moved: Sequence[Any]) -> list[int]:
    """The place of each moved thing among the things."""
    return [things.index(thing) for thing in moved]
