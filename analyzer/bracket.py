"""Turns a question into its answers side by side: the cards played otherwise, and against other opponents.

Chance is only one of three errors of an answer. The others are how the cards are played and how the opponents call; so
the question is asked again with rollout and open play, and against cautious, standard and bold opponents, in a fixed
number of worlds of the same numbers. Where the answers differ, the call hangs on what they differ in.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import Any, Literal

from analyzer.ask import Answer, Effort, Goal, Look, ask
from analyzer.engine import Progress, product_version
from analyzer.estimates import FEWEST_FOR_A_VERDICT
from analyzer.position import Position
from analyzer.rules import Value
from analyzer.standing import DEALS_OPEN_48
from analyzer.strategy import Strategy, find_strategy
from analyzer.trials import BASE, OPEN, Play
from analyzer.verdicts import OptionResult, Seen, Varies, bracket_text, listed
from analyzer.views import side_of

DEALS = 2000
N_TRIED = 100
"""Worlds in which rollout play tries each card, unless told."""
N_TRIED_48 = 10
"""The same with 48 cards, where a hundred would take an hour."""
OPPONENTS = ("cautious", "standard", "bold")


@dataclass(frozen=True, slots=True)
class Case:
    """The question as it is asked once: one column."""

    name: str
    """How it is played, or who the opponents are."""
    varies: Varies
    play: Play
    players: tuple[Strategy, ...]
    deals: int


@dataclass(frozen=True, slots=True)
class Column:
    """A case and its answer."""

    case: Case
    answer: Answer


@dataclass(frozen=True, slots=True)
class BracketVerdict:
    """Whether the verdict of the question as it was asked, the first column, stands in the others."""

    kind: Literal["holds", "depends", "undecided", "only"]
    """`undecided`: nothing speaks against it, but not every column is sure."""
    best: str
    depends_on: list[Varies]
    differs: list[str]
    """The columns in which something else is better beyond doubt, and by more than the margin."""
    close: list[str]
    """The columns in which the best of the first is not beaten and others may be as good."""
    text: str


@dataclass(frozen=True, slots=True)
class BracketProvenance:
    """Where a bracket comes from; what a column has of its own stands there."""

    version: str
    seed: int
    seconds: float
    command: str | None
    interrupted: bool


@dataclass(frozen=True, slots=True)
class Bracket:
    """The answers to one position side by side."""

    game: str
    rules: dict[str, Value]
    position: dict[str, Any]
    columns: list[Column]
    verdict: BracketVerdict
    provenance: BracketProvenance
    doubts: list[str]
    """Sentences for a person; not in JSON."""

    @property
    def rests_on(self) -> int:
        """The deals behind its first column."""
        return self.columns[0].answer.provenance.deals

    def json(self) -> dict[str, Any]:
        """The bracket as other programs read it."""
        return {
            "game": self.game,
            "rules": self.rules,
            "position": self.position,
            "columns": [_column_json(column) for column in self.columns],
            "verdict": asdict(self.verdict),
            "provenance": asdict(self.provenance),
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each column and option."""
        return [
            {**{name: column[name] for name in ("column", "varies", "play", "players")}, **option}
            for column in self.json()["columns"]
            for option in column["options"]
        ]


def _column_json(column: Column) -> dict[str, Any]:
    answer = column.answer.json()
    about = answer["provenance"]
    return {
        "column": column.case.name,
        "varies": column.case.varies,
        **{name: about[name] for name in ("play", "players", "deals", "drawn", "effective", "interrupted")},
        "options": answer["options"],
        "verdict": answer["verdict"],
    }


def cases_of(
    position: Position, players: Sequence[Strategy], *, n_tried: int = 0, deals: int | None = None
) -> list[Case]:
    """The columns, as they are shown: three ways to play, then three kinds of opponents at base play.

    Seats on the asker's side keep their strategies. `deals` is for all columns; unless told 2,000, and 200 for open
    play with 48 cards.
    """
    rules = position.rules
    tries = n_tried or (N_TRIED_48 if rules.deck == 48 else N_TRIED)
    n = deals or DEALS
    n_open = deals or (DEALS_OPEN_48 if rules.deck == 48 else DEALS)
    found = [
        Case(str(play), "play", play, tuple(players), n_open if play.is_open else n)
        for play in (BASE, Play(tries), OPEN)
    ]
    own = rules.sides[side_of(rules, position.seat)]
    for name in OPPONENTS:
        other = find_strategy(name, rules)
        seated = tuple(player if seat in own else other for seat, player in enumerate(players, 1))
        found.append(Case(name, "opponents", BASE, seated, n))
    return found


