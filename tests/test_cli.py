import csv
import io
import itertools
import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from numba.core import event

from analyzer import record
from analyzer.choices import option_text, options
from analyzer.cli import COMMANDS, euchre, main
from analyzer.cli.hints import hint_of
from analyzer.cli.words import note_compiling
from analyzer.engine import Stopwatch
from analyzer.files import uninterrupted
from analyzer.position_file import read_position
from analyzer.record import HandRecord, read_records
from analyzer.rules import GAMES, make_rules
from analyzer.strategy import find_strategy

DATA = Path(__file__).parent / "data"
HERE = Path(__file__).parents[1]
HAND = ["ask", "JH JD AH KH 9S", "--up", "QH", "--seat", "1"]
FOUR = make_rules(GAMES["four-handed"])
SMALL = ["--deals", "2000"]

Printed = pytest.CaptureFixture[str]


def every_command() -> dict[str, click.Command]:
    """Every command and subcommand by the words that call it."""
    found: dict[str, click.Command] = {}
    context = click.Context(euchre)
    for name in COMMANDS:
        command = euchre.get_command(context, name)
        assert command is not None
        found[name] = command
        if isinstance(command, click.Group):
            found |= {f"{name} {inner}": each for inner, each in command.commands.items()}
    return found


def examples(command: click.Command) -> list[list[str]]:
    """The words of every example in the help of a command."""
    lines = (line.strip() for line in (command.epilog or "").splitlines())
    return [shlex.split(line.partition("<")[0])[1:] for line in lines if line.startswith("euchre ")]


def parsed(command: click.Command, words: list[str]) -> None:
    """Parse words as the command line does, without running anything."""
    context = command.make_context("euchre", list(words))
    if isinstance(command, click.Group) and (rest := [*context._protected_args, *context.args]):
        inner = command.get_command(context, rest[0])
        assert inner is not None, rest
        parsed(inner, rest[1:])


def answered(words: list[str], capsys: Printed, status: int = 0) -> str:
    """What `euchre` prints, ending with this status."""
    assert main(words) == status
    return capsys.readouterr().out


def refused(words: list[str], capsys: Printed, status: int = 2) -> str:
    """The one line of the error."""
    assert main(words) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    line = "".join(line for line in printed.err.splitlines(keepends=True) if not line.startswith("Compiling ")).rstrip(
        "\n"
    )
    assert line.startswith("Error: ")
    assert "\n" not in line
    return line


def run(*words: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run `euchre` as a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", CALL, *words], capture_output=True, text=True, cwd=HERE, check=False, **how
    )


CALL = "from analyzer.program import run; run()"


# --- help and completion ---


@pytest.mark.fast
@pytest.mark.parametrize("name", every_command())
def test_every_command_and_option_says_what_it_does_and_shows_an_example(name: str, capsys: Printed) -> None:
    command = every_command()[name]
    assert "Examples:" in answered([*name.split(), "--help"], capsys)
    assert command.help
    for option in command.params:
        assert isinstance(option, click.Argument) or (isinstance(option, click.Option) and option.help), option.name


@pytest.mark.fast
@pytest.mark.parametrize("name", ["", *every_command()])
def test_every_example_in_help_can_be_read(name: str) -> None:
    shown = examples(every_command()[name] if name else euchre)
    assert shown
    for words in shown:
        parsed(euchre, words)


@pytest.mark.fast
def test_help_of_a_group_says_what_each_command_does_without_cutting_it_short(capsys: Printed) -> None:
    for words in (["--help"], ["strategies", "--help"]):
        _, _, commands = answered(words, capsys).partition("Commands:")
        assert commands
        assert "..." not in commands


@pytest.mark.fast
def test_help_lists_every_command_and_the_main_job_first(capsys: Printed) -> None:
    text = answered(["--help"], capsys)
    assert text == answered([], capsys)
    places = [text.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)
    assert next(iter(COMMANDS)) == "ask"


@pytest.mark.fast
@pytest.mark.parametrize("name", ["", *every_command()])
def test_help_fits_80_columns_of_any_terminal(name: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert max(map(len, answered([*name.split(), "--help"], capsys).splitlines())) <= 80


@pytest.mark.fast
def test_the_position_in_help_can_be_asked() -> None:
    epilog = every_command()["ask"].epilog or ""
    shown = json.loads(epilog[epilog.index("{") :])
    tried = [option_text(FOUR, (option.step,)) for option in options(read_position(shown))]
    assert "discard QC" in tried


HEAVY = "numba", "numpy", "pandas", "rich", "msgspec", "matplotlib", "kernels"
LIGHT = f"import sys; from analyzer.cli import main; status = main(); print(sorted({set(HEAVY)!r} & set(sys.modules)))"


@pytest.mark.fast
@pytest.mark.parametrize("words", [["--help"], ["ask", "--help"], ["strategies", "show", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT, *words], capture_output=True, text=True, cwd=HERE, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.fast
@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("euchre si", "simulate"),
        ("euchre ask --al", "--all-options"),
        ("euchre ask -g th", "three-handed"),
        ("euchre simulate --players bold,st", "bold,standard"),
        ("euchre ask -r stick", "stick_the_dealer=true"),
        ("euchre strategies sh", "show"),
    ],
)
def test_tab_completes(typed: str, word: str) -> None:
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1), "_EUCHRE_COMPLETE": "bash_complete"}
    assert f"plain,{word}" in run(env=os.environ | words).stdout.splitlines()


