"""Generators that list moves by GenType: correct by three conventions, and incorrect in four ways.

python:lists:by_capture     legal; captures and all promotions, then the rest
python:lists:by_square      legal; moves to occupied squares, then the rest
python:lists:classic        pseudo-legal; as in Stockfish up to version 10
"""

from __future__ import annotations

from collections.abc import Callable

import chess

Lister = Callable[[str, str], list[str] | None]
Chosen = Callable[[chess.Board, chess.Move], bool]


def board_of(fen: str) -> chess.Board:
    return chess.Board(fen, chess960=True)


def is_lifting(board: chess.Board, move: chess.Move) -> bool:
    """Return True if an enemy piece stands on the target."""
    return board.color_at(move.to_square) is (not board.turn)


def is_any(_board: chess.Board, _move: chess.Move) -> bool:
    return True


def takes_or_promotes(board: chess.Board, move: chess.Move) -> bool:
    return move.promotion is not None or board.is_capture(move)


def legal_by(is_loud: Chosen, is_check: Chosen = chess.Board.gives_check) -> Lister:
    """Return a function that lists legal moves in two parts."""

    def moves(fen: str, gentype: str) -> list[str] | None:
        board = board_of(fen)
        chosen: dict[str, Chosen] = {
            "captures": is_loud,
            "quiets": lambda board, move: not is_loud(board, move),
            "quiet_checks": lambda board, move: not is_loud(board, move) and is_check(board, move),
        }
        keeps = chosen.get(gentype, is_any)
        return [board.uci(move) for move in board.legal_moves if keeps(board, move)]

    return moves


def classic(fen: str, gentype: str) -> list[str] | None:
    """List pseudo-legal moves; quiet checks are not supported."""
    board = board_of(fen)
    if gentype == "quiet_checks":
        return None
    if gentype == "legal":
        return [board.uci(move) for move in board.legal_moves]
    if gentype == "evasions":
        return [board.uci(move) for move in evasions(board)]

    def is_loud(move: chess.Move) -> bool:
        return move.promotion == chess.QUEEN if move.promotion else board.is_capture(move)

    loud = {"captures": (True,), "quiets": (False,)}.get(gentype, (True, False))
    return [board.uci(move) for move in board.generate_pseudo_legal_moves() if is_loud(move) in loud]


def evasions(board: chess.Board) -> list[chess.Move]:
    """Return the legal evasions and those by pinned pieces."""
    king = board.king(board.turn)
    assert king is not None
    pinned = [
        move
        for move in board.generate_pseudo_legal_moves(from_mask=~board.kings)
        if not board.is_legal(move) and len(board.checkers()) == 1
        if chess.BB_SQUARES[move.to_square] & (chess.between(min(board.checkers()), king) | board.checkers_mask())
    ]
    attacked = [
        move
        for move in board.generate_pseudo_legal_moves(from_mask=board.kings)
        if not board.is_legal(move) and not board.is_castling(move) and not _on_line(board, king, move.to_square)
    ]
    return [*board.legal_moves, *pinned, *attacked]


def _on_line(board: chess.Board, king: int, target: int) -> bool:
    sliders = board.checkers() & (board.bishops | board.rooks | board.queens)
    return any(chess.BB_SQUARES[target] & chess.ray(slider, king) and target != slider for slider in sliders)


by_capture, by_square = legal_by(takes_or_promotes), legal_by(is_lifting)


def gives_direct_check(board: chess.Board, move: chess.Move) -> bool:
    """Return True if the piece that moves gives check."""
    if board.is_castling(move):
        return board.gives_check(move)
    board.push(move)
    direct = move.to_square in board.checkers()
    board.pop()
    return direct


only_direct = legal_by(takes_or_promotes, gives_direct_check)
quiet_en_passant = legal_by(lambda board, move: takes_or_promotes(board, move) and not board.is_en_passant(move))


def no_blocks(fen: str, gentype: str) -> list[str] | None:
    """Omit evasions that block the check."""
    board = board_of(fen)
    found = by_capture(fen, gentype)
    if gentype != "evasions" or found is None:
        return found
    checkers = board.checkers()
    return [
        text
        for text in found
        if board.piece_type_at(chess.parse_square(text[:2])) == chess.KING
        or any(chess.square_name(checker) == text[2:4] for checker in checkers)
    ]


def repeats(fen: str, gentype: str) -> list[str] | None:
    """List the first capture twice."""
    found = by_capture(fen, gentype)
    return [*found[:1], *found] if gentype == "captures" and found is not None else found
