"""Turns what a player types about his hand into a Position: the cards he holds now, the upcard, what was said.

The seat follows from the calls, and what was dealt from what is held and was discarded.
"""

import re
from collections.abc import Sequence

from analyzer.cards import JOKER, SUIT_NAMES, cards_text, each_card, parse_card, parse_cards, parse_suit
from analyzer.errors import QuestionError, nearest
from analyzer.events import SUIT_LETTERS, Event
from analyzer.position import Position, any_table, check_position
from analyzer.position_file import checked_players, checked_scores, checked_seat
from analyzer.record import joker_suit_of
from analyzer.refusals import take_event, task_of
from analyzer.rules import Rules
from analyzer.table import Table
from kernels import values

_PLAIN = ("pass", "order", "leave", "alone", "together", "claim")
_UNSEEN = ("pickup", "dummy")
_LEVELS = ("six", "ask", "moon")
_DASH = re.compile(r"(?<=\d)(?:[-\u2013:]|\s+[-\u2013:]\s+)(?=\d)")
_DASHED = re.compile(r"\d+(?:\s*[-\u2013:]\s*\d+)+")
_SHORT = {"p": "pass"}
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def position_from_options(
    rules: Rules,
    hand: str,
    *,
    up: str | None = None,
    seat: int | None = None,
    calls: str | None = None,
    discarded: str | None = None,
    score: str | None = None,
    players: Sequence[str] | None = None,
) -> Position:
    """Return the position of a question in words; `hand` is what the asker holds now.

    `up` is the upcard (`JO hearts`), `calls` what was said from seat 1 on, `discarded` the card that the asker laid
    down, `score` numbers in seat order. Without calls the seats before `seat` have passed.

    Raises QuestionError for all that cannot be.
    """
    upcard, suit = _read_up(rules, up)
    held = parse_cards(hand, rules.pack)
    if calls is None:
        events, asker = _passes(rules, upcard, suit, seat, held)
    else:
        events, asker = _said(rules, upcard, suit, seat, calls)
    if [asker, "dummy", None] in events:
        raise QuestionError(
            f"seat {asker} has taken the dummy: which five cards he kept is not said in --calls; ask with --position"
        )
    laid_down = next((event for event in events if event[0] == asker and event[1] in ("pickup", "discard")), None)
    if laid_down is None:
        if discarded is not None:
            raise QuestionError(f"seat {asker} has discarded nothing yet: leave --discarded out")
        dealt = held
    else:
        dealt, laid_down[2] = _as_dealt(rules, held, upcard, laid_down[1], discarded)
    _check_number(rules, held, asker, bool(events))
    if upcard & dealt:
        raise QuestionError(f"{cards_text(upcard, rules.pack)} is turned up and not in the hand that was dealt")
    position = Position(
        rules=rules,
        seat=asker,
        hand=dealt,
        events=tuple(events),
        upcard=upcard,
        joker_suit=suit,
        scores=read_score(rules, score),
        players=checked_players(rules, players),
    )
    check_position(position)
    return position


def asker_of(
    rules: Rules, *, up: str | None = None, seat: int | None = None, calls: str | None = None
) -> tuple[int, bool]:
    """Return the seat whose turn it is after these words, and whether it has laid down a card that has to be told.

    Raises QuestionError as `position_from_options` does for the same words.
    """
    upcard, suit = _read_up(rules, up)
    events, asker = _passes(rules, upcard, suit, seat, 0) if calls is None else _said(rules, upcard, suit, seat, calls)
    return asker, any(event[0] == asker and event[1] in ("pickup", "discard") for event in events)


def position_of_any_hand(
    rules: Rules,
    *,
    up: str | None = None,
    seat: int | None = None,
    calls: str | None = None,
    score: str | None = None,
    players: Sequence[str] | None = None,
) -> Position:
    """Return the same position where it does not matter what the asker holds: his hand is some hand.

    Raises QuestionError as `position_from_options`, and for a dealer who has laid down one of seven cards.
    """
    if asker_of(rules, up=up, seat=seat, calls=calls)[1]:
        raise QuestionError("what this dealer has discarded hangs on his hand: tell the hand")
    upcard = _read_up(rules, up)[0]
    cards = list(each_card(rules.pack.cards & ~upcard))[: rules.hand_size]
    hand = cards_text(sum(cards), rules.pack)
    return position_from_options(rules, hand, up=up, seat=seat, calls=calls, score=score, players=players)


