"""Turns lines of JSON into hand records, a record into what the rules make of it, and a deal played into a record.

A record holds one deal from the shuffle to the score, in the form told in docs/formats.md. The rules are not here: a
replay moves a Table event by event and asks it what is legal.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from analyzer.border import level_word
from analyzer.cards import JOKER, JOKER_TEXT, cards_text, each_card, parse_cards, parse_suit
from analyzer.errors import BrokenRecord, QuestionError
from analyzer.events import SUIT_LETTERS, Event, Step, event_of
from analyzer.lines import DEAL, Line, read_lines
from analyzer.refusals import fields_of, shown, take_event, task_of
from analyzer.rules import GAMES, Rules, Value, make_rules, value_text
from analyzer.table import Table
from kernels import values

Result = dict[str, Any]
"""What came of a deal, as in a record: trump, maker, tricks, points; or thrown in, or claimed."""


class Heading(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a record and a position begin with, in the words and the order of a file; what is not said is None."""

    format: Literal[1]
    game: str
    rules: dict[str, Value]
    """The house rules changed; the others hold as usual, whether written out or not."""
    seed: int | None = None
    deal: int | None = None
    players: tuple[str, ...] | None = None
    scores: tuple[int, ...] | None = None


class HandRecord(Heading, frozen=True, kw_only=True):
    """A deal and what became of it; fields that do not apply are None.

    Only the kinds of the values are sure: `replay` tells whether deal, events and result follow the rules.
    """

    hands: tuple[str, ...]
    """As dealt, in seat order."""
    dummy: str | None = None
    upcard: str | None = None
    joker_suit: str | None = None
    """What a joker turned up stands for."""
    stock: str | None = None
    events: tuple[Any, ...]
    result: Any = UNSET
    """What the record says came of the deal; unset where it does not say."""


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick as it was played: seats and cards in the order of play."""

    leader: int
    cards: tuple[tuple[int, str], ...]
    winner: int
    reneged: tuple[int, ...] = ()
    """The seats whose play was illegal."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A record played again by the rules."""

    rules: Rules
    result: Result
    tricks: tuple[Trick, ...]


# --- lines and records ---


def read_records(source: Path | Iterable[Line]) -> Iterator[tuple[int, HandRecord | BrokenRecord]]:
    """Yield the number of every line that is not empty, and its record, or why it is none.

    Raises QuestionError when the file cannot be read.
    """
    for number, read in read_lines(source):
        try:
            yield number, read if isinstance(read, BrokenRecord) else parse_record(read)
        except BrokenRecord as broken:
            yield number, broken


def parse_record(read: object) -> HandRecord:
    """Return the record that a JSON value holds.

    Raises BrokenRecord, as event 0, for what is no object, has another format, unknown or missing fields, or values of
    another kind.
    """
    if isinstance(read, dict):
        for field, value in read.items():
            if value is None and field != "result":
                raise BrokenRecord(f"{shown(field)} is null: leave out what there is not", DEAL)
        read = {"events": [], **read}
    try:
        return fields_of(read, HandRecord, "record")
    except QuestionError as error:
        raise BrokenRecord(str(error), DEAL) from error


def write_record(record: HandRecord) -> str:
    """Return a record as one line of JSON, without the end of the line."""
    return msgspec.json.format(msgspec.json.encode(record), indent=0).decode()


# --- the deal ---


def rules_of(record: HandRecord) -> Rules:
    """Return the rules a record was played by.

    Raises BrokenRecord, as event 0, for a game or a house rule that there is not.
    """
    if record.game not in GAMES:
        raise BrokenRecord(f"there is no game {shown(record.game)}: expected {', '.join(GAMES)}", DEAL)
    try:
        return _rules(record.game, tuple([(name, type(value), value) for name, value in record.rules.items()]))
    except QuestionError as error:
        raise BrokenRecord(str(error), DEAL) from error


@lru_cache(maxsize=64)
def _rules(game: str, rules: tuple[tuple[str, type, Value], ...]) -> Rules:
    """The rules, the same for every record of a file; their kinds are there as true is equal to 1."""
    return make_rules(GAMES[game], {name: value for name, _, value in rules})