# --- what can go wrong before any work ---


@pytest.mark.fast
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gmaes"], 'did you mean "games"'),
        (["simulat", "--deals", "3"], 'did you mean "simulate"'),
        (["dance"], "expected one of ask, simulate"),
        (["games", "--fromat", "csv"], "--format"),
        (["strategies", "shwo"], "show"),
        (["games", "-g", "whist"], "two-handed, three-handed, four-handed, bid"),
        (["games", "--format", "xml"], "csv"),
        (["games", "extra"], "extra"),
        (["simulate", "--deals", "0"], "from 1 to"),
        (["simulate", "--deals", "-5"], "from 1 to"),
        (["simulate", "--deals", "many"], '"many"'),
        (["simulate", "--deals", "٢٠٠٠"], 'from 1 to 1,000,000,000,000,000, read "٢٠٠٠"'),
        (["simulate", "--deals", "1_000"], "from 1 to"),
        (["simulate", "--deals", "1,00"], "from 1 to"),
        (["simulate", "--deals", "9" * 5000], "from 1 to"),
        (["simulate", "--workers", "0"], "from 1 to"),
        (["simulate", "--seed", "-1"], "from 0 to 9,223,372,036,854,775,807"),
        (["simulate", "--seed", "9223372036854775808"], "from 0 to 9,223,372,036,854,775,807"),
        (["simulate", "-r", "deck"], "deck=32"),
        (["simulate", "-r", "deck=52"], "24 or 32"),
        (["simulate", "-r", "dekc=32"], 'did you mean "deck"'),
        (["simulate", "-g", "bid", "-r", "joker=true", "-r", "deck=48"], "a double pack has no joker"),
        (["simulate", "-g", "two", "-r", "lone_lead=eldest"], "two-handed does not have it"),
        (["simulate", "--rules", "nowhere.toml"], "nowhere.toml"),
        (["simulate", "--players", "stadnard"], 'did you mean "standard"'),
        (["simulate", "--players", "nobody"], '"nobody"; expected random, cautious, standard, bold, or the path'),
        (["simulate", "-g", "three", "--players", "bold,bold"], "3 in seat order"),
        (["strategies", "show", "brave"], "there is no strategy"),
        (["simulate", "--records", "/"], "as in /hands.jsonl"),
        (["simulate", "--records", ""], "expected the name of a file"),
        (["games", "--output", "/"], "as in /result.csv"),
        (["games", "--output", ""], 'expected the name of a file, read ""'),
        (["ask"], "euchre ask"),
        ([*HAND, "--margin", "-1"], "0 or more"),
        ([*HAND, "--margin", "nan"], "0 or more"),
        ([*HAND, "--margin", "٣.٤"], "0 or more"),
        ([*HAND, "--margin", "1_0"], "0 or more"),
        ([*HAND, "--margin", "."], "0 or more"),
        ([*HAND, "--margin", "1e999"], "0 or more"),
        ([*HAND, "--seat", "5"], "from 1 to 4"),
        ([*HAND[:4], "--seat", "dealr"], "the seat, if not dealer, is a whole number"),
        (["ask", "JH", "--position", "x.json"], "leave out HAND"),
        (["ask", "--up", "QH", "-g", "two", "--position", "x.json"], "leave out --up, --game and house rules"),
        (["ask", "--position", "nowhere.json"], "nowhere.json"),
        (["ask", "JH JD AH KH", "--up", "QH"], "expected five cards, read four"),
        (["ask", "JH JD AH KH 9S"], "--up"),
        (["ask", "JH JD AH KH KH", "--up", "QH"], "KH is there twice"),
        (["equity", "--score", "6"], "four-handed has 2 scores"),
        (["equity", "--score", "10,3"], "the game is over with 10 points"),
        (["equity", "--score", "six"], "as in --score 6,8"),
        (["equity", "-g", "three", "--score=1,2,-3"], "expected 0 to 999"),
        (["equity", "--deals", "0"], "from 1 to"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl"),
        (["replay"], "FILE"),
        (["replay", ""], 'expected the name of a file, read ""'),
        (["solve", ""], 'expected the name of a file, read ""'),
    ],
)
def test_a_wrong_question_is_refused_in_one_line(words: list[str], said: str, capsys: Printed) -> None:
    assert said in refused(words, capsys)


@pytest.mark.fast
@pytest.mark.parametrize(
    "garbage", [b"", b"\n\n", b"\xff\xfe\x00", b"{", b"[[[[", b"null", b"[1,2]", b'{"a": NaN}', b"0" * 5000]
)
@pytest.mark.parametrize("words", [["replay"], ["ask", "--position"], ["simulate", "--rules"]])
def test_garbage_in_a_file_is_refused_without_a_traceback(
    words: list[str], garbage: bytes, tmp_path: Path, capsys: Printed
) -> None:
    file = tmp_path / "garbage"
    file.write_bytes(garbage)
    if words[0] == "simulate" and not garbage.strip():
        return  # an empty file has no house rules, and is none that is wrong
    assert main([*words, str(file)]) == 2
    assert "Error: " in capsys.readouterr().err


