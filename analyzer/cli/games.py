"""Turns the list of games into what `euchre games` prints: every game, its seats and its house rules."""

from functools import partial
from typing import TYPE_CHECKING

import click

from analyzer.cli.options import game_named, game_option, output_options
from analyzer.cli.words import EuchreCommand, Output, Row

if TYPE_CHECKING:
    from analyzer.games import Game


@click.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre games
  euchre games -g bid
  euchre games --format csv --output rules.csv
""",
)
@game_option
@output_options
def games(game: str | None, output: Output) -> None:
    """List the games and their house rules.

    A house rule is chosen by -r FIELD=VALUE in the commands that play.
    """
    from analyzer.games import GAMES
    from reports.tables import print_games  # rich is heavy

    chosen = [game_named(game)] if game else list(GAMES.values())
    rows = [row for each in chosen for row in game_rows(each)]

    output.send(partial(print_games, rows), rows)


def game_rows(game: "Game") -> list[Row]:
    """One row for each house rule of a game."""
    sides = " against ".join(" and ".join(map(str, side)) for side in game.sides)
    return [
        {
            "game": game.name,
            "aliases": list(game.aliases),
            "seats": game.n_seats,
            "sides": sides,
            "rule": field.name,
            "default": field.default,
            "allowed": field.allowed,
            "meaning": field.meaning,
        }
        for field in game.fields
    ]
