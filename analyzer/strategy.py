"""Turns strategies as text (TOML) into strategies as numbers, each number named, bounded and explained.

A strategy is data: numbers named section.decision.seat, `call.order.seat1`. A file may build on another
(`base = "standard"`) and hold only what differs; a table of a game (`[games.two-handed.call.order]`, with 48 cards
`[games.bid-48.bid.first]`, with the joker `[games.bid-joker.bid.first]`) changes numbers in that game alone.
"""

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from analyzer.errors import QuestionError, name_text, nearest
from analyzer.presets import PRESETS
from analyzer.rules import GAMES, Game, Rules

__all__ = [
    "BY_NAME",
    "DOUBLE",
    "NUMBERS",
    "PRESETS",
    "Number",
    "Strategy",
    "find_strategy",
    "preset_text",
    "seat_players",
    "strategy_toml",
]

_WIDTH = 80
DOUBLE = "bid-48"
"""The name under which a strategy changes numbers for Bid Euchre with 48 cards."""
JOKER = "-joker"
"""What the name of a game has behind it where numbers are changed for play with the joker."""


BOT = ".py:"
"""What the name of a player in Python has, as in my_bot.py:Bot."""


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a strategy: its name, its bounds, and what it means to a player."""

    name: str
    low: float
    high: float
    meaning: str


@dataclass(frozen=True, slots=True)
class Strategy:
    """Numbers for one game and pack, by name. `is_random`: every choice uniform over what is legal instead."""

    name: str
    numbers: Mapping[str, float] = field(hash=False)
    is_random: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process with the numbers as a plain dict: a read-only view cannot."""
        return _unpacked, (self.name, dict(self.numbers), self.is_random)


def _unpacked(name: str, numbers: dict[str, float], is_random: bool) -> Strategy:
    return Strategy(name, MappingProxyType(numbers), is_random)


Finder = Callable[[str, Rules], Strategy]


def _seats(name: str, meaning: str) -> list[Number]:
    """One number for each seat from the dealer's left; the last seat of a game deals."""
    return [Number(f"{name}.seat{seat}", -99, 99, meaning.format(seat=seat)) for seat in (1, 2, 3, 4)]


def _named(section: str, words: str, meaning: str, low: float = -9, high: float = 99) -> list[Number]:
    """One number for each word of a section."""
    return [Number(f"{section}.{word}", low, high, meaning.format(word=word)) for word in words.split()]


SITUATIONS: Mapping[str, str] = MappingProxyType(
    {
        "own_brink": "while its own side is at the brink",
        "other_brink": "while another side is at the brink",
        "far_behind": "while its own side is far behind",
    }
)
"""Scores at which a strategy may call otherwise."""

NUMBERS: tuple[Number, ...] = (
    *_named("trump", "seven eight nine ten queen king ace left right joker", "worth of the {word} of trump"),
    *_named("length", "third fourth fifth", "worth added by a {word} trump"),
    Number("length.further", -9, 99, "worth added by each trump beyond five"),
    Number("side.ace", -9, 99, "worth of an ace that is not trump"),
    Number("side.lone_ace", -9, 99, "worth added when that ace is the only card of its suit"),
    Number("side.king", -9, 99, "worth of a side suit's king that has another card beside it"),
    *_named("void", "first second third", "worth added by a {word} void side suit, while a trump is held"),
    Number("upcard.partner", 0, 2, "share of the upcard's worth added when the partner would pick it up"),
    Number("upcard.opponent", 0, 2, "share of the upcard's worth taken off when an opponent would pick it up"),
    *_seats("call.order", "worth from which seat {seat} orders in round one"),
    *_seats("call.order_alone", "worth from which seat {seat}, when it orders, goes alone (four-handed)"),
    *_seats("call.next", "worth from which seat {seat} names the next suit in round two"),
    *_seats("call.cross", "worth from which seat {seat} names another suit in round two"),
    *_seats("call.name_alone", "worth from which seat {seat}, when it names, goes alone (four-handed)"),
    Number("pickup.margin", -99, 99, "worth the upcard must add for an ordered dealer to take it when he need not"),
    Number("alone.maker", -99, 99, "worth from which a three-handed maker leaves the dummy and goes alone"),
    Number("alone.defender", -99, 99, "worth from which a defender goes alone"),
    *_seats("bid.first", "worth from which seat {seat} makes the lowest bid, three"),
    *_seats("bid.second", "worth from which seat {seat} bids four"),
    Number("bid.step", 0.01, 99, "worth more for each level above four"),
    *_seats("bid.ask", "worth from which seat {seat} asks"),
    *_seats("bid.moon", "worth from which seat {seat} shoots the moon"),
    Number("bid.moon_jacks", 0, 8, "so many jacks or more shoot the moon whatever the hand is worth; 0: never"),
    Number("bid.partner", -99, 99, "worth added when the partner has bid and an opponent's bid stands"),
    Number("bid.opponent", -99, 99, "worth taken off when an opponent's bid stands"),
    Number("bid.opponent_step", -99, 99, "more taken off for each level that bid is above three"),
    Number("bid.over_partner", -99, 99, "worth more that is needed to go over the partner's standing bid"),
    Number("bid.jump", 0, 1, "1: bids at once what the hand is worth; 0: the lowest bid that stands"),
    Number("bid.claim_below", -99, 99, "an ace-no-face hand worth less than this is claimed"),
    Number("play.renege", 0, 1, "chance to renege where that wins the trick and no legal card does; see renege_caught"),
    Number("shift.call", -99, 99, "added to every worth from which it orders, names or bids with its partner"),
    Number("shift.alone", -99, 99, "added to every worth from which it goes alone, asks or shoots the moon"),
    Number("score.brink", 0, 99, "a side this many points short of the target, or fewer, is at the brink"),
    Number("score.behind", 0, 999, "a side this many points behind another is far behind; 0: no side is"),
    *(
        Number(f"score.{name}.{what}", -99, 99, f"as shift.{what}, {when}")
        for name, when in SITUATIONS.items()
        for what in ("call", "alone")
    ),
)
BY_NAME: Mapping[str, Number] = MappingProxyType({number.name: number for number in NUMBERS})
_VARIANTS = (*GAMES, DOUBLE, *(game + JOKER for game in GAMES))


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as one, the keys joined by dots."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        flat |= _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return flat


