"""The kernels play by the rules: at every step of random deals they allow what the reference allows, and end alike.

The step door and the reference share no code. Whatever a house rule changes, deals of it are walked through
side by side: seat, legal events and hands at every step, trump, maker, tricks and points at the end.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from reference import CHOICES, DEFAULTS, Event, Record, Result, deal
from reference import Table as Reference

from analyzer import border
from analyzer.cards import cards_text, parse_card, parse_cards
from analyzer.events import SUIT_LETTERS, Step, event_of
from analyzer.rules import Rules, find_game, make_rules
from analyzer.table import Table
from kernels import values
from kernels.compile import door
from kernels.order import printed_order

GAMES = tuple(CHOICES)
BORING = {"target", "negative_scores", "tie"}
"""House rules of the game as a whole: no deal is played otherwise for them."""
EAGER: tuple[dict[str, float], ...] = ({}, {"pass": 4.0}, {"pass": 0.2, "alone": 3.0}, {"together": 0.3, "dummy": 0.3})
"""How likely each verb is in a random deal; at times timid, at times bold."""

# What others need of a reference record and a kernel table; other test files import it from here.


@door
def as_printed(rules: Any, mask: int, trump: int) -> int:
    return printed_order(rules, mask, trump)  # type: ignore[no-any-return]


def rules_of(game: str, changed: dict[str, Any]) -> Rules:
    return make_rules(find_game(game), changed)


def kernel_table(record: Record) -> Table:
    """The deal of a reference record on a kernel table. Of identical cards each seat gets a copy of its own."""
    rules = rules_of(record["game"], record["rules"])
    hands: list[int] = []
    for text in record["hands"]:
        hands.append(parse_cards(text, rules.pack, taken=sum(hands)))
    dummy, upcard = (parse_cards(record.get(part, ""), rules.pack) for part in ("dummy", "upcard"))
    suit = SUIT_LETTERS.find(record.get("joker_suit", "")) if "joker_suit" in record else None
    return Table.dealt(rules, hands, dummy=dummy, upcard=upcard, up_suit=suit)


def dealt_record(game: str, rules: Rules, dealt: border.Vector) -> Record:
    """The deal that stands on a kernel table before its first event, as a reference record without events."""
    hands = [int(mask) for mask in dealt[values.HAND : values.HAND + rules.n_seats]]
    dummy, upcard = int(dealt[values.AT_DUMMY]), int(dealt[values.UP])
    record: Record = {"format": 1, "game": game, "rules": rules.changed()}
    record["hands"] = [cards_text(mask, rules.pack) for mask in hands]
    if rules.game.has_dummy:
        record["dummy"] = cards_text(dummy, rules.pack)
    if not rules.game.is_bid:
        record["upcard"] = cards_text(upcard, rules.pack)
        record["stock"] = cards_text(rules.pack.cards & ~(sum(hands) | dummy | upcard), rules.pack)
        if record["upcard"] == "JO":
            record["joker_suit"] = SUIT_LETTERS[dealt[values.UP_SUIT]]
    return record


def plain(event: Event) -> tuple[Any, ...]:
    """An event to compare by: the five kept cards in one order."""
    return (*event[:2], *(" ".join(sorted(word.split())) if event[1] == "dummy" else word for word in event[2:]))


def legal_steps(table: Table) -> dict[tuple[Any, ...], list[list[Step]]]:
    """Every legal event with the steps that say it: several for identical cards, two steps for a dummy taken."""
    found: dict[tuple[Any, ...], list[list[Step]]] = {}
    for steps in all_steps(table):
        found.setdefault(plain(event_of(table.rules, table.seat, *steps)), []).append(steps)
    return found


def all_steps(table: Table) -> Iterator[list[Step]]:
    for step in table.steps():
        if step.verb == values.TAKE_DUMMY:
            taken = table.copy()
            taken.apply(step)
            yield from ([step, kept] for kept in taken.steps())
        else:
            yield [step]


def hands_of(table: Table) -> list[str]:
    """The hands as sorted text."""
    rules = border.kernel_rules(table.rules)
    masks = [int(mask) for mask in table.state[values.HAND : values.HAND + table.rules.n_seats]]
    if table.phase in ("play", "done") and table.trump is not None:
        masks = [int(as_printed(rules, mask, table.trump)) for mask in masks]
    return [" ".join(sorted(cards_text(mask, table.rules.pack).split())) for mask in masks]


def result_of(table: Table) -> Result:
    """What the kernels say came of a finished deal, in a record's words."""
    rules, state = table.rules, table.state
    points = [int(n) for n in state[values.POINTS : values.POINTS + len(rules.sides)]]
    if state[values.CLAIMED]:
        return {"claimed": table.seat, "points": points}
    if state[values.MAKER] < 0:
        return {"thrown_in": True, "points": points}
    seats = range(rules.n_seats)
    result: Result = {"trump": SUIT_LETTERS[state[values.AT_TRUMP]], "maker": int(state[values.MAKER]) + 1}
    if rules.game.is_bid:
        result["bid"] = border.level_word(rules, int(state[values.HOW]))
    result["alone"] = [seat + 1 for seat in seats if int(state[values.ALONE]) >> seat & 1]
    result["tricks"] = [int(state[values.TRICKS + seat]) for seat in seats]
    return result | {"points": points}


