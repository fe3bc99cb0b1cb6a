"""Four-handed, the rules of thumb lay the card that docs/play.md says, hearts being trump."""

import numpy as np
import pytest
from reference import Event
from test_kernel_rules import kernel_table, legal_steps, plain

from analyzer import border
from analyzer.events import Step, event_of
from analyzer.strategy import find_strategy
from analyzer.table import Table
from kernels import values

pytestmark = pytest.mark.fast

DECK = [rank + suit for suit in "CDHS" for rank in "9TJQKA"]
ORDERED_BY_1: list[Event] = [[1, "order"]]
ORDERED_BY_2: list[Event] = [[1, "pass"], [2, "order"]]
ORDERED_BY_3: list[Event] = [[1, "pass"], [2, "pass"], [3, "order"]]
NAMED_BY_2: list[Event] = [*([seat, "pass"] for seat in (1, 2, 3, 4, 1)), [2, "name", "H"]]
DEALER_ALONE: list[Event] = [*([seat, "pass"] for seat in (1, 2, 3)), [4, "order", "alone"]]


def table_after(hands: list[str], upcard: str, calls: list[Event], cards: str) -> Table:
    """The table after calls and cards laid in turn; what the hands leave open is filled up with the lowest cards left.

    A dealer who takes the upcard puts the last card of his hand away.
    """
    told = [hand.split() for hand in hands]
    held = {upcard}.union(*told)
    rest = [card for card in DECK if card not in held]
    full = [hand + [rest.pop(0) for _ in range(5 - len(hand))] for hand in told]
    record = {"format": 1, "game": "four-handed", "rules": {}, "hands": [" ".join(hand) for hand in full]}
    table = kernel_table(record | {"upcard": upcard})
    events = [*calls, [4, "pickup", full[3][-1]]] if calls[-1][1] == "order" else calls
    for event in events:
        say(table, event)
    for card in cards.split():
        say(table, [table.seat, "play", card])
    return table


def say(table: Table, event: Event) -> None:
    for step in legal_steps(table)[plain(event)][0]:
        table.apply(step)


def card_of(table: Table) -> str:
    """What the seat in turn lays."""
    scratch = np.zeros((values.MAX_OPTIONS, 2), np.int64)
    rules, door = border.kernel_rules(table.rules), border.door_of(table.rules)
    players = border.kernel_players([find_strategy("standard", table.rules)] * 4, table.rules)
    verb, what = door.choose(rules, players, table.state, scratch)
    return str(event_of(table.rules, table.seat, Step(verb, what))[2])


@pytest.mark.parametrize(
    ("hands", "upcard", "calls", "cards", "laid"),
    [
        pytest.param(
            ["AH QH AS KC TD", "", "", ""], "9H", ORDERED_BY_1, "", "QH",
            id="the maker leads the lower of two trumps that are not sure beside an ace",
        ),
        pytest.param(
            ["TC", "AC AH KH 9S TS", "9C", "QC 9D"], "JH", ORDERED_BY_2, "TC AC 9C QC", "KH",
            id="the dealer's partner leads a low trump to the right bower that was taken up",
        ),
        pytest.param(
            ["AH KH TH 9C QD", "", "", ""], "9H", ORDERED_BY_2, "", "TH",
            id="a defender with three trumps leads the lowest through the maker",
        ),
        pytest.param(
            ["QD 9D AC KC 9S", "", "", ""], "9H", DEALER_ALONE, "", "QD",
            id="the highest of next is led first against a loner",
        ),
        pytest.param(
            ["AD 9C KC TC QS", "", "", ""], "9H", DEALER_ALONE, "", "KC",
            id="but a sure card of next is kept for later",
        ),
        pytest.param(
            ["QD 9D TC KS 9C", "", "", ""], "9S", NAMED_BY_2, "", "QD",
            id="the highest of next is led first to a suit that was named",
        ),
        pytest.param(
            ["TC", "AC JC 9S QS KD", "9C", "QC"], "9H", ORDERED_BY_1, "TC AC 9C QC", "JC",
            id="in the second trick a defender goes on with the suit of which fewest are unseen",
        ),
        pytest.param(
            ["9S", "JH JD 9C TC QC", "", ""], "9H", ORDERED_BY_1, "9S", "9C",
            id="both bowers wait while partner may take a small card",
        ),
        pytest.param(
            ["AS", "JH JD 9C TC QC", "", ""], "9H", ORDERED_BY_1, "AS", "9C",
            id="and even an ace, as they take their tricks in any case",
        ),
        pytest.param(
            ["TC AH KH 9C JC", "QC", "KC", "AC 9S"], "9H", ORDERED_BY_1, "TC QC KC AC 9S", "9C",
            id="the maker leaves a small card in the second trick to his partner",
        ),
        pytest.param(
            ["AC 9S KS QD TD", "9C", "TC", "QC"], "9H", ORDERED_BY_3, "AC 9C TC QC", "9S",
            id="the maker's partner without trumps goes on low in the suit of which most are unseen",
        ),
        pytest.param(
            ["AC AS KS TD 9D", "9C 9S", "TC TS", "QC JS"], "9H", ORDERED_BY_3, "AC 9C TC QC AS 9S TS JS", "TD",
            id="and in the third trick high in it, as there it is ruffed least",
        ),
        pytest.param(
            ["9C KC AD QS TS", "", "TC TH", "JH JD QH KH"], "9H", DEALER_ALONE, "9C TC KH JH", "KC",
            id="a card of a suit that the loner is void of goes first",
        ),
        pytest.param(
            ["9C QC KC", "", "TC TH KH QD", "JH JD QH AS"], "9H", DEALER_ALONE, "9C TC 9H JH QC TH JD KC KH", "QH",
            id="a loner who has lost no trick leads his last trump before an ace",
        ),
        pytest.param(
            ["AS 9C QC KC", "", "TS TC KH AC", "JH JD 9S QS"], "QH", DEALER_ALONE, "AS TS 9S 9C TC JD JH QC KH", "QS",
            id="after one trick lost he leads the side card and keeps his last trump",
        ),
    ],
)  # fmt: skip
def test_a_good_club_player_lays(hands: list[str], upcard: str, calls: list[Event], cards: str, laid: str) -> None:
    assert card_of(table_after(hands, upcard, calls, cards)) == laid
