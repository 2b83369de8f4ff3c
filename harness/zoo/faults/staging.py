"""Faults of the lists that a search asks for in stages, one after another: see docs/gentypes.md."""

# ruff: noqa: D102 - a fault overrides what its base describes, and its docstring says how

from __future__ import annotations

from ....generator.kernels.geometry import between
from ....generator.position import Position
from ....generator.types.moves import GenType, Move, MoveKind
from ....generator.types.pieces import Kind
from ....generator.types.squares import squares_in
from ..fault import fault
from ..seeded.subjects import FaultyLists


@fault(
    "stage-capturing-promotions-lost",
    ids="ST01",
    effect="missing",
    rules="stage",
    fen="1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
)
class CapturingPromotionsLost(FaultyLists):
    """The stage of captures leaves out promotions that capture, and no other stage has them."""

    def drops(self, position: Position, gentype: GenType, move: Move) -> bool:
        takes = move.kind is MoveKind.PROMOTION and position.is_capture(move)
        return takes and move.promotion is Kind.QUEEN and gentype is GenType.CAPTURES


@fault(
    "stage-capturing-underpromotions-lost",
    ids="ST01",
    effect="missing",
    rules="stage",
    fen="1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
)
class CapturingUnderpromotionsLost(FaultyLists):
    """Underpromotions that capture are in no stage: too quiet for the captures, captures to the quiet moves."""

    def drops(self, position: Position, gentype: GenType, move: Move) -> bool:
        takes = move.kind is MoveKind.PROMOTION and position.is_capture(move)
        return takes and move.promotion is not Kind.QUEEN and gentype is GenType.QUIETS


@fault(
    "stage-castling-unmasked",
    ids="ST05",
    effect="extra",
    rules="stage castling-in-check",
    fen="4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
)
class CastlingUnmasked(FaultyLists):
    """Castling is generated whatever squares are asked for, even those that answer a check."""

    def adds(self, position: Position, gentype: GenType, right: list[Move]) -> list[Move]:
        return open_castlings(position) if gentype is GenType.EVASIONS else []


@fault(
    "stage-quiet-checks-without-promotions",
    ids="ST10",
    effect="missing",
    rules="stage",
    fen="8/P1k5/8/8/8/8/8/4K3 w - - 0 1",
)
class QuietChecksWithoutPromotions(FaultyLists):
    """The stage of quiet checks misses promotions to a checking knight."""

    def drops(self, position: Position, gentype: GenType, move: Move) -> bool:
        return gentype is GenType.QUIET_CHECKS and move.kind is MoveKind.PROMOTION


@fault(
    "stage-hash-move-twice", ids="ST07", effect="duplicate", rules="duplicate", fen="1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
)
class StageHashMoveTwice(FaultyLists):
    """The hash move is left out of the captures by its squares only, so a promotion comes again with the others."""

    def adds(self, position: Position, gentype: GenType, right: list[Move]) -> list[Move]:
        if gentype is not GenType.NON_EVASIONS:
            return []
        return [move for move in right if move.kind is MoveKind.PROMOTION][:1]


def open_castlings(position: Position) -> list[Move]:
    """Return the castlings with nothing between king and rook, attacked or not."""
    king = position.king(position.turn)
    rooks = [rook for rook in squares_in(position.castling) if rook // 8 == position.turn.back_rank]
    return [Move.make(king, rook, MoveKind.CASTLING) for rook in rooks if not between(king, rook) & position.occupied]
