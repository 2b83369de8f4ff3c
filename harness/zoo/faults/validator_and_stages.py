"""Faults that only the API of a generator shows: in lists that a search asks for in stages, and in the validator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....generator.kernels.geometry import between
from ....generator.position import Position
from ....generator.types.moves import GenType, Move, MoveKind
from ....generator.types.pieces import Color, Kind
from ....generator.types.squares import squares_in
from ..fault import fault
from ..seeded.subjects import FaultyLists, FaultyValidator


@fault(ids="ST01", effect="missing", rules="stage", fen="1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
class StageCapturingPromotionsLost(FaultyLists):
    """The stage of captures leaves out promotions that capture, and no other stage has them."""

    def drops(self, position: Position, gentype: GenType, move: Move) -> bool:
        takes = move.kind is MoveKind.PROMOTION and position.is_capture(move)
        return takes and move.promotion is Kind.QUEEN and gentype is GenType.CAPTURES


@fault(ids="ST01", effect="missing", rules="stage", fen="1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
class StageCapturingUnderpromotionsLost(FaultyLists):
    """Underpromotions that capture are in no stage: too quiet for the captures, captures to the quiet moves."""

    def drops(self, position: Position, gentype: GenType, move: Move) -> bool:
        takes = move.kind is MoveKind.PROMOTION and position.is_capture(move)
        return takes and move.promotion is not Kind.QUEEN and gentype is GenType.QUIETS


@fault(ids="ST05", effect="extra", rules="stage castling-in-check", fen="4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1")
class StageCastlingUnmasked(FaultyLists):
    """Castling is generated whatever squares are asked for, even those that answer a check."""

    def adds(self, position: Position, gentype: GenType, right: list[Move]) -> list[Move]:
        return open_castlings(position) if gentype is GenType.EVASIONS else []


@fault(ids="ST10", effect="missing", rules="stage", fen="8/P1k5/8/8/8/8/8/4K3 w - - 0 1")
class StageQuietChecksWithoutPromotions(FaultyLists):
    """The stage of quiet checks misses promotions to a checking knight."""

    def drops(self, position: Position, gentype: GenType, move: Move) -> bool:
        return gentype is GenType.QUIET_CHECKS and move.kind is MoveKind.PROMOTION


@fault(ids="ST07", effect="duplicate", rules="duplicate", fen="1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
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


def own_pawns(position: Position) -> list[int]:
    """Return the squares of the pawns of the side to move."""
    return squares_in(position.pieces[position.turn][Kind.PAWN])


def forward(position: Position) -> int:
    """Return the difference that a pawn's step makes to its square: 8 or -8."""
    return 8 if position.turn is Color.WHITE else -8


def captures(position: Position, steps: tuple[int, ...]) -> Iterator[Move]:
    """Yield captures by pawns whose target differs from their square by one of `steps`."""
    for pawn in own_pawns(position):
        for step in steps:
            piece = position.piece_at(pawn + step) if 8 <= pawn + step < 56 else None
            if piece is not None and piece[0] is not position.turn and piece[1] is not Kind.KING:
                yield Move.make(pawn, pawn + step)


@fault(ids="CA05", effect="extra", rules="castling-in-check", fen="4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1")
class ValidatorCastlingFromCheck(FaultyValidator):
    """The validator takes castling out of check for legal, which the generator never lists."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        return open_castlings(position) if position.in_check else []


@fault(
    ids="CA17",
    effect="extra",
    rules="piece-movement castling-no-right castling-not-a-king-step not-own-piece captures-own-piece",
    fen="4k3/8/8/8/8/8/7R/4K2R w K - 0 1",
)
class ValidatorCastlingUpTheBoard(FaultyValidator):
    """The side of castling is told by the files alone, so a king castles with a rook of another rank."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        legal = {move.target % 8 for move in right if move.kind is MoveKind.CASTLING}
        rooks = squares_in(position.pieces[position.turn][Kind.ROOK])
        king = position.king(position.turn)
        return [Move.make(king, rook, MoveKind.CASTLING) for rook in rooks if rook % 8 in legal]


