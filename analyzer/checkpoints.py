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


class Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file holds."""

    format: int
    identity: dict[str, Any]
    deals: int
    sums: dict[str, Any]
    grown: dict[str, int]
    """Of each file that grows beside it, by its path: how much of it belongs to these deals."""


@dataclass(slots=True)
class Checkpoint:
    """The file of one run."""

    path: Path
    _written: float = field(default_factory=time.monotonic)

    def read(self, identity: Mapping[str, Any]) -> Saved | None:
        """Return what is there; None where no file is.

        Raises QuestionError for a file that is none of ours, or of another question: it says what differs.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise QuestionError(f"cannot read --resume {self.path}: {error.strerror}") from error
        try:
            saved = msgspec.json.decode(data, type=Saved)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise QuestionError(
                f"--resume {self.path} is no run to go on with: {error}; give the name of a file that is not there yet"
            ) from error
        if saved.format != FORMAT:
            raise QuestionError(f"--resume {self.path} has format {saved.format}: this version reads {FORMAT}")
        differing = _differing(saved.identity, msgspec.to_builtins(identity))
        if differing:
            raise QuestionError(
                f"--resume {self.path} is a run of another question: {'; '.join(differing)};"
                " give each question a file of its own"
            )
        return saved

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
        with whole_file(self.path) as write:
            write(msgspec.json.encode(Saved(FORMAT, dict(identity), deals, lists, dict(grown))).decode())
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
