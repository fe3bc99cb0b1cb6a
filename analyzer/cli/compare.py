"""Turns `euchre compare` into strategies against each other, on the same deals and with the seats rotated."""

from dataclasses import asdict
from functools import partial

import click

from analyzer.cli.batches import Race, race_options, stopped
from analyzer.cli.kinds import MOST_DEALS, STRATEGY, Whole
from analyzer.cli.options import House, drawn_options, house_options
from analyzer.cli.words import EuchreCommand, Output, charts, command_line, note_compiling, progress_bars
from analyzer.errors import QuestionError
from analyzer.files import check_apart


@click.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre compare standard bold cautious
  euchre compare standard bold -g two --deals 100000
  euchre compare standard bold -g bid --matches 2000
  euchre compare standard bold --format csv --output pairs.csv
""",
)
@click.argument("strategies", nargs=-1, type=STRATEGY)
@house_options
@click.option(
    "--matches",
    "games",
    type=Whole("the number of games", 1, MOST_DEALS),
    help="Play so many whole games too.",
)
@race_options
@drawn_options
def compare(strategies: tuple[str, ...], house: House, games: int | None, race: Race, output: Output) -> None:
    """Play STRATEGIES, two or more, against each other on the same deals.

    Every two of them meet at several tables, so that each holds every hand of a deal. A strategy is a name of
    `euchre strategies` or a TOML file.
    """
    from analyzer.compare import compare as find_better  # numba and rich are heavy
    from analyzer.players import find_player
    from reports.batches import print_comparison
    from reports.pages.many import comparison_page

    rules = house.rules()
    if len(strategies) < 2:
        raise QuestionError("compare takes two strategies or more: as in euchre compare standard bold")
    check_apart({"--resume": race.resume, **output.files})
    found = [find_player(name, rules) for name in strategies]
    names = [strategy.name for strategy in found]
    if len(set(names)) < len(names):
        raise QuestionError(f"compare was given {' and '.join(names)}: give each strategy a name of its own")
    most = race.most(rules)
    note_compiling(rules, "simulate")
    with progress_bars((most, "Deals"), (games or 0, "Games")) as (dealt, finished):
        comparison = find_better(
            rules,
            found,
            race.deals,
            max_deals=most,
            margin=race.within(rules),
            games=games or 0,
            seed=race.seed,
            how=race.how(dealt),
            how_games=race.how(finished),
        )
    output.send(partial(print_comparison, comparison), [asdict(row) for row in comparison.rows], asdict(comparison))
    drawn = partial(charts, "of_comparison", comparison)
    output.draw(drawn)
    output.report(partial(comparison_page, comparison, command_line()), drawn)
    if comparison.provenance.interrupted:
        about = comparison.provenance
        further = f" and {about.games:,} of {games:,} games" if games else ""
        stopped(f"{about.deals:,} deals{further} were played", race.resume)
