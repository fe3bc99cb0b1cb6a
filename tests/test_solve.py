"""`euchre solve`: open positions and records are read as they lie, solved, and refused where they cannot be."""

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from reference import Event, Record, Table, may_play, suit_of, trick_winner
from reference_solver import tricks_of
from test_cli import answered
from test_docs import quoted, section
from test_docs import read as read_page
from test_kernel_rules import packs, rules_of

from analyzer.cli import main
from analyzer.cli.solve import COLUMNS
from analyzer.errors import BrokenRecord, QuestionError
from analyzer.rules import Rules, find_game, make_rules
from analyzer.solve import (
    OpenPosition,
    Solution,
    position_of_record,
    read_open,
    read_open_positions,
    solution_row,
    solve,
)
from kernels import solve_doors
from kernels.compile import JIT

DATA = Path(__file__).parent / "data"
RECORDS: list[Record] = [json.loads(line) for line in (DATA / "records.jsonl").read_text().splitlines()]
PLAYED = [record for record in RECORDS if "trump" in record["result"]]
SIDES = {"two-handed": [[1], [2]], "four-handed": [[1, 3], [2, 4]], "bid": [[1, 3], [2, 4]]}
FOUR = make_rules(find_game("four"))
OPEN: dict[str, Any] = {"hands": ["AS JH", "9H TD", "", "TC"], "trump": "H", "leader": 4, "trick": [[4, "KS"]]}

Printed = pytest.CaptureFixture[str]


def own_rules(record: Record) -> Rules:
    return rules_of(record["game"], record["rules"])


def events_to_the_play(record: Record) -> list[Event]:
    return [event for event in record["events"] if event[1] != "play"]


def as_open(table: Table, trick: list[tuple[int, str]], leader: int) -> dict[str, Any]:
    """What stands on a table of the reference, as a line of JSON."""
    assert table.maker is not None
    others = [seat for seat in table.seats if seat != table.maker]
    return {
        "hands": [None if seat in table.out else " ".join(table.hands[seat]) for seat in table.seats],
        "trump": table.trump,
        "leader": leader,
        "sides": SIDES.get(table.game, [[table.maker], others]),
        "trick": [list(played) for played in trick],
    }


def walked(record: Record, n_plays: int) -> tuple[Table, list[tuple[int, str]], int]:
    """The reference's table after so many cards, the trick in progress, and who leads it."""
    table = Table(record)
    for event in events_to_the_play(record):
        table.play(event)
    plays = [event for event in record["events"] if event[1] == "play"]
    trick: list[tuple[int, str]] = []
    for event in plays[:n_plays]:
        table.play(event)
        trick.append((event[0], event[2]))
        if len(trick) == len(table.seats) - len(table.out):
            trick = []
    leader = trick[0][0] if trick else table.to_act
    assert leader is not None
    return table, trick, leader


# --- positions and records ---


@pytest.mark.parametrize("first", range(4))
def test_the_last_tricks_of_recorded_hands_are_played_perfectly(first: int) -> None:
    for record in PLAYED[first::4]:
        plays = [event for event in record["events"] if event[1] == "play"]
        n = random.Random(record["deal"]).choice(range(len(plays) - 9, len(plays)))
        table, trick, leader = walked(record, n)
        read = as_open(table, trick, leader)
        hands = {seat: hand for seat, hand in table.hands.items() if seat not in table.out}
        solution = solve(read_open(read, own_rules(record)), with_play=True)
        assert solution.tricks[0] == tricks_of(set(read["sides"][0]), hands, table.trump, leader, trick), read
        assert_line_is_legal_and_best(solution, hands, table.trump, trick)


def assert_line_is_legal_and_best(
    solution: Solution, hands: dict[int, list[str]], trump: str, trick: list[tuple[int, str]]
) -> None:
    """Every card follows suit, every trick goes to its winner, and the line has what both sides take."""
    hands = {seat: [*hand, *(card for who, card in trick if who == seat)] for seat, hand in hands.items()}
    taken = [0, 0]
    leader = solution.position.leader
    assert solution.play is not None
    for played in solution.play:
        assert played.leader == leader == played.cards[0][0]
        assert sorted(seat for seat, _ in played.cards) == sorted(hands)
        led = suit_of(played.cards[0][1], trump)
        for seat, card in played.cards:
            assert card in may_play(hands[seat], None if seat == leader else led, trump)
            hands[seat].remove(card)
        leader = trick_winner(list(played.cards), trump)
        assert played.winner == leader
        taken[0 if leader in solution.position.sides[0] else 1] += 1
    assert not any(hands.values())
    assert tuple(taken) == solution.tricks


def test_records_are_solved_from_the_first_lead_on() -> None:
    for record in PLAYED[:80]:
        if record["rules"].get("deck") == 48:
            continue
        table, _, leader = walked(record, 0)
        position = position_of_record(record)
        as_read = read_open(as_open(table, [], leader), own_rules(record))
        assert position == as_read
        tricks = solve(position).tricks
        assert sum(tricks) == (6 if record["game"] == "bid" else 5)


