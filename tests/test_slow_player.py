"""Every choice of the kernels' strategies is the one that the same strategy makes when it thinks in card texts."""

import random
from typing import Any

import numpy as np
import pytest
from reference import CHOICES, Event, deal
from reference import Table as Reference
from slow_player import Numbers, SlowPlayer, shown_out_of_trumps, some_numbers, unseen_by
from test_deals import recorded, seeded_of
from test_kernel_rules import (
    as_printed,
    dealt_record,
    kernel_table,
    legal_steps,
    packs,
    plain,
    random_change,
    random_event,
    rules_of,
    single_changes,
    together,
)

from analyzer import border
from analyzer.cards import cards_text
from analyzer.events import Step, event_of
from analyzer.rules import Rules
from analyzer.strategy import Strategy
from analyzer.table import Table
from kernels import values

GAMES = tuple(CHOICES)


def players_of(rules: Rules, seats: list[Numbers]) -> border.Vector:
    strategies = [Strategy("made up", {name: value / 100 for name, value in numbers.items()}) for numbers in seats]
    return border.kernel_players(strategies, rules)


def events_of(rules: Rules, rows: border.Vector) -> list[Event]:
    """The events of a recorded deal; a dummy taken and the five kept are one."""
    found: list[Event] = []
    rest = [(int(seat) + 1, Step(int(verb), int(what))) for seat, verb, what in rows]
    while rest:
        seat, step = rest.pop(0)
        steps = [step, rest.pop(0)[1]] if step.verb == values.TAKE_DUMMY else [step]
        found.append(event_of(rules, seat, *steps))
    return found


def compare(game: str, changed: dict[str, Any], seed: int, n: int, seen: set[str] | None = None) -> None:
    """Let four made-up strategies play `n` deals and hold every choice against the slow player's."""
    rng = random.Random(f"{game} {seed}")
    rules = rules_of(game, changed)
    numbers = [some_numbers(rng, rules.hand_size) for _ in range(rules.n_seats)]
    dealt, _, events, n_events = recorded(rules, seeded_of(rules, seed), players_of(rules, numbers), n)
    for i in range(n):
        record = dealt_record(game, rules, dealt[i])
        table = Reference(record)
        for event in events_of(rules, events[i, : n_events[i]]):
            assert table.to_act == event[0]
            chosen = SlowPlayer(numbers[event[0] - 1]).choose(table)
            assert plain(event) == plain(chosen), (
                f"{record} with {numbers[event[0] - 1]} after {table.events}: {event}, should be {chosen}"
            )
            table.play(event)
            if seen is not None:
                seen.add(" ".join([event[1], *(word for word in event[2:] if word in ("alone", "ask", "moon", "six"))]))
        assert table.done


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.fast
def test_a_few_deals_are_played_as_the_slow_player_plays(game: str) -> None:
    for seed, pack in enumerate(packs(game)):
        compare(game, pack, seed, 4)
    for seed, change in enumerate(single_changes(game)):
        compare(game, change, seed, 1)


@pytest.mark.parametrize(("game", "pack"), [(game, pack) for game in GAMES for pack in packs(game)], ids=str)
def test_every_pack_is_played_as_the_slow_player_plays(game: str, pack: dict[str, Any]) -> None:
    seen: set[str] = set()
    for seed in range(20):
        compare(game, pack, seed, 20, seen)
    assert seen >= VERBS[game]


VERBS = {
    "two-handed": {"pass", "order", "name", "pickup", "leave", "play"},
    "three-handed": {"pass", "order", "name", "pickup", "leave", "dummy", "alone", "together", "play"},
    "four-handed": {"pass", "order", "order alone", "name", "name alone", "pickup", "play"},
    "bid": {"pass", "bid", "bid ask", "bid moon", "trump", "give", "return", "play"},
}


@pytest.mark.parametrize("game", GAMES)
def test_every_house_rule_is_played_as_the_slow_player_plays(game: str) -> None:
    rng = random.Random(f"house {game}")
    for seed, change in enumerate(single_changes(game)):
        compare(game, together(rng.choice(packs(game)), change), seed, 16)
    for seed in range(40):
        compare(game, random_change(game, rng), seed, 8)


@pytest.mark.fast
def test_the_same_strategy_in_every_seat_is_stored_once() -> None:
    rules = rules_of("four-handed", {})
    numbers = some_numbers(random.Random(1), 5)
    one, other = players_of(rules, [numbers] * 4), players_of(rules, [numbers, numbers | {"side.ace": 1}] * 2)
    assert len(set(one[:4])) == 1
    assert len(set(other[:4])) == 2
    assert len(other) - 4 == 2 * (len(one) - 4)
    assert (np.sort(other[:4]) == other[[0, 2, 1, 3]]).all()


def check_knowledge(game: str, changed: dict[str, Any], rng: random.Random) -> None:
    """At every card of a random deal each seat in play has seen what the slow player has, and voids are noted."""
    record = deal(game, changed, rng)
    reference, table = Reference(record), kernel_table(record)
    rules = border.kernel_rules(table.rules)
    while not reference.done:
        if table.phase == "play":
            state = table.state
            for seat in set(reference.seats) - set(reference.out):
                seen = state[values.GONE] | state[values.HAND + seat - 1] | state[values.SEEN + seat - 1]
                unseen = int(as_printed(rules, int(rules.pack_in_trump_order & ~seen), table.trump))
                assert sorted(cards_text(unseen, table.rules.pack).split()) == sorted(unseen_by(reference, seat))
                void = bool(int(state[values.VOID]) >> (seat - 1) & 1)
                assert void == (seat in shown_out_of_trumps(reference))
        event = random_event(reference.legal(), rng, {"alone": 0.5})
        steps = legal_steps(table)[plain(event)][0]
        reference.play(event)
        for step in steps:
            table.apply(step)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.fast
def test_a_seat_knows_its_own_cards_what_was_played_what_lies_open_and_what_it_put_away(game: str) -> None:
    rng = random.Random(f"knows {game}")
    for pack in packs(game):
        for change in ({}, *single_changes(game)):
            check_knowledge(game, together(change, pack), rng)


def test_which_of_two_identical_cards_a_seat_holds_changes_no_choice() -> None:
    """A record tells the copies of a card not apart, so a deal read from it must be played as it was."""
    rng = random.Random("copies")
    rules = rules_of("bid", {"deck": 48})
    kernel_rules, door = border.kernel_rules(rules), border.door_of(rules)
    scratch = np.zeros((values.MAX_OPTIONS, 2), np.int64)
    for seed in range(40):
        players = players_of(rules, [some_numbers(rng, rules.hand_size) for _ in range(4)])
        dealt = recorded(rules, seeded_of(rules, seed), players, 1).dealt[0]
        told = kernel_table(dealt_record("bid", rules, dealt))
        told.state[values.COIN] = dealt[values.COIN]
        tables = [Table(rules, dealt.copy()), told]
        while not tables[0].is_done:
            steps = [Step(*door.choose(kernel_rules, players, table.state, scratch)) for table in tables]
            one, other = (event_of(rules, t.seat, step) for t, step in zip(tables, steps, strict=True))
            assert one == other
            for table, step in zip(tables, steps, strict=True):
                table.apply(step)
