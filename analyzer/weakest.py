"""Turns a call into the hands around break-even: how strong a hand must be for calling to pay, by sampling.

Strength is what the seat's own strategy counts at this call, the number it compares with its threshold. Hands of one
strength differ, so break-even holds in the mean; the weakest hand that calls and the strongest that passes are of those
that were looked at, and each is told only after it has stood in deals of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, pairwise
from math import comb, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from analyzer.ask import Goal, named_in_position
from analyzer.border import Vector, door_of, kernel_players, kernel_rules
from analyzer.cards import cards_text, each_card
from analyzer.engine import Stopwatch, product_version
from analyzer.errors import QuestionError
from analyzer.estimates import SURE, z_of
from analyzer.leads import Lead, Study, leads, study_of
from analyzer.position import Position, table_of
from analyzer.position_file import position_json
from analyzer.rules import Rules, Value
from analyzer.strategy import Strategy
from analyzer.verdicts import Aim, listed
from kernels import values

MOST_HANDS = 250_000
"""Up to so many hands all are ordered by strength; of more, so many at random."""
FEW_HANDS = 50_000
N_COARSE = 200
"""Hands of every strength, to see where calling begins to pay."""
N_NEAR = 120
"""Hands looked at closely there."""
REACH = 150
"""How far from there, in hundredths of strength: half a trick."""
FEWEST_NEAR = 20
N_TRIES = 4
"""Candidates for the weakest that calls and for the strongest that passes."""

FEWEST_CHOSEN = 50
"""Deals in which the call is chosen that is held against pass: a quarter of the others, but so many at least."""

Role = Literal["calls", "even", "passes"]
Outcome = Literal["found", "always", "never", "unclear"]


@dataclass(frozen=True, slots=True)
class Effort:
    """How many deals each hand is tried in."""

    coarse: int
    near: int
    sure: int


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand, how strong it is, and how its calls stand."""

    hand: str
    role: Role | None
    """`calls`: the weakest looked at that calls; `passes`: the strongest that passes; `even`: near break-even."""
    strength: float
    threshold: float
    """The strength from which the strategy calls."""
    lead: Lead

    def row(self) -> dict[str, Any]:
        """As other programs read it."""
        own = {"hand": self.hand, "role": self.role, "strength": self.strength, "threshold": self.threshold}
        return own | asdict(self.lead)


@dataclass(frozen=True, slots=True)
class WeakestVerdict:
    """Where calling and passing break even in the mean, and the sentences that say so."""

    kind: Outcome
    """`always`: the weakest hands call; `never`: the strongest pass; `unclear`: strength does not tell."""
    break_even: float | None
    """Strength above the threshold of the strategy, below 0 where calling pays earlier; its interval at 95 %."""
    break_even_low: float | None
    break_even_high: float | None
    threshold: float | None
    """Of the strategy, if it is one for all hands."""
    decide_by: Aim
    text: str


@dataclass(frozen=True, slots=True)
class WeakestProvenance:
    """Where the answer comes from."""

    version: str
    seed: int
    hands: int
    """How many were tried."""
    deals: int
    """In how many each of those near break-even."""
    players: list[str]
    seconds: float
    command: str | None
    interrupted: bool


@dataclass(frozen=True, slots=True)
class Weakest:
    """The hands around break-even, the strongest first."""

    game: str
    rules: dict[str, Value]
    position: dict[str, Any]
    """The call; the hand in it is any hand."""
    hands: list[HandRow]
    verdict: WeakestVerdict
    provenance: WeakestProvenance

    def rows(self) -> list[dict[str, Any]]:
        """A row for each hand."""
        return [hand.row() for hand in self.hands]

    def json(self) -> dict[str, Any]:
        """The answer as other programs read it."""
        return {
            "game": self.game,
            "rules": self.rules,
            "position": self.position,
            "rows": self.rows(),
            "verdict": asdict(self.verdict),
            "provenance": asdict(self.provenance),
        }


def effort_for(rules: Rules, deals: int | None = None) -> Effort:
    """How many deals, unless so many are told for the hands near break-even."""
    if not rules.game.is_bid:
        coarse, near = 300, 2_000
    else:
        coarse, near = (50, 200) if rules.deck == 48 else (200, 1_000)
    near = deals or near
    return Effort(min(coarse, near), near, 5 * near)


# --- all hands by strength ---


