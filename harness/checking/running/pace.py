"""How long a run still takes, from what the engine has answered so far."""

from __future__ import annotations

import math
from dataclasses import dataclass

ENOUGH_SECONDS = 3.0
"""Answers that took so long together show the pace of an engine."""
LATER = 1.5
"""If that is no long run, it is looked at again once answers have taken so many times longer."""
LONG_SECONDS = 60.0
"""A run that takes longer is announced."""


@dataclass(frozen=True)
class Left:
    """What an engine is still to be asked."""

    questions: int
    nodes: int


class Pace:
    """Measures the answers of an engine."""

    def __init__(self) -> None:
        """Begin with no answer."""
        self._questions = self._nodes = 0
        self._seconds = 0.0
        self._next_look = ENOUGH_SECONDS

    def note(self, nodes: int, seconds: float) -> bool:
        """Note an answer; return True if it is time to look how long the run takes."""
        self._questions, self._nodes = self._questions + 1, self._nodes + nodes
        self._seconds += seconds
        if self._seconds < self._next_look:
            return False
        self._next_look = self._seconds * LATER
        return True

    def announce(self, name: str, left: Left, threads: int, advice: str) -> str | None:
        """Return a line about the time that is left if that is long; it is returned once at most.

        The time of a question is that of its nodes or that of the question itself, whatever its size. The smaller
        estimate counts.
        """
        by_question = left.questions * self._seconds / max(1, self._questions)
        by_node = left.nodes * self._seconds / max(1, self._nodes)
        seconds = min(by_question, by_node) / max(1, threads)
        if seconds <= LONG_SECONDS:
            return None
        self._next_look = math.inf
        is_slow_by_question = by_question <= by_node
        pace = self._seconds / self._questions if is_slow_by_question else self._nodes / self._seconds
        speed = f"{pace:.1f} s a question" if is_slow_by_question else f"{pace:,.0f} nodes a second"
        return f"at {speed} of {name} this run takes about {_in_words(seconds)} more; {advice}"


def _in_words(seconds: float) -> str:
    hours, minutes = seconds / 3600, round(seconds / 60)
    return f"{minutes} min" if hours < 2 else f"{hours:.0f} h"
