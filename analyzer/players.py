"""Turns the names of `--players` into who sits where: strategies, and players written in Python."""

import hashlib
import importlib.util
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from analyzer.errors import QuestionError
from analyzer.rules import Rules
from analyzer.strategy import BOT, Strategy, find_strategy
from analyzer.strategy import seat_players as seat_strategies

NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Bot(Strategy):
    """A player written in Python, who is asked at each decision of his; see docs/strategists.md."""

    name: str
    numbers: Mapping[str, float] = field(default_factory=lambda: NOTHING)
    is_random: bool = False
    player: Any = None
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
    try:
        player = made()
    except Exception as error:
        raise QuestionError(f"cannot make {name}: {failure(error)}") from error
    return Bot(path.stem, player=player, digest=hashlib.sha256(text).hexdigest()[:16])


def _run(path: Path) -> ModuleType:
    """Run a user's file as a module."""
    spec = importlib.util.spec_from_file_location(f"player_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise QuestionError(f"cannot read the player {path}: it is no Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise QuestionError(f"cannot run {path}: {failure(error)}") from error
    return module


def failure(error: BaseException) -> str:
    """What went wrong in a user's file, and where."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" ({Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno})" if trace else ""
    return f"{type(error).__name__}: {error}{where}"


def find_player(name: str, rules: Rules) -> Strategy:
    """The strategy of this name or file, or the player of `FILE.py:CLASS`; raises as those do."""
    return load_bot(name) if is_bot(name) else find_strategy(name, rules)


def seat_players(text: str, rules: Rules) -> tuple[Strategy, ...]:
    """The players of `A,B,...` in seat order, or of one name for all seats; raises as `strategy.seat_players` does."""
    return seat_strategies(text, rules, find_player)
