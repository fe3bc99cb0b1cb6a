"""Turns what stands behind an answer into what a player reads: where the unseen cards are, and worlds played out."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.hands import print_cards, print_course
from reports.tables import new_table
from reports.text import cards_text, percent_text

if TYPE_CHECKING:
    from analyzer.looks import PlayedOut, Unseen, World


def print_where(unseen: Sequence["Unseen"], effective: float, console: Console) -> None:
    """Print the share of each unseen card in each place; `effective` as in where_table."""
    console.print()
    console.print(where_table(unseen, effective, console))


def where_table(unseen: Sequence["Unseen"], effective: float, console: Console) -> Table:
    """The share of each unseen card in each place, places that never have one left out.

    `effective`: how many worlds of equal weight the shares come from, 0 where they are exact.
    """
    places = [name for name in unseen[0].shares if any(row.shares[name] for row in unseen)] if unseen else []
    table = new_table("Unseen", "", *(f">{name.capitalize()}" for name in places))
    for row in unseen:
        shares = [percent_text(row.shares[name], n=round(effective) or None) for name in places]
        table.add_row(cards_text(row.card, console), row.about, *shares)
    return table


def print_world(world: "World", number: str, seat: int, names: Mapping[str, str], console: Console) -> None:
    """Print a deal, `3 of 10`, with all cards open, and how it goes under each option; `names` as people read them."""
    counts = "" if world.weight == 1 else f", counts {world.weight:.3g} of the others"
    console.print()
    console.print(f"Deal {number}{counts}", style="bold")
    print_cards(world.options[0].record, console, notes={seat: "(asks)"})
    for played in world.options:
        console.print(Text(f"{names.get(played.option, played.option)}: {_worth(played)}", style="bold"))
        print_course(played.record, played.replay, console)


def _worth(played: "PlayedOut") -> str:
    """The points of an option in a world, in words."""
    points = f"{played.points:+g}" if played.points else "0"
    return f"{points} {'point' if abs(played.points) == 1 else 'points'} to you"
