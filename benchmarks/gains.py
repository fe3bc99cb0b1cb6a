"""Measures what a player gains who tries his cards (kernels.rollout) over one who plays by the rules of thumb.

    python benchmarks/gains.py [GAME] [--deck 48] [--k K] [--error E] [--deals N] [--threads N]

On the same deals, called by the standard strategy, the maker's side, or the defenders, tries every card in K worlds
while the other side plays as usual. Deals are played until both standard errors are E or less, or N are played.
Printed are the points a deal that this gains, with standard errors, and on the way what is known so far. What is still
gained is what the rules of thumb leave on the table.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from analyzer.border import empty_start, kernel_players, kernel_rules, new_scratch, new_search, pool_of
from analyzer.rules import find_game, make_rules
from analyzer.strategy import find_strategy
from kernels.compile import door
from kernels.deal import deal
from kernels.dice import CARDS, COINS, key_of
from kernels.doors import Seeded
from kernels.rollout import play_out_some_trying
from kernels.score import doubled_points
from kernels.steps import begin, call_bid, call_turn_up, say_bid, say_turn_up
from kernels.values import AT_PHASE, MAKER, MAKING, PLAY
from kernels.worlds import copy_table

CHUNK = 64
ROUND = 16 * CHUNK


@door
def gains_turn_up(rules, players, seeded, first, n, scratch, search, out):  # type: ignore[no-untyped-def]
    """Adds to out int64[2, 3]: for makers and defenders who try, deals, sums of doubled gains and of their squares."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.reached
    for index in range(first, first + n):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, index, table)
        begin(rules, table)
        while table[AT_PHASE] < PLAY:
            verb, what = say_turn_up(rules, players, table, scratch.options)
            call_turn_up(rules, table, verb, what)
        if table[AT_PHASE] == PLAY:
            count_gains(rules, table, scratch, search, out)


@door
def gains_bid(rules, players, seeded, first, n, scratch, search, out):  # type: ignore[no-untyped-def]
    """As gains_turn_up, in Bid Euchre."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.reached
    for index in range(first, first + n):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, index, table)
        begin(rules, table)
        while table[AT_PHASE] < PLAY:
            verb, what = say_bid(rules, players, table, scratch.options)
            call_bid(rules, table, verb, what)
        if table[AT_PHASE] == PLAY:
            count_gains(rules, table, scratch, search, out)


@door
def count_gains(rules, table, scratch, search, out):  # type: ignore[no-untyped-def]
    """Play the deal as usual, then with one side trying, then the other."""
    maker = table[MAKER]
    copy_table(table, scratch.table)
    play_out_some_trying(rules, scratch.table, 0, search)
    usual = doubled_points(rules, scratch.table, maker)
    for side in range(2):
        copy_table(table, scratch.table)
        play_out_some_trying(rules, scratch.table, table[MAKING] if side == 0 else ~table[MAKING], search)
        gain = doubled_points(rules, scratch.table, maker) - usual
        out[side, 0] += 1
        out[side, 1] += gain if side == 0 else -gain
        out[side, 2] += gain * gain


def means(total: NDArray[np.int64]) -> list[tuple[float, float]]:
    """(points a deal, standard error) of makers and defenders."""
    found = []
    for n, gain, squares in total.tolist():
        mean = gain / n / 2
        found.append((mean, ((squares / 4 / n - mean * mean) / n) ** 0.5))
    return found


def main() -> None:
    """Print the table of one game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="four-handed")
    parser.add_argument("--deck", type=int)
    parser.add_argument("--k", type=int, default=300)
    parser.add_argument("--error", type=float, default=0.003)
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    rules = make_rules(find_game(asked.game), {"deck": asked.deck} if asked.deck else {})
    players = kernel_players([find_strategy("standard", rules)] * rules.n_seats, rules)
    kernel = kernel_rules(rules)
    seeded = Seeded(empty_start(rules), pool_of(rules.pack.cards), 1)
    run = gains_bid if rules.game.is_bid else gains_turn_up

    def play(first: int) -> NDArray[np.int64]:
        out = np.zeros((2, 3), np.int64)
        run(kernel, players, seeded, first, CHUNK, new_scratch(len(seeded.pool)), new_search(asked.k), out)
        return out

    play(0)
    began = time.perf_counter()
    total, dealt = np.zeros((2, 3), np.int64), 0
    with ThreadPoolExecutor(asked.threads) as pool:
        while dealt < asked.deals and (not dealt or max(error for _, error in means(total)) > asked.error):
            total += np.sum(list(pool.map(play, range(dealt, dealt + ROUND, CHUNK))), axis=0)
            dealt += ROUND
            sofar = ", ".join(f"{mean:+.4f} ±{error:.4f}" for mean, error in means(total))
            print(f"{total[0, 0]:,} deals: makers, defenders {sofar}", file=sys.stderr, flush=True)
    seconds = time.perf_counter() - began
    for name, (mean, error) in zip(("makers", "defenders"), means(total), strict=True):
        print(f"{asked.game} rollout:{asked.k} {name:10} gain {mean:+.4f} ±{error:.4f} points a deal played")
    print(f"{total[0, 0]:,} deals, {seconds / dealt * 1e6:.0f} µs a deal")


if __name__ == "__main__":
    main()
