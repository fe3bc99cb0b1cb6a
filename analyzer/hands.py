"""Turns deals one by one, as kernels write them, into columns with names, kinds and meanings: the data dictionary.

A column has few values, so a cell is a place among its words; only numbers that count on are cells themselves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analyzer.cards import cards_text, each_card
from analyzer.events import SUIT_LETTERS
from analyzer.rules import Rules
from analyzer.simulate import call_kinds
from analyzer.strategy import Strategy
from kernels import batches

Whole = NDArray[np.int64]
Word = str | int | bool | None
MOST_SIDES = 3


@dataclass(frozen=True, slots=True)
class Column:
    """One column of `--hands`."""

    name: str
    kind: Literal["text", "integer", "boolean"]
    meaning: str
    words: tuple[Word, ...] | None
    """What its places stand for, None is empty; None instead of words: the places are the numbers themselves."""
    places: Callable[[int, Whole], Whole]
    """int64[n] from the number of the first deal and the rows int64[n, batches.N_COLUMNS]."""


def columns_of(rules: Rules, players: Sequence[Strategy], seed: int) -> list[Column]:
    """The columns of deals played by these players, in their order; the same names for every game."""
    names = [strategy.name for strategy in players]
    return [
        _constant("game", "text", "the game", rules.game.name),
        _constant("seed", "integer", "the seed of the run", seed),
        Column("deal", "integer", "the number of the deal; with the seed it names the cards", None, _numbers),
        _constant("players", "text", "strategies in seat order, joined by commas", ",".join(names)),
        *_called(rules, names),
        *_scored(rules),
        *_reneged(rules),
    ]


def _constant(name: str, kind: Literal["text", "integer"], meaning: str, word: Word) -> Column:
    return Column(name, kind, meaning, (word,), lambda _, rows: np.zeros(len(rows), np.int64))


def _numbers(first: int, rows: Whole) -> Whole:
    return np.arange(first, first + len(rows))


def _is_played(rows: Whole) -> NDArray[np.bool_]:
    return np.asarray((rows[:, batches.BY] >= 0) & (rows[:, batches.IS_CLAIMED] == 0))


def _maker(_: int, rows: Whole) -> Whole:
    """0 where nobody played, else the maker's seat from 1."""
    return np.where(_is_played(rows), rows[:, batches.BY] + 1, 0)


def _called(rules: Rules, names: Sequence[str]) -> list[Column]:
    """What was turned up and called, and by whom."""
    cards = list(each_card(rules.pack.cards))
    place_of = np.zeros(64, np.int64)
    place_of[[card.bit_length() for card in cards]] = np.arange(1, len(cards) + 1)
    calls = dict.fromkeys(range(batches.N_HOWS)) | {place: call for call, place in call_kinds(rules)}
    words = (None, *(calls[place] for place in range(batches.N_HOWS)))
    levels = words if rules.game.is_bid else (None,) * len(words)

    def upcard(_: int, rows: Whole) -> Whole:
        return place_of[np.frexp(rows[:, batches.UPCARD])[1]]  # a power of two has its bit for exponent, 0 has 0

    def trump(_: int, rows: Whole) -> Whole:
        return np.where(_is_played(rows), rows[:, batches.TRUMP] + 1, 0)

    def call(_: int, rows: Whole) -> Whole:
        return np.where(_is_played(rows), rows[:, batches.CALL] + 1, 0)

    def alone(_: int, rows: Whole) -> Whole:
        lone = rows[:, batches.LONE] >> np.maximum(0, rows[:, batches.BY]) & 1
        return np.where(_is_played(rows), lone + 1, 0)

    def lone_defender(_: int, rows: Whole) -> Whole:
        others = rows[:, batches.LONE] & ~(1 << np.maximum(0, rows[:, batches.BY]))
        seat = np.array([(mask & -mask).bit_length() for mask in range(1 << rules.n_seats)])
        return np.where(_is_played(rows), seat[others], 0)

    seats = (None, *range(1, rules.n_seats + 1))
    no_yes = (None, False, True)
    return [
        Column("upcard", "text", "the card turned up; empty in bid", (None, *_texts(rules, cards)), upcard),
        Column("trump", "text", "trump: C, D, H or S; empty where nobody played", (None, *SUIT_LETTERS), trump),
        Column("maker", "integer", "the maker's seat; empty where nobody played", seats, _maker),
        Column("strategy", "text", "the maker's strategy", (None, *names), _maker),
        Column("call", "text", "the call that made trump, as in the rows of simulate", words, call),
        Column("bid", "text", "the level of the contract; empty but in bid", levels, call),
        Column("alone", "boolean", "whether the maker's partner or dummy sat out", no_yes, alone),
        Column("lone_defender", "integer", "the seat that defended alone", seats, lone_defender),
    ]


