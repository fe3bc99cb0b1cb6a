"""The rules of euchre once more, written to be read: the yardstick the fast kernels are tested against.

It shares no line, table or idea with the analyzer and its kernels, and imports neither. Cards are their two
characters, hands are lists, and each game is a script that runs from the first call to the last trick, asking at
every turn for one of the events that are legal there. Nothing here is quick, and nothing here needs to be. What a
deal pays and who has won stands in reference_score.

Illegal play is possible where `renege_caught` is a number: a turn then has reneges beside what is legal. Which of them
were noticed nobody can work out; it is told, as a record's result tells it.
"""

import json
import random
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from reference_score import Result, Rules, add_up, fined, score, winners

__all__ = [
    "CHOICES",
    "DEFAULTS",
    "Broken",
    "Event",
    "Illegal",
    "Record",
    "Result",
    "Rules",
    "Table",
    "ace_no_face",
    "add_up",
    "deal",
    "full_rules",
    "may_play",
    "pack",
    "play_at_random",
    "replay",
    "score",
    "trick_winner",
    "winners",
]

Event = list[Any]
Record = dict[str, Any]

SUITS = "CDHS"
RANKS = "AKQJT987"
JOKER = "JO"
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}
SEATS = {"two-handed": 2, "three-handed": 3, "four-handed": 4, "bid": 4}


class Broken(ValueError):
    """A record that is not a deal by the rules: `event` is 0 for the deal, a number from 1, or None for the result."""

    def __init__(self, event: int | None, why: str) -> None:
        super().__init__(why)
        self.event = event
        self.why = why


class Illegal(ValueError):
    """An event the rules do not allow now."""


# ---------------------------------------------------------------------------------------------- house rules

TURN_UP: dict[str, list[Any]] = {
    "deck": [24, 32],
    "joker": [False, True],
    "target": [10, *range(1, 101)],
    "stick_the_dealer": [False, True],
    "turned_down_suit": ["barred", "allowed"],
    "pickup": ["optional", "compulsory"],
    "discard_upcard": [False, True],
    "joker_turned_up": ["dealer-names", "hearts"],
}

# Every field a game knows with every value it may have, the default first. Besides, all know renege_caught.
CHOICES: dict[str, dict[str, list[Any]]] = {
    "two-handed": TURN_UP,
    "three-handed": TURN_UP
    | {
        "both_alone_lead": ["defender", "maker", "eldest"],
        "lone_maker_march": [*range(3, 21)],
        "tie": ["higher-total", "eldest", "joint"],
    },
    "four-handed": TURN_UP
    | {
        "pickup": ["compulsory", "optional"],
        "partner_orders_alone": [False, True],
        "lone_march": [4, *range(2, 21)],
        "loner_euchred": [2, 4],
        "defend_alone": [False, True],
        "lone_lead": ["eldest", "left-of-maker"],
    },
    "bid": {
        "deck": [24, 48],
        "joker": [False, True],
        "target": [32, *range(1, 101)],
        "stick_the_dealer": [False, True],
        "lone_lead": ["bidder", "left-of-bidder"],
        "ace_no_face": [False, True],
        "plain_six": [False, True],
        "auction": ["one-turn", "until-three-pass"],
        "exchange": [1, 2, 3],
        "failed_alone": ["bid", "value"],
        "defenders_score": ["always", "when-set", "never"],
        "negative_scores": [True, False],
        "tie": ["play-on", "bidder", "higher-total"],
    },
}

NOBODY_RENEGES = {"renege_caught": "none"}
DEFAULTS: dict[str, Rules] = {
    game: {field: values[0] for field, values in CHOICES[game].items()} | NOBODY_RENEGES for game in CHOICES
}


def defaults(game: str, deck: object) -> Rules:
    """What holds unless changed; a double pack is played to a higher target."""
    return DEFAULTS[game] | ({"target": 52} if deck == 48 else {})


def full_rules(game: str, changed: Rules) -> Rules:
    """Every house rule of the game, with the changed ones in place. Refuses what the game does not know."""
    for field, value in changed.items():
        if field == "renege_caught" and (value == "none" or is_chance(value)):
            continue
        if field not in CHOICES[game]:
            raise Broken(0, f"{game} has no house rule {field}")
        if not any(same(value, allowed) for allowed in CHOICES[game][field]):
            raise Broken(0, f"{field} cannot be {value!r}")
    rules = defaults(game, changed.get("deck")) | changed
    if rules["deck"] == 48 and rules["joker"]:
        raise Broken(0, "the double pack has no joker")
    return rules