# --- cards ---


def _read_up(rules: Rules, text: str | None) -> tuple[int, int | None]:
    """The upcard, and the suit a joker stands for; (0, None) in bid."""
    if rules.game.is_bid:
        if text is not None:
            raise QuestionError("no card is turned up in bid: leave --up out")
        return 0, None
    if text is None:
        raise QuestionError(f"{rules.game.name} turns a card up: say which, as in --up QH")
    words = text.replace(",", " ").split() or [""]
    card = parse_card(words[0], rules.pack)
    if card != JOKER:
        if words[1:]:
            raise QuestionError(f'one card is turned up, read "{text}"')
        return card, None
    suit = " ".join(words[1:])
    if suit:
        return card, joker_suit_of(rules, SUIT_LETTERS[parse_suit(suit)], suit)
    if rules.joker_turned_up == "hearts":
        return card, 2
    raise QuestionError('a joker turned up stands for the suit the dealer named: say it, as in --up "JO hearts"')


def _as_dealt(rules: Rules, held: int, upcard: int, verb: str, discarded: str | None) -> tuple[int, str]:
    """The hand as dealt and the text of the card laid down, by a dealer who has done so."""
    if discarded is None:
        why = "has picked up the upcard" if verb == "pickup" else "has laid down one of his seven cards"
        raise QuestionError(f"the dealer {why}: say which card he discarded, as in --discarded 9C")
    card = parse_card(discarded, rules.pack)
    text = cards_text(card, rules.pack)
    if card & held:
        raise QuestionError(f"{text} is both held and discarded")
    if card == upcard:
        return held, text
    if upcard & ~held:
        up = cards_text(upcard, rules.pack)
        raise QuestionError(f"the dealer who picked {up} up holds it now, but read {cards_text(held, rules.pack)}")
    return held & ~upcard | card, text


def _check_number(rules: Rules, held: int, seat: int, has_events: bool) -> None:
    """Refuse another number of cards than the seat holds now."""
    n = rules.hand_size if has_events else rules.dealt[seat - 1]
    read = held.bit_count()
    if read == n:
        return
    cure = ""
    if seat == rules.n_seats and read == n + 1:
        cure = "; of a dealer who has discarded give the cards he holds now, and the other with --discarded"
    count = _COUNTS[read] if read < len(_COUNTS) else read
    raise QuestionError(f"expected {_COUNTS[n]} cards, read {count}: {cards_text(held, rules.pack)}{cure}")


# --- calls ---


def _passes(rules: Rules, upcard: int, suit: int | None, seat: int | None, held: int) -> tuple[list[Event], int]:
    """The events before `seat`, which are passes, and the seat; the joker game's dealer with seven cards is first."""
    table = any_table(rules, upcard, suit)
    if seat is not None:
        checked_seat(rules, seat)
    events: list[Event] = []
    if table.phase == "discard":
        if seat in (None, table.seat) and held.bit_count() == rules.dealt[-1]:
            return [], table.seat
        _take(table, events, [table.seat, "discard", None])
    while table.seat != (seat or 1):
        _take(table, events, [table.seat, "pass"])
    return events, table.seat


