"""What the score changes in an answer: each option's chance to win the game, the verdict, the best at every score."""

import json
from dataclasses import replace
from functools import cache
from math import sqrt
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from test_ask import QUESTIONS, answer_to, option_of

from analyzer.ask import Answer, Goal, ask
from analyzer.asked import position_from_options
from analyzer.cli import main
from analyzer.equity import win_table
from analyzer.errors import QuestionError
from analyzer.estimates import mean_of_payoffs
from analyzer.position import Position
from analyzer.rules import GAMES, make_rules
from analyzer.standing import default_margin
from analyzer.strategy import find_strategy, seat_players
from analyzer.views import win_worths
from analyzer.winning import WinTable
from kernels import worlds
from reports.standings import print_scores
from reports.text import plain_console, score_text

Printed = pytest.CaptureFixture[str]
DEALS = 600


@cache
def table_of(name: str) -> WinTable:
    rules = QUESTIONS[name].position.rules
    return win_table(rules, seat_players("standard", rules), deals=5000).table


def at_score(name: str, scores: tuple[int, ...], decide_by: Any = "points", **how: Any) -> Answer:
    position: Position = replace(QUESTIONS[name].position, scores=scores)
    goal = Goal(decide_by, table_of(name), all_scores=how.pop("all_scores", False))
    return ask(position, seat_players("standard", position.rules), goal=goal, **({"deals": DEALS} | how))


# --- the chance to win of an option ---


@pytest.mark.parametrize("name", ["two", "four", "four, round two"])
def test_with_one_point_to_go_for_both_the_deal_is_the_game(name: str) -> None:
    answer = at_score(name, (9, 9))
    seat = QUESTIONS[name].position.seat
    if_thrown_in = table_of(name).before((9, 9))[seat % 2]  # the deal moves on: the first side deals then
    for option in answer.options:
        won = option.made + option.other_euchred
        assert option.win_game == pytest.approx(won + option.thrown_in * if_thrown_in, abs=1e-9)
        if option.thrown_in == 0:
            assert option.win_game_se == pytest.approx(sqrt(won * (1 - won) / answer.provenance.effective), rel=0.05)


@pytest.mark.parametrize("name", ["two", "three", "four", "four, after passes", "bid"])
def test_the_score_stands_in_seat_order_and_more_points_of_ones_own_are_better(name: str) -> None:
    rules, seat = QUESTIONS[name].position.rules, QUESTIONS[name].position.seat
    n = len(rules.sides)
    own = next(place for place, side in enumerate(rules.sides) if seat in side)
    ahead = at_score(name, tuple(rules.target - 1 if place == own else 0 for place in range(n)))
    behind = at_score(name, tuple(0 if place == own else rules.target - 1 for place in range(n)))
    for one, other in zip(
        sorted(ahead.options, key=lambda option: option.option),
        sorted(behind.options, key=lambda option: option.option),
        strict=True,
    ):
        assert one.option == other.option
        assert one.points == other.points
        assert one.win_game is not None
        assert other.win_game is not None
        assert one.win_game > other.win_game


@pytest.mark.parametrize("name", ["three", "four", "bid"])
def test_a_score_alone_changes_no_other_number(name: str) -> None:
    plain = answer_to(QUESTIONS[name], DEALS)
    scored = at_score(name, (1,) * len(QUESTIONS[name].position.rules.sides), deals=plain.provenance.deals)
    blank = [replace(option, win_game=None, win_game_se=None) for option in scored.options]
    assert blank == plain.options
    assert scored.verdict.kind == plain.verdict.kind


@pytest.mark.fast
def test_a_mean_over_payoffs_is_that_over_the_worlds_one_by_one() -> None:
    weights, paid, worths = [16, 16, 40, 16, 100], [0, 1, 1, 2, 0], [0.1, 0.7, 0.4]
    sums = [
        (
            sum(w for w, p in zip(weights, paid, strict=True) if p == k),
            sum(w * w for w, p in zip(weights, paid, strict=True) if p == k),
        )
        for k in range(3)
    ]
    mean = sum(w * worths[p] for w, p in zip(weights, paid, strict=True)) / sum(weights)
    spread = sum(w * w * (worths[p] - mean) ** 2 for w, p in zip(weights, paid, strict=True))
    found = mean_of_payoffs(sums, worths)
    assert found.mean == pytest.approx(mean)
    assert found.se == pytest.approx(sqrt(spread) / sum(weights))


@pytest.mark.fast
@pytest.mark.parametrize("chances", [[0.5, 0.5], [0.0, 1.0, 0.3], [1e-9, 2e-9, 1.7e-9]])
def test_chances_are_counted_as_finely_as_kernels_can(chances: list[float]) -> None:
    counted, unit = win_worths(np.array(chances))
    assert np.abs(counted).max() <= worlds.HEAVIEST_WORTH
    middle = (max(chances) + min(chances)) / 2
    assert counted / unit + middle == pytest.approx(
        np.array(chances), abs=(max(chances) - min(chances)) / 2**11 + 1e-15
    )


