"""Turns a position, as JSON has it, into the table that its seat sees: who sits where, what was said, what is held."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reports.pages.cards import SUITS, Card, card_of, hand_of

Event = Sequence[Any]

_PLACES = {
    2: {0: "you", 1: "across"},
    3: {0: "you", 1: "left", 2: "right"},
    4: {0: "you", 1: "left", 2: "across", 3: "right"},
}
"""Where a seat is by how far it is to the left, in a game of so many seats."""
_PLAIN = {
    "order": "order up",
    "pickup": "takes it up",
    "leave": "leaves it",
    "dummy": "takes the dummy",
    "together": "not alone",
    "discard": "discards a card",
    "give": "gives a card",
    "return": "returns a card",
}


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat as the asker sees it."""

    number: int
    place: str
    """`you`, `left`, `across`, `right`."""
    who: str
    """`you`, `your partner`, `opponent`, `to your left`."""
    deals: bool
    said: list[str] = field(default_factory=list)
    card: Card | None = None
    """What it has played to the trick."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The table at the decision."""

    seats: list[Seat]
    """In seat order."""
    hand: list[Card]
    dummy: list[Card]
    """The cards of a dummy the asker has taken and not yet chosen from."""
    upcard: Card | None
    about_upcard: str
    """`turned up`, `turned down`, `taken up`."""
    trump: str | None
    """The name of the suit, once it is fixed."""
    tricks: list[list[tuple[int, Card]]]
    """Those that are over: seat and card in the order of play."""

    @property
    def own(self) -> Seat:
        """The asker."""
        return next(seat for seat in self.seats if seat.place == "you")


def scene_of(position: Mapping[str, Any]) -> Scene:
    """What the asker of a position sees."""
    events: list[Event] = position["events"]
    n, own = len(position["hands"]), position["seat"]
    upcard = position.get("upcard")
    up_suit: str | None = position.get("joker_suit") or (upcard[1] if upcard else None)
    trump = _trump(events, up_suit)
    passes = sum(event[1] == "pass" for event in events)
    is_proposed = upcard is not None and trump is None and passes < n
    order = trump or (up_suit if is_proposed else None)
    tricks, table = _tricks(events, order)
    is_over = any(own == seat for seat, _ in table)
    finished = [*tricks, table] if is_over else tricks
    on_table = {} if is_over else dict(table)
    return Scene(
        seats=[
            Seat(
                number=number,
                place=_PLACES[n][(number - own) % n],
                who=who_of(number, own, n),
                deals=number == n,
                said=list(_said(events, number)),
                card=on_table.get(number),
            )
            for number in range(1, n + 1)
        ],
        hand=hand_of(held(position), order),
        dummy=hand_of(position["dummy"].split(), order) if _may_keep(position) else [],
        upcard=card_of(upcard, order) if upcard else None,
        about_upcard=_about_upcard(events, n)
        + (f" for {SUITS[up_suit]}" if up_suit and "joker_suit" in position else ""),
        trump=SUITS[trump] if trump else None,
        tricks=finished,
    )


def held(position: Mapping[str, Any]) -> list[str]:
    """The cards in the asker's hand now: those dealt, less what was laid away, given and played, with what came in."""
    own = position["seat"]
    cards: list[str] = position["hands"][own - 1].split()
    for seat, verb, *rest in position["events"]:
        word: Any = rest[0] if rest else None
        if seat == own:
            if verb == "pickup":
                cards.append(position["upcard"])
            if verb == "dummy" and word is not None:
                cards = word.split()
            elif verb in ("pickup", "discard", "give", "return", "play"):
                cards.remove(word)
        elif verb in ("give", "return") and word is not None:
            cards.append(word)
    return cards


def who_of(number: int, own: int, n: int) -> str:
    """A seat in the asker's words."""
    left = (number - own) % n
    if left == 0:
        return "you"
    if n == 4:
        return "your partner" if left == 2 else "opponent"
    return "opponent" if n == 2 else f"to your {_PLACES[n][left]}"


def said_text(event: Event) -> str:
    """What was said or done, but not played, in a word or three."""
    _, verb, *rest = event
    alone = " alone" if rest[-1:] == ["alone"] else ""
    if verb in ("name", "trump"):
        return SUITS[rest[0]] + alone
    if verb == "bid":
        return str(rest[0])
    return f"{_PLAIN.get(verb, verb)}{alone}"


def _said(events: Sequence[Event], number: int) -> Iterator[str]:
    """What a seat has said and done so far, the cards of a seat together."""
    last = ""
    for event in events:
        if event[0] == number and event[1] != "play":
            text = said_text(event)
            if text != last or text == "pass":
                yield text
            last = text


def _trump(events: Sequence[Event], up_suit: str | None) -> str | None:
    """The letter of the trump suit, once it is fixed."""
    for _, verb, *rest in events:
        if verb == "order":
            return up_suit
        if verb in ("name", "trump"):
            suit: str = rest[0]
            return suit
    return None


def _tricks(events: Sequence[Event], trump: str | None) -> tuple[list[list[tuple[int, Card]]], list[tuple[int, Card]]]:
    """The tricks before the last, and the last: a seat that plays again begins another."""
    tricks: list[list[tuple[int, Card]]] = []
    for seat, verb, *rest in events:
        if verb != "play":
            continue
        if not tricks or any(seat == other for other, _ in tricks[-1]):
            tricks.append([])
        tricks[-1].append((seat, card_of(rest[0], trump)))
    return tricks[:-1], tricks[-1] if tricks else []


def _may_keep(position: Mapping[str, Any]) -> bool:
    """Whether the asker has a dummy before him and has not yet chosen."""
    return "dummy" in position and not any(event[1] == "dummy" for event in position["events"])


def _about_upcard(events: Sequence[Event], n: int) -> str:
    verbs = [event[1] for event in events]
    if "pickup" in verbs:
        return "taken up"
    if "leave" in verbs:
        return "left"
    if verbs[:n] == ["pass"] * n:
        return "turned down"
    return "turned up"
