"""What `ask` and `simulate` promise of their numbers, in every game."""

import itertools
import json
from functools import partial
from typing import Any

import pytest
from reference import CHOICES

import analyzer.ask
import analyzer.simulate
from analyzer.ask import Answer, ask
from analyzer.asked import position_from_options
from analyzer.border import PLACES
from analyzer.errors import QuestionError
from analyzer.estimates import Difference, differences, kind_of, wilson
from analyzer.position import Position
from analyzer.record import HandRecord, parse_record, replay, write_record
from analyzer.rules import GAMES, Rules, find_game, make_rules
from analyzer.simulate import record_hands, simulate
from analyzer.strategy import BY_NAME, PRESETS, find_strategy, seat_players, strategy_toml

QUESTIONS: dict[str, tuple[str, dict[str, Any], str, dict[str, Any]]] = {
    "two-handed": ("two", {}, "JS AS 9H TH QD", {"up": "9S", "seat": 1}),
    "three-handed, round two": ("three", {}, "9H TH QH 9D 9C", {"up": "AD", "calls": "pass"}),
    "four-handed": ("four", {}, "JH JD AH KH 9S", {"up": "QH", "seat": 1}),
    "four-handed, round two": ("four", {}, "JS 9H TH QH 9D", {"up": "AD", "calls": "pass pass pass pass"}),
    "joker turned": ("four", {"joker": True, "deck": 32}, "JH JD AH KH 7S", {"up": "JO hearts", "seat": 2}),
    "bid": ("bid", {}, "JH JD AH KH QH AS", {"calls": "3 pass"}),
    "bid, naming trump": ("bid", {}, "JH JD AH KH QH AS", {"calls": "3 pass pass pass"}),
    "bid, 48 cards": ("bid", {"deck": 48}, "JH JH JD AH KH QH AS AS KS 9C TC 9D", {}),
}


def position_of(name: str) -> Position:
    game, changes, hand, where = QUESTIONS[name]
    return position_from_options(make_rules(find_game(game), changes), hand, **where)


def answer_of(position: Position, deals: int = 600, **how: Any) -> Answer:
    return ask(position, seat_players("standard", position.rules), deals=deals, **how)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_outcomes_of_every_option_are_all_of_its_worlds(name: str) -> None:
    answer = answer_of(position_of(name))
    assert len(answer.options) > 1
    for option in answer.options:
        shares = (option.made, option.euchred, option.other_made, option.other_euchred, option.thrown_in)
        assert sum(shares) == pytest.approx(1)
        assert option.march <= option.made
        assert option.made_low <= option.made <= option.made_high
        assert option.difference_low <= option.difference <= min(0, option.difference_high)
    points = [option.points for option in answer.options]
    assert points == sorted(points, reverse=True)
    assert answer.options[0].difference == 0


@pytest.mark.parametrize("name", QUESTIONS)
def test_threads_and_chunks_change_no_digit_of_an_answer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = position_of(name)
    one, two = answer_of(position, workers=1), answer_of(position, workers=2)
    monkeypatch.setattr(analyzer.ask, "CHUNK", 77)
    small = answer_of(position, workers=2)
    assert one.options == two.options == small.options
    assert one.provenance.drawn == two.provenance.drawn == small.provenance.drawn


def renamed(text: str, suits: dict[str, str]) -> str:
    return "".join(suits.get(letter, letter) for letter in text)


@pytest.mark.parametrize("name", ["four-handed", "four-handed, round two", "bid"])
def test_other_names_of_the_suits_leave_an_answer_as_it_was(name: str) -> None:
    game, changes, hand, where = QUESTIONS[name]
    rules = make_rules(find_game(game), changes)
    found: list[dict[str, tuple[float, float]]] = []
    for black, red, swap in itertools.product(("CS", "SC"), ("DH", "HD"), (False, True)):
        one, other = (red, black) if swap else (black, red)
        suits = dict(zip("CSDH", one + other, strict=True))
        there: dict[str, Any] = {key: renamed(value, suits) if key == "up" else value for key, value in where.items()}
        position = position_from_options(rules, renamed(hand, suits), **there)
        words = {"clubs": "C", "spades": "S", "diamonds": "D", "hearts": "H"}
        answer = answer_of(position, 8000, seed=len(found))
        back = {new: old for old, new in suits.items()}
        found.append(
            {
                " ".join(back[words[word]] if word in words else word for word in option.option.split()): (
                    option.points,
                    option.points_se,
                )
                for option in answer.options
            }
        )
    for other_names in found[1:]:
        for option, (points, se) in found[0].items():
            others, others_se = other_names[option]
            assert abs(points - others) <= 4.5 * (se**2 + others_se**2) ** 0.5 + 1e-12, option