def random_event(legal: list[Event], rng: random.Random, eager: dict[str, float]) -> Event:
    """A verb first, so that the many ways to keep five cards do not drown the one way to go alone."""
    verbs = list(dict.fromkeys(event[1] for event in legal))
    verb = rng.choices(verbs, [eager.get(verb, 1.0) for verb in verbs])[0]
    return rng.choice([event for event in legal if event[1] == verb])


def walk(game: str, changed: dict[str, Any], rng: random.Random, seen: set[str] | None = None) -> None:
    """Walk through one random deal side by side and compare all there is to compare."""
    record = deal(game, changed, rng)
    eager = rng.choice(EAGER)
    reference, table = Reference(record), kernel_table(record)
    while not reference.done:
        legal, steps = reference.legal(), legal_steps(table)
        assert set(steps) == {plain(event) for event in legal}, f"{record} after {reference.events}"
        assert not table.is_done
        if table.phase not in ("give", "return"):
            held = [" ".join(sorted(reference.hands[seat])) for seat in reference.seats]
            assert hands_of(table) == held, f"{record} after {reference.events}"
        event = random_event(legal, rng, eager)
        reference.play(event)
        for step in rng.choice(steps[plain(event)]):
            table.apply(step)
        if seen is not None:
            seen.add(event[1])
    assert table.is_done, f"{record} after {reference.events}"
    assert table.steps() == []
    assert result_of(table) == reference.result(), f"{record} after {reference.events}"


# The house rules, one at a time and many together.


def packs(game: str) -> list[dict[str, Any]]:
    joker = {"joker": True}
    return [{}, joker, {"deck": 48}] if game == "bid" else [{}, joker, {"deck": 32}, {"deck": 32, "joker": True}]


def single_changes(game: str) -> list[dict[str, Any]]:
    """Every value of every house rule that can change a deal."""
    fields = ((field, value) for field, values in CHOICES[game].items() for value in values)
    usual = DEFAULTS[game]
    return [{field: value} for field, value in fields if field not in BORING and value != usual[field]]


def together(*changes: dict[str, Any]) -> dict[str, Any]:
    """All the changes; a double pack has no joker."""
    chosen: dict[str, Any] = {}
    for change in changes:
        chosen |= change
    return chosen | ({"joker": False} if chosen.get("deck") == 48 else {})


def random_change(game: str, rng: random.Random) -> dict[str, Any]:
    return together({field: rng.choice(values) for field, values in CHOICES[game].items()})


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.fast
def test_a_few_deals_are_called_and_played_as_the_reference_allows(game: str) -> None:
    rng = random.Random(f"few {game}")
    for pack in packs(game):
        walk(game, pack, rng)
    for change in single_changes(game):
        walk(game, together(rng.choice(packs(game)), change), rng)


VERBS = {
    "two-handed": {"pass", "order", "name", "pickup", "leave", "play"},
    "three-handed": {"pass", "order", "name", "pickup", "leave", "dummy", "alone", "together", "play"},
    "four-handed": {"pass", "order", "name", "pickup", "play"},
    "bid": {"pass", "bid", "trump", "give", "return", "play"},
}


@pytest.mark.parametrize(("game", "pack"), [(game, pack) for game in GAMES for pack in packs(game)], ids=str)
def test_the_usual_rules_with_every_pack(game: str, pack: dict[str, Any]) -> None:
    rng = random.Random(f"usual {game} {pack}")
    seen: set[str] = set()
    for _ in range(100):
        walk(game, pack, rng, seen)
    assert seen >= VERBS[game]


