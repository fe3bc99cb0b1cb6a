"""Turns one number of a strategy, or one house rule, over many values into the best value: all on the same deals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.batches import ALL_THREADS, How, Part, identity_of, play_deals, run_study
from analyzer.checkpoints import Sums
from analyzer.engine import Chunk, Stopwatch, product_version
from analyzer.errors import QuestionError, nearest
from analyzer.estimates import SURE, Difference, Kind, differences, fewest_for_a_verdict, kind_of
from analyzer.estimates import Sums as Paired
from analyzer.rules import Rules, Value, make_rules, parse_rule, value_text
from analyzer.seatings import UNIT, gains_of, seatings_of
from analyzer.strategy import BY_NAME, Finder, Strategy, checked_number
from kernels import batches

CHUNK = 1 << 14
RULE = "rule."
MOST_VALUES = 200
COUNTED = ("deals", "calls", "made", "euchred")
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One value; the names and their order are a promise to other programs. None: nobody called."""

    game: str
    vary: str
    value: float | str
    deals: int
    points: float
    points_se: float
    difference: float
    difference_low: float
    difference_high: float
    made: float | None
    euchred: float | None
    call_share: float


@dataclass(frozen=True, slots=True)
class SweepProvenance:
    """Where the numbers come from; `against` is None where a rule is varied and the strategy sits everywhere."""

    version: str
    seed: int
    deals: int
    strategy: str
    against: str | None
    margin: float
    sure: float
    interrupted: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Sweep:
    """What `sweep` found, the values in their order."""

    game: str
    rules: dict[str, Value]
    rows: list[SweepRow]
    best: list[float | str]
    """The best value, then those not shown to be worse."""
    verdict: str
    provenance: SweepProvenance


@dataclass(frozen=True, slots=True)
class Variant:
    """One value of what is varied: the rules and the strategy that has it, and whom that meets; None: itself."""

    value: float | str
    rules: Rules
    strategy: Strategy
    against: Strategy | None


@dataclass(frozen=True)
class SweepStudy:
    """Every variant on the same deals; one that meets nobody sits in every seat."""

    vary: str
    variants: tuple[Variant, ...]
    seed: int = 0

    @property
    def size(self) -> int:
        """Deals in a chunk."""
        return CHUNK

    def identity(self) -> dict[str, Any]:
        """What makes it this question and no other."""
        first = self.variants[0]
        others = [each.against for each in self.variants if each.against is not None]
        about = identity_of(
            "sweep", "deals", first.rules, self.seed, [*(each.strategy for each in self.variants), *others]
        )
        return about | {"vary": self.vary, "values": [each.value for each in self.variants]}

    def count(self, chunk: Chunk) -> Part:
        """Sums of what each variant gained, of the products of every two, and what its seats called."""
        played = [self._played(variant, chunk) for variant in self.variants]
        gains = np.array([each for each, _ in played])
        return Part(
            {"gains": gains.sum(axis=1), "products": gains @ gains.T, "called": np.array([each for _, each in played])}
        )

    def _played(self, variant: Variant, chunk: Chunk) -> tuple[Whole, list[int]]:
        """What it gained on each deal, int64[n] in halves of a point over all tables, and COUNTED of its seats."""
        rules = variant.rules
        if variant.against is None:
            found = play_deals(rules, [variant.strategy] * rules.n_seats, self.seed, chunk, with_rows=True)
            return _gains_of_seat_1(rules, found.rows), _called(found.counts, range(rules.n_seats), chunk.n)
        total = np.zeros(chunk.n, np.int64)
        called = np.zeros(len(COUNTED), np.int64)
        for seating in seatings_of(rules):
            seated = [(variant.strategy, variant.against)[who] for who in seating]
            found = play_deals(rules, seated, self.seed, chunk, with_rows=True)
            total += gains_of(rules, seating, found.rows)
            called += _called(found.counts, [seat for seat, who in enumerate(seating) if who == 0], chunk.n)
        return total, called.tolist()

    @property
    def unit(self) -> int:
        """What makes a point, in sums over all tables."""
        if self.variants[0].against is not None:
            return UNIT * len(seatings_of(self.variants[0].rules))
        return 2


