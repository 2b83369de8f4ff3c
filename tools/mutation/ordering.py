"""In which order a mutant is asked: what has killed most in its module comes first, then elsewhere, then the cheap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

_LAST = (
    *("count", "lists", "neighbours", "children", "sliders"),
    *("progress", "stop", "buffers", "lines", "patterns", "soak"),
)
"""Kinds of questions, the cheap ones first."""


class QuestionOrder:
    """The order of the questions, which learns from every mutant that is killed."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._cost = [_LAST.index(kind) for kind in kinds]
        self._kills: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(kinds))
        self._all = [0] * len(kinds)

    def for_module(self, module: str) -> list[int]:
        """Return the numbers of the questions in the order for a mutant of this module."""
        here = self._kills[module]
        return sorted(
            range(len(self._all)), key=lambda number: (-4 * here[number] - self._all[number], self._cost[number])
        )

    def credit(self, module: str, number: int) -> None:
        """Note that a question has killed a mutant of this module."""
        self._kills[module][number] += 1
        self._all[number] += 1
