"""Hand records: read, written, replayed and refused, against data and against the reference."""

import copy
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.border import door_of
from analyzer.errors import BrokenRecord, QuestionError
from analyzer.record import (
    HandRecord,
    make_record,
    parse_record,
    read_records,
    replay,
    result_of,
    table_of,
    write_record,
)
from analyzer.refusals import take_event
from kernels import values
from kernels.compile import JIT

DATA = Path(__file__).parent / "data"
RECORDS: list[dict[str, Any]] = [json.loads(line) for line in (DATA / "records.jsonl").read_text().splitlines()]
BROKEN: list[dict[str, Any]] = [json.loads(line) for line in (DATA / "broken.jsonl").read_text().splitlines()]
GAMES = list(reference.CHOICES)

SMALL: dict[str, Any] = {
    "format": 1,
    "game": "two-handed",
    "rules": {},
    "hands": ["QD JH QS JD AC", "AH 9C AS TD TC"],
    "upcard": "9D",
    "stock": "AD QH KD QC KS 9S KC TH KH TS JS 9H JC",
    "events": [
        *([1, "order"], [2, "pickup", "AS"]),
        *([1, "play", "QD"], [2, "play", "9D"], [1, "play", "JH"], [2, "play", "TD"], [1, "play", "QS"]),
        *([2, "play", "TC"], [1, "play", "JD"], [2, "play", "AH"], [1, "play", "AC"], [2, "play", "9C"]),
    ],
    "result": {"trump": "D", "maker": 1, "alone": [], "tricks": [5, 0], "points": [2, 0]},
}


def refusal(record: object) -> BrokenRecord | None:
    """Why a record is refused; None where it is not."""
    try:
        replay(parse_record(record))
    except BrokenRecord as broken:
        return broken
    return None


def changed(**fields: object) -> dict[str, Any]:
    return copy.deepcopy(SMALL) | fields


def with_event(number: int, event: object) -> dict[str, Any]:
    record = copy.deepcopy(SMALL)
    record["events"][number - 1] = event
    return record


# --- the data ---


def test_every_recorded_hand_replays_to_its_result() -> None:
    records = list(read_records(DATA / "records.jsonl"))
    assert len(records) == len(RECORDS)
    for (line, record), read in zip(records, RECORDS, strict=True):
        assert isinstance(record, HandRecord), line
        assert replay(record).result == read["result"], line


def test_a_record_without_its_result_gives_it() -> None:
    for read in RECORDS[::7]:
        bare = {field: value for field, value in read.items() if field != "result"}
        assert replay(parse_record(bare)).result == read["result"]


def test_a_hand_followed_at_once_comes_to_the_table_of_its_events_one_by_one() -> None:
    for read in RECORDS:
        record = parse_record(read)
        at_once, one_by_one = table_of(record), table_of(record)
        winners = []
        for event in record.events:
            take_event(one_by_one, event)
            if event[1] == "play" and one_by_one.state[values.IN_TRICK] == 0:
                winners.append(one_by_one.state[values.WINNER] + 1)
        assert at_once.follow(record.events) == winners
        assert (at_once.state == one_by_one.state).all()


@pytest.mark.parametrize("case", BROKEN, ids=[f"{k}-{case['kind']}" for k, case in enumerate(BROKEN)])
def test_every_broken_hand_is_refused_at_its_event(case: dict[str, Any]) -> None:
    broken = refusal(case["record"])
    assert broken is not None
    assert broken.event == case["event"], broken.reason


def test_what_is_written_is_read_again_in_the_same_order() -> None:
    for read in RECORDS:
        line = write_record(parse_record(read))
        assert "\n" not in line
        assert json.loads(line) == read
        assert list(json.loads(line)) == list(read)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_hands_of_all_games_are_followed_without_compiling_twice() -> None:
    for read in RECORDS:
        replay(parse_record(read))
    for rules in {table_of(parse_record(read)).rules for read in RECORDS}:
        assert len(door_of(rules).follow.signatures) == 1  # type: ignore[attr-defined]  # a compiled door


