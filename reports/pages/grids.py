"""Turns the tables of the screen into tables of a page: the same cells, with what each cell stands for."""

from dataclasses import dataclass

from rich.table import Table
from rich.text import Text


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, and whether it has numbers."""

    heading: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row, the first cell of which says what it is about; the best one is strong."""

    cells: list[str]
    is_strong: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with the words above it and, if need be, below it."""

    caption: str
    columns: list[Column]
    rows: list[Row]
    below: str = ""
    heads: int = 1
    """So many cells of a row say what it is about."""
    has_cards: bool = False
    """Whether words like 9C are cards."""
    is_of_scores: bool = False
    """Whether it is a square of scores, with little in each cell."""


def grid_of(table: Table, caption: str, below: str = "", heads: int = 1, *, has_cards: bool = False) -> Grid:
    """The grid of a table; one without a word over its first column has scores there."""
    cells = [[_plain(cell) for cell in column.cells] for column in table.columns]
    columns = [Column(_plain(column.header) or "About it", column.justify == "right") for column in table.columns]
    is_of_scores = not table.columns[0].header
    if is_of_scores:
        columns[0] = Column("Score", is_number=False)
    rows = [
        Row(list(each), "bold" in str(row.style))
        for row, each in zip(table.rows, zip(*cells, strict=True), strict=True)
    ]
    return Grid(caption, columns, rows, below, heads, has_cards, is_of_scores)


def _plain(cell: object) -> str:
    """A cell without its colours and line breaks."""
    text = cell.plain if isinstance(cell, Text) else str(cell)
    return text.replace("\n", " ").strip()
