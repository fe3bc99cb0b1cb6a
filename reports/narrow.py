"""Keeps a table whole on a terminal that is narrower than it: columns that can be spared go, and no cell is cut."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

from reports.text import WIDTH

_ANY = 1000
"""A width in which every cell has a line of its own."""
_WORD = 16
"""Cells of a column of words below which it does not shrink, if it has so long a word."""
_NAME = 24
"""Cells of a first column that are kept on any terminal; on a wide one it keeps half the width."""


class NarrowTable(Table):
    """A table of which a narrow terminal shows some columns, each whole; elsewhere it is as any other."""

    def __init__(self, gap: int, spare: Sequence[str] = ()) -> None:
        """So many cells between columns; `spare` are the headings of columns to go without, the first of them first."""
        super().__init__(
            box=SIMPLE_HEAD, padding=(0, gap - 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold"
        )
        self.gap = gap
        self.spare = list(spare)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table, and a line of what is left out; what cannot fit runs over the edge."""
        room = options.max_width
        sizes = [_sizes(column, console, options, is_first=k == 0) for k, column in enumerate(self.columns)]
        if not console.is_terminal or (room >= WIDTH and self._total([least for least, _ in sizes]) <= room):
            yield from super().__rich_console__(console, options)
            return
        kept = list(zip(self.columns, sizes, strict=True))
        gone = []
        for heading in self.spare:
            if self._total([least for _, (least, _) in kept]) <= room:
                break
            gone.append(heading)
            kept = [each for each in kept if each[0].header != heading]
        widths = self._widths([size for _, size in kept], room)
        shown = self._of([column for column, _ in kept], widths, console, options.update_width(_ANY))
        yield from Table.__rich_console__(shown, console, options.update(width=max(room, self._total(widths))))
        names = [" ".join(str(column.header).split()) for column in self.columns if column.header in gone]
        if told := ", ".join(name for name in names if name):
            yield Text(f"No room for: {told}. A wider terminal and --format csv have all.", style="dim")

    def _total(self, widths: Sequence[int]) -> int:
        """Cells of a line of columns."""
        return sum(widths) + self.gap * (len(widths) - 1)

    def _widths(self, sizes: Sequence[tuple[int, int]], room: int) -> list[int]:
        """The least width of each column, and what room is left to those that want least of it."""
        widths = [least for least, _ in sizes]
        for k in sorted(range(len(sizes)), key=lambda k: sizes[k][1] - sizes[k][0]):
            widths[k] += min(sizes[k][1] - widths[k], max(0, room - self._total(widths)))
        return widths

    def _of(
        self, columns: Sequence[Column], widths: Sequence[int], console: Console, options: ConsoleOptions
    ) -> "NarrowTable":
        """A table of these columns alone, so wide."""
        shown = NarrowTable(self.gap)
        for column, width in zip(columns, widths, strict=True):
            heading = column.header
            if column.no_wrap and Measurement.get(console, options, heading).maximum > width:
                heading = "\n".join(str(heading).split())
            shown.add_column(heading, justify=column.justify, no_wrap=column.no_wrap, width=width)
        for row, *cells in zip(self.rows, *(column.cells for column in columns), strict=True):
            shown.add_row(*cells, style=row.style, end_section=row.end_section)
        return shown


def _sizes(column: Column, console: Console, options: ConsoleOptions, *, is_first: bool) -> tuple[int, int]:
    """The least width of a column, in which its numbers, first names and words are whole, and the most it wants."""
    heading, *cells = (
        Measurement.get(console, options.update_width(_ANY), each) for each in (column.header, *column.cells)
    )
    whole = max([heading.maximum, *(cell.maximum for cell in cells)])
    if column.no_wrap:
        return max([heading.minimum, *(cell.maximum for cell in cells)]), whole
    if is_first:
        return min(whole, max(_NAME, options.max_width // 2)), whole
    return min(max([heading.minimum, *(cell.minimum for cell in cells)]), _WORD), whole
