"""Turns a Python function into a kernel: four decorators, one set of compile flags, one cache folder.

A cached kernel does not notice an edit in another file, so the cache folder is named by a digest of every file in this
package: any edit of a kernel or of a constant starts a fresh folder, and the older ones are pruned.
"""

import contextlib
import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache

from kernels.pipeline import IS_TRIED, Inner, InnerKernel, Outer

HERE = Path(__file__).resolve().parent
FOLDER = "euchre-"
KEEP = 3
"""How many cache folders stay, the newest included: two checkouts may share one cache."""


def digest() -> str:
    """A name for the present text of all kernels and the versions that compile them."""
    total = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for path in sorted(HERE.glob("*.py")):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:16]


def user_cache() -> Path:
    """The folder for caches of this user, by the conventions of his system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def cache_folder() -> Path | None:
    """The first place that can be written, made if need be; None where none can (kernels then compile every time)."""
    set_by_user = os.environ.get("NUMBA_CACHE_DIR")
    places = [Path(set_by_user)] if set_by_user else [HERE / "__pycache__", user_cache() / "euchre-lab"]
    for place in places:
        folder = place / (FOLDER + digest())
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
            prune(place)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


def prune(place: Path) -> None:
    """Remove all but the newest cache folders of ours in `place`."""
    folders = sorted(place.glob(FOLDER + "*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEEP:]:
        shutil.rmtree(folder, ignore_errors=True)


JIT = not numba.config.DISABLE_JIT
"""False when NUMBA_DISABLE_JIT is set: every kernel then runs as plain Python."""

CACHE = cache_folder() if JIT else None
if CACHE is not None:
    numba.config.CACHE_DIR = str(CACHE)


FLAGS = {"error_model": "numpy", "_nrt": False}
"""No reference counts: all arrays come from outside, and counting who holds them would cost more than the play."""


class DoorCache(FunctionCache):
    """Numba's cache of one door, but what cannot be read is compiled anew, and what cannot be kept is done without."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The door as it was compiled before, None if it was not or the file is spoilt, which is then given up."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling what somebody scribbled on may raise anything
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the door, unless the disk is full or the folder has gone."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def is_warm(name: str) -> bool:
    """Whether a door of this name was compiled before, so that the next call need not wait for the compiler."""
    return not JIT or (CACHE is not None and any(CACHE.rglob(f"*.{name}-*.nbc")))


def inner(function: Callable[..., Any], **options: Any) -> Any:
    """Compile `function` for other kernels alone."""
    options |= {**FLAGS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if not JIT or not IS_TRIED:
        return numba.njit(function, **options)
    return InnerKernel(function, targetoptions={**options, "nopython": True}, pipeline_class=Inner)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` for other kernels to call: integer arithmetic as in C, no Python objects, nothing allocated.

    It has no entry from Python: call it from a door, or as `name.py_func`.
    """
    return inner(function)


def pasted(function: Callable[..., Any]) -> Any:
    """A kernel whose text is put into its callers before they are compiled, so that a caller can call itself by it.

    Numba knows kernels that call themselves, but not two that call each other.
    """
    return inner(function, inline="always")


def door(function: Callable[..., Any], **options: Any) -> Any:
    """Compile `function` for Python to call: as a kernel, without the GIL and kept in the cache folder."""
    made = numba.njit(function, nogil=True, no_cfunc_wrapper=True, **FLAGS, **options)
    if CACHE is not None:
        made._cache = DoorCache(function)
    return made


def hot_door(function: Callable[..., Any]) -> Any:
    """A door to what runs for seconds: all kernels below are put into it, which is slower to compile, faster to run."""
    return door(function, pipeline_class=Outer) if IS_TRIED else door(function)