def hands_of(position: Position, seed: int) -> Vector:
    """int64[n]: every hand that the asker may hold, as masks; of very many some at random. Twins stand low first."""
    pack = position.rules.pack
    cards = np.array(list(each_card(pack.cards & ~position.upcard)), np.int64)
    n = position.rules.hand_size
    if comb(len(cards), n) <= MOST_HANDS:
        chosen = np.array(list(combinations(range(len(cards)), n)))
    else:
        chosen = np.argsort(np.random.default_rng(seed).random((FEW_HANDS, len(cards))), axis=1)[:, :n]
    hands: Vector = np.bitwise_or.reduce(cards[chosen], axis=1)
    if pack.copies == 1:
        return hands
    low = np.int64(sum(0x0555 << 16 * suit for suit in range(4)) & pack.cards)
    alone = hands & (low << 1) & ~((hands & low) << 1)
    return np.unique(hands ^ alone ^ (alone >> 1))


def strengths_of(study: Study, hands: Vector) -> Vector:
    """int64[n, 2]: what each hand is worth to the asker's strategy at this call, and its threshold, in hundredths."""
    rules = study.position.rules
    out = np.zeros((len(hands), 2), np.int64)
    state = table_of(study.position).state
    door_of(rules).strengths(kernel_rules(rules), kernel_players(study.players, rules), state, hands, out)
    return out


# --- the search ---


