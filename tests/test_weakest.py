"""The hands with which calling breaks even: strengths are those that strategies compare, gains those of `ask`."""

import json
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from test_ask import QUESTIONS, SIX, TWELVE, Asked, asked, players_of, some
from test_cli import answered, assert_csv_is_json, refused
from test_swaps import CALLS

import analyzer.weakest
from analyzer.asked import position_of_any_hand
from analyzer.border import kernel_players, kernel_rules
from analyzer.cards import each_card, parse_cards
from analyzer.errors import QuestionError
from analyzer.events import Step
from analyzer.leads import Study, lead_with, leads, study_of
from analyzer.position import table_of
from analyzer.rules import GAMES, make_rules
from analyzer.strategy import seat_players
from analyzer.weakest import (
    Fit,
    HandRow,
    Weakest,
    break_even_text,
    effort_for,
    hands_of,
    roles_text,
    strengths_of,
    weakest,
)
from kernels import doors, values
from kernels.compile import JIT
from reports.weakest import MOST_ROWS, some_rows

PARTNER_ALONE = asked("four", "JS 9S AH TD 9D", rule={"partner_orders_alone": True}, up="TS", seat=2)
OVER_A_FOUR = asked("bid", SIX, "bold,cautious,standard,standard", calls="4 pass")
PARTNER_BID = asked("bid", SIX, calls="3 4")
ASKED = {name: QUESTIONS[name] for name in CALLS} | {
    "partner orders alone": PARTNER_ALONE, "over an opponent": OVER_A_FOUR, "partner and opponent": PARTNER_BID,
    "over an ask": asked("bid", SIX, rule={"plain_six": True}, calls="ask"),
}  # fmt: skip


def study(question: Any, deals: int = 10) -> Study:
    return study_of(question.position, players_of(question), deals=deals, what="--weakest")


def found(question: Any, monkeypatch: pytest.MonkeyPatch, deals: int = 40, **how: Any) -> Weakest:
    """A search among fewer hands."""
    monkeypatch.setattr(analyzer.weakest, "N_COARSE", some(60))
    monkeypatch.setattr(analyzer.weakest, "N_NEAR", some(60))
    return weakest(question.position, players_of(question), deals=some(deals), **how)


# --- strength ---


@pytest.mark.parametrize("name", ASKED)
def test_a_strategy_calls_where_the_strength_reaches_the_threshold(name: str) -> None:
    question = ASKED[name]
    position = question.position
    rules = position.rules
    table = table_of(position)
    if rules.dealt[position.seat - 1] != rules.hand_size or Step(values.PASS, 0) not in table.steps():
        return  # --weakest refuses these
    rng = random.Random(name)
    cards = list(each_card(rules.pack.cards & ~position.upcard))
    hands = np.array([sum(rng.sample(cards, rules.hand_size)) for _ in range(some(2000))], np.int64)
    asked_about = study(question)
    players = [replace(player, is_random=False) for player in asked_about.players]
    door = doors.bid_choose if rules.game.is_bid else doors.turn_up_choose
    vector = kernel_players(players, rules)
    jacks = parse_cards("JC JD JH JS" if rules.deck < 48 else "JC JC JD JD JH JH JS JS", rules.pack)
    n_calls = 0
    for hand, (strength, threshold) in zip(hands, strengths_of(asked_about, hands), strict=True):
        state = table.state.copy()
        state[values.HAND + position.seat - 1] = hand
        verb, _ = door(kernel_rules(rules), vector, state, np.zeros((values.MAX_OPTIONS, 2), np.int64))
        if rules.game.is_bid and (int(hand) & jacks).bit_count() >= 4:
            continue  # jacks may shoot the moon on their own
        assert (verb not in (values.PASS, values.CLAIM)) == (strength >= threshold)
        n_calls += strength >= threshold
    assert n_calls > 0


@pytest.mark.fast
@pytest.mark.parametrize(("question", "n"), [(QUESTIONS["four"], 33_649), (QUESTIONS["two, stuck"], 33_649)])
def test_every_hand_without_the_upcard_is_there_once(question: Asked, n: int) -> None:
    position = question.position
    hands = hands_of(position, 0)
    assert len(set(hands.tolist())) == len(hands) == n
    assert {int(hand).bit_count() for hand in hands[::100]} == {5}
    assert not any(int(hand) & position.upcard for hand in hands)


