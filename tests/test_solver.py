"""Open hands are played perfectly: the solver's kernel takes as many tricks as trying everything does."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from reference import full_rules, may_play, pack, suit_of, without
from reference_solver import Hands, Trick, clockwise, tricks_of, values_of_cards
from test_kernel_rules import rules_of

from analyzer import border
from analyzer.cards import cards_text, parse_cards
from kernels import solve_doors, solver
from kernels.compile import door
from kernels.memory import N_ENDS, SEEN_WORDS, Memory
from kernels.order import printed_order, trump_order

PACKS: dict[str, tuple[str, dict[str, Any]]] = {
    "24": ("four-handed", {}),
    "24 + joker": ("four-handed", {"joker": True}),
    "32": ("four-handed", {"deck": 32}),
    "32 + joker": ("four-handed", {"deck": 32, "joker": True}),
    "48": ("bid", {"deck": 48}),
}
PARTNERS = ({1, 3}, {2, 4})
NEXT = {"C": "S", "S": "C", "D": "H", "H": "D"}
SEATS_OF = {
    "two-handed": [[1, 2]],
    "three-handed": [[1, 2, 3], [1, 2], [1, 3], [2, 3]],
    "four-handed": [[1, 2, 3, 4], [1, 2, 4], [2, 3, 4], [1, 4], [3, 4]],
}


@door
def in_trump_order(rules: Any, mask: int, trump: int) -> int:
    return trump_order(rules, mask, trump)  # type: ignore[no-any-return]


@door
def in_printed_order(rules: Any, mask: int, trump: int) -> int:
    return printed_order(rules, mask, trump)  # type: ignore[no-any-return]


def new_memory(n_seen: int = 0) -> Memory:
    return Memory(np.zeros(N_ENDS, np.uint8), np.zeros(n_seen * SEEN_WORDS, np.int64))


MEMORY = new_memory()
"""Filled by all tests, as it is by all questions."""


@dataclass
class Position:
    """Open hands in the words of the reference."""

    pack: str
    trump: str
    hands: Hands
    leader: int
    side: set[int]
    trick: Trick = field(default_factory=list)

    def minimax(self) -> int:
        return tricks_of(self.side, self.hands, self.trump, self.leader, self.trick)

    def first_trick(self, memory: Memory) -> int:
        """What comes of the best first trick, if the kernel is right about all that follows it."""

        def rest(side: set[int], hands: Hands, trump: str, leader: int, trick: Trick) -> int:
            return solved(Position(self.pack, trump, hands, leader, side, trick), memory)

        return tricks_of(self.side, self.hands, self.trump, self.leader, self.trick, rest)


@dataclass
class Arrays:
    """The same as kernels take it."""

    rules: Any
    hands: np.ndarray[Any, np.dtype[np.int64]]
    leader: int
    side: int
    played: int


def arrays_of(position: Position) -> Arrays:
    game, changes = PACKS[position.pack]
    rules = rules_of(game, changes)
    kernel_rules = border.kernel_rules(rules)
    trump = "CDHS".index(position.trump)
    hands = np.zeros(4, np.int64)
    taken = played = 0
    for seat, hand in position.hands.items():
        laid = parse_cards(" ".join(card for who, card in position.trick if who == seat), rules.pack, taken=taken)
        held = parse_cards(" ".join(hand), rules.pack, taken=taken | laid)
        taken |= laid | held
        hands[seat - 1] = in_trump_order(kernel_rules, laid | held, trump)
        played |= in_trump_order(kernel_rules, laid, trump)
    side = sum(1 << (seat - 1) for seat in position.side)
    return Arrays(kernel_rules, hands, position.leader - 1, side, int(played))


def solved(position: Position, memory: Memory = MEMORY) -> int:
    found = arrays_of(position)
    tricks = np.zeros(1, np.int64)
    solve_doors.solve_positions(
        found.rules,
        memory,
        found.hands.reshape(1, 4),
        np.array([found.leader]),
        np.array([found.side]),
        np.array([found.played]),
        tricks,
    )
    return int(tricks[0])


def solved_cards(position: Position) -> dict[str, int]:
    found = arrays_of(position)
    cards, tricks = np.zeros((2, solve_doors.MAX_CARDS), np.int64)
    n = solve_doors.solve_cards(found.rules, MEMORY, found.hands, found.leader, found.side, found.played, cards, tricks)
    game, changes = PACKS[position.pack]
    trump = "CDHS".index(position.trump)
    values: dict[str, int] = {}
    for card, value in zip(cards[:n].tolist(), tricks[:n].tolist(), strict=True):
        text = cards_text(int(in_printed_order(found.rules, card, trump)), rules_of(game, changes).pack)
        assert values.setdefault(text, value) == value, "twins are worth the same"
    return values


def random_position(
    rng: random.Random,
    pack_name: str,
    seats: Sequence[int],
    side: set[int],
    n_cards: int,
    n_played: int = 0,
    few: bool = False,
) -> Position:
    """Hands dealt at random; with `few`, of as few different cards as will do, so that twins and neighbours meet."""
    game, changes = PACKS[pack_name]
    cards = pack(full_rules(game, changes))
    rng.shuffle(cards)
    if few:
        kinds = list(dict.fromkeys(cards))
        copies = 2 if pack_name == "48" else 1
        cards = kinds[: -(-len(seats) * n_cards // copies)] * copies
        rng.shuffle(cards)
    hands = {seat: cards[n * n_cards : (n + 1) * n_cards] for n, seat in enumerate(seats)}
    position = Position(pack_name, rng.choice("CDHS"), hands, rng.choice(seats), side)
    for seat in clockwise(hands, position.leader)[:n_played]:
        led = suit_of(position.trick[0][1], position.trump) if position.trick else None
        card = rng.choice(may_play(hands[seat], led, position.trump))
        hands[seat] = without(hands[seat], card)
        position.trick.append((seat, card))
    return position


def some_side(rng: random.Random, seats: Sequence[int]) -> set[int]:
    """Partners of four mostly, else one against the others, sometimes any."""
    if len(seats) == 4 and rng.random() < 0.8:
        return rng.choice(PARTNERS)
    if rng.random() < 0.8:
        return {rng.choice(seats)}
    return set(rng.sample(list(seats), rng.randint(0, len(seats))))


def random_positions(seed: int, n: int, n_cards: int, few: bool = False, packs: Sequence[str] = tuple(PACKS)) -> Any:
    rng = random.Random(seed)
    for _ in range(n):
        seats = rng.choice([seats for all_seats in SEATS_OF.values() for seats in all_seats])
        n_played = rng.choice([0, 0, 1, 2, 3]) % len(seats)
        yield random_position(rng, rng.choice(packs), seats, some_side(rng, seats), n_cards, n_played, few)


def renamed(position: Position, trump: str) -> Position:
    """The same position with the trump suit and its colour exchanged for others."""
    green = {"C": "D", "S": "H", "D": "S", "H": "C"}
    new = {position.trump: trump, NEXT[position.trump]: NEXT[trump]}
    new |= {green[position.trump]: green[trump], NEXT[green[position.trump]]: NEXT[green[trump]]}

    def name(card: str) -> str:
        return card if card == "JO" else card[0] + new[card[1]]

    hands = {seat: [name(card) for card in hand] for seat, hand in position.hands.items()}
    trick = [(seat, name(card)) for seat, card in position.trick]
    return Position(position.pack, trump, hands, position.leader, position.side, trick)


def rotated(position: Position, by: int) -> Position:
    """The same position with everybody moved to the left."""

    def moved(seat: int) -> int:
        return (seat - 1 + by) % 4 + 1

    hands = {moved(seat): hand for seat, hand in position.hands.items()}
    trick = [(moved(seat), card) for seat, card in position.trick]
    side = {moved(seat) for seat in position.side}
    return Position(position.pack, position.trump, hands, moved(position.leader), side, trick)


# --- against trying everything ---


@pytest.mark.fast
def test_hands_of_one_and_two_cards_are_played_perfectly() -> None:
    for position in [*random_positions(1, 60, 1), *random_positions(2, 60, 2), *random_positions(3, 30, 2, few=True)]:
        assert solved(position) == position.minimax(), position


@pytest.mark.parametrize(("n_cards", "n"), [(1, 500), (2, 2500), (3, 1000), (4, 60)])
def test_small_hands_of_every_kind_are_played_perfectly(n_cards: int, n: int) -> None:
    for position in random_positions(10 + n_cards, n, n_cards):
        assert solved(position) == position.minimax(), position


@pytest.mark.parametrize(("n_cards", "n"), [(2, 1000), (3, 600), (4, 40)])
def test_hands_full_of_twins_are_played_perfectly(n_cards: int, n: int) -> None:
    for position in random_positions(20 + n_cards, n, n_cards, few=True, packs=["48"]):
        assert solved(position) == position.minimax(), position


@pytest.mark.parametrize(("n_cards", "n"), [(3, 500), (4, 20)])
def test_hands_of_neighbours_are_played_perfectly(n_cards: int, n: int) -> None:
    for position in random_positions(30 + n_cards, n, n_cards, few=True, packs=["24", "32 + joker"]):
        assert solved(position) == position.minimax(), position


@pytest.mark.parametrize("trump", "CDHS")
@pytest.mark.parametrize("pack_name", PACKS)
def test_every_card_that_may_be_played_has_its_own_value(pack_name: str, trump: str) -> None:
    rng = random.Random(f"{pack_name} {trump}")
    for _ in range(40):
        seats = rng.choice(SEATS_OF["four-handed"] + SEATS_OF["three-handed"])
        n_played = rng.randrange(len(seats))
        position = random_position(rng, pack_name, seats, some_side(rng, seats), 3, n_played, few=rng.random() < 0.5)
        position = renamed(position, trump)
        expected = values_of_cards(position.side, position.hands, position.trump, position.leader, position.trick)
        assert solved_cards(position) == expected, position


@pytest.mark.parametrize(
    ("pack_name", "n_cards", "n"), [("24", 5, 120), ("32 + joker", 5, 60), ("24", 6, 12), ("48", 5, 25)]
)
def test_a_whole_deal_is_worth_what_its_best_first_trick_leads_to(pack_name: str, n_cards: int, n: int) -> None:
    rng = random.Random(f"{pack_name} {n_cards}")
    for _ in range(n):
        position = random_position(rng, pack_name, [1, 2, 3, 4], rng.choice(PARTNERS), n_cards)
        assert solved(position) == position.first_trick(MEMORY), position


@pytest.mark.parametrize("seats", [[1, 2], [1, 2, 3], [1, 2, 4], [2, 3, 4]], ids=str)
def test_a_whole_deal_of_two_or_three_is_worth_what_its_best_first_trick_leads_to(seats: list[int]) -> None:
    rng = random.Random(str(seats))
    for _ in range(60):
        position = random_position(rng, rng.choice(["24", "32"]), seats, {rng.choice(seats)}, 5)
        assert solved(position) == position.first_trick(MEMORY), position


# --- what must hold of every value ---


def whole_deals(n: int) -> list[Position]:
    rng = random.Random(7)
    packs = ["24", "24 + joker", "32", "32 + joker"]
    four = [random_position(rng, rng.choice(packs), [1, 2, 3, 4], rng.choice(PARTNERS), 5) for _ in range(n)]
    return four + [random_position(rng, "24", [1, 2, 4], {rng.choice([1, 2, 4])}, 5) for _ in range(n // 2)]


def test_what_one_side_does_not_take_the_other_does() -> None:
    for position in whole_deals(200):
        others = Position(
            position.pack, position.trump, position.hands, position.leader, set(position.hands) - position.side
        )
        assert solved(position) + solved(others) == 5


def test_the_names_of_suits_and_seats_do_not_matter() -> None:
    rng = random.Random(8)
    for position in whole_deals(200):
        same = rotated(renamed(position, rng.choice("CDHS")), rng.randrange(4))
        assert solved(same) == solved(position)


def test_what_was_met_before_does_not_matter() -> None:
    for position in whole_deals(60):
        assert solved(position, new_memory()) == solved(position)


def test_long_hands_are_worth_the_same_whether_positions_are_remembered_or_not() -> None:
    rng = random.Random(9)
    few, many = new_memory(1 << 4), new_memory(1 << 12)
    for pack_name, n_cards in [("24", 6)] * 40 + [("48", 6)] * 40 + [("48", 7)] * 10:
        position = random_position(rng, pack_name, [1, 2, 3, 4], rng.choice(PARTNERS), n_cards)
        assert solved(position) == solved(position, few) == solved(position, many)


@pytest.mark.fast
def test_six_cards_are_worth_the_same_with_and_without_remembering() -> None:
    rng = random.Random(11)
    for pack_name in ("24", "48", "48"):
        position = random_position(rng, pack_name, [1, 2, 3, 4], rng.choice(PARTNERS), 6)
        assert solved(position, new_memory(16)) == solved(position, new_memory())


def test_long_hands_that_are_remembered_are_worth_what_their_best_first_trick_leads_to() -> None:
    rng = random.Random(10)
    memory = new_memory(1 << 14)
    for pack_name, n_cards in [("24", 6)] * 6 + [("48", 6)] * 4 + [("48", 7)] * 2:
        position = random_position(rng, pack_name, [1, 2, 3, 4], rng.choice(PARTNERS), n_cards)
        assert solved(position, memory) == position.first_trick(memory), position


def test_the_card_played_is_one_of_the_best() -> None:
    for position in whole_deals(60):
        values = solved_cards(position)
        assert set(values) == set(position.hands[position.leader])
        best = max(values.values()) if position.leader in position.side else min(values.values())
        assert best == solved(position)


@pytest.mark.parametrize("first", range(6))
def test_the_first_guess_does_not_matter(first: int) -> None:
    for position in whole_deals(20):
        found = arrays_of(position)
        tricks = value_guessed(found.rules, MEMORY, found.hands, found.leader, found.side, first)
        assert tricks == solved(position)


@door
def value_guessed(rules: Any, memory: Any, hands: Any, leader: int, side: int, first: int) -> int:
    players, n, mask = solve_doors.from_leader(hands, leader, side)
    return solver.value(rules, memory, players, solver.Goal(n, mask, 5, first), solver.NOTHING)  # type: ignore[no-any-return]


# --- hands any player can check ---


def hand(text: str, trump: str, leader: int, side: set[int], pack_name: str = "24", **trick: str) -> Position:
    """Hands in seat order, with / between them; a seat that sits out has none."""
    hands = {seat: cards.split() for seat, cards in enumerate(text.split("/"), 1) if cards.strip()}
    played = [(int(name.removeprefix("seat")), card) for name, card in trick.items()]
    return Position(
        pack_name, trump, {seat: hands.get(seat, []) for seat in {*hands, *dict(played)}}, leader, side, played
    )


HANDS: dict[str, tuple[Position, int]] = {
    "both bowers take two tricks": (hand("JH JD / AH KH / 9C 9D / AC KC", "H", 2, {1, 3}), 2),
    "a guarded left bower takes a trick": (hand("JD 9H / JH AC / 9C 9D / TC KC", "H", 2, {1, 3}), 1),
    "a bare left bower falls to the right": (hand("JD AS / JH AC / 9C 9D / TC KC", "H", 2, {1, 3}), 0),
    "the left bower must follow trump": (hand("JD / 9H / TC / 9C", "H", 2, {1, 3}), 1),
    "an ace is ruffed by a void player with a trump": (hand("AS / 9H / 9S / TS", "H", 1, {1, 3}), 0),
    "an ace holds where the trump must follow suit": (hand("AS KS / 9H TS / 9S 9C / QS TC", "H", 1, {1, 3}), 1),
    "the last player waits for what is led to him": (hand("AC KC / QC TC / 9D TD / AS 9S", "H", 2, {1, 3}), 2),
    "the joker beats the right bower": (hand("JH AS / JO 9C / 9S TC / TS QS", "H", 2, {2, 4}, "24 + joker"), 1),
    "the first of two right bowers wins": (hand("JH / JH / 9C / 9D", "H", 1, {1, 3}, "48"), 1),
    "the second of two right bowers loses": (hand("JH / JH / 9C / 9D", "H", 2, {1, 3}, "48"), 0),
    "a loner with the three best trumps marches": (
        hand("JH JD AH AS KS / KH QH 9S TS 9C / / TH 9H QS TC QC", "H", 1, {1}),
        5,
    ),
    "a lone defender with the last trump stops a march": (hand("JH AS / 9H 9S / /", "H", 1, {1}), 2),
    "with two at the table nobody ruffs for you": (hand("AS AC / 9H TH", "H", 1, {1}), 0),
    "three-handed two defend together": (hand("AS 9H / KS TH / 9S QH /", "H", 1, {1}), 1),
    "a trick in progress counts whole": (
        hand("AC / KC / QC / JC 9C", "H", 1, {1, 3}, seat1="AS", seat2="KS", seat3="QS"),
        2,
    ),
}


@pytest.mark.fast
@pytest.mark.parametrize("name", HANDS)
def test_hands_a_player_can_check(name: str) -> None:
    position, tricks = HANDS[name]
    assert position.minimax() == solved(position)
    assert solved(position) == tricks
