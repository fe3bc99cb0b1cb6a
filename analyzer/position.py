"""Turns what one seat knows, from JSON or from the words of a command, into a Position, its options and the unseen.

Everything a user can get wrong about a question is caught here. What is legal is the table's to say: unseen cards are
filled in somehow, as no call depends on the cards of another seat, and the events are played on that table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from analyzer.border import (
    SUIT_LETTERS,
    Event,
    Step,
    Table,
    Vector,
    empty_start,
    event_of,
    level_word,
    pool_of,
    suit_of_upcard,
)
from analyzer.cards import JOKER, cards_text, parse_card, parse_cards, suit_name
from analyzer.errors import BrokenRecord, QuestionError
from analyzer.lines import DEAL
from analyzer.record import joker_suit_of
from analyzer.refusals import fields_of, shown, take_event, task_of
from analyzer.rules import GAMES, Rules, Value, make_rules
from kernels import values

Option = tuple[Step, ...]

_SHARED = ("give", "return")
"""What partners show one another and nobody else."""
_HIDDEN = ("pickup", "discard", "dummy", *_SHARED)
"""Events with cards that not all see."""
_NO_PLAY = "which card to play is not answered yet: ask about a decision before the first lead"


@dataclass(frozen=True, slots=True)
class Position:
    """What one seat knows at its turn. Masks of cards are in printed order."""

    rules: Rules
    seat: int
    """The asker, from 1."""
    hand: int
    """His cards as dealt."""
    events: tuple[Event, ...]
    """All that was said and done; cards he did not see are None."""
    upcard: int = 0
    """One card; 0 in bid."""
    joker_suit: int | None = None
    """What a joker turned up stands for."""
    dummy: int = 0
    """Three-handed: the dummy, to the maker who has taken it."""
    scores: tuple[int, ...] | None = None
    """The score of the question, per seat or per side, in seat order."""
    players: tuple[str, ...] | None = None


class _Fields(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position as a file has it."""

    format: Literal[1]
    game: str
    rules: dict[str, Value]
    seed: int | None = None
    deal: int | None = None
    players: tuple[str, ...] | None = None
    scores: tuple[int, ...] | None = None
    seat: int
    hands: tuple[str | None, ...]
    dummy: str | None = None
    upcard: str | None = None
    joker_suit: str | None = None
    events: tuple[Any, ...] = ()


# --- positions in files ---


def read_position(read: object) -> Position:
    """Return the position that a JSON value holds.

    Raises BrokenRecord, as event 0 for what was dealt, else with the first event that is not legal, or one too many or
    too few for it to be the seat's turn; QuestionError for a card to be played, which cannot be asked yet.
    """
    try:
        position = _position_of(_fields_of(read))
    except BrokenRecord:
        raise
    except QuestionError as error:
        raise BrokenRecord(str(error), DEAL) from error
    _drive(position)
    return position


def position_json(position: Position) -> dict[str, Any]:
    """Return a position as the JSON object that `read_position` takes."""
    rules = position.rules
    hands = [None] * rules.n_seats
    own = cards_text(position.hand, rules.pack)
    read: dict[str, Any] = {"format": 1, "game": rules.game.name, "rules": rules.changed()}
    if position.players is not None:
        read["players"] = list(position.players)
    if position.scores is not None:
        read["scores"] = list(position.scores)
    read["seat"] = position.seat
    read["hands"] = [*hands[: position.seat - 1], own, *hands[position.seat :]]
    if position.dummy:
        read["dummy"] = cards_text(position.dummy, rules.pack)
    if position.upcard:
        read["upcard"] = cards_text(position.upcard, rules.pack)
    if position.joker_suit is not None:
        read["joker_suit"] = SUIT_LETTERS[position.joker_suit]
    read["events"] = [list(event) for event in position.events]
    return read


def _fields_of(read: object) -> _Fields:
    for field, why in (("stock", "what is left face down"), ("result", "what will come of it")):
        if isinstance(read, dict) and field in read:
            raise QuestionError(f'a position has no {field}: nobody knows {why}; say the seat that asks with "seat"')
    return fields_of(read, _Fields, "position")


