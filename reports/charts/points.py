"""Turns what deals pay with each option into rows of bars: how often each number of points comes out."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import sqrt
from typing import Any

from matplotlib.figure import SubFigure
from matplotlib.ticker import MaxNLocator

from reports.charts.options import worth_texts
from reports.charts.style import BLUE, FAINT, QUIET, VERMILION, Chart, across, beside, mean_mark, rows_axes
from reports.text import Z, percent_text, plural

Row = Mapping[str, Any]
Paid = Sequence[tuple[float, float]]
"""Points of a deal, rising, and the share of the deals that pay them."""
MOST_ROWS = 8
ROW = 0.7
"""Inches."""
_MOST_LABELS = 9
_MOST_TICKS = 15
_SEEN = 0.005
"""A share below which a bar has no number."""
_TALL, _TALL_BARE = 0.6, 0.72
"""Of a row, the tallest bar: with its number above it, below the marks of the row above; and without."""
_WORDS = 0.25
"""Of a row, how far words stand above its foot."""


def chart(answer: Mapping[str, Any], options: Sequence[Row], names: Sequence[str], paid: Mapping[str, Paid]) -> Chart:
    """How often a deal pays how much with each of these options, best first; of many the first MOST_ROWS."""
    shown = options[:MOST_ROWS]
    about = answer["provenance"]
    n = None if about["exact"] else about["deals"]
    told: dict[str, list[str]] = {}
    for option, name in zip(shown[:2], names, strict=False):
        told.setdefault(_told(paid[option["option"]], n), []).append(name)
    title = "; ".join(f"with {' or '.join(alike)} you {what}" for what, alike in told.items())
    others = "the mean of the two others'" if answer["game"] == "three-handed" else "the other side's"
    sure = "every deal was counted"
    if not about["exact"]:
        half = Z / 2 / sqrt(max(1.0, about["effective"]))
        sure = f"a share is good to ±{100 * half:.{1 if half < 0.01 else 0}f}% (95%) or better"
    first = f" The best {MOST_ROWS} of {len(options)} options." if len(options) > MOST_ROWS else ""
    note = (
        f"n = {plural(about['deals'], 'deal')}; {sure}. Points: own less {others}. Plain: gained; hatched: lost;"
        f" diamond: the mean.{first}"
    )
    rows = [(name, paid[option["option"]], option) for option, name in zip(shown, names, strict=False)]
    return Chart(f"{title[0].upper()}{title[1:]}.", note, 0.7 + ROW * len(rows), partial(_draw, rows, about))


def _told(paid: Paid, n: int | None) -> str:
    """How often points are gained and lost, in words."""
    won, lost = (sum(share for points, share in paid if sign * points > 0) for sign in (1, -1))
    gain = "always gain points" if won >= 1 else f"gain points in {percent_text(won, n=n)} of deals"
    return f"{gain} and {f'lose in {percent_text(lost, n=n)}' if lost else 'never lose'}"


def _draw(rows: Sequence[tuple[str, Paid, Row]], about: Row, part: SubFigure) -> None:
    axes = part.subplots()
    rows_axes(axes, [name for name, _, _ in rows], -_WORDS)
    means = worth_texts([option for _, _, option in rows], None if about["exact"] else about["deals"], by_win=False)
    axes.set_ylim(len(rows) - 0.85, -0.95)
    across(axes)
    points = sorted({value for _, paid, _ in rows for value, _ in paid})
    gap = min((after - before for before, after in pairwise(points)), default=1.0)
    has_numbers = len(points) <= _MOST_LABELS
    tall = _TALL if has_numbers else _TALL_BARE
    tallest = max(share for _, paid, _ in rows for _, share in paid)
    for y, (_, paid, option) in enumerate(rows):
        axes.axhline(y, color=QUIET, linewidth=0.8)
        for value, share in paid:
            height = tall * share / tallest
            axes.bar(value, -height, 0.8 * gap, y, linewidth=0.9, gid="share", **_look(value))
            if has_numbers and share >= _SEEN:
                axes.text(value, y - height - 0.02, f"{100 * share:.0f}", ha="center", va="bottom", gid="number")
        mean_mark(axes, option["points"], y)
        beside(axes, y - _WORDS, f"mean {means[y]}", 1.0)
    axes.set_xlim(points[0] - 0.7 * gap, points[-1] + 0.7 * gap)
    if len(points) <= _MOST_TICKS:
        axes.set_xticks(points, [f"{value:+g}" if value else "0" for value in points])
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:+g}" if value else "0")
    labels = "; numbers: % of deals" if has_numbers else f"; the tallest bar is {100 * tallest:.0f}%"
    axes.set_xlabel(f"points of a deal{labels}")


def _look(points: float) -> dict[str, Any]:
    """Bars gained, lost and neither: told apart without colour too."""
    if points > 0:
        return {"facecolor": BLUE, "edgecolor": BLUE}
    if points < 0:
        return {"facecolor": "white", "edgecolor": VERMILION, "hatch": "////"}
    return {"facecolor": FAINT, "edgecolor": QUIET}
