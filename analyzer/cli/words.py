"""Turns the results of a command into what is written, on the screen or to a file, and shows how far it is."""

import contextlib
import importlib.util
import json
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from analyzer.cli.notes import STOPPED, note
from analyzer.errors import QuestionError, RunError, name_text
from analyzer.files import check_apart, check_writable, whole_file

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from analyzer.rules import Rules
    from reports.charts.style import Chart
    from reports.pages.render import Page

    Table = Callable[[Console], None]

Row = dict[str, Any]
Item = TypeVar("Item")

FORMATS = ("table", "csv", "json")
PICTURES = (".png", ".svg", ".pdf")
_ENDINGS = {".csv": "csv", ".json": "json", ".jsonl": "json"}


class EuchreCommand(click.Command):
    """A command that runs only with our own kernels at hand; its help is there in any case."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run it, if the installation is in order."""
        check_kernels()
        return super().invoke(ctx)


def check_kernels() -> None:
    """Raise RunError if Python would import another distribution's `kernels` instead of ours."""
    ours = Path(__file__).resolve().parents[2] / "kernels" / "__init__.py"
    spec = importlib.util.find_spec("kernels")
    found = spec.origin if spec else None
    if found is None or Path(found).resolve() != ours:
        where = f"Python finds another package of that name, {found}" if found else "Python does not find it"
        raise RunError(
            f"the package kernels of euchre-lab should be {ours.parent}, but {where}; install euchre-lab in an"
            " environment of its own, as pipx install and uv tool install do"
        )


def command_line() -> str:
    """The command as it was typed, for the provenance of a result."""
    words: Sequence[str] = click.get_current_context().find_root().obj or ()
    return name_text(shlex.join(["euchre", *words]))


_ASCII = "euchre.ascii"


def want_ascii(context: click.Context, _param: click.Parameter, value: bool) -> None:  # as click calls
    """Remember that nothing but ASCII is to be shown."""
    context.meta[_ASCII] = value or context.meta.get(_ASCII, False)  # said of a command or of one within it


def wants_ascii() -> bool:
    """Whether nothing but ASCII is to be shown."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_ASCII))


_COMPILED = {
    "options": ("the rules", 5),
    "ask": ("ask", 15),
    "count": ("exact answers", 18),
    "ask_trying": ("play that tries its cards", 22),
    "ask_open": ("open play", 20),
    "look": ("--where and --show", 13),
    "simulate": ("whole deals", 16),
    "record": ("hand records", 12),
    "follow": ("replay", 7),
    "strengths": ("--weakest", 4),
}
"""What a door is for in a user's words, and about how many seconds it takes to compile, by its name in border.Door.

