"""Turns a question into sums over the worlds in which every option of it was tried.

Worlds are numbered, dealt in chunks and added up in order, so neither threads nor chunks change a digit. Calls that
are hardly made would leave too few worlds if only worlds that agree were tried: then worlds of less weight are tried
too, and count what they weigh.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from analyzer.border import door_of, kernel_players, kernel_rules, new_scratch, new_search
from analyzer.engine import Chunk, chunks, in_order
from analyzer.errors import QuestionError
from analyzer.estimates import Sums
from analyzer.rules import Rules
from analyzer.strategy import Strategy
from kernels import doors, values, worlds

CHUNK = 1 << 12
"""Worlds dealt at once: 3 ms and more."""
CHUNK_TRYING = 1 << 5
"""The same where each card is tried: 50 ms and more."""
MOST_TRIED = 1_000_000
PILOT = 2000
"""Worlds dealt to see how many are to be tried."""
TRIAL_COST = 6
"""What trying the options in a world costs, in worlds dealt."""
MOST_LEVELS = 6
"""So many calls may be unlikely at once."""
FEWEST_EFFECTIVE = 200
FEWEST_DRAWS = 100_000
DRAWS_PER_WORLD = 50
"""At most so many worlds are dealt for each one wanted, but FEWEST_DRAWS anyway."""
DRAWS_PER_WORLD_IN_PLAY = 5000
"""Cards played bind hard: of worlds dealt blindly few may fit."""


@dataclass(slots=True)
class Trials:
    """Sums over the worlds tried so far."""

    tally: doors.Tally
    found: int = 0
    drawn: int = 0
    is_interrupted: bool = False
    is_counted: bool = False
    """Whether worlds are counted one and all: squares are then those of chunks, and none of payoffs."""
    is_exact: bool = False
    """Whether these are all the worlds there are."""

    @classmethod
    def none(cls, question: worlds.Question) -> "Trials":
        """Before the first world."""
        n_options, n_events = question.options.shape[1], question.events.shape[1]
        n_scales, n_payoffs = question.worths.shape
        return cls(
            doors.Tally(
                outcomes=np.zeros((n_options, doors.N_OUTCOMES), np.int64),
                payoffs=np.zeros((n_options, n_payoffs, 2), np.int64),
                worths=np.zeros((n_scales, n_options), np.int64),
                leverage=np.zeros((n_scales, n_options), np.int64),
                products=np.zeros((n_scales, n_options, n_options), np.int64),
                weights=np.zeros(2, np.int64),
                calls=np.zeros((n_events, 2), np.int64),
            )
        )

    def with_(self, other: "Trials") -> "Trials":
        """These and further worlds; sums over many chunks are Python's whole numbers, which never overflow."""
        both = zip(self.tally, other.tally, strict=True)
        tally = doors.Tally(*(sums.astype(object) + further for sums, further in both))
        return Trials(tally, self.found + other.found, self.drawn + other.drawn, is_counted=self.is_counted)

    @property
    def effective(self) -> float:
        """How many worlds of equal weight would tell as much."""
        return self.sums().effective

    def sums(self, scale: int = 0) -> Sums:
        """What the estimates on a scale of the question are made of."""
        weight, squares = (int(n) for n in self.tally.weights)
        products: list[list[int]] = self.tally.products[scale].tolist()
        n_all = self.found if self.is_exact else 0
        return Sums(
            self.tally.worths[scale].tolist(), self.tally.leverage[scale].tolist(), products, weight, squares, n_all
        )

    def payoffs(self, k: int) -> list[tuple[int, int]]:
        """The sums of weights and of their squares over the worlds in which option `k` came to each payoff."""
        return [(int(weight), 0 if self.is_counted else int(square)) for weight, square in self.tally.payoffs[k]]

    def shares(self, k: int) -> list[float]:
        """The weighted share of each outcome (doors.OWN_MADE, ...) of option `k`."""
        return [int(count) / int(self.tally.weights[0]) for count in self.tally.outcomes[k]]

    def rarest_call(self) -> tuple[int, float] | None:
        """The event whose seat would do it in the smallest share of the worlds that came to it, and the share."""
        rates = [(int(made) / int(n), k) for k, (n, made) in enumerate(self.tally.calls) if n]
        rate, k = min(rates, default=(1.0, -1))
        return None if k < 0 else (k, rate)


@dataclass(frozen=True, slots=True)
class Play:
    """How the cards are played: by the rules of thumb, or each after a trial in `n_tried` worlds."""

    n_tried: int = 0

    def __str__(self) -> str:
        """As it is typed: `base`, `rollout:100`."""
        return f"rollout:{self.n_tried}" if self.n_tried else "base"


