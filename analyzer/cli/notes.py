"""Turns what is beside the result, notes and errors, into lines on stderr."""

import contextlib
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
    click.echo(text if of_all else ": ".join([*_about, text]), err=True)


def error_line(text: str) -> None:
    """Say what went wrong, in one line."""
    click.echo(f"Error: {' '.join(text.split())}", err=True)
