"""The same question side by side: what is asked in each column, and what is said of them together."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import pytest
from test_ask import BOWERS, QUESTIONS, SIX, TWELVE, asked, players_of, some

import analyzer.bracket
from analyzer.ask import Answer, Goal, ask
from analyzer.bracket import Bracket, bracket, cases_of
from analyzer.cli import main
from analyzer.strategy import find_strategy
from analyzer.trials import OPEN, Play
from analyzer.verdicts import Seen, Varies, bracket_text
from kernels.compile import JIT
from reports.brackets import print_bracket, table_of
from reports.text import plain_console

NAMES = ["base", "rollout:3", "open", "cautious", "standard", "bold"]


def bracketed(question: Any, deals: int = 100, **how: Any) -> Bracket:
    position, players = question.position, players_of(question)
    cases = cases_of(position, players, n_tried=3, deals=some(deals))
    return bracket(position, cases, watch=lambda _: nullcontext(), goal_of=lambda _: Goal(), **how)


def printed(found: Bracket, **how: Any) -> str:
    console = plain_console()
    with console.capture() as text:
        print_bracket(found.json(), console, **how)
    return text.get()


@pytest.mark.parametrize("name", ["two", "three", "four, after passes", "bid, after calls"])
def test_each_column_is_the_answer_to_the_question_so_asked(name: str) -> None:
    question = QUESTIONS[name]
    position, players = question.position, players_of(question)
    found = bracketed(question, seed=4)
    assert [column.case.name for column in found.columns] == NAMES
    own = next(side for side in position.rules.sides if position.seat in side)
    plays = {"rollout:3": Play(3), "open": OPEN}
    for column in found.columns:
        seated = list(players)
        if column.case.varies == "opponents":
            other = find_strategy(column.case.name, position.rules)
            seated = [player if seat in own else other for seat, player in enumerate(players, 1)]
        alike = ask(position, seated, deals=some(100), seed=4, play=plays.get(column.case.name, Play()))
        assert column.answer.options == alike.options


def test_what_was_asked_already_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asks = []

    def counted(*args: Any, **how: Any) -> Answer:
        asks.append(str(how["play"]))
        return ask(*args, **how)

    monkeypatch.setattr(analyzer.bracket, "ask", counted)
    found = bracketed(QUESTIONS["four"], 50)
    assert asks == ["base", "base", "base", "open", "rollout:3"], "what takes longest comes last"
    base, _, _, _, standard, _ = found.columns
    assert standard.answer is base.answer


def test_columns_have_two_thousand_worlds_and_hands_of_twelve_solved_two_hundred() -> None:
    twelve = asked("bid", TWELVE, rule={"deck": 48})
    for question, tries, n_open in ((asked("bid", SIX), "rollout:100", 2000), (twelve, "rollout:10", 200)):
        cases = cases_of(question.position, players_of(question))
        assert {case.name: case.deals for case in cases if case.play != OPEN} == dict.fromkeys(
            ["base", tries, "cautious", "standard", "bold"], 2000
        )
        assert [case.deals for case in cases if case.play == OPEN] == [n_open]


def test_ctrl_c_keeps_the_columns_that_were_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(after: int) -> Any:
        n = 0

        def asks(*args: Any, **how: Any) -> Answer:
            nonlocal n
            n += 1
            if n > after:
                raise KeyboardInterrupt
            return ask(*args, **how)

        return asks

    monkeypatch.setattr(analyzer.bracket, "ask", broken(3))
    found = bracketed(QUESTIONS["four"], 50)
    assert [column.case.name for column in found.columns] == ["base", "cautious", "standard", "bold"]
    assert found.provenance.interrupted
    assert found.doubts[-1] == "Stopped before it was asked with rollout:3 and open."
    monkeypatch.setattr(analyzer.bracket, "ask", broken(0))
    with pytest.raises(KeyboardInterrupt):
        bracketed(QUESTIONS["four"], 50)


# --- the sentence ---


def seen(**leaders: str) -> list[Seen]:
    """What each way of asking found: options with a bar between, the best first; `pass` where nothing is told."""
    ways: list[tuple[str, Varies]] = [("base", "play"), ("rollout", "play"), ("open", "play")]
    ways += [("cautious", "opponents"), ("bold", "opponents")]
    return [Seen(name, varies, leaders.get(name, "pass").split("|")) for name, varies in ways]


@pytest.mark.fast
@pytest.mark.parametrize(
    ("found", "on", "text"),
    [
        (seen(), [], "Pass: best with every play and against all opponents tried."),
        (
            seen(open="pass|order", bold="order alone|pass"),
            [],
            (
                "Pass: nothing tried beats it beyond doubt, but to order it up or order it up alone may be as good"
                " with open play and against bold opponents."
            ),
        ),
        (
            seen(base="pass|order"),
            [],
            "Pass: nothing tried beats it beyond doubt, but to order it up may be as good as asked.",
        ),
        (
            seen(open="order"),
            ["play"],
            (
                "It depends on the play: pass as asked, with rollout play and against cautious and bold opponents;"
                " order it up with open play. Open play has all cards in view: a diagnostic, not advice."
            ),
        ),
        (
            seen(rollout="order|pass", bold="order|hearts"),
            ["opponents"],
            (
                "It depends on the opponents: pass as asked, with open play and against cautious opponents;"
                " order it up or name hearts against bold opponents; too close to tell with rollout play."
            ),
        ),
        (
            seen(rollout="hearts", open="hearts", cautious="hearts", bold="hearts"),
            ["play", "opponents"],
            (
                "It depends on the play and the opponents: pass as asked;"
                " name hearts with rollout and open play and against cautious and bold opponents."
                " Open play has all cards in view: a diagnostic, not advice."
            ),
        ),
    ],
)
def test_the_sentence_says_that_the_verdict_holds_or_on_what_it_depends(
    found: Sequence[Seen], on: list[Varies], text: str
) -> None:
    assert bracket_text("pass", found, on) == text


@pytest.mark.skipif(not JIT, reason="too few worlds in plain Python to tell")
def test_an_unbeatable_hand_is_called_whatever_others_do() -> None:
    found = bracketed(asked("four", "JH JD AH KH QH", up="9H", seat=1))
    assert found.verdict.kind == "holds"
    assert found.verdict.best == "order alone"
    assert not found.verdict.depends_on


@pytest.mark.skipif(not JIT, reason="too few worlds in plain Python to tell")
def test_a_column_differs_where_the_best_as_asked_is_clearly_beaten_there() -> None:
    found = bracketed(asked("two", "9S TS QS 9D TD", "bold", up="JH", seat=1), 400)
    first = found.columns[0].answer.verdict.best
    differs = []
    for column in found.columns:
        (option,) = [option for option in column.answer.options if option.option == first]
        if option.difference_high < 0 and option.difference < -column.answer.verdict.margin:
            differs.append(column.case.name)
    assert found.verdict.differs == differs
    assert (found.verdict.kind == "depends") == bool(differs)


# --- what is written ---


def test_a_table_has_all_columns_side_by_side_and_two_tables_where_they_do_not_fit() -> None:
    text = printed(bracketed(QUESTIONS["four"]))
    assert text.count("Option") == 1
    assert all(name in text for name in ("base,", "standard", "rollout:3", "open", "cautious", "bold"))
    assert max(map(len, text.splitlines()[:6])) <= 80
    wide = printed(bracketed(asked("four", BOWERS, "bold,cautious,standard,bold", up="QH", seat=1)))
    assert wide.count("Option") == 2


def test_the_command_writes_a_row_for_each_column_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ask", BOWERS, "--up", "QH", "--seat", "1", "--bracket", "--deals", "60", "--play", "rollout:2"]
    assert main([*words, "--format", "json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert list(read) == ["game", "rules", "position", "columns", "verdict", "provenance"]
    names = [column["column"] for column in read["columns"]]
    assert names == ["base", "rollout:2", "open", "cautious", "standard", "bold"]
    assert main([*words, "--format", "csv"]) == 0
    heading, *rows = capsys.readouterr().out.splitlines()
    assert heading.startswith("column,varies,play,players,option,event,")
    assert [row.split(",")[0] for row in rows] == [name for name in names for _ in range(3)]


@pytest.mark.fast
@pytest.mark.parametrize(
    "words", [["--max-deals", "9"], ["--exact"], ["--scores"], ["--where"], ["--show", "1"], ["--play", "open"]]
)
def test_what_a_bracket_has_no_use_for_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", BOWERS, "--up", "QH", "--seat", "1", "--bracket", *words]) == 2
    assert "--bracket" in capsys.readouterr().err


@pytest.mark.fast
def test_a_column_has_one_number_of_digits() -> None:
    def option(name: str, points: float, se: float) -> dict[str, Any]:
        return {"option": name, "points": points, "points_se": se, "difference_high": -0.1}

    options = [option("order", 0.5, 0.05), option("pass", 0.1234, 0.002)]
    column = {"heading": "base\nplay", "options": options, "verdict": {"best": "order", "kind": "better"}}
    table = table_of([column], ["order", "pass"], by_win=False)
    assert list(table.columns[1].cells) == ["+0.500 ±0.098*", "+0.123 ±0.004 "]
