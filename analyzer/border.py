"""Turns rules, strategies and hands into the plain values kernels take, and back: the translator.

It knows neither Position nor Record; the words of events are in `events`, a deal in progress in `table`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.cards import each_card
from analyzer.rules import Level, Rules
from analyzer.strategy import Strategy
from kernels import (
    batches,
    doors,
    exact,
    looks,
    open_doors,
    replay,
    rollout,
    rollout_doors,
    score,
    solve_doors,
    strengths,
    values,
    vector,
    worlds,
)
from kernels.memory import N_ENDS, SEEN_WORDS, Memory
from kernels.worth import players_vector

Vector = NDArray[np.int64]


# --- rules ---


def _choice(value: object, *words: object) -> int:
    """The place of `value` among `words`; 0 for a rule the game does not have."""
    return words.index(value) if value in words else 0


def _chance(value: float | str) -> int:
    """A chance in parts of values.CERTAIN; -1 for a word."""
    return -1 if isinstance(value, str) else round(value * values.CERTAIN)


@lru_cache(maxsize=64)
def kernel_rules(rules: Rules) -> Any:
    """The rules as kernels take them (values.rules_record); not to be changed."""
    twins = rules.deck == 48
    jacks = 0b11 << 4 if twins else 1 << 4
    left_shift, right_shift = (8, 10) if twins else (4, 5)
    pack = rules.pack.cards
    moved = jacks | jacks << 48
    every = [0, 1, 2, 3]
    return values.rules_record(
        values.Rules(
            bid=int(rules.game.is_bid),
            n_seats=rules.n_seats,
            n_cards=rules.hand_size,
            twins=int(twins),
            joker=int(rules.joker),
            pack=pack,
            pack_in_trump_order=pack & ~moved | jacks << left_shift | jacks << right_shift,
            jacks=jacks,
            left_shift=left_shift,
            right_shift=right_shift,
            lower_twins=sum(0x0555 << 16 * suit for suit in every) | 0x5000 if twins else 0,
            top_ranks=sum((0b11 << 10 if twins else 1 << 7) << 16 * suit for suit in every),
            stick_the_dealer=int(rules.stick_the_dealer),
            turned_down_barred=_choice(rules.turned_down_suit, "allowed", "barred"),
            pickup_compulsory=_choice(rules.pickup, "optional", "compulsory"),
            discard_upcard=int(rules.discard_upcard or False),
            partner_orders_alone=int(rules.partner_orders_alone or False),
            joker_is_hearts=_choice(rules.joker_turned_up, "dealer-names", "hearts"),
            both_alone_lead=_choice(rules.both_alone_lead, "defender", "maker", "eldest"),
            lone_maker_march=rules.lone_maker_march or 0,
            lone_march=rules.lone_march or 2,
            loner_euchred=rules.loner_euchred or 0,
            defend_alone=int(rules.defend_alone or False),
            lone_lead=_choice(rules.lone_lead, None, "left-of-maker", "left-of-bidder") and 1,
            ace_no_face=int(rules.ace_no_face or False),
            plain_six=int(rules.plain_six or False),
            until_three_pass=_choice(rules.auction, "one-turn", "until-three-pass"),
            exchange=rules.exchange or 0,
            failed_value=_choice(rules.failed_alone, "bid", "value"),
            defenders_score=_choice(rules.defenders_score, "always", "when-set", "never"),
            renege_caught=_chance(rules.renege_caught),
        )
    )


# --- strategies ---

TRUMPS = ("seven", "eight", "nine", "ten", "queen", "king", "ace", "left", "right", "joker")
_SEATS = ("seat1", "seat2", "seat3", "seat4")


def _places() -> dict[str, int]:
    """Where each number of a strategy stands in its vector."""
    places = {
        "side.ace": vector.ACE_WORTH,
        "side.lone_ace": vector.LONE_ACE_WORTH,
        "side.king": vector.KING_WORTH,
        "upcard.partner": vector.UPCARD_PARTNER,
        "upcard.opponent": vector.UPCARD_OPPONENT,
        "pickup.margin": vector.PICKUP_MARGIN,
        "alone.maker": vector.DUMMY_ALONE,
        "alone.defender": vector.DEFEND_ALONE,
        "bid.step": vector.BID_STEP,
        "bid.partner": vector.BID_PARTNER,
        "bid.opponent": vector.BID_OPPONENT,
        "bid.opponent_step": vector.BID_OPPONENT_STEP,
        "bid.over_partner": vector.BID_OVER_PARTNER,
        "bid.jump": vector.BID_JUMP,
        "bid.claim_below": vector.CLAIM_BELOW,
        "bid.moon_jacks": vector.BID_MOON_JACKS,
        "play.renege": vector.PLAY_RENEGE,
    }
    rows = {
        "trump.": (
            vector.TRUMP_WORTH,
            ["seven", "eight", "nine", "ten", "queen", "king", "ace", "left", "right", "joker"],
        ),
        "length.": (vector.LENGTH_WORTH, ["third", "fourth", "fifth", "further"]),
        "void.": (vector.VOID_WORTH, ["first", "second", "third"]),
        "call.order.": (vector.CALL_ORDER, _SEATS),
        "call.order_alone.": (vector.CALL_ORDER_ALONE, _SEATS),
        "call.next.": (vector.CALL_NEXT, _SEATS),
        "call.cross.": (vector.CALL_CROSS, _SEATS),
        "call.name_alone.": (vector.CALL_NAME_ALONE, _SEATS),
        "bid.first.": (vector.BID_FIRST, _SEATS),
        "bid.second.": (vector.BID_SECOND, _SEATS),
        "bid.ask.": (vector.BID_ASK, _SEATS),
        "bid.moon.": (vector.BID_MOON, _SEATS),
    }
    for prefix, (place, words) in rows.items():
        places |= {prefix + word: place + k for k, word in enumerate(words)}
    return places


PLACES: Mapping[str, int] = _places()
_SHIFTED: Mapping[str, list[int]] = {
    "shift.call": [
        place + seat
        for place in (vector.CALL_ORDER, vector.CALL_NEXT, vector.CALL_CROSS, vector.BID_FIRST, vector.BID_SECOND)
        for seat in range(values.MAX_SEATS)
    ],
    "shift.alone": [
        vector.DUMMY_ALONE,
        vector.DEFEND_ALONE,
        *(
            place + seat
            for place in (vector.CALL_ORDER_ALONE, vector.CALL_NAME_ALONE, vector.BID_ASK, vector.BID_MOON)
            for seat in range(values.MAX_SEATS)
        ),
    ],
}
"""The numbers that a shift is added to on the way into the vector."""


def number_vector(strategy: Strategy) -> Vector:
    """int64[N_NUMBERS]: a strategy's numbers in hundredths."""
    numbers = np.zeros(vector.N_NUMBERS, np.int64)
    numbers[vector.IS_RANDOM] = 100 * strategy.is_random
    for name, value in strategy.numbers.items():
        if name in PLACES:
            numbers[PLACES[name]] = round(value * 100)
    for shift, places in _SHIFTED.items():
        numbers[places] += round(strategy.numbers.get(shift, 0) * 100)
    return numbers


