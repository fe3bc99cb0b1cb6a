"""The fives that are tried of ten cards hold the best of all 252, as far as many worlds can tell."""

from collections.abc import Iterator
from typing import Any

import pytest

from analyzer.choices import options
from analyzer.position import Position
from analyzer.position_file import read_position
from analyzer.record import HandRecord
from analyzer.rules import Rules, find_game, make_rules
from analyzer.simulate import record_hands
from analyzer.strategy import find_strategy
from analyzer.trials import Budget, try_options
from analyzer.views import question_of
from kernels.compile import JIT


def keeping(rules: Rules, seed: int) -> Iterator[Position]:
    """Makers who took the dummy and are to keep five, from hands that standard players played."""
    records: list[HandRecord] = []
    record_hands(rules, [find_strategy("standard", rules)] * 3, 1200, records.extend, seed=seed)
    for record in records:
        place = next((k for k, event in enumerate(record.events) if event[1] == "dummy"), None)
        if place is None:
            continue
        seat = record.events[place][0]
        events = [list(event) for event in record.events[:place]]
        for event in events:
            if event[1] == "pickup" and seat != rules.n_seats:
                event[2] = None
        hands = [hand if k == seat else None for k, hand in enumerate(record.hands, 1)]
        read: dict[str, Any] = {"format": 1, "game": record.game, "rules": dict(record.rules), "seat": seat}
        read |= {"hands": hands, "dummy": record.dummy, "upcard": record.upcard, "events": events}
        if record.joker_suit is not None:
            read["joker_suit"] = record.joker_suit
        yield read_position(read)


def check(changes: dict[str, Any], n_hands: int, n_worlds: int, seed: int) -> None:
    rules = make_rules(find_game("three"), changes)
    n_likely, lost = 0, 0.0
    for _, position in zip(range(n_hands), keeping(rules, seed), strict=False):
        every = [option.step for option in options(position, every=True)]
        likely = {option.step for option in options(position)}
        assert len(every) == 252
        assert likely <= set(every)
        n_likely += len(likely)
        question = question_of(position, every, seed)
        sums = try_options(rules, [find_strategy("standard", rules)] * 3, question, Budget(n_worlds)).sums()
        means = [sums.mean(k, unit=2).mean for k in range(252)]
        best = means.index(max(means))
        tried = max((k for k in range(252) if every[k] in likely), key=lambda k: means[k])
        gap = sums.gap(best, tried, unit=2)
        assert gap.mean <= 4.5 * gap.se + 1e-9, position
        lost += gap.mean
    assert 15 <= n_likely / n_hands <= 50
    assert lost / n_hands <= 0.004


@pytest.mark.skipif(not JIT, reason="tries many worlds")
@pytest.mark.parametrize(
    "changes", [{}, pytest.param({"deck": 32, "joker": True}, marks=pytest.mark.slow)], ids=["24", "33"]
)
def test_the_best_of_all_fives_is_among_the_likely_ones(changes: dict[str, Any]) -> None:
    check(changes, n_hands=8, n_worlds=300, seed=3)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="tries many worlds")
@pytest.mark.parametrize("changes", [{}, {"deck": 32}, {"joker": True}, {"deck": 32, "joker": True}], ids=str)
def test_the_best_of_all_fives_is_among_the_likely_ones_of_hundreds_of_hands(changes: dict[str, Any]) -> None:
    check(changes, n_hands=100, n_worlds=800, seed=4)
