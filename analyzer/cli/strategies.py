"""Turns the strategies there are into a list, and one of them into the TOML to copy and change."""

import tomllib
from functools import partial

import click

from analyzer.cli.kinds import STRATEGY
from analyzer.cli.options import game_named, game_option, output_options
from analyzer.cli.words import EuchreCommand, Output, Row
from analyzer.presets import PRESETS


@click.group(
    invoke_without_command=True,
    epilog="""\b
Examples:
  euchre strategies
  euchre strategies show standard
  euchre strategies show bold -g bid
  euchre strategies numbers
  euchre strategies diff standard bold
""",
)
@output_options
@click.pass_context
def strategies(context: click.Context, output: Output) -> None:
    """List the strategies, show one, or explain their numbers."""
    if context.invoked_subcommand is not None:
        return
    from analyzer.strategy import preset_text  # msgspec and rich are heavy
    from reports.tables import print_strategies

    rows: list[Row] = [
        {"strategy": name, "about": tomllib.loads(preset_text(name)).get("about", "")} for name in PRESETS
    ]

    output.send(partial(print_strategies, rows), rows)


@strategies.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre strategies show standard
  euchre strategies show standard -g three
""",
)
@click.argument("name", type=STRATEGY)
@game_option
def show(name: str, game: str | None) -> None:
    """Print the strategy NAME as TOML, to copy and change.

    NAME may be a TOML file of your own. With --game: the numbers that hold in that game, each explained.
    """
    from analyzer.strategy import strategy_toml  # msgspec is read only when there is work

    text = strategy_toml(name, game_named(game) if game else None)
    click.echo(text, nl=not text.endswith("\n"))


@strategies.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre strategies numbers
  euchre strategies numbers --format csv --output numbers.csv
""",
)
@output_options
def numbers(output: Output) -> None:
    """List every number, its bounds and what it means."""
    from analyzer.strategy import NUMBERS  # msgspec and rich are heavy
    from reports.tables import print_numbers

    rows: list[Row] = [
        {"number": number.name, "low": number.low, "high": number.high, "meaning": number.meaning} for number in NUMBERS
    ]

    output.send(partial(print_numbers, rows), rows)


@strategies.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre strategies check mine.toml
""",
)
@click.argument("names", nargs=-1, required=True, type=STRATEGY, metavar="FILE...")
def check(names: tuple[str, ...]) -> None:
    """Say whether strategy files are in order, or what is wrong."""
    from analyzer.rules import GAMES, make_rules  # msgspec is read only when there is work
    from analyzer.strategy import find_strategy

    for name in names:
        for game in GAMES.values():
            find_strategy(name, make_rules(game))
        click.echo(f"{name} is in order.")


@strategies.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre strategies diff standard bold
  euchre strategies diff standard cautious -g bid
""",
)
@click.argument("first", type=STRATEGY)
@click.argument("second", type=STRATEGY)
@game_option
@output_options
def diff(first: str, second: str, game: str | None, output: Output) -> None:
    """List the numbers of FIRST and SECOND that differ."""
    from analyzer.rules import GAMES, make_rules  # msgspec and rich are heavy
    from analyzer.strategy import BY_NAME, find_strategy
    from reports.tables import print_differing

    rows: list[Row] = []
    for each in [game_named(game)] if game else GAMES.values():
        one, other = (find_strategy(name, make_rules(each)) for name in (first, second))
        for number in BY_NAME:
            values = one.numbers[number], other.numbers[number]
            if values[0] != values[1]:
                rows.append({"game": each.name, "number": number, "first": values[0], "second": values[1]})
    output.send(partial(print_differing, rows, first, second), rows)
