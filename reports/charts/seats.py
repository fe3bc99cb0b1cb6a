"""Turns the rows of `simulate` into rates by seat: how contracts end, and what each seat calls how often."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from matplotlib.figure import SubFigure

from analyzer.estimates import wilson
from reports.charts.style import BLUE, INK, Chart, across, rows_axes, source_text, span_of, whisker
from reports.text import percent_text, plural

if TYPE_CHECKING:
    from analyzer.simulate import SimulateRow, Simulation

_ROW = 0.42
_CALL_ROW = 0.24
"""Inches."""
_RATES = (("made", "o"), ("march", "^"), ("euchred", "s"))


def rates(found: "Simulation") -> Chart:
    """How often the contracts of each seat were made, took every trick and failed."""
    rows = [row for row in found.rows if row.call == "all"]
    called = [row for row in rows if row.made is not None]
    title = "Nobody called."
    if called:
        most, least = (pick(called, key=lambda row: row.made or 0.0) for pick in (max, min))
        title = f"{seat_text(most)} makes most of what it calls: {percent_text(most.made, most.made_se, most.calls)}"
        if most is not least:
            title += f"; {seat_text(least).lower()} least: {percent_text(least.made, least.made_se, least.calls)}"
        title += "."
    about = found.provenance
    note = (
        f"n = {plural(about.deals, 'deal')}. Shares are of a seat's contracts, whose number stands beside it; bars:"
        f" 95% intervals, each alone. March, every trick, is part of made. {source_text(about.version, about.seed)}."
    )
    return Chart(title, note, 0.9 + _ROW * len(rows), partial(_draw_rates, rows))


def seat_text(row: "SimulateRow") -> str:
    """`Seat 4 (bold)`, or without the strategy where all have the same."""
    return f"Seat {row.seat}" + (f" ({row.strategy})" if len(set(row.players.split(","))) > 1 else "")


def _draw_rates(rows: "Sequence[SimulateRow]", part: SubFigure) -> None:
    panels = part.subplots(1, len(_RATES), sharey=True)
    for axes, (rate, shape) in zip(panels, _RATES, strict=True):
        spans = [0.0]
        for y, row in enumerate(rows):
            share: float | None = getattr(row, rate)
            if share is None:
                continue
            sure = wilson(share, row.calls)
            whisker(axes, y, 100 * sure.low, 100 * sure.high)
            axes.plot([100 * share], [y], shape, color=BLUE, markersize=6, gid="mark")
            shown = percent_text(share, getattr(row, f"{rate}_se"), row.calls)
            axes.annotate(shown, (100 * share, y), (0, 6), textcoords="offset points", ha="center", va="bottom")
            spans += [100 * sure.low, 100 * sure.high]
        rows_axes(axes, [f"{seat_text(row)}: {row.calls:,}" for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.8)
        across(axes)
        low, high = span_of(spans[1:] or [0.0, 100.0], 2.0, 0.25)
        axes.set_xlim(low, high)
        axes.set_xlabel(f"{rate}, %")


def calls(found: "Simulation") -> Chart:
    """How often each seat became maker, by each call."""
    rows = [row for row in found.rows if row.call == "all"]
    n = found.provenance.deals
    most, least = (pick(rows, key=lambda row: row.call_share) for pick in (max, min))
    title = (
        f"{seat_text(most)} calls most often, in {percent_text(most.call_share, n=n)} of deals;"
        f" {seat_text(least).lower()} least, in {percent_text(least.call_share, n=n)}."
    )
    kinds = list(dict.fromkeys(row.call for row in found.rows if row.call != "all"))
    note = (
        f"n = {plural(n, 'deal')}, of which {percent_text(found.thrown_in, n=n)} were thrown in. Bars: the share of all"
        " deals in which the seat became maker by this call."
    )
    return Chart(title, note, 0.95 + _CALL_ROW * len(kinds), partial(_draw_calls, found, kinds))


def _draw_calls(found: "Simulation", kinds: Sequence[str], part: SubFigure) -> None:
    seats = [row for row in found.rows if row.call == "all"]
    panels = part.subplots(1, len(seats), sharey=True, sharex=True)
    most = max((row.call_share for row in found.rows if row.call != "all"), default=0.0) or 0.01
    for axes, seat in zip(panels, seats, strict=True):
        for y, call in enumerate(kinds):
            row = next(row for row in found.rows if row.seat == seat.seat and row.call == call)
            axes.barh(y, 100 * row.call_share, 0.7, color=BLUE, gid="share")
            shown = percent_text(row.call_share, n=row.deals) if row.calls else "never"
            axes.annotate(shown, (100 * row.call_share, y), (3, 0), textcoords="offset points", va="center_baseline")
        rows_axes(axes, kinds)
        across(axes)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_title(f"{seat_text(seat)}: {percent_text(seat.call_share, n=seat.deals)}", loc="left")
        axes.set_xlim(0, 145 * most)
        axes.set_xticks([tick for tick in axes.get_xticks() if tick <= min(100, 145 * most)])
        axes.set_xlabel("% of deals")
