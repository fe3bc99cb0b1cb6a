"""What an answer promises: its fields, that they add up, and that they are those of every world played out slowly.

The slow run deals each world unrenamed, renames its cards as text, and moves a table by the step door: who would call
otherwise than he did ends a world, and an option's suit is named when the auction is won.
"""

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import reference
from test_position import decisions
from test_record import house_rules

import analyzer.ask
import analyzer.trials
from analyzer import border
from analyzer.ask import Answer, Look, ask
from analyzer.asked import position_from_options
from analyzer.cards import cards_text, parse_cards
from analyzer.choices import option_text, options
from analyzer.cli import main
from analyzer.errors import BrokenRecord
from analyzer.estimates import wilson
from analyzer.events import SUIT_LETTERS, Step, event_of
from analyzer.position import Position, barred_cards, known_start
from analyzer.position_file import read_position
from analyzer.record import result_of
from analyzer.rules import GAMES, Rules, find_game, make_rules
from analyzer.strategy import Strategy, find_strategy, seat_players
from analyzer.table import Table
from analyzer.trials import Budget, try_options, with_reference
from analyzer.verdicts import OptionResult, Wording, verdict_text
from analyzer.views import FLOOR, N_VIEWS, question_of
from kernels import dice, doors, values, worlds
from kernels.compile import JIT, door
from kernels.voids import deal_by_voids

BOWERS = "JH JD AH KH 9S"
SIX = "JH JD AH KH QH AS"
LOW = "9C TC 9D TD 9S"
TWELVE = "JH JH JD AH KH QH AS AS KS 9C TC 9D"


@dataclass(frozen=True)
class Asked:
    """A question as it is typed, and who sits at the table."""

    game: str
    hand: str
    said: dict[str, Any]
    changes: dict[str, Any]
    players: str = "standard"

    @property
    def position(self) -> Position:
        return position_from_options(make_rules(find_game(self.game), self.changes), self.hand, **self.said)


@dataclass(frozen=True)
class Told:
    """A question as a file has it."""

    read: dict[str, Any]
    players: str = "standard"

    @property
    def position(self) -> Position:
        return read_position(self.read)


def asked(game: str, hand: str, players: str = "standard", rule: dict[str, Any] | None = None, **said: Any) -> Asked:
    return Asked(game, hand, said, rule or {}, players)


QUESTIONS: dict[str, Asked | Told] = {
    "two": asked("two", "JS AS 9H TH QD", up="9S", seat=1),
    "two, dealer who may leave it": asked("two", BOWERS, "random", up="9C", calls="order"),
    "two, stuck": asked("two", LOW, rule={"stick_the_dealer": True}, up="AH", calls="pass pass pass"),
    "three": asked("three", "JS AS KS 9D TD", up="9S", seat=2),
    "three, round two": asked("three", "9H TH QH 9D 9C", "bold,random,random", up="AD", calls="pass pass pass"),
    "three, dummy or alone": asked("three", BOWERS, up="QH", calls="order pickup"),
    "four": asked("four", BOWERS, up="QH", seat=1),
    "four, after passes": asked("four", "JS 9S AH TD 9D", up="TS", calls="pass pass pass"),
    "four, round two": asked("four", "JS 9H TH QH 9D", up="AD", calls="pass pass pass pass"),
    "four, pick it up or not": asked("four", LOW, "bold", {"pickup": "optional"}, up="QS", calls="pass pass order"),
    "four, defend alone": asked(
        "four", "JS AS 9S 9C TC", "bold", {"defend_alone": True}, up="QH", calls="order alone pickup"
    ),
    "joker turned, 32 cards": asked(
        "four", "JH JD AH KH 7S", "standard,bold,cautious,random", {"joker": True, "deck": 32}, up="JO hearts", seat=2
    ),
    "bid": asked("bid", SIX),
    "bid, after calls": asked("bid", "9H TH JC AC 9D AS", "bold,random,standard,standard", calls="3 pass"),
    "bid, again": asked(
        "bid", SIX, "bold,standard,standard,random", {"auction": "until-three-pass", "plain_six": True},
        calls="3 pass pass 4",
    ),
    "bid, naming trump": asked("bid", SIX, calls="3 pass pass pass"),
    "bid, a card to give": asked("bid", SIX, calls="ask pass pass pass hearts"),
    "bid, joker": asked("bid", "JO JH JD AH KH 9S 9C", rule={"joker": True}),
    "bid, 48 cards": asked("bid", TWELVE, "random,standard,standard,bold", {"deck": 48}, calls="pass"),
}  # fmt: skip
IN_PLAY = {
    name: Told(read)
    for name, read in json.loads((Path(__file__).parent / "data" / "in_play.json").read_text(encoding="utf-8")).items()
}
"""Cards to play, from hands that standard players played."""
QUESTIONS |= IN_PLAY


