"""What a terminal shows and a pipe does not: the verdict first, symbols and colours, bars; and --ascii everywhere."""

import contextlib
import re
import sys
from io import StringIO

import pytest
from rich.console import Console
from test_ask import some
from test_cli import Printed, answered, on_terminal, run

from analyzer.cli import main
from analyzer.cli.notes import note
from kernels.compile import JIT
from reports.screen import BAR, dressed, gap_bar, in_ascii
from reports.text import plain_console, terminal_console

HAND = ("ask", "JH JD AH KH 9S", "--up", "QH", "--seat", "1", "--deals", "400")
DISCARD = '{"game": "four-handed", "seat": 4, "upcard": "TS", "hands": [null, null, null, "JS AD AS 9H QC"], "events": [[1, "pass"], [2, "order"]]}'  # noqa: E501
LETTERS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def bare(text: str) -> list[str]:
    """The lines of a terminal without colours."""
    return LETTERS.sub("", text).replace("\r\n", "\n").splitlines()


@pytest.mark.skipif(not JIT, reason="compiled code answers sooner")
def test_the_verdict_comes_first_on_a_terminal_and_last_in_a_pipe() -> None:
    shown = bare(on_terminal(*HAND, COLUMNS="80"))
    piped = run(*HAND).stdout.splitlines()
    assert shown[0].startswith("Order it up alone: ")
    assert shown[0].rstrip() in piped
    assert not piped[0].startswith("Order it up alone: ")
    table = [line for line in piped if "%" in line and "sure" not in line]
    assert [line.rstrip() for line in shown if "%" in line and "sure" not in line] == table, "the table is the same"


@pytest.mark.skipif(not JIT, reason="compiled code answers sooner")
@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (("compare", "standard", "random", "--deals", "2000"), "standard is better than random."),
        (("sweep", "--vary", "call.order.seat1=5,7", "--deals", "2000"), "Best is call.order.seat1="),
    ],
)
def test_so_does_that_of_many_deals(words: tuple[str, ...], verdict: str) -> None:
    shown, piped = bare(on_terminal(*words, COLUMNS="80")), run(*words).stdout.splitlines()
    assert shown[0].startswith(verdict)
    assert [line.startswith(verdict) for line in piped].index(True) > 2


@pytest.mark.fast
def test_errors_and_notes_break_between_words_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    words = [*HAND, "--max-deals", "9"]
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    assert main(words) == 2
    lines = capsys.readouterr().err.splitlines()
    assert max(map(len, lines)) <= 40
    assert " ".join(lines) == line
    monkeypatch.setenv("COLUMNS", "5")
    note("no-word-is-cut here")
    assert capsys.readouterr().err == "no-word-is-cut\nhere\n"


@pytest.mark.skipif(not JIT, reason="compiled code answers sooner")
def test_bars_stand_where_there_is_room_and_grow_with_the_gap() -> None:
    assert "\u2501" not in on_terminal(*HAND, COLUMNS="99")
    wide = on_terminal(*HAND, COLUMNS="100")
    bars = [line.count("\u2501") for line in bare(wide) if "\u2501" in line]
    assert len(bars) == 2
    assert bars == sorted(bars)
    assert max(map(len, bare(wide))) <= 100


@pytest.mark.skipif(not JIT, reason="compiled code answers sooner")
def test_cards_have_symbols_and_colours_on_a_terminal_alone(tmp_path: object, capsys: Printed) -> None:
    file = f"{tmp_path}/discard.json"
    with open(file, "w") as out:  # noqa: PTH123
        out.write(DISCARD)
    words = ("ask", "--position", file, "--deals", "200")
    shown = on_terminal(*words, PYTHONIOENCODING="utf-8")
    assert "discard Q\u2663" in "\n".join(bare(shown))
    assert "\x1b[31m9\u2665" in shown or "\x1b[1;31m9\u2665" in shown
    assert "\x1b[31m" not in on_terminal(*words, NO_COLOR="1")
    assert "discard QC" in answered(list(words), capsys)
    assert "discard QC" in "\n".join(bare(on_terminal(*words, "--ascii")))


