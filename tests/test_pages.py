"""Pages: what is drawn of a position, and that the HTML is sound, says what the screen says, and names no address."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import html5lib
import pytest
from test_cli import Printed, answered, refused
from test_position import some_decisions

from analyzer.cards import parse_cards
from analyzer.cli import main
from analyzer.position import table_of
from analyzer.position_file import read_position
from analyzer.rules import GAMES
from kernels import values
from reports.pages.cards import card_of, hand_of, with_suits
from reports.pages.render import Page
from reports.pages.scene import held, scene_of
from reports.pages.words import asked_text, heading_text, question_sentences

HERE = Path(__file__).parents[1]
TEMPLATES = HERE / "reports" / "pages" / "templates"
FEW = ["--deals", "500"]
TWO = ["ask", "-g", "two", "JS AS KS 9D TD", "--up", "9S"]

QUESTIONS = {
    "four": ["ask", "JS 9H TH QH 9D", "--up", "AD", "--calls", "pass pass pass pass", *FEW],
    "three": ["ask", "-g", "three", "JS AS KS 9D TD", "--up", "9S", "--calls", "pass", "--where", *FEW],
    "two": [*TWO, *FEW],
    "exact": TWO,
    "joker": ["ask", "-r", "joker=true", "JS AS KS 9D TD", "--up", "JO hearts", *FEW],
    "keep": ["ask", "--position", str(HERE / "tests" / "data" / "keep.json"), *FEW],
    "lead": ["ask", "--position", str(HERE / "tests" / "data" / "lead.json"), *FEW],
    "bid": ["ask", "-g", "bid", "JH JD AH KH QH AS", "--calls", "3 pass", *FEW],
    "bracket": [*TWO, "--bracket", "--deals", "60", "--play", "rollout:2"],
    "compare": ["compare", "standard", "bold", "cautious", "--matches", "20", *FEW],
    "sweep": ["sweep", "--vary", "call.order.seat1=6:8:1", *FEW],
    "rule": ["sweep", "--vary", "rule.stick_the_dealer=false,true", *FEW],
    "simulate": ["simulate", "-g", "three", "--players", "standard,bold,standard", *FEW],
    "matches": ["simulate", "--matches", "20"],
    "equity": ["equity", "-r", "target=3", "--deals", "20000"],
    "below": ["equity", "-g", "bid", "-r", "target=5", "--deals", "20000"],
    "one": ["equity", "--score", "6,8", "--deals", "20000"],
}


def position(**changes: Any) -> dict[str, Any]:
    """A four-handed position before the first call."""
    found: dict[str, Any] = {
        "game": "four-handed",
        "seat": 1,
        "hands": ["9S JH QC 9C AD", None, None, None],
        "upcard": "JC",
        "events": [],
    }
    return found | changes


# --- what is seen of a position ---


@pytest.mark.fast
@pytest.mark.parametrize(
    ("cards", "trump", "held_so"),
    [
        ("9S JH QC 9C AD", None, "9♠ J♥ Q♣ 9♣ A♦"),
        ("9S JH QC 9C AD", "D", "J♥ A♦ 9♠ Q♣ 9♣"),
        ("AH JD JH KH 9S", "H", "J♥ J♦ A♥ K♥ 9♠"),
        ("AH JO TC JC", "S", "★ J♣ A♥ 10♣"),
    ],
)
def test_a_hand_is_held_trumps_first_the_bowers_on_top(cards: str, trump: str | None, held_so: str) -> None:
    assert " ".join(card.short for card in hand_of(cards.split(), trump)) == held_so


@pytest.mark.fast
def test_bowers_are_named_where_the_trump_is_known_or_proposed() -> None:
    assert [card_of(text, "D").bower for text in ("JD", "JH", "JS", "AD")] == ["right bower", "left bower", "", ""]
    turned_up, turned_down = scene_of(position()), scene_of(position(events=[[seat, "pass"] for seat in (1, 2, 3, 4)]))
    assert [card.bower for card in turned_up.hand] == ["", "", "", "", ""]
    assert turned_up.upcard is not None
    assert (turned_up.upcard.bower, turned_up.about_upcard) == ("right bower", "turned up")
    assert turned_down.upcard is not None
    assert (turned_down.upcard.bower, turned_down.about_upcard) == ("", "turned down")


def alike(cards: int, is_double: bool) -> tuple[int, int]:
    """Cards without which of two twins they are, two bits beside each other."""
    low, high = cards & 0x5555555555555555, cards >> 1 & 0x5555555555555555
    return (low ^ high, low & high) if is_double else (cards, 0)


@pytest.mark.parametrize("game", GAMES)
def test_the_hand_shown_is_the_one_the_rules_say_is_held(game: str) -> None:
    n = 0
    for _, read, _ in some_decisions(game):
        table = table_of(read_position(read))
        shown = parse_cards(" ".join(held(read)), table.rules.pack, strict=True)
        hand = int(table.state[values.HAND + read["seat"] - 1])
        is_double = table.rules.pack.copies == 2
        assert alike(hand, is_double) in (alike(shown, is_double), alike(table.in_trump_order(shown), is_double))
        assert len(scene_of(read).seats) == table.rules.n_seats
        n += 1
    assert n > 50


@pytest.mark.fast
def test_partners_sit_across_and_the_next_seat_to_the_left() -> None:
    scene = scene_of(position(seat=2, hands=[None, "9S JH QC 9C AD", None, None], events=[[1, "pass"]]))
    assert [(seat.place, seat.who) for seat in scene.seats] == [
        ("right", "opponent"),
        ("you", "you"),
        ("left", "opponent"),
        ("across", "your partner"),
    ]
    assert [seat.said for seat in scene.seats] == [["pass"], [], [], []]
    assert [seat.deals for seat in scene.seats] == [False, False, False, True]


@pytest.mark.fast
def test_a_seat_that_plays_again_begins_a_trick_and_the_last_one_lies_on_the_table() -> None:
    events = [[4, "order"], [4, "pickup", None], [1, "play", "AD"], [2, "play", "QD"], [3, "play", "KD"]]
    events += [[4, "play", "TD"], [1, "play", "9S"]]
    first = scene_of(position(seat=2, hands=[None, "QD 9D 9H TH AH", None, None], events=events))
    assert [[card.short for _, card in trick] for trick in first.tricks] == [["A♦", "Q♦", "K♦", "10♦"]]
    assert [seat.card.short if seat.card else None for seat in first.seats] == ["9♠", None, None, None]
    over = scene_of(position(events=[*events, [2, "play", "TS"], [3, "play", "KS"], [4, "play", "QS"]]))
    assert len(over.tricks) == 2
    assert not any(seat.card for seat in over.seats)


@pytest.mark.fast
def test_a_question_is_told_in_a_players_words() -> None:
    read: dict[str, Any] = {
        "game": "four-handed",
        "position": position(scores=[6, 8], events=[[seat, "pass"] for seat in (1, 2, 3, 4)]),
        "options": [{"event": [1, "name", "H"]}, {"event": [1, "pass"]}],
    }
    scene = scene_of(read["position"])
    asked = asked_text(read["options"], scene)
    assert heading_text("four-handed", scene, asked) == "Seat 1, jack of clubs turned down: name a suit or pass?"
    assert question_sentences(read, scene) == [
        "Four-handed Euchre. You sit in seat 1 of 4, counted from the dealer's left. Seat 4 deals.",
        "You hold the nine of spades, jack of hearts, queen of clubs, nine of clubs and ace of diamonds.",
        "The jack of clubs was turned down.",
        "All four have passed, and it is your turn again.",
        "Your side has 6 points, the other side 8.",
    ]


@pytest.mark.fast
def test_cards_in_sentences_have_suits_and_nothing_else_changes() -> None:
    assert with_suits("Play TC, not AD <b>") == 'Play 10♣, not <span class="suit-red">A♦</span> &lt;b&gt;'
    assert with_suits("ASK KICKS 10C JO") == "ASK KICKS 10C JO"


# --- the page ---


def make_page(name: str, folder: Path) -> Path:
    """The page of one of the questions, made once in a folder."""
    path = folder / f"{name}.html"
    if not path.exists():
        assert main([*QUESTIONS[name], "--report", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the pages are."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def page(name: str, folder: Path) -> str:
    """The HTML of one of the questions."""
    return make_page(name, folder).read_text(encoding="utf-8")


EVERY = pytest.mark.parametrize("name", QUESTIONS)


def tree(html: str) -> Any:
    """The elements of a page; raises where it is not sound HTML."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)