@pytest.mark.fast
def test_an_output_that_cannot_be_written_is_refused_before_any_work(tmp_path: Path, capsys: Printed) -> None:
    work = ["simulate", "--deals", "1000000000000"]
    assert "is a folder" in refused([*work, "--output", str(tmp_path)], capsys)
    assert "there is no folder" in refused([*work, "--output", str(tmp_path / "none" / "x.csv")], capsys)
    assert "there is no folder" in refused([*work, "--records", str(tmp_path / "none" / "x.jsonl")], capsys)
    both = str(tmp_path / "both")
    assert "a file of its own" in refused([*work, "--records", both, "--output", both], capsys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.fast
def test_kernels_of_another_distribution_are_named(tmp_path: Path) -> None:
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "__init__.py").write_text("")
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    call = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {CALL}"
    words = [sys.executable, "-c", call]
    done = subprocess.run([*words, "games"], capture_output=True, text=True, cwd=HERE, env=env, check=False)
    assert done.returncode == 1
    assert str(tmp_path / "kernels") in done.stderr
    assert "pipx" in done.stderr
    assert "Traceback" not in done.stderr
    helped = subprocess.run([*words, "games", "--help"], capture_output=True, text=True, cwd=HERE, env=env, check=False)
    assert helped.returncode == 0


def with_streams(redirections: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `euchre` with its streams as a shell is told."""
    command = shlex.join([sys.executable, "-c", RUN, *words])
    return subprocess.run(
        ["bash", "-c", f"{command} {redirections}"], capture_output=True, text=True, cwd=HERE, check=False
    )


RUN = "from analyzer.program import run; run()"


@pytest.mark.fast
@pytest.mark.parametrize(
    ("redirections", "words", "said"),
    [
        (">&-", ["games"], "standard output is closed: open it, or name a file with --output"),
        (">&-", ["--help"], "standard output is closed"),
        (">&-", [*HAND, "--format", "json"], "standard output is closed"),
        ("<&-", ["ask", "--position", "-"], "standard input is closed: open it, or name a file instead of -"),
        ("<&-", ["solve", "-"], "standard input is closed"),
        ("<&-", ["replay", "-"], "standard input is closed"),
    ],
)
def test_a_closed_stream_is_told_in_one_line(redirections: str, words: list[str], said: str) -> None:
    done = with_streams(redirections, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Error: {said}")
    assert done.stderr.count("\n") == 1


@pytest.mark.fast
def test_with_stderr_closed_the_answer_comes_all_the_same(tmp_path: Path) -> None:
    done = with_streams("2>&-", "deal", "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["deal"] == 0
    file = tmp_path / "games.csv"
    assert with_streams(">&- 2>&-", "games", "--output", str(file)).returncode == 0
    assert file.read_text().startswith("game,")


# --- what stops the program ---


@pytest.mark.fast
@pytest.mark.parametrize(
    "moment", ["import builtins; builtins.__import__ = stop", "import analyzer.cli; analyzer.cli.main = stop"]
)
def test_ctrl_c_while_the_program_loads_or_ends_is_told_in_one_line(moment: str) -> None:
    stop = "def stop(*given, **named): raise KeyboardInterrupt\n"
    call = f"from analyzer import program\n{stop}{moment}\nprogram.run()"
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, cwd=HERE, check=False)
    assert (done.returncode, done.stderr) == (130, "Stopped before anything was finished.\n")


@pytest.mark.fast
def test_ctrl_c_within_a_call_from_compiled_code_is_not_lost() -> None:
    call = (
        "import ctypes, signal, time\n"
        "from analyzer import cli, program\n"
        "stop = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))\n"
        "cli.main = lambda: (stop(), time.sleep(600))\n"
        "program.run()"
    )
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, cwd=HERE, check=False)
    assert (done.returncode, done.stderr) == (130, "Stopped before anything was finished.\n")


@pytest.mark.fast
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_what_was_broken_off_half_made_says_nothing_when_it_goes(name: str, status: int) -> None:
    """As the compiler's objects do: told to stop in their making, they miss what they would give back."""
    call = (
        "import signal\n"
        "from analyzer import cli, program\n"
        "class Half:\n"
        "    def __init__(self):\n"
        f"        signal.raise_signal(signal.{name})\n"
        "        self.made = 1\n"
        "    def __del__(self):\n"
        "        del self.made\n"
        "cli.main = Half\n"
        "program.run()"
    )
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, cwd=HERE, check=False)
    told = "Stopped before anything was finished.\n" if name == "SIGINT" else ""
    assert (done.returncode, done.stderr) == (status, told)


