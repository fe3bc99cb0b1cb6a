"""Turns what one seat knows, from JSON or from the words of a command, into a Position, its options and the unseen.

Everything a user can get wrong about a question is caught here. What is legal is the table's to say: unseen cards are
filled in somehow, as no call depends on the cards of another seat, and the events are played on that table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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
from analyzer.record import Heading, joker_suit_of
from analyzer.refusals import fields_of, shown, take_event, task_of
from analyzer.rules import GAMES, Rules, make_rules
from kernels import values

_SHARED = ("give", "return")
"""What partners show one another and nobody else."""
_HIDDEN = ("pickup", "discard", "dummy", *_SHARED)
"""Events with cards that not all see."""
_TRUMPS_KEPT = 3
"""With more trumps than these, others may give way to cards that win."""
_ONE_CARD = ("pickup", "give", "return", "play")
"""Phases in which trump is known and one card is chosen."""


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


class Option(NamedTuple):
    """One thing that the asker may say or do."""

    step: Step
    same: tuple[Step, ...] = ()
    """Cards that are its equals: none that is still out lies between them."""


class _Known(NamedTuple):
    """What is known of the deal when all events are read."""

    start: Vector
    """int64[TABLE_SIZE]: the table before the deal; NEED says how many unseen cards each place still wants."""
    pool: Vector
    """int64[n]: the unseen cards; what nobody wants is the stock."""
    shared: "Shared | None"


class Shared(NamedTuple):
    """Two places of which it is known that some cards lay in one of them, but not in which."""

    first: int
    """A place of the table, as values.HAND + 2."""
    second: int
    cards: int
    """Those known to have lain in one of them."""
    n_second: int
    """How many cards the second was dealt."""


class _Fields(Heading, frozen=True, kw_only=True):
    """A position as a file has it."""

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
    too few for it to be the seat's turn.
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

    NEED of the table says how many of them each place still wants; the rest is the stock. KEPT holds the cards that
    the others have played. Where `shared_places` is not None, the first of the two wants the cards of both.
    """
    start, pool, _ = _known(position)
    return start, pool


def shared_places(position: Position) -> Shared | None:
    """Return the places that share known cards: the maker's hand and his dummy, the asking bidder and his partner."""
    return _known(position).shared


def _known(position: Position) -> _Known:
    """All that is known, its events being well-formed as far as they are looked at here."""
    rules = position.rules
    start = empty_start(rules)
    _know(start, position.seat, position.hand)
    taken = position.hand | position.upcard | position.dummy
    shared = None
    for number, event in enumerate(position.events, 1):
        if not _shows_unseen_card(position, event) or _is_upcard(position, event):
            continue
        seat, verb, text = event
        try:
            card = parse_card(text, rules.pack, strict=True, taken=taken)
        except QuestionError as error:
            raise BrokenRecord(str(error), number) from error
        taken |= card
        other = _place_shared_with(position, seat) if verb == "play" else None
        if other is not None:
            n_second = rules.hand_size if other == values.AT_DUMMY else rules.dealt[other - values.HAND]
            shared = Shared(values.HAND + seat - 1, other, card | (shared.cards if shared else 0), n_second)
        elif start[values.NEED + seat - 1]:
            _know(start, seat, card)
        else:
            raise BrokenRecord(f"seat {seat} was not dealt so many cards", number)
        if verb == "play":
            start[values.KEPT + seat - 1] |= card
    if shared:
        start[values.NEED + shared.first - values.HAND] += shared.n_second - shared.cards.bit_count()
        start[values.NEED_DUMMY if shared.second == values.AT_DUMMY else values.NEED + shared.second - values.HAND] = 0
    if position.dummy:
        start[values.AT_DUMMY], start[values.NEED_DUMMY] = position.dummy, 0
    if position.upcard:
        start[values.UP], start[values.NEED_UP] = position.upcard, 0
        start[values.UP_SUIT] = suit_of_upcard(position.upcard, position.joker_suit)
        if any(_is_upcard(position, event) for event in position.events):
            start[values.KEPT + rules.n_seats - 1] |= position.upcard
    return _Known(start, pool_of(rules.pack.cards & ~taken), shared)


