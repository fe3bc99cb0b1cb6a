"""That a terminal shows how the options stand while deals are tried, and that the answer then stands alone."""

import io
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from analyzer.ask import Look
from analyzer.cli import watching
from analyzer.cli.watching import A_MOMENT, BETWEEN, standing_shown
from analyzer.cli.words import speed_text
from analyzer.estimates import Difference
from analyzer.verdicts import so_far_text
from kernels.compile import JIT

HERE = Path(__file__).parents[1]
CALL = "from analyzer.program import run; run()"
HAND = ("ask", "JH JD AH KH 9S", "--up", "QH", "--seat", "1")
A_LOOK = Look(4096, "order", "pass", Difference(-0.25, 0.01, -0.29, -0.21), "points")
SHOWN = "To order it up looks best, 0.25 ±0.04 more than to pass. 4,096 of 9,000 deals; Ctrl-C ends it here."


class Terminal(io.StringIO):
    """A stderr that is one."""

    def isatty(self) -> bool:
        return True


def new_screen(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A screen 200 columns wide, on which a look is taken every 0.06 seconds."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for name, value in {"TERM": "xterm", "COLUMNS": "200"}.items():
        monkeypatch.setenv(name, value)
    ticks = iter(range(10**6))
    monkeypatch.setattr(watching, "time", SimpleNamespace(monotonic=lambda: 0.06 * next(ticks)))
    return terminal


@pytest.mark.fast
def test_nothing_is_shown_in_the_first_moment_and_not_every_look_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = new_screen(monkeypatch)
    with standing_shown(9_000) as watch:
        assert watch is not None
        for k in range(1, 101):
            watch(A_LOOK)
            if 0.06 * k < A_MOMENT:
                assert screen.getvalue() == ""
    assert screen.getvalue().count(SHOWN) <= (6 - A_MOMENT) / BETWEEN + 2
    assert SHOWN in screen.getvalue()


@pytest.mark.fast
def test_what_was_shown_is_gone_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = new_screen(monkeypatch)
    with standing_shown(9_000, is_slow=True) as watch:
        assert watch is not None
        assert "Trying" in screen.getvalue()
        for _ in range(10):
            watch(A_LOOK)
    assert SHOWN in screen.getvalue()
    assert left_on_the_screen(screen.getvalue()) == ""


@pytest.mark.fast
def test_no_terminal_is_shown_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with standing_shown(9_000, is_slow=True) as watch:
        assert watch is None
    assert capsys.readouterr().err == ""


@pytest.mark.fast
def test_the_standing_is_told_in_points_or_in_chances_to_win() -> None:
    apart = Difference(-0.0125, 0.001, -0.0165, -0.0085)
    assert (
        so_far_text("pass", "order", apart, "win")
        == "to pass looks best, 1.2 ±0.4 in 100 games more than to order it up"
    )
    assert so_far_text("pass", None, None, "points") == "pass is all there is"


@pytest.mark.fast
def test_a_speed_is_a_mean_and_is_told_after_a_moment() -> None:
    assert speed_text(489_070, None) == speed_text(489_070, 0.0) == speed_text(489_070, 0.001) == ""
    assert speed_text(0, 3.0) == ""
    assert speed_text(5_000, 2.0) == "2,500 a second"


def left_on_the_screen(written: str) -> str:
    """What stands after the last line that was wiped, without colours."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", written.rpartition("\x1b[2K")[2]).strip()


def on_terminal_until(*words: str, seen: Callable[[str], bool]) -> tuple[int, str]:
    """Run a command on a terminal of its own and press Ctrl-C once this is seen; its status, and all it wrote."""
    master, slave = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    process = subprocess.Popen([sys.executable, "-c", CALL, *words], stdout=slave, stderr=slave, cwd=HERE, env=env)
    os.close(slave)
    written, is_pressed = "", False
    try:
        while piece := os.read(master, 4096):
            written += piece.decode(errors="replace")
            if not is_pressed and seen(written):
                process.send_signal(signal.SIGINT)
                is_pressed = True
    except OSError:
        pass  # the other end is closed
    os.close(master)
    return process.wait(), written


@pytest.mark.skipif(not JIT, reason="plays many deals")
@pytest.mark.parametrize(
    "words", [("--deals", "1000000000000"), ("--exact",), ("--play", "rollout:5", "--deals", "1000000")]
)
def test_ctrl_c_on_a_terminal_leaves_the_answer_so_far_and_says_on_how_many_deals_it_rests(
    words: tuple[str, ...],
) -> None:
    status, written = on_terminal_until(*HAND, *words, seen=lambda text: text.count("looks best") >= 2)
    left = left_on_the_screen(written)
    assert status == 130
    assert "Behind best" in left
    assert "ends it here" not in left
    deals = re.search(r"seed 0, ([0-9,]+) deals", left)
    assert deals is not None
    assert left.endswith(f"Stopped early: this answer rests on {deals[1]} deals.")


@pytest.mark.skipif(not JIT, reason="plays many deals")
def test_ctrl_c_among_many_positions_says_how_many_are_answered(tmp_path: Path) -> None:
    line = (
        '{"format": 1, "game": "four-handed", "rules": {}, "seat": 1,'
        ' "hands": ["JH JD AH KH 9S", null, null, null], "upcard": "QH", "events": []}\n'
    )
    file = tmp_path / "positions.jsonl"
    file.write_text(line * 1000)
    words = ("ask", "--position", str(file), "--deals", "100000")
    status, written = on_terminal_until(*words, seen=lambda text: text.count('"verdict"') >= 2)
    assert status == 130
    said = re.search(r"Stopped early: ([0-9,]+) of 1,000 positions are answered; the last answer rests on", written)
    assert said is not None
    assert int(said[1]) == written.count('"verdict"') >= 2


@pytest.mark.skipif(not JIT, reason="plays many deals")
@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "-g", "two", "--deals", "300000"),
        ("compare", "-g", "two", "standard", "bold", "--deals", "100000"),
        ("equity", "-g", "two", "-r", "target=3", "--deals", "300000"),
        ("ask", "-g", "two", "JS AS 9H TH QD", "--up", "9S", "--swap", "--deals", "500"),
    ],
    ids=["simulate", "compare", "equity", "ask --swap"],
)
def test_a_bar_grows_and_goes_and_leaves_the_answer(words: tuple[str, ...]) -> None:
    status, written = on_terminal_until(*words, seen=lambda _: False)
    assert status == 0, written
    assert "\u2501" in written, "the line of a bar"
    assert "euchre-lab" in left_on_the_screen(written)