@pytest.mark.fast
def test_ctrl_c_told_twice_in_a_moment_is_one_and_later_another() -> None:
    """As `timeout -s INT` does, which tells the program and then its group."""
    call = (
        "import signal, time\n"
        "from analyzer import cli, program\n"
        "def main():\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "        print('what is known so far')\n"
        "    time.sleep(0.6)\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "    print('never')\n"
        "cli.main = main\n"
        "program.run()"
    )
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, cwd=HERE, check=False)
    assert (done.returncode, done.stdout) == (130, "what is known so far\n")
    assert done.stderr == "Stopped before anything was finished.\n"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_program_told_to_end_leaves_no_file_in_part(number: signal.Signals, status: int, tmp_path: Path) -> None:
    file = tmp_path / "hands.json"
    command = [sys.executable, "-c", RUN, "deal", "--deals", "1000000000", "--format", "json", "--output", str(file)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=HERE)
    while process.poll() is None and not list(tmp_path.iterdir()):
        time.sleep(0.05)
    process.send_signal(number)
    _, err = process.communicate()
    assert (process.returncode, err) == (status, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.fast
def test_numbers_are_read_with_commas_or_without(capsys: Printed) -> None:
    plain = answered(["deal", "--deals", "2", "--deal", "1000000", "--format", "json"], capsys)
    assert answered(["deal", "--deals", "2", "--deal", "1,000,000", "--format", "json"], capsys) == plain


# --- lists ---


def flat(cell: object) -> str:
    """A cell of CSV as a cell of JSON is flattened."""
    if isinstance(cell, list):
        return " ".join(map(flat, cell))
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def assert_csv_is_json(rows: list[dict[str, Any]], text: str) -> None:
    read = list(csv.DictReader(io.StringIO(text)))
    assert read == [{name: flat(cell) for name, cell in row.items()} for row in rows]
    assert list(read[0]) == list(rows[0])


@pytest.mark.fast
@pytest.mark.parametrize("words", [["games"], ["strategies"], ["strategies", "numbers"]])
def test_lists_are_the_same_in_csv_and_json(words: list[str], capsys: Printed) -> None:
    rows = json.loads(answered([*words, "--format", "json"], capsys))["rows"]
    assert_csv_is_json(rows, answered([*words, "--format", "csv"], capsys))


@pytest.mark.fast
def test_games_lists_every_house_rule_of_every_game(capsys: Printed) -> None:
    rows = json.loads(answered(["games", "--format", "json"], capsys))["rows"]
    assert [(row["game"], row["rule"]) for row in rows] == [(g.name, f.name) for g in GAMES.values() for f in g.fields]
    assert all(row["meaning"] and row["allowed"] for row in rows)
    table = answered(["games", "-g", "bid"], capsys)
    assert "auction" in table
    assert "pickup" not in table
    assert max(map(len, table.splitlines())) <= 80


@pytest.mark.fast
@pytest.mark.parametrize("game", list(GAMES))
def test_a_strategy_shown_fits_80_columns_and_reads_back(game: str, tmp_path: Path, capsys: Printed) -> None:
    text = answered(["strategies", "show", "standard", "-g", game], capsys)
    assert max(map(len, text.splitlines())) <= 80
    (tmp_path / "own.toml").write_text(text)
    rules = make_rules(GAMES[game])
    assert find_strategy(str(tmp_path / "own.toml"), rules).numbers == find_strategy("standard", rules).numbers


@pytest.mark.fast
def test_a_strategy_of_ones_own_is_shown_as_it_is_or_with_all_its_numbers(tmp_path: Path, capsys: Printed) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "bold"\n[call.order]\nseat3 = 5.5\n')
    assert answered(["strategies", "show", str(mine)], capsys) == mine.read_text()
    assert "seat3 = 5.5  # worth from which seat 3 orders" in answered(
        ["strategies", "show", str(mine), "-g", "two"], capsys
    )
    mine.write_text("[call.odrer]\nseat3 = 5.5\n")
    assert "a strategy has no number call.odrer.seat3" in refused(["strategies", "show", str(mine)], capsys)


@pytest.mark.fast
@pytest.mark.parametrize("words", [["random"], ["standard"], ["bold"], ["standard", "-g", "bid"]])
def test_a_strategy_shown_can_be_played(words: list[str], tmp_path: Path, capsys: Printed) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(answered(["strategies", "show", *words], capsys))
    rules = make_rules(GAMES["bid"])
    assert find_strategy(str(mine), rules).numbers == find_strategy(words[0], rules).numbers


# --- where results go ---


@pytest.mark.fast
@pytest.mark.parametrize(("name", "begins"), [("x.csv", "game,"), ("x.json", "{"), ("x.txt", "two-handed")])
def test_the_ending_of_output_says_the_format(name: str, begins: str, tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / name
    assert answered(["games", "--output", str(file)], capsys) == ""
    assert file.read_text().startswith(begins)
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert answered(["games", "--format", "csv"], capsys) == answered(["games", "--format", "csv"], capsys)
    assert answered(["games", "--output", str(file), "--format", "csv"], capsys) == ""
    assert file.read_text().startswith("game,")


@pytest.mark.fast
def test_output_to_a_link_or_a_device_keeps_them(tmp_path: Path, capsys: Printed) -> None:
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    answered(["games", "--output", str(link)], capsys)
    assert link.is_symlink()
    assert real.read_text().startswith("game,")
    assert real.stat().st_mode & 0o777 == 0o640
    answered(["games", "--output", "/dev/null"], capsys)
    assert not Path("/dev/null").is_file()


@pytest.mark.fast
def test_a_full_disk_is_an_error_and_leaves_the_old_file(tmp_path: Path, capsys: Printed) -> None:
    assert "No space left" in refused(["games", "--output", "/dev/full"], capsys, status=1)
    command = shlex.join([sys.executable, "-c", CALL, "games"])
    done = subprocess.run(
        ["bash", "-c", f"{command} > /dev/full"], capture_output=True, text=True, cwd=HERE, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "Error: No space left on device\n"


@pytest.mark.fast
@pytest.mark.parametrize(
    "words", [["games"], ["games", "--format", "json"], ["--help"], ["strategies", "show", "standard"]]
)
def test_a_closed_pipe_ends_quietly(words: list[str]) -> None:
    command = shlex.join([sys.executable, "-c", CALL, *words])
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | true; {command} | head -1"],
        capture_output=True, text=True, cwd=HERE, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.returncode == 0


def on_terminal(*words: str, **env: str) -> str:
    """What a command prints on a terminal."""
    master, slave = pty.openpty()
    env = {**{name: value for name, value in os.environ.items() if name != "NO_COLOR"}, "TERM": "xterm", **env}
    process = subprocess.Popen([sys.executable, "-c", CALL, *words], stdout=slave, cwd=HERE, env=env)
    os.close(slave)
    printed = b""
    try:
        while piece := os.read(master, 4096):
            printed += piece
    except OSError:
        pass  # the other end is closed
    os.close(master)
    assert process.wait() == 0
    return printed.decode()


@pytest.mark.fast
def test_colour_only_on_a_terminal_and_not_against_no_color() -> None:
    assert "\x1b[" in on_terminal("strategies")
    assert "\x1b[3" not in on_terminal("strategies", NO_COLOR="1")
    assert "\x1b" not in run("strategies").stdout


# --- simulate ---


def test_simulate_says_the_same_in_every_form_and_with_any_workers(tmp_path: Path, capsys: Printed) -> None:
    words = ["simulate", "-g", "two", *SMALL]
    found = json.loads(answered([*words, "--format", "json"], capsys))
    assert {"game", "rules", "rows", "thrown_in", "claimed", "provenance"} == set(found)
    assert list(found["rows"][0]) == [
        "game", "players", "strategy", "seat", "call", "deals", "calls", "call_share", "made", "made_se", "march",
        "march_se", "euchred", "euchred_se", "points", "points_se", "tricks",
    ]  # fmt: skip
    assert [(row["seat"], row["call"]) for row in found["rows"]] == [
        (seat, call) for seat in (1, 2) for call in ("all", "order", "name")
    ]
    assert_csv_is_json(found["rows"], answered([*words, "--format", "csv", "--workers", "1"], capsys))
    file = tmp_path / "two.csv"
    answered([*words, "--output", str(file)], capsys)
    assert_csv_is_json(found["rows"], file.read_text())
    table = answered(words, capsys)
    assert max(map(len, table.splitlines()[:-1])) <= 80
    assert "Thrown in" in table
    assert "seed 0, 2,000 deals, standard players" in table.splitlines()[-1]


def test_records_are_the_hands_that_were_counted(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "hands.jsonl"
    found = json.loads(
        answered(["simulate", "-g", "two", "--deals", "50", "--records", str(file), "--format", "json"], capsys)
    )
    shown = [json.loads(line) for line in answered(["replay", str(file), "--format", "json"], capsys).splitlines()]
    makers = [line["result"].get("maker") for line in shown]
    assert len(shown) == 50
    assert [makers.count(seat) for seat in (1, 2)] == [row["calls"] for row in found["rows"] if row["call"] == "all"]


def interrupted(*words: str) -> tuple[int, str, str]:
    """Start a long run, stop it by Ctrl-C once something is finished, and return status, stdout and stderr."""
    command = [sys.executable, "-c", CALL, *words, "--deals", "1000000000000", "--format", "json"]
    for seconds in (3, 10, 40):  # a machine under load may need longer to begin
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=HERE)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        if out:
            break
    return process.returncode, out, err


def test_ctrl_c_keeps_and_says_what_was_finished(capsys: Printed) -> None:
    answered(["simulate", "-g", "two", *SMALL], capsys)  # compiled beforehand
    status, out, err = interrupted("simulate", "-g", "two")
    assert status == 130
    found = json.loads(out)
    assert found["provenance"]["interrupted"]
    assert err.splitlines()[-1] == (
        f"Stopped early: {found['provenance']['deals']:,} of 1,000,000,000,000 deals were played."
    )


def test_ctrl_c_leaves_whole_records(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "hands.jsonl"
    answered(["simulate", "-g", "two", "--deals", "10", "--records", str(file)], capsys)  # compiled beforehand
    status, out, _ = interrupted("simulate", "-g", "two", "--records", str(file))
    lines = file.read_text().splitlines(keepends=True)
    assert status == 130
    assert json.loads(out)["provenance"]["deals"] == len(lines)
    assert all(line.endswith("}\n") for line in lines)


def test_ctrl_c_before_the_first_hand_leaves_the_file_of_records_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("analyzer.simulate.record_hands", stopped)
    file = tmp_path / "hands.jsonl"
    words = ["simulate", "-g", "two", "--deals", "10", "--records", str(file)]
    answered(words, capsys, 130)
    assert not file.exists()
    file.write_text("kept\n")
    answered(words, capsys, 130)
    assert file.read_text() == "kept\n"


def test_ctrl_c_ends_a_question_with_the_answer_so_far(capsys: Printed) -> None:
    answered([*HAND, *SMALL], capsys)  # compiled beforehand
    status, out, err = interrupted(*HAND)
    assert status == 130
    found = json.loads(out)["provenance"]
    assert found["interrupted"]
    assert err.splitlines()[-1] == f"Stopped early: this answer rests on {found['deals']:,} deals."


# --- replay ---


def test_replay_gives_the_results_of_good_hands(capsys: Printed) -> None:
    file = str(DATA / "records.jsonl")
    records = [json.loads(line) for line in (DATA / "records.jsonl").read_text().splitlines()]
    shown = [json.loads(line) for line in answered(["replay", file, "--format", "json"], capsys).splitlines()]
    assert shown == [
        {"file": file, "line": k, "event": None, "reason": None, "result": record["result"]}
        for k, record in enumerate(records, 1)
    ]
    assert list(shown[0]) == ["file", "line", "event", "reason", "result"]


def test_replay_shows_hands_trick_by_trick(capsys: Printed) -> None:
    table = answered(["replay", str(DATA / "records.jsonl")], capsys)
    assert max(map(len, (line for line in table.splitlines() if not line.startswith("Said")))) <= 80
    assert ["1", ">9C", "JC*", "seat", "2"] in [line.split() for line in table.splitlines()]
    assert "Diamonds are trump, maker seat 2; tricks by seat: 2, 3; points by seat: 0, 1." in table
    n = len((DATA / "records.jsonl").read_text().splitlines())
    assert table.endswith(f"\n{n} hands, all keep the rules.\n")


def test_replay_names_every_broken_hand_and_exits_with_2(tmp_path: Path, capsys: Printed) -> None:
    broken = [json.loads(line) for line in (DATA / "broken.jsonl").read_text().splitlines()]
    good = (DATA / "records.jsonl").read_text().splitlines()[0]
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join([good, *(json.dumps(each["record"]) for each in broken), "no record"]))
    n_hands = sum(isinstance(read, HandRecord) for _, read in read_records(file))
    assert n_hands == len(broken) + 1
    for form in ("json", "csv", "table"):
        assert main(["replay", str(file), "--format", form]) == 2
        printed = capsys.readouterr()
        said = f"in {file} {len(broken)} of the {n_hands} hands break the rules and 1 line is no hand record"
        assert printed.err == f"Error: {said}\n"
        if form == "json":
            lines = [json.loads(line) for line in printed.out.splitlines()]
            assert [line["event"] for line in lines[1:-1]] == [each["event"] for each in broken]
            assert all(line["reason"] and line["result"] is None for line in lines[1:])
        elif form == "csv":
            assert printed.out.startswith("file,line,event,reason,result.trump")
        else:
            assert f"{file} line {len(broken) + 2}, the deal: the line is not JSON" in printed.out


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("b", "the hand breaks the rules"),
        ("bb", "all 2 hands break the rules"),
        ("gb", "1 of the 2 hands breaks the rules"),
        ("x", "1 line is no hand record"),
        ("gxx", "2 lines are no hand records"),
        ("bgbx", "2 of the 3 hands break the rules and 1 line is no hand record"),
    ],
)
def test_replay_counts_broken_hands_apart_from_lines_that_are_none(
    lines: str, said: str, tmp_path: Path, capsys: Printed
) -> None:
    good = (DATA / "records.jsonl").read_text().splitlines()[0]
    broken = json.dumps({**json.loads(good), "events": []})
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join({"g": good, "b": broken, "x": "{"}[line] for line in lines))
    assert main(["replay", str(file)]) == 2
    assert capsys.readouterr().err == f"Error: in {file} {said}\n"


