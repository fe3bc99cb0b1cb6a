"""Turns a game and the house rules of a table into one checked value, Rules.

Each house rule is one attribute of Rules, named as in options, files and records; what values a game gives it stands in
analyzer.games, whose names that others need can be had from here too. Nothing here plays.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from analyzer.cards import Pack
from analyzer.errors import QuestionError
from analyzer.games import GAMES, Game, RuleField, Value, fields_of, find_game, value_text

__all__ = [
    "GAMES",
    "Game",
    "Level",
    "RuleField",
    "Rules",
    "Value",
    "checked",
    "demand_lawful_play",
    "fields_of",
    "find_game",
    "make_rules",
    "parse_rule",
    "read_rules_file",
    "value_text",
]

Level = int | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A game with every house rule decided; None where the game has no such rule. Made by `make_rules`."""

    game: Game

    deck: int
    """Cards in the pack, the joker not counted."""
    joker: bool
    """The pack has a joker, the highest trump."""
    target: int
    """Points that win the game."""
    stick_the_dealer: bool
    """The dealer may not be the last to pass."""
    turned_down_suit: str | None = None
    """`barred` or `allowed`: may round two name the suit turned down."""
    pickup: str | None = None
    """`optional` or `compulsory`: must a dealer who was ordered take the upcard."""
    discard_upcard: bool | None = None
    """The dealer who took the upcard may discard it again."""
    joker_turned_up: str | None = None
    """`dealer-names` or `hearts`: which suit a turned joker stands for."""
    both_alone_lead: str | None = None
    """`defender`, `maker` or `eldest`: who leads when two are alone."""
    lone_maker_march: int | None = None
    """Points of a lone maker's five tricks, three-handed."""
    partner_orders_alone: bool | None = None
    """The dealer's partner orders in round one only alone."""
    lone_march: int | None = None
    """Points of a lone maker's five tricks, four-handed."""
    loner_euchred: int | None = None
    """Points to the side that euchres a loner."""
    defend_alone: bool | None = None
    """Opponents of a loner may defend alone."""
    lone_lead: str | None = None
    """`eldest` or `left-of-maker`; bid: `bidder` or `left-of-bidder`: who leads when somebody is alone."""
    ace_no_face: bool | None = None
    """A hand with an ace and no face card may be claimed and thrown in."""
    plain_six: bool | None = None
    """Every trick may be bid with the partner playing, just below ask."""
    auction: str | None = None
    """`one-turn` or `until-three-pass`."""
    exchange: int | None = None
    """Cards exchanged by ask."""
    failed_alone: str | None = None
    """`bid` or `value`: what a failed ask or moon costs."""
    defenders_score: str | None = None
    """`always`, `when-set` or `never`: when the other side scores its tricks."""
    negative_scores: bool | None = None
    """Totals may fall below zero."""
    tie: str | None = None
    """Who wins when two are home together; the values are the game's."""
    renege_caught: float | str = "none"
    """`none`: an illegal play is impossible; else the chance that one is noticed."""

    def changed(self) -> dict[str, Value]:
        """Return only the house rules that differ from the defaults of this game and pack."""
        values = ((field, getattr(self, field.name)) for field in self.game.fields)
        return {field.name: value for field, value in values if value != field.default_with(self.deck)}

    @property
    def can_renege(self) -> bool:
        """Whether illegal plays are possible."""
        return self.renege_caught != "none"

    @property
    def has_floor(self) -> bool:
        """Whether no total falls below zero: by a house rule, or as no deal of the game takes points away."""
        return not self.negative_scores if self.game.is_bid else not self.can_renege

    @property
    def pack(self) -> Pack:
        """The cards the game is played with."""
        return Pack(self.deck, self.joker)

    @property
    def n_seats(self) -> int:
        """How many play."""
        return self.game.n_seats

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side, in the order in which scores are listed."""
        return self.game.sides

    @property
    def hand_size(self) -> int:
        """Cards a seat plays with: 5, 6 or 12."""
        return 12 if self.deck == 48 else self.game.hand_size

    @property
    def n_tricks(self) -> int:
        """Tricks in a deal."""
        return self.hand_size

    @property
    def dealt(self) -> tuple[int, ...]:
        """Cards dealt to each seat: in bid with the joker the dealer has one more than he plays with."""
        extra = 1 if self.game.is_bid and self.joker else 0
        return (self.hand_size,) * (self.n_seats - 1) + (self.hand_size + extra,)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The bids that can be made, in rising order; none in the turn-up games."""
        if not self.game.is_bid:
            return ()
        return (*range(3, self.hand_size), *(("six",) if self.plain_six else ()), "ask", "moon")


