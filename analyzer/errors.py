"""What can be wrong with a question or a run, by kind; a message says what was read, expected and to be typed."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar


class EuchreError(Exception):
    """Anything the program says in words instead of a traceback; `exit_status` is what the command then ends with."""

    exit_status: ClassVar[int] = 1


class QuestionError(EuchreError):
    """The user can mend it before any work starts: a wrong card, call, option, rule or file."""

    exit_status: ClassVar[int] = 2


class BrokenRecord(QuestionError):
    """A hand record breaks a rule: `event` counts from 1, 0 is the deal itself, None the result."""

    def __init__(self, reason: str, event: int | None) -> None:
        """Keep the reason, in the game's words, and the first event that is wrong."""
        super().__init__(reason)
        self.reason = reason
        self.event = event


class RunError(EuchreError):
    """Something failed after the work had started."""


def name_text(name: str) -> str:
    r"""The name of a file as text that can be written anywhere: bytes that are no UTF-8 are spelt, as in `bad\xff`."""
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")


_NEAR = 0.65
"""How much of two words must be the same: `tow` is near to `two`, `nobody` not to `bold`."""


def nearest(word: str, words: Iterable[str]) -> str:
    """Return `did you mean "pickup"?` for the word most like the one read, or nothing when none is near."""
    matches = get_close_matches(word.casefold(), list(words), n=1, cutoff=_NEAR)
    return f'did you mean "{matches[0]}"?' if matches else ""
