"""Turns an event as a file has it into steps of a table, or refuses it in the words of the game.

What is legal is the table's to say (Table); here it is only read, matched and, where it is not, explained.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from analyzer.border import level_word
from analyzer.cards import cards_text, suit_name
from analyzer.errors import QuestionError, nearest
from analyzer.events import UNKNOWN, Event, Step, steps_of
from analyzer.rules import Rules
from analyzer.table import Table
from kernels import values

Fields = TypeVar("Fields", bound=msgspec.Struct)

_TASKS: Final = {
    "order": "call",
    "name": "call",
    "pickup": "take the upcard or leave it",
    "dummy": "take the dummy or go alone",
    "keep": "keep five of his ten cards",
    "defend": "say alone or together",
    "discard": "discard a card",
    "bid": "bid",
    "trump": "name trump",
    "give": "give his partner a card",
    "return": "return a card",
    "play": "play a card",
}
_CARD, _CARDS, _SUIT, _LEVEL, _ALONE = "card", "cards", "suit", "level", "alone"
_ARGUMENTS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "pass": ((),),
    "order": ((), (_ALONE,)),
    "name": ((_SUIT,), (_SUIT, _ALONE)),
    "pickup": ((_CARD,),),
    "leave": ((),),
    "dummy": ((_CARDS,),),
    "alone": ((),),
    "together": ((),),
    "discard": ((_CARD,),),
    "claim": ((),),
    "bid": ((_LEVEL,),),
    "trump": ((_SUIT,),),
    "give": ((_CARD,),),
    "return": ((_CARD,),),
    "play": ((_CARD,),),
}
_UNSAID: Final = {
    "pickup": "the card that the dealer discarded",
    "discard": "the card that the dealer discarded",
    "dummy": 'which five cards the maker kept, as in [1, "dummy", "AS AH JS JH QC"],',
    "give": "the card that the bidder gave",
    "return": "the card that the partner returned",
    "play": "the card that was played",
}
_LONGEST: Final = 60


def shown(read: object) -> str:
    """What was read, as JSON, cut short where it is long."""
    try:
        text = json.dumps(read, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # an int of thousands of digits; lists within lists
        return "what was read"
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}


def fields_of(read: object, kind: type[Fields], what: str) -> Fields:
    """Return the fields of a JSON value that should be `what`, a record or a position.

    Raises QuestionError for what is no object, has another format, unknown or missing fields, or values of another
    kind.
    """
    if not isinstance(read, dict):
        raise QuestionError(f"a {what} is a JSON object, read {shown(read)}")
    if read.get("format", 1) != 1:
        raise QuestionError(f"the format is {shown(read['format'])}: this version reads format 1")
    try:
        return msgspec.convert(read, kind)
    except msgspec.ValidationError as error:
        raise QuestionError(f"this is no {what}: {_fault(error, read, kind)}") from error


def _fault(error: msgspec.ValidationError, read: Mapping[str, Any], kind: type[msgspec.Struct]) -> str:
    """Why a JSON object is not of this kind, in our words: the field, what is expected, what was read."""
    said = str(error)
    if missing := re.search(r"missing required field `(.*)`", said):
        return f"{missing[1]} is missing"
    if unknown := re.search(r"unknown field `(.*)`", said, re.DOTALL):
        names = kind.__struct_fields__
        hint = nearest(unknown[1], names) or f"expected {', '.join(names)}"
        return f"the field {shown(unknown[1])} does not belong in one: {hint}"
    where = re.search(r" - at `\$\.(\w+)(?:\[(\d+)\])?", said)
    if not where:
        return "expected the form told in docs/formats.md"
    field, place = where.groups()
    value = read[field][int(place)] if place else read[field]
    words = re.findall(r"\w+", said.partition("`, got")[0])
    kinds = [_KINDS[word] for word in words if word in _KINDS and not (word == "int" and "float" in words)]
    return f"{field}: expected {' or '.join(kinds) or 'something else'}, read {shown(value)}"


def task_of(table: Table) -> str:
    """What the seat to act is to do: `call`, `play a card`."""
    if table.phase == "pickup" and all(step.verb != values.LEAVE for step in table.steps()):
        return "take the upcard and discard"
    return _TASKS[table.phase]


def take_event(
    table: Table, event: Any, *, is_seen: bool = True, kept_back: int = 0, typed: str | None = None
) -> list[Step]:
    """Move a table on by one event and return its steps as the table took them.

    With `is_seen` false the event has None for its cards: some legal ones, not of `kept_back` (a mask in printed
    order) where others will do, are moved and UNKNOWN stands in the steps returned. `typed` is the word that was
    typed for the event, if it does not come from a file.

    Raises QuestionError, in the game's words, for what is no event or is not legal now; the table is then spoilt.
    """
    word = _checked_seat_and_verb(table, event, typed)
    _check_arguments(table, word, event[2:], is_seen)
    steps = []
    for wanted in steps_of(table.rules, event):
        legal = _match(table, wanted, kept_back)
        if legal is None:
            raise QuestionError(_why_not(table, word, shown(event[1:] if typed is None else typed), wanted))
        table.apply(legal)
        steps.append(Step(wanted.verb, UNKNOWN) if wanted.what == UNKNOWN else legal)
    return steps


# --- is it an event at all? ---


def _checked_seat_and_verb(table: Table, event: Any, typed: str | None) -> str:
    """The verb of an event of the seat to act."""
    if not isinstance(event, list) or len(event) < 2 or type(event[0]) is not int or not isinstance(event[1], str):
        raise QuestionError(f'{shown(event)} is no event: expected a seat and what it did, as in [1, "pass"]')
    if table.is_done:
        raise QuestionError(f"the deal is over: nothing follows it, read {shown(event if typed is None else typed)}")
    seat, word = event[:2]
    rules = table.rules
    if not 1 <= seat <= rules.n_seats:
        raise QuestionError(f"there is no seat {shown(seat)}: {rules.game.name} has seats 1 to {rules.n_seats}")
    if word not in _ARGUMENTS:
        hint = nearest(word[:_LONGEST], _ARGUMENTS) or f"expected one of {', '.join(_ARGUMENTS)}"
        raise QuestionError(f"nobody can do {shown(word)}: {hint}")
    if seat != table.seat:
        raise QuestionError(f"it is seat {table.seat}'s turn to {task_of(table)}, read seat {seat}")
    return str(word)


def _check_arguments(table: Table, word: str, arguments: Event, is_seen: bool) -> None:
    """Refuse too few, too many, or values of another kind than the verb takes."""
    for kinds in _ARGUMENTS[word]:
        if len(kinds) == len(arguments):
            for kind, value in zip(kinds, arguments, strict=True):
                _check_argument(table.rules, word, kind, value, is_seen)
            return
    forms = " or ".join(json.dumps([table.seat, word, *kinds]) for kinds in _ARGUMENTS[word])
    raise QuestionError(f"expected {forms}, read {shown([table.seat, word, *arguments])}")


def _check_argument(rules: Rules, word: str, kind: str, value: object, is_seen: bool) -> None:
    if kind == _LEVEL:
        if not rules.levels:
            raise QuestionError(
                f"nobody bids in {rules.game.name}: a call there is to pass, to order or to name a suit"
            )
        if not any(type(value) is type(level) and value == level for level in rules.levels):
            levels = ", ".join(map(str, rules.levels))
            raise QuestionError(f"there is no bid of {shown(value)}: the bids are {levels}")
    elif kind == _ALONE:
        if value != "alone":
            raise QuestionError(f'expected "alone", read {shown(value)}')
    elif kind in (_CARD, _CARDS) and not is_seen:
        if value is not None:
            raise QuestionError(f"{shown(value)} was not seen: expected null")
    elif value is None and word in _UNSAID:
        raise QuestionError(f"{_UNSAID[word]} is missing: null is only for cards that the seat asking did not see")
    elif not isinstance(value, str) or len(value) > _LONGEST:
        what = {_CARD: "a card", _CARDS: "five cards", _SUIT: "a suit"}[kind]
        raise QuestionError(f"expected {what} as text, read {shown(value)}")


def _match(table: Table, wanted: Step, kept_back: int) -> Step | None:
    """The step that is wanted and can be taken; of a double pack either twin will do, of unseen cards any."""
    steps = table.held() if table.rules.can_renege and table.phase == "play" else table.steps()
    legal = [step for step in steps if step.verb == wanted.verb]
    if wanted.what == UNKNOWN:
        return min(legal, key=lambda step: step.what & kept_back, default=None)
    if wanted.verb in values.WITH_CARDS and table.rules.pack.copies == 2:
        return next((step for step in legal if step.what & _copies(table, wanted.what)), None)
    return next((step for step in legal if step.what == wanted.what), None)


def _copies(table: Table, card: int) -> int:
    """The one card, or in a double pack it and its twin; of twins text names the lower bit."""
    return card | card << 1 if table.rules.pack.copies == 2 else card


# --- why not? ---


def _why_not(table: Table, word: str, read: str, wanted: Step) -> str:
    """Why a well-formed event of the seat to act, `read` so, is not legal now."""
    phases, explain = _EXPLAINED[wanted.verb]
    if table.phase in phases:
        return explain(table, wanted)
    if table.phase == "order" and word == "name":
        return "no suit is named before the upcard is turned down: to call its suit, order it"
    if table.phase == "name" and word == "order":
        return "the upcard is turned down: nobody can order it now"
    return f"seat {table.seat} is to {task_of(table)}, read {read}"


def _text(table: Table, cards: int) -> str:
    return cards_text(cards, table.rules.pack)


def _hand(table: Table) -> int:
    """The hand of the seat to act, before the play."""
    return int(table.state[values.HAND + table.seat - 1])


def _not_held(table: Table, wanted: Step) -> str:
    return f"seat {table.seat} does not hold {_text(table, wanted.what)}"


def _no_pass(table: Table, _: Step) -> str:
    return f"the dealer is stuck: he may not pass and must {'bid' if table.phase == 'bid' else 'name a suit'}"


def _no_order(table: Table, wanted: Step) -> str:
    if wanted.what:
        return f"nobody goes alone with his call in {table.rules.game.name}"
    return "the dealer's partner may order only alone"


def _no_name(table: Table, wanted: Step) -> str:
    suit = wanted.what & 3
    if suit == table.state[values.UP_SUIT] and table.rules.turned_down_suit == "barred":
        return f"the suit turned down may not be named: {suit_name(suit)}"
    return f"nobody goes alone with his call in {table.rules.game.name}"


def _no_pickup(table: Table, wanted: Step) -> str:
    if wanted.what == table.state[values.UP]:
        return f"the upcard just taken may not be discarded: {_text(table, wanted.what)}"
    return _not_held(table, wanted)


def _no_leave(_table: Table, _: Step) -> str:
    return "the dealer may not leave the upcard: he must take it and discard"


def _no_keep(table: Table, wanted: Step) -> str:
    strangers = wanted.what & ~(_hand(table) | int(table.state[values.AT_DUMMY]))
    if strangers:
        return f"{_text(table, strangers)} is not among the maker's ten cards"
    return f"the maker keeps five cards, read {wanted.what.bit_count()}"


def _no_claim(table: Table, _: Step) -> str:
    if not table.rules.ace_no_face:
        return "no hand can be claimed without the house rule ace_no_face"
    if table.state[values.MAY_CLAIM] >> (table.seat - 1) & 1:
        return f"seat {table.seat} could claim only at his first turn to call"
    return f"seat {table.seat} was not dealt an ace without a face card"


def _no_bid(table: Table, wanted: Step) -> str:
    rules, standing = table.rules, int(table.state[values.LEVEL])
    return f"the bid {level_word(rules, wanted.what)} does not rise above {level_word(rules, standing)}"


def _no_return(table: Table, wanted: Step) -> str:
    own = _hand(table) & ~int(table.state[values.GIVEN])
    if not _copies(table, wanted.what) & own:
        return _not_held(table, wanted) + " of his own"
    best = _text(table, table.steps()[0].what)
    return f"seat {table.seat} returns his highest trump, {best}, read {_text(table, wanted.what)}"


def _no_play(table: Table, wanted: Step) -> str:
    legal = sum(step.what for step in table.steps())
    if not any(step.what & _copies(table, wanted.what) for step in table.held()):
        return _not_held(table, wanted)
    assert table.trump is not None
    led = table.trump ^ (int(table.state[values.LED]).bit_length() - 1) >> 4
    card = _text(table, wanted.what)
    return f"seat {table.seat} reneged: {card} on {suit_name(led)}, holding {_text(table, legal)}"


_EXPLAINED: Final[dict[int, tuple[tuple[str, ...], Callable[[Table, Step], str]]]] = {
    values.PASS: (("name", "bid"), _no_pass),
    values.SAY_ORDER: (("order",), _no_order),
    values.SAY_NAME: (("name",), _no_name),
    values.TAKE_UP: (("pickup",), _no_pickup),
    values.LEAVE: (("pickup",), _no_leave),
    values.TAKE_DUMMY: ((), _not_held),
    values.KEEP_FIVE: (("keep",), _no_keep),
    values.GO_ALONE: ((), _not_held),
    values.TOGETHER: ((), _not_held),
    values.LAY_DOWN: (("discard",), _not_held),
    values.CLAIM: (("bid",), _no_claim),
    values.SAY_BID: (("bid",), _no_bid),
    values.SAY_TRUMP: ((), _not_held),
    values.HAND_OVER: (("give",), _not_held),
    values.HAND_BACK: (("return",), _no_return),
    values.LAY: (("play",), _no_play),
}
