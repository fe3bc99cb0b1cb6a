"""Turns a position into an answer: every option tried in the same worlds, with a verdict.

A world fills every place the asker cannot see; where others have called, only worlds in which their strategies call so
count. Points are those of the asker's side minus the other's (three-handed: minus the mean of the two others).
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.border import (
    UNKNOWN,
    Event,
    Step,
    Vector,
    door_of,
    event_of,
    kernel_players,
    kernel_rules,
    new_scratch,
)
from analyzer.cards import SUIT_NAMES, SUITS
from analyzer.engine import Chunk, Progress, chunks, in_order, product_version
from analyzer.errors import QuestionError
from analyzer.estimates import SURE, Difference, Interval, Kind, differences, kind_of, mean_of, wilson
from analyzer.position import Position, known_start, known_steps, option_text, options, position_json
from analyzer.rules import Rules, Value
from analyzer.strategy import PRESETS, Strategy
from kernels import doors, values

CHUNK = 1 << 12
DRAWS_PER_WORLD = 50
ENOUGH_WORLDS = 1000
FEWEST_FOR_A_VERDICT = 100
N_VIEWS = 8


@dataclass(frozen=True, slots=True)
class OptionResult:
    """What came of one option; the names and their order are a promise to other programs."""

    option: str
    event: Event
    trump: str | None
    same: list[str]
    deals: int
    points: float
    points_se: float
    difference: float
    difference_se: float
    difference_low: float
    difference_high: float
    made: float
    made_low: float
    made_high: float
    march: float
    euchred: float
    other_made: float
    other_euchred: float
    thrown_in: float
    win_game: float | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which option is best, how sure that is, and the sentence that says so."""

    kind: Kind
    best: str
    equal: list[str]
    sure: float | None
    margin: float
    text: str


