"""With all cards in view a question is worth, world by world, what perfect play of the hands in it brings."""

import json
from typing import Any

import pytest
import reference
from reference_score import score
from reference_solver import tricks_of
from test_ask import BOWERS, QUESTIONS, answer_to, asked, players_of
from test_exact import played_by_standard

from analyzer.ask import Answer, ask
from analyzer.cli import main
from analyzer.looks import PlayedOut, some_worlds
from analyzer.position import Position
from analyzer.record import write_record
from analyzer.rules import find_game, make_rules
from analyzer.solve import read_open, solve
from analyzer.standing import DEALS_OPEN_48, default_deals
from analyzer.strategy import Strategy, find_strategy
from analyzer.trials import OPEN
from analyzer.verdicts import OPEN_WARNING
from kernels.compile import JIT

FEW_CARDS = 3
"""In a hand: so many are tried in every order, more are left to the solver."""


def open_points(played: PlayedOut, position: Position) -> float:
    """What the asker has of a world whose hands are played perfectly after his option, by the reference."""
    record = json.loads(write_record(played.record))
    told = {field: value for field, value in record.items() if field not in ("events", "result")}
    table = reference.Table(told)
    laid = []
    for number, event in enumerate(record["events"]):
        if event[1] != "play" or number <= len(position.events):
            table.play(event)
            laid += [event] if event[1] == "play" else []
    if table.maker is None or table.done:
        return played.points
    active = [seat for seat in table.seats if seat not in table.out]
    trick = [(seat, card) for seat, _, card in laid[len(laid) - len(laid) % len(active) :]]
    makers = {table.maker, table.partner(table.maker)} if len(table.seats) == 4 else {table.maker}
    taken = best(table, makers & set(active), active, trick)
    before = sum(table.tricks[seat] for seat in makers)
    tricks = dict.fromkeys(table.seats, 0)
    tricks[table.maker] = before + taken
    tricks[next(seat for seat in active if seat not in makers)] = position.rules.n_tricks - before - taken
    points = score(table.game, table.rules, table.maker, table.alone, list(tricks.values()), table.bid)
    own = points[(position.seat - 1) % len(points)]
    return own - (sum(points) - own) / (len(points) - 1)


def best(table: reference.Table, makers: set[int], active: list[int], trick: list[tuple[int, str]]) -> int:
    """The tricks that the maker's side takes from here."""
    hands = {seat: table.hands[seat] for seat in active}
    leader = trick[0][0] if trick else table.to_act
    assert leader is not None
    if max(map(len, hands.values())) <= FEW_CARDS:
        return tricks_of(makers, hands, table.trump, leader, trick)
    read = {
        "hands": [" ".join(reference.in_order(hands.get(seat, []))) for seat in table.seats],
        "trump": table.trump,
        "leader": leader,
        "sides": [sorted(makers), [seat for seat in active if seat not in makers]],
        "trick": [list(laid) for laid in trick],
    }
    rules = make_rules(find_game(table.game), {name: table.rules[name] for name in ("deck", "joker")})
    return solve(read_open(read, rules)).tricks[0]


def check(position: Position, players: list[Strategy], answer: Answer) -> None:
    """Raise unless the best two options are worth what their worlds are, one by one."""
    worlds = some_worlds(position, players, answer, answer.provenance.deals)
    whole = sum(world.weight for world in worlds)
    for k, option in enumerate(answer.options[:2]):
        points = sum(world.weight * open_points(world.options[k], position) for world in worlds) / whole
        assert points == pytest.approx(option.points), option.option


@pytest.mark.parametrize("name", [name for name in QUESTIONS if "48" not in name])
def test_an_option_is_worth_what_comes_of_perfect_play_in_each_world(name: str) -> None:
    answer = answer_to(QUESTIONS[name], 20, play=OPEN, seed=3)
    check(QUESTIONS[name].position, players_of(QUESTIONS[name]), answer)
    assert answer.provenance.play == "open"
    assert answer.verdict.text.startswith(OPEN_WARNING)


LATE: dict[str, tuple[str, dict[str, Any]]] = {
    "two": ("two", {}),
    "three": ("three", {}),
    "four": ("four", {}),
    "four, 32 cards and the joker": ("four", {"deck": 32, "joker": True}),
    "bid": ("bid", {}),
    "bid, 48 cards": ("bid", {"deck": 48}),
}


@pytest.mark.parametrize("name", LATE)
def test_a_card_late_in_the_play_is_worth_what_trying_every_order_of_the_others_brings(name: str) -> None:
    game, changes = LATE[name]
    rules = make_rules(find_game(game), changes)
    players = [find_strategy("standard", rules)] * rules.n_seats
    n = 0
    for position, _ in zip(played_by_standard(rules, 20), range(4 if JIT else 1), strict=False):
        check(position, players, ask(position, players, deals=5, play=OPEN, seed=n))
        n += 1
    assert n


@pytest.mark.parametrize("lead", ["defender", "maker", "eldest"])
def test_a_lone_defender_and_a_lone_maker_play_it_out_between_them(lead: str) -> None:
    question = asked("three", BOWERS, rule={"both_alone_lead": lead}, up="KS", calls="pass pass order pickup alone")
    answer = answer_to(question, 40, play=OPEN)
    assert {option.option for option in answer.options} == {"alone", "together"}
    check(question.position, players_of(question), answer)


def test_threads_change_no_digit_of_open_play() -> None:
    question = QUESTIONS["four, after passes"]
    one, two = (answer_to(question, 200, play=OPEN, workers=n) for n in (1, 2))
    assert one.options == two.options


def test_hands_of_twelve_are_solved_in_few_worlds() -> None:
    assert default_deals(make_rules(find_game("bid"), {"deck": 48}), OPEN) == DEALS_OPEN_48


def test_the_command_says_that_open_play_is_no_advice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", BOWERS, "--up", "QH", "--seat", "1", "--deals", "50", "--play", "open"]) == 0
    shown = capsys.readouterr().out
    assert OPEN_WARNING in shown
    assert "standard players, open play, " in shown
