"""perft-check's bitboard move generator: positions, every GenType, perft.

>>> from perft_check.generator import GenType, MoveList, Position
>>> len(MoveList(Position.start(), GenType.LEGAL))
20

Submodules are imported lazily, so that reading a FEN neither imports NumPy nor compiles kernels.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .counting.perft import Stats, divide, perft, stats
    from .game import Game
    from .movelist import MoveList
    from .notation.fen import START_FEN
    from .position import Position
    from .types.moves import ExtMove, GenType, Move, MoveKind
    from .types.pieces import Color, PieceType
    from .validation import FenError

_HOMES = {
    "START_FEN": "notation.fen",
    "Game": "game",
    "MoveList": "movelist",
    "ExtMove": "types.moves",
    "GenType": "types.moves",
    "Move": "types.moves",
    "MoveKind": "types.moves",
    "Stats": "counting.perft",
    "divide": "counting.perft",
    "perft": "counting.perft",
    "stats": "counting.perft",
    "Color": "types.pieces",
    "PieceType": "types.pieces",
    "Position": "position",
    "FenError": "validation",
}

__all__ = [
    "START_FEN",
    "Color",
    "ExtMove",
    "FenError",
    "Game",
    "GenType",
    "Move",
    "MoveKind",
    "MoveList",
    "PieceType",
    "Position",
    "Stats",
    "divide",
    "perft",
    "stats",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
