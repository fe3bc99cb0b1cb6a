"""Turns the options of an answer into rows of marks with intervals: how far behind the best, how often the game is won.

Full marks may be the best, hollow ones are behind beyond doubt; the best is a diamond.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from matplotlib.figure import SubFigure

from analyzer.estimates import Difference, kind_of
from reports.charts.style import FAINT, INK, Chart, across, beside, mark, rows_axes, source_text, span_of, whisker
from reports.text import (
    Z,
    difference_text,
    games_apart_text,
    percent_decimals,
    percent_text,
    players_text,
    plural,
    points_decimals,
    points_text,
    score_text,
)

Row = Mapping[str, Any]
ROW = 0.3
"""Inches."""


def chart(answer: Mapping[str, Any], options: Sequence[Row], names: Sequence[str], sentences: Sequence[str]) -> Chart:
    """How far each of these options, best first, is behind the best in what decides; the title is the verdict."""
    verdict, about = answer["verdict"], answer["provenance"]
    by_win = verdict["decide_by"] == "win"
    margin = f"{100 * verdict['margin']:g} in 100 games" if by_win else f"{verdict['margin']:g}"
    bars = "no intervals: every deal was counted" if about["exact"] else "bars: 95% intervals, for all options at once"
    early = " Too few deals to call one worse." if is_too_early(answer) else ""
    full = " Full: may be as good." if any(may_lead(answer, option) for option in options[1:]) else ""
    hollow = " Hollow: worse." if not all(may_lead(answer, option) for option in options[1:]) else ""
    few = len(answer["options"]) - len(options)
    left_out = f" {plural(few, 'option is', 'options are')} left out." if few else ""
    who = players_text(about["players"]).capitalize()
    source = source_text(about["version"], about["seed"], about["play"])
    note = (
        f"n = {plural(about['deals'], 'deal')}; {bars}.{early}{full}{hollow} Grey: within {margin}, which"
        f" counts as equal.{left_out} {who}; {source}."
    )
    return Chart(" ".join(sentences), note, 0.75 + ROW * len(options), partial(_draw, answer, options, names))


def _draw(answer: Mapping[str, Any], options: Sequence[Row], names: Sequence[str], part: SubFigure) -> None:
    by_win = answer["verdict"]["decide_by"] == "win"
    n = None if answer["provenance"]["exact"] else answer["provenance"]["deals"]
    unit, apart = (100, games_apart_text) if by_win else (1, difference_text)
    axes = part.subplots()
    rows_axes(axes, names)
    across(axes)
    margin = unit * answer["verdict"]["margin"]
    worths = worth_texts(options, n, by_win=by_win)
    ends = [unit * option[name] for option in options for name in ("difference", "difference_low", "difference_high")]
    axes.set_xlim(span_of([*ends, 0.0, -margin], 4 * margin))
    axes.axvspan(-margin, 0, color=FAINT, zorder=0, linewidth=0)
    axes.axvline(0, color=INK, linewidth=0.8)
    for y, option in enumerate(options):
        low, high = unit * option["difference_low"], unit * option["difference_high"]
        is_best = y == 0
        if not is_best:
            whisker(axes, y, low, high)
        mark(axes, unit * option["difference"], y, is_best=is_best, is_full=may_lead(answer, option))
        beside(axes, y, worths[y], 0.65, fontweight="bold" if is_best else "normal")
        behind = apart(option["difference"], option["difference_low"], option["difference_high"], n)
        beside(axes, y, "the best" if is_best else behind or "level", 1.6)
    beside(axes, -0.85, "wins" if by_win else "points", 0.65)
    beside(axes, -0.85, "behind", 1.6)
    axes.set_xlabel("of 100 games, how many behind the best" if by_win else "points a deal behind the best")


def may_lead(answer: Mapping[str, Any], option: Row) -> bool:
    """Whether an option may be as good as the best: so it is while there are too few deals to tell."""
    return bool(option["difference_high"] >= 0) or is_too_early(answer)


def is_too_early(answer: Mapping[str, Any]) -> bool:
    """Whether there are so few deals that no verdict falls, though the intervals would have one."""
    names = ("difference", "difference_se", "difference_low", "difference_high")
    apart = [Difference(*(option[name] for name in names)) for option in answer["options"]]
    kind, _ = kind_of(apart, 0, answer["verdict"]["margin"])
    return bool(answer["verdict"]["kind"] == "undecided" != kind)


def worth_texts(options: Sequence[Row], n: int | None, *, by_win: bool) -> list[str]:
    """What each option is worth, all with the digits of the least certain."""
    if by_win:
        cut = min(percent_decimals(option["win_game"], option["win_game_se"], n) for option in options)
        return [percent_text(option["win_game"], digits=cut) for option in options]
    cut = min(points_decimals(option["points_se"], n) for option in options)
    return [points_text(option["points"], 0.0, digits=cut) for option in options]


def wins(answer: Mapping[str, Any], options: Sequence[Row], names: Sequence[str]) -> Chart:
    """How often the game is won with each option, from the score told."""
    order = sorted(range(len(options)), key=lambda k: -options[k]["win_game"])
    ranked, names = [options[k] for k in order], [names[k] for k in order]
    title = f"From this score {names[0]} wins {percent_text(ranked[0]['win_game'])} of games"
    if len(ranked) > 1:
        title += f", {names[1]} {percent_text(ranked[1]['win_game'])}"
    about = answer["provenance"]
    bars = "no intervals: every deal was counted" if about["exact"] else "bars: 95% intervals, each option alone"
    note = f"n = {plural(about['deals'], 'deal')}; {bars}. The score: {score_text(answer['position'])}."
    return Chart(f"{title}.", note, 0.75 + ROW * len(options), partial(_draw_wins, answer, ranked, names))


def _draw_wins(answer: Mapping[str, Any], options: Sequence[Row], names: Sequence[str], part: SubFigure) -> None:
    about = answer["provenance"]
    worths = worth_texts(options, None if about["exact"] else about["deals"], by_win=True)
    axes = part.subplots()
    rows_axes(axes, names)
    across(axes)
    spans = []
    for y, option in enumerate(options):
        share, half = 100 * option["win_game"], 100 * Z * option["win_game_se"]
        whisker(axes, y, share - half, share + half)
        mark(axes, share, y, is_best=y == 0, is_full=False)
        beside(axes, y, worths[y], 0.65)
        spans += [share - half, share + half]
    axes.set_xlim(span_of(spans, 2.0))
    axes.set_xlabel("chance to win the game, %")
