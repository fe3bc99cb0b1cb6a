"""Turns files of hand records into hands shown trick by trick, and says of each whether it keeps the rules."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.options import output_options
from analyzer.cli.words import EuchreCommand, Output, Row, note_compiling
from analyzer.errors import BrokenRecord, QuestionError

if TYPE_CHECKING:
    from analyzer.record import HandRecord, Replay

    Line = tuple[Row, tuple[HandRecord, Replay] | None]

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
@click.argument("file")
@output_options
def replay(file: str, output: Output) -> None:
    """Check recorded hands against the rules, and show them trick by trick.

    FILE has one record a line, as `euchre simulate --records` writes them; - reads standard input. A hand that breaks a
    rule is reported with its line, event and reason, and the exit status is then 2.
    """
    tally = Tally()
    lines = tally.count(_replayed(file))
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
                show(partial(print_replay, row, *played) if played else partial(print_broken, row))
    if tally.n_broken:
        raise QuestionError(f"{tally.n_broken:,} of the {tally.n:,} hands in {file} break the rules")
    if not tally.n:
        raise QuestionError(f"there is no hand in {file}: expected one record a line, in JSON")


class Tally:
    """How many hands went by, and how many of them were broken."""

    def __init__(self) -> None:
        """Begin at none."""
        self.n = self.n_broken = 0

    def count(self, lines: "Iterator[Line]") -> "Iterator[Line]":
        """Yield the lines on, counting them."""
        for row, played in lines:
            self.n += 1
            self.n_broken += played is None
            yield row, played


def _replayed(file: str) -> "Iterator[Line]":
    """Every line of the file: as a row of JSON, and the record with its replay where it keeps the rules."""
    from analyzer.record import read_records, rules_of  # numba is heavy
    from analyzer.record import replay as play_again

    for line, read in read_records(sys.stdin.buffer if file == "-" else Path(file)):
        row: Row = {"file": file, "line": line, "event": None, "reason": None, "result": None}
        try:
            if isinstance(read, BrokenRecord):
                raise read
            note_compiling(rules_of(read), "follow")
            played = play_again(read)
        except BrokenRecord as broken:
            yield {**row, "event": broken.event, "reason": broken.reason}, None
        else:
            yield {**row, "result": played.result}, (read, played)