@fault(ids="EP25", effect="missing", rules="en-passant", fen="4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
class ValidatorEpWrongSquare(FaultyValidator):
    """The targets of a pawn get its own square instead of the en passant square."""

    def refuses(self, position: Position, move: Move) -> bool:
        return move.kind is MoveKind.EN_PASSANT


@fault(
    ids="EP23",
    effect="extra",
    rules="pawn-capture-empty en-passant-not-available promotion-piece-missing",
    fen="4k3/8/8/8/8/8/1p6/4K3 b - - 0 1",
)
class ValidatorEpNullIsA1(FaultyValidator):
    """No en passant square is stored as 0, which is a1, so a pawn on b2 may take there."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        b2_to_a1 = Move.make(9, 0, MoveKind.EN_PASSANT)
        waits = position.turn is Color.BLACK and position.en_passant is None and 9 in own_pawns(position)
        return [b2_to_a1] if waits and position.piece_at(0) is None and not position.in_check else []


@fault(ids="PR11", effect="extra", rules="promotion-not-last-rank", fen="4k3/8/8/8/8/8/P7/4K3 w - - 0 1")
class ValidatorPromotesAnywhere(FaultyValidator):
    """The validator does not ask whether a promotion goes to the last rank."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        pawns = own_pawns(position)
        return [
            Move.make(move.origin, move.target, MoveKind.PROMOTION, kind)
            for move in right
            if move.kind is MoveKind.NORMAL and move.origin in pawns
            for kind in (Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN)
        ]


@fault(ids="SL01", effect="extra", rules="wraps-edge", fen="4k3/8/8/8/P6n/8/8/4K3 w - - 0 1")
class ValidatorCaptureWraps(FaultyValidator):
    """The validator tells a pawn's capture by the difference of squares, so one from the a-file goes to the h-file."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        step = forward(position)
        wrong = captures(position, (step - 1, step + 1))
        return [move for move in wrong if abs(move.target % 8 - move.origin % 8) == 7 and not position.in_check]


@fault(ids="SL08", effect="extra", rules="pawn-double-push-rank", fen="4k3/8/8/8/8/P7/8/4K3 w - - 0 1")
class ValidatorDoublePushFromAnyRank(FaultyValidator):
    """The validator does not ask from where a pawn makes its double step."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        step = forward(position)
        free = {
            move.origin for move in right if move.origin in own_pawns(position) and move.target - move.origin == step
        }
        targets = [(pawn, pawn + 2 * step) for pawn in free]
        return [
            Move.make(pawn, target)
            for pawn, target in targets
            if 8 <= target < 56 and position.piece_at(target) is None and not position.in_check
        ]


@fault(ids="SL09", effect="extra", rules="piece-movement", fen="4k3/8/8/8/3nP3/8/8/4K3 w - - 0 1")
class ValidatorCapturesSideways(FaultyValidator):
    """The validator asks whether a pawn goes straight or captures, but not whether the capture is diagonal."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        wrong = captures(position, (-1, 1))
        return [move for move in wrong if move.target // 8 == move.origin // 8 and not position.in_check]


@fault(ids="MV03", effect="extra", rules="not-own-piece", fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1")
class ValidatorOtherSideMoves(FaultyValidator):
    """The validator does not ask whose piece moves."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        if position.in_check:
            return []
        return list(replace(position, turn=position.turn.other, en_passant=None).legal_moves)


@fault(ids="CR07", effect="missing", rules="king-takes-unprotected", fen="8/8/8/8/8/8/6k1/4K2R b K - 0 1")
class ValidatorKingTakesCastlingRook(FaultyValidator):
    """A king that takes an enemy rook with a castling right is thought to castle, so the capture is refused."""

    def refuses(self, position: Position, move: Move) -> bool:
        is_king = move.origin == position.king(position.turn)
        return is_king and move.kind is MoveKind.NORMAL and bool(position.castling >> move.target & 1)
