"""Reneging: who may, what it wins, who notices, what it costs, and what records and whole games make of it.

The kernels are held against the reference, which takes any illegal play, and against the slow player, who reneges as
strategies do.
"""

import copy
import json
import random
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import reference
from reference import Record
from reference import Table as Reference
from slow_player import SlowPlayer, some_numbers
from test_cli import run
from test_compare import check_games
from test_deals import assert_share, recorded, seeded_of
from test_kernel_rules import dealt_record, kernel_table, packs, plain, rules_of
from test_record import RECORDS
from test_slow_player import events_of, players_of

from analyzer import border, matches
from analyzer.ask import ask
from analyzer.asked import position_from_options
from analyzer.batches import Played, no_counts, play_deals
from analyzer.by_hand import play_by_hand
from analyzer.cards import cards_text, parse_cards
from analyzer.choices import option_text, options
from analyzer.cli import main
from analyzer.compare import compare
from analyzer.engine import Chunk
from analyzer.equity import is_kept, win_table
from analyzer.errors import BrokenRecord, QuestionError
from analyzer.hands import columns_of
from analyzer.matches import play_games, play_matches
from analyzer.players import Bot
from analyzer.position import Position
from analyzer.position_file import position_json, read_position
from analyzer.record import HandRecord, parse_record, replay, result_of, write_record
from analyzer.record import table_of as table_of_record
from analyzer.refusals import take_event
from analyzer.rules import GAMES, Rules
from analyzer.simulate import record_hands
from analyzer.solve import position_of_record, read_open_positions
from analyzer.strategy import Strategy, find_strategy
from analyzer.sweep import SweepStudy, sweep, variants_of
from analyzer.table import Table
from kernels import batches, values, vector
from kernels.compile import JIT

GAMES_AND_PACKS = [(game, pack) for game in GAMES for pack in packs(game)]


