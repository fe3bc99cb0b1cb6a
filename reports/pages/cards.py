"""Turns cards as files have them, `JH`, into what is drawn and read aloud, a hand in the order players hold it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_NEXT = {"C": "S", "S": "C", "D": "H", "H": "D"}
"""The other suit of the same colour."""
_RANKS = {"7": "seven", "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_ORDER = "789TJQKA"
_ALTERNATING = "SHCD"
"""Black and red by turns, so that suits beside each other are told apart."""
_JOKER = "JO"
_SYMBOLS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}


_WORD = re.compile(r"\b([789TJQKA])([CDHS])\b")


@dataclass(frozen=True, slots=True)
class Card:
    """One card as it is drawn."""

    rank: str
    """What stands in its corner: `10`, `J`; of the joker a star."""
    suit: str | None
    """`hearts`; None for the joker."""
    name: str
    """`jack of hearts`."""
    bower: str = ""
    """`right bower` or `left bower` where the trump is known or proposed."""

    @property
    def short(self) -> str:
        """`J♥`."""
        return self.rank + _SYMBOLS.get(self.suit or "", "")

    @property
    def is_red(self) -> bool:
        """Whether it is red."""
        return self.suit in ("diamonds", "hearts")


def card_of(text: str, trump: str | None = None) -> Card:
    """The card of a text; `trump` is the letter of a suit."""
    if text == _JOKER:
        return Card("★", None, "joker")
    rank, suit = text[0], text[1]
    bower = ""
    if rank == "J" and trump is not None:
        bower = {trump: "right bower", _NEXT[trump]: "left bower"}.get(suit, "")
    return Card("10" if rank == "T" else rank, SUITS[suit], f"{_RANKS[rank]} of {SUITS[suit]}", bower)


def hand_of(cards: Sequence[str], trump: str | None = None) -> list[Card]:
    """A hand as it is held: trumps first, the best on the left; then suit by suit."""
    return [card_of(text, trump) for text in sorted(cards, key=lambda text: _place(text, trump))]


def _place(text: str, trump: str | None) -> tuple[int, int]:
    """The suit's place in the hand, and the card's in the suit."""
    if text == _JOKER:
        return -1, -3
    rank, suit = text[0], text[1]
    if trump is None:
        return _ALTERNATING.index(suit), -_ORDER.index(rank)
    if rank == "J" and suit in (trump, _NEXT[trump]):
        return -1, -2 if suit == trump else -1
    suits = [trump, *(each for each in _ALTERNATING if each not in (trump, _NEXT[trump])), _NEXT[trump]]
    if suit == trump:
        return -1, len(_ORDER) - _ORDER.index(rank)
    return suits.index(suit), -_ORDER.index(rank)


def with_suits(text: str) -> Markup:
    """A text in which cards are words, `play 9C`, as the page has it: `play 9♣`, red ones in red."""
    return Markup(_WORD.sub(lambda word: _shown(card_of(word[0])), str(escape(text))))


def _shown(card: Card) -> str:
    return f'<span class="suit-red">{card.short}</span>' if card.is_red else card.short
