"""Rare events: situations in a position that need a separate branch in a move generator.

>>> from perft_check.generator import Position
>>> from perft_check.generator.events import events_of
>>> [event.label for event in events_of(Position.from_fen("7k/8/8/8/8/6q1/8/7K w - - 1 2"))]
['stalemate']
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from .kernels.events.catalogue import IMPOSSIBLE_EVENTS, Event
from .position import Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .kernels.board import Board

__all__ = ["IMPOSSIBLE_EVENTS", "Event", "chance_of_new", "event_bits", "events_of"]


def event_bits(position: Position) -> int:
    """Return the events that occur in a position: bit i is set if `Event(i)` occurs."""
    return _take_census()(position.board)


def events_of(position: Position) -> frozenset[Event]:
    """Return the events that occur in a position."""
    bits = event_bits(position)
    return frozenset(Event(bit) for bit in range(bits.bit_length()) if bits >> bit & 1)


@cache
def _take_census() -> Callable[[Board], int]:
    """Return a function that calls the kernel. It is created on first use, because event names do not need it."""
    import numpy as np

    from .kernels.encoding import MAX_MOVES
    from .kernels.events.census import census
    from .kernels.tables import tables

    block = tables()

    def take(board: Board) -> int:
        moves = np.empty(MAX_MOVES, dtype=np.uint16)
        low, high = census(block, board, np.uint64(moves.ctypes.data))
        return int(low) | int(high) << 64

    return take


def chance_of_new(occurrences: NDArray[np.integer], positions: int) -> float:
    """Return the probability that the next position contains a new item; 1.0 before the first position.

    `occurrences` has the number of occurrences of each item (an event, or a pair of events) in `positions` positions.
    The estimate is the number of items that occurred exactly once, divided by `positions` (I. J. Good, 1953, after A.
    M. Turing). Because a position contains many correlated items, the quotient is actually the expected number of new
    items, which is an upper bound for the probability. Raises ValueError if `positions` is negative.
    """
    import numpy as np

    if positions < 0:
        raise ValueError(f"the number of positions must not be negative, as {positions} is")
    singletons = int(np.count_nonzero(np.asarray(occurrences) == 1))
    return min(1.0, singletons / positions) if positions else 1.0