def _position_of(fields: _Fields) -> Position:
    """The position of well-typed fields; its events are not yet looked at."""
    if fields.game not in GAMES:
        raise QuestionError(f"there is no game {shown(fields.game)}: expected {', '.join(GAMES)}")
    rules = make_rules(GAMES[fields.game], fields.rules)
    n, game = rules.n_seats, rules.game.name
    checked_seat(rules, fields.seat)
    if len(fields.hands) != n:
        raise QuestionError(f"{game} has {n} hands, read {len(fields.hands)}")
    own = fields.hands[fields.seat - 1]
    if own is None or sum(hand is not None for hand in fields.hands) > 1:
        raise QuestionError(f"seat {fields.seat} sees its own hand and no other: the others are null")
    up, suit = _parse_fields_up(rules, fields)
    hand = parse_cards(own, rules.pack, strict=True)
    dummy = parse_cards(fields.dummy or "", rules.pack, strict=True)
    if fields.dummy is not None and not rules.game.has_dummy:
        raise QuestionError(f"there is no dummy in {game}")
    if fields.dummy is not None and dummy.bit_count() != rules.hand_size:
        raise QuestionError(f"the dummy has {rules.hand_size} cards, read {shown(fields.dummy)}")
    n_dealt = rules.dealt[fields.seat - 1]
    if hand.bit_count() != n_dealt:
        raise QuestionError(f"seat {fields.seat} is dealt {n_dealt} cards, read {shown(own)}")
    for one, other, where in ((hand, up, "hand and turned up"), (hand, dummy, "hand and dummy"), (up, dummy, "dummy")):
        if one & other:
            raise QuestionError(f"{cards_text(one & other, rules.pack)} is there twice: {where}")
    return Position(
        rules=rules,
        seat=fields.seat,
        hand=hand,
        events=tuple(fields.events),
        upcard=up,
        joker_suit=suit,
        dummy=dummy,
        scores=checked_scores(rules, fields.scores),
        players=checked_players(rules, fields.players),
    )


def _parse_fields_up(rules: Rules, fields: _Fields) -> tuple[int, int | None]:
    if rules.game.is_bid:
        if fields.upcard is not None or fields.joker_suit is not None:
            raise QuestionError("no card is turned up in bid: leave out upcard and joker_suit")
        return 0, None
    if fields.upcard is None:
        raise QuestionError(f"upcard is missing: {rules.game.name} turns a card up")
    up = parse_card(fields.upcard, rules.pack, strict=True)
    if (up == JOKER) != (fields.joker_suit is not None):
        raise QuestionError("joker_suit says what a joker turned up stands for: it is there exactly when one is")
    return up, joker_suit_of(rules, fields.joker_suit)


def checked_seat(rules: Rules, seat: int) -> int:
    """Return a seat that the game has; raises QuestionError for any other."""
    if not 1 <= seat <= rules.n_seats:
        raise QuestionError(f"there is no seat {shown(seat)}: {rules.game.name} has seats 1 to {rules.n_seats}")
    return seat


