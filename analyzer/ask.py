"""Turns a position into an answer: every option tried in the same worlds, with a verdict.

A world fills every place the asker cannot see; where others have called, only worlds in which their strategies call so
count. Points are those of the asker's side minus the other's (three-handed: minus the mean of the two others).
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import comb
from typing import Any, TypedDict, Unpack

import numpy as np

from analyzer.cards import SUITS
from analyzer.choices import Option, card_verb, names_of, option_text, options
from analyzer.engine import Stopwatch, product_version
from analyzer.errors import QuestionError
from analyzer.estimates import SURE, Difference, Estimate, Interval, Kind, wilson
from analyzer.events import Step, event_of
from analyzer.exact import Forecast, check_countable, count_options, count_worlds
from analyzer.position import Position
from analyzer.position_file import position_json
from analyzer.rules import Rules, Value, demand_lawful_play
from analyzer.situations import at_score
from analyzer.standing import DEALS_OPEN_48, Scale, default_deals, default_margin, standing, until_decided
from analyzer.strategy import PRESETS, Strategy
from analyzer.trials import BASE, FEWEST_EFFECTIVE, Budget, Play, Trials, Watch, try_options
from analyzer.verdicts import (
    OPEN_WARNING,
    Aim,
    OptionResult,
    Told,
    Wording,
    other_verdict_text,
    rival_of,
    verdict_text,
)
from analyzer.views import FLOOR, doubled_points, question_of, side_of, win_worths
from analyzer.winning import WinTable, scores_of
from kernels import doors, values

FEW_WORLDS = 100_000
"""So many are counted rather than drawn from: it takes no longer, and leaves no doubt."""
RARE = 0.005
"""The share of worlds below which a call deserves a word."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What decides, and the chances to win that it needs."""

    decide_by: Aim = "points"
    table: WinTable | None = None
    """Between the players of the question, in their seats; with it and a score every option has its `win_game`."""
    all_scores: bool = False
    """What is best at every score is told too; needs the table."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which option is best, how sure that is, and the sentence that says so."""

    kind: Kind
    best: str
    equal: list[str]
    sure: float | None
    margin: float
    decide_by: Aim
    text: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """What is best at one score of the game, in seat order, and by how much to win it; None: nothing else to do."""

    scores: list[int]
    best: str
    win_game: float
    ahead: float | None


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
class Look:
    """How the options stand while more worlds are being tried."""

    deals: int
    best: str | None
    """The best option so far; None before the first world."""
    rival: str | None
    """The next best, if there is another."""
    apart: Difference | None
    """The rival against the best; the interval holds at any number of deals."""
    decide_by: Aim


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one position; `options` best first."""

    game: str
    rules: dict[str, Value]
    position: dict[str, Any]
    options: list[OptionResult]
    verdict: Verdict
    provenance: AskProvenance
    scores: list[ScoreRow] | None
    """What is best at every score; in JSON only where it was asked for."""
    told: Told
    """What people read instead of the one text of the verdict; not in JSON."""
    doubts: list[str]
    """Sentences for a person, on what the worlds rest; not in JSON."""
    paid: dict[str, list[tuple[float, float]]]
    """What deals pay with each option: the points that occur, rising, and the share of each; not in JSON."""

    def json(self) -> dict[str, Any]:
        """The answer as other programs read it; `trump` stands only with bids."""
        found = asdict(self)
        del found["told"], found["doubts"], found["paid"]
        if self.scores is None:
            del found["scores"]
        for option in found["options"]:
            if option["trump"] is None:
                del option["trump"]
        return found

    @property
    def rests_on(self) -> int:
        """The deals behind it."""
        return self.provenance.deals

    def rows(self) -> list[dict[str, Any]]:
        """A row for each option."""
        found: list[dict[str, Any]] = self.json()["options"]
        return found


# --- the answer ---


class Effort(TypedDict, total=False):
    """How much to try."""

    deals: int | None
    """So many worlds, whatever they tell."""
    max_deals: int | None
    """At most so many."""
    margin: float | None
    """How many points, or chances to win, count as equal."""
    play: Play
    """How the cards are played."""
    goal: Goal
    """What decides: points unless told."""
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
    watch: Callable[[Look], None] | None = None,
    forecast: Forecast | None = None,
    command: str | None = None,
    **effort: Unpack[Effort],
) -> Answer:
    """Try the options of a position in the same worlds: `deals` of them, until the verdict falls, or in all there are.

    Raises QuestionError where no world could be found or the goal lacks a score, where worlds cannot be counted as they
    should be, and where illegal plays are possible; KeyboardInterrupt where Ctrl-C came before the first world. Later
    it ends the work, and the answer rests on what was tried till then. `watch` hears of every look at how the options
    stand.
    """
    clock = Stopwatch()
    rules = position.rules
    demand_lawful_play(rules, "ask answers")
    margin, play = effort.get("margin"), effort.get("play", BASE)
    deals = _fixed_deals(rules, **effort)
    goal = effort.get("goal") or Goal()
    within = default_margin(rules, goal.decide_by) if margin is None else margin
    tried = options(position, every=effort.get("every", False))
    calling = at_score(tuple(players), rules, position.scores)
    scales = scales_of(position, goal)
    worths = np.array([scale.counted for scale in scales])
    question = question_of(position, [option.step for option in tried], seed, worths)
    by = scales[-1] if goal.decide_by == "win" else scales[0]
    budget = Budget(deals) if deals else until_decided(rules, by, within, effort.get("max_deals"), play)
    seen: Watch | None = None
    if watch is not None:

        def seen(trials: Trials) -> None:
            watch(_look(position, tried, trials, by, within))

    if will_count(position, players, **effort):
        steps = [option.step for option in tried]
        how: dict[str, Any] = {"workers": workers, "watch": seen, "forecast": forecast}
        trials = count_options(position, calling, steps, worths=worths, **how).trials
    else:
        trials = try_options(rules, calling, question, budget, play=play, workers=workers, watch=seen)
    if not trials.found:
        if trials.is_interrupted:
            raise KeyboardInterrupt
        raise QuestionError(
            f"none of {trials.drawn:,} deals can have come to this position by the calls and cards told"
        )
    results, verdict, told = _judge(position, tried, trials, scales, by, within, is_any_time=deals is None)
    if play.is_open:
        verdict = replace(verdict, text=f"{OPEN_WARNING} {verdict.text}")
        told = replace(told, sentences=[OPEN_WARNING, *told.sentences])
    return Answer(
        game=rules.game.name,
        rules=rules.changed(),
        position=position_json(replace(position, players=named_in_position(players))),
        options=results,
        verdict=verdict,
        provenance=AskProvenance(
            version=product_version(),
            seed=seed,
            deals=trials.found,
            drawn=trials.drawn,
            effective=trials.effective,
            exact=trials.is_exact,
            players=[strategy.name for strategy in players],
            play=str(play),
            seconds=round(clock.seconds, 3),
            command=command,
            interrupted=trials.is_interrupted,
        ),
        scores=_best_at_scores(position, results, tried, trials, goal.table) if goal.all_scores else None,
        told=told,
        doubts=_doubts(position, tried, trials, budget),
        paid=_paid(position, tried, trials),
    )


def _look(position: Position, tried: Sequence[Option], trials: Trials, scale: Scale, margin: float) -> Look:
    """How the options stand after the worlds tried so far."""
    if not trials.found:
        return Look(0, None, None, None, scale.aim)
    found = standing(trials, scale, margin, is_any_time=True)
    rivals = sorted((apart.mean, k) for k, apart in enumerate(found.apart) if k != found.best)
    rival = rivals[-1][1] if rivals else None
    best, other = (None if k is None else option_text(position.rules, (tried[k].step,)) for k in (found.best, rival))
    return Look(trials.found, best, other, None if rival is None else found.apart[rival], scale.aim)


def _fixed_deals(rules: Rules, **effort: Unpack[Effort]) -> int | None:
    """How many worlds are tried whatever they tell; None: until the verdict falls."""
    play = effort.get("play", BASE)
    if play.is_open and rules.deck == 48 and not effort.get("max_deals"):
        return effort.get("deals") or DEALS_OPEN_48
    return effort.get("deals")


def will_count(position: Position, players: Sequence[Strategy], **effort: Unpack[Effort]) -> bool:
    """Whether every world is counted: where told so, or unless told otherwise where there are few.

    Raises QuestionError where they cannot be.
    """
    tries_cards = effort.get("play", BASE) != BASE
    if effort.get("exact"):
        if tries_cards:
            raise QuestionError("deals are counted with base play alone: leave --exact or --play out")
        check_countable(position, players)
        return True
    if effort.get("deals") or tries_cards or any(strategy.is_random for strategy in players):
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
    if trials.effective < FEWEST_EFFECTIVE <= budget.deals and not trials.is_interrupted:
        found.append(f"The deals found tell no more than {trials.effective:,.0f} would that fit equally well.")
    return found


def named_in_position(players: Sequence[Strategy]) -> tuple[str, ...] | None:
    """The names that a position gives its players: none where all are standard, or one is a file of the user's."""
    names = tuple(strategy.name for strategy in players)
    return names if set(names) <= set(PRESETS) and set(names) != {"standard"} else None


