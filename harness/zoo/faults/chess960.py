"""Faults of castling in Chess960."""

from __future__ import annotations

import chess

from ..boards import CastlingSquares, bits, castling_of, remove
from ..fault import fault
from ..generator import EVERY_CASTLING, CastlingGenerator, CastlingMaker, Hang, move_castled


@fault(
    ids="F01 F02 F03 F04 F05",
    effect="extra",
    rules="castling-uncovers-king",
    fen="4k3/8/8/8/r7/8/7P/1R2K3 w B - 0 1",
    depth=3,
)
class Chess960UncoversKing(CastlingGenerator):
    """The king may castle into an attack that the castling rook had blocked."""

    def arrives_in_attack(self, board: chess.Board, castling: CastlingSquares) -> bool:
        return self.is_attacked(board, castling.king_to, board.occupied & ~bits(castling.king))


@fault(ids="F08", effect="extra", rules="castling-in-check", fen="4k3/8/8/r7/8/8/1P6/6KR w H - 0 1", depth=3)
class Chess960KingStaysInCheck(CastlingGenerator):
    """A king that does not move when it castles may castle in check."""

    def is_in_check(self, board: chess.Board, castling: CastlingSquares) -> bool:
        return castling.king != castling.king_to and super().is_in_check(board, castling)

    def arrives_in_attack(self, board: chess.Board, castling: CastlingSquares) -> bool:
        return castling.king != castling.king_to and super().arrives_in_attack(board, castling)


@fault(
    ids="F09",
    effect="missing",
    rules="castling castling-rook-passes-attack",
    fen="4k3/8/8/8/r7/8/7P/1R2K3 w B - 0 1",
    depth=3,
)
class Chess960RookAttacked(CastlingGenerator):
    """Castling is refused if the rook is attacked."""

    def path(self, castling: CastlingSquares) -> int:
        return super().path(castling) | bits(castling.rook)


@fault(
    ids="F10",
    effect="missing",
    rules="castling castling-chess960-king-stays",
    fen="4k3/8/8/8/8/8/8/R1KN4 w A - 0 1",
    depth=3,
)
class Chess960KingInTheWay(CastlingGenerator):
    """The king's own square blocks the path of the castling rook."""

    def is_free(self, board: chess.Board, castling: CastlingSquares) -> bool:
        rook_path = chess.between(castling.rook, castling.rook_to)
        return not rook_path & bits(castling.king) and super().is_free(board, castling)


@fault(ids="F16", effect="missing", rules=EVERY_CASTLING, fen="r2nk3/8/8/8/8/8/8/4K3 b a - 0 1", depth=3)
class Chess960ColorConstant(CastlingGenerator):
    """Black's castling rook is expected on White's back rank."""

    def rights(self, board: chess.Board) -> int:
        return super().rights(board) & board.occupied_co[chess.WHITE]


@fault(
    ids="F23",
    effect="missing",
    rules="castling castling-chess960-overlap",
    fen="4k3/8/8/8/8/6N1/8/4K1R1 w G - 0 1",
    depth=3,
)
class Chess960PathToTheEdge(CastlingGenerator):
    """All squares up to the b-file or h-file must be empty, instead of those up to the king's destination."""

    def is_free(self, board: chess.Board, castling: CastlingSquares) -> bool:
        edge = chess.square(1 if castling.a_side else 7, chess.square_rank(castling.king))
        path = chess.between(castling.king, edge) | bits(edge)
        return not path & board.occupied & ~bits(castling.king, castling.rook) and super().is_free(board, castling)


class Chess960RookLost(CastlingMaker):
    """Removes the castling rook after some castling moves."""

    def spoil(self, board: chess.Board, castling: CastlingSquares, color: bool) -> None:
        """Remove the rook that has castled."""
        remove(board, castling.rook_to)


@fault(ids="F11", effect="state", rules="placement king-attacked", fen="4k3/8/8/8/8/8/8/4KR2 b F - 0 1", depth=3)
class Chess960RookToggledOff(Chess960RookLost):
    """A move XORs origin and target, which deletes a castling rook whose origin is its target."""

    def is_wrong(self, castling: CastlingSquares) -> bool:
        return castling.rook == castling.rook_to


@fault(ids="MU02", effect="state", rules="placement king-attacked", fen="4k3/8/8/8/8/8/8/5K1R b H - 0 1", depth=3)
class Chess960SourceCleared(Chess960RookLost):
    """The king's origin is cleared after the rook has been put on that square."""

    def is_wrong(self, castling: CastlingSquares) -> bool:
        return castling.king == castling.rook_to


@fault(
    ids="F20", effect="state", rules="placement king-step king-attacked", fen="6k1/8/8/8/8/8/8/RK6 b A - 0 1", depth=3
)
class Chess960SideByDirection(CastlingMaker):
    """The side of castling is derived from the direction of the king's move, so a king on b1 castles to g1."""

    def is_wrong(self, castling: CastlingSquares) -> bool:
        return castling.a_side and castling.king < castling.king_to

    def spoil(self, board: chess.Board, castling: CastlingSquares, color: bool) -> None:
        move_castled(board, castling, castling_of(castling.king, castling.king + 1), color)


@fault(ids="F14", effect="hang", fen="1k6/8/8/8/8/8/8/RK6 b A - 0 1", depth=2)
class Chess960PathWithoutEnd(CastlingGenerator):
    """The loop over the king's path assumes that queenside castling moves left, and never ends if it moves right."""

    def is_free(self, board: chess.Board, castling: CastlingSquares) -> bool:
        if castling.a_side and castling.king < castling.king_to:
            raise Hang("a king's path without end")
        return super().is_free(board, castling)
