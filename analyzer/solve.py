"""Turns open positions, or hand records up to the play, into what each side takes when both play perfectly.

All cards are in view. A position is a line of JSON as told in docs/formats.md; what it breaks of the rules is refused
here. What a position is worth is the kernels' to say.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.border import kernel_rules, memory_for, open_hands, printed_cards
from analyzer.cards import cards_text, parse_card, parse_cards, parse_suit, suit_name
from analyzer.errors import BrokenRecord, QuestionError, nearest
from analyzer.events import SUIT_LETTERS
from analyzer.lines import DEAL, Line, read_lines
from analyzer.record import Trick, parse_record, table_of
from analyzer.refusals import shown, take_event, task_of
from analyzer.rules import Rules, demand_lawful_play
from analyzer.table import Table
from kernels import solve_doors, values
from kernels.compile import is_warm
from kernels.memory import Memory

_FIELDS: Final = ("hands", "trump", "leader", "sides", "trick")
_RECORD_FIELDS: Final = ("format", "game", "events", "rules")


@dataclass(frozen=True, slots=True)
class OpenPosition:
    """All hands in view, before a trick or within it. Made by `read_open`, which checks it, or from a record."""

    rules: Rules
    trump: int
    hands: tuple[int, ...]
    """One mask a seat, printed order; 0 where a seat sits out, or has played its last card."""
    leader: int
    """The seat that leads this trick, or has led it."""
    sides: tuple[tuple[int, ...], ...]
    trick: tuple[tuple[int, int], ...] = ()
    """Seats and cards (masks) played to the trick in progress."""

    @property
    def in_play(self) -> tuple[int, ...]:
        """The seats that play, in seat order."""
        laid = {seat for seat, _ in self.trick}
        return tuple(seat for seat, hand in enumerate(self.hands, 1) if hand or seat in laid)

    @property
    def left(self) -> int:
        """Tricks from here, the one in progress included."""
        laid = {seat for seat, _ in self.trick}
        return max(hand.bit_count() + (seat in laid) for seat, hand in enumerate(self.hands, 1))


@dataclass(frozen=True, slots=True)
class Solution:
    """What comes of a position."""

    position: OpenPosition
    tricks: tuple[int, ...]
    """What each side takes from here, in the order of its sides; a trick in progress counts whole."""
    play: tuple[Trick, ...] | None
    """One best line of play, if it was asked for; its first trick begins with the cards of the trick in progress."""

    @property
    def hands(self) -> tuple[str, ...]:
        """The hands as files have them."""
        return tuple(cards_text(hand, self.position.rules.pack) for hand in self.position.hands)

    @property
    def laid(self) -> dict[int, str]:
        """What each seat has played to the trick in progress."""
        return {seat: cards_text(card, self.position.rules.pack) for seat, card in self.position.trick}


# --- reading ---


class Unplayed(BrokenRecord):
    """A record that keeps the rules, of a deal that nobody played."""


def read_open_positions(
    source: Path | Iterable[Line], rules: Rules, *, is_house_given: bool = False
) -> Iterator[tuple[int, OpenPosition | QuestionError]]:
    """Yield the number of every line that is not empty and its position, or why it is none; Unplayed is no fault.

    Positions are of the game and pack of `rules`; a record names its own, and with `is_house_given` must not differ.
    Raises QuestionError when the file cannot be read, or in `rules` illegal plays are possible.
    """
    demand_lawful_play(rules, "solve answers")
    for number, read in read_lines(source, "open position"):
        try:
            if isinstance(read, BrokenRecord):
                raise read
            if isinstance(read, dict) and "seat" in read:
                raise QuestionError(
                    "this is a position as one seat knows it, which euchre ask --position answers: expected an open"
                    " position or a hand record"
                )
            if isinstance(read, dict) and any(field in read for field in _RECORD_FIELDS):
                position = position_of_record(read)
                if is_house_given and position.rules != rules:
                    raise QuestionError("a record names its own game and rules: leave out --game, --rule and --rules")
                yield number, position
            else:
                yield number, read_open(read, rules)
        except Unplayed as unplayed:
            yield number, unplayed
        except BrokenRecord as broken:
            yield number, QuestionError(f"event {broken.event}: {broken}" if broken.event else str(broken))
        except QuestionError as error:
            yield number, error


def position_of_record(read: object) -> OpenPosition:
    """Return the position of a record after the exchange, before the first lead; plays in it are not looked at.

    Raises BrokenRecord for what is no record or breaks a rule before the play; Unplayed where nobody played;
    QuestionError where illegal plays are possible.
    """
    record = parse_record(read)
    table = table_of(record)
    demand_lawful_play(table.rules, "solve answers")
    for number, event in enumerate(record.events, 1):
        if table.phase == "play":
            break
        try:
            take_event(table, event)
        except QuestionError as error:
            raise BrokenRecord(str(error), number) from error
    if table.is_done:
        raise Unplayed(f"nobody played this deal: {_end_of(table)}", DEAL)
    if table.phase != "play":
        reason = f"the record ends before the play: seat {table.seat} is to {task_of(table)}"
        raise BrokenRecord(reason, len(record.events) + 1)
    return _position_of_table(table)


def _end_of(table: Table) -> str:
    """How a deal ended that nobody played."""
    return f"seat {table.seat} claimed" if table.state[values.CLAIMED] else "it was thrown in"


def _position_of_table(table: Table) -> OpenPosition:
    rules, trump = table.rules, table.trump
    assert trump is not None
    out = int(table.state[values.OUT])
    hands = printed_cards(rules, table.state[values.HAND : values.HAND + rules.n_seats], trump)
    maker = int(table.state[values.MAKER]) + 1
    others = tuple(seat for seat in range(1, rules.n_seats + 1) if seat != maker)
    return OpenPosition(
        rules,
        trump,
        tuple(0 if out >> seat & 1 else hand for seat, hand in enumerate(hands)),
        table.seat,
        rules.sides if len(rules.sides) == 2 else ((maker,), others),
    )


def read_open(read: object, rules: Rules) -> OpenPosition:
    """Return the position a JSON value holds, of the game and pack of `rules`.

    Raises QuestionError for whatever is not as docs/formats.md says, or cannot be at a table.
    """
    fields = _checked_fields(read, rules)
    trick_read = _checked_trick([] if fields.get("trick") is None else fields["trick"], rules)
    hands = _read_hands(fields["hands"], rules)
    trick = _read_trick(trick_read, rules, sum(hands))
    trump = parse_suit(_text("trump", fields["trump"], "H"), strict=True)
    position = OpenPosition(
        rules, trump, hands, _seat("leader", fields["leader"], rules), _read_sides(fields.get("sides"), rules), trick
    )
    _check_seats(position)
    _check_counts(position)
    _check_followed(position)
    return position


def _checked_fields(read: object, rules: Rules) -> Mapping[str, Any]:
    if not isinstance(read, dict):
        raise QuestionError(
            'expected a position as a JSON object, as in {"hands": ["AS JH", ...], "trump": "H", "leader": 1},'
            f" read {shown(read)}"
        )
    for field in read:
        if field not in _FIELDS:
            hint = nearest(str(field), _FIELDS) or f"expected {', '.join(_FIELDS)}"
            raise QuestionError(f"a position has no field {shown(field)}: {hint}")
    needed = _FIELDS[:3] if len(rules.sides) == 2 else _FIELDS[:4]
    for field in needed:
        if read.get(field) is None:
            example = ', as in "sides": [[1], [2, 3]]' if field == "sides" else ""
            raise QuestionError(f"the position has no {field}{example}")
    return read


def _text(what: str, read: object, example: str) -> str:
    if not isinstance(read, str):
        raise QuestionError(f'{what}: expected text, as in "{example}", read {shown(read)}')
    return read


def _seat(what: str, read: object, rules: Rules) -> int:
    if type(read) is not int or not 1 <= read <= rules.n_seats:
        raise QuestionError(f"{what}: expected a seat, 1 to {rules.n_seats} in {rules.game.name}, read {shown(read)}")
    return read


def _list(what: str, read: object, example: str) -> list[Any]:
    if not isinstance(read, list):
        raise QuestionError(f"{what}: expected a list, as in {example}, read {shown(read)}")
    return read


def _read_hands(read: object, rules: Rules) -> tuple[int, ...]:
    listed = _list("hands", read, '["AS JH", "9H TD", "", "TC 9S"]')
    if len(listed) != rules.n_seats:
        raise QuestionError(f"hands: {rules.game.name} has {rules.n_seats} seats, read {len(listed)} hands")
    hands: list[int] = []
    for seat, text in enumerate(listed, 1):
        cards = "" if text is None else _text(f"the hand of seat {seat}", text, "AS JH")
        try:
            hands.append(parse_cards(cards, rules.pack, strict=True, taken=sum(hands)))
        except QuestionError as error:
            raise QuestionError(f"the hand of seat {seat}: {error}") from error
    return tuple(hands)


def _checked_trick(read: object, rules: Rules) -> list[tuple[int, str]]:
    trick = []
    for played in _list("trick", read, '[[4, "KS"]]'):
        if not isinstance(played, list) or len(played) != 2:
            raise QuestionError(f'trick: expected a seat and its card, as in [4, "KS"], read {shown(played)}')
        trick.append((_seat("trick", played[0], rules), _text("trick", played[1], "KS")))
    return trick


def _read_trick(read: Sequence[tuple[int, str]], rules: Rules, taken: int) -> tuple[tuple[int, int], ...]:
    trick: list[tuple[int, int]] = []
    for seat, text in read:
        try:
            card = parse_card(text, rules.pack, strict=True, taken=taken)
        except QuestionError as error:
            raise QuestionError(f"the card of seat {seat} in the trick: {error}") from error
        trick.append((seat, card))
        taken |= card
    return tuple(trick)


def _read_sides(read: object, rules: Rules) -> tuple[tuple[int, ...], ...]:
    if read is None:
        return rules.sides
    example = "[[1], [2, 3]]" if rules.n_seats == 3 else "[[1, 3], [2, 4]]"
    listed = _list("sides", read, example)
    if len(listed) != 2:
        raise QuestionError(f"sides: expected two lists of seats, as in {example}, read {shown(read)}")
    sides = tuple(tuple(_seat("sides", seat, rules) for seat in _list("sides", side, example)) for side in listed)
    seats = [seat for side in sides for seat in side]
    if len(set(seats)) < len(seats):
        raise QuestionError(f"sides: a seat is there twice, read {shown(read)}")
    return sides


def _check_seats(position: OpenPosition) -> None:
    """Refuse seats that cannot lead, have no side, or played out of turn."""
    in_play = position.in_play
    if len(in_play) < 2:
        raise QuestionError("expected cards for two seats at least: nobody plays alone at the table")
    if position.leader not in in_play:
        raise QuestionError(f"leader: seat {position.leader} sits out, in play are seats {_words(in_play)}")
    for seat in in_play:
        if not any(seat in side for side in position.sides):
            raise QuestionError(f"sides: seat {seat} is in play and on no side")
    place = in_play.index(position.leader)
    order = in_play[place:] + in_play[:place]
    for (seat, _), expected in zip(position.trick, order, strict=False):
        if seat != expected:
            raise QuestionError(f"trick: it is seat {expected}'s turn, read seat {seat}; seat {position.leader} leads")
    if len(position.trick) >= len(in_play):
        raise QuestionError(f"trick: all {len(in_play)} have played; leave it out, its winner is the leader")


def _check_counts(position: OpenPosition) -> None:
    """Refuse hands of unequal length, or longer than they are dealt or can be solved."""
    laid = {seat for seat, _ in position.trick}
    counts = {seat: position.hands[seat - 1].bit_count() + (seat in laid) for seat in position.in_play}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"seat {seat} {n}" for seat, n in counts.items())
        raise QuestionError(f"before the trick all seats in play hold equally many cards, read {told}")
    dealt = position.rules.hand_size
    if position.left > dealt:
        raise QuestionError(f"a hand of {position.rules.game.name} has {dealt} cards, read {position.left}")


def _check_followed(position: OpenPosition) -> None:
    """Refuse a trick to which somebody did not follow who still holds a card of the suit led."""
    rules, trump = position.rules, position.trump
    if not position.trick:
        return
    led = _lane(open_hands(rules, [position.trick[0][1]], trump).tolist()[0])
    for seat, card in position.trick[1:]:
        hand, played = open_hands(rules, [position.hands[seat - 1], card], trump).tolist()
        if _lane(played) != led and (follows := hand & (0xFFFF << 16 * led)):
            could = cards_text(printed_cards(rules, [follows], trump)[0], rules.pack)
            card_text = cards_text(card, rules.pack)
            raise QuestionError(
                f"trick: seat {seat} reneged: {card_text} on {suit_name(led ^ trump)}, still holding {could}"
            )


def _lane(card: int) -> int:
    return (card.bit_length() - 1) >> 4


def _words(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats[:-1])) + f" and {seats[-1]}"


# --- solving ---


class _Board(NamedTuple):
    """A position as the solver's doors take it."""

    rules: Any
    memory: Memory
    hands: NDArray[np.int64]  # (4,) trump order, cards of the trick put back
    leader: int
    side: int
    played: int


