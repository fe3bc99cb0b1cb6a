"""What comparing promises: the same deals for all, every hand held by both, whole games to the target."""

import re
from dataclasses import asdict, replace
from itertools import combinations, product
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import reference_score
from test_kernel_rules import rules_of
from test_simulate import some

import analyzer.compare
import analyzer.matches
import analyzer.sweep
from analyzer.batches import How, play_deals
from analyzer.cli import main
from analyzer.compare import compare, verdict_of
from analyzer.engine import Chunk
from analyzer.equity import win_table
from analyzer.errors import QuestionError
from analyzer.matches import MOST_DEALS, play_games, play_matches
from analyzer.rules import GAMES, Rules
from analyzer.seatings import seatings_of
from analyzer.simulate import simulate
from analyzer.strategy import Strategy, find_strategy
from analyzer.sweep import SweepStudy, sweep, variants_of
from kernels import batches
from kernels.compile import JIT

Printed = pytest.CaptureFixture[str]
NAMES = ("standard", "bold", "cautious")


def strategies(rules: Rules, names: tuple[str, ...] = NAMES) -> list[Strategy]:
    return [find_strategy(name, rules) for name in names]


def points(rules: Rules, seated: list[Strategy], deal: int, seed: int) -> list[int]:
    """What each side got in one deal."""
    rows = play_deals(rules, seated, seed, Chunk(deal, 1), with_rows=True).rows
    return [int(paid) for paid in rows[0, batches.PAID : batches.PAID + len(rules.sides)]]


# --- pairs ---


@pytest.mark.parametrize(("game", "tables"), [("two-handed", 2), ("three-handed", 6), ("four-handed", 2), ("bid", 2)])
def test_both_hold_every_hand_equally_often(game: str, tables: int) -> None:
    rules = rules_of(game, {})
    seatings = seatings_of(rules)
    assert len(seatings) == tables
    for seat in range(rules.n_seats):
        assert sum(seating[seat] for seating in seatings) == tables / 2
    for seating in seatings:
        assert len(set(seating)) == 2
        assert all(len({seating[seat - 1] for seat in side}) == 1 for side in rules.sides)


def slow_gain(rules: Rules, one: Strategy, other: Strategy, deal: int, seed: int) -> float:
    """The mean points of the first one's seats minus the other's, over the tables of a deal."""
    gains = []
    for seating in product((0, 1), repeat=rules.n_seats):
        if len(set(seating)) == 1 or (rules.n_seats == 4 and seating not in ((0, 1, 0, 1), (1, 0, 1, 0))):
            continue
        paid = points(rules, [(one, other)[who] for who in seating], deal, seed)
        by_seat = [paid[seat % len(paid)] for seat in range(rules.n_seats)]
        own, others = ([by_seat[seat] for seat, who in enumerate(seating) if who == side] for side in (0, 1))
        gains.append(sum(own) / len(own) - sum(others) / len(others))
    return sum(gains) / len(gains)


@pytest.mark.parametrize("game", GAMES)
def test_a_pair_gains_what_its_deals_pay_table_by_table(game: str) -> None:
    rules, n = rules_of(game, {}), max(5, some(100))
    found = compare(rules, strategies(rules), n, max_deals=n, margin=0.1, seed=4)
    assert [(row.strategy, row.against) for row in found.rows] == list(combinations(NAMES, 2))
    for row, (one, other) in zip(found.rows, combinations(strategies(rules), 2), strict=True):
        gains = np.array([slow_gain(rules, one, other, deal, 4) for deal in range(n)])
        assert row.deals == n
        assert row.points == pytest.approx(gains.mean(), abs=1e-9)
        assert row.points_se == pytest.approx(gains.std() / n**0.5)
        assert row.points_low < row.points < row.points_high


@pytest.mark.parametrize("game", GAMES)
def test_a_strategy_gains_nothing_on_itself_and_loses_what_the_other_gains(game: str) -> None:
    rules, n = rules_of(game, {}), max(100, some(1000))
    standard, bold = strategies(rules, ("standard", "bold"))
    twin = replace(standard, name="twin")
    there = compare(rules, [standard, bold, twin], n, max_deals=n, margin=0.1)
    back = compare(rules, [bold, standard], n, max_deals=n, margin=0.1)
    assert there.rows[0].points == -back.rows[0].points
    assert (there.rows[1].points, there.rows[1].points_se) == (0, 0)
    assert there.rows[1].verdict == "equal"
    assert "standard and twin are equal within the margin." in there.ranking