def _told_to(progress: Progress) -> Callable[[Look], None]:
    """What is told of how the options stand, as progress."""
    return lambda look: progress(look.deals)


Watch = Callable[[Case], AbstractContextManager[Progress | None]]
"""Called before each column, for what is told of its progress."""


def bracket(
    position: Position,
    cases: Sequence[Case],
    *,
    watch: Watch,
    goal_of: Callable[[Sequence[Strategy]], Goal],
    margin: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    command: str | None = None,
    every: bool = False,
) -> Bracket:
    """Answer the question in every case, what takes long last; Ctrl-C ends it with what was finished.

    Raises QuestionError as `ask`; KeyboardInterrupt where Ctrl-C came before the first column was finished.
    """
    began = time.perf_counter()
    asked: list[Column] = []
    is_interrupted = False
    for case in sorted(cases, key=_cost):
        if _answer_of(case, asked):
            continue
        effort = Effort(deals=case.deals, margin=margin, play=case.play, every=every)
        try:
            effort["goal"] = goal_of(case.players)
            with watch(case) as progress:
                look = None if progress is None else _told_to(progress)
                answer = ask(position, case.players, seed=seed, workers=workers, watch=look, **effort)
        except KeyboardInterrupt:
            is_interrupted = True
            break
        is_interrupted = answer.provenance.interrupted
        if not is_interrupted or answer.provenance.effective >= FEWEST_FOR_A_VERDICT:
            asked.append(Column(case, answer))
        if is_interrupted:
            break
    columns = [Column(case, found) for case in cases if (found := _answer_of(case, asked)) is not None]
    if not columns or columns[0].case != cases[0]:
        raise KeyboardInterrupt
    first = columns[0].answer
    return Bracket(
        game=first.game,
        rules=first.rules,
        position=first.position,
        columns=columns,
        verdict=verdict_of(columns),
        provenance=BracketProvenance(
            product_version(), seed, round(time.perf_counter() - began, 3), command, is_interrupted
        ),
        doubts=[*_doubts(columns), *_missing(cases, columns)],
    )


def _missing(cases: Sequence[Case], columns: Sequence[Column]) -> list[str]:
    """A sentence on what Ctrl-C came before."""
    asked = [column.case for column in columns]
    names = [case.name for case in cases if case not in asked]
    return [f"Stopped before it was asked with {listed(names, 'and')}."] if names else []


def _answer_of(case: Case, asked: Sequence[Column]) -> Answer | None:
    """The answer that the very same case had."""
    same = (one.answer for one in asked if (one.case.play, one.case.players) == (case.play, case.players))
    return next(same, None)


def _cost(case: Case) -> int:
    """What orders cases by the time they take."""
    return 2 if case.play.is_open else 3 if case.play.n_tried else 0 if case.varies == "play" else 1


def _doubts(columns: Sequence[Column]) -> list[str]:
    """Those of the first column, and of the others what is said of none before, with its name."""
    found: dict[str, str] = {}
    for k, column in enumerate(columns):
        for doubt in column.answer.doubts:
            found.setdefault(doubt, doubt if k == 0 else f"{column.case.name}: {doubt}")
    return list(found.values())


# --- the verdict ---


def verdict_of(columns: Sequence[Column]) -> BracketVerdict:
    """Whether what the first column says holds in all, or on what it hangs."""
    first = columns[0].answer.verdict
    if first.kind == "only":
        return BracketVerdict("only", first.best, [], [], [], first.text)
    seen = [Seen(column.case.name, column.case.varies, _leaders(column.answer, first.best)) for column in columns]
    differs = [one for one in seen if first.best not in one.leaders]
    close = [one for one in seen if one not in differs and len(one.leaders) > 1]
    on: list[Varies] = [varies for varies in ("play", "opponents") if any(one.varies == varies for one in differs)]
    kind: Literal["holds", "depends", "undecided"] = "depends" if differs else "undecided" if close else "holds"
    return BracketVerdict(
        kind,
        first.best,
        on,
        [one.name for one in differs],
        [one.name for one in close],
        bracket_text(first.best, seen, on),
    )


def _leaders(answer: Answer, best: str) -> list[str]:
    """The options of a column that nothing beats beyond doubt; `best` too where that is by less than the margin."""

    def leads(k: int, option: OptionResult) -> bool:
        is_small = option.option == best and option.difference >= -answer.verdict.margin
        return k == 0 or option.difference_high >= 0 or is_small

    return [option.option for k, option in enumerate(answer.options) if leads(k, option)]
