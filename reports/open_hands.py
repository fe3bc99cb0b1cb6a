"""Turns solved open hands into what a player reads: the hands, each side's tricks, and a best line trick by trick."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from reports.hands import tricks_table
from reports.text import cards_text, suit_text

if TYPE_CHECKING:
    from analyzer.solve import Solution

Row = Mapping[str, Any]


def print_solution(row: Row, solution: "Solution", console: Console) -> None:
    """Print the hands of a position, who takes how many tricks, and the line of play if there is one."""
    console.print(f"{row['file']} line {row['line']}", style="bold")
    for seat, hand in enumerate(solution.hands, 1):
        laid = solution.laid.get(seat)
        text = Text(f"Seat {seat}  ") + (cards_text(hand, console) if hand or laid else Text("sits out"))
        if laid:
            text += Text(", " if hand else "") + cards_text(laid, console) + Text(" in the trick")
        console.print(text)
    if solution.play:
        console.print(tricks_table(solution.play, len(solution.hands), console))
    trump = suit_text(row["trump"]).capitalize()
    taken = ", ".join(_taken(side, tricks) for side, tricks in zip(row["sides"], row["tricks"], strict=True))
    console.print(f"{trump} are trump, seat {row['leader']} leads. Tricks: {taken}.", style="bold")
    console.print()


def print_unsolved(row: Row, console: Console) -> None:
    """Print why a line cannot be solved."""
    console.print(f"{row['file']} line {row['line']}: {row['error']}", style="bold red", soft_wrap=True)
    console.print()


def print_unplayed(row: Row, why: str, console: Console) -> None:
    """Print that there is nothing to solve."""
    console.print(f"{row['file']} line {row['line']}: {why}", style="dim", soft_wrap=True)
    console.print()


def _taken(seats: Sequence[int], tricks: int) -> str:
    """What a side takes, in words: `seats 1 and 3 take 4`."""
    if not seats:
        return f"nobody takes {tricks}"
    if len(seats) == 1:
        return f"seat {seats[0]} takes {tricks}"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]} take {tricks}"