SVG = "{http://www.w3.org/2000/svg}"


def text_of(element: Any) -> str:
    return "".join(element.itertext())


@EVERY
def test_a_page_is_sound_html_with_a_title_and_headings_in_order(name: str, page: str) -> None:
    root = tree(page)
    assert root.get("lang") == "en"
    assert text_of(root.find("head/title")).strip()
    ranks = [int(each.tag[1]) for each in root.iter() if isinstance(each.tag, str) and re.fullmatch(r"h\d", each.tag)]
    assert ranks[0] == 1
    assert ranks.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(ranks))
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    pointed = {each.get("aria-labelledby") for each in root.iter()} - {None}
    assert pointed <= set(ids)


@EVERY
def test_every_table_has_a_caption_and_says_what_its_columns_and_rows_are(name: str, page: str) -> None:
    tables = list(tree(page).iter("table"))
    assert tables
    for table in tables:
        assert text_of(table.find("caption")).strip()
        heads = next(iter(table.iter("thead"))).findall("tr/th")
        assert all(head.get("scope") == "col" and text_of(head).strip() for head in heads)
        for row in table.find("tbody"):
            assert row[0].tag == "th"
            assert row[0].get("scope") == "row"
            assert len(row) == len(heads)


@EVERY
def test_every_picture_says_what_it_shows_or_is_hidden(name: str, page: str) -> None:
    pictures = list(tree(page).iter(f"{SVG}svg"))
    assert pictures
    for picture in pictures:
        is_told = picture.get("role") == "img" and picture.get("aria-label")
        assert is_told or picture.get("aria-hidden") == "true"


