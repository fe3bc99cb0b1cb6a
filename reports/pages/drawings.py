"""Turns charts into pictures that stand in a page: without a word of their own to the network, and with a label."""

import re
from dataclasses import dataclass

from markupsafe import Markup, escape


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as a page has it."""

    title: str
    """The finding, in a sentence."""
    note: str
    """What its marks mean."""
    svg: Markup


_METADATA = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)
_NAMESPACE = re.compile(r'\sxmlns(:\w+)?="[^"]*"')


def drawing_of(title: str, note: str, svg: str) -> Drawing:
    """An svg element as a page may have it: labelled, sized by the page, and with no address in it."""
    label = escape(f"Chart: {title}")
    bare = _NAMESPACE.sub("", _METADATA.sub("", svg))
    return Drawing(title, note, Markup(bare.replace("<svg", f'<svg aria-label="{label}"', 1)))  # drawn here