def checked_number(name: str, value: object, where: str, others: Sequence[str] = ()) -> float:
    """The value of a number, within its bounds; `others` are names beside the numbers that could have been meant."""
    number = BY_NAME.get(name)
    if number is None:
        hint = nearest(name, [*others, *BY_NAME]) or "see: euchre strategies show standard"
        raise QuestionError(f"{where}: a strategy has no number {name}; {hint}")
    if isinstance(value, bool) or not isinstance(value, int | float) or not number.low <= value <= number.high:
        raise QuestionError(f"{where}: {name} is {value!r}; expected a number from {number.low:g} to {number.high:g}")
    if round(value * 100) != round(value * 100, 6):
        raise QuestionError(f"{where}: {name} is {value!r}; numbers of a strategy have at most two decimals")
    return float(value)


@dataclass(frozen=True, slots=True)
class _File:
    """A strategy file as read: what it builds on, and its numbers, common and by game."""

    base: str | None
    is_random: bool
    common: Mapping[str, float]
    by_game: Mapping[str, Mapping[str, float]]


BESIDE_NUMBERS = ("base", "kind", "about", "games")
"""What else a strategy file says."""
_HEADER = re.compile(r"\s*\[([^\[\]]+)\]")
_KEY = re.compile(r"\s*([^=\s]+)\s*=")


