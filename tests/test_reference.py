"""The reference must know the game: given records, the standing examples, and its own random deals."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reference import (
    CHOICES,
    DEFAULTS,
    Broken,
    Event,
    Illegal,
    Record,
    Table,
    ace_no_face,
    add_up,
    deal,
    full_rules,
    may_play,
    pack,
    play_at_random,
    replay,
    score,
    trick_winner,
    winners,
)

DATA = Path(__file__).parent / "data"
TWO, THREE, FOUR, BID = (DEFAULTS[game] for game in ("two-handed", "three-handed", "four-handed", "bid"))


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


RECORDS = lines("records.jsonl")
BROKEN = lines("broken.jsonl")


def dealt(game: str, rules: dict[str, Any] | None = None, seed: int = 0, **fixed: str) -> Record:
    """A random deal in which some hands (`seat1=`), the `upcard` or the `dummy` are as asked for."""
    full = full_rules(game, rules or {})
    wanted = Counter(card for text in fixed.values() for card in text.split())
    record = deal(game, full, random.Random(seed))
    rest = list((Counter(pack(full)) - wanted).elements())
    random.Random(seed).shuffle(rest)
    for seat, text in enumerate(record["hands"], 1):
        record["hands"][seat - 1] = fixed.get(f"seat{seat}") or " ".join(rest.pop() for _ in text.split())
    for part in ("dummy", "upcard", "stock"):
        if part in record:
            record[part] = fixed.get(part) or " ".join(rest.pop() for _ in record[part].split())
    record.pop("joker_suit", None)
    if record.get("upcard") == "JO":
        record["joker_suit"] = "H"
    return record


def after(record: Record, *events: Event) -> Table:
    table = Table(record)
    for event in events:
        table.play(event)
    return table


def verbs(table: Table) -> set[str]:
    return {event[1] for event in table.legal()}


def pickup_if_asked(table: Table) -> None:
    """Let a dealer who must act on the upcard do anything legal."""
    if verbs(table) & {"pickup", "leave"}:
        table.play(table.legal()[0])


# Given records


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record['game']}-{record['deal']}")
def test_a_given_record_replays_to_its_result(record: Record) -> None:
    told = record["result"]
    assert replay({field: value for field, value in record.items() if field != "result"}) == told
    assert replay(record) == told


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["kind"].replace(" ", "-"))
def test_a_broken_record_is_refused_at_its_event(case: dict[str, Any]) -> None:
    with pytest.raises(Broken) as refusal:
        replay(case["record"])
    assert refusal.value.event == case["event"]


@pytest.mark.parametrize(
    "change",
    [
        {"weather": "fine"},
        {"format": 2},
        {"format": True},
        {"game": "five-handed"},
        {"rules": {"auction": "one-turn"}},
        {"rules": {"deck": 48}},
        {"rules": {"target": 101}},
        {"rules": {"joker": 1}},
        {"dummy": ""},
        {"joker_suit": "H"},
        {"hands": "TC KD"},
        {"hands": None},
    ],
    ids=str,
)
def test_a_record_with_a_strange_field_or_value_is_refused_as_a_deal(change: Record) -> None:
    record = dealt("four-handed") | change
    with pytest.raises(Broken) as refusal:
        replay(record)
    assert refusal.value.event == 0


def test_house_rules_written_out_though_they_are_the_usual_ones_are_accepted() -> None:
    record = next(record for record in RECORDS if record["rules"] == {"deck": 48})
    assert replay(record | {"rules": {"deck": 48, "target": 52, "tie": "play-on", "renege_caught": "none"}})


def test_what_is_no_event_is_refused_at_its_place() -> None:
    for event in (None, [], "pass", [1], [True, "pass"], [1.0, "pass"], [1, "pass", None], [1, "sing"], [1, ["pass"]]):
        with pytest.raises(Broken) as refusal:
            replay(dealt("two-handed") | {"events": [event]})
        assert refusal.value.event == 1


@pytest.mark.parametrize("change", [{"weather": "fine"}, {"maker": True}, {"tricks": None}], ids=str)
def test_a_result_with_a_strange_field_or_value_is_refused(change: Record) -> None:
    record = RECORDS[0]
    with pytest.raises(Broken) as refusal:
        replay(record | {"result": record["result"] | change})
    assert refusal.value.event is None


def test_a_result_that_lacks_a_field_is_refused() -> None:
    with pytest.raises(Broken) as refusal:
        replay(RECORDS[0] | {"result": {"points": RECORDS[0]["result"]["points"]}})
    assert refusal.value.event is None


# Following suit and taking the trick


def test_with_hearts_trump_the_jack_of_diamonds_does_not_follow_diamonds() -> None:
    assert may_play(["JD", "9C"], "D", "H") == ["JD", "9C"]


def test_the_left_bower_must_follow_a_lead_of_trump() -> None:
    assert may_play(["JD", "AC"], "H", "H") == ["JD"]


def test_the_joker_must_follow_a_lead_of_trump() -> None:
    assert may_play(["JO", "AH"], "S", "S") == ["JO"]


def test_a_leader_may_play_any_card() -> None:
    assert may_play(["JO", "AH"], None, "S") == ["JO", "AH"]


def test_of_two_identical_cards_the_first_takes_the_trick() -> None:
    assert trick_winner([(1, "9H"), (2, "JH"), (3, "JD"), (4, "JH")], "H") == 2


def test_the_joker_beats_the_bowers_and_the_right_bower_the_left() -> None:
    trick = [(1, "AC"), (2, "JS"), (3, "JC"), (4, "JO")]
    assert trick_winner(trick, "C") == 4
    assert trick_winner(trick[:3], "C") == 3
    assert trick_winner(trick[:2], "C") == 2
    assert trick_winner(trick[:2], "D") == 1


def test_a_card_of_another_suit_takes_nothing_and_a_small_trump_beats_an_ace() -> None:
    assert trick_winner([(3, "9D"), (4, "AS"), (1, "TD"), (2, "AC")], "H") == 1
    assert trick_winner([(3, "9D"), (4, "AS"), (1, "TD"), (2, "9H")], "H") == 2


# Two-handed


@pytest.mark.parametrize(
    ("taken", "points"), [(3, [1, 0]), (4, [1, 0]), (5, [2, 0]), (2, [0, 2]), (0, [0, 2])], ids=str
)
def test_two_handed_points(taken: int, points: list[int]) -> None:
    assert score("two-handed", TWO, 1, [], [taken, 5 - taken]) == points
    assert score("two-handed", TWO, 2, [], [5 - taken, taken]) == points[::-1]


def test_a_dealer_ordered_by_another_may_leave_the_upcard_but_not_when_he_ordered_himself() -> None:
    record = dealt("two-handed")
    assert verbs(after(record, [1, "order"])) == {"pickup", "leave"}
    assert verbs(after(record, [1, "pass"], [2, "order"])) == {"pickup"}
    assert verbs(after(record | {"rules": {"pickup": "compulsory"}}, [1, "order"])) == {"pickup"}


def test_the_upcard_is_discarded_only_where_the_house_allows_it() -> None:
    record = dealt("two-handed", upcard="AS")
    assert [2, "pickup", "AS"] not in after(record, [1, "order"]).legal()
    assert [2, "pickup", "AS"] in after(record | {"rules": {"discard_upcard": True}}, [1, "order"]).legal()


def test_the_suit_turned_down_is_barred_unless_the_house_allows_it() -> None:
    record = dealt("two-handed", upcard="AS")
    passes: list[Event] = [[1, "pass"], [2, "pass"]]
    assert [1, "name", "S"] not in after(record, *passes).legal()
    assert [1, "name", "S"] in after(record | {"rules": {"turned_down_suit": "allowed"}}, *passes).legal()


def test_when_all_pass_twice_the_deal_is_thrown_in_unless_the_dealer_is_stuck() -> None:
    record = dealt("two-handed")
    table = after(record, [1, "pass"], [2, "pass"], [1, "pass"], [2, "pass"])
    assert table.done
    assert table.result() == {"thrown_in": True, "points": [0, 0]}
    stuck = after(record | {"rules": {"stick_the_dealer": True}}, [1, "pass"], [2, "pass"], [1, "pass"])
    assert verbs(stuck) == {"name"}


def test_a_turned_joker_is_ordered_as_its_suit_and_turned_down_with_it() -> None:
    record = dealt("two-handed", {"joker": True}, upcard="JO", seat2="9C TC 9D TD AH") | {"joker_suit": "D"}
    table = after(record, [1, "order"], [2, "pickup", "9C"])
    assert table.trump == "D"
    assert "JO" in table.hands[2]
    refused = after(record, [1, "pass"], [2, "pass"]).legal()
    assert {event[2] for event in refused if event[1] == "name"} == {"C", "H", "S"}


def test_a_turned_joker_that_is_always_hearts_cannot_stand_for_another_suit() -> None:
    record = dealt("two-handed", {"joker": True, "joker_turned_up": "hearts"}, upcard="JO")
    assert Table(record).turned_suit == "H"
    with pytest.raises(Broken):
        Table(record | {"joker_suit": "C"})
    with pytest.raises(Broken):
        Table({field: value for field, value in record.items() if field != "joker_suit"})


# Three-handed


@pytest.mark.parametrize(
    ("maker", "alone", "tricks", "points"),
    [
        (1, [], [3, 2, 0], [1, 0, 0]),
        (1, [1], [4, 1, 0], [1, 0, 0]),
        (2, [], [0, 5, 0], [0, 3, 0]),
        (2, [2], [0, 5, 0], [0, 3, 0]),
        (3, [], [3, 0, 2], [2, 2, 0]),
        (3, [], [3, 2, 0], [2, 2, 0]),
        (3, [1], [3, 0, 2], [2, 2, 0]),
        (3, [1], [5, 0, 0], [4, 4, 0]),
        (3, [1, 3], [5, 0, 0], [4, 4, 0]),
        (3, [3], [5, 0, 0], [2, 2, 0]),
    ],
)
def test_three_handed_points(maker: int, alone: list[int], tricks: list[int], points: list[int]) -> None:
    assert score("three-handed", THREE, maker, alone, tricks) == points


def test_a_lone_makers_march_pays_what_the_house_says() -> None:
    rules = full_rules("three-handed", {"lone_maker_march": 5})
    assert score("three-handed", rules, 1, [1], [5, 0, 0]) == [5, 0, 0]
    assert score("three-handed", rules, 1, [], [5, 0, 0]) == [3, 0, 0]


@pytest.mark.parametrize(("maker", "nearer"), [(1, 2), (2, 1), (3, 1)])
def test_two_defenders_equal_at_the_target_the_one_nearer_the_dealers_left_wins(maker: int, nearer: int) -> None:
    before = [9 if seat == maker else 8 for seat in (1, 2, 3)]
    tricks = [2 if seat == maker else 3 if seat == nearer else 0 for seat in (1, 2, 3)]
    points = {"points": score("three-handed", THREE, maker, [], tricks)}
    totals = add_up("three-handed", THREE, before, points)
    assert sorted(totals) == [9, 10, 10]
    assert winners("three-handed", THREE, totals) == [float(seat == nearer) for seat in (1, 2, 3)]


def test_two_defenders_home_together_the_higher_total_wins() -> None:
    points = {"points": score("three-handed", THREE, 1, [3], [0, 0, 5])}
    totals = add_up("three-handed", THREE, [0, 8, 9], points)
    assert totals == [0, 12, 13]
    assert winners("three-handed", THREE, totals) == [0, 0, 1]
    assert winners("three-handed", full_rules("three-handed", {"tie": "eldest"}), totals) == [0, 1, 0]
    assert winners("three-handed", full_rules("three-handed", {"tie": "joint"}), totals) == [0, 0.5, 0.5]


def lead_with(maker: int, alone: list[int], rules: dict[str, Any] | None = None) -> int | None:
    """Who leads once this maker, and these seats alone, are agreed."""
    table = Table(dealt("three-handed", rules))
    for seat in range(1, maker):
        table.play([seat, "pass"])
    table.play([maker, "order"])
    pickup_if_asked(table)
    table.play([maker, "alone"] if maker in alone else table.legal()[1])
    while "together" in verbs(table):
        assert table.to_act is not None
        table.play([table.to_act, "alone" if table.to_act in alone else "together"])
    assert verbs(table) == {"play"}
    return table.to_act


@pytest.mark.parametrize(
    ("maker", "alone", "leader"),
    [
        (1, [], 1),
        (2, [], 1),
        (3, [], 1),
        (1, [1], 2),
        (2, [2], 3),
        (3, [3], 1),
        (3, [1], 3),
        (1, [3], 1),
        (1, [1, 3], 3),
    ],
)
def test_three_handed_leads(maker: int, alone: list[int], leader: int) -> None:
    assert lead_with(maker, alone) == leader


@pytest.mark.parametrize(
    ("value", "leads"),
    [("defender", [2, 3, 2]), ("maker", [1, 2, 3]), ("eldest", [1, 2, 2])],
    ids=str,
)
def test_when_maker_and_a_defender_are_alone_the_house_says_who_leads(value: str, leads: list[int]) -> None:
    rules = {"both_alone_lead": value}
    assert [lead_with(maker, alone, rules) for maker, alone in ((1, [1, 2]), (2, [2, 3]), (3, [2, 3]))] == leads


def test_the_first_defender_from_the_makers_left_who_goes_alone_silences_the_other() -> None:
    table = after(dealt("three-handed"), [1, "pass"], [2, "order"], [3, "leave"], [2, "alone"])
    assert table.to_act == 3
    table.play([3, "alone"])
    assert verbs(table) == {"play"}
    assert table.out == [1]


def test_the_maker_keeps_any_five_of_his_ten_in_any_order_and_may_keep_his_own() -> None:
    record = dealt("three-handed", seat1="AC KC QC TC 9C", dummy="AS KS QS TS 9S")
    start: list[Event] = [[1, "order"], [3, "leave"]]
    assert len(after(record, *start).legal()) == 252 + 1
    for five in ("9C TC QC KC AC", "AS 9C KS QC 9S"):
        assert sorted(after(record, *start, [1, "dummy", five]).hands[1]) == sorted(five.split())
    for wrong in ("AC KC QC TC", "AC KC QC TC TC", "AC KC QC TC AH", "AC KC QC TC 9C AS", "AC KC QC  TC", ""):
        with pytest.raises(Illegal):
            after(record, *start, [1, "dummy", wrong])


def test_a_dealer_who_is_maker_chooses_among_the_upcard_and_the_dummy_too() -> None:
    record = dealt("three-handed", upcard="AS", seat3="9C TC 9D TD 9H")
    table = after(record, [1, "pass"], [2, "pass"], [3, "order"], [3, "pickup", "9C"])
    kept = [event[2].split() for event in table.legal() if event[1] == "dummy"]
    assert any("AS" in five for five in kept)
    assert not any("9C" in five for five in kept)


# Four-handed


@pytest.mark.parametrize(
    ("rules", "alone", "tricks", "points"),
    [
        ({}, [], [2, 1, 1, 1], [1, 0]),
        ({}, [], [3, 0, 2, 0], [2, 0]),
        ({}, [], [1, 2, 1, 1], [0, 2]),
        ({}, [1], [5, 0, 0, 0], [4, 0]),
        ({}, [1], [4, 1, 0, 0], [1, 0]),
        ({}, [1], [2, 2, 0, 1], [0, 2]),
        ({"lone_march": 5}, [1], [5, 0, 0, 0], [5, 0]),
        ({"loner_euchred": 4}, [1], [2, 2, 0, 1], [0, 4]),
        ({"loner_euchred": 4}, [], [2, 2, 0, 1], [0, 2]),
        ({"defend_alone": True}, [1, 2], [2, 3, 0, 0], [0, 4]),
        ({"defend_alone": True}, [1], [2, 2, 0, 1], [0, 2]),
    ],
    ids=str,
)
def test_four_handed_points(rules: dict[str, Any], alone: list[int], tricks: list[int], points: list[int]) -> None:
    assert score("four-handed", full_rules("four-handed", rules), 1, alone, tricks) == points


def test_a_dealer_who_sits_out_does_nothing_about_the_upcard() -> None:
    table = after(dealt("four-handed"), [1, "pass"], [2, "order", "alone"])
    assert verbs(table) == {"play"}
    assert table.to_act == 1


def test_a_dealer_must_take_the_upcard_unless_the_house_leaves_it_to_him() -> None:
    record = dealt("four-handed")
    assert verbs(after(record, [1, "order"])) == {"pickup"}
    optional = record | {"rules": {"pickup": "optional"}}
    assert verbs(after(optional, [1, "order"])) == {"pickup", "leave"}
    assert verbs(after(optional, [1, "pass"], [2, "pass"], [3, "pass"], [4, "order"])) == {"pickup"}


def test_the_dealers_partner_may_be_bound_to_order_only_alone_but_names_freely() -> None:
    table = after(dealt("four-handed", {"partner_orders_alone": True}), [1, "pass"])
    assert table.legal() == [[2, "pass"], [2, "order", "alone"]]
    for event in ([2, "pass"], [3, "pass"], [4, "pass"], [1, "pass"]):
        table.play(event)
    assert {len(event) for event in table.legal() if event[1] == "name"} == {3, 4}


@pytest.mark.parametrize(("value", "leads"), [("eldest", [1, 1, 2, 1]), ("left-of-maker", [2, 3, 4, 1])])
def test_against_a_loner_the_house_says_who_leads(value: str, leads: list[int]) -> None:
    found = []
    for maker in (1, 2, 3, 4):
        table = Table(dealt("four-handed", {"lone_lead": value}))
        for seat in range(1, maker):
            table.play([seat, "pass"])
        table.play([maker, "order", "alone"])
        pickup_if_asked(table)
        found.append(table.to_act)
    assert found == leads


def test_each_opponent_from_the_loners_left_may_defend_alone() -> None:
    record = dealt("four-handed", {"defend_alone": True, "lone_lead": "left-of-maker"})
    table = after(record, [1, "pass"], [2, "order", "alone"], [3, "together"], [1, "alone"])
    assert table.out == [4, 3]
    assert table.to_act == 1
    assert verbs(table) == {"play"}
    with_partner = after(record, [1, "order"])
    pickup_if_asked(with_partner)
    assert verbs(with_partner) == {"play"}


# Bid euchre


@pytest.mark.parametrize(
    ("bid", "ours", "theirs", "points"),
    [
        (3, 4, 2, [4, 2]),
        (5, 4, 2, [-5, 2]),
        (5, 6, 0, [6, 0]),
        ("ask", 6, 0, [12, 0]),
        ("ask", 5, 1, [-6, 1]),
        ("moon", 6, 0, [24, 0]),
        ("moon", 3, 3, [-6, 3]),
        ("six", 6, 0, [6, 0]),
        ("six", 5, 1, [-6, 1]),
    ],
)
def test_bid_points(bid: int | str, ours: int, theirs: int, points: list[int]) -> None:
    assert score("bid", BID, 1, [], [ours, theirs, 0, 0], bid) == points
    assert score("bid", BID, 4, [], [0, 0, theirs, ours], bid) == points[::-1]


@pytest.mark.parametrize(
    ("bid", "ours", "points"),
    [("ask", 12, [24, 0]), ("moon", 12, [48, 0]), ("moon", 11, [-12, 1]), ("six", 12, [12, 0]), ("six", 11, [-12, 1])],
)
def test_bid_points_with_the_double_pack(bid: str, ours: int, points: list[int]) -> None:
    assert score("bid", full_rules("bid", {"deck": 48}), 1, [], [ours, 12 - ours, 0, 0], bid) == points


@pytest.mark.parametrize(
    ("rules", "bid", "ours", "points"),
    [
        ({"failed_alone": "value"}, "ask", 5, [-12, 1]),
        ({"failed_alone": "value"}, "moon", 5, [-24, 1]),
        ({"failed_alone": "value", "plain_six": True}, "six", 5, [-6, 1]),
        ({"failed_alone": "value", "deck": 48}, "moon", 11, [-48, 1]),
        ({"defenders_score": "when-set"}, 3, 4, [4, 0]),
        ({"defenders_score": "when-set"}, 5, 4, [-5, 2]),
        ({"defenders_score": "never"}, 5, 4, [-5, 0]),
    ],
    ids=str,
)
def test_bid_points_by_house_rules(rules: dict[str, Any], bid: int | str, ours: int, points: list[int]) -> None:
    full = full_rules("bid", rules)
    every_trick = 12 if full["deck"] == 48 else 6
    assert score("bid", full, 3, [], [0, every_trick - ours, ours, 0], bid) == points


def test_both_sides_home_play_one_more_and_then_the_higher_total_wins() -> None:
    totals = add_up("bid", BID, [30, 30], {"points": score("bid", BID, 1, [], [4, 2, 0, 0], 3)})
    assert totals == [34, 32]
    assert winners("bid", BID, totals, maker=1) == "play-on"
    assert winners("bid", BID, [29, 36], maker=1, one_more=True) == [0, 1]
    assert winners("bid", BID, [20, 31], maker=1, one_more=True) == [0, 1]
    assert winners("bid", BID, [36, 36], maker=1, one_more=True) == "play-on"


def test_other_houses_settle_the_tie_for_the_bidder_or_the_higher_total() -> None:
    bidder, higher = (full_rules("bid", {"tie": value}) for value in ("bidder", "higher-total"))
    assert winners("bid", bidder, [34, 40], maker=1) == [1, 0]
    assert winners("bid", bidder, [34, 33], maker=4) == [0, 1]
    assert winners("bid", higher, [34, 40], maker=1) == [0, 1]
    assert winners("bid", higher, [34, 34], maker=1) == "play-on"


def test_one_side_home_wins_and_nobody_home_plays_on_to_the_target() -> None:
    assert winners("bid", BID, [32, 31], maker=2) == [1, 0]
    assert winners("bid", BID, [31, -4], maker=2) is None
    assert winners("bid", full_rules("bid", {"deck": 48}), [51, 32], maker=2) is None
    assert winners("four-handed", FOUR, [9, 10]) == [0, 1]


def test_totals_stop_at_nothing_only_where_the_house_says_so() -> None:
    set_back = {"points": [-5, 2]}
    assert add_up("bid", BID, [3, 0], set_back) == [-2, 2]
    assert add_up("bid", full_rules("bid", {"negative_scores": False}), [3, 0], set_back) == [0, 2]


def test_an_ace_without_a_face_card_may_be_claimed_and_need_not_be() -> None:
    record = dealt("bid", {"ace_no_face": True}, seat1="AS TS 9S AH TD 9D", seat2="9C TC 9H TH KC KD")
    assert [1, "claim"] in Table(record).legal()
    assert [1, "pass"] in Table(record).legal()
    assert after(record, [1, "claim"]).result() == {"claimed": 1, "points": [0, 0]}
    assert "claim" not in verbs(after(record, [1, "pass"]))
    assert not ace_no_face(["9C", "9D", "9H", "TC", "TD", "TH"])
    assert not ace_no_face(["AC", "9D", "9H", "TC", "TD", "JH"])
    assert ace_no_face(["AC", "9D", "9H", "TC", "TD", "JO"])


def test_the_dealer_claims_on_the_seven_cards_he_was_dealt() -> None:
    rules = {"ace_no_face": True, "joker": True}
    first: list[Event] = [[1, "pass"], [2, "pass"], [3, "pass"]]
    with_ace = dealt("bid", rules, seat4="AS TS 9S TH TD 9D JO")
    assert "claim" in verbs(after(with_ace, [4, "discard", "AS"], *first))
    with_king = dealt("bid", rules, seat4="AS TS 9S TH TD 9D KH")
    assert "claim" not in verbs(after(with_king, [4, "discard", "KH"], *first))


def test_a_hand_is_claimed_at_its_first_turn_or_never() -> None:
    rules = {"ace_no_face": True, "auction": "until-three-pass"}
    record = dealt("bid", rules, seat1="AS TS 9S AH TD 9D", seat2="KS QS JS KH QH JH")
    assert "claim" not in verbs(after(record, [1, "bid", 3], [2, "bid", 4], [3, "pass"], [4, "pass"]))


def test_a_stuck_dealer_bids_or_claims_but_does_not_pass() -> None:
    passes: list[Event] = [[1, "pass"], [2, "pass"], [3, "pass"]]
    rules = {"ace_no_face": True, "stick_the_dealer": True}
    weak, plain = "AS TS 9S AH TD 9D", "KS TS 9S AH TD 9D"
    assert verbs(after(dealt("bid", rules, seat4=weak), *passes)) == {"bid", "claim"}
    assert verbs(after(dealt("bid", rules, seat4=plain), *passes)) == {"bid"}
    assert verbs(after(dealt("bid", rules, seat4=plain), [1, "bid", 3], *passes[1:])) == {"bid", "pass"}


def test_bids_rise_and_a_moon_ends_the_auction() -> None:
    table = Table(dealt("bid", {"plain_six": True}))
    assert [event[2] for event in table.legal() if event[1] == "bid"] == [3, 4, 5, "six", "ask", "moon"]
    table.play([1, "bid", "six"])
    assert table.legal() == [[2, "bid", "ask"], [2, "bid", "moon"], [2, "pass"]]
    table.play([2, "bid", "moon"])
    assert verbs(table) == {"trump"}
    double = [event[2] for event in Table(dealt("bid", {"deck": 48})).legal() if event[1] == "bid"]
    assert double == [3, 4, 5, 6, 7, 8, 9, 10, 11, "ask", "moon"]


def test_in_a_one_turn_auction_nobody_bids_twice() -> None:
    table = after(dealt("bid"), [1, "bid", 3], [2, "bid", 4], [3, "pass"], [4, "bid", 5])
    assert table.legal() == [[4, "trump", suit] for suit in "CDHS"]


@pytest.mark.parametrize(
    ("said", "maker"),
    [
        ([[1, "bid", 3], [2, "pass"], [3, "pass"], [4, "pass"]], 1),
        ([[1, "pass"], [2, "pass"], [3, "pass"], [4, "bid", 3]], 4),
        ([[1, "pass"], [2, "bid", 3], [3, "pass"], [4, "bid", 4], [2, "bid", 5], [4, "pass"]], 2),
        ([[1, "bid", 3], [2, "bid", 4], [3, "bid", 5], [4, "pass"], [1, "pass"], [2, "bid", "moon"]], 2),
    ],
    ids=str,
)
def test_an_auction_until_three_pass_ends_with_the_third_pass(said: list[Event], maker: int) -> None:
    table = Table(dealt("bid", {"auction": "until-three-pass"}))
    for event in said:
        assert "trump" not in verbs(table)
        table.play(event)
    assert verbs(table) == {"trump"}
    assert table.to_act == maker


def test_four_passes_throw_the_deal_in() -> None:
    for value in ("one-turn", "until-three-pass"):
        table = after(dealt("bid", {"auction": value}), *([seat, "pass"] for seat in (1, 2, 3, 4)))
        assert table.result() == {"thrown_in": True, "points": [0, 0]}


def test_the_partner_returns_his_highest_trumps_first_and_none_that_he_was_given() -> None:
    record = dealt("bid", {"exchange": 3}, seat1="JH JD AH KH QH TS", seat3="9H TH AC KC QC TC")
    table = after(record, [1, "bid", "ask"], [2, "pass"], [3, "pass"], [4, "pass"])
    for event in ([1, "trump", "H"], [1, "give", "JD"], [1, "give", "AH"], [1, "give", "TS"]):
        table.play(event)
    assert table.legal() == [[3, "return", "TH"]]
    table.play([3, "return", "TH"])
    assert table.legal() == [[3, "return", "9H"]]
    table.play([3, "return", "9H"])
    assert sorted(event[2] for event in table.legal()) == ["AC", "KC", "QC", "TC"]
    table.play([3, "return", "AC"])
    assert sorted(table.hands[1]) == sorted(["JH", "KH", "QH", "TH", "9H", "AC"])
    assert table.out == [3]
    assert (table.to_act, verbs(table)) == (1, {"play"})


def test_for_a_loner_the_seat_on_his_left_may_lead_but_never_for_a_number() -> None:
    record = dealt("bid", {"lone_lead": "left-of-bidder"})
    moon = after(record, [1, "bid", "moon"], [1, "trump", "H"])
    assert moon.to_act == 2
    number = after(record, [1, "bid", 3], [2, "pass"], [3, "pass"], [4, "pass"], [1, "trump", "H"])
    assert number.to_act == 1


def test_the_jokers_dealer_discards_one_of_seven_before_the_first_bid() -> None:
    table = Table(dealt("bid", {"joker": True}))
    assert (table.to_act, verbs(table), len(table.legal())) == (4, {"discard"}, 7)
    table.play(table.legal()[0])
    assert (table.to_act, len(table.hands[4])) == (1, 6)


# Random deals


def sorts_of_rules() -> list[tuple[str, str, Any]]:
    """Every game with every single value of every house rule, a few of the longer ranges."""
    return [
        (game, field, value)
        for game, fields in CHOICES.items()
        for field, values in fields.items()
        for value in values[:4]
    ]


@pytest.mark.parametrize(("game", "field", "value"), sorts_of_rules(), ids=str)
def test_a_random_deal_under_any_one_house_rule_replays_to_its_own_result(game: str, field: str, value: object) -> None:
    rules = full_rules(game, {field: value})
    rng = random.Random(f"{game} {field} {value}")
    for eager in ({}, {"pass": 0.2}, {"alone": 3.0, "claim": 9.0, "leave": 2.0}):
        record = json.loads(json.dumps(play_at_random(deal(game, rules, rng), rng, eager)))
        assert replay(record) == record["result"]
        assert set(record["rules"]) <= {field}


def test_random_deals_under_mixed_house_rules_replay_and_lose_no_trick() -> None:
    rng = random.Random(11)
    for number in range(200):
        game = list(CHOICES)[number % 4]
        changed = {field: rng.choice(values) for field, values in CHOICES[game].items()}
        if changed["deck"] == 48:
            changed["joker"] = False
        rules = full_rules(game, changed)
        record = play_at_random(deal(game, rules, rng), rng, {"pass": 0.3})
        assert full_rules(game, record["rules"]) == rules
        result = replay(record)
        if "tricks" in result:
            assert sum(result["tricks"]) == {"bid": 12 if rules["deck"] == 48 else 6}.get(game, 5)


def test_an_event_that_is_not_listed_as_legal_is_refused() -> None:
    rng = random.Random(5)
    for game in CHOICES:
        for _ in range(20):
            played = play_at_random(deal(game, DEFAULTS[game], rng), rng)
            table = Table(played)
            for event in played["events"]:
                strange = rng.choice(played["events"])
                if strange not in table.legal() and strange[1] != "dummy":
                    with pytest.raises(Illegal):
                        table.play(strange)
                table.play(event)


def test_the_same_dice_deal_and_play_the_same_hand() -> None:
    one, other = (play_at_random(deal("bid", BID, rng), rng) for rng in (random.Random(3), random.Random(3)))
    assert one == other
