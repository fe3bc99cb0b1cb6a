"""Playing many deals and writing them down one event at a time tell the same, to the last point; coins are fair.

What the batch counts is counted again in plain Python from the recorded events, replayed by the reference.
"""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from reference import CHOICES, Event, Record, Result
from reference import Table as Reference
from slow_player import some_numbers
from test_deals import fewer, recorded, seeded_of
from test_kernel_rules import dealt_record, packs, random_change, result_of, rules_of, single_changes, together
from test_slow_player import events_of

from analyzer import border
from analyzer.events import Step, event_of
from analyzer.rules import Rules
from analyzer.strategy import Strategy
from analyzer.table import Table
from kernels import batches, doors, values

GAMES = tuple(CHOICES)
COIN = Strategy("random", {}, is_random=True)
SIDES = {2: [[1], [2]], 3: [[1], [2], [3]], 4: [[1, 3], [2, 4]]}


def strategies_of(rules: Rules, rng: random.Random, n_random: int) -> list[Strategy]:
    """A strategy for each seat, made up; some seats, chosen at random, play by coin."""
    made_up = [
        Strategy(f"made up {seat}", {name: n / 100 for name, n in some_numbers(rng, rules.hand_size).items()})
        for seat in range(rules.n_seats)
    ]
    for seat in rng.sample(range(rules.n_seats), n_random):
        made_up[seat] = COIN
    return made_up


def simulated(
    rules: Rules, seeded: doors.Seeded, players: border.Vector, chunks: list[tuple[int, int]]
) -> batches.Counts:
    """Counts of `simulate` over chunks (first, n)."""
    counts = no_counts(rules)
    for first, n in chunks:
        scratch = border.new_scratch(len(seeded.pool))
        codes = border.payoffs_of(rules).codes
        rows = np.zeros((0, batches.N_COLUMNS), np.int64)
        numbers = np.arange(first, first + n)
        border.door_of(rules).simulate(
            border.kernel_rules(rules), players, seeded, numbers, scratch, codes, counts, rows
        )
    return counts


def no_counts(rules: Rules) -> batches.Counts:
    return batches.Counts(
        np.zeros((rules.n_seats, batches.N_HOWS + 1, batches.N_COUNTS), np.int64),
        np.zeros(batches.N_TOTALS, np.int64),
        np.zeros(len(border.payoffs_of(rules).each), np.int64),
    )


def agree(some: batches.Counts, other: batches.Counts) -> bool:
    return all((one == two).all() for one, two in zip(some, other, strict=True))


# The same counts in plain Python


def way_of_call(rules: Rules, events: list[Event], result: Result) -> int:
    """The row of a contract: ordered or named, alone or not; in bid the level."""
    if rules.game.is_bid:
        bid = result["bid"]
        above = {"six": 0, "ask": 1, "moon": 2}
        return bid if isinstance(bid, int) else rules.hand_size + above[bid]
    call = next(event for event in events if event[1] in ("order", "name"))
    return (0 if call[1] == "order" else 2) + (result["maker"] in result["alone"])


