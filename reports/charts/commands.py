"""Turns what a command found into its charts, the one to see first in front."""

from typing import TYPE_CHECKING

from reports.charts import options, points
from reports.charts.style import Chart
from reports.tables import best_suits

if TYPE_CHECKING:
    from analyzer.ask import Answer

MOST_OPTIONS = 60


def of_answer(answer: "Answer", *, all_options: bool = False) -> list[Chart]:
    """The options of an answer, what deals pay with each, and with a score how often the game is won."""
    read, told = answer.json(), answer.told
    shown = (read["options"] if all_options else best_suits(read["options"], told.named))[:MOST_OPTIONS]
    names = [
        ", ".join([told.names.get(row["option"], row["option"]), *(other.split()[-1] for other in row["same"])])
        for row in shown
    ]
    charts = [options.chart(read, shown, names, told.sentences)]
    if shown[0]["win_game"] is not None:
        charts.append(options.wins(read, shown, names))
    charts.append(points.chart(read, shown, names, answer.paid))
    return charts