@pytest.mark.parametrize(
    ("game", "hand", "where", "best"),
    [
        ("four", "JS AS KS QS JC", {"up": "TS", "seat": 4}, "order alone"),
        ("two", "9C TC 9D TD 9S", {"up": "JH", "seat": 1}, "pass"),
        ("three", "9C TC 9D TD 9S", {"up": "JH", "seat": 1}, "pass"),
        ("four", "9C TC 9D TD 9S", {"up": "JH", "seat": 1}, "pass"),
        ("bid", "9C TC 9D TD 9S TS", {}, "pass"),
    ],
)
def test_plain_hands_are_called_as_everybody_would(game: str, hand: str, where: dict[str, Any], best: str) -> None:
    answer = answer_of(position_from_options(make_rules(find_game(game)), hand, **where), 50_000)
    assert answer.verdict.best == best


def test_a_bid_names_the_suit_it_told_if_it_wins() -> None:
    answer = answer_of(position_of("bid"))
    moon = next(option for option in answer.options if option.option == "moon hearts")
    assert (moon.event, moon.trump) == ([3, "bid", "moon"], "H")
    assert (moon.made, moon.points) == (1, 24)  # five top hearts and a side ace; in another suit it could fail


def test_a_stuck_dealer_is_offered_no_pass() -> None:
    rules = make_rules(GAMES["two-handed"], {"stick_the_dealer": True})
    position = position_from_options(rules, "9C TC 9D TD 9S", up="AH", calls="pass pass pass")
    assert {option.option for option in answer_of(position).options} == {"clubs", "diamonds", "spades"}


def test_calls_that_nobody_would_make_are_refused_by_name() -> None:
    rules = make_rules(GAMES["two-handed"])
    position = position_from_options(rules, "JS JC AS KS QS", up="9H", calls="pass pass")
    assert answer_of(position, 500).provenance.drawn > 500
    sure = position_from_options(make_rules(GAMES["bid"]), "JH JD AH KH QH TH", calls="5 ask")
    with pytest.raises(QuestionError, match=r'worlds agree with the calls: "(5|ask)'):
        answer_of(sure, 2000)


