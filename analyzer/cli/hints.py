"""Turns an answer into one line on what else `euchre ask` could tell of it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.ask import Answer

_MOST = 2
"""More would not stand on one line."""


def hint_of(answer: "Answer", *, has_looked: bool) -> str:
    """The options of the command that would help with this answer, in a sentence; empty where none would."""
    verdict, provenance = answer.verdict, answer.provenance
    if verdict.kind == "only":
        return ""
    is_close = verdict.kind != "better" or -answer.options[1].difference <= verdict.margin
    hints = []
    if is_close and provenance.play == "base":
        hints.append("--play rollout:100 for a close call")
    if not has_looked:
        hints.append("--where or --show 2 for the hands")
    if "scores" not in answer.position:
        hints.append("--score for the chance to win")
    return f"Try {', '.join(hints[:_MOST])}." if hints else ""
