"""Turns the options that commands share into checked values: the rules, the players, how to run, where to write.

Each is a decorator that adds its options to a command; those that belong together reach the command as one value.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.cli.kinds import FILE, GAME, LARGEST_SEED, MOST_DEALS, MOST_WORKERS, PLAYERS, RULE, Whole
from analyzer.cli.words import FORMATS, make_output, want_ascii

if TYPE_CHECKING:
    from analyzer.games import Game
    from analyzer.rules import Rules

Command = Callable[..., Any]


def game_named(text: str) -> "Game":
    """The game of a name or an alias; raises QuestionError."""
    from analyzer.games import find_game  # not read for help

    return find_game(text)


def rules_from(game: str, rule: Sequence[str], rules_file: Path | None) -> "Rules":
    """The rules of a game by name, with the house rules of a file, over which those of `rule` win.

    Raises QuestionError for what is no game, no house rule of it, or no value of that.
    """
    from analyzer.rules import make_rules, parse_rule, read_rules_file  # msgspec is read only when there is work

    found = game_named(game)
    changes: dict[str, object] = dict(read_rules_file(rules_file, found)) if rules_file else {}
    return make_rules(found, changes | dict(parse_rule(text, found) for text in rule))


@dataclass(frozen=True)
class House:
    """The game and house rules as typed."""

    game: str | None
    rule: tuple[str, ...]
    rules_file: Path | None

    @property
    def is_given(self) -> bool:
        """Whether any of it was typed."""
        return bool(self.game is not None or self.rule or self.rules_file)

    def rules(self) -> "Rules":
        """The rules so chosen; raises QuestionError."""
        return rules_from("four-handed" if self.game is None else self.game, self.rule, self.rules_file)


_HOUSE = (
    click.option(
        "-g",
        "--game",
        type=GAME,
        help="two-handed, three-handed, four-handed or bid; also two, 2, three, 3, four, 4.  [default: four-handed]",
    ),
    click.option(
        "-r",
        "--rule",
        type=RULE,
        multiple=True,
        help="A house rule, as in stick_the_dealer=true; may be repeated. `euchre games` lists them.",
    ),
    click.option(
        "--rules",
        "rules_file",
        type=FILE,
        metavar="FILE.toml",
        help="House rules from a flat TOML file, as in deck = 32; --rule wins over it.",
    ),
)
_OUTPUT = (
    click.option(
        "--format",
        "format_",
        type=click.Choice(FORMATS, case_sensitive=False),
        help="How to write the result.  [default: what the ending of --output says, else table]",
    ),
    click.option(
        "--output",
        "path",
        type=FILE,
        metavar="FILE",
        help="Write the result to a file, whole or not at all, instead of to the screen.",
    ),
    click.option(
        "--ascii",
        is_flag=True,
        expose_value=False,
        callback=want_ascii,
        help="Show letters for suits and plain lines, nothing but ASCII.",
    ),
)

_DRAWN = (
    click.option(
        "--plot",
        type=FILE,
        metavar="FILE",
        help="Draw the result too, as a picture: a file .png, .svg or .pdf, whole or not at all.",
    ),
    click.option(
        "--report",
        "page",
        type=FILE,
        metavar="FILE.html",
        help="Write a page of it too, to read in a browser or to print: one file, which needs no network.",
    ),
)


def house_options(command: Command) -> Command:
    """Add --game, --rule and --rules; the command gets `house`."""

    @functools.wraps(command)
    def with_house(*args: Any, game: str | None, rule: tuple[str, ...], rules_file: Path | None, **others: Any) -> Any:
        return command(*args, house=House(game, rule, rules_file), **others)

    return with_options(with_house, _HOUSE)


def output_options(command: Command) -> Command:
    """Add --format and --output; the command gets `output`, which can be written."""

    @functools.wraps(command)
    def with_output(*args: Any, format_: str | None, path: Path | None, **others: Any) -> Any:
        return command(*args, output=make_output(format_, path), **others)

    return with_options(with_output, _OUTPUT)


def drawn_options(command: Command) -> Command:
    """Add --format, --output, --plot and --report; the command gets `output`, which can be written and drawn."""

    @functools.wraps(command)
    def with_output(
        *args: Any, format_: str | None, path: Path | None, plot: Path | None, page: Path | None, **others: Any
    ) -> Any:
        return command(*args, output=make_output(format_, path, plot, page), **others)

    return with_options(with_output, (*_OUTPUT, *_DRAWN))


def with_options(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    """Add options, which help lists in this order."""
    return functools.reduce(lambda so_far, option: option(so_far), reversed(options), command)


game_option = click.option(
    "-g", "--game", type=GAME, help="Of this game only: two-handed, three-handed, four-handed, bid."
)
players_option = click.option(
    "--players",
    type=PLAYERS,
    help="Strategies in seat order, or one for all: names of `euchre strategies`, or TOML files.  [default: standard]",
)
seed_option = click.option(
    "--seed",
    type=Whole("the seed", 0, LARGEST_SEED),
    default=0,
    show_default=True,
    help="Which random deals; the same question with the same seed always gets the same answer.",
)
workers_option = click.option(
    "--workers",
    type=Whole("the number of workers", 1, MOST_WORKERS),
    help="Threads to work on; results do not depend on it.  [default: every CPU]",
)


def deals_option(text: str, default: int | None) -> Callable[[Command], Command]:
    """Return what adds --deals with this help text, which says the default too."""
    kind = Whole("the number of deals", 1, MOST_DEALS)
    return click.option("--deals", type=kind, default=default, help=text)
