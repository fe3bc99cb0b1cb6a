"""Which card of the hand a call hangs on: every card is exchanged for every one that it could be instead."""

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from test_ask import BOWERS, LOW, QUESTIONS, SIX, TWELVE, Asked, asked, players_of, some
from test_cli import answered, assert_csv_is_json, refused

import analyzer.swaps
from analyzer.ask import ask
from analyzer.cards import cards_text, parse_cards
from analyzer.choices import options
from analyzer.errors import QuestionError
from analyzer.leads import CALLING, Lead, call_of, lead_with, leads, question_with, study_of
from analyzer.position import table_of
from analyzer.swaps import CardRow, Swaps, card_rows, exchanges_of, swap_text, swaps
from analyzer.verdicts import Wording
from analyzer.views import question_of
from kernels.compile import JIT
from reports.swaps import print_swaps
from reports.text import plain_console

CALLS = [name for name, question in QUESTIONS.items() if table_of(question.position).phase in CALLING]
CLAIMING = asked("bid", "AS AH TH 9H TC 9C", rule={"ace_no_face": True}, calls="pass")
JOKER_DEALER = asked("bid", "JH JD AH KH 9S 9C", rule={"joker": True}, calls="pass pass pass", seat=4, discarded="TC")


def swapped(question: Asked, deals: int = 300, **how: Any) -> Swaps:
    return swaps(question.position, players_of(question), deals=some(deals), **how)


def lead(best: str, over_pass: float = 0.5, **other: Any) -> Lead:
    """How the calls stand, made up."""
    how: dict[str, Any] = {
        "call": best, "next": "pass", "lead": 0.5, "lead_low": 0.4, "lead_high": 0.6, "over_pass_low": over_pass - 0.1,
        "over_pass_high": over_pass + 0.1, "points": 0.5, "verdict": "better", "leaders": [best], "deals": 100,
        "effective": 100.0,
    } | other  # fmt: skip
    return Lead(best=best, over_pass=over_pass, **how)


# --- the exchanges ---


@pytest.mark.fast
def test_each_card_is_exchanged_for_each_that_the_asker_does_not_see() -> None:
    position = asked("four", BOWERS, up="QH", seat=1).position
    found = exchanges_of(position)
    assert len(found) == len(set(found)) == 5 * 18
    for out, into, hand in found:
        cards = set(cards_text(hand, position.rules.pack).split())
        assert cards == set(BOWERS.split()) - {out} | {into}
        assert into not in {*BOWERS.split(), "QH"}


@pytest.mark.fast
@pytest.mark.parametrize(
    ("question", "n"),
    [
        (asked("two", LOW, up="AH", seat=1), 5 * 18),
        (asked("four", "JH JD AH KH 7S", rule={"joker": True, "deck": 32}, up="8H", seat=1), 5 * 27),
        (asked("bid", SIX), 6 * 18),
        (JOKER_DEALER, 6 * 18),
        (asked("bid", TWELVE, rule={"deck": 48}), 10 * 22 - 8),
    ],
    ids=["two", "32 and the joker", "bid", "the joker's dealer", "48"],
)
def test_twins_count_once_and_known_cards_not_at_all(question: Asked, n: int) -> None:
    position = question.position
    found = exchanges_of(position)
    assert len(found) == n
    dealt = position.hand.bit_count()
    for out, into, hand in found:
        assert out != into
        assert hand.bit_count() == dealt
        text = cards_text(hand, position.rules.pack)
        assert hand == parse_cards(text, position.rules.pack), "of twins the lower one is held, as where it is typed"
    if question is JOKER_DEALER:
        assert all("TC" not in (out, into) for out, into, _ in found)
        assert all("TC" in cards_text(hand, position.rules.pack).split() for _, _, hand in found)


# --- the worlds ---


@pytest.mark.parametrize("name", CALLS)
def test_another_hand_is_asked_about_as_if_it_had_been_typed(name: str) -> None:
    question = QUESTIONS[name]
    position = question.position
    study = study_of(position, players_of(question), deals=10, what="--swap", seed=3)
    for out, into, hand in exchanges_of(position)[::17]:
        found, tried = question_with(study, hand)
        held = replace(position, hand=hand)
        wanted = question_of(held, [option.step for option in options(held)], 3)
        assert [option.step for option in tried] == [option.step for option in options(held)]
        for field in ("starts", "barred", "shared", "events", "options", "worths", "codes"):
            assert np.array_equal(getattr(found, field), getattr(wanted, field)), field
        assert np.array_equal(np.sort(found.pools), np.sort(wanted.pools)), (out, into)