@pytest.mark.fast
def test_tricks_tell_who_led_what_was_played_and_who_won() -> None:
    first = replay(parse_record(SMALL)).tricks[0]
    assert (first.leader, first.cards, first.winner) == (1, ((1, "QD"), (2, "9D")), 1)


def test_winners_of_tricks_add_up_to_the_result_and_lead_the_next() -> None:
    for read in RECORDS[::5]:
        played = replay(parse_record(read))
        winners = [trick.winner for trick in played.tricks]
        assert [trick.leader for trick in played.tricks][1:] == winners[:-1]
        if winners:
            assert [winners.count(seat + 1) for seat in range(played.rules.n_seats)] == read["result"]["tricks"]


# --- in words ---


@pytest.mark.fast
@pytest.mark.parametrize(
    ("record", "event", "words"),
    [
        (with_event(1, [2, "pass"]), 1, "it is seat 1's turn to call, read seat 2"),
        (with_event(1, [3, "pass"]), 1, "there is no seat 3"),
        (with_event(1, [1, "order", "alone"]), 1, "nobody goes alone with his call in two-handed"),
        (with_event(1, [1, "name", "H"]), 1, "no suit is named before"),
        (with_event(1, [1, "bid", 3]), 1, "nobody bids in two-handed: a call there is to pass, to order or to name"),
        (with_event(1, [True, "order"]), 1, "is no event"),
        (with_event(1, [1.0, "order"]), 1, "is no event"),
        (with_event(1, [1, ["order"]]), 1, "is no event"),
        (with_event(1, []), 1, "is no event"),
        (with_event(1, None), 1, "is no event"),
        (with_event(1, [1, "odrer"]), 1, 'did you mean "order"'),
        (with_event(1, [1, "order", None]), 1, "alone"),
        (with_event(1, [1, "order", "alone", "alone"]), 1, "expected"),
        (with_event(2, [2, "pickup"]), 2, "expected"),
        (with_event(2, [2, "pickup", None]), 2, "the card that the dealer discarded is missing"),
        (with_event(2, [2, "pickup", 9]), 2, "expected a card as text, read 9"),
        (with_event(2, [2, "pickup", "as"]), 2, "not a card"),
        (with_event(2, [2, "pickup", "9D"]), 2, "the upcard just taken may not be discarded: 9D"),
        (with_event(2, [2, "pickup", "KS"]), 2, "seat 2 does not hold KS"),
        (with_event(2, [2, "pickup", "JO"]), 2, "the joker is not in the pack"),
        (with_event(4, [2, "play", "AH"]), 4, "seat 2 reneged: AH on diamonds, holding TD 9D"),
        (with_event(4, [2, "play", "QD"]), 4, "seat 2 does not hold QD"),
        (changed(events=SMALL["events"][:5]), 6, "the record ends here: seat 2 is to play a card"),
        (changed(events=[*SMALL["events"], [1, "pass"]]), 13, "the deal is over"),
        (changed(events=[]), 1, "the record ends here: seat 1 is to call"),
        (changed(events={}), 0, "events: expected a list, read {}"),
        (changed(format=2), 0, "the format is 2"),
        (changed(format=True), 0, "format: expected a whole number, read true"),
        (changed(game="two"), 0, "there is no game"),
        (changed(rules={"deck": 48}), 0, "deck"),
        (changed(rules={"exchange": 1}), 0, "house rule of bid"),
        (changed(rules={"joker": 0}), 0, "joker"),
        (changed(rules={"joker": True}), 0, "JO is missing"),
        (changed(rules=[]), 0, "rules: expected an object, read []"),
        (changed(rules={"joker": 1.5}), 0, "joker=1.5 is neither of its values"),
        (changed(rules={"joker": []}), 0, "rules: expected true or false or a number or text, read"),
        (changed(hands=["QD JH QS JD AC", 5]), 0, "hands: expected text, read 5"),
        (
            {field: value for field, value in SMALL.items() if field != "hands"},
            0,
            "this is no record: hands is missing",
        ),
        (changed(hands=SMALL["hands"][:1]), 0, "two-handed has 2 hands"),
        (changed(hands=["QD JH QS JD AC", "AH 9C AS TD  TC"]), 0, "one space"),
        (changed(hands=["QD JH QS JD", "AH 9C AS TD TC"], stock=SMALL["stock"] + " AC"), 0, "5 cards are dealt"),
        (changed(upcard=None), 0, "null"),
        (changed(dummy="9D"), 0, "dummy does not belong"),
        (changed(joker_suit="H"), 0, "joker_suit does not belong"),
        (changed(seat=1), 0, 'the field "seat" does not belong in one: expected format, game'),
        (changed(hand=[]), 0, 'the field "hand" does not belong in one: did you mean "hands"?'),
        (changed(seed="7"), 0, 'seed: expected a whole number, read "7"'),
        (changed(scores=[1]), 0, "two-handed has 2 scores, read 1"),
        (changed(players=["standard", 1]), 0, "players: expected text, read 1"),
        (changed(result=[]), None, "the result is a JSON object"),
        (changed(result=None), None, "the result is a JSON object"),
        (changed(result=SMALL["result"] | {"points": [2, False]}), None, "points: the record says [2, false]"),
        (changed(result=SMALL["result"] | {"maker": 2}), None, "maker: the record says 2, by the rules it is 1"),
        (changed(result=SMALL["result"] | {"caught": []}), None, "does not belong"),
        (changed(result={"trump": "D"}), None, "the result has no maker"),
    ],
)
def test_a_broken_record_is_refused_in_the_words_of_the_game(record: object, event: int | None, words: str) -> None:
    broken = refusal(record)
    assert broken is not None
    assert (broken.event, words in broken.reason) == (event, True), broken.reason


