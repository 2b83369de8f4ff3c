"""Skaak of PyPI: `python:skaak_moves:moves`."""

from __future__ import annotations

from skaak.board import Chessboard


def moves(fen: str) -> list[str]:
    """List the moves; the library leaves the piece of a promotion to the caller."""
    return [
        str(move) + promotion
        for move in Chessboard(fen).legal_moves
        for promotion in ("qrbn" if move.moving_piece in "Pp" and str(move)[3] in "18" else [""])
    ]
