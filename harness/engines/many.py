"""Engines that count many positions in one call: the protocol, and who has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeGuard

from ...generator.position import Position
from .task import Task


class CountsMany(Protocol):
    """An engine that counts many positions in less time than it takes to ask for each."""

    def perft_each(self, positions: Sequence[Position], depths: Sequence[Sequence[int]], task: Task) -> list[list[int]]:
        """Return the leaf nodes of each position at each of its depths, which are 1 or more. Raises EngineError."""


def may_count_many(engine: object) -> TypeGuard[CountsMany]:
    """Tell whether an engine counts many positions in one call."""
    return hasattr(engine, "perft_each")