def parse_play(text: str) -> Play:
    """The play that is meant; raises QuestionError for any other."""
    if text == "base":
        return Play()
    word, _, number = text.partition(":")
    if word == "rollout" and number.isascii() and number.isdigit() and 1 <= int(number) <= MOST_TRIED:
        return Play(int(number))
    raise QuestionError(
        f'there is no play "{text}": expected base, or rollout:K with K from 1 to {MOST_TRIED:,}, as in rollout:100'
    )


BASE = Play()


@dataclass(frozen=True, slots=True)
class Budget:
    """How many worlds to try: a fixed number, or at most so many, stopping once `is_decided`."""

    deals: int
    is_decided: Callable[[Trials], bool] | None = None


Watch = Callable[[Trials], None]
"""Called from the main thread, whenever a chunk is done, with all that was tried so far."""
Run = Callable[[Chunk, int], Trials]
"""Deals the worlds of a chunk and tries the options in those that are some, in no more than so many."""


def try_options(
    rules: Rules,
    players: Sequence[Strategy],
    question: worlds.Question,
    budget: Budget,
    *,
    play: Play = BASE,
    workers: int | None = None,
    watch: Watch | None = None,
) -> Trials:
    """Try every option of the question in the same worlds; Ctrl-C ends it early with what was tried."""
    kernel, seats = kernel_rules(rules), kernel_players(players, rules)
    question = with_reference(rules, players, question)
    door = door_of(rules)
    size = CHUNK_TRYING if play.n_tried else CHUNK

    def run(chunk: Chunk, limit: int) -> Trials:
        part = Trials.none(question)
        worlds_from = (kernel, seats, question, chunk.first, chunk.n, limit)
        scratch = new_scratch(question.pools.shape[1], question.options.shape[1], len(question.worths))
        if play.n_tried:
            found = door.ask_trying(*worlds_from, scratch, new_search(play.n_tried), part.tally)
        else:
            found = door.ask(*worlds_from, scratch, part.tally)
        part.found, part.drawn = found
        return part

    wanted = budget.deals
    draws = max(FEWEST_DRAWS, wanted * _draws_per_world(question)) if question.events.shape[1] else wanted
    return add_up(run, Trials.none(question), draws, size, budget, workers=workers, watch=watch)


def add_up(
    run: Run,
    total: Trials,
    draws: int,
    size: int,
    budget: Budget,
    *,
    workers: int | None = None,
    watch: Watch | None = None,
) -> Trials:
    """Add chunks of `size` of at most so many worlds dealt to `total`, a look after each, as long as the budget has it.

    Ctrl-C ends it early with what was tried.
    """

    def run_whole(chunk: Chunk) -> Trials:
        return run(chunk, chunk.n)

    wanted = budget.deals
    try:
        for chunk, part in zip(chunks(draws, size), in_order(run_whole, chunks(draws, size), workers), strict=True):
            # what comes after the last world wanted does not count, not even as drawn: the same for any chunk size
            while total.found + part.found >= wanted:
                upto = total.with_(run(chunk, wanted - total.found))
                if upto.effective >= FEWEST_EFFECTIVE or budget.deals < FEWEST_EFFECTIVE:
                    return upto
                wanted += budget.deals
            total = total.with_(part)
            if watch is not None:
                watch(total)
            if budget.is_decided is not None and budget.is_decided(total):
                break
    except KeyboardInterrupt:
        total.is_interrupted = True
    return total


def _draws_per_world(question: worlds.Question) -> int:
    has_play = bool((question.events[0, :, 0] == values.LAY).any())
    return DRAWS_PER_WORLD_IN_PLAY if has_play else DRAWS_PER_WORLD


def with_reference(rules: Rules, players: Sequence[Strategy], question: worlds.Question) -> worlds.Question:
    """The question with the weight from which on worlds are all tried: the one that tells most for the work.

    Found on the first worlds dealt, without any option, so it is the same for any number of threads. It is not so low
    that a world would weigh more than worlds.HEAVIEST: cut weights look alike, and the calls would tell nothing.
    """
    if not question.events.shape[1]:
        return question
    kernel, seats, door = kernel_rules(rules), kernel_players(players, rules), door_of(rules)
    best, best_yield = worlds.ONE, -1.0
    reference = heaviest = worlds.ONE
    for _ in range(MOST_LEVELS):
        if 16 * heaviest > worlds.HEAVIEST * (reference + 1):
            break
        pilot = question._replace(options=question.options[:, :0].copy(), reference=reference)
        part = Trials.none(pilot)
        scratch = new_scratch(question.pools.shape[1], 0, len(question.worths))
        found, _ = door.ask(kernel, seats, pilot, 0, PILOT, PILOT, scratch, part.tally)
        told = part.effective / (PILOT + TRIAL_COST * found)
        if told > best_yield:
            best, best_yield = reference, told
        if not found:
            heaviest = reference  # no world reaches it
        reference = reference * question.floor >> worlds.WEIGHT_BITS
        if found == PILOT or not reference:
            break
    return question._replace(reference=best)
