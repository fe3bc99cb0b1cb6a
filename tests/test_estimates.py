"""Intervals are those of the books, differences those of the raw data, verdicts those of the intervals."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.estimates import (
    FEWEST_ANY_TIME,
    SURE,
    Difference,
    Sums,
    any_time_z,
    differences,
    kind_of,
    mean_of,
    rate_of,
    wilson,
    z_of,
)

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_of_rates_are_wilsons(hits: int, n: int, low: float, high: float) -> None:
    interval = wilson(hits / n, n)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-5)
    other = wilson(1 - hits / n, n)
    assert (other.low, other.high) == pytest.approx((1 - high, 1 - low), abs=5e-5)


@pytest.mark.parametrize("n", [1, 7, 1000])
def test_an_interval_of_a_rate_stays_within_0_and_1_and_holds_the_rate(n: int) -> None:
    for hits in range(n + 1):
        interval = wilson(hits / n, n)
        assert 0 <= interval.low <= hits / n <= interval.high <= 1
    assert wilson(0, n).low == 0
    assert wilson(1, n).high == 1


@pytest.mark.parametrize("share", [0.03, 0.3, 0.5])
def test_wilsons_interval_holds_the_true_rate_about_as_often_as_it_says(share: float) -> None:
    """Counted over all outcomes of 50 trials, not sampled."""
    n = 50
    held = 0.0
    for hits in range(n + 1):
        interval = wilson(hits / n, n)
        if interval.low <= share <= interval.high:
            held += comb(n, hits) * share**hits * (1 - share) ** (n - hits)
    assert 0.92 <= held <= 0.98


def test_standard_errors_are_shared_over_all_rivals() -> None:
    assert z_of(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert z_of(0.95, 2) == pytest.approx(2.241403, abs=1e-6)
    assert z_of(0.95, 20) == pytest.approx(3.023341, abs=1e-6)
    assert z_of(0.95, 0) == z_of(0.95, 1)
    for n in (1, 3, 25):
        assert n * 2 * NormalDist().cdf(-z_of(SURE, n)) == pytest.approx(1 - SURE)


def test_means_and_their_errors_are_those_of_the_raw_numbers() -> None:
    rng = np.random.default_rng(1)
    for unit in (1, 2):
        raw = rng.integers(-8, 9, 500)
        found = mean_of(int(raw.sum()), int((raw * raw).sum()), len(raw), unit)
        assert found.mean == pytest.approx(raw.mean() / unit, rel=1e-14)
        assert found.se == pytest.approx(raw.std() / unit / sqrt(len(raw)), rel=1e-12)


def test_equal_numbers_have_no_error_however_many() -> None:
    n = 10**12
    assert mean_of(3 * n, 9 * n, n).se == 0
    assert mean_of(-24 * n, 576 * n, n, 2).mean == -12


def test_sums_too_big_for_a_double_lose_no_digit() -> None:
    """The spread is a small difference of large numbers, so it is taken in whole numbers."""
    n = 10**10
    total, squares = 48 * n + 1, 48 * 48 * n + 97
    spread = Fraction(squares, n) - Fraction(total, n) ** 2
    assert mean_of(total, squares, n).se == pytest.approx(sqrt(spread / n), rel=1e-12)


def test_a_rate_is_a_mean_of_noughts_and_ones() -> None:
    found = rate_of(30, 120)
    assert found.mean == 0.25
    assert found.se == pytest.approx(sqrt(0.25 * 0.75 / 120))
    assert rate_of(0, 5).se == rate_of(5, 5).se == 0


def sums_of(raw: NDArray[np.int64], weights: Sequence[int]) -> Sums:
    """The sums of worlds, a row each, by their definition; the upper half of the products must not be read."""
    rows = [[int(x) for x in row] for row in raw]
    options = range(raw.shape[1])
    worlds = list(zip(rows, weights, strict=True))

    def products(i: int, j: int) -> int:
        return sum(w * w * row[i] * row[j] for row, w in worlds)

    return Sums(
        worths=[sum(w * row[k] for row, w in worlds) for k in options],
        leverage=[sum(w * w * row[k] for row, w in worlds) for k in options],
        products=[
            [sum(w * w * row[i] * row[j] for row, w in worlds) if j <= i else 10**9 for j in options] for i in options
        ],
        weight=sum(weights),
        squares=sum(w * w for w in weights),
    )


def test_worlds_of_equal_weight_count_as_worlds_do() -> None:
    raw = np.random.default_rng(3).integers(-8, 9, (300, 2))
    sums = sums_of(raw, [16] * 300)
    column = [int(x) for x in raw[:, 0]]
    plain = mean_of(sum(column), sum(x * x for x in column), 300, unit=2)
    assert sums.effective == 300
    assert sums.mean(0, unit=2).mean == plain.mean
    assert sums.mean(0, unit=2).se == pytest.approx(plain.se, rel=1e-12)


def test_weighted_worlds_are_estimated_by_the_formulas_of_the_books() -> None:
    rng = np.random.default_rng(4)
    raw, weights = rng.integers(-8, 9, (300, 3)), [int(w) for w in rng.choice([16, 800, 40000], 300)]
    sums = sums_of(raw, weights)
    w = np.array(weights, float)
    assert sums.effective == pytest.approx(w.sum() ** 2 / (w**2).sum())
    for k, x in enumerate(raw.T):
        mean = (w * x).sum() / w.sum()
        assert sums.mean(k).mean == pytest.approx(mean)
        assert sums.mean(k).se == pytest.approx(sqrt((w**2 * (x - mean) ** 2).sum()) / w.sum())
    gaps = raw[:, 2] - raw[:, 1]
    mean = (w * gaps).sum() / w.sum()
    assert sums.gap(2, 1).mean == pytest.approx(mean)
    assert sums.gap(1, 2).se == pytest.approx(sqrt((w**2 * (gaps - mean) ** 2).sum()) / w.sum())


@pytest.mark.parametrize("sure", [0.95, 0.99])
def test_an_interval_that_holds_at_any_time_is_looked_at_after_every_batch_and_still_holds(sure: float) -> None:
    rng = np.random.default_rng(6)
    n_runs, batch, n_looks = 1000, 128, 200
    steps = rng.normal(size=(n_runs, n_looks, batch)).sum(axis=2).cumsum(axis=1)
    n = batch * np.arange(1, n_looks + 1)
    looks = n >= FEWEST_ANY_TIME
    z = np.array([any_time_z(float(k), sure=sure) for k in n])
    missed = (abs(steps) / np.sqrt(n) > z)[:, looks].any(axis=1).mean()
    naive = (abs(steps) / np.sqrt(n) > z_of(sure))[:, looks].any(axis=1).mean()
    assert missed <= 1 - sure + 3 * sqrt((1 - sure) * sure / n_runs)
    assert naive > 2 * (1 - sure)


def test_holding_at_any_time_costs_about_half_as_much_width_again() -> None:
    assert 1.5 < any_time_z(20_000) / z_of(0.95) < 1.65
    assert any_time_z(20_000, 3) > any_time_z(20_000, 1)


@pytest.mark.parametrize(("n_options", "best"), [(2, 0), (2, 1), (4, 2), (25, 24)])
def test_differences_are_paired_and_share_their_error_over_the_rivals(n_options: int, best: int) -> None:
    rng = np.random.default_rng(n_options)
    common = rng.integers(-20, 21, (400, 1))
    raw = common + rng.integers(-3, 4, (400, n_options))
    found = differences(sums_of(raw, [1] * 400), best, unit=2)
    z = NormalDist().inv_cdf(1 - 0.05 / 2 / (n_options - 1))
    for k in range(n_options):
        gaps = (raw[:, k] - raw[:, best]) / 2
        se = gaps.std() / sqrt(400)
        assert found[k].mean == pytest.approx(gaps.mean(), abs=1e-12)
        assert found[k].se == pytest.approx(se, abs=1e-12)
        assert (found[k].low, found[k].high) == pytest.approx((gaps.mean() - z * se, gaps.mean() + z * se), abs=1e-9)
    assert found[best] == Difference(0, 0, 0, 0)
    assert found[best - 1].se < raw[:, best - 1].std() / 2 / sqrt(400) / 2  # unpaired it would be far larger


def test_a_paired_interval_holds_the_true_difference_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    n_held, n_trials, n = 0, 1000, 200
    for _ in range(n_trials):
        gap = differences(sums_of(rng.integers(-4, 5, (n, 2)), [1] * n), best=0)[1]
        n_held += gap.low <= 0 <= gap.high
    assert abs(n_held / n_trials - 0.95) <= 4.5 * sqrt(0.95 * 0.05 / n_trials) + 0.005


BETTER, EQUAL, UNDECIDED = "better", "equal", "undecided"


@pytest.mark.parametrize(
    ("rivals", "kind", "equal"),
    [
        ([], "only", []),
        ([(-0.5, -0.1)], BETTER, []),
        ([(-0.015, -0.001)], BETTER, []),  # within the margin, and better all the same
        ([(-0.5, -0.1), (-0.3, -1e-9)], BETTER, []),
        ([(-0.02, 0.0)], EQUAL, [0, 1]),  # at the margin, and at nought
        ([(-0.01, 0.005)], EQUAL, [0, 1]),
        ([(0.0, 0.0)], EQUAL, [0, 1]),
        ([(-0.5, -0.4), (-0.01, 0.005), (-0.02, 0.01)], EQUAL, [0, 2, 3]),  # one lies clearly below
        ([(-0.021, 0.0)], UNDECIDED, []),
        ([(-0.3, 0.1)], UNDECIDED, []),
        ([(-0.01, 0.005), (-0.3, 0.1)], UNDECIDED, []),
        ([(-0.5, -0.4), (-0.3, 0.1)], UNDECIDED, []),
    ],
)
def test_a_verdict_follows_from_the_intervals(rivals: list[tuple[float, float]], kind: str, equal: list[int]) -> None:
    best = Difference(0, 0, 0, 0)
    found = [Difference((low + high) / 2, 0.01, low, high) for low, high in rivals]
    assert kind_of([best, *found], 0, 0.02) == (kind, equal)
    last = len(found)
    turned = kind_of([*found, best], last, 0.02)
    assert turned[0] == kind
    assert set(turned[1]) == {last if k == 0 else k - 1 for k in equal}


def test_with_no_margin_only_a_difference_of_none_at_all_is_equal() -> None:
    best = Difference(0, 0, 0, 0)
    assert kind_of([best, Difference(0, 0, 0, 0)], 0, 0) == (EQUAL, [0, 1])
    assert kind_of([best, Difference(-0.01, 0.01, -0.02, 0)], 0, 0) == (UNDECIDED, [])
