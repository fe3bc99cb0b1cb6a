"""Turns the options of a question, best first, into the sentence that says what to do and how sure that is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Literal

from analyzer.cards import SUIT_NAMES
from analyzer.estimates import SURE, Difference, Kind
from analyzer.events import Event

Aim = Literal["points", "win"]
_DEEDS = {
    "pass": "pass",
    "order": "order it up",
    "order alone": "order it up alone",
    "dummy": "take the dummy",
    "alone": "go alone",
    "together": "defend together",
    "leave": "leave the upcard",
}
OPEN_WARNING = "All cards in view: a diagnostic, not advice."


@dataclass(frozen=True, slots=True)
class OptionResult:
    """What came of one option; the names and their order are a promise to other programs."""

    option: str
    event: Event
    trump: str | None
    same: list[str]
    deals: int
    points: float
    points_se: float
    difference: float
    difference_se: float
    difference_low: float
    difference_high: float
    made: float
    made_low: float
    made_high: float
    march: float
    euchred: float
    other_made: float
    other_euchred: float
    thrown_in: float
    win_game: float | None
    win_game_se: float | None


@dataclass(frozen=True, slots=True)
class Told:
    """What people read of an answer beside its numbers; programs do not."""

    sentences: list[str]
    """The verdict, then what the aim that does not decide says."""
    named: list[str]
    """The options that they name: each has a row in the table."""
    names: dict[str, str]
    """How people read an option, where it is not as programs do: trumps first."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How the verdict on one question is put."""

    margin: float
    more: str = "--deals"
    """The option that would tell more."""
    decide_by: Aim = "points"
    is_exact: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    """As in Told."""
    card_verb: str = "play"
    """What is done with a card that is played: it may be led."""

    def deed(self, option: str) -> str:
        """An option in a sentence: what the player would do."""
        if option in _DEEDS:
            return _DEEDS[option]
        first = option.split(maxsplit=1)[0]
        if first in SUIT_NAMES:
            return f"name {option}"
        if first.isdigit() or first in ("six", "ask", "moon"):
            return f"bid {option}"
        if option[0].isupper() or option[0].isdigit():
            return f"{self.card_verb} {option}"
        return self.names.get(option, option)

    def with_equals(self, option: OptionResult) -> str:
        """The same, with the cards that would do as well."""
        if not option.same:
            return self.deed(option.option)
        cards = ", ".join(other.split()[-1] for other in option.same)
        return f"{self.deed(option.option)} ({cards} {'are' if option.same[1:] else 'is'} as good)"

    def gap(self, value: float, se: float, cut: Callable[[float], int] = round) -> str:
        """A difference in what decides, with the digits its standard error leaves standing; see `unit`."""
        return _shown(100 * value, 100 * se, cut, 1) if self.decide_by == "win" else _shown(value, se, cut)

    @property
    def unit(self) -> str:
        """What such a difference is counted in, after the number; a percentage of a percentage would mislead."""
        return " in 100 games" if self.decide_by == "win" else ""

    @property
    def sure(self) -> str:
        """How sure it is."""
        return "exact" if self.is_exact else f"{SURE:.0%} sure"

    @property
    def within(self) -> str:
        """The margin in what decides."""
        return f"{100 * self.margin:g} in 100 games" if self.decide_by == "win" else f"{self.margin:g} points a deal"


def _shown(value: float, se: float, cut: Callable[[float], int], least: int = 2) -> str:
    """A number with the digits its standard error leaves standing, `least` at least, cut after the last of them."""
    digits = (least if abs(value) >= 0.1 else 4) if se <= 0 else max(least, min(4, -floor(log10(se))))
    return f"{cut(round(value * 10**digits, 6)) / 10**digits:.{digits}f}"


def _is_none(shown: str) -> bool:
    """Whether a number reads as zero."""
    return not any(digit in "123456789" for digit in shown)