@EVERY
def test_a_page_names_no_address_and_runs_nothing(name: str, page: str) -> None:
    assert "http:" not in page.replace("http-equiv", "")
    assert "https:" not in page
    assert not re.search(r"@import|url\((?!#)", page)
    for element in tree(page).iter():
        assert str(element.tag).removeprefix(SVG) not in ("script", "link", "img", "iframe", "object")
        for attribute, value in element.attrib.items():
            bare = str(attribute[1] if isinstance(attribute, tuple) else attribute).rpartition(":")[2]
            assert not bare.startswith("on")
            assert bare not in ("href", "src") or value.startswith(("#", "data:image/"))


def test_names_that_look_like_html_are_text(tmp_path: Path) -> None:
    odd, path = tmp_path / "<b>&'\"x.toml", tmp_path / "odd.html"
    odd.write_text('base = "standard"\n', encoding="utf-8")
    assert main(["compare", "standard", str(odd), *FEW, "--report", str(path)]) == 0
    html = path.read_text(encoding="utf-8")
    assert "<b>" not in html
    assert text_of(tree(html).find("body/main/header/h1")) == "standard or <b>&'\"x: which is better?"


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name != "matches"])
def test_a_page_shows_the_numbers_of_the_screen(name: str, page: str, capsys: Printed) -> None:
    shown = re.findall(r"[+-]?\d+\.\d+%?", answered(QUESTIONS[name], capsys).rpartition("euchre-lab")[0])
    assert shown
    told = text_of(tree(page).find("body/main"))
    assert [number for number in shown if number not in told] == []