def stopped_at(n: int, work: Callable[..., Any]) -> Callable[..., Any]:
    """Work that goes well until its n-th call, during which Ctrl-C is pressed."""
    calls = itertools.count(1)

    def stopped(*given: Any, **named: Any) -> Any:
        if next(calls) == n:
            raise KeyboardInterrupt
        return work(*given, **named)

    return stopped


@pytest.mark.parametrize("form", ["table", "json"])
@pytest.mark.parametrize(("n", "said"), [(3, "2 hands were printed"), (2, "1 hand was printed")])
def test_ctrl_c_in_a_replay_says_how_many_hands_were_printed(
    form: str, n: int, said: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "replay", stopped_at(n, record.replay))
    assert main(["replay", str(DATA / "records.jsonl"), "--format", form]) == 130
    printed = capsys.readouterr()
    assert printed.out
    assert printed.err.endswith(f"Stopped early: {said}.\n")


def test_ctrl_c_in_a_replay_that_prints_at_its_end_says_that_nothing_is_finished(
    tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hands.json"
    for words in (["--format", "csv"], ["--output", str(file)]):
        monkeypatch.setattr(record, "replay", stopped_at(3, record.replay))
        assert main(["replay", str(DATA / "records.jsonl"), *words]) == 130
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.endswith("Stopped before anything was finished.\n")
        assert not file.exists()
        monkeypatch.undo()


def test_ctrl_c_while_dealing_says_how_many_deals_were_printed(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "write_record", stopped_at(5, record.write_record))
    assert main(["deal", "--deals", "9", "--format", "json"]) == 130
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 4
    assert printed.err.endswith("Stopped early: 4 deals were printed.\n")


def test_replay_reads_standard_input(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((DATA / "records.jsonl").read_bytes())))
    assert answered(["replay", "-", "--format", "json"], capsys).startswith('{"file": "-", "line": 1')


