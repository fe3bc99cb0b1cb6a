"""Turns an answer into what stands behind its numbers: where the unseen cards are, and worlds played out card by card.

Both look at the worlds the answer was got from: they are dealt again by their numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analyzer.ask import Answer
from analyzer.border import Vector, door_of, kernel_players, kernel_rules, new_scratch
from analyzer.cards import JOKER, cards_text
from analyzer.choices import option_text, options, trump_of
from analyzer.engine import Chunk, chunks, in_order
from analyzer.events import Step
from analyzer.exact import count_options
from analyzer.position import Position
from analyzer.record import HandRecord, Replay, make_record, replay
from analyzer.rules import Rules
from analyzer.situations import at_score
from analyzer.strategy import Strategy
from analyzer.table import Table
from analyzer.trials import CHUNK, with_reference
from analyzer.views import back_from, moved_start, moved_step, question_of
from kernels import looks, values, worlds

MOST_DRAWN = 1_000_000
"""Deals drawn at most to find worlds to show, where all were counted and none was drawn."""
_SIXTEENTHS = 16
"""Weights are counted in them, see worlds.units_of."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """Where one unseen card is, as the worlds have it."""

    card: str
    about: str
    """`right bower`, `trump` and the like; empty where there is nothing to say."""
    shares: dict[str, float]
    """Of the weight of all worlds, by place: partner, left, right or opponent; dummy, buried, stock. Their sum is 1."""


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """One option in one world, played to its end."""

    option: str
    points: float
    """Those of the asker's side minus the other's, as in the answer."""
    record: HandRecord
    replay: Replay


@dataclass(frozen=True, slots=True)
class World:
    """One of the worlds of an answer, with all cards open."""

    deal: int
    weight: float
    """1 unless calls make it count more."""
    options: list[PlayedOut]


# --- where the unseen cards are ---


def where(
    position: Position, players: Sequence[Strategy], answer: Answer, *, workers: int | None = None
) -> list[Unseen]:
    """Return where each unseen card is in the worlds of the answer: trumps first, then aces, each high to low."""
    rules = position.rules
    players = at_score(tuple(players), position.rules, position.scores)
    question = with_reference(rules, players, question_of(position, [], answer.provenance.seed))
    if answer.provenance.exact:
        counted = count_options(position, players, [], workers=workers, lies=True)
        if counted.trials.is_interrupted:
            raise KeyboardInterrupt
        return _unseen(position, question.pools[0].tolist(), counted.lies.tolist())
    kernel, seats, door = kernel_rules(rules), kernel_players(players, rules), door_of(rules)

    def look(chunk: Chunk) -> looks.Look:
        seen = _new_look(question, 0)
        scratch = new_scratch(question.pools.shape[1], 0)
        door.look(kernel, seats, question, chunk.first, chunk.n, chunk.n, scratch, seen)
        return seen

    lies = np.zeros((question.pools.shape[1], looks.N_LIES), object)  # whole numbers of Python never overflow
    for part in in_order(look, chunks(answer.provenance.drawn, CHUNK), workers):
        lies += part.lies
    return _unseen(position, question.pools[0].tolist(), lies.tolist())


def _unseen(position: Position, cards: Sequence[int], lies: Sequence[Sequence[int]]) -> list[Unseen]:
    """The rows of `where` from the weights: `lies` has looks.N_LIES of them for each card. Twins are one row."""
    rules = position.rules
    names = _places(rules, position.seat)
    trump = trump_of(position)
    sums: dict[str, list[int]] = {}
    order: dict[str, int] = {}
    for card, weights in zip(cards, lies, strict=True):
        text = cards_text(card, rules.pack)
        sums[text] = [one + more for one, more in zip(sums.get(text, [0] * looks.N_LIES), weights, strict=True)]
        order[text] = _rank(rules, card, trump)
    found = []
    for text in sorted(order, key=lambda text: -order[text]):
        whole = sum(sums[text])
        shares = {name: sums[text][lie] / whole for lie, name in names.items()}
        found.append(Unseen(text, _about(order[text]), shares))
    return found


def _places(rules: Rules, seat: int) -> dict[int, str]:
    """What the asker calls each place where an unseen card may lie, by its number in looks."""
    n = rules.n_seats
    around = {2: ["opponent"], 3: ["left", "right"], 4: ["left", "partner", "right"]}[n]
    seats = {(seat - 1 + k) % n: name for k, name in enumerate(around, 1)}
    others = [lie for lie in seats if seats[lie] == "partner"] + [lie for lie in seats if seats[lie] != "partner"]
    rest = {looks.WITH_DUMMY: "dummy", looks.IS_BURIED: "buried", looks.IN_STOCK: "stock"}
    return {lie: seats[lie] for lie in others} | rest


_TRUMP, _ACE = 1 << 12, 1 << 8
_BOWERS = {14: "left bower", 15: "right bower", 16: "joker"}


def _rank(rules: Rules, card: int, trump: int | None) -> int:
    """How high a card stands in the list: trumps by their rank, then aces, then the rest by rank."""
    rank = "789TJQKA".find(cards_text(card, rules.pack)[0])
    suit = (card.bit_length() - 1) >> 4
    if card == JOKER:
        return _TRUMP + 16
    if trump is not None:
        if rank == "789TJQKA".index("J") and suit in (trump, trump ^ 3):
            return _TRUMP + (15 if suit == trump else 14)
        if suit == trump:
            return _TRUMP + rank
    return (_ACE if rank == "789TJQKA".index("A") else 0) + 8 * rank + suit


def _about(order: int) -> str:
    """What a card is called besides its name."""
    return _BOWERS.get(order - _TRUMP, "trump") if order >= _TRUMP else ""


# --- worlds played out ---


def some_worlds(position: Position, players: Sequence[Strategy], answer: Answer, n: int) -> list[World]:
    """Return the first `n` worlds of the answer, or as many as it has, each played out under its best two options.

    Where all were counted these are the first that would have been drawn.
    """
    rules = position.rules
    steps = {option_text(rules, (option.step,)): option.step for option in options(position, every=True)}
    tried = {option.option: steps[option.option] for option in answer.options[:2]}
    players = at_score(tuple(players), position.rules, position.scores)
    question = with_reference(rules, players, question_of(position, [], answer.provenance.seed))
    seen = _new_look(question, min(n, answer.provenance.deals))
    n_found, _ = door_of(rules).look(
        kernel_rules(rules),
        kernel_players(players, rules),
        question,
        0,
        max(answer.provenance.drawn, MOST_DRAWN) if answer.provenance.exact else answer.provenance.drawn,
        len(seen.worlds),
        new_scratch(question.pools.shape[1], 0),
        seen,
    )
    found = []
    playing = _Playing(rules, players)
    for k in range(n_found):
        deal, view, units = seen.worlds[k].tolist()
        events = [Step(*row) for row in zip(question.events[view, :, 0].tolist(), seen.whats[k].tolist(), strict=True)]
        play = _Play(playing, view, seen.dealt[k], events)
        played = [_played_out(position, play, deal, name, step) for name, step in tried.items()]
        found.append(World(deal, units / _SIXTEENTHS, played))
    return found


class _Playing:
    """The players of all worlds, as kernels take them."""

    def __init__(self, rules: Rules, players: Sequence[Strategy]) -> None:
        self.rules = rules
        self._kernel, self._seats = kernel_rules(rules), kernel_players(players, rules)
        self._choose = door_of(rules).choose
        self._scratch = np.zeros((values.MAX_OPTIONS, 2), np.int64)

    def chosen(self, table: Table) -> Step:
        """What the seat in turn does."""
        return Step(*map(int, self._choose(self._kernel, self._seats, table.state, self._scratch)))


class _Play:
    """A world in the names of its view, to be played to its end one event at a time."""

    def __init__(self, playing: _Playing, view: int, dealt: Vector, events: Sequence[Step]) -> None:
        self.rules, self.view, self.dealt, self.events = playing.rules, view, dealt, events
        self._playing = playing

    def rows(self, step: Step) -> list[tuple[int, int, int]]:
        """Every event of the deal if the asker takes this step, as (seat from 0, verb, what), in the asker's names."""
        table = Table(self.rules, self.dealt.copy())
        back = back_from(self.view)
        rows = []

        def go(step: Step) -> None:
            plain = Step(step.verb, step.what & (1 << values.TOLD_SHIFT) - 1) if step.verb == values.SAY_BID else step
            rows.append((table.seat - 1, *moved_step(self.rules, back, plain)))
            table.apply(step)

        for event in [*self.events, moved_step(self.rules, self.view, step)]:
            go(event)
        while not table.is_done:
            go(self._playing.chosen(table))
        return rows


def _played_out(position: Position, play: _Play, deal: int, name: str, step: Step) -> PlayedOut:
    """One option in one world."""
    rules = position.rules
    dealt = moved_start(rules, back_from(play.view), play.dealt)
    record = make_record(rules, dealt, play.rows(step), deal=deal)
    points = record.result["points"]
    own = points[(position.seat - 1) % len(points)]
    others = (sum(points) - own) / (len(points) - 1)
    return PlayedOut(name, own - others, record, replay(record))


def _new_look(question: worlds.Question, n: int) -> looks.Look:
    """Room for what is seen, with `n` worlds written down."""
    n_events = question.events.shape[1]
    return looks.Look(
        lies=np.zeros((question.pools.shape[1], looks.N_LIES), np.int64),
        worlds=np.zeros((n, 3), np.int64),
        dealt=np.zeros((n, values.TABLE_SIZE), np.int64),
        reached=np.zeros((n, values.TABLE_SIZE), np.int64),
        whats=np.zeros((n, n_events), np.int64),
        calls=np.zeros((n_events, 2), np.int64),
    )