def some(n: int) -> int:
    """So many worlds, or a few where they are played by plain Python."""
    return n if JIT else max(5, n // 40)


def players_of(question: Asked | Told) -> list[Strategy]:
    """Those of the question; `eager` plays as standard and asks on any hand."""
    rules = question.position.rules
    standard = find_strategy("standard", rules)
    asks = {f"bid.ask.seat{seat}": -99.0 for seat in (1, 2, 3, 4)}
    eager = Strategy("eager", {**standard.numbers, **asks})
    names = question.players.split(",")
    found = [eager if name == "eager" else find_strategy(name, rules) for name in names]
    return found if len(found) > 1 else found * rules.n_seats


def answer_to(question: Asked | Told, deals: int, **how: Any) -> Answer:
    return ask(question.position, players_of(question), deals=some(deals), **how)


def option_of(answer: Answer, text: str) -> OptionResult:
    return next(option for option in answer.options if option.option == text)


# --- the fields ---

TOP = "game rules position options verdict provenance"
OPTION = (
    "option event same deals points points_se difference difference_se difference_low difference_high made made_low "
    "made_high march euchred other_made other_euchred thrown_in win_game win_game_se"
)
VERDICT = "kind best equal sure margin decide_by text"
PROVENANCE = "version seed deals drawn effective exact players play seconds command interrupted"


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_has_the_promised_fields_in_their_order_and_its_outcomes_are_all_its_worlds(name: str) -> None:
    question = QUESTIONS[name]
    answer = answer_to(question, 400, command="euchre ask")
    found = json.loads(json.dumps(answer.json(), allow_nan=False))
    assert " ".join(found) == TOP
    assert " ".join(found["verdict"]) == VERDICT
    assert " ".join(found["provenance"]) == PROVENANCE
    assert found["provenance"]["effective"] <= found["provenance"]["deals"] <= found["provenance"]["drawn"]
    assert found["provenance"]["players"] == [strategy.name for strategy in players_of(question)]
    names = tuple(found["provenance"]["players"])
    kept = None if set(names) == {"standard"} else names
    assert read_position(found["position"]) == replace(question.position, players=kept)
    n = found["provenance"]["deals"]
    for option in found["options"]:
        is_bid = option["event"][1] == "bid"
        assert " ".join(option) == (OPTION.replace("event", "event trump") if is_bid else OPTION)
        assert (option["deals"], option["win_game"], option["win_game_se"]) == (n, None, None)
        shares = [option[field] for field in ("made", "euchred", "other_made", "other_euchred", "thrown_in")]
        assert sum(shares) == pytest.approx(1)
        assert option["march"] <= option["made"]
        made = wilson(option["made"], found["provenance"]["effective"])
        assert (option["made_low"], option["made_high"]) == (made.low, made.high)
        assert option["difference"] <= 0
        assert option["difference_low"] <= option["difference"] <= option["difference_high"]
    points = [option["points"] for option in found["options"]]
    assert points == sorted(points, reverse=True)
    for option in found["options"]:
        assert option["difference"] == pytest.approx(option["points"] - points[0], abs=1e-9)
    assert found["verdict"]["best"] == found["options"][0]["option"]


CARDS = ["9C", "9D", "9S", "TC", "TD"]
SUITED = ["clubs", "diamonds", "hearts", "spades"]
LETTER = dict(zip(SUITED, "CDHS", strict=True))
TOLD = {
    "a card to return": Told(
        {
            "format": 1, "game": "bid", "rules": {}, "seat": 3, "hands": [None, None, "9H TH 9S TS 9C TC", None],
            "events": [
                *([1, "bid", "ask"], [2, "pass"], [3, "pass"], [4, "pass"], [1, "trump", "D"], [1, "give", "QC"]),
            ],
        },
        "eager,standard,standard,standard",
    ),
    "five to keep": Told(
        {
            "format": 1, "game": "three-handed", "rules": {}, "seat": 1, "hands": ["AS QS AD AH 9C", None, None],
            "dummy": "9H KS TH KH QC", "upcard": "JS", "events": [[1, "order"], [3, "pickup", None]],
        }
    ),
}  # fmt: skip
EXPECTED: list[tuple[Asked | Told, dict[str, list[Any]]]] = [
    (QUESTIONS["four"], {"pass": [1, "pass"], "order": [1, "order"], "order alone": [1, "order", "alone"]}),
    (QUESTIONS["two"], {"pass": [1, "pass"], "order": [1, "order"]}),
    (QUESTIONS["two, stuck"], {suit: [2, "name", LETTER[suit]] for suit in SUITED if suit != "hearts"}),
    (
        QUESTIONS["four, round two"],
        {"pass": [1, "pass"]}
        | {suit: [1, "name", LETTER[suit]] for suit in SUITED if suit != "diamonds"}
        | {f"{suit} alone": [1, "name", LETTER[suit], "alone"] for suit in SUITED if suit != "diamonds"},
    ),
    (
        QUESTIONS["four, pick it up or not"],
        {"leave": [4, "leave"]} | {f"discard {card}": [4, "pickup", card] for card in ("9C", "9D", "9S")},
    ),
    (QUESTIONS["three, dummy or alone"], {"dummy": [1, "dummy", None], "alone": [1, "alone"]}),
    (QUESTIONS["four, defend alone"], {"together": [2, "together"], "alone": [2, "alone"]}),
    (QUESTIONS["bid, naming trump"], {suit: [1, "trump", LETTER[suit]] for suit in SUITED}),
    (QUESTIONS["bid, a card to give"], {f"give {card}": [1, "give", card] for card in ("QH", "AS")}),
    (
        QUESTIONS["bid, joker"],
        {f"discard {card}": [4, "discard", card] for card in ["JO", "JH", "JD", "AH", "KH", "9S", "9C"]},
    ),
    (
        asked("bid", "AH AD TH 9H 9D TS", rule={"ace_no_face": True, "plain_six": True}, calls="pass 3"),
        {"claim": [3, "claim"], "pass": [3, "pass"]}
        | {f"{level} {suit}": [3, "bid", level] for level in (4, 5, "six", "ask", "moon") for suit in SUITED},
    ),
    (
        TOLD["a card to return"],
        {f"return {card}": [3, "return", card] for card in ["9C", "9H", "9S"]},
    ),
    (
        TOLD["five to keep"],
        {
            f"keep {' '.join(five)}": [1, "dummy", " ".join(five)]
            for five in combinations(["AS", "KS", "QS", "AH", "KH", "TH", "9H", "QC", "9C", "AD"], 5)
        },
    ),
]


@pytest.mark.parametrize(("question", "promised"), EXPECTED)
def test_options_are_told_in_the_promised_words(question: Asked | Told, promised: dict[str, list[Any]]) -> None:
    found = answer_to(question, 40, every=True).options
    assert {option.option: option.event for option in found} == promised
    for option in found:
        suit = option.option.split()[-1]
        assert option.trump == (LETTER[suit] if option.event[1] == "bid" else None)


# --- threads and chunks ---


@pytest.mark.parametrize("name", QUESTIONS)
def test_threads_and_chunks_change_no_digit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    question = QUESTIONS[name]
    one = answer_to(question, 500, workers=1)
    others = [answer_to(question, 500, workers=2)]
    for size in (7, 100):
        monkeypatch.setattr(analyzer.trials, "CHUNK", size)
        others.append(answer_to(question, 500, workers=2))
    for other in others:
        assert other.options == one.options
        assert other.verdict == one.verdict
        assert other.provenance.drawn == one.provenance.drawn


def test_worlds_dealt_after_the_last_one_wanted_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk may find exactly as many as are wanted, and more that do not agree after them."""
    question = QUESTIONS["four, after passes"]
    position, players = question.position, players_of(question)
    for deals in range(2, 12):
        monkeypatch.setattr(analyzer.trials, "CHUNK", 1)
        drawn = ask(position, players, deals=deals).provenance.drawn
        for more in (1, 2):
            monkeypatch.setattr(analyzer.trials, "CHUNK", drawn + more)
            assert ask(position, players, deals=deals).provenance.drawn == drawn


def test_ctrl_c_keeps_the_worlds_that_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(look: Look) -> None:
        if look.deals >= 60:
            raise KeyboardInterrupt

    monkeypatch.setattr(analyzer.trials, "CHUNK", 20)
    question = QUESTIONS["four"]
    early = ask(question.position, players_of(question), deals=1000, watch=stop, workers=1)
    assert early.provenance.interrupted
    assert early.options == ask(question.position, players_of(question), deals=60).options


# --- the slow run ---


@dataclass
class Slow:
    """What came of each option, world by world: doubled points, and which side made or failed; and draws in all."""

    points: dict[str, list[int]]
    outcomes: dict[str, list[str]]
    weights: list[int] = field(default_factory=list)
    drawn: int = 0


def word_slowly(key: int, place: int) -> int:
    """The splitmix64 word at a place under a key."""
    whole = 2**64
    return mixed((key + (place + 1) * 0x9E3779B97F4A7C15) % whole)


def mixed(word: int) -> int:
    whole = 2**64
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % whole
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % whole
    return word ^ (word >> 31)


def names_in_world(seed: int, index: int) -> dict[int, str]:
    """How suits are called in a world, as a table for str.translate; verbs and bids are in small letters."""
    golden = 0x9E3779B97F4A7C15
    coins = 2
    key = mixed((mixed((seed + golden) % 2**64) + coins * golden) % 2**64)
    view = word_slowly(key, index) & 7
    suits = [0, 2, 1, 3] if view & 4 else [0, 1, 2, 3]
    return {ord("CDHS"[suit]): "CDHS"[suits[suit] ^ view & 3] for suit in range(4)}


def renamed(event: list[Any], names: dict[int, str]) -> list[Any]:
    return [word.translate(names) if isinstance(word, str) else word for word in event]


@door
def table_by_voids(rules: Any, start: Any, pool: Any, barred: Any, seed: int, index: int, table: Any) -> Any:
    card_key, coin_key = dice.key_of(seed, dice.CARDS), dice.key_of(seed, dice.COINS)
    return deal_by_voids(rules, start, pool, barred, card_key, coin_key, index, table)


def table_of(position: Position, seed: int, index: int, names: dict[int, str]) -> Table | None:
    """World `index` of a position, its cards renamed one by one; None where this index deals none."""
    rules = position.rules
    start, pool = known_start(position)
    dealt = start.copy()
    unseen = np.zeros(len(pool), np.int64)
    barred = np.array([*barred_cards(position), 0, 0][: values.MAX_SEATS])
    if barred.any():
        if not table_by_voids(border.kernel_rules(rules), start, pool, barred, seed, index, dealt):
            return None
    else:
        doors.deal_table(border.kernel_rules(rules), doors.Seeded(start, pool, seed), index, unseen, dealt)
    taken = 0
    masks = []
    for place in (*range(values.HAND, values.HAND + rules.n_seats), values.AT_DUMMY, values.UP):
        text = cards_text(int(dealt[place]), rules.pack).translate(names)
        masks.append(parse_cards(text, rules.pack, taken=taken) if text else 0)
        taken |= masks[-1]
    suit = SUIT_LETTERS.find(SUIT_LETTERS[position.joker_suit or 0].translate(names))
    *hands, dummy, upcard = masks
    table = Table.dealt(rules, hands, dummy=dummy, upcard=upcard, up_suit=suit)
    table.state[values.COIN] = dealt[values.COIN]
    for seat in range(values.KEPT, values.KEPT + rules.n_seats):
        text = cards_text(int(start[seat]), rules.pack).translate(names)
        table.state[seat] = parse_cards(text, rules.pack) if text else 0
    return table


def take(table: Table, event: list[Any]) -> None:
    """Move on by the one step that this event says."""
    table.apply(next(step for step in table.steps() if event_of(table.rules, table.seat, step) == event))


class Players:
    """The strategies, asked one decision at a time."""

    def __init__(self, rules: Rules, strategies: list[Strategy]) -> None:
        self.rules = rules
        self.strategies = strategies
        self.kernel_rules = border.kernel_rules(rules)
        self.seats = border.kernel_players(strategies, rules)
        self.choose = border.door_of(rules).choose
        self.scratch = np.zeros((values.MAX_OPTIONS, 2), np.int64)

    def chance_at_random(self, table: Table, told: list[Any]) -> int | None:
        """The weight of an event where the seat in turn plays by coin: its share of all it may do; None elsewhere."""
        if not self.strategies[table.seat - 1].is_random:
            return None
        legal = [event_of(self.rules, table.seat, step) for step in table.steps()]
        same = [event for event in legal if event == told or (event[:2] == told[:2] and told[2:] == [None])]
        return worlds.ONE * len(same) // len(legal)

    def move(self, table: Table) -> list[Any]:
        """The event of the seat in turn, which is done."""
        seat = table.seat
        steps: list[Step] = []
        while not steps or steps[-1].verb == values.TAKE_DUMMY:
            steps.append(Step(*self.choose(self.kernel_rules, self.seats, table.state, self.scratch)))
            table.apply(steps[-1])
        return event_of(self.rules, seat, *steps)


def reached(position: Position, players: Players, seed: int, index: int, reference: int) -> tuple[Table | None, int]:
    """World `index` at the decision, and its weight; None where it is not to be tried.

    A call that a seat would not have made counts FLOOR; a world lighter than the reference is tried by luck.
    """
    names = names_in_world(seed, index)
    table = table_of(position, seed, index, names)
    if table is None:
        return None, 0
    luck = word_slowly(int(table.state[values.COIN]), worlds.LUCK) * reference >> 64
    weight = worlds.ONE
    for event in position.events:
        told = renamed(event, names)
        if event[1] == "play":
            if told not in [event_of(position.rules, table.seat, step) for step in table.steps()]:
                return None, 0
        elif table.seat != position.seat:
            before = table.copy()
            said = players.move(table)
            agrees = said == told or (said[:2] == told[:2] and told[2:] == [None])
            chance = players.chance_at_random(before, told)
            if chance is None:
                chance = worlds.ONE if agrees else 0
            weight = weight * max(chance, round(FLOOR * worlds.ONE)) >> worlds.WEIGHT_BITS
            if weight <= luck:
                return None, 0
            if agrees:
                continue
            table = before
            if told[2:] == [None]:  # he would have left the upcard: the random player buries some card
                cards = [step for step in table.steps() if step.verb == values.TAKE_UP]
                place = (int(table.state[values.TURN]) * 16 + values.PICKUP) * 64 + 1
                word = word_slowly(int(table.state[values.COIN]), place)
                table.apply(cards[word * len(cards) >> 64])
                continue
        take(table, told)
    return table, weight


def outcome_of(table: Table, seat: int) -> tuple[int, str]:
    """Doubled points as `seat` counts them, and what became of the contract."""
    result, rules = result_of(table.rules, table.state), table.rules
    points = result["points"]
    place = (seat - 1) % len(points)
    others = [n for k, n in enumerate(points) if k != place]
    doubled = 2 * points[place] - 2 * sum(others) // len(others)
    if "maker" not in result:
        return doubled, "thrown_in"
    sides = [side for side in rules.sides if result["maker"] in side]
    tricks = sum(result["tricks"][one - 1] for one in sides[0])
    wanted = result.get("bid", 3)
    is_made = tricks >= (wanted if isinstance(wanted, int) else rules.hand_size)
    own = "" if seat in sides[0] else "other_"
    outcome = f"{own}{'made' if is_made else 'euchred'}"
    return doubled, "march" if outcome == "made" and tricks == rules.hand_size else outcome


def slow_run(question: Asked | Told, deals: int, seed: int) -> Slow:
    position = question.position
    players = Players(position.rules, players_of(question))
    promised = list(told_options(position))
    slow = Slow({text: [] for text, *_ in promised}, {text: [] for text, *_ in promised})
    steps = [option.step for option in options(position)]
    reference = with_reference(position.rules, players_of(question), question_of(position, steps, seed)).reference
    while len(slow.weights) < deals:
        table, weight = reached(position, players, seed, slow.drawn, reference)
        names = names_in_world(seed, slow.drawn)
        slow.drawn += 1
        if table is None:
            continue
        slow.weights.append(min(int(max(1, weight / reference) * 16 + 0.5), worlds.HEAVIEST))
        for text, event, trump in promised:
            tried = table.copy()
            take(tried, renamed(event, names))
            while not tried.is_done:
                if trump and tried.phase == "trump" and tried.seat == position.seat:
                    take(tried, [position.seat, "trump", trump.translate(names)])
                else:
                    players.move(tried)
            points, outcome = outcome_of(tried, position.seat)
            slow.points[text].append(points)
            slow.outcomes[text].append(outcome)
    return slow


def told_options(position: Position) -> Iterator[tuple[str, list[Any], str | None]]:
    """Text, event and told suit of every option."""
    for step, _ in options(position):
        text = option_text(position.rules, [step])
        plain = step
        if step.verb == values.SAY_BID:
            plain = Step(step.verb, step.what & (1 << values.TOLD_SHIFT) - 1)
        event = event_of(position.rules, position.seat, plain)
        yield text, event, LETTER[text.split()[-1]] if event[1] == "bid" else None


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_is_that_of_its_worlds_played_out_slowly_one_by_one(name: str) -> None:
    question = QUESTIONS[name]
    rules = question.position.rules
    deals = (5 if rules.deck == 48 else 20) if rules.game.is_bid else 100
    slow = slow_run(question, some(deals), seed=3)
    answer = answer_to(question, deals, seed=3)
    assert answer.provenance.drawn == slow.drawn
    assert {option.option for option in answer.options} == set(slow.points)
    w = slow.weights
    whole = sum(w)
    assert answer.provenance.effective == whole**2 / sum(n * n for n in w)

    def weighted(points: list[int]) -> tuple[Any, Any]:
        mean = sum(n * x for n, x in zip(w, points, strict=True)) / whole
        spread = sum((n * (x - mean)) ** 2 for n, x in zip(w, points, strict=True))
        return pytest.approx(mean / 2, abs=1e-12), pytest.approx(spread**0.5 / whole / 2, abs=1e-12)

    best = slow.points[answer.verdict.best]
    for option in answer.options:
        points, outcomes = slow.points[option.option], slow.outcomes[option.option]
        assert option.deals == len(points)
        assert (option.points, option.points_se) == weighted(points)
        gaps = [one - other for one, other in zip(points, best, strict=True)]
        assert (option.difference, option.difference_se) == weighted(gaps)
        shares: dict[str, float] = defaultdict(float)
        for n, outcome in zip(w, outcomes, strict=True):
            shares[outcome] += n / whole
        assert option.march == pytest.approx(shares["march"], abs=1e-12)
        assert option.made == pytest.approx(shares["made"] + shares["march"], abs=1e-12)
        for outcome in ("euchred", "other_made", "other_euchred", "thrown_in"):
            assert getattr(option, outcome) == pytest.approx(shares[outcome], abs=1e-12)


@pytest.mark.fast
def test_the_eight_views_are_eight_names_of_the_suits_that_keep_colours_together() -> None:
    position = QUESTIONS["four, round two"].position
    question = question_of(position, [option.step for option in options(position)], 0)
    pack = position.rules.pack
    own = [cards_text(int(start[values.HAND]), pack) for start in question.starts]
    assert len(question.starts) == N_VIEWS
    seen = set()
    for view in range(N_VIEWS):
        start, plain = question.starts[view], question.starts[0]
        names = {
            cards_text(int(one), pack)[-1]: cards_text(int(other), pack)[-1]
            for one, other in zip(question.pools[0], question.pools[view], strict=True)
        }
        assert sorted(names.values()) == sorted("CDHS")
        assert {frozenset((names["C"], names["S"])), frozenset((names["D"], names["H"]))} == {
            frozenset("CS"),
            frozenset("DH"),
        }
        seen.add(tuple(names.items()))
        table = str.maketrans(names)
        assert own[view].split() == sorted(own[0].translate(table).split(), key=own[view].split().index)
        assert cards_text(int(start[values.UP]), pack) == cards_text(int(plain[values.UP]), pack).translate(table)
        assert SUIT_LETTERS[start[values.UP_SUIT]] == names[SUIT_LETTERS[plain[values.UP_SUIT]]]
    assert len(seen) == N_VIEWS


# --- other names of the suits ---

RENAMED = {
    "round one": asked("four", BOWERS, up="QH", seat=1),
    "round two": asked("four", "JS 9H TH QH 9D", up="AD", calls="pass pass pass pass"),
    "two-handed": asked("two", "JS 9S AH TH 9D", up="KS", calls="pass"),
    "bid": asked("bid", SIX, calls="pass"),
}  # fmt: skip


@pytest.mark.parametrize("name", RENAMED)
@pytest.mark.skipif(not JIT, reason="too few worlds in plain Python to tell")
def test_other_names_of_the_suits_leave_an_answer_as_it_was(name: str) -> None:
    question = RENAMED[name]
    first: dict[str, OptionResult] = {}
    for seed, names in enumerate(colour_keeping()):
        table = str.maketrans(names)
        words = {suit: SUITED["CDHS".index(names[LETTER[suit]])] for suit in SUITED}
        said = question.said | ({"up": question.said["up"].translate(table)} if "up" in question.said else {})
        moved = Asked(question.game, question.hand.translate(table), said, question.changes, question.players)
        found = {option.option: option for option in answer_to(moved, 4000, seed=seed).options}
        first = first or found
        for text, option in first.items():
            other = found[" ".join(words.get(word, word) for word in text.split())]
            error = (option.points_se**2 + other.points_se**2) ** 0.5
            assert abs(option.points - other.points) <= 4.5 * error + 1e-9, text


def colour_keeping() -> Iterator[dict[str, str]]:
    """The eight ways to rename suits that keep black together and red together; as they are first."""
    for black, red in product(("CS", "SC"), ("DH", "HD")):
        for one, other in ((black, red), (red, black)):
            yield dict(zip("CSDH", one + other, strict=True))


# --- calls made ---


def counter(threshold: float) -> Strategy:
    """Orders from seat 1 with so many of ten, queen, king, ace and left bower of the upcard's suit, and else never."""
    counted = {f"trump.{name}": 1.0 for name in ("ten", "queen", "king", "ace", "left")}
    calls = [f"call.{call}.seat{seat}" for call in ("order", "next", "cross") for seat in (1, 2)]
    return Strategy("counter", {**counted, **dict.fromkeys(calls, 99.0), "call.order.seat1": threshold})


JACK_UP = asked("two", LOW, up="JH", calls="order")
HANDS = comb(18, 5)


@pytest.mark.skipif(not JIT, reason="draws a hundred thousand worlds")
def test_worlds_that_agree_with_a_rare_call_count_whole_and_the_others_as_much_as_people_err() -> None:
    """Four or five of five cards: 66 of 8,568 hands."""
    position, players = JACK_UP.position, [counter(4)] * 2
    chance = (5 * 13 + 1) / HANDS
    agree = chance / (chance + FLOOR * (1 - chance))
    plain = ask(JACK_UP.position, [counter(-99)] * 2, deals=100_000)
    never = ask(JACK_UP.position, [counter(99)] * 2, deals=100_000)
    found = ask(position, players, deals=20_000)
    assert found.provenance.deals == found.provenance.effective == 20_000
    assert found.provenance.drawn == pytest.approx(20_000 / (chance + FLOOR * (1 - chance)), rel=0.05)
    assert plain.provenance.effective == never.provenance.effective == never.provenance.drawn == 100_000
    assert 0.2 < agree < 0.3


def test_a_call_that_all_make_and_one_that_none_makes_cost_no_world() -> None:
    """Where no hand makes the call, all hands are as likely to have made it by mistake."""
    position = asked("two", LOW, up="JH", calls="pass").position
    for threshold in (99, -99):
        answer = ask(position, [counter(threshold)] * 2, deals=some(300))
        assert answer.provenance.drawn == answer.provenance.effective == some(300)
        assert bool(answer.doubts) == (threshold < 0)


def test_the_more_others_like_to_call_the_more_worlds_are_dealt_for_one_in_which_they_pass() -> None:
    question = asked("four", "JS 9S AH TD 9D", up="TS", calls="pass pass pass")
    drawn = [
        ask(question.position, seat_players(players, question.position.rules), deals=some(1500)).provenance.drawn
        for players in ("cautious", "standard", "bold")
    ]
    assert some(1500) < drawn[0] < drawn[1] < drawn[2]


@pytest.mark.parametrize(("calls", "seat"), [("order", 1), ("pass order", 2)])
@pytest.mark.skipif(not JIT, reason="draws many worlds")
def test_the_command_notes_calls_hardly_made_and_names_the_rarest(
    calls: str, seat: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "shy.toml"
    file.write_text('base = "standard"\n[call.order]\nseat1 = 99\nseat2 = 99\n', encoding="utf-8")
    words = ["ask", LOW, "--up", "JH", "--calls", calls, "--players", str(file), "--deals", "2000"]
    words += ["-r", "pickup=optional"]
    assert main(words) == 0
    printed = capsys.readouterr()
    assert f'Seat {seat} says "order" in 0.00% of the deals, by its strategy' in printed.err


# --- answers ---


@pytest.mark.parametrize(
    ("question", "best"),
    [
        (asked("four", "JS AS KS QS JC", up="TS", seat=4), "order alone"),
        *((asked(game, LOW, up="JH", seat=1), "pass") for game in ("two", "three", "four")),
        (asked("bid", LOW + " TS"), "pass"),
    ],
)
@pytest.mark.skipif(not JIT, reason="too few worlds in plain Python to tell")
def test_plain_hands_are_called_as_everybody_would(question: Asked, best: str) -> None:
    answer = answer_to(question, 20_000)
    assert answer.verdict.best == best


@pytest.mark.parametrize("changes", [{}, {"deck": 32}, {"joker": True}, {"deck": 32, "joker": True}], ids=str)
@pytest.mark.skipif(not JIT, reason="too few worlds in plain Python to tell")
def test_an_unbeatable_hand_is_ordered_alone_with_every_pack(changes: dict[str, Any]) -> None:
    hand = "JO JS JC AS KS" if changes.get("joker") else "JS JC AS KS QS"
    answer = answer_to(asked("four", hand, rule=changes, up="9S", seat=1), 500)
    alone = option_of(answer, "order alone")
    assert (alone.made, alone.march, alone.points, alone.points_se) == (1, 1, 4, 0)
    assert (answer.verdict.best, answer.verdict.kind) == ("order alone", "better")


def test_a_bid_is_scored_in_the_suit_it_told_whatever_the_strategy_would_name() -> None:
    """Six tricks on top in hearts; in clubs not one trump."""
    question = asked("bid", "JH JD AH KH QH TH")
    answer = answer_to(question, 200)
    hearts, clubs = option_of(answer, "moon hearts"), option_of(answer, "moon clubs")
    assert (hearts.event, clubs.event) == ([1, "bid", "moon"], [1, "bid", "moon"])
    assert (hearts.trump, clubs.trump) == ("H", "C")
    assert (hearts.made, hearts.march, hearts.points, hearts.points_se) == (1, 1, 24, 0)
    assert clubs.made == clubs.march == 0
    assert clubs.euchred == 1
    assert clubs.points <= -6


def test_a_bid_is_scored_in_the_suit_it_told_by_a_random_player_too() -> None:
    answer = answer_to(asked("bid", "JH JD AH KH QH TH", "random"), 200)
    assert option_of(answer, "moon hearts").made > option_of(answer, "moon clubs").made


# --- verdicts ---


def test_better_is_said_only_where_every_rival_lies_below() -> None:
    question = QUESTIONS["bid, naming trump"]
    verdict = ask(question.position, players_of(question), deals=300).verdict
    assert (verdict.kind, verdict.best, verdict.equal, verdict.sure, verdict.margin) == (
        "better",
        "hearts",
        [],
        0.95,
        0.1,
    )
    assert verdict.text.startswith("Name hearts: ")


def hundred_worlds(margin: float) -> Answer:
    """As few as give a verdict, to a question that is close."""
    question = asked("four", "JC QC JH AH 9D", up="JS", seat=4)
    return ask(question.position, players_of(question), deals=100, margin=margin)


def test_equal_lists_the_best_and_all_rivals_that_may_be_as_good() -> None:
    answer = hundred_worlds(margin=9)
    rivals = [option.option for option in answer.options[1:] if option.difference_high >= 0]
    assert rivals
    assert (answer.verdict.kind, answer.verdict.sure, answer.verdict.margin) == ("equal", 0.95, 9)
    assert answer.verdict.equal == [answer.verdict.best, *rivals]
    assert "equal within 9 points a deal" in answer.verdict.text


def test_undecided_is_said_where_a_rival_may_be_better_by_more_than_the_margin() -> None:
    answer = hundred_worlds(margin=0)
    verdict = answer.verdict
    assert answer.options[1].difference_high > 0
    assert (verdict.kind, verdict.equal, verdict.sure, verdict.margin) == ("undecided", [], None, 0)
    assert verdict.text.startswith("Undecided: ")


def test_fewer_than_a_hundred_worlds_decide_nothing() -> None:
    """Hearts win them all, and the errors then look like none."""
    position = QUESTIONS["bid, naming trump"].position
    found = [
        ask(position, players_of(QUESTIONS["bid, naming trump"]), deals=deals, margin=0).verdict.kind
        for deals in (99, 300)
    ]
    assert found == ["undecided", "better"]


def test_only_is_said_where_nothing_else_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """No call of the four games is the only one; a card to play will be."""
    monkeypatch.setattr(analyzer.ask, "options", lambda position, **how: options(position, **how)[:1])
    answer = answer_to(QUESTIONS["four"], 40)
    verdict = answer.verdict
    assert [option.option for option in answer.options] == ["pass"]
    assert (answer.options[0].difference, answer.options[0].difference_high) == (0, 0)
    assert (verdict.kind, verdict.best, verdict.equal, verdict.sure) == ("only", "pass", [], 1)
    assert verdict.text == "Pass: nothing else may be done here."


def result(option: str, points: float, low: float, high: float) -> OptionResult:
    """An option with these points and this interval of its difference to a best of 1 point."""
    return OptionResult(
        option=option,
        event=[1, *option.split()],
        trump=None,
        same=[],
        deals=1000,
        points=points,
        points_se=0.01,
        difference=points - 1,
        difference_se=0.01,
        difference_low=low,
        difference_high=high,
        made=0,
        made_low=0,
        made_high=0,
        march=0,
        euchred=0,
        other_made=0,
        other_euchred=0,
        thrown_in=1,
        win_game=None,
        win_game_se=None,
    )


@pytest.mark.fast
def test_a_lead_within_the_margin_is_a_toss_up() -> None:
    best, near, far = result("order", 1, 0, 0), result("pass", 0.99, -0.015, -0.005), result("alone", 0, -1.1, -0.9)
    assert verdict_text("better", [best, near, far], [], Wording(0.02)) == (
        "A toss-up, though to order it up is a hair better: +1.00 points a deal, 0.01 more than to pass (just ahead of"
        " anything else, 95% sure), within the margin of 0.02."
    )
    assert verdict_text("better", [best, far], [], Wording(0.02)) == (
        "Order it up: +1.00 points a deal, 1.00 more than to go alone (at least 0.90 more than anything else,"
        " 95% sure)."
    )


@pytest.mark.fast
@pytest.mark.parametrize(
    ("option", "deed"),
    [("dummy", "take the dummy"), ("together", "defend together"), ("leave", "leave the upcard"), ("claim", "claim")],
)
def test_what_is_done_reads_as_a_deed_in_both_places(option: str, deed: str) -> None:
    best, far = result(option, 1, 0, 0), result(option, 0, -1.1, -0.9)
    assert verdict_text("better", [best, far], [], Wording(0.02)).startswith(
        f"{deed.capitalize()}: +1.00 points a deal, 1.00 more than to {deed} ("
    )


@pytest.mark.fast
def test_a_card_is_led_or_played_and_its_equals_would_do_as_well() -> None:
    best, far = replace(result("KH", 1, 0, 0), same=["AH", "JD"]), result("9S", 0, -1.1, -0.9)
    text = verdict_text("better", [best, far], [], Wording(0.02, card_verb="lead"))
    assert text.startswith("Lead KH (AH, JD are as good): +1.00 points a deal, 1.00 more than to lead 9S (")
    assert verdict_text("only", [replace(far, same=["TS"])], [], Wording(0.02)) == (
        "Play 9S (TS is as good): nothing else may be done here."
    )


@pytest.mark.fast
def test_undecided_says_how_far_the_rival_may_be_ahead() -> None:
    best, rival = result("order", 1, 0, 0), result("pass", 0.9999, -0.03, 0.001)
    assert verdict_text("undecided", [best, rival], [], Wording(0.02)) == (
        "Undecided: to order it up looks best, but to pass is level with it and may be up to 0.01 ahead; more"
        " --deals would tell."
    )


def test_of_five_cards_kept_trumps_come_first_in_what_people_read() -> None:
    position = read_position(
        {"format": 1, "game": "three-handed", "rules": {}, "seat": 3, "hands": [None, None, "JS AD AS AH QS"],
         "dummy": "9H KS JH QH QC", "upcard": "JD", "events": [[1, "pass"], [2, "pass"], [3, "order"],
         [3, "pickup", "QS"]]}
    )  # fmt: skip
    answer = ask(position, seat_players("standard", position.rules), deals=200)
    assert "keep JS AS AH JD JH" not in answer.told.names.values()
    kept = {set_of: name for set_of, name in answer.told.names.items() if "JD" in set_of}
    assert kept
    assert all(name.startswith("keep JD ") for name in kept.values())
    assert all(sorted(name.split()) == sorted(option.split()) for option, name in kept.items())
    assert "eep JD JH AD" in answer.verdict.text


@pytest.mark.fast
def test_beside_the_same_bid_in_another_suit_the_best_of_another_level_is_told() -> None:
    best, twin = result("moon hearts", 1, 0, 0), result("moon spades", 0.5, -0.6, -0.4)
    other, pass_ = replace(result("ask spades", 0.25, -0.8, -0.7), difference_se=0.001), result("pass", 0, -1.1, -0.9)
    ranked = [best, twin, other, pass_]
    assert verdict_text("better", ranked, [], Wording(0.02)) == (
        "Bid moon hearts: +1.00 points a deal, 0.50 more than to bid moon spades and 0.75 more than to bid ask spades"
        " (at least 0.40 more than anything else, 95% sure)."
    )
    assert "moon spades" not in verdict_text("better", [best, other, twin, pass_], [], Wording(0.02))
    assert verdict_text("equal", ranked, ["moon hearts", "moon spades"], Wording(0.02)) == (
        "Bid moon hearts or bid moon spades: equal within 0.02 points a deal (95% sure), 0.750 more than to bid ask"
        " spades."
    )
    assert verdict_text("undecided", [best, replace(twin, difference_high=0.1), *ranked[2:]], [], Wording(0.02)) == (
        "Undecided: to bid moon hearts looks best, but to bid moon spades is 0.50 behind and may be up to 0.10 ahead;"
        " to bid ask spades is 0.750 behind; more --deals would tell."
    )


@pytest.mark.fast
def test_a_suit_named_alone_is_another_level_and_cards_are_levels_of_their_own() -> None:
    best, twin, other = result("hearts", 1, 0, 0), result("spades", 0.5, -0.6, -0.4), result("hearts alone", 0, -2, -1)
    text = verdict_text("better", [best, twin, other], [], Wording(0.02))
    assert "0.50 more than to name spades and 1.00 more than to name hearts alone (" in text
    assert " and " not in verdict_text("better", [best, twin], [], Wording(0.02)), "there is no other level"
    cards = [result("AS", 1, 0, 0), result("KS", 0.5, -0.6, -0.4), result("9C", 0, -2, -1)]
    assert " and " not in verdict_text("better", cards, [], Wording(0.02))


@pytest.mark.fast
def test_equal_options_stand_in_one_sentence() -> None:
    names = ["order", "pass", "hearts alone"]
    text = verdict_text("equal", [result(name, 1, -0.01, 0.01) for name in names], names, Wording(0.02))
    assert text == "Order it up, pass or name hearts alone: equal within 0.02 points a deal (95% sure)."


# --- every decision ---


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.skipif(not JIT, reason="deals many worlds")
def test_every_decision_of_hands_played_at_random_is_answered(game: str) -> None:
    """Whatever was called and played, and by whatever house rules: some worlds fit, and every option is tried."""
    rng = random.Random(game)
    n_cards = 0
    for rules in house_rules(game):
        record = reference.play_at_random(reference.deal(game, rules, rng), rng, rng.choice(EAGERNESS))
        for read, legal in decisions(record):
            if len(legal) > 100 or rng.random() < 0.85:
                continue
            position = read_position(read)
            answer = ask(position, [find_strategy("standard", position.rules)] * position.rules.n_seats, deals=5)
            events = {json.dumps(option.event) for option in answer.options}
            n_same = sum(len(option.same) for option in answer.options)
            assert events <= {json.dumps(event) for event in legal} | {json.dumps([position.seat, "dummy", None])}
            assert answer.provenance.deals == 5
            n_cards += n_same
    assert n_cards >= 4


EAGERNESS = [{}, {"pass": 0.2, "alone": 2.0}, {"pass": 3.0}]


@pytest.mark.fast
def test_neighbours_among_the_cards_still_out_are_one_option_until_a_card_between_them_is_seen() -> None:
    read: dict[str, Any] = {
        "format": 1, "game": "four-handed", "rules": {}, "seat": 1, "hands": ["9S TS QS KC 9D", None, None, None],
        "upcard": "JH", "events": [[1, "pass"], [2, "pass"], [3, "pass"], [4, "order"], [4, "pickup", None]],
    }  # fmt: skip
    lead = {option.step: option.same for option in options(read_position(read))}
    names = {option_text(make_rules(find_game("four"), {}), (step,)): len(same) for step, same in lead.items()}
    assert names == {"9S": 1, "QS": 0, "KC": 0, "9D": 0}  # the jack of spades lies between ten and queen
    trick = [[1, "play", "KC"], [2, "play", "9C"], [3, "play", "AC"], [4, "play", "TC"]]
    joined = read | {"events": [*read["events"], *trick, [3, "play", "JS"], [4, "play", "KS"]]}
    found = options(read_position(joined))
    # the jack lies on the table and beats nothing, so the three lose to the king alike
    assert [len(option.same) for option in found] == [2]


@pytest.mark.skipif(not JIT, reason="deals many worlds")
def test_whoever_did_not_follow_holds_none_of_the_suit_in_any_world() -> None:
    """Seat 2 threw a spade on hearts: his partner's ace of hearts is then sure to be with seat 4 or face down."""
    events = [[1, "pass"], [2, "pass"], [3, "pass"], [4, "order"], [4, "pickup", None], [1, "play", "AH"]]
    read = {
        "format": 1, "game": "four-handed", "rules": {}, "seat": 3, "hands": [None, None, "KH 9H 9S TS 9C", None],
        "upcard": "JC", "events": [*events, [2, "play", "9D"]],
    }  # fmt: skip
    position = read_position(read)
    barred = barred_cards(position)
    assert [cards_text(cards, position.rules.pack) for cards in barred] == ["", "QH JH TH", "", ""]
    question = question_of(position, [option.step for option in options(position)], 0)
    trials = try_options(position.rules, players_of(QUESTIONS["four"]), question, Budget(2000))
    assert trials.found == 2000 < trials.drawn


@pytest.mark.fast
@pytest.mark.parametrize(
    ("more", "event", "words"),
    [
        ([[2, "play", "9H"], [3, "play", "AD"]], 8, "seat 3 reneged: AD on hearts, holding KH"),
        ([[2, "play", "9D"], [3, "play", "KH"], [4, "play", "QH"], [1, "play", "TH"], [2, "play", "JH"]], 7, "reneged"),
        ([[2, "play", "AH"]], 7, "AH is there twice"),
        ([[2, "play", "9S"]], 7, "9S is there twice"),
        ([[2, "play", "9H"], [4, "play", "QH"]], 8, "it is seat 3's turn"),
        ([[2, "play", "9D"], [3, "play", "KH"]], 9, "it is seat 4's turn to play a card, not seat 3's"),
    ],
)
def test_cards_that_cannot_have_been_played_so_are_refused_at_their_event(
    more: list[Any], event: int, words: str
) -> None:
    events = [[1, "pass"], [2, "pass"], [3, "pass"], [4, "order"], [4, "pickup", None], [1, "play", "AH"]]
    read = {
        "format": 1, "game": "four-handed", "rules": {}, "seat": 3, "hands": [None, None, "KH AD 9S TS 9C", None],
        "upcard": "JC", "events": events + more,
    }  # fmt: skip
    with pytest.raises(BrokenRecord, match=words) as refused:
        read_position(read)
    assert refused.value.event == event


@pytest.mark.skipif(JIT, reason="calls a kernel as plain Python")
@pytest.mark.fast
def test_known_cards_of_two_places_lay_in_either_as_often_as_it_has_cards() -> None:
    counts = [0, 0]
    for k in range(2000):
        table = np.zeros(values.TABLE_SIZE, np.int64)
        table[values.HAND] = 0b111_1100
        worlds.share_cards(table, values.HAND, values.AT_DUMMY, 0b11, 4, word_slowly(7, k))
        assert (int(table[values.HAND]).bit_count(), int(table[values.AT_DUMMY]).bit_count()) == (3, 4)
        assert table[values.HAND] | table[values.AT_DUMMY] == 0b111_1111
        for card in (0, 1):
            counts[card] += int(table[values.AT_DUMMY]) >> card & 1
    for n in counts:
        assert abs(n / 2000 - 4 / 7) <= 4.5 * (4 / 7 * 3 / 7 / 2000) ** 0.5
