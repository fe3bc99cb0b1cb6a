"""Turns the options that the commands with many deals share into checked values: how long, how sure, where to go on."""

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from analyzer.cli.kinds import FILE, MOST_DEALS, Amount, Whole
from analyzer.cli.notes import STOPPED, note
from analyzer.cli.options import Command, deals_option, seed_option, with_options, workers_option
from analyzer.errors import QuestionError

if TYPE_CHECKING:
    from analyzer.batches import How
    from analyzer.engine import Progress
    from analyzer.rules import Rules

MOST = 1_000_000
MOST_DOUBLE = 200_000
"""With 48 cards a deal takes longer."""

resume_option = click.option(
    "--resume",
    type=FILE,
    metavar="FILE",
    help="Go on where an interrupted run stopped; the file is made if it is not there, and renewed every 10 s.",
)
_RACE = (
    deals_option("Play so many deals, whatever they tell.  [default: as many as it takes to decide]", None),
    click.option(
        "--max-deals",
        type=Whole("the number of deals", 1, MOST_DEALS),
        help=f"Stop undecided after so many deals.  [default: {MOST:,}; with 48 cards {MOST_DOUBLE:,}]",
    ),
    click.option(
        "--margin",
        type=Amount(),
        help="So many points a deal count as equal.  [default: 0.02; bid 0.1; with 48 cards 0.2]",
    ),
    resume_option,
    seed_option,
    workers_option,
)


@dataclass(frozen=True)
class Race:
    """How long those who are compared play: so many deals, or until it is decided."""

    deals: int | None
    max_deals: int | None
    margin: float | None
    resume: Path | None
    seed: int
    workers: int | None

    def __post_init__(self) -> None:
        """Refuse two numbers of deals."""
        if self.deals and self.max_deals:
            raise QuestionError("--deals plays so many and --max-deals at most so many: give one of them")

    def most(self, rules: "Rules") -> int:
        """The most deals to play."""
        return self.deals or self.max_deals or (MOST_DOUBLE if rules.deck == 48 else MOST)

    def within(self, rules: "Rules") -> float:
        """How many points a deal count as equal."""
        from analyzer.standing import default_margin  # numba is heavy

        return default_margin(rules) if self.margin is None else self.margin

    def how(self, progress: "Progress | None") -> "How":
        """How to run it; raises as `how_of` does."""
        return how_of(self.workers, progress, self.resume)


def race_options(command: Command) -> Command:
    """Add --deals, --max-deals, --margin, --resume, --seed and --workers; the command gets `race`."""

    @functools.wraps(command)
    def with_race(*args: Any, **others: Any) -> Any:
        race = Race(**{name: others.pop(name) for name in Race.__dataclass_fields__})
        return command(*args, race=race, **others)

    return with_options(with_race, _RACE)


def how_of(workers: int | None, progress: "Progress | None", resume: Path | None) -> "How":
    """How to run a study; raises QuestionError where the file to go on with could not be written."""
    from analyzer.batches import How  # numba is heavy
    from analyzer.checkpoints import Checkpoint
    from analyzer.files import check_writable

    if resume is not None:
        check_writable(resume, "--resume", "run.json")
    return How(workers, progress, Checkpoint(resume) if resume is not None else None)


def stopped(done: str, resume: Path | None) -> NoReturn:
    """Say what an interrupted run has, and how to go on with it; leave with the status of Ctrl-C."""
    further = f" The same command with --resume {resume} goes on with it." if resume is not None else ""
    note(f"Stopped early: {done}.{further}")
    raise click.exceptions.Exit(STOPPED)