def kernel_players(strategies: Sequence[Strategy], rules: Rules) -> Vector:
    """int64: the players vector for the strategies in seat order; not to be changed."""
    return _kernel_players(tuple(strategies), rules.deck == 48)


@lru_cache(maxsize=16)
def _kernel_players(strategies: tuple[Strategy, ...], twins: bool) -> Vector:
    return players_vector([number_vector(strategy) for strategy in strategies], twins)


# --- tables ---


class Door(NamedTuple):
    """The entry kernels of one kind of game."""

    options: Callable[..., int]
    apply: Callable[..., None]
    choose: Callable[..., tuple[int, int]]
    simulate: Callable[..., None]
    record: Callable[..., None]
    ask: Callable[..., tuple[int, int]]
    ask_trying: Callable[..., tuple[int, int]]
    ask_open: Callable[..., tuple[int, int]]
    follow: Callable[..., int]
    look: Callable[..., tuple[int, int]]
    count: Callable[..., int]
    strengths: Callable[..., None]


TURN_UP = Door(
    doors.turn_up_options,
    doors.turn_up_apply,
    doors.turn_up_choose,
    batches.simulate_turn_up,
    batches.record_turn_up,
    doors.ask_turn_up,
    rollout_doors.ask_turn_up_trying,
    open_doors.ask_turn_up_open,
    replay.follow_turn_up,
    looks.look_turn_up,
    exact.count_turn_up,
    strengths.strengths_turn_up,
)
BID = Door(
    doors.bid_options,
    doors.bid_apply,
    doors.bid_choose,
    batches.simulate_bid,
    batches.record_bid,
    doors.ask_bid,
    rollout_doors.ask_bid_trying,
    open_doors.ask_bid_open,
    replay.follow_bid,
    looks.look_bid,
    exact.count_bid,
    strengths.strengths_bid,
)


