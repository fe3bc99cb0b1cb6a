"""Turns the hands around break-even of a call into a table and a sentence or two.

Read from the JSON, whose names are a promise.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from reports.tables import new_table, print_footer, rules_text, verdict_first
from reports.text import (
    cards_text,
    column_digits,
    difference_text,
    games_apart_text,
    players_text,
    plural,
    seconds_text,
)

Row = Mapping[str, Any]

MOST_ROWS = 9
_ROLES = {"calls": "weakest call", "passes": "strongest pass", "even": "about even"}


def print_weakest(weakest: Mapping[str, Any], console: Console) -> None:
    """Print some of the hands, the strongest first, then where calling breaks even."""
    by_win = weakest["verdict"]["decide_by"] == "win"
    shown = games_apart_text if by_win else difference_text
    is_one = weakest["verdict"]["threshold"] is not None
    over = ">Over pass\nin 100 games" if by_win else ">Over pass"
    table = new_table("Hand", ">Strength", *([] if is_one else [">Calls from"]), "Best call", over, "", gap=1)
    rows = some_rows(weakest["rows"])
    scale = 100 if by_win else 1
    digits = column_digits((scale * row["over_pass_low"], scale * row["over_pass_high"]) for row in rows)
    n = weakest["provenance"]["deals"]
    for row in rows:
        table.add_row(
            cards_text(row["hand"], console),
            f"{row['strength']:.1f}",
            *([] if is_one else [f"{row['threshold']:.1f}"]),
            row["best"],
            shown(row["over_pass"], row["over_pass_low"], row["over_pass_high"], n, digits) or "0",
            _ROLES.get(row["role"], ""),
            style="bold" if row["role"] else "",
        )
    with verdict_first(console, [weakest["verdict"]["text"]]):
        console.print(table)
    about = weakest["provenance"]
    print_footer(
        f"{weakest['game']}{rules_text(weakest['rules'])}; euchre-lab {about['version']}, seed {about['seed']},"
        f" {plural(about['hands'], 'hand')}, {plural(about['deals'], 'deal')} each near break-even,"
        f" {players_text(about['players'])}, {seconds_text(about['seconds'])}",
        console,
    )


def some_rows(rows: Sequence[Row]) -> list[Row]:
    """The hands with a role, and others as evenly spread as there is room."""
    kept = {place for place, row in enumerate(rows) if row["role"]}
    others = [place for place in range(len(rows)) if place not in kept]
    room = min(len(others), MOST_ROWS - len(kept))
    kept |= {others[(2 * k + 1) * len(others) // (2 * room)] for k in range(room)}
    return [rows[place] for place in sorted(kept)]
