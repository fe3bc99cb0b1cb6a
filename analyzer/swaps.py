"""Turns a call into which card of the hand it hangs on: every card is exchanged for every one that it could be instead.

What was said before stays what it is, the asker's own calls too: they tell nothing about the others.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from analyzer.ask import Goal, named_in_position
from analyzer.cards import cards_text, each_card
from analyzer.engine import Stopwatch, product_version
from analyzer.leads import Lead, Study, leads, study_of
from analyzer.position import Position, table_of
from analyzer.position_file import position_json
from analyzer.rules import Rules, Value
from analyzer.strategy import Strategy
from analyzer.verdicts import Aim, Wording, listed
from kernels import values

DEALS = 5_000
"""Deals for each exchange, unless told: an interval of about 0.05 points."""
DEALS_IN_BID = 2_000
DEALS_WITH_48 = 200

Told = Literal["same", "close", "other"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One card of the hand exchanged for another; both None: the hand as it is."""

    out: str | None
    into: str | None
    hand: str
    """The hand as dealt, after the exchange."""
    lead: Lead
    call: Told
    """Whether the call of the hand as it is stays best beyond doubt, or another one is, or it is too close to tell."""

    def row(self) -> dict[str, Any]:
        """As other programs read it."""
        return {"out": self.out, "in": self.into, "hand": self.hand, "change": self.call, **asdict(self.lead)}


@dataclass(frozen=True, slots=True)
class CardRow:
    """One card of the hand: what comes of the call when it is exchanged."""

    card: str
    exchanges: int
    weaker: int
    """Exchanges that weaken the hand (calling is less ahead of passing) so that another call is better beyond doubt."""
    stronger: int
    """Those that strengthen it so."""
    close: int
    """Exchanges with which it is too close to tell."""
    mean: float
    """Of `over_pass` over all exchanges; where nobody may pass, of points."""
    best: str
    """The card in its place with which that is highest."""
    worst: str
    weaker_call: str | None
    """The call that is then better most often."""
    stronger_call: str | None


@dataclass(frozen=True, slots=True)
class SwapVerdict:
    """What the exchanges tell, and the sentence that says so."""

    best: str
    decides: list[str]
    """The cards that half of the exchanges or more take too much away with."""
    free: list[str]
    """The cards for which none does, nor leaves it close."""
    decide_by: Aim
    margin: float
    text: str


@dataclass(frozen=True, slots=True)
class SwapProvenance:
    """Where the answer comes from; `deals` were tried with each hand."""

    version: str
    seed: int
    deals: int
    exchanges: int
    players: list[str]
    seconds: float
    command: str | None
    interrupted: bool


@dataclass(frozen=True, slots=True)
class Swaps:
    """The answer: the hand as it is, every exchange, and what they tell of each card."""

    game: str
    rules: dict[str, Value]
    position: dict[str, Any]
    exchanges: list[Exchange]
    """The first is none."""
    cards: list[CardRow]
    """What decides most first."""
    verdict: SwapVerdict
    provenance: SwapProvenance

    def rows(self) -> list[dict[str, Any]]:
        """A row for each exchange, the hand as it is first."""
        return [exchange.row() for exchange in self.exchanges]

    def json(self) -> dict[str, Any]:
        """The answer as other programs read it."""
        return {
            "game": self.game,
            "rules": self.rules,
            "position": self.position,
            "rows": self.rows(),
            "cards": [asdict(card) for card in self.cards],
            "verdict": asdict(self.verdict),
            "provenance": asdict(self.provenance),
        }


def default_deals(rules: Rules) -> int:
    """How many deals each hand is tried in."""
    return DEALS if not rules.game.is_bid else DEALS_WITH_48 if rules.deck == 48 else DEALS_IN_BID


def exchanges_of(position: Position) -> list[tuple[str, str, int]]:
    """Every (card held, card that could be there instead, hand as dealt after it); twins count once."""
    pack = position.rules.pack
    table = table_of(position)
    held = {cards_text(card, pack): card for card in each_card(int(table.state[values.HAND + position.seat - 1]))}
    known = position.hand | position.upcard
    unseen: dict[str, int] = {}
    for card in each_card(pack.cards & ~known):
        unseen.setdefault(cards_text(card, pack), card)
    order = cards_text(pack.cards, pack).split()
    outs = sorted(held, key=order.index)
    ins = sorted(unseen, key=order.index)
    return [
        (out, into, position.hand ^ held[out] | unseen[into])
        for out in outs
        for into in ins
        if out != into  # its twin
    ]


def swaps(
    position: Position,
    players: Sequence[Strategy],
    *,
    deals: int | None = None,
    margin: float | None = None,
    goal: Goal | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    command: str | None = None,
) -> Swaps:
    """Try the hand as it is and with every exchange of one card, in `deals` worlds each.

    `progress` hears how many hands are done. Ctrl-C ends it with the exchanges tried till then.

    Raises QuestionError where the decision is no call; KeyboardInterrupt where Ctrl-C came before the first exchange.
    """
    clock = Stopwatch()
    rules = position.rules
    n = deals or default_deals(rules)
    study = study_of(position, players, deals=n, what="--swap", margin=margin, goal=goal, seed=seed)
    tried = exchanges_of(position)
    found: list[Lead] = []
    is_interrupted = False
    try:
        for lead in leads(study, [position.hand, *(hand for _, _, hand in tried)], workers):
            found.append(lead)
            if progress is not None:
                progress(len(found))
    except KeyboardInterrupt:
        if len(found) < 2:
            raise
        is_interrupted = True
    base = Exchange(None, None, cards_text(position.hand, rules.pack), found[0], "same")
    exchanges = [
        Exchange(out, into, cards_text(hand, rules.pack), lead, _change(found[0], lead))
        for (out, into, hand), lead in zip(tried, found[1:], strict=False)
    ]
    cards = card_rows(found[0], exchanges)
    whole = {out: sum(out == each for each, _, _ in tried) for out, _, _ in tried}
    finished = [card for card in cards if card.exchanges == whole[card.card]]
    return Swaps(
        game=rules.game.name,
        rules=rules.changed(),
        position=position_json(replace(position, players=named_in_position(players))),
        exchanges=[base, *exchanges],
        cards=cards,
        verdict=_verdict(base, finished, study, is_whole=len(finished) == len(whole)),
        provenance=SwapProvenance(
            version=product_version(),
            seed=seed,
            deals=n,
            exchanges=len(exchanges),
            players=[strategy.name for strategy in players],
            seconds=round(clock.seconds, 3),
            command=command,
            interrupted=is_interrupted,
        ),
    )


