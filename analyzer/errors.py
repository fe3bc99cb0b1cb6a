"""What can be wrong with a question or a run, by kind; a message says what was read, expected and to be typed."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
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


_MOST_NEAR = 4
_NEAR = 0.65
"""How much of two words must be the same: `tow` is near to `two`, `nobody` not to `bold`."""


def nearest(word: str, words: Iterable[str]) -> str:
    """Return `did you mean "pickup"?` for the word most like the one read, or nothing when none is near.

    Where a few are equally near, as the seats of `call.order` are, all are told.
    """
    typed = word.casefold()
    matches = get_close_matches(typed, list(words), n=_MOST_NEAR, cutoff=_NEAR)
    likeness = [SequenceMatcher(None, match, typed).ratio() for match in matches]
    alike = [match for match, much in zip(matches, likeness, strict=True) if much == likeness[0]]
    if len(alike) > 1:
        return f"did you mean one of {', '.join(sorted(alike))}?"
    return f'did you mean "{matches[0]}"?' if matches else ""
