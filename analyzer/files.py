"""Turns text into files: written whole or not at all, or growing by whole lines; and says beforehand if it cannot."""

import contextlib
import errno
import os
import shutil
import signal
from collections.abc import Callable, Iterator, Mapping
from io import FileIO
from pathlib import Path

from analyzer.errors import QuestionError, RunError, name_text


def check_writable(path: Path, option: str, example: str) -> None:
    """Raise QuestionError if a file could not be written at `path`; leaves nothing behind.

    `example` is a name that a file of the option could have.
    """
    if path.is_dir():
        raise QuestionError(f"{option} {path} is a folder: give the name of a file in it, as in {path / example}")
    try:
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if _is_replaced(path):
            part = _part_of(path)
            with part.open("xb"):
                pass
            part.unlink()
    except OSError as error:
        raise QuestionError(f"cannot write {option} {path}: {_why(path, error)}") from error


def _why(path: Path, error: OSError) -> str:
    """Why a file cannot be written, in words: the folder that would have to be made first, if that is it."""
    folder = path.parent
    if isinstance(error, FileNotFoundError) and not folder.exists():
        return f"there is no folder {folder}; make it first, or name a file in one that is there"
    return str(error.strerror)


def check_apart(files: Mapping[str, Path | None]) -> None:
    """Raise QuestionError where two options, each with the file it names, would write the same one."""
    there: dict[Path, str] = {}
    for option, path in files.items():
        if path is None:
            continue
        other = there.setdefault(path.resolve(), option)
        if other != option:
            raise QuestionError(f"{other} and {option} are both {path}: give each a file of its own")


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Callable[[str | bytes], None]]:
    """Yield what writes to a file that takes its place at the end, or not at all; raises RunError where it cannot."""
    target = _part_of(path) if _is_replaced(path) else path
    try:
        with target.open("xb" if target != path else "wb") as file:

            def write(piece: str | bytes) -> None:
                file.write(piece.encode() if isinstance(piece, str) else piece)

            yield write
            file.flush()
            if target != path:
                os.fsync(file.fileno())
        if target != path:
            if path.exists():
                shutil.copymode(path, target)
            target.replace(path.resolve())
    except BrokenPipeError:
        raise
    except OSError as error:
        raise RunError(f"cannot write {path}: {_why(path, error)}") from error
    finally:
        if target != path:
            target.unlink(missing_ok=True)


def _is_replaced(path: Path) -> bool:
    """Whether the file is one that a finished one can take the place of: not a device or a pipe."""
    return path.is_file() or not path.exists()


def _part_of(path: Path) -> Path:
    """Where a file is written before it takes its place: beside the file itself, also if `path` is a link."""
    real = path.resolve()
    return real.with_name(f".{real.name[:200]}.{os.getpid()}.part")


@contextlib.contextmanager
def growing_file(path: Path) -> Iterator[Callable[[str], None]]:
    """Yield what adds whole lines to a file, which is made, or made anew, by the first; raises RunError."""
    with contextlib.ExitStack() as stack:
        opened: list[FileIO] = []

        def append(lines: str) -> None:
            if not opened:
                try:  # what is written is in the file at once, and so can be taken back
                    opened.append(stack.enter_context(path.open("wb", buffering=0)))
                except OSError as error:
                    raise RunError(f"cannot write {path}: {_why(path, error)}") from error
            _append(opened[0], path, lines.encode())

        yield append


class GrowingFile:
    """A file that grows by whole pieces and can be cut back; what it held before stays until it is cut."""

    def __init__(self, path: Path, option: str) -> None:
        """Open the file, made if need be; raises QuestionError where it cannot be."""
        self.path, self.name = path, name_text(str(path.resolve()))
        try:
            path.touch()
            self._file = path.open("r+b", buffering=0)
        except OSError as error:
            raise QuestionError(f"cannot write {option} {path}: {_why(path, error)}") from error

    def __enter__(self) -> "GrowingFile":
        """Return the file."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._file.close()

    def append(self, piece: bytes) -> None:
        """Add a piece whole, or raise RunError and leave the file as it was."""
        _append(self._file, self.path, piece)

    def size(self) -> int:
        """How many bytes there are."""
        return self._file.tell()

    def cut(self, size: int) -> None:
        """Take back what is beyond so many bytes, and go on from there; raises QuestionError where there are fewer."""
        try:
            if self._file.seek(0, os.SEEK_END) < size:
                raise QuestionError(f"{self.path} is shorter than the run left it: {size:,} bytes were written")
            self._file.truncate(size)
            self._file.seek(size)
        except OSError as error:
            raise RunError(f"cannot write {self.path}: {error.strerror}") from error


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Put Ctrl-C off until what is done here is done whole."""
    pressed: list[int] = []
    try:
        before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    except ValueError:  # not the main thread, which alone hears of Ctrl-C
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def _append(file: FileIO, path: Path, lines: bytes) -> None:
    """Write whole lines, or none of them and raise RunError."""
    written = 0
    try:
        while written < len(lines):
            written += file.write(lines[written:]) or 0
    except BaseException as error:  # Ctrl-C too must leave no line in part
        with contextlib.suppress(OSError):
            file.truncate(file.tell() - written)
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise RunError(f"cannot go on writing {path}: {error.strerror}") from error
        raise
