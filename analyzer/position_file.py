"""Turns a position, as a file or a command has it, into a Position and back; all that is wrong with it is said."""

from collections.abc import Sequence
from typing import Any, Literal

from analyzer.cards import JOKER, cards_text, parse_card, parse_cards
from analyzer.errors import BrokenRecord, QuestionError
from analyzer.events import SUIT_LETTERS
from analyzer.lines import DEAL
from analyzer.position import Position, check_position
from analyzer.record import Heading, joker_suit_of
from analyzer.refusals import fields_of, shown
from analyzer.rules import GAMES, Rules, Value, make_rules


class _Fields(Heading, frozen=True, kw_only=True):
    """A position as a file has it."""

    format: Literal[1] = 1
    rules: dict[str, Value] = {}  # noqa: RUF012  # msgspec copies it
    seat: int
    hands: tuple[str | None, ...]
    dummy: str | None = None
    upcard: str | None = None
    joker_suit: str | None = None
    events: tuple[Any, ...] = ()


def read_position(read: object) -> Position:
    """Return the position that a JSON value is, or holds as an answer does.

    Raises BrokenRecord, as event 0 for what was dealt, else with the first event that is not legal, or one too many or
    too few for it to be the seat's turn.
    """
    try:
        position = _position_of(_fields_of(read))
    except BrokenRecord:
        raise
    except QuestionError as error:
        raise BrokenRecord(str(error), DEAL) from error
    check_position(position)
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
    if isinstance(read, dict) and "hands" not in read and "seat" not in read:
        if isinstance(read.get("position"), dict):
            return _fields_of(read["position"])
        has = f"one with {', '.join(map(shown, read))}" if read else "{}"
        raise QuestionError(
            "expected a position, an object with game, seat, hands, upcard and events, or an answer, which has one as"
            f" its position; read {has}"
        )
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
    lowest = 0 if rules.has_floor else -999
    home = [score for score in scores if score >= target]
    plays_on = rules.game.is_bid and len(home) == n and (rules.tie == "play-on" or len(set(home)) == 1)
    if home and not (plays_on and rules.tie != "bidder"):
        raise QuestionError(f"the game is over with {shown(home[0])} points: {target} win")
    if min(scores) < lowest or max(scores) > 999:
        raise QuestionError(f"no score of {rules.game.name} is {shown(min(scores))}: expected {lowest} to 999")
    return tuple(scores)
