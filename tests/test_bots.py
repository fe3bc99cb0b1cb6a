"""What a player in Python promises: it is asked with what its seat knows, and plays at any table like anybody else."""

import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from test_kernel_rules import rules_of
from test_simulate import some

from analyzer.batches import play_deals
from analyzer.border import door_of, kernel_players, kernel_rules, new_scratch
from analyzer.choices import option_text
from analyzer.cli import main
from analyzer.engine import Chunk
from analyzer.errors import QuestionError, RunError
from analyzer.events import Step
from analyzer.players import Bot, load_bot, seat_players
from analyzer.position import Position, table_of
from analyzer.position_file import position_json, read_position
from analyzer.rules import GAMES
from analyzer.strategy import Strategy, find_strategy

Printed = pytest.CaptureFixture[str]
GAMES_AND_RULES: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in GAMES),
    ("three-handed", {"stick_the_dealer": False}),
    ("four-handed", {"defend_alone": True, "deck": 32, "joker": True}),
    ("bid", {"joker": True}),
    ("bid", {"deck": 48, "ace_no_face": True}),
]


class Copycat:
    """Chooses as a strategy does, from what the seat knows alone; notes what it was asked."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.asked: list[Position] = []

    def choose(self, position: Position) -> str:
        self.asked.append(position)
        rules, table = position.rules, table_of(position)
        seats = kernel_players([self.strategy] * rules.n_seats, rules)
        verb, what = door_of(rules).choose(kernel_rules(rules), seats, table.state, new_scratch(0).options)
        return option_text(rules, (Step(verb, what),))


@pytest.mark.parametrize(("game", "changes"), GAMES_AND_RULES, ids=str)
def test_a_player_that_chooses_as_standard_does_plays_the_same_deals(game: str, changes: dict[str, Any]) -> None:
    rules = rules_of(game, changes)
    standard = find_strategy("standard", rules)
    n = some(3 if rules.deck == 48 else 6)
    whole = play_deals(rules, [standard] * rules.n_seats, 5, Chunk(0, n), with_rows=True)
    for seats in ({0}, {rules.n_seats - 1}, set(range(rules.n_seats))):
        copycat = Copycat(standard)
        bot = Bot("copycat", player=copycat)
        seating = [bot if seat in seats else standard for seat in range(rules.n_seats)]
        played = play_deals(rules, seating, 5, Chunk(0, n), with_rows=True)
        assert (played.rows == whole.rows).all()
        assert all((one == other).all() for one, other in zip(played.counts, whole.counts, strict=True))
        assert {position.seat - 1 for position in copycat.asked} <= seats
        for position in copycat.asked[:: max(1, len(copycat.asked) // 30)]:
            read = position_json(position)
            assert position_json(read_position(read)) == read  # nothing in it that the seat could not know
            hidden = [event for event in position.events if len(event) == 3 and event[2] is None]
            assert all(event[0] != position.seat for event in hidden)


def bot_file(folder: Path, body: str) -> str:
    file = folder / "my_bot.py"
    file.write_text(body)
    return f"{file}:Bot"


def test_bots_and_strategies_sit_at_one_table_of_the_command(tmp_path: Path, capsys: Printed) -> None:
    name = bot_file(
        tmp_path,
        "from analyzer.choices import option_text, options\n"
        "class Bot:\n"
        "    def choose(self, position):\n"
        "        return option_text(position.rules, (options(position)[0].step,))\n",
    )
    words = ["-g", "three", "--deals", "20", "--format", "csv"]
    assert main(["simulate", "--players", f"standard,{name},bold", *words]) == 0
    assert '"standard,my_bot,bold"' in capsys.readouterr().out
    assert main(["compare", "standard", name, *words]) == 0
    assert "standard,my_bot,20," in capsys.readouterr().out


def test_a_player_that_leaves_ends_the_command_as_a_failure(tmp_path: Path, capsys: Printed) -> None:
    name = bot_file(tmp_path, "import sys\nclass Bot:\n    def choose(self, position):\n        sys.exit()\n")
    assert main(["simulate", "-g", "two", "--players", name, "--deals", "5"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Error: my_bot failed" in printed.err


def test_ctrl_c_while_a_player_thinks_is_ctrl_c(tmp_path: Path) -> None:
    bot = load_bot(bot_file(tmp_path, "class Bot:\n    def choose(self, position):\n        raise KeyboardInterrupt\n"))
    with pytest.raises(KeyboardInterrupt):
        play_deals(rules_of("two-handed", {}), [bot, bot], 0, Chunk(0, 1))


TALKER = """\
import sys
print("read")
at_first = sys.stdout
class Bot:
    def __init__(self):
        print("made")
    def choose(self, position):
        print("asked", file=at_first)
        sys.stdout.write("I pass\\n")
        from analyzer.choices import option_text, options
        return option_text(position.rules, (options(position)[0].step,))
