"""Turns what is beside the result, notes and errors, into lines on stderr."""

import click

STOPPED = 130
"""The exit status after Ctrl-C."""


def note(text: str) -> None:
    """Say something beside the result."""
    click.echo(text, err=True)


def error_line(text: str) -> None:
    """Say what went wrong, in one line."""
    click.echo(f"Error: {' '.join(text.split())}", err=True)