def scales_of(position: Position, goal: Goal) -> list[Scale]:
    """Points, and chances to win where the score is told."""
    rules, seat = position.rules, position.seat
    doubled = doubled_points(rules, seat)
    scales = [Scale("points", 0, (doubled / 2).tolist(), doubled, 2)]
    if goal.table is not None and position.scores is not None:
        chances = goal.table.after(position.scores)[:, side_of(rules, seat)]
        counted, unit = win_worths(chances)
        scales.append(Scale("win", 1, chances.tolist(), counted, unit))
    elif goal.decide_by == "win":
        raise QuestionError("to decide by the chance to win the game, tell its score: as in --score 6,8")
    return scales


def _judge(
    position: Position,
    tried: Sequence[Option],
    trials: Trials,
    scales: Sequence[Scale],
    by: Scale,
    margin: float,
    *,
    is_any_time: bool,
) -> tuple[list[OptionResult], Verdict, Told]:
    """The options best first, and the verdict on them, for programs and for people."""
    found = standing(trials, by, margin, is_any_time=is_any_time)
    kind = found.kind
    means = by.means(trials)
    wins = scales[1].means(trials) if len(scales) > 1 else None
    results = [
        _result(position, option, k, trials, found.apart[k], wins[k] if wins else None)
        for k, option in enumerate(tried)
    ]
    ranked = sorted(range(len(tried)), key=lambda k: -means[k].mean)
    names = [results[k].option for k in ranked if k in found.equal]
    ordered = [results[k] for k in ranked]
    sure = {"only": 1.0, "undecided": None}.get(kind, 1.0 if trials.is_exact else SURE)
    more = "deals" if trials.is_interrupted else "--max-deals" if is_any_time else "--deals"
    names_read = names_of(position, tried)
    wording = Wording(margin, more, by.aim, trials.is_exact, names_read, card_verb(position))
    sentences = [verdict_text(kind, ordered, names, wording)]
    rival = rival_of(kind, ordered, margin)
    named = [ordered[0].option, *([rival.option] if rival else []), *names]
    for other in scales:
        if other is not by:
            stands = standing(trials, other, 0.0, is_any_time=is_any_time)
            if stands.apart[ranked[0]].high < 0:
                sentences.append(other_verdict_text(results[stands.best], ordered[0], other.aim, wording))
                named.append(results[stands.best].option)
    verdict = Verdict(kind, ordered[0].option, names, sure, margin, by.aim, " ".join(sentences))
    return ordered, verdict, Told(sentences, named, names_read)


