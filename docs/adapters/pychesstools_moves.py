"""pychesstools of PyPI: `python:pychesstools_moves:moves`."""

from __future__ import annotations

from pychesstools.position import ChessPosition


def moves(fen: str) -> list[str]:
    """List the moves by squares; the library leaves the piece of a promotion to `promote_pawn`."""
    board = ChessPosition.import_bare_fen(fen)
    pairs = [
        (square, target, piece)
        for square, piece in board.pieces.items()
        if piece.color == board.turn
        for target in board.legal_moves(square)
    ]
    return [
        square + target + promotion
        for square, target, piece in pairs
        for promotion in ("qrbn" if piece.piece_type == "pawn" and target[1] in "18" else [""])
    ]
