"""Turns files of hand records into hands shown trick by trick, and says of each whether it keeps the rules."""

import json
from collections.abc import Iterator
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

import click

from analyzer.cli.kinds import SOURCE
from analyzer.cli.notes import note
from analyzer.cli.options import output_options
from analyzer.cli.words import EuchreCommand, Output, Row, note_compiling
from analyzer.errors import BrokenRecord, QuestionError, name_text


class Fault(Enum):
    """Why a line is not shown trick by trick."""

    BROKEN = "a hand that breaks the rules"
    GARBAGE = "no hand record"


if TYPE_CHECKING:
    from analyzer.record import HandRecord, Replay

    Line = tuple[Row, tuple[HandRecord, Replay] | Fault]

COLUMNS = ("file", "line", "event", "reason", "result")


@click.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre simulate --deals 100 --records hands.jsonl
  euchre replay hands.jsonl
  euchre replay hands.jsonl --format json
  euchre replay - --format csv < hands.jsonl
""",
)
@click.argument("file", type=SOURCE)
@output_options
def replay(file: str, output: Output) -> None:
    """Check recorded hands against the rules, and show them trick by trick.

    FILE has one record a line, as `euchre simulate --records` writes them; - reads standard input. A hand that breaks a
    rule is reported with its line, event and reason, and the exit status is then 2.
    """
    tally = Tally()
    with output.counted("hand was", "hands were") as count:
        _print(count(tally.count(_replayed(file))), output, tally)
    if tally.n_broken or tally.n_garbage:
        raise QuestionError(tally.text(file))
    if not tally.n:
        raise QuestionError(f"there is no hand in {file}: expected one record a line, in JSON")


def _print(lines: "Iterator[Line]", output: Output, tally: "Tally") -> None:
    """Print hand after hand, and in a table how many they were."""
    if output.format == "csv":
        from reports.frames import csv_text  # pandas is heavy

        output.write(csv_text((row for row, _ in lines), COLUMNS[:-1]))
    elif output.format == "json":
        with output.opened() as write:
            for row, _ in lines:
                write(json.dumps(row) + "\n")
    else:
        from reports.hands import print_broken, print_replay  # rich is heavy

        with output.shown() as show:
            for row, played in lines:
                if isinstance(played, Fault):
                    show(partial(print_broken, row))
                else:
                    show(partial(print_replay, row, *played))
            if tally.n > 1 and not (tally.n_broken or tally.n_garbage):
                show(lambda console: console.print(f"{tally.n:,} hands, all keep the rules."))


class Tally:
    """How many hands went by, how many of them were broken, and how many lines were no hand at all."""

    def __init__(self) -> None:
        """Begin at none."""
        self.n = self.n_broken = self.n_garbage = 0

    def count(self, lines: "Iterator[Line]") -> "Iterator[Line]":
        """Yield the lines on, counting them."""
        for row, played in lines:
            self.n += played is not Fault.GARBAGE
            self.n_broken += played is Fault.BROKEN
            self.n_garbage += played is Fault.GARBAGE
            yield row, played

    def text(self, file: str) -> str:
        """What is wrong in the file, in a sentence."""
        said = []
        if self.n_broken == self.n > 0:
            said = ["the hand breaks the rules" if self.n == 1 else f"all {self.n:,} hands break the rules"]
        elif self.n_broken:
            said = [f"{self.n_broken:,} of the {self.n:,} hands break{'s' * (self.n_broken == 1)} the rules"]
        if self.n_garbage:
            one = self.n_garbage == 1
            said += [f"{self.n_garbage:,} {'line is' if one else 'lines are'} no hand record{'' if one else 's'}"]
        return f"in {file} {' and '.join(said)}"


def _note_unknown(hand: str, reneged: list[int] | None) -> None:
    """Say what a hand without a result leaves open, if anybody reneged in it."""
    if reneged:
        seats = " and ".join(f"seat {seat}" for seat in dict.fromkeys(reneged))
        note(
            f"{hand}: {seats} reneged, and the record has no result that says who was noticed: nobody is counted as"
            ' noticed; to say it, add a result with "caught"'
        )


def _replayed(file: str) -> "Iterator[Line]":
    """Every line of the file: as a row of JSON, and the record with its replay where it keeps the rules."""
    from analyzer.lines import source_named
    from analyzer.record import read_records, rules_of  # numba is heavy
    from analyzer.record import replay as play_again

    for line, read in read_records(source_named(file)):
        row: Row = {"file": name_text(file), "line": line, "event": None, "reason": None, "result": None}
        try:
            if isinstance(read, BrokenRecord):
                raise read
            note_compiling(rules_of(read), "follow")
            played = play_again(read)
        except BrokenRecord as broken:
            fault = Fault.GARBAGE if isinstance(read, BrokenRecord) else Fault.BROKEN
            yield {**row, "event": broken.event, "reason": broken.reason}, fault
        else:
            if not isinstance(read.result, dict) and rules_of(read).renege_caught not in (0, 1):
                _note_unknown(f"{row['file']} line {line}", played.result.get("reneged"))
            yield {**row, "result": played.result}, (read, played)