@dataclass(frozen=True, slots=True)
class AskProvenance:
    """Where the answer comes from."""

    version: str
    seed: int
    deals: int
    drawn: int
    effective: float
    exact: bool
    players: list[str]
    play: str
    seconds: float
    command: str | None
    interrupted: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one position; `options` best first."""

    game: str
    rules: dict[str, Value]
    position: dict[str, Any]
    options: list[OptionResult]
    verdict: Verdict
    provenance: AskProvenance

    def json(self) -> dict[str, Any]:
        """The answer as other programs read it; `trump` stands only with bids."""
        found = asdict(self)
        for option in found["options"]:
            if option["trump"] is None:
                del option["trump"]
        return found


def default_deals(rules: Rules) -> int:
    """The number of worlds that answers an ordinary question."""
    if not rules.game.is_bid:
        return 200_000
    return 10_000 if rules.deck == 48 else 50_000


def default_margin(rules: Rules) -> float:
    """How many points count as equal."""
    if not rules.game.is_bid:
        return 0.02
    return 0.2 if rules.deck == 48 else 0.1


# --- the eight views ---


def _moved_suit(view: int, suit: int) -> int:
    """Where a suit goes in a view: the four exchanges that keep colours together, with and without the middle swap."""
    if view & 4 and suit in (1, 2):
        suit = 3 - suit
    return suit ^ (view & 3)


def _moved_cards(rules: Rules, view: int, cards: int) -> int:
    """The cards of a mask in a view; the joker has no suit."""
    joker = cards & values.JOKER if rules.joker else 0
    cards ^= joker
    lanes = [(cards >> 16 * suit & values.LANE) << 16 * _moved_suit(view, suit) for suit in range(4)]
    return sum(lanes) | joker


def _moved_step(rules: Rules, view: int, step: Step) -> Step:
    """The same step in a view."""
    verb, what = step
    if what == UNKNOWN:
        return step
    if verb == values.SAY_NAME:
        return Step(verb, _moved_suit(view, what & 3) | what & 4)
    if verb == values.SAY_TRUMP:
        return Step(verb, _moved_suit(view, what))
    if verb == values.SAY_BID and what >> values.TOLD_SHIFT:
        level = what & ((1 << values.TOLD_SHIFT) - 1)
        return Step(verb, level | (_moved_suit(view, (what >> values.TOLD_SHIFT) - 1) + 1) << values.TOLD_SHIFT)
    if verb in values.WITH_CARDS:
        return Step(verb, _moved_cards(rules, view, what))
    return step


def _moved_start(rules: Rules, view: int, start: Vector) -> Vector:
    """The same start in a view."""
    moved = start.copy()
    for place in (*range(values.HAND, values.HAND + values.MAX_SEATS), values.AT_DUMMY, values.UP):
        moved[place] = _moved_cards(rules, view, int(start[place]))
    if start[values.UP_SUIT] >= 0:
        moved[values.UP_SUIT] = _moved_suit(view, int(start[values.UP_SUIT]))
    return moved


def _steps_array(views: Sequence[Sequence[Step]]) -> NDArray[np.int64]:
    """int64[N_VIEWS, n, 2]."""
    return np.array(views, np.int64).reshape(N_VIEWS, -1, 2)


def question_of(position: Position, tried: Sequence[Step], seed: int) -> doors.Question:
    """The position and its options as kernels take them, in eight views."""
    rules = position.rules
    start, pool = known_start(position)
    events = known_steps(position)
    views = range(N_VIEWS)
    return doors.Question(
        starts=np.array([_moved_start(rules, view, start) for view in views]),
        pools=np.array([[_moved_cards(rules, view, int(card)) for card in pool] for view in views], np.int64),
        events=_steps_array([[_moved_step(rules, view, step) for step in events] for view in views]),
        options=_steps_array([[_moved_step(rules, view, step) for step in tried] for view in views]),
        asker=position.seat - 1,
        seed=seed,
    )


# --- the worlds ---


@dataclass(slots=True)
class _Worlds:
    """Sums over the worlds tried so far."""

    tally: doors.Tally
    found: int = 0
    drawn: int = 0

    @classmethod
    def none(cls, n_options: int, n_events: int) -> "_Worlds":
        return cls(
            doors.Tally(
                np.zeros((n_options, doors.N_OUTCOMES), np.int64),
                np.zeros(n_options, np.int64),
                np.zeros((n_options, n_options), np.int64),
                np.zeros(n_events + 1, np.int64),
            )
        )

    def add(self, other: "_Worlds") -> None:
        for sums, further in zip(self.tally, other.tally, strict=True):
            np.add(sums, further, out=sums)
        self.found += other.found
        self.drawn += other.drawn


def _try_options(
    position: Position,
    players: Sequence[Strategy],
    tried: Sequence[Step],
    deals: int,
    seed: int,
    workers: int | None,
    progress: Progress | None,
) -> tuple[_Worlds, bool]:
    """All options in the first `deals` worlds that agree with the calls; (sums, whether Ctrl-C ended it early)."""
    rules = position.rules
    door, kernel, seats = door_of(rules), kernel_rules(rules), kernel_players(players, rules)
    question = question_of(position, tried, seed)
    n_events = question.events.shape[1]

    def play(chunk: Chunk, limit: int = CHUNK) -> _Worlds:
        part = _Worlds.none(len(tried), n_events)
        scratch = new_scratch(question.pools.shape[1], len(tried))
        part.found, part.drawn = door.ask(kernel, seats, question, chunk.first, chunk.n, limit, scratch, part.tally)
        return part

    total = _Worlds.none(len(tried), n_events)
    draws = deals * (DRAWS_PER_WORLD if n_events else 1)
    try:
        for chunk, part in zip(chunks(draws, CHUNK), in_order(play, chunks(draws, CHUNK), workers), strict=True):
            wanted = deals - total.found
            # what comes after the last world wanted does not count, not even as drawn: the same for any chunk size
            is_whole = part.found < wanted or part.found == wanted == part.drawn
            total.add(part if is_whole else play(chunk, wanted))
            if progress is not None:
                progress(total.found)
            if total.found == deals:
                break
    except KeyboardInterrupt:
        return total, True
    return total, False


def _check_worlds(position: Position, worlds: _Worlds, deals: int) -> None:
    """Refuse calls that the strategies hardly make, naming the one made least often."""
    if worlds.found >= min(deals, ENOUGH_WORLDS) or worlds.found == worlds.drawn:
        return
    agreed = [int(n) for n in worlds.tally.agreed]
    shares = [after / before if before else 1.0 for before, after in pairwise(agreed)]
    rarest = shares.index(min(shares))
    step = known_steps(position)[rarest]
    said = next((event for event in position.events[rarest:] if event), None)
    words = option_text(position.rules, (step,)) if step.what != UNKNOWN else str(said)
    raise QuestionError(
        f'only {worlds.found} of {worlds.drawn} worlds agree with the calls: "{words}" (event {rarest + 1}) was made '
        f"in {shares[rarest]:.2%} of them; check --calls, give --players that call so, or more --deals to draw from"
    )


# --- the answer ---


def ask(
    position: Position,
    players: Sequence[Strategy],
    *,
    deals: int | None = None,
    margin: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
    command: str | None = None,
) -> Answer:
    """Try every option of a position in the same worlds.

    Raises QuestionError where the players would hardly have made the calls of the position.
    """
    began = time.perf_counter()
    rules = position.rules
    wanted = deals or default_deals(rules)
    tried = [steps[0] for steps in options(position)]
    worlds, interrupted = _try_options(position, players, tried, wanted, seed, workers, progress)
    if not interrupted:
        _check_worlds(position, worlds, wanted)
    if worlds.found == 0:
        raise KeyboardInterrupt
    within = default_margin(rules) if margin is None else margin
    results, verdict = _judge(position, tried, worlds, within)
    return Answer(
        game=rules.game.name,
        rules=rules.changed(),
        position=position_json(replace(position, players=_named(players))),
        options=results,
        verdict=verdict,
        provenance=AskProvenance(
            version=product_version(),
            seed=seed,
            deals=worlds.found,
            drawn=worlds.drawn,
            effective=float(worlds.found),
            exact=False,
            players=[strategy.name for strategy in players],
            play="base",
            seconds=round(time.perf_counter() - began, 3),
            command=command,
            interrupted=interrupted,
        ),
    )


def _named(players: Sequence[Strategy]) -> tuple[str, ...] | None:
    """The names that a position gives its players: none where all are standard, or one is a file of the user's."""
    names = tuple(strategy.name for strategy in players)
    return names if set(names) <= set(PRESETS) and set(names) != {"standard"} else None


