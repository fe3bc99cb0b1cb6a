"""Turns the text of cards into masks and masks into text.

A mask is an int that holds cards as bits, 16 to a suit from clubs (bit 0) over diamonds and hearts to spades (bit 48),
so that suit s ^ 3 is the other suit of the same colour. Within a suit a single pack has one bit for each of 7 8 9 T J Q
K A, a double pack two for each of 9 T J Q K A, one a copy. The joker is bit 10 of clubs. Kernels read the same masks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NoReturn

from analyzer.errors import QuestionError, nearest

SUITS: Final = "CDHS"
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
LANE: Final = 16
JOKER: Final = 1 << 10
JOKER_TEXT: Final = "JO"

_RANKS: Final = "789TJQKA"
_DOUBLE_RANKS: Final = "9TJQKA"
_PRINTED_SUITS: Final = (3, 2, 0, 1)  # black and red in turn are told apart at a glance
_COUNTED: Final = ("once", "twice", "three times", "four times")

_SYMBOLS: Final = str.maketrans("♣♧♦♢♥♡♠♤", "CCDDHHSS", "\ufe0e\ufe0f")
_ANY_CARD: Final = re.compile(r"([2-9TJQKA])([CDHS])|([CDHS])([2-9TJQKA])")
_FILE_CARD: Final = re.compile(r"([2-9TJQKA])([CDHS])")


@dataclass(frozen=True, slots=True)
class Pack:
    """The cards a game is played with: 24, 32 or 48 (two of 24), and perhaps a joker, never with 48."""

    deck: int
    joker: bool = False

    def __post_init__(self) -> None:
        """Refuse packs that no game has; questions are checked earlier, by the rules."""
        if self.deck not in (24, 32, 48) or (self.joker and self.deck == 48):
            raise ValueError(f"no such pack: {self}")

    def __str__(self) -> str:
        """Name the pack in a sentence: `24 cards, 9 to A, and the joker`."""
        text = f"{self.deck} cards, {self.ranks[0]} to A"
        if self.copies == 2:
            text += ", two of each"
        return text + (", and the joker" if self.joker else "")

    @property
    def copies(self) -> int:
        """How often the pack has each card."""
        return 2 if self.deck == 48 else 1

    @property
    def ranks(self) -> str:
        """The ranks of a plain suit, low to high."""
        return _RANKS if self.deck == 32 else _DOUBLE_RANKS

    @property
    def cards(self) -> int:
        """Every card of the pack, as a mask."""
        return _every_card(self)

    def __len__(self) -> int:
        """How many cards the pack has, the joker included."""
        return self.deck + self.joker


def parse_cards(text: str, pack: Pack, *, strict: bool = False, taken: int = 0) -> int:
    """Return the mask of the cards written in `text`, separated by spaces or commas; no card at all is 0.

    Any case, `10H`, `J♥`, `♥J` and `joker` are read; with `strict` only what files hold: `TH`, `JO`, single spaces.
    Of a double pack one `JH` is the lower of its two bits, unless `taken` has that bit. Cards in `taken` are gone.

    Raises QuestionError for what is no card, not in the pack, or there more often than the pack has it.
    """
    mask = 0
    bits_of = _bits_of(pack)
    for word in _split(text, strict):
        card = word if word in bits_of else _read_card(word, pack, strict)
        for bit in bits_of.get(card) or _no_card(card, pack):
            if not (mask | taken) & bit:
                mask |= bit
                break
        else:
            raise QuestionError(_too_often(card, pack))
    return mask


def parse_card(text: str, pack: Pack, *, strict: bool = False, taken: int = 0) -> int:
    """Return the mask of the one card written in `text`, read as in `parse_cards`.

    Raises QuestionError where `parse_cards` does, and for any other number of cards.
    """
    mask = parse_cards(text, pack, strict=strict, taken=taken)
    if mask.bit_count() != 1:
        raise QuestionError(f'expected one card, such as JH, but read "{text}"')
    return mask


def cards_text(mask: int, pack: Pack) -> str:
    """Return the cards as files hold them, the joker first, then spades, hearts, clubs, diamonds, each high to low."""
    return " ".join(text for bit, text in _printed(pack) if mask & bit)


def each_card(mask: int) -> Iterator[int]:
    """Yield every card of a mask as a mask of its own, from the lowest bit up."""
    while mask:
        card = mask & -mask
        yield card
        mask ^= card


def card_suit(card: int) -> int | None:
    """Return the suit printed on one card, 0 to 3, or None for the joker."""
    return None if card == JOKER else (card.bit_length() - 1) // LANE


def parse_suit(text: str, *, strict: bool = False) -> int:
    """Return the suit, 0 to 3, of `hearts`, `heart`, `h`, `♥` in any case; with `strict` of `C`, `D`, `H`, `S` alone.

    Raises QuestionError for anything else.
    """
    if strict:
        if len(text) != 1 or text not in SUITS:
            raise QuestionError(f'"{text}" is not a suit: expected C, D, H or S')
        return SUITS.index(text)
    word = text.strip().translate(_SYMBOLS).casefold()
    for suit, name in enumerate(SUIT_NAMES):
        if word in (name, name[:-1], name[0]):
            return suit
    hint = nearest(word, SUIT_NAMES)
    raise QuestionError(
        f'"{text}" is not a suit: expected clubs, diamonds, hearts or spades{"; " + hint if hint else ""}'
    )


def suit_name(suit: int) -> str:
    """Return `clubs`, `diamonds`, `hearts` or `spades` for suit 0 to 3."""
    return SUIT_NAMES[suit]


def _split(text: str, strict: bool) -> list[str]:
    if strict:
        return text.split(" ") if text else []
    return text.replace(",", " ").split()


def _read_card(word: str, pack: Pack, strict: bool) -> str:
    """Return the file form of one word, or refuse it."""
    if strict:
        found, card = _FILE_CARD.fullmatch(word), word
    else:
        card = word.translate(_SYMBOLS).upper().replace("10", "T")
        found = _ANY_CARD.fullmatch(card)
    if card == JOKER_TEXT or (card == "JOKER" and not strict):
        return JOKER_TEXT
    if not found:
        ranks = " ".join(pack.ranks)
        raise QuestionError(
            f'"{word}" is not a card: expected a rank of {ranks} and a suit of C D H S, as in JH;'
            f" {'one space' if strict else 'spaces'} between cards"
        )
    return card if card[1] in SUITS else card[1] + card[0]


@cache
def _bits_of(pack: Pack) -> dict[str, tuple[int, ...]]:
    """Return the bits of every card in file form, lowest first."""
    bits: dict[str, tuple[int, ...]] = {}
    for bit, text in sorted(_printed(pack)):
        bits[text] = (*bits.get(text, ()), bit)
    return bits


@cache
def _every_card(pack: Pack) -> int:
    return sum(bit for bit, _ in _printed(pack))


def _no_card(card: str, pack: Pack) -> NoReturn:
    """Refuse a card in file form that the pack does not have."""
    if card == JOKER_TEXT:
        cure = "a double pack has none" if pack.deck == 48 else "the house rule joker=true adds it"
        raise QuestionError(f"the joker is not in the pack ({pack}); {cure}")
    cure = "; a pack of 32 has it" if pack.deck == 24 and card[0] in _RANKS else ""
    raise QuestionError(f"{card} is not in the pack ({pack}){cure}")


def _too_often(card: str, pack: Pack) -> str:
    name = "the joker" if card == JOKER_TEXT else card
    return f"{name} is there {_COUNTED[pack.copies]}: the pack has it {_COUNTED[pack.copies - 1]} ({pack})"


@cache
def _printed(pack: Pack) -> tuple[tuple[int, str], ...]:
    """Return every card of the pack with its text, in printed order."""
    plain = (
        (1 << (LANE * suit + _rank_bit(rank, copy, pack)), rank + SUITS[suit])
        for suit in _PRINTED_SUITS
        for rank in reversed(pack.ranks)
        for copy in reversed(range(pack.copies))
    )
    return (((JOKER, JOKER_TEXT),) if pack.joker else ()) + tuple(plain)


def _rank_bit(rank: str, copy: int, pack: Pack) -> int:
    return 2 * _DOUBLE_RANKS.index(rank) + copy if pack.copies == 2 else _RANKS.index(rank)