def _board(position: OpenPosition) -> _Board:
    rules, trump = position.rules, position.trump
    hands = np.zeros(values.MAX_SEATS, np.int64)
    hands[: rules.n_seats] = open_hands(rules, position.hands, trump)
    played = 0
    for (seat, _), card in zip(
        position.trick, open_hands(rules, [card for _, card in position.trick], trump).tolist(), strict=True
    ):
        hands[seat - 1] |= card
        played |= card
    side = sum(1 << (seat - 1) for seat in position.sides[0])
    return _Board(kernel_rules(rules), memory_for(position.left), hands, position.leader - 1, side, played)


def solve(position: OpenPosition, *, with_play: bool = False) -> Solution:
    """Return what each side takes when both play perfectly, and with `with_play` one best line."""
    board = _board(position)
    tricks = np.zeros(1, np.int64)
    solve_doors.solve_positions(
        board.rules,
        board.memory,
        board.hands.reshape(1, -1),
        np.array([board.leader], np.int64),
        np.array([board.side], np.int64),
        np.array([board.played], np.int64),
        tricks,
    )
    first = int(tricks[0])
    play = _best_play(position, board) if with_play else None
    return Solution(position, (first, position.left - first), play)


def _best_play(position: OpenPosition, board: _Board) -> tuple[Trick, ...]:
    """One line in which every card is a best one, of several the first in the solver's order; the trick begun leads."""
    cards, tricks = np.zeros((2, solve_doors.MAX_CARDS), np.int64)
    line = []
    leader, played, in_play = board.leader, board.played, position.in_play
    trick = [(seat, cards_text(card, position.rules.pack)) for seat, card in position.trick]
    while board.hands.any():
        seat = in_play[(in_play.index(leader + 1) + len(trick)) % len(in_play)]
        n = solve_doors.solve_cards(board.rules, board.memory, board.hands, leader, board.side, played, cards, tricks)
        best = max if board.side >> (seat - 1) & 1 else min
        chosen = int(cards[best(range(n), key=tricks[:n].tolist().__getitem__)])
        printed = printed_cards(position.rules, [chosen], position.trump)[0]
        trick.append((seat, cards_text(printed, position.rules.pack)))
        played |= chosen
        if len(trick) == len(in_play):
            winner = int(solve_doors.trick_winner(board.rules, board.hands, leader, played))
            line.append(Trick(leader + 1, tuple(trick), winner + 1))
            board.hands[:] &= ~played
            leader, played, trick = winner, 0, []
    return tuple(line)


_told: set[str] = set()


def must_compile(*, with_play: bool) -> bool:
    """Whether the next `solve` will wait for the compiler; true once only."""
    needed = ["solve_positions", *(["solve_cards"] if with_play else [])]
    cold = [name for name in needed if name not in _told and not is_warm(name)]
    _told.update(needed)
    return bool(cold)


def solution_row(solution: Solution) -> dict[str, Any]:
    """The names and values of a solution in JSON."""
    position = solution.position
    played = None
    if solution.play is not None:
        played = [[seat, card] for trick in solution.play for seat, card in trick.cards][len(position.trick) :]
    return {
        "trump": SUIT_LETTERS[position.trump],
        "leader": position.leader,
        "sides": [list(side) for side in position.sides],
        "tricks": list(solution.tricks),
        "play": played,
    }