def test_games_that_cannot_be_gone_on_with_are_refused_before_a_deal_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run.json"
    words = ["compare", "-g", "two", "standard", "bold", "--resume", str(run)]
    assert main([*words, "--deals", "20", "--matches", "4"]) == 0
    before = run.read_bytes()
    monkeypatch.setattr(analyzer.compare, "play_deals", None)
    capsys.readouterr()
    assert main([*words, "--deals", "40", "--matches", "3"]) == 2
    assert "holds 4 games and 3 are asked for" in capsys.readouterr().err
    assert run.read_bytes() == before


def test_an_interval_decides_as_in_ask() -> None:
    assert verdict_of(0.01, 0.5, 0.1) == "better"
    assert verdict_of(-0.5, -0.01, 0.1) == "worse"
    assert verdict_of(-0.05, 0.1, 0.1) == "equal"
    assert verdict_of(-0.05, 0.2, 0.1) == "undecided"


@pytest.mark.skipif(not JIT, reason="too many deals for plain Python")
def test_it_stops_when_every_pair_is_decided_and_a_break_does_not_move_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyzer.compare, "CHUNK", 1000)
    rules = rules_of("four-handed", {})
    pair = strategies(rules, ("standard", "random"))
    found = compare(rules, pair, max_deals=100_000, margin=0.02)
    assert found.provenance.deals < 10_000
    assert found.rows[0].verdict == "better"
    assert found.ranking == ["standard is better than random."]
    assert compare(rules, pair, max_deals=100_000, margin=0.02, how=How(1)).rows == found.rows


# --- whole games ---

TIES = [
    ("two-handed", {}),
    ("three-handed", {}),
    ("three-handed", {"tie": "joint", "target": 5}),
    ("three-handed", {"tie": "eldest", "target": 5}),
    ("four-handed", {"target": 7}),
    ("bid", {}),
    ("bid", {"tie": "bidder", "negative_scores": False}),
    ("bid", {"tie": "higher-total", "deck": 48, "target": 40}),
    ("bid", {"target": 10, "ace_no_face": True}),
]


def minding_the_score(rules: Rules) -> list[Strategy]:
    """Standard players, one of whom calls otherwise at the brink, another far behind."""
    standard = find_strategy("standard", rules)
    brink = {"score.own_brink.alone": 3.0, "score.other_brink.call": -2.0, "score.brink": 3.0}
    behind = {"score.far_behind.call": -3.0, "score.far_behind.alone": -2.0, "score.behind": 4.0}
    changed = [replace(standard, numbers=MappingProxyType({**standard.numbers, **more})) for more in (brink, behind)]
    return [*changed, standard, standard]


def calling_at(strategy: Strategy, rules: Rules, own: int, others: int) -> Strategy:
    """The strategy with its shifts for this score, in plain words."""
    numbers = dict(strategy.numbers)
    if own < rules.target and others < rules.target:
        for name, holds in (
            ("own_brink", own + numbers["score.brink"] >= rules.target),
            ("other_brink", others + numbers["score.brink"] >= rules.target),
            ("far_behind", 0 < numbers["score.behind"] <= others - own),
        ):
            for what in ("call", "alone"):
                numbers[f"shift.{what}"] += numbers[f"score.{name}.{what}"] if holds else 0
    return replace(strategy, numbers=MappingProxyType(numbers))


def slow_game(rules: Rules, players: list[Strategy], number: int, seed: int) -> tuple[list[float], list[int], int]:
    """One whole game: each side's share of it, the final totals, and how many deals it took."""
    named = {name: getattr(rules, name) for name in ("target", "tie", "negative_scores")}
    n, n_sides, game = rules.n_seats, len(rules.sides), rules.game.name
    dealer = n - 1 - number % n
    totals = [0] * n_sides
    one_more = False
    for deal in range(MOST_DEALS):
        now_calling = [
            calling_at(each, rules, totals[k % n_sides], max(t for side, t in enumerate(totals) if side != k % n_sides))
            for k, each in enumerate(players)
        ]
        seated = [now_calling[(dealer + 1 + seat) % n] for seat in range(n)]
        rows = play_deals(rules, seated, seed, Chunk(number * MOST_DEALS + deal, 1), with_rows=True).rows[0]
        order = [(dealer + 1 + side) % n_sides for side in range(n_sides)]
        paid = rows[batches.PAID : batches.PAID + n_sides].tolist()
        now = reference_score.add_up(game, named, [totals[side] for side in order], {"points": paid})
        for place, side in enumerate(order):
            totals[side] = now[place]
        if rows[batches.BY] >= 0 and not rows[batches.IS_CLAIMED]:
            maker = int(rows[batches.BY]) + 1
            won = reference_score.winners(game, named, now, maker=maker, one_more=one_more)
            if isinstance(won, list):
                return [won[order.index(side)] for side in range(n_sides)], totals, deal + 1
            one_more = won == "play-on"
        dealer = (dealer + 1) % n
    raise AssertionError("a game without an end")


