"""Turns charts into figures, and figures into files and text: the same every time, whatever the user's settings."""

import io
import re
import warnings
from pathlib import Path

import matplotlib.style
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from analyzer.files import whole_file
from reports.charts.style import LARGE, QUIET, SMALL, STYLE, WIDTH, Chart, lines

DOTS = 300
"""Per inch of a PNG."""
_EDGE = 0.07
"""Inches around every part."""
_NO_DATE: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
}
_NAMED = re.compile(r'(\bid="|url\(#|href="#)')


def figure(*charts: Chart) -> Figure:
    """The charts, one at least, one under the other."""
    with matplotlib.style.context(["default", STYLE]):
        layout = ConstrainedLayoutEngine(w_pad=_EDGE, h_pad=_EDGE)
        whole = Figure((WIDTH, sum(chart.height for chart in charts)), layout=layout, facecolor="white")
        parts = whole.subfigures(len(charts), 1, squeeze=False, height_ratios=[chart.height for chart in charts])
        for chart, part in zip(charts, parts[:, 0], strict=True):
            left = {"x": 0.012, "ha": "left"}
            part.suptitle("\n".join(lines(chart.title, LARGE)), fontsize=LARGE, fontweight="bold", **left)
            part.supxlabel("\n".join(lines(chart.note, SMALL)), fontsize=SMALL, color=QUIET, **left)
            chart.draw(part)
    return whole


def write(drawn: Figure, path: Path) -> None:
    """Write a figure to a file of the kind that its ending says; raises RunError where it cannot be written."""
    data = _saved(drawn, path.suffix.casefold().removeprefix("."), "chart")
    with whole_file(path) as write_out:
        write_out(data)


def svg(drawn: Figure, name: str) -> str:
    """A figure as an element of a page; text stays text, and every id in it begins with `name`."""
    text = _saved(drawn, "svg", name).decode()
    element = text[text.index("<svg") :].replace("<svg", '<svg role="img"', 1)
    return _NAMED.sub(lambda found: f"{found[1]}{name}-", element)


def _saved(drawn: Figure, kind: str, salt: str) -> bytes:
    file = io.BytesIO()
    fixed = {"svg.fonttype": "none", "svg.hashsalt": salt, "pdf.fonttype": 42}
    with matplotlib.style.context(["default", STYLE, fixed]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a letter that the font lacks, in a user's name, is drawn as a box
        drawn.savefig(file, format=kind, dpi=DOTS, metadata=_NO_DATE[kind])
    return file.getvalue()