def _shows_unseen_card(position: Position, event: Any) -> bool:
    """Whether an event names a card that the asker did not hold: a play of another seat, or a card from his partner."""
    if not isinstance(event, list) or len(event) != 3 or not isinstance(event[2], str):
        return False
    others = [seat for seat in range(1, position.rules.n_seats + 1) if seat != position.seat]
    if event[1] != "play":
        return _is_from_partner(position, event)
    return type(event[0]) is int and event[0] in others


def _is_upcard(position: Position, event: Any) -> bool:
    """Whether an event is another dealer's play of the upcard that he took."""
    dealer = position.rules.n_seats
    if not position.upcard or position.seat == dealer or not _has(position, dealer, "pickup"):
        return False
    return bool(event == [dealer, "play", cards_text(position.upcard, position.rules.pack)])


def _has(position: Position, seat: int, verb: str) -> bool:
    """Whether the seat did this."""
    read: tuple[Any, ...] = position.events  # not yet looked at, whatever they are
    return any(isinstance(event, list) and event[:2] == [seat, verb] for event in read)


def _place_shared_with(position: Position, seat: int) -> int | None:
    """The place from which another seat's cards may have come besides its hand, before the play; None: none."""
    if _has(position, seat, "dummy"):
        return values.AT_DUMMY
    if _has(position, seat, "give") and seat % 2 != position.seat % 2:
        return values.HAND + (seat - 1 ^ 2)
    return None


def known_steps(position: Position) -> list[Step]:
    """Return the steps of all events so far, in order, with UNKNOWN for cards the seat did not see."""
    return _drive(position)[1]


def options(position: Position, *, every: bool = False) -> list[Option]:
    """Return what the seat may say or do now; of the fives to keep of ten the likely ones, or with `every` all.

    A bid is one option a level and suit (see values.TOLD_SHIFT); of twins, and of cards that are equals, one stands for
    all.
    """
    table = _drive(position)[0]
    found: dict[str, Step] = {}
    steps = table.steps()
    if table.phase == "keep" and not every:
        ten = int(table.state[values.HAND + table.seat - 1] | table.state[values.AT_DUMMY])
        steps = [step for step in steps if _is_likely_keep(table.in_trump_order(ten), table.in_trump_order(step.what))]
    for step in steps:
        told = [step]
        if step.verb == values.SAY_BID:
            told = [Step(step.verb, step.what | suit + 1 << values.TOLD_SHIFT) for suit in range(4)]
        for one in told:
            found.setdefault(option_text(position.rules, (one,)), one)
    if table.trump is None or table.phase not in _ONE_CARD:
        return [Option(step) for step in found.values()]
    return _grouped(position, table, list(found.values()))


def _is_likely_keep(ten: int, kept: int) -> bool:
    """Whether five of ten cards, in trump order, may be the best to keep.

    All trumps, or three at least; and the highest of each suit, but for one in which they may be any. Measured against
    all 252 in tests/test_keeps.py.
    """
    if (kept & values.LANE).bit_count() < min(_TRUMPS_KEPT, (ten & values.LANE).bit_count()):
        return False
    n_odd = 0
    for lane in range(4):
        held = kept >> 16 * lane & values.LANE
        n_odd += (ten ^ kept) >> 16 * lane & values.LANE > held & -held > 0
    return n_odd <= 1


