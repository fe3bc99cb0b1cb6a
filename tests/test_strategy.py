"""Strategies as data: every number reaches the kernels, files build on one another, and what is wrong is named."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_kernel_rules import packs, rules_of

from analyzer.border import PLACES, kernel_players, number_vector
from analyzer.cli import main
from analyzer.errors import QuestionError
from analyzer.rules import GAMES, make_rules
from analyzer.simulate import Simulation, simulate
from analyzer.strategy import (
    BY_NAME,
    DOUBLE,
    NUMBERS,
    PRESETS,
    Strategy,
    find_strategy,
    preset_text,
    seat_players,
    strategy_toml,
)
from kernels import vector
from kernels.compile import JIT

FOUR = rules_of("four-handed", {})
BID = rules_of("bid", {})
BID_48 = rules_of("bid", {"deck": 48})
SHIFTS = {"shift.call", "shift.alone"}
AT_SCORES = {name for name in BY_NAME if name.startswith("score.")}
SEATS = (1, 2, 3, 4)
EVERY_PACK = [(game, pack) for game in GAMES for pack in packs(game)]


def saved(tmp_path: Path, text: str, name: str = "mine.toml") -> str:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return str(file)


# --- numbers ---


@pytest.mark.fast
def test_every_number_has_a_place_of_its_own_in_the_kernels_or_shifts_others() -> None:
    assert len(BY_NAME) == len(NUMBERS)
    assert set(PLACES) | SHIFTS | AT_SCORES == set(BY_NAME)
    assert SHIFTS.isdisjoint(PLACES)
    assert len(set(PLACES.values())) == len(PLACES)
    assert vector.IS_RANDOM not in PLACES.values()
    assert set(PLACES.values()) <= set(range(vector.N_NUMBERS))


@pytest.mark.parametrize("name", [name for name in BY_NAME if name not in SHIFTS | AT_SCORES])
@pytest.mark.fast
def test_a_number_changes_its_own_place_by_hundredths(name: str) -> None:
    zero = dict.fromkeys(BY_NAME, 0.0)
    changed = number_vector(Strategy("one", zero | {name: 1.29})) - number_vector(Strategy("none", zero))
    assert np.flatnonzero(changed).tolist() == [PLACES[name]]
    assert changed[PLACES[name]] == 129


@pytest.mark.fast
def test_shifts_move_the_worths_from_which_it_calls_and_goes_alone_and_nothing_else() -> None:
    kinds = {
        "shift.call": ["call.order", "call.next", "call.cross", "bid.first", "bid.second"],
        "shift.alone": ["call.order_alone", "call.name_alone", "bid.ask", "bid.moon"],
    }
    names = {shift: [f"{kind}.seat{seat}" for kind in kinds[shift] for seat in SEATS] for shift in kinds}
    names["shift.alone"] += ["alone.maker", "alone.defender"]
    plain = dict.fromkeys(BY_NAME, 2.0) | dict.fromkeys(SHIFTS, 0.0)
    for shift, shifted in names.items():
        gap = number_vector(Strategy("shifted", plain | {shift: -0.8})) - number_vector(Strategy("plain", plain))
        assert set(np.flatnonzero(gap).tolist()) == {PLACES[name] for name in shifted}
        assert set(gap[gap != 0]) == {-80}


@pytest.mark.fast
def test_every_number_says_within_which_bounds_and_what_it_means() -> None:
    for number in NUMBERS:
        assert number.low < number.high
        assert len(number.meaning.split()) >= 4
        assert "{" not in number.meaning


@pytest.mark.fast
def test_a_strategy_for_each_seat_reaches_the_kernels_as_its_numbers() -> None:
    players = seat_players("cautious,standard,bold,random", FOUR)
    found = kernel_players(players, FOUR)
    for seat, player in enumerate(players):
        block = found[found[seat] : found[seat] + vector.N_NUMBERS]
        own = number_vector(player)
        if not player.is_random:
            assert (block[list(PLACES.values())] == own[list(PLACES.values())]).all()
        assert bool(block[vector.IS_RANDOM]) == (player.name == "random") == bool(own[vector.IS_RANDOM])


# --- presets ---


@pytest.mark.parametrize(("game", "changes"), EVERY_PACK, ids=str)
@pytest.mark.fast
def test_every_preset_loads_for_every_game_and_pack(game: str, changes: dict[str, Any]) -> None:
    rules = rules_of(game, changes)
    standard = find_strategy("standard", rules)
    for name in PRESETS:
        found = find_strategy(name, rules)
        assert found.name == name
        assert set(found.numbers) == set(BY_NAME)
        assert found.is_random == (name == "random")
        if not found.is_random:
            assert all(BY_NAME[key].low <= value <= BY_NAME[key].high for key, value in found.numbers.items())
        if name in ("cautious", "bold"):
            gaps = {key: found.numbers[key] - standard.numbers[key] for key in BY_NAME}
            sign = 1 if name == "cautious" else -1
            assert {key for key, gap in gaps.items() if sign * gap > 0} == SHIFTS
            assert all(gap == 0 for key, gap in gaps.items() if key not in SHIFTS)


# --- files ---


@pytest.mark.fast
def test_a_file_holds_only_what_differs_from_its_base(tmp_path: Path) -> None:
    middle = saved(tmp_path, 'base = "bold"\n[call.order]\nseat1 = 6.25\nseat2 = 5\n', "middle.toml")
    top = saved(tmp_path, f"base = '{middle}'\nabout = \"mine\"\n[call.order]\nseat2 = 4\n", "top.toml")
    found, bold = find_strategy(top, FOUR), find_strategy("bold", FOUR)
    assert found.name == "top"
    assert not found.is_random
    differing = {key: value for key, value in found.numbers.items() if value != bold.numbers[key]}
    assert differing == {"call.order.seat1": 6.25, "call.order.seat2": 4}


@pytest.mark.fast
def test_what_no_file_of_a_chain_holds_is_nought(tmp_path: Path) -> None:
    found = find_strategy(saved(tmp_path, "[side]\nace = 1\n"), FOUR)
    assert {key: value for key, value in found.numbers.items() if value} == {"side.ace": 1}


@pytest.mark.fast
def test_a_table_of_a_game_holds_in_that_game_alone_and_goes_before_what_is_common(tmp_path: Path) -> None:
    text = "[side]\nace = 1\nking = 1\n[games.bid.side]\nace = 2\nking = 2\n[games.bid-48.side]\nace = 3\n"
    file = saved(tmp_path, text)

    def aces(rules: Any) -> tuple[float, float]:
        numbers = find_strategy(file, rules).numbers
        return numbers["side.ace"], numbers["side.king"]

    assert [aces(rules_of(game, {})) for game in ("two-handed", "three-handed", "four-handed")] == [(1, 1)] * 3
    assert aces(BID) == aces(rules_of("bid", {"joker": True})) == (2, 2)
    assert aces(BID_48) == (3, 2)


@pytest.mark.fast
def test_a_common_number_of_a_file_goes_before_a_game_table_of_its_base(tmp_path: Path) -> None:
    base = saved(tmp_path, "[games.bid.side]\nace = 2\n", "base.toml")
    found = find_strategy(saved(tmp_path, f"base = '{base}'\n[side]\nace = 1\n"), BID)
    assert found.numbers["side.ace"] == 1


@pytest.mark.fast
def test_a_strategy_that_builds_on_random_is_random(tmp_path: Path) -> None:
    assert find_strategy(saved(tmp_path, 'base = "random"\n'), FOUR).is_random
    assert find_strategy(saved(tmp_path, 'kind = "random"\n'), FOUR).is_random


@pytest.mark.fast
def test_a_strategy_that_builds_on_itself_is_refused_with_the_way_round(tmp_path: Path) -> None:
    one, other = str(tmp_path / "one.toml"), str(tmp_path / "other.toml")
    saved(tmp_path, f"base = '{other}'\n", "one.toml")
    saved(tmp_path, f"base = '{one}'\n", "other.toml")
    with pytest.raises(QuestionError) as refused:
        find_strategy(one, FOUR)
    assert str(refused.value) == f"the strategy {one} builds on itself: {one} -> {other} -> {one}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[call.ordr]\nseat1 = 7\n", ["call.ordr.seat1", "call.order.seat1"]),
        ("[trump]\nbower = 7\n", ["trump.bower"]),
        ("[call.order]\nseat5 = 7\n", ["call.order.seat5", "call.order.seat"]),
        ("[games.bid.bid.frist]\nseat1 = 7\n", ["bid.frist.seat1", "bid.first.seat1"]),
        ("[call.order]\nseat1 = 100\n", ["call.order.seat1", "100", "-99 to 99"]),
        ("[upcard]\npartner = 2.5\n", ["upcard.partner", "2.5", "0 to 2"]),
        ("[call.order]\nseat1 = 7.125\n", ["call.order.seat1", "7.125", "two decimals"]),
        ("[call.order]\nseat1 = nan\n", ["call.order.seat1", "nan"]),
        ("[call.order]\nseat1 = true\n", ["call.order.seat1", "True"]),
        ('[call.order]\nseat1 = "7"\n', ["call.order.seat1", "'7'"]),
        ("[games.whist.side]\nace = 1\n", ["games.whist", "bid-48"]),
        ("games = 3\n", ["games"]),
        ("[games]\nbid = 3\n", ["games.bid"]),
        ('kind = "clever"\n', ["kind", "clever", "random"]),
        ("base = 7\n", ["base", "7"]),
        ('based_on = "standard"\n', ["based_on", 'did you mean "base"']),
        ('base = "bald"\n', ["bald", "bold"]),
        ("[call.order\n", ["TOML"]),
    ],
)
@pytest.mark.fast
def test_what_is_wrong_in_a_file_is_refused_with_its_name_and_the_nearest_number(
    text: str, words: list[str], tmp_path: Path
) -> None:
    with pytest.raises(QuestionError) as refused:
        find_strategy(saved(tmp_path, text), FOUR)
    where = [] if "bald" in words else ["mine.toml"]
    for word in [*where, *words]:
        assert word in str(refused.value)


@pytest.mark.fast
def test_a_strategy_that_cannot_be_found_or_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match=r'no strategy "standrad".*standard'):
        find_strategy("standrad", FOUR)
    with pytest.raises(QuestionError, match=r"cannot read the strategy .*none\.toml: No such file"):
        find_strategy(str(tmp_path / "none.toml"), FOUR)
    (tmp_path / "latin.toml").write_bytes(b'about = "\xe9"\n')
    with pytest.raises(QuestionError, match=r"latin\.toml: it is not text in UTF-8"):
        find_strategy(str(tmp_path / "latin.toml"), FOUR)
    with pytest.raises(QuestionError, match='no strategy "mine"'):
        preset_text("mine")


@pytest.mark.fast
def test_players_are_one_name_for_all_or_one_a_seat() -> None:
    assert [player.name for player in seat_players("bold", FOUR)] == ["bold"] * 4
    assert [player.name for player in seat_players("bold, random,cautious ,bold", FOUR)] == [
        "bold", "random", "cautious", "bold",
    ]  # fmt: skip
    for names in ("bold,bold", "bold,bold,bold,bold,bold", "bold,,bold"):
        with pytest.raises(QuestionError, match="expected one for all, or 4 in seat order for four-handed"):
            seat_players(names, FOUR)


# --- shown ---


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.fast
def test_the_toml_of_a_game_reads_back_to_the_same_numbers(game: str, preset: str, tmp_path: Path) -> None:
    rules = rules_of(game, {})
    shown, own = (find_strategy(name, rules) for name in (saved(tmp_path, strategy_toml(preset, GAMES[game])), preset))
    assert (shown.is_random, dict(shown.numbers)) == (own.is_random, dict(own.numbers))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.fast
def test_what_strategies_show_prints_reads_back_to_the_same_numbers_in_every_game(
    preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["strategies", "show", preset]) == 0
    file = saved(tmp_path, capsys.readouterr().out)
    for game, pack in EVERY_PACK:
        rules = rules_of(game, pack)
        shown, own = find_strategy(file, rules), find_strategy(preset, rules)
        assert (shown.is_random, dict(shown.numbers)) == (own.is_random, dict(own.numbers))


@pytest.mark.fast
def test_the_toml_of_a_game_explains_every_number() -> None:
    text = strategy_toml("standard", GAMES["three-handed"])
    assert max(map(len, text.splitlines())) <= 80
    for number in NUMBERS:
        assert number.meaning in text.replace("\n# ", " ")


# --- cautious and bold ---


def calls(found: Simulation, kinds: tuple[str, ...]) -> int:
    return sum(row.calls for row in found.rows if row.call in kinds)


ALONE = ("order alone", "name alone", "ask", "moon")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.skipif(not JIT, reason="too few deals in plain Python to tell")
def test_cautious_players_call_less_often_than_standard_ones_and_bold_ones_more_often(game: str) -> None:
    """One seat plays so among standard players: who calls is then his own doing."""
    rules = rules_of(game, {})
    shares: dict[str, list[int]] = {}
    for name in ("cautious", "standard", "bold"):
        players = [find_strategy(name, rules)] + [find_strategy("standard", rules)] * (rules.n_seats - 1)
        found = simulate(rules, players, 20_000, seed=2)
        own = [row for row in found.rows if row.seat == 1]
        shares[name] = [next(row.calls for row in own if row.call == "all")]
        if rules.n_seats > 2:
            shares[name].append(sum(row.calls for row in own if row.call in ALONE))
    for cautious, standard, bold in zip(*shares.values(), strict=True):
        assert cautious < standard < bold


@pytest.mark.parametrize(("game", "changes"), EVERY_PACK, ids=str)
@pytest.mark.skipif(not JIT, reason="too few deals in plain Python to tell")
def test_fewer_deals_are_thrown_in_the_bolder_the_players_are(game: str, changes: dict[str, Any]) -> None:
    rules = rules_of(game, changes)
    thrown_in = [
        simulate(rules, seat_players(name, rules), 5000).thrown_in for name in ("cautious", "standard", "bold")
    ]
    assert thrown_in == sorted(thrown_in, reverse=True)
    assert calls(simulate(rules, seat_players("bold", rules), 5000), ("all",)) > 0


@pytest.mark.fast
def test_numbers_of_the_double_pack_hold_with_it_alone() -> None:
    single, double = find_strategy("standard", BID).numbers, find_strategy("standard", BID_48).numbers
    assert dict(single) != dict(double)
    assert f"[games.{DOUBLE}." in preset_text("standard")


# --- checking and comparing files ---


@pytest.mark.fast
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('base = "standard"\n\n[call.order]\nseat9 = 1\n', "line 4: .*did you mean one of .*seat1, .*seat4"),
        ('base = "standard"\n\n[call.ordre]\nseat3 = 1\n', 'line 4: .*did you mean "call.order.seat3"'),
        ('base = "standard"\n[games.bid.bid]\nstep = 0\n', "line 3: bid.step is 0; expected a number from 0.01"),
        ('base = "standard"\ncall.order.seat1 = 7.123\n', "line 2: .*two decimals"),
        ('base = "standard"\ncall = {order = {seat1 = 700}}\n', "strategy.toml: call.order.seat1 is 700"),
    ],
)
def test_a_wrong_number_is_named_with_its_line_and_the_nearest_right_one(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "strategy.toml"
    file.write_text(text)
    with pytest.raises(QuestionError, match=said):
        find_strategy(str(file), make_rules(GAMES["bid"]))


@pytest.mark.fast
def test_what_differs_between_two_strategies_is_listed_number_by_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "diff", "standard", "bold", "--format", "csv"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "game,number,first,second"
    assert {row.split(",")[1] for row in rows[1:]} == SHIFTS
    assert {row.split(",")[0] for row in rows[1:]} == set(GAMES)
    assert main(["strategies", "diff", "bold", "bold"]) == 0
    assert "the same numbers" in capsys.readouterr().out


@pytest.mark.fast
def test_a_file_is_said_to_be_in_order_or_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "bold"\n[score.own_brink]\nalone = 99\n')
    assert main(["strategies", "check", "standard", str(file)]) == 0
    assert capsys.readouterr().out == f"standard is in order.\n{file} is in order.\n"
    file.write_text('base = "bald"\n')
    assert main(["strategies", "check", str(file)]) == 2
    assert 'did you mean "bold"' in capsys.readouterr().err