def make_rules(game: Game, changes: Mapping[str, object] | None = None) -> Rules:
    """Return the rules of a game with some house rules changed; the values are of the field's own type.

    Raises QuestionError for an unknown field, one of another game, a value that is not allowed, a joker with 48 cards.
    """
    chosen = {name: checked(game, name, value) for name, value in (changes or {}).items()}
    deck = chosen.get("deck", game.field("deck").default)
    assert isinstance(deck, int)
    if deck == 48 and chosen.get("joker"):
        raise QuestionError("joker=true cannot be played with deck=48: a double pack has no joker")
    values = {field.name: field.default_with(deck) for field in game.fields} | chosen
    return Rules(game=game, **values)  # type: ignore[arg-type]  # each value was checked against its field


def checked(game: Game, name: str, value: object) -> Value:
    """Return the value of a house rule if this game allows it; a chance is a float.

    Raises QuestionError as `make_rules` does, for this one field.
    """
    field = game.field(name)
    if not field.allows(value):
        is_quoted = isinstance(value, str) and field.allows(_read_value(field, value))
        read = f'"{value}"' if is_quoted else value_text(value)
        is_switch = isinstance(field.default, bool)
        why = "is neither of its values" if is_switch else f"is not played in {game.name}"
        raise QuestionError(f"{name}={read} {why}: {name} can be {field.allowed}")
    assert isinstance(value, Value)
    return float(value) if field.or_chance and not isinstance(value, str) else value


_SPOKEN = {"yes": "true", "no": "false"}
_NUMBER = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?")


def demand_lawful_play(rules: Rules, what: str) -> None:
    """Refuse a question about a game in which illegal plays are possible.

    `what` is said of it: `ask answers`. Raises QuestionError.
    """
    if rules.can_renege:
        raise QuestionError(
            f"{what} for play by the rules alone: leave out renege_caught={value_text(rules.renege_caught)}, or see"
            " what reneging is worth with euchre compare or sweep"
        )


def parse_rule(text: str, game: Game) -> tuple[str, Value]:
    """Return the field and the value of `deck=32`, checked for this game.

    Raises QuestionError for text of another form and as `make_rules` does for the field and its value.
    """
    name, equals, word = (part.strip() for part in text.partition("="))
    if not (name and equals and word):
        raise QuestionError(f'cannot read the house rule "{text}": expected FIELD=VALUE, as in deck=32')
    name = name.casefold().replace("-", "_")
    return name, checked(game, name, _read_value(game.field(name), word))


def _read_value(field: RuleField, word: str) -> Value:
    """The value that a word means; the word itself where it means none."""
    named = {value_text(value): value for value in field.values}
    typed = _SPOKEN.get(word.casefold(), word.casefold())
    if field.or_chance and _NUMBER.fullmatch(typed):
        return float(typed)
    return named.get(typed, word)


def read_rules_file(path: Path, game: Game) -> dict[str, Value]:
    """Return the house rules of a flat TOML file (`deck = 32`), each checked for this game.

    Raises QuestionError, naming the file, if it cannot be read, and the field if that or its value is wrong.
    """
    try:
        read = msgspec.toml.decode(path.read_bytes(), type=dict[str, object])
    except OSError as error:
        raise QuestionError(f"cannot read the rules file {path}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise QuestionError(f"{path} is not a TOML file of house rules, as in deck = 32: {error}") from error
    try:
        return {name: checked(game, name, value) for name, value in read.items()}
    except QuestionError as error:
        raise QuestionError(f"{path}: {error}") from error
