"""Turns whole games into who won how many of them, and with which scores they ended."""

from functools import partial
from typing import TYPE_CHECKING, Any

from matplotlib.figure import SubFigure
from matplotlib.ticker import MaxNLocator

from analyzer.estimates import Interval, wilson
from reports.charts.style import (
    BLUE,
    INK,
    QUIET,
    Chart,
    across,
    beside,
    mark,
    mean_mark,
    rows_axes,
    source_text,
    span_of,
    whisker,
)
from reports.text import percent_text, plural

if TYPE_CHECKING:
    from analyzer.matches import Matches, MatchRow

_ROW, _SCORE_ROW = 0.32, 0.8
"""Inches."""
_TALL = 0.8
_WORDS = 0.25


def wins(found: "Matches") -> Chart:
    """How many of the games each player won."""
    n_sides = len(found.final_scores)
    best = max(found.rows[:n_sides], key=lambda row: row.win_rate)
    side, even = _side_text(found.final_scores[best.player - 1]), 1 / n_sides
    win = "win" if len(found.rows) > n_sides else "wins"
    title = f"{side.capitalize()} ({best.strategy}) {win} {percent_text(best.win_rate, n=best.games)} of games"
    if _sure(best).low <= even:
        title = f"Nobody is shown to win more than his share, {percent_text(even)} of games"
    about = found.provenance
    note = (
        f"n = {plural(about.games, 'game')} of {found.rows[0].deals_per_game:.1f} deals; bars: 95% intervals, each"
        f" alone; dotted: all alike. {source_text(about.version, about.seed)}."
    )
    return Chart(f"{title}.", note, 0.75 + _ROW * len(found.rows), partial(_draw_wins, found))


def _sure(row: "MatchRow") -> Interval:
    """The interval of a share of games; games that several win together make it no wider."""
    return wilson(row.win_rate, max(1, row.games))


def _player_text(row: "MatchRow") -> str:
    return f"Player {row.player} ({row.strategy})"


def _draw_wins(found: "Matches", part: SubFigure) -> None:
    axes = part.subplots()
    rows_axes(axes, [_player_text(row) for row in found.rows])
    across(axes)
    even = 100 / len(found.final_scores)
    axes.axvline(even, color=INK, linewidth=1, linestyle=":")
    spans = [even]
    for y, row in enumerate(found.rows):
        low, high = 100 * _sure(row).low, 100 * _sure(row).high
        whisker(axes, y, low, high)
        mark(axes, 100 * row.win_rate, y, is_best=False, is_full=True)
        beside(axes, y, percent_text(row.win_rate, n=row.games), 0.6)
        spans += [low, high]
    axes.set_xlim(span_of(spans, 2.0))
    axes.set_xlabel("games won, %")


def scores(found: "Matches") -> Chart:
    """With which scores the games ended, for each side."""
    means = [_mean(side["scores"]) for side in found.final_scores]
    told = [f"{_side_text(side)} {mean:.1f}" for side, mean in zip(found.final_scores, means, strict=True)]
    n = plural(found.provenance.games, "game")
    note = f"n = {n}. Bars: how many of them a side ended with this score; diamond: the mean."
    title = f"The mean score at the end: {', '.join(told)}."
    return Chart(title, note, 0.7 + _SCORE_ROW * len(told), partial(_draw_scores, found, means))


def _side_text(side: dict[str, Any]) -> str:
    players = side["players"]
    return f"player{'s' if players[1:] else ''} {' and '.join(map(str, players))}"


def _mean(scores: "list[list[int]]") -> float:
    return sum(score * count for score, count in scores) / max(1, sum(count for _, count in scores))


def _draw_scores(found: "Matches", means: list[float], part: SubFigure) -> None:
    axes = part.subplots()
    rows_axes(axes, [_side_text(side) for side in found.final_scores], -_WORDS)
    axes.set_ylim(len(means) - 0.85, -0.95)
    across(axes)
    games = found.provenance.games
    tallest = max(count for side in found.final_scores for _, count in side["scores"])
    for y, (side, mean) in enumerate(zip(found.final_scores, means, strict=True)):
        axes.axhline(y, color=QUIET, linewidth=0.8)
        places, counts = zip(*side["scores"], strict=True)
        axes.bar(places, [-_TALL * count / tallest for count in counts], 0.8, y, color=BLUE, gid="share")
        mean_mark(axes, mean, y)
        beside(axes, y - _WORDS, f"mean {mean:.1f}", 0.85)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(f"score at the end; the tallest bar is {percent_text(tallest / games, n=games)} of games")
