"""Turns `euchre ask --swap` and `--weakest` into what other hands would call, and writes it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from analyzer.cli.notes import STOPPED, note
from analyzer.cli.words import Output, command_line, note_compiling, progress_bar
from analyzer.errors import QuestionError

if TYPE_CHECKING:
    from analyzer.ask import Goal
    from analyzer.position import Position
    from analyzer.strategy import Strategy

_LEFT_OUT = ("max_deals", "exact", "scores", "bracket", "where", "show", "all_options")


def check_one_hand(name: str, given: Mapping[str, Any], output: Output) -> None:
    """Raise QuestionError for options that a study of hands, asked for by `--name`, has no use for."""
    useless = [f"--{other.replace('_', '-')}" for other in _LEFT_OUT if given[other]]
    useless += ["--play"] if given["play"] != "base" else []
    if useless:
        raise QuestionError(
            f"--{name} tries many hands in a fixed number of deals each, played by rules of thumb: leave out"
            f" {', '.join(useless)}"
        )
    drawn = [option for option in ("--plot", "--report") if output.files[option] is not None]
    if drawn:
        raise QuestionError(
            f"--{name} has no picture and no page, but tables: leave out {' and '.join(drawn)}; --output writes it to"
            " a file"
        )


def answer_swaps(
    position: "Position",
    players: "Sequence[Strategy]",
    output: Output,
    *,
    goal_of: "Callable[[Sequence[Strategy]], Goal]",
    **how: Any,
) -> None:
    """Try every exchange of one card and write what came of it; Ctrl-C ends it with what was tried."""
    from analyzer.swaps import exchanges_of, swaps  # numba is heavy
    from reports.swaps import print_swaps

    note_compiling(position.rules, "ask")
    n = len(exchanges_of(position))
    with progress_bar(n + 1, "Exchanging") as progress:
        found = swaps(position, players, goal=goal_of(players), progress=progress, command=command_line(), **how)
    whole = found.json()
    output.send(partial(print_swaps, whole), whole["rows"], whole)
    if found.provenance.interrupted:
        note(f"Stopped early: {found.provenance.exchanges:,} of {n:,} exchanges were tried.")
        raise click.exceptions.Exit(STOPPED)


def answer_weakest(
    position: "Position",
    players: "Sequence[Strategy]",
    output: Output,
    *,
    goal_of: "Callable[[Sequence[Strategy]], Goal]",
    **how: Any,
) -> None:
    """Find the hands with which calling breaks even and write them; Ctrl-C ends it with what was tried."""
    from analyzer.weakest import n_hands, weakest  # numba is heavy
    from reports.weakest import print_weakest

    note_compiling(position.rules, "ask", "strengths")
    with progress_bar(n_hands(), "Trying hands") as progress:
        found = weakest(position, players, goal=goal_of(players), progress=progress, command=command_line(), **how)
    whole = found.json()
    output.send(partial(print_weakest, whole), whole["rows"], whole)
    if found.provenance.interrupted:
        note(f"Stopped early: {found.provenance.hands:,} of {n_hands():,} hands were tried.")
        raise click.exceptions.Exit(STOPPED)