def test_a_record_may_stop_before_the_play_or_go_on() -> None:
    record = PLAYED[0]
    short = {key: value for key, value in record.items() if key != "result"}
    assert position_of_record(short | {"events": events_to_the_play(record)}) == position_of_record(record)


def test_a_record_that_does_not_get_to_the_play_is_refused() -> None:
    record = {key: value for key, value in PLAYED[0].items() if key != "result"}
    with pytest.raises(BrokenRecord, match="ends before the play: seat 1 is to call"):
        position_of_record(record | {"events": []})
    thrown_in = next(record for record in RECORDS if "thrown_in" in record["result"])
    with pytest.raises(BrokenRecord, match="nobody played this deal"):
        position_of_record(thrown_in)
    with pytest.raises(BrokenRecord, match="turn"):
        position_of_record(record | {"events": [[2, "pass"]]})


def test_house_rules_do_not_go_with_records() -> None:
    line = json.dumps(PLAYED[0])
    [(_, read)] = read_open_positions([line], make_rules(find_game("bid")), is_house_given=True)
    assert isinstance(read, QuestionError)
    assert "a record names its own game" in str(read)
    [(_, read)] = read_open_positions([line], make_rules(find_game("bid")))
    assert isinstance(read, OpenPosition)


def test_twins_and_twelve_cards_are_read() -> None:
    double = make_rules(find_game("bid"), {"deck": 48})
    read = {"hands": ["JH JH", "AS AS", "9C 9C", "9D 9D"], "trump": "H", "leader": 2}
    assert solve(read_open(read, double)).tricks == (2, 0)


def test_the_sides_stand_in_the_order_given() -> None:
    assert solve(read_open(OPEN, FOUR)).tricks == (1, 1)
    read = {"hands": ["JH JD", "AS KS", "9C 9D", "TC TD"], "trump": "H", "leader": 1}
    assert solve(read_open(read | {"sides": [[2, 4], [3, 1]]}, FOUR)).tricks == (0, 2)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_every_game_and_pack_calls_the_solver_with_one_and_the_same_signature() -> None:
    for game in SIDES:
        for pack in packs(game):
            seats = 2 if game == "two-handed" else 4
            read = {"hands": ["AS", "KS", "QS", "TS"][:seats], "trump": "H", "leader": 2}
            solve(read_open(read, rules_of(game, pack)), with_play=True)
    for each in (solve_doors.solve_positions, solve_doors.solve_cards, solve_doors.trick_winner):
        assert len(each.signatures) == 1, each.__name__


@pytest.mark.fast
def test_every_field_of_an_open_position_and_its_answer_is_told() -> None:
    told = quoted(section(read_page("formats.md"), "Open positions"))
    assert told.issuperset(COLUMNS)
    assert told.issuperset(OPEN)


# --- what cannot be ---

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"hand": []}, 'no field "hand": did you mean "hands"'),
    ({"trump": None}, "the position has no trump"),
    ({"trump": "hearts"}, '"hearts" is not a suit: expected C, D, H or S'),
    ({"leader": 5}, "leader: expected a seat, 1 to 4 in four-handed, read 5"),
    ({"leader": 3}, "leader: seat 3 sits out, in play are seats 1, 2 and 4"),
    ({"leader": True}, "leader: expected a seat"),
    ({"hands": "AS"}, "hands: expected a list"),
    ({"hands": ["AS", "KS"]}, "four-handed has 4 seats, read 2 hands"),
    ({"hands": ["AS JH", "9H TD", 7, "TC"]}, "the hand of seat 3: expected text"),
    ({"hands": ["AS JX", "9H TD", "", "TC"]}, 'the hand of seat 1: "JX" is not a card'),
    ({"hands": ["AS 7H", "9H TD", "", "TC"]}, "the hand of seat 1: 7H is not in the pack"),
    ({"hands": ["AS JH", "9H JH", "", "TC"]}, "the hand of seat 2: JH is there twice"),
    ({"hands": ["KS JH", "9H TD", "", "TC"]}, "the card of seat 4 in the trick: KS is there twice"),
    ({"hands": ["AS JH", "9H", "", "TC"]}, "hold equally many cards, read seat 1 2, seat 2 1, seat 4 2"),
    ({"hands": ["AS JH", "", "", ""], "trick": []}, "two seats at least"),
    ({"hands": ["AS JH KH QH TH 9C", "9H TD AC KC QC JC", "", ""], "trick": [], "leader": 1}, "has 5 cards, read 6"),
    ({"sides": [[1, 3]]}, "sides: expected two lists"),
    ({"sides": [[1, 3], [4]]}, "sides: seat 2 is in play and on no side"),
    ({"sides": [[1, 3], [2, 3, 4]]}, "sides: a seat is there twice"),
    ({"trick": [[4]]}, "trick: expected a seat and its card"),
    ({"trick": {}}, "trick: expected a list"),
    ({"trick": [[4, "KS QS"]]}, "the card of seat 4 in the trick: expected one card"),
    ({"leader": 1}, "trick: it is seat 1's turn, read seat 4"),
    ({"hands": ["AS", "9H TD", "", "TC"], "trick": [[4, "KS"], [2, "JS"]]}, "trick: it is seat 1's turn, read seat 2"),
    ({"hands": ["JH", "9H", "", "TC"], "trick": [[4, "KS"], [1, "AS"], [2, "TD"]]}, "all 3 have played"),
    (
        {"hands": ["AS", "9H TD", "", "TC"], "trick": [[4, "KS"], [1, "JH"]]},
        "seat 1 reneged: JH on spades, still holding AS",
    ),
    (
        {"hands": ["JD", "9H TD", "", "TC"], "trick": [[4, "KH"], [1, "AS"]]},
        "seat 1 reneged: AS on hearts, still holding JD",
    ),
]


