"""What is shown behind an answer is what it was got from: its worlds, weighted alike, and the points they came to."""

import json
from pathlib import Path
from typing import Any

import pytest
from test_ask import LOW, QUESTIONS, answer_to, asked, players_of, some

from analyzer.cards import cards_text
from analyzer.cli import main
from analyzer.looks import Unseen, World, some_worlds, where
from analyzer.position_file import position_json
from kernels.compile import JIT

SEEN = "JH JD AH KH 9S"


def look(name: str, deals: int) -> tuple[Any, list[World], list[Unseen]]:
    question = QUESTIONS[name]
    answer = answer_to(question, deals, seed=5)
    position, players = question.position, players_of(question)
    return answer, some_worlds(position, players, answer, answer.provenance.deals), where(position, players, answer)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_worlds_of_an_answer_played_out_come_to_its_points_and_hold_what_is_known(name: str) -> None:
    answer, worlds, _ = look(name, 40)
    position = QUESTIONS[name].position
    assert len(worlds) == answer.provenance.deals
    whole = sum(world.weight for world in worlds)
    for k, option in enumerate(answer.options[:2]):
        assert {world.options[k].option for world in worlds} == {option.option}
        points = sum(world.weight * world.options[k].points for world in worlds) / whole
        assert points == pytest.approx(option.points)
    for world in worlds:
        for played in world.options:
            record = played.record
            assert record.hands[position.seat - 1] == cards_text(position.hand, position.rules.pack)
            assert record.result == played.replay.result
            read = position_json(position)
            for told, event in zip(read["events"], record.events, strict=False):
                assert told == event or (told[:2] == event[:2] and told[2:] == [None])


def lies_slowly(world: World, seat: int, n_events: int) -> dict[str, list[str]]:
    """Where each card is after so many events, from the record: seats as numbers, or buried, dummy, stock."""
    record = world.options[0].record
    cards: dict[str, list[str]] = {str(k): hand.split() for k, hand in enumerate(record.hands, 1)}
    cards |= {"dummy": (record.dummy or "").split(), "stock": (record.stock or "").split(), "buried": []}
    dealer = str(len(record.hands))
    for event in record.events[:n_events]:
        who = str(event[0])
        verb, rest = event[1], event[2:]
        if verb == "pickup":
            cards[dealer].append(record.upcard or "")
        if verb in ("pickup", "discard"):
            cards["buried"].append(rest[0])
        if verb == "dummy":
            ten = cards[who] + cards.pop("dummy")
            cards[who] = rest[0].split()
            cards["buried"] += [card for card in ten if card not in cards[who]]
        if verb in ("pickup", "discard", "play", "give", "return"):
            cards[who].remove(rest[0])
        if verb in ("give", "return"):
            cards[str((int(who) + 1) % 4 + 1)].append(rest[0])
    return cards


@pytest.mark.parametrize("name", [name for name in QUESTIONS if "48" not in name])
def test_shares_are_those_of_the_same_worlds_looked_through_one_by_one(name: str) -> None:
    position = QUESTIONS[name].position
    _, worlds, unseen = look(name, 40)
    n = position.rules.n_seats
    around = {2: ["opponent"], 3: ["left", "right"], 4: ["left", "partner", "right"]}[n]
    names = {str((position.seat - 1 + k) % n + 1): word for k, word in enumerate(around, 1)}
    whole = sum(world.weight for world in worlds)
    for row in unseen:
        shares = dict.fromkeys(row.shares, 0.0)
        for world in worlds:
            cards = lies_slowly(world, position.seat, len(position.events))
            (place,) = [place for place, held in cards.items() if row.card in held]
            shares[names.get(place, place)] += world.weight / whole
        assert row.shares == pytest.approx(shares)


EXACT = [
    (asked("four", SEEN, up="QH", seat=1), {"partner": 5 / 18, "left": 5 / 18, "right": 5 / 18, "stock": 3 / 18}),
    (asked("three", SEEN, up="QH", seat=1), {"left": 5 / 18, "right": 5 / 18, "dummy": 5 / 18, "stock": 3 / 18}),
    (asked("two", SEEN, up="QH", seat=1), {"opponent": 5 / 18, "stock": 13 / 18}),
    (asked("bid", "JH JD AH KH QH AS", seat=1), {"partner": 1 / 3, "left": 1 / 3, "right": 1 / 3}),
]


@pytest.mark.parametrize(("question", "exact"), EXACT, ids=["four", "three", "two", "bid"])
def test_with_nothing_told_every_unseen_card_is_as_often_in_each_place_as_it_should_be(
    question: Any, exact: dict[str, float]
) -> None:
    n = some(20_000)
    answer = answer_to(question, 20_000)
    found = where(question.position, players_of(question), answer)
    assert len(found) == 18
    for row in found:
        assert sum(row.shares.values()) == pytest.approx(1)
        for place, share in row.shares.items():
            expected = exact.get(place, 0)
            assert abs(share - expected) <= 4.5 * (expected * (1 - expected) / n) ** 0.5


@pytest.mark.skipif(not JIT, reason="too few worlds in plain Python to tell")
def test_bowers_move_away_from_a_seat_that_passed() -> None:
    question = asked("four", LOW, up="KH", calls="pass")
    found = where(question.position, players_of(question), answer_to(question, 20_000))
    shares = {row.about: row.shares for row in found if row.about}
    assert [row.about for row in found[:2]] == ["right bower", "left bower"]
    for bower in ("right bower", "left bower"):
        assert shares[bower]["right"] < 5 / 18 - 0.01
        assert shares[bower]["partner"] > 5 / 18
    assert found[3].card == "QH"


def test_the_command_shows_hands_and_places_in_tables_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ask", SEEN, "--up", "QH", "--deals", "20", "--where", "--show", "2"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "\nDeal 2 of 2\n" in printed
    assert "Seat 1  (asks)" in printed
    assert printed.count("Hearts are trump, maker seat 1") >= 2
    assert "Unseen" in printed
    for how in (["--format", "json"], ["--output", str(tmp_path / "answer.csv")]):
        assert main([*words, *how]) == 2
        assert "--where and --show are read by people" in capsys.readouterr().err
    file = tmp_path / "two.jsonl"
    line = json.dumps(position_json(QUESTIONS["four"].position))
    file.write_text(f"{line}\n{line}\n", encoding="utf-8")
    assert main(["ask", "--position", str(file), "--deals", "20", "--show", "1"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("Deal 1 of 1") == printed.count("Line ") == 2


def test_each_hand_is_printed_as_soon_as_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    monkeypatch.setattr("click.echo", lambda text, **_: printed.append(text))
    assert main(["ask", SEEN, "--up", "QH", "--deals", "20", "--show", "3"]) == 0
    pieces = [piece for piece in printed if "\nDeal " in piece]
    assert [piece.splitlines()[1] for piece in pieces] == [f"Deal {k} of 3" for k in (1, 2, 3)]