def door_of(rules: Rules) -> Door:
    """The kernels that play this game."""
    return BID if rules.game.is_bid else TURN_UP


def empty_start(rules: Rules) -> Vector:
    """int64[TABLE_SIZE]: a table before the deal of which nothing is known."""
    return _empty_start(rules).copy()


@lru_cache(maxsize=64)
def _empty_start(rules: Rules) -> Vector:
    start = np.zeros(values.TABLE_SIZE, np.int64)
    start[[values.AT_TRUMP, values.MAKER, values.TOLD, values.UP_SUIT]] = -1
    start[values.NEED : values.NEED + rules.n_seats] = rules.dealt
    start[values.NEED_DUMMY] = rules.hand_size if rules.game.has_dummy else 0
    start[values.NEED_UP] = 0 if rules.game.is_bid else 1
    return start


def pool_of(cards: int) -> Vector:
    """int64[n]: the cards of a mask, one mask each, lowest first."""
    return np.array(list(each_card(cards)), np.int64)


class Payoff(NamedTuple):
    """What a deal can pay."""

    side: int | None
    """The maker's side, counted from 0 as scores are listed; None: the deal was not played."""
    points: tuple[int, ...]
    """A number for each side."""


class Payoffs(NamedTuple):
    """All that a deal can pay under some rules, numbered as kernels count it."""

    each: tuple[Payoff, ...]
    """The first one is that of a deal not played."""
    codes: Vector
    """As worlds.Question has them; not to be changed."""


@lru_cache(maxsize=64)
def payoffs_of(rules: Rules) -> Payoffs:
    """What a deal can pay, fines apart: every contract scored with every number of tricks."""
    n_sides = len(rules.sides)
    found = {Payoff(None, (0,) * n_sides): score.NOT_PLAYED}
    codes = np.full((values.MAX_SIDES, 2 * score.MOST_PAID + 1, score.MOST_TO_OTHERS + 1), score.NOT_PLAYED, np.int64)
    hows = [level_number(rules, level) for level in rules.levels] or [values.BY_ORDER]
    table = np.zeros(values.TABLE_SIZE, np.int64)
    for maker, how, alone, tricks in product(range(n_sides), hows, _ways_alone(rules), range(rules.n_tricks + 1)):
        table[[values.MAKER, values.HOW, values.TRICKS + maker]] = maker, how, tricks
        table[values.ALONE] = sum(1 << (maker + offset) % rules.n_seats for offset in alone)
        doors.score_table(kernel_rules(rules), table)
        points = table[values.POINTS : values.POINTS + n_sides].tolist()
        paid = found.setdefault(Payoff(maker, tuple(points)), len(found))
        codes[maker, points[maker] + score.MOST_PAID, points[(maker + 1) % n_sides]] = paid
        table[:] = 0
    return Payoffs(tuple(found), codes)


