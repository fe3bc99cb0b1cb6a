"""What all charts share: a chart as a value, its sizes and colours, and the marks and words put on it.

Colours are those of Okabe and Ito, which all eyes tell apart; whatever they say a mark, a hatch or a word says too.
"""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

INK, QUIET, FAINT = "#222222", "#555555", "#dddddd"
BLUE, VERMILION, GREEN, ORANGE, SKY, PURPLE, YELLOW = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#e69f00",
    "#56b4e9",
    "#cc79a7",
    "#f0e442",
)
WIDTH = 7.0
"""Inches."""
SMALL, LARGE = 9.0, 11.0
"""Points; nothing is smaller."""
LINE = {SMALL: 0.16, LARGE: 0.2}
"""The height of a line in inches."""
LETTERS = {SMALL: 100, LARGE: 70}
"""Letters that fit into a line of a whole chart."""
LONGEST_NAME = 22
STYLE: dict[str, Any] = {
    "font.size": SMALL,
    "axes.labelsize": SMALL,
    "axes.titlesize": SMALL,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.7,
    "text.parse_math": False,
    "axes.unicode_minus": False,
}


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart: what it finds, what its marks mean, and how it is drawn."""

    title: str
    """The finding, in a player's sentence."""
    note: str
    """How many deals, what intervals and marks mean."""
    body: float
    """Inches that the drawing takes beside title and note."""
    draw: Callable[[SubFigure], None]

    @property
    def height(self) -> float:
        """Inches in all."""
        words = ((self.title, LARGE), (self.note, SMALL))
        return self.body + sum(len(lines(text, size)) * LINE[size] for text, size in words) + 0.2


def lines(text: str, size: float) -> list[str]:
    """A text in lines as wide as a chart."""
    return textwrap.wrap(text, LETTERS[size])


def name_text(name: str) -> str:
    """A name beside a row: in two lines if it is long, and cut if that is not enough."""
    found = textwrap.wrap(name, LONGEST_NAME) or [""]
    return "\n".join(found if len(found) < 3 else [found[0], textwrap.shorten(found[1] + "…", LONGEST_NAME) + "…"])


def rows_axes(axes: Axes, names: Sequence[str], shift: float = 0.0) -> None:
    """Make an axis of rows with these names, the first on top, each so much below the middle of its row."""
    axes.set_yticks([y + shift for y in range(len(names))], [name_text(name) for name in names], va="center_baseline")
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def across(axes: Axes) -> None:
    """Draw faint lines at the numbers of the axis along the bottom."""
    axes.grid(axis="x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)


def whisker(axes: Axes, y: float, low: float, high: float, color: str = INK) -> None:
    """Draw an interval on a row; nothing where it has no width."""
    if high > low:
        axes.plot([low, high], [y, y], color=color, linewidth=1.6, solid_capstyle="butt", gid="interval")


def mark(axes: Axes, x: float, y: float, *, is_best: bool, is_full: bool) -> None:
    """Draw the mark of a row: a diamond for the best, a circle for the others, full or hollow."""
    face = BLUE if is_best or is_full else "white"
    shape = "D" if is_best else "o"
    axes.plot([x], [y], shape, markersize=7, color=BLUE, markerfacecolor=face, markeredgewidth=1.4, gid="mark")


def beside(axes: Axes, y: float, text: str, end: float, **how: Any) -> None:
    """Write a word beside a row so that it ends so many inches to the right of the drawing."""
    axes.annotate(
        text,
        (1, y),
        (72 * end, 0),
        xycoords=axes.get_yaxis_transform(),
        textcoords="offset points",
        ha="right",
        va="center_baseline",
        annotation_clip=False,
        **how,
    )


def span_of(values: Sequence[float], least: float, share: float = 0.06) -> tuple[float, float]:
    """Limits of an axis that has all these values, some room around them, and `least` at least."""
    low, high = min(values), max(values)
    room = max(share * (high - low), (least - (high - low)) / 2, 1e-9)
    return low - room, high + room


def source_text(about: Mapping[str, Any]) -> str:
    """Where a chart comes from: what would make it again; not the time it took, so that it is the same again."""
    play = about.get("play", "base")
    return f"euchre-lab {about['version']}, seed {about['seed']}{'' if play == 'base' else f', {play} play'}"
