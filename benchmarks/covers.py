"""Measures how often a verdict that deals were added for is wrong, on stored differences with known answers.

    python benchmarks/covers.py store         play the questions and write tests/data/worlds.npz
    OPENBLAS_NUM_THREADS=1 python benchmarks/covers.py table [runs]
                                              draw from what is stored and write the table of docs/methods.md

What every option was worth in each of many worlds is stored as a table: how many worlds had just these points. That
table is then taken for the truth. Each run draws worlds from it, in chunks as they are dealt, and hands them to the
very functions that add up, look, stop and judge for `euchre ask`. In some cases the best two options change places in
a share of the worlds, so that they are truly tied, or a chosen gap apart.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.asked import position_from_options
from analyzer.border import door_of, kernel_players, kernel_rules, new_scratch
from analyzer.choices import option_text, options
from analyzer.engine import Chunk
from analyzer.estimates import SURE
from analyzer.position import Position
from analyzer.position_file import position_json, read_position
from analyzer.rules import Rules, find_game, make_rules
from analyzer.standing import Scale, default_margin, standing, until_decided
from analyzer.strategy import find_strategy
from analyzer.trials import CHUNK, Trials, add_up, with_reference
from analyzer.views import question_of
from kernels.doors import Tally

HERE = Path(__file__).resolve().parents[1]
STORE = HERE / "tests" / "data" / "worlds.npz"
PAGE = HERE / "docs" / "methods.md"
TABLE = re.compile(r"(?<=<!-- made by benchmarks/covers.py -->\n).*?(?=\n\n|\Z)", re.DOTALL)
RUNS = 500
BETTER_OF_TIED, TOO_FAR, NOT_BEST = "better of two that are tied", "equal, but too far apart", "better, but not best"


# --- what is stored ---


def typed(game: str, hand: str, deck: int = 24, **said: Any) -> Position:
    """A question as it is typed."""
    return position_from_options(make_rules(find_game(game), {"deck": deck} if deck != 24 else {}), hand, **said)


def questions() -> dict[str, tuple[Position, int]]:
    """The questions by name, and how many worlds are dealt for each; close ones for the most part."""
    all_pass = "pass pass pass pass"
    to_lead = {
        "format": 1, "game": "four-handed", "rules": {}, "seat": 1, "hands": ["JD AD 9C KC QS", None, None, None],
        "upcard": "TD", "events": [[1, "pass"], [2, "pass"], [3, "pass"], [4, "order"], [4, "pickup", None]],
    }  # fmt: skip
    return {
        "two-handed, seat 1": (typed("two", "JS AS 9H TH QD", up="9S", seat=1), 100_000),
        "two-handed, dealer": (typed("two", "KC AD QC TC KS", up="JH", calls="pass"), 100_000),
        "three-handed, seat 1": (typed("three", "QC TC KH 9D KD", up="TD", seat=1), 100_000),
        "three-handed, round two": (typed("three", "TH TC TS QC KD", up="AH", calls="pass pass pass"), 200_000),
        "four-handed, two bowers": (typed("four", "JH JD AH KH 9S", up="QH", seat=1), 100_000),
        "four-handed, pass or alone": (typed("four", "AD AH JD QC JH", up="KD", seat=1), 100_000),
        "four-handed, dealer": (typed("four", "QH QD 9S AS JC", up="QS", calls="pass pass pass"), 100_000),
        "four-handed, round two": (typed("four", "AD JH 9S KD 9C", up="TC", calls=all_pass), 200_000),
        "four-handed, with partner or alone": (typed("four", "JS QS JC 9D JD", up="TD", calls=all_pass), 200_000),
        "four-handed, a card to lead": (read_position(to_lead), 200_000),
        "four-handed, a discard": (typed("four", "9S JD QC KD AH", up="JS", calls="order alone"), 200_000),
        "bid, first to call": (typed("bid", "QC AC 9D AS TH 9H"), 5_000),
        "bid, over a three": (typed("bid", "KS KC JC TS TC JS", calls="pass 3 pass"), 300_000),
        "bid, 48 cards": (typed("bid", "AC TC 9C 9H JH KD TH TC KS TD QS TS", deck=48), 3_000),
    }


def played(position: Position, n: int) -> tuple[NDArray[np.int32], int]:
    """int32[found, 1 + options] of worlds 0 to n - 1: weight in sixteenths, doubled points of each option; and n."""
    rules = position.rules
    players = [find_strategy("standard", rules)] * rules.n_seats
    steps = [option.step for option in options(position)]
    question = with_reference(rules, players, question_of(position, steps, seed=11))
    kernel, seats, door = kernel_rules(rules), kernel_players(players, rules), door_of(rules)
    scratch = new_scratch(question.pools.shape[1], len(steps), 1)
    tally = Trials.none(question).tally
    rows = []
    for index in range(n):
        for sums in tally:
            sums[:] = 0
        found, _ = door.ask(kernel, seats, question, index, 1, 1, scratch, tally)
        if found:
            weight = int(tally.weights[0])
            rows.append([weight, *(tally.worths[0] // weight).tolist()])
    return np.array(rows, np.int32), n


def store() -> None:
    """Play every question and write how often worlds of each kind came."""
    arrays: dict[str, NDArray[Any]] = {}
    about = {}
    for name, (position, n) in questions().items():
        worlds, drawn = played(position, n)
        rows, counts = np.unique(worlds, axis=0, return_counts=True)
        arrays[f"{name}/weights"], arrays[f"{name}/counts"] = rows[:, 0].copy(), counts.astype(np.int32)
        arrays[f"{name}/points"] = rows[:, 1:].astype(np.int8)
        names = [option_text(position.rules, (option.step,)) for option in options(position)]
        about[name] = {"position": position_json(position), "options": names, "drawn": drawn}
        print(f"{name}: {len(worlds):,} worlds of {drawn:,} deals, {len(rows):,} kinds", flush=True)
    np.savez_compressed(STORE, about=np.array(json.dumps(about)), **arrays)  # type: ignore[arg-type]
    print(f"{STORE.stat().st_size:,} bytes")


# --- what is known ---


@dataclass(frozen=True)
class Known:
    """A question whose answer is known: its worlds are drawn from these and no others."""

    name: str
    rules: Rules
    share: float
    """Of the deals, those that agree with the calls."""
    chances: NDArray[np.float64]  # (n,) of each kind of world
    weights: NDArray[np.int64]  # (n,) what it weighs
    points: NDArray[np.int64]  # (n, n_options) doubled

    @property
    def means(self) -> NDArray[np.float64]:
        """What each option is worth, in points."""
        weighed = self.chances * self.weights
        return np.asarray(weighed @ self.points / weighed.sum() / 2)

    @property
    def gap(self) -> float:
        """By how much the best option is ahead; 0 where two are tied."""
        second, first = np.sort(self.means)[-2:]
        return 0.0 if first - second < 1e-12 else float(first - second)

    def apart(self, gap: float) -> "Known":
        """The same with the best two options so far apart: they change places in a share of the worlds."""
        first, second = np.argsort(-self.means)[:2]
        share = (1 - gap / self.gap) / 2
        swapped = self.points.copy()
        swapped[:, [first, second]] = self.points[:, [second, first]]
        return replace(
            self,
            chances=np.concatenate([self.chances * (1 - share), self.chances * share]),
            weights=np.concatenate([self.weights, self.weights]),
            points=np.concatenate([self.points, swapped]),
        )


@cache
def cases() -> dict[str, Known]:
    """The questions as they were played, and those whose best two options were brought closer together."""
    found = {}
    with np.load(STORE) as stored:
        for name, about in json.loads(str(stored["about"])).items():
            counts = stored[f"{name}/counts"]
            found[name] = Known(
                name=name,
                rules=read_position(about["position"]).rules,
                share=int(counts.sum()) / about["drawn"],
                chances=counts / counts.sum(),
                weights=stored[f"{name}/weights"].astype(np.int64),
                points=stored[f"{name}/points"].astype(np.int64),
            )
    for plain in list(found.values()):
        margin = default_margin(plain.rules)
        for words, gap in (("tied", 0.0), ("half the margin apart", margin / 2), ("over the margin", 1.05 * margin)):
            if plain.gap > gap and not (words != "tied" and plain.gap < 2 * margin):
                name = f"{plain.name}, {words}"
                found[name] = replace(plain.apart(gap), name=name)
    return found


# --- one run ---


@dataclass(frozen=True)
class Run:
    """What one run came to."""

    kind: str
    wrong: str
    """Why the verdict is wrong; empty where it is right, as `undecided` always is."""
    is_held: bool
    """Whether the intervals at the end hold the differences, all of them."""
    n: int
    """Worlds it took."""


def drawn(known: Known, seed: int, chunk: Chunk, limit: int) -> Trials:
    """Worlds drawn at random from the known ones, as if `chunk` had been dealt and no more than `limit` found."""
    rng = np.random.default_rng([seed, chunk.first, limit])
    found = min(int(rng.binomial(chunk.n, known.share)), limit)
    counts = rng.multinomial(found, known.chances)
    kinds = np.flatnonzero(counts)
    counts, w, points = counts[kinds], known.weights[kinds], known.points[kinds].astype(np.float64)
    weighed, squared = (counts * w).astype(np.float64), (counts * w * w).astype(np.float64)  # all sums are below 2^53
    n_options = points.shape[1]
    tally = Tally(
        outcomes=np.zeros((n_options, 0), np.int64),
        payoffs=np.zeros((n_options, 0, 2), np.int64),
        worths=(weighed @ points).astype(np.int64)[None],
        leverage=(squared @ points).astype(np.int64)[None],
        products=((points.T * squared) @ points).astype(np.int64)[None],
        weights=np.array([weighed.sum(), squared.sum()]).astype(np.int64),
        calls=np.zeros((0, 2), np.int64),
    )
    return Trials(tally, found, chunk.n)


def run(known: Known, seed: int) -> Run:
    """Draw worlds until the verdict falls, and hold it against the truth."""
    margin = default_margin(known.rules)
    scale = Scale("points", 0, [], np.zeros(0, np.int64), unit=2)
    budget = until_decided(known.rules, scale, margin)

    def tried(chunk: Chunk, limit: int) -> Trials:
        return drawn(known, seed, chunk, limit)

    none = drawn(known, seed, Chunk(0, 0), 0)
    trials = add_up(tried, none, 50 * budget.deals, CHUNK, budget, workers=1)
    found = standing(trials, scale, margin, is_any_time=True)
    behind = known.means - known.means[found.best]
    is_held = all(
        apart.low - 1e-12 <= gap <= apart.high + 1e-12 for apart, gap in zip(found.apart, behind, strict=True)
    )
    return Run(found.kind, why_wrong(known, found.kind, found.best, found.equal, margin), is_held, trials.found)


def why_wrong(known: Known, kind: str, best: int, equal: Sequence[int], margin: float) -> str:
    """What is wrong with a verdict, by the truth; that something is better than its equals is wrong too."""
    means = known.means
    if kind == "better":
        rivals = np.delete(means, best)
        if means[best] < rivals.max() - 1e-12:
            return NOT_BEST
        return BETTER_OF_TIED if means[best] <= rivals.max() + 1e-12 else ""
    if kind == "equal":
        rivals = np.delete(means, equal)
        if len(rivals) and rivals.max() >= means[best]:
            return NOT_BEST
        return TOO_FAR if abs(means[list(equal)] - means[best]).max() > margin + 1e-12 else ""
    return ""


def runs_of(name: str, n: int, first: int = 0) -> list[Run]:
    """So many runs of a case."""
    return [run(cases()[name], first + k) for k in range(n)]


def most_wrong(n: int) -> float:
    """The share of n runs that may be wrong: 5 %, and three standard errors of that."""
    return (1 - SURE) + 3 * sqrt(SURE * (1 - SURE) / n)


# --- the table ---


def table_rows(n: int) -> Iterator[str]:
    """The lines of the table, a case each and all together."""
    yield "| question | options | ahead by | better | equal | undecided | wrong | intervals hold | deals |"
    yield "|---|---|---|---|---|---|---|---|---|"
    total: list[Run] = []
    with ProcessPoolExecutor(2) as pool:
        for known, found in zip(cases().values(), pool.map(runs_of, cases(), [n] * len(cases())), strict=True):
            yield _row(known.name, str(known.points.shape[1]), f"{known.gap:.3f}", found)
            total += found
    yield _row("all", "", "", total)


def _row(name: str, n_options: str, gap: str, found: Sequence[Run]) -> str:
    kinds = Counter(one.kind for one in found)
    n = len(found)
    cells = [f"{kinds[kind] / n:.1%}" for kind in ("better", "equal", "undecided")]
    cells += [f"{sum(map(bool, (one.wrong for one in found))) / n:.1%}", f"{sum(one.is_held for one in found) / n:.1%}"]
    middle = sorted(one.n for one in found)[n // 2]
    return f"| {' | '.join([name, n_options, gap, *cells, f'{middle:,}'])} |"


def main() -> None:
    """Store or measure."""
    if sys.argv[1:2] == ["store"]:
        store()
        return
    n = int(sys.argv[2]) if len(sys.argv) > 2 else RUNS
    lines = []
    for line in table_rows(n):
        print(line, flush=True)
        lines.append(line)
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(TABLE.sub(lambda _: "\n".join(lines), page), encoding="utf-8")


if __name__ == "__main__":
    main()
