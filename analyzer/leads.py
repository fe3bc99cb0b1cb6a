"""Turns many hands that one seat may hold at its call into how far the best call with each is ahead.

Every hand is tried in worlds of the same numbers, in which a card that another hand holds lies where the card lay that
this hand holds instead: so what luck gives one hand it gives its neighbour too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analyzer.ask import Goal, scales_of
from analyzer.border import level_word
from analyzer.cards import each_card
from analyzer.choices import Option, option_text, options
from analyzer.engine import Chunk, chunks, in_order
from analyzer.errors import QuestionError
from analyzer.estimates import Kind, differences, fewest_for_a_verdict
from analyzer.events import Step
from analyzer.position import Position, known_start, table_of
from analyzer.refusals import task_of
from analyzer.rules import Rules
from analyzer.situations import at_score
from analyzer.standing import Scale, default_margin
from analyzer.strategy import Strategy
from analyzer.trials import Budget, Trials, try_options
from analyzer.verdicts import Aim
from analyzer.views import N_VIEWS, moved_cards, question_of
from kernels import values, worlds

CALLING = ("order", "name", "bid")
"""Phases in which a seat calls or passes."""


@dataclass(frozen=True, slots=True)
class Lead:
    """How the calls stand with one hand: bids of one level are one call, in their best suit."""

    best: str
    """The best option, as files have it: `order alone`, `4 hearts`."""
    call: str
    """The same without the suit of a bid: `4`."""
    next: str | None
    """The best option of another call; None: there is none."""
    lead: float | None
    """How much the best is worth more than that; with its interval at 95 %, shared over all options."""
    lead_low: float | None
    lead_high: float | None
    over_pass: float | None
    """How much the best call other than pass is worth more than pass, below 0 where pass is best; None: may not."""
    over_pass_low: float | None
    over_pass_high: float | None
    points: float
    """What the best option is worth, in what decides."""
    verdict: Kind
    leaders: list[str]
    """The calls that nothing beats beyond doubt and by more than the margin, the best first."""
    deals: int
    effective: float


@dataclass(frozen=True, slots=True)
class Study:
    """One call, to be looked at with hand after hand."""

    position: Position
    players: tuple[Strategy, ...]
    """As they call at the score."""
    options: Sequence[Option]
    scale: Scale
    margin: float
    deals: int
    """Worlds tried with each hand."""
    question: worlds.Question
    pool: list[int]
    """The unseen cards."""
    moved: dict[int, list[int]]
    """Each card of the pack in each of the eight views."""
    chosen_in: int = 0
    """Deals of their own in which the call is chosen that is then held against pass alone; 0: every call is tried.

    The best of many calls looks better than it is in the deals it was chosen in.
    """

    @property
    def aim(self) -> Aim:
        """What decides."""
        return self.scale.aim


def study_of(
    position: Position,
    players: Sequence[Strategy],
    *,
    deals: int,
    what: str,
    margin: float | None = None,
    goal: Goal | None = None,
    seed: int = 0,
) -> Study:
    """Prepare to look at hands of the asker; `what` is the option that asks for it, as in `--swap`.

    Raises QuestionError where the decision is no call.
    """
    rules = position.rules
    table = table_of(position)
    if table.phase not in CALLING:
        raise QuestionError(
            f"{what} is about calls, to pass, order, name or bid: here seat {position.seat} is to {task_of(table)}"
        )
    goal = goal or Goal()
    tried = options(position)
    scale = replace(scales_of(position, goal)[-1 if goal.decide_by == "win" else 0], place=0)
    return Study(
        position,
        at_score(tuple(players), rules, position.scores),
        tried,
        scale,
        default_margin(rules, goal.decide_by) if margin is None else margin,
        deals,
        question_of(position, [option.step for option in tried], seed, np.array([scale.counted])),
        known_start(position)[1].tolist(),
        {card: [moved_cards(rules, view, card) for view in range(N_VIEWS)] for card in each_card(rules.pack.cards)},
    )


def leads(study: Study, hands: Sequence[int], workers: int | None = None) -> Iterator[Lead]:
    """Try every hand, a mask of cards as dealt, on threads; what comes of each in turn."""

    def look(chunk: Chunk) -> Lead:
        return lead_with(study, hands[chunk.first])

    return in_order(look, chunks(len(hands), 1), workers)


def lead_with(study: Study, hand: int) -> Lead:
    """How the calls stand with this hand."""
    rules = study.position.rules
    question, tried = question_with(study, hand)
    if study.chosen_in:
        places = _pass_and_best(study, question, tried)
        question = question._replace(options=question.options[:, places].copy())
        tried = [tried[place] for place in places]
    trials = try_options(rules, study.players, question, Budget(study.deals), workers=1)
    return _lead(rules, tried, trials, study.scale, study.margin)


def _pass_and_best(study: Study, question: worlds.Question, tried: Sequence[Option]) -> list[int]:
    """The places of pass and of the best other option, by deals that are not tried again."""
    elsewhere = question._replace(seed=(question.seed + 2) % 2**63)
    trials = try_options(study.position.rules, study.players, elsewhere, Budget(study.chosen_in), workers=1)
    means = [mean.mean for mean in study.scale.means(trials)]
    passes = [option.step.verb for option in tried].index(values.PASS)
    return [passes, max((k for k in range(len(tried)) if k != passes), key=means.__getitem__)]


def question_with(study: Study, hand: int) -> tuple[worlds.Question, Sequence[Option]]:
    """The question with another hand, and its options: each card that comes in changes places with one that leaves."""
    moved = study.moved
    gone = each_card(study.position.hand & ~hand)
    pool = [next(gone) if card & hand else card for card in study.pool]
    cards = list(each_card(hand))
    starts = study.question.starts.copy()
    seat = values.HAND + study.position.seat - 1
    starts[:, seat] = [sum(moved[card][view] for card in cards) for view in range(N_VIEWS)]
    pools = np.array([[moved[card][view] for card in pool] for view in range(N_VIEWS)], np.int64)
    question, tried = study.question._replace(starts=starts, pools=pools), study.options
    if study.position.rules.ace_no_face:  # to claim is the only option that hangs on the hand
        held = replace(study.position, hand=hand)
        tried = options(held)
        question = question._replace(options=question_of(held, [option.step for option in tried], 0).options)
    return question, tried


def call_of(rules: Rules, step: Step) -> str:
    """An option without the suit of a bid."""
    if step.verb == values.SAY_BID:
        return str(level_word(rules, step.what & (1 << values.TOLD_SHIFT) - 1))
    return option_text(rules, (step,))


def _lead(rules: Rules, tried: Sequence[Option], trials: Trials, scale: Scale, margin: float) -> Lead:
    """How the calls stand after these worlds."""
    sums = trials.sums(0)
    means = [mean.mean for mean in scale.means(trials)]
    exact: Any = means if scale.aim == "win" else None
    ranked = sorted(range(len(tried)), key=lambda k: -means[k])
    calls = [call_of(rules, option.step) for option in tried]
    best = ranked[0]
    apart = differences(sums, best, unit=scale.unit, means=exact)
    rivals = [k for k in ranked if calls[k] != calls[best]]
    open_rivals = [k for k in rivals if apart[k].high >= 0]
    if sums.effective < fewest_for_a_verdict(is_any_time=False):
        open_rivals = rivals
    near_rivals = [k for k in rivals if k in open_rivals or apart[k].mean >= -margin]
    kind: Kind = "better" if not open_rivals else "undecided"
    if not rivals:
        kind = "only"
    elif open_rivals and all(apart[k].low >= -margin for k in open_rivals):
        kind = "equal"
    rival = apart[rivals[0]] if rivals else None
    passes = calls.index("pass") if "pass" in calls else None
    over = None
    if passes is not None and len(ranked) > 1:
        caller = next(k for k in ranked if k != passes)
        over = differences(sums, passes, unit=scale.unit, means=exact)[caller]
    return Lead(
        best=option_text(rules, (tried[best].step,)),
        call=calls[best],
        next=option_text(rules, (tried[rivals[0]].step,)) if rivals else None,
        lead=None if rival is None else -rival.mean,
        lead_low=None if rival is None else -rival.high,
        lead_high=None if rival is None else -rival.low,
        over_pass=None if over is None else over.mean,
        over_pass_low=None if over is None else over.low,
        over_pass_high=None if over is None else over.high,
        points=means[best],
        verdict=kind,
        leaders=list(dict.fromkeys([calls[best], *(calls[k] for k in near_rivals)])),
        deals=trials.found,
        effective=trials.effective,
    )