def table_of(record: HandRecord) -> Table:
    """Return the table of a record as dealt.

    Raises BrokenRecord, as event 0, for a game, house rule or deal that there is not.
    """
    rules = rules_of(record)
    try:
        _check_parts(rules, record)
        masks = _masks(rules, record)
        suit = joker_suit_of(rules, record.joker_suit)
    except QuestionError as error:
        raise BrokenRecord(str(error), DEAL) from error
    hands = [masks[f"seat {seat}"] for seat in range(1, rules.n_seats + 1)]
    return Table.dealt(rules, hands, dummy=masks.get("dummy", 0), upcard=masks.get("upcard", 0), up_suit=suit)


def _check_parts(rules: Rules, record: HandRecord) -> None:
    """Refuse a record with too many or too few parts for its game."""
    turned = not rules.game.is_bid
    is_joker = record.upcard == JOKER_TEXT
    belongs = {"dummy": rules.game.has_dummy, "upcard": turned, "stock": turned, "joker_suit": is_joker}
    for field, is_needed in belongs.items():
        if is_needed != (getattr(record, field) is not None):
            fault = "is missing in" if is_needed else "does not belong in"
            raise QuestionError(f"{field} {fault} this deal of {rules.game.name}")
    lengths = {"hands": rules.n_seats, "players": rules.n_seats, "scores": len(rules.sides)}
    for field, n in lengths.items():
        listed = getattr(record, field)
        if listed is not None and len(listed) != n:
            raise QuestionError(f"{rules.game.name} has {n} {field}, read {len(listed)}")


def _masks(rules: Rules, record: HandRecord) -> dict[str, int]:
    """The cards of each part of the deal, which together are the pack."""
    parts = {f"seat {seat}": text for seat, text in enumerate(record.hands, 1)}
    n_cards = {**dict(zip(parts, rules.dealt, strict=True)), "dummy": rules.hand_size, "upcard": 1}
    parts |= {part: text for part in ("dummy", "upcard", "stock") if (text := getattr(record, part)) is not None}
    masks: dict[str, int] = {}
    for part, text in parts.items():
        try:
            masks[part] = parse_cards(text, rules.pack, strict=True, taken=sum(masks.values()))
        except QuestionError as error:
            raise QuestionError(f"{part}: {error}") from error
        if part in n_cards and masks[part].bit_count() != n_cards[part]:
            raise QuestionError(f"{part}: {n_cards[part]} cards are dealt, read {shown(text)}")
    if missing := rules.pack.cards & ~sum(masks.values()):
        raise QuestionError(f"not all of the pack was dealt: {cards_text(missing, rules.pack)} is missing")
    return masks


def joker_suit_of(rules: Rules, letter: str | None, typed: str | None = None) -> int | None:
    """The suit that a joker turned up stands for, of its letter in a file; None where none is turned up.

    `typed` is what was typed instead of the letter.

    Raises QuestionError for what is no suit, or not the one the house rule says.
    """
    if letter is None:
        return None
    if rules.joker_turned_up == "hearts" and letter != "H":
        raise QuestionError(f"a joker turned up stands for hearts (joker_turned_up), read {shown(typed or letter)}")
    return parse_suit(letter, strict=True)


# --- the events and the result ---


def replay(record: HandRecord) -> Replay:
    """Play a record by the rules and return the result they give, and the tricks.

    Which illegal plays were noticed, where they are possible, is taken from the record's own result.

    Raises BrokenRecord with the first event that is not legal, too many or missing; 0 if the deal is wrong, None if
    the result is.
    """
    table = table_of(record)
    winners = table.follow(record.events)
    if winners is None:
        table = table_of(record)
        winners = _taken_one_by_one(table, record.events)
    if not table.is_done:
        reason = f"the record ends here: seat {table.seat} is to {task_of(table)}"
        raise BrokenRecord(reason, len(record.events) + 1)
    if table.rules.can_renege and table.trump is not None:
        table.notice(_noticed(table, record.result))
    result = result_of(table.rules, table.state)
    if record.result is not UNSET:
        _check_result(record.result, result)
    return Replay(table.rules, result, _tricks(table, record.events, winners))


