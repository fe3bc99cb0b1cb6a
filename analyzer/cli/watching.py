"""Turns what is known while deals are still being tried into a line on the terminal, which goes when they are done."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from analyzer.cli.words import wants_ascii

if TYPE_CHECKING:
    from analyzer.ask import Look

A_MOMENT = 0.3
"""Seconds before which nothing is shown: most answers are there by then."""
BETWEEN = 0.1
"""Seconds between two lines, so that they can be read and cost nothing."""


@contextlib.contextmanager
def standing_shown(most: int, *, is_slow: bool = False) -> Iterator["Callable[[Look], None] | None"]:
    """Yield what shows on stderr how the options stand, of `most` deals; None where stderr is no terminal.

    `is_slow`: the first look may take long, so something is shown before it.
    """
    if not sys.stderr.isatty():
        yield None
        return
    began = shown = time.monotonic()
    with contextlib.ExitStack() as stack:
        show: Callable[[Look], None] | None = None

        def watch(look: "Look") -> None:
            nonlocal show, shown
            now = time.monotonic()
            if now - began < A_MOMENT or (show is not None and now - shown < BETWEEN):
                return
            show = show or stack.enter_context(_line(most))
            show(look)
            shown = now

        if is_slow:
            show = stack.enter_context(_line(most))
        yield watch


@contextlib.contextmanager
def _line(most: int) -> Iterator["Callable[[Look], None]"]:
    """Yield what replaces the line; it is gone when this is left, by Ctrl-C too."""
    from rich.live import Live  # heavy, and seldom needed
    from rich.text import Text

    from analyzer.verdicts import so_far_text
    from reports.screen import in_ascii
    from reports.text import terminal_console

    is_ascii = wants_ascii()
    console = terminal_console(is_ascii=is_ascii, is_stderr=True)
    with Live(Text("Trying ..."), console=console, transient=True, auto_refresh=False) as live:
        live.refresh()

        def show(look: "Look") -> None:
            done = f"{look.deals:,} of {most:,} deals"
            if look.best is None:
                text = f"{done}; Ctrl-C ends it here."
            else:
                text = so_far_text(look.best, look.rival, look.apart, look.decide_by)
                text = f"{text[0].upper()}{text[1:]}. {done}; Ctrl-C ends it here."
            live.update(Text(in_ascii(text) if is_ascii else text), refresh=True)

        yield show
