"""What is drawn is what the numbers say, for every command and game; pictures are whole, and the same every time."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from analyzer.ask import Answer, Effort, ask
from analyzer.asked import position_from_options
from analyzer.cli import main
from analyzer.compare import CompareProvenance, CompareRow, Comparison, ranking_of
from analyzer.errors import RunError
from analyzer.estimates import wilson
from analyzer.matches import Matches, MatchProvenance, MatchRow
from analyzer.position_file import read_position
from analyzer.rules import GAMES, make_rules
from analyzer.simulate import SimulateProvenance, SimulateRow, Simulation
from analyzer.strategy import seat_players
from analyzer.sweep import Sweep, SweepProvenance, SweepRow
from reports.charts import calls, commands, files, options, points
from reports.charts.files import figure
from reports.charts.style import WIDTH, Chart, lines, name_text, on

Printed = pytest.CaptureFixture[str]
HAND = ["ask", "JH JD AH KH 9S", "--up", "QH", "--seat", "1", "--deals", "500"]
ABOUT = {"version": "0.1.0", "seed": 0}


def named(drawn: Figure, gid: str) -> list[Any]:
    """All that was drawn under this name, in the order in which it was drawn."""
    return drawn.findobj(lambda artist: artist.get_gid() == gid)


def places(drawn: Figure, gid: str = "mark") -> list[tuple[float, float]]:
    return [(float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in named(drawn, gid)]


def intervals(drawn: Figure) -> dict[float, tuple[float, float]]:
    """The ends of every interval by its row."""
    found = ((line.get_xdata(), line.get_ydata()) for line in named(drawn, "interval"))
    return {float(y): (float(low), float(high)) for (low, high), (y, _) in found}


def words(drawn: Figure) -> list[str]:
    """Every text that is seen."""
    found = [text.get_text().replace("\n", " ") for text in texts(drawn)]
    return [text for text in found if text]


def texts(drawn: Figure) -> list[Text]:
    return drawn.findobj(Text)


def is_full(mark: Line2D) -> bool:
    return mark.get_markerfacecolor() != "white"


# --- an answer ---


def option(name: str, behind: float, half: float, **fields: Any) -> dict[str, Any]:
    return {
        "option": name, "event": [1, name], "same": [], "deals": 1000, "points": 0.5 - behind, "points_se": 0.01,
        "difference": -behind, "difference_se": half / 2, "difference_low": -behind - half,
        "difference_high": half - behind, "win_game": None, "win_game_se": None, **fields,
    }  # fmt: skip


def answer(*rows: dict[str, Any], kind: str = "better", **about: Any) -> dict[str, Any]:
    verdict = {"kind": kind, "margin": 0.02, "decide_by": "points"}
    known = {"deals": 1000, "effective": 1000.0, "exact": False, "players": ["standard"] * 4, "play": "base", **ABOUT}
    return {"game": "four-handed", "options": list(rows), "verdict": verdict, "provenance": known | about}


def drawn_options(found: dict[str, Any]) -> Figure:
    return figure(options.chart(found, found["options"], [row["option"] for row in found["options"]], ["A finding."]))


BEST = option("order", 0.0, 0.0)


@pytest.mark.fast
def test_each_option_stands_where_its_difference_says_and_its_interval_ends_where_that_does() -> None:
    drawn = drawn_options(answer(BEST, option("pass", 0.3, 0.05), option("order alone", 0.8, 0.1)))
    assert places(drawn) == [(0.0, 0.0), (-0.3, 1.0), (-0.8, 2.0)]
    ends = intervals(drawn)
    assert ends.keys() == {1.0, 2.0}
    assert ends[1.0] == pytest.approx((-0.35, -0.25))
    assert ends[2.0] == pytest.approx((-0.9, -0.7))
    assert {"A finding.", "order", "pass", "order alone", "the best", "-0.30 ±0.05"} <= set(words(drawn))


@pytest.mark.fast
def test_the_ends_of_an_interval_are_seen_beside_a_mark_that_is_wider() -> None:
    drawn = drawn_options(answer(BEST, option("pass", 0.8, 1e-4)))
    (interval,) = named(drawn, "interval")
    assert interval.get_marker() == "|"
    assert all(interval.get_markersize() > 1.5 * mark.get_markersize() for mark in named(drawn, "mark"))


@pytest.mark.fast
def test_what_may_be_as_good_as_the_best_has_a_full_mark_and_what_is_worse_a_hollow_one() -> None:
    drawn = drawn_options(answer(BEST, option("pass", 0.01, 0.05), option("alone", 0.8, 0.1), kind="undecided"))
    assert [is_full(mark) for mark in named(drawn, "mark")] == [True, True, False]
    assert [mark.get_marker() for mark in named(drawn, "mark")] == ["D", "o", "o"]


@pytest.mark.fast
def test_no_option_is_drawn_as_worse_while_there_are_too_few_deals_for_a_verdict() -> None:
    drawn = drawn_options(answer(BEST, option("pass", 2.0, 0.0), kind="undecided", deals=2))
    assert all(is_full(mark) for mark in named(drawn, "mark"))
    assert any("Too few deals" in text for text in words(drawn))


@pytest.mark.fast
def test_by_chances_to_win_differences_are_in_games_of_a_hundred() -> None:
    rows = [option(name, behind, half, win_game=0.6 - behind, win_game_se=0.01) for name, behind, half in
            (("order", 0.0, 0.0), ("pass", 0.1, 0.02))]  # fmt: skip
    found = answer(*rows)
    found["verdict"] |= {"decide_by": "win", "margin": 0.0025}
    drawn = drawn_options(found)
    assert places(drawn)[1] == pytest.approx((-10.0, 1.0))
    assert intervals(drawn)[1.0] == pytest.approx((-12.0, -8.0))
    assert "-10 ±2" in words(drawn)


@pytest.mark.fast
def test_chances_to_win_are_drawn_best_first_whatever_decides() -> None:
    first = option("order", 0.0, 0.0, win_game=0.4, win_game_se=0.01)
    rows = [first, option("pass", 0.1, 0.0, win_game=0.7, win_game_se=0.0)]
    found = answer(*rows) | {"position": {"scores": [6, 8], "seat": 1}}
    chart = options.wins(found, rows, ["order", "pass"])
    assert chart.title == "From this score pass wins 70.0% of games, order 40.0%."
    drawn = figure(chart)
    assert places(drawn) == [pytest.approx((70.0, 0.0)), pytest.approx((40.0, 1.0))]
    assert intervals(drawn)[1.0] == pytest.approx((40 - 1.96, 40 + 1.96), abs=1e-3)


@pytest.mark.fast
def test_an_exact_answer_has_no_intervals_and_says_so() -> None:
    drawn = drawn_options(answer(BEST, option("pass", 0.3, 0.0), exact=True))
    assert not named(drawn, "interval")
    assert any("every deal was counted" in text for text in words(drawn))


@pytest.mark.fast
def test_an_only_option_and_fifty_have_a_row_each() -> None:
    assert places(drawn_options(answer(BEST, kind="only"))) == [(0.0, 0.0)]
    many = [option(f"keep {k}", k / 10, 0.05) for k in range(50)]
    drawn = drawn_options(answer(*many))
    assert len(places(drawn)) == 50
    assert drawn.get_figheight() > 15


@pytest.mark.fast
def test_bars_are_as_high_as_shares_and_what_is_lost_is_hatched() -> None:
    paid = {"order": [(-2.0, 0.25), (0.0, 0.25), (1.0, 0.5)], "pass": [(-2.0, 1.0)]}
    found = answer(BEST, option("pass", 2.0, 0.05))
    chart = points.chart(found, found["options"], ["order", "pass"], paid)
    assert chart.title == (
        "With order you gain points in 50% of deals and lose in 25%; with pass you gain points in 0.0% of deals and"
        " lose in 100.0%."
    )
    drawn = figure(chart)
    bars = named(drawn, "share")
    heights = np.array([abs(bar.get_height()) for bar in bars])
    assert heights / heights.max() == pytest.approx([0.25, 0.25, 0.5, 1.0])
    assert [bar.get_x() + bar.get_width() / 2 for bar in bars] == pytest.approx([-2, 0, 1, -2])
    assert [bool(bar.get_hatch()) for bar in bars] == [True, False, False, True]
    assert places(drawn, "mean") == [(0.5, 0.0), (-1.5, 1.0)]


@pytest.mark.fast
@pytest.mark.parametrize("n", [2, 7, 8])
def test_a_number_above_a_bar_stands_clear_of_the_row_above_it(n: int) -> None:
    names = [f"option {k}" for k in range(n)]
    rows = [BEST | {"option": name, "points": -2.0} for name in names]
    drawn = figure(points.chart(answer(*rows), rows, names, {name: [(-2.0, 0.99), (1.0, 0.01)] for name in names}))
    drawn.draw_without_rendering()
    means = [mark.get_window_extent().padded(drawn.dpi / 20) for mark in named(drawn, "mean")]
    numbers = [text.get_window_extent() for text in named(drawn, "number")]
    assert (len(means), len(numbers)) == (n, 2 * n)
    assert not [one for one in numbers for other in means if one.overlaps(other)]


@pytest.mark.fast
def test_options_that_come_out_alike_are_told_together() -> None:
    found = answer(BEST, option("alone", 0.0, 0.0))
    chart = points.chart(
        found, found["options"], ["order", "alone"], {name: [(1.0, 1.0)] for name in ("order", "alone")}
    )
    assert chart.title == "With order or alone you always gain points and never lose."


# --- a question asked in several ways ---


@pytest.mark.fast
@pytest.mark.parametrize("by_win", [False, True])
def test_each_way_of_asking_has_a_panel_with_what_the_options_are_worth_in_it(by_win: bool) -> None:
    def column(name: str, best: str, deals: int, **worths: float) -> dict[str, Any]:
        rows = [
            {"option": each, "points": worth, "points_se": 0.01, "win_game": worth / 10, "win_game_se": 0.001,
             "difference_high": worth - max(worths.values()) + 0.25}
            for each, worth in worths.items()
        ]  # fmt: skip
        verdict = {"best": best, "kind": "better", "decide_by": "win" if by_win else "points"}
        return {"column": name, "varies": "play", "play": name, "players": ["standard"], "deals": deals,
                "options": rows, "verdict": verdict}  # fmt: skip

    columns = [column("base", "order", 2000, order=0.5, leave=0.4), column("open", "leave", 200, leave=0.75, order=0.1)]
    (chart,) = commands.of_bracket({"columns": columns, "verdict": {"text": "It depends."}, "provenance": ABOUT})
    assert chart.title == "It depends."
    assert "2,000 deals, open 200" in chart.note
    drawn = figure(chart)
    scale = 10 if by_win else 1
    assert places(drawn) == [pytest.approx((scale * x, y)) for x, y in ((0.5, 0), (0.4, 1), (0.1, 0), (0.75, 1))]
    assert [mark.get_marker() for mark in named(drawn, "mark")] == ["D", "o", "o", "D"]
    assert [is_full(mark) for mark in named(drawn, "mark")] == [True, True, False, True]
    low, high = next(iter(intervals(drawn).values()))
    assert high - low == pytest.approx(scale * 2 * 1.96 * 0.01, abs=1e-3)
    assert {"base play", "open play", "order", "leave"} <= set(words(drawn))
    worths = {"5.0%", "4.0%", "1.0%", "7.5%"} if by_win else {"+0.50", "+0.40", "+0.10", "+0.75"}
    assert worths <= set(words(drawn)), "beside the marks"


# --- what deals pay, in every game ---

QUESTIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "two": ("two-handed", "JS 9H TH QH 9D", {"up": "AD"}),
    "three": ("three-handed", "JS AS KS 9D TD", {"up": "9S", "calls": "pass", "score": "6,8,3"}),
    "four, weighed": ("four-handed", "JS 9H TH QH 9D", {"up": "AD", "calls": "pass pass pass pass"}),
    "four, at a score": ("four-handed", "JH JD AH KH 9S", {"up": "QH", "score": "6,8"}),
    "bid": ("bid", "JH JD AH KH QH AS", {"calls": "3 pass"}),
}


def asked(game: str, hand: str, told: dict[str, Any], **effort: Any) -> Answer:
    rules = make_rules(GAMES[game])
    how = cast(Effort, {"deals": 400} | effort)
    return ask(position_from_options(rules, hand, **told), seat_players("standard", rules), **how)


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_deals_pay_has_the_mean_and_the_spread_that_the_answer_tells(question: str) -> None:
    found = asked(*QUESTIONS[question])
    for row in found.options:
        paid = found.paid[row.option]
        mean = sum(share * value for value, share in paid)
        assert sum(share for _, share in paid) == pytest.approx(1)
        assert mean == pytest.approx(row.points)
        assert [value for value, _ in paid] == sorted({value for value, _ in paid})
        if found.provenance.effective == found.provenance.deals:
            spread = sum(share * (value - mean) ** 2 for value, share in paid)
            assert (spread / found.provenance.deals) ** 0.5 == pytest.approx(row.points_se)


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_of_every_game_is_drawn_as_its_rows_say(question: str) -> None:
    found = asked(*QUESTIONS[question])
    charts = commands.of_answer(found, all_options=True)
    assert charts[0].title == " ".join(found.told.sentences)
    drawn = figure(charts[0])
    assert [x for x, _ in places(drawn)] == [row.difference for row in found.options]
    for y, (low, high) in intervals(drawn).items():
        row = found.options[round(y)]
        assert (low, high) == (row.difference_low, row.difference_high)
    assert len(charts) == 2
    assert figure(*charts).get_figheight() == pytest.approx(sum(chart.height for chart in charts))


def test_what_deals_pay_is_counted_too_where_every_deal_is() -> None:
    read = json.loads((Path(__file__).parent / "data" / "in_play.json").read_text())["four, a card to follow with"]
    position = read_position(read)
    found = ask(position, seat_players("standard", position.rules))
    assert found.provenance.exact
    for row in found.options:
        assert sum(share for _, share in found.paid[row.option]) == pytest.approx(1, abs=1e-12)
        assert sum(share * value for value, share in found.paid[row.option]) == pytest.approx(row.points, abs=1e-12)
    drawn = figure(*commands.of_answer(found))
    assert len(places(drawn)) == len(found.options)
    assert not named(drawn, "interval")


def test_the_json_of_an_answer_is_as_it_was() -> None:
    assert "paid" not in asked(*QUESTIONS["two"]).json()


# --- what is best at every score ---


def scored(n_sides: int, told: list[int] | None) -> dict[str, Any]:
    """An answer in which to pass is best behind and to order ahead."""
    scores = np.indices((3,) * n_sides).reshape(n_sides, -1).T.tolist()
    rows = [
        {"scores": each, "best": "order" if each[0] >= each[1] else "pass", "win_game": 0.5,
         "ahead": 0.001 if each[0] == 2 else 0.1} for each in scores
    ]  # fmt: skip
    position = {"seat": 1} | ({"scores": told} if told else {})
    return answer(BEST, option("pass", 0.3, 0.05)) | {"scores": rows, "position": position}


@pytest.mark.fast
def test_the_map_has_the_letter_of_the_best_option_at_every_score() -> None:
    chart = calls.chart(scored(2, [1, 2]))
    assert chart.title == "To win the game: order at 6, pass at 3 of 9 scores."
    drawn = figure(chart)
    shown = {
        (text.get_position()[1], text.get_position()[0]): text.get_text()
        for text in texts(drawn)
        if text.get_text() in ("A", "B", "a", "b") and text.get_position() != (16, 0)  # not those of the key
    }
    assert shown == {
        (down, across): "a" if down == 2 else "A" if down >= across else "B" for down in range(3) for across in range(3)
    }
    (frame,) = named(drawn, "told")
    assert (frame.get_y() + frame.get_height() / 2, frame.get_x() + frame.get_width() / 2) == pytest.approx((1, 2))


@pytest.mark.fast
def test_with_three_players_the_map_is_that_of_the_own_score() -> None:
    chart = calls.chart(scored(3, [2, 0, 1]))
    assert chart.title == "To win the game with 2 points: order at every score."
    assert "points of the next player" in words(figure(chart))
    assert not named(figure(calls.chart(scored(2, None))), "told")


# --- rates by seat ---


def seat_row(seat: int, call: str, calls_made: int, made: int, march: int) -> SimulateRow:
    share = [count / calls_made if calls_made else None for count in (made, march, calls_made - made)]
    ses = [None if each is None else (each * (1 - each) / calls_made) ** 0.5 for each in share]
    none = None if not calls_made else 0.1
    return SimulateRow(
        "four-handed", "standard,standard", "standard", seat, call, 100, calls_made, calls_made / 100,
        share[0], ses[0], share[1], ses[1], share[2], ses[2], none, none, none,
    )  # fmt: skip


def simulation(*rows: SimulateRow) -> Simulation:
    about = SimulateProvenance("0.1.0", 0, 100, ["standard"] * 2, interrupted=False, seconds=0.1)
    return Simulation("four-handed", {}, list(rows), 0.1, 0.0, about)


SEATS = simulation(
    seat_row(1, "all", 40, 30, 10), seat_row(1, "order", 40, 30, 10), seat_row(1, "name", 0, 0, 0),
    seat_row(2, "all", 0, 0, 0), seat_row(2, "order", 0, 0, 0), seat_row(2, "name", 0, 0, 0),
)  # fmt: skip


@pytest.mark.fast
def test_rates_by_seat_are_those_of_the_rows_with_wilsons_intervals() -> None:
    chart, _ = commands.of_simulation(SEATS)
    assert chart.title == "Seat 1 makes most of what it calls: 75%."
    drawn = figure(chart)
    assert places(drawn) == [pytest.approx((share, 0.0)) for share in (75, 25, 25)]
    ends = [tuple(map(float, line.get_xdata())) for line in named(drawn, "interval")]
    expected = [wilson(share, 40) for share in (0.75, 0.25, 0.25)]
    assert ends == [pytest.approx((100 * each.low, 100 * each.high)) for each in expected]


@pytest.mark.fast
def test_a_seat_that_never_calls_has_no_mark_and_its_calls_say_never() -> None:
    _, chart = commands.of_simulation(SEATS)
    drawn = figure(chart)
    assert [bar.get_width() for bar in named(drawn, "share")] == pytest.approx([40, 0, 0, 0])
    assert words(drawn).count("never") == 3
    nobody = simulation(*(seat_row(row.seat, row.call, 0, 0, 0) for row in SEATS.rows))
    assert commands.of_simulation(nobody)[0].title == "Nobody called."
    assert not named(figure(*commands.of_simulation(nobody)), "mark")


# --- whole games ---


def matches(*wins: float, scores: Sequence[list[list[int]]]) -> Matches:
    names = ",".join(["standard"] * len(wins))
    rows = [
        MatchRow("two-handed", names, "standard", k, 50, 50 * share, share, 0.01, 8.0)
        for k, share in enumerate(wins, 1)
    ]
    ends = [{"players": [k], "scores": each} for k, each in enumerate(scores, 1)]
    about = MatchProvenance("0.1.0", 0, 50, 400, ["standard"] * len(wins), interrupted=False, seconds=1.0)
    return Matches("two-handed", {}, rows, ends, 0, about)


@pytest.mark.fast
def test_games_won_and_final_scores_are_those_of_the_rows() -> None:
    found = matches(0.9, 0.1, scores=[[[-3, 5], [10, 45]], [[10, 5], [4, 45]]])
    wins, scores = commands.of_matches(found)
    assert wins.title == "Player 1 (standard) wins 90% of games."
    drawn = figure(wins)
    assert places(drawn) == [pytest.approx((90.0, 0.0)), pytest.approx((10.0, 1.0))]
    sure = wilson(0.9, 50)
    assert intervals(drawn)[0.0] == pytest.approx((100 * sure.low, 100 * sure.high))
    drawn = figure(scores)
    bars = named(drawn, "share")
    heights = [abs(bar.get_height()) for box in bars for bar in getattr(box, "patches", [box])]
    assert np.array(heights) * 45 / max(heights) == pytest.approx([5, 45, 5, 45])
    assert places(drawn, "mean") == [pytest.approx((8.7, 0.0)), pytest.approx((4.6, 1.0))]


@pytest.mark.fast
def test_a_lead_that_is_not_shown_is_not_told() -> None:
    found = matches(0.52, 0.48, scores=[[[10, 26], [5, 24]], [[10, 24], [5, 26]]])
    assert commands.of_matches(found)[0].title == "Nobody is shown to win more than his share, 50.0% of games."


# --- strategies against each other ---


def comparison(*rows: CompareRow) -> Comparison:
    names = list(dict.fromkeys(name for row in rows for name in (row.strategy, row.against)))
    about = CompareProvenance("0.1.0", 0, 1000, 2, 10, names, 0.02, 0.95, interrupted=False, seconds=1.0)
    return Comparison("four-handed", {}, list(rows), ranking_of(names, rows), about)


def pair(one: str, other: str, gain: float, half: float, verdict: Any, rate: float | None = None) -> CompareRow:
    rates = (rate, None if rate is None else 0.01)
    return CompareRow("four-handed", one, other, 1000, gain, half / 2, gain - half, gain + half, verdict, *rates)


@pytest.mark.fast
def test_each_pair_stands_where_its_points_say_with_a_mark_and_a_word_for_its_verdict() -> None:
    found = comparison(
        pair("a", "b", 0.1, 0.01, "better"), pair("a", "c", -0.1, 0.02, "worse"), pair("b", "c", 0.0, 0.01, "equal"),
        pair("b", "d", 0.0, 0.2, "undecided"),
    )  # fmt: skip
    (chart,) = commands.of_comparison(found)
    assert chart.title == " ".join(found.ranking)
    drawn = figure(chart)
    assert [x for x, _ in places(drawn)] == [row.points for row in found.rows]
    assert list(intervals(drawn).values()) == [(row.points_low, row.points_high) for row in found.rows]
    assert [mark.get_marker() for mark in named(drawn, "mark")] == [">", "<", "s", "o"]
    assert {row.verdict for row in found.rows} <= set(words(drawn))


@pytest.mark.fast
def test_whole_games_of_a_pair_have_a_chart_of_their_own() -> None:
    found = comparison(pair("a", "b", 0.1, 0.01, "better", 0.55))
    _, chart = commands.of_comparison(found)
    assert chart.title == "Of whole games a wins 55% against b."
    drawn = figure(chart)
    assert places(drawn) == [pytest.approx((55.0, 0.0))]
    assert intervals(drawn)[0.0] == pytest.approx((55 - 1.96, 55 + 1.96), abs=1e-3)


@pytest.mark.fast
def test_the_title_of_whole_games_tells_of_every_pair_or_how_far_apart_they_are() -> None:
    three = [
        pair("a", "b", 0, 1, "equal", 0.55),
        pair("a", "c", 0, 1, "equal", 0.6),
        pair("b", "c", 0, 1, "equal", 0.5),
    ]
    _, chart = commands.of_comparison(comparison(*three))
    assert chart.title == "Of whole games a wins 55% against b and 60% against c; b wins 50% against c."
    many = [pair("a", f"b{k}", 0, 1, "equal", 0.5 + 0.01 * k) for k in range(8)]
    _, chart = commands.of_comparison(comparison(*many))
    assert chart.title == (
        "Whole games that the first of each pair wins: a against b7 57%, the most; a against b0 50%, the fewest."
    )


# --- one number over a range ---


def sweep(values: Sequence[float | str], behind: Sequence[float], best: list[float | str]) -> Sweep:
    rows = [
        SweepRow(
            "bid", "call.order.seat1", value, 1000, 0.1 - less, 0.01, -less, -less - 0.01, 0.01 - less, None, None, 0.0
        )
        for value, less in zip(values, behind, strict=True)
    ]
    about = SweepProvenance("0.1.0", 0, 1000, "standard", "standard", 0.02, 0.95, interrupted=False, seconds=1.0)
    return Sweep("bid", {}, rows, best, "Best is 7.", about)


@pytest.mark.fast
def test_a_curve_and_its_band_go_through_the_rows_in_the_order_of_the_values() -> None:
    found = sweep([9, 7, 5], [0.005, 0.0, 0.3], [7, 9])
    (chart,) = commands.of_sweep(found)
    assert chart.title == "Best is 7."
    drawn = figure(chart)
    (curve,) = named(drawn, "curve")
    assert list(curve.get_xdata()) == [5, 7, 9]
    assert list(curve.get_ydata()) == [-0.3, 0.0, -0.005]
    (band,) = cast(list[PolyCollection], named(drawn, "band"))
    corners = np.round(np.asarray(band.get_paths()[0].vertices, np.float64), 6).tolist()
    ends = {(x, y) for x, y in corners}
    assert ends == {(5, -0.31), (5, -0.29), (7, -0.01), (7, 0.01), (9, -0.015), (9, 0.005)}
    marks = {
        x: (mark.get_marker(), is_full(mark)) for mark, (x, _) in zip(named(drawn, "mark"), places(drawn), strict=True)
    }
    assert marks == {5: ("o", False), 7: ("D", True), 9: ("o", True)}


@pytest.mark.fast
def test_values_that_are_words_and_a_single_one_are_rows() -> None:
    drawn = figure(*commands.of_sweep(sweep(["bid", "value"], [0.0, 0.3], ["bid"])))
    assert places(drawn) == [(0.0, 0.0), (-0.3, 1.0)]
    assert {"bid", "value", "the best"} <= set(words(drawn))
    assert places(figure(*commands.of_sweep(sweep([7], [0.0], [7])))) == [(0.0, 0.0)]


# --- chances to win ---


def equity(n_sides: int, low: int = 0) -> dict[str, Any]:
    scores = (np.indices((3,) * n_sides).reshape(n_sides, -1).T + low).tolist()
    rows = [
        {"players": "standard", "scores": each, "seats": [side + 1], "dealer": side == n_sides - 1,
         "win_game": (each[side] - low + 1) / (sum(each) - n_sides * low + n_sides)}
        for each in scores for side in range(n_sides)
    ]  # fmt: skip
    return {"game": "two-handed", "rules": {}, "rows": rows, "provenance": {"deals": 1_000_000, **ABOUT}}


@pytest.mark.fast
@pytest.mark.parametrize(("n_sides", "low"), [(2, 0), (2, -2), (3, 0)])
def test_each_cell_is_the_chance_at_its_score_for_every_side(n_sides: int, low: int) -> None:
    charts = commands.of_equity(equity(n_sides, low))
    assert len(charts) == n_sides
    even = f"{100 / n_sides:.1f}%"
    assert (
        charts[-1].title
        == f"Seat {n_sides} (deals) wins {even} of games from 0 to 0, {even} from {2 + low} to {2 + low}."
    )
    for chart in charts:
        shown = {
            (round(text.get_position()[1]), round(text.get_position()[0])): text.get_text()
            for text in texts(figure(chart))
            if re.fullmatch(r"\d+\.\d", text.get_text())
        }
        assert shown == {
            (own, other): f"{100 * (own + 1) / (own + 1 + (n_sides - 1) * (other + 1)):.1f}"
            for own in range(3)
            for other in range(3)
        }


@pytest.mark.fast
def test_one_score_is_a_row_for_each_side() -> None:
    found = equity(3)
    found["rows"] = [row for row in found["rows"] if row["scores"] == [2, 0, 1]]
    (chart,) = commands.of_equity(found, is_one=True)
    assert chart.title == "At 2 to 0 to 1 seat 1 wins 50.0% of games."
    drawn = figure(chart)
    assert [x for x, _ in places(drawn)] == pytest.approx([50, 100 / 6, 100 / 3])
    half = 100 * 1.96 * 1.3 / 1000
    assert intervals(drawn)[0.0] == pytest.approx((50 - half, 50 + half), abs=1e-3)


# --- pictures ---


def small(text: str = "Order it up.") -> Chart:
    def draw(part: SubFigure) -> None:
        part.subplots().set_xlabel("points")

    return Chart(text, "n = 10 deals.", 1.0, draw)


@pytest.mark.fast
def test_a_figure_is_seven_inches_wide_and_every_word_in_it_nine_points_at_least() -> None:
    drawn = figure(small(), *commands.of_simulation(SEATS), *commands.of_equity(equity(3)))
    assert drawn.get_figwidth() == WIDTH == 7.0
    assert min(float(text.get_fontsize()) for text in texts(drawn)) >= 9


@pytest.mark.fast
@pytest.mark.parametrize(
    ("ending", "first"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF"), ("PNG", b"\x89PNG")]
)
def test_a_picture_is_of_the_kind_that_its_ending_says_and_the_same_every_time(
    ending: str, first: bytes, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{name}.{ending}" for name in "ab"]
    for path in paths:
        files.write(figure(small()), path)
    one, other = (path.read_bytes() for path in paths)
    assert one.startswith(first)
    assert one == other


@pytest.mark.fast
def test_the_picture_does_not_hang_on_the_users_settings_and_leaves_them_alone() -> None:
    plain = files.svg(figure(small()), "one")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path"}):
        assert files.svg(figure(small()), "one") == plain
        assert mpl.rcParams["font.size"] == 30


@pytest.mark.fast
def test_an_svg_for_a_page_keeps_its_text_and_every_id_in_it_has_its_name() -> None:
    text = files.svg(figure(small("Pass, $5 is $6: <b>")), "first")
    assert text.startswith('<svg role="img"')
    assert "Pass, $5 is $6: &lt;b&gt;" in text
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert ids
    assert all(each.startswith("first-") for each in ids)
    assert {each for pair in re.findall(r'url\(#([^)]*)\)|href="#([^"]*)"', text) for each in pair if each} <= set(ids)
    assert "<dc:date>" not in text


@pytest.mark.fast
def test_a_name_of_any_length_or_script_is_drawn(tmp_path: Path) -> None:
    found = comparison(pair("x" * 300, "策略 $a$ _b_", 0.1, 0.01, "better"))
    files.write(figure(*commands.of_comparison(found)), tmp_path / "a.png")
    assert max(map(len, name_text("a rather long name of a strategy of mine " * 9).splitlines())) <= 27
    assert len(lines("word " * 1000, 11.0)) == 6


@pytest.mark.fast
def test_a_picture_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot write"):
        files.write(figure(small()), tmp_path / "gone" / "a.png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.fast
@pytest.mark.parametrize("color", ["#000000", "#0072b2", "#7d7c78", "#e69f00", "#ffffff", "#f0e442"])
def test_words_on_a_colour_can_be_read(color: str) -> None:
    red, green, blue = (int(color[k : k + 2], 16) / 255 for k in (1, 3, 5))
    light = sum(
        weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
        for weight, part in zip((0.2126, 0.7152, 0.0722), (red, green, blue), strict=True)
    )
    contrast = (1.05 if on(color) == "white" else light + 0.05) / (light + 0.05 if on(color) == "white" else 0.05)
    assert contrast >= 4.5


# --- the commands ---

COMMANDS: dict[str, list[str]] = {
    "ask": HAND,
    "simulate": ["simulate", "--deals", "100"],
    "simulate two": ["simulate", "-g", "two", "--deals", "100"],
    "simulate three": ["simulate", "-g", "three", "--deals", "100", "--players", "bold,standard,cautious"],
    "simulate bid": ["simulate", "-g", "bid", "--deals", "100"],
    "matches": ["simulate", "--matches", "5"],
    "compare": ["compare", "standard", "bold", "--deals", "200", "--matches", "5"],
    "sweep": ["sweep", "--vary", "call.order.seat1=5:9:2", "--deals", "200"],
    "sweep a rule": ["sweep", "-g", "bid", "--vary", "rule.failed_alone=bid,value", "--deals", "200"],
    "equity": ["equity", "--deals", "2000"],
    "equity two": ["equity", "-g", "two", "--deals", "2000", "--score", "3,4"],
    "equity three": ["equity", "-g", "three", "--deals", "2000"],
    "equity bid": ["equity", "-g", "bid", "--deals", "2000"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_plot_draws_what_is_printed_and_changes_nothing_that_is(name: str, tmp_path: Path, capsys: Printed) -> None:
    path = tmp_path / "a.svg"
    assert main(COMMANDS[name]) == 0
    plain = capsys.readouterr().out
    assert main([*COMMANDS[name], "--plot", str(path)]) == 0
    printed = capsys.readouterr().out
    assert re.sub(r"[\d.]+ s$", "", printed, flags=re.MULTILINE) == re.sub(r"[\d.]+ s$", "", plain, flags=re.MULTILINE)
    assert "</svg>" in path.read_text()
    assert list(tmp_path.iterdir()) == [path]


def refused(args: list[str], capsys: Printed) -> str:
    assert main(args) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


@pytest.mark.parametrize("name", ["ask", "simulate", "compare", "sweep", "equity"])
def test_a_picture_that_could_not_be_is_refused_before_the_work(name: str, tmp_path: Path, capsys: Printed) -> None:
    command = COMMANDS[name]
    for ending in ("a.jpg", "a", "a.png.txt"):
        assert "ends in .png, .svg or .pdf" in refused([*command, "--plot", str(tmp_path / ending)], capsys)
    missing = refused([*command, "--plot", str(tmp_path / "none" / "a.png")], capsys)
    assert f"there is no folder {tmp_path / 'none'}; make it first" in missing
    folder = tmp_path / "b.png"
    folder.mkdir()
    assert "is a folder" in refused([*command, "--plot", str(folder)], capsys)
    same = str(tmp_path / "c.svg")
    assert "are both" in refused([*command, "--plot", same, "--output", same], capsys)
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("name", ["simulate", "compare", "sweep"])
def test_what_a_run_goes_on_from_is_not_drawn_over(name: str, tmp_path: Path, capsys: Printed) -> None:
    same = str(tmp_path / "c.svg")
    assert "--resume and --plot are both" in refused([*COMMANDS[name], "--plot", same, "--resume", same], capsys)


def test_a_home_without_room_for_fonts_is_no_matter(tmp_path: Path) -> None:
    (tmp_path / "full").touch()
    home = os.environ | {"MPLCONFIGDIR": str(tmp_path / "full" / "none")}
    code = "import sys; from analyzer.cli import main; sys.exit(main())"
    words = ["simulate", "--deals", "100", "--plot", str(tmp_path / "a.png")]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, env=home, check=False)
    assert (done.returncode, done.stderr) == (0, f"Wrote {words[-1]}.\n")
    assert (tmp_path / "a.png").exists()


def test_other_files_of_simulate_are_not_drawn_over(tmp_path: Path, capsys: Printed) -> None:
    same = str(tmp_path / "c.svg")
    assert "--records and --plot are both" in refused(
        [*COMMANDS["simulate"], "--plot", same, "--records", same], capsys
    )


def test_one_answer_is_drawn_and_no_more(tmp_path: Path, capsys: Printed) -> None:
    plot = ["--plot", str(tmp_path / "a.png")]
    assert main([*HAND, "--format", "json"]) == 0
    positions = tmp_path / "two.jsonl"
    positions.write_text(capsys.readouterr().out * 2)
    assert "has 2" in refused(["ask", "--position", str(positions), *plot], capsys)


def test_ctrl_c_while_it_is_drawn_leaves_the_table_and_no_picture(
    tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "_saved", interrupted)
    assert main([*HAND, "--plot", str(tmp_path / "a.png")]) == 130
    printed = capsys.readouterr()
    assert "order alone" in printed.out
    assert "Stopped before the chart was drawn." in printed.err
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_costs_the_picture_and_not_the_table(
    tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> bytes:
        (tmp_path / "gone").rmdir()
        return b""

    (tmp_path / "gone").mkdir()
    monkeypatch.setattr(files, "_saved", full)
    assert main([*HAND, "--plot", str(tmp_path / "gone" / "a.png")]) == 1
    printed = capsys.readouterr()
    assert "order alone" in printed.out
    assert "cannot write" in printed.err
    assert list(tmp_path.iterdir()) == []
