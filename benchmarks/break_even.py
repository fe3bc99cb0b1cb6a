"""Finds the thresholds of the standard strategy: the worth at which calling and passing break even, by game and seat.

    python benchmarks/break_even.py GAME [--deck 48] [--joker] [--deals N] [--rounds N]

Every seat that comes to a decision on a deal tries both sides of it, standard players play out what follows, and the
difference is entered under the worth of the hand. The threshold is the worth from which calling gains most in all:
below it calls lose on average, above it they gain. As every seat's threshold depends on the others', rounds are
repeated from the thresholds just found. Prints TOML for analyzer/strategies/standard.toml.
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from analyzer.border import empty_start, kernel_rules, new_scratch, number_vector, pool_of
from analyzer.rules import Rules, find_game, make_rules
from analyzer.strategy import Strategy, find_strategy
from kernels.auction import best_suit, choose_bid
from kernels.calling import order_worth
from kernels.compile import door, kernel
from kernels.deal import deal
from kernels.dice import CARDS, COINS, key_of
from kernels.doors import Seeded
from kernels.score import doubled_points
from kernels.steps import begin, call_bid, call_turn_up, choose_turn_up, finish_bid, finish_turn_up
from kernels.values import (
    AT_PHASE,
    AT_TRUMP,
    BID,
    DEFEND,
    DUMMY,
    GO_ALONE,
    HAND,
    LEVEL,
    MAKER,
    N_CALLS,
    NAME,
    ORDER,
    PASS,
    PASSED,
    PLAY,
    SAY_BID,
    SAY_NAME,
    SAY_ORDER,
    TAKE_DUMMY,
    TOGETHER,
    TURN,
    UP_SUIT,
)
from kernels.vector import BID_ASK, BID_JUMP, BLOCK, CALL_NAME_ALONE, CALL_ORDER_ALONE
from kernels.worlds import copy_table
from kernels.worth import players_vector, suit_worth

BUCKETS = 400  # of a tenth
NEVER = 1 << 30
K_ORDER, K_ORDER_ALONE, K_NEXT, K_CROSS, K_NAME_ALONE, K_MAKER, K_DEFENDER = range(7)
# in bid, each but the first + level: nothing stands; the partner's bid; an opponent's; so, and the partner has bid
K_FIRST, K_OVER_PARTNER, K_OVER_OPPONENT, K_BOTH, K_ASK, K_MOON = 8, 16, 32, 48, 64, 65
K_UP = 66  # + level: a level against the one below it
N_KINDS = 82
WITHOUT_ALONE = 4 + BLOCK  # where the block of the strategy that never asks nor moons begins


@kernel
def enter(out, kind, seat, worth, difference):  # type: ignore[no-untyped-def]
    """Add a difference to int64[N_KINDS, 4, BUCKETS, 3]: count, sum, sum of squares."""
    row = out[kind, seat, min(max(worth // 10, 0), BUCKETS - 1)]
    row[0] += 1
    row[1] += difference
    row[2] += difference * difference


@kernel
def turn_up_points(rules, players, table, scratch, seat, verb, what):  # type: ignore[no-untyped-def]
    """Doubled points of a seat if the seat in turn does this and standard players go on."""
    copy_table(table, scratch.reached)
    call_turn_up(rules, scratch.reached, verb, what)
    finish_turn_up(rules, players, scratch.reached, scratch.options)
    return doubled_points(rules, scratch.reached, seat)


@kernel
def study_order(rules, players, table, scratch, out):  # type: ignore[no-untyped-def]
    """Round one of the seat in turn."""
    seat = table[TURN]
    own, alone = order_worth(rules, players, players[seat], table, seat)
    passed = turn_up_points(rules, players, table, scratch, seat, PASS, 0)
    ordered = turn_up_points(rules, players, table, scratch, seat, SAY_ORDER, 0)
    called = ordered
    if rules.n_seats == 4:
        lone = turn_up_points(rules, players, table, scratch, seat, SAY_ORDER, 1)
        enter(out, K_ORDER_ALONE, seat, alone, lone - ordered)
        called = lone if alone >= players[players[seat] + CALL_ORDER_ALONE + seat] else ordered
    enter(out, K_ORDER, seat, own, called - passed)


@kernel
def study_name(rules, players, table, scratch, out):  # type: ignore[no-untyped-def]
    """Round two of the seat in turn."""
    seat = table[TURN]
    hand = table[HAND + seat]
    passed = turn_up_points(rules, players, table, scratch, seat, PASS, 0)
    lone_from = players[players[seat] + CALL_NAME_ALONE + seat] if rules.n_seats == 4 else NEVER
    following = table[UP_SUIT] ^ 3
    value = suit_worth(rules, players, players[seat], hand, following)
    how = following + (4 if value >= lone_from else 0)
    named = turn_up_points(rules, players, table, scratch, seat, SAY_NAME, how)
    enter(out, K_NEXT, seat, value, named - passed)
    cross = table[UP_SUIT] ^ 1
    if suit_worth(rules, players, players[seat], hand, cross ^ 3) > suit_worth(
        rules, players, players[seat], hand, cross
    ):
        cross ^= 3
    crossed = suit_worth(rules, players, players[seat], hand, cross)
    how = cross + (4 if crossed >= lone_from else 0)
    other = turn_up_points(rules, players, table, scratch, seat, SAY_NAME, how)
    enter(out, K_CROSS, seat, crossed, other - passed)
    if rules.n_seats == 4:
        best = following if value >= crossed else cross
        lone = turn_up_points(rules, players, table, scratch, seat, SAY_NAME, best + 4)
        with_partner = turn_up_points(rules, players, table, scratch, seat, SAY_NAME, best)
        enter(out, K_NAME_ALONE, seat, max(value, crossed), lone - with_partner)


@kernel
def study_alone(rules, players, table, scratch, out, kind, against):  # type: ignore[no-untyped-def]
    """Alone or not, of the seat in turn."""
    seat = table[TURN]
    value = suit_worth(rules, players, players[seat], table[HAND + seat], table[AT_TRUMP])
    lone = turn_up_points(rules, players, table, scratch, seat, GO_ALONE, 0)
    enter(out, kind, seat, value, lone - turn_up_points(rules, players, table, scratch, seat, against, 0))


@door
def study_turn_up(rules, players, seeded, first, n, scratch, out):  # type: ignore[no-untyped-def]
    """Every decision on deals first to first + n - 1, tried both ways; between them standard players go on."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.table
    for index in range(first, first + n):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, index, table)
        begin(rules, table)
        while table[AT_PHASE] < PLAY:
            phase = table[AT_PHASE]
            if phase == ORDER:
                study_order(rules, players, table, scratch, out)
            elif phase == NAME:
                study_name(rules, players, table, scratch, out)
            elif phase == DUMMY:
                study_alone(rules, players, table, scratch, out, K_MAKER, TAKE_DUMMY)
            elif phase == DEFEND:
                study_alone(rules, players, table, scratch, out, K_DEFENDER, TOGETHER)
            verb, what = choose_turn_up(rules, players, table, scratch.options)
            call_turn_up(rules, table, verb, what)


