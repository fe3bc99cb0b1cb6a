"""Turns a position into an answer: every option tried in the same worlds, with a verdict.

A world fills every place the asker cannot see; where others have called, only worlds in which their strategies call so
count. Points are those of the asker's side minus the other's (three-handed: minus the mean of the two others).
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import comb, floor, log10
from typing import Any, TypedDict, Unpack

from analyzer.border import Event, Step, event_of
from analyzer.cards import SUIT_NAMES, SUITS
from analyzer.engine import Progress, product_version
from analyzer.errors import QuestionError
from analyzer.estimates import (
    FEWEST_ANY_TIME,
    SURE,
    Difference,
    Interval,
    Kind,
    Sums,
    differences,
    kind_of,
    wilson,
)
from analyzer.exact import Forecast, check_countable, count_options, count_worlds
from analyzer.position import Option, Position, option_text, options, position_json
from analyzer.rules import Rules, Value
from analyzer.strategy import PRESETS, Strategy
from analyzer.trials import FEWEST_EFFECTIVE, Budget, Trials, try_options
from analyzer.views import FLOOR, question_of
from kernels import doors, values

FEWEST_FOR_A_VERDICT = 100
FEW_WORLDS = 100_000
"""So many are counted rather than drawn from: it takes no longer, and leaves no doubt."""
RARE = 0.005
"""The share of worlds below which a call deserves a word."""


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
    doubts: list[str]
    """Sentences for a person, on what the worlds rest; not in JSON."""

    def json(self) -> dict[str, Any]:
        """The answer as other programs read it; `trump` stands only with bids."""
        found = asdict(self)
        del found["doubts"]
        for option in found["options"]:
            if option["trump"] is None:
                del option["trump"]
        return found


def default_deals(rules: Rules) -> int:
    """The most worlds that a question is tried in until its verdict falls."""
    if not rules.game.is_bid:
        return 1_000_000
    return 50_000 if rules.deck == 48 else 250_000


def fewest_deals(rules: Rules) -> int:
    """The worlds that are tried however clear the matter is: they cost next to nothing and make the shares readable."""
    if not rules.game.is_bid:
        return 20_000
    return FEWEST_ANY_TIME if rules.deck == 48 else 4_000


def default_margin(rules: Rules) -> float:
    """How many points count as equal."""
    if not rules.game.is_bid:
        return 0.02
    return 0.2 if rules.deck == 48 else 0.1


# --- the answer ---


class Effort(TypedDict, total=False):
    """How much to try."""

    deals: int | None
    """So many worlds, whatever they tell."""
    max_deals: int | None
    """At most so many."""
    margin: float | None
    """How many points count as equal."""
    exact: bool
    """Every world is counted, however many there are; else only where that is cheaper."""
    every: bool
    """A maker who keeps five of ten tries all 252, not only those that may be the best."""


def ask(
    position: Position,
    players: Sequence[Strategy],
    *,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
    forecast: Forecast | None = None,
    command: str | None = None,
    **effort: Unpack[Effort],
) -> Answer:
    """Try the options of a position in the same worlds: `deals` of them, until the verdict falls, or in all there are.

    Raises QuestionError where no world could be found, and where worlds cannot be counted as they should be;
    KeyboardInterrupt where Ctrl-C came before the first world, or, where all are counted, before the last.
    """
    began = time.perf_counter()
    rules = position.rules
    deals, margin = effort.get("deals"), effort.get("margin")
    within = default_margin(rules) if margin is None else margin
    tried = options(position, every=effort.get("every", False))
    question = question_of(position, [option.step for option in tried], seed)

    def is_decided(trials: Trials) -> bool:
        sums = trials.sums
        return sums.effective >= fewest_deals(rules) and _kind(sums, within, is_any_time=True)[0] != "undecided"

    budget = Budget(deals) if deals else Budget(effort.get("max_deals") or default_deals(rules), is_decided)
    if will_count(position, players, **effort):
        steps = [option.step for option in tried]
        counted = count_options(position, players, steps, workers=workers, progress=progress, forecast=forecast)
        trials = counted.trials
    else:
        trials = try_options(rules, players, question, budget, workers=workers, progress=progress)
    if not trials.found:
        if trials.is_interrupted:
            raise KeyboardInterrupt
        raise QuestionError(
            f"none of {trials.drawn:,} deals can have come to this position by the calls and cards told"
        )
    results, verdict = _judge(position, tried, trials, within, is_any_time=deals is None)
    return Answer(
        game=rules.game.name,
        rules=rules.changed(),
        position=position_json(replace(position, players=_named(players))),
        options=results,
        verdict=verdict,
        provenance=AskProvenance(
            version=product_version(),
            seed=seed,
            deals=trials.found,
            drawn=trials.drawn,
            effective=trials.sums.effective,
            exact=trials.is_exact,
            players=[strategy.name for strategy in players],
            play="base",
            seconds=round(time.perf_counter() - began, 3),
            command=command,
            interrupted=trials.is_interrupted,
        ),
        doubts=_doubts(position, tried, trials, budget),
    )


def will_count(position: Position, players: Sequence[Strategy], **effort: Unpack[Effort]) -> bool:
    """Whether every world is counted: where told so, or unless told otherwise where there are few.

    Raises QuestionError where they cannot be.
    """
    if effort.get("exact"):
        check_countable(position, players)
        return True
    if effort.get("deals") or any(strategy.is_random for strategy in players):
        return False
    most = effort.get("max_deals") or default_deals(position.rules)
    return count_worlds(position) <= min(most, FEW_WORLDS)


def _doubts(position: Position, tried: Sequence[Option], trials: Trials, budget: Budget) -> list[str]:
    """What the asker should know of the options and the worlds, as sentences."""
    found = []
    if tried[0].step.verb == values.KEEP_FIVE and len(tried) < (n_fives := comb(2 * position.rules.hand_size, 5)):
        found.append(f"Of {n_fives} ways to keep five {len(tried)} likely ones were tried; --all-options tries all.")
    rarest = trials.rarest_call()
    if rarest and rarest[1] < RARE:
        event = [event for event in position.events for _ in range(1 + (event[1] == "dummy"))][rarest[0]]
        words = " ".join(str(word) for word in event[1:] if word is not None)
        found.append(
            f'Seat {event[0]} says "{words}" in {rarest[1]:.2%} of the deals, by its strategy; deals in which it would '
            f"not count {FLOOR:g} of one. Other --players may fit better."
        )
    if trials.is_exact:
        return found
    if trials.found < budget.deals and budget.is_decided is None and not trials.is_interrupted:
        found.append(
            f"Only {trials.found:,} deals were found that agree with what was told; {budget.deals:,} were wanted."
        )
    if trials.sums.effective < FEWEST_EFFECTIVE <= budget.deals and not trials.is_interrupted:
        found.append(f"The deals found tell no more than {trials.sums.effective:,.0f} would that fit equally well.")
    return found


def _named(players: Sequence[Strategy]) -> tuple[str, ...] | None:
    """The names that a position gives its players: none where all are standard, or one is a file of the user's."""
    names = tuple(strategy.name for strategy in players)
    return names if set(names) <= set(PRESETS) and set(names) != {"standard"} else None


