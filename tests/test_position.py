"""Positions: what a seat knows, read, written, typed and refused, with the options of the reference at every turn."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from test_record import RECORDS, house_rules, mutate

from analyzer.asked import position_from_options
from analyzer.cards import cards_text, parse_cards
from analyzer.choices import option_text, options
from analyzer.errors import BrokenRecord, QuestionError
from analyzer.events import UNKNOWN, Step, event_of, steps_of
from analyzer.position import Position, known_start, known_steps, shared_places
from analyzer.position_file import position_json, read_position
from analyzer.rules import GAMES, Rules, make_rules
from kernels import values


def rules_of(game: str, **changes: object) -> Rules:
    return make_rules(GAMES[game], changes)


def texts(position: Position) -> list[str]:
    steps = [step for option in options(position) for step in (option.step, *option.same)]
    return [option_text(position.rules, (step,)) for step in steps]


# --- positions within recorded deals ---


def seen_by(record: dict[str, Any], n_events: int, seat: int) -> dict[str, Any]:
    """The first events of a record as a seat knows them."""
    n = len(record["hands"])
    partner = (seat + 1) % 4 + 1 if n == 4 else 0

    def sees(event: list[Any]) -> bool:
        if event[1] in ("give", "return"):
            return event[0] in (seat, partner)
        return event[1] not in ("pickup", "discard", "dummy") or event[0] == seat

    events = [event if sees(event) else [*event[:2], None] for event in record["events"][:n_events]]
    position = {field: record[field] for field in ("format", "game", "rules")}
    position |= {"seat": seat, "hands": [record["hands"][seat - 1] if k == seat else None for k in range(1, n + 1)]}
    position |= {field: record[field] for field in ("upcard", "joker_suit") if field in record}
    if any(event[:2] == [seat, "dummy"] for event in events):
        position["dummy"] = record["dummy"]
    return position | {"events": events}


def decisions(record: dict[str, Any]) -> Iterator[tuple[dict[str, Any], list[list[Any]]]]:
    """Every decision of a deal, as its seat knows it, with the legal events."""
    table = reference.Table({field: value for field, value in record.items() if field not in ("events", "result")})
    for number, event in enumerate(record["events"]):
        legal = table.legal()
        position = seen_by(record, number, event[0])
        if any(choice[1] == "dummy" for choice in legal):
            yield position, [[event[0], "alone"], [event[0], "dummy", None]]
            yield position | {"dummy": record["dummy"]}, [choice for choice in legal if choice[1] == "dummy"]
        else:
            yield position, legal
        table.play(event)


def some_decisions(game: str) -> Iterator[tuple[dict[str, Any], dict[str, Any], list[list[Any]]]]:
    rng = random.Random(game)
    eager = [{}, {"pass": 0.2, "alone": 2.0}, {"pass": 3.0}]
    for rules in house_rules(game):
        for weights in eager:
            record = reference.play_at_random(reference.deal(game, rules, rng), rng, weights)
            for position, legal in decisions(record):
                if legal[0][1] != "play" or rng.random() < 0.15:
                    yield record, position, legal


def in_order(event: list[Any]) -> list[Any]:
    return [*event[:2], " ".join(sorted(event[2].split()))] if event[1] == "dummy" and event[2] else event


def option_events(position: Position) -> list[list[Any]]:
    """The events of all options, a bid once however many suits are told with it."""
    events = []
    for step in (step for option in options(position, every=True) for step in (option.step, *option.same)):
        plain = Step(step.verb, step.what & 0xFF) if step.verb == values.SAY_BID else step
        events.append(in_order(event_of(position.rules, position.seat, plain)))
    return events


@pytest.mark.parametrize("game", list(GAMES))
def test_the_options_of_a_position_are_the_legal_events_of_the_deal(game: str) -> None:
    for _, read, legal in some_decisions(game):
        position = read_position(read)
        found = option_events(position)
        assert {json.dumps(event) for event in found} == {json.dumps(in_order(event)) for event in legal}, read
        assert len(found) == sum(4 if event[1] == "bid" else 1 for event in {json.dumps(e): e for e in legal}.values())


@pytest.mark.parametrize("game", list(GAMES))
def test_what_is_known_is_of_the_deal_and_what_is_unseen_fills_the_rest(game: str) -> None:
    for record, read, _ in some_decisions(game):
        position = read_position(read)
        rules = position.rules
        start, pool = known_start(position)
        known = [int(cards) for cards in start[values.HAND : values.AT_DUMMY]]
        shared = shared_places(position)
        for seat, hand in enumerate(record["hands"]):
            if rules.deck != 48:
                assert not known[seat] & ~parse_cards(hand, rules.pack)
            if shared is None or values.HAND + seat not in shared[:2]:
                assert known[seat].bit_count() + start[values.NEED + seat] == len(hand.split())
        assert start[values.NEED + position.seat - 1] == 0
        table = sum(known) | int(start[values.AT_DUMMY]) | int(start[values.UP]) | (shared.cards if shared else 0)
        assert table & sum(pool.tolist()) == 0
        assert table | sum(pool.tolist()) == rules.pack.cards
        n_stock = len(record.get("stock", "").split())
        needed = start[values.NEED : values.NEED + rules.n_seats].sum() + start[values.NEED_DUMMY]
        assert len(pool) == needed + n_stock


@pytest.mark.parametrize("game", list(GAMES))
def test_the_steps_of_a_position_are_its_events(game: str) -> None:
    for _, read, _ in some_decisions(game):
        position = read_position(read)
        wanted = [step for event in read["events"] for step in steps_of(position.rules, event)]
        has_kept = any(event[:2] == [position.seat, "dummy"] for event in read["events"])
        wanted += [Step(values.TAKE_DUMMY, 0)] if position.dummy and not has_kept else []
        steps = known_steps(position)
        if position.rules.deck == 48:  # either twin may be meant
            assert [step.verb for step in steps] == [step.verb for step in wanted]
        else:
            assert steps == wanted


@pytest.mark.parametrize("game", list(GAMES))
def test_a_position_written_is_the_position_read(game: str) -> None:
    for _, read, _ in some_decisions(game):
        position = read_position(read)
        written = position_json(position)
        assert read_position(json.loads(json.dumps(written))) == position
        assert written["events"] == read["events"]


def typed(read: dict[str, Any], position: Position) -> dict[str, Any] | None:
    """The position as a command line says it; None where it cannot."""
    rules, words, laid_down = position.rules, [], None
    held = position.hand
    for event in read["events"]:
        own = event[0] == position.seat
        if event[1] in ("give", "return", "play"):
            return None
        if own and event[1] in ("pickup", "discard"):
            laid_down = event[2]
            held = (held | (position.upcard if event[1] == "pickup" else 0)) & ~parse_cards(event[2], rules.pack)
        if event[1] == "discard":
            continue
        if event[1] in ("name", "trump"):
            words.append({"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}[event[2]])
        else:
            words.append(str(event[2]) if event[1] == "bid" else event[1])
        words += ["alone"] if event[-1] == "alone" and len(event) > 2 else []
    if position.dummy or (not words and position.rules.joker and position.seat == 4 and rules.game.is_bid):
        return None
    up = read.get("upcard")
    return {
        "hand": cards_text(held, rules.pack),
        "up": f"JO {read['joker_suit']}" if up == "JO" else up,
        "calls": ", ".join(words),
        "discarded": laid_down,
    }


@pytest.mark.parametrize("game", list(GAMES))
def test_a_position_typed_is_the_position_read(game: str) -> None:
    n = 0
    for _, read, _ in some_decisions(game):
        position = read_position(read)
        words = typed(read, position)
        if words is not None:
            n += 1
            assert position_from_options(position.rules, **words) == position
            assert position_from_options(position.rules, **words, seat=position.seat) == position
    assert n > 80


# --- positions typed ---

TWO, THREE, FOUR, BID = (rules_of(game) for game in GAMES)
JOKER_BID = rules_of("bid", joker=True)
DEFENDERS = rules_of("four-handed", defend_alone=True)
HAND, SIX, DEALT_SEVEN = "JS AS KS 9D TD", "JH JD AH KH QH AS", "JH JD AH KH QH AS JO"


@pytest.mark.fast
@pytest.mark.parametrize(
    ("rules", "hand", "said", "seat", "first"),
    [
        (FOUR, "jh jd a♥ KH 9S", {"up": "QH", "seat": 1}, 1, ["pass", "order", "order alone"]),
        (FOUR, HAND, {"up": "9S"}, 1, ["pass", "order", "order alone"]),
        (FOUR, HAND, {"up": "9S", "seat": 3}, 3, ["pass", "order"]),
        (FOUR, HAND, {"up": "9S", "calls": ""}, 1, ["pass", "order"]),
        (FOUR, HAND, {"up": "9S", "calls": "order"}, 4, ["discard 9D", "discard TD"]),
        (FOUR, HAND, {"up": "AD", "calls": "pass,pass pass , pass"}, 1, ["pass", "clubs", "clubs alone", "hearts"]),
        (DEFENDERS, HAND, {"up": "9S", "calls": "order alone pickup"}, 2, ["together", "alone"]),
        (DEFENDERS, HAND, {"up": "9S", "calls": "pass pass pass pass h alone together"}, 4, ["together", "alone"]),
        (TWO, HAND, {"up": "9H", "calls": "order"}, 2, ["leave", "discard 9D"]),
        (TWO, HAND, {"up": "9H", "calls": "pass order"}, 2, ["discard 9D"]),
        (THREE, HAND, {"up": "9S", "calls": "pass", "score": "6,8,3"}, 2, ["pass", "order"]),
        (THREE, HAND, {"up": "9S", "calls": "order leave"}, 1, ["dummy", "alone"]),
        (THREE, HAND, {"up": "9S", "calls": "order leave dummy"}, 2, ["together", "alone"]),
        (BID, SIX, {"calls": "3 pass"}, 3, ["pass", "4 clubs", "4 diamonds", "4 hearts", "4 spades", "5 clubs"]),
        (BID, SIX, {"calls": "5 ask moon"}, 3, ["clubs", "diamonds", "hearts", "spades"]),
        (BID, SIX, {"calls": "ask pass pass pass hearts"}, 1, ["give QH", "give KH"]),
        (rules_of("bid", plain_six=True), SIX, {"calls": "5"}, 2, ["pass", "six clubs"]),
        (rules_of("bid", stick_the_dealer=True), SIX, {"seat": 4}, 4, ["3 clubs"]),
        (JOKER_BID, DEALT_SEVEN, {}, 4, ["discard JO", "discard JD"]),
        (JOKER_BID, DEALT_SEVEN, {"seat": 4}, 4, ["discard JO"]),
        (JOKER_BID, SIX, {}, 1, ["pass", "3 clubs"]),
        (JOKER_BID, SIX, {"seat": 2}, 2, ["pass", "3 clubs"]),
        (rules_of("bid", deck=48), "AS AS KS KS QS QS JS JS TS TS 9S 9S", {"calls": "11"}, 2, ["pass", "ask clubs"]),
    ],
)
def test_a_question_typed_finds_its_seat_and_its_options(
    rules: Rules, hand: str, said: dict[str, Any], seat: int, first: list[str]
) -> None:
    position = position_from_options(rules, hand, **said)
    assert position.seat == seat
    assert texts(position)[: len(first)] == first
    assert read_position(position_json(position)) == position


@pytest.mark.fast
def test_the_words_of_a_table_are_understood() -> None:
    def events(calls: str) -> list[Any]:
        return list(position_from_options(FOUR, HAND, up="9S", calls=calls).events)

    assert events("p P") == [[1, "pass"], [2, "pass"]]
    assert events("p p p p p next") == [*([seat, "pass"] for seat in (1, 2, 3, 4, 1)), [2, "name", "C"]]
    assert events("pass order-alone") == [[1, "pass"], [2, "order", "alone"]]
    assert events("p p p p next alone")[-1] == [1, "name", "C", "alone"]


@pytest.mark.fast
@pytest.mark.parametrize("score", ["9,8", "9 8", "9-8", "9 - 8", "9:8", " 9\u20138 "])
def test_a_score_is_two_numbers_with_something_between(score: str) -> None:
    assert position_from_options(FOUR, HAND, up="9S", score=score).scores == (9, 8)
    floor = rules_of("bid", negative_scores=False)
    assert position_from_options(floor, SIX, score=score).scores == (9, 8)


@pytest.mark.fast
def test_a_score_below_zero_is_read_in_bid() -> None:
    assert position_from_options(BID, SIX, score="9,-8").scores == (9, -8)


@pytest.mark.fast
def test_seats_before_the_asker_have_passed() -> None:
    assert position_from_options(FOUR, HAND, up="9S", seat=3).events == ([1, "pass"], [2, "pass"])
    joker = position_from_options(JOKER_BID, SIX, seat=3)
    assert joker.events == ([4, "discard", None], [1, "pass"], [2, "pass"])


@pytest.mark.fast
def test_a_dealer_who_has_picked_up_was_dealt_what_he_discarded() -> None:
    held = "JS AS KS 9D 9S"
    position = position_from_options(THREE, held, up="9S", calls="pass pass order pickup", discarded="td")
    assert cards_text(position.hand, position.rules.pack) == "AS KS JS TD 9D"
    assert position.events[-1] == [3, "pickup", "TD"]
    rules = rules_of("three-handed", discard_upcard=True)
    again = position_from_options(rules, HAND, up="9S", calls="pass pass order pickup", discarded="9S")
    assert again.hand == parse_cards(HAND, rules.pack)


@pytest.mark.fast
def test_the_joker_games_dealer_was_dealt_seven() -> None:
    position = position_from_options(JOKER_BID, SIX, seat=4, discarded="9C")
    assert position.hand.bit_count() == 7
    assert position.events[0] == [4, "discard", "9C"]


@pytest.mark.fast
def test_a_turned_joker_stands_for_the_suit_that_is_said() -> None:
    rules = rules_of("four-handed", joker=True)
    assert position_from_options(rules, HAND, up="joker Hearts").joker_suit == 2
    hearts = rules_of("four-handed", joker=True, joker_turned_up="hearts")
    assert position_from_options(hearts, HAND, up="JO").joker_suit == 2
    assert "hearts" not in texts(position_from_options(rules, HAND, up="JO hearts", calls="pass pass pass pass"))


@pytest.mark.fast
@pytest.mark.parametrize(
    ("rules", "hand", "said", "words"),
    [
        (FOUR, "JS AS KS 9D JS", {"up": "9S"}, "JS is there twice"),
        (FOUR, "JS AS KS 9D 7S", {"up": "9S"}, "7S is not in the pack"),
        (FOUR, "JS AS KS 9D XX", {"up": "9S"}, "not a card"),
        (FOUR, "JS AS KS 9D", {"up": "9S"}, "expected five cards, read four"),
        (FOUR, "", {"up": "9S"}, "expected five cards, read no"),
        (FOUR, "JS AS KS 9D TD QD", {"up": "9S"}, "expected five cards, read six"),
        (FOUR, "JS AS KS 9D TD 9S", {"up": "9S", "calls": "order"}, "with --discarded"),
        (FOUR, "JS AS KS 9D 9S", {"up": "9S"}, "9S is turned up and not in the hand"),
        (FOUR, "JS AS KS 9D 9S", {"up": "9S", "calls": "order"}, "9S is turned up and not in the hand"),
        (FOUR, HAND, {}, "say which, as in --up QH"),
        (FOUR, HAND, {"calls": "pass pass pass pass"}, "say which, as in --up QH"),
        (FOUR, HAND, {"up": "9S QH"}, "one card is turned up"),
        (FOUR, HAND, {"up": ""}, "one card"),
        (FOUR, HAND, {"up": "JO"}, "the joker is not in the pack"),
        (rules_of("four-handed", joker=True), HAND, {"up": "JO"}, 'as in --up "JO hearts"'),
        (rules_of("four-handed", joker=True), HAND, {"up": "JO green"}, "not a suit"),
        (
            rules_of("two-handed", joker=True, joker_turned_up="hearts"),
            HAND,
            {"up": "JO C"},
            'hearts (joker_turned_up), read "C"',
        ),
        (rules_of("four-handed", joker=True, joker_turned_up="hearts"), HAND, {"up": "JO spades"}, 'read "spades"'),
        (BID, SIX, {"up": "9S"}, "no card is turned up in bid"),
        (FOUR, HAND, {"up": "9S", "seat": 5}, "there is no seat 5"),
        (FOUR, HAND, {"up": "9S", "seat": 0}, "there is no seat 0"),
        (FOUR, HAND, {"up": "9S", "seat": 9, "calls": "pass"}, "there is no seat 9"),
        (FOUR, HAND, {"up": "9S", "seat": 3, "calls": "pass"}, "it is seat 2's turn to call, not seat 3's"),
        (FOUR, HAND, {"up": "9S", "calls": "pass pas"}, 'did you mean "pass"'),
        (FOUR, HAND, {"up": "9S", "calls": "3"}, 'call 1, "3": nobody bids in four-handed'),
        (FOUR, HAND, {"up": "9S", "calls": ",,,"}, 'there is no call in --calls ",,,": expected words'),
        (FOUR, HAND, {"up": "9S", "calls": "hearts"}, "no suit is named before"),
        (FOUR, HAND, {"up": "9S", "calls": "pass pass pass pass order"}, "the upcard is turned down"),
        (FOUR, HAND, {"up": "9S", "calls": "pass pass pass pass spades"}, "may not be named: spades"),
        (FOUR, HAND, {"up": "9S", "calls": "order leave"}, "the dealer may not leave the upcard"),
        (FOUR, HAND, {"up": "9S", "calls": "pass " * 8}, "the deal is over"),
        (FOUR, HAND, {"up": "9S", "calls": "pass " * 9}, 'the deal is over: nothing follows it, read "pass"'),
        (FOUR, HAND, {"up": "9S", "calls": "alone"}, 'did you mean "order alone"?'),
        (FOUR, HAND, {"up": "9S", "calls": "pass pass alone"}, 'call 3, "alone": it stands behind the call it belongs'),
        (FOUR, HAND, {"up": "9S", "calls": "pass pass pass pass alone"}, 'did you mean "hearts alone"?'),
        (FOUR, HAND, {"up": "9S", "calls": "pass next"}, 'call 2, "next": next is the other suit of the colour turned'),
        (BID, SIX, {"calls": "next"}, "nobody says that"),
        (FOUR, HAND, {"up": "9S", "calls": "order pickup", "seat": 3}, "played before him is told with --position"),
        (BID, SIX, {"score": "9-8"}, "as in --score 9,8"),
        (rules_of("four-handed", stick_the_dealer=True), HAND, {"up": "9S", "calls": "pass " * 8}, "dealer is stuck"),
        (rules_of("four-handed", partner_orders_alone=True), HAND, {"up": "9S", "calls": "pass order"}, "only alone"),
        (THREE, HAND, {"up": "9S", "calls": "order alone"}, "seat 3 is to take the upcard or leave it"),
        (THREE, HAND, {"up": "9S", "calls": "order leave dummy", "seat": 1}, "--position"),
        (THREE, HAND, {"up": "9S", "calls": "order leave dummy together together"}, "which five cards he kept is not"),
        (THREE, "JS AS KS 9D 9S", {"up": "9S", "calls": "pass pass order pickup"}, "--discarded"),
        (THREE, HAND, {"up": "9S", "calls": "pass pass order pickup", "discarded": "9H"}, "holds it now"),
        (THREE, HAND, {"up": "9S", "calls": "pass pass order pickup", "discarded": "9S"}, "just taken"),
        (THREE, HAND, {"up": "9S", "calls": "pass pass order pickup", "discarded": "JS"}, "both held and discarded"),
        (THREE, HAND, {"up": "9S", "discarded": "9H"}, "leave --discarded out"),
        (BID, SIX, {"calls": "5 4"}, "the bid 4 does not rise above 5"),
        (BID, SIX, {"calls": "5 6"}, "there is no bid of 6"),
        (BID, SIX, {"calls": "six"}, 'there is no bid of "six"'),
        (BID, SIX, {"calls": "9999999"}, "expected one of pass, 3, 4, 5, ask, moon, clubs, diamonds, hearts, spades"),
        (
            FOUR,
            HAND,
            {"up": "9S", "calls": "up"},
            "expected one of pass, order, clubs, diamonds, hearts, spades, next, alone",
        ),
        (THREE, HAND, {"up": "9S", "calls": "dumy"}, 'did you mean "dummy"?'),
        (BID, SIX, {"calls": "moon pass"}, "seat 1 is to name trump"),
        (BID, SIX, {"calls": "claim"}, "ace_no_face"),
        (rules_of("bid", ace_no_face=True), SIX, {"calls": "claim"}, "the deal is over"),
        (BID, SIX, {"calls": "ask pass pass pass hearts", "seat": 3}, "seat 1's turn to give"),
        (JOKER_BID, DEALT_SEVEN, {"seat": 1}, "expected six cards, read seven"),
        (JOKER_BID, SIX, {"seat": 4}, "--discarded"),
        (JOKER_BID, SIX, {"seat": 4, "discarded": "AS"}, "both held and discarded"),
        (JOKER_BID, DEALT_SEVEN, {"seat": 4, "discarded": "9C"}, "discarded nothing yet"),
        (FOUR, HAND, {"up": "9S", "score": "x"}, "cannot read the score"),
        (FOUR, HAND, {"up": "9S", "score": "1,2,3"}, "2 scores, one a side"),
        (THREE, HAND, {"up": "9S", "score": "1,2"}, "3 scores, one a seat"),
        (FOUR, HAND, {"up": "9S", "score": "10,2"}, "the game is over"),
        (FOUR, HAND, {"up": "9S", "score": "-1,2"}, "expected 0 to 999"),
        (FOUR, HAND, {"up": "9S", "players": ["standard"]}, "4 players, read 1"),
    ],
)
def test_a_question_that_cannot_be_is_refused_in_words(
    rules: Rules, hand: str, said: dict[str, Any], words: str
) -> None:
    with pytest.raises(QuestionError) as refused:
        position_from_options(rules, hand, **said)
    assert words in str(refused.value)


@pytest.mark.fast
def test_two_sides_home_together_play_on_and_bid_scores_may_be_below_zero() -> None:
    assert position_from_options(BID, SIX, score="34 33").scores == (34, 33)
    assert position_from_options(BID, SIX, score="-6,3").scores == (-6, 3)
    for score, rules in (("34,33", rules_of("bid", tie="bidder")), ("34,33", rules_of("bid", tie="higher-total"))):
        with pytest.raises(QuestionError, match="the game is over"):
            position_from_options(rules, SIX, score=score)


# --- positions in files ---

THREE_HANDED: dict[str, Any] = {
    "format": 1,
    "game": "three-handed",
    "rules": {},
    "seat": 1,
    "hands": ["JS AD AS AH QS", None, None],
    "upcard": "JD",
    "events": [[1, "order"], [3, "pickup", None]],
}
ASKED: dict[str, Any] = {
    "format": 1,
    "game": "bid",
    "rules": {"exchange": 2},
    "seat": 3,
    "hands": [None, None, "9H TH 9S TS 9C TC", None],
    "events": [
        *([1, "bid", "ask"], [2, "pass"], [3, "pass"], [4, "pass"], [1, "trump", "D"]),
        *([1, "give", "AH"], [1, "give", "KC"]),
    ],
}


@pytest.mark.fast
def test_a_maker_who_sees_the_dummy_keeps_five_of_ten() -> None:
    position = read_position(THREE_HANDED | {"dummy": "9H KS JH QH QC"})
    assert 15 < len(options(position)) < 150
    found = options(position, every=True)
    assert len(found) == 252
    assert "keep AS JS AH JH QC" in [option_text(position.rules, (option.step,)) for option in found]
    assert known_steps(position)[-1] == Step(values.TAKE_DUMMY, 0)
    assert known_steps(position)[-2] == Step(values.TAKE_UP, UNKNOWN)
    assert texts(read_position(THREE_HANDED)) == ["dummy", "alone"]


@pytest.mark.fast
def test_cards_a_partner_gave_are_known_to_have_been_his() -> None:
    position = read_position(ASKED)
    start, pool = known_start(position)
    given = parse_cards("AH KC", position.rules.pack)
    assert start[values.HAND] == given
    assert start[values.NEED : values.NEED + 4].tolist() == [4, 6, 0, 6]
    assert not any(card & given for card in pool.tolist())
    assert texts(position) == ["return 9C", "return TC", "return 9H", "return TH", "return 9S", "return TS"]


@pytest.mark.fast
@pytest.mark.parametrize(
    ("position", "event", "words"),
    [
        ([], 0, "a position is a JSON object"),
        (
            {"options": [], "game": "bid"},
            0,
            'or an answer, which has one as its position; read one with "options", "game"',
        ),
        ({"position": {"game": "whist"}}, 0, 'read one with "game"'),
        (THREE_HANDED | {"stock": "9S"}, 0, "a position has no stock"),
        (THREE_HANDED | {"result": {}}, 0, "a position has no result"),
        (THREE_HANDED | {"seat": 4}, 0, "there is no seat 4"),
        (THREE_HANDED | {"seat": 2}, 0, "sees its own hand and no other"),
        (THREE_HANDED | {"seat": True}, 0, "seat"),
        (THREE_HANDED | {"format": 2}, 0, "the format is 2"),
        (THREE_HANDED | {"colour": 2}, 0, 'this is no position: the field "colour" does not belong in one: expected'),
        (THREE_HANDED | {"hands": ["JS AD AS AH QS", "9C TD TC TS KH", None]}, 0, "own hand and no other"),
        (THREE_HANDED | {"hands": ["JS AD AS AH", None, None]}, 0, "is dealt 5 cards"),
        (THREE_HANDED | {"hands": ["JS AD AS AH JD", None, None]}, 0, "JD is there twice"),
        (THREE_HANDED | {"hands": ["JS AD AS AH QS", None]}, 0, "three-handed has 3 hands"),
        (THREE_HANDED | {"dummy": "9H KS JH QH QS"}, 0, "QS is there twice"),
        (THREE_HANDED | {"dummy": "9H KS JH QH JD"}, 0, "JD is there twice"),
        (THREE_HANDED | {"dummy": "9H KS JH QH"}, 0, "the dummy has 5 cards"),
        (THREE_HANDED | {"dummy": "9H KS JH QH QC", "events": []}, 0, "shown to the maker alone"),
        (THREE_HANDED | {"upcard": None}, 0, "upcard is missing"),
        (THREE_HANDED | {"joker_suit": "H"}, 0, "joker_suit"),
        (THREE_HANDED | {"scores": [1, 10, 2]}, 0, "the game is over"),
        (THREE_HANDED | {"rules": {"pickup": "always"}}, 0, "pickup"),
        (THREE_HANDED | {"events": [[1, "order"], [3, "pickup", "TC"]]}, 2, "was not seen"),
        (THREE_HANDED | {"events": [[1, "order"], [3, "pickup"]]}, 2, "expected"),
        (THREE_HANDED | {"events": [[1, "order"], [2, "pickup", None]]}, 2, "it is seat 3's turn"),
        (THREE_HANDED | {"events": [[1, "order"]]}, 2, "it is seat 3's turn to take the upcard or leave it"),
        (THREE_HANDED | {"events": [[1, "pass"]] * 7}, 2, "it is seat 2's turn to call"),
        (THREE_HANDED | {"events": [[seat, "pass"] for seat in (1, 2, 3, 1, 2, 3)]}, 7, "the deal is over"),
        (ASKED | {"upcard": "JD"}, 0, "no card is turned up in bid"),
        (ASKED | {"dummy": "JD"}, 0, "there is no dummy"),
        (ASKED | {"events": [*ASKED["events"][:6], [1, "give", "9H"]]}, 7, "9H is there twice"),
        (ASKED | {"events": [*ASKED["events"][:6], [1, "give", None]]}, 7, "the card that the bidder gave is missing"),
        (ASKED | {"events": [*ASKED["events"], [3, "return", "AH"]]}, 8, "does not hold AH of his own"),
        (
            ASKED | {"events": [[1, "give", card] for card in ("AH", "KH", "QH", "JH", "AC", "KC", "QC")]},
            1,
            "is to bid",
        ),
    ],
)
def test_a_broken_position_is_refused_at_its_event(position: Any, event: int, words: str) -> None:
    with pytest.raises(BrokenRecord) as refused:
        read_position(position)
    assert (refused.value.event, words in refused.value.reason) == (event, True), refused.value.reason


@pytest.mark.fast
def test_a_position_needs_neither_format_nor_rules_and_may_stand_in_an_answer() -> None:
    position = read_position(THREE_HANDED)
    short = {name: value for name, value in THREE_HANDED.items() if name not in ("format", "rules")}
    assert read_position(short) == position
    assert read_position({"game": "three-handed", "options": [], "position": THREE_HANDED}) == position


@pytest.mark.fast
def test_a_maker_who_took_the_dummy_and_is_to_play_says_what_he_saw() -> None:
    taken = THREE_HANDED | {"events": [*THREE_HANDED["events"], [1, "dummy", None], [2, "together"], [3, "together"]]}
    with pytest.raises(BrokenRecord, match="the maker"):
        read_position(taken)


POSITIONS = [seen for record in RECORDS[::9] for seen, _ in decisions(record)]
STRAY: list[list[Any]] = [
    *(["pass"], ["order"], ["order", "alone"], ["name", "H"], ["leave"], ["alone"], ["together"], ["claim"]),
    *(["pickup", None], ["pickup", "9C"], ["dummy", None], ["dummy", "9C TC JC QC KC"], ["discard", None]),
    *(["discard", "9C"], ["bid", 3], ["bid", "ask"], ["bid", "moon"], ["trump", "H"], ["give", None], ["give", "9H"]),
    *(["return", None], ["return", "9H"], ["play", "AC"], ["play", "9H"], ["play", None], ["play"], []),
]


def events_gone_astray(events: list[Any], rng: random.Random) -> list[Any]:
    """Events of a deal with some of them repeated, moved or left out, or with others that do not belong there."""
    found = list(events)
    for _ in range(rng.choice([1, 1, 2, 3])):
        place = rng.randrange(len(found) + 1)
        kind = rng.randrange(6)
        if kind == 0 and found:
            found.pop(rng.randrange(len(found)))
        elif kind == 1 and found:
            found.insert(place, rng.choice(found))
        elif kind == 2:
            found[place:] = rng.sample(found[place:], len(found) - place)
        elif kind == 3 and found:
            found[:0] = rng.sample(found, rng.randrange(len(found) + 1))
        else:
            found.insert(place, [rng.randrange(6), *(rng.choice(STRAY))])
    return found


def refused_at(read: dict[str, Any]) -> int | None:
    """The event at which a position is refused; None where it can be asked."""
    try:
        assert options(read_position(read))
    except BrokenRecord as broken:
        return broken.event
    return None


def assert_nothing_is_wrong_before(read: dict[str, Any]) -> None:
    """A position can be asked, or is refused at an event before which nothing is wrong."""
    event = refused_at(read)
    if event and "dummy" not in read:
        assert refused_at(read | {"events": [*read["events"][: event - 1], [9, "nothing"]]}) == event, read


@settings(max_examples=400)
@given(number=st.integers(0, 10**9), seed=st.integers(0, 2**32))
def test_events_gone_astray_are_refused_where_they_go_wrong(number: int, seed: int) -> None:
    read = POSITIONS[number % len(POSITIONS)]
    assert_nothing_is_wrong_before(read | {"events": events_gone_astray(read["events"], random.Random(seed))})


@pytest.mark.fast
def test_events_that_no_cards_could_make_right_are_named() -> None:
    given_too_soon = {
        "format": 1,
        "game": "two-handed",
        "rules": {},
        "seat": 2,
        "hands": [None, "JD KH TH AH TS"],
        "upcard": "KC",
        "events": [[1, "give", "9H"], [1, "pass"], [2, "pass"], [1, "pass"], [2, "name", "C"], [1, "play", "AC"]],
    }
    with pytest.raises(BrokenRecord, match='"9H" was not seen') as refused:
        read_position(given_too_soon)
    assert refused.value.event == 1
    four = {"format": 1, "game": "four-handed", "rules": {}, "seat": 2, "hands": [None, "9C TC JC QC KC", None, None]}
    calls = [[1, "order"], [4, "pickup", None], [1, "play", "AC"], [1, "dummy", None]]
    with pytest.raises(BrokenRecord, match=r"it is seat 2's turn") as refused:
        read_position(four | {"upcard": "9S", "events": calls})
    assert refused.value.event == 4


CALLS = ["pass", "order", "alone", "hearts", "3", "ask", "moon", "leave", "pickup", "dummy", "together"]


@settings(max_examples=800)
@given(number=st.integers(0, len(POSITIONS) - 1), seed=st.integers(0, 2**32), n=st.integers(1, 3))
def test_a_spoilt_position_is_refused_or_can_be_asked(number: int, seed: int, n: int) -> None:
    read = copy.deepcopy(POSITIONS[number])
    rng = random.Random(seed)
    for _ in range(n):
        mutate(read, rng)
    try:
        position = read_position(read)
    except QuestionError:
        return
    assert options(position)
    assert read_position(position_json(position)) == position


@settings(max_examples=300)
@given(
    game=st.sampled_from([TWO, THREE, FOUR, BID, JOKER_BID, DEFENDERS]),
    hand=st.sampled_from([HAND, SIX, DEALT_SEVEN, "JS", "♥J", "JS JS"]) | st.text(max_size=12),
    up=st.none() | st.sampled_from(["9S", "QH", "JO hearts", "JO"]) | st.text(max_size=5),
    seat=st.none() | st.integers(-1, 5),
    calls=st.none() | st.lists(st.sampled_from(CALLS)).map(" ".join) | st.text(max_size=8),
    discarded=st.none() | st.sampled_from(["9C", "9S", "JO"]) | st.text(max_size=3),
    score=st.none() | st.sampled_from(["1,2", "1,2,3", "-5 3"]) | st.text(max_size=4),
)
def test_nothing_typed_is_a_traceback(game: Rules, hand: str, **said: Any) -> None:
    try:
        position = position_from_options(game, hand, **said)
    except QuestionError:
        return
    assert read_position(position_json(position)) == position