@dataclass(slots=True)
class _Search:
    """What is known so far: hands in order of strength above the threshold, and those that were tried."""

    study: Study
    effort: Effort
    hands: Vector
    strengths: Vector
    over: Vector
    rng: np.random.Generator
    workers: int | None
    progress: Callable[[int], None] | None
    n_tried: int = 0

    def tried(self, places: Sequence[int], deals: int, *, afresh: bool = False) -> Iterator[tuple[int, Lead]]:
        """Try the hands at these places, if told in deals that were not tried before."""
        question = self.study.question
        if afresh:
            question = question._replace(seed=(question.seed + 1) % 2**63)
        study = replace(self.study, deals=deals, question=question, chosen_in=max(FEWEST_CHOSEN, deals // 4))
        hands = [int(self.hands[place]) for place in places]
        for place, lead in zip(places, leads(study, hands, self.workers), strict=True):
            self.n_tried += 1
            if self.progress is not None:
                self.progress(self.n_tried)
            yield place, lead


def weakest(
    position: Position,
    players: Sequence[Strategy],
    *,
    deals: int | None = None,
    margin: float | None = None,
    goal: Goal | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    command: str | None = None,
) -> Weakest:
    """Find where calling begins to pay, with whatever hand the asker may hold; `deals` for each hand near there.

    `progress` hears how many hands are tried, of `n_hands()` at most.

    Raises QuestionError where the decision is no call, nobody may pass, or the asker's strategy counts no strength.
    """
    clock = Stopwatch()
    effort = effort_for(position.rules, deals)
    study = study_of(position, players, deals=effort.near, what="--weakest", margin=margin, goal=goal, seed=seed)
    _check(study)
    hands = hands_of(position, seed)
    strengths = strengths_of(study, hands)
    over = strengths[:, 0] - strengths[:, 1]
    order = np.lexsort((hands, over))
    search = _Search(
        study, effort, hands[order], strengths[order], over[order], np.random.default_rng(seed), workers, progress
    )
    near, is_interrupted = _near(search, _begins(search))
    fit = _fit([float(search.over[place]) for place, _ in near], [_gain(lead) for _, lead in near])
    roles: dict[int, tuple[Role, Lead]] = {}
    if not is_interrupted:
        try:
            roles = _roles(search, near, fit)
        except KeyboardInterrupt:
            is_interrupted = True
    rows = [_row(search, place, lead, roles) for place, lead in reversed(near)]
    return Weakest(
        game=position.rules.game.name,
        rules=position.rules.changed(),
        position=position_json(replace(position, players=named_in_position(players))),
        hands=rows,
        verdict=_verdict(search, rows, fit),
        provenance=WeakestProvenance(
            version=product_version(),
            seed=seed,
            hands=search.n_tried,
            deals=effort.near,
            players=[strategy.name for strategy in players],
            seconds=round(clock.seconds, 3),
            command=command,
            interrupted=is_interrupted,
        ),
    )


def n_hands() -> int:
    """How many hands are tried at most."""
    return N_COARSE + N_NEAR + 2 * N_TRIES + 1


def _check(study: Study) -> None:
    """Refuse calls at which strength decides nothing."""
    position = study.position
    if all(option.step.verb != values.PASS for option in study.options):
        raise QuestionError(f"--weakest weighs calling against passing, but seat {position.seat} may not pass here")
    if study.players[position.seat - 1].is_random:
        raise QuestionError(
            f"--weakest orders hands by the strength that seat {position.seat} counts: random counts none"
        )


def _gain(lead: Lead) -> float:
    assert lead.over_pass is not None, "passing was checked to be allowed"
    return lead.over_pass


def _begins(search: _Search) -> int:
    """The place from which on calling gains most in all, by a few deals with hands of every strength."""
    edges = np.linspace(0, len(search.hands), N_COARSE + 1).astype(int)
    places = [int(search.rng.integers(low, high)) for low, high in pairwise(edges) if low < high]
    found = list(search.tried(places, search.effort.coarse))
    gained = np.cumsum([_gain(lead) for _, lead in found][::-1])[::-1]
    best = int(np.argmax(gained))
    if gained[best] <= 0:
        return len(search.hands) - 1
    return found[best][0] if best else 0


def _near(search: _Search, begins: int) -> tuple[list[tuple[int, Lead]], bool]:
    """Hands within reach of a place, closely looked at, and whether Ctrl-C came."""
    middle = search.over[begins]
    first, end = np.searchsorted(search.over, [middle - REACH, middle + REACH + 1])
    places = np.arange(first, end)
    if len(places) > N_NEAR:
        places = np.sort(search.rng.choice(places, N_NEAR, replace=False))
    shuffled = search.rng.permutation(places)  # what is finished at Ctrl-C is then of every strength
    found: list[tuple[int, Lead]] = []
    is_interrupted = False
    try:
        found.extend(search.tried(shuffled.tolist(), search.effort.near))
    except KeyboardInterrupt:
        if len(found) < FEWEST_NEAR:
            raise
        is_interrupted = True
    return sorted(found, key=lambda each: each[0]), is_interrupted


@dataclass(frozen=True, slots=True)
class Fit:
    """A straight line of gains over strength, and where it crosses zero; in hundredths of strength."""

    slope: float
    slope_se: float
    mean: float
    """The mean gain."""
    mean_se: float
    crosses: float | None
    crosses_se: float


def _fit(over: Sequence[float], gains: Sequence[float]) -> Fit:
    """Least squares; the error is that of how hands of one strength differ, chance among it."""
    x: NDArray[np.float64] = np.array(over)
    y: NDArray[np.float64] = np.array(gains)
    spread = float(((x - x.mean()) ** 2).sum())
    if len(x) < 3 or spread == 0:
        return Fit(0.0, 0.0, float(y.mean()), _error_of_mean(y), None, 0.0)
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread
    rest = y - y.mean() - slope * (x - x.mean())
    error = sqrt(float((rest**2).sum()) / (len(x) - 2))
    slope_se = error / sqrt(spread)
    if slope <= z_of(SURE) * slope_se:
        return Fit(slope, slope_se, float(y.mean()), _error_of_mean(y), None, 0.0)
    crosses = float(x.mean() - y.mean() / slope)
    return Fit(
        slope,
        slope_se,
        float(y.mean()),
        _error_of_mean(y),
        crosses,
        error / slope * sqrt(1 / len(x) + (crosses - float(x.mean())) ** 2 / spread),
    )


def _error_of_mean(gains: NDArray[np.float64]) -> float:
    return float(gains.std() / sqrt(max(1, len(gains) - 1)))


def _roles(search: _Search, near: Sequence[tuple[int, Lead]], fit: Fit) -> dict[int, tuple[Role, Lead]]:
    """The weakest hand that calls, the strongest that passes, and one at break-even, each in deals of its own."""
    found: dict[int, tuple[Role, Lead]] = {}
    calling = [place for place, lead in near if _stands("calls", lead)]
    passing = [place for place, lead in reversed(near) if _stands("passes", lead)]
    sides: tuple[tuple[Role, list[int]], ...] = (("calls", calling), ("passes", passing))
    for role, places in sides:
        sure = search.tried(places[:N_TRIES], search.effort.sure, afresh=True)
        found |= dict([(place, (role, lead)) for place, lead in sure if _stands(role, lead)][:1])
    others = [each for each in near if each[0] not in found]
    if fit.crosses is not None and others:
        middle, slope = fit.crosses, fit.slope
        even, _ = min(others, key=lambda each: abs(_gain(each[1])) + slope * abs(float(search.over[each[0]]) - middle))
        found |= {place: ("even", lead) for place, lead in search.tried([even], search.effort.sure, afresh=True)}
    return found


def _stands(role: Role, lead: Lead) -> bool:
    """Whether a hand calls, or passes, beyond doubt."""
    low, high = lead.over_pass_low, lead.over_pass_high
    return low is not None and high is not None and (low > 0 if role == "calls" else high < 0)


def _row(search: _Search, place: int, lead: Lead, roles: dict[int, tuple[Role, Lead]]) -> HandRow:
    role, sure = roles.get(place, (None, lead))
    strength, threshold = (int(number) / 100 for number in search.strengths[place])
    text = cards_text(int(search.hands[place]), search.study.position.rules.pack)
    return HandRow(text, role, strength, threshold, sure)


# --- the verdict ---


def _verdict(search: _Search, rows: Sequence[HandRow], fit: Fit) -> WeakestVerdict:
    """Where calling breaks even, if anywhere, in a player's words; `rows` the strongest first."""
    lowest, highest = float(search.over[0]), float(search.over[-1])
    thresholds = set(search.strengths[:, 1].tolist())
    threshold = thresholds.pop() / 100 if len(thresholds) == 1 else None
    last, first = (100 * (row.strength - row.threshold) for row in (rows[0], rows[-1]))
    kind: Outcome = "found"
    if fit.crosses is None or not first - REACH <= fit.crosses <= last + REACH:
        sure = z_of(SURE) * fit.mean_se
        kind = "always" if fit.mean > sure and first <= lowest + REACH else "unclear"
        kind = "never" if fit.mean < -sure and last >= highest - REACH else kind
    elif fit.crosses < lowest or fit.crosses > highest:
        kind = "always" if fit.crosses < lowest else "never"
    if kind != "found" or fit.crosses is None:
        text = " ".join([_NO_BREAK_EVEN[kind], *roles_text(rows)])
        return WeakestVerdict(kind, None, None, None, threshold, search.study.aim, text)
    half = z_of(SURE) * fit.crosses_se
    even, low, high = (number / 100 for number in (fit.crosses, fit.crosses - half, fit.crosses + half))
    name = search.study.players[search.study.position.seat - 1].name
    text = " ".join([break_even_text(even, low, high, threshold, name), *roles_text(rows)])
    return WeakestVerdict(kind, even, low, high, threshold, search.study.aim, text)


_NO_BREAK_EVEN: Mapping[Outcome, str] = {
    "always": "In the mean even the weakest hands gain by calling.",
    "never": "In the mean even the strongest hands gain by passing.",
    "unclear": "No strength can be named from which on calling pays: among the hands looked at, stronger ones are not"
    " shown to gain enough more by it than weaker ones. Ask about one hand, as in euchre ask HAND, or give each hand"
    " more deals with --deals.",
}


def break_even_text(even: float, low: float, high: float, threshold: float | None, name: str) -> str:
    """Where calling and passing break even, and from where on the strategy calls."""
    if threshold is None:
        side = "above" if even > 0 else "below"
        return (
            f"In the mean calling and passing break even {abs(even):.1f} {side} the threshold at which {name} names the"
            f" suit ({low:+.1f} to {high:+.1f}, {SURE:.0%} sure)."
        )
    numbers = " to ".join(f"{threshold + number:.1f}" for number in (low, high))
    return (
        f"In the mean calling and passing break even at a strength of {threshold + even:.1f} ({numbers}, {SURE:.0%}"
        f" sure); {name} calls from {threshold:.1f}."
    )


def roles_text(rows: Sequence[HandRow]) -> list[str]:
    """The weakest hand looked at that calls and the strongest that passes, in a sentence if there are any."""
    words: dict[Role, str] = {"calls": "the weakest that calls", "passes": "the strongest that passes"}
    by_role = {row.role: row for row in rows if row.role is not None}
    told = [
        f"{by_role[role].hand} ({by_role[role].strength:.1f}) is {what}"
        for role, what in words.items()
        if role in by_role
    ]
    return [f"Of the {len(rows)} hands looked at closely, {listed(told, 'and')}."] if told else []
