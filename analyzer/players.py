"""Turns the names of `--players` into who sits where: strategies, and players written in Python."""

import contextlib
import hashlib
import importlib.util
import inspect
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, TextIO, cast

from analyzer.errors import EuchreError, QuestionError, name_text
from analyzer.rules import Rules
from analyzer.strategy import BOT, Strategy, find_strategy
from analyzer.strategy import seat_players as seat_strategies

NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Bot(Strategy):
    """A player written in Python, who is asked at each decision of his; see docs/strategists.md."""

    name: str
    numbers: Mapping[str, float] = field(default_factory=lambda: NOTHING, hash=False)
    is_random: bool = False
    player: Any = field(default=None, compare=False)
    """What has `choose(position)`, which returns the text of an option."""
    digest: str = ""
    """Of its file."""


def is_bot(name: str) -> bool:
    """Whether a name means a class in a Python file, `my_bot.py:Bot`."""
    return BOT in name


def load_bot(name: str) -> Bot:
    """Make the player of `FILE.py:CLASS`.

    Raises QuestionError where the file cannot be read or run, or has no such class with a method `choose`.
    """
    path_name, _, class_name = name.rpartition(":")
    path = Path(path_name)
    try:
        text = path.read_bytes()
    except OSError as error:
        raise QuestionError(f"cannot read the player {path}: {error.strerror}") from error
    module = _run(path)
    made = getattr(module, class_name, None)
    if not inspect.isclass(made):
        there = [word for word, value in vars(module).items() if inspect.isclass(value) and hasattr(value, "choose")]
        expected = f"expected {' or '.join(there)}" if there else "expected a class with a method choose(position)"
        raise QuestionError(f"there is no class {class_name or '(none named)'} in {path}: {expected}")
    if not callable(getattr(made, "choose", None)):
        raise QuestionError(f"{name} has no method choose(self, position), which returns the text of an option")
    with in_their_code(module.__name__, lambda failed: QuestionError(f"cannot make {name}: {failed}")):
        player = made()
    return Bot(name_text(path.stem), player=player, digest=hashlib.sha256(text).hexdigest()[:16])


def _run(path: Path) -> ModuleType:
    """Run a user's file as a module."""
    spec = importlib.util.spec_from_file_location(f"player_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise QuestionError(f"cannot read the player {path}: it is no Python file")
    module = importlib.util.module_from_spec(spec)
    with in_their_code(spec.name, lambda failed: QuestionError(f"cannot run {path}: {failed}")):
        spec.loader.exec_module(module)
    return module


_theirs = threading.local()
"""`here`: whether this thread is in a user's code."""


class _Aside:
    """Stands in for stdout, which is for results: what a user's code writes goes to stderr."""

    def __init__(self) -> None:
        self._out = sys.stdout

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr if getattr(_theirs, "here", False) else self._out, name)


@contextlib.contextmanager
def in_their_code(module: str, error_of: Callable[[str], EuchreError]) -> Iterator[None]:
    """Run what a user wrote in `module`: it prints to stderr, and all it raises but Ctrl-C is what `error_of` makes.

    That is told what went wrong, and where. Not for two threads at once.
    """
    _theirs.here = True
    try:
        with contextlib.redirect_stdout(cast(TextIO, _Aside())):
            yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit too must not end the program
        raise error_of(_failure(error, module)) from error
    finally:
        _theirs.here = False


def _failure(error: BaseException, module: str) -> str:
    """What went wrong, and the last line of the user's module that led there."""
    where = ""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") == module:
            where = f" ({Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    said = str(error)
    return f"{type(error).__name__}{': ' if said else ''}{said}{where}"


def find_player(name: str, rules: Rules) -> Strategy:
    """The strategy of this name or file, or the player of `FILE.py:CLASS`; raises as those do."""
    return load_bot(name) if is_bot(name) else find_strategy(name, rules)


def seat_players(text: str, rules: Rules) -> tuple[Strategy, ...]:
    """The players of `A,B,...` in seat order, or of one name for all seats; raises as `strategy.seat_players` does."""
    return seat_strategies(text, rules, find_player)
