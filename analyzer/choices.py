"""Turns a position into what its seat may say or do, equal cards as one, and into the words for it."""

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.border import level_word
from analyzer.cards import cards_text, each_card, suit_name
from analyzer.events import Step, event_of
from analyzer.position import Position, known_start, table_of
from analyzer.rules import Rules
from analyzer.table import Table
from kernels import values

_TRUMPS_KEPT = 3
"""With more trumps than these, others may give way to cards that win."""
_ONE_CARD = ("pickup", "give", "return", "play")
"""Phases in which trump is known and one card is chosen."""


class Option(NamedTuple):
    """One thing that the asker may say or do."""

    step: Step
    same: tuple[Step, ...] = ()
    """Cards that are its equals: none that is still out lies between them."""


def options(position: Position, *, every: bool = False) -> list[Option]:
    """Return what the seat may say or do now; of the fives to keep of ten the likely ones, or with `every` all.

    A bid is one option a level and suit (see values.TOLD_SHIFT); of twins, and of cards that are equals, one stands for
    all.
    """
    table = table_of(position)
    found: dict[str, Step] = {}
    steps = table.steps()
    if table.phase == "keep" and not every:
        ten = int(table.state[values.HAND + table.seat - 1] | table.state[values.AT_DUMMY])
        steps = [step for step in steps if _is_likely_keep(table.in_trump_order(ten), table.in_trump_order(step.what))]
    for step in steps:
        told = [step]
        if step.verb == values.SAY_BID:
            told = [Step(step.verb, step.what | suit + 1 << values.TOLD_SHIFT) for suit in range(4)]
        for one in told:
            found.setdefault(option_text(position.rules, (one,)), one)
    if table.trump is None or table.phase not in _ONE_CARD:
        return [Option(step) for step in found.values()]
    return _grouped(position, table, list(found.values()))


def _is_likely_keep(ten: int, kept: int) -> bool:
    """Whether five of ten cards, in trump order, may be the best to keep.

    All trumps, or three at least; and the highest of each suit, but for one in which they may be any. Measured against
    all 252 in tests/test_keeps.py.
    """
    if (kept & values.LANE).bit_count() < min(_TRUMPS_KEPT, (ten & values.LANE).bit_count()):
        return False
    n_odd = 0
    for lane in range(4):
        held = kept >> 16 * lane & values.LANE
        n_odd += (ten ^ kept) >> 16 * lane & values.LANE > held & -held > 0
    return n_odd <= 1


def _grouped(position: Position, table: Table, steps: Sequence[Step]) -> list[Option]:
    """The options with a card, equals as one that the lowest stands for; others as they are."""
    cards = {table.in_trump_order(step.what): step for step in steps if step.verb in values.WITH_CARDS}
    out = int(table.state[values.BEST]) if table.phase == "play" and table.state[values.IN_TRICK] else 0
    for card in known_start(position)[1]:
        out |= table.in_trump_order(int(card))
    groups: list[list[int]] = []
    for card in sorted(cards):
        if groups and _are_equals(groups[-1][-1], card, out, table.rules.pack.copies):
            groups[-1].append(card)
        else:
            groups.append([card])
    grouped = {cards[low]: tuple(cards[card] for card in more) for low, *more in groups}
    return [
        Option(step, grouped.get(step, ())) for step in steps if step in grouped or step.verb not in values.WITH_CARDS
    ]


def _are_equals(low: int, high: int, out: int, copies: int) -> bool:
    """Whether two cards in trump order, one bit each, are of one suit with none of `out` between them.

    In a double pack a twin that is out stands between too: of two alike the first played wins.
    """
    if (low.bit_length() - 1) // 16 != (high.bit_length() - 1) // 16:
        return False
    between = (high - 1) & ~(2 * low - 1)
    if copies == 2:
        between |= sum(card | (card << 1 if card.bit_length() % 2 else card >> 1) for card in (low, high))
    return not between & out


def trump_of(position: Position) -> int | None:
    """Return the trump suit at the decision, or the one that may be ordered; None while any may be named."""
    table = table_of(position)
    return int(table.state[values.UP_SUIT]) if table.trump is None and table.phase == "order" else table.trump


def names_of(position: Position, tried: Sequence[Option]) -> dict[str, str]:
    """Return how people read the options that are not as files have them: of several cards the trumps come first."""
    table = table_of(position)
    if table.phase != "keep":
        return {}
    found = {}
    for step in (option.step for option in tried if option.step.verb == values.KEEP_FIVE):
        cards = sorted(each_card(step.what), key=table.in_trump_order)
        trumps = [card for card in reversed(cards) if table.in_trump_order(card) <= values.LANE]
        words = [cards_text(mask, position.rules.pack) for mask in (*trumps, step.what & ~sum(trumps)) if mask]
        found[option_text(position.rules, (step,))] = "keep " + " ".join(words)
    return found


def card_verb(position: Position) -> str:
    """Return what the seat to play does with its card: `lead` or `play`."""
    table = table_of(position)
    return "lead" if table.phase == "play" and not table.state[values.IN_TRICK] else "play"


def option_text(rules: Rules, steps: Sequence[Step]) -> str:
    """Return an option as a player says it: `order alone`, `4 hearts`, `discard 9C`."""
    verb, what = steps[-1]
    if verb == values.SAY_BID:
        level, suit = what & (1 << values.TOLD_SHIFT) - 1, (what >> values.TOLD_SHIFT) - 1
        return f"{level_word(rules, level)}{f' {suit_name(suit)}' if suit >= 0 else ''}"
    if verb in values.WITH_CARDS:
        word = {values.TAKE_UP: "discard ", values.KEEP_FIVE: "keep ", values.LAY: ""}.get(verb)
        return (f"{event_of(rules, 1, steps[-1])[1]} " if word is None else word) + cards_text(what, rules.pack)
    if verb in (values.SAY_NAME, values.SAY_TRUMP):
        return suit_name(what & 3) + (" alone" if what > 3 else "")
    return " ".join(word for word in event_of(rules, 1, steps[-1])[1:] if word is not None)