def checked_players(rules: Rules, players: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the names of the strategies, one a seat; raises QuestionError for another number of them."""
    if players is not None and len(players) != rules.n_seats:
        raise QuestionError(f"{rules.game.name} has {rules.n_seats} players, read {len(players)}")
    return None if players is None else tuple(players)


def checked_scores(rules: Rules, scores: Sequence[int] | None) -> tuple[int, ...] | None:
    """Return the score of a question if a game can stand so and go on.

    Raises QuestionError for too many or too few numbers, and for a game that is over.
    """
    if scores is None:
        return None
    n, target = len(rules.sides), rules.target
    if len(scores) != n:
        what = "seat" if n == rules.n_seats else "side (seats 1 and 3, seats 2 and 4)"
        raise QuestionError(f"{rules.game.name} has {n} scores, one a {what}, read {len(scores)}")
    lowest = -999 if rules.game.is_bid and rules.negative_scores else 0
    home = [score for score in scores if score >= target]
    plays_on = rules.game.is_bid and len(home) == n and (rules.tie == "play-on" or len(set(home)) == 1)
    if home and not (plays_on and rules.tie != "bidder"):
        raise QuestionError(f"the game is over with {shown(home[0])} points: {target} win")
    if min(scores) < lowest or max(scores) > 999:
        raise QuestionError(f"no score of {rules.game.name} is {shown(min(scores))}: expected {lowest} to 999")
    return tuple(scores)


# --- what is known and what is not ---


def known_start(position: Position) -> tuple[Vector, Vector]:
    """Return int64[TABLE_SIZE], the table before the deal with all the seat knows, and int64[n], the unseen cards.

    NEED of the table says how many of them each place still wants; the rest is the stock.
    """
    rules = position.rules
    start = empty_start(rules)
    _know(start, position.seat, position.hand)
    taken = position.hand | position.upcard | position.dummy
    for number, event in enumerate(position.events, 1):
        if _is_from_partner(position, event) and isinstance(event[2], str):
            try:
                card = parse_card(event[2], rules.pack, strict=True, taken=taken)
            except QuestionError as error:
                raise BrokenRecord(str(error), number) from error
            if not start[values.NEED + event[0] - 1]:
                raise BrokenRecord(f"seat {event[0]} was not dealt so many cards", number)
            _know(start, event[0], card)
            taken |= card
    if position.dummy:
        start[values.AT_DUMMY], start[values.NEED_DUMMY] = position.dummy, 0
    if position.upcard:
        start[values.UP], start[values.NEED_UP] = position.upcard, 0
        start[values.UP_SUIT] = suit_of_upcard(position.upcard, position.joker_suit)
    return start, pool_of(rules.pack.cards & ~taken)


def known_steps(position: Position) -> list[Step]:
    """Return the steps of all events so far, in order, with UNKNOWN for cards the seat did not see."""
    return _drive(position)[1]


def options(position: Position) -> list[Option]:
    """Return all that the seat may say or do now, each as the steps of one event.

    A bid is one option a level and suit (see values.TOLD_SHIFT); of twin cards one stands for both.
    """
    found: dict[str, Option] = {}
    for step in _drive(position)[0].steps():
        told = [step]
        if step.verb == values.SAY_BID:
            told = [Step(step.verb, step.what | suit + 1 << values.TOLD_SHIFT) for suit in range(4)]
        for one in told:
            found.setdefault(option_text(position.rules, (one,)), (one,))
    return list(found.values())


def option_text(rules: Rules, steps: Sequence[Step]) -> str:
    """Return an option as a player says it: `order alone`, `4 hearts`, `discard 9C`."""
    verb, what = steps[-1]
    if verb == values.SAY_BID:
        level, suit = what & (1 << values.TOLD_SHIFT) - 1, (what >> values.TOLD_SHIFT) - 1
        return f"{level_word(rules, level)}{f' {suit_name(suit)}' if suit >= 0 else ''}"
    if verb in values.WITH_CARDS:
        word = {values.TAKE_UP: "discard ", values.KEEP_FIVE: "keep ", values.LAY: ""}.get(verb)
        return (f"{event_of(rules, 1, steps[-1])[1]} " if word is None else word) + cards_text(what, rules.pack)
    if verb in (values.SAY_NAME, values.SAY_TRUMP):
        return suit_name(what & 3) + (" alone" if what > 3 else "")
    return " ".join(word for word in event_of(rules, 1, steps[-1])[1:] if word is not None)


def check_position(position: Position) -> None:
    """Refuse a position whose events are not legal or do not come to a decision of its seat.

    Raises BrokenRecord with the first event that is wrong; QuestionError for a card to be played.
    """
    _drive(position)


# --- the table that stands for all it may be ---


def _know(start: Vector, seat: int, cards: int) -> None:
    """Enter cards a seat was dealt; seat from 1."""
    start[values.HAND + seat - 1] |= cards
    start[values.NEED + seat - 1] -= cards.bit_count()


def _is_from_partner(position: Position, event: Any) -> bool:
    """Whether an event is a card that the partner gave or returned to the asker, as far as its form goes."""
    partner = (position.seat + 1) % 4 + 1
    return isinstance(event, list) and len(event) == 3 and event[0] == partner and event[1] in _SHARED


def _is_seen(position: Position, event: Any) -> bool:
    """Whether the asker saw the cards of an event, if it has any that not all see."""
    if not (isinstance(event, list) and len(event) == 3 and event[1] in _HIDDEN):
        return True
    return event[0] == position.seat or _is_from_partner(position, event)


def _filled(position: Position) -> Table:
    """A table on which the unseen cards lie somehow, and any other seat may claim."""
    start, pool = known_start(position)
    unseen = pool.tolist()
    for seat in range(values.MAX_SEATS):
        for _ in range(start[values.NEED + seat]):
            start[values.HAND + seat] |= unseen.pop()
    for _ in range(start[values.NEED_DUMMY]):
        start[values.AT_DUMMY] |= unseen.pop()
    rules = position.rules
    hands = start[values.HAND : values.HAND + rules.n_seats].tolist()
    dummy, up = int(start[values.AT_DUMMY]), position.upcard
    table = Table.dealt(rules, hands, dummy=dummy, upcard=up, up_suit=position.joker_suit)
    if rules.ace_no_face:
        table.state[values.MAY_CLAIM] |= 0b1111 & ~(1 << position.seat - 1)
    return table


def _drive(position: Position) -> tuple[Table, list[Step]]:
    """The table at the decision, its unseen cards somehow, and the steps that led there as the asker knows them."""
    table = _filled(position)
    known = known_start(position)[0][values.HAND : values.HAND + values.MAX_SEATS].tolist()
    steps: list[Step] = []
    for number, event in enumerate(position.events, 1):
        if table.phase == "play":
            raise QuestionError(_NO_PLAY)
        kept_back = known[table.seat - 1] if table.seat != position.seat else 0
        try:
            steps += take_event(table, event, is_seen=_is_seen(position, event), kept_back=kept_back)
        except QuestionError as error:
            raise BrokenRecord(str(error), number) from error
    if position.dummy:
        if table.phase != "dummy" or table.seat != position.seat:
            raise BrokenRecord("the dummy is shown to the maker alone, when he has taken it and is to keep five", DEAL)
        steps.append(Step(values.TAKE_DUMMY, 0))
        table.apply(steps[-1])
    _check_turn(position, table)
    return table, steps


def _check_turn(position: Position, table: Table) -> None:
    """Refuse a table that does not wait for the asker."""
    number = len(position.events) + 1
    if table.is_done:
        raise BrokenRecord("the deal is over: there is nothing left to decide", number)
    if table.phase == "play":
        raise QuestionError(_NO_PLAY)
    if table.seat != position.seat:
        raise BrokenRecord(f"it is seat {table.seat}'s turn to {task_of(table)}, not seat {position.seat}'s", number)
