"""Turns deals with players written in Python among the seats into counts and rows: one event at a time.

Such a player is asked at each of his decisions with what his seat knows, a Position, and answers with the text of an
option. The others choose as they always do, and the step door of the kernels moves the table.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.border import door_of, empty_start, kernel_players, kernel_rules, new_scratch, payoffs_of, pool_of
from analyzer.choices import option_text, options
from analyzer.errors import RunError
from analyzer.events import Step
from analyzer.players import Bot, in_their_code
from analyzer.position import HIDDEN, Position
from analyzer.position_file import position_json
from analyzer.record import events_of
from analyzer.rules import Rules
from analyzer.strategy import Strategy
from analyzer.table import Table
from kernels import batches, doors, values

Rows = list[list[int]]
LEVEL = (1 << values.TOLD_SHIFT) - 1


def play_by_hand(
    rules: Rules,
    seating: Sequence[Strategy],
    seed: int,
    indices: NDArray[np.int64],
    out_counts: batches.Counts,
    out_rows: NDArray[np.int64],
) -> None:
    """Play the deals `indices` int64[n] and count them as kernels do; out_rows int64[n or 0, batches.N_COLUMNS].

    Raises RunError where a player answers with no option, or fails: it shows the position.
    """
    kernel, seats = kernel_rules(rules), kernel_players(seating, rules)
    seeded = doors.Seeded(empty_start(rules), pool_of(rules.pack.cards), seed)
    scratch = new_scratch(len(seeded.pool))
    choose, codes = door_of(rules).choose, payoffs_of(rules).codes
    for place, index in enumerate(indices.tolist()):
        doors.deal_table(kernel, seeded, index, scratch.unseen, scratch.table)
        table = Table(rules, scratch.table.copy())
        dealt = table.state.copy()
        said: Rows = []
        while not table.is_done:
            seat = table.seat
            player = seating[seat - 1]
            if isinstance(player, Bot):
                step = answer_of(player, position_for(rules, dealt, said, seat, seating))
            else:
                step = Step(*map(int, choose(kernel, seats, table.state, scratch.options)))
            said.append([seat - 1, step.verb, step.what])
            table.apply(step)
        row = out_rows[place] if len(out_rows) else np.zeros(batches.N_COLUMNS, np.int64)
        batches.count_table(kernel, table.state, codes, out_counts, row)


def position_for(
    rules: Rules, dealt: NDArray[np.int64], said: Rows, seat: int, seating: Sequence[Strategy]
) -> Position:
    """What a seat, from 1, knows of a deal; `said` rows of (seat from 0, verb, what)."""
    start: list[int] = dealt.tolist()
    events = events_of(rules, said)
    partner = (seat + 1) % 4 + 1 if rules.n_seats == 4 else 0
    for event in events:
        if event[1] in HIDDEN and event[0] != seat and not (event[0] == partner and event[1] in ("give", "return")):
            event[2] = None
    took = [seat - 1, values.TAKE_DUMMY, 0] in said
    upcard = start[values.UP]
    return Position(
        rules=rules,
        seat=seat,
        hand=start[values.HAND + seat - 1],
        events=events,
        upcard=upcard,
        joker_suit=start[values.UP_SUIT] if upcard == values.JOKER else None,
        dummy=start[values.AT_DUMMY] if took else 0,
        players=tuple(strategy.name for strategy in seating),
    )


def answer_of(player: Bot, position: Position) -> Step:
    """The step that a player chooses; raises RunError where it is none, or the player fails."""
    every = [step for option in options(position, every=True) for step in (option.step, *option.same)]
    every += [Step(step.verb, step.what & LEVEL) for step in every if step.verb == values.SAY_BID]
    legal = {option_text(position.rules, (step,)): step for step in every}
    who = type(player.player)

    def error_of(failed: str) -> RunError:
        return RunError(f"{player.name} failed in {who.__name__}.choose: {failed}; asked for {_shown(position)}")

    with in_their_code(who.__module__, error_of):
        answer: Any = player.player.choose(position)
    step = legal.get(answer) if isinstance(answer, str) else None
    if step is None:
        listed = ", ".join(legal if len(legal) <= 12 else [*list(legal)[:12], "..."])
        raise RunError(f"{player.name} answered {answer!r}: expected one of {listed}; asked for {_shown(position)}")
    return Step(step.verb, step.what & LEVEL) if step.verb == values.SAY_BID else step


def _shown(position: Position) -> str:
    return f"position {json.dumps(position_json(position))}"
