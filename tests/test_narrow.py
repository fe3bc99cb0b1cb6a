"""That a terminal narrower than a table cuts nothing: it has fewer columns, and says so."""

import re
from io import StringIO

import pytest
from test_ask import some
from test_cli import Printed, answered, on_terminal
from test_screen import bare

from kernels.compile import JIT
from reports.tables import new_table
from reports.text import plain_console, terminal_console

HAND = ("ask", "JH JD AH KH 9D", "--up", "QH", "--deals", str(some(200)))
EVERY_TABLE = [
    (*HAND, "--score", "3,3"),
    (*HAND, "--where"),
    (*HAND, "--bracket"),
    ("ask", "-g", "bid", "JH JD AH KH QH AS", "--score", "6,-8", "--deals", "200"),
    (*HAND[:4], "--swap", "--deals", "50"),
    ("ask", "--weakest", "--up", "QH", "--deals", "100"),
    ("simulate", "--deals", "1000"),
    ("simulate", "--matches", "20"),
    ("compare", "standard", "cautious", "--deals", "100", "--matches", "10"),
    ("sweep", "--vary", "call.order.seat1=5:7:1", "--deals", "100"),
    ("equity", "--deals", "50000"),
    ("equity", "--score", "3,3", "--deals", "2000"),
    ("strategies",),
    ("strategies", "numbers"),
    ("strategies", "diff", "bold", "cautious"),
    ("games",),
]
WIDER = {"swap", "where", "weakest", "numbers", "diff", "games"}
"""Tables of which a narrow terminal may have more than fits."""


def cells(lines: list[str]) -> list[list[str]]:
    """The cells of tables in ASCII, row by row."""
    return [[cell.strip() for cell in line.split("|")] for line in lines if "|" in line]


def numbers(rows: list[list[str]]) -> set[str]:
    """Every number in them without its sign, and what is left of one that was cut: `1.` or `.`."""
    every = [cell for row in rows for cell in row]
    return {found for cell in every for found in re.findall(r"[0-9][0-9.,:]*%?|^\.$", cell)}


@pytest.mark.skipif(not JIT, reason="plays many deals")
@pytest.mark.parametrize("words", EVERY_TABLE, ids=" ".join)
def test_a_narrow_terminal_keeps_the_first_column_and_cuts_no_number(words: tuple[str, ...], capsys: Printed) -> None:
    piped = cells(answered([*words, "--ascii"], capsys).splitlines())
    firsts = {row[0] for row in piped}
    assert len(piped) > 1
    for width in (40, 60):
        lines = bare(on_terminal(*words, "--ascii", COLUMNS=str(width)))
        shown = cells(lines)
        assert firsts <= {row[0] for row in shown}, width
        assert numbers(shown) <= numbers(piped), width
        if not any(word in " ".join(words) for word in WIDER):
            assert max(len(line.rstrip()) for line in lines) <= width


@pytest.mark.skipif(not JIT, reason="compiled code answers sooner")
def test_what_is_left_out_of_an_answer_is_told_and_worths_never_are() -> None:
    words = (*HAND, "--score", "3,3", "--ascii")
    narrow, wider, wide = (bare(on_terminal(*words, COLUMNS=width)) for width in ("40", "60", "80"))
    assert cells(narrow)[1][:4] == cells(wide)[1][:4]
    assert "They fail, Thrown in. A wider terminal" in " ".join(narrow)
    assert "No room for: They fail, Thrown in." in " ".join(wider)
    assert "No room" not in " ".join(wide)


def printed(width: int, *headings: str, spare: tuple[str, ...] = (), row: tuple[str, ...]) -> list[str]:
    """A table of one row as a terminal so wide shows it, without colours."""
    table = new_table(*headings, gap=1, spare=spare)
    table.add_row(*row)
    terminal = terminal_console(is_ascii=True)
    terminal._force_terminal, terminal.file, terminal.width = True, StringIO(), width
    with terminal.capture() as captured:
        terminal.print(table)
    return [line.rstrip() for line in bare(captured.get())]


@pytest.mark.fast
def test_the_first_to_spare_goes_first_and_no_more_than_must() -> None:
    row = ("order alone", "+1.25", "100%", "27%")
    shown = printed(23, "Option", ">Points", ">Made", ">March", spare=(">March", ">Made"), row=row)
    assert shown[0].split("|") == ["Option     ", "Points", "Made"]
    assert shown[2].split("|") == ["order alone", " +1.25", "100%"]
    assert " ".join(shown[3:]) == "No room for: March. A wider terminal and --format csv have all."


@pytest.mark.fast
def test_a_heading_breaks_between_words_before_a_column_goes() -> None:
    shown = printed(18, "Option", ">Behind best", spare=(">Behind best",), row=("order alone", "-1.3"))
    assert [line[12:] for line in shown[:2]] == ["Behind", "  best"]
    assert shown[3] == "order alone|  -1.3"


@pytest.mark.fast
def test_what_cannot_fit_runs_over_the_edge_and_a_bar_goes_without_a_word() -> None:
    assert printed(10, "Option", ">Points", row=("order alone", "+1.25"))[2] == "order alone| +1.25"
    shown = printed(20, "Option", ">Points", "", spare=("",), row=("order alone", "+1.25", "======"))
    assert shown[2:] == ["order alone| +1.25"]


@pytest.mark.fast
def test_a_pipe_has_80_columns_and_every_column() -> None:
    console = plain_console("ascii")
    table = new_table("Option", ">Points", spare=(">Points",))
    table.add_row("order " * 20, "+1.25")
    with console.capture() as captured:
        console.print(table)
    assert "+1.25" in captured.get()
    assert "No room" not in captured.get()