@pytest.mark.fast
def test_a_turned_joker_needs_the_suit_it_stands_for_and_nothing_else_does() -> None:
    record = changed(rules={"joker": True}, upcard="JO", stock=SMALL["stock"] + " 9D", events=[], joker_suit="D")
    record.pop("result")
    assert refusal(record | {"events": [[1, "pass"]]}).event == 2  # type: ignore[union-attr]
    assert refusal(record | {"joker_suit": "X"}).event == 0  # type: ignore[union-attr]
    hearts = record | {"rules": {"joker": True, "joker_turned_up": "hearts"}}
    assert "stands for hearts" in refusal(hearts).reason  # type: ignore[union-attr]
    del record["joker_suit"]
    assert "joker_suit is missing" in refusal(record).reason  # type: ignore[union-attr]


@pytest.mark.fast
def test_defaults_written_out_are_accepted() -> None:
    assert refusal(changed(rules={"deck": 24, "joker": False, "pickup": "optional", "renege_caught": "none"})) is None


# --- files ---


@pytest.mark.fast
def test_lines_are_numbered_from_one_and_empty_ones_are_skipped() -> None:
    line = json.dumps(SMALL).encode()
    file = io.BytesIO(b"\xef\xbb\xbf" + line + b"\r\n\n   \n" + line)
    assert [number for number, read in read_records(file) if isinstance(read, HandRecord)] == [1, 4]


@pytest.mark.fast
@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"7",
        b"{",
        b"\xff\xfe",
        b'{"format": 1, "seed": NaN}',
        b"[" * 100_000,
        b'{"format": 1, "seed": ' + b"9" * 5000 + b"}",
        b'{"format": ' + b"9" * 30 + b"}",
        b'{"game": "\\ud800"}',
        b"1e999",
        b"null",
        b'"two-handed"',
    ],
)
def test_a_line_of_garbage_is_a_broken_record_and_the_next_line_is_read(line: bytes) -> None:
    (_, garbage), (_, record) = read_records([line, json.dumps(SMALL).encode()])
    assert isinstance(garbage, BrokenRecord)
    assert garbage.event == 0
    assert isinstance(record, HandRecord)


