"""Turns what one seat knows, a Position, into the table before it and the cards it cannot see.

What is legal is the table's to say: unseen cards are filled in somehow, as no call depends on the cards of another
seat, and the events are played on that table. An event that breaks a rule is refused here.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from analyzer.border import Vector, empty_start, pool_of
from analyzer.cards import cards_text, parse_card
from analyzer.errors import BrokenRecord, QuestionError
from analyzer.events import Event, Step
from analyzer.lines import DEAL
from analyzer.refusals import take_event, task_of
from analyzer.rules import Rules, demand_lawful_play
from analyzer.table import Table, suit_of_upcard
from kernels import values

_SHARED = ("give", "return")
"""What partners show one another and nobody else."""
HIDDEN = ("pickup", "discard", "dummy", *_SHARED)
"""Events with cards that not all see."""


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
    """All that is known, by events of which each is in its place as `_in_place` tells.

    Raises BrokenRecord for a card that cannot have been where it is said to be.
    """
    rules = position.rules
    start = empty_start(rules)
    _know(start, position.seat, position.hand)
    is_others = any(event[1] == "dummy" and event[0] != position.seat for event in position.events)
    dummy = 0 if is_others else position.dummy  # what another maker took the asker has not seen
    taken = position.hand | position.upcard | dummy
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
        else:
            _know(start, seat, card)
        if verb == "play":
            start[values.KEPT + seat - 1] |= card
    if shared:
        start[values.NEED + shared.first - values.HAND] += shared.n_second - shared.cards.bit_count()
        start[values.NEED_DUMMY if shared.second == values.AT_DUMMY else values.NEED + shared.second - values.HAND] = 0
    if dummy:
        start[values.AT_DUMMY], start[values.NEED_DUMMY] = dummy, 0
    if position.upcard:
        start[values.UP], start[values.NEED_UP] = position.upcard, 0
        start[values.UP_SUIT] = suit_of_upcard(position.upcard, position.joker_suit)
        if any(_is_upcard(position, event) for event in position.events):
            start[values.KEPT + rules.n_seats - 1] |= position.upcard
    return _Known(start, pool_of(rules.pack.cards & ~taken), shared)


def _shows_unseen_card(position: Position, event: Event) -> bool:
    """Whether an event names a card that the asker did not hold: a play of another seat, or a card from his partner."""
    if len(event) != 3 or not isinstance(event[2], str):
        return False
    return event[0] != position.seat if event[1] == "play" else _is_from_partner(position, event)


def _is_upcard(position: Position, event: Event) -> bool:
    """Whether an event is another dealer's play of the upcard that he took."""
    dealer = position.rules.n_seats
    if not position.upcard or position.seat == dealer or not _has(position, dealer, "pickup"):
        return False
    return bool(event == [dealer, "play", cards_text(position.upcard, position.rules.pack)])


def _has(position: Position, seat: int, verb: str) -> bool:
    """Whether the seat did this."""
    return any(event[:2] == [seat, verb] for event in position.events)


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


def table_of(position: Position) -> Table:
    """Return a table at the decision; the cards its seat cannot see lie somehow."""
    return _drive(position)[0]


def check_position(position: Position) -> None:
    """Refuse a position whose events are not legal or do not come to a decision of its seat.

    Raises BrokenRecord with the first event that is wrong, QuestionError where illegal plays are possible.
    """
    demand_lawful_play(position.rules, "ask answers")
    _drive(position)


# --- which events can be trusted, whoever holds what ---


def _in_place(position: Position) -> Position:
    """The position up to its first event that no deal of the cards could make right.

    What cards decide is left to check: who holds what, what follows suit, who leads the next trick.
    """
    rules = position.rules
    table = any_table(rules, position.upcard, position.joker_suit)
    n_played = [0] * (rules.n_seats + 1)
    read: tuple[Any, ...] = position.events  # not yet looked at, whatever they are
    for place, event in enumerate(read):
        try:
            if table.phase != "play":
                take_event(table, _unseen(event), is_seen=False)
                continue
        except QuestionError:
            return replace(position, events=read[:place])
        if not _is_play(table, event) or n_played[event[0]] == rules.hand_size:
            return replace(position, events=read[:place])
        n_played[event[0]] += 1
    return position


def any_table(rules: Rules, upcard: int, joker_suit: int | None) -> Table:
    """A table with any cards: what may be called does not depend on them, but for claims, which all may make."""
    cards = pool_of(rules.pack.cards & ~upcard).tolist()
    hands = [sum(cards.pop() for _ in range(n)) for n in rules.dealt]
    dummy = sum(cards.pop() for _ in range(rules.hand_size)) if rules.game.has_dummy else 0
    table = Table.dealt(rules, hands, dummy=dummy, upcard=upcard, up_suit=joker_suit)
    if rules.ace_no_face:
        table.state[values.MAY_CLAIM] = 0b1111
    return table


def _unseen(event: Any) -> Any:
    """An event as one who does not see its cards knows it."""
    is_hidden = isinstance(event, list) and len(event) == 3 and event[1] in HIDDEN and isinstance(event[2], str)
    return [*event[:2], None] if is_hidden else event


def _is_play(table: Table, event: Any) -> bool:
    """Whether an event is a play, as far as its form goes, of a seat that does not sit out."""
    if not isinstance(event, list) or len(event) != 3 or type(event[0]) is not int or event[1] != "play":
        return False
    return 1 <= event[0] <= table.rules.n_seats and not table.state[values.OUT] >> event[0] - 1 & 1


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
    if not (isinstance(event, list) and len(event) == 3 and event[1] in HIDDEN):
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
    known, sound, fault = _known_soundly(position)
    table = _filled(sound, known)
    own = position.seat - 1
    sure = [int(known.start[values.HAND + seat] | known.start[values.KEPT + seat]) for seat in range(values.MAX_SEATS)]
    steps: list[Step] = []
    has_kept = _has(sound, position.seat, "dummy")
    is_play = False
    for number, event in enumerate(position.events, 1):
        if fault is not None and number == fault.event:
            raise fault
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
            _check_room(sound, table, known, number)
    if position.dummy and not has_kept:
        if table.phase != "dummy" or table.seat != position.seat:
            raise BrokenRecord("the dummy is shown to the maker alone, when he has taken it and is to keep five", DEAL)
        steps.append(Step(values.TAKE_DUMMY, 0))
        table.apply(steps[-1])
    _check_turn(position, table)
    return table, steps


def _known_soundly(position: Position) -> tuple[_Known, Position, BrokenRecord | None]:
    """What is known by the events before the first that cannot be, the position with those alone, and what is wrong.

    Only what cards decide is not yet looked at. An event that no cards could make right is refused when it is taken.
    """
    sound = _in_place(position)
    try:
        return _known(sound), sound, None
    except BrokenRecord as fault:
        before = replace(sound, events=sound.events[: (fault.event or 1) - 1])
        return _known(before), before, fault


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
    """The lanes (mask, trump order) of which a seat, from 0, has shown itself void: none where it may have reneged."""
    if table.rules.can_renege:
        return 0
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
        has_buried = any(_has(position, seat + 1, verb) for verb in HIDDEN)
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