def _noticed(table: Table, read: object) -> list[int]:
    """The seats whose illegal plays were noticed, as a result says, one for each; none where there is no result.

    Raises BrokenRecord where they were not, or must have been.
    """
    reneged = _seats_of(table.rules, int(table.state[values.RENEGED]))
    chance = table.rules.renege_caught
    if not isinstance(read, dict):
        return reneged if chance == 1 else []
    if "caught" not in read:
        raise BrokenRecord('the result has no caught: say who was noticed, as in "caught": [2]', None)
    caught = read["caught"]
    if not isinstance(caught, list) or any(type(seat) is not int for seat in caught) or caught != sorted(caught):
        raise BrokenRecord(f"caught: expected the seats in order, as in [2, 4], read {shown(caught)}", None)
    if Counter(caught) - Counter(reneged):
        raise BrokenRecord(f"caught: the record says {shown(caught)}, but those who reneged are {shown(reneged)}", None)
    if (chance == 0 and caught) or (chance == 1 and caught != reneged):
        raise BrokenRecord(
            f"caught: the record says {shown(caught)}, of {shown(reneged)} who reneged; by renege_caught="
            f"{value_text(chance)} {'none is' if chance == 0 else 'each is'} noticed",
            None,
        )
    return caught


def _seats_of(rules: Rules, counts: int) -> list[int]:
    """A seat, from 1, for each time that it is counted: a byte a seat."""
    return [seat + 1 for seat in range(rules.n_seats) for _ in range(counts >> 8 * seat & 0xFF)]


def _taken_one_by_one(table: Table, events: Sequence[Any]) -> list[int]:
    """Move the table by every event and return the winners of the tricks; raises BrokenRecord with the reason."""
    winners: list[int] = []
    for number, event in enumerate(events, 1):
        try:
            take_event(table, event)
        except QuestionError as error:
            raise BrokenRecord(str(error), number) from error
        if event[1] == "play" and table.state[values.IN_TRICK] == 0:
            winners.append(int(table.state[values.WINNER]) + 1)
    return winners


def _tricks(table: Table, events: Sequence[Event], winners: Sequence[int]) -> tuple[Trick, ...]:
    """The tricks of a finished table."""
    cards = [(event[0], event[2]) for event in events if event[1] == "play"]
    n = int(table.state[values.N_ACTIVE])
    reneged = _reneged(table, cards, n) if table.state[values.RENEGED] else [()] * len(winners)
    return tuple(
        Trick(cards[n * k][0], tuple(cards[n * k : n * (k + 1)]), winner, reneged[k])
        for k, winner in enumerate(winners)
    )


def _reneged(table: Table, cards: Sequence[tuple[int, str]], n: int) -> list[tuple[int, ...]]:
    """The seats that broke suit in each trick of `n` cards: they played a card of the suit led later."""
    suits = [(table.in_trump_order(parse_cards(text, table.rules.pack)).bit_length() - 1) >> 4 for _, text in cards]
    found = []
    for first in range(0, len(cards), n):
        later = {(seat, suit) for (seat, _), suit in zip(cards[first + n :], suits[first + n :], strict=True)}
        trick = zip(cards[first : first + n], suits[first : first + n], strict=True)
        led = suits[first]
        found.append(tuple(seat for (seat, _), suit in trick if suit != led and (seat, led) in later))
    return found


def result_of(rules: Rules, final: NDArray[np.int64]) -> Result:
    """Return the result of a finished table, int64[TABLE_SIZE], in the words of a record."""
    state: list[int] = final.tolist()
    points = state[values.POINTS : values.POINTS + len(rules.sides)]
    if state[values.CLAIMED]:
        return {"claimed": state[values.TURN] + 1, "points": points}
    if state[values.MAKER] < 0:
        return {"thrown_in": True, "points": points}
    result: Result = {"trump": SUIT_LETTERS[state[values.AT_TRUMP]], "maker": state[values.MAKER] + 1}
    if rules.game.is_bid:
        result["bid"] = level_word(rules, state[values.HOW])
    result["alone"] = [seat + 1 for seat in range(rules.n_seats) if state[values.ALONE] >> seat & 1]
    result["tricks"] = state[values.TRICKS : values.TRICKS + rules.n_seats]
    result["points"] = points
    if rules.can_renege:
        result["reneged"] = _seats_of(rules, state[values.RENEGED])
        result["caught"] = _seats_of(rules, state[values.CAUGHT])
    return result


