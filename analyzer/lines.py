"""Turns a file of JSON Lines into numbered JSON values, whatever bytes it holds: records, positions, questions."""

import contextlib
import json
import re
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
        read = msgspec.json.decode(text)
    except RecursionError:
        return BrokenRecord("the line is not a record: it has lists within lists without end", DEAL)
    except ValueError as error:  # msgspec's own errors and those of Unicode are both
        return BrokenRecord(f"the line is not JSON: {_json_fault(str(error))}", DEAL)
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


def _json_fault(said: str) -> str:
    """What msgspec says of a line that is no JSON, in our words."""
    place = re.search(r"\(byte (\d+)\)", said)
    if place:
        return f"it cannot be read from character {int(place[1]) + 1} on"
    if "truncated" in said:
        return "it ends too early"
    return "a number in it is too large" if "range" in said else "it is not text in UTF-8"