def _said(rules: Rules, upcard: int, suit: int | None, seat: int | None, calls: str) -> tuple[list[Event], int]:
    """The events of the calls, and the seat whose turn it then is."""
    table = any_table(rules, upcard, suit)
    if seat is not None:
        checked_seat(rules, seat)
    events: list[Event] = []
    if table.phase == "discard":
        _take(table, events, [table.seat, "discard", None])
    words = calls.replace(",", " ").replace("-alone", " alone").casefold().split()
    if calls.strip() and not words:
        raise QuestionError(f'there is no call in --calls "{calls}": expected words, as in "pass pass order"')
    for place, word in enumerate(words):
        if word == "alone" and place and _joins(rules, words[place - 1]):
            continue
        try:
            event = _event(table, _SHORT.get(word, word))
            if words[place + 1 : place + 2] == ["alone"] and _joins(rules, word):
                event.append("alone")
            _take(table, events, event, word)
        except QuestionError as error:
            raise QuestionError(f'call {place + 1}, "{word}": {error}') from error
    if table.is_done:
        raise QuestionError("the deal is over after these calls: there is nothing left to decide")
    if seat not in (None, table.seat):
        cure = "; keeping five is asked with --position" if words[-1:] == ["dummy"] else ""
        if table.phase == "play":
            cure = "; what was led and played before him is told with --position"
        raise QuestionError(
            f"after these calls it is seat {table.seat}'s turn to {task_of(table)}, not seat {seat}'s{cure}"
        )
    return events, table.seat


def _take(table: Table, events: list[Event], event: Event, typed: str | None = None) -> None:
    take_event(table, event, is_seen=False, typed=typed)
    events.append(event)


def _joins(rules: Rules, word: str) -> bool:
    """Whether `alone` after this word belongs to the same call."""
    is_call = word in ("order", "next") or _suit(word) is not None
    return is_call and rules.n_seats == 4 and not rules.game.is_bid


def _suit(word: str) -> int | None:
    try:
        return parse_suit(word)
    except QuestionError:
        return None


def _event(table: Table, word: str) -> Event:
    """The event of one word of the seat to act."""
    seat = table.seat
    if word == "alone" and table.phase in ("order", "name") and _joins(table.rules, "order"):
        call = "order" if table.phase == "order" else "hearts"
        raise QuestionError(f'it stands behind the call it belongs to: did you mean "{call} alone"?')
    if word in _PLAIN:
        return [seat, word]
    if word in _UNSEEN:
        return [seat, word, None]
    if word in _LEVELS:
        return [seat, "bid", word]
    if re.fullmatch(r"\d{1,4}", word, re.ASCII):
        return [seat, "bid", int(word)]
    suit = _next_suit(table) if word == "next" and not table.rules.game.is_bid else _suit(word)
    if suit is not None:
        return [seat, "trump" if table.phase == "trump" else "name", SUIT_LETTERS[suit]]
    known = _words(table.rules)
    hint = nearest(word, known) or f"expected one of {', '.join(known)}"
    raise QuestionError(f"nobody says that: {hint}")


def _next_suit(table: Table) -> int:
    """The other suit of the colour turned down."""
    if table.phase != "name":
        raise QuestionError("next is the other suit of the colour turned down: nobody names a suit here")
    return int(table.state[values.UP_SUIT]) ^ 3


def _words(rules: Rules) -> list[str]:
    """All that can be said in a game."""
    if rules.game.is_bid:
        return ["pass", *map(str, rules.levels), *(["claim"] if rules.ace_no_face else []), *SUIT_NAMES]
    own = ["dummy", "together"] if rules.game.has_dummy else ["together"] if rules.defend_alone else []
    return ["pass", "order", *SUIT_NAMES, "next", *(["alone"] if rules.n_seats > 2 else []), "pickup", "leave", *own]


def read_score(rules: Rules, text: str | None) -> tuple[int, ...] | None:
    """The score of `6,8`, in seat order; raises QuestionError for what cannot be read and for a game that is over."""
    if text is None:
        return None
    may_be_below = not rules.has_floor
    if may_be_below and _DASHED.fullmatch(text.strip()):
        raise QuestionError(
            f'the score "{text}" can be read in two ways, as a score of this game may be below zero: put commas'
            " between, as in --score 9,8"
        )
    words = (text if may_be_below else _DASH.sub(" ", text)).replace(",", " ").split()
    if not all(re.fullmatch(r"-?\d{1,4}", word, re.ASCII) for word in words):
        raise QuestionError(f'cannot read the score "{text}": expected numbers in seat order, as in --score 6,8')
    return checked_scores(rules, [int(word) for word in words])