def _judge(
    position: Position, tried: Sequence[Step], worlds: _Worlds, margin: float
) -> tuple[list[OptionResult], Verdict]:
    """The options best first, and the verdict on them."""
    sums = [int(total) for total in worlds.tally.points]
    products = [[int(product) for product in row] for row in worlds.tally.products]
    best = sums.index(max(sums))
    apart = differences(sums, products, worlds.found, best, unit=2)
    results = [_result(position, step, k, worlds, apart[k]) for k, step in enumerate(tried)]
    kind, equal = kind_of(apart, best, margin)
    if worlds.found < FEWEST_FOR_A_VERDICT and kind != "only":
        kind, equal = "undecided", []  # so few worlds may look alike by chance, and their errors then look like none
    ranked = sorted(range(len(tried)), key=lambda k: -sums[k])
    names = [results[k].option for k in ranked if k in equal]
    ordered = [results[k] for k in ranked]
    sure = {"only": 1.0, "undecided": None}.get(kind, SURE)
    text = verdict_text(kind, ordered, names, margin)
    return ordered, Verdict(kind, ordered[0].option, names, sure, margin, text)


def _result(position: Position, step: Step, k: int, worlds: _Worlds, apart: Difference) -> OptionResult:
    """One option's estimates."""
    n = worlds.found
    mean = mean_of(int(worlds.tally.points[k]), int(worlds.tally.products[k][k]), n, unit=2)
    outcomes = [int(count) / n for count in worlds.tally.outcomes[k]]
    made: Interval = wilson(outcomes[doors.OWN_MADE], n)
    told = step.what >> values.TOLD_SHIFT if step.verb == values.SAY_BID else 0
    plain = Step(step.verb, step.what & ((1 << values.TOLD_SHIFT) - 1)) if told else step
    return OptionResult(
        option=option_text(position.rules, (step,)),
        event=event_of(position.rules, position.seat, plain),
        trump=SUITS[told - 1] if told else None,
        same=[],
        deals=n,
        points=mean.mean,
        points_se=mean.se,
        difference=apart.mean,
        difference_se=apart.se,
        difference_low=apart.low,
        difference_high=apart.high,
        made=outcomes[doors.OWN_MADE],
        made_low=made.low,
        made_high=made.high,
        march=outcomes[doors.OWN_MARCH],
        euchred=outcomes[doors.OWN_EUCHRED],
        other_made=outcomes[doors.OTHER_MADE],
        other_euchred=outcomes[doors.OTHER_EUCHRED],
        thrown_in=outcomes[doors.NOBODY],
        win_game=None,
    )


def said(option: str) -> str:
    """An option in a sentence: what the player would do."""
    words = {"pass": "pass", "order": "order it up", "order alone": "order it up alone", "alone": "go alone"}
    if option in words:
        return words[option]
    if option.split(maxsplit=1)[0] in SUIT_NAMES:
        return f"name {option}"
    if option.split(maxsplit=1)[0].isdigit() or option.split(maxsplit=1)[0] in ("six", "ask", "moon"):
        return f"bid {option}"
    return option


def _shown(value: float, se: float) -> str:
    """A number with the digits its standard error leaves standing, two at least."""
    digits = 2 if se <= 0 else max(2, min(4, -floor(log10(se))))
    return f"{value:.{digits}f}"


def verdict_text(kind: Kind, ranked: Sequence[OptionResult], equal: Sequence[str], margin: float) -> str:
    """The verdict in one sentence of a player's words; `ranked` best first."""
    best = ranked[0]
    do = said(best.option)
    do = do[0].upper() + do[1:]
    if kind == "only":
        return f"{do}: nothing else may be done here."
    rival = ranked[1]
    gap = _shown(-rival.difference, rival.difference_se)
    if kind == "better":
        closest = max(ranked[1:], key=lambda option: option.difference_high)
        least = _shown(-closest.difference_high, closest.difference_se)
        within = f" So small a difference counts as none (margin {margin:g})." if -rival.difference <= margin else ""
        return (
            f"{do}: {best.points:+.2f} points a deal, {gap} more than to {said(rival.option)} "
            f"(at least {least} more than anything else, {SURE:.0%} sure).{within}"
        )
    if kind == "equal":
        names = " and ".join([", ".join(said(name) for name in equal[:-1]), said(equal[-1])])
        return f"Equal within {margin:g} points a deal: {names} ({SURE:.0%} sure)."
    open_rivals = [option for option in ranked[1:] if option.difference_high >= 0 and option.difference_low < -margin]
    rival = open_rivals[0] if open_rivals else rival
    gap = _shown(abs(rival.difference), rival.difference_se)
    ahead = _shown(max(0.0, rival.difference_high), rival.difference_se)
    return (
        f"Undecided: to {said(best.option)} looks best, but to {said(rival.option)} is {gap} behind "
        f"and may be up to {ahead} ahead; more --deals would tell."
    )
