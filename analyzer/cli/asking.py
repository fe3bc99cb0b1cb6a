"""Turns `euchre ask` with no hand, on a terminal, into a question asked step by step, and the command for it.

Every answer is checked at once, by the same rules and in the same words as what is typed after the command.
"""

import shlex
import sys
from collections.abc import Callable
from typing import Any

import click

from analyzer.cli.kinds import Seat
from analyzer.cli.notes import STOPPED, error_line
from analyzer.cli.options import House, game_named
from analyzer.errors import QuestionError

_DEFAULT = "four-handed"


def can_ask() -> bool:
    """Whether somebody sits at a terminal who can be asked."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def asked_step_by_step(house: House, words: dict[str, Any]) -> tuple[House, str, dict[str, Any]]:
    """Ask for what the question needs and was not typed; the same three as if it had been.

    Shows the command that it amounts to, which the provenance then has. Ctrl-C and Ctrl-D leave with status 130.
    """
    try:
        return _asked(house, words)
    except click.Abort:
        click.echo(err=True)
        raise click.exceptions.Exit(STOPPED) from None


def _asked(house: House, words: dict[str, Any]) -> tuple[House, str, dict[str, Any]]:
    found = dict(words)
    if not house.is_given and not words:
        game = _answer("Game: two-handed, three-handed, four-handed, bid", game_named, _DEFAULT)
        house = House(game_named(game).name, (), None)
    rules = house.rules()
    from analyzer.asked import asker_of, position_from_options, read_score  # numba is heavy
    from analyzer.cards import parse_cards

    if "up" not in found and not rules.game.is_bid:
        example = "QH; a joker with the suit it stands for: JO hearts" if rules.joker else "QH"
        found["up"] = _answer(f"Card turned up, as in {example}", lambda text: asker_of(rules, up=text))
    up = found.get("up")
    if "seat" not in found and "calls" not in found:
        said = _answer(
            "What was said so far, from the dealer's left on; Enter for nothing, or nothing but passes",
            lambda text: asker_of(rules, up=up, calls=text or None),
            "",
        )
        if said:
            found["calls"] = said  # it tells whose turn it is
        else:
            kind = Seat("the seat, if not dealer,", 1, rules.n_seats)
            typed = _answer(
                f"Your seat from the dealer's left: 1 to {rules.n_seats}, or dealer",
                lambda text: asker_of(rules, up=up, seat=_number(kind, text, rules.n_seats)),
                "1",
            )
            found["seat"] = _number(kind, typed, rules.n_seats)
    if found.get("seat") == Seat.DEALER:
        found["seat"] = rules.n_seats
    must_tell = asker_of(rules, up=up, seat=found.get("seat"), calls=found.get("calls"))[1]

    def read_hand(text: str) -> None:
        n = parse_cards(text, rules.pack).bit_count()
        if not text.strip():
            raise QuestionError(f"expected your {rules.hand_size} cards, as in JH JD AH KH 9S")
        if not must_tell or n != rules.hand_size:
            position_from_options(rules, text, **{name: found[name] for name in found if name != "score"})

    hand = _answer("Your cards, as you hold them now", read_hand)
    if must_tell and "discarded" not in found and parse_cards(hand, rules.pack).bit_count() == rules.hand_size:
        found["discarded"] = _answer(
            "The card that you discarded",
            lambda text: position_from_options(
                rules, hand, **{**{name: found[name] for name in found if name != "score"}, "discarded": text}
            ),
        )
    if "score" not in found:
        example = ",".join(["0"] * len(rules.sides))
        score = _answer(
            f"Score in seat order, as in {example}, if it matters", lambda text: read_score(rules, text or None), ""
        )
        if score:
            found["score"] = score
    _show_command(house, hand, {name: found[name] for name in found if name not in words})
    return house, hand, found


def _number(kind: Seat, text: str, dealer: int) -> int:
    """A seat as typed; raises QuestionError as the option would."""
    try:
        number = kind.convert(text.strip(), None, None)
    except click.BadParameter as error:
        raise QuestionError(error.message) from error
    return dealer if number == Seat.DEALER else number


def _answer(question: str, check: Callable[[str], object], default: str | None = None) -> str:
    """What is typed to this question, asked again until it passes the check; Enter alone is the default."""
    while True:
        text = str(click.prompt(question, default=default, show_default=bool(default), err=True)).strip()
        try:
            check(text)
        except QuestionError as error:
            error_line(str(error))
        else:
            return text


def _show_command(house: House, hand: str, added: dict[str, Any]) -> None:
    """Print the command that would have asked the same, and let the provenance have it."""
    root = click.get_current_context().find_root()
    typed = list(root.obj or ("ask",))
    game = [] if house.game in (None, _DEFAULT) or {"-g", "--game"} & set(typed) else ["-g", house.game]
    options = [word for name, value in added.items() for word in (f"--{name}", str(value))]
    root.obj = (*typed, *game, hand, *options)
    click.echo(shlex.join(["euchre", *root.obj]), err=True)
