"""Turns one word of a command line into a checked value, or into what Tab can make of it."""

import math
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from analyzer.presets import PRESETS

LARGEST_SEED = 2**63 - 1
MOST_DEALS = 10**15
MOST_WORKERS = 512


class Whole(click.ParamType):  # type: ignore[type-arg]  # click before 8.2 takes no argument
    """A whole number within bounds; `what` says which in a sentence."""

    name = "N"

    def __init__(self, what: str, low: int, high: int) -> None:
        """Keep the bounds, both included."""
        self.what, self.low, self.high = what, low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number, as in 2000 or 2,000, or say which ones there are."""
        written = re.fullmatch(r"\+?\d{1,30}|\d{1,3}(,\d{3}){1,9}", str(value), re.ASCII)
        number = int(written[0].replace(",", "")) if written else self.low - 1
        if not self.low <= number <= self.high:
            self.fail(f'{self.what} is a whole number from {self.low:,} to {self.high:,}, read "{value}"', param, ctx)
        return number


class Seat(Whole):
    """A seat by its number, or `dealer`, which is DEALER until the game is known."""

    DEALER = 0

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the seat."""
        return self.DEALER if str(value).casefold() == "dealer" else super().convert(value, param, ctx)


class Amount(click.ParamType):  # type: ignore[type-arg]  # click before 8.2 takes no argument
    """A number of points, 0 or more."""

    name = "POINTS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number, or say what it should be."""
        written = re.fullmatch(r"\+?\d*\.?\d*(e-?\d+)?", str(value), re.ASCII | re.IGNORECASE)
        try:
            number = float(written[0]) if written else math.nan
        except ValueError:
            number = math.nan
        if not 0 <= number < math.inf:
            self.fail(f'expected a number of points, 0 or more, as in 0.02, read "{value}"', param, ctx)
        return number


class File(click.Path):
    """A file, which may not be there yet; `-` where a command reads standard input."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Read the name, which is not empty."""
        if value == "":
            self.fail('expected the name of a file, read ""', param, ctx)
        return Path(os.fsdecode(super().convert(value, param, ctx)))


class Completed(click.ParamType):  # type: ignore[type-arg]  # click before 8.2 takes no argument
    """A text that Tab can complete to one of `words`, which are asked for only then; or to a file."""

    def __init__(self, name: str, words: Callable[[click.Context], Iterable[str]], *, or_file: bool = False) -> None:
        """Keep the name that help shows and what gives the words."""
        self.name, self.words, self.or_file = name, words, or_file

    def shell_complete(self, ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The words that the part behind the last comma begins."""
        before, comma, last = incomplete.rpartition(",")
        found = [CompletionItem(before + comma + word) for word in self.words(ctx) if word.startswith(last)]
        return found or ([CompletionItem(incomplete, type="file")] if self.or_file else [])


def _game_names(_ctx: click.Context) -> Iterable[str]:
    from analyzer.games import GAMES  # not read for help

    return GAMES


def _house_rules(ctx: click.Context) -> Iterable[str]:
    """Every house rule with each of its values, of the game that was typed if there is one."""
    from analyzer.games import GAMES, value_text  # not read for help

    typed = str(ctx.params.get("game") or "").casefold()
    chosen = [game for game in GAMES.values() if typed in (game.name, *game.aliases)]
    words: dict[str, None] = {}
    for game in chosen or GAMES.values():
        for field in game.fields:
            is_range = isinstance(field.values, range)
            values = [""] if is_range else [value_text(value) for value in field.values]
            words |= dict.fromkeys(f"{field.name}={value}" for value in values)
    return words


def _varied(ctx: click.Context) -> Iterable[str]:
    """Every number of a strategy, and every house rule."""
    from analyzer.strategy import BY_NAME  # msgspec is heavy

    rules = dict.fromkeys(f"rule.{rule.partition('=')[0]}=" for rule in _house_rules(ctx))
    return [*(f"{name}=" for name in BY_NAME), *rules]


def _presets(_ctx: click.Context) -> Iterable[str]:
    return PRESETS


FILE = File()
SOURCE = Completed("FILE", lambda _: (), or_file=True)
"""A file that is read, or - for standard input."""
GAME = Completed("GAME", _game_names)
RULE = Completed("FIELD=VALUE", _house_rules)
PLAYERS = Completed("A,B,...", _presets, or_file=True)
STRATEGY = Completed("NAME", _presets, or_file=True)
VARIED = Completed("NAME=VALUES", _varied)
PLAY = Completed("PLAY", lambda _: ("base", "rollout:", "open"))