# --- deciding by it ---


@pytest.mark.parametrize("name", ["two", "three", "four", "bid"])
def test_decided_by_the_game_order_and_differences_are_in_chances_to_win_it(name: str) -> None:
    rules = QUESTIONS[name].position.rules
    answer = at_score(name, tuple(rules.target - 2 - place for place in range(len(rules.sides))), "win")
    wins = [option.win_game or 0 for option in answer.options]
    assert wins == sorted(wins, reverse=True)
    for option in answer.options:
        assert option.win_game is not None
        assert option.difference == pytest.approx(option.win_game - wins[0], abs=1e-12)
        assert option.difference_low <= option.difference <= option.difference_high
        both = sqrt((option.win_game_se or 0) ** 2 + (answer.options[0].win_game_se or 0) ** 2)
        assert option.difference_se <= 1.5 * both
    assert (answer.verdict.decide_by, answer.verdict.margin) == ("win", default_margin(rules, "win"))
    assert "to win the game" in answer.verdict.text or answer.verdict.kind == "undecided"


def test_at_one_to_go_deciding_by_the_game_is_deciding_by_who_wins_the_deal() -> None:
    """A march is then worth no more than a single point: paired errors must be those of winning the deal."""
    answer = at_score("four, round two", (9, 9), "win", deals=4000)
    best = answer.options[0]
    for option in answer.options[1:]:
        low = abs((best.win_game or 0) - (option.win_game or 0))
        most = sqrt(max(0.0, 1 - low**2) / answer.provenance.effective)
        assert 0 < option.difference_se <= most


def test_deals_are_added_until_the_verdict_by_the_game_falls() -> None:
    answer = at_score("four", (3, 8), "win", deals=None, max_deals=60_000)
    assert answer.verdict.kind in ("better", "equal", "undecided")
    assert answer.provenance.effective >= 20_000 or answer.verdict.kind == "undecided"


def test_where_the_game_asks_for_something_else_than_points_the_verdict_says_so() -> None:
    by_points = at_score("three", (6, 8, 3), deals=6000)
    assert by_points.verdict.best == "order"
    assert "To win the game, pass is better: " in by_points.verdict.text
    by_win = at_score("three", (6, 8, 3), "win", deals=6000)
    assert by_win.verdict.best == "pass"
    assert "By points, order is better: +" in by_win.verdict.text
    assert by_points.told.sentences[-1].startswith("To win the game, pass is better: ")
    assert by_points.verdict.text == " ".join(by_points.told.sentences)
    agreed = at_score("three", (0, 0, 0), deals=6000)
    assert ("To win" in agreed.verdict.text) == (
        (option_of(agreed, "pass").win_game or 0) > (option_of(agreed, "order").win_game or 0)
    )


def test_without_a_score_the_game_cannot_decide() -> None:
    position = QUESTIONS["four"].position
    with pytest.raises(QuestionError, match="--score 6,8"):
        ask(position, seat_players("standard", position.rules), deals=10, goal=Goal("win", table_of("four")))


# --- every score ---


@pytest.mark.parametrize("name", ["two", "three", "four", "bid"])
def test_the_best_at_every_score_is_that_of_the_question_asked_at_it(name: str) -> None:
    rules = QUESTIONS[name].position.rules
    n = len(rules.sides)
    told = at_score(name, (0,) * n, all_scores=True)
    assert told.scores is not None
    lowest = -rules.target if rules.negative_scores else 0
    assert len(told.scores) == (rules.target - lowest) ** n
    rows = {tuple(row.scores): row for row in told.scores}
    for scores in [(0,) * n, (rules.target - 1,) * n, tuple(range(rules.target - n, rules.target)), (3, 7, 2)[:n]]:
        asked = at_score(name, scores, "win")
        wins = [option.win_game or 0 for option in asked.options]
        row = rows[scores]
        assert row.win_game == pytest.approx(wins[0], abs=1e-9)
        assert row.ahead == pytest.approx(wins[0] - wins[1], abs=1e-9)
        if wins[0] - wins[1] > 1e-9:
            assert row.best == asked.options[0].option


def test_scores_are_in_json_only_where_they_are_asked_for() -> None:
    assert "scores" not in at_score("two", (0, 0)).json()
    rows = at_score("two", (0, 0), all_scores=True).json()["scores"]
    assert " ".join(rows[0]) == "scores best win_game ahead"


# --- the command ---

ASK = ["ask", "-g", "two", "JS AS 9H TH QD", "--up", "9S", "--deals", "400"]


