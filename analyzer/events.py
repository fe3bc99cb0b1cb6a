"""Turns events, as they stand in files, into steps of the kernels, and back.

An event is the list ``[3, "pickup", "TC"]``; in the kernels it is one step or two (verb, what) of the seat in turn.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from analyzer.border import Vector, level_number, level_word
from analyzer.cards import cards_text, parse_card, parse_cards, parse_suit
from analyzer.errors import QuestionError
from analyzer.rules import Rules
from kernels import values, worlds

Event = list[Any]
"""``[seat, verb, ...]`` as in a record; seats from 1; a card the reader did not see is None."""
SUIT_LETTERS = "CDHS"
UNKNOWN = worlds.UNKNOWN


class Step(NamedTuple):
    """What a seat says or does, as kernels write it."""

    verb: int
    what: int


_WORDS = {
    values.PASS: "pass",
    values.SAY_ORDER: "order",
    values.SAY_NAME: "name",
    values.TAKE_UP: "pickup",
    values.LEAVE: "leave",
    values.GO_ALONE: "alone",
    values.TOGETHER: "together",
    values.LAY_DOWN: "discard",
    values.CLAIM: "claim",
    values.SAY_BID: "bid",
    values.SAY_TRUMP: "trump",
    values.HAND_OVER: "give",
    values.HAND_BACK: "return",
    values.LAY: "play",
}
_VERBS = {word: verb for verb, word in _WORDS.items()}
_WITH_CARD = values.WITH_CARDS - {values.KEEP_FIVE}


def event_of(rules: Rules, seat: int, *steps: Step) -> Event:
    """The event in a file's words of one step, or of the two of a dummy taken; seat from 1."""
    step = steps[0]
    if step.verb == values.TAKE_DUMMY:
        kept = cards_text(steps[1].what, rules.pack) if len(steps) > 1 else None
        return [seat, "dummy", kept]
    if step.verb == values.KEEP_FIVE:
        return [seat, "dummy", cards_text(step.what, rules.pack)]
    event: Event = [seat, _WORDS[step.verb]]
    if step.verb in _WITH_CARD:
        event.append(cards_text(step.what, rules.pack))
    elif step.verb == values.SAY_ORDER and step.what:
        event.append("alone")
    elif step.verb == values.SAY_NAME:
        event += [SUIT_LETTERS[step.what & 3], *(["alone"] if step.what > 3 else [])]
    elif step.verb == values.SAY_BID:
        event.append(level_word(rules, step.what))
    elif step.verb == values.SAY_TRUMP:
        event.append(SUIT_LETTERS[step.what])
    return event


def steps_of(rules: Rules, event: Event) -> list[Step]:
    """The steps of a well-formed event; a card that is None becomes UNKNOWN. Text of cards is a file's.

    Raises QuestionError for a card or a suit that cannot be read, KeyError for a verb or level there is not.
    """
    word, *rest = event[1:]
    if word == "dummy":
        kept = UNKNOWN if rest[0] is None else parse_cards(rest[0], rules.pack, strict=True)
        return [Step(values.TAKE_DUMMY, 0), Step(values.KEEP_FIVE, kept)]
    verb = _VERBS[word]
    if verb in _WITH_CARD:
        return [Step(verb, UNKNOWN if rest[0] is None else parse_card(rest[0], rules.pack, strict=True))]
    if verb == values.SAY_ORDER:
        return [Step(verb, len(rest))]
    if verb == values.SAY_NAME:
        return [Step(verb, parse_suit(rest[0], strict=True) + 4 * (len(rest) - 1))]
    if verb == values.SAY_BID:
        return [Step(verb, level_number(rules, rest[0]))]
    if verb == values.SAY_TRUMP:
        return [Step(verb, parse_suit(rest[0], strict=True))]
    return [Step(verb, 0)]


# --- all events of a record ---


@lru_cache(maxsize=64)
def _usual_events(rules: Rules) -> dict[tuple[Any, ...], Step]:
    """The step of every event there can be, by its words without the seat; for `dummy` see _rows."""
    cards = dict.fromkeys(cards_text(rules.pack.cards, rules.pack).split())
    said: list[tuple[Any, ...]] = [(word,) for word in ("pass", "order", "leave", "alone", "together", "claim")]
    said += [("order", "alone")]
    said += [(word, suit) for word in ("name", "trump") for suit in SUIT_LETTERS]
    said += [("name", suit, "alone") for suit in SUIT_LETTERS]
    said += [("bid", level) for level in rules.levels]
    said += [(word, card) for word, verb in _VERBS.items() if verb in _WITH_CARD for card in cards]
    return {words: steps_of(rules, [1, *words])[0] for words in said}


def rows_of(rules: Rules, events: Sequence[Any]) -> Vector | None:
    """int64[n, 3], the seat from 0, verb and what of every step; None where an event is not written as usual."""
    usual, n_seats = _usual_events(rules), rules.n_seats
    rows: list[tuple[int, int, int]] = []
    try:
        for seat, *words in events:
            is_seat = type(seat) is int and 1 <= seat <= n_seats
            if not is_seat or (words[0] == "bid" and type(words[1]) is float):
                return None  # true is equal to 1, and 3.0 to 3
            if words[0] == "dummy":
                rows += [(seat - 1, *step) for step in steps_of(rules, [seat, *words])]
            else:
                rows.append((seat - 1, *usual[tuple(words)]))
    except (TypeError, ValueError, LookupError, AttributeError, QuestionError):
        return None
    return np.array(rows, np.int64).reshape(-1, 3)
