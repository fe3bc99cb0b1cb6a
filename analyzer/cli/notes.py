"""Turns what is beside the result, notes and errors, into lines on stderr."""

import contextlib
import os
import sys
import textwrap
from collections.abc import Iterator

import click

STOPPED = 130
"""The exit status after Ctrl-C."""


_about: list[str] = []


@contextlib.contextmanager
def notes_about(what: str) -> Iterator[None]:
    """Begin every note that is said meanwhile with what it is about, as in `Line 7`."""
    _about.append(what)
    try:
        yield
    finally:
        _about.pop()


def note(text: str, *, of_all: bool = False) -> None:
    """Say something beside the result; `of_all` is what is about no question more than about another."""
    _say(text if of_all else ": ".join([*_about, text]))


def error_line(text: str) -> None:
    """Say what went wrong, in one line."""
    _say(f"Error: {' '.join(text.split())}")


def _say(text: str) -> None:
    """Print a line on stderr; on a terminal it is broken between words, elsewhere it stays one for programs to read."""
    width = _width()
    if width:
        text = textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)
    click.echo(text, err=True)


def _width() -> int:
    """The columns of the terminal that stderr is; 0 where it is none."""
    if not sys.stderr.isatty():
        return 0
    typed = os.environ.get("COLUMNS", "")
    try:
        return int(typed) if typed.isdecimal() else os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        return 0
