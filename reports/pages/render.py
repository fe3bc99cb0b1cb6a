"""Turns a page as a value into HTML; the templates hold all words that do not hang on the result."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from reports.pages.cards import with_suits
from reports.pages.drawings import Drawing
from reports.pages.grids import Grid
from reports.pages.scene import Scene

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, slots=True)
class Page:
    """All that a page shows, in the order it shows it."""

    kind: str
    """The name of its template."""
    title: str
    heading: str
    verdict: list[str]
    """Sentences; the first is the answer."""
    question: list[str]
    facts: list[tuple[str, str]]
    """Where it comes from: a word and what it says."""
    command: str
    grids: list[Grid] = field(default_factory=list)
    drawings: list[Drawing] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    """Sentences on what the result rests."""
    scene: Scene | None = None
    is_exact: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)
    """What only its own template reads."""


def render(page: Page) -> str:
    """The page as one HTML document that needs nothing else."""
    return _environment().get_template(f"{page.kind}.html").render(page=page)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # heavy, and seldom needed

    environment = Environment(
        loader=PackageLoader("reports.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["with_suits"] = with_suits
    return environment


def rule_facts(rules: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The house rules of a result, if there are any."""
    words = (f"{name} = {str(value).lower() if isinstance(value, bool) else value}" for name, value in rules.items())
    return [("House rules", ", ".join(words))] if rules else []
