"""MoveList: the moves of one GenType in a position, in a fixed buffer, ready to iterate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from . import frame
from .kernels.encoding import MAX_MOVES
from .kernels.generate import generate
from .kernels.tables import Backend, tables
from .moves import ExtMove, GenType, Move
from .pieces import Kind

if TYPE_CHECKING:
    from .position import Position

_PIECE_VALUES = (100, 320, 330, 500, 900, 0)


def ordering_value(position: Position, move: Move) -> int:
    """Return the 32-bit value by which a search would order the move: MVV-LVA.

    Captures: the victim's value in hundredths of a pawn times 100, less the capturer's `Kind`, so
    that the most valuable victim comes first and among equals the least valuable attacker. A
    promotion adds what the pawn gains. Other moves are worth 0.
    """
    value = 0
    if position.is_capture(move):
        victim = position.piece_at(move.target)
        attacker = position.piece_at(move.origin)
        taken = Kind.PAWN if victim is None else victim[1]
        value += 100 * _PIECE_VALUES[taken] - (attacker[1] if attacker else 0)
    if move.promotion is not None:
        value += 100 * (_PIECE_VALUES[move.promotion] - _PIECE_VALUES[Kind.PAWN])
    return value


class MoveList:
    """The moves of `gentype` in `position`, generated at once into a buffer of `MAX_MOVES`.

    Iterating yields `ExtMove`s; `len` and `in` work on moves. The buffer holds more than any board
    can produce (see `kernels.encoding.MAX_MOVES`), so a list is never cut short.
    """

    def __init__(self, position: Position, gentype: GenType, backend: Backend | None = None) -> None:
        """Generate the moves, with the slider back-end `backend` ("pext" or "magic"; default: the best).

        Raises ValueError where the GenType's precondition fails (EVASIONS need a check, LEGAL
        nothing, the others a king that is not in check), or where the back-end cannot run here.
        """
        gentype = GenType(gentype)
        if gentype is GenType.EVASIONS and not position.in_check:
            raise ValueError(f"EVASIONS need a king in check: {position.fen()}")
        if gentype not in (GenType.EVASIONS, GenType.LEGAL) and position.in_check:
            raise ValueError(f"{gentype.name} need a king that is not in check: {position.fen()}")
        self.position = position
        self.gentype = gentype
        self._buffer = np.empty(MAX_MOVES, dtype=np.uint16)
        address = np.uint64(self._buffer.ctypes.data)
        self._size = int(generate(tables(backend), position.board, np.uint64(gentype), address))
        if self._size > MAX_MOVES:
            raise AssertionError(f"{self._size} moves overran the buffer: {position.fen()}")

    @property
    def moves(self) -> list[Move]:
        """The moves without their values, in the order of generation."""
        turn = self.position.turn
        return [frame.flip_move(int(move), turn) for move in self._buffer[: self._size]]

    def __iter__(self) -> Iterator[ExtMove]:
        return (ExtMove(move, ordering_value(self.position, move)) for move in self.moves)

    def __len__(self) -> int:
        return self._size

    def __contains__(self, move: object) -> bool:
        return isinstance(move, int) and move in self.moves

    def __repr__(self) -> str:
        moves = " ".join(move.uci(self.position.chess960) for move in self.moves)
        return f"<MoveList {self.gentype.name}: {moves}>"
