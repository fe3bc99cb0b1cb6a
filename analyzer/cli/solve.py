"""Turns files of open hands into the tricks each side takes when both play perfectly with all cards in view."""

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from analyzer.cli.kinds import SOURCE
from analyzer.cli.notes import note
from analyzer.cli.options import House, house_options, output_options
from analyzer.cli.words import EuchreCommand, Output, Row
from analyzer.errors import QuestionError

if TYPE_CHECKING:
    from analyzer.solve import Solution

    Line = tuple[Row, Solution | str | None]

COLUMNS = ("file", "line", "error", "trump", "leader", "sides", "tricks", "play")


@click.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre solve open.jsonl
  euchre solve open.jsonl --line
  euchre solve -g three -r deck=32 three.jsonl --format json
  euchre simulate --deals 10 --records hands.jsonl
  euchre solve hands.jsonl --format csv

\b
A line of FILE; a seat that sits out has no cards, a trick may be in progress:
  {"hands": ["AS", "9H TD", "", "TC 9S"], "trump": "H", "leader": 1,
   "sides": [[1, 3], [2, 4]], "trick": [[1, "KS"]]}
""",
)
@click.argument("file", type=SOURCE)
@click.option("--line", "with_play", is_flag=True, help="Show one best line of play too.")
@house_options
@output_options
def solve(file: str, with_play: bool, house: House, output: Output) -> None:
    """Say how many tricks each side takes when both play perfectly with all cards in view.

    FILE has one position a line, in JSON, or one hand record, which is solved after the calling and the exchange; -
    reads standard input. Of a deal that nobody played there is nothing to solve, and its tricks are null. A line that
    cannot be solved is reported, the others are answered, and the exit status is then 2.
    """
    tally = Tally()
    lines = tally.count(_solved(file, house, with_play))
    if output.format == "csv":
        from reports.frames import csv_text  # pandas is heavy

        output.write(csv_text((_flat(row) for row, _ in lines), COLUMNS))
    elif output.format == "json":
        with output.opened() as write:
            for row, _ in lines:
                write(json.dumps(row) + "\n")
    else:
        from reports.open_hands import print_solution, print_unplayed, print_unsolved  # rich is heavy
        from reports.text import plural

        with output.shown() as show:
            for row, found in lines:
                if isinstance(found, str):
                    show(partial(print_unplayed, row, found))
                else:
                    show(partial(print_solution, row, found) if found else partial(print_unsolved, row))
            if tally.n > 1 and not tally.n_unsolved:
                show(lambda console: console.print(f"{plural(tally.n, 'position')}, {tally.text()}."))
    if tally.n_unsolved:
        raise QuestionError(
            f"{tally.n_unsolved:,} of the {tally.n:,} lines in {file} cannot be solved; the first is {tally.first}"
        )
    if not tally.n:
        raise QuestionError(f"there is no position in {file}: expected one a line, in JSON")


class Tally:
    """How many lines went by, of how many nobody played, which could not be solved, and the first error of these."""

    def __init__(self) -> None:
        """Begin at none."""
        self.n = self.n_unsolved = self.n_unplayed = 0
        self.first = ""

    def count(self, lines: "Iterator[Line]") -> "Iterator[Line]":
        """Yield the lines on, counting them."""
        for row, solution in lines:
            self.n += 1
            self.n_unplayed += isinstance(solution, str)
            if solution is None:
                self.n_unsolved += 1
                self.first = self.first or f"line {row['line']}: {row['error']}"
            yield row, solution

    def text(self) -> str:
        """What became of them."""
        if not self.n_unplayed:
            return "all solved"
        return f"{self.n - self.n_unplayed:,} solved, {self.n_unplayed:,} that nobody played"


def _solved(file: str, house: House, with_play: bool) -> "Iterator[Line]":
    """Every line of the file: as a row of JSON, with its solution, or why nobody played, or nothing."""
    from analyzer import solve as study  # numba is heavy
    from analyzer.lines import source_named

    rules = house.rules()
    for line, read in study.read_open_positions(source_named(file), rules, is_house_given=house.is_given):
        row: Row = {"file": file, "line": line, **dict.fromkeys(COLUMNS[2:])}
        try:
            if isinstance(read, study.Unplayed):
                yield row, read.reason
                continue
            if isinstance(read, QuestionError):
                raise read
            if study.must_compile(with_play=with_play):
                what = "the solver and its lines" if with_play else "the solver"
                note(f"Compiling {what}, once; about 15 s ...")
            solution = study.solve(read, with_play=with_play)
        except QuestionError as error:
            yield {**row, "error": str(error)}, None
        else:
            yield {**row, **study.solution_row(solution)}, solution


def _flat(row: Row) -> Row:
    """A row whose lists of lists are lists of words."""
    sides = row["sides"] and ["+".join(map(str, side)) for side in row["sides"]]
    play = row["play"] and [f"{seat}:{card}" for seat, card in row["play"]]
    return {**row, "sides": sides, "play": play}
