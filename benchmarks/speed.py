"""Prints how fast deals are played, each game beside the C yardstick in the same run.

    make yardstick && python benchmarks/speed.py [deals]

One worker and the yardstick run in turn, five times; the best of each counts, and their ratio. Start-up and compiling
stand apart. Then two workers against one, and the memory of the process.
"""

import resource
import subprocess
import sys
import time
from pathlib import Path

from analyzer.batches import How
from analyzer.rules import find_game, make_rules
from analyzer.simulate import simulate
from analyzer.strategy import find_strategy

YARDSTICK = Path(__file__).resolve().parents[1] / "build" / "yardstick"
GAMES = {
    "four-handed": ("four-handed", {}, 1),
    "two-handed": ("two-handed", {}, 1),
    "three-handed": ("three-handed", {}, 1),
    "bid": ("bid", {}, 1),
    "bid, 48 cards": ("bid", {"deck": 48}, 4),
}
ROUNDS = 5


def yardstick(deals: int) -> float:
    """ns a hand of the C program."""
    words = subprocess.run([YARDSTICK, str(deals)], capture_output=True, text=True, check=True).stdout.split()
    return float(words[words.index("ns/hand") + 1])


def main() -> None:
    """Print the table."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    print(f"{'game':15}{'ns a deal':>10}{'yardstick':>10}{'ratio':>7}{'2 workers':>11}{'MB':>6}")
    for name, (game, changes, divisor) in GAMES.items():
        rules = make_rules(find_game(game), changes)
        players = [find_strategy("standard", rules)] * rules.n_seats
        n = deals // divisor
        simulate(rules, players, 1, how=How(workers=1))

        def nanoseconds(workers: int, rules=rules, players=players, n=n) -> float:  # type: ignore[no-untyped-def]
            began = time.perf_counter()
            simulate(rules, players, n, how=How(workers))
            return float((time.perf_counter() - began) / n * 1e9)

        rounds = [(nanoseconds(1), yardstick(deals), nanoseconds(2)) for _ in range(ROUNDS)]
        one, c, two = (min(column) for column in zip(*rounds, strict=True))
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{name:15}{one:10.0f}{c:10.0f}{c / one:7.2f}{one / two:10.2f}x{megabytes:6}", flush=True)


if __name__ == "__main__":
    main()