def so_far_text(best: str, rival: str | None, apart: Difference | None, decide_by: Aim) -> str:
    """How the best two options stand while more worlds are being tried; `apart` is the rival against the best."""
    wording = Wording(0.0, decide_by=decide_by)
    if rival is None or apart is None:
        return f"{wording.deed(best)} is all there is"
    behind, half = (wording.gap(value, apart.se) for value in (-apart.mean, apart.high - apart.mean))
    return f"to {wording.deed(best)} looks best, {behind} ±{half}{wording.unit} more than to {wording.deed(rival)}"


def other_verdict_text(better: OptionResult, best: OptionResult, aim: Aim, wording: Wording) -> str:
    """That another option is better by the aim that does not decide."""
    name = wording.names.get(better.option, better.option)
    if aim == "win":
        return f"To win the game, {name} is better: {better.win_game or 0:.1%} against {best.win_game or 0:.1%}."
    return f"By points, {name} is better: {better.points:+.2f} a deal against {best.points:+.2f}."


def rival_of(kind: Kind, ranked: Sequence[OptionResult], margin: float) -> OptionResult | None:
    """The option that the sentence holds against the best: the next one, or the first that may still be better."""
    if kind != "undecided":
        return ranked[1] if ranked[1:] else None
    rivals = [option for option in ranked[1:] if option.difference_high >= 0 and option.difference_low < -margin]
    return rivals[0] if rivals else ranked[1]


def verdict_text(kind: Kind, ranked: Sequence[OptionResult], equal: Sequence[str], wording: Wording) -> str:
    """The verdict in one sentence of a player's words; `ranked` best first."""
    best, rival = ranked[0], rival_of(kind, ranked, wording.margin)
    if kind == "only" or rival is None:
        text = f"{wording.with_equals(best)}: nothing else may be done here."
    elif kind == "better":
        text = _better_text(ranked, rival, wording)
    elif kind == "equal":
        text = _equal_text([option for option in ranked if option.option in equal], ranked, wording)
    else:
        text = _undecided_text(ranked, rival, wording)
    return text[0].upper() + text[1:]


def _level(option: OptionResult) -> list[str]:
    """What an option says beside a suit: the level of a bid, or whether it is alone."""
    return [word for word in option.option.split() if word not in SUIT_NAMES]


def _of_another_level(ranked: Sequence[OptionResult], alike: Sequence[OptionResult]) -> OptionResult | None:
    """The best option of another level than these, which are of one; none where they tell of two levels already."""
    level = _level(alike[0])
    if any(_level(option) != level for option in alike):
        return None
    return next((option for option in ranked if _level(option) != level), None)


def _more_text(option: OptionResult, wording: Wording, beside: float = 0.0) -> str:
    """How much more the best is worth than this option, with no more digits than a number of the error `beside` it."""
    gap = wording.gap(-option.difference, max(option.difference_se, beside))
    return f"{gap}{wording.unit} more than to {wording.deed(option.option)}"


def _equal_text(equal: Sequence[OptionResult], ranked: Sequence[OptionResult], wording: Wording) -> str:
    """That these, the best among them, are worth the same."""
    alike = [wording.with_equals(option) for option in equal]
    other = _of_another_level(ranked, equal)
    more = f", {_more_text(other, wording)}" if other is not None else ""
    return f"{', '.join(alike[:-1])} or {alike[-1]}: equal within {wording.within} ({wording.sure}){more}."


def _better_text(ranked: Sequence[OptionResult], rival: OptionResult, wording: Wording) -> str:
    """That the best is better, even if by no more than the margin."""
    best = ranked[0]
    closest = max(ranked[1:], key=lambda option: option.difference_high)
    least = wording.gap(-closest.difference_high, closest.difference_se, floor)
    ahead = f"{wording.sure})"
    if not wording.is_exact:
        ahead = f"{'just ahead of' if _is_none(least) else f'at least {least} more than'} anything else, {ahead}"
    by_win = wording.decide_by == "win"
    worth = f"{best.win_game or 0:.1%} to win the game" if by_win else f"{best.points:+.2f} points a deal"
    other = _of_another_level(ranked, [best, rival])
    more = f"{worth}, {_more_text(rival, wording)}"
    if other is not None:
        more += f" and {_more_text(other, wording, rival.difference_se)}"
    more += f" ({ahead}"
    if -rival.difference > wording.margin:
        return f"{wording.with_equals(best)}: {more}."
    margin = f"{100 * wording.margin:g}{wording.unit}" if by_win else f"{wording.margin:g}"
    return f"A toss-up, though to {wording.with_equals(best)} is a hair better: {more}, within the margin of {margin}."


