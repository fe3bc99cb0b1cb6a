"""Answers position after position for `euchre ask`, and writes the answers as a table, CSV or JSON."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import click

from analyzer.cli.brackets import answer_bracket
from analyzer.cli.hints import hint_of
from analyzer.cli.notes import STOPPED, note, notes_about
from analyzer.cli.watching import standing_shown
from analyzer.cli.words import Output, Row, charts, command_line, note_compiling, progress_bar
from analyzer.errors import BrokenRecord, QuestionError
from analyzer.files import uninterrupted

if TYPE_CHECKING:
    from rich.console import Console

    from analyzer.ask import Answer, Goal
    from analyzer.bracket import Bracket
    from analyzer.looks import Unseen, World
    from analyzer.position import Position
    from analyzer.strategy import Strategy

    Found = tuple[Answer | Bracket, list[Unseen] | None, list[World] | None]
    """An answer, and what stands behind it if asked for."""
    Answered = tuple[int, Found | QuestionError]

A_WAIT = 1.0
"""Seconds of work that are told beforehand."""


@dataclass(frozen=True)
class Effort:
    """How to answer, the same for every position."""

    players: str | None
    deals: int | None
    max_deals: int | None
    margin: float | None
    exact: bool
    play: str
    seed: int
    workers: int | None
    decide_by: str
    scores: bool
    all_options: bool
    bracket: bool
    swap: bool
    weakest: bool
    where: bool
    show: int | None

    @property
    def looks(self) -> bool:
        """Whether more is to be shown than the answer."""
        return self.where or bool(self.show)

    def check_looks(self, output: Output) -> None:
        """Refuse what does not go with them."""
        if self.looks and output.format != "table":
            raise QuestionError("--where and --show are read by people: they go with --format table alone")
        if self.show and self.play == "open":
            raise QuestionError("--show plays deals out by what each seat sees: leave --show or --play open out")

    def check_drawn(self, output: Output, many: str | None) -> None:
        """Refuse to draw several answers in one; `many` says how many there are, if several are asked for."""
        if output.plot is not None and many:
            raise QuestionError(f"--plot draws one question, and {many}: leave --plot out, or ask one alone")
        if output.page is not None and many:
            raise QuestionError(f"--report shows one question, and {many}: leave --report out, or ask one alone")


@dataclass
class Run:
    """Answers position after position, and counts."""

    effort: Effort
    is_many: bool
    n: int = 0
    n_answered: int = 0
    last: "Found | None" = None
    n_refused: int = 0
    is_interrupted: bool = False

    def answers(self, questions: Iterable[tuple[int, object]]) -> Iterator["Answered"]:
        """Yield the line and the answer to every question, or why there is none; where there is only one, raise it."""
        for line, read in questions:
            self.n += 1
            try:
                with notes_about(f"Line {line}") if self.is_many else nullcontext():
                    found = _answer(read, self.effort)
            except QuestionError as error:
                if not self.is_many:
                    raise
                self.n_refused += 1
                yield line, error
            except KeyboardInterrupt:
                if not self.n_answered:
                    raise
                self.is_interrupted = True
                return
            else:
                self.is_interrupted = found[0].provenance.interrupted
                self.last = found
                self.n_answered += 1
                yield line, found
                if self.is_interrupted:
                    return

    def draw(self, output: Output) -> None:
        """Draw the answer and write its page, where that is wanted; deals shown one by one stay on the screen."""
        if self.last is None:
            return
        from analyzer.bracket import Bracket
        from reports.pages.answers import answer_page, bracket_page

        answer, unseen, _ = self.last
        how: dict[str, Any] = {"all_options": self.effort.all_options}
        if isinstance(answer, Bracket):
            drawn = partial(charts, "of_bracket", answer.json(), **how)
            output.draw(drawn)
            output.report(partial(bracket_page, answer.json(), doubts=answer.doubts, **how), drawn)
            return
        drawn = partial(charts, "of_answer", answer, **how)
        output.draw(drawn)
        output.report(
            partial(answer_page, answer.json(), answer.told, doubts=answer.doubts, unseen=unseen, **how), drawn
        )

    def finish(self, n_questions: int) -> None:
        """Leave with the status of Ctrl-C, or of positions that could not be answered, if that is how it ended."""
        if self.is_interrupted and self.last is not None:
            n = self.last[0].rests_on
            many = f"{self.n_answered:,} of {n_questions:,} positions are answered; the last answer"
            deals = f"{n:,} {'deal' if n == 1 else 'deals'}"
            note(f"Stopped early: {many if self.is_many else 'this answer'} rests on {deals}.")
            raise click.exceptions.Exit(STOPPED)
        if self.n_refused:
            raise QuestionError(f"{self.n_refused:,} of {self.n:,} positions could not be answered")


def seated(read: object, effort: Effort) -> "tuple[Position, tuple[Strategy, ...]]":
    """A position, or the JSON value of one, and who sits at the table."""
    from analyzer.position import Position  # numba is heavy
    from analyzer.position_file import read_position
    from analyzer.strategy import seat_players

    if isinstance(read, BrokenRecord):
        raise read
    position = read if isinstance(read, Position) else read_position(read)
    if effort.decide_by == "win" and position.scores is None:
        raise QuestionError("to decide by the chance to win the game, tell its score: as in --score 6,8")
    names = ",".join(position.players or ("standard",)) if effort.players is None else effort.players
    return position, tuple(seat_players(names, position.rules))


def _answer(read: object, effort: Effort) -> "Found":
    """Answer a position, or the JSON value of one."""
    from analyzer.ask import Effort as TryEffort  # numba is heavy
    from analyzer.ask import ask as try_options
    from analyzer.ask import will_count
    from analyzer.equity import is_kept
    from analyzer.exact import count_worlds
    from analyzer.standing import default_deals
    from analyzer.trials import parse_play

    position, players = seated(read, effort)
    play = parse_play(effort.play)
    if effort.bracket:
        found = answer_bracket(
            position,
            players,
            play=play,
            goal_of=lambda others: goal(position, others, effort),
            deals=effort.deals,
            margin=effort.margin,
            seed=effort.seed,
            workers=effort.workers,
            every=effort.all_options,
        )
        return found, None, None
    how = TryEffort(
        deals=effort.deals,
        max_deals=effort.max_deals,
        margin=effort.margin,
        play=play,
        exact=effort.exact,
        every=effort.all_options,
    )
    is_counted = will_count(position, players, **how)
    must_count = (effort.scores or position.scores is not None) and not is_kept(position.rules, players)
    doors = ["count" if is_counted else "ask_open" if play.is_open else "ask_trying" if play.n_tried else "ask"]
    note_compiling(position.rules, *doors, *(["simulate"] if must_count else []), *(["look"] if effort.looks else []))
    how["goal"] = goal(position, players, effort)
    tried = effort.deals or effort.max_deals or default_deals(position.rules, play)
    most = count_worlds(position) if is_counted else tried
    with standing_shown(most, is_slow=bool(play.n_tried)) as watch:
        answer = try_options(
            position,
            players,
            seed=effort.seed,
            workers=effort.workers,
            watch=watch,
            command=command_line(),
            forecast=_note_forecast,
            **how,
        )
    for doubt in answer.doubts:
        note(doubt)
    if not effort.looks or answer.provenance.interrupted:
        return answer, None, None
    from analyzer.looks import some_worlds, where

    try:
        unseen = where(position, players, answer, workers=effort.workers) if effort.where else None
        return answer, unseen, some_worlds(position, players, answer, effort.show) if effort.show else None
    except KeyboardInterrupt:  # the answer is there, and is kept
        return replace(answer, provenance=replace(answer.provenance, interrupted=True)), None, None


def _note_forecast(n_worlds: int, seconds: float) -> None:
    """Say how long a count will take, if one has to wait for it."""
    if seconds >= A_WAIT:
        from reports.text import seconds_text  # rich is heavy

        note(f"Counting {n_worlds:,} possible deals: about {seconds_text(seconds)} ...")


def goal(position: "Position", players: "Sequence[Strategy]", effort: Effort) -> "Goal":
    """What decides, with the chances to win between these players where the question needs them."""
    from analyzer.ask import Goal  # numba is heavy
    from analyzer.equity import DEALS, seatings, win_table

    decide_by: Literal["points", "win"] = "win" if effort.decide_by == "win" else "points"
    if (position.scores is None or effort.swap or effort.weakest) and decide_by == "points" and not effort.scores:
        return Goal(decide_by)
    is_needed = effort.scores or decide_by == "win"
    try:
        with progress_bar(DEALS * len(seatings(players)), "Counting") as progress:
            found = win_table(position.rules, players, workers=effort.workers, progress=progress)
    except QuestionError as error:
        if is_needed:
            raise
        note(f"The chance to win the game is left out: {error}.")
        return Goal(decide_by)
    if found.is_interrupted:
        raise KeyboardInterrupt
    return Goal(decide_by, found.table, all_scores=effort.scores)


def write_answers(answers: Iterable["Answered"], output: Output, *, is_many: bool, all_options: bool) -> None:
    """Write answers one after the other; each is one table, one line of JSON, or rows of CSV."""
    if output.format == "csv":
        from reports.frames import csv_text  # pandas is heavy

        rows = list(_rows(answers, is_many=is_many))
        with uninterrupted():
            output.write(csv_text(rows))
    elif output.format == "json":
        with output.opened() as write:
            for line, found in answers:
                row = {"line": line, "error": reason(found)} if isinstance(found, QuestionError) else found[0].json()
                write(json.dumps(row, allow_nan=False) + "\n")
    else:
        from analyzer.bracket import Bracket
        from reports.looks import print_world  # rich is heavy

        with output.shown() as show:
            for line, found in answers:
                if isinstance(found, QuestionError):
                    note(f"Line {line}: {reason(found)}")
                    continue
                with uninterrupted():  # what is answered is printed
                    show(partial(_print, found, line=line if is_many else None, all_options=all_options))
                answer, _, worlds = found
                names = {} if worlds is None or isinstance(answer, Bracket) else answer.told.names
                for number, world in enumerate(worlds or [], 1):  # of hundreds each is there at once
                    of_all = f"{number} of {len(worlds or [])}"
                    show(partial(print_world, world, of_all, answer.position["seat"], names))


def _print(found: "Found", console: "Console", *, line: int | None, all_options: bool) -> None:
    """Print an answer and what stands behind it."""
    from analyzer.bracket import Bracket
    from reports.brackets import print_bracket
    from reports.looks import print_where  # rich is heavy
    from reports.standings import print_scores
    from reports.tables import print_answer

    answer, unseen, worlds = found
    read = answer.json()
    if isinstance(answer, Bracket):
        print_bracket(read, console, line=line, all_options=all_options)
        return
    print_answer(read, console, told=answer.told, line=line, all_options=all_options)
    if "scores" in read:
        print_scores(read, console)
    if unseen is not None:
        about = read["provenance"]
        print_where(unseen, 0 if about["exact"] else about["effective"], console)
    hint = hint_of(answer, has_looked=unseen is not None) if worlds is None else ""
    if hint and line is None and console.is_terminal and sys.stderr.isatty():
        note(hint)


def _rows(answers: Iterable["Answered"], *, is_many: bool) -> Iterator[Row]:
    """A row for each option; of many positions with its line."""
    for line, found in answers:
        if isinstance(found, QuestionError):
            note(f"Line {line}: {reason(found)}")
        else:
            yield from ({**({"line": line} if is_many else {}), **option} for option in found[0].rows())


def reason(error: QuestionError) -> str:
    """What is wrong with a position, and at which event."""
    return f"event {error.event}: {error}" if isinstance(error, BrokenRecord) and error.event else str(error)
