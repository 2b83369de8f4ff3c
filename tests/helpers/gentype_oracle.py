"""The correct list of each GenType, generated with python-chess from the definition of `GenType`."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from perft_check.generator.types.moves import GenType, MoveKind

_SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)
_PROMOTION, _EN_PASSANT, _CASTLING = (kind << 14 for kind in (MoveKind.PROMOTION, MoveKind.EN_PASSANT, 3))


def expected_lists(board: chess.Board) -> dict[GenType, list[int]]:
    """Return the moves in 16 bits of every applicable GenType; `board` must be in Chess960 mode."""
    legal = [encode(board, move) for move in board.generate_legal_moves()]
    if board.is_check():
        return {GenType.EVASIONS: [encode(board, move) for move in _evasions(board)], GenType.LEGAL: legal}
    captures, quiets, quiet_checks = [], [], []
    theirs = board.occupied_co[not board.turn]
    for move in board.generate_pseudo_legal_moves():
        code = encode(board, move)
        takes = theirs >> move.to_square & 1 or code >> 14 == MoveKind.EN_PASSANT
        if move.promotion == chess.QUEEN or (move.promotion is None and takes):
            captures.append(code)
        else:
            quiets.append(code)
            if _is_quiet_check(board, move, code):
                quiet_checks.append(code)
    return {
        GenType.CAPTURES: captures,
        GenType.QUIETS: quiets,
        GenType.QUIET_CHECKS: quiet_checks,
        GenType.NON_EVASIONS: captures + quiets,
        GenType.LEGAL: legal,
    }


def encode(board: chess.Board, move: chess.Move) -> int:
    """Return a move in the 16 bits of `Move`; castling is king takes rook."""
    origin, target = move.from_square, move.to_square
    code = target | origin << 6
    if move.promotion:
        return code | (move.promotion - chess.KNIGHT) << 12 | _PROMOTION
    if board.kings >> origin & 1:
        own_rook = board.rooks & board.occupied_co[board.turn]
        return code | _CASTLING if own_rook >> target & 1 else code
    if target == board.ep_square and board.pawns >> origin & 1 and (origin - target) % 8:
        return code | _EN_PASSANT
    return code


def decode(code: int) -> chess.Move:
    """Return the move of python-chess in Chess960 mode."""
    promotion = (code >> 12 & 3) + chess.KNIGHT if code >> 14 == MoveKind.PROMOTION else None
    return chess.Move(code >> 6 & 63, code & 63, promotion)


def _is_quiet_check(board: chess.Board, move: chess.Move, code: int) -> bool:
    """Return True if a move of QUIETS also belongs to QUIET_CHECKS."""
    enemy_king = _king(board, not board.turn)
    if move.promotion is not None:
        return move.promotion == chess.KNIGHT and bool(chess.BB_KNIGHT_ATTACKS[move.to_square] >> enemy_king & 1)
    if code >> 14 == MoveKind.CASTLING:
        return board.gives_check(move)
    if board.kings >> move.from_square & 1 and chess.BB_KING_ATTACKS[enemy_king] >> move.to_square & 1:
        return False
    return gives_check(board, move)


def gives_check(board: chess.Board, move: chess.Move) -> bool:
    """Return True if a non-capture gives check, directly or discovered, by looking at the attacks after it."""
    king = _king(board, not board.turn)
    origin = chess.BB_SQUARES[move.from_square]
    change = origin | chess.BB_SQUARES[move.to_square]
    occupied = board.occupied ^ change
    own = board.occupied_co[board.turn] ^ change
    pawns, knights, diagonal, orthogonal = (
        own & (pieces ^ change if pieces & origin else pieces)
        for pieces in (board.pawns, board.knights, board.bishops | board.queens, board.rooks | board.queens)
    )
    return bool(
        chess.BB_PAWN_ATTACKS[not board.turn][king] & pawns
        | chess.BB_KNIGHT_ATTACKS[king] & knights
        | (diagonal and chess.BB_DIAG_ATTACKS[king][chess.BB_DIAG_MASKS[king] & occupied] & diagonal)
        | (orthogonal and chess.BB_RANK_ATTACKS[king][chess.BB_RANK_MASKS[king] & occupied] & orthogonal)
        | (orthogonal and chess.BB_FILE_ATTACKS[king][chess.BB_FILE_MASKS[king] & occupied] & orthogonal)
    )


def _evasions(board: chess.Board) -> Iterator[chess.Move]:
    king = _king(board, board.turn)
    checkers = list(board.checkers())
    closed = board.occupied_co[board.turn]
    for checker in checkers:
        if board.piece_type_at(checker) in _SLIDERS:
            closed |= chess.ray(checker, king) ^ chess.BB_SQUARES[checker]
    for target in chess.scan_forward(chess.BB_KING_ATTACKS[king] & ~closed):
        yield chess.Move(king, target)
    if len(checkers) > 1:
        return
    helpful = chess.between(checkers[0], king) | chess.BB_SQUARES[checkers[0]]
    for move in board.generate_pseudo_legal_moves(from_mask=~board.kings):
        # An en passant capture may land on the line of check, or take the checker, which it does not land on.
        victim = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        takes_checker = victim == checkers[0] and board.is_en_passant(move)
        if takes_checker or chess.BB_SQUARES[move.to_square] & helpful:
            yield move


def _king(board: chess.Board, color: chess.Color) -> chess.Square:
    king = board.king(color)
    assert king is not None, "a position has both kings"
    return king
