"""Turns `euchre` into a program that can be stopped at any moment, from its first import to its last word.

Nothing is imported here that takes time: Ctrl-C while the command line is being loaded is Ctrl-C too.
"""

import contextlib
import gc
import os
import signal
import sys
import time
from threading import Event
from types import FrameType
from typing import NoReturn

STOPPED = 130
"""The exit status after Ctrl-C, as analyzer.cli.notes has it."""
_A_MOMENT = 0.01
_ONE_PRESS = 0.5
"""Seconds within which a second Ctrl-C is the first: some who stop a program tell it twice, itself and its group."""


_was_told_to_stop = Event()


def run() -> NoReturn:
    """Run `euchre` as a program of its own and leave at once: at a usual exit the compiler takes 0.4 s to clear up."""
    gc.disable()  # looking for cycles among the compiler's million objects costs 0.1 s, and there are none of ours
    try:
        sys.unraisablehook = _raise_again
        _end_orderly()
        _hear_once()
        from analyzer.cli import main  # takes 0.1 s, in which Ctrl-C may come

        status = main()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        status = STOPPED
        with contextlib.suppress(AttributeError, ValueError, OSError):
            sys.stderr.write("Stopped before anything was finished.\n")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError, OSError):  # closed, or a reader that has seen enough
            stream.flush()
    os._exit(status)


def _end_orderly() -> None:
    """Make the signals that would kill the program at once end it so that it clears up what it has begun to write."""

    def end(number: int, _: FrameType | None) -> NoReturn:
        signal.signal(number, signal.SIG_IGN)
        _was_told_to_stop.set()
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # under nohup a hangup is not heard
            signal.signal(number, end)


def _hear_once() -> None:
    """Make Ctrl-C, where it is heard, end what is going on, but not what is then said of it in the same moment."""
    heard = -_ONE_PRESS

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal heard
        before, heard = heard, time.monotonic()
        if heard - before >= _ONE_PRESS:
            _was_told_to_stop.set()
            signal.default_int_handler(number, frame)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, stop)


def _raise_again(lost: "sys.UnraisableHookArgs") -> None:
    """Raise again, in a moment, what should end the program and was lost in a call from compiled code.

    What else is lost after that is said of objects that were broken off half made, and tells nobody anything.
    """
    error = lost.exc_value
    if not isinstance(error, KeyboardInterrupt | SystemExit) or not hasattr(signal, "setitimer"):
        if not _was_told_to_stop.is_set():
            sys.__unraisablehook__(lost)
        return

    def again(_number: int, _: FrameType | None) -> NoReturn:
        raise error

    signal.signal(signal.SIGALRM, again)
    signal.setitimer(signal.ITIMER_REAL, _A_MOMENT)
