"""Turns a question asked in several ways into panels side by side, one a way: what each option is worth in it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from matplotlib.figure import SubFigure
from matplotlib.ticker import MaxNLocator

from reports.charts.style import Chart, across, mark, rows_axes, source_text, span_of, whisker
from reports.text import Z, column_digits, percent_text, plural, points_text

Row = Mapping[str, Any]
_ROW = 0.42
"""Inches."""
_TICKS = 3
_DIGITS = 2
"""Decimals of points at most: more would not fit in a panel."""


def chart(bracket: Mapping[str, Any], columns: Sequence[Row], names: Sequence[str]) -> Chart:
    """What the options of these names are worth in each of the ways, `columns` with headings; the title is the verdict.

    The best of each way is a diamond; marks are hollow where an option is clearly behind it.
    """
    about, first = bracket["provenance"], columns[0]
    few = [f"{column['column']} {column['deals']:,}" for column in columns if column["deals"] != first["deals"]]
    n_left_out = len(first["options"]) - len(names)
    left_out = f" {plural(n_left_out, 'option is', 'options are')} left out." if n_left_out else ""
    note = (
        f"n = {', '.join([plural(first['deals'], 'deal'), *few])}; bars: 95% intervals, each alone. Diamond: the best"
        " of its panel; full: not clearly behind it; hollow: clearly behind."
        f"{left_out} {source_text(about['version'], about['seed'])}."
    )
    lines = max(column["heading"].count("\n") for column in columns) + 1
    body = 0.75 + 0.16 * lines + _ROW * len(names)
    return Chart(bracket["verdict"]["text"], note, body, partial(_draw, columns, names))


def _draw(columns: Sequence[Row], names: Sequence[str], part: SubFigure) -> None:
    by_win = columns[0]["verdict"]["decide_by"] == "win"
    scale, name = (100, "win_game") if by_win else (1, "points")
    panels = part.subplots(1, len(columns), sharex=True, sharey=True, squeeze=False)[0]
    spans = []
    for axes, column in zip(panels, columns, strict=True):
        rows_axes(axes, names)
        across(axes)
        axes.set_title(column["heading"])
        found = {option["option"]: option for option in column["options"]}
        halves = [Z * found[each][f"{name}_se"] for each in names]
        digits = column_digits((-scale * half, scale * half) for half in halves)
        for y, (option, part_of_one) in enumerate(zip((found[each] for each in names), halves, strict=True)):
            worth, half = scale * option[name], scale * part_of_one
            text = worth_text(option[name], digits, by_win=by_win)
            axes.annotate(text, (worth, y), (0, 7), textcoords="offset points", ha="center", va="bottom")
            whisker(axes, y, worth - half, worth + half)
            is_best = option["option"] == column["verdict"]["best"]
            mark(axes, worth, y, is_best=is_best, is_full=option["difference_high"] >= 0)
            spans += [worth - half, worth + half]
        axes.xaxis.set_major_locator(MaxNLocator(_TICKS))
    panels[0].set_xlim(span_of(spans, 0.0, 0.22))
    panels[len(panels) // 2].set_xlabel("chance to win the game, %" if by_win else "points a deal")


def worth_text(worth: float, digits: int | None, *, by_win: bool) -> str:
    """What an option is worth, with the digits of its column, but no more than fit."""
    if by_win:
        return percent_text(worth, 0.0, digits=min(1, 1 if digits is None else digits))
    return points_text(worth, 0.0, digits=min(_DIGITS, _DIGITS if digits is None else digits))
