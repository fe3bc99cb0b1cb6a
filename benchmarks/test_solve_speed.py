"""Solves random deals of each kind on one thread; benchmarks/solve_speed.py sets them beside the yardstick."""

from typing import Any

import pytest
from solve_speed import KINDS, Work

POSITIONS = 10_000


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if not kind.n_remembered])
def test_open_hands_are_solved(benchmark: Any, name: str) -> None:
    work = Work(KINDS[name], POSITIONS // KINDS[name].divisor)
    work.solve()
    benchmark(work.solve)
    assert 0 <= work.tricks.min() <= work.tricks.max() <= KINDS[name].n_cards
