"""Turns rules and players into the chance to win the game from every score, counted over many deals.

What was counted is kept in the user's cache by rules, strategy numbers, deals, seed and version, so that the same
table is made once.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analyzer.batches import How, run_study
from analyzer.border import number_vector, payoffs_of
from analyzer.engine import Progress, Stopwatch, product_version
from analyzer.kept import keep, read_kept
from analyzer.rules import Rules, Value, demand_lawful_play
from analyzer.simulate import SimulateStudy
from analyzer.strategy import Strategy
from analyzer.winning import WinTable, scores_of, solve, standings_of
from kernels.compile import digest

DEALS = 1_000_000
"""Deals counted for each seating: the chances are then right to about 0.001."""
KIND = "equity"
FORM = 1
"""Of what is kept; another number makes everything anew."""


@dataclass(frozen=True, slots=True)
class EquityRow:
    """One side's chance at one score; the names and their order are a promise to other programs."""

    game: str
    players: str
    """In the seat order of the deal to come, whose last seat deals."""
    scores: list[int]
    seats: list[int]
    dealer: bool
    win_game: float


@dataclass(frozen=True, slots=True)
class EquityProvenance:
    """Where the chances come from; `deals` for each seating."""

    version: str
    seed: int
    deals: int
    players: list[str]
    interrupted: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Equity:
    """The chance to win the game from the scores asked for."""

    game: str
    rules: dict[str, Value]
    rows: list[EquityRow]
    provenance: EquityProvenance


@dataclass(frozen=True, slots=True)
class Found:
    """A table and the deals counted for each seating, fewer than asked where it was interrupted."""

    table: WinTable
    deals: int
    is_interrupted: bool = False


def seatings(players: Sequence[Strategy]) -> list[tuple[Strategy, ...]]:
    """The players in seat order, deal after deal as the deal moves to the left, until the same strategies sit alike."""
    seated = tuple(players)
    numbers = [number_vector(strategy).tobytes() for strategy in seated]
    n = len(seated)
    period = next(k for k in range(1, n + 1) if n % k == 0 and numbers[k:] + numbers[:k] == numbers)
    return [seated[k:] + seated[:k] for k in range(period)]


def equity(
    rules: Rules,
    players: Sequence[Strategy],
    *,
    deals: int = DEALS,
    score: Sequence[int] | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Equity:
    """The chances from every score, or from one that `checked_scores` lets pass.

    Raises QuestionError where games hardly ever end or illegal plays are possible, KeyboardInterrupt where Ctrl-C came
    before there was a table.
    """
    watch = Stopwatch()
    found = win_table(rules, players, deals=deals, seed=seed, workers=workers, progress=progress)
    asked = scores_of(rules) if score is None else [tuple(score)]
    rows = [
        EquityRow(
            game=rules.game.name,
            players=",".join(strategy.name for strategy in seated),
            scores=list(scores),
            seats=list(side),
            dealer=rules.n_seats in side,
            win_game=chance,
        )
        for seating, seated in enumerate(seatings(players))
        for scores in asked
        for side, chance in zip(rules.sides, found.table.before(scores, seating), strict=True)
    ]
    names = [strategy.name for strategy in players]
    seconds = round(watch.seconds, 3)
    provenance = EquityProvenance(product_version(), seed, found.deals, names, found.is_interrupted, seconds)
    return Equity(rules.game.name, rules.changed(), rows, provenance)


def is_kept(rules: Rules, players: Sequence[Strategy], *, deals: int = DEALS, seed: int = 0) -> bool:
    """Whether the table need not be counted; raises QuestionError where illegal plays are possible."""
    demand_lawful_play(rules, "equity tells the chance to win")
    return _read(rules, _name(rules, players, deals, seed), deals, len(seatings(players))) is not None


def win_table(
    rules: Rules,
    players: Sequence[Strategy],
    *,
    deals: int = DEALS,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Found:
    """Return the table as it was kept, or count it and keep it; raises as `equity` does."""
    demand_lawful_play(rules, "equity tells the chance to win")
    seated = seatings(players)
    name = _name(rules, players, deals, seed)
    kept = _read(rules, name, deals, len(seated))
    if kept is not None:
        return Found(kept, deals)
    counts: list[NDArray[np.int64]] = []
    is_interrupted = False
    for each in seated:
        before = sum(int(count.sum()) for count in counts)
        ran = run_study(SimulateStudy(rules, each, seed), deals, How(workers, _further(progress, before)))
        if ran.deals:
            counts.append(ran.sums["payoffs"])
        if ran.is_interrupted:
            is_interrupted = True
            break
    if is_interrupted and len(counts) < len(seated):
        raise KeyboardInterrupt
    frequencies = np.array([count / count.sum() for count in counts])
    found = Found(solve(rules, frequencies), min(int(count.sum()) for count in counts), is_interrupted)
    if not is_interrupted:
        written = io.BytesIO()
        np.savez(written, counts=np.array(counts), chances=found.table.chances)
        keep(KIND, name, written.getvalue())
    return found


def _further(progress: Progress | None, before: int) -> Progress | None:
    """Progress after so many deals."""
    return None if progress is None else lambda done: progress(before + done)


def _name(rules: Rules, players: Sequence[Strategy], deals: int, seed: int) -> str:
    """A name for all that the table hangs on, the text of the kernels included."""
    numbers = [number_vector(strategy).tolist() for strategy in players]
    about = [FORM, product_version(), digest(), rules.game.name, rules.changed(), numbers, deals, seed]
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:32] + ".npz"


def _read(rules: Rules, name: str, deals: int, n_seatings: int) -> WinTable | None:
    """The table kept under this name; None where there is none, or none that can be one."""
    data = read_kept(KIND, name)
    if data is None:
        return None
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as read:
            counts, chances = read["counts"], read["chances"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError):
        return None
    standings = standings_of(rules)
    n_standings = standings.n_open + (1 << standings.n_sides)
    is_whole = (
        counts.shape == (n_seatings, len(payoffs_of(rules).each))
        and chances.shape == (n_seatings, standings.n_sides, n_standings)
        and chances.dtype == np.float64
        and (counts.sum(axis=1) == deals).all()
        and (chances >= 0).all()
        and (chances <= 1 + 1e-9).all()
    )
    return WinTable(rules, chances) if is_whole else None