@pytest.mark.parametrize("name", ["four", "three", "two", "bid"])
def test_the_verdict_comes_first_and_the_question_before_the_numbers(name: str, page: str, capsys: Printed) -> None:
    assert [text_of(heading) for heading in tree(page).iter("h2")] == [
        "What to do",
        "The question",
        "The numbers",
        "The charts",
        "How to read it",
        "What it does not say",
        "Where it comes from",
    ]
    words = [word for word in QUESTIONS[name] if word != "--where"]
    verdict = json.loads(answered([*words, "--format", "json"], capsys))["verdict"]["text"]
    section = next(each for each in tree(page).iter("section") if each.get("class") == "verdict")
    assert " ".join(text_of(each) for each in section.findall("p")) == verdict


def test_the_same_question_makes_the_same_page(folder: Path, tmp_path: Path) -> None:
    first = make_page("four", folder).read_text(encoding="utf-8")
    path = tmp_path / "four.html"
    main([*QUESTIONS["four"], "--workers", "1", "--report", str(path)])
    again = path.read_text(encoding="utf-8")
    command = re.compile(r'<div class="command">.*?</div>', re.DOTALL)
    assert command.sub("", again) == command.sub("", first)


def test_what_is_exact_is_said_to_be(folder: Path) -> None:
    counted = "Every way the unseen cards can lie was counted"
    assert counted in make_page("exact", folder).read_text(encoding="utf-8")
    assert counted not in make_page("two", folder).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "at"), [("equity", "At 0, 0, before"), ("below", "At 0, 0, before"), ("one", "Seats 1")]
)
def test_chances_are_told_from_the_start_of_a_game_or_from_the_score_asked(at: str, page: str) -> None:
    section = next(each for each in tree(page).iter("section") if each.get("class") == "verdict")
    assert text_of(section.find("p")).startswith(at)


# --- files ---


@pytest.mark.fast
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--report", "page.htm"], "expected a name that ends in .html"),
        (["--report", "folder.html"], "is a folder"),
        (
            ["--report", "none/page.html"],
            "cannot write --report none/page.html: there is no folder none; make it first",
        ),
        (["--report", "page.html", "--output", "page.html"], "give each a file of its own"),
    ],
)
def test_a_page_that_cannot_be_written_is_refused_before_any_work(
    words: list[str], said: str, tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.html").mkdir()
    for command in (QUESTIONS["four"], QUESTIONS["compare"], ["simulate"], ["equity"], QUESTIONS["sweep"]):
        assert said in refused([*command, *words], capsys)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.html"]


@pytest.mark.fast
def test_a_page_is_of_one_question(tmp_path: Path, capsys: Printed) -> None:
    questions = tmp_path / "many.jsonl"
    questions.write_text((json.dumps(position()) + "\n") * 2, encoding="utf-8")
    words = ["ask", "--position", str(questions), "--report", str(tmp_path / "page.html")]
    assert "--report shows one question" in refused(words, capsys)
    assert not (tmp_path / "page.html").exists()


def test_a_page_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")

    def stop(_page: Page) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("reports.pages.render.render", stop)
    assert main([*QUESTIONS["compare"], "--report", str(path)]) == 130
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


# --- how it looks, as far as numbers tell ---


def colours(css: str) -> dict[str, dict[str, str]]:
    """The named colours by day and by night."""
    day, night = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
        for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2]
    )
    return {"light": day, "dark": day | night}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 has it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.fast
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *((text, ground) for text in ("ink", "quiet", "red", "accent") for ground in ("paper", "panel")),
        *((text, "strong") for text in ("ink", "red")),
        *((text, "card") for text in ("card-black", "card-red")),
        ("ink", "felt"),
        ("ink", "chip"),
        ("quiet", "chip"),
        ("warn", "panel"),
    ],
)
def test_text_stands_out_from_what_is_behind_it(text: str, ground: str, scheme: str) -> None:
    named = colours((TEMPLATES / "style.css").read_text(encoding="utf-8"))[scheme]
    assert contrast(named[text], named[ground]) >= 4.5


@pytest.mark.fast
def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.fast
def test_a_style_names_every_colour_it_uses() -> None:
    css = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    assert set(re.findall(r"var\(--([\w-]+)\)", css)) == set(colours(css)["light"])