@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_every_house_rule(game: str) -> None:
    rng = random.Random(f"single {game}")
    for change in single_changes(game):
        for _ in range(16):
            walk(game, together(rng.choice(packs(game)), change), rng)


@pytest.mark.parametrize("game", GAMES)
def test_random_combinations_of_house_rules(game: str) -> None:
    rng = random.Random(f"combined {game}")
    for _ in range(300):
        walk(game, random_change(game, rng), rng)


# Corners that chance seldom finds.


def test_a_partner_asked_for_three_cards_returns_none_that_he_was_given() -> None:
    """Double pack: the bidder gives a right bower whose twin the partner holds; only the twin may come back."""
    rng = random.Random("exchange")
    eager = {"pass": 0.05}
    n_returned = 0
    for _ in range(60):
        record = deal("bid", {"deck": 48, "exchange": 3}, rng)
        reference, table = Reference(record), kernel_table(record)
        while not reference.done and not (reference.events and reference.events[-1][1] == "play"):
            legal, steps = reference.legal(), legal_steps(table)
            assert set(steps) == {plain(event) for event in legal}
            asks = [event for event in legal if event[1:] == ["bid", "ask"]]
            high = [event for event in legal if event[1] == "give" and event[2][0] in "AJ"]
            passes = [event for event in legal if reference.bid == "ask" and event[1] == "pass"]
            event = (asks or high or passes or [random_event(legal, rng, eager)])[0]
            n_returned += event[1] == "return"
            reference.play(event)
            for step in rng.choice(steps[plain(event)]):
                table.apply(step)
        assert hands_of(table) == [" ".join(sorted(reference.hands[seat])) for seat in reference.seats]
    assert n_returned == 180


def test_a_joker_that_the_dealer_leaves_is_out_of_play_and_its_suit_is_trump() -> None:
    rules = rules_of("two-handed", {"joker": True})
    hands = [parse_cards(text, rules.pack) for text in ("AC KC QC TC 9C", "AD KD QD TD 9D")]
    table = Table.dealt(rules, hands, upcard=parse_card("JO", rules.pack), up_suit=2)
    for step in (Step(values.SAY_ORDER, 0), Step(values.LEAVE, 0)):
        table.apply(step)
    assert table.trump == 2
    assert table.phase == "play"
    assert table.state[values.GONE] == values.JOKER


@pytest.mark.parametrize(
    ("hand", "may"),
    [
        ("AS TS 9S AH TD 9D", True),
        ("9S 9H 9C TS TH TD", False),
        ("AS TS 9S AH TD JD", False),
        ("AS TS 9S AH TD QD", False),
        ("KS TS 9S AH TD 9D", False),
        ("AS AH AD AC TD 9D", True),
    ],
)
@pytest.mark.parametrize("auction", ["one-turn", "until-three-pass"])
@pytest.mark.fast
def test_an_ace_and_no_face_may_be_claimed_at_the_first_turn_to_call_and_nothing_else(
    hand: str, may: bool, auction: str
) -> None:
    rules = rules_of("bid", {"ace_no_face": True, "stick_the_dealer": True, "auction": auction})
    cards = parse_cards(hand, rules.pack)
    rest = [card for card in cards_text(rules.pack.cards & ~cards, rules.pack).split() if card[0] in "JQK"]
    others = [parse_cards(" ".join(rest[place::3][:3]), rules.pack) for place in range(3)]
    table = Table.dealt(rules, [*others, cards])
    for _ in range(3):
        assert values.CLAIM not in {step.verb for step in table.steps()}
        table.apply(Step(values.PASS, 0))
    verbs = {step.verb for step in table.steps()}
    assert (values.CLAIM in verbs) == may
    assert values.PASS not in verbs


@pytest.mark.fast
def test_a_joker_dealers_claim_goes_by_his_seven_and_the_joker_is_no_face() -> None:
    rules = rules_of("bid", {"ace_no_face": True, "joker": True})
    for seven, gone, may in (("JO AS TS 9S AH TD 9D", "AS", True), ("KS AS TS 9S AH TD 9D", "KS", False)):
        dealer = parse_cards(seven, rules.pack)
        table = Table.dealt(rules, [0, 0, 0, dealer])
        table.apply(Step(values.LAY_DOWN, parse_card(gone, rules.pack)))
        for _ in range(3):
            table.apply(Step(values.PASS, 0))
        assert (values.CLAIM in {step.verb for step in table.steps()}) == may
