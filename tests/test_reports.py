import csv
import io
import json
from typing import Any

import pytest

from analyzer.simulate import SimulateProvenance, SimulateRow, Simulation
from analyzer.sweep import Sweep, SweepProvenance, SweepRow
from analyzer.verdicts import Told
from reports.batches import sweep_table
from reports.frames import csv_text, flattened, frame_of
from reports.hands import result_text
from reports.standings import letter_of, shown_scores
from reports.tables import best_suits, print_answer, print_games, print_numbers, print_simulation, provenance_text
from reports.text import (
    cards_text,
    count_text,
    decimals,
    difference_text,
    percent_text,
    plain_console,
    players_text,
    plural,
    points_text,
    seconds_text,
)


@pytest.mark.parametrize(
    ("error", "shown"),
    [(0.5, 1), (0.1, 1), (0.099, 2), (0.02, 2), (0.005, 3), (0.00012, 4), (1e-9, 4), (3.0, 0), (0.0, 4)],
)
def test_the_first_digit_of_the_error_is_the_last_one_shown(error: float, shown: int) -> None:
    assert decimals(error) == shown


@pytest.mark.parametrize(
    ("points", "error", "text"),
    [
        (0.5512345, 0.005, "+0.551"),
        (-0.5512345, 0.02, "-0.55"),
        (-0.0004, 0.02, "+0.00"),
        (1.25, 0.0, "+1.2500"),
        (None, None, "-"),
    ],
)
def test_points_have_a_sign_and_no_more_digits_than_they_are_worth(
    points: float | None, error: float | None, text: str
) -> None:
    assert points_text(points, error) == text


def test_a_difference_shows_half_its_interval_if_it_has_one() -> None:
    assert difference_text(-0.3123, -0.3123, -0.3123) == "-0.3123"
    assert difference_text(-0.3123, -0.3346, -0.29) == "-0.31 ±0.02"
    assert difference_text(-0.0004, -0.0204, 0.0196) == "+0.00 ±0.02"
    assert difference_text(0.0, 0.0, 0.0) == ""
    assert difference_text(-1.0, -1.0, -1.0, n=2) == "-1"


@pytest.mark.parametrize(
    ("share", "error", "n", "text"),
    [
        (0.8123, 0.001, None, "81.2%"),
        (0.8123, 0.02, None, "81%"),
        (0.8123, None, 100, "81%"),
        (0.8123, None, 200_000, "81.2%"),
        (0.0, None, 10, "0%"),
        (1.0, 0.0, 2, "100%"),
        (1.0, 0.0, 20_000, "100.0%"),
        (None, None, None, "-"),
    ],
)
def test_a_share_is_cut_to_its_error(share: float | None, error: float | None, n: int | None, text: str) -> None:
    assert percent_text(share, error, n) == text


def test_counts_times_and_players_read_like_sentences() -> None:
    assert count_text(200_000) == "200,000"
    assert [plural(1, "deal"), plural(2, "deal"), plural(2, "die", "dice")] == ["1 deal", "2 deals", "2 dice"]
    assert [seconds_text(s) for s in (0.04, 9.9, 9.96, 61.2, 200)] == [
        "0.0 s",
        "9.9 s",
        "10 s",
        "1 min 1 s",
        "3 min 20 s",
    ]
    assert players_text(["bold", "bold"]) == "bold players"
    assert players_text(["bold", "standard"]) == "players bold, standard"


def test_cards_in_a_pipe_are_letters() -> None:
    assert cards_text("JO JH 9S", plain_console()).plain == "JO JH 9S"
    assert cards_text(None, plain_console()).plain == "?"


def test_cells_of_csv_are_those_of_json_flattened() -> None:
    row: dict[str, Any] = {
        "event": [1, "bid", 4],
        "same": [],
        "is": True,
        "none": None,
        "points": 0.1 + 0.2,
        "big": 2**60,
        "result": {"trump": "D", "alone": [1, 3]},
    }
    assert flattened(row)["result.alone"] == "1 3"
    assert csv_text([row]) == (
        "event,same,is,none,points,big,result.trump,result.alone\n"
        "1 bid 4,,true,,0.30000000000000004,1152921504606846976,D,1 3\n"
    )


def test_a_whole_number_stays_whole_beside_an_empty_cell() -> None:
    assert csv_text([{"a": 1, "b": None}, {"a": None, "b": 2}]) == "a,b\n1,\n,2\n"


def test_a_column_of_some_rows_stands_where_they_have_it() -> None:
    rows = [{"option": "pass", "points": 1}, {"option": "3 hearts", "trump": "H", "points": 2}]
    assert list(frame_of(rows).columns) == ["option", "trump", "points"]