def _texts(rules: Rules, cards: Sequence[int]) -> list[str]:
    return [cards_text(card, rules.pack) for card in cards]


def _scored(rules: Rules) -> list[Column]:
    """What was taken, paid, and come of the contract; sides in the order of scores."""
    n_sides = len(rules.sides)

    def took(side: int, rows: Whole) -> Whole:
        return np.asarray(sum(rows[:, batches.TOOK + seat - 1] for seat in rules.sides[side]))

    def tricks(side: int) -> Callable[[int, Whole], Whole]:
        return lambda _, rows: np.where(_is_played(rows), took(side, rows) + 1, 0)

    def points(side: int) -> Callable[[int, Whole], Whole]:
        return lambda _, rows: rows[:, batches.PAID + side]

    def nothing(_: int, rows: Whole) -> Whole:
        return np.zeros(len(rows), np.int64)

    def outcome(told: Callable[[Whole, Whole], NDArray[np.bool_]]) -> Callable[[int, Whole], Whole]:
        def places(_: int, rows: Whole) -> Whole:
            taken = took(0, rows)
            for side in range(1, n_sides):
                taken = np.where(is_of[side][rows[:, batches.BY]], took(side, rows), taken)  # nobody, -1, is last
            return np.where(_is_played(rows), told(taken, rows) + 1, 0)

        return places

    def is_made(taken: Whole, rows: Whole) -> NDArray[np.bool_]:
        needed = np.minimum(rows[:, batches.CALL], rules.hand_size) if rules.game.is_bid else 3
        return np.asarray(taken >= needed)

    def is_march(taken: Whole, _: Whole) -> NDArray[np.bool_]:
        return np.asarray(taken == rules.n_tricks)

    def is_euchred(taken: Whole, rows: Whole) -> NDArray[np.bool_]:
        return ~is_made(taken, rows)

    is_of = [np.array([seat in side for seat in (*range(1, rules.n_seats + 1), 0)]) for side in rules.sides]
    counts = (None, *range(rules.n_tricks + 1))
    no_yes = (None, False, True)
    sides = range(MOST_SIDES)
    return [
        *(
            Column(
                f"tricks_{side + 1}",
                "integer",
                f"tricks of side {side + 1}; empty where nobody played",
                *((counts, tricks(side)) if side < n_sides else ((None,), nothing)),
            )
            for side in sides
        ),
        *(
            Column(
                f"points_{side + 1}",
                "integer",
                f"points of side {side + 1}",
                *((None, points(side)) if side < n_sides else ((None,), nothing)),
            )
            for side in sides
        ),
        Column("made", "boolean", "whether the contract was made", no_yes, outcome(is_made)),
        Column(
            "march",
            "boolean",
            "whether the makers took every trick",
            no_yes,
            outcome(lambda taken, _: taken == rules.n_tricks),
        ),
        Column(
            "euchred",
            "boolean",
            "whether the contract failed",
            no_yes,
            outcome(lambda taken, rows: ~is_made(taken, rows)),
        ),
        Column(
            "thrown_in",
            "boolean",
            "whether everybody passed",
            (False, True),
            lambda _, rows: ((rows[:, batches.BY] < 0) & (rows[:, batches.IS_CLAIMED] == 0)).astype(np.int64),
        ),
        Column(
            "claimed",
            "boolean",
            "whether a hand was claimed and thrown in",
            (False, True),
            lambda _, rows: rows[:, batches.IS_CLAIMED],
        ),
    ]


def _reneged(rules: Rules) -> list[Column]:
    """How many illegal plays there were, and how many were noticed."""

    def number(place: int) -> Callable[[int, Whole], Whole]:
        def places(_: int, rows: Whole) -> Whole:
            if not rules.can_renege:
                return np.zeros(len(rows), np.int64)
            return np.asarray(sum(rows[:, place] >> 8 * seat & 0xFF for seat in range(rules.n_seats)))

        return places

    words = None if rules.can_renege else (None,)
    return [
        Column("reneged", "integer", "illegal plays; empty without renege_caught", words, number(batches.RENEGES)),
        Column("caught", "integer", "those that were noticed", words, number(batches.NOTICED)),
    ]
