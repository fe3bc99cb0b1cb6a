"""Turns chances to win the game into tables of own score by other score; every table fits 80 columns."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.screen import dressed
from reports.tables import new_table, print_provenance, rules_text
from reports.text import Z, decimals, plural

Row = Mapping[str, Any]
Scores = tuple[int, ...]
MOST_COLUMNS = 12
CLOSE = 0.0025
"""So small a lead in chances to win counts as none."""
ERROR = 1.3
"""The standard error of a chance over the root of the deals counted, in a game of about eleven deals."""


def print_equity(equity: Mapping[str, Any], console: Console, *, is_one: bool = False) -> None:
    """Print the chances in percent: a table for each side in the deal, or of one score a line for each side."""
    groups = [list(rows) for _, rows in groupby(equity["rows"], key=lambda row: str(row["players"]))]
    for rows in groups:
        if len(groups) > 1:
            console.print(Text(f"Players by seat: {rows[0]['players'].replace(',', ', ')}", style="bold"))
        if is_one:
            _print_score(rows, equity["provenance"]["deals"], console)
        else:
            _print_grids(rows, equity["provenance"]["deals"], console)
    about = {name: equity["provenance"][name] for name in ("version", "seed", "deals", "players", "seconds")}
    print_provenance(f"{equity['game']}{rules_text(equity['rules'])}; ", about, console)


def print_scores(answer: Mapping[str, Any], console: Console) -> None:
    """Print which option is best to win the game at every score, a letter each; three-handed at the asker's own.

    Where it is one and the same a sentence says so.
    """
    told = same_everywhere(answer)
    if told:
        console.print(dressed(told, console))
        return
    heading, table, legend = scores_table(answer)
    console.print(Text(heading, style="bold"))
    console.print(table)
    console.print(Text(legend, style="dim"))


@dataclass(frozen=True, slots=True)
class ScoreGrid:
    """What is best at the scores that are shown; three-handed at the asker's own."""

    own: int | None
    """The asker's score, where it is the same in all."""
    down: str
    across: str
    """Whose score stands there."""
    shown: list[int]
    """The scores down and across."""
    rows: list[list[Row]]
    """Of the JSON's scores."""
    letters: dict[str, str]
    """Of each option that is best somewhere, in the order of the answer."""
    told: Scores | None
    """The score of the question, if it was told."""


def score_grid(answer: Mapping[str, Any]) -> ScoreGrid:
    """Read which option is best to win the game at every score."""
    rows = answer["scores"]
    n_sides = len(rows[0]["scores"])
    own = (answer["position"]["seat"] - 1) % n_sides
    at: dict[Scores, Row] = {tuple(row["scores"]): row for row in rows}
    shown = shown_scores(_totals(rows))
    told = answer["position"].get("scores")
    own_score = (told or [0] * n_sides)[own] if n_sides > 2 else None

    def row_at(down: int, across: int) -> Row:
        scores = [0] * n_sides
        scores[own] = down if own_score is None else own_score
        scores[(own + 1) % n_sides] = across if own_score is None else down
        scores[(own + 2) % n_sides] = down if own_score is None else across
        return at[tuple(scores)]

    grid = [[row_at(down, across) for across in shown] for down in shown]
    seen = {row["best"] for rows in grid for row in rows}
    names = dict.fromkeys(option["option"] for option in answer["options"] if option["option"] in seen)
    letters = {name: letter_of(place) for place, name in enumerate(names)}
    down, across = ("own score", "theirs") if own_score is None else ("the next player", "the one after him")
    return ScoreGrid(own_score, down, across, shown, grid, letters, tuple(told) if told else None)


def scores_table(answer: Mapping[str, Any]) -> tuple[str, Table, str]:
    """The heading, a letter for what is best at every score, and what the letters mean."""
    grid = score_grid(answer)
    table = new_table("", *(f">{score}" for score in grid.shown), gap=1, spare=_between(grid.shown))
    for down, line in zip(grid.shown, grid.rows, strict=True):
        table.add_row(f"{down:>3}", *(letter_at(row, grid.letters) for row in line))
    own = "" if grid.own is None else f"with {grid.own} points; "
    meant = ", ".join(f"{letter} {name}" for name, letter in grid.letters.items())
    legend = f"{meant}; small letters: less than {100 * CLOSE:g} in 100 games ahead of the next."
    return f"Best to win the game, {own}{grid.down} down, {grid.across} across", table, legend


def same_everywhere(answer: Mapping[str, Any]) -> str:
    """That one option is best to win the game at every score, in a sentence; nothing where it is not."""
    grid = score_grid(answer)
    n_sides = len(answer["scores"][0]["scores"])
    own = (answer["position"]["seat"] - 1) % n_sides
    rows = [row for row in answer["scores"] if grid.own is None or row["scores"][own] == grid.own]
    best = {row["best"] for row in rows}
    if len(best) > 1:
        return ""
    where = "At every score" if grid.own is None else f"With {plural(grid.own, 'point')}, whatever the others have,"
    close = sum(_is_close(row) for row in rows)
    n = "all" if close == len(rows) else f"{close}"
    though = f", though at {n} of the {len(rows)} by less than {100 * CLOSE:g} in 100 games" if close else ""
    return f"{where} {best.pop()} is best to win the game{though}."