def test_a_table_that_a_row_does_not_have_is_empty_cells() -> None:
    rows: list[dict[str, Any]] = [{"line": 1, "result": None}, {"line": 2, "result": {"trump": "D"}}]
    assert csv_text(rows, ["line", "result"]) == "line,result.trump\n1,\n2,D\n"


def test_columns_are_there_without_rows() -> None:
    assert csv_text([], ["game", "seat"]) == "game,seat\n"


def test_csv_reads_back_to_the_same_doubles() -> None:
    rows = [{"x": 1 / 3}, {"x": 1e-17}, {"x": 123456789.123456789}]
    read = csv.DictReader(io.StringIO(csv_text(rows)))
    assert [float(row["x"]) for row in read] == [row["x"] for row in json.loads(json.dumps(rows))]


def option(name: str, points: float, **fields: Any) -> dict[str, Any]:
    shares = dict.fromkeys(("march", "euchred", "other_made", "other_euchred", "thrown_in"), 0.1234)
    best = {"difference": 0.0, "difference_low": 0.0, "difference_high": 0.0}
    return {
        "option": name, "event": [1, name], "same": [], "deals": 200_000, "points": points, "points_se": 0.002,
        **best, "made": 0.5, "made_low": 0.498, "made_high": 0.502, **shares, "win_game": None, **fields,
    }  # fmt: skip


def answer(*options: dict[str, Any]) -> dict[str, Any]:
    provenance = {
        "version": "0.1.0",
        "seed": 0,
        "deals": 200_000,
        "drawn": 812_345,
        "players": ["standard"] * 4,
        "seconds": 0.41,
    }
    return {
        "position": {"seat": 1},
        "options": list(options),
        "verdict": {"text": "Order it up: sure.", "decide_by": "points"},
        "provenance": provenance,
    }


def printed(found: dict[str, Any], **how: Any) -> list[str]:
    console = plain_console()
    with console.capture() as text:
        print_answer(found, console, **how)
    return text.get().splitlines()


def test_an_answer_is_a_table_a_sentence_and_a_line_of_provenance_in_80_columns() -> None:
    worst = {"difference": -1.2345, "difference_low": -1.2391, "difference_high": -1.2299}
    lines = printed(answer(option("order alone", 0.5512), option("diamonds alone", -0.68, **worst)))
    assert max(map(len, lines)) <= 80
    assert lines[-3] == "Order it up: sure."
    assert lines[-2:] == ["euchre-lab 0.1.0, seed 0, 200,000 deals of 812,345 dealt, standard players,", "0.4 s"]
    assert any(line.startswith("order alone") and "+0.551" in line and "50.0%" in line for line in lines)
    assert any(line.startswith("diamonds alone") and "-1.234 ±0.005" in line for line in lines)


def test_a_gap_that_is_the_same_in_all_deals_has_the_digits_of_the_points_beside_it() -> None:
    sure = {"difference": -2.0, "difference_low": -2.0, "difference_high": -2.0}
    lines = printed(answer(option("order alone", 2.5512), option("pass", 0.5512, **sure)))
    assert any(line.startswith("pass") and " -2.000 " in line for line in lines)


def test_with_a_score_the_chance_to_win_the_game_stands_beside_the_points_in_80_columns() -> None:
    worst = {"difference": -0.0345, "difference_low": -0.0391, "difference_high": -0.0299}
    wins = {"win_game": 0.6123, "win_game_se": 0.001}
    found = answer(option("order alone", 0.5512, **wins), option("diamonds alone", -0.68, **worst, **wins))
    lines = printed(found)
    assert max(map(len, lines[:-2])) <= 80
    assert any(line.startswith("order alone") and " 61.2% " in line and "+0.551" in line for line in lines)
    found["verdict"]["decide_by"] = "win"
    assert any(line.startswith("diamonds alone") and " -3.5 ±0.5 " in line for line in printed(found))
    assert "Behind in" in printed(found)[0]


@pytest.mark.parametrize(
    ("totals", "shown"),
    [
        (range(10), list(range(10))),
        (range(-32, 32), [-8, -4, 0, 4, 8, 12, 16, 20, 24, 28, 31]),
        (range(-52, 52), [-14, -7, 0, 7, 14, 21, 28, 35, 42, 49, 51]),
        (range(100), [0, 13, 26, 39, 52, 65, 78, 91, 99]),
    ],
)
def test_no_more_scores_are_shown_than_fit_side_by_side(totals: range, shown: list[int]) -> None:
    assert shown_scores(totals) == shown


