"""Turns what is best at every score into a map: own score down, theirs across, a letter an option."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from matplotlib.figure import SubFigure
from matplotlib.patches import Rectangle

from reports.charts.style import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    YELLOW,
    Chart,
    cell,
    heat_axes,
    on,
    source_text,
)
from reports.standings import CLOSE, ScoreGrid, letter_at, score_grid
from reports.text import plural

_COLORS = (BLUE, YELLOW, ORANGE, GREEN, PURPLE, SKY, VERMILION)
"""Dark and light in turn; of more options than these some share one, but no letter."""
_ROW = 0.27
"""Inches."""
_MOST_TOLD = 3


def chart(answer: Mapping[str, Any]) -> Chart:
    """Which option is best to win the game at every score; needs an answer with scores."""
    grid, about = score_grid(answer), answer["provenance"]
    seen = Counter(row["best"] for rows in grid.rows for row in rows)
    n = sum(seen.values())
    told = [f"{name} at {count}" for name, count in seen.most_common(_MOST_TOLD)]
    more = " and others" if len(seen) > _MOST_TOLD else ""
    what = f"{', '.join(told)}{more} of {n} scores" if len(seen) > 1 else f"{next(iter(seen))} at every score"
    title = f"To win the game{'' if grid.own is None else f' with {grid.own} points'}: {what}."
    framed = " Framed: the score told." if _framed(grid) else ""
    note = (
        f"n = {plural(about['deals'], 'deal')}, the same at every score. Small letters: less than"
        f" {100 * CLOSE:g} in 100 games ahead of the next.{framed} {source_text(about['version'], about['seed'])}."
    )
    return Chart(title, note, 0.75 + _ROW * len(grid.shown), partial(_draw, grid, seen))


def _draw(grid: ScoreGrid, seen: Mapping[str, int], part: SubFigure) -> None:
    axes = part.subplots()
    down, across = ("own score", "their score")
    if grid.own is not None:
        down, across = f"points of {grid.down}", f"points of {grid.across}"
    heat_axes(axes, grid.shown, down, across)
    colors = dict(zip(grid.letters, _COLORS * (len(grid.letters) // len(_COLORS) + 1), strict=False))
    for y, line in enumerate(grid.rows):
        for x, row in enumerate(line):
            cell(axes, y, x, letter_at(row, grid.letters), colors[row["best"]])
    for y, x in _framed(grid):
        edge = on(colors[grid.rows[y][x]["best"]])
        axes.add_patch(
            Rectangle((x - 0.42, y - 0.42), 0.84, 0.84, fill=False, edgecolor=edge, linewidth=1.6, gid="told")
        )
    for place, (name, letter) in enumerate(grid.letters.items()):
        at = (1, 1 - 0.27 * (place + 0.5) / (_ROW * len(grid.shown)))
        how: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "center_baseline"}
        box = {"boxstyle": "square,pad=0.25", "facecolor": colors[name], "edgecolor": "none"}
        axes.annotate(letter, at, (16, 0), color=on(colors[name]), bbox=box, ha="center", **how)
        axes.annotate(f"{name} ({seen[name]})", at, (28, 0), color=INK, ha="left", **how)


def _framed(grid: ScoreGrid) -> list[tuple[int, int]]:
    """The place of the score told, down and across, if it is one that is shown."""
    return [
        (y, x)
        for y, line in enumerate(grid.rows)
        for x, row in enumerate(line)
        if grid.told is not None and tuple(row["scores"]) == grid.told
    ]
