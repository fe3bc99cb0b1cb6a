"""Where seats have shown voids, every deal that fits is dealt as often as any other, and no other is."""

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from test_kernel_rules import rules_of

from analyzer import border
from analyzer.ask import ask
from analyzer.position_file import read_position
from analyzer.strategy import seat_players
from kernels import values
from kernels.compile import JIT, door
from kernels.dice import CARDS, COINS, key_of
from kernels.voids import deal_by_voids, ways_to_choose

Masks = NDArray[np.int64]
N = 100_000 if JIT else 3_000


@door
def hands_dealt(rules: Any, start: Masks, pool: Masks, barred: Masks, n: int, table: Masks, out_hands: Masks) -> int:
    """Deals 0 to n - 1: the four hands, the dummy and the upcard of each that is one; returns how many there were."""
    found = 0
    for index in range(n):
        if deal_by_voids(rules, start, pool, barred, key_of(5, CARDS), key_of(5, COINS), index, table):
            for seat in range(4):
                out_hands[found, seat] = table[values.HAND + seat]
            out_hands[found, 4] = table[values.AT_DUMMY]
            out_hands[found, 5] = table[values.UP]
            found += 1
    return found


def fillings(cards: tuple[int, ...], wants: list[int], barred: list[int]) -> Iterator[tuple[int, ...]]:
    """Every way to fill the places one after another with what they may hold."""
    if not wants:
        yield ()
        return
    for chosen in itertools.combinations([card for card in cards if not card & barred[0]], wants[0]):
        left = tuple(card for card in cards if card not in chosen)
        for others in fillings(left, wants[1:], barred[1:]):
            yield (sum(chosen), *others)


def spades(*ranks: int) -> int:
    return sum(1 << rank for rank in ranks)


LATE = {
    "game": "bid",
    "rules": {"deck": 48},
    "seat": 3,
    "hands": [None, None, "AS KS KS QS JS TS 9S 9S AH KH 9H 9C", None],
    "events": [
        [1, "bid", 3], [2, "bid", 11], [3, "bid", "ask"], [4, "bid", "moon"], [4, "trump", "H"],
        [4, "play", "QC"], [1, "play", "TC"], [3, "play", "9C"], [4, "play", "KC"], [1, "play", "QC"],
        [3, "play", "KS"], [4, "play", "9C"], [1, "play", "9D"], [3, "play", "9S"], [4, "play", "QD"],
        [1, "play", "JH"], [3, "play", "TS"], [1, "play", "QH"], [3, "play", "AH"], [4, "play", "KD"],
        [3, "play", "KH"], [4, "play", "TD"], [1, "play", "JD"], [1, "play", "JS"],
    ],
}  # fmt: skip
"""A double-pack deal after 19 cards; blindly one deal in five hundred fits the voids shown."""


CASES = {
    "one void": ([0, 2, 2, 1, 0, 1], [0, spades(0, 1, 2), 0, 0]),
    "two voids that overlap": ([0, 2, 2, 2, 0, 0], [0, spades(0, 1, 2), spades(2, 3), 0]),
    "all but one may hold little": ([1, 2, 2, 2, 0, 0], [0, spades(0, 1, 2, 3), spades(3, 4, 5), spades(6)]),
    "with a dummy": ([0, 2, 1, 0, 2, 1], [0, spades(0, 1, 2, 3), spades(4, 5), 0]),
    "what must lie where it does": ([0, 3, 3, 1, 0, 0], [0, spades(0, 1, 2, 3), spades(4, 5, 6), 0]),
}


@pytest.mark.fast
@pytest.mark.parametrize("case", CASES)
def test_every_deal_that_fits_is_as_likely_as_any_other(case: str) -> None:
    wants, barred = CASES[case]
    cards = tuple(1 << rank for rank in range(7))
    rules = border.kernel_rules(rules_of("four-handed", {}))
    start = np.zeros(values.TABLE_SIZE, dtype=np.int64)
    start[values.NEED : values.NEED + 4] = wants[:4]
    start[values.NEED_DUMMY], start[values.NEED_UP] = wants[4:]
    out_hands = np.zeros((N, 6), dtype=np.int64)
    n = hands_dealt(rules, start, np.array(cards), np.array(barred), N, np.zeros_like(start), out_hands)
    counts = Counter(map(tuple, out_hands[:n].tolist()))
    possible = set(fillings(cards, wants, [*barred, 0, 0]))
    assert counts.keys() == possible
    expected = n / len(possible)
    spread = sum((counts[way] - expected) ** 2 / expected for way in possible)
    freedom = len(possible) - 1
    assert abs(spread - freedom) <= 4.5 * (2 * max(freedom, 1)) ** 0.5
    assert n > N / 20


@pytest.mark.fast
def test_combinations_are_counted() -> None:
    of = ways_to_choose.py_func if JIT else ways_to_choose
    assert [of(k, 5) for k in range(7)] == [1, 5, 10, 10, 5, 1, 0]
    assert of(12, 36) == 1_251_677_700


@pytest.mark.skipif(not JIT, reason="deals many worlds")
def test_late_in_a_double_pack_deal_with_voids_shown_worlds_are_found_at_once() -> None:
    position = read_position(LATE)
    answer = ask(position, seat_players("standard", position.rules), deals=2000)
    assert answer.provenance.deals == 2000
    assert answer.provenance.drawn < 10 * 2000
