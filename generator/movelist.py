"""MoveList: the moves of one GenType in a position."""

from __future__ import annotations

from collections.abc import Iterator

from .generation import generate_moves
from .kernels.tables import Backend
from .position import Position
from .types.moves import ExtMove, GenType, Move
from .types.pieces import PieceType

_PIECE_VALUES = (100, 320, 330, 500, 900, 0)


def ordering_value(position: Position, move: Move) -> int:
    """Return the 32-bit MVV-LVA value by which a search would order the move.

    The value of a capture is 100 times the value of the victim in centipawns, minus the `PieceType` of the attacker.
    The most valuable victim therefore comes first, and among equal victims the least valuable attacker. A promotion
    adds the value that the pawn gains. All other moves have value 0.
    """
    value = 0
    if position.is_capture(move):
        victim = position.piece_at(move.target)
        attacker = position.piece_at(move.origin)
        taken = PieceType.PAWN if victim is None else victim[1]
        value += 100 * _PIECE_VALUES[taken] - (attacker[1] if attacker else 0)
    if move.promotion is not None:
        value += 100 * (_PIECE_VALUES[move.promotion] - _PIECE_VALUES[PieceType.PAWN])
    return value


class MoveList:
    """The moves of `gentype` in `position`; see `generation.generate_moves`.

    Iterating yields `ExtMove`s; `len` and `in` refer to moves.
    """

    def __init__(self, position: Position, gentype: GenType, backend: Backend | None = None) -> None:
        """Generate the moves with the slider back-end `backend` ("pext" or "magic"; default: the fastest available).

        Raises ValueError if the precondition of the GenType is not met (EVASIONS requires check, LEGAL nothing, all
        others that the king is not in check), or if the back-end cannot run on this machine.
        """
        gentype = GenType(gentype)
        if gentype is GenType.EVASIONS and not position.in_check:
            raise ValueError(f"EVASIONS need a king in check: {position.fen()}")
        if gentype not in (GenType.EVASIONS, GenType.LEGAL) and position.in_check:
            raise ValueError(f"{gentype.name} need a king that is not in check: {position.fen()}")
        self.position = position
        self.gentype = gentype
        self._moves = generate_moves(position, gentype, backend)

    @property
    def moves(self) -> list[Move]:
        """The moves without their values, in the order of generation."""
        return list(self._moves)

    def __iter__(self) -> Iterator[ExtMove]:
        return (ExtMove(move, ordering_value(self.position, move)) for move in self._moves)

    def __len__(self) -> int:
        return len(self._moves)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, int) and move in self._moves

    def __repr__(self) -> str:
        moves = " ".join(move.uci(self.position.chess960) for move in self._moves)
        return f"<MoveList {self.gentype.name}: {moves}>"
