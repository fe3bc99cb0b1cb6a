"""Fits what cards are worth: tricks taken by makers, regressed on what they held.

    python benchmarks/worths.py [deals]

For each game (and Bid Euchre with 48 cards) every seat in turn is made to name its best suit, standard players play
it out, and the tricks of the maker's side are fitted by least squares to the numbers that `worth` adds up. A worth of
3 is one trick. The table printed is what stands, rounded, in analyzer/strategies/standard.toml.
"""

import sys

import numpy as np
from numpy.typing import NDArray

from analyzer.border import empty_start, kernel_players, kernel_rules, new_scratch, pool_of
from analyzer.rules import Rules, find_game, make_rules
from analyzer.strategy import find_strategy
from kernels.auction import apply_bid, best_suit
from kernels.bits import popcount
from kernels.calling import apply_call
from kernels.compile import door
from kernels.deal import deal
from kernels.dice import CARDS, COINS, key_of
from kernels.order import trump_order
from kernels.score import makers_tricks
from kernels.steps import begin, finish_bid, finish_turn_up
from kernels.values import HAND, MAKER, NAME, PASS, SAY_BID, SAY_NAME, TURN, UP_SUIT

RANKS = ["seven", "eight", "nine", "ten", "queen", "king", "ace", "left", "right"]


@door
def name_best(rules, players, seeded, first, scratch, out_hands, out_tricks):  # type: ignore[no-untyped-def]
    """Seat i mod n names its best suit in round two of deal first + i: hands in trump order, tricks of its side."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.table
    for i in range(len(out_hands)):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, first + i, table)
        begin(rules, table)
        seat = i % rules.n_seats
        suit = best_suit(rules, players, 4, table[HAND + seat])[0]
        out_hands[i] = trump_order(rules, table[HAND + seat], suit)
        table[0] = NAME
        table[TURN] = seat
        apply_call(rules, table, SAY_NAME, suit)
        finish_turn_up(rules, players, table, scratch.options)
        out_tricks[i] = makers_tricks(rules, table) if suit != table[UP_SUIT] else -1


@door
def bid_best(rules, players, seeded, first, scratch, out_hands, out_tricks):  # type: ignore[no-untyped-def]
    """Seat i mod 4 bids three and names its best suit in deal first + i: hands in trump order, tricks of its side."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.table
    for i in range(len(out_hands)):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, first + i, table)
        begin(rules, table)
        for seat in range(4):
            if seat == i % 4:
                apply_bid(rules, table, SAY_BID, 3)
            else:
                apply_bid(rules, table, PASS, 0)
        seat = table[MAKER]
        suit = best_suit(rules, players, 4, table[HAND + seat])[0]
        out_hands[i] = trump_order(rules, table[HAND + seat], suit)
        finish_bid(rules, players, table, scratch.options)
        out_tricks[i] = makers_tricks(rules, table)


@door
def count_bits(masks, out):  # type: ignore[no-untyped-def]
    """out int64[n] = the bits set in masks int64[n]."""
    for i in range(len(masks)):
        out[i] = popcount(masks[i])


def counted(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Bits set in each mask."""
    out = np.zeros(len(masks), np.int64)
    count_bits(np.ascontiguousarray(masks), out)
    return out


def features(hands: NDArray[np.int64], rules: Rules) -> dict[str, NDArray[np.int64]]:
    """The numbers that a worth adds up, by name, for hands in trump order."""
    width = 2 if rules.deck == 48 else 1
    trumps, sides = hands & 0xFFFF, [hands >> 16 * lane & 0xFFFF for lane in (1, 2, 3)]
    found: dict[str, NDArray[np.int64]] = {}
    first = 2 if rules.deck == 24 or rules.deck == 48 else 0
    for k, rank in enumerate(RANKS[first:]):
        bit = (k + first) if width == 1 else 2 * k
        bit += width if rank in ("queen", "king", "ace", "left", "right") else 0
        found[f"trump.{rank}"] = counted(trumps & ((1 << width) - 1) << bit)
    n = counted(trumps)
    for name, least in (("third", 3), ("fourth", 4), ("fifth", 5)):
        found[f"length.{name}"] = (n >= least).astype(np.int64)
    found["length.further"] = np.maximum(0, n - 5)
    top = 7 if width == 1 else 10
    aces = [counted(side & ((1 << width) - 1) << top) for side in sides]
    kings = [counted(side & ((1 << width) - 1) << top - width) for side in sides]
    cards = [counted(side) for side in sides]
    found["side.ace"] = np.sum(aces, axis=0)
    found["side.lone_ace"] = np.sum([(a == 1) & (c == 1) for a, c in zip(aces, cards, strict=True)], axis=0)
    found["side.king"] = np.sum([(k > 0) & (c > 1) for k, c in zip(kings, cards, strict=True)], axis=0)
    voids = np.sum([c == 0 for c in cards], axis=0)
    for name, least in (("first", 1), ("second", 2), ("third", 3)):
        found[f"void.{name}"] = ((voids >= least) & (n > 0)).astype(np.int64)
    return found


def fit(rules: Rules, deals: int) -> tuple[dict[str, float], float]:
    """Worths by name (3 a trick), and the share of the spread of tricks that they explain."""
    players = [find_strategy("standard", rules)] * rules.n_seats
    from kernels.doors import Seeded

    seeded = Seeded(empty_start(rules), pool_of(rules.pack.cards), 11)
    hands, tricks = np.zeros(deals, np.int64), np.zeros(deals, np.int64)
    play = bid_best if rules.game.is_bid else name_best
    play(kernel_rules(rules), kernel_players(players, rules), seeded, 0, new_scratch(len(seeded.pool)), hands, tricks)
    kept = tricks >= 0
    columns = {name: values[kept] for name, values in features(hands, rules).items()}
    columns = {name: values for name, values in columns.items() if values.any()}
    matrix = np.column_stack([np.ones(kept.sum()), *columns.values()]).astype(float)
    solution, *_ = np.linalg.lstsq(matrix, tricks[kept].astype(float), rcond=None)
    residual = tricks[kept] - matrix @ solution
    explained = 1 - residual.var() / tricks[kept].var()
    return {"constant": solution[0], **dict(zip(columns, solution[1:] * 3, strict=True))}, float(explained)


def main() -> None:
    """Print the fitted worths of every game."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for game, changes in (
        ("four-handed", {}),
        ("two-handed", {}),
        ("three-handed", {}),
        ("bid", {}),
        ("bid", {"deck": 48}),
        ("four-handed", {"deck": 32}),
    ):
        rules = make_rules(find_game(game), changes)
        worths, explained = fit(rules, deals)
        print(f"{game} {changes or ''}: {explained:.1%} of the spread of tricks")
        print("  " + ", ".join(f"{name} {worth:.2f}" for name, worth in worths.items()))


if __name__ == "__main__":
    main()
