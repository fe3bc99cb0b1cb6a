"""Turns results that took long into files of the user's cache, and such a file back, as long as it is whole.

A cache may be wiped, spoilt or out of reach at any time: whatever goes wrong here only means to do the work again.
"""

import contextlib
import os
import sys
from pathlib import Path

MOST_FILES = 200
"""Of one kind; the oldest ones make room."""


def kept_folder() -> Path:
    """Our folder among the caches of this user, by the conventions of his system."""
    if sys.platform == "win32":
        place = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        place = Path.home() / "Library" / "Caches"
    else:
        place = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return place / "euchre-lab"


def read_kept(kind: str, name: str) -> bytes | None:
    """What was kept under this name; None where nothing is."""
    try:
        return _file(kind, name).read_bytes()
    except (OSError, RuntimeError):  # a user without a home is one without a cache
        return None


def keep(kind: str, name: str, data: bytes) -> None:
    """Keep data under a name of letters and digits, whole or not at all."""
    with contextlib.suppress(OSError, RuntimeError):
        file = _file(kind, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f".{file.name}.{os.getpid()}.part")
        try:
            part.write_bytes(data)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
        files = sorted(file.parent.glob(f"{kind}-*"), key=lambda each: each.stat().st_mtime)
        for old in files[:-MOST_FILES]:
            old.unlink(missing_ok=True)


def _file(kind: str, name: str) -> Path:
    return kept_folder() / f"{kind}-{name}"
