"""Turns hand records into what a player reads: the hands, what was said, and every trick."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.tables import new_table
from reports.text import cards_text, suit_text

if TYPE_CHECKING:
    from analyzer.record import HandRecord, Replay, Trick

Row = Mapping[str, Any]

_DONE_WITH = {"pickup": " and discard", "dummy": " and keep"}
"""What is done with the cards of an event where its verb does not say it."""


def print_deal(record: "HandRecord", console: Console) -> None:
    """Print the hands of a deal, the dealer last, and what else is on the table."""
    dealt = [f"{name} {value}" for name, value in (("seed", record.seed), ("deal", record.deal)) if value is not None]
    _print_heading(console, record, dealt)
    print_cards(record, console)
    console.print()


def print_replay(row: Row, record: "HandRecord", replay: "Replay", console: Console) -> None:
    """Print a hand that keeps the rules: the deal, the calling, the tricks, the result."""
    _print_heading(console, record, [f"{row['file']} line {row['line']}"])
    print_cards(record, console)
    print_course(record, replay, console)
    console.print()


def print_course(record: "HandRecord", replay: "Replay", console: Console) -> None:
    """Print how a deal went: what was said, the tricks, the result."""
    said = [event for event in record.events if event[1] != "play"]
    if said:
        console.print(Text("Said: ") + Text(", ").join(_event_text(event, console) for event in said))
    if replay.tricks:
        console.print(tricks_table(replay.tricks, len(record.hands), console))
    console.print(result_text(replay.result), style="bold")


def print_broken(row: Row, console: Console) -> None:
    """Print where a hand breaks which rule."""
    event = row["event"]
    place = "the result" if event is None else "the deal" if event == 0 else f"event {event}"
    console.print(f"{row['file']} line {row['line']}, {place}: {row['reason']}", style="bold red", soft_wrap=True)
    console.print()


def result_text(result: Mapping[str, Any]) -> str:
    """A result in a sentence: `Diamonds are trump, maker seat 1; tricks by seat: 4, 1; points by seat: 1, 0.`."""
    points = ", ".join(map(str, result["points"]))
    if "claimed" in result:
        return f"Seat {result['claimed']} claimed an ace and no face: thrown in."
    if "thrown_in" in result:
        return f"Thrown in; points: {points}."
    bid = f", bid {result['bid']}" if "bid" in result else ""
    alone = "".join(f", seat {seat} alone" for seat in result["alone"])
    tricks = ", ".join(map(str, result["tricks"]))
    whose = "seat" if len(result["points"]) == len(result["tricks"]) else "side"
    trump = suit_text(result["trump"]).capitalize()
    maker = f"maker seat {result['maker']}{bid}{alone}"
    fined = f"{_reneged_text(result)}; " if result.get("reneged") else ""
    return f"{trump} are trump, {maker}; tricks by seat: {tricks}; {fined}points by {whose}: {points}."


def _reneged_text(result: Mapping[str, Any]) -> str:
    """Who reneged and who was noticed: `reneged: seats 2, 4, noticed: seat 4`."""
    told = {"reneged": result["reneged"], "noticed": result["caught"]}
    words = {
        what: f"seat{'s' * (len(seats) > 1)} {', '.join(map(str, seats))}" if seats else "nobody"
        for what, seats in told.items()
    }
    return ", ".join(f"{what}: {who}" for what, who in words.items())


def _print_heading(console: Console, record: "HandRecord", about: Sequence[str]) -> None:
    rules = [f"{name}={str(value).lower()}" for name, value in record.rules.items()]
    console.print(Text(", ".join([record.game, *rules, *about]), style="bold"))


def print_cards(record: "HandRecord", console: Console, notes: Mapping[int, str] | None = None) -> None:
    """Print the hands and the cards on the table, a line each; `notes` are words to put at seats."""
    grid = Table.grid(padding=(0, 2))
    for seat, hand in enumerate(record.hands, 1):
        player = record.players[seat - 1] if record.players else ""
        who = " ".join(filter(None, [player, "(deals)" if seat == len(record.hands) else "", (notes or {}).get(seat)]))
        grid.add_row(f"Seat {seat}", who, cards_text(hand, console))
    for name in ("dummy", "upcard", "stock"):
        if (cards := getattr(record, name)) is not None:
            suit = f" ({suit_text(record.joker_suit)})" if name == "upcard" and record.joker_suit else ""
            grid.add_row(name.capitalize(), "", cards_text(cards, console) + Text(suit))
    console.print(grid)


def _event_text(event: Sequence[Any], console: Console) -> Text:
    """An event as it was said: `1 pass`, `3 pickup and discard 9C`, `2 name hearts alone`."""
    seat, verb, *rest = event
    text = Text(f"{seat} {verb}{_DONE_WITH.get(verb, '')}")
    for word in rest:
        if verb in ("name", "trump") and word != "alone":
            text.append(f" {suit_text(word)}")
        elif verb in ("bid", "name", "order"):
            text.append(f" {word}")
        else:
            text.append(" ").append_text(cards_text(word, console))
    return text


def tricks_table(tricks: Sequence["Trick"], n_seats: int, console: Console) -> Table:
    """The tricks, a column for each seat; > is before the card that led, * after the one that won, ! that reneged."""
    signs = "* won, > led" + ", ! reneged" * any(trick.reneged for trick in tricks)
    table = new_table(">Trick", *(f"Seat {seat}" for seat in range(1, n_seats + 1)), signs)
    for number, trick in enumerate(tricks, 1):
        cards = [Text("")] * n_seats
        for seat, card in trick.cards:
            led, won = ">" if seat == trick.leader else " ", "*" if seat == trick.winner else ""
            cards[seat - 1] = Text(led) + cards_text(card, console) + Text(won + "!" * (seat in trick.reneged))
        table.add_row(str(number), *cards, f"seat {trick.winner}")
    return table
