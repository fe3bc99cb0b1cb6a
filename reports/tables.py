"""Turns results into the tables and sentences that `euchre` prints; every table fits 80 columns.

A table of an answer is read from its JSON, whose names are a promise; nothing is computed here but the digits shown.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.narrow import NarrowTable
from reports.screen import dressed, gap_bar, has_bars
from reports.text import (
    alike,
    count_text,
    difference_text,
    games_apart_text,
    percent_decimals,
    percent_text,
    players_text,
    plural,
    points_decimals,
    points_text,
    score_text,
    seconds_text,
    wrapped_at_commas,
)

if TYPE_CHECKING:
    from analyzer.simulate import Simulation
    from analyzer.verdicts import Told

Row = Mapping[str, Any]

_ANSWER = (">Points", ">Behind best", ">Made", ">March", ">Euchred", ">They\nmake", ">They\nfail", ">Thrown\nin")
_WINS, _APART = ">Wins\ngame", ">Behind in\n100 games"
_SHARES = ("march", "euchred", "other_made", "other_euchred", "thrown_in")


def print_games(rows: Sequence[Row], console: Console) -> None:
    """Print every game with its seats, and a table of its house rules."""
    for game, fields in groupby(rows, key=lambda row: str(row["game"])):
        listed = list(fields)
        first = listed[0]
        also = f" (also {', '.join(first['aliases'])})" if first["aliases"] else ""
        has_partners = " and " in first["sides"]
        who = f"seats {first['sides']}" if has_partners else f"{first['seats']} seats, each for himself"
        console.print(Text(game, style="bold") + Text(f"{also}: {who}; seat {first['seats']} deals"))
        table = new_table("House rule", "Default", "Meaning (what it can be)")
        for row in listed:
            table.add_row(row["rule"], _value(row["default"]), f"{row['meaning']} ({row['allowed']})")
        console.print(table)
        console.print()


def print_strategies(rows: Sequence[Row], console: Console) -> None:
    """Print every strategy with what it is."""
    table = new_table("Strategy", "About")
    for row in rows:
        table.add_row(row["strategy"], row["about"])
    console.print(table)
    console.print("`euchre strategies show NAME` prints one to copy and change; --players takes a name or a file.")


def print_numbers(rows: Sequence[Row], console: Console) -> None:
    """Print every number of a strategy with its bounds and its meaning."""
    table = new_table("Number", ">From", ">To", "Meaning")
    for row in rows:
        table.add_row(row["number"], f"{row['low']:g}", f"{row['high']:g}", row["meaning"])
    console.print(table)


def print_differing(rows: Sequence[Row], first: str, second: str, console: Console) -> None:
    """Print the numbers in which two strategies differ."""
    if not rows:
        console.print(f"{first} and {second} have the same numbers.")
        return
    table = new_table("Game", "Number", f">{first}", f">{second}")
    for row in rows:
        table.add_row(row["game"], row["number"], f"{row['first']:g}", f"{row['second']:g}")
    console.print(table)


def print_answer(
    answer: Mapping[str, Any],
    console: Console,
    *,
    told: "Told | None" = None,
    line: int | None = None,
    all_options: bool = False,
) -> None:
    """Print the options best first, then what to do, then where it comes from; `line` heads one of many answers.

    Without `told` options and sentences are those that programs read.
    """
    if line is not None:
        console.print(f"Line {line}", style="bold")
    table, left_out = answer_table(answer, told=told, all_options=all_options, console=console)
    with verdict_first(console, told.sentences if told else [answer["verdict"]["text"]]):
        console.print(table)
        if left_out:
            console.print(left_out, style="dim")
    score = score_text(answer["position"])
    print_provenance(f"score {score}; " if score else "", answer["provenance"], console)
    if line is not None:
        console.print()


@contextlib.contextmanager
def verdict_first(console: Console, sentences: Iterable[str]) -> Iterator[None]:
    """Print the verdict above what is printed within on a terminal, where one looks, and below it elsewhere."""
    is_first = console.is_terminal
    for sentence in sentences if is_first else ():
        console.print(dressed(sentence, console, "bold"))
    yield
    for sentence in () if is_first else sentences:
        console.print(dressed(sentence, console, "bold"))


def answer_table(
    answer: Mapping[str, Any],
    *,
    told: "Told | None" = None,
    all_options: bool = False,
    console: Console | None = None,
) -> tuple[Table, str]:
    """A row an option, best first, and what the table leaves out, if anything: print_answer's, and a page's.

    Dressed for `console`, if there is one: cards with symbols, gaps with bars where there is room.
    """
    is_exact = answer["provenance"].get("exact")
    shown = answer["options"] if all_options else best_suits(answer["options"], told.named if told else ())
    by_win = answer["verdict"]["decide_by"] == "win"
    has_wins = shown[0]["win_game"] is not None
    names = told.names if told else {}
    points_on, gap_on, *shares_on = _ANSWER
    gap_on = _APART if by_win else gap_on
    is_barred = console is not None and has_bars(console)
    longest = max(-option["difference_low"] for option in shown)
    columns = [*([_WINS] if has_wins else []), points_on, gap_on, *([""] if is_barred else []), *shares_on]
    table = new_table("Option", *columns, gap=1, spare=["", *shares_on[::-1]])
    n = None if is_exact else min(option["deals"] for option in shown)
    wins = alike([percent_decimals(each["win_game"], each["win_game_se"], n) for each in shown] if has_wins else [])
    points = alike(points_decimals(each["points_se"], n) for each in shown)
    made = (percent_decimals(each["made"], (each["made_high"] - each["made_low"]) / 4, n) for each in shown)
    shares = {"made": alike(made)}
    shares |= {name: alike(percent_decimals(each[name], n=n) for each in shown) for name in _SHARES}
    apart, certain = (games_apart_text, min(1, wins)) if by_win else (difference_text, points)
    for option in shown:
        low, high = option["difference_low"], option["difference_high"]
        digits = certain if low == high else None
        name = ", ".join(
            [names.get(option["option"], option["option"]), *(other.split()[-1] for other in option["same"])]
        )
        table.add_row(
            name if console is None else dressed(name, console),
            *([percent_text(option["win_game"], digits=wins)] if has_wins else []),
            points_text(option["points"], 0.0, digits=points),
            "" if option is shown[0] else apart(option["difference"], low, high, digits=digits) or "0",
            *([gap_bar(low, high, longest)] if is_barred else []),
            *(percent_text(option[name], digits=digits) for name, digits in shares.items()),
            style="bold" if option is shown[0] else "",
        )
    left_out = ""
    if len(shown) < len(answer["options"]):
        more = ", and those named" if len(shown) > len(best_suits(answer["options"])) else ""
        left_out = f"The best suit of each level{more}; --all-options shows every one."
    return table, left_out


def best_suits(options: Sequence[Row], named: Sequence[str] = ()) -> list[Row]:
    """Of bids, which name a trump beforehand, keep the best suit of each level and those `named`; the rest as it is."""
    seen: set[str] = set()
    kept = []
    for option in options:
        level = str(option["event"]) if "trump" in option else str(option["option"])
        if level not in seen or option["option"] in named:
            kept.append(option)
            seen.add(level)
    return kept


def print_simulation(simulation: "Simulation", console: Console) -> None:
    """Print one row for each seat and call, then the deals that nobody played, then where it comes from."""
    console.print(simulation_table(simulation))
    console.print(thrown_in_text(simulation))
    console.print(points_note(simulation), style="dim")
    about = {name: getattr(simulation.provenance, name) for name in ("version", "seed", "deals", "players", "seconds")}
    print_provenance(f"{simulation.game}{rules_text(simulation.rules)}; ", about, console)


def simulation_table(simulation: "Simulation", *, is_filled: bool = False) -> Table:
    """A row for each seat and call; a seat and its strategy stand once, unless every row is to be `is_filled`."""
    spare = (">Tricks", ">March", ">Of deals", ">Euchred", ">Made")
    table = new_table(
        ">Seat", "Strategy", "Call", ">Of deals", ">Made", ">March", ">Euchred", ">Points", ">Tricks", spare=spare
    )
    n = simulation.provenance.deals
    for _, rows in groupby(simulation.rows, key=lambda row: row.seat):
        for k, row in enumerate(rows):
            table.add_row(
                "" if k and not is_filled else str(row.seat),
                "" if k and not is_filled else row.strategy,
                row.call,
                percent_text(row.call_share, n=n),
                percent_text(row.made, row.made_se, row.calls),
                percent_text(row.march, row.march_se, row.calls),
                percent_text(row.euchred, row.euchred_se, row.calls),
                points_text(row.points, row.points_se, row.deals if row.call == "all" else row.calls),
                "-" if row.tricks is None else f"{row.tricks:.2f}",
                style="" if k else "bold",
            )
        table.add_section()
    return table


def thrown_in_text(simulation: "Simulation") -> str:
    """How many deals nobody played, in a sentence."""
    n = simulation.provenance.deals
    claimed = f", claimed {percent_text(simulation.claimed, n=n)}" if simulation.claimed else ""
    thrown_in = f"Thrown in {percent_text(simulation.thrown_in, n=n)} of deals{claimed}."
    named = [row.calls for row in simulation.rows if row.call.split()[0] == "name"]
    if named and not any(named) and not simulation.thrown_in:
        return f"{thrown_in} Round two was never reached: the upcard was ordered up in every deal."
    return thrown_in


def points_note(simulation: "Simulation") -> str:
    """What the points and tricks of a row are."""
    n_seats = len({row.seat for row in simulation.rows})
    others = {2: "the other's", 3: "the mean of the two others'", 4: "the other side's"}[n_seats]
    return (
        f"Points of a deal: own less {others}. In a row all, Points and Tricks are means over every deal, whoever"
        " called; in the rows below it, over the deals that the seat so called."
    )


def print_provenance(of: str, provenance: Mapping[str, Any], console: Console) -> None:
    """Print where a result comes from, `of` before it."""
    print_footer(of + provenance_text(provenance), console)


def print_footer(text: str, console: Console) -> None:
    """Print the last line of a table, wrapped at its commas."""
    console.print(Text(wrapped_at_commas(text, console.width), style="dim"))


def provenance_text(provenance: Mapping[str, Any]) -> str:
    """Where a result comes from, in one line."""
    drawn, deals = provenance.get("drawn"), provenance["deals"]
    worked = plural(deals, "deal")
    if provenance.get("exact"):
        worked = f"exact: all {plural(deals, 'possible deal')}"
    how = "looked at" if provenance.get("exact") else "dealt"
    found = f" of {count_text(drawn)} {how}" if drawn and drawn != deals else ""
    effective = provenance.get("effective", deals)
    if round(effective) != deals:
        found += f", which tell as much as {count_text(round(effective))} that fit fully"
    return (
        f"euchre-lab {provenance['version']}, seed {provenance['seed']}, {worked}{found},"
        f" {players_text(provenance['players'])}{_play_text(provenance)}, {seconds_text(provenance['seconds'])}"
    )


def _play_text(provenance: Mapping[str, Any]) -> str:
    """How the cards were played, unless by the rules of thumb: `, rollout:100 play`."""
    play = provenance.get("play", "base")
    return "" if play == "base" else f", {play} play"


def rules_text(rules: Mapping[str, Any]) -> str:
    """House rules behind the name of a game: `, deck=32, joker=true`."""
    return "".join(f", {name}={_value(value)}" for name, value in rules.items())


def new_table(*headers: str, gap: int = 2, spare: Sequence[str] = ()) -> Table:
    """A table of these columns; a heading that begins with > stands over numbers.

    `spare`: headings of those that a terminal too narrow for the table goes without, the first of them first.
    """
    table = NarrowTable(gap, [header.removeprefix(">") for header in spare])
    for header in headers:
        is_number = header.startswith(">")
        table.add_column(
            header.removeprefix(">"),
            justify="right" if is_number else "left",
            no_wrap=is_number,
        )
    return table


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
