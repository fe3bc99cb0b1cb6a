"""Open hands played perfectly, by trying everything: the yardstick the solver's kernel is tested against.

Hands are lists of two-character cards, seats count from 1, and the rules of a trick are those of `reference`. There is
no bound, no order and no memory here: every card that may be played is played.
"""

from collections.abc import Callable

from reference import distinct, may_play, suit_of, trick_winner, without

Hands = dict[int, list[str]]
Trick = list[tuple[int, str]]


def clockwise(hands: Hands, leader: int) -> list[int]:
    """The seats in play, in the order of a trick that `leader` leads."""
    seats = sorted(hands)
    place = seats.index(leader)
    return seats[place:] + seats[:place]


Rest = Callable[[set[int], Hands, str, int, Trick], int]


def tricks_of(side: set[int], hands: Hands, trump: str, leader: int, trick: Trick, rest: Rest | None = None) -> int:
    """The tricks `side` takes from here, the one in progress included; `hands` has the seats in play alone.

    `rest` says what it takes after this trick, where that is known; otherwise it is found in the same way.
    """
    if len(trick) == len(hands):
        winner = trick_winner(trick, trump)
        return (winner in side) + (rest or tricks_of)(side, hands, trump, winner, [])
    seat = clockwise(hands, leader)[len(trick)]
    if not trick and not hands[seat]:
        return 0
    found = list(values_of_cards(side, hands, trump, leader, trick, rest).values())
    return max(found) if seat in side else min(found)


def values_of_cards(
    side: set[int], hands: Hands, trump: str, leader: int, trick: Trick, rest: Rest | None = None
) -> dict[str, int]:
    """What `side` takes from here after each card that the seat to play may play."""
    seat = clockwise(hands, leader)[len(trick)]
    led = suit_of(trick[0][1], trump) if trick else None
    values = {}
    for card in distinct(may_play(hands[seat], led, trump)):
        left = hands | {seat: without(hands[seat], card)}
        values[card] = tricks_of(side, left, trump, leader, [*trick, (seat, card)], rest)
    return values