@pytest.mark.fast
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "the line is not JSON: it ends too early"),
        ("{]", "the line is not JSON: it cannot be read from character 2 on"),
        (b"\xff", "the line is not JSON: it cannot be read from character 1 on"),
        (b'"\xff"', "the line is not JSON: it is not text in UTF-8"),
        ("1e999", "the line is not JSON: a number in it is too large"),
        ('{"format": 1, "hands": [], "hands": []}', 'the field "hands" is there twice: leave one out'),
        (b'{"rules": {"deck": 24, "deck" : 32}, "format": 1}', 'the field "deck" is there twice'),
        ('{"result": [{"trump": "H", "trump": "D"}]}', 'the field "trump" is there twice'),
    ],
)
def test_a_line_that_is_no_json_or_has_a_field_twice_is_refused_in_our_words(line: bytes | str, words: str) -> None:
    ((_, read),) = read_records([line])
    assert isinstance(read, BrokenRecord)
    assert words in read.reason


@pytest.mark.fast
def test_colons_within_texts_are_no_fields() -> None:
    ((_, read),) = read_records([json.dumps(changed(players=["a:b", "c:::"]))])
    assert isinstance(read, HandRecord)


@pytest.mark.fast
def test_a_file_that_cannot_be_read_is_a_wrong_question(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(QuestionError, match="cannot read the file"):
            list(read_records(path))


@pytest.mark.fast
def test_text_lines_are_read_as_well_as_bytes() -> None:
    assert [number for number, _ in read_records(io.StringIO(json.dumps(SMALL) + "\n"))] == [1]


# --- against the reference ---


def house_rules(game: str) -> Iterator[dict[str, Any]]:
    """The defaults, and every value of every house rule by itself; the ends of ranges."""
    yield {}
    for field, all_values in reference.CHOICES[game].items():
        rest = [value for value in all_values if value != all_values[0]]
        yield from ({field: value} for value in (rest if len(rest) < 4 else [rest[0], rest[-1]]))
    if game == "bid":
        yield {"exchange": 3, "auction": "until-three-pass", "plain_six": True, "ace_no_face": True}
        yield {"deck": 48, "exchange": 3, "auction": "until-three-pass", "plain_six": True, "ace_no_face": True}
        yield {"joker": True, "exchange": 2, "ace_no_face": True, "stick_the_dealer": True}
    else:
        yield {"joker": True, "deck": 32, "turned_down_suit": "allowed", "discard_upcard": True}
        yield {"joker": True, "joker_turned_up": "hearts", "stick_the_dealer": True}
    if game == "four-handed":
        yield {"defend_alone": True, "lone_lead": "left-of-maker", "pickup": "optional", "loner_euchred": 4}


EAGER = [{}, {"pass": 0.1}, {"alone": 3.0, "pass": 0.2}, {"pass": 3.0}]


def played(game: str, n: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    rng = random.Random(f"{game} {seed}")
    for rules in house_rules(game):
        for k in range(n):
            deal = reference.deal(game, rules, rng)
            yield reference.play_at_random(deal, rng, EAGER[k % len(EAGER)])


@pytest.mark.parametrize("game", GAMES)
def test_random_play_under_every_house_rule_has_the_result_of_the_reference(game: str) -> None:
    for record in played(game, 6):
        read = parse_record(record)
        assert replay(read).result == record["result"], record
        assert parse_record(json.loads(write_record(read))) == read
        cut = record["events"][: len(record["events"]) // 2]
        assert refusal(record | {"events": cut}).event == len(cut) + 1  # type: ignore[union-attr]


JUNK: list[Any] = [None, True, False, 0, 1, 3, 4, -1, 10**30, 1.0, float("nan"), "", "pass", "JH", "9C TD", "six", "H"]
JUNK += ["alone", [], [1], [1, "pass"], [[[]]], {}, {"a": 1}, "JO", "moon", "♥"]
PROVENANCE = ("seed", "deal", "players", "scores")
"""What the reference does not look at."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to everything within a JSON value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield (*path, key)
        yield from places(entry, (*path, key))


def mutate(record: dict[str, Any], rng: random.Random) -> tuple[Any, ...]:
    """Spoil one place of a record; returns where."""
    path = rng.choice(list(places(record)))
    holder: Any = record
    for key in path[:-1]:
        holder = holder[key]
    key, value = path[-1], holder[path[-1]]
    words = value.split(" ") if isinstance(value, str) else []
    kind = rng.randrange(6)
    if kind == 0:
        holder[key] = rng.choice(JUNK)
    elif kind == 1:
        del holder[key]
    elif kind == 2 and isinstance(holder, list):
        holder.insert(key, rng.choice([copy.deepcopy(value), *JUNK]))
    elif kind == 3 and isinstance(holder, list):
        other = rng.randrange(len(holder))
        holder[key], holder[other] = holder[other], holder[key]
    elif kind == 4 and words:
        words[rng.randrange(len(words))] = rng.choice(["9C", "JD", "AH", "TS", "7S", "JO", "", "jh"])
        holder[key] = " ".join(words)
    elif kind == 5 and isinstance(holder, dict):
        holder[rng.choice(["dummy", "upcard", "joker_suit", "extra", "joker", "deck", "result", "stock"])] = value
    elif type(value) is int:
        holder[key] = value + rng.choice([-1, 1])
    return path


def refusal_of_reference(record: Any) -> int | str | None:
    try:
        reference.replay(record)
    except reference.Broken as broken:
        return "result" if broken.event is None else broken.event
    return None


def agree(record: dict[str, Any]) -> None:
    broken = refusal(record)
    own = None if broken is None else "result" if broken.event is None else broken.event
    assert own == refusal_of_reference(record), (broken, record)


def test_thousands_of_spoilt_records_are_refused_where_the_reference_refuses_them() -> None:
    rng = random.Random(5)
    kept = 0
    for _ in range(1500):
        record = copy.deepcopy(rng.choice(RECORDS))
        paths = [mutate(record, rng) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        if any(path[0] in PROVENANCE for path in paths):
            refusal(record)  # no traceback, that is all
            continue
        kept += 1
        agree(record)
    assert kept > 1250


@settings(max_examples=300)
@given(
    number=st.integers(0, len(RECORDS) - 1),
    seed=st.integers(0, 2**32),
    junk=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(JUNK[11:17]),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    ),
)
def test_no_junk_anywhere_in_a_record_is_a_traceback(number: int, seed: int, junk: Any) -> None:
    record = copy.deepcopy(RECORDS[number])
    path = random.Random(seed).choice(list(places(record)))
    holder: Any = record
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = junk
    if path[0] in PROVENANCE:
        refusal(record)
    else:
        agree(record)


# --- records of deals that kernels played ---


@pytest.mark.parametrize("game", GAMES)
def test_a_record_made_from_kernel_events_is_the_record_they_came_from(game: str) -> None:
    for record in played(game, 2, seed=1):
        read = parse_record(record)
        table = table_of(read)
        dealt = table.state.copy()
        rows = []
        for event in read.events:
            seat = table.seat - 1
            rows += [(seat, *step) for step in take_event(table, event)]
        made = make_record(
            table.rules, dealt, np.array(rows), seed=7, deal=2, players=["standard"] * table.rules.n_seats
        )
        assert made == make_record(table.rules, dealt, rows, seed=7, deal=2, players=made.players, final=table.state)
        assert made.result == record["result"] == result_of(table.rules, table.state)
        assert replay(made).result == record["result"]
        assert [sorted(hand.split()) for hand in made.hands] == [sorted(hand.split()) for hand in read.hands]
        for one, other in zip(made.events, read.events, strict=True):
            assert one == other or (one[1] == "dummy" and set(one[2].split()) == set(other[2].split()))


@pytest.mark.fast
def test_a_deal_without_events_has_no_result() -> None:
    table = table_of(parse_record(SMALL))
    made = make_record(table.rules, table.state, [], deal=5)
    assert json.loads(write_record(made)) == {
        "format": 1,
        "game": "two-handed",
        "rules": {},
        "deal": 5,
        "hands": ["QS JH AC QD JD", "AS AH TC 9C TD"],
        "upcard": "9D",
        "stock": "KS JS TS 9S KH QH TH 9H KC QC JC AD KD",
        "events": [],
    }
