"""Turns charts into pictures that stand in a page: labelled, and with no address of anything elsewhere in them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from reports.charts.style import Chart


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as a page has it."""

    title: str
    """The finding, in a sentence."""
    note: str
    """How many deals, and what its marks mean."""
    svg: Markup


_METADATA = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)
_NAMESPACE = re.compile(r'\sxmlns(:\w+)?="[^"]*"')


def drawings_of(charts: "Sequence[Chart]") -> list[Drawing]:
    """The charts as a page has them, in their order."""
    if not charts:
        return []
    from reports.charts.files import figure, svg  # matplotlib is heavy

    return [drawing_of(chart, svg(figure(chart), f"chart{place}")) for place, chart in enumerate(charts, 1)]


def drawing_of(chart: "Chart", svg: str) -> Drawing:
    """A chart and its svg element; a page needs no name of a namespace, and no metadata."""
    label = escape(f"Chart: {chart.title}")
    bare = _NAMESPACE.sub("", _METADATA.sub("", svg))
    return Drawing(chart.title, chart.note, Markup(bare.replace("<svg", f'<svg aria-label="{label}"', 1)))
