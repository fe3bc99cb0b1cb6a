"""Turns `euchre ask`, the main job, into positions to be answered."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.cli.answering import Effort, Run, goal, seated, write_answers
from analyzer.cli.asking import asked_step_by_step, can_ask
from analyzer.cli.brackets import check_bracket
from analyzer.cli.kinds import FILE, MOST_DEALS, PLAY, Amount, Seat, Whole
from analyzer.cli.one_hand import answer_swaps, answer_weakest, check_one_hand
from analyzer.cli.options import (
    House,
    deals_option,
    drawn_options,
    house_options,
    players_option,
    seed_option,
    workers_option,
)
from analyzer.cli.words import EuchreCommand, Output, note_compiling
from analyzer.errors import QuestionError

if TYPE_CHECKING:
    from analyzer.position import Position

MOST_SHOWN = 1000


@click.command(
    cls=EuchreCommand,
    epilog="""\b
Examples:
  euchre ask "JH JD AH KH 9S" --up QH --seat 1
  euchre ask -g three "JS AS KS 9D TD" --up 9S --calls pass --score 6,8,3
  euchre ask "JS 9H TH QH 9D" --up AD --calls "pass pass pass pass"
  euchre ask -g bid "JH JD AH KH QH AS" --calls "3 pass"
  euchre ask "JH JD AH KH 9S" --up QH --seat 1 --swap
  euchre ask --weakest --up QH --seat 2
  euchre ask --position hand.json

\b
A position, on one line or several; what the seat cannot see is null:
  {"game": "four-handed", "seat": 4, "upcard": "TS",
   "hands": [null, null, null, "JS AD AS 9H QC"],
   "events": [[1, "pass"], [2, "order"]]}
