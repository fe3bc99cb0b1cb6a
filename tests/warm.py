"""Compiles what the tests call, turn-up games and Bid Euchre side by side, so that no two processes do it twice.

    python tests/warm.py

Asks one small question of each kind; an answer that fails to come ends it with an error. What is compiled stays in the
cache of kernels/compile.py, and a second run has nothing to do.
"""

import contextlib
import io
import subprocess
import sys
import tempfile
from pathlib import Path

from analyzer.cli import main

CARDS = '{"hands": ["AS 9S", "9H TD", "TC JC", "KC QD"], "trump": "H", "leader": 1, "sides": [[1, 3], [2, 4]]}'
FEW = ["--deals", "2"]
ASKED = {
    "four": [
        ["JH JD AH KH 9S", "--up", "QH", "--where", "--show", "1", *FEW],
        ["JH JD AH KH 9S", "--up", "QH", "--calls", "pass pass order pickup", "--play", "rollout:2", *FEW],
        ["JH JD AH KH 9S", "--up", "QH", "--play", "open", *FEW],
        ["--weakest", "--up", "QH", *FEW],
        ["-g", "two", "JC AS QS TH 9D", "--up", "KS", "--exact"],
    ],
    "bid": [
        ["-g", "bid", "JS AS QS TS 9H AD", "--where", "--show", "1", *FEW],
        ["-g", "bid", "JS AS QS TS 9H AD", "--calls", "3 pass pass pass spades", "--play", "rollout:2", *FEW],
        ["-g", "bid", "JS AS QS TS 9H AD", "--play", "open", *FEW],
        ["-g", "bid", "--weakest", *FEW],
    ],
}


def questions(game: str, folder: Path) -> list[list[str]]:
    """The arguments of `euchre` that together call the doors of a kind of game."""
    records, cards = str(folder / "hands.jsonl"), folder / "cards.json"
    cards.write_text(CARDS, encoding="utf-8")
    return [
        *(["ask", *asked] for asked in ASKED[game]),
        ["simulate", "-g", game, *FEW, "--records", records],
        ["replay", records],
        ["solve", str(cards)],
    ]


def warm(game: str) -> None:
    """Ask the questions of one game."""
    with tempfile.TemporaryDirectory() as folder:
        for arguments in questions(game, Path(folder)):
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as told:
                status = main(arguments)
            if status:
                sys.exit(f"euchre {' '.join(arguments)}: {told.getvalue()}")


if __name__ == "__main__":
    if sys.argv[1:]:
        warm(sys.argv[1])
    else:
        running = [subprocess.Popen([sys.executable, __file__, game]) for game in ASKED]
        sys.exit(max(each.wait() for each in running))