def _kind(sums: Sums, margin: float, *, is_any_time: bool) -> tuple[Kind, list[int], int, list[Difference]]:
    """The verdict, the options it calls equal, the best option, and all differences to it."""
    means = [sums.mean(k, unit=2).mean for k in range(len(sums.points))]
    best = means.index(max(means))
    apart = differences(sums, best, unit=2, is_any_time=is_any_time)
    kind, equal = kind_of(apart, best, margin)
    fewest = FEWEST_ANY_TIME if is_any_time else FEWEST_FOR_A_VERDICT
    if sums.effective < fewest and not sums.n_all and kind != "only":
        kind, equal = "undecided", []  # so few worlds may look alike by chance, and their errors then look like none
    return kind, equal, best, apart


def _judge(
    position: Position, tried: Sequence[Option], trials: Trials, margin: float, *, is_any_time: bool
) -> tuple[list[OptionResult], Verdict]:
    """The options best first, and the verdict on them."""
    sums = trials.sums
    kind, equal, _, apart = _kind(sums, margin, is_any_time=is_any_time)
    results = [_result(position, option, k, trials, sums, apart[k]) for k, option in enumerate(tried)]
    ranked = sorted(range(len(tried)), key=lambda k: -sums.points[k])
    names = [results[k].option for k in ranked if k in equal]
    ordered = [results[k] for k in ranked]
    sure = {"only": 1.0, "undecided": None}.get(kind, 1.0 if trials.is_exact else SURE)
    more = "--max-deals" if is_any_time else "--deals"
    text = verdict_text(kind, ordered, names, margin, more, is_exact=trials.is_exact)
    return ordered, Verdict(kind, ordered[0].option, names, sure, margin, text)


