"""What a simulation promises: rows in their order, sums that agree, and the hands written down are those it counted."""

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

import pytest
from test_kernel_rules import packs, rules_of, single_changes

import analyzer.simulate
from analyzer.batches import How
from analyzer.estimates import mean_of, rate_of
from analyzer.record import HandRecord, parse_record, replay, table_of, write_record
from analyzer.rules import GAMES, Rules
from analyzer.simulate import SimulateRow, Simulation, deal_hands, record_hands, simulate
from analyzer.strategy import seat_players
from kernels.compile import JIT

FIELDS = (
    "game players strategy seat call deals calls call_share made made_se march march_se euchred euchred_se points "
    "points_se tricks"
)
EVERY_PACK = [(game, pack) for game in GAMES for pack in packs(game)]
TEAMS = {2: "standard,bold", 3: "bold,random,standard", 4: "cautious,random,bold,standard"}


def some(n: int) -> int:
    """So many deals, or a few where they are played by plain Python."""
    return n if JIT else max(10, n // 40)


def simulated(rules: Rules, deals: int, players: str = "", seed: int = 0, **how: Any) -> Simulation:
    return simulate(rules, seat_players(players or TEAMS[rules.n_seats], rules), deals, seed=seed, how=How(**how))


def all_rows(found: Simulation) -> list[SimulateRow]:
    return [row for row in found.rows if row.call == "all"]


# --- rows ---


@pytest.mark.parametrize(
    ("game", "changes", "calls"),
    [
        ("two-handed", {}, ["all", "order", "name"]),
        ("three-handed", {}, ["all", "order", "order alone", "name", "name alone"]),
        ("four-handed", {}, ["all", "order", "order alone", "name", "name alone"]),
        ("bid", {}, ["all", "3", "4", "5", "ask", "moon"]),
        ("bid", {"plain_six": True}, ["all", "3", "4", "5", "six", "ask", "moon"]),
        ("bid", {"deck": 48}, ["all", *map(str, range(3, 12)), "ask", "moon"]),
        ("bid", {"deck": 48, "plain_six": True}, ["all", *map(str, range(3, 12)), "six", "ask", "moon"]),
    ],
)
@pytest.mark.fast
def test_every_seat_has_a_row_for_every_call_in_the_promised_order(
    game: str, changes: dict[str, Any], calls: list[str]
) -> None:
    rules = rules_of(game, changes)
    found = simulated(rules, 3)
    seats = range(1, rules.n_seats + 1)
    assert [(row.seat, row.call) for row in found.rows] == [(seat, call) for seat in seats for call in calls]
    names = TEAMS[rules.n_seats]
    for row in found.rows:
        assert " ".join(asdict(row)) == FIELDS
        assert (row.game, row.players, row.deals) == (game, names, 3)
        assert row.strategy == names.split(",")[row.seat - 1]
    assert (found.game, found.rules) == (game, rules.changed())


@pytest.mark.fast
def test_a_call_that_never_happened_has_a_row_of_nulls() -> None:
    found = simulated(rules_of("four-handed", {"stick_the_dealer": True}), 4, "cautious")
    never = [row for row in found.rows if row.calls == 0 and row.call != "all"]
    assert never
    for row in never:
        rates = (row.made, row.made_se, row.march, row.march_se, row.euchred, row.euchred_se)
        assert {*rates, row.points, row.points_se, row.tricks} == {None}
        assert row.call_share == 0
    for row in all_rows(found):
        assert row.points is not None
        assert row.tricks is not None
        assert (row.made is None) == (row.calls == 0)


# --- sums ---


@pytest.mark.parametrize(("game", "changes"), EVERY_PACK, ids=str)
def test_shares_points_and_tricks_of_all_seats_agree(game: str, changes: dict[str, Any]) -> None:
    rules = rules_of(game, changes | ({"ace_no_face": True} if game == "bid" else {}))
    found = simulated(rules, some(2000))
    n = found.provenance.deals
    assert n == some(2000)
    rows = all_rows(found)
    assert sum(row.calls for row in rows) == round(n * (1 - found.thrown_in - found.claimed))
    assert sum(row.call_share for row in rows) + found.thrown_in + found.claimed == pytest.approx(1, abs=1e-12)
    assert sum(row.points or 0 for row in rows) == pytest.approx(0, abs=1e-9)
    if rules.n_seats != 3:
        assert rows[0].points == -(rows[1].points or 0)
    if rules.n_seats == 4:
        assert (rows[0].points, rows[0].tricks) == (rows[2].points, rows[2].tricks)
        assert (rows[1].points, rows[1].tricks) == (rows[3].points, rows[3].tricks)
    tricks = sum(row.tricks or 0 for row in (rows[:2] if rules.n_seats == 4 else rows))
    assert tricks == pytest.approx(rules.hand_size * (1 - found.thrown_in - found.claimed))
    for row in rows:
        kinds = [other for other in found.rows if other.seat == row.seat and other.call != "all"]
        assert sum(other.calls for other in kinds) == row.calls
        for field in ("made", "march", "euchred"):
            counts = [round(other.calls * (getattr(other, field) or 0)) for other in (row, *kinds)]
            assert counts[0] == sum(counts[1:])
    for row in found.rows:
        assert row.call_share == row.calls / n
        if row.made is not None and row.euchred is not None and row.march is not None:
            assert round(row.made * row.calls) + round(row.euchred * row.calls) == row.calls
            assert row.march <= row.made
            assert row.made_se == rate_of(round(row.made * row.calls), row.calls).se


@pytest.mark.parametrize(("game", "changes"), EVERY_PACK, ids=str)
def test_threads_and_chunks_change_no_digit(
    game: str, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = rules_of(game, changes)
    one = simulated(rules, some(1200), workers=1)
    others = [simulated(rules, some(1200), workers=2)]
    for size in (some(40), some(500)):
        monkeypatch.setattr(analyzer.simulate, "CHUNK", size)
        others.append(simulated(rules, some(1200), workers=2))
    for other in others:
        assert (other.rows, other.thrown_in, other.claimed) == (one.rows, one.thrown_in, one.claimed)
    assert simulated(rules, some(1200), seed=1).rows != one.rows


def test_ctrl_c_returns_the_deals_that_were_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(done: int) -> None:
        if done == 60:
            raise KeyboardInterrupt

    monkeypatch.setattr(analyzer.simulate, "CHUNK", 20)
    rules = rules_of("two-handed", {})
    found = simulated(rules, 100_000, progress=stop)
    assert (found.provenance.interrupted, found.provenance.deals) == (True, 60)
    whole = simulated(rules, 60)
    assert not whole.provenance.interrupted
    assert (found.rows, found.thrown_in) == (whole.rows, whole.thrown_in)


# --- the hands written down ---


def written(rules: Rules, deals: int, **how: Any) -> list[HandRecord]:
    """The records as a file has them and a reader reads them."""
    lines: list[str] = []

    def write(records: list[HandRecord]) -> None:
        lines.extend(map(write_record, records))

    n = record_hands(rules, seat_players(TEAMS[rules.n_seats], rules), deals, write, **how)
    assert n == len(lines)
    return [parse_record(json.loads(line)) for line in lines]


def call_of(rules: Rules, record: HandRecord, result: dict[str, Any]) -> str:
    """How the maker became maker, in the words of the rows."""
    if rules.game.is_bid:
        return str(result["bid"])
    said = next(event for event in record.events if event[1] in ("order", "name"))
    return str(said[1]) + (" alone" if result["maker"] in result["alone"] and rules.n_seats > 2 else "")


def check_rows(rules: Rules, records: list[HandRecord], found: Simulation) -> None:
    """Hold every row against the results of the records."""
    n = len(records)
    counts: Counter[tuple[str, int, str]] = Counter()
    for record in records:
        result = replay(record).result
        assert result == record.result
        counts["claimed" if "claimed" in result else "thrown_in" if "thrown_in" in result else "played", 0, ""] += 1
        if "maker" not in result:
            continue
        own = {seat: next(side for side in rules.sides if seat in side) for seat in range(1, rules.n_seats + 1)}
        tricks = {seat: sum(result["tricks"][one - 1] for one in own[seat]) for seat in own}
        wanted = result.get("bid", 3)
        is_made = tricks[result["maker"]] >= (wanted if isinstance(wanted, int) else rules.hand_size)
        for seat, side in own.items():
            k = rules.sides.index(side)
            others = [points for place, points in enumerate(result["points"]) if place != k]
            points = 2 * result["points"][k] - 2 * sum(others) // len(others)
            kinds = ["all"] + ([call_of(rules, record, result)] if seat == result["maker"] else [])
            for kind in kinds:
                counts["points", seat, kind] += points
                counts["squares", seat, kind] += points**2
                counts["tricks", seat, kind] += tricks[seat]
                if seat == result["maker"]:
                    counts["calls", seat, kind] += 1
                    counts["made", seat, kind] += is_made
                    counts["march", seat, kind] += is_made and tricks[seat] == rules.hand_size
    assert found.thrown_in == counts["thrown_in", 0, ""] / n
    assert found.claimed == counts["claimed", 0, ""] / n
    for row in found.rows:
        place = row.seat, row.call
        calls, made = counts["calls", *place], counts["made", *place]
        assert row.calls == calls
        if calls:
            assert row.made == made / calls
            assert row.euchred == (calls - made) / calls
            assert row.march == counts["march", *place] / calls
        over = n if row.call == "all" else calls
        if over:
            mean = mean_of(counts["points", *place], counts["squares", *place], over, unit=2)
            assert (row.points, row.points_se, row.tricks) == (mean.mean, mean.se, counts["tricks", *place] / over)


@pytest.mark.parametrize("game", GAMES)
def test_recorded_hands_replay_to_their_results_and_add_up_to_the_rows_under_every_house_rule(game: str) -> None:
    seen: set[str] = set()
    for changes in [*packs(game), *single_changes(game)]:
        rules = rules_of(game, changes)
        n = 15 if JIT else 3
        records = written(rules, n, seed=5)
        check_rows(rules, records, simulated(rules, n, seed=5))
        seen |= {str(event[1]) for record in records for event in record.events}
    assert {"pass", "play"} < seen
    assert len(seen) >= (5 if game == "two-handed" else 6) or not JIT


@pytest.mark.parametrize("game", GAMES)
def test_many_recorded_hands_add_up_to_the_rows(game: str) -> None:
    rules = rules_of(game, {"ace_no_face": True} if game == "bid" else {"stick_the_dealer": False})
    records = written(rules, some(300))
    check_rows(rules, records, simulated(rules, some(300)))
    assert [(record.seed, record.deal) for record in records] == [(0, k) for k in range(some(300))]
    assert {",".join(record.players or ()) for record in records} == {TEAMS[rules.n_seats]}


def test_threads_and_chunks_change_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("three-handed", {})
    whole = written(rules, 50, workers=1)
    monkeypatch.setattr(analyzer.simulate, "RECORDS_CHUNK", 7)
    assert written(rules, 50, workers=2) == whole


def test_ctrl_c_while_writing_counts_what_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[HandRecord] = []

    def write(records: list[HandRecord]) -> None:
        if len(kept) == 20:
            raise KeyboardInterrupt
        kept.extend(records)

    monkeypatch.setattr(analyzer.simulate, "RECORDS_CHUNK", 10)
    rules = rules_of("two-handed", {})
    assert record_hands(rules, seat_players("standard", rules), 1000, write) == 20
    assert [record.deal for record in kept] == list(range(20))


@pytest.mark.parametrize(("game", "changes"), EVERY_PACK, ids=str)
def test_a_deal_shown_alone_is_the_one_that_is_played(game: str, changes: dict[str, Any]) -> None:
    rules = rules_of(game, changes)
    played = written(rules, 6, seed=9)
    for first, n in ((0, 6), (4, 2)):
        shown = list(deal_hands(rules, n, seed=9, first=first))
        assert [record.deal for record in shown] == [first + k for k in range(n)]
        for one, other in zip(shown, played[first:], strict=True):
            parts = ("hands", "dummy", "upcard", "joker_suit", "stock")
            assert [getattr(one, part) for part in parts] == [getattr(other, part) for part in parts]
            assert one.events == ()
            assert not table_of(one).is_done
