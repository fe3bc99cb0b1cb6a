"""Turns a file of JSON Lines into numbered JSON values, whatever bytes it holds: records, positions, questions."""

import contextlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from analyzer.errors import BrokenRecord, QuestionError

Line = bytes | str

DEAL: Final = 0
"""In place of the number of an event: the deal itself is wrong."""


LONGEST_LAID_OUT: Final = 1 << 20
"""Characters of one value laid out over many lines."""


def source_named(name: str) -> Path | Iterable[bytes]:
    """The file of this name; `-` is standard input. Raises QuestionError where it is closed, or there is no name."""
    if not name:
        raise QuestionError('expected the name of a file, read ""')
    if name != "-":
        return Path(name)
    if sys.stdin is None:
        raise QuestionError("standard input is closed: open it, or name a file instead of -")
    return sys.stdin.buffer


def read_lines(source: Path | Iterable[Line], what: str = "record") -> Iterator[tuple[int, Any]]:
    """Yield the number of every line that is not empty, and its JSON value, or a BrokenRecord where it is none.

    A file may hold one value alone, laid out over many lines. `what` says in refusals what a value should be.

    Raises QuestionError when the file cannot be read.
    """
    if isinstance(source, Path):
        try:
            with source.open("rb") as lines:
                yield from read_lines(lines, what)
        except OSError as error:
            raise QuestionError(f"cannot read the file {source}: {error.strerror}") from error
        return
    lines_left = _stripped(source)
    for number, text in lines_left:
        value, is_whole = _value(text, what)
        if is_whole:
            yield number, value
            break
        begun = [(number, text), *_at_most(LONGEST_LAID_OUT, lines_left)]
        laid_out, is_whole = _value(_joined([line for _, line in begun]), what)
        if is_whole and not isinstance(laid_out, BrokenRecord):
            yield number, laid_out
        else:
            yield from ((place, _value(line, what)[0]) for place, line in begun)
        break
    for number, text in lines_left:
        yield number, _value(text, what)[0]


def _stripped(source: Iterable[Line]) -> Iterator[tuple[int, Line]]:
    """The lines that are not empty, with their numbers."""
    for number, line in enumerate(source, 1):
        mark: Any = b"\xef\xbb\xbf" if isinstance(line, bytes) else "\ufeff"
        text = line.removeprefix(mark).strip() if number == 1 else line.strip()
        if text:
            yield number, text


def _at_most(n: int, lines: Iterator[tuple[int, Line]]) -> Iterator[tuple[int, Line]]:
    """The next lines, until they have so many characters together."""
    for number, text in lines:
        yield number, text
        n -= len(text)
        if n < 0:
            return


def _joined(lines: Sequence[Line]) -> Line:
    """Lines as one text."""
    return b"\n".join(lines) if isinstance(lines[0], bytes) else "\n".join(lines)  # type: ignore[arg-type]  # of one kind


def _value(text: Line, what: str) -> tuple[Any, bool]:
    """The JSON value of a text or why it has none, and whether it does not just end too early."""
    try:
        return _checked(text, msgspec.json.decode(text)), True
    except RecursionError:
        return BrokenRecord(f"the line is no {what}: it has lists within lists without end", DEAL), True
    except ValueError as error:  # msgspec's own errors and those of Unicode are both
        fault = _json_fault(str(error))
        return BrokenRecord(f"the line is not JSON: {fault}", DEAL), fault != _TOO_EARLY


def _checked(text: Line, read: Any) -> Any:
    """A JSON value, or that an object in it has a field twice."""
    colon = b":" if isinstance(text, bytes) else ":"
    if isinstance(read, dict) and text.count(colon) != _n_fields(read):  # type: ignore[arg-type]  # of one kind
        twice = _field_twice(text)
        if twice is not None:
            return BrokenRecord(
                f"the field {json.dumps(twice, ensure_ascii=False)} is there twice: leave one out", DEAL
            )
    return read


def _n_fields(read: dict[str, Any]) -> int:
    """How many fields a JSON object has, with those of objects within it: each is written with a colon."""
    return len(read) + sum(_n_fields(value) for value in read.values() if isinstance(value, dict))


def _field_twice(text: Line) -> str | None:
    """The first field that some object of a line has twice."""
    twice: list[str] = []

    def seen(fields: list[tuple[str, Any]]) -> None:
        names = [name for name, _ in fields]
        twice.extend(name for k, name in enumerate(names) if name in names[:k])

    with contextlib.suppress(ValueError, RecursionError):  # what msgspec reads and json does not
        json.loads(text, object_pairs_hook=seen)
    return twice[0] if twice else None


_TOO_EARLY: Final = "it ends too early"


def _json_fault(said: str) -> str:
    """What msgspec says of a line that is no JSON, in our words."""
    place = re.search(r"\(byte (\d+)\)", said)
    if place:
        return f"it cannot be read from character {int(place[1]) + 1} on"
    if "truncated" in said:
        return _TOO_EARLY
    return "a number in it is too large" if "range" in said else "it is not text in UTF-8"
