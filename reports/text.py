"""Turns numbers, cards and shares into the words of tables and sentences; digits follow from the error.

Symbols and colours are for terminals; in a pipe or a file cards are letters, as they are typed.
"""

import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO, TextIOWrapper
from statistics import NormalDist
from typing import Any

from rich.console import Console
from rich.text import Text

WIDTH = 80
Z = NormalDist().inv_cdf(0.975)
"""Standard errors to either side of one interval at 95 %."""
_SYMBOLS = str.maketrans("CDHS", "♣♦♥♠")
_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RED = frozenset("DH♦♥")
_MOST_DECIMALS = 4
_UNSEEN = 3
"""What never happened in n deals may still happen in 3 of n, with 95 % certainty."""
_SWING = 2
"""Points that a deal may well come out apart."""
_HARD_SPACE = "\u00a0"


class _Terminal(Console):
    """A terminal on which a line that does not fit runs over the edge, and is not cut."""

    def print(self, *objects: Any, **how: Any) -> None:
        """Print as any console does, but whole."""
        super().print(*objects, **{"crop": False, **how})


class _AsciiTerminal(_Terminal):
    """A terminal on which nothing but ASCII is drawn."""

    @property
    def encoding(self) -> str:
        """By which tables choose their lines."""
        return "ascii"


def terminal_console(*, is_ascii: bool = False, is_stderr: bool = False) -> Console:
    """A console on stdout or stderr, with colours unless NO_COLOR is set."""
    return (_AsciiTerminal if is_ascii else _Terminal)(highlight=False, stderr=is_stderr)


def plain_console(encoding: str = "utf-8") -> Console:
    """A console whose text is captured: 80 columns, no colour, letters."""
    file = TextIOWrapper(BytesIO(), encoding=encoding)
    return Console(file=file, width=WIDTH, color_system=None, force_terminal=False, highlight=False)


def is_fancy(console: Console) -> bool:
    """Whether symbols of suits can be shown."""
    return console.is_terminal and console.encoding.startswith("utf")


def decimals(error: float) -> int:
    """How many decimals a number with this standard error is worth: its first digit is shown, the rest is noise.

    Without an error the number is exact and gets as many as are ever shown.
    """
    if not error > 0:
        return _MOST_DECIMALS
    return min(_MOST_DECIMALS, max(0, -math.floor(math.log10(error))))


def points_decimals(error: float, n: int | None = None) -> int:
    """How many decimals points with this standard error are worth, over `n` deals that may all have come out alike."""
    return decimals(max(error, _SWING * _UNSEEN / n) if n else error)


def percent_decimals(share: float, error: float | None = None, n: int | None = None) -> int:
    """How many decimals a share in percent is worth, by its error or by that of a share of `n` deals."""
    if error is None:
        error = math.sqrt(share * (1 - share) / n) if n else 0.0
    return min(1, decimals(100 * (max(error, _UNSEEN / n) if n else error)))


def points_text(points: float | None, error: float | None, n: int | None = None, digits: int = _MOST_DECIMALS) -> str:
    """Points with their sign, cut to the error and to `digits` at most: `+0.55`; a dash where there are none."""
    if points is None:
        return "-"
    return _signed(points, min(digits, points_decimals(error or 0.0, n)))


def _signed(value: float, digits: int) -> str:
    """A number with its sign, but no minus before a zero."""
    text = f"{value:+.{digits}f}"
    return text if float(text) else text.replace("-", "+")


def spread_text(low: float, high: float) -> str:
    """Half the width of an interval, to as many digits as it is worth: `0.02`."""
    half = (high - low) / 2
    return f"{half:.{decimals(half)}f}"


def difference_text(difference: float, low: float, high: float, n: int | None = None, digits: int | None = None) -> str:
    """A difference with its interval: `-0.31 ±0.02`; without one where all deals came out alike; nothing for none.

    With as many digits as its interval leaves standing, or `digits`, those of its column.
    """
    if difference == low == high == 0:
        return ""
    half = (high - low) / 2
    if digits is None:
        digits = decimals(half) if half > 0 else points_decimals(0.0, n)
    text = _signed(difference, digits)
    return f"{text} ±{half:.{digits}f}" if half > 0 else text


def games_apart_text(
    difference: float, low: float, high: float, n: int | None = None, digits: int | None = None
) -> str:
    """The same of chances to win, in 100 games: `-3.1 ±0.2`."""
    return difference_text(100 * difference, 100 * low, 100 * high, n, digits)


def alike(digits: Iterable[int]) -> int:
    """The decimals of a whole column: those that its least certain number is worth."""
    return min(digits, default=0)


def column_digits(intervals: Iterable[tuple[float, float]]) -> int | None:
    """The decimals of a column of differences: those of the most certain, for each shows how good it is.

    None where there is no interval in it.
    """
    return max((decimals((high - low) / 2) for low, high in intervals if high > low), default=None)


def percent_text(share: float | None, error: float | None = None, n: int | None = None, digits: int = 1) -> str:
    """A share in percent, cut to its error (or to that of a share of `n` deals): `81.0%`; a dash where none is."""
    if share is None:
        return "-"
    return f"{100 * share:.{min(digits, percent_decimals(share, error, n))}f}%"


def count_text(count: int) -> str:
    """A count with its thousands apart: `200,000`."""
    return f"{count:,}"


def plural(count: int, one: str, many: str = "") -> str:
    """A count and its noun: `1 deal`, `200,000 deals`."""
    return f"{count_text(count)} {one if count == 1 else many or one + 's'}"


def seconds_text(seconds: float) -> str:
    """A time: `0.4 s`, `12 s`, `3 min 20 s`."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def players_text(players: Sequence[str]) -> str:
    """The players of a run in words: `standard players`, or each in seat order."""
    return f"{players[0]} players" if len(set(players)) == 1 else "players " + ", ".join(players)


def cards_text(cards: str | None, console: Console) -> Text:
    """Cards of a record, symbols and red ones on a terminal; a question mark for cards that were not seen."""
    if cards is None:
        return Text("?")
    text = Text()
    for word in cards.split():
        text.append(" " if text else "")
        shown = word[0] + word[1].translate(_SYMBOLS) if is_fancy(console) and word != "JO" else word
        text.append(shown, style="red" if shown[-1] in _RED else "")
    return text


def suit_text(suit: str | None) -> str:
    """The name of a suit from its letter."""
    return _NAMES.get(suit or "", "-")


def score_text(position: Mapping[str, Any]) -> str:
    """The score of the game as the seat asked counts it: `6 to 8, yours first`; nothing where it was not told."""
    scores = position.get("scores")
    if not scores:
        return ""
    own = (position["seat"] - 1) % len(scores)
    to_the_left = ", then to your left" if len(scores) > 2 else ""
    return f"{' to '.join(map(str, [*scores[own:], *scores[:own]]))}, yours first{to_the_left}"


def wrapped_at_commas(text: str, width: int) -> str:
    """A list in lines of at most this width, each of its parts whole that is no longer, and every word."""
    parts = re.split("(?<=[,;]) ", text)
    whole = " ".join(part.replace(" ", _HARD_SPACE) if len(part) <= width else part for part in parts)
    return "\n".join(textwrap.wrap(whole, width, break_long_words=False)).replace(_HARD_SPACE, " ")