@pytest.mark.fast
def test_of_very_many_hands_some_are_drawn_with_twins_as_they_are_typed() -> None:
    position = asked("bid", TWELVE, rule={"deck": 48}).position
    hands = hands_of(position, 3)
    assert len(hands) > 49_000
    low = sum(0x0555 << 16 * suit for suit in range(4))
    for hand in hands[::50].tolist():
        assert hand.bit_count() == 12
        assert not (hand >> 1 & low) & ~hand, "no upper twin without the lower one"


# --- gains ---


def test_the_call_is_chosen_in_deals_of_its_own() -> None:
    question = QUESTIONS["four, round two"]
    whole = study(question, some(300))
    hand = question.position.hand
    one = lead_with(replace(whole, chosen_in=some(200)), hand)
    every = lead_with(whole, hand)
    assert one.deals == every.deals
    assert {one.best, one.next} == {"hearts", "pass"}
    assert one.over_pass == pytest.approx(every.over_pass)
    assert one.over_pass_low > every.over_pass_low, "one rival needs no shared interval"  # type: ignore[operator]


# --- the search ---


def rows_by_role(answer: Weakest) -> dict[str, HandRow]:
    return {row.role: row for row in answer.hands if row.role}


@pytest.mark.skipif(not JIT, reason="too few worlds in plain Python to tell")
def test_a_better_hand_is_needed_in_front_of_the_dealer_than_behind_his_partner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = {seat: found(asked("four", "9S TS 9C TC 9D", up="QH", seat=seat), monkeypatch, 600) for seat in (1, 2)}
    least = {seat: answer.verdict.threshold + answer.verdict.break_even for seat, answer in answers.items()}  # type: ignore[operator]
    assert least[1] > least[2]
    for answer in answers.values():
        low, high = answer.verdict.break_even_low, answer.verdict.break_even_high
        assert low < answer.verdict.break_even < high  # type: ignore[operator]
        assert -1.5 < low < high < 1.5, "standard calls about where it pays"  # type: ignore[operator]


def test_hands_stand_by_strength_and_those_with_a_role_are_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = found(QUESTIONS["four"], monkeypatch, 200)
    over = [row.strength - row.threshold for row in answer.hands]
    assert over == sorted(over, reverse=True)
    roles = rows_by_role(answer)
    for row in answer.hands:
        assert row.lead.deals == (5 * some(200) if row.role else some(200))
    if "calls" in roles:
        assert roles["calls"].lead.over_pass_low > 0  # type: ignore[operator]
    if "passes" in roles:
        assert roles["passes"].lead.over_pass_high < 0  # type: ignore[operator]


def test_threads_change_no_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (found(QUESTIONS["four"], monkeypatch, 30, workers=n) for n in (1, 3))
    assert (one.hands, one.verdict) == (two.hands, two.verdict)


