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
