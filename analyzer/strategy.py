"""placeholder"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Strategy:
    """A strategy."""

    name: str
    numbers: Mapping[str, float]
    is_random: bool = False
