"""Turns chances to win the game into a map for each side, its score down, the others' across."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from matplotlib import colormaps
from matplotlib.colors import to_hex
from matplotlib.figure import SubFigure

from reports.charts.style import INK, Chart, across, beside, cell, heat_axes, mark, rows_axes, source_text, whisker
from reports.standings import ChanceGrid, chance_grids, chance_text, good_to, side_text
from reports.text import plural

_ROW = 0.27
"""Inches."""


def charts(equity: Mapping[str, Any], *, is_one: bool = False) -> list[Chart]:
    """A map for each side in the deal; of one score a chart for each seating of the players."""
    about = equity["provenance"]
    n = about["deals"]
    found = []
    groups = [list(rows) for _, rows in groupby(equity["rows"], key=lambda row: str(row["players"]))]
    for rows in groups:
        seated = f" Players by seat: {rows[0]['players'].replace(',', ', ')}." if len(groups) > 1 else ""
        sure = f"n = {plural(n, 'deal')}; a chance is good to about ±{100 * good_to(n):.1g}% (95%)."
        note = f"{sure}{seated} {source_text(about['version'], about['seed'])}."
        if is_one:
            found.append(_rows_chart(rows, n, note))
        else:
            found += [_map_chart(grid, n, note) for grid in chance_grids(rows)]
    return found


def _map_chart(grid: ChanceGrid, deals: int, note: str) -> Chart:
    last = grid.shown[-1]
    wins = "win" if " and " in grid.side else "wins"
    even, late = (f"{chance_text(grid.at(score), deals)}%" for score in (0, last))
    title = f"{grid.side} {wins} {even} of games from 0 to 0, {late} from {last} to {last}."
    note = f"In each cell the chance to win, %. {note}"
    return Chart(title, note, 0.7 + _ROW * len(grid.shown), partial(_draw, grid, deals))


def _draw(grid: ChanceGrid, deals: int, part: SubFigure) -> None:
    axes = part.subplots()
    heat_axes(axes, grid.shown, "own score", "score of both others" if "both" in grid.others else "their score")
    shades = colormaps["cividis"]
    for y, line in enumerate(grid.chances):
        for x, chance in enumerate(line):
            cell(axes, y, x, chance_text(chance, deals), to_hex(shades(min(1.0, max(0.0, chance)))))


def _rows_chart(rows: Sequence[Mapping[str, Any]], deals: int, note: str) -> Chart:
    """The sides of one score."""
    best = max(rows, key=lambda row: float(row["win_game"]))
    at = " to ".join(map(str, rows[0]["scores"]))
    wins = "win" if len(best["seats"]) > 1 else "wins"
    title = f"At {at} {side_text(best).lower()} {wins} {chance_text(best['win_game'], deals)}% of games."
    return Chart(title, f"Bars: 95% intervals. {note}", 0.7 + 0.35 * len(rows), partial(_draw_rows, rows, deals))


def _draw_rows(rows: Sequence[Mapping[str, Any]], deals: int, part: SubFigure) -> None:
    axes = part.subplots()
    rows_axes(axes, [f"{side_text(row)}: {score}" for row, score in zip(rows, rows[0]["scores"], strict=True)])
    across(axes)
    axes.axvline(100 / len(rows), color=INK, linewidth=0.8, linestyle=":")
    for y, row in enumerate(rows):
        chance, half = row["win_game"], good_to(deals)
        whisker(axes, y, 100 * max(0.0, chance - half), 100 * min(1.0, chance + half))
        mark(axes, 100 * chance, y, is_best=False, is_full=True)
        beside(axes, y, f"{chance_text(chance, deals)}%", 0.6)
    axes.set_xlim(0, 100)
    axes.set_xlabel("chance to win the game, %; dotted: all alike")
