"""Turns what a command found into its charts, the one to see first in front."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reports.brackets import distinct, shown_options
from reports.charts import calls, chances, games, options, pairs, points, seats, values, ways
from reports.charts.style import Chart
from reports.tables import best_suits

if TYPE_CHECKING:
    from analyzer.ask import Answer
    from analyzer.compare import Comparison
    from analyzer.matches import Matches
    from analyzer.simulate import Simulation
    from analyzer.sweep import Sweep

MOST_OPTIONS = 60


def of_answer(answer: "Answer", *, all_options: bool = False) -> list[Chart]:
    """The options of an answer, what deals pay with each; with a score how often the game is won, with all a map."""
    read, told = answer.json(), answer.told
    shown = (read["options"] if all_options else best_suits(read["options"], told.named))[:MOST_OPTIONS]
    names = [
        ", ".join([told.names.get(row["option"], row["option"]), *(other.split()[-1] for other in row["same"])])
        for row in shown
    ]
    found = [options.chart(read, shown, names, told.sentences)]
    if shown[0]["win_game"] is not None:
        found.append(options.wins(read, shown, names))
    found.append(points.chart(read, shown, names, answer.paid))
    if "scores" in read:
        found.append(calls.chart(read))
    return found


def of_bracket(bracket: Mapping[str, Any], *, all_options: bool = False) -> list[Chart]:
    """What each option is worth in every way of asking; read from what the JSON has."""
    columns = distinct(bracket["columns"])
    return [ways.chart(bracket, columns, shown_options(columns, all_options=all_options)[:MOST_OPTIONS])]


def of_simulation(found: "Simulation") -> list[Chart]:
    """How the contracts of each seat ended, and what it called."""
    return [seats.rates(found), seats.calls(found)]


def of_matches(found: "Matches") -> list[Chart]:
    """Who won the games, and with which scores they ended."""
    return [games.wins(found), games.scores(found)]


def of_comparison(found: "Comparison") -> list[Chart]:
    """What each pair came to on the deals, and in whole games if any were played."""
    has_games = any(row.win_rate is not None for row in found.rows)
    return [pairs.points(found), *([pairs.games(found)] if has_games else [])]


def of_sweep(found: "Sweep") -> list[Chart]:
    """How far each value is behind the best."""
    return [values.chart(found)]


def of_equity(equity: Mapping[str, Any], *, is_one: bool = False) -> list[Chart]:
    """The chances of each side, of all scores or of one; read from what the JSON has."""
    return chances.charts(equity, is_one=is_one)
