"""Turns the options of a question, best first, into the sentence that says what to do and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Literal

from analyzer.border import Event
from analyzer.cards import SUIT_NAMES
from analyzer.estimates import SURE, Difference, Kind

Aim = Literal["points", "win"]
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


def said(option: str) -> str:
    """An option in a sentence: what the player would do."""
    words = {"pass": "pass", "order": "order it up", "order alone": "order it up alone", "alone": "go alone"}
    if option in words:
        return words[option]
    if option.split(maxsplit=1)[0] in SUIT_NAMES:
        return f"name {option}"
    if option.split(maxsplit=1)[0].isdigit() or option.split(maxsplit=1)[0] in ("six", "ask", "moon"):
        return f"bid {option}"
    return option


def _shown(value: float, se: float, least: int = 2) -> str:
    """A number with the digits its standard error leaves standing, two at least."""
    digits = (least if abs(value) >= 0.1 else 4) if se <= 0 else max(least, min(4, -floor(log10(se))))
    return f"{value:.{digits}f}"


def so_far_text(best: str, rival: str | None, apart: Difference | None, decide_by: Aim) -> str:
    """How the best two options stand while more worlds are being tried; `apart` is the rival against the best."""
    if rival is None or apart is None:
        return f"{said(best)} is all there is"
    unit, sign, least = (100, "%", 1) if decide_by == "win" else (1, "", 2)
    behind, half = (_shown(unit * value, unit * apart.se, least) for value in (-apart.mean, apart.high - apart.mean))
    return f"to {said(best)} looks best, {behind}{sign} ±{half}{sign} more than to {said(rival)}"


def other_verdict_text(better: OptionResult, best: OptionResult, aim: Aim) -> str:
    """That another option is better by the aim that does not decide."""
    if aim == "win":
        return (
            f"To win the game, {better.option} is better: {better.win_game or 0:.1%} against {best.win_game or 0:.1%}."
        )
    return f"By points, {better.option} is better: {better.points:+.2f} a deal against {best.points:+.2f}."


def verdict_text(
    kind: Kind,
    ranked: Sequence[OptionResult],
    equal: Sequence[str],
    margin: float,
    more: str = "--deals",
    decide_by: Aim = "points",
    *,
    is_exact: bool = False,
) -> str:
    """The verdict in one sentence of a player's words; `ranked` best first, `more` the option that would tell more."""
    sure = "exact" if is_exact else f"{SURE:.0%} sure"
    best = ranked[0]
    do = said(best.option)
    do = do[0].upper() + do[1:]
    if kind == "only":
        return f"{do}: nothing else may be done here."
    by_win = decide_by == "win"

    def shown(value: float, se: float) -> str:
        return f"{_shown(100 * value, 100 * se, 1)}%" if by_win else _shown(value, se)

    within = f"{100 * margin:g}% to win the game" if by_win else f"{margin:g} points a deal"
    rival = ranked[1]
    gap = shown(-rival.difference, rival.difference_se)
    if kind == "better":
        closest = max(ranked[1:], key=lambda option: option.difference_high)
        least = shown(-closest.difference_high, closest.difference_se)
        least = "" if is_exact else f"at least {least} more than anything else, "
        counts = f"{100 * margin:g}%" if by_win else f"{margin:g}"
        small = f" So small a difference counts as none (margin {counts})." if -rival.difference <= margin else ""
        worth = f"{best.win_game or 0:.1%} to win the game" if by_win else f"{best.points:+.2f} points a deal"
        return f"{do}: {worth}, {gap} more than to {said(rival.option)} ({least}{sure}).{small}"
    if kind == "equal":
        others = [said(name) for name in equal if name != best.option]
        names = " and to ".join([", to ".join(others[:-1]), others[-1]]) if others[1:] else others[0]
        return f"{do}: to {names} is equal within {within} ({sure})."
    open_rivals = [option for option in ranked[1:] if option.difference_high >= 0 and option.difference_low < -margin]
    rival = open_rivals[0] if open_rivals else rival
    gap = shown(abs(rival.difference), rival.difference_se)
    ahead = shown(max(0.0, rival.difference_high), rival.difference_se)
    return (
        f"Undecided: to {said(best.option)} looks best, but to {said(rival.option)} is {gap} behind "
        f"and may be up to {ahead} ahead; more {more} would tell."
    )


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
    do = said(best)
    sure = [one for one in seen if one.leaders == [best]]
    close = [one for one in seen if best in one.leaders and len(one.leaders) > 1]
    differs = [one for one in seen if best not in one.leaders]
    if not differs and not close:
        return f"{do[0].upper()}{do[1:]}: best with every play and against all opponents tried."
    others = [said(name) for name in dict.fromkeys(name for one in close for name in one.leaders) if name != best]
    if not differs:
        rivals = f"to {_listed(others, 'or')}" if len(others) <= _MOST_NAMED else "others"
        where = _where(close, seen[0])
        return f"{do[0].upper()}{do[1:]}: nothing tried beats it beyond doubt, but {rivals} may be as good {where}."
    found = {do: sure} if sure else {}
    for one in differs:
        words = _listed([said(name) for name in one.leaders[:_MOST_NAMED]], "or")
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
    parts += [f"with {_listed(plays, 'and')} play"] if plays else []
    parts += [f"against {_listed(opponents, 'and')} opponents"] if opponents else []
    return _listed(parts, "and")


def _listed(words: Sequence[str], joining: str) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {joining} ".join([", ".join(words[:-1]), words[-1]]) if words[1:] else words[0]
