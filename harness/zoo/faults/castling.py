"""Faults of castling: its conditions, and the squares to which king and rook move."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from ..boards import CastlingSquares, bits, castling_of, last_move_castled, pin_allows, put, remove
from ..fault import fault
from ..generator import CastlingGenerator, CastlingMaker, Generator, move_castled


@fault(
    ids="CA01",
    effect="extra",
    rules="castling-no-right fen-castling",
    fen="4k3/8/8/8/8/8/8/5K1R w - - 0 1",
    depth=3,
)
class CastlingRightIgnored(CastlingGenerator):
    """Rights are combined with OR instead of AND, so king and rook at home castle without a right."""

    def rights(self, board: chess.Board) -> int:
        if board.king(board.turn) != (chess.E1 if board.turn == chess.WHITE else chess.E8):
            return super().rights(board)
        return super().rights(board) | chess.BB_CORNERS & board.rooks & board.occupied_co[board.turn]


@fault(
    ids="CA02",
    effect="missing",
    rules="castling castling-rook-passes-attack",
    fen="4k3/8/8/7r/8/8/6P1/R3K3 w Q - 0 1",
    depth=3,
)
class CastlingBFileAttacked(CastlingGenerator):
    """Queenside castling is refused if b1 is attacked, although only the rook passes that square."""

    def path(self, castling: CastlingSquares) -> int:
        return chess.between(castling.king, castling.rook)


@fault(ids="CA04", effect="extra", rules="castling-in-check", fen="4k3/8/8/7r/8/8/6P1/R3K3 w Q - 0 1", depth=3)
class CastlingFromCheck(CastlingGenerator):
    """The king may castle out of check."""

    def is_in_check(self, board: chess.Board, castling: CastlingSquares) -> bool:
        return False


@fault(ids="CA06", effect="extra", rules="castling-path-blocked", fen="4k3/8/8/8/8/2N5/8/R3K3 w Q - 0 1", depth=3)
class CastlingThroughPieces(CastlingGenerator):
    """Castling ignores own pieces between king and rook."""

    def is_free(self, board: chess.Board, castling: CastlingSquares) -> bool:
        return True


@fault(ids="CA18", effect="extra", rules="castling-path-blocked", fen="4k3/8/8/8/8/8/6R1/4K2R w K - 0 1", depth=3)
class CastlingOverOwnRook(CastlingGenerator):
    """The scan for the castling rook skips other own rooks, so a rook in the way does not block castling."""

    def is_free(self, board: chess.Board, castling: CastlingSquares) -> bool:
        king, rook, king_to, rook_to = castling
        path = chess.between(king, king_to) | chess.between(rook, rook_to) | bits(king_to, rook_to)
        own_rooks = board.rooks & board.occupied_co[board.turn]
        return not path & board.occupied & ~bits(king) & ~own_rooks


@fault(
    ids="CA09",
    effect="missing",
    rules="castling castling-rook-passes-attack",
    fen="4k3/8/8/8/6n1/8/P7/4K2R w K - 0 1",
    depth=3,
)
class CastlingPawnTypeForgotten(CastlingGenerator):
    """Castling is refused if any enemy piece stands where an enemy pawn would attack the king's path."""

    def passes_attack(self, board: chess.Board, castling: CastlingSquares) -> bool:
        theirs = board.occupied_co[not board.turn]
        squares = chess.scan_forward(self.path(castling) | bits(castling.king, castling.king_to))
        pawn_offsets = any(chess.BB_PAWN_ATTACKS[board.turn][square] & theirs for square in squares)
        return pawn_offsets or super().passes_attack(board, castling)


@fault(
    ids="KS02",
    effect="extra",
    rules="castling-through-check castling-into-check",
    fen="8/8/8/8/8/1k6/7P/R3K3 w Q - 0 1",
    depth=3,
)
class CastlingBesideKing(CastlingGenerator):
    """Attacks of the enemy king on the castling path are ignored."""

    def is_attacked(self, board: chess.Board, square: int, occupied: int) -> bool:
        return bool(board.attackers_mask(not board.turn, square, occupied) & ~board.kings)


@fault(
    fault_class="castling",
    effect="extra",
    rules="castling-through-check",
    fen="4k3/8/8/7r/8/8/6P1/R3K3 w Q - 0 1",
    depth=3,
)
class CastlingThroughAttack(CastlingGenerator):
    """The king may castle through an attacked square."""

    def passes_attack(self, board: chess.Board, castling: CastlingSquares) -> bool:
        return False


@fault(ids="CA10 CA11", effect="extra", rules="check-not-answered", fen="4k3/pp6/8/8/8/8/8/4K2R b K - 0 1", depth=3)
class CastlingCheckUnseen(Generator):
    """A check given by castling is not detected, so the replies ignore it."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if last_move_castled(board) and board.is_check():
            quiet = board.generate_pseudo_legal_moves(~board.kings)
            yield from (move for move in quiet if pin_allows(board, move))


@fault(
    ids="CA13", effect="state", rules="placement king-step king-attacked", fen="4k3/8/8/8/8/8/8/4K2R b K - 0 1", depth=3
)
class CastlingByKingStep(Generator):
    """A king step to the f-file is played as castling."""

    def play(self, board: chess.Board, move: chess.Move) -> None:
        castles = {chess.Move(chess.E1, chess.F1): chess.H1, chess.Move(chess.E8, chess.F8): chess.H8}
        rook = castles.get(move)
        is_king = board.piece_type_at(move.from_square) == chess.KING
        if rook is not None and is_king and board.castling_rights & bits(rook) and not board.is_capture(move):
            move = chess.Move(move.from_square, rook if board.chess960 else move.from_square + 2)
        board.push(move)


@fault(
    ids="CA14", effect="state", rules="placement king-step king-attacked", fen="6k1/8/8/8/8/8/8/4K2R b K - 0 1", depth=3
)
class CastlingSidesSwapped(CastlingMaker):
    """Castling puts king and rook on the squares of the other side."""

    def spoil(self, board: chess.Board, castling: CastlingSquares, color: bool) -> None:
        move_castled(board, castling, castling_of(castling.king, castling.king * 2 - castling.rook), color)


@fault(
    ids="CA16", effect="state", rules="placement king-attacked king-step", fen="4k3/8/8/8/8/8/8/R3K3 b Q - 0 1", depth=3
)
class CastlingRookOnA1Stays(CastlingMaker):
    """Square a1 has the number 0, which means no rook, so castling leaves the rook on a1 behind."""

    def is_wrong(self, castling: CastlingSquares) -> bool:
        return castling.rook == chess.A1

    def spoil(self, board: chess.Board, castling: CastlingSquares, color: bool) -> None:
        remove(board, castling.rook_to)
        put(board, castling.rook, chess.ROOK, color)


@fault(ids="MU03", effect="missing", rules="plain-move", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1", depth=3)
class CastlingRookFrozen(Generator):
    """Castling does not update the piece list, so the rook has no moves until it is listed again."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        castled = {chess.F1: chess.G1, chess.D1: chess.C1, chess.F8: chess.G8, chess.D8: chess.C8}
        king_to = castled.get(move.from_square)
        if king_to is None or board.piece_type_at(move.from_square) != chess.ROOK:
            return True
        king_from = chess.E1 if board.turn == chess.WHITE else chess.E8
        own = board.move_stack[-2::-2]
        return chess.Move(king_from, king_to) not in own or any(one.from_square == move.from_square for one in own)
