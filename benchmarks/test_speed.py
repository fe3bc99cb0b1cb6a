"""Deals a second of each game on one thread; benchmarks/speed.py sets them beside the yardstick."""

from typing import Any

import pytest

from analyzer.batches import How
from analyzer.rules import find_game, make_rules
from analyzer.simulate import simulate
from analyzer.strategy import find_strategy

GAMES = {
    "four-handed": ("four-handed", {}),
    "two-handed": ("two-handed", {}),
    "three-handed": ("three-handed", {}),
    "bid": ("bid", {}),
    "bid, 48 cards": ("bid", {"deck": 48}),
}
DEALS = 100_000


@pytest.mark.parametrize("name", GAMES)
def test_standard_players_play_100_000_deals(benchmark: Any, name: str) -> None:
    game, changes = GAMES[name]
    rules = make_rules(find_game(game), changes)
    players = [find_strategy("standard", rules)] * rules.n_seats
    simulate(rules, players, 1, how=How(workers=1))
    found = benchmark(simulate, rules, players, DEALS, how=How(workers=1))
    assert found.provenance.deals == DEALS
