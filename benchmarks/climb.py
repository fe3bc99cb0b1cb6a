"""Finds numbers of the standard strategy by climbing: each is moved to where it beats the strategy as it is.

    python benchmarks/climb.py GAME [--deck 48] [--joker] [--deals N] [--rounds N]

The numbers that hang together (a threshold of all seats) are moved together by the steps of STEPS; every value meets
the unmoved strategy on the same deals with the seats rotated, as in `euchre sweep`. A move is made if it gains more
than two standard errors. Rounds go on, with smaller steps, until nothing moves. For games whose thresholds depend on
one another too much for break_even.py, which looks at one decision at a time. Prints TOML.
"""

import argparse
from dataclasses import replace
from types import MappingProxyType

from analyzer.batches import How
from analyzer.rules import Rules, find_game, make_rules
from analyzer.strategy import BY_NAME, Strategy, find_strategy
from analyzer.sweep import SweepStudy, Variant, sweep

STEPS = (-4.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 4.0)
SEATS = (1, 2, 3, 4)
LATER = (2, 3, 4)


def groups(rules: Rules) -> dict[str, list[str]]:
    """The numbers that are moved together, by a name for them."""
    if rules.game.is_bid:
        found = {f"bid.{kind}": [f"bid.{kind}.seat{seat}" for seat in SEATS] for kind in ("first", "second")}
        found |= {f"bid.{kind}": [f"bid.{kind}.seat{seat}" for seat in SEATS] for kind in ("ask", "moon")}
        singles = ("step", "opponent", "opponent_step", "partner", "over_partner")
        found |= {f"bid.{name}": [f"bid.{name}"] for name in singles}
        return found | {"bid.second, later seats": [f"bid.second.seat{seat}" for seat in LATER]}
    kinds = ("order", "order_alone", "next", "cross", "name_alone")
    seats = range(1, rules.n_seats + 1)
    return {f"call.{kind}.seat{seat}": [f"call.{kind}.seat{seat}"] for kind in kinds for seat in seats}


def moved(strategy: Strategy, names: list[str], step: float) -> Strategy | None:
    """The strategy with these numbers moved; None where one would leave its bounds."""
    numbers = dict(strategy.numbers)
    for name in names:
        numbers[name] = round(numbers[name] + step, 2)
        if not BY_NAME[name].low <= numbers[name] <= BY_NAME[name].high:
            return None
    return replace(strategy, numbers=MappingProxyType(numbers))


def climbed(rules: Rules, strategy: Strategy, names: list[str], scale: float, deals: int, seed: int) -> Strategy:
    """The strategy with these numbers moved to where they gain most on it, if they gain more than by chance."""
    tried = [(step * scale, moved(strategy, names, step * scale)) for step in STEPS]
    variants = tuple(Variant(step, rules, each, strategy) for step, each in tried if each is not None)
    found = sweep(rules, SweepStudy(names[0], variants, seed), deals, max_deals=deals, margin=0, how=How())
    best = max(found.rows, key=lambda row: row.points)
    if best.points <= 2 * best.points_se:
        return strategy
    print(f"# {names[0]} {best.value:+g}: gains {best.points:.3f} (se {best.points_se:.3f})", flush=True)
    return next(variant.strategy for variant in variants if variant.value == best.value)


def main() -> None:
    """Climb from the present standard strategy and print what is found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--deck", type=int)
    parser.add_argument("--joker", action="store_true")
    parser.add_argument("--deals", type=int, default=40_000)
    parser.add_argument("--rounds", type=int, default=6)
    options = parser.parse_args()
    changes = {"deck": options.deck} if options.deck else {}
    rules = make_rules(find_game(options.game), changes | ({"joker": True} if options.joker else {}))
    strategy = find_strategy("standard", rules)
    for k in range(options.rounds):
        before, scale = strategy, 0.5 ** (k // 2)
        for place, names in enumerate(groups(rules).values()):
            strategy = climbed(rules, strategy, names, scale, options.deals, 1000 * k + place)
        if strategy is before and scale < 0.5:
            break
    for names in groups(rules).values():
        for name in names:
            print(f"{name} = {strategy.numbers[name]:g}")


if __name__ == "__main__":
    main()
