"""Generators with a fault for one color, on one wing or one file: `python:one_wing:NAME`.

Each takes `(fen, depth)` and returns the divide, and needs python-chess. `faultless` is correct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import chess

Allows = Callable[[chess.Board, chess.Move], bool]


def _en_passant_from(files: str, color: chess.Color | None = None) -> Allows:
    """Omit en passant captures from some files."""

    def allows(board: chess.Board, move: chess.Move) -> bool:
        is_one = board.is_en_passant(move) and chess.square_name(move.from_square)[0] in files
        return not (is_one and color in (None, board.turn))

    return allows


def _promotion_on(square: str, piece: chess.PieceType) -> Allows:
    """Omit a promotion."""
    return lambda _, move: not (move.promotion == piece and chess.square_name(move.to_square) == square)


def _double_step_on(square: str) -> Allows:
    def allows(board: chess.Board, move: chess.Move) -> bool:
        is_double = abs(move.to_square - move.from_square) == 16 and board.piece_type_at(move.from_square) == chess.PAWN
        return not (is_double and chess.square_name(move.from_square) == square)

    return allows


def _castling_past(square: str) -> Allows:
    """Forbid castling to the side of a square if that square is attacked, though only the rook crosses it."""
    crossed = chess.parse_square(square)

    def allows(board: chess.Board, move: chess.Move) -> bool:
        is_near = chess.square_rank(crossed) == chess.square_rank(move.from_square)
        is_one = is_near and board.is_castling(move) and board.is_queenside_castling(move)
        return not (is_one and board.is_attacked_by(not board.turn, crossed))

    return allows


def _none_of_a_promoted_kind(board: chess.Board, move: chess.Move) -> bool:
    """Omit moves of pieces of a type to which a pawn may promote by a capture."""
    kinds = {one.promotion for one in board.legal_moves if one.promotion and board.is_capture(one)}
    return board.piece_type_at(move.from_square) not in kinds


LEFT_OUT: dict[str, Allows] = {
    "no_en_passant_from_a_and_h": _en_passant_from("ah"),
    "no_en_passant_from_h_for_black": _en_passant_from("h", chess.BLACK),
    "no_knight_on_a1": _promotion_on("a1", chess.KNIGHT),
    "no_double_step_on_c7": _double_step_on("c7"),
    "b1_attacked": _castling_past("b1"),
    "b8_attacked": _castling_past("b8"),
    "capturing_promotion_hides_its_kind": _none_of_a_promoted_kind,
}
"""Whether a generator lists a legal move."""


def _keep_if_captured(corners: chess.Bitboard, board: chess.Board, move: chess.Move) -> None:
    """Play a move; the right of a rook that is captured on one of these corners is kept."""
    _play_keeping(chess.BB_SQUARES[move.to_square] & corners, board, move)


def _keep_if_moved(corner: chess.Bitboard, board: chess.Board, move: chess.Move) -> None:
    """Play a move; the right of the rook of this corner is kept if it moves."""
    _play_keeping((chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]) & corner, board, move)


def _play_keeping(squares: chess.Bitboard, board: chess.Board, move: chess.Move) -> None:
    rights = board.castling_rights
    board.push(move)
    board.castling_rights |= rights & squares


def _joined(piece: chess.PieceType, board: chess.Board, move: chess.Move) -> None:
    """Play a move; a capturing promotion removes the other pieces of its type."""
    is_one = move.promotion == piece and board.is_capture(move)
    others = board.pieces_mask(piece, board.turn)
    board.push(move)
    if is_one:
        for square in chess.scan_forward(others):
            board.remove_piece_at(square)


PLAYED: dict[str, Callable[[chess.Board, chess.Move], None]] = {
    "right_survives_capture": partial(_keep_if_captured, chess.BB_CORNERS),
    "right_survives_rook_of_a1": partial(_keep_if_moved, chess.BB_A1),
    **{f"promotion_replaces_{chess.piece_name(one)}s": partial(_joined, one) for one in range(2, 6)},
}
"""A function that plays a move."""


def _wrapped_pawn(board: chess.Board) -> Iterator[chess.Move]:
    """Yield a capture by a white pawn of h4 on a6, across the edge."""
    pawns, others = board.pieces_mask(chess.PAWN, chess.WHITE), board.occupied_co[chess.BLACK]
    if board.turn and pawns & chess.BB_H4 and others & chess.BB_A6:
        yield chess.Move(chess.H4, chess.A6)


def _castling_without_rook(board: chess.Board) -> Iterator[chess.Move]:
    """Yield a step of the black king from e8 to c8 without a rook."""
    path = chess.BB_A8 | chess.BB_B8 | chess.BB_C8 | chess.BB_D8
    is_there = not board.turn and board.king(chess.BLACK) == chess.E8 and not board.occupied & path
    if is_there and not board.is_check() and not board.is_attacked_by(chess.WHITE, chess.C8):
        yield chess.Move(chess.E8, chess.C8)


ADDED: dict[str, Callable[[chess.Board], Iterator[chess.Move]]] = {
    "pawn_of_h4_takes_on_a6": _wrapped_pawn,
    "king_of_e8_steps_to_c8": _castling_without_rook,
}
"""The moves that a generator lists beside legal ones."""
FAULTS = (*LEFT_OUT, *PLAYED, *ADDED)


def divide_with(name: str, fen: str, depth: int) -> dict[str, int]:
    """Return the divide of the generator of this name."""
    board = chess.Board(fen)
    return {move.uci(): _below(name, board, move, depth) for move in _moves(name, board)}


def count_with(name: str, fen: str, depth: int) -> int:
    """Return the count of the generator of this name."""
    return sum(divide_with(name, fen, depth).values())


def _below(name: str, board: chess.Board, move: chess.Move, depth: int) -> int:
    if depth == 1:
        return 1
    child = board.copy(stack=1)
    PLAYED.get(name, chess.Board.push)(child, move)
    moves = _moves(name, child)
    return len(moves) if depth == 2 else sum(_below(name, child, one, depth - 1) for one in moves)


def _moves(name: str, board: chess.Board) -> list[chess.Move]:
    allows, adds = LEFT_OUT.get(name), ADDED.get(name)
    listed = [move for move in board.legal_moves if (allows is None or allows(board, move)) and _has_rook(board, move)]
    return listed if adds is None else [*listed, *adds(board)]


def _has_rook(board: chess.Board, move: chess.Move) -> bool:
    """Return False for castling with a rook that is not on its corner."""
    if not board.is_castling(move):
        return True
    corner = chess.square(7 if move.to_square > move.from_square else 0, chess.square_rank(move.from_square))
    return board.piece_at(corner) == chess.Piece(chess.ROOK, board.turn)


for _name in ("faultless", *FAULTS):
    globals()[_name] = partial(divide_with, _name)