# --- ask ---


def test_ask_answers_in_every_form(capsys: Printed) -> None:
    words = [*HAND, *SMALL]
    found = json.loads(answered([*words, "--format", "json"], capsys))
    assert list(found) == ["game", "rules", "position", "options", "verdict", "provenance"]
    assert {option["option"] for option in found["options"]} == {"pass", "order", "order alone"}
    assert found["provenance"]["command"] == shlex.join(["euchre", *words, "--format", "json"])
    assert_csv_is_json(found["options"], answered([*words, "--format", "csv"], capsys))
    lines = answered(words, capsys).splitlines()
    assert max(map(len, lines)) <= 80
    assert found["verdict"]["text"] in " ".join(lines)
    assert lines[-1].startswith("euchre-lab 0.1.0, seed 0, 2,000 deals, standard players")


def hint_for(words: list[str], capsys: Printed, **changes: Any) -> str:
    """What is hinted at after an answer."""
    found = json.loads(answered([*words, "--format", "json"], capsys))
    told = SimpleNamespace(position=found["position"], verdict=SimpleNamespace(**found["verdict"]),
                           options=[SimpleNamespace(**each) for each in found["options"]],
                           provenance=SimpleNamespace(**found["provenance"]))  # fmt: skip
    return hint_of(told, **changes)  # type: ignore[arg-type]  # an answer as JSON has it