def _result(position: Position, option: Option, k: int, trials: Trials, sums: Sums, apart: Difference) -> OptionResult:
    """One option's estimates."""
    step = option.step
    mean = sums.mean(k, unit=2)
    shares = trials.shares(k)
    share = shares[doors.OWN_MADE]
    made = Interval(share, share) if trials.is_exact else wilson(share, sums.effective)
    told = step.what >> values.TOLD_SHIFT if step.verb == values.SAY_BID else 0
    plain = Step(step.verb, step.what & ((1 << values.TOLD_SHIFT) - 1)) if told else step
    return OptionResult(
        option=option_text(position.rules, (step,)),
        event=event_of(position.rules, position.seat, plain),
        trump=SUITS[told - 1] if told else None,
        same=[option_text(position.rules, (other,)) for other in option.same],
        deals=trials.found,
        points=mean.mean,
        points_se=mean.se,
        difference=apart.mean,
        difference_se=apart.se,
        difference_low=apart.low,
        difference_high=apart.high,
        made=shares[doors.OWN_MADE],
        made_low=made.low,
        made_high=made.high,
        march=shares[doors.OWN_MARCH],
        euchred=shares[doors.OWN_EUCHRED],
        other_made=shares[doors.OTHER_MADE],
        other_euchred=shares[doors.OTHER_EUCHRED],
        thrown_in=shares[doors.NOBODY],
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
    digits = (2 if abs(value) >= 0.1 else 4) if se <= 0 else max(2, min(4, -floor(log10(se))))
    return f"{value:.{digits}f}"


def verdict_text(
    kind: Kind,
    ranked: Sequence[OptionResult],
    equal: Sequence[str],
    margin: float,
    more: str = "--deals",
    *,
    is_exact: bool = False,
) -> str:
    """The verdict in one sentence of a player's words; `ranked` best first, `more` the option that would tell more."""
    sure = "exact" if is_exact else f"{SURE:.0%} sure"
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
        least = "" if is_exact else f"at least {least} more than anything else, "
        within = f" So small a difference counts as none (margin {margin:g})." if -rival.difference <= margin else ""
        return (
            f"{do}: {best.points:+.2f} points a deal, {gap} more than to {said(rival.option)} ({least}{sure}).{within}"
        )
    if kind == "equal":
        names = " and ".join([", ".join(said(name) for name in equal[:-1]), said(equal[-1])])
        return f"Equal within {margin:g} points a deal: {names} ({sure})."
    open_rivals = [option for option in ranked[1:] if option.difference_high >= 0 and option.difference_low < -margin]
    rival = open_rivals[0] if open_rivals else rival
    gap = _shown(abs(rival.difference), rival.difference_se)
    ahead = _shown(max(0.0, rival.difference_high), rival.difference_se)
    return (
        f"Undecided: to {said(best.option)} looks best, but to {said(rival.option)} is {gap} behind "
        f"and may be up to {ahead} ahead; more {more} would tell."
    )