""",
)
@click.argument("hand", nargs=-1)
@click.option("--up", metavar="CARD", help='The card turned up, also in round two; a joker with its suit: "JO hearts".')
@click.option(
    "--seat",
    type=Seat("the seat, if not dealer,", 1, 4),
    help="Your seat from the dealer's left, or dealer; those before it have passed.",
)
@click.option("--calls", metavar="WORDS", help='What was said so far, from seat 1 in order: "pass pass order"; also p.')
@click.option("--score", metavar="A,B,...", help="The score in seat order, or of seats 1 and 3, then 2 and 4: 6,8.")
@click.option("--discarded", metavar="CARD", help="What you as the dealer discarded, if you have done so.")
@click.option(
    "--position",
    type=FILE,
    metavar="FILE",
    help="Positions in JSON, one a line, instead of HAND, or answers in JSON, which hold theirs; - reads standard"
    " input.",
)
@house_options
@players_option
@deals_option("Try exactly so many deals, instead of as many as it takes to decide.", None)
@click.option(
    "--max-deals",
    type=Whole("the number of deals", 1, MOST_DEALS),
    help="Stop undecided after so many deals.  [default: 1,000,000; bid 250,000; with 48 cards 50,000; with --play"
    " rollout:K an eighth of that divided by K, but 1,024 at least]",
)
@click.option(
    "--margin",
    type=Amount(),
    help="How close counts as equal.  [default: 0.02 points; bid 0.1; with 48 cards 0.2; by win 0.0025]",
)
@click.option(
    "--decide-by",
    type=click.Choice(("points", "win"), case_sensitive=False),
    default="points",
    show_default=True,
    help="What is best: by points a deal, or by the chance to win the game from --score.",
)
@click.option("--scores", is_flag=True, help="Show too what is best to win the game at every score.")
@click.option(
    "--play",
    type=PLAY,
    default="base",
    show_default=True,
    help="How all play: base, by rules of thumb; rollout:100, each card after a trial in 100 deals; open, perfectly"
    " with all cards in view, a diagnostic and not advice.",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Count every way the cards can lie, up to a billion; where there are few that is done anyway.",
)
@click.option(
    "--all-options",
    is_flag=True,
    help="Try every five to keep of ten, not the likely ones; in the table of a bid show every suit.",
)
@click.option(
    "--bracket",
    is_flag=True,
    help="Ask with base, rollout and open play and against cautious, standard and bold opponents, side by side:"
    " what the answer depends on.  [2,000 deals each; open play with 48 cards 200]",
)
@click.option(
    "--swap",
    is_flag=True,
    help="Exchange each card of the hand for every one that it could be instead: which card the call hangs on."
    "  [5,000 deals each; bid 2,000, with 48 cards 200]",
)
@click.option(
    "--weakest",
    is_flag=True,
    help="Without HAND: the weakest hands that still call at this seat and upcard, by the strategy's own measure."
    "  [2,000 deals each near there; bid 1,000, with 48 cards 200]",
)
@click.option("--where", is_flag=True, help="Also show where each unseen card is in these deals; in tables only.")
@click.option(
    "--show",
    type=Whole("the number of deals to show", 1, MOST_SHOWN),
    help="Also show so many of the deals, each played out under the best two options; in tables only.",
)
@seed_option
@workers_option
@drawn_options
def ask(house: House, output: Output, position: Path | None, hand: tuple[str, ...], **given: Any) -> None:
    """Ask what to do with this HAND.

    Everything you may say is tried in the same random deals, in which the others hold what they could hold after what
    they said. The answer tells what is best, by how much, and how sure that is. Without HAND, on a terminal, it asks
    for what it needs.
    """
    words = {name: given[name] for name in ("up", "seat", "calls", "score", "discarded") if given[name] is not None}
    effort = Effort(**{field.name: given[field.name] for field in fields(Effort)})
    _check(given, effort, output)
    if effort.weakest:
        if hand or position is not None or "discarded" in words:
            raise QuestionError("--weakest looks at all hands: leave out HAND, --discarded and --position")
        _study_hands(_typed(house, None, words), effort, output)
        return
    typed = " ".join(hand)
    if not typed and position is None and can_ask():
        house, typed, words = asked_step_by_step(house, words)
    questions = _questions(house, typed, words, position)
    is_many = len(questions) > 1
    effort.check_drawn(output, f"{position} has {len(questions):,}" if is_many else None)
    if effort.swap:
        if is_many:
            raise QuestionError(f"--swap looks at one hand: the file has {len(questions):,} positions")
        _study_hands(questions[0][1], effort, output)
        return
    if is_many and not output.is_format_given and not effort.looks:
        output = replace(output, format="json")
    if effort.scores and output.format == "csv":
        raise QuestionError("--scores has no CSV: --format json has what is best at every score, the table shows it")
    run = Run(effort, is_many)
    try:
        write_answers(run.answers(questions), output, is_many=is_many, all_options=effort.all_options)
    except KeyboardInterrupt:
        if not run.n_answered or output.path is not None:
            raise
        run.is_interrupted = True
    run.draw(output)
    run.finish(len(questions))


def _check(given: Mapping[str, Any], effort: Effort, output: Output) -> None:
    """Raise QuestionError for options that do not go together."""
    if given["deals"] and given["max_deals"]:
        raise QuestionError("--deals tries a fixed number of deals and --max-deals at most so many: give one of them")
    if given["exact"] and (given["deals"] or given["max_deals"]):
        raise QuestionError("--exact counts every deal there can be: leave out --deals and --max-deals")
    effort.check_looks(output)
    if effort.swap and effort.weakest:
        raise QuestionError("ask --swap or --weakest, not both: one looks at a hand, the other at all")
    for name in ("swap", "weakest"):
        if given[name]:
            check_one_hand(name, given, output)
    if effort.bracket:
        check_bracket(given)


def _questions(house: House, hand: str, words: dict[str, Any], file: Path | None) -> Sequence[tuple[int, object]]:
    """The positions that are asked about, each with its line: the one typed, or those of a file."""
    if file is None:
        return [(1, _typed(house, hand, words))]
    typed = [
        *(["HAND"] if hand else []),
        *(f"--{word}" for word in words),
        *(["--game and house rules"] * house.is_given),
    ]
    if typed:
        raise QuestionError(f"--position has the whole question in its file: leave out {', '.join(typed)}")
    return _read(file)


def _typed(house: House, hand: str | None, words: dict[str, Any]) -> "Position":
    """The position that HAND and its options describe; None: the hand does not matter."""
    if hand == "":
        raise QuestionError('which hand? Type it as in: euchre ask "JH JD AH KH 9S" --up QH --seat 1')
    rules = house.rules()
    if words.get("seat") == Seat.DEALER:
        words["seat"] = rules.n_seats
    note_compiling(rules, "options")
    from analyzer.asked import position_from_options, position_of_any_hand  # numba is heavy

    if hand is None:
        return position_of_any_hand(rules, **words)
    return position_from_options(rules, hand, **words)


def _study_hands(read: object, effort: Effort, output: Output) -> None:
    """Answer --swap or --weakest for one position."""
    position, players = seated(read, effort)
    answer = answer_weakest if effort.weakest else answer_swaps
    answer(
        position,
        players,
        output,
        goal_of=lambda others: goal(position, others, effort),
        deals=effort.deals,
        margin=effort.margin,
        seed=effort.seed,
        workers=effort.workers,
    )


def _read(path: Path) -> list[tuple[int, object]]:
    """The JSON values of a file with their lines."""
    from analyzer.lines import read_lines, source_named  # msgspec is read only when there is work

    read = list(read_lines(source_named(str(path)), "position"))
    if not read:
        raise QuestionError(f"there is no position in {path}: expected one a line, in JSON")
    return read
