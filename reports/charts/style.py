"""What all charts share: a chart as a value, its sizes and colours, and the marks and words put on it.

Colours are those of Okabe and Ito, which all eyes tell apart; whatever they say a mark, a hatch or a word says too.
"""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import SubFigure
from matplotlib.patches import Rectangle

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
MOST_LINES = 6
LONGEST_NAME = 26
_AS_DARK = 0.179
"""The light of a colour on which black and white words are as easy to read, by the rules for contrast on the web."""
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
    """A text in lines as wide as a chart, of which there are MOST_LINES at most and none is much shorter."""

    def within(width: int) -> list[str]:
        return textwrap.wrap(text, width, max_lines=MOST_LINES, placeholder=" …", break_on_hyphens=False)

    found = within(LETTERS[size])
    narrow = max(LETTERS[size] // 2, -(-len(text) // max(1, len(found))))
    return next((even for width in range(narrow, LETTERS[size]) if len(even := within(width)) == len(found)), found)


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
    """Draw an interval on a row, its ends taller than a mark that may hide the rest; nothing where it has no width."""
    if high > low:
        ends: dict[str, Any] = {"marker": "|", "markersize": 12, "markeredgewidth": 1.0}
        axes.plot([low, high], [y, y], color=color, linewidth=1.6, solid_capstyle="butt", gid="interval", **ends)


def mark(axes: Axes, x: float, y: float, *, is_best: bool, is_full: bool) -> None:
    """Draw the mark of a row: a diamond for the best, a circle for the others, full or hollow."""
    face = BLUE if is_best or is_full else "white"
    shape = "D" if is_best else "o"
    axes.plot([x], [y], shape, markersize=5.5, color=BLUE, markerfacecolor=face, markeredgewidth=1.3, gid="mark")


def mean_mark(axes: Axes, x: float, y: float) -> None:
    """Draw the mean of a row of bars at their foot."""
    axes.plot([x], [y], "D", markersize=6, color=INK, markeredgecolor="white", clip_on=False, zorder=5, gid="mean")


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


def heat_axes(axes: Axes, shown: Sequence[int], down: str, across_: str) -> None:
    """Make an axis of scores down and across; what stands at place k has its middle at k."""
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(range(len(shown)), [str(score) for score in shown])
        axis.set_tick_params(length=0)
    axes.set_xlim(-0.5, len(shown) - 0.5)
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.spines[:].set_visible(False)
    axes.set_ylabel(down)
    axes.set_xlabel(across_)


def cell(axes: Axes, down: int, across_: int, text: str, color: str) -> None:
    """Fill a cell of a heat map and write into it, light on dark."""
    axes.add_patch(Rectangle((across_ - 0.5, down - 0.5), 1, 1, facecolor=color, edgecolor="white", linewidth=0.8))
    axes.text(across_, down, text, ha="center", va="center_baseline", color=on(color))


def on(color: str) -> str:
    """The colour of words on this one."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(color)]
    light = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "white" if light < _AS_DARK else "black"


def source_text(version: str, seed: int, play: str = "base") -> str:
    """Where a chart comes from; not the time it took, so that it is the same again."""
    return f"euchre-lab {version}, seed {seed}{'' if play == 'base' else f', {play} play'}"