"""


def test_what_a_player_prints_is_beside_the_result(tmp_path: Path, capsys: Printed) -> None:
    words = ["simulate", "-g", "two", "--players", bot_file(tmp_path, TALKER), "--deals", "100", "--format", "json"]
    assert main(words) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["game"] == "two-handed"
    assert all(f"{said}\n" in printed.err for said in ("read", "made", "asked", "I pass"))


def test_what_others_print_while_a_player_is_asked_stays_in_the_result(tmp_path: Path, capsys: Printed) -> None:
    """A run that is decided does not wait for the players who are still thinking."""
    asked, printed = threading.Event(), threading.Event()

    class Thinker(Copycat):
        def choose(self, position: Position) -> str:
            asked.set()
            assert printed.wait(60)
            sys.stdout.write("at last\n")
            return super().choose(position)

    rules = rules_of("two-handed", {})
    bot = Bot("thinker", player=Thinker(find_strategy("standard", rules)))
    thread = threading.Thread(target=play_deals, args=(rules, [bot, bot], 0, Chunk(0, 1)))
    thread.start()
    assert asked.wait(60)
    sys.stdout.write("the result\n")
    printed.set()
    thread.join()
    sys.stdout.write("its end\n")
    out, err = capsys.readouterr()
    assert out == "the result\nits end\n"
    assert set(err.split("\n")) == {"at last", ""}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("class Bot:\n    def choose(self, position):\n        return 'dance'\n", "answered 'dance': expected one of"),
        ("class Bot:\n    def choose(self, position):\n        return None\n", "answered None"),
        ("class Bot:\n    def choose(self, position):\n        return 1 / 0\n", "ZeroDivisionError.*my_bot.py, line 3"),
        (
            "import sys\nclass Bot:\n    def choose(self, position):\n        sys.exit()\n",
            r"my_bot failed in Bot\.choose: SystemExit \(my_bot\.py, line 4\);",
        ),
        (
            "import re\nclass Bot:\n    def choose(self, position):\n        return re.compile('(')\n",
            r"my_bot failed .*\(my_bot\.py, line 4\)",
        ),
        ("class Bot:\n    def choose(self): ...\n", r"my_bot failed in Bot\.choose: TypeError: .* given; asked for"),
    ],
)
def test_a_bad_answer_is_an_error_that_shows_the_position(body: str, said: str, tmp_path: Path) -> None:
    rules = rules_of("two-handed", {})
    bot = load_bot(bot_file(tmp_path, body))
    with pytest.raises(RunError, match=said) as error:
        play_deals(rules, [bot, bot], 0, Chunk(0, 1))
    assert '"game": "two-handed"' in str(error.value)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("x = 1\n", "there is no class Bot"),
        ("class Other:\n    def choose(self, position): ...\n", "expected Other"),
        ("class Bot: ...\n", "has no method choose"),
        ("class Bot(\n", "cannot run .*SyntaxError"),
        ("import nothing_of_that_name\n", r"cannot run .*ModuleNotFoundError.*\(my_bot\.py, line 1\)"),
        ("import sys\nsys.exit(0)\n", r"cannot run .*my_bot\.py: SystemExit: 0 \(my_bot\.py, line 2\)"),
        ("import sys\nclass Bot:\n    choose = len\n    def __init__(self): sys.exit()\n", "cannot make .*SystemExit"),
        (
            "class Bot:\n    choose = len\n    def __init__(self): raise ValueError('no')\n",
            "cannot make .*ValueError: no",
        ),
    ],
)
def test_a_file_without_such_a_player_is_refused(body: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match=said):
        load_bot(bot_file(tmp_path, body))


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(QuestionError, match=r"cannot read the player nowhere\.py"):
        seat_players("nowhere.py:Bot", rules_of("two-handed", {}))


def test_a_question_is_not_asked_between_bots(tmp_path: Path, capsys: Printed) -> None:
    name = bot_file(tmp_path, "class Bot:\n    def choose(self, position): return 'pass'\n")
    assert main(["ask", "JH JD AH KH 9S", "--up", "QH", "--seat", "1", "--players", name]) == 2
    assert "simulate and compare" in capsys.readouterr().err