@pytest.mark.parametrize(("game", "changes"), TIES, ids=str)
def test_whole_games_are_those_played_deal_by_deal(game: str, changes: dict[str, Any]) -> None:
    rules, n = rules_of(game, changes), 20 if JIT else 4
    by_name = [find_strategy(name, rules) for name in ("standard", "bold", "cautious", "standard")]
    for players in (by_name[: rules.n_seats], minding_the_score(rules)[: rules.n_seats]):
        check_games(rules, players, n)


def check_games(rules: Rules, players: list[Strategy], n: int) -> None:
    games = play_games(rules, players, 9, 3, n)
    for place in range(n):
        shares, totals, deals = slow_game(rules, players, 3 + place, 9)
        sides = range(len(totals))
        assert [games.won[place] >> side & 1 for side in sides] == [share > 0 for share in shares]
        assert games.totals[:, place].tolist() == totals
        assert games.deals[place] == deals


@pytest.mark.skipif(not JIT, reason="too many deals for plain Python")
@pytest.mark.parametrize("game", GAMES)
def test_games_are_won_as_often_as_the_table_of_equity_says(game: str) -> None:
    rules = rules_of(game, {})
    names = ("standard", "bold", "cautious", "bold")[: rules.n_seats]
    if rules.n_seats == 4:
        names = ("standard", "bold", "standard", "bold")
    players = [find_strategy(name, rules) for name in names]
    found = play_matches(rules, players, 4000, seed=3)
    table = win_table(rules, players, deals=200_000).table
    n, n_sides = rules.n_seats, len(rules.sides)
    for row in found.rows[:n_sides]:
        side = row.player - 1
        chance = 0.0
        for first in range(n):  # the seat of player 1 in the first deal moves as the first dealer does
            chances = table.before((0,) * n_sides, first)
            chance += chances[(side - first) % n_sides] / n
        assert abs(row.win_rate - chance) < 4.5 * row.win_rate_se, (row, chance)
    assert sum(row.win_rate for row in found.rows[:n_sides]) == pytest.approx(1)
    for each in found.final_scores:
        assert sum(count for _, count in each["scores"]) == found.provenance.games


def test_compared_games_give_both_the_same_cards() -> None:
    rules = rules_of("two-handed", {})
    standard = find_strategy("standard", rules)
    found = compare(rules, [standard, replace(standard, name="twin")], 20, max_deals=20, margin=1, games=some(200))
    assert (found.rows[0].win_rate, found.rows[0].win_rate_se) == (0.5, 0)


# --- one number over many values ---


@pytest.mark.skipif(not JIT, reason="too many deals for plain Python")
@pytest.mark.parametrize("game", GAMES)
def test_a_value_gains_what_the_strategy_that_has_it_gains_in_compare(game: str) -> None:
    rules, n = rules_of(game, {}), 2000
    number = "bid.first.seat2" if game == "bid" else "call.order.seat2"
    vary, variants = variants_of(f"{number}=4:8:2", rules, "standard", find_strategy)
    standard = find_strategy("standard", rules)
    found = sweep(rules, SweepStudy(vary, variants), n, max_deals=n, margin=0.1)
    assert [row.value for row in found.rows] == [4, 6, 8]
    for row in found.rows:
        assert isinstance(row.value, float)
        changed = replace(standard, name="changed", numbers=MappingProxyType({**standard.numbers, number: row.value}))
        pair = compare(rules, [changed, standard], n, max_deals=n, margin=0.1).rows[0]
        assert (row.points, row.points_se) == pytest.approx((pair.points, pair.points_se))
    assert max(row.difference for row in found.rows) == 0
    assert found.best[0] == max(found.rows, key=lambda row: row.points).value