@kernel
def bid_points(rules, players, table, scratch, seat, verb, what):  # type: ignore[no-untyped-def]
    """As turn_up_points, in Bid Euchre."""
    copy_table(table, scratch.reached)
    call_bid(rules, scratch.reached, verb, what)
    finish_bid(rules, players, scratch.reached, scratch.options)
    return doubled_points(rules, scratch.reached, seat)


@kernel
def study_level(rules, players, table, scratch, out):  # type: ignore[no-untyped-def]
    """The lowest number that the seat in turn may bid, against passing."""
    seat = table[TURN]
    value = best_suit(rules, players, players[seat], table[HAND + seat])[1]
    level = max(3, table[LEVEL] + 1)
    if level >= rules.n_cards:
        return
    kind = K_FIRST
    if table[LEVEL] and table[MAKER] == seat ^ 2:
        kind = K_OVER_PARTNER + level
    elif table[LEVEL]:
        partner_bid = table[N_CALLS] >= 2 and not table[PASSED] >> (seat ^ 2) & 1
        kind = (K_BOTH if partner_bid else K_OVER_OPPONENT) + level
    below = bid_points(rules, players, table, scratch, seat, SAY_BID, level)
    enter(out, kind, seat, value, below - bid_points(rules, players, table, scratch, seat, PASS, 0))
    while players[players[seat] + BID_JUMP] and level + 1 < rules.n_cards:
        level += 1
        points = bid_points(rules, players, table, scratch, seat, SAY_BID, level)
        enter(out, K_UP + level, seat, value, points - below)
        below = points


