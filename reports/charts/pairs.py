"""Turns strategies against each other into a row a pair: what one gains on the other, against none."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from matplotlib.figure import SubFigure

from analyzer.verdicts import listed
from reports.charts.style import BLUE, FAINT, INK, Chart, across, beside, rows_axes, source_text, span_of, whisker
from reports.text import (
    Z,
    alike,
    column_digits,
    difference_text,
    percent_decimals,
    percent_text,
    plural,
    points_text,
)

if TYPE_CHECKING:
    from analyzer.compare import CompareRow, Comparison

_ROW = 0.34
"""Inches."""
_SHAPES = {"better": ">", "worse": "<", "equal": "s", "undecided": "o"}
_MOST_TOLD = 6
"""Pairs whose games a title tells one by one."""


def points(found: "Comparison") -> Chart:
    """How many points a deal the first of each pair gains on the second."""
    about = found.provenance
    note = (
        f"n = {plural(about.deals, 'deal')} at {plural(about.seatings, 'table')} a pair; bars: 95% intervals, for all"
        f" pairs at once. Grey: within {about.margin:g}, which counts as equal."
        f" {source_text(about.version, about.seed)}."
    )
    title = " ".join(found.ranking)
    return Chart(title, note, 0.75 + _ROW * len(found.rows), partial(_draw, found.rows, about.margin))


def _pair_text(row: "CompareRow") -> str:
    return f"{row.strategy} against {row.against}"


def _draw(rows: "Sequence[CompareRow]", margin: float, part: SubFigure) -> None:
    axes = part.subplots()
    rows_axes(axes, [_pair_text(row) for row in rows])
    across(axes)
    axes.axvspan(-margin, margin, color=FAINT, zorder=0, linewidth=0)
    axes.axvline(0, color=INK, linewidth=0.8)
    digits = column_digits((row.points_low, row.points_high) for row in rows)
    for y, row in enumerate(rows):
        whisker(axes, y, row.points_low, row.points_high)
        face = "white" if row.verdict == "undecided" else BLUE
        axes.plot([row.points], [y], _SHAPES[row.verdict], markersize=7, color=BLUE, markerfacecolor=face, gid="mark")
        shown = difference_text(row.points, row.points_low, row.points_high, digits=digits)
        beside(axes, y, shown or points_text(row.points, row.points_se), 1.15)
        beside(axes, y, row.verdict, 1.95)
    ends = [end for row in rows for end in (row.points_low, row.points_high)]
    axes.set_xlim(span_of([*ends, -margin, margin], 4 * margin))
    axes.set_xlabel("points a deal that the first gains on the second")


def games(found: "Comparison") -> Chart:
    """How many of the whole games the first of each pair wins; needs games."""
    about = found.provenance
    n = f"{plural(about.games, 'game')} at {plural(about.seatings, 'table')} a pair"
    note = f"n = {n}; bars: 95% intervals, each alone."
    return Chart(_games_title(found.rows), note, 0.75 + _ROW * len(found.rows), partial(_draw_games, found.rows))


def _games_title(rows: "Sequence[CompareRow]") -> str:
    """What each strategy wins of the games against the others; of many pairs, how far apart they are."""
    digits = alike(percent_decimals(row.win_rate, row.win_rate_se) for row in rows if row.win_rate is not None)
    if len(rows) > _MOST_TOLD:
        ends = [of(rows, key=lambda row: row.win_rate or 0.0) for of in (max, min)]
        most, least = (f"{_pair_text(row)} {percent_text(row.win_rate, digits=digits)}" for row in ends)
        return f"Whole games that the first of each pair wins: {most}, the most; {least}, the fewest."
    told: dict[str, list[str]] = {}
    for row in rows:
        told.setdefault(row.strategy, []).append(f"{percent_text(row.win_rate, digits=digits)} against {row.against}")
    wins = (f"{name} wins {listed(against, 'and')}" for name, against in told.items())
    return f"Of whole games {'; '.join(wins)}."


def _draw_games(rows: "Sequence[CompareRow]", part: SubFigure) -> None:
    axes = part.subplots()
    rows_axes(axes, [_pair_text(row) for row in rows])
    across(axes)
    fair = 50.0
    axes.axvline(fair, color=INK, linewidth=0.8)
    spans = [fair]
    digits = alike(percent_decimals(row.win_rate, row.win_rate_se) for row in rows if row.win_rate is not None)
    for y, row in enumerate(rows):
        if row.win_rate is None or row.win_rate_se is None:
            continue
        low, high = (100 * (row.win_rate + sign * Z * row.win_rate_se) for sign in (-1, 1))
        whisker(axes, y, low, high)
        axes.plot([100 * row.win_rate], [y], "o", markersize=7, color=BLUE, gid="mark")
        beside(axes, y, percent_text(row.win_rate, digits=digits), 0.7)
        spans += [low, high]
    axes.set_xlim(span_of(spans, 2.0))
    axes.set_xlabel("games that the first wins, %")