def _result(
    position: Position, option: Option, k: int, trials: Trials, apart: Difference, win: Estimate | None
) -> OptionResult:
    """One option's estimates."""
    step = option.step
    sums = trials.sums()
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
        win_game=win.mean if win else None,
        win_game_se=win.se if win else None,
    )


def _paid(position: Position, tried: Sequence[Option], trials: Trials) -> dict[str, list[tuple[float, float]]]:
    """The share of the worlds in which each option brought so many points."""
    rules, weight = position.rules, int(trials.tally.weights[0])
    doubled = doubled_points(rules, position.seat).tolist()
    found = {}
    for k, option in enumerate(tried):
        sums: dict[int, int] = {}
        for points, (weighed, _) in zip(doubled, trials.payoffs(k), strict=True):
            sums[points] = sums.get(points, 0) + weighed
        shares = [(points / 2, weighed / weight) for points, weighed in sorted(sums.items()) if weighed]
        found[option_text(rules, (option.step,))] = shares
    return found


def _best_at_scores(
    position: Position, results: Sequence[OptionResult], tried: Sequence[Option], trials: Trials, table: WinTable | None
) -> list[ScoreRow]:
    """The best option at every score, from what deals paid after each; nothing is played again."""
    assert table is not None, "the scores need a table"
    rules = position.rules
    places = {option_text(rules, (option.step,)): k for k, option in enumerate(tried)}
    names = [result.option for result in results]
    paid = np.array([[weight for weight, _ in trials.payoffs(places[name])] for name in names], np.float64)
    chances = paid / float(trials.tally.weights[0]) @ table.after_all(side_of(rules, position.seat))
    best = np.argmax(chances, axis=0)
    ranked = np.sort(chances, axis=0)[::-1]
    return [
        ScoreRow(
            list(scores), names[best[k]], float(ranked[0, k]), float(ranked[0, k] - ranked[1, k]) if names[1:] else None
        )
        for k, scores in enumerate(scores_of(rules))
    ]