def test_ctrl_c_keeps_the_hands_near_break_even(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(after: int) -> Any:
        n = 0

        def some_leads(*args: Any) -> Any:
            nonlocal n
            for each in leads(*args):
                n += 1
                if n > after:
                    raise KeyboardInterrupt
                yield each

        return some_leads

    n = some(60)
    monkeypatch.setattr(analyzer.weakest, "FEWEST_NEAR", 2)
    monkeypatch.setattr(analyzer.weakest, "leads", broken(n + 3))
    answer = found(QUESTIONS["four"], monkeypatch, 20)
    assert answer.provenance.interrupted
    assert len(answer.hands) == 3
    assert not rows_by_role(answer)
    monkeypatch.setattr(analyzer.weakest, "leads", broken(n + 1))
    with pytest.raises(KeyboardInterrupt):
        found(QUESTIONS["four"], monkeypatch, 20)


@pytest.mark.fast
def test_a_line_through_the_gains_crosses_zero_where_calling_breaks_even() -> None:
    over = list(range(-100, 101, 10))
    noise = [0.01 * (-1) ** k for k in range(21)]
    fit = analyzer.weakest._fit(over, [0.002 * (x - 30) + e for x, e in zip(over, noise, strict=True)])
    assert fit.crosses == pytest.approx(30, abs=1)
    assert 0 < fit.crosses_se < 5
    flat = analyzer.weakest._fit(over, [0.3 + e for e in noise])
    assert flat.crosses is None
    assert isinstance(flat, Fit)


@pytest.mark.fast
def test_the_interval_of_break_even_holds_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        over = rng.uniform(-150, 150, 120)
        fit = analyzer.weakest._fit(over.tolist(), (0.002 * (over - 40) + rng.normal(0, 0.3, 120)).tolist())
        hits += fit.crosses is not None and abs(fit.crosses - 40) <= 1.96 * fit.crosses_se
    assert 0.92 <= hits / 400 <= 0.98


# --- words and refusals ---


@pytest.mark.fast
def test_the_sentence_compares_with_the_threshold() -> None:
    assert break_even_text(-0.4, -0.6, -0.1, 7.0, "standard") == (
        "In the mean calling and passing break even at a strength of 6.6 (6.4 to 6.9, 95% sure);"
        " standard calls from 7.0."
    )
    assert break_even_text(-1.7, -2.2, -1.2, None, "bold") == (
        "In the mean calling and passing break even 1.7 below the threshold at which bold names the suit (-2.2 to -1.2,"
        " 95% sure)."
    )
    assert roles_text([]) == []


@pytest.mark.parametrize(
    "words",
    [["-g", "two", "--up", "9S"], ["-g", "three", "--up", "9S", "--seat", "2"], ["--up", "AD", "--calls", "p p p p"],
     ["-g", "bid", "--calls", "3 pass"], ["-g", "bid", "-r", "deck=48"]],
    ids=["two", "three", "four, round two", "bid", "48"],
)  # fmt: skip
def test_tables_fit_80_columns_in_every_game(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyzer.weakest, "N_COARSE", 20)
    monkeypatch.setattr(analyzer.weakest, "N_NEAR", 20)
    table = answered(["ask", "--weakest", *words, "--deals", "8"], capsys)
    assert max(map(len, table.splitlines())) <= 80
    assert "Strength" in table


def test_the_command_writes_a_row_for_each_hand(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyzer.weakest, "N_COARSE", 20)
    monkeypatch.setattr(analyzer.weakest, "N_NEAR", 20)
    words = ["ask", "--weakest", "--up", "QH", "--seat", "2", "--deals", "8"]
    read = json.loads(answered([*words, "--format", "json"], capsys))
    assert list(read) == ["game", "rules", "position", "rows", "verdict", "provenance"]
    assert list(read["rows"][0])[:6] == ["hand", "role", "strength", "threshold", "best", "call"]
    assert_csv_is_json(read["rows"], answered([*words, "--format", "csv"], capsys))


@pytest.mark.fast
@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["JH JD AH KH 9S", "--up", "QH"], "--weakest looks at all hands: leave out HAND, --discarded and --position"),
        (["--up", "QH", "--swap"], "ask --swap or --weakest, not both"),
        (["--up", "QH", "--exact"], "--weakest tries many hands in a fixed number of deals each"),
        ([], "four-handed turns a card up"),
        (["--up", "QH", "--calls", "order"], "--weakest is about calls, to pass, order, name or bid: here"),
        (["--up", "QH", "--players", "random"], "--weakest orders hands by the strength that seat 1 counts"),
        (
            ["--up", "QH", "-r", "stick_the_dealer=true", "--calls", "p p p p p p p"],
            "--weakest weighs calling against passing, but seat 4 may not pass here",
        ),
        (["-g", "bid", "-r", "joker=true", "--seat", "4"], "what this dealer has discarded hangs on his hand"),
    ],
)  # fmt: skip
def test_what_cannot_be_looked_at_is_refused(words: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert text in refused(["ask", "--weakest", *words], capsys)


@pytest.mark.fast
def test_any_hand_will_do_in_every_game() -> None:
    for game in GAMES.values():
        rules = make_rules(game)
        position = position_of_any_hand(rules, up=None if game.is_bid else "QH")
        assert position.seat == 1
        with pytest.raises(QuestionError):
            position_of_any_hand(rules, up="QH" if game.is_bid else None)
        assert effort_for(rules).sure == 5 * effort_for(rules).near
        assert len(seat_players("standard", rules)) == rules.n_seats


@pytest.mark.fast
def test_hands_with_a_role_are_always_shown_and_no_more_than_fit() -> None:
    rows = [
        {"role": "even" if place == 3 else "calls" if place == 119 else None, "place": place} for place in range(120)
    ]
    shown = some_rows(rows)
    assert len(shown) == MOST_ROWS
    assert {3, 119} <= {row["place"] for row in shown}
    assert [row["place"] for row in shown] == sorted(row["place"] for row in shown)
    assert some_rows(rows[:4]) == rows[:4]