@pytest.mark.fast
def test_in_every_world_the_two_cards_change_places_and_no_other_card_moves() -> None:
    question = QUESTIONS["four, after passes"]
    position = question.position
    study = study_of(position, players_of(question), deals=10, what="--swap")
    for out, into, hand in exchanges_of(position)[::7]:
        pools = question_with(study, hand)[0].pools
        moved = pools != study.question.pools
        assert moved.sum(axis=1).tolist() == [1] * 8, "in each of the eight views"
        gone = position.hand & ~hand
        came = hand & ~position.hand
        assert (study.question.pools[0][moved[0]].item(), pools[0][moved[0]].item()) == (came, gone), (out, into)


@pytest.mark.parametrize("name", CALLS)
def test_the_hand_as_it_is_stands_as_ask_says(name: str) -> None:
    question = QUESTIONS[name]
    position, players = question.position, players_of(question)
    n = some(400)
    study = study_of(position, players, deals=n, what="--swap", seed=5)
    found = lead_with(study, position.hand)
    answer = ask(position, players, deals=n, seed=5)
    first = answer.options[0]
    assert (found.best, found.points, found.deals) == (first.option, first.points, first.deals)
    other = next((each for each in answer.options if each.event != first.event), None)
    if other is None:
        return
    assert found.next == other.option
    assert (found.lead, found.lead_low, found.lead_high) == (
        -other.difference, -other.difference_high, -other.difference_low
    )  # fmt: skip
    passes = next((each for each in answer.options if each.option == "pass"), None)
    assert (found.over_pass is None) == (passes is None)
    if passes is not None:
        own = next(each for each in answer.options if each.option != "pass")
        assert found.over_pass == pytest.approx(own.points - passes.points)
        assert found.over_pass_low < found.over_pass < found.over_pass_high or found.over_pass_low == found.over_pass  # type: ignore[operator]


@pytest.mark.fast
def test_bids_of_one_level_are_one_call() -> None:
    position = asked("bid", SIX).position
    calls = {call_of(position.rules, option.step) for option in options(position)}
    assert calls == {"pass", "3", "4", "5", "ask", "moon"}


def test_a_hand_that_may_be_claimed_may_be_and_one_that_may_not_may_not() -> None:
    study = study_of(CLAIMING.position, players_of(CLAIMING), deals=some(50), what="--swap")
    pack = CLAIMING.position.rules.pack
    for text, may in (("AS AH TH 9H TC 9C", True), ("AS AH TH 9H TC KC", False)):
        _, tried = question_with(study, parse_cards(text, pack))
        assert any(call_of(CLAIMING.position.rules, option.step) == "claim" for option in tried) == may


# --- what comes of them ---


@pytest.mark.skipif(not JIT, reason="too few worlds in plain Python to tell")
def test_six_high_trumps_hang_on_no_card() -> None:
    found = swapped(asked("four", "JH JD AH KH QH", up="TH", seat=4), 1000)
    assert not found.verdict.decides
    assert {exchange.lead.call for exchange in found.exchanges} == {"order alone"}
    assert found.verdict.text == "Order it up alone, whichever card is lost: the call hangs on no single one."


@pytest.mark.skipif(not JIT, reason="too few worlds in plain Python to tell")
def test_without_his_one_trump_the_dealer_passes_and_any_other_card_may_go() -> None:
    found = swapped(asked("four", "JH AS AC 9D TD", up="KH", seat=4), 2000)
    assert found.exchanges[0].lead.best == "order"
    assert found.verdict.decides == ["JH"]
    assert found.verdict.text.startswith("The call hangs on the JH: without it you would pass")


def test_rows_are_told_by_card_and_add_up() -> None:
    found = swapped(QUESTIONS["four, round two"])  # type: ignore[arg-type]
    base, *others = found.exchanges
    assert (base.out, base.into, base.call) == (None, None, "same")
    for row in found.cards:
        own = [each for each in others if each.out == row.card]
        assert row.exchanges == len(own) == 18
        assert row.weaker + row.stronger == sum(each.call == "other" for each in own)
        assert row.close == sum(each.call == "close" for each in own)
        gains = {each.into: each.lead.over_pass for each in own}
        assert row.mean == pytest.approx(sum(gains.values()) / 18)  # type: ignore[arg-type]
        assert (gains[row.best], gains[row.worst]) == (max(gains.values()), min(gains.values()))  # type: ignore[type-var]
    assert all(one.weaker * two.exchanges >= two.weaker * one.exchanges for one, two in pairwise(found.cards))