def test_a_hint_says_what_else_would_help_with_this_answer(capsys: Printed) -> None:
    clear = hint_for([*HAND, *SMALL], capsys, has_looked=False)
    assert clear == "Try --where or --show 2 for the hands, --score for the chance to win."
    close = hint_for([*HAND, *SMALL, "--margin", "9"], capsys, has_looked=False)
    assert close == "Try --play rollout:100 for a close call, --where or --show 2 for the hands."
    assert hint_for([*HAND, *SMALL, "--score", "3,4"], capsys, has_looked=True) == ""


def test_a_game_of_no_name_is_no_game(capsys: Printed) -> None:
    assert main(["ask", "-g", "", "JH JD AH KH 9S"]) == 2
    assert capsys.readouterr().err.startswith('Error: there is no game "": expected two-handed, three-handed,')


def test_what_is_compiled_is_said_once_for_each_kind_of_question(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.engine.must_compile", lambda door: "turn_up" in door.__name__)
    monkeypatch.setattr("analyzer.cli.words._looked_for", set())
    for doors in (("options",), ("ask", "look"), ("ask",)):
        note_compiling(FOUR, *doors)
    note_compiling(make_rules(GAMES["bid"]), "ask")
    assert capsys.readouterr().err.splitlines() == [
        "Compiling the rules of the turn-up games, once; about 5 s ...",
        "Compiling ask and --where and --show of the turn-up games, once; about 19 s ...",
    ]


def test_the_time_taken_leaves_out_the_compiler() -> None:
    watch = Stopwatch()
    began = time.perf_counter()
    with event.trigger_event("numba:compiler_lock"):
        time.sleep(0.2)
    assert watch.seconds <= time.perf_counter() - began - 0.19


def test_no_hint_stands_in_a_pipe(capsys: Printed) -> None:
    assert main([*HAND, *SMALL]) == 0
    printed = capsys.readouterr()
    assert "Try " not in printed.out + printed.err


def test_ask_takes_a_hand_without_quotes(capsys: Printed) -> None:
    quoted = json.loads(answered([*HAND, *SMALL, "--format", "json"], capsys))
    loose = ["ask", *HAND[1].split(), *HAND[2:], *SMALL, "--format", "json"]
    assert json.loads(answered(loose, capsys))["options"] == quoted["options"]


def test_the_dealer_is_the_last_seat_of_any_game(capsys: Printed) -> None:
    for game, seat in (("two", 2), ("three", 3), ("four", 4)):
        words = ["ask", "-g", game, *HAND[1:4], "--seat", "dealer", "--deals", "20", "--format", "json"]
        assert json.loads(answered(words, capsys))["position"]["seat"] == seat


def test_an_answer_writes_its_own_question(tmp_path: Path, capsys: Printed) -> None:
    found = json.loads(answered([*HAND, *SMALL, "--format", "json"], capsys))
    file = tmp_path / "hand.json"
    for whole in (found["position"], found):
        file.write_text(json.dumps(whole, indent=2))
        again = json.loads(answered(["ask", "--position", str(file), *SMALL, "--format", "json"], capsys))
        assert again["options"] == found["options"]
    assert answered(["ask", "--position", str(file), *SMALL], capsys).startswith(" ")


def test_of_many_positions_each_gets_a_line_and_a_bad_one_its_error(tmp_path: Path, capsys: Printed) -> None:
    position = json.loads(answered([*HAND, *SMALL, "--format", "json"], capsys))["position"]
    file = tmp_path / "hands.jsonl"
    bad = {**position, "upcard": "9S"}
    file.write_text("\n".join(map(json.dumps, [position, bad, position])) + "\n{")
    assert main(["ask", "--position", str(file), *SMALL]) == 2
    printed = capsys.readouterr()
    lines = [json.loads(line) for line in printed.out.splitlines()]
    assert [sorted(line) == ["error", "line"] for line in lines] == [False, True, False, True]
    assert [lines[1]["line"], lines[3]["line"]] == [2, 4]
    assert "9S" in lines[1]["error"]
    assert lines[0]["options"] == lines[2]["options"]
    assert printed.err == "Error: 2 of 4 positions could not be answered\n"
    assert main(["ask", "--position", str(file), *SMALL, "--format", "csv"]) == 2
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["line"] for row in rows} == {"1", "3"}


