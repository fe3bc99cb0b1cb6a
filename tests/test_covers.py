"""That verdicts for which deals are added are wrong no more often than they say, where the answers are known."""

from dataclasses import replace

import covers
import numpy as np
import pytest
from covers import BETTER_OF_TIED, NOT_BEST, TOO_FAR, cases, most_wrong, runs_of, why_wrong

from analyzer.engine import Chunk
from analyzer.estimates import SURE

CHEAP = [
    "two-handed, seat 1, tied",
    "three-handed, seat 1",
    "four-handed, two bowers, half the margin apart",
    "four-handed, two bowers, over the margin",
    "four-handed, pass or alone",
    "four-handed, dealer, tied",
    "four-handed, a discard, tied",
    "four-handed, a card to lead, over the margin",
]
"""One of each kind; the second last has worlds of fifty times the weight of others."""


def check(names: list[str], n: int) -> None:
    wrong = held = 0
    for name in names:
        found = runs_of(name, n)
        reasons = [one.wrong for one in found if one.wrong]
        assert len(reasons) / n <= most_wrong(n), (name, reasons)
        assert sum(one.is_held for one in found) / n >= 1 - most_wrong(n), name
        wrong += len(reasons)
        held += sum(one.is_held for one in found)
    total = n * len(names)
    assert wrong / total <= most_wrong(total)
    assert held / total >= 1 - most_wrong(total)


def test_a_verdict_is_wrong_in_no_more_than_one_of_twenty_questions() -> None:
    check(CHEAP, n=100)


@pytest.mark.slow
def test_a_verdict_is_wrong_in_no_more_than_one_of_twenty_questions_of_any_game() -> None:
    check(list(cases()), n=300)


def test_the_stored_questions_are_of_all_games_and_sizes_and_some_are_tied() -> None:
    known = list(cases().values())
    assert {one.rules.game.name for one in known} == {"two-handed", "three-handed", "four-handed", "bid"}
    assert {2, 3, 45} <= {one.points.shape[1] for one in known}
    assert sum(one.gap == 0 for one in known) >= 10
    assert any(len(np.unique(one.weights)) > 1 for one in known)


def test_options_brought_together_are_as_far_apart_as_they_should_be() -> None:
    plain = cases()["four-handed, two bowers"]
    for gap in (0.0, 0.01, 0.1):
        near = plain.apart(gap)
        assert near.gap == pytest.approx(gap, abs=1e-12)
        assert near.means.sum() == pytest.approx(plain.means.sum())
        assert near.chances.sum() == pytest.approx(1)


def test_worlds_are_drawn_as_often_as_they_are_known_to_come() -> None:
    known = cases()["four-handed, a discard"]
    trials = covers.drawn(known, 1, Chunk(0, 1_000_000), 1_000_000)
    for k, mean in enumerate(known.means):
        found = trials.sums().mean(k, unit=2)
        assert abs(found.mean - mean) < 4.5 * found.se
    assert covers.drawn(known, 1, Chunk(0, 4096), 100).found == 100


def test_what_a_wrong_verdict_is() -> None:
    points = np.array([[4, 2, 2, 0]])
    known = replace(cases()["four-handed, two bowers"], chances=np.ones(1), weights=np.ones(1, int), points=points)
    assert why_wrong(known, "better", 0, [], 0.02) == ""
    assert why_wrong(known, "better", 1, [], 0.02) == NOT_BEST
    assert why_wrong(known, "equal", 0, [0, 1], 1.0) == ""
    assert why_wrong(known, "equal", 0, [0, 1], 0.9) == TOO_FAR
    assert why_wrong(known, "equal", 1, [1, 2], 0.02) == NOT_BEST
    assert why_wrong(known, "undecided", 3, [], 0.02) == ""
    tied = replace(known, points=points[:, 1:])
    assert why_wrong(tied, "better", 0, [], 0.02) == BETTER_OF_TIED
    assert why_wrong(tied, "equal", 0, [0, 1], 0.02) == ""


def test_a_few_runs_more_than_one_of_twenty_may_be_wrong() -> None:
    assert most_wrong(100) == pytest.approx(0.05 + 3 * (SURE * 0.05 / 100) ** 0.5)
