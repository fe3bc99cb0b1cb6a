"""Turns `euchre simulate` into deals played by given strategies, and their statistics."""

import contextlib
import functools
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.cli.batches import cluster_option, how_of, resume_option, stopped
from analyzer.cli.kinds import FILE, MOST_DEALS, Whole
from analyzer.cli.options import (
    Command,
    House,
    deals_option,
    drawn_options,
    house_options,
    players_option,
    seed_option,
    with_options,
    workers_option,
)
from analyzer.cli.words import EuchreCommand, Output, charts, command_line, note_compiling, progress_bar
from analyzer.errors import QuestionError
from analyzer.files import GrowingFile, check_apart, check_writable, growing_file, uninterrupted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.batches import Growing
    from analyzer.record import HandRecord
    from analyzer.rules import Rules
    from analyzer.strategy import Strategy

DEALS = 100_000
CSV = ".csv"
PARQUET = (".parquet", ".pq")

_RUN = (
    deals_option(f"How many deals to play.  [default: {DEALS:,}]", None),
    click.option(
        "--matches", "games", type=Whole("the number of games", 1, MOST_DEALS), help="Play so many whole games instead."
    ),
    click.option(
        "--hands", type=FILE, metavar="FILE", help="Write a row for every deal: a .csv, or a folder .parquet of parts."
    ),
    click.option("--records", type=FILE, metavar="FILE", help="Write every hand played to a file, one record a line."),
    resume_option,
    seed_option,
    workers_option,
    cluster_option,
)


@dataclass(frozen=True)
class Run:
    """What to play, and where the deals go."""

    deals: int | None
    games: int | None
    hands: Path | None
    records: Path | None
    resume: Path | None
    seed: int
    workers: int | None
    cluster: str | None

    def check(self, output: Output) -> None:
        """Refuse what does not go together, and files that could not be written."""
        if self.games and (self.deals or self.hands or self.records):
            raise QuestionError("--matches plays whole games: leave out --deals, --hands and --records")
        if self.records and self.resume:
            raise QuestionError("--records cannot be gone on with: leave out --resume, or write --hands")
        files = {"--hands": self.hands, "--records": self.records, "--resume": self.resume, **output.files}
        check_apart(files)
        if self.hands is not None and self.hands.suffix.casefold() not in (CSV, *PARQUET):
            raise QuestionError(
                f"--hands {self.hands} does not say what kind of file: expected a name that ends in .csv or .parquet,"
                " as in hands.csv"
            )
        if self.records is not None:
            check_writable(self.records, "--records", "hands.jsonl")
        if self.hands is not None and self.hands.suffix.casefold() not in PARQUET:
            check_writable(self.hands, "--hands", "hands.csv")


def run_options(command: Command) -> Command:
    """Add --deals, --matches, --hands, --records, --resume, --seed, --workers and --cluster; the command gets `run`."""

    @functools.wraps(command)
    def with_run(*args: Any, **others: Any) -> Any:
        run = Run(**{name: others.pop(name) for name in Run.__dataclass_fields__})
        return command(*args, run=run, **others)

    return with_options(with_run, _RUN)


@click.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre simulate
  euchre simulate -g three --players standard,bold,standard --deals 200000
  euchre simulate -g bid -r deck=48 --deals 20000 --output bid.csv
  euchre simulate -g two --deals 10 --records hands.jsonl
  euchre simulate --deals 200000 --hands hands.csv --resume run.json
  euchre simulate --players standard,bold,standard,bold --matches 5000
""",
)
@house_options
@players_option
@run_options
@drawn_options
def simulate(house: House, players: str | None, run: Run, output: Output) -> None:
    """Play many deals and count what every seat called and what came of it.

    With --matches: whole games, the deal going round, and who won them.
    """
    from analyzer.players import seat_players  # numba and rich are heavy

    rules = house.rules()
    seats = seat_players("standard" if players is None else players, rules)
    run.check(output)
    if run.games:
        _play_games(rules, seats, run.games, run, output)
    else:
        _play_deals(rules, seats, run.deals or DEALS, run, output)


def _play_deals(rules: "Rules", seats: "Sequence[Strategy]", deals: int, run: Run, output: Output) -> None:
    """Play deals, write them down where that is wanted, and print the statistics."""
    from analyzer.simulate import simulate as play_deals  # numba and rich are heavy
    from reports.pages.many import simulation_page
    from reports.tables import print_simulation

    note_compiling(rules, "simulate", *(["record"] if run.records else []))
    written = deals
    if run.records is not None:
        written = _write_records(rules, seats, deals, run.records, run.seed, run.workers)
    with _growing(rules, seats, run) as growing, progress_bar(written, "Playing") as progress:
        how = how_of(run.workers, progress, run.resume, run.cluster)
        found = play_deals(rules, seats, written, seed=run.seed, how=how, growing=growing)
    played = found.provenance.deals
    if played == 0:
        raise KeyboardInterrupt
    output.send(partial(print_simulation, found), [asdict(row) for row in found.rows], asdict(found))
    drawn = partial(charts, "of_simulation", found)
    output.draw(drawn)
    output.report(partial(simulation_page, found, command_line()), drawn)
    if played < deals:
        stopped(
            f"{played:,} of {deals:,} deals were played{f', {written:,} written' if run.records else ''}", run.resume
        )


def _play_games(rules: "Rules", seats: "Sequence[Strategy]", games: int, run: Run, output: Output) -> None:
    """Play whole games and print who won them."""
    from analyzer.matches import play_matches  # numba and rich are heavy
    from reports.batches import print_matches
    from reports.pages.many import matches_page

    note_compiling(rules, "simulate")
    with progress_bar(games, "Games") as progress:
        found = play_matches(
            rules, seats, games, seed=run.seed, how=how_of(run.workers, progress, run.resume, run.cluster)
        )
    output.send(partial(print_matches, found), [asdict(row) for row in found.rows], asdict(found))
    drawn = partial(charts, "of_matches", found)
    output.draw(drawn)
    output.report(partial(matches_page, found, command_line()), drawn)
    if found.provenance.interrupted:
        stopped(f"{found.provenance.games:,} of {games:,} games were played", run.resume)


@contextlib.contextmanager
def _growing(rules: "Rules", seats: "Sequence[Strategy]", run: Run) -> "Iterator[Growing | None]":
    """The file that takes a row for every deal, if one is wanted."""
    if run.hands is None:
        yield None
        return
    from analyzer.hands import columns_of  # numba and pandas are heavy
    from reports.hand_rows import CsvHands, ParquetHands

    columns = columns_of(rules, seats, run.seed)
    if run.hands.suffix.casefold() in PARQUET:
        yield ParquetHands(run.hands, columns)
        return
    with GrowingFile(run.hands, "--hands") as file:
        yield CsvHands(file, columns)


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