@kernel
def study_help(rules, players, table, scratch, out):  # type: ignore[no-untyped-def]
    """Ask against the best of number bids and passing, moon against the better of these and ask."""
    seat = table[TURN]
    value = best_suit(rules, players, players[seat], table[HAND + seat])[1]
    ask = rules.n_cards + 1
    verb, what = choose_bid(rules, players, WITHOUT_ALONE, table)
    other = bid_points(rules, players, table, scratch, seat, verb, what)
    asked = bid_points(rules, players, table, scratch, seat, SAY_BID, ask)
    enter(out, K_ASK, seat, value, asked - other)
    shot = bid_points(rules, players, table, scratch, seat, SAY_BID, ask + 1)
    asks = value >= players[players[seat] + BID_ASK + seat]
    enter(out, K_MOON, seat, value, shot - (asked if asks else other))


@door
def study_bid(rules, players, seeded, first, n, scratch, out):  # type: ignore[no-untyped-def]
    """As study_turn_up, in Bid Euchre."""
    card_key, coin_key = key_of(seeded.seed, CARDS), key_of(seeded.seed, COINS)
    table = scratch.table
    for index in range(first, first + n):
        deal(rules, seeded.start, seeded.pool, scratch.unseen, card_key, coin_key, index, table)
        begin(rules, table)
        while table[AT_PHASE] == BID:
            seat = table[TURN]
            study_level(rules, players, table, scratch, out)
            if table[LEVEL] <= rules.n_cards:
                study_help(rules, players, table, scratch, out)
            verb, what = choose_bid(rules, players, players[seat], table)
            call_bid(rules, table, verb, what)


def study(rules: Rules, strategy: Strategy, deals: int, seed: int) -> NDArray[np.int64]:
    """int64[N_KINDS, 4, BUCKETS, 3] over that many deals."""
    numbers = dict(strategy.numbers) | {
        f"bid.{way}.seat{seat}": 99.0 for way in ("ask", "moon") for seat in range(1, 5)
    }
    tame = number_vector(Strategy("tame", numbers))
    vector = players_vector([number_vector(strategy)] * rules.n_seats, rules.deck == 48)
    vector = np.concatenate([vector, players_vector([tame], rules.deck == 48)[4:]])
    seeded = Seeded(empty_start(rules), pool_of(rules.pack.cards), seed)
    kernel_args = kernel_rules(rules)
    play = study_bid if rules.game.is_bid else study_turn_up
    halves = 2

    def part(k: int) -> NDArray[np.int64]:
        out = np.zeros((N_KINDS, 4, BUCKETS, 3), np.int64)
        n = deals // halves
        play(kernel_args, vector, seeded, k * n, n, new_scratch(len(seeded.pool)), out)
        return out

    part_zero = np.zeros((N_KINDS, 4, BUCKETS, 3), np.int64)
    play(kernel_args, vector, seeded, 0, 1, new_scratch(len(seeded.pool)), part_zero)
    with ThreadPoolExecutor(halves) as pool:
        return sum(pool.map(part, range(halves)), np.zeros_like(part_zero))