def _ways_alone(rules: Rules) -> list[tuple[int, ...]]:
    """Who may be alone where that changes the points: 0 is the maker, 1 the defender on his left."""
    if rules.game.is_bid or rules.n_seats == 2:
        return [()]
    lone_defender = rules.n_seats == 3 or rules.defend_alone
    return [(), (0,), *([(1,), (0, 1)] if lone_defender else [])]


def new_scratch(n_unseen: int, n_options: int = 1, n_scales: int = 1) -> worlds.Scratch:
    """Room for one thread."""
    return worlds.Scratch(
        np.zeros(values.TABLE_SIZE, np.int64),
        np.zeros(values.TABLE_SIZE, np.int64),
        np.zeros(n_unseen, np.int64),
        np.zeros((values.MAX_OPTIONS, 2), np.int64),
        np.zeros((n_scales, n_options), np.int64),
        np.zeros(values.MAX_EVENTS, np.int64),
    )


def new_search(n_tried: int) -> rollout.Search:
    """Room for one thread in which to try each card in so many worlds."""
    return rollout.Search(
        np.zeros(values.TABLE_SIZE, np.int64),
        np.zeros(values.TABLE_SIZE, np.int64),
        np.zeros(64, np.int64),
        np.zeros(rollout.MOST_CARDS, np.int64),
        np.zeros((values.MAX_SEATS, 2), np.int64),
        n_tried,
    )


_REMEMBERED_FROM = 7
"""Cards in each hand from which on it is worth the room to remember long positions."""
_N_REMEMBERED = 1 << 18


class _Memories(local):
    """What each thread remembers, by how many long positions there is room for."""

    def __init__(self) -> None:
        self.known: dict[int, Memory] = {}


_memories = _Memories()


def new_memory(n_remembered: int = 0) -> Memory:
    """Nothing solved yet; with room for so many long positions."""
    seen = np.zeros(n_remembered * SEEN_WORDS, np.int64)
    return Memory(np.zeros(N_ENDS, np.uint8), seen)


def memory_for(n_cards: int) -> Memory:
    """What this thread remembers of open positions with up to so many cards in each hand."""
    n_remembered = _N_REMEMBERED if n_cards >= _REMEMBERED_FROM else 0
    if n_remembered not in _memories.known:
        _memories.known[n_remembered] = new_memory(n_remembered)
    return _memories.known[n_remembered]


def open_room(n_cards: int, n_options: int) -> open_doors.Open:
    """Room for this thread in which to solve a world for so many options."""
    return open_doors.Open(memory_for(n_cards), np.zeros((n_options, open_doors.N_KNOWN), np.int64))


def open_hands(rules: Rules, cards: Sequence[int], trump: int) -> Vector:
    """int64[n]: masks in printed order as masks in trump order."""
    masks = np.array(cards, np.int64)
    solve_doors.into_trump_order(kernel_rules(rules), trump, masks)
    return masks


def printed_cards(rules: Rules, cards: Sequence[int] | Vector, trump: int) -> list[int]:
    """Masks in trump order as masks in printed order."""
    masks = np.array(cards, np.int64)
    solve_doors.into_printed_order(kernel_rules(rules), trump, masks)
    return [int(mask) for mask in masks]


# --- bids ---


def level_number(rules: Rules, level: Level) -> int:
    """A bid as kernels count it: numbers as they are, every trick with the partner, ask, moon above them."""
    named = {"six": rules.hand_size, "ask": rules.hand_size + 1, "moon": rules.hand_size + 2}
    return named[level] if isinstance(level, str) else level


def level_word(rules: Rules, number: int) -> Level:
    """The inverse of `level_number`."""
    over = number - rules.hand_size
    return ("six", "ask", "moon")[over] if over >= 0 else number
