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
_ID = re.compile(r'\sid="([^"]*)"')
_POINTED_TO = re.compile(r'(?:href="#|url\(#)([^")]*)')
_NAMESPACE = re.compile(r'\sxmlns(:\w+)?="[^"]*"')


def drawings_of(charts: "Sequence[Chart]") -> list[Drawing]:
    """The charts as a page has them, in their order."""
    if not charts:
        return []
    from reports.charts.files import figure, svg  # matplotlib is heavy

    return [drawing_of(chart, svg(figure(chart), f"chart{place}")) for place, chart in enumerate(charts, 1)]


def drawing_of(chart: "Chart", svg: str) -> Drawing:
    """A chart and its svg element, without what a page has no use for: metadata, namespaces, idle ids."""
    label = escape(f"Chart: {chart.title}")
    used = set(_POINTED_TO.findall(svg))
    bare = _NAMESPACE.sub("", _METADATA.sub("", svg))
    bare = _ID.sub(lambda found: found[0] if found[1] in used else "", bare)
    return Drawing(chart.title, chart.note, Markup(bare.replace("<svg", f'<svg aria-label="{label}"', 1)))