@pytest.mark.parametrize(("game", "changes"), [(game, {}) for game in GAMES] + [("bid", {"deck": 48})], ids=str)
def test_the_rows_of_a_simulation_add_up(game: str, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    rules = make_rules(GAMES[game], changes)
    players = seat_players("standard", rules)
    found = simulate(rules, players, 3000, workers=2)
    monkeypatch.setattr(analyzer.simulate, "CHUNK", 91)
    assert simulate(rules, players, 3000, workers=1).rows == found.rows
    every = [row for row in found.rows if row.call == "all"]
    assert sum(row.call_share for row in every) + found.thrown_in + found.claimed == pytest.approx(1)
    assert sum(row.points or 0 for row in every) == pytest.approx(0, abs=1e-9)
    for row in every:
        calls = [other for other in found.rows if other.seat == row.seat and other.call != "all"]
        assert sum(other.calls for other in calls) == row.calls
        assert all((other.made is None) == (other.calls == 0) for other in calls)


def test_ctrl_c_keeps_the_deals_that_were_played() -> None:
    rules = make_rules(GAMES["two-handed"])

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    found = simulate(rules, seat_players("standard", rules), 1_000_000, progress=stop)
    assert found.provenance.interrupted
    assert 0 < found.provenance.deals < 1_000_000


def write_all(texts: list[str], records: list[HandRecord]) -> None:
    texts.extend(map(write_record, records))


def changes_of(game: str) -> list[dict[str, Any]]:
    return [{}] + [{field: value} for field, values in CHOICES[game].items() for value in list(values)[1:4]]


@pytest.mark.parametrize("game", GAMES)
def test_recorded_hands_replay_under_every_house_rule_to_what_simulate_counts(game: str) -> None:
    for changes in changes_of(game):
        rules: Rules = make_rules(GAMES[game], changes)
        players = seat_players("bold", rules)
        texts: list[str] = []
        record_hands(rules, players, 40, partial(write_all, texts))
        results = [replay(parse_record(json.loads(text))).result for text in texts]
        found = simulate(rules, players, 40)
        assert sum("thrown_in" in result for result in results) == round(found.thrown_in * 40)
        for row in found.rows:
            if row.call == "all":
                assert sum(result.get("maker") == row.seat for result in results) == row.calls


def test_every_number_of_a_strategy_has_a_place_of_its_own() -> None:
    assert set(PLACES) | {"shift.call", "shift.alone"} == set(BY_NAME)
    assert len(set(PLACES.values())) == len(PLACES)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_strategy_shown_reads_back_the_same(preset: str, tmp_path: Any) -> None:
    for game in GAMES.values():
        rules = make_rules(game)
        file = tmp_path / f"{game.name}.toml"
        file.write_text(strategy_toml(preset, game), encoding="utf-8")
        shown = find_strategy(str(file), rules)
        assert shown.is_random == find_strategy(preset, rules).is_random
        if not shown.is_random:
            assert dict(shown.numbers) == dict(find_strategy(preset, rules).numbers)


def test_a_wrong_number_of_a_strategy_is_named_with_its_file(tmp_path: Any) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "standard"\n[call.ordre]\nseat1 = 7\n', encoding="utf-8")
    with pytest.raises(QuestionError, match=r"mine\.toml.*call\.ordre\.seat1.*call\.order\.seat1"):
        find_strategy(str(file), make_rules(GAMES["four-handed"]))


@pytest.mark.parametrize("game", GAMES)
def test_bold_players_call_no_fewer_hands_than_cautious_ones(game: str) -> None:
    rules = make_rules(GAMES[game])
    calm, keen = (simulate(rules, seat_players(name, rules), 4000) for name in ("cautious", "bold"))
    assert calm.thrown_in >= keen.thrown_in


@pytest.mark.fast
def test_a_verdict_is_better_equal_or_undecided_by_the_intervals() -> None:
    def apart(low: float, high: float) -> Difference:
        return Difference((low + high) / 2, 0.01, low, high)

    best = apart(0, 0)
    assert kind_of([best], 0, 0.02) == ("only", [])
    assert kind_of([best, apart(-0.3, -0.1)], 0, 0.02) == ("better", [])
    assert kind_of([best, apart(-0.01, 0.005), apart(-0.5, -0.4)], 0, 0.02) == ("equal", [0, 1])
    assert kind_of([best, apart(-0.05, 0.005)], 0, 0.02) == ("undecided", [])


@pytest.mark.fast
def test_intervals_are_those_of_the_books() -> None:
    interval = wilson(0.5, 100)
    assert interval.low == pytest.approx(0.40383, abs=1e-5)
    assert interval.high == pytest.approx(0.59617, abs=1e-5)
    worlds = [(3, 1), (0, 2), (5, 5), (2, -1)]
    sums = [sum(world[k] for world in worlds) for k in (0, 1)]
    products = [[sum(world[i] * world[j] for world in worlds) for j in (0, 1)] for i in (0, 1)]
    second = differences(sums, products, len(worlds), best=0)[1]
    gaps = [b - a for a, b in worlds]
    mean = sum(gaps) / 4
    assert second.mean == mean
    assert second.se == pytest.approx((sum((gap - mean) ** 2 for gap in gaps)) ** 0.5 / 4)
    assert second.high == pytest.approx(mean + 1.959964 * second.se, abs=1e-5)