After the longest of several, each other takes a third of that: most of what it needs is then there."""

_looked_for: set[tuple[bool, str]] = set()


def note_compiling(rules: "Rules", *doors: str) -> None:
    """Say so where the user is about to wait for the compiler, once for each door and kind of game."""
    from analyzer.border import door_of  # numba is heavy
    from analyzer.engine import must_compile

    is_bid = rules.game.is_bid
    new = [door for door in doors if (is_bid, door) not in _looked_for]
    _looked_for.update((is_bid, door) for door in new)
    cold = [_COMPILED.get(door, (door, 20)) for door in new if must_compile(getattr(door_of(rules), door))]
    if cold:
        what = " and ".join(what for what, _ in cold)
        longest, *others = sorted((seconds for _, seconds in cold), reverse=True)
        seconds = longest + sum(others) // 3
        note(
            f"Compiling {what} of {'Bid Euchre' if is_bid else 'the turn-up games'}, once; about {seconds} s ...",
            of_all=True,
        )


@contextlib.contextmanager
def progress_bar(total: int, doing: str) -> Iterator[Callable[[int], None] | None]:
    """A bar on stderr that is told how many of `total` are done; None where stderr is no terminal."""
    with progress_bars((total, doing)) as (progress,):
        yield progress


@contextlib.contextmanager
def progress_bars(*tasks: tuple[int, str]) -> Iterator[list[Callable[[int], None] | None]]:
    """A bar for each task, seen from its first news on, with how fast it goes and how long it will take."""
    if not sys.stderr.isatty():
        yield [None] * len(tasks)
        return
    from rich.progress import BarColumn, Progress, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    from reports.text import terminal_console

    class SpeedColumn(TextColumn):
        def render(self, task: Task) -> Text:
            return Text(speed_text(task.completed, task.elapsed), style="dim")

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    screen = terminal_console(is_ascii=wants_ascii(), is_stderr=True)
    with Progress(*columns, TimeRemainingColumn(), SpeedColumn(""), console=screen, transient=True) as bar:
        bars = [bar.add_task(doing, total=total, visible=len(tasks) == 1) for total, doing in tasks]
        yield [partial(_show, bar, each) for each in bars]


_MEASURED = 0.3
"""Seconds before which no speed is told: the first news come all at once."""


def speed_text(done: float, seconds: float | None) -> str:
    """How fast it went so far, on the mean; nothing before there is something to take a mean of."""
    return f"{done / seconds:,.0f} a second" if done and seconds and seconds >= _MEASURED else ""


def _show(bar: "Progress", task: "TaskID", done: int) -> None:
    """Let a task of a bar be seen, and how much of it is done."""
    bar.update(task, completed=done, visible=True)


@dataclass(frozen=True)
class Output:
    """Where results go and in which form."""

    format: str
    path: Path | None = None
    is_format_given: bool = True
    """Whether the user said which form, by --format or by the ending of the file."""
    plot: Path | None = None
    """Where it is drawn too."""
    page: Path | None = None
    """Where it is a page too."""

    @property
    def files(self) -> dict[str, Path | None]:
        """The options that name files, and these."""
        return {"--output": self.path, "--plot": self.plot, "--report": self.page}

    def draw(self, charts: "Callable[[], Sequence[Chart]]") -> None:
        """Draw a result, if it is to be drawn: what `charts` returns, one under the other."""
        if self.plot is None:
            return
        from reports.charts.files import figure, write  # matplotlib is heavy

        try:
            write(figure(*charts()), self.plot)
            note(f"Wrote {name_text(str(self.plot))}.", of_all=True)
        except KeyboardInterrupt:
            note("Stopped before the chart was drawn.")
            raise click.exceptions.Exit(STOPPED) from None

    def report(self, make: "Callable[..., Page]", charts: "Callable[[], Sequence[Chart]]") -> None:
        """Write the page of a result, if one is wanted: what `make` returns with these charts in it."""
        if self.page is None:
            return
        from reports.pages.drawings import drawings_of  # jinja2 and matplotlib are heavy
        from reports.pages.render import render

        try:
            html = render(make(drawings=drawings_of(charts())))
            with whole_file(self.page) as write:
                write(html)
            note(f"Wrote {name_text(str(self.page))}.", of_all=True)
        except KeyboardInterrupt:
            note("Stopped before the page was written.")
            raise click.exceptions.Exit(STOPPED) from None

    def send(self, table: "Table", rows: Sequence[Row], whole: Row | None = None) -> None:
        """Write a result: as `table` prints it, its rows as CSV, or `whole`, if not its rows, as a JSON object."""
        if self.format == "csv":
            from reports.frames import csv_text  # pandas is heavy

            self.write(csv_text(rows))
        elif self.format == "json":
            self.write(json.dumps(whole or {"rows": rows}, indent=2, allow_nan=False))
        else:
            self.show(table)

    def show(self, table: "Table") -> None:
        """Print tables: on a terminal in its width and colours, else in 80 columns of plain text."""
        with self.shown() as show:
            show(table)

    @contextlib.contextmanager
    def shown(self) -> Iterator[Callable[["Table"], None]]:
        """Yield what prints table after table, as `show` does."""
        from reports.screen import in_ascii  # rich is heavy
        from reports.text import plain_console, terminal_console

        is_ascii = wants_ascii()
        if self.path is None and sys.stdout.isatty():
            terminal = terminal_console(is_ascii=is_ascii)
            if not is_ascii:
                yield lambda table: table(terminal)
                return

            def show_in_ascii(table: "Table") -> None:
                with terminal.capture() as printed:
                    table(terminal)
                click.echo(in_ascii(printed.get()), nl=False)

            yield show_in_ascii
            return
        of_stdout = sys.stdout.encoding or "utf-8"  # text that is kept in memory has no encoding
        encoding = "ascii" if is_ascii else of_stdout if self.path is None else "utf-8"
        console = plain_console(encoding)
        is_ascii = not encoding.casefold().startswith("utf")
        with self.opened() as write:

            def show(table: "Table") -> None:
                with console.capture() as printed:
                    table(console)
                text = "".join(line.rstrip() + "\n" for line in printed.get().splitlines())
                write(in_ascii(text) if is_ascii else text)

            yield show

    def write(self, text: str) -> None:
        """Write text to stdout, or to the file: whole or not at all."""
        with self.opened() as write:
            write(text if text.endswith("\n") else text + "\n")

    @contextlib.contextmanager
    def counted(self, one: str, many: str) -> Iterator[Callable[[Iterable[Item]], Iterator[Item]]]:
        """Yield what hands on item after item to be printed; after Ctrl-C it says how many were, and so ends."""
        n = 0

        def count(items: Iterable[Item]) -> Iterator[Item]:
            nonlocal n
            for item in items:
                yield item
                n += 1

        try:
            yield count
        except KeyboardInterrupt:
            if n == 0 or self.path is not None or self.format == "csv":  # a file is whole or not at all, CSV at the end
                raise
            note(f"Stopped early: {n:,} {one if n == 1 else many} printed.")
            raise click.exceptions.Exit(STOPPED) from None

    @contextlib.contextmanager
    def opened(self) -> Iterator[Callable[[str], None]]:
        """Yield what writes piece after piece; a file is there only when all of it is."""
        if self.path is None:
            yield lambda text: click.echo(text, nl=False)
        else:
            with whole_file(self.path) as write:
                yield write


def charts(of: str, *found: Any, **how: Any) -> "list[Chart]":
    """The charts of what a command found, by the function of reports.charts.commands that makes them."""
    from reports.charts import commands  # matplotlib is heavy

    made: list[Chart] = getattr(commands, of)(*found, **how)
    return made


def make_output(format_: str | None, path: Path | None, plot: Path | None = None, page: Path | None = None) -> Output:
    """The output asked for; raises QuestionError if a file could not be written when the work is done."""
    if plot is not None:
        if plot.suffix.casefold() not in PICTURES:
            raise QuestionError(
                f"--plot {plot} does not say what kind of picture: expected a name that ends in .png, .svg or .pdf, as"
                " in chart.png"
            )
        check_writable(plot, "--plot", "chart.png")
    if page is not None:
        if page.suffix.casefold() != ".html":
            raise QuestionError(f"--report {page} is to be a page: expected a name that ends in .html, as in page.html")
        check_writable(page, "--report", "page.html")
    if path is not None:
        check_writable(path, "--output", "result.csv")
    chosen = format_ or _ENDINGS.get(path.suffix.casefold() if path else "")
    output = Output(chosen or "table", path, is_format_given=chosen is not None, plot=plot, page=page)
    check_apart(output.files)
    return output