def test_a_position_laid_out_over_lines_is_read_by_every_command(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps({"hands": ["AS", "9H"], "trump": "H", "leader": 1}, indent=2))
    found = json.loads(answered(["solve", "-g", "two", str(file), "--format", "json"], capsys))
    assert (found["line"], found["tricks"]) == (1, [0, 1])
    record = json.loads((DATA / "records.jsonl").read_text().splitlines()[0])
    file.write_text("\n" + json.dumps(record, indent=1).replace("\n", "\r\n"))
    found = json.loads(answered(["replay", str(file), "--format", "json"], capsys))
    assert (found["line"], found["result"]) == (2, record["result"])


def test_a_lone_carriage_return_ends_no_line(tmp_path: Path, capsys: Printed) -> None:
    position = json.loads(answered([*HAND, *SMALL, "--format", "json"], capsys))["position"]
    file = tmp_path / "hand.json"
    file.write_bytes(json.dumps(position, indent=1).replace("\n", "\r").encode())
    assert json.loads(answered(["ask", "--position", str(file), *SMALL, "--format", "json"], capsys))["options"]


@pytest.mark.fast
@pytest.mark.parametrize(
    ("words", "what"), [(["ask", "--position"], "position"), (["solve"], "open position"), (["replay"], "record")]
)
def test_a_line_that_is_none_is_refused_as_what_was_expected(
    words: list[str], what: str, tmp_path: Path, capsys: Printed
) -> None:
    file = tmp_path / "deep"
    file.write_text("[" * 5000 + "]" * 5000)
    assert main([*words, str(file), "--format", "json"]) == 2
    printed = capsys.readouterr()
    assert f"the line is no {what}: it has lists within lists without end" in printed.out + printed.err


@pytest.mark.parametrize("is_many", [False, True])
def test_notes_say_which_of_many_positions_they_are_about(is_many: bool, tmp_path: Path, capsys: Printed) -> None:
    kept = {"format": 1, "game": "three-handed", "rules": {}, "seat": 1, "hands": ["JS AD AS AH QS", None, None]}
    kept |= {"dummy": "9H KS JH QH QC", "upcard": "JD", "events": [[1, "order"], [3, "pickup", None]]}
    file = tmp_path / "hands.jsonl"
    file.write_text("\n" + "\n".join([json.dumps(kept)] * (1 + is_many)))
    assert main(["ask", "--position", str(file), *SMALL]) == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if "ways to keep five" in line]
    assert [note.partition("Of 252")[0] for note in notes] == (["Line 2: ", "Line 3: "] if is_many else [""])


def test_chances_that_were_kept_wait_for_no_compiler(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["ask", "JH JD AH KH 9S", "--up", "QH", "-g", "two", "--score", "6,8", *SMALL]
    answered(words, capsys)
    waited_for: list[str] = []
    monkeypatch.setattr("analyzer.cli.answering.note_compiling", lambda _, *doors: waited_for.extend(doors))
    answered(words, capsys)
    assert "ask" in waited_for
    assert "simulate" not in waited_for


# --- deal ---


@pytest.mark.parametrize("game", GAMES)
def test_deal_gives_records_without_events(game: str, tmp_path: Path, capsys: Printed) -> None:
    words = ["deal", "-g", game, "--seed", "7"]
    lines = answered([*words, "--deals", "3", "--format", "json"], capsys).splitlines()
    records = [json.loads(line) for line in lines]
    assert [record["deal"] for record in records] == [0, 1, 2]
    assert all(record["events"] == [] and "result" not in record and record["seed"] == 7 for record in records)
    assert answered([*words, "--deal", "2", "--format", "json"], capsys).splitlines() == lines[2:]
    table = answered([*words, "--deal", "2"], capsys)
    assert all(hand in table for hand in records[2]["hands"])
    assert f"{game}, seed 7, deal 2" in table


@pytest.mark.fast
def test_ctrl_c_waits_until_a_file_and_its_count_agree() -> None:
    done = []

    def write_and_count() -> None:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("written")
            done.append("counted")

    with pytest.raises(KeyboardInterrupt):
        write_and_count()
    assert done == ["written", "counted"]
    with uninterrupted():
        done.append("again")
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
