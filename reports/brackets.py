"""Turns the answers of a question asked in several ways into one table, side by side, and a sentence.

Read from the JSON, whose names are a promise. Where all columns do not fit, play and opponents have tables of
their own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from reports.screen import dressed
from reports.tables import best_suits, new_table, rules_text
from reports.text import Z, column_digits, decimals, percent_text, players_text, plural, points_text, seconds_text

Row = Mapping[str, Any]

_WIDE = 1000
"""A line in which any table fits."""
LEGEND = "* ahead of all others (95% sure); ? not clearly behind the best of its column."
"""What the marks of a column mean."""


def print_bracket(
    bracket: Mapping[str, Any], console: Console, *, line: int | None = None, all_options: bool = False
) -> None:
    """Print a column for each way of asking, then one sentence; `line` heads one of many brackets."""
    if line is not None:
        console.print(f"Line {line}", style="bold")
    columns = distinct(bracket["columns"])
    names = shown_options(columns, all_options=all_options)
    by_win = columns[0]["verdict"]["decide_by"] == "win"
    sentence = dressed(bracket["verdict"]["text"], console, "bold")
    if console.is_terminal:
        console.print(sentence)
    console.print("Chance to win the game" if by_win else "Points a deal", style="bold")

    def fits(shown: Sequence[Row]) -> bool:
        table = table_of(shown, names, by_win=by_win)
        return Measurement.get(console, console.options.update_width(_WIDE), table).maximum <= console.width

    if fits(columns):
        console.print(table_of(columns, names, by_win=by_win))
    else:
        for varies in ("play", "opponents"):
            group = [column for column in columns if column["varies"] == varies]
            while group:
                most = next((n for n in range(len(group), 1, -1) if fits(group[:n])), 1)
                console.print(table_of(group[:most], names, by_win=by_win))
                console.print()
                group = group[most:]
    if len(names) < len(columns[0]["options"]):
        console.print("The best suit of each level; --all-options shows every one.", style="dim")
    console.print(LEGEND, style="dim")
    if not console.is_terminal:
        console.print(sentence)
    console.print(bracket_provenance(bracket, columns), style="dim")
    if line is not None:
        console.print()


def distinct(columns: Sequence[Row]) -> list[dict[str, Any]]:
    """The columns without those that ask the very same; a heading says both."""
    found: list[dict[str, Any]] = []
    for column in columns:
        same = next((one for one in found if all(one[name] == column[name] for name in ("play", "players"))), None)
        if same is None:
            found.append({**column, "heading": _heading(column)})
        else:
            same["heading"] = f"{same['column']},\n{column['column']}"
    return found


def _heading(column: Row) -> str:
    """Two words, one above the other: `open` and `play`."""
    return f"{column['column']}\n{column['varies']}"


def shown_options(columns: Sequence[Row], *, all_options: bool = False) -> list[str]:
    """The options best first by the first column; of bids the best suit of each level, there or in another column."""
    first = columns[0]["options"]
    if all_options:
        return [option["option"] for option in first]
    kept = {option["option"] for option in best_suits(first)} | {column["verdict"]["best"] for column in columns}
    return [option["option"] for option in first if option["option"] in kept]


def table_of(columns: Sequence[Row], names: Sequence[str], *, by_win: bool) -> Table:
    """A row an option, a column each way of asking."""
    table = new_table("Option", *(f">{column['heading']}" for column in columns), gap=1)
    options = [{option["option"]: option for option in column["options"]} for column in columns]
    digits = [column_digits(_interval(each[name], by_win=by_win) for name in names) for each in options]
    for name in names:
        cells = [
            _cell(by_name[name], column["verdict"], n, by_win=by_win)
            for by_name, column, n in zip(options, columns, digits, strict=True)
        ]
        table.add_row(name, *cells, style="bold" if name == names[0] else "")
    return table


def _interval(option: Row, *, by_win: bool) -> tuple[float, float]:
    """The interval at 95 % of what an option is worth: points, or games won of a hundred."""
    scale, name = (100, "win_game") if by_win else (1, "points")
    half = scale * Z * option[f"{name}_se"]
    return scale * option[name] - half, scale * option[name] + half


def _cell(option: Row, verdict: Row, digits: int | None, *, by_win: bool) -> str:
    """What an option is worth with its interval, to so many digits, and how it stands."""
    mark = " "
    if option["option"] == verdict["best"]:
        mark = "*" if verdict["kind"] in ("better", "only") else "?"
    elif option["difference_high"] >= 0:
        mark = "?"
    low, high = _interval(option, by_win=by_win)
    if by_win:
        digits = min(1, 1 if digits is None else digits)
        shown = percent_text(option["win_game"], 0.0, digits=digits)
    else:
        digits = decimals(0.0) if digits is None else digits
        shown = points_text(option["points"], 0.0, digits=digits)
    return f"{shown} ±{(high - low) / 2:.{digits}f}{mark}" if high > low else shown + mark


def bracket_provenance(bracket: Mapping[str, Any], columns: Sequence[Row]) -> str:
    """Where a bracket comes from, in one line."""
    about = bracket["provenance"]
    few = [column for column in columns if column["deals"] != columns[0]["deals"]]
    deals = plural(columns[0]["deals"], "deal") + "".join(f", {column['column']} {column['deals']:,}" for column in few)
    rules = rules_text(bracket["rules"])
    return (
        f"{bracket['game']}{rules}; euchre-lab {about['version']}, seed {about['seed']}, {deals},"
        f" {players_text(columns[0]['players'])}, {seconds_text(about['seconds'])}"
    )