def test_options_beyond_the_alphabet_have_two_letters() -> None:
    assert [letter_of(place) for place in (0, 25, 26, 51, 52)] == ["A", "Z", "AA", "AZ", "BA"]


def test_of_bids_the_best_suit_of_each_level_is_shown_unless_all_are_wanted() -> None:
    options = [
        option("3 hearts", 1.0, event=[1, "bid", 3], trump="H"),
        option("pass", 0.9),
        option("3 spades", 0.8, event=[1, "bid", 3], trump="S"),
        option("ask spades", 0.7, event=[1, "bid", "ask"], trump="S"),
        option("hearts", 0.6, event=[1, "trump", "H"]),
        option("clubs", 0.5, event=[1, "trump", "C"]),
    ]
    assert [each["option"] for each in best_suits(options)] == ["3 hearts", "pass", "ask spades", "hearts", "clubs"]
    assert not any("3 spades" in line for line in printed(answer(*options)))
    assert any("--all-options" in line for line in printed(answer(*options)))
    assert any("3 spades" in line for line in printed(answer(*options), all_options=True))


def test_a_bid_that_the_sentence_names_has_a_row() -> None:
    names = ["moon hearts", "moon diamonds", "moon clubs", "pass"]
    found = answer(*(option(name, 1.0, event=[1, "bid", "moon"], trump="H") for name in names[:3]), option("pass", 0.9))
    told = Told(["Bid moon hearts: 11 more than to bid moon diamonds."], ["moon hearts", "moon diamonds"], {})
    lines = printed(found, told=told)
    assert [line for line in names if any(row.startswith(line) for row in lines)] == [*names[:2], "pass"]
    assert "The best suit of each level, and those named; --all-options shows every one." in lines


def test_a_handful_of_deals_that_came_out_alike_has_no_decimals() -> None:
    assert points_text(1.0, 0.0, 2) == "+1"
    assert points_text(1.0, 0.0, 100_000) == "+1.0000"
    few = answer(option("order", 1.0, points_se=0.0, deals=2), option("pass", 1.0, points_se=0.0, deals=2))
    assert [line.split() for line in printed(few) if line.startswith("pass")] == [
        ["pass", "+1", "0", "50%", "12%", "12%", "12%", "12%", "12%"]
    ]


@pytest.mark.fast
def test_no_zero_has_a_minus() -> None:
    assert points_text(-0.001, 0.1) == "+0.0"
    assert difference_text(-0.001, -0.011, 0.009) == "+0.00 ±0.01"
    assert difference_text(-0.011, -0.021, -0.001) == "-0.01 ±0.01"


def test_a_column_has_the_digits_of_its_least_certain_number() -> None:
    lines = printed(answer(option("order", 1.0, points_se=0.0001), option("pass", 0.5, points_se=0.02)))
    assert [line.split()[1] for line in lines if line.startswith(("order", "pass"))] == ["+1.00", "+0.50"]


def test_each_sentence_under_an_answer_is_wrapped_by_words() -> None:
    sentences = ["Order it up: +1.00 points a deal, " + "as told " * 12 + "here.", "To win the game, pass is better."]
    lines = printed(answer(option("order", 1.0)), told=Told(sentences, ["order"], {"order": "order it"}))
    assert max(map(len, lines)) <= 80
    first = next(k for k, line in enumerate(lines) if line.startswith("Order it up"))
    assert " ".join(line.strip() for line in lines[first : first + 2]) == sentences[0]
    assert lines[first + 2] == sentences[1]
    assert any(line.startswith("order it +1.000") for line in lines)


def test_cards_that_are_equals_stand_in_one_row_behind_one_verb() -> None:
    assert any(
        line.startswith("discard QC, KC, AC ")
        for line in printed(answer(option("discard QC", 0.5, same=["discard KC", "discard AC"])))
    )
    assert any(line.startswith("9C, TC ") for line in printed(answer(option("9C", 0.5, same=["TC"]))))


def test_provenance_says_how_many_worlds_were_drawn_only_if_some_were_left_out() -> None:
    told = {"version": "1", "seed": 7, "deals": 1, "drawn": 1, "players": ["bold", "random"], "seconds": 0.4}
    assert provenance_text(told) == "euchre-lab 1, seed 7, 1 deal, players bold, random, 0.4 s"
    assert "1 deal of 9 dealt, players" in provenance_text(told | {"drawn": 9})
    weighed = provenance_text(told | {"deals": 900, "drawn": 9000, "effective": 700.2})
    assert "900 deals of 9,000 dealt, which tell as much as 700 that fit fully, players" in weighed
    assert "exact: all 8,568 possible deals, players" in provenance_text(
        told | {"deals": 8568, "drawn": 8568, "exact": True}
    )


