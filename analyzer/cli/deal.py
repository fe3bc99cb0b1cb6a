"""Turns a seed and the numbers of deals into hands dealt and not yet played."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from analyzer.cli.kinds import MOST_DEALS, Whole
from analyzer.cli.options import (
    House,
    deals_option,
    house_options,
    output_options,
    seed_option,
)
from analyzer.cli.words import EuchreCommand, Output

if TYPE_CHECKING:
    from analyzer.record import HandRecord


@click.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre deal
  euchre deal -g bid -r deck=48 --deals 3
  euchre deal -g three --seed 7 --deal 1234 --format json
""",
)
@house_options
@deals_option("How many deals.  [default: 1]", 1)
@seed_option
@click.option(
    "--deal",
    "first",
    type=Whole("the number of the deal", 0, MOST_DEALS),
    default=0,
    show_default=True,
    help="The number of the deal, or of the first one, as records and `simulate --seed` count them.",
)
@output_options
def deal(house: House, deals: int, seed: int, first: int, output: Output) -> None:
    """Deal hands at random, or those of a seed and a number again.

    JSON has one record a line, as yet without events.
    """
    from analyzer.simulate import deal_hands  # numba is heavy

    rules = house.rules()
    with output.counted("deal was", "deals were") as count:
        _print(count(deal_hands(rules, deals, seed=seed, first=first)), output)


def _print(hands: "Iterator[HandRecord]", output: Output) -> None:
    """Print deal after deal."""
    from analyzer.record import write_record  # numba is heavy

    if output.format == "csv":
        from msgspec import to_builtins

        from reports.frames import csv_text  # pandas is heavy

        output.write(csv_text(to_builtins(hand) for hand in hands))
    elif output.format == "json":
        with output.opened() as write:
            for hand in hands:
                write(write_record(hand) + "\n")
    else:
        from reports.hands import print_deal  # rich is heavy

        with output.shown() as show:
            for hand in hands:
                show(partial(print_deal, hand))
