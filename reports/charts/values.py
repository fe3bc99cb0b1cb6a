"""Turns one number over a range into a curve with its band; where values are words, into a row each."""

from functools import partial
from typing import TYPE_CHECKING

from matplotlib.figure import SubFigure

from reports.charts.style import (
    BLUE,
    FAINT,
    INK,
    SKY,
    Chart,
    across,
    beside,
    mark,
    rows_axes,
    source_text,
    span_of,
    whisker,
)
from reports.text import column_digits, difference_text, plural

if TYPE_CHECKING:
    from analyzer.sweep import Sweep, SweepRow

_ROW = 0.32
_CURVE = 3.2
"""Inches."""


def chart(found: "Sweep") -> Chart:
    """How far each value is behind the best one."""
    about = found.provenance
    who = f"{about.strategy} against {about.against}" if about.against else f"{about.strategy} in every seat"
    is_curve = _is_curve(found)
    note = (
        f"n = {plural(about.deals, 'deal')}; {who}. {'Band' if is_curve else 'Bars'}: 95% intervals, for all values at"
        f" once. Diamond: the best; full: not shown to be worse; hollow: worse. Grey: within {about.margin:g}, which"
        f" counts as equal. {source_text(about.version, about.seed)}."
    )
    body = _CURVE if is_curve else 0.75 + _ROW * len(found.rows)
    return Chart(found.verdict, note, body, partial(_draw_curve if is_curve else _draw_rows, found))


def _is_curve(found: "Sweep") -> bool:
    return len(found.rows) > 1 and not any(isinstance(row.value, str) for row in found.rows)


def _mark(found: "Sweep", row: "SweepRow") -> dict[str, bool]:
    return {"is_best": row.value == found.best[0], "is_full": row.value in found.best}


def _draw_curve(found: "Sweep", part: SubFigure) -> None:
    axes = part.subplots()
    rows = sorted(found.rows, key=lambda row: float(row.value))
    x = [float(row.value) for row in rows]
    axes.axhspan(-found.provenance.margin, 0, color=FAINT, zorder=0, linewidth=0)
    axes.axhline(0, color=INK, linewidth=0.8)
    low, high = [row.difference_low for row in rows], [row.difference_high for row in rows]
    axes.fill_between(x, low, high, color=SKY, alpha=0.5, linewidth=0, gid="band")
    axes.plot(x, [row.difference for row in rows], color=BLUE, linewidth=1.4, gid="curve")
    for place, row in zip(x, rows, strict=True):
        mark(axes, place, row.difference, **_mark(found, row))
        if row.value == found.best[0]:
            axes.annotate(f"{place:g}", (place, 0), (0, 7), textcoords="offset points", ha="center", fontweight="bold")
    axes.set_ylim(span_of([*low, *high, 0.0], 2 * found.provenance.margin, 0.12))
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_xlabel(rows[0].vary)
    axes.set_ylabel("points a deal behind the best")


def _draw_rows(found: "Sweep", part: SubFigure) -> None:
    axes = part.subplots()
    margin = found.provenance.margin
    rows_axes(axes, [row.value if isinstance(row.value, str) else f"{row.value:g}" for row in found.rows])
    across(axes)
    axes.axvspan(-margin, 0, color=FAINT, zorder=0, linewidth=0)
    axes.axvline(0, color=INK, linewidth=0.8)
    digits = column_digits((row.difference_low, row.difference_high) for row in found.rows)
    for y, row in enumerate(found.rows):
        whisker(axes, y, row.difference_low, row.difference_high)
        mark(axes, row.difference, y, **_mark(found, row))
        behind = difference_text(row.difference, row.difference_low, row.difference_high, digits=digits)
        beside(axes, y, "the best" if row.value == found.best[0] else behind or "level", 1.2)
    ends = [end for row in found.rows for end in (row.difference_low, row.difference_high)]
    axes.set_xlim(span_of([*ends, 0.0, -margin], 4 * margin))
    axes.set_xlabel(f"points a deal behind the best {found.rows[0].vary}")