def test_what_the_asker_said_himself_tells_nothing() -> None:
    question = asked("four", "9C TC 9D TD 9S", up="JH", calls="pass pass pass pass")
    found = swapped(question)
    bower = next(each for each in found.exchanges if each.into == "JD")
    assert bower.lead.deals == some(300), "he would have ordered with it, and yet has passed"


def test_threads_change_no_digit() -> None:
    question = QUESTIONS["four, after passes"]
    one, two = (swapped(question, 100, workers=n) for n in (1, 3))  # type: ignore[arg-type]
    assert one.exchanges == two.exchanges


def test_where_nobody_may_pass_points_are_compared() -> None:
    found = swapped(QUESTIONS["two, stuck"], 60)  # type: ignore[arg-type]
    assert all(each.lead.over_pass is None for each in found.exchanges)
    own = [each for each in found.exchanges if each.out == found.cards[0].card]
    assert found.cards[0].best == max(own, key=lambda each: each.lead.points).into


def test_ctrl_c_keeps_the_exchanges_that_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    real = leads

    def broken(after: int) -> Any:
        def some_leads(*args: Any) -> Any:
            for n, found in enumerate(real(*args)):
                if n == after:
                    raise KeyboardInterrupt
                yield found

        return some_leads

    monkeypatch.setattr(analyzer.swaps, "leads", broken(20))
    found = swapped(QUESTIONS["four"], 50)  # type: ignore[arg-type]
    assert found.provenance.interrupted
    assert found.provenance.exchanges == len(found.exchanges) - 1 == 19
    assert found.verdict.text.startswith("Of the 9S alone. ")
    monkeypatch.setattr(analyzer.swaps, "leads", broken(1))
    with pytest.raises(KeyboardInterrupt):
        swapped(QUESTIONS["four"], 50)  # type: ignore[arg-type]


# --- the sentence ---


def card(name: str, weaker: int = 0, stronger: int = 0, close: int = 0) -> CardRow:
    return CardRow(name, 18, weaker, stronger, close, 0.1, "AS", "9C", "pass", "order alone")


@pytest.mark.fast
@pytest.mark.parametrize(
    ("best", "cards", "text"),
    [
        (
            "order",
            [card("AH", 18), card("9S")],
            ("The call hangs on the AH: without it you would pass. Any other card may go."),
        ),
        (
            "order",
            [card("JH", 18), card("AH", 12), card("9S", 2)],
            (
                "The call hangs on the JH and the AH: without one of them you would pass (18 of 18 exchanges of the JH,"
                " 12 of 18 of the AH). The 9S matters now and then."
            ),
        ),
        (
            "order",
            [card("QH", 5), card("9S", 0, 4)],
            (
                "No card decides alone, to order it up stays right in most exchanges; the QH matters most: without it"
                " you would sometimes pass (5 of 18 exchanges). In 4 of 18 exchanges of the 9S the hand is"
                " so much stronger that another call is best, most often to order it up alone."
            ),
        ),
        ("pass", [card("QH"), card("9S")], "Pass, whichever card is lost: the call hangs on no single one."),
    ],
)  # fmt: skip
def test_the_sentence_names_the_cards_the_call_hangs_on(best: str, cards: list[CardRow], text: str) -> None:
    assert swap_text(lead(best), cards, Wording(0.02)) == text


@pytest.mark.fast
def test_a_hand_that_is_close_as_it_is_says_so_first() -> None:
    text = swap_text(lead("order", leaders=["order", "pass"]), [card("QH")], Wording(0.02))
    assert text.startswith("As it is, order it up or pass is too close to tell. ")


@pytest.mark.fast
def test_a_change_is_weaker_where_calling_is_less_ahead_of_passing() -> None:
    base = lead("order", 0.5)
    made = [
        analyzer.swaps.Exchange("AH", into, "", found, "other" if found.best != "order" else "same")
        for into, found in (("9C", lead("pass", -0.3)), ("KH", lead("order alone", 0.9)), ("TS", lead("order", 0.4)))
    ]
    (row,) = card_rows(base, made)
    assert (row.weaker, row.stronger, row.weaker_call, row.stronger_call) == (1, 1, "pass", "order alone")
    assert (row.best, row.worst) == ("KH", "9C")
    assert row.mean == pytest.approx((-0.3 + 0.9 + 0.4) / 3)