def _undecided_text(ranked: Sequence[OptionResult], rival: OptionResult, wording: Wording) -> str:
    """That another option may still be better."""
    best = ranked[0]
    ahead = wording.gap(max(0.0, rival.difference_high), rival.difference_se, ceil)
    perhaps = "as good" if _is_none(ahead) else f"up to {ahead}{wording.unit} ahead"
    other = _of_another_level(ranked, [best, rival])
    further = f"; {_behind_text(other, wording)}" if other is not None else ""
    return (
        f"undecided: to {wording.with_equals(best)} looks best, but {_behind_text(rival, wording)} and may be"
        f" {perhaps}{further}; more {wording.more} would tell."
    )


def _behind_text(option: OptionResult, wording: Wording) -> str:
    """How far an option is behind the best."""
    gap = wording.gap(abs(option.difference), option.difference_se)
    return f"to {wording.deed(option.option)} is {'level with it' if _is_none(gap) else f'{gap}{wording.unit} behind'}"


# --- the same question asked in several ways ---

Varies = Literal["play", "opponents"]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one way of asking found."""

    name: str
    varies: Varies
    leaders: list[str]
    """The options that nothing beats beyond doubt, best first."""


def bracket_text(best: str, seen: Sequence[Seen], depends_on: Sequence[Varies]) -> str:
    """Whether `best`, which the first way of asking found, holds in all of them, in a sentence of a player's words."""
    said = Wording(0.0).deed
    do = said(best)
    sure = [one for one in seen if one.leaders == [best]]
    close = [one for one in seen if best in one.leaders and len(one.leaders) > 1]
    differs = [one for one in seen if best not in one.leaders]
    if not differs and not close:
        return f"{do[0].upper()}{do[1:]}: best with every play and against all opponents tried."
    others = [said(name) for name in dict.fromkeys(name for one in close for name in one.leaders) if name != best]
    if not differs:
        rivals = f"to {listed(others, 'or')}" if len(others) <= _MOST_NAMED else "others"
        where = _where(close, seen[0])
        return f"{do[0].upper()}{do[1:]}: nothing tried beats it beyond doubt, but {rivals} may be as good {where}."
    found = {do: sure} if sure else {}
    for one in differs:
        words = listed([said(name) for name in one.leaders[:_MOST_NAMED]], "or")
        found[words] = [*found.get(words, []), one]
    told = [f"{words} {_where(group, seen[0])}" for words, group in found.items()]
    told += [f"too close to tell {_where(close, seen[0])}"] if close else []
    on = " and ".join(f"the {varies}" for varies in depends_on)
    is_open = any(one.name == "open" for one in differs)
    warning = " Open play has all cards in view: a diagnostic, not advice." if is_open else ""
    return f"It depends on {on}: {'; '.join(told)}.{warning}"


_MOST_NAMED = 3


def _where(group: Sequence[Seen], first: Seen) -> str:
    """The ways of asking in words: `as asked, with open play and against bold opponents`."""
    plays = [one.name for one in group if one.varies == "play" and one is not first]
    opponents = [one.name for one in group if one.varies == "opponents"]
    parts = ["as asked"] if first in group else []
    parts += [f"with {listed(plays, 'and')} play"] if plays else []
    parts += [f"against {listed(opponents, 'and')} opponents"] if opponents else []
    return listed(parts, "and")


def listed(words: Sequence[str], joining: str) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {joining} ".join([", ".join(words[:-1]), words[-1]]) if words[1:] else words[0]