def test_games_fit_80_columns() -> None:
    console = plain_console()
    rows = [{"game": "bid", "aliases": [], "seats": 4, "sides": "1 and 3 against 2 and 4", "rule": "a" * 20,
             "default": True, "allowed": "true or false", "meaning": "word " * 30}]  # fmt: skip
    with console.capture() as text:
        print_games(rows, console)
    assert max(map(len, text.get().splitlines())) <= 80
    assert "true or false" in text.get()


def test_the_seats_of_a_game_are_sides_or_each_for_himself() -> None:
    console = plain_console()
    row = {"game": "two-handed", "aliases": ["two"], "seats": 2, "sides": "1 against 2", "rule": "joker",
           "default": False, "allowed": "false or true", "meaning": "a joker"}  # fmt: skip
    with console.capture() as text:
        print_games([row], console)
        print_games([{**row, "game": "bid", "aliases": [], "seats": 4, "sides": "1 and 3 against 2 and 4"}], console)
    assert "two-handed (also two): 2 seats, each for himself; seat 2 deals\n" in text.get()
    assert "bid: seats 1 and 3 against 2 and 4; seat 4 deals\n" in text.get()


def test_the_bounds_of_a_number_stand_beside_its_name_where_its_meaning_takes_two_lines() -> None:
    console = plain_console()
    with console.capture() as text:
        print_numbers([{"number": "side.king", "low": -9, "high": 99, "meaning": "worth of " * 12}], console)
    assert text.get().splitlines()[2].split()[:4] == ["side.king", "-9", "99", "worth"]


def test_a_result_says_whose_tricks_and_points_it_has() -> None:
    told = {"trump": "H", "maker": 1, "alone": [1], "tricks": [4, 1, 0, 0], "points": [1, 0]}
    assert result_text(told) == (
        "Hearts are trump, maker seat 1, seat 1 alone; tricks by seat: 4, 1, 0, 0; points by side: 1, 0."
    )
    assert result_text({**told, "alone": [], "tricks": [4, 1]}).endswith("tricks by seat: 4, 1; points by seat: 1, 0.")
    assert result_text({"thrown_in": True, "points": [0, 0]}) == "Thrown in; points: 0, 0."


# --- many deals ---


def swept(*rows: tuple[float, float]) -> list[list[str]]:
    """The cells of a sweep over values so far behind the best, each with half of its interval."""
    about = SweepProvenance("0.1.0", 0, 1000, "standard", "standard", 0.02, 0.95, interrupted=False, seconds=1.0)
    made = [
        SweepRow("bid", "call.order.seat1", k, 1000, -less, half / 2, -less, -less - half, half - less, 0.8, 0.2, share)
        for k, ((less, half), share) in enumerate(zip(rows, (0.5, 0.0004), strict=True))
    ]
    table = sweep_table(Sweep("bid", {}, made, [0], "Best is 0.", about))
    return [[str(cell) for cell in column.cells] for column in table.columns]


def test_a_column_of_many_deals_has_one_number_of_digits() -> None:
    _, points, behind, *shares = swept((0.1234, 0.004), (0.5, 0.06))
    assert points == ["-0.12", "-0.50"]
    assert behind == ["-0.123 ±0.004", "-0.500 ±0.060"], "that of the most certain: each says how good it is"
    for cells in shares:
        assert len({len(cell.partition(".")[2]) for cell in cells}) == 1


def simulated(game: str, *calls: tuple[str, int], thrown_in: float = 0.0) -> str:
    """What is printed of two seats that made these calls."""
    rows = [
        SimulateRow(game, "a,b", "a", seat, call, 100, n, n / 100, *[0.5 if n else None] * 9)
        for seat in (1, 2)
        for call, n in calls
    ]
    about = SimulateProvenance("0.1.0", 0, 100, ["a", "b"], interrupted=False, seconds=0.1)
    console = plain_console()
    with console.capture() as text:
        print_simulation(Simulation(game, {}, rows, thrown_in, 0.0, about), console)
    return " ".join(text.get().split())


def test_where_nobody_came_to_name_a_suit_a_sentence_says_so() -> None:
    ordered = ("all", 50), ("order", 50), ("name", 0)
    said = "Round two was never reached"
    assert said in simulated("two-handed", *ordered)
    assert said not in simulated("two-handed", *ordered, thrown_in=0.01)
    assert said not in simulated("two-handed", *ordered[:2], ("name", 1))
    assert said not in simulated("bid", ("all", 50), ("3", 50))


def test_what_the_points_of_a_simulation_are_is_said() -> None:
    assert "In a row all, Points and Tricks are means over every deal" in simulated("bid", ("all", 50), ("3", 50))