def _lines_of(text: str) -> dict[str, int]:
    """The lines of a TOML file on which numbers stand, by their full names; not of those written in another way."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = header[1].strip() + "."
        elif key := _KEY.match(line):
            lines.setdefault(table + key[1].strip("\"'"), number)
    return lines


def _numbers(lines: Mapping[str, int], where: str, table: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    """The numbers of a table, checked; raises QuestionError that names the line."""
    found = {}
    for name, value in _flat(table).items():
        line = lines.get(prefix + name)
        found[name] = checked_number(
            name, value, f"{where}, line {line}" if line else where, () if prefix else BESIDE_NUMBERS
        )
    return found


def _read(text: str, where: str) -> _File:
    """A strategy file; raises QuestionError that names `where`, the line and the number."""
    try:
        tables = msgspec.toml.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise QuestionError(f"{where} is not a strategy in TOML: {error}") from error
    base, kind = tables.pop("base", None), tables.pop("kind", "rules")
    tables.pop("about", None)
    if kind not in ("rules", "random"):
        raise QuestionError(f'{where}: kind is {kind!r}; expected "rules" or "random"')
    if base is not None and not isinstance(base, str):
        raise QuestionError(f'{where}: base is {base!r}; expected the name of a strategy, as in base = "standard"')
    by_game = tables.pop("games", {})
    if not isinstance(by_game, dict):
        raise QuestionError(f"{where}: games is {by_game!r}; expected a table for each game")
    for variant in by_game:
        if variant not in _VARIANTS or not isinstance(by_game[variant], dict):
            raise QuestionError(f"{where}: cannot read games.{variant}; expected tables of {', '.join(_VARIANTS)}")
    lines = _lines_of(text)
    return _File(
        base=base,
        is_random=kind == "random",
        common=_numbers(lines, where, tables),
        by_game={variant: _numbers(lines, where, table, f"games.{variant}.") for variant, table in by_game.items()},
    )


def preset_text(name: str) -> str:
    """The TOML of a preset. Raises QuestionError where there is none of that name."""
    if name not in PRESETS:
        known = ", ".join(PRESETS)
        raise QuestionError(f'there is no strategy "{name}"; expected {known}, or the path of a TOML file')
    return resources.files("analyzer").joinpath("strategies", f"{name}.toml").read_text(encoding="utf-8")


def _text_of(name: str) -> str:
    """The TOML of a preset or of a file."""
    if name in PRESETS:
        return preset_text(name)
    path = Path(name)
    if BOT in name:
        raise QuestionError(f"{name} is a player in Python: such a one sits in simulate and compare, not here")
    if path.suffix != ".toml":
        known = ", ".join(PRESETS)
        hint = nearest(name, PRESETS)
        raise QuestionError(
            f'there is no strategy "{name}"; {hint + "; " if hint else ""}expected {known}, or the path of a TOML file'
        )
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise QuestionError(f"cannot read the strategy {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise QuestionError(f"cannot read the strategy {path}: it is not text in UTF-8") from error


def find_strategy(name: str, rules: Rules) -> Strategy:
    """The strategy of this name, or of the TOML file at this path, with its numbers for this game and pack.

    Raises QuestionError for an unknown name, an unreadable file, a wrong number or a base that leads back to itself.
    """
    chain: list[_File] = []
    seen: list[str] = []
    wanted: str | None = name
    while wanted is not None:
        if wanted in seen:
            raise QuestionError(f"the strategy {name} builds on itself: {' -> '.join([*seen, wanted])}")
        seen.append(wanted)
        chain.append(_read(_text_of(wanted), wanted))
        wanted = chain[-1].base
    game = rules.game.name
    variants = [game, *([DOUBLE] if rules.deck == 48 else []), *([game + JOKER] if rules.joker else [])]
    numbers = dict.fromkeys(BY_NAME, 0.0)
    for file in reversed(chain):
        numbers |= file.common
        for variant in variants:
            numbers |= file.by_game.get(variant, {})
    shown = name if name in PRESETS else name_text(Path(name).stem)
    return Strategy(shown, MappingProxyType(numbers), is_random=any(file.is_random for file in chain))


def seat_players(text: str, rules: Rules, find: Finder | None = None) -> tuple[Strategy, ...]:
    """The strategies of `A,B,...` in seat order, or of one name for all seats; `find` finds each.

    Raises QuestionError for another number of names than seats, and as `find_strategy` does.
    """
    names = [name.strip() for name in text.split(",")]
    if len(names) not in (1, rules.n_seats):
        raise QuestionError(
            f"--players names {len(names)} strategies; expected one for all, or {rules.n_seats} in seat order "
            f"for {rules.game.name}"
        )
    found = {name: (find or find_strategy)(name, rules) for name in names}
    return tuple(found[name] for name in names * (rules.n_seats if len(names) == 1 else 1))


def strategy_toml(name: str, game: Game | None = None) -> str:
    """The TOML to copy and change: of a preset or a file as it is, or with a game the numbers that hold there.

    With a game each number is explained. Raises QuestionError as `find_strategy` does.
    """
    if game is None:
        text = _text_of(name)
        _read(text, name)
        return text
    from analyzer.rules import make_rules

    strategy = find_strategy(name, make_rules(game))
    lines = [f"# {name}, as it plays {game.name}"]
    if strategy.is_random:
        return "\n".join([*lines, 'kind = "random"', ""])
    tables: dict[str, list[str]] = {}
    for number in NUMBERS:
        table, _, key = number.name.rpartition(".")
        line = f"{key} = {strategy.numbers[number.name]:g}"
        explained = [f"{line}  # {number.meaning}"]
        if len(explained[0]) > _WIDTH:
            explained = [*(f"# {part}" for part in textwrap.wrap(number.meaning, _WIDTH - 2)), line]
        tables.setdefault(table, []).extend(explained)
    for table, numbers in tables.items():
        lines += ["", f"[{table}]", *numbers]
    return "\n".join([*lines, ""])