def test_a_house_rule_is_varied_for_everybody() -> None:
    rules, n = rules_of("bid", {}), some(2000)
    vary, variants = variants_of("rule.failed_alone=bid,value", rules, "standard", find_strategy)
    found = sweep(rules, SweepStudy(vary, variants), n, max_deals=n, margin=0.1)
    assert [row.value for row in found.rows] == ["bid", "value"]
    for row in found.rows:
        changed = rules_of("bid", {"failed_alone": row.value})
        rows = simulate(changed, [find_strategy("standard", changed)] * 4, n).rows
        every = [each for each in rows if each.call == "all"]
        assert row.points == pytest.approx(every[0].points)
        assert row.call_share == pytest.approx(sum(each.call_share for each in every))
        made = sum((each.made or 0) * each.calls for each in every) / sum(each.calls for each in every)
        assert row.made == pytest.approx(made)


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ("call.order.seat1", "expected NAME=LOW:HIGH:STEP"),
        ("call.order.seat9=1,2", "call.order.seat4"),
        ("call.order.seat1=1:2", "cannot read the values"),
        ("call.order.seat1=2:1:0.5", "goes nowhere"),
        ("call.order.seat1=1:2:0", "goes nowhere"),
        ("call.order.seat1=1:2:nan", "cannot read the values"),
        ("call.order.seat1=0:99:0.01", "at most 200"),
        ("call.order.seat1=-1e308:1e308:1", "at most 200"),
        ("call.order.seat1=0:1:1e-320", "at most 200"),
        ("call.order.seat1=٣,6", "cannot read the values"),
        ("call.order.seat1=1_0,6", "cannot read the values"),
        ("call.order.seat1=5,5", "a value twice"),
        ("call.order.seat1=5,500", "from -99 to 99"),
        ("rule.nothing=1", "nothing"),
        ("rule.deck=25", "deck can be"),
        ("rule.deck=24,24", "a value twice"),
    ],
)
@pytest.mark.fast
def test_what_cannot_be_varied_is_refused_with_what_can(vary: str, said: str) -> None:
    with pytest.raises(QuestionError, match=said):
        variants_of(vary, rules_of("four-handed", {}), "standard", find_strategy)


@pytest.mark.fast
def test_a_player_by_coin_has_no_number_to_vary() -> None:
    with pytest.raises(QuestionError, match="by coin"):
        variants_of("call.order.seat1=5,6", rules_of("four-handed", {}), "random", find_strategy)


# --- the commands ---


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", "standard"], "two strategies or more"),
        (["compare", "standard", "standard"], "a name of its own"),
        (["compare", "standard", "bould"], "bold"),
        (["sweep", "-r", "deck=32", "--vary", "rule.deck=24,32"], "leave one of them out"),
        (["sweep", "-r", "Deck=32", "--vary", "rule.DECK=24,32"], "leave one of them out"),
        (["sweep", "--vary", "play.renege=0,1", "--vary", "call.order.seat1=5,6"], "give it once"),
        (["compare", "standard", "bold", "--deals", "5", "--max-deals", "6"], "give one of them"),
    ],
)
def test_questions_that_make_no_sense_are_refused(words: list[str], said: str, capsys: Printed) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("vary", "game", "said"),
    [
        ("bid.moon.seat1=11,15", "two", "bid.moon.seat1 changed none of these 200 deals"),
        ("rule.target=5,10", "two", "rule.target changed none of these 200 deals: .* simulate --matches"),
        ("call.order.seat1=5,9", "two", None),
        ("call.order.seat1=6,6.5", "two", None),
        ("rule.failed_alone=bid,value", "bid", None),
        ("bid.moon.seat1=11", "two", None),
    ],
)
def test_what_changes_no_deal_is_said_to(vary: str, game: str, said: str | None, capsys: Printed) -> None:
    assert main(["sweep", "--vary", vary, "-g", game, "--deals", "200", "--format", "csv"]) == 0
    noted = [line for line in capsys.readouterr().err.splitlines() if "changed none" in line]
    assert len(noted) == (said is not None)
    assert said is None or re.match(said, noted[0])


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (
            ["compare", "standard", "bold", "--matches", "20"],
            "game,strategy,against,deals,points,points_se,points_low,points_high,verdict,win_rate,win_rate_se",
        ),
        (
            ["sweep", "--vary", "call.order.seat1=5,6"],
            "game,vary,value,deals,points,points_se,difference,difference_low,difference_high,made,euchred,call_share",
        ),
        (
            ["simulate", "--matches", "20"],
            "game,players,strategy,player,games,wins,win_rate,win_rate_se,deals_per_game",
        ),
    ],
)
def test_columns_are_those_promised(words: list[str], names: str, capsys: Printed) -> None:
    deals = [] if "simulate" in words else ["--deals", "20"]
    assert main([*words, *deals, "-g", "two", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == names


def test_json_has_rows_and_where_they_come_from() -> None:
    rules = rules_of("two-handed", {})
    found = asdict(compare(rules, strategies(rules), 20, max_deals=20, margin=1))
    assert list(found)[:3] == ["game", "rules", "rows"]
    assert found["provenance"]["seatings"] == 2