def _change(base: Lead, lead: Lead) -> Told:
    """Whether the call of the hand as it is stands with this exchange."""
    if lead.leaders == [base.call]:
        return "same"
    return "close" if base.call in lead.leaders else "other"


def gain(lead: Lead) -> float:
    """What exchanges are ordered by: how far calling is ahead of passing; points where nobody may pass."""
    return lead.points if lead.over_pass is None else lead.over_pass


def card_rows(base: Lead, exchanges: Sequence[Exchange]) -> list[CardRow]:
    """A row for each card exchanged: the one that decides most first."""
    found = []
    for out in dict.fromkeys(exchange.out for exchange in exchanges):
        own = sorted((each for each in exchanges if each.out == out), key=lambda each: gain(each.lead))
        others = [each.lead for each in own if each.call == "other"]
        weaker = [lead.call for lead in others if gain(lead) < gain(base)]
        stronger = [lead.call for lead in others if gain(lead) >= gain(base)]
        found.append(
            CardRow(
                card=str(out),
                exchanges=len(own),
                weaker=len(weaker),
                stronger=len(stronger),
                close=sum(each.call == "close" for each in own),
                mean=sum(gain(each.lead) for each in own) / len(own),
                best=str(own[-1].into),
                worst=str(own[0].into),
                weaker_call=max(weaker, key=weaker.count, default=None),
                stronger_call=max(stronger, key=stronger.count, default=None),
            )
        )
    return sorted(found, key=lambda row: (-row.weaker / row.exchanges, row.mean))


# --- the verdict ---


def decides(row: CardRow) -> bool:
    """Whether the call hangs on this card."""
    return row.weaker * 2 >= row.exchanges


def _verdict(base: Exchange, cards: Sequence[CardRow], study: Study, *, is_whole: bool) -> SwapVerdict:
    """What the cards that were exchanged for every other tell."""
    if not cards:
        text = "No card is exchanged for every other yet."
    else:
        text = swap_text(base.lead, cards, Wording(study.margin, decide_by=study.aim))
        text = text if is_whole else f"Of {_the(cards)} alone. {text}"
    needed = [row.card for row in cards if decides(row)]
    free = [row.card for row in cards if not row.weaker and not row.close]
    return SwapVerdict(base.lead.best, needed, free, study.aim, study.margin, text)


def swap_text(base: Lead, cards: Sequence[CardRow], wording: Wording) -> str:
    """Which card the call hangs on, in a player's words; `cards` as card_rows has them."""
    said = []
    if len(base.leaders) > 1:
        calls = listed([wording.deed(call) for call in base.leaders], "or")
        said.append(f"As it is, {calls} is too close to tell.")
    needed = [row for row in cards if decides(row)]
    some = [row for row in cards if row.weaker and not decides(row)]
    do = wording.deed(base.call)
    if needed:
        other = listed(list(dict.fromkeys(wording.deed(str(row.weaker_call)) for row in needed)), "or")
        without = "it" if len(needed) == 1 else "one of them"
        said.append(f"The call hangs on {_the(needed)}: without {without} you would {other}{_counts(needed)}.")
        if some:
            said.append(f"{_the(some)[0].upper()}{_the(some)[1:]} {'matter' if some[1:] else 'matters'} now and then.")
        elif len(needed) < len(cards):
            said.append("Any other card may go.")
    elif some:
        most = max(some, key=lambda row: row.weaker)
        said.append(
            f"No card decides alone, to {do} stays right in most exchanges; the {most.card} matters most: without it"
            f" you would sometimes {wording.deed(str(most.weaker_call))}{_counts([most])}."
        )
    else:
        said.append(f"{do[0].upper()}{do[1:]}, whichever card is lost: the call hangs on no single one.")
    better = max(cards, key=lambda row: row.stronger)
    if better.stronger:
        said.append(
            f"In {better.stronger} of {better.exchanges} exchanges of the {better.card} the hand is so much"
            f" stronger that another call is best, most often to {wording.deed(str(better.stronger_call))}."
        )
    return " ".join(said)


def _the(rows: Sequence[CardRow]) -> str:
    return listed([f"the {row.card}" for row in rows], "and")


def _counts(rows: Sequence[CardRow]) -> str:
    """How many exchanges, unless all: ` (13 of 18 exchanges of the JH, 12 of 18 of the JD)`."""
    if all(row.weaker == row.exchanges for row in rows):
        return ""
    first, *rest = rows
    told = [f"{first.weaker} of {first.exchanges} exchanges{f' of the {first.card}' if rest else ''}"]
    return f" ({', '.join(told + [f'{row.weaker} of {row.exchanges} of the {row.card}' for row in rest])})"