def add_result(rules: Rules, events: list[Event], result: Result, counts: batches.Counts) -> None:
    calls, totals = counts.calls, counts.totals
    totals[batches.N_DEALS] += 1
    who = result["maker"] - 1 if "maker" in result else None
    side = who if who is None or rules.n_seats == 3 else who % 2
    counts.payoffs[border.payoffs_of(rules).each.index(border.Payoff(side, tuple(result["points"])))] += 1
    if "claimed" in result or "thrown_in" in result:
        totals[batches.WAS_CLAIMED if "claimed" in result else batches.THROWN_IN] += 1
        return
    side_of = {seat: side for side in SIDES[rules.n_seats] for seat in side}
    tricks = {seat: sum(result["tricks"][other - 1] for other in side_of[seat]) for seat in side_of}
    maker, points = result["maker"], result["points"]
    taken = tricks[maker]
    if rules.game.is_bid:
        made = taken >= (result["bid"] if isinstance(result["bid"], int) else rules.hand_size)
    else:
        made = taken >= 3
    for seat in range(1, rules.n_seats + 1):
        own = SIDES[rules.n_seats].index(side_of[seat])
        others = [n for place, n in enumerate(points) if place != own]
        doubled = 2 * points[own] - (2 * sum(others) // len(others))
        assert 2 * sum(others) % len(others) == 0
        called = [1, made, made and taken == rules.n_tricks, not made] if seat == maker else [0, 0, 0, 0]
        row = np.array([*called, doubled, doubled * doubled, tricks[seat]], np.int64)
        calls[seat - 1, batches.ALL] += row
        if seat == maker:
            calls[seat - 1, way_of_call(rules, events, result)] += row


def counted(game: str, rules: Rules, seeded: doors.Seeded, players: border.Vector, n: int) -> batches.Counts:
    """The counts of deals 0 to n - 1, from their records."""
    counts = no_counts(rules)
    dealt, ended, rows, n_events = recorded(rules, seeded, players, n)
    for i in range(n):
        events = events_of(rules, rows[i, : n_events[i]])
        result = replayed(dealt_record(game, rules, dealt[i]), events)
        assert result_of(Table(rules, ended[i])) == result
        add_result(rules, events, result, counts)
    return counts


def replayed(record: Record, events: list[Event]) -> Result:
    table = Reference(record)
    for event in events:
        table.play(event)
    return table.result()


def check(game: str, changed: dict[str, Any], n_random: int, n: int, seed: int) -> None:
    rules = rules_of(game, changed)
    rng = random.Random(f"{game} {changed} {seed}")
    players = border.kernel_players(strategies_of(rules, rng, min(n_random, rules.n_seats)), rules)
    seeded = seeded_of(rules, seed)
    assert agree(simulated(rules, seeded, players, [(0, n)]), counted(game, rules, seeded, players, n))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.fast
def test_a_few_deals_are_counted_as_they_are_recorded(game: str) -> None:
    for seed, pack in enumerate(packs(game)):
        check(game, pack, seed % 3, 5, seed)


@pytest.mark.parametrize("n_random", [0, 1, 4], ids=["no-coin", "one-coin", "all-coins"])
@pytest.mark.parametrize(("game", "pack"), [(game, pack) for game in GAMES for pack in packs(game)], ids=str)
def test_the_batch_counts_what_the_records_tell(game: str, pack: dict[str, Any], n_random: int) -> None:
    for seed in (1, 2, 3):
        check(game, pack, n_random, 40, seed)


@pytest.mark.parametrize("game", GAMES)
def test_the_batch_counts_what_the_records_tell_under_house_rules(game: str) -> None:
    rng = random.Random(f"paths {game}")
    for seed, change in enumerate(single_changes(game)):
        check(game, together(rng.choice(packs(game)), change), seed % 3, 12, seed)
    for seed in range(30):
        check(game, random_change(game, rng), seed % 3, 12, seed)


@pytest.mark.parametrize("game", GAMES)
def test_chunks_change_no_digit(game: str) -> None:
    rng = random.Random(f"chunks {game}")
    for pack in packs(game):
        rules = rules_of(game, pack)
        players = border.kernel_players(strategies_of(rules, rng, 1), rules)
        seeded = seeded_of(rules, 11)
        n = fewer(5000)
        whole = simulated(rules, seeded, players, [(0, n)])
        parts = simulated(rules, seeded, players, [(n - 1, 1), (17, 100), (0, 17), (117, n - 118), (n, 0)])
        assert whole.totals[batches.N_DEALS] == n
        assert agree(whole, parts)


# Coins


def assert_uniform(found: Counter[Any], n_options: int, what: object) -> None:
    """Chi-square of so many options alike, held to 4.5 standard deviations above its mean."""
    total = found.total()
    expected = total / n_options
    square = sum((found[key] - expected) ** 2 for key in found) / expected + (n_options - len(found)) * expected
    freedom = n_options - 1
    assert square <= freedom + 4.5 * (2 * freedom) ** 0.5 + 10, (what, found)


@pytest.mark.parametrize(("game", "changed"), [
    ("two-handed", {"deck": 32, "joker": True}),
    ("three-handed", {"joker": True}),
    ("four-handed", {"defend_alone": True, "pickup": "optional", "discard_upcard": True}),
    ("bid", {"plain_six": True, "ace_no_face": True, "exchange": 2}),
    ("bid", {"joker": True, "auction": "until-three-pass"}),
    ("bid", {"deck": 48}),
], ids=str)  # fmt: skip
def test_a_random_player_chooses_evenly_among_all_that_is_legal(game: str, changed: dict[str, Any]) -> None:
    """By seat and phase, wherever it has so many options: the place of its choice among them."""
    rules = rules_of(game, changed)
    players = border.kernel_players([COIN] * rules.n_seats, rules)
    found: dict[tuple[int, str, int, int], Counter[int]] = {}
    n = 400 if rules.deck == 48 else 1500
    dealt, _, rows, n_events = recorded(rules, seeded_of(rules, 21), players, n)
    for i in range(n):
        table = Table(rules, dealt[i].copy())
        for _, verb, what in rows[i, : n_events[i]]:
            # Identical cards are one option, chosen by the lower of its two bits.
            steps: dict[str, Step] = {}
            for step in table.steps():
                steps.setdefault(str(event_of(rules, table.seat, step, step)), step)
            step = Step(int(verb), int(what))
            place = list(steps).index(str(event_of(rules, table.seat, step, step)))
            trick = int(table.state[values.N_TRICKS])
            found.setdefault((table.seat, table.phase, trick, len(steps)), Counter())[place] += 1
            table.apply(step)
    assert len({phase for _, phase, _, _ in found}) >= 4
    for (seat, phase, trick, n_options), places in found.items():
        if n_options > 1 and places.total() >= 8 * n_options:
            assert_uniform(places, n_options, (seat, phase, trick))


def test_what_one_seat_tosses_moves_no_coin_of_another() -> None:
    """In deals of the same index a seat's coin falls alike, whoever else plays by coin."""
    rules = rules_of("four-handed", {})
    never = Strategy("never calls", {f"call.order.seat{seat}": 99 for seat in (1, 2, 3, 4)} | SHY)
    seeded = seeded_of(rules, 5)
    all_coins = recorded(rules, seeded, border.kernel_players([COIN] * 4, rules), 2000)
    first_alone = recorded(rules, seeded, border.kernel_players([COIN, never, never, never], rules), 2000)
    assert (first_alone.dealt == all_coins.dealt).all()
    assert (first_alone.events[:, 0] == all_coins.events[:, 0]).all()
    # The last to speak in round one, where the three before him passed, tosses the same too.
    last_alone = recorded(rules, seeded, border.kernel_players([never, never, never, COIN], rules), 2000)
    passed = (all_coins.events[:, :3, 1] == values.PASS).all(axis=1)
    assert passed.sum() > 30
    assert (last_alone.events[passed, 3] == all_coins.events[passed, 3]).all()


SHY = {f"call.order_alone.seat{seat}": 99 for seat in (1, 2, 3, 4)}


def test_the_coin_of_a_seat_does_not_follow_that_of_the_seat_before_it() -> None:
    rules = rules_of("four-handed", {})
    players = border.kernel_players([COIN] * 4, rules)
    rows = recorded(rules, seeded_of(rules, 6), players, fewer(20_000)).events
    calls = rows[:, :3, 1] * 2 + rows[:, :3, 2]
    passed = rows[:, :3, 1] == values.PASS
    assert_uniform(Counter(calls[:, 0].tolist()), 3, "seat 1")
    assert_uniform(Counter(calls[passed[:, 0], 1].tolist()), 3, "seat 2 after a pass")
    assert_uniform(Counter(calls[passed[:, 0] & passed[:, 1], 2].tolist()), 3, "seat 3 after two passes")
