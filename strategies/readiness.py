"""Compile the kernels before the first draw: Hypothesis times draws, and would call the strategies too slow."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..generator.events import events_of
from ..generator.position import Position

T = TypeVar("T")


def when_ready(strategy: SearchStrategy[T]) -> SearchStrategy[T]:
    """Return the strategy, which compiles what it needs when a test that draws from it begins."""

    def compiled() -> SearchStrategy[T]:
        _compile()
        return strategy

    return st.deferred(compiled)


@cache
def _compile() -> None:
    from ..generator.movelist import MoveList
    from ..generator.types.moves import GenType

    start = Position.start()
    MoveList(start, GenType.QUIET_CHECKS)
    start.play(start.legal_moves[0])
    events_of(start)