def _check_result(read: object, right: Result) -> None:
    """Refuse a result that is not, field by field and kind by kind, what the rules say."""
    if not isinstance(read, dict):
        raise BrokenRecord(f"the result is a JSON object, read {shown(read)}", None)
    for field in [*right, *read]:
        if field not in right:
            raise BrokenRecord(f"the result has a field {shown(field)} that does not belong in it", None)
        if field not in read:
            raise BrokenRecord(f"the result has no {field}: by the rules it is {shown(right[field])}", None)
        if not _is_same(read[field], right[field]):
            reason = f"{field}: the record says {shown(read[field])}, by the rules it is {shown(right[field])}"
            raise BrokenRecord(reason, None)


def _is_same(read: object, right: object) -> bool:
    """Equal in kind too: true is not 1 and 3.0 is not 3."""
    if isinstance(read, list) and isinstance(right, list):
        return len(read) == len(right) and all(map(_is_same, read, right))
    return type(read) is type(right) and read == right


# --- from a deal played ---


class _Pen(NamedTuple):
    """What all records of one game have in common, worked out once."""

    changed: dict[str, Value]
    pack: int
    printed: tuple[tuple[int, str], ...]
    text_of: dict[int, str]

    def write(self, cards: int) -> str:
        return " ".join([text for bit, text in self.printed if cards & bit])


@lru_cache(maxsize=16)
def _pen(rules: Rules) -> _Pen:
    pack = rules.pack
    text_of = {card: cards_text(card, pack) for card in each_card(pack.cards)}
    order = cards_text(pack.cards, pack).split().index
    printed = sorted(text_of.items(), key=lambda pair: order(pair[1]))
    return _Pen(rules.changed(), pack.cards, tuple(printed), text_of)


def make_record(
    rules: Rules,
    dealt: NDArray[np.int64],
    events: Sequence[Sequence[int]] | NDArray[np.int64],
    *,
    seed: int | None = None,
    deal: int | None = None,
    players: Sequence[str] | None = None,
    final: NDArray[np.int64] | None = None,
) -> HandRecord:
    """Return the record of a deal that kernels played.

    `dealt` is int64[TABLE_SIZE] at its first decision, `events` rows of (seat from 0, verb, what). The result stands in
    `final`, int64[TABLE_SIZE] after the last event; without it the events are played again, which takes longer. A deal
    that is not over has no result.
    """
    pen = _pen(rules)
    start: list[int] = dealt.tolist()
    hands = start[values.HAND : values.HAND + rules.n_seats]
    dummy, upcard = start[values.AT_DUMMY], start[values.UP]
    rows = np.asarray(events, np.int64).reshape(-1, 3).tolist()
    if final is None:
        final = _played(rules, dealt, rows)
    is_bid = rules.game.is_bid
    return HandRecord(
        format=1,
        game=rules.game.name,
        rules=pen.changed,
        seed=seed,
        deal=deal,
        players=None if players is None else tuple(players),
        hands=tuple(map(pen.write, hands)),
        dummy=pen.write(dummy) if rules.game.has_dummy else None,
        upcard=None if is_bid else pen.write(upcard),
        joker_suit=SUIT_LETTERS[start[values.UP_SUIT]] if upcard == JOKER else None,
        stock=None if is_bid else pen.write(pen.pack & ~sum(hands) & ~dummy & ~upcard),
        events=_events(rules, pen, rows),
        result=result_of(rules, final) if final[values.AT_PHASE] == values.DONE else UNSET,
    )


def _played(rules: Rules, dealt: NDArray[np.int64], rows: list[list[int]]) -> NDArray[np.int64]:
    """The table after all events."""
    table = Table(rules, dealt.copy())
    for _, verb, what in rows:
        table.apply(Step(verb, what))
    return table.state


def events_of(rules: Rules, rows: list[list[int]]) -> tuple[Event, ...]:
    """The events, as files have them, of rows of (seat from 0, verb, what)."""
    return _events(rules, _pen(rules), rows)


def _events(rules: Rules, pen: _Pen, rows: list[list[int]]) -> tuple[Event, ...]:
    """The events of kernels' rows; the dummy is one event, written when its five are kept."""
    return tuple(
        [seat + 1, "play", pen.text_of[what]] if verb == values.LAY else event_of(rules, seat + 1, Step(verb, what))
        for seat, verb, what in rows
        if verb != values.TAKE_DUMMY
    )
