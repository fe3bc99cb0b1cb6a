"""The pages tell of everything there is, their links lead somewhere, and their examples print what they show."""

import dataclasses
import importlib.util
import json
import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import click
import pytest
from test_cli import every_command, parsed

from analyzer.ask import Answer, AskProvenance, ScoreRow, Verdict
from analyzer.bracket import BracketProvenance, BracketVerdict
from analyzer.choices import options
from analyzer.cli import euchre
from analyzer.equity import Equity, EquityProvenance, EquityRow
from analyzer.hands import columns_of
from analyzer.leads import Lead
from analyzer.position_file import read_position
from analyzer.record import HandRecord
from analyzer.rules import GAMES, Game, RuleField, make_rules, value_text
from analyzer.simulate import SimulateProvenance, SimulateRow, Simulation
from analyzer.strategy import NUMBERS, PRESETS, seat_players
from analyzer.swaps import CardRow, SwapProvenance, SwapVerdict
from analyzer.verdicts import OptionResult
from analyzer.weakest import WeakestProvenance, WeakestVerdict

HERE = Path(__file__).parents[1]
DOCS = HERE / "docs"


def load_refresh() -> ModuleType:
    """docs/refresh.py, which stands in no package."""
    spec = importlib.util.spec_from_file_location("refresh", DOCS / "refresh.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


refresh = load_refresh()
PAGES: list[Path] = refresh.pages()
OF_THE_SITE = ("docs/index.md", "docs/changelog.md")
"""Pages that only put the site together."""
NAMES = [str(page.relative_to(HERE)) for page in PAGES]


def read(name: str) -> str:
    """The text of a page of docs/."""
    return (DOCS / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """A part of a page: from its heading to the next one of the same rank."""
    _, _, after = text.partition(f"\n## {heading}\n")
    assert after, heading
    return after.partition("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """The cells of every table row."""
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line.startswith("| ")
    ]


def quoted(text: str) -> set[str]:
    """All that stands between backquotes, code blocks left out."""
    return set(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)))


def anchors(text: str) -> set[str]:
    """What links can point to within a page."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def names_of(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]


# --- everything is told ---


@pytest.mark.fast
def test_every_command_is_told() -> None:
    told = section(read("players.md"), "Commands and options")
    for name in every_command():
        assert f"`euchre {name}" in told or f"`{name}" in told, name


@pytest.mark.fast
@pytest.mark.parametrize("name", ["", *every_command()])
def test_every_option_is_told(name: str) -> None:
    told = quoted(section(read("players.md"), "Commands and options"))
    command = every_command()[name] if name else euchre
    for option in command.get_params(click.Context(command, help_option_names=["-h", "--help"])):
        if isinstance(option, click.Option):
            assert told.issuperset(option.opts), option.opts


@pytest.mark.parametrize("game", GAMES)
def test_the_data_dictionary_tells_every_column_of_hands(game: str) -> None:
    rules = make_rules(GAMES[game], {})
    columns = columns_of(rules, seat_players("standard", rules), 0)
    told = [line for line in section(read("strategists.md"), "Deal by deal").splitlines() if line.startswith("| `")]
    assert told == [f"| `{column.name}` | {column.kind} | {column.meaning} |" for column in columns]


@pytest.mark.fast
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_and_its_other_names_are_told(game: Game) -> None:
    for page in ("players.md", "formats.md"):
        assert game.name in quoted(read(page)), page
    assert quoted(read("players.md")).issuperset(game.aliases)


def values_told(field: RuleField) -> str:
    """How the table of house rules writes what a field can be, the default first."""
    if isinstance(field.values, range):
        return f"`{field.default}`, {field.allowed}"
    return ", ".join([*(f"`{value_text(value)}`" for value in field.values), *(["0 to 1"] if field.or_chance else [])])


def rule_rows(game: Game) -> dict[str, list[str]]:
    """The rows of the table of house rules that hold in a game."""
    kinds = {"all", game.name, "bid" if game.is_bid else "turn-up"}
    table = [row for row in rows(section(read("rules.md"), "House rules")) if row[0].startswith("`")]
    found = [row for row in table if kinds & set(row[1].split(", "))]
    by_name = {row[0].strip("`"): row for row in found}
    assert len(by_name) == len(found)
    return by_name


@pytest.mark.fast
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_house_rule_is_told_with_its_values_the_default_first(game: Game) -> None:
    told = rule_rows(game)
    assert told.keys() == {field.name for field in game.fields}
    for field in game.fields:
        assert told[field.name][2] == values_told(field)
        if field.double_default is not None:
            assert f"`{field.double_default}`" in told[field.name][3]


@pytest.mark.fast
def test_every_strategy_is_told() -> None:
    assert quoted(read("strategies.md")).issuperset(PRESETS)
    assert quoted(read("play.md")).issuperset(PRESETS)


@pytest.mark.fast
def test_every_number_of_a_strategy_is_told_with_its_bounds() -> None:
    told = {
        f"{row[0].strip('`')}.{key}": row[2]
        for row in rows(section(read("strategies.md"), "The numbers"))
        for key in re.findall(r"`(\w+)`", row[1])
    }
    assert told == {number.name: f"{number.low:g}, {number.high:g}" for number in NUMBERS}


@pytest.mark.fast
@pytest.mark.parametrize(
    ("heading", "kinds"),
    [
        ("JSON of ask", [Answer, OptionResult, Verdict, AskProvenance, ScoreRow]),
        ("JSON of ask --bracket", [BracketVerdict, BracketProvenance]),
        ("JSON of ask --swap", [Lead, CardRow, SwapVerdict, SwapProvenance]),
        ("JSON of ask --weakest", [WeakestVerdict, WeakestProvenance]),
        ("JSON of simulate", [Simulation, SimulateRow, SimulateProvenance]),
        ("JSON of equity", [Equity, EquityRow, EquityProvenance]),
    ],
)
def test_every_field_of_an_answer_is_told(heading: str, kinds: Iterable[type]) -> None:
    told = quoted(section(read("formats.md"), heading))
    for kind in kinds:
        promised = set(names_of(kind)) - {"told", "doubts", "paid"}  # not in JSON
        assert told.issuperset(promised), promised - told


@pytest.mark.fast
def test_every_field_verb_and_result_of_a_record_is_told() -> None:
    part = section(read("formats.md"), "Hand records")
    told = quoted(part)
    assert told.issuperset(HandRecord.__struct_fields__)
    for line in (HERE / "tests" / "data" / "records.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        assert told.issuperset(record["result"])
        assert all(f', "{event[1]}"' in part for event in record["events"])


DECIDED = {
    "Two-handed": {"order", "suit", "discard", "lead", "card"},
    "Three-handed": {"order", "suit", "discard", "leave", "dummy", "keep", "together", "lead", "card"},
    "Four-handed": {"order", "suit", "discard", "together", "lead", "card"},
    "Bid Euchre": {"level", "claim", "suit", "discard", "give", "return", "lead", "card"},
}


def kinds_of_decisions(part: str) -> set[str]:
    """What is decided in the answers of a part of a page, told by the words of their tables and verdicts."""
    kinds = set()
    for option in re.findall(r"^(\S.*?) +[+-]\d", part, re.MULTILINE):
        word = option.split()[0].strip(",")
        is_card = re.fullmatch("[9TJQKA][CDHS]", word)
        kinds.add("card" if is_card else "suit" if word in SUITS else "level" if word in LEVELS else word)
    return kinds | {"lead" for _ in re.findall("^Lead ", part, re.MULTILINE)}


SUITS = ("clubs", "diamonds", "hearts", "spades")
LEVELS = ("3", "4", "5", "ask", "moon")


@pytest.mark.fast
@pytest.mark.parametrize("heading", DECIDED)
def test_every_decision_of_a_game_has_an_example(heading: str) -> None:
    told = kinds_of_decisions(section(read("decisions.md"), heading))
    assert told >= DECIDED[heading], DECIDED[heading] - told


# --- the pages hold together ---


@pytest.mark.fast
@pytest.mark.parametrize("page", [*PAGES, HERE / "CHANGELOG.md"], ids=[*NAMES, "CHANGELOG.md"])
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), link


@pytest.mark.fast
def test_the_readme_leads_to_every_page() -> None:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    assert all(f"]({name})" in readme for name in NAMES if name not in ("README.md", *OF_THE_SITE))


@pytest.mark.fast
@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_commands_without_output_can_be_read(page: Path) -> None:
    for block in re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("euchre "):
                parsed(euchre, shlex.split(line, comments=True)[1:])


@pytest.mark.fast
def test_positions_that_are_shown_can_be_asked() -> None:
    shown = [text for name, text in refresh.files_of(read("formats.md")) if name.endswith(".json")]
    assert shown
    for text in shown:
        assert options(read_position(json.loads(text)))


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_examples_print_what_is_shown(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    now, pictures = refresh.refreshed(text)
    assert now == text, "python docs/refresh.py writes the output anew"
    for name, picture in pictures.items():
        kept = (page.parent / name).read_text(encoding="utf-8")
        assert refresh.words_of(picture) == refresh.words_of(kept) != [], "python docs/refresh.py draws it anew"


@pytest.mark.parametrize("name", refresh.reports())
def test_the_reports_are_those_that_their_commands_make(name: str) -> None:
    made = (DOCS / "reports" / name).read_text(encoding="utf-8")
    now = refresh.reported(name)
    assert refresh.pictureless(now) == refresh.pictureless(made), "python docs/refresh.py writes it anew"


@pytest.mark.fast
def test_every_report_has_a_command_and_every_game_a_report() -> None:
    assert set(refresh.reports()) == {path.name for path in (DOCS / "reports").iterdir()}
    assert set(refresh.reports()) >= {f"{game}.html" for game in GAMES}
    players = read("players.md")
    assert all(f"](reports/{name})" in players for name in refresh.reports())


@pytest.mark.fast
def test_only_the_lines_of_charts_may_differ_in_a_report() -> None:
    chart, card = (
        '<svg aria-label="Chart: {}" role="img"><path d="{}"/></svg>',
        '<svg class="card"><path d="{}"/></svg>',
    )
    page = f"<p>{{}}</p>{chart}{card}".format
    assert refresh.pictureless(page("a", "b", "c", "d")) == refresh.pictureless(page("a", "b", "x", "d"))
    for other in ("xbcd", "axcd", "abcx"):
        assert refresh.pictureless(page(*"abcd")) != refresh.pictureless(page(*other))


@pytest.mark.fast
def test_only_the_time_taken_may_differ() -> None:
    shown = "euchre-lab 0.1.0, seed 0, 200,000 deals, standard players, {}\n".format
    assert refresh.timeless(shown("0.4 s")) == refresh.timeless(shown("3 min 20 s"))
    assert refresh.timeless(shown("0.4 s")) == refresh.timeless(shown("12 s").replace(", 12 s", ",\n12 s"))
    assert refresh.timeless(shown("0.4 s")) != refresh.timeless(shown("0.4 s").replace("seed 0", "seed 1"))
