"""What Tab makes of a line that is being typed, asked as shells ask, and in a bash of its own."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_cli import CALL, Printed, answered, refused, run

from analyzer.games import GAMES, value_text
from analyzer.presets import PRESETS
from analyzer.strategy import NUMBERS

BASH = shutil.which("bash")


def completed(line: str, shell: str = "bash") -> list[str]:
    """What the words that are printed for a shell are, each after its kind."""
    words = line.split(" ")
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), "_EUCHRE_COMPLETE": f"{shell}_complete"}
    if shell == "bash":
        asked |= {"COMP_LINE": line, "COMP_POINT": str(len(line))}
    elif shell == "fish":
        asked["COMP_CWORD"] = words[-1]
    return run(env=os.environ | asked).stdout.splitlines()


@pytest.mark.fast
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("euchre completion ", ["bash", "zsh", "fish"]),
        ("euchre ask -g ", list(GAMES)),
        ("euchre ask -r deck=", ["24", "32", "48"]),
        ("euchre ask -g four -r deck=", ["24", "32"]),
        ("euchre ask -g bid -r exch", ["exchange=1", "exchange=2", "exchange=3"]),
        ("euchre ask -g bid -r tar", ["target="]),
        ("euchre ask --play rollout:", [""]),
        ("euchre ask --play o", ["open"]),
        ("euchre compare ", list(PRESETS)),
        ("euchre strategies show b", ["bold"]),
        ("euchre simulate --players standard,b", ["standard,bold"]),
        ("euchre sweep --vary bid.moo", [f"bid.moon.seat{seat}=" for seat in (1, 2, 3, 4)] + ["bid.moon_jacks="]),
        ("euchre sweep --vary rule.sti", ["rule.stick_the_dealer="]),
        ('euchre ask "JH JD AH KH 9S" --up QH --forma', ["--format"]),
    ],
)
def test_bash_is_told_what_may_be_typed(line: str, words: list[str]) -> None:
    assert completed(line) == [f"plain,{word}" for word in words if word or line.endswith("rollout:")]


@pytest.mark.fast
def test_every_rule_value_and_every_number_is_known() -> None:
    told = set(completed("euchre ask -r "))
    for game in GAMES.values():
        for field in game.fields:
            values = [""] if isinstance(field.values, range) else [value_text(value) for value in field.values]
            assert told >= {f"plain,{field.name}={value}" for value in values}
    assert set(completed("euchre sweep --vary ")) >= {f"plain,{number.name}=" for number in NUMBERS}


@pytest.mark.fast
@pytest.mark.parametrize("line", ["euchre replay ", "euchre ask --position ", "euchre ask --players mine"])
def test_files_are_left_to_the_shell(line: str) -> None:
    assert [each.partition(",")[0] for each in completed(line)] == ["file"]


@pytest.mark.fast
def test_other_shells_are_answered_in_their_form() -> None:
    assert completed("euchre strategies show b", "zsh")[:2] == ["plain", "bold"]
    assert any("standard,bold" in each for each in completed("euchre simulate --players standard,b", "fish"))


@pytest.mark.fast
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_printed_for_each_shell(shell: str, capsys: Printed) -> None:
    script = answered(["completion", shell], capsys)
    assert f"_EUCHRE_COMPLETE={shell}_complete" in script
    if shell == "fish":
        assert "string split -m 1" in script, "words may have commas in them"
    tool = shutil.which(shell)
    if tool:
        subprocess.run([tool, "-n"], input=script, text=True, check=True)


@pytest.mark.fast
def test_a_shell_that_is_not_known_is_refused(capsys: Printed) -> None:
    assert "'bash', 'zsh', 'fish'" in refused(["completion", "tcsh"], capsys)


@pytest.mark.fast
@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_tab_in_a_real_bash(tmp_path: Path) -> None:
    script = tmp_path / "euchre"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{CALL}" "$@"\n')
    script.chmod(0o755)
    assert typed_in_bash(tmp_path, "euchre strat\t") == "euchre strategies "
    assert typed_in_bash(tmp_path, "euchre ask -r deck=3\t") == "euchre ask -r deck=32 "
    assert typed_in_bash(tmp_path, "euchre ask -r tar\t10") == "euchre ask -r target=10", "no space behind ="
    assert (
        typed_in_bash(tmp_path, "euchre simulate --players standard,b\t") == "euchre simulate --players standard,bold "
    )
    (tmp_path / "hands.jsonl").touch()
    assert typed_in_bash(tmp_path, "euchre replay ha\t") == "euchre replay hands.jsonl "


def typed_in_bash(folder: Path, keys: str) -> str:
    """The line that bash has after these keys: what it then prints, with `echo` before it."""
    assert BASH is not None
    master, slave = pty.openpty()
    env = {"PATH": f"{folder}:{os.environ['PATH']}", "TERM": "dumb", "PS1": "$ ", "HOME": str(folder)}
    process = subprocess.Popen(
        [BASH, "--norc", "--noprofile", "-i"],
        stdin=slave, stdout=slave, stderr=subprocess.STDOUT, cwd=folder, env=env, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    try:
        os.write(master, b'bind "set enable-bracketed-paste off"; eval "$(euchre completion bash)"; echo rea""dy\n')
        seen_until(master, "\r\nready\r\n")
        os.write(master, keys.encode() + b"\x01echo '\x05|'\n")  # to its beginning, and back to its end
        return seen_until(master, "|\r\n").rpartition("\n")[2]
    finally:
        process.kill()  # an interactive shell minds no gentler signal
        process.wait()
        os.close(master)


def seen_until(master: int, end: str, seconds: float = 60) -> str:
    """All that comes before this."""
    text, until = "", time.monotonic() + seconds
    while end not in text and time.monotonic() < until:
        if select.select([master], [], [], 0.2)[0]:
            text += os.read(master, 4096).decode(errors="replace")
    assert end in text, text
    return text.partition(end)[0]
