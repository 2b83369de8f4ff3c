"""The order of questions: first those that killed the most mutants of the same module, then of others, then cheap ones.

The order is updated while mutants are tested.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

_LAST = (
    *("count", "lists", "neighbours", "children", "sliders"),
    *("progress", "stop", "buffers", "lines", "patterns", "soak"),
)
"""Kinds of questions, cheap ones first."""


class QuestionOrder:
    """The order of the questions, which is updated whenever a mutant is killed."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._cost = [_LAST.index(kind) for kind in kinds]
        self._kills: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(kinds))
        self._all = [0] * len(kinds)

    def for_module(self, module: str) -> list[int]:
        """Return the indices of the questions, in the order in which they are asked about a mutant of a module."""
        here = self._kills[module]
        return sorted(
            range(len(self._all)), key=lambda number: (-4 * here[number] - self._all[number], self._cost[number])
        )

    def credit(self, module: str, number: int) -> None:
        """Record that a question killed a mutant of a module."""
        self._kills[module][number] += 1
        self._all[number] += 1
