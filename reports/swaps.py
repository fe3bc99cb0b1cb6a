"""Turns the exchanges of one hand into two tables: what each card is worth to the call, and the call of every exchange.

Read from the JSON, whose names are a promise.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from reports.tables import new_table, print_footer, rules_text, verdict_first
from reports.text import cards_text, decimals, difference_text, games_apart_text, players_text, plural, seconds_text

Row = Mapping[str, Any]

_LETTERS = {"pass": "P", "order": "O", "six": "6", "ask": "A", "moon": "M", "claim": "cl"}
_SAME, _CLOSE = ".", "?"


def print_swaps(swaps: Mapping[str, Any], console: Console) -> None:
    """Print the cards, what decides most first, then a grid of all exchanges, then a sentence or two."""
    base, *rows = swaps["rows"]
    by_win = swaps["verdict"]["decide_by"] == "win"
    heading = Text("As it is: ").append(base["best"], style="bold")
    if base["next"] is not None:
        ahead = _amount(base["lead"], base["lead_low"], base["lead_high"], by_win=by_win)
        heading.append(f", {ahead}{' in 100 games' if by_win else ''} over {base['next']}")
    used: dict[str, str] = {}
    with verdict_first(console, [swaps["verdict"]["text"]]):
        console.print(heading)
        console.print(_cards_table(swaps["cards"], rows, used, by_win=by_win, console=console))
        may_pass = base["over_pass"] is not None
        over = "how far the best call but passing is ahead of passing (below 0 passing is better)"
        what = over if may_pass else "what the best call is worth"
        console.print(f"Mean, best and worst: {what}{', in 100 games' if by_win else ''}.", style="dim")
        console.print()
        _print_grid(swaps["cards"], rows, base, used, console)
    about = swaps["provenance"]
    print_footer(
        f"{swaps['game']}{rules_text(swaps['rules'])}; euchre-lab {about['version']}, seed {about['seed']},"
        f" {plural(about['exchanges'], 'exchange')}, {plural(about['deals'], 'deal')} each,"
        f" {players_text(about['players'])}, {seconds_text(about['seconds'])}",
        console,
    )


def _cards_table(
    cards: Sequence[Row], rows: Sequence[Row], used: dict[str, str], *, by_win: bool, console: Console
) -> Any:
    """A line for each card: how often its exchange changes the call, the best and the worst in its place.

    Calls are letters, which it adds to those `used`.
    """
    table = new_table("Card", ">Changes", ">Close", ">Mean", "Best for it", "Worst for it")
    found = {(row["out"], row["in"]): row for row in rows}
    for card in cards:
        changed = card["weaker"] + card["stronger"]
        cells = []
        for into in (card["best"], card["worst"]):
            row = found[card["card"], into]
            low, high = row["over_pass_low"], row["over_pass_high"]
            value = row["points"] if row["over_pass"] is None else row["over_pass"]
            amount = _amount(value, low, high, by_win=by_win)
            cells.append(cards_text(into, console).append(f" {_letters(row, used)} {amount}"))
        mean = f"{100 * card['mean']:+.1f}" if by_win else f"{card['mean']:+.2f}"
        table.add_row(
            cards_text(card["card"], console), f"{changed} of {card['exchanges']}", str(card["close"]), mean, *cells
        )
    return table


def _amount(value: float, low: float | None, high: float | None, *, by_win: bool) -> str:
    """Points or a chance to win, with its interval if it has one."""
    if low is None or high is None:
        return f"{100 * value:+.1f}" if by_win else f"{value:+.2f}"
    shown = games_apart_text if by_win else difference_text
    return shown(value, low, high) or f"{0:+.{decimals(0.01)}f}"


def letters_of(call: str) -> str:
    """A call in a letter or two: P, O, OA for alone, the letter of a suit, the number of a bid."""
    first, _, rest = call.partition(" ")
    return _LETTERS.get(first, first if first.isdigit() else first[0].upper()) + ("A" if rest == "alone" else "")


def _letters(row: Row, used: dict[str, str]) -> str:
    """The letters of a row's call, which then are among those `used`."""
    return used.setdefault(row["call"], letters_of(row["call"]))


def _print_grid(cards: Sequence[Row], rows: Sequence[Row], base: Row, used: dict[str, str], console: Console) -> None:
    """Cards held down, those in their place across, in as many tables as the width wants."""
    found = {(row["out"], row["in"]): row for row in rows}
    ins = list(dict.fromkeys(row["in"] for row in sorted(rows, key=lambda row: _place(row["in"]))))
    at_once = max(1, (console.width - 2) // 3)
    n_tables = -(-len(ins) // at_once)
    share = -(-len(ins) // n_tables)
    for first in range(0, len(ins), share):
        table = new_table("", gap=1)
        for into in ins[first : first + share]:
            table.add_column(cards_text(into, console), justify="right", no_wrap=True)
        for card in cards:
            cells = [_cell(found.get((card["card"], into)), used) for into in ins[first : first + share]]
            table.add_row(cards_text(card["card"], console), *cells)
        console.print(table)
    told = [
        f"{_SAME} {base['call']} as it is",
        *(f"{letter} {call}" for call, letter in used.items() if letter != call),
    ]
    told += [f"{_CLOSE} too close to tell"] if any(row["change"] == "close" for row in rows) else []
    console.print(Text(f"Card held down, the one in its place across: {', '.join(told)}.", style="dim"))


def _place(card: str) -> tuple[int, int]:
    """Where a card stands in a printed hand."""
    return (-1, 0) if card == "JO" else ("SHCD".index(card[1]), "AKQJT987".index(card[0]))


def _cell(row: Row | None, used: dict[str, str]) -> str:
    """What is best with this exchange; a blank where there is none, or none yet."""
    if row is None:
        return ""
    if row["change"] != "other":
        return _SAME if row["change"] == "same" else _CLOSE
    return _letters(row, used)
