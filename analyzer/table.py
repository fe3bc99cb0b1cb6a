"""Turns a deal and its events into what may be said or done next: a deal in progress, moved by the step door."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.border import Vector, door_of, empty_start, kernel_rules, open_hands
from analyzer.cards import JOKER
from analyzer.events import Step, rows_of
from analyzer.rules import Rules
from kernels import doors, values


@dataclass
class Table:
    """One deal in progress, moved by the step door: the rules as records, positions and players in Python see them.

    Hands in `state` are in printed order until the first lead and in trump order from then on.
    """

    rules: Rules
    state: Vector

    def __post_init__(self) -> None:
        self._door = door_of(self.rules)
        self._rules = kernel_rules(self.rules)
        self._options = np.zeros((values.MAX_OPTIONS, 2), np.int64)

    @classmethod
    def dealt(
        cls, rules: Rules, hands: Sequence[int], *, dummy: int = 0, upcard: int = 0, up_suit: int | None = None
    ) -> "Table":
        """A table at its first decision: masks in printed order; `up_suit` is what a turned joker stands for."""
        state = empty_start(rules)
        state[values.NEED : values.NEED_UP + 1] = 0
        state[values.HAND : values.HAND + len(hands)] = hands
        state[values.AT_DUMMY] = dummy
        state[values.UP] = upcard
        state[values.UP_SUIT] = suit_of_upcard(upcard, up_suit) if upcard else 0
        table = cls(rules, state)
        doors.begin_table(table._rules, state)
        return table

    @property
    def phase(self) -> str:
        """What the table waits for: one of values.PHASES."""
        return values.PHASES[self.state[values.AT_PHASE]]

    @property
    def is_done(self) -> bool:
        """Whether the deal is over."""
        return bool(self.state[values.AT_PHASE] == values.DONE)

    @property
    def seat(self) -> int:
        """The seat to act, from 1."""
        return int(self.state[values.TURN]) + 1

    @property
    def trump(self) -> int | None:
        """The trump suit, once it is fixed."""
        trump = int(self.state[values.AT_TRUMP])
        return None if trump < 0 else trump

    def in_trump_order(self, cards: int) -> int:
        """A mask of cards as hands hold them from the first lead on; trump is fixed."""
        return int(open_hands(self.rules, [cards], int(self.state[values.AT_TRUMP]))[0])

    def steps(self) -> list[Step]:
        """All that the seat to act may say or do."""
        n = self._door.options(self._rules, self.state, self._options)
        return [Step(int(verb), int(what)) for verb, what in self._options[:n]]

    def held(self) -> list[Step]:
        """The plays of every card that the seat to play holds, whether it follows suit or not."""
        anything = self.copy()
        anything.state[values.LED] = 0  # as if it led
        return anything.steps()

    def notice(self, caught: Sequence[int]) -> None:
        """Say whose illegal plays were noticed in a finished deal, a seat from 1 for each, and score it anew."""
        self.state[values.CAUGHT] = sum(1 << 8 * (seat - 1) for seat in caught)
        self.state[values.POINTS : values.POINTS + values.MAX_SEATS] = 0
        doors.score_table(self._rules, self.state)

    def apply(self, step: Step) -> None:
        """Go on by one step, which is one of `steps`, or where illegal plays are possible of `held`."""
        self._door.apply(self._rules, self.state, step.verb, step.what)

    def follow(self, events: Sequence[Any]) -> list[int] | None:
        """Go on by all events, of whatever form, and return the winners of the tricks they finish, seats from 1.

        None, and the table is spoilt, where one of them is not legal or not written as usual.
        """
        steps = rows_of(self.rules, events)
        if steps is None:
            return None
        winners = np.zeros(self.rules.n_tricks, np.int64)
        if self._door.follow(self._rules, self.state, steps, self._options, winners) < len(steps):
            return None
        return [seat + 1 for seat in winners[: self.state[values.N_TRICKS]].tolist()]

    def copy(self) -> "Table":
        """A table of its own in the same state."""
        return Table(self.rules, self.state.copy())


def suit_of_upcard(upcard: int, up_suit: int | None) -> int:
    """The suit an upcard proposes: its own, or for the joker the one it was said to stand for."""
    if upcard == JOKER:
        assert up_suit is not None
        return up_suit
    return (upcard.bit_length() - 1) >> 4
