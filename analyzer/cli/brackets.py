"""Turns `euchre ask --bracket` into the same question asked in several ways."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from analyzer.cli.notes import note
from analyzer.cli.words import command_line, note_compiling, progress_bar
from analyzer.errors import QuestionError

if TYPE_CHECKING:
    from analyzer.ask import Goal
    from analyzer.bracket import Bracket, Case
    from analyzer.engine import Progress
    from analyzer.position import Position
    from analyzer.strategy import Strategy
    from analyzer.trials import Play

_LEFT_OUT = ("max_deals", "exact", "scores", "where", "show")


def check_bracket(given: Mapping[str, Any]) -> None:
    """Raise QuestionError for options that a bracket has no use for."""
    useless = [f"--{name.replace('_', '-')}" for name in _LEFT_OUT if given[name]]
    if useless:
        raise QuestionError(f"--bracket tries a fixed number of deals in every way: leave out {', '.join(useless)}")
    if given["play"] == "open":
        raise QuestionError("--bracket has open play beside the others: --play rollout:K alone says more")


def answer_bracket(
    position: "Position",
    players: "Sequence[Strategy]",
    *,
    play: "Play",
    goal_of: "Callable[[Sequence[Strategy]], Goal]",
    deals: int | None,
    **how: Any,
) -> "Bracket":
    """Ask in every way, each with a bar of its own on a terminal."""
    from analyzer.bracket import bracket, cases_of  # numba is heavy

    has_score = position.scores is not None
    note_compiling(position.rules, "ask", "ask_trying", "ask_open", *(["simulate"] if has_score else []))

    def watch(case: "Case") -> "AbstractContextManager[Progress | None]":
        return progress_bar(case.deals, f"{case.name} {case.varies}")

    cases = cases_of(position, players, n_tried=play.n_tried, deals=deals)
    found = bracket(position, cases, watch=watch, goal_of=goal_of, command=command_line(), **how)
    for doubt in found.doubts:
        note(doubt)
    return found
