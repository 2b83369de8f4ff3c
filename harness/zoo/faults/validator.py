"""Faults of the validator, which tells whether a move from a hash table is legal in a position."""

# ruff: noqa: D102 - a fault overrides what its base describes, and its docstring says how

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import Color, Kind
from ....generator.types.squares import squares_in
from ..fault import fault
from ..seeded.subjects import FaultyValidator
from .staging import open_castlings


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


@fault(
    "validator-castling-from-check",
    ids="CA05",
    effect="extra",
    rules="castling-in-check",
    fen="4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
)
class CastlingFromCheck(FaultyValidator):
    """The validator takes castling out of check for legal, which the generator never lists."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        return open_castlings(position) if position.in_check else []


@fault(
    "validator-castling-up-the-board",
    ids="CA17",
    effect="extra",
    rules="piece-movement castling-no-right castling-not-a-king-step not-own-piece captures-own-piece",
    fen="4k3/8/8/8/8/8/7R/4K2R w K - 0 1",
)
class CastlingUpTheBoard(FaultyValidator):
    """The side of castling is told by the files alone, so a king castles with a rook of another rank."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        legal = {move.target % 8 for move in right if move.kind is MoveKind.CASTLING}
        rooks = squares_in(position.pieces[position.turn][Kind.ROOK])
        king = position.king(position.turn)
        return [Move.make(king, rook, MoveKind.CASTLING) for rook in rooks if rook % 8 in legal]


@fault(
    "validator-ep-wrong-square",
    ids="EP25",
    effect="missing",
    rules="en-passant",
    fen="4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
)
class EnPassantWrongSquare(FaultyValidator):
    """The targets of a pawn get its own square instead of the en passant square."""

    def refuses(self, position: Position, move: Move) -> bool:
        return move.kind is MoveKind.EN_PASSANT


@fault(
    "validator-ep-null-is-a1",
    ids="EP23",
    effect="extra",
    rules="pawn-capture-empty en-passant-not-available promotion-piece-missing",
    fen="4k3/8/8/8/8/8/1p6/4K3 b - - 0 1",
)
class EnPassantNullIsA1(FaultyValidator):
    """No en passant square is stored as 0, which is a1, so a pawn on b2 may take there."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        b2_to_a1 = Move.make(9, 0, MoveKind.EN_PASSANT)
        waits = position.turn is Color.BLACK and position.en_passant is None and 9 in own_pawns(position)
        return [b2_to_a1] if waits and position.piece_at(0) is None and not position.in_check else []


@fault(
    "validator-promotes-anywhere",
    ids="PR11",
    effect="extra",
    rules="promotion-not-last-rank",
    fen="4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
)
class PromotesAnywhere(FaultyValidator):
    """The validator does not ask whether a promotion goes to the last rank."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        pawns = own_pawns(position)
        return [
            Move.make(move.origin, move.target, MoveKind.PROMOTION, kind)
            for move in right
            if move.kind is MoveKind.NORMAL and move.origin in pawns
            for kind in (Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN)
        ]


@fault("validator-capture-wraps", ids="SL01", effect="extra", rules="wraps-edge", fen="4k3/8/8/8/P6n/8/8/4K3 w - - 0 1")
class ValidatorCaptureWraps(FaultyValidator):
    """The validator tells a pawn's capture by the difference of squares, so one from the a-file goes to the h-file."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        step = forward(position)
        wrong = captures(position, (step - 1, step + 1))
        return [move for move in wrong if abs(move.target % 8 - move.origin % 8) == 7 and not position.in_check]


@fault(
    "validator-double-push-from-any-rank",
    ids="SL08",
    effect="extra",
    rules="pawn-double-push-rank",
    fen="4k3/8/8/8/8/P7/8/4K3 w - - 0 1",
)
class DoublePushFromAnyRank(FaultyValidator):
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


@fault(
    "validator-captures-sideways",
    ids="SL09",
    effect="extra",
    rules="piece-movement",
    fen="4k3/8/8/8/3nP3/8/8/4K3 w - - 0 1",
)
class CapturesSideways(FaultyValidator):
    """The validator asks whether a pawn goes straight or captures, but not whether the capture is diagonal."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        wrong = captures(position, (-1, 1))
        return [move for move in wrong if move.target // 8 == move.origin // 8 and not position.in_check]


@fault(
    "validator-other-side-moves",
    ids="MV03",
    effect="extra",
    rules="not-own-piece",
    fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1",
)
class OtherSideMoves(FaultyValidator):
    """The validator does not ask whose piece moves."""

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        if position.in_check:
            return []
        return list(replace(position, turn=position.turn.other, en_passant=None).legal_moves)


@fault(
    "validator-king-takes-castling-rook",
    ids="CR07",
    effect="missing",
    rules="king-takes-unprotected",
    fen="8/8/8/8/8/8/6k1/4K2R b K - 0 1",
)
class KingTakesCastlingRook(FaultyValidator):
    """A king that takes an enemy rook with a castling right is thought to castle, so the capture is refused."""

    def refuses(self, position: Position, move: Move) -> bool:
        is_king = move.origin == position.king(position.turn)
        return is_king and move.kind is MoveKind.NORMAL and bool(position.castling >> move.target & 1)