def _gains_of_seat_1(rules: Rules, rows: Whole) -> Whole:
    """int64[n]: seat 1's own points minus the others' (three-handed: their mean), in halves of a point."""
    sides = len(rules.sides)
    weights = np.array([2, *[-2 // (sides - 1)] * (sides - 1)], np.int64)
    return np.asarray(rows[:, batches.PAID : batches.PAID + sides] @ weights)


def _called(counts: batches.Counts, seats: Sequence[int], n: int) -> list[int]:
    """COUNTED: deals, and contracts of these seats, made and failed."""
    rows = counts.calls[list(seats), batches.ALL]
    return [n, *(int(rows[:, place].sum()) for place in (batches.CALLS, batches.MADE, batches.EUCHRED))]


def sweep(
    rules: Rules,
    study: SweepStudy,
    deals: int | None = None,
    *,
    max_deals: int,
    margin: float,
    how: How = ALL_THREADS,
) -> Sweep:
    """Try every value on the same deals: `deals` of them, or until the best is found or `max_deals` are played.

    Ctrl-C ends it early with what was played; raises KeyboardInterrupt where that was nothing, and as `run_study`.
    """
    watch = Stopwatch()

    def is_enough(sums: Sums, n: int) -> bool:
        apart, best = _apart(study, sums, n, is_any_time=True)
        return _kind(apart, best, margin, n, is_any_time=True) != "undecided"

    ran = run_study(study, deals or max_deals, how, is_enough=None if deals else is_enough)
    if not ran.deals:
        raise KeyboardInterrupt
    apart, best = _apart(study, ran.sums, ran.deals, is_any_time=deals is None)
    paired = _paired(ran.sums, ran.deals)
    rows = []
    for place, variant in enumerate(study.variants):
        n, calls, made, euchred = (int(count) for count in ran.sums["called"][place])
        mean = paired.mean(place, study.unit)
        rows.append(
            SweepRow(
                game=rules.game.name,
                vary=study.vary,
                value=variant.value,
                deals=ran.deals,
                points=mean.mean,
                points_se=mean.se,
                difference=apart[place].mean,
                difference_low=apart[place].low,
                difference_high=apart[place].high,
                made=made / calls if calls else None,
                euchred=euchred / calls if calls else None,
                call_share=calls / n,
            )
        )
    kind = _kind(apart, best, margin, ran.deals, is_any_time=deals is None)
    first = study.variants[0]
    open_values = [row.value for place, row in enumerate(rows) if place != best and row.difference_high >= 0]
    return Sweep(
        game=rules.game.name,
        rules=rules.changed(),
        rows=rows,
        best=[rows[best].value, *open_values],
        verdict=_verdict(study.vary, rows[best], open_values, kind, margin),
        provenance=SweepProvenance(
            version=product_version(),
            seed=study.seed,
            deals=ran.deals,
            strategy=first.strategy.name,
            against=first.against.name if first.against else None,
            margin=margin,
            sure=SURE,
            interrupted=ran.is_interrupted,
            seconds=round(watch.seconds, 3),
        ),
    )


def _paired(sums: Sums, n: int) -> Paired:
    """The sums as estimates take them; every deal has weight 1."""
    gains, products = sums["gains"].tolist(), sums["products"].tolist()
    return Paired(worths=gains, leverage=gains, products=products, weight=n, squares=n)


def _apart(study: SweepStudy, sums: Sums, n: int, *, is_any_time: bool) -> tuple[list[Difference], int]:
    """Every value's difference to the best one, and the place of that."""
    gains = sums["gains"].tolist()
    best = gains.index(max(gains))
    return differences(_paired(sums, n), best, unit=study.unit, is_any_time=is_any_time), best


def _kind(apart: Sequence[Difference], best: int, margin: float, n: int, *, is_any_time: bool) -> Kind:
    kind, _ = kind_of(apart, best, margin)
    return kind if n >= fewest_for_a_verdict(is_any_time=is_any_time) or kind == "only" else "undecided"


def _verdict(vary: str, best: SweepRow, others: Sequence[float | str], kind: Kind, margin: float) -> str:
    """The best value in a sentence, with those not shown to be worse."""
    points = f"{best.points:+.3f}"
    said = f"Best is {vary}={_text(best.value)}: {points if float(points) else '0.000'} points a deal"
    if kind in ("only", "better"):
        return f"{said}; every other value is worse ({SURE:.0%} sure)." if kind == "better" else f"{said}."
    values = ", ".join(map(_text, others))
    if kind == "equal":
        return f"{said}; within {margin:g} of it {'are' if others[1:] else 'is'} {values} ({SURE:.0%} sure)."
    return f"{said}; not shown to be worse: {values}."


def _text(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


# --- what is varied ---


def variants_of(
    text: str, rules: Rules, strategy: str, find: Finder, against: str | None = None
) -> tuple[str, tuple[Variant, ...]]:
    """What `NAME=VALUES` varies, and every variant in order; `find` finds a strategy by its name.

    VALUES are `low:high:step`, both ends included, or words with commas between them; NAME is a number of a strategy,
    or `rule.` and a house rule. With a number varied the strategy meets `against`, or itself as it was; with a house
    rule it sits everywhere, unless it meets another. Raises QuestionError for anything else.
    """
    name, equals, words = (part.strip() for part in text.partition("="))
    if not (name and equals and words):
        raise QuestionError(
            f'cannot read --vary "{text}": expected NAME=LOW:HIGH:STEP or NAME=VALUE,VALUE, as in'
            " call.order.seat1=5:9:0.5 or rule.stick_the_dealer=true,false"
        )
    if name.startswith(RULE):
        name = RULE + name.removeprefix(RULE).casefold().replace("-", "_")
        return name, _rule_variants(name.removeprefix(RULE), words, rules, strategy, find, against)
    if name not in BY_NAME:
        hint = nearest(name, BY_NAME) or "see: euchre strategies numbers"
        raise QuestionError(f"--vary: a strategy has no number {name}; {hint}")
    base = find(strategy, rules)
    if base.is_random:
        raise QuestionError(f"--vary: {strategy} plays by coin and has no numbers; name another --strategy")
    other = find(against or strategy, rules)
    found = []
    for value in _numbers_of(words, text):
        number = checked_number(name, value, "--vary")
        varied = replace(base, numbers=MappingProxyType({**base.numbers, name: number}))
        found.append(Variant(number, rules, varied, other))
    return name, _distinct(found, text)


def _rule_variants(
    field: str, words: str, rules: Rules, strategy: str, find: Finder, against: str | None
) -> tuple[Variant, ...]:
    text = f"{RULE}{field}={words}"
    each = [f"{number:g}" for number in _numbers_of(words, text)] if ":" in words else words.split(",")
    found = []
    for word in each:
        field_name, value = parse_rule(f"{field}={word.strip()}", rules.game)
        changed = make_rules(rules.game, {**rules.changed(), field_name: value})
        other = find(against, changed) if against is not None else None
        found.append(Variant(value_text(value), changed, find(strategy, changed), other))
    return _distinct(found, text)


def _numbers_of(words: str, text: str) -> list[float]:
    """The numbers of `5:9:0.5` or `5,6,7`."""
    try:
        if ":" not in words:
            return [_finite(word) for word in words.split(",")]
        low, high, step = (_finite(word) for word in words.split(":"))
    except ValueError as error:
        raise QuestionError(
            f'cannot read the values of --vary "{text}": expected LOW:HIGH:STEP, as in 5:9:0.5, or numbers with commas'
        ) from error
    if step <= 0 or high < low:
        raise QuestionError(f'--vary "{text}" goes nowhere: expected LOW:HIGH:STEP with LOW to HIGH and STEP above 0')
    n = min((high - low) / step + 1e-9, 1e15)  # 1e308 less -1e308 is more than there are numbers
    if n >= MOST_VALUES:
        raise QuestionError(f'--vary "{text}" has {int(n) + 1:,} values: at most {MOST_VALUES} are tried')
    return [round(low + k * step, 6) for k in range(int(n) + 1)]


def _finite(word: str) -> float:
    number = float(word)
    if not (isfinite(number) and word.isascii()) or "_" in word:
        raise ValueError(word)
    return number


def _distinct(found: list[Variant], text: str) -> tuple[Variant, ...]:
    values = [variant.value for variant in found]
    if len(set(values)) < len(values):
        raise QuestionError(f'--vary "{text}" has a value twice')
    if len(found) > MOST_VALUES:
        raise QuestionError(f'--vary "{text}" has {len(found):,} values: at most {MOST_VALUES} are tried')
    return tuple(found)
