"""Turns `euchre sweep` into one number of a strategy, or a house rule, over many values on the same deals."""

from dataclasses import asdict
from functools import partial

import click

from analyzer.cli.batches import Race, race_options, stopped
from analyzer.cli.kinds import STRATEGY, VARIED
from analyzer.cli.notes import note
from analyzer.cli.options import House, drawn_options, house_options
from analyzer.cli.words import EuchreCommand, Output, charts, command_line, note_compiling, progress_bar
from analyzer.errors import QuestionError
from analyzer.files import check_apart


def _once(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> str:
    """The one value of an option that others could be dropped for."""
    if len(values) > 1:
        raise QuestionError(
            f"--vary was given {len(values)} times: one number or rule is varied at a time, give it once"
        )
    return values[0]


@click.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre sweep --vary call.order.seat1=5:9:0.5
  euchre sweep --strategy bold --against standard --vary call.order.seat3=6,7
  euchre sweep -g bid --vary bid.moon.seat1=11:15:1 --deals 20000
  euchre sweep -g bid --vary rule.failed_alone=bid,value --deals 20000
  euchre sweep --strategy bold --against standard --vary rule.deck=24,32
  euchre sweep -g two -r renege_caught=0.2 --vary play.renege=0,1
""",
)
@click.option(
    "--vary",
    type=VARIED,
    required=True,
    multiple=True,
    callback=_once,
    help="A number of a strategy, or rule. and a house rule; values as LOW:HIGH:STEP or A,B,C.",
)
@click.option("--strategy", type=STRATEGY, default="standard", show_default=True, help="Whose number is varied.")
@click.option(
    "--against",
    type=STRATEGY,
    help="Whom it meets.  [default: itself with nothing varied; with a rule varied it has every seat]",
)
@house_options
@race_options
@drawn_options
def sweep(vary: str, strategy: str, against: str | None, house: House, race: Race, output: Output) -> None:
    """Try every value of one number, or of one house rule, on the same deals.

    The strategy with the number varied meets itself unvaried, or another one, at tables where each holds every hand of
    a deal. A house rule is varied for all: points are then those of seat 1, or with --against those of --strategy.
    """
    from analyzer.rules import parse_rule  # msgspec, numba and rich are heavy
    from analyzer.strategy import find_strategy
    from analyzer.sweep import RULE, SweepStudy, variants_of
    from analyzer.sweep import sweep as find_best
    from reports.batches import print_sweep
    from reports.pages.many import sweep_page

    rules = house.rules()
    check_apart({"--resume": race.resume, **output.files})
    name, variants = variants_of(vary, rules, strategy, find_strategy, against)
    for text in house.rule:
        field, _ = parse_rule(text, rules.game)
        if name == RULE + field:
            raise QuestionError(f"-r {text} sets the rule that --vary {vary} varies: leave one of them out")
    most = race.most(rules)
    note_compiling(rules, "simulate")
    with progress_bar(most, "Playing") as progress:
        found = find_best(
            rules,
            SweepStudy(name, variants, race.seed),
            race.deals,
            max_deals=most,
            margin=race.within(rules),
            how=race.how(progress),
        )
    if len(found.rows) > 1 and not any(row.difference_low or row.difference_high for row in found.rows):
        whole = "; rules of the whole game show in simulate --matches" if name.startswith(RULE) else ""
        note(f"{name} changed none of these {found.provenance.deals:,} deals: every value paid alike in each{whole}.")
    output.send(partial(print_sweep, found), [asdict(row) for row in found.rows], asdict(found))
    drawn = partial(charts, "of_sweep", found)
    output.draw(drawn)
    output.report(partial(sweep_page, found, command_line()), drawn)
    if found.provenance.interrupted:
        stopped(f"{found.provenance.deals:,} deals were played", race.resume)
