"""Turns `euchre equity` into the chance to win the game from every score, when dealing and when not."""

from dataclasses import asdict
from functools import partial

import click

from analyzer.cli.notes import STOPPED, note
from analyzer.cli.options import (
    House,
    deals_option,
    drawn_options,
    house_options,
    players_option,
    seed_option,
    workers_option,
)
from analyzer.cli.words import EuchreCommand, Output, charts, command_line, note_compiling, progress_bar

DEALS = 1_000_000


@click.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre equity
  euchre equity --score 6,8
  euchre equity -g three --score 6,8,3
  euchre equity -g bid -r tie=bidder --format csv --output bid.csv
""",
)
@click.option("--score", metavar="A,B,...", help="Only this score, in seat order, or of seats 1 and 3, then 2 and 4.")
@house_options
@players_option
@deals_option(f"How many deals to count, for each seating of the players.  [default: {DEALS:,}]", DEALS)
@seed_option
@workers_option
@drawn_options
def equity(
    score: str | None,
    house: House,
    players: str | None,
    deals: int,
    seed: int,
    workers: int | None,
    output: Output,
) -> None:
    """Show the chance to win the game from every score, when your side deals and when it does not.

    It follows from what deals pay between these players, and is kept: the same question is answered at once.
    """
    from analyzer.asked import read_score
    from analyzer.equity import equity as find_chances  # what is heavy is read only to run
    from analyzer.equity import is_kept, seatings
    from analyzer.strategy import seat_players
    from reports.pages.chances import equity_page
    from reports.standings import print_equity

    rules = house.rules()
    seats = seat_players("standard" if players is None else players, rules)
    asked = read_score(rules, score)
    if not is_kept(rules, seats, deals=deals, seed=seed):
        note_compiling(rules, "simulate")
    with progress_bar(deals * len(seatings(seats)), "Counting") as progress:
        found = find_chances(rules, seats, deals=deals, score=asked, seed=seed, workers=workers, progress=progress)
    whole = asdict(found)
    output.send(partial(print_equity, whole, is_one=asked is not None), whole["rows"], whole)
    drawn = partial(charts, "of_equity", whole, is_one=asked is not None)
    output.draw(drawn)
    output.report(partial(equity_page, whole, command_line(), is_one=asked is not None), drawn)
    if found.provenance.interrupted:
        note(f"Stopped early: {found.provenance.deals:,} of {deals:,} deals were counted.")
        raise click.exceptions.Exit(STOPPED)