def _grouped(position: Position, table: Table, steps: Sequence[Step]) -> list[Option]:
    """The options with a card, equals as one that the lowest stands for; others as they are."""
    cards = {table.in_trump_order(step.what): step for step in steps if step.verb in values.WITH_CARDS}
    out = int(table.state[values.BEST]) if table.phase == "play" and table.state[values.IN_TRICK] else 0
    for card in known_start(position)[1]:
        out |= table.in_trump_order(int(card))
    groups: list[list[int]] = []
    for card in sorted(cards):
        if groups and _are_equals(groups[-1][-1], card, out, table.rules.pack.copies):
            groups[-1].append(card)
        else:
            groups.append([card])
    grouped = {cards[low]: tuple(cards[card] for card in more) for low, *more in groups}
    return [
        Option(step, grouped.get(step, ())) for step in steps if step in grouped or step.verb not in values.WITH_CARDS
    ]


def _are_equals(low: int, high: int, out: int, copies: int) -> bool:
    """Whether two cards in trump order, one bit each, are of one suit with none of `out` between them.

    In a double pack a twin that is out stands between too: of two alike the first played wins.
    """
    if (low.bit_length() - 1) // 16 != (high.bit_length() - 1) // 16:
        return False
    between = (high - 1) & ~(2 * low - 1)
    if copies == 2:
        between |= sum(card | (card << 1 if card.bit_length() % 2 else card >> 1) for card in (low, high))
    return not between & out


def trump_of(position: Position) -> int | None:
    """Return the trump suit at the decision, or the one that may be ordered; None while any may be named."""
    table = _drive(position)[0]
    return int(table.state[values.UP_SUIT]) if table.trump is None and table.phase == "order" else table.trump


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

    Raises BrokenRecord with the first event that is wrong.
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


def _filled(position: Position, known: _Known) -> Table:
    """A table on which the unseen cards lie somehow, and any other seat may claim."""
    start, unseen = known.start.copy(), known.pool.tolist()
    rules = position.rules
    if known.shared:
        start[known.shared.first] |= known.shared.cards
        start[values.NEED + known.shared.first - values.HAND] -= known.shared.n_second
        start[known.shared.second] = sum(unseen.pop() for _ in range(known.shared.n_second))
    for seat in range(values.MAX_SEATS):
        for _ in range(start[values.NEED + seat]):
            start[values.HAND + seat] |= unseen.pop()
    for _ in range(start[values.NEED_DUMMY]):
        start[values.AT_DUMMY] |= unseen.pop()
    hands = start[values.HAND : values.HAND + rules.n_seats].tolist()
    dummy, up = int(start[values.AT_DUMMY]), position.upcard
    table = Table.dealt(rules, hands, dummy=dummy, upcard=up, up_suit=position.joker_suit)
    if rules.ace_no_face:
        table.state[values.MAY_CLAIM] |= 0b1111 & ~(1 << position.seat - 1)
    return table


def _drive(position: Position) -> tuple[Table, list[Step]]:
    """The table at the decision, its unseen cards somehow, and the steps that led there as the asker knows them.

    In the play the others hold the cards they are known to play and no other, and a partner who returns cards those
    alone: so nobody is thought to hold what he should have played or returned.
    """
    known = _known(position)
    table = _filled(position, known)
    own = position.seat - 1
    sure = [int(known.start[values.HAND + seat] | known.start[values.KEPT + seat]) for seat in range(values.MAX_SEATS)]
    steps: list[Step] = []
    has_kept = _has(position, position.seat, "dummy")
    is_play = False
    for number, event in enumerate(position.events, 1):
        if table.phase == "dummy" and has_kept and not position.dummy:
            raise BrokenRecord('the maker who took the dummy saw its cards: say them, as in "dummy": "9H KS"', number)
        if table.phase == "play" and not is_play:
            is_play = True
            _hold_only_what_is_played(position, table, known)
        if table.phase == "return" and _is_from_partner(position, event) and not table.state[values.N_RETURNED]:
            table.state[values.HAND + table.seat - 1] = sure[table.seat - 1] | int(table.state[values.GIVEN])
        kept_back = sure[table.seat - 1] if table.seat - 1 != own else 0
        try:
            steps += take_event(table, event, is_seen=_is_seen(position, event), kept_back=kept_back)
        except QuestionError as error:
            raise BrokenRecord(str(error), number) from error
        if is_play:
            _check_room(position, table, known, number)
    if position.dummy and not has_kept:
        if table.phase != "dummy" or table.seat != position.seat:
            raise BrokenRecord("the dummy is shown to the maker alone, when he has taken it and is to keep five", DEAL)
        steps.append(Step(values.TAKE_DUMMY, 0))
        table.apply(steps[-1])
    _check_turn(position, table)
    return table, steps