def test_the_command_tells_the_chance_to_win_with_a_score(capsys: Printed) -> None:
    assert main([*ASK, "--score", "6,8", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert all(0 < option["win_game"] < 1 and option["win_game_se"] > 0 for option in found["options"])
    assert found["verdict"]["decide_by"] == "points"
    assert main([*ASK, "--score", "6,8", "--decide-by", "win"]) == 0
    shown = capsys.readouterr().out
    assert "Wins" in shown
    assert "to win the game" in shown or "Undecided" in shown


@pytest.mark.parametrize(
    ("scores", "seat", "told"),
    [
        ([6, 8], 1, "6 to 8, yours first"),
        ([6, 8], 4, "8 to 6, yours first"),
        ([6, 8, 3], 2, "8 to 3 to 6, yours first, then to your left"),
        (None, 1, ""),
    ],
)
def test_the_answer_repeats_the_score_as_the_seat_asked_counts_it(scores: Any, seat: int, told: str) -> None:
    assert score_text({"scores": scores, "seat": seat}) == told


def test_the_command_shows_the_best_call_at_every_score(capsys: Printed) -> None:
    assert main([*ASK, "--scores"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "small letters" in shown or "At every score" in shown
    three = [
        "ask",
        "-g",
        "three",
        "JS AS KS 9D TD",
        "--up",
        "9S",
        "--calls",
        "pass",
        "--deals",
        "400",
        "--score",
        "6,8,3",
    ]
    assert main([*three, "--scores"]) == 0
    assert "ith 8 points" in capsys.readouterr().out


def scores_printed(rows: list[tuple[list[int], str, float]], **position: Any) -> str:
    """What is said of these scores, each with what is best there and by how much."""
    read = {
        "scores": [{"scores": scores, "best": best, "win_game": 0.5, "ahead": ahead} for scores, best, ahead in rows],
        "position": {"seat": 2, **position},
        "options": [{"option": "order"}, {"option": "pass"}],
    }
    console = plain_console()
    with console.capture() as text:
        print_scores(read, console)
    return " ".join(text.get().split())


@pytest.mark.fast
def test_one_option_best_at_every_score_is_a_sentence_and_no_grid() -> None:
    two = [([one, other], "order", 0.1) for one in range(3) for other in range(3)]
    assert scores_printed(two) == "At every score order is best to win the game."
    two[0] = ([0, 0], "order", 0.001)
    assert scores_printed(two) == (
        "At every score order is best to win the game, though at 1 of the 9 by less than 0.25 in 100 games."
    )
    two[0] = ([0, 0], "pass", 0.1)
    assert "A order, B pass" in scores_printed(two)


@pytest.mark.fast
def test_of_three_players_it_is_so_at_the_askers_own_score() -> None:
    three = [([a, b, c], "order" if b == 1 else "pass", 0.1) for a in range(2) for b in range(2) for c in range(2)]
    told = scores_printed(three, scores=[0, 1, 0])
    assert told == "With 1 point, whatever the others have, order is best to win the game."


@pytest.mark.fast
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--decide-by", "win"], "tell its score"),
        (["--decide-by", "luck"], "points"),
        (["--scores", "--format", "csv"], "--scores has no CSV"),
        (["--score", "10,3"], "the game is over"),
    ],
)
def test_a_wrong_question_about_the_game_is_refused(words: list[str], said: str, capsys: Printed) -> None:
    assert main([*ASK, *words]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.out == ""


# --- players who mind the score ---


@pytest.mark.parametrize(
    ("game", "hand", "up", "scores"),
    [
        ("four-handed", "JD AC 9S TS QS", "JC", (9, 2)),
        ("three-handed", "JS AS KS 9D TD", "9S", (9, 8, 3)),
        ("two-handed", "JS AS 9H TH QD", "9S", (3, 9)),
    ],
)
def test_who_minds_the_score_is_thought_to_call_so(game: str, hand: str, up: str, scores: tuple[int, ...]) -> None:
    rules = make_rules(GAMES[game], {})
    standard = find_strategy("standard", rules)
    shifts = {"score.own_brink.call": 2.0, "score.other_brink.call": -3.0, "score.own_brink.alone": 5.0}
    minding = replace(standard, numbers=MappingProxyType({**standard.numbers, **shifts}))
    plain = []
    for seat in range(rules.n_seats):
        side = seat % len(rules.sides)
        own, others = scores[side] >= 9, any(score >= 9 for at, score in enumerate(scores) if at != side)
        numbers = dict(standard.numbers)
        numbers["shift.call"] += 2.0 * own - 3.0 * others
        numbers["shift.alone"] += 5.0 * own
        plain.append(replace(standard, numbers=MappingProxyType(numbers)))
    position = position_from_options(rules, hand, up=up, seat=1, score=",".join(map(str, scores)))
    at_score = ask(position, [minding] * rules.n_seats, deals=600).options
    without = replace(position, scores=None)
    assert at_score == ask(without, plain, deals=600).options
    assert at_score != ask(without, [minding] * rules.n_seats, deals=600).options
