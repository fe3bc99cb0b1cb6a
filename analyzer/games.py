"""Names every game of the family and the house rules that each can be played with.

A game is one value in GAMES: who sits down, and its house rules, each a RuleField with its values. Add a game here.
The rules themselves are told in docs/rules.md; which of them a table has chosen is a value of analyzer.rules.
"""

from dataclasses import dataclass
from typing import Final

from analyzer.errors import QuestionError, nearest

Value = bool | int | float | str


@dataclass(frozen=True, slots=True)
class RuleField:
    """A house rule as one game has it: its values, the default first, and a line of meaning.

    A range says its default apart, and so does a rule whose default is another one with 48 cards. `or_chance`: any
    number from 0 to 1 is a value too.
    """

    name: str
    values: tuple[Value, ...] | range
    meaning: str
    range_default: int | None = None
    double_default: int | None = None
    or_chance: bool = False

    @property
    def default(self) -> Value:
        """The value where nobody says otherwise."""
        return self.values[0] if self.range_default is None else self.range_default

    @property
    def allowed(self) -> str:
        """The values in words: `24 or 32`, `1 to 100`, `none or 0 to 1`."""
        if isinstance(self.values, range):
            return f"{self.values[0]} to {self.values[-1]}"
        words = [value_text(value) for value in self.values] + ["0 to 1"] * self.or_chance
        return " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)

    def default_with(self, deck: int) -> Value:
        """Return the default with this pack."""
        return self.default if deck != 48 or self.double_default is None else self.double_default

    def allows(self, value: object) -> bool:
        """Whether a value is one of ours, in type as well: True is not 1."""
        if self.or_chance and isinstance(value, int | float) and not isinstance(value, bool):
            return 0 <= value <= 1
        return any(type(value) is type(own) and value == own for own in self.values)


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the family: its seats by side, the cards of a hand, its house rules."""

    name: str
    aliases: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    hand_size: int
    fields: tuple[RuleField, ...]
    has_dummy: bool = False
    is_bid: bool = False

    def __hash__(self) -> int:
        """By the name, which no other game has: to hash every house rule would take longer than what is looked up."""
        return hash(self.name)

    @property
    def n_seats(self) -> int:
        """How many play."""
        return sum(map(len, self.sides))

    def field(self, name: str) -> RuleField:
        """Return a house rule of this game by name.

        Raises QuestionError for a name that no game has, with the nearest one, and for a rule of another game.
        """
        found = next((field for field in self.fields if field.name == name), None)
        if found:
            return found
        others = [game.name for game in GAMES.values() if any(field.name == name for field in game.fields)]
        if others:
            raise QuestionError(f"{name} is a house rule of {' and '.join(others)}; {self.name} does not have it")
        names = [field.name for field in self.fields]
        hint = nearest(name, names) or f"expected one of {', '.join(names)}"
        raise QuestionError(f'there is no house rule "{name}": {hint}')


_NO_YES: Final = (False, True)

_JOKER_MEANING: Final = "the pack has a joker, the highest trump"
_STICK: Final = RuleField("stick_the_dealer", _NO_YES, "the dealer may not be the last to pass")
_RENEGE: Final = RuleField(
    "renege_caught", ("none",), "none: nobody can renege; else the chance that it is noticed", or_chance=True
)

_TURN_UP: Final = (
    RuleField("deck", (24, 32), "cards in the pack: 9 to A or 7 to A of each suit"),
    RuleField("target", range(1, 101), "points that win the game", 10),
    RuleField("joker", _NO_YES, _JOKER_MEANING),
    _STICK,
    RuleField("turned_down_suit", ("barred", "allowed"), "may round two name the suit that was turned down"),
    RuleField("discard_upcard", _NO_YES, "the dealer who takes the upcard may discard that very card"),
    RuleField("joker_turned_up", ("dealer-names", "hearts"), "the suit that a turned joker stands for"),
)

_PICKUP_MEANING: Final = "must a dealer who was ordered take the upcard"
_MAY_LEAVE: Final = RuleField("pickup", ("optional", "compulsory"), _PICKUP_MEANING)
_MUST_TAKE: Final = RuleField("pickup", ("compulsory", "optional"), _PICKUP_MEANING)

_THREE: Final = (
    RuleField("both_alone_lead", ("defender", "maker", "eldest"), "who leads when two play alone"),
    RuleField("lone_maker_march", range(3, 21), "points for all five tricks of a lone maker", 3),
    RuleField("tie", ("higher-total", "eldest", "joint"), "who wins when two defenders get home together"),
)

_FOUR: Final = (
    RuleField("partner_orders_alone", _NO_YES, "the dealer's partner may order in round one only alone"),
    RuleField("lone_march", range(2, 21), "points for all five tricks of a lone maker", 4),
    RuleField("loner_euchred", (2, 4), "points to the side that euchres a loner"),
    RuleField("defend_alone", _NO_YES, "an opponent of a loner may defend alone, a euchre then scores 4"),
    RuleField("lone_lead", ("eldest", "left-of-maker"), "who leads against a loner"),
)

_BID: Final = (
    RuleField("deck", (24, 48), "cards in the pack: 9 to A of each suit, once or twice"),
    RuleField("target", range(1, 101), "points that win the game; with 48 cards 52 unless said", 32, 52),
    RuleField("joker", _NO_YES, _JOKER_MEANING + "; not with 48 cards"),
    _STICK,
    RuleField("lone_lead", ("bidder", "left-of-bidder"), "who leads when the bidder plays ask or moon"),
    RuleField("ace_no_face", _NO_YES, "a hand with an ace and no J, Q or K may be claimed and thrown in"),
    RuleField("plain_six", _NO_YES, "every trick with the partner playing may be bid, just below ask"),
    RuleField("auction", ("one-turn", "until-three-pass"), "one turn each, or until all others have passed"),
    RuleField("exchange", (1, 2, 3), "cards exchanged by ask"),
    RuleField("failed_alone", ("bid", "value"), "a failed ask or moon costs the bid, or what it would have paid"),
    RuleField("defenders_score", ("always", "when-set", "never"), "when the other side scores its tricks"),
    RuleField("negative_scores", (True, False), "a total may fall below zero"),
    RuleField("tie", ("play-on", "bidder", "higher-total"), "what happens when both sides get home together"),
)

_PARTNERS: Final = ((1, 3), (2, 4))

GAMES: Final = {
    game.name: game
    for game in (
        Game("two-handed", ("two", "2"), ((1,), (2,)), 5, (*_TURN_UP, _MAY_LEAVE, _RENEGE)),
        Game(
            "three-handed",
            ("three", "3"),
            ((1,), (2,), (3,)),
            5,
            (*_TURN_UP, _MAY_LEAVE, *_THREE, _RENEGE),
            has_dummy=True,
        ),
        Game("four-handed", ("four", "4"), _PARTNERS, 5, (*_TURN_UP, _MUST_TAKE, *_FOUR, _RENEGE)),
        Game("bid", (), _PARTNERS, 6, (*_BID, _RENEGE), is_bid=True),
    )
}


def find_game(text: str) -> Game:
    """Return the game of a name or an alias (`three`, `3`), in any case.

    Raises QuestionError for anything else, with the names there are.
    """
    word = text.strip().casefold()
    for game in GAMES.values():
        if word == game.name or word in game.aliases:
            return game
    hint = nearest(word, [name for game in GAMES.values() for name in (game.name, *game.aliases)])
    raise QuestionError(f'there is no game "{text}": expected {", ".join(GAMES)}{"; " + hint if hint else ""}')


def fields_of(game: Game) -> tuple[RuleField, ...]:
    """Return the house rules of a game, in the order in which they are listed."""
    return game.fields


def value_text(value: object) -> str:
    """Return a value as it is typed: `true`, `24`, `0.1`, `barred`."""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value).lower() if isinstance(value, bool) else str(value)
