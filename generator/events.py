"""Rare events: which of the things that need a branch of their own in a move generator a position has.

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
    from .kernels.board import Board

__all__ = ["IMPOSSIBLE_EVENTS", "Event", "event_bits", "events_of"]


def event_bits(position: Position) -> int:
    """Return the events that a position meets: bit i is set if it meets `Event(i)`."""
    return _take_census()(position.board)


def events_of(position: Position) -> frozenset[Event]:
    """Return the events that a position meets."""
    bits = event_bits(position)
    return frozenset(Event(bit) for bit in range(bits.bit_length()) if bits >> bit & 1)


@cache
def _take_census() -> Callable[[Board], int]:
    """Return what calls the kernel; made on first use, for the names of events need no compiler."""
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
