"""`euchre ask` with no hand, typed at a terminal of its own: what it asks, what it refuses, what it then answers."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest
from test_cli import CALL, HERE, run

from kernels.compile import JIT

GAME, UP, SEAT, SAID, CARDS, DISCARDED, SCORE = (
    "Game:", "Card turned up", "Your seat", "What was said", "Your cards", "The card that you discarded", "Score"
)  # fmt: skip

CTRL_C, CTRL_D = "\x03", "\x04"


def talked(*answers: tuple[str, str], words: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """Type an answer behind each question; the status, what the terminal showed, and stdout."""
    master, slave = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "200"}
    process = subprocess.Popen(
        [sys.executable, "-c", CALL, "ask", *words, "--deals", "50"],
        stdin=slave, stdout=subprocess.PIPE, stderr=slave, cwd=HERE, env=env,
    )  # fmt: skip
    os.close(slave)
    shown = ""
    for question, answer in answers:
        before = len(shown)
        shown += seen_until(master, question)
        if question not in shown[before:]:
            process.kill()
            process.communicate()
            raise AssertionError(shown)
        if answer == CTRL_C:
            press_ctrl_c(process)
        else:
            os.write(master, answer.encode() + (b"" if answer == CTRL_D else b"\n"))
    printed, _ = process.communicate()
    shown += seen_until(master, "")
    os.close(master)
    return process.returncode, shown.replace("\r\n", "\n"), printed.decode()


def press_ctrl_c(process: subprocess.Popen[bytes]) -> None:
    """As often as it takes: a signal just before the wait for a key is heard at the next one only."""
    for _ in range(30):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(2)
            return


def seen_until(master: int, end: str, seconds: float = 40) -> str:
    text, until = "", time.monotonic() + seconds
    try:
        while (not end or end not in text) and time.monotonic() < until:
            if select.select([master], [], [], 0.2)[0]:
                text += os.read(master, 4096).decode(errors="replace")
    except OSError:
        pass  # the other end is closed
    return text


def command_shown(shown: str) -> str:
    return next(line for line in shown.splitlines() if line.startswith("euchre ask"))


@pytest.mark.skipif(not JIT, reason="compiled code answers sooner")
def test_it_asks_what_it_needs_and_shows_the_command() -> None:
    status, shown, out = talked(
        (GAME, ""), (UP, "QH"), (SAID, ""), (SEAT, "dealer"), (CARDS, "JH JD AH KH 9S"), (SCORE, "")
    )
    assert status == 0, shown
    assert command_shown(shown) == "euchre ask --deals 50 'JH JD AH KH 9S' --up QH --seat 4"
    assert "Behind best" in out
    again = run("ask", "--deals", "50", "JH JD AH KH 9S", "--up", "QH", "--seat", "4")
    assert re.sub(r"[\d.]+ s$", "", out) == re.sub(r"[\d.]+ s$", "", again.stdout)


@pytest.mark.skipif(not JIT, reason="compiled code answers sooner")
def test_a_wrong_answer_is_refused_at_once_in_the_words_of_the_command() -> None:
    status, shown, _ = talked(
        (GAME, "whist"), (GAME, "three"), (UP, "7H"), (UP, "9S"), (SAID, "hearts"), (SAID, "pass"),
        (CARDS, "JS AS KS 9D"), (CARDS, "JS AS KS 9D 9S"), (CARDS, "JS AS KS 9D TD"), (SCORE, "6"),
        (SCORE, "6,8,3"),
    )  # fmt: skip
    assert status == 0, shown
    errors = [line for line in shown.splitlines() if line.startswith("Error: ")]
    for error, words in zip(
        errors,
        [
            ["-g", "whist", "JS"],
            ["-g", "three", "JS AS KS 9D TD", "--up", "7H"],
            ["-g", "three", "JS AS KS 9D TD", "--up", "9S", "--calls", "hearts"],
            ["-g", "three", "JS AS KS 9D", "--up", "9S", "--calls", "pass"],
            ["-g", "three", "JS AS KS 9D 9S", "--up", "9S", "--calls", "pass"],
            ["-g", "three", "JS AS KS 9D TD", "--up", "9S", "--calls", "pass", "--score", "6"],
        ],
        strict=True,
    ):
        assert error == run("ask", *words).stderr.strip()
    assert command_shown(shown) == (
        "euchre ask --deals 50 -g three-handed 'JS AS KS 9D TD' --up 9S --calls pass --score 6,8,3"
    )


@pytest.mark.skipif(not JIT, reason="compiled code answers sooner")
def test_a_dealer_who_picked_up_is_asked_for_his_discard() -> None:
    status, shown, _ = talked(
        (GAME, "four"), (UP, "TS"), (SAID, "pass order pickup pass"), (SAID, "p order"),
        (CARDS, "JS AD AS 9H QC"), (SCORE, ""),
    )  # fmt: skip
    assert status == 0, shown
    assert 'call 4, "pass"' in shown
    assert "--calls 'p order'" in command_shown(shown)
    status, shown, _ = talked(
        (CARDS, "JS AD AS TS QC"), (DISCARDED, "JS"), (DISCARDED, "9H"), (SCORE, ""),
        words=("-g", "three", "--up", "TS", "--calls", "p p order pickup"),
    )  # fmt: skip
    assert status == 0, shown


@pytest.mark.skipif(not JIT, reason="compiled code answers sooner")
def test_the_seat_follows_from_the_calls_and_is_asked_for_where_there_are_none() -> None:
    status, shown, _ = talked((GAME, "bid"), (SAID, "3 pass"), (CARDS, "JH JD AH KH QH AS"), (SCORE, ""))
    assert status == 0, shown
    assert SEAT not in shown
    assert command_shown(shown) == "euchre ask --deals 50 -g bid 'JH JD AH KH QH AS' --calls '3 pass'"
    status, shown, _ = talked(
        (UP, "JO"), (UP, "JO hearts"), (SAID, ""), (SEAT, "5"), (SEAT, "2"), (CARDS, "JS AS KS 9D TD"), (SCORE, ""),
        words=("-g", "three", "-r", "joker=true"),
    )  # fmt: skip
    assert status == 0, shown
    assert "Error: the seat, if not dealer, is a whole number from 1 to 3" in shown
    assert "--up 'JO hearts' --seat 2" in command_shown(shown)


@pytest.mark.skipif(not JIT, reason="compiled code answers sooner")
def test_what_was_typed_is_not_asked_again() -> None:
    status, shown, _ = talked((CARDS, "JH JD AH KH QH AS"), (SCORE, ""), words=("-g", "bid", "--calls", "3 pass"))
    assert status == 0, shown
    assert GAME not in shown
    assert command_shown(shown) == "euchre ask -g bid --calls '3 pass' --deals 50 'JH JD AH KH QH AS'"


@pytest.mark.fast
@pytest.mark.parametrize("key", [CTRL_C, CTRL_D], ids=["Ctrl-C", "Ctrl-D"])
def test_ctrl_c_and_ctrl_d_leave_quietly(key: str) -> None:
    status, shown, out = talked((GAME, "bid"), (SAID, key))
    assert status == 130
    assert out == ""
    assert "Stopped" not in shown
    assert "Traceback" not in shown
    assert "Error" not in shown


@pytest.mark.fast
def test_in_a_pipe_nothing_is_asked() -> None:
    done = run("ask", stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: which hand? Type it as in: euchre ask")