@pytest.mark.fast
def test_bars_are_whole_as_far_as_a_gap_is_sure() -> None:
    assert gap_bar(-1.0, -1.0, 1.0) == "\u2501" * BAR
    assert gap_bar(-1.0, -0.5, 1.0) == "\u2501" * (BAR // 2) + "\u254c" * (BAR // 2)
    assert gap_bar(-0.5, 0.5, 1.0) == "\u254c" * (BAR // 2), "it may be none"
    assert gap_bar(0.0, 0.0, 1.0) == gap_bar(0.0, 0.0, 0.0) == ""


@pytest.mark.fast
def test_only_cards_are_dressed() -> None:
    text = dressed("Discard 9H: +0.5, as KS is no ACE and 10 AS", Console(file=StringIO()))
    assert text.plain == "Discard 9H: +0.5, as KS is no ACE and 10 AS", "a file has letters"
    assert dressed("9H", terminal_console(is_ascii=True)).plain == "9H"


@pytest.mark.fast
def test_ascii_is_as_wide_as_what_it_stands_for() -> None:
    text = "-0.31 \u00b10.02 \u2501\u254c \u2500"
    assert in_ascii(text) == "-0.31+-0.02 =- -"
    assert len(in_ascii(text)) == len(text)
    assert plain_console("ascii").encoding == "ascii"


@pytest.mark.fast
@pytest.mark.parametrize(
    "words", [["games"], ["strategies"], ["strategies", "numbers"], ["strategies", "diff", "bold", "cautious"]]
)
def test_lists_can_be_had_in_ascii(words: list[str], capsys: Printed) -> None:
    assert answered([*words, "--ascii"], capsys).isascii()
    assert not answered(words, capsys).isascii(), "and only then"


EVERY_GAME = [
    [game, *rules]
    for game, rules in (
        ("two", []), ("three", []), ("four", []), ("bid", []), ("two", ["-r", "deck=32", "-r", "joker=true"]),
        ("three", ["-r", "joker=true"]), ("four", ["-r", "deck=32"]), ("bid", ["-r", "joker=true"]),
        ("bid", ["-r", "deck=48"]),
    )
]  # fmt: skip
ASKED = {
    "two": ["JS AS 9H TH QD", "--up", "9S"], "three": ["JS AS KS 9D TD", "--up", "9S"],
    "four": ["JH JD AH KH 9S", "--up", "QH", "--score", "6,8"], "bid": ["JH JD AH KH QH AS", "--score", "6,-8"],
    "bid deck=48": ["JH JH JD AH KH QH AS AS KS 9C TC 9D"],
}  # fmt: skip


@pytest.mark.skipif(not JIT, reason="plays many deals")
@pytest.mark.parametrize("game", EVERY_GAME, ids=" ".join)
def test_every_table_fits_80_columns_in_every_game_and_can_be_had_in_ascii(game: list[str], capsys: Printed) -> None:
    house = ["-g", *game]
    number = "bid.moon.seat1=11:13:1" if game[0] == "bid" else "call.order.seat1=5:7:1"
    hand = ASKED.get(" ".join([game[0], *(word for word in game if word == "deck=48")]), [])
    commands = [
        ["simulate", *house, "--deals", "1000"],
        ["simulate", *house, "--matches", "20", "--players", "cautious"],
        ["compare", *house, "standard", "bold", "cautious", "--deals", "100"],
        ["sweep", *house, "--vary", number, "--deals", "100"],
        ["sweep", *house, "--vary", "rule.stick_the_dealer=true,false", "--deals", "100"],
        ["equity", *house, "--deals", "2000"],
        ["deal", *house],
        ["ask", *house, *hand, "--deals", str(some(100))],
    ]
    for words in commands:
        text = answered([*words, "--ascii"], capsys)
        assert max(map(len, text.splitlines())) <= 80, words
        assert text.isascii(), words


@pytest.mark.fast
def test_a_table_is_kept_in_memory_as_it_is_written_to_a_file() -> None:
    kept = StringIO()
    with contextlib.redirect_stdout(kept):
        assert main(["strategies"]) == 0
    assert "\u2500" in kept.getvalue()


@pytest.mark.fast
def test_ascii_may_be_said_of_a_command_or_of_one_within_it(capsys: Printed) -> None:
    assert main(["strategies", "--ascii", "numbers"]) == 0
    assert capsys.readouterr().out.isascii()
