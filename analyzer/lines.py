"""Turns a file of JSON Lines into numbered JSON values, whatever bytes it holds: records, positions, questions."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from analyzer.errors import BrokenRecord, QuestionError

Line = bytes | str

DEAL: Final = 0
"""In place of the number of an event: the deal itself is wrong."""


def read_lines(source: Path | Iterable[Line]) -> Iterator[tuple[int, Any]]:
    """Yield the number of every line that is not empty, and its JSON value, or a BrokenRecord where it is none.

    Raises QuestionError when the file cannot be read.
    """
    if isinstance(source, Path):
        try:
            with source.open("rb") as lines:
                yield from read_lines(lines)
        except OSError as error:
            raise QuestionError(f"cannot read the file {source}: {error.strerror}") from error
        return
    for number, line in enumerate(source, 1):
        mark: Any = b"\xef\xbb\xbf" if isinstance(line, bytes) else "\ufeff"
        text = line.removeprefix(mark).strip() if number == 1 else line.strip()
        if text:
            yield number, _value(text)


def _value(text: Line) -> Any:
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        return BrokenRecord("the line is not a record: it has lists within lists without end", DEAL)
    except ValueError as error:  # msgspec's own errors and those of Unicode are both
        return BrokenRecord(f"the line is not JSON: {error}", DEAL)
