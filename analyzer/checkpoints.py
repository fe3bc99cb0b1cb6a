"""Turns a long run into a small file that it can go on from, and such a file back, if it is of the same question.

The file holds what the question was, how many deals are done, and their sums; of files that grow beside it, how far
they are whole. It is renewed as a whole, so after any break one that can be read is there.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from analyzer.errors import QuestionError
from analyzer.files import whole_file

Sums = Mapping[str, NDArray[np.int64]]
"""What a run adds up, by name."""
FORMAT = 1
EVERY = 10.0
"""Seconds after which the file is renewed."""


PART = "part"
"""The field of an identity that tells the runs of one command apart, which share a file."""


class Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One run as the file has it."""

    identity: dict[str, Any]
    deals: int
    sums: dict[str, Any]
    grown: dict[str, int]
    """Of each file that grows beside it, by its path: how much of it belongs to these deals."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    runs: list[Saved]


@dataclass(slots=True)
class Checkpoint:
    """The file of a command's runs."""

    path: Path
    _runs: dict[str, Saved] = field(default_factory=dict)
    _written: float = field(default_factory=time.monotonic)

    def read(self, identity: Mapping[str, Any]) -> Saved | None:
        """Return the run of this question; None where no file is, or only another part of the same question in it.

        Raises QuestionError for a file that is none of ours, or of another question: it says what differs.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise QuestionError(f"cannot read --resume {self.path}: {error.strerror}") from error
        try:
            file = msgspec.json.decode(data, type=_File)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise QuestionError(
                f"{self.path} is no file of --resume, or cut short: expected the file that a run with --resume wrote;"
                " name another or remove it"
            ) from error
        if file.format != FORMAT:
            raise QuestionError(f"--resume {self.path} has format {file.format}: this version reads {FORMAT}")
        for run in file.runs:
            differing = _differing(run.identity | {PART: 0}, msgspec.to_builtins({**identity, PART: 0}))
            if differing:
                raise QuestionError(
                    f"--resume {self.path} is a run of another question: {'; '.join(differing)};"
                    " give each question a file of its own"
                )
        self._runs = {run.identity[PART]: run for run in file.runs}
        return self._runs.get(identity[PART])

    def grown(self, saved: Saved, name: str | None) -> int:
        """How much of the growing file `name` belongs to the saved deals.

        Raises QuestionError where that run wrote another file, or none: what is missing cannot be made up.
        """
        if set(saved.grown) != ({name} if name else set()):
            was = " and ".join(saved.grown) or "no file"
            raise QuestionError(
                f"--resume {self.path}: that run wrote {was} beside its sums, this one would write {name or 'none'};"
                " go on with the same, or begin anew with another --resume"
            )
        return saved.grown[name] if name else 0

    def is_due(self) -> bool:
        """Whether the file is old enough to be renewed."""
        return time.monotonic() - self._written >= EVERY

    def write(self, identity: Mapping[str, Any], deals: int, sums: Sums, grown: Mapping[str, int]) -> None:
        """Renew the file, whole or not at all; raises RunError where it cannot be written."""
        lists = {name: array.tolist() for name, array in sums.items()}
        self._runs[identity[PART]] = Saved(dict(identity), deals, lists, dict(grown))
        with whole_file(self.path) as write:
            write(msgspec.json.encode(_File(FORMAT, list(self._runs.values()))).decode())
        self._written = time.monotonic()


def _differing(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """What another question was: each field that differs, as it stands there and here."""
    fields = dict.fromkeys([*here, *there])
    return [_difference(name, there.get(name), here.get(name)) for name in fields if there.get(name) != here.get(name)]


def _difference(name: str, there: Any, here: Any) -> str:
    if isinstance(there, dict) and isinstance(here, dict):
        return ", ".join(_differing(there, here))
    words = [msgspec.json.encode(value).decode() for value in (there, here)]
    short = [word if len(word) <= 60 else "other numbers" for word in words]
    return f"{name} was {short[0]} and is {short[1]}" if short[0] != short[1] else f"{name} differ"
