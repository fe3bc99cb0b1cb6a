"""Names the strategies that come with the program; their numbers are the files in analyzer/strategies."""

from typing import Final

PRESETS: Final = ("random", "cautious", "standard", "bold")
"""From a floor to measure others by to the one that calls on least."""