# --- what is written ---


@pytest.mark.parametrize(
    "words",
    [
        ["-g", "two", "JS AS 9H TH QD", "--up", "9S", "--seat", "1"],
        ["-g", "three", "JS AS KS 9D TD", "--up", "9S", "--calls", "pass", "--score", "6,8,3"],
        ["-r", "deck=32", "-r", "joker=true", "JH JD AH KH 7S", "--up", "8H", "--seat", "1"],
        ["-g", "bid", SIX, "--calls", "3 pass"],
        ["-g", "bid", "-r", "deck=48", TWELVE],
    ],
    ids=["two", "three", "32 and the joker", "bid", "48"],
)
def test_tables_fit_80_columns_in_every_game(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    table = answered(["ask", *words, "--swap", "--deals", str(some(20))], capsys)
    assert max(map(len, table.splitlines())) <= 80
    assert "As it is: " in table


def test_the_command_writes_a_row_for_each_exchange(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ask", BOWERS, "--up", "QH", "--seat", "1", "--swap", "--deals", str(some(100))]
    read = json.loads(answered([*words, "--format", "json"], capsys))
    assert list(read) == ["game", "rules", "position", "rows", "cards", "verdict", "provenance"]
    assert len(read["rows"]) == 91
    assert list(read["rows"][0])[:6] == ["out", "in", "hand", "change", "best", "call"]
    assert_csv_is_json(read["rows"], answered([*words, "--format", "csv"], capsys))


def test_a_position_is_looked_at_too_and_only_one(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    line = json.dumps(
        {"game": "four-handed", "seat": 4, "upcard": "TS", "hands": [None, None, None, "JS AD AS 9H QC"],
         "events": [[1, "pass"], [2, "pass"], [3, "pass"]]}
    )  # fmt: skip
    file = tmp_path / "hand.json"
    file.write_text(line + "\n")
    words = ["ask", "--position", str(file), "--swap", "--deals", str(some(50))]
    assert "90 exchanges, " in answered(words, capsys)
    file.write_text(f"{line}\n{line}\n")
    assert "--swap looks at one hand: the file has 2 positions" in refused(words, capsys)


@pytest.mark.fast
def test_what_is_no_call_is_refused() -> None:
    for name in ("four, pick it up or not", "bid, naming trump", "three, dummy or alone", "bid, a card to give"):
        question = QUESTIONS[name]
        with pytest.raises(QuestionError, match="--swap is about calls, to pass, order, name or bid: here seat"):
            swaps(question.position, players_of(question), deals=10)


@pytest.mark.fast
@pytest.mark.parametrize(
    "words",
    [
        ["--max-deals", "9"],
        ["--exact"],
        ["--scores"],
        ["--where"],
        ["--show", "1"],
        ["--play", "open"],
        ["--bracket"],
        ["--plot", "x.png"],
        ["--report", "x.html"],
    ],
)
def test_what_exchanges_have_no_use_for_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert words[0] in refused(["ask", BOWERS, "--up", "QH", "--seat", "1", "--swap", *words], capsys)


def test_a_wide_grid_is_cut_in_two() -> None:
    found = swapped(asked("four", "JH JD AH KH 7S", rule={"joker": True, "deck": 32}, up="8H", seat=1), 10)
    console = plain_console()
    with console.capture() as text:
        print_swaps(found.json(), console)
    lines = text.get().splitlines()
    heads = [above for above, line in pairwise(lines) if set(line) == {"\u2500"}][1:]
    assert [len(line.split()) for line in heads] == [14, 13]


def test_every_letter_of_a_call_is_told_though_the_grid_has_none() -> None:
    read = swapped(asked("four", "JH JD AH KH 9S", up="QH", seat=1), 300).json()
    for row in read["rows"]:
        row["change"] = "close" if row["change"] == "other" else row["change"]
    console = plain_console()
    with console.capture() as text:
        print_swaps(read, console)
    cards, _, told = text.get().partition("Mean, best and worst")
    used = {word for line in cards.splitlines()[1:] for word in line.split() if word in {"P", "O", "OA"}}
    assert used > {"OA"}
    assert all(f"{letter} {call}" in " ".join(told.split()) for letter, call in LETTERS.items() if letter in used)


LETTERS = {"P": "pass", "O": "order", "OA": "order alone"}