@pytest.mark.fast
@pytest.mark.parametrize(("changes", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_a_position_that_cannot_be_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(QuestionError) as refused:
        read_open(OPEN | changes, FOUR)
    assert reason in str(refused.value)


@pytest.mark.fast
def test_three_handed_the_sides_must_be_told() -> None:
    three = make_rules(find_game("three"))
    read = {"hands": ["AS", "KS", "QS"], "trump": "H", "leader": 1}
    with pytest.raises(QuestionError, match="the position has no sides, as in"):
        read_open(read, three)
    with pytest.raises(QuestionError, match="a position as a JSON object"):
        read_open([], three)


# --- the command ---


def file_of(tmp_path: Path, *lines: Any) -> str:
    path = tmp_path / "open.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return str(path)


def test_solve_answers_in_every_form(tmp_path: Path, capsys: Printed) -> None:
    file = file_of(tmp_path, OPEN, PLAYED[0])
    rows = [json.loads(line) for line in answered(["solve", file, "--format", "json"], capsys).splitlines()]
    assert [row["line"] for row in rows] == [1, 2]
    assert rows[0] == {
        "file": file,
        "line": 1,
        "error": None,
        "trump": "H",
        "leader": 4,
        "sides": [[1, 3], [2, 4]],
        "tricks": [1, 1],
        "play": None,
    }
    assert answered(["solve", file, "--format", "csv"], capsys).splitlines()[1].endswith("1,,H,4,1+3 2+4,1 1,")
    table = answered(["solve", file], capsys)
    assert "Tricks: seats 1 and 3 take 1, seats 2 and 4 take\n1." in table
    assert table.endswith("\n2 positions, all solved.\n")


def test_of_a_deal_that_nobody_played_there_is_nothing_to_solve(tmp_path: Path, capsys: Printed) -> None:
    thrown_in = next(record for record in RECORDS if "thrown_in" in record["result"])
    claimed = next(record for record in RECORDS if "claimed" in record["result"])
    file = file_of(tmp_path, thrown_in, OPEN, claimed)
    rows = [json.loads(line) for line in answered(["solve", file, "--format", "json"], capsys).splitlines()]
    assert rows[0] == {"file": file, "line": 1, **dict.fromkeys(COLUMNS[2:])}
    assert [row["tricks"] for row in rows] == [None, [1, 1], None]
    table = answered(["solve", file, "--line"], capsys)
    assert f"{file} line 1: nobody played this deal: it was thrown in\n" in table
    assert f"{file} line 3: nobody played this deal: seat {claimed['result']['claimed']} claimed\n" in table
    assert table.endswith("\n3 positions, 1 solved, 2 that nobody played.\n")


def test_solve_shows_a_best_line(tmp_path: Path, capsys: Printed) -> None:
    file = file_of(tmp_path, OPEN)
    [row] = [json.loads(line) for line in answered(["solve", file, "--line", "--format", "json"], capsys).splitlines()]
    assert row["play"] == solution_row(solve(read_open(OPEN, FOUR), with_play=True))["play"]
    assert len(row["play"]) == 5
    table = answered(["solve", file, "--line"], capsys)
    assert ["1", "AS", "9H*", ">KS", "seat", "2"] in [line.split() for line in table.splitlines()]


def test_solve_reports_a_bad_line_and_answers_the_others(tmp_path: Path, capsys: Printed) -> None:
    file = file_of(tmp_path, OPEN, "no position", OPEN | {"trump": "X"}, OPEN)
    for form in ("json", "csv", "table"):
        assert main(["solve", file, "--format", form]) == 2
        printed = capsys.readouterr()
        assert printed.err.startswith(f"Error: 2 of the 4 lines in {file} cannot be solved; the first is line 2: ")
        assert '"X" is not a suit' in printed.out.replace('""', '"').replace("\\", "")
    assert main(["solve", file_of(tmp_path)]) == 2
    assert "there is no position in" in capsys.readouterr().err
    assert main(["solve", str(tmp_path / "none.jsonl")]) == 2
    assert "cannot read the file" in capsys.readouterr().err


def test_solve_reads_standard_input_and_house_rules(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.dumps({"hands": ["JO 7S", "JH AC", "8C 7C"], "trump": "H", "leader": 2, "sides": [[1], [2, 3]]})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line.encode())))
    words = ["solve", "-", "-g", "three", "-r", "deck=32", "-r", "joker=true", "--format", "json"]
    assert json.loads(answered(words, capsys))["tricks"] == [1, 1]