def threshold(rows: NDArray[np.int64], least: int = 200) -> float | None:
    """The worth from which calling gains most in all, from int64[BUCKETS, 3]; None where too few came to it."""
    if rows[:, 0].sum() < least:
        return None
    gains = np.cumsum(rows[::-1, 1])[::-1]
    seen = np.nonzero(rows[:, 0])[0]
    best = int(np.argmax(np.append(gains, 0)))
    return min(best, int(seen[-1]) + 1) / 10


def turn_up_numbers(rules: Rules, out: NDArray[np.int64]) -> Iterator[tuple[str, float]]:
    """The numbers of a turn-up game."""
    names = {
        K_ORDER: "call.order",
        K_ORDER_ALONE: "call.order_alone",
        K_NEXT: "call.next",
        K_CROSS: "call.cross",
        K_NAME_ALONE: "call.name_alone",
    }
    for kind, name in names.items():
        for seat in range(rules.n_seats):
            found = threshold(out[kind, seat])
            if found is not None:
                yield f"{name}.seat{seat + 1}", found
    for kind, name in ((K_MAKER, "alone.maker"), (K_DEFENDER, "alone.defender")):
        found = threshold(out[kind].sum(axis=0))
        if found is not None:
            yield name, found


def near(rows: NDArray[np.int64], guess: float, reach: float) -> float | None:
    """The threshold among worths within `reach` of a guess."""
    window = rows.copy()
    window[: max(0, int((guess - reach) * 10))] = 0
    window[int((guess + reach) * 10) :] = 0
    return threshold(window)


def shift_of(out: NDArray[np.int64], kind: int, needs: dict[tuple[int, int], float], now: float) -> float | None:
    """How far the thresholds of one kind of bid lie from what the hand alone would need; None where too few came."""
    shifts, weights = [], []
    for (level, seat), need in needs.items():
        rows = out[kind + level, seat]
        found = near(rows, need + now, 3.0)
        if found is not None:
            shifts.append(found - need)
            weights.append(int(rows[:, 0].sum()))
    return float(np.average(shifts, weights=weights)) if shifts else None


def line(out: NDArray[np.int64], kind: int, guess: float, step: float, levels: range) -> tuple[float, float] | None:
    """(worth for four, step above it): a line through the thresholds of the levels that many hands come to."""
    places, found, weights = [], [], []
    for level in levels:
        rows = out[kind + level].sum(axis=0)
        need = near(rows, guess + step * (level - 4), 5.0)
        if need is None:
            continue
        around = rows[max(0, int(need * 10) - 20) : int(need * 10) + 20, 0].sum()
        if around > 0:
            places.append(level - 4)
            found.append(need)
            weights.append(float(np.sqrt(around)))
    if len(places) < 2:
        return None
    slope, start = np.polyfit(places, found, 1, w=weights)
    return float(start), float(slope)