def some(n: int) -> int:
    return n if JIT else max(2, n // 50)


def sly(rules: Rules, chance: float = 1) -> Strategy:
    """The standard player, who reneges when that wins the trick."""
    standard = find_strategy("standard", rules)
    return replace(standard, name="sly", numbers=MappingProxyType({**standard.numbers, "play.renege": chance}))


def seats_of(counts: int) -> list[int]:
    return [seat + 1 for seat in range(4) for _ in range(counts >> 8 * seat & 255)]


def told_by(record: HandRecord) -> Record:
    return dict(json.loads(write_record(record)))


# --- the play ---


@pytest.mark.parametrize(("game", "pack"), GAMES_AND_PACKS, ids=str)
@pytest.mark.fast
def test_who_reneges_does_so_as_the_slow_player_and_points_are_those_of_the_reference(
    game: str, pack: dict[str, Any]
) -> None:
    rules = rules_of(game, pack | {"renege_caught": 0.5})
    n_reneged = 0
    for seed in range(some(10)):
        rng = random.Random(f"{game} {pack} {seed}")
        numbers = [some_numbers(rng, rules.hand_size) for _ in range(rules.n_seats)]
        for each in numbers:
            each["play.renege"] = rng.choice([0, 100, 100])
        dealt, ended, events, n_events = recorded(rules, seeded_of(rules, seed), players_of(rules, numbers), 10)
        for i in range(len(dealt)):
            record = dealt_record(game, rules, dealt[i])
            table = Reference(record)
            for event in events_of(rules, events[i, : n_events[i]]):
                chosen = SlowPlayer(numbers[event[0] - 1]).choose(table)
                assert plain(event) == plain(chosen), f"{record} after {table.events}"
                table.play(event)
            assert seats_of(int(ended[i][values.RENEGED])) == sorted(table.reneged)
            table.caught = seats_of(int(ended[i][values.CAUGHT]))
            assert result_of(rules, ended[i]) == table.result()
            n_reneged += len(table.reneged)
    assert n_reneged


def after(rules: Rules, hand: str, plays: str) -> Table:
    """A four-handed table in its first trick, hearts named by seat 1: the next to play holds `hand`."""
    laid = plays.split()
    free = [card for card in reference.pack({"deck": 24, "joker": False}) if card not in f"{plays} {hand}"]
    hands = [" ".join([card, *[free.pop() for _ in range(4)]]) for card in laid] + [hand]
    hands += [" ".join(free.pop() for _ in range(5)) for _ in range(4 - len(hands))]
    upcard = next(card for card in free if card[1] != "H")
    table = kernel_table({"game": "four-handed", "rules": rules.changed(), "hands": hands, "upcard": upcard})
    events = [[1, "pass"], [2, "pass"], [3, "pass"], [4, "pass"], [1, "name", "H"]]
    for event in [*events, *([seat, "play", card] for seat, card in enumerate(laid, 1))]:
        take_event(table, event)
    return table


@pytest.mark.parametrize(
    ("plays", "hand", "card"),
    [
        ("KC", "9C TH JH AD QD", "TH"),  # the lowest trump, though a club must follow
        ("KC", "AC TH JH AD QD", "AC"),  # a legal card wins
        ("QC", "9C AD QD KD TD", "9C"),  # no trump to win by
        ("KC", "9D TH JH AD QD", "TH"),  # nothing to follow with: a lawful ruff
        ("KC QH", "9C TH JH AD QD", "JH"),  # the lowest trump above the one that has ruffed
        ("KC QH", "9C TH 9H AD QD", "9C"),  # none is
        ("AC 9C", "TC TH JH AD QD", "TC"),  # the partner holds the trick
        ("QH", "9H TC AC AD QD", "9H"),  # trumps are led
    ],
)
@pytest.mark.fast
def test_a_renege_takes_the_trick_from_the_others_as_cheaply_as_it_can_where_no_legal_card_does(
    plays: str, hand: str, card: str
) -> None:
    scratch = np.zeros((values.MAX_OPTIONS, 2), np.int64)
    for chance in ("none", 0, 1):
        rules = rules_of("four-handed", {"renege_caught": chance})
        table = after(rules_of("four-handed", {"renege_caught": 0}), hand, plays)
        players = border.kernel_players([sly(rules)] * 4, rules)
        _, what = border.door_of(rules).choose(border.kernel_rules(rules), players, table.state, scratch)
        lawful = reference.may_play(hand.split(), reference.suit_of(plays.split(maxsplit=1)[0], "H"), "H")
        assert chance != "none" or cards_text(what, rules.pack) in lawful
        assert chance == "none" or cards_text(what, rules.pack) == card


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.fast
def test_where_nobody_can_renege_the_number_changes_nothing(game: str) -> None:
    rules, chunk = rules_of(game, {}), Chunk(0, some(2000))
    seats = range(rules.n_seats)
    usual, other = (
        play_deals(rules, [player(rules) for _ in seats], 3, chunk, with_rows=True)
        for player in (lambda rules: find_strategy("standard", rules), sly)
    )
    assert (usual.rows == other.rows).all()
    assert all((one == two).all() for one, two in zip(usual.counts, other.counts, strict=True))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.fast
def test_where_nobody_does_renege_the_house_rule_changes_nothing(game: str) -> None:
    chunk = Chunk(0, some(2000))
    found = []
    for changes in ({}, {"renege_caught": 0.5}):
        rules = rules_of(game, changes)
        names = ("standard", "random", "bold", "standard")[: rules.n_seats]
        players = [find_strategy(name, rules) for name in names]
        found.append(play_deals(rules, players, 3, chunk, with_rows=True).rows)
    assert (found[0] == found[1]).all()


@pytest.mark.skipif(not JIT, reason="too many deals for plain Python")
@pytest.mark.parametrize("game", GAMES)
def test_as_many_reneges_are_noticed_as_the_chance_has_it_and_one_tells_nothing_of_another(game: str) -> None:
    for chance in (0, 0.3, 0.75, 1):
        rules = rules_of(game, {"renege_caught": chance})
        rows = play_deals(rules, [sly(rules)] * rules.n_seats, 5, Chunk(0, 40_000), with_rows=True).rows
        counts = [
            np.array([rows[:, place] >> 8 * seat & 255 for seat in range(4)])
            for place in (batches.RENEGES, batches.NOTICED)
        ]
        reneged, caught = counts
        assert (caught <= reneged).all()
        assert_share(np.repeat([1, 0], [caught.sum(), (reneged - caught).sum()]), chance)
        pairs = (reneged[0] == 1) & (reneged[1] == 1)
        assert pairs.sum() > 30
        assert_share((caught[0] == 1)[pairs] & (caught[1] == 1)[pairs], chance * chance)
        twice = reneged == 2
        if twice.sum() > 30:
            assert_share(caught[twice] == 2, chance * chance)


@pytest.mark.skipif(not JIT, reason="too many deals for plain Python")
def test_he_reneges_as_often_as_the_strategy_says() -> None:
    """Of first chances to: a later one hangs on what became of it."""
    rules = rules_of("two-handed", {"renege_caught": 0})
    always, at_times = (
        play_deals(rules, [sly(rules, chance)] * 2, 5, Chunk(0, 60_000), with_rows=True).rows[:, batches.RENEGES] > 0
        for chance in (1, 0.01)
    )
    assert not (at_times & ~always).any()
    rules = rules_of("two-handed", {"renege_caught": 0})
    rows = play_deals(rules, [sly(rules, 0.4), find_strategy("standard", rules)], 5, Chunk(0, 60_000), with_rows=True)
    sure = play_deals(rules, [sly(rules), find_strategy("standard", rules)], 5, Chunk(0, 60_000), with_rows=True)
    once = sure.rows[:, batches.RENEGES] > 0
    share = (rows.rows[once, batches.RENEGES] > 0).mean()
    assert 0.4 < share < 0.7  # some have a second chance
    assert not (rows.rows[~once, batches.RENEGES] > 0).any()


# --- what it costs ---


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.fast
def test_each_notice_costs_the_offenders_side_two_points_and_the_cards_stand(game: str) -> None:
    n = some(1000)
    never, always = (
        play_deals(rules, [sly(rules)] * rules.n_seats, 2, Chunk(0, n), with_rows=True).rows
        for rules in (rules_of(game, {"renege_caught": chance}) for chance in (0, 1))
    )
    rules = rules_of(game, {})
    others = [place for place in range(batches.PAID) if place != batches.NOTICED]
    assert (never[:, others] == always[:, others]).all()
    assert (always[:, batches.RENEGES] == always[:, batches.NOTICED]).all()
    assert not never[:, batches.NOTICED].any()
    for side, seats in enumerate(rules.sides):
        fines = sum(2 * (always[:, batches.NOTICED] >> 8 * (seat - 1) & 255) for seat in seats)
        assert (always[:, batches.PAID + side] == never[:, batches.PAID + side] - fines).all()
        assert fines.any()  # type: ignore[union-attr]


@pytest.mark.skipif(not JIT, reason="too many deals for plain Python")
@pytest.mark.parametrize("game", GAMES)
def test_to_renege_pays_where_nobody_notices_and_costs_where_all_do(game: str) -> None:
    for chance, verdict in ((0, "better"), (1, "worse")):
        rules = rules_of(game, {"renege_caught": chance})
        found = compare(rules, [sly(rules), find_strategy("standard", rules)], 20_000, max_deals=20_000, margin=0.01)
        assert found.rows[0].verdict == verdict


@pytest.mark.parametrize("game", GAMES)
def test_a_sweep_of_the_chance_is_compare_at_each_value(game: str) -> None:
    rules, n = rules_of(game, {}), some(2000)

    def find(name: str, rules: Rules) -> Strategy:
        return sly(rules) if name == "sly" else find_strategy(name, rules)

    vary, variants = variants_of("rule.renege_caught=0:1:0.5", rules, "sly", find, "standard")
    found = sweep(rules, SweepStudy(vary, variants), n, max_deals=n, margin=0.1)
    assert [row.value for row in found.rows] == ["0", "0.5", "1"]
    assert found.provenance.against == "standard"
    for row, chance in zip(found.rows, (0, 0.5, 1), strict=True):
        changed = rules_of(game, {"renege_caught": chance})
        pair = compare(changed, [sly(changed), find_strategy("standard", changed)], n, max_deals=n, margin=0.1).rows[0]
        assert (row.points, row.points_se) == pytest.approx((pair.points, pair.points_se))
    assert found.rows[0].points > found.rows[1].points > found.rows[2].points


TIES = [
    ("two-handed", {"target": 4}),
    ("three-handed", {}),
    ("three-handed", {"tie": "joint", "target": 3}),
    ("three-handed", {"tie": "eldest", "target": 3}),
    ("four-handed", {"target": 4}),
    ("bid", {"target": 6}),
    ("bid", {"target": 3, "defenders_score": "never"}),
    ("bid", {"tie": "bidder", "negative_scores": False, "target": 8}),
    ("bid", {"tie": "higher-total", "target": 5, "negative_scores": False}),
    ("bid", {"tie": "higher-total", "deck": 48, "target": 12}),
]


@pytest.mark.parametrize(("game", "changes"), TIES, ids=str)
def test_whole_games_with_fines_are_those_played_deal_by_deal(game: str, changes: dict[str, Any]) -> None:
    rules = rules_of(game, changes | {"renege_caught": 0.9})
    check_games(
        rules, [sly(rules), find_strategy("standard", rules), sly(rules, 0.5), sly(rules)][: rules.n_seats], some(60)
    )


@pytest.mark.parametrize("game", ["two-handed", "bid"])
def test_totals_fall_below_zero_by_fines_unless_a_house_rule_forbids_it(game: str) -> None:
    for changes, may in (({}, True), ({"negative_scores": False}, False)):
        if not may and game != "bid":
            continue
        rules = rules_of(game, changes | {"renege_caught": 1})
        found = play_matches(rules, [sly(rules), find_strategy("standard", rules)] * (rules.n_seats // 2), some(1500))
        lowest = min(score for side in found.final_scores for score, _ in side["scores"])
        assert (lowest < 0) == may


@pytest.mark.fast
def test_a_tie_is_played_on_until_it_is_parted_though_fines_have_brought_both_below_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From 10 and 12, with 10 to win, to 7 and 7, and on to 8 and 6."""
    paid = [(10, 12), (-5, -3), (1, -1)]  # in the second deal side 2 is eldest

    def dealt(rules: Rules, seating: Any, seed: int, numbers: Any, **how: Any) -> Played:
        rows = np.zeros((1, batches.N_COLUMNS), np.int64)
        rows[0, batches.PAID : batches.PAID + 2] = paid[int(numbers[0])]
        return Played(no_counts(rules), rows)

    monkeypatch.setattr(matches, "play_deals", dealt)
    rules = rules_of("bid", {"target": 10, "renege_caught": 1})
    games = play_games(rules, [find_strategy("standard", rules)] * 4, 0, 0, 1)
    assert (games.totals.ravel().tolist(), games.won.tolist(), games.deals.tolist()) == ([8, 6], [0b01], [3])


# --- records ---


def random_record(game: str, pack: dict[str, Any], chance: float, rng: random.Random) -> Record:
    eager = {"pass": 0.3}
    while True:
        dealt = reference.deal(game, pack | {"renege_caught": chance}, rng)
        record = reference.play_at_random(dealt, rng, eager, reneging=0.4)
        if "reneged" in record["result"]:
            return record


@pytest.mark.parametrize(("game", "pack"), GAMES_AND_PACKS, ids=str)
@pytest.mark.fast
def test_any_illegal_plays_replay_to_the_result_of_the_reference(game: str, pack: dict[str, Any]) -> None:
    rng = random.Random(f"records {game} {pack}")
    n_reneged = 0
    for _ in range(100 if JIT else 10):
        record = random_record(game, pack, rng.choice([0, 0.5, 1]), rng)
        read = parse_record(record)
        at_once, one_by_one = replay(read), table_of_record(read)
        for event in read.events:
            take_event(one_by_one, event)
        assert at_once.result == record["result"] == reference.replay(record)
        one_by_one.notice(record["result"]["caught"])
        assert result_of(at_once.rules, one_by_one.state) == record["result"]
        told = [seat for trick in at_once.tricks for seat in trick.reneged]
        assert sorted(told) == record["result"]["reneged"]
        n_reneged += len(told)
    assert n_reneged


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.fast
def test_recorded_hands_hold_illegal_plays_as_played_and_add_up_to_the_rows(game: str) -> None:
    rules, n = rules_of(game, {"renege_caught": 0.5}), some(300)
    players = [sly(rules)] * rules.n_seats
    hands: list[HandRecord] = []
    record_hands(rules, players, n, hands.extend, seed=4, workers=1)
    rows = play_deals(rules, players, 4, Chunk(0, n), with_rows=True).rows
    for hand, row in zip(hands, rows, strict=True):
        told = told_by(hand)
        assert replay(parse_record(told)).result == hand.result == reference.replay(told)
        assert hand.result["points"] == row[batches.PAID :][: len(rules.sides)].tolist()
        if "trump" in hand.result:
            assert hand.result["reneged"] == seats_of(int(row[batches.RENEGES]))
            assert hand.result["caught"] == seats_of(int(row[batches.NOTICED]))


NOTED: Record = {
    "format": 1,
    "game": "two-handed",
    "rules": {"renege_caught": 0.5},
    "hands": ["AC JS KD JD TH", "QC KS QD 9H TC"],
    "upcard": "KH",
    "stock": "JC AS KC JH QS QH 9C AD 9D TD 9S AH TS",
    "events": [
        *([1, "order"], [2, "pickup", "QC"]),
        *([1, "play", "TH"], [2, "play", "TC"], [1, "play", "KD"], [2, "play", "KS"], [1, "play", "JS"]),
        *([2, "play", "KH"], [2, "play", "9H"], [1, "play", "AC"], [2, "play", "QD"], [1, "play", "JD"]),
    ],
    "result": {
        "trump": "H",
        "maker": 1,
        "alone": [],
        "tricks": [3, 2],
        "points": [1, -2],
        "reneged": [1, 2, 2],
        "caught": [2],
    },
}
"""Seat 2 keeps a trump and then a diamond back, seat 1 the left bower; he is noticed once."""


def noted(chance: object = 0.5, **result: object) -> Record:
    record = copy.deepcopy(NOTED)
    record["rules"] = {"renege_caught": chance}
    record["result"] |= result
    return record


def without_result(chance: float) -> Record:
    return {field: value for field, value in noted(chance).items() if field != "result"}


@pytest.mark.parametrize(
    ("caught", "points"),
    [([], [1, 0]), ([1], [-1, 0]), ([2], [1, -2]), ([2, 2], [1, -4]), ([1, 2], [-1, -2]), ([1, 2, 2], [-1, -4])],
)
@pytest.mark.fast
def test_a_record_tells_who_was_noticed_and_the_rules_what_it_cost(caught: list[int], points: list[int]) -> None:
    record = noted(caught=caught, points=points)
    assert replay(parse_record(record)).result == record["result"] == reference.replay(record)


@pytest.mark.parametrize(
    ("record", "event", "words"),
    [
        (noted(reneged=[1, 2]), None, "reneged: the record says [1, 2], by the rules it is [1, 2, 2]"),
        (noted(reneged=[2, 2, 1]), None, "reneged: the record says"),
        (noted(points=[1, 0]), None, "points: the record says [1, 0], by the rules it is [1, -2]"),
        (noted(caught=[1, 1]), None, "those who reneged are [1, 2, 2]"),
        (noted(caught=[3]), None, "those who reneged are [1, 2, 2]"),
        (noted(caught=[2, 1]), None, "caught: expected the seats in order"),
        (noted(caught=[True]), None, "caught: expected the seats in order"),
        (noted(caught=["2"]), None, "caught: expected the seats in order"),
        (noted(caught=2), None, "caught: expected the seats in order"),
        (noted(caught=None), None, "caught: expected the seats in order"),
        (noted(chance=0), None, "by renege_caught=0 none is noticed"),
        (noted(chance=1), None, "by renege_caught=1 each is noticed"),
        (noted(chance="none"), 4, "seat 2 reneged: TC on hearts, holding KH 9H"),
        (noted(chance=1.5), 0, "renege_caught can be none or 0 to 1"),
        (noted(chance=True), 0, "renege_caught can be none or 0 to 1"),
    ],
    ids=str,
)
@pytest.mark.fast
def test_a_record_of_illegal_plays_that_does_not_agree_is_refused(
    record: Record, event: int | None, words: str
) -> None:
    with pytest.raises(BrokenRecord) as refused:
        replay(parse_record(record))
    assert refused.value.event == event
    assert words in refused.value.reason


@pytest.mark.parametrize("missing", ["reneged", "caught"])
@pytest.mark.fast
def test_a_result_under_the_house_rule_has_both_lists_and_without_it_none(missing: str) -> None:
    record = noted()
    del record["result"][missing]
    with pytest.raises(BrokenRecord, match=f"the result has no {missing}"):
        replay(parse_record(record))
    lawful = next(each for each in RECORDS if "trump" in each["result"])
    lawful = lawful | {"result": lawful["result"] | {missing: []}}
    with pytest.raises(BrokenRecord, match=f'"{missing}" that does not belong'):
        replay(parse_record(lawful))


@pytest.mark.fast
def test_a_record_without_a_result_says_nobody_was_noticed_unless_all_are() -> None:
    for chance, caught, points in ((0, [], [1, 0]), (0.5, [], [1, 0]), (1, [1, 2, 2], [-1, -4])):
        found = replay(parse_record(without_result(chance))).result
        assert (found["caught"], found["points"]) == (caught, points)
        assert found == reference.replay(without_result(chance))


@pytest.mark.parametrize("chance", [0, 0.5, 1])
def test_it_is_said_that_nobody_is_known_to_be_noticed(
    chance: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.jsonl"
    lawful = {name: value for name, value in RECORDS[0].items() if name != "result"}
    file.write_text("".join(json.dumps(record) + "\n" for record in (without_result(chance), noted(), lawful)))
    assert main(["replay", str(file), "--format", "json"]) == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if "has no result" in line]
    assert len(notes) == (chance == 0.5)
    assert all("hands.jsonl line 1: seat 1 and seat 2 reneged" in line for line in notes)


@pytest.mark.fast
def test_a_card_that_is_not_held_is_refused_under_the_house_rule_too() -> None:
    record = without_result(0.5)
    record["events"][3] = [2, "play", "QC"]
    with pytest.raises(BrokenRecord, match="seat 2 does not hold QC"):
        replay(parse_record(record))


@pytest.mark.fast
def test_the_tricks_show_who_reneged(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text(json.dumps(noted()) + "\n")
    shown = run("replay", str(path)).stdout
    assert "* won, > led, ! reneged" in shown
    assert [
        line.split("seat")[0].split() for line in shown.splitlines() if line.strip()[:1] in "12345" and "seat" in line
    ][:5] == [
        ["1", ">TH*", "TC!"],
        ["2", ">KD*", "KS!"],
        ["3", ">JS", "KH*"],
        ["4", "AC!", ">9H*"],
        ["5", "JD*", ">QD"],
    ]
    assert "reneged: seats 1, 2, 2, noticed: seat 2; points by seat: 1, -2." in " ".join(shown.split())


# --- players in Python, columns, refusals ---


class First:
    """Answers with the first legal option."""

    def choose(self, position: Position) -> str:
        return option_text(position.rules, (options(position)[0].step,))


@pytest.mark.parametrize("game", GAMES)
def test_a_player_in_python_plays_by_the_rules_against_others_who_renege(game: str) -> None:
    rules, n = rules_of(game, {"renege_caught": 0.5}), 40 if JIT else 24
    players = [Bot("first", player=First()), *[sly(rules)] * (rules.n_seats - 1)]
    rows = play_deals(rules, players, 3, Chunk(0, n), with_rows=True).rows
    assert not (rows[:, batches.RENEGES] & 255).any()
    assert rows[:, batches.RENEGES].any()


def test_players_by_hand_and_by_kernels_renege_and_are_noticed_alike() -> None:
    rules = rules_of("four-handed", {"renege_caught": 0.5})
    players = [sly(rules, 0.5)] * 4
    usual = play_deals(rules, players, 3, Chunk(0, 40), with_rows=True)
    counts, rows = no_counts(rules), np.zeros((40, batches.N_COLUMNS), np.int64)
    play_by_hand(rules, players, 3, np.arange(40), counts, rows)
    assert (rows == usual.rows).all()
    assert all((one == two).all() for one, two in zip(counts, usual.counts, strict=True))


@pytest.mark.fast
def test_hands_have_a_column_of_illegal_plays_and_one_of_those_noticed() -> None:
    rows = np.zeros((2, batches.N_COLUMNS), np.int64)
    rows[0, batches.RENEGES], rows[0, batches.NOTICED] = 1 | 2 << 8 | 1 << 24, 1 << 8
    for changes, told in (({"renege_caught": 0}, [[4, 0], [1, 0]]), ({}, [None, None])):
        rules = rules_of("four-handed", changes)
        columns = {column.name: column for column in columns_of(rules, [find_strategy("standard", rules)] * 4, 0)}
        for name, numbers in zip(("reneged", "caught"), told, strict=True):
            column = columns[name]
            if numbers is None:
                assert column.words == (None,)
                assert not column.places(0, rows).any()
            else:
                assert column.words is None
                assert column.places(0, rows).tolist() == numbers


@pytest.mark.fast
def test_what_counts_on_lawful_play_refuses_the_house_rule(tmp_path: Path) -> None:
    rules = rules_of("four-handed", {"renege_caught": 0.1})
    players = [find_strategy("standard", rules)] * 4
    said = "for play by the rules alone: leave out renege_caught=0.1"
    position = Position(rules=rules, seat=1, hand=parse_cards("JH JD AH KH 9S", rules.pack), events=(), upcard=1 << 37)
    for question in (
        lambda: position_from_options(rules, "JH JD AH KH 9S", up="QH"),
        lambda: read_position(position_json(position)),
        lambda: ask(position, players, deals=20),
        lambda: ask(position, players, exact=True),
        lambda: is_kept(rules, players),
        lambda: win_table(rules, players, deals=10),
        lambda: next(read_open_positions([], rules)),
        lambda: position_of_record(noted(0.1)),
    ):
        with pytest.raises(QuestionError, match=said):
            question()
    for words in (["ask", "JH JD AH KH 9S", "--up", "QH"], ["equity"], ["solve", "nowhere.jsonl"]):
        found = run(*words, "-r", "renege_caught=0.1")
        assert (found.returncode, found.stdout) == (2, "")
        assert said in " ".join(found.stderr.split())


@pytest.mark.fast
def test_the_number_is_a_chance_in_a_strategy_file(tmp_path: Path) -> None:
    path = tmp_path / "sly.toml"
    path.write_text('base = "standard"\n[play]\nrenege = 0.25\n')
    rules = rules_of("bid", {})
    assert border.number_vector(find_strategy(str(path), rules))[vector.PLAY_RENEGE] == 25
    assert find_strategy("standard", rules).numbers["play.renege"] == 0
    path.write_text('base = "standard"\n[play]\nrenege = 1.5\n')
    with pytest.raises(QuestionError, match=r"line 3: play\.renege is 1\.5; expected a number from 0 to 1"):
        find_strategy(str(path), rules)
