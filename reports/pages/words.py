"""Turns a question into a heading and sentences, in a player's words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reports.pages.scene import Scene, said_text, who_of
from reports.text import plural

GAMES = {
    "two-handed": "two-handed Euchre",
    "three-handed": "three-handed Euchre",
    "four-handed": "four-handed Euchre",
    "bid": "Bid Euchre",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ASKED = {
    "order": "order it up or pass",
    "pass": "call or pass",
    "name": "name a suit or pass",
    "bid": "bid or pass",
    "trump": "which suit is trump",
    "pickup": "what to discard",
    "leave": "take it up or leave it",
    "discard": "what to discard",
    "dummy": "the dummy or alone",
    "alone": "alone or not",
    "together": "alone or not",
    "give": "which card to give",
    "return": "which card to return",
    "play": "which card to play",
    "claim": "claim or not",
}
"""What is decided, by the verb of any option but a pass."""


def asked_text(options: Sequence[Mapping[str, Any]], scene: Scene) -> str:
    """What is to be decided: `order it up or pass`."""
    events = [option["event"] for option in options]
    verbs = [event[1] for event in events]
    if "dummy" in verbs and any(event[1:2] == ["dummy"] and event[2:] != [None] for event in events):
        return "which five to keep"
    if verbs[0] == "play" and not any(seat.card for seat in scene.seats):
        return "which card to lead"
    return _ASKED[next((verb for verb in verbs if verb not in ("pass", "claim")), verbs[0])]


def heading_text(game: str, scene: Scene, asked: str) -> str:
    """The heading of a question: `Seat 1, queen of hearts turned up: order it up or pass?`."""
    where = "The dealer" if scene.own.deals else f"Seat {scene.own.number}"
    up = f", {scene.upcard.name} {scene.about_upcard}" if scene.upcard and not scene.trump else ""
    trump = f", {scene.trump} trump" if scene.trump else ""
    bid = ", Bid Euchre" if game == "bid" else ""
    return f"{where}{bid}{up}{trump}: {asked}?"


def question_sentences(answer: Mapping[str, Any], scene: Scene) -> list[str]:
    """The whole question: game, seat, cards, what was said, the score."""
    return list(_sentences(answer, scene))


def _sentences(answer: Mapping[str, Any], scene: Scene) -> Iterator[str]:
    position, own = answer["position"], scene.own
    n = len(scene.seats)
    deals = "You deal and speak last" if own.deals else f"Seat {n} deals"
    seat = f"You sit in seat {own.number} of {n}, counted from the dealer's left"
    yield f"{capital(GAMES[answer['game']])}. {seat}. {deals}."
    cards = _listed([card.name for card in scene.hand])
    yield f"You hold the {cards}." if cards else "You hold no more cards."
    if scene.dummy:
        yield f"The dummy you have taken is the {_listed([card.name for card in scene.dummy])}."
    if scene.upcard:
        yield f"The {scene.upcard.name} was {scene.about_upcard}."
    yield _said_sentence(position["events"], own.number, n)
    if scene.trump:
        yield f"{capital(scene.trump)} are trump."
    led = [seat for seat in scene.seats if seat.card]
    if scene.tricks or led:
        done = f"{capital(_count(len(scene.tricks), 'trick'))} {'is' if len(scene.tricks) == 1 else 'are'} over"
        yield f"{done}." if not led else f"{done}; on the table: {_listed(list(_on_table(position, scene)))}."
    if position.get("scores"):
        yield _score_sentence(position["scores"], own.number, n)


def _on_table(position: Mapping[str, Any], scene: Scene) -> Iterator[str]:
    """The cards of this trick in the order they were played."""
    cards = {seat.number: seat.card for seat in scene.seats if seat.card}
    for event in position["events"][-len(cards) :]:
        card = cards[event[0]]
        assert card is not None
        yield f"the {card.name} ({_who(event[0], scene)})"


def _said_sentence(events: Sequence[Sequence[Any]], own: int, n: int) -> str:
    """Who has said and done what before the first card was played."""
    said = [event for event in events if event[1] != "play"]
    if not said:
        return "Nobody has spoken yet."
    if all(event[1] == "pass" for event in said):
        if len(said) == n:
            return f"All {_count(n)} have passed, and it is your turn again."
        if len(said) < n:
            return f"{capital(_listed([_named(event[0], own, n) for event in said]))} passed."
    return "Said so far: " + "; ".join(f"{_named(event[0], own, n)} {said_text(event)}" for event in said) + "."


def _score_sentence(scores: Sequence[int], own: int, n: int) -> str:
    """The score, one's own first."""
    if n == 4:
        mine, theirs = scores[(own - 1) % 2], scores[own % 2]
        return f"Your side has {plural(mine, 'point')}, the other side {theirs}."
    others = [f"seat {place} has {score}" for place, score in enumerate(scores, 1) if place != own]
    return f"You have {plural(scores[own - 1], 'point')}, {_listed(others)}."


def _who(number: int, scene: Scene) -> str:
    return f"seat {number}, {who_of(number, scene.own.number, len(scene.seats))}"


def _named(number: int, own: int, n: int) -> str:
    """`seat 2` or, of the partner, `seat 2, your partner`."""
    who = who_of(number, own, n)
    return "you" if who == "you" else f"seat {number} ({who})" if who == "your partner" else f"seat {number}"


def _count(n: int, noun: str = "") -> str:
    """`four`, `one trick`, `three tricks`."""
    number = _NUMBERS[n] if n < len(_NUMBERS) else str(n)
    return f"{number} {noun}{'' if n == 1 else 's'}" if noun else number


def seated_text(names: Sequence[str]) -> str:
    """Who plays, in seat order: `standard in every seat`, `standard, bold`."""
    return ", ".join(names) if len(set(names)) > 1 else f"{names[0]} in every seat"


def capital(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]


def _listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if words[1:] else "".join(words)
