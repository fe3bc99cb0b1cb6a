"""Turns `euchre simulate` into deals played by given strategies, and their statistics."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli.kinds import FILE
from analyzer.cli.notes import STOPPED, note
from analyzer.cli.options import (
    House,
    deals_option,
    house_options,
    output_options,
    players_option,
    seed_option,
    workers_option,
)
from analyzer.cli.words import (
    EuchreCommand,
    Output,
    note_compiling,
    progress_bar,
)
from analyzer.errors import QuestionError
from analyzer.files import check_writable, growing_file, uninterrupted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.record import HandRecord
    from analyzer.rules import Rules
    from analyzer.strategy import Strategy

DEALS = 100_000


@click.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre simulate
  euchre simulate -g three --players standard,bold,standard --deals 200000
  euchre simulate -g bid -r deck=48 --deals 20000 --output bid.csv
  euchre simulate -g two --deals 10 --records hands.jsonl
""",
)
@house_options
@players_option
@deals_option(f"How many deals to play.  [default: {DEALS:,}]", DEALS)
@click.option("--records", type=FILE, metavar="FILE", help="Write every hand played to a file, one record a line.")
@seed_option
@workers_option
@output_options
def simulate(
    house: House,
    players: str | None,
    deals: int,
    records: Path | None,
    seed: int,
    workers: int | None,
    output: Output,
) -> None:
    """Play many deals and count what every seat called and what came of it."""
    from analyzer.batches import How
    from analyzer.simulate import simulate as play_deals  # numba and rich are heavy
    from analyzer.strategy import seat_players
    from reports.tables import print_simulation

    rules = house.rules()
    seats = seat_players("standard" if players is None else players, rules)
    if records is not None:
        if output.path is not None and records.resolve() == output.path.resolve():
            raise QuestionError(f"--records and --output are both {records}: give each a file of its own")
        check_writable(records, "--records", "hands.jsonl")
    note_compiling(rules, "simulate", *(["record"] if records else []))
    written = deals if records is None else _write_records(rules, seats, deals, records, seed, workers)
    with progress_bar(written, "Playing") as progress:
        found = play_deals(rules, seats, written, seed=seed, how=How(workers, progress))
    played = found.provenance.deals
    if played == 0:
        raise KeyboardInterrupt

    rows = [asdict(row) for row in found.rows]
    output.send(partial(print_simulation, found), rows, asdict(found))
    if played < deals:
        note(f"Stopped early: {played:,} of {deals:,} deals were played{f', {written:,} written' if records else ''}.")
        raise click.exceptions.Exit(STOPPED)


def _write_records(
    rules: "Rules", players: "Sequence[Strategy]", deals: int, path: Path, seed: int, workers: int | None
) -> int:
    """Write the hands to a file; returns how many, fewer than `deals` after Ctrl-C."""
    from analyzer.record import write_record  # numba is heavy
    from analyzer.simulate import record_hands

    done = 0
    with growing_file(path) as append, progress_bar(deals, "Writing hands") as progress:

        def write(hands: "list[HandRecord]") -> None:
            nonlocal done
            lines = "".join(write_record(hand) + "\n" for hand in hands)
            with uninterrupted():  # what is counted is in the file
                append(lines)
                done += len(hands)
            if progress is not None:
                progress(done)

        record_hands(rules, players, deals, write, seed=seed, workers=workers)
    return done