def is_chance(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1  # type: ignore[operator]


def changed_rules(game: str, rules: Rules) -> Rules:
    """Only what differs from the defaults."""
    usual = defaults(game, rules.get("deck"))
    return {field: value for field, value in rules.items() if value != usual[field]}


def same(one: object, other: object) -> bool:
    """Equal as JSON: true is not 1, and 3.0 is not 3."""
    return one == other and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


# ---------------------------------------------------------------------------------------------- cards


def pack(rules: Rules) -> list[str]:
    """The cards of the pack; a double pack has each of them twice."""
    ranks = RANKS if rules["deck"] == 32 else RANKS[:6]
    cards = [rank + suit for suit in SUITS for rank in ranks]
    return cards * (2 if rules["deck"] == 48 else 1) + ([JOKER] if rules["joker"] else [])


def trumps_from_the_top(trump: str) -> list[str]:
    return [JOKER, "J" + trump, "J" + SAME_COLOUR[trump]] + [rank + trump for rank in RANKS if rank != "J"]


def suit_of(card: str, trump: str) -> str:
    """The suit a card belongs to once trump is known: joker and left bower are trumps."""
    return trump if card in trumps_from_the_top(trump) else card[1]


def may_play(hand: list[str], led: str | None, trump: str) -> list[str]:
    """The cards of a hand that follow the suit led, or all of them if none does."""
    return [card for card in hand if suit_of(card, trump) == led] or list(hand)


def trick_winner(trick: list[tuple[int, str]], trump: str) -> int:
    """The seat that takes the trick; the first of two identical cards is the higher."""
    led = suit_of(trick[0][1], trump)
    for best in trumps_from_the_top(trump) + [rank + led for rank in RANKS]:
        for seat, card in trick:
            if card == best:
                return seat
    raise AssertionError(f"nobody takes {trick}")


def ace_no_face(hand: list[str]) -> bool:
    ranks = [card[0] for card in hand if card != JOKER]
    return "A" in ranks and not any(face in ranks for face in "JQK")


def in_order(cards: Iterable[str]) -> list[str]:
    """One fixed order, so that the same cards are always the same text."""
    return sorted(cards, key=lambda card: (card[1:], RANKS.find(card[:1])))


def distinct(cards: list[str]) -> list[str]:
    return list(dict.fromkeys(cards))


def without(cards: list[str], card: str) -> list[str]:
    """The cards with one copy of this card gone."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


# ---------------------------------------------------------------------------------------------- the deal


def cards_dealt(game: str, rules: Rules) -> list[int]:
    """How many cards each seat is dealt."""
    if game != "bid":
        return [5] * SEATS[game]
    each = 12 if rules["deck"] == 48 else 6
    return [each, each, each, each + rules["joker"]]


def parts_of(game: str) -> list[str]:
    """What is dealt besides the hands."""
    return {"bid": [], "three-handed": ["dummy", "upcard", "stock"]}.get(game, ["upcard", "stock"])


def deal(game: str, rules: Rules, rng: random.Random) -> Record:
    """A shuffled deal as a record that has no events yet."""
    rules = full_rules(game, rules)
    cards = pack(rules)
    rng.shuffle(cards)

    def take(number: int) -> str:
        taken, cards[:] = cards[:number], cards[number:]
        return " ".join(taken)

    record: Record = {"format": 1, "game": game, "rules": changed_rules(game, rules)}
    record["hands"] = [take(number) for number in cards_dealt(game, rules)]
    for part in parts_of(game):
        record[part] = take({"dummy": 5, "upcard": 1, "stock": len(cards)}[part])
    if record.get("upcard") == JOKER:
        record["joker_suit"] = "H" if rules["joker_turned_up"] == "hearts" else rng.choice(SUITS)
    return record


def check_deal(record: object) -> None:
    """Refuse, as event 0, everything that is no deal of a game with its house rules."""

    def demand(right: bool, why: str) -> None:
        if not right:
            raise Broken(0, why)

    demand(isinstance(record, dict), "a record is a JSON object")
    assert isinstance(record, dict)
    for field in ("format", "game", "rules", "hands"):
        demand(field in record, f"the record has no {field}")
    game, changed, hands = record["game"], record["rules"], record["hands"]
    demand(same(record["format"], 1), f"unknown format {record['format']!r}")
    demand(isinstance(game, str) and game in SEATS, f"unknown game {game!r}")
    demand(isinstance(changed, dict), "rules are fields and values")
    rules = full_rules(game, changed)

    turned_joker = record.get("upcard") == JOKER
    dealt = ["hands", *parts_of(game), *(["joker_suit"] if turned_joker else [])]
    for field in dealt:
        demand(field in record, f"the record has no {field}")
    known = ["format", "game", "rules", *dealt, "seed", "deal", "players", "scores", "events", "result"]
    for field in record:
        demand(field in known, f"no field {field} belongs in this record")
    if turned_joker:
        suits = "H" if rules["joker_turned_up"] == "hearts" else SUITS
        demand(record["joker_suit"] in list(suits), f"the turned joker cannot stand for {record['joker_suit']!r}")

    demand(isinstance(hands, list) and len(hands) == SEATS[game], f"{game} has {SEATS[game]} hands")
    texts = hands + [record[part] for part in parts_of(game)]
    demand(all(isinstance(text, str) for text in texts), "cards are written as text")
    demand(all(text == " ".join(text.split()) for text in texts), "one space stands between cards")
    cards = [card for text in texts for card in text.split()]
    for card in Counter(cards) - Counter(pack(rules)):
        raise Broken(0, f"{card} is not in the pack, or is dealt too often")
    for card in Counter(pack(rules)) - Counter(cards):
        raise Broken(0, f"{card} is not dealt")
    numbers = cards_dealt(game, rules) + [{"dummy": 5, "upcard": 1}[p] for p in parts_of(game) if p != "stock"]
    # The stock comes last and is whatever is left: its number needs no check.
    for text, number in zip(texts, numbers, strict=False):
        demand(len(text.split()) == number, f"{text!r} should be {number} cards")


# ---------------------------------------------------------------------------------------------- the table


def no_hint(event: Event) -> str | None:
    return None


@dataclass
class Turn:
    """One seat is to act: what it is to do, all that is legal, and why something else is not."""

    seat: int
    task: str
    legal: list[Event]
    hint: Callable[[Event], str | None] = no_hint
    reneges: tuple[Event, ...] = ()


Script = Generator[Turn, Event, None]


class Table:
    """One deal being called and played, an event at a time."""

    def __init__(self, record: Record) -> None:
        check_deal(record)
        self.game: str = record["game"]
        self.rules = full_rules(self.game, record["rules"])
        self.seats = list(range(1, SEATS[self.game] + 1))
        self.dealer = self.seats[-1]
        self.dealt = {seat: record["hands"][seat - 1].split() for seat in self.seats}
        self.hands = {seat: list(cards) for seat, cards in self.dealt.items()}
        self.dummy: list[str] = record.get("dummy", "").split()
        self.upcard: str = record.get("upcard", "")
        self.turned_suit: str = record.get("joker_suit", self.upcard[1:])
        self.trump = ""
        self.maker: int | None = None
        self.bid: int | str | None = None
        self.alone: list[int] = []
        self.out: list[int] = []
        self.claimed: int | None = None
        self.tricks = dict.fromkeys(self.seats, 0)
        self.reneged: list[int] = []
        self.caught: list[int] = []
        self.events: list[Event] = []
        self._script = bid_euchre(self) if self.game == "bid" else turn_up(self)
        self._turn: Turn | None = next(self._script)

    @property
    def done(self) -> bool:
        return self._turn is None

    @property
    def to_act(self) -> int | None:
        return self._turn.seat if self._turn else None

    def legal(self) -> list[Event]:
        """Every event that may come next."""
        return [list(event) for event in self._turn.legal] if self._turn else []

    def reneges(self) -> list[Event]:
        """Every illegal play that may come next."""
        return [list(event) for event in self._turn.reneges] if self._turn else []

    def play(self, event: Event) -> None:
        event = with_kept_cards_in_order(event)
        if any(same(event, renege) for renege in self.reneges()):
            self.reneged.append(event[0])
        elif not any(same(event, legal) for legal in self.legal()):
            raise Illegal(self.why_not(event))
        self.events.append(list(event))
        try:
            self._turn = self._script.send(list(event))
        except StopIteration:
            self._turn = None

    def why_not(self, event: Any) -> str:
        if self._turn is None:
            return f"the deal is over, nothing follows it: {json.dumps(event)}"
        turn = self._turn
        if not isinstance(event, list) or len(event) < 2 or not isinstance(event[1], str):
            return f"{json.dumps(event)} is no event"
        if not same(event[0], turn.seat):
            return f"seat {turn.seat} is to {turn.task}, not seat {event[0]}"
        return turn.hint(event) or f"seat {turn.seat} is to {turn.task}, and cannot answer {json.dumps(event[1:])}"

    def result(self) -> Result:
        assert self.done, "the deal is not over"
        nothing = [0] * (2 if len(self.seats) == 4 else len(self.seats))
        if self.claimed is not None:
            return {"claimed": self.claimed, "points": nothing}
        if self.maker is None:
            return {"thrown_in": True, "points": nothing}
        alone, tricks = sorted(self.alone), [self.tricks[seat] for seat in self.seats]
        points = score(self.game, self.rules, self.maker, alone, tricks, self.bid)
        contract = {"trump": self.trump, "maker": self.maker} | ({"bid": self.bid} if self.game == "bid" else {})
        result = contract | {"alone": alone, "tricks": tricks, "points": fined(self.game, points, self.caught)}
        if self.rules["renege_caught"] == "none":
            return result
        return result | {"reneged": sorted(self.reneged), "caught": sorted(self.caught)}

    # Words the scripts are written in.

    def clockwise_after(self, seat: int) -> list[int]:
        """The other seats, from this one's left."""
        return self.seats[seat:] + self.seats[: seat - 1]

    def partner(self, seat: int) -> int:
        return {1: 3, 2: 4, 3: 1, 4: 2}[seat]

    def first_in_play(self, seats: list[int]) -> int:
        return next(seat for seat in seats if seat not in self.out)


def with_kept_cards_in_order(event: Any) -> Any:
    """The five kept cards may be written in any order."""
    if isinstance(event, list) and len(event) == 3 and event[1] == "dummy" and isinstance(event[2], str):
        return [event[0], event[1], " ".join(in_order(event[2].split(" ")))]
    return event


# ---------------------------------------------------------------------------------------------- playing the tricks


def play_tricks(table: Table, leader: int) -> Script:
    while table.hands[leader]:
        trick: list[tuple[int, str]] = []
        for seat in [leader, *table.clockwise_after(leader)]:
            if seat not in table.out:
                event = yield card_to_play(table, seat, trick)
                table.hands[seat].remove(event[2])
                trick.append((seat, event[2]))
        leader = trick_winner(trick, table.trump)
        table.tricks[leader] += 1


def card_to_play(table: Table, seat: int, trick: list[tuple[int, str]]) -> Turn:
    hand, trump = table.hands[seat], table.trump
    led = suit_of(trick[0][1], trump) if trick else None
    cards = may_play(hand, led, trump)

    def hint(event: Event) -> str | None:
        if event[1] != "play" or len(event) != 3:
            return None
        if event[2] not in hand:
            return f"seat {seat} does not hold {event[2]}"
        return f"seat {seat} reneged: {event[2]} on {SUIT_NAMES[led]}, holding {cards[0]}" if led else None

    others = [] if table.rules["renege_caught"] == "none" else [card for card in hand if card not in cards]
    legal, reneges = ([[seat, "play", card] for card in distinct(some)] for some in (cards, others))
    return Turn(seat, "play a card", legal, hint, tuple(reneges))


# ---------------------------------------------------------------------------------------------- turn-up games


def turn_up(table: Table) -> Script:
    """Two-, three- and four-handed: two rounds of calling, the upcard, who is alone, five tricks."""
    yield from calling(table)
    if table.maker is None:
        return
    if table.events[-1][1] == "order" and table.dealer not in table.out:
        yield from take_or_leave_the_upcard(table)
    if table.game == "three-handed":
        yield from dummy_or_alone(table)
        yield from lone_defender(table)
    if table.game == "four-handed" and table.alone and table.rules["defend_alone"]:
        yield from lone_defender(table)
    yield from play_tricks(table, leader_of_turn_up(table))


def leader_of_turn_up(table: Table) -> int:
    if table.game == "three-handed":
        return three_handed_leader(table)
    return four_handed_leader(table) if table.game == "four-handed" else 1


def calling(table: Table) -> Script:
    for calls in (calls_in_round_one, calls_in_round_two):
        for seat in table.seats:
            event = yield Turn(seat, "call", calls(table, seat), lambda event: why_not_call(table, event))
            if event[1] != "pass":
                table.maker = seat
                table.trump = table.turned_suit if event[1] == "order" else event[2]
                if event[-1] == "alone":
                    table.alone.append(seat)
                    table.out.append(table.partner(seat))
                return


def calls_in_round_one(table: Table, seat: int) -> list[Event]:
    calls: list[Event] = [[seat, "pass"]]
    if not (table.rules.get("partner_orders_alone") and seat == table.partner(table.dealer)):
        calls.append([seat, "order"])
    if table.game == "four-handed":
        calls.append([seat, "order", "alone"])
    return calls


def calls_in_round_two(table: Table, seat: int) -> list[Event]:
    calls: list[Event] = []
    if not (table.rules["stick_the_dealer"] and seat == table.dealer):
        calls.append([seat, "pass"])
    for suit in SUITS:
        if suit != table.turned_suit or table.rules["turned_down_suit"] == "allowed":
            calls.append([seat, "name", suit])
            if table.game == "four-handed":
                calls.append([seat, "name", suit, "alone"])
    return calls


def why_not_call(table: Table, event: Event) -> str | None:
    first_round = len(table.events) < len(table.seats)
    if event[1:] == ["pass"]:
        return f"the dealer is stuck: seat {table.dealer} must name a suit"
    if event[-1] == "alone" and table.game != "four-handed":
        return f"in {table.game} euchre nobody is alone by his call"
    if event[1] == "order" and first_round:
        return f"seat {event[0]}, the dealer's partner, may order only alone"
    if event[1] == "order":
        return "the upcard is turned down, nobody can order it now"
    if event[1] == "name" and first_round:
        return "no suit is named before the upcard is turned down"
    if event[1] == "name" and event[2:3] == [table.turned_suit]:
        return f"{SUIT_NAMES[table.turned_suit]} was turned down and cannot be named"
    return None


def take_or_leave_the_upcard(table: Table) -> Script:
    dealer, hand = table.dealer, table.hands[table.dealer]
    must_take = table.maker == dealer or table.rules["pickup"] == "compulsory"
    discards = hand + ([table.upcard] if table.rules["discard_upcard"] else [])
    choices: list[Event] = [[dealer, "pickup", card] for card in discards]

    def hint(event: Event) -> str | None:
        if event[1:] == ["leave"]:
            return "the dealer must take the upcard"
        if event[1:] == ["pickup", table.upcard]:
            return "the upcard just taken cannot be discarded"
        return f"seat {dealer} does not hold {event[2]}" if event[1] == "pickup" and len(event) == 3 else None

    task = "take the upcard" if must_take else "take the upcard or leave it"
    event = yield Turn(dealer, task, choices + ([] if must_take else [[dealer, "leave"]]), hint)
    if event[1] == "pickup":
        table.hands[dealer] = without([*hand, table.upcard], event[2])


def lone_defender(table: Table) -> Script:
    """The defenders speak in turn from the maker's left; the first to go alone sends his partner out."""
    assert table.maker is not None
    defenders = [seat for seat in table.clockwise_after(table.maker) if seat not in table.out]
    for seat in defenders:
        event = yield Turn(seat, "say alone or together", [[seat, "alone"], [seat, "together"]])
        if event[1] == "alone":
            table.alone.append(seat)
            table.out += [other for other in defenders if other != seat]
            return


# Three-handed


def dummy_or_alone(table: Table) -> Script:
    assert table.maker is not None
    maker, ten = table.maker, in_order(table.hands[table.maker] + table.dummy)
    choices: list[Event] = [[maker, "alone"]]
    choices += [[maker, "dummy", " ".join(five)] for five in combinations(ten, 5)]

    def hint(event: Event) -> str | None:
        return f"{event[2]} are not five of the maker's ten" if event[1] == "dummy" and len(event) == 3 else None

    event = yield Turn(maker, "take the dummy and keep five, or go alone", choices, hint)
    if event[1] == "alone":
        table.alone.append(maker)
    else:
        table.hands[maker] = event[2].split()


def three_handed_leader(table: Table) -> int:
    maker = table.maker
    assert maker is not None
    lone_defenders = [seat for seat in table.alone if seat != maker]
    if not table.alone:
        return 1
    if not lone_defenders:
        return table.clockwise_after(maker)[0]
    if maker not in table.alone:
        return table.first_in_play(table.clockwise_after(lone_defenders[0]))
    both = {"defender": lone_defenders[0], "maker": maker, "eldest": table.first_in_play(table.seats)}
    return both[table.rules["both_alone_lead"]]


# Four-handed


def four_handed_leader(table: Table) -> int:
    assert table.maker is not None
    if table.alone and table.rules["lone_lead"] == "left-of-maker":
        return table.first_in_play(table.clockwise_after(table.maker))
    return table.first_in_play(table.seats)


# ---------------------------------------------------------------------------------------------- bid euchre


def bid_euchre(table: Table) -> Script:
    """The auction, trump, the exchange, and every trick."""
    dealer = table.dealer
    if table.rules["joker"]:
        seven = distinct(table.hands[dealer])
        event = yield Turn(dealer, "discard a card of his seven", [[dealer, "discard", card] for card in seven])
        table.hands[dealer].remove(event[2])
    yield from auction(table)
    if table.maker is None:
        return
    bidder = table.maker
    event = yield Turn(bidder, "name trump", [[bidder, "trump", suit] for suit in SUITS])
    table.trump = event[2]
    if table.bid == "ask":
        yield from exchange(table, bidder, table.partner(bidder))
    leader = bidder
    if table.bid in ("ask", "moon"):
        table.alone.append(bidder)
        table.out.append(table.partner(bidder))
        if table.rules["lone_lead"] == "left-of-bidder":
            leader = table.clockwise_after(bidder)[0]
    yield from play_tricks(table, leader)


def levels(rules: Rules) -> list[int | str]:
    """Every bid of the game, lowest first."""
    numbers: list[int | str] = [*range(3, 12 if rules["deck"] == 48 else 6)]
    return numbers + (["six"] if rules["plain_six"] else []) + ["ask", "moon"]


def auction(table: Table) -> Script:
    """Ends with a maker and his bid, with a claim, or with neither: thrown in."""
    passed: list[int] = []
    called: list[int] = []
    seat = 1
    while True:
        choices = bids_and_more(table, seat, passed, called)
        event = yield Turn(seat, "bid", choices, lambda event: why_not_bid(table, event, called))
        called.append(seat)
        if event[1] == "claim":
            table.claimed, table.maker, table.bid = seat, None, None
            return
        if event[1] == "pass":
            passed.append(seat)
        else:
            table.maker, table.bid = seat, event[2]
        if auction_is_over(table, passed, called):
            return
        seat = next(other for other in table.clockwise_after(seat) if other not in passed)


def auction_is_over(table: Table, passed: list[int], called: list[int]) -> bool:
    if table.bid == "moon" or len(passed) == 4:
        return True
    if table.rules["auction"] == "one-turn":
        return len(called) == 4
    return table.maker is not None and len(passed) == 3


def bids_and_more(table: Table, seat: int, passed: list[int], called: list[int]) -> list[Event]:
    ladder = levels(table.rules)
    higher = ladder if table.bid is None else ladder[ladder.index(table.bid) + 1 :]
    choices: list[Event] = [[seat, "bid", level] for level in higher]
    stuck = table.rules["stick_the_dealer"] and seat == table.dealer and len(passed) == 3
    if not (stuck and table.maker is None):
        choices.append([seat, "pass"])
    if table.rules["ace_no_face"] and seat not in called and ace_no_face(table.dealt[seat]):
        choices.append([seat, "claim"])
    return choices


def why_not_bid(table: Table, event: Event, called: list[int]) -> str | None:
    if event[1:] == ["pass"]:
        return f"the dealer is stuck: seat {table.dealer} must bid"
    if event[1] == "bid" and len(event) == 3:
        known = any(same(event[2], level) for level in levels(table.rules))
        return f"{event[2]} does not go above {table.bid}" if known else f"there is no bid of {event[2]}"
    if event[1] == "claim" and not table.rules["ace_no_face"]:
        return "no hand can be claimed under these rules"
    if event[1] == "claim" and event[0] in called:
        return f"seat {event[0]} could claim only at his first turn"
    return f"seat {event[0]} was not dealt an ace without a face card" if event[1] == "claim" else None


def exchange(table: Table, bidder: int, partner: int) -> Script:
    number = table.rules["exchange"]
    given: list[str] = []
    for _ in range(number):
        hand = table.hands[bidder]
        event = yield Turn(bidder, "give a card", [[bidder, "give", card] for card in distinct(hand)])
        hand.remove(event[2])
        given.append(event[2])
    for _ in range(number):
        own = table.hands[partner]
        best = [card for card in trumps_from_the_top(table.trump) if card in own][:1]
        cards = best or distinct(own)
        event = yield Turn(
            partner,
            f"return {best[0]}, his highest trump" if best else "return a card of his own",
            [[partner, "return", card] for card in cards],
        )
        own.remove(event[2])
        table.hands[bidder].append(event[2])
    # Only now, so that no card received could have been returned.
    table.hands[partner] += given


# ---------------------------------------------------------------------------------------------- whole records


def replay(record: Record) -> Result:
    """Play the record's events by the rules and give the result; refuse the first thing that is wrong."""
    table = Table(record)
    events = record.get("events", [])
    if not isinstance(events, list):
        raise Broken(0, "events are a list")
    for number, event in enumerate(events, 1):
        try:
            table.play(event)
        except Illegal as illegal:
            raise Broken(number, str(illegal)) from None
    if not table.done:
        raise Broken(len(events) + 1, "the record stops before the deal is over")
    table.caught = noticed(table, record.get("result"))
    result = table.result()
    if "result" in record:
        check_result(record["result"], result)
    return result


def noticed(table: Table, told: object) -> list[int]:
    """The seats whose illegal plays were noticed, one for each, as the result tells: they can only have been those."""
    chance, reneged = table.rules["renege_caught"], sorted(table.reneged)
    if chance == "none" or not isinstance(told, dict) or "caught" not in told:
        return reneged if chance == 1 else []
    caught = told["caught"]
    if not isinstance(caught, list) or not all(type(seat) is int for seat in caught):
        raise Broken(None, f"caught is a list of seats, not {caught!r}")
    if Counter(caught) - Counter(reneged) or (chance == 0 and caught) or (chance == 1 and sorted(caught) != reneged):
        raise Broken(None, f"of {reneged} who reneged {caught} cannot have been noticed")
    return caught


def check_result(told: object, result: Result) -> None:
    if not isinstance(told, dict):
        raise Broken(None, "the result is fields and values")
    for field in [*result, *told]:
        if field not in result:
            raise Broken(None, f"no field {field} belongs in this result")
        if field not in told:
            raise Broken(None, f"the result has no {field}")
        if not same(told[field], result[field]):
            raise Broken(None, f"{field}: the record says {told[field]}, by the rules it is {result[field]}")


def play_at_random(
    record: Record, rng: random.Random, eager: dict[str, float] | None = None, reneging: float = 0
) -> Record:
    """The record played out at random: at each turn a verb, then evenly one of the legal events with it.

    The verb comes first so that 252 ways to keep five cards do not drown the one way to go alone. `eager` weighs
    verbs, 1 each unless given; a verb of weight 0 is used only where nothing else is legal. `reneging` is the chance
    of an illegal play where one is possible.
    """
    weights = eager or {}
    table = Table(record)
    while not table.done:
        if reneging and table.reneges() and rng.random() < reneging:
            table.play(rng.choice(table.reneges()))
            continue
        legal = table.legal()
        verbs = distinct([event[1] for event in legal])
        verb_weights = [weights.get(verb, 1.0) for verb in verbs]
        verb = rng.choices(verbs, verb_weights)[0] if sum(verb_weights) > 0 else rng.choice(verbs)
        table.play(rng.choice([event for event in legal if event[1] == verb]))
    chance = table.rules["renege_caught"]
    table.caught = [seat for seat in table.reneged if rng.random() < chance]
    return record | {"events": table.events, "result": table.result()}
