"""Turns what is typed after `euchre` into a command that runs, and everything that goes wrong into one line.

Commands are loaded only when they are named, and what is heavy only when they run, so that help and completion are
quick. Exit status: 0 answered, 2 the user can mend it, 1 it failed later, 130 stopped by Ctrl-C.
"""

import contextlib
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from analyzer.cli.notes import STOPPED, error_line
from analyzer.errors import EuchreError, QuestionError, nearest

COMMANDS = {
    "ask": "What should I do with this hand?",
    "simulate": "Play many deals and count what was called and made.",
    "compare": "Which strategy is better? On the same deals.",
    "sweep": "One number of a strategy, or a house rule, over a range.",
    "equity": "The chance to win the game from every score.",
    "deal": "Deal hands at random, or the same ones again.",
    "replay": "Check recorded hands, and show them trick by trick.",
    "solve": "How many tricks are there with all cards in view?",
    "games": "List the games and their house rules.",
    "strategies": "List the strategies, show one, explain their numbers.",
    "completion": "Let Tab complete what you type, in bash, zsh, fish.",
}
"""In the order in which help lists them; command X is X in analyzer.cli.X."""


class EuchreGroup(click.Group):
    """The command `euchre`, whose commands are imported when one is named."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Every command, the main job first."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of this name; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"analyzer.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or name the nearest one."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            hint = nearest(name, COMMANDS) or f"expected one of {', '.join(COMMANDS)}"
            raise click.UsageError(f'there is no command "{name}": {hint}', ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=EuchreGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="""\b
Examples:
  euchre ask "JH JD AH KH 9S" --up QH --seat 1
  euchre simulate -g three --players standard,bold,standard --deals 20000

\b
To complete with Tab in bash, until you leave it (zsh alike):
  eval "$(euchre completion bash)"
""",
)
@click.version_option(None, "--version", package_name="euchre-lab", prog_name="euchre", help="Show the version.")
@click.pass_context
def euchre(context: click.Context) -> None:
    """What should I call with this hand? Answers from many random deals, for two-, three- and four-handed Euchre and
    Bid Euchre, with the house rules of your table."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(args: Sequence[str] | None = None) -> int:
    """Run `euchre` with the given words, or those of the command line, and return its exit status."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115  # the answer comes without its notes, to the end
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):  # a stream that is closed, or a stand-in for one
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if "_EUCHRE_COMPLETE" in os.environ:
        from analyzer.cli.completion import known_to_click

        known_to_click()
        euchre.main(prog_name="euchre")  # answers the shell and leaves
    try:
        status = _run(list(sys.argv[1:] if args is None else args))
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _silence()  # the reader has seen enough
        return 0
    except OSError as error:
        error_line(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror))
        _silence()
        return 1
    return status


def _run(args: list[str]) -> int:
    try:
        if sys.stdout is None and not any(word.startswith("--output") for word in args):
            raise QuestionError("standard output is closed: open it, or name a file with --output")
        with euchre.make_context("euchre", list(args), obj=tuple(args)) as context:
            euchre.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except EuchreError as error:
        error_line(str(error))
        return error.exit_status
    except click.ClickException as error:
        path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "euchre"
        error_line(f"{error.format_message().rstrip('.')}; see {path} --help")
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Stopped before anything was finished.", err=True)
        return STOPPED
    return 0


def _silence() -> None:
    """Send what is still to be flushed nowhere: nobody can read it, and Python would complain at its exit."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