def jump_numbers(rules: Rules, strategy: Strategy, out: NDArray[np.int64]) -> Iterator[tuple[str, float]]:
    """The numbers of Bid Euchre where a hand bids at once what it is worth."""
    now = strategy.numbers
    second, step, opponent = now["bid.second.seat1"], now["bid.step"], now["bid.opponent"]
    levels = range(4, rules.hand_size)
    own = line(out, K_UP, second, step, levels)
    if own is not None:
        yield "bid.step", own[1]
        for seat in range(4):
            yield f"bid.second.seat{seat + 1}", own[0]
            yield f"bid.first.seat{seat + 1}", own[0] - own[1] / 2
    over = line(out, K_OVER_OPPONENT, second + opponent, step + now["bid.opponent_step"], levels)
    if over is not None:
        yield "bid.opponent", over[0] - second
        yield "bid.opponent_step", over[1] - step
    both = line(out, K_BOTH, second + opponent - now["bid.partner"], step + now["bid.opponent_step"], levels)
    if both is not None and over is not None:
        yield "bid.partner", over[0] - both[0]
    needs = {(level, seat): second + step * (level - 4) for level in levels for seat in range(1, 4)}
    shift = shift_of(out, K_OVER_PARTNER, needs, now["bid.over_partner"])
    if shift is not None:
        yield "bid.over_partner", shift
    for seat in range(4):
        for name, kind in (("ask", K_ASK), ("moon", K_MOON)):
            need = near(out[kind, seat], now[f"bid.{name}.seat{seat + 1}"], 5.0)
            if need is not None:
                yield f"bid.{name}.seat{seat + 1}", need


def bid_numbers(rules: Rules, strategy: Strategy, out: NDArray[np.int64]) -> Iterator[tuple[str, float]]:
    """The numbers of Bid Euchre: three and four by seat, the step above, what a partner's bid shifts."""
    now = strategy.numbers
    step = now["bid.step"]
    for seat in range(4):
        kinds = {"first": K_FIRST, "second": K_OVER_OPPONENT + 4, "ask": K_ASK, "moon": K_MOON}
        for name, kind in kinds.items():
            found = near(out[kind, seat], now[f"bid.{name}.seat{seat + 1}"], 5.0)
            if found is not None:
                yield f"bid.{name}.seat{seat + 1}", found
    needs = {
        (level, seat): now[f"bid.second.seat{seat + 1}"] + step * (level - 4)
        for level in range(4, rules.hand_size)
        for seat in range(1, 4)
    }
    steps, weights = [], []
    for (level, seat), need in needs.items():
        found = near(out[K_OVER_OPPONENT + level, seat], need, 3.0) if level > 4 else None
        if found is not None:
            steps.append((found - need) / (level - 4))
            weights.append(int(out[K_OVER_OPPONENT + level, seat, :, 0].sum()))
    if steps:
        yield "bid.step", step + float(np.average(steps, weights=weights))
    over = shift_of(out, K_OVER_PARTNER, needs, now["bid.over_partner"])
    if over is not None:
        yield "bid.over_partner", over
    both = shift_of(out, K_BOTH, needs, -now["bid.partner"])
    if both is not None:
        yield "bid.partner", -both


def main() -> None:
    """Iterate from the present standard strategy and print what is found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--deck", type=int)
    parser.add_argument("--joker", action="store_true")
    parser.add_argument("--deals", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    changes = {"deck": options.deck} if options.deck else {}
    rules = make_rules(find_game(options.game), changes | ({"joker": True} if options.joker else {}))
    strategy = find_strategy("standard", rules)
    ever: set[str] = set()
    for k in range(options.rounds):
        out = study(rules, strategy, options.deals, 1000 + k)
        if not rules.game.is_bid:
            found = dict(turn_up_numbers(rules, out))
        elif strategy.numbers["bid.jump"]:
            found = dict(jump_numbers(rules, strategy, out))
        else:
            found = dict(bid_numbers(rules, strategy, out))
        ever |= set(found)
        numbers = dict(strategy.numbers)
        for name, value in found.items():
            last = k == options.rounds - 1
            numbers[name] = round((numbers[name] + value) / 2, 2 if not last else 1)
        strategy = Strategy("standard", MappingProxyType(numbers))
        print(f"# round {k + 1}: " + ", ".join(f"{name} {value:.2f}" for name, value in found.items()), flush=True)
    section = ""
    for name in sorted(ever, key=list(strategy.numbers).index):
        table, _, key = name.rpartition(".")
        if table != section:
            print(f"\n[{table}]")
            section = table
        print(f"{key} = {strategy.numbers[name]:g}")


if __name__ == "__main__":
    main()
