"""Prints how fast open hands are solved, kind by kind, beside the C yardstick in the same run.

    make yardstick && python benchmarks/solve_speed.py [positions]

One thread and the yardstick run in turn, five times; the best of each counts. A value is what one side takes from a
random deal before the first lead; the ratio says how many yardstick hands it costs.
"""

import random
import sys
import time
from typing import Any, NamedTuple

import numpy as np
from speed import yardstick

from analyzer.border import kernel_rules, new_memory
from analyzer.cards import each_card
from analyzer.rules import Rules, find_game, make_rules
from kernels.solve_doors import solve_positions


class Kind(NamedTuple):
    """Random deals of one kind."""

    game: str
    changes: dict[str, Any]
    seats: tuple[int, ...]
    side: int
    n_cards: int
    divisor: int = 1
    n_remembered: int = 0


KINDS = {
    "four-handed": Kind("four-handed", {}, (0, 1, 2, 3), 0b0101, 5),
    "four-handed, 32 cards": Kind("four-handed", {"deck": 32}, (0, 1, 2, 3), 0b0101, 5),
    "a loner": Kind("four-handed", {}, (0, 1, 3), 0b0001, 5),
    "two-handed": Kind("two-handed", {}, (0, 1), 0b01, 5),
    "three-handed": Kind("three-handed", {}, (0, 1, 2), 0b010, 5),
    "bid, 6 cards each": Kind("bid", {}, (0, 1, 2, 3), 0b0101, 6, 4),
    "48 cards, 6 each left": Kind("bid", {"deck": 48}, (0, 1, 2, 3), 0b0101, 6, 10),
    "48 cards, 9 each left": Kind("bid", {"deck": 48}, (0, 1, 2, 3), 0b0101, 9, 1000, 1 << 18),
    "48 cards, 12 each": Kind("bid", {"deck": 48}, (0, 1, 2, 3), 0b0101, 12, 20_000, 1 << 18),
}
ROUNDS = 5


def dealt(kind: Kind, rules: Rules, n: int) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """int64[n, 4]: hands in trump order."""
    rng = random.Random(1)
    cards = list(each_card(kernel_rules(rules).pack_in_trump_order.item()))
    hands = np.zeros((n, 4), np.int64)
    for row in hands:
        rng.shuffle(cards)
        for k, seat in enumerate(kind.seats):
            row[seat] = sum(cards[k * kind.n_cards : (k + 1) * kind.n_cards])
    return hands


class Work:
    """Positions of one kind, ready to be solved again and again."""

    def __init__(self, kind: Kind, n: int) -> None:
        rules = make_rules(find_game(kind.game), kind.changes)
        self.n = n
        self.rules = kernel_rules(rules)
        self.hands = dealt(kind, rules, n)
        self.memory = new_memory(kind.n_remembered)
        self.leaders, self.played = np.zeros((2, n), np.int64)
        self.sides = np.full(n, kind.side, np.int64)
        self.tricks = np.zeros(n, np.int64)

    def solve(self) -> None:
        """All of them, with nothing remembered of long positions."""
        self.memory.seen[:] = 0
        solve_positions(self.rules, self.memory, self.hands, self.leaders, self.sides, self.played, self.tricks)


def main() -> None:
    """Print the table."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    print(f"{'kind':24}{'ns a value':>14}{'yardstick':>11}{'ratio':>11}{'values/s':>10}{'mean':>6}")
    for name, kind in KINDS.items():
        work = Work(kind, max(n // kind.divisor, 1))
        work.solve()
        nanoseconds, c = [], []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            work.solve()
            nanoseconds.append((time.perf_counter() - began) / work.n * 1e9)
            c.append(yardstick(2_000_000))
        one, hand = min(nanoseconds), min(c)
        print(
            f"{name:24}{one:14.0f}{hand:11.0f}{one / hand:11.1f}{1e9 / one:10,.0f}{work.tricks.mean():6.2f}", flush=True
        )


if __name__ == "__main__":
    main()