def letter_at(row: Row, letters: Mapping[str, str]) -> str:
    """The letter of the best option, small where the next is about as good."""
    return letters[row["best"]].lower() if _is_close(row) else letters[row["best"]]


def _is_close(row: Row) -> bool:
    """Whether the next option is about as good."""
    return row["ahead"] is not None and bool(row["ahead"] < CLOSE)


def letter_of(place: int) -> str:
    """A, B, ... Z, then AA, AB, ..."""
    first, last = divmod(place, 26)
    return (chr(64 + first) if first else "") + chr(65 + last)


def _print_score(rows: Sequence[Row], deals: int, console: Console) -> None:
    """A line for each side at one score."""
    console.print(one_score_table(rows, deals))


def one_score_table(rows: Sequence[Row], deals: int) -> Table:
    """A line for each side at one score."""
    table = new_table("Seats", ">Score", ">Wins the game")
    for row, score in zip(rows, rows[0]["scores"], strict=True):
        table.add_row(side_text(row), str(score), chance_text(row["win_game"], deals) + "%")
    return table


def _print_grids(rows: Sequence[Row], deals: int, console: Console) -> None:
    """A table for each side: its own score down, that of the others across."""
    for heading, table in score_grids(rows, deals):
        console.print(Text(heading, style="bold"))
        console.print(table)
        console.print()
    if told := left_out_text(rows):
        console.print(told, style="dim")


@dataclass(frozen=True, slots=True)
class ChanceGrid:
    """A side's chances to win at the scores that are shown: its own down, that of all others across."""

    side: str
    others: str
    shown: list[int]
    chances: list[list[float]]

    def at(self, score: int) -> float:
        """The chance where all have this score, which is shown."""
        place = self.shown.index(score)
        return self.chances[place][place]


def chance_grids(rows: Sequence[Row]) -> list[ChanceGrid]:
    """Read the chances of each side from the rows of one seating."""
    sides = list(dict.fromkeys(tuple(row["seats"]) for row in rows))
    chances = {(tuple(row["scores"]), tuple(row["seats"])): row["win_game"] for row in rows}
    shown = shown_scores(_totals(rows))
    others = "that of both others" if len(sides) > 2 else "theirs"
    found = []
    for place, side in enumerate(sides):
        row = next(row for row in rows if tuple(row["seats"]) == side)
        cells = [[chances[_at(own, other, place, len(sides)), side] for other in shown] for own in shown]
        found.append(ChanceGrid(side_text(row), others, shown, cells))
    return found


def score_grids(rows: Sequence[Row], deals: int) -> Iterator[tuple[str, Table]]:
    """Yield a heading and a table for each side: its own score down, that of the others across."""
    for grid in chance_grids(rows):
        table = new_table("", *(f">{score}" for score in grid.shown), gap=1, spare=_between(grid.shown))
        for own, line in zip(grid.shown, grid.chances, strict=True):
            table.add_row(f"{own:>3}", *(chance_text(cell, deals) for cell in line))
        yield f"{grid.side}: chance to win in %, own score down, {grid.others} across", table


def _between(shown: Sequence[int]) -> list[str]:
    """Every other score but the first and the last: what a narrow terminal goes without."""
    return [str(score) for score in shown[1:-1:2]]


def left_out_text(rows: Sequence[Row]) -> str:
    """What the tables of all scores leave out, and where it is; nothing where they have it all."""
    is_three = len({tuple(row["seats"]) for row in rows}) > 2
    totals = _totals(rows)
    told = ["--score asks one score"] if is_three else []
    told += ["--format csv or json has every score"] if is_three or len(shown_scores(totals)) < len(totals) else []
    return f"{'; '.join(told)}." if told else ""


def _totals(rows: Sequence[Row]) -> list[int]:
    """Every score that a side can have, from the lowest on."""
    return sorted({score for row in rows for score in row["scores"]})


def _at(own: int, other: int, place: int, n_sides: int) -> Scores:
    """The score in seat order of a side that has `own` while all others have `other`."""
    return tuple(own if each == place else other for each in range(n_sides))


def shown_scores(totals: Sequence[int]) -> list[int]:
    """At most so many of these scores as fit side by side: round steps, and the last one."""
    if len(totals) <= MOST_COLUMNS:
        return list(totals)
    step = -(-(totals[-1] + 1) // 8)
    lowest = max(totals[0], -2 * step)
    return sorted({score for score in totals if score >= lowest and score % step == 0} | {totals[-1]})


def side_text(row: Row) -> str:
    """A side in words: `Seats 2 and 4 (deal)`, `Seat 3 (deals)`."""
    seats = row["seats"]
    one = len(seats) == 1
    deals = f" ({'deals' if one else 'deal'})" if row["dealer"] else ""
    return f"Seat{'' if one else 's'} {' and '.join(map(str, seats))}{deals}"


def chance_text(chance: float, deals: int) -> str:
    """A chance in percent, cut to the error that so many deals leave."""
    return f"{100 * chance:.{min(1, decimals(100 * ERROR / math.sqrt(deals)))}f}"


def good_to(deals: int) -> float:
    """Within what a chance that so many deals leave lies of the true one, with 95 % certainty."""
    return Z * ERROR / math.sqrt(deals)
