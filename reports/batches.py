"""Turns what many deals told of strategies into the tables that `euchre compare`, `sweep` and `simulate` print."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from reports.tables import new_table, print_footer, rules_text, verdict_first
from reports.text import (
    alike,
    column_digits,
    difference_text,
    percent_decimals,
    percent_text,
    plural,
    points_decimals,
    points_text,
    seconds_text,
)

if TYPE_CHECKING:
    from analyzer.compare import Comparison
    from analyzer.matches import Matches
    from analyzer.sweep import Sweep

_SPARE = (">Calls", ">Euchred", ">Made")
"""What a narrow terminal goes without, the first of them first."""


def print_comparison(found: "Comparison", console: Console) -> None:
    """Print a row for each pair, then who is better than whom, then where it comes from."""
    with verdict_first(console, found.ranking):
        console.print(comparison_table(found))
    about = found.provenance
    games = f" and {plural(about.games, 'game')}" if about.games else ""
    print_footer(
        f"{found.game}{rules_text(found.rules)}; euchre-lab {about.version}, seed {about.seed},"
        f" {plural(about.deals, 'deal')}{games} at {about.seatings} tables a pair, {seconds_text(about.seconds)}",
        console,
    )


def comparison_table(found: "Comparison") -> Table:
    """A row for each pair."""
    has_wins = any(row.win_rate is not None for row in found.rows)
    won = [">Games won"] if has_wins else []
    table = new_table("Strategy", "Against", ">Points", "Verdict", *won, spare=won)
    digits = column_digits((row.points_low, row.points_high) for row in found.rows)
    wins = alike(percent_decimals(row.win_rate, row.win_rate_se) for row in found.rows if row.win_rate is not None)
    for row in found.rows:
        table.add_row(
            row.strategy,
            row.against,
            difference_text(row.points, row.points_low, row.points_high, digits=digits)
            or points_text(row.points, row.points_se),
            row.verdict,
            *([percent_text(row.win_rate, digits=wins)] if has_wins else []),
        )
    return table


def print_sweep(found: "Sweep", console: Console) -> None:
    """Print a row for each value, then the best of them, then where it comes from."""
    with verdict_first(console, [found.verdict]):
        console.print(sweep_table(found))
    about = found.provenance
    who = f"{about.strategy} against {about.against}" if about.against else f"{about.strategy} in every seat"
    print_footer(
        f"{found.game}{rules_text(found.rules)}; euchre-lab {about.version}, seed {about.seed},"
        f" {plural(about.deals, 'deal')}, {who}, {seconds_text(about.seconds)}",
        console,
    )


def sweep_table(found: "Sweep") -> Table:
    """A row for each value."""
    table = new_table(">Value", ">Points", ">Behind best", ">Calls", ">Made", ">Euchred", spare=_SPARE)
    shown = dict.fromkeys(found.best, "bold")
    points = alike(points_decimals(row.points_se) for row in found.rows)
    apart = column_digits((row.difference_low, row.difference_high) for row in found.rows)
    called = [max(1, round(row.deals * row.call_share)) for row in found.rows]
    shares = {"call_share": alike(percent_decimals(row.call_share, n=row.deals) for row in found.rows)}
    for name in ("made", "euchred"):
        rates = ((getattr(row, name), n) for row, n in zip(found.rows, called, strict=True))
        shares[name] = alike(percent_decimals(rate, n=n) for rate, n in rates if rate is not None)
    for row in found.rows:
        table.add_row(
            row.value if isinstance(row.value, str) else f"{row.value:g}",
            points_text(row.points, row.points_se, digits=points),
            difference_text(row.difference, row.difference_low, row.difference_high, digits=apart),
            *(percent_text(getattr(row, name), digits=digits) for name, digits in shares.items()),
            style=shown.get(row.value, ""),
        )
    return table


def print_matches(found: "Matches", console: Console) -> None:
    """Print a row for each player, then how the games ended, then where it comes from."""
    console.print(matches_table(found))
    about = found.provenance
    console.print(length_text(found), style="bold")
    print_footer(
        f"{found.game}{rules_text(found.rules)}; euchre-lab {about.version}, seed {about.seed},"
        f" {plural(about.games, 'game')}, {plural(about.deals, 'deal')}, {seconds_text(about.seconds)}",
        console,
    )


def matches_table(found: "Matches") -> Table:
    """A row for each player."""
    headings = (">Player", "Strategy", ">Games won", ">Mean score", ">Lowest", ">Highest")
    table = new_table(*headings, spare=headings[:2:-1])
    n_sides = len(found.final_scores)
    digits = alike(percent_decimals(row.win_rate, row.win_rate_se) for row in found.rows)
    for row in found.rows:
        scores = found.final_scores[(row.player - 1) % n_sides]["scores"]
        mean = sum(score * count for score, count in scores) / max(1, row.games)
        lowest, highest = scores[0][0], scores[-1][0]
        won = percent_text(row.win_rate, digits=digits)
        table.add_row(str(row.player), row.strategy, won, f"{mean:.1f}", str(lowest), str(highest))
    return table


def length_text(found: "Matches") -> str:
    """How long the games were, in a sentence."""
    left = f" {plural(found.unfinished, 'game was', 'games were')} not over in 4,096 deals." if found.unfinished else ""
    return f"{found.rows[0].deals_per_game:.2f} deals a game.{left}"
