"""Turns words and gaps into what a terminal shows: suits as symbols in their colour, gaps as bars; or all in ASCII."""

import re

from rich.console import Console
from rich.text import Text

from reports.text import is_fancy

BAR = 16
"""Cells of the longest bar."""
WIDE = 80 + BAR + 4
"""A terminal from which on there is room for bars."""
_CARD = re.compile(r"\b([2-9TJQKA])([CDHS])\b")
_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_RED = frozenset("DH")
_ASCII = str.maketrans({"─": "-", "━": "=", "╌": "-", "±": "~", "…": "."})


def dressed(text: str, console: Console, style: str = "") -> Text:
    """A text, its cards with symbols for suits and in red where they are, if the console can show that."""
    shown = Text(style=style)
    if not is_fancy(console):
        return shown.append(text)
    place = 0
    for found in _CARD.finditer(text):
        rank, suit = found.groups()
        shown.append(text[place : found.start()])
        shown.append(rank + _SYMBOLS[suit], style="red" if suit in _RED else "")
        place = found.end()
    return shown.append(text[place:])


def has_bars(console: Console) -> bool:
    """Whether gaps are shown as bars: on a terminal wide enough."""
    return console.is_terminal and console.width >= WIDE


def gap_bar(low: float, high: float, longest: float) -> str:
    """How far behind an option is: whole where it surely is, broken as far as its interval goes.

    low and high are its difference to the best, `longest` the widest gap that a bar stands for.
    """
    if longest <= 0:
        return ""
    surely = round(BAR * min(1.0, max(0.0, -high) / longest))
    perhaps = round(BAR * min(1.0, max(0.0, -low) / longest))
    return "━" * surely + "╌" * (perhaps - surely)


def in_ascii(text: str) -> str:
    """A printed text in ASCII, as wide as it was: `-0.31 ±0.02` is `-0.31+-0.02`."""
    return text.replace(" ±", "+-").translate(_ASCII)