def _hold_only_what_is_played(position: Position, table: Table, known: _Known) -> None:
    """Take from the others, before the first lead, the cards that only fill their hands."""
    for seat in range(position.rules.n_seats):
        if seat != position.seat - 1:
            table.state[values.HAND + seat] = table.in_trump_order(int(known.start[values.KEPT + seat]))


def _check_room(position: Position, table: Table, known: _Known, number: int) -> None:
    """Refuse an event after which the voids shown leave no place for the unseen cards.

    Whoever showed a void wants cards of other suits; any set of seats must find as many of them (Hall's theorem).
    """
    wanted = [0] * position.rules.n_seats
    allowed = [0] * position.rules.n_seats
    unseen = [table.in_trump_order(int(card)) for card in known.pool]
    for seat in range(position.rules.n_seats):
        if seat == position.seat - 1:
            continue
        wanted[seat] = _still_to_play(position, known, seat)
        void = barred_lanes(table, seat)
        allowed[seat] = sum(card for card in unseen if not card & void)
    for some in range(1, 1 << position.rules.n_seats):
        seats = [seat for seat in range(position.rules.n_seats) if some >> seat & 1]
        room = 0
        for seat in seats:
            room |= allowed[seat] if wanted[seat] else 0
        if sum(wanted[seat] for seat in seats) > room.bit_count():
            raise BrokenRecord("no cards are left that could lie where they must, after the voids shown", number)


def _still_to_play(position: Position, known: _Known, seat: int) -> int:
    """How many of the unseen cards a seat surely holds in the play: not those it may have buried or handed on."""
    need = int(known.start[values.NEED + seat])
    if known.shared and known.shared.first == values.HAND + seat:
        return position.rules.hand_size - known.shared.cards.bit_count()
    if known.shared and known.shared.second == values.HAND + seat:
        return 0
    n_hidden = sum(_has(position, seat + 1, verb) for verb in ("pickup", "discard"))
    has_swapped = any(_has(position, seat + 1, verb) for verb in ("dummy", *_SHARED))
    return 0 if has_swapped else max(0, need - n_hidden)


def barred_lanes(table: Table, seat: int) -> int:
    """The lanes (mask, trump order) of which a seat, from 0, has shown itself void."""
    return sum(values.LANE << 16 * lane for lane in range(4) if table.state[values.VOID + lane] >> seat & 1)


def barred_cards(position: Position) -> list[int]:
    """Return, for each seat, the unseen cards that it cannot have been dealt: of a suit it did not follow later.

    None for a seat that has buried or exchanged cards, which may have been of that suit.
    """
    table = _drive(position)[0]
    known = _known(position)
    if table.phase != "play":
        return [0] * position.rules.n_seats
    found = []
    for seat in range(position.rules.n_seats):
        has_buried = any(_has(position, seat + 1, verb) for verb in _HIDDEN)
        void = 0 if has_buried or seat == position.seat - 1 else barred_lanes(table, seat)
        found.append(sum(int(card) for card in known.pool if table.in_trump_order(int(card)) & void))
    return found


def _check_turn(position: Position, table: Table) -> None:
    """Refuse a table that does not wait for the asker."""
    number = len(position.events) + 1
    if table.is_done:
        raise BrokenRecord("the deal is over: there is nothing left to decide", number)
    if table.seat != position.seat:
        raise BrokenRecord(f"it is seat {table.seat}'s turn to {task_of(table)}, not seat {position.seat}'s", number)
