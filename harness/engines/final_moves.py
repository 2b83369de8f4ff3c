"""Moves that end the game: below them nothing is counted, and some engines do not list them from depth 2 on."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...generator.position import Position

EXAMPLE = Position.from_fen("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
"""A position in which one move mates, some stalemate, and most do neither."""


def unlisted_final_moves(position: Position, listed: Collection[str]) -> list[str]:
    """Return the legal moves that mate or stalemate and are not listed; moves are texts with king takes rook."""
    missing = {move.uci(chess960=True): move for move in position.legal_moves}
    for text in listed:
        missing.pop(text, None)
    return [text for text, move in missing.items() if not position.play_unchecked(move).legal_moves]


def are_left_out(listed: Iterable[str]) -> bool:
    """Tell whether an engine that lists these root moves in `EXAMPLE`, at depth 2 or more, leaves out final moves."""
    listed = set(listed)
    others = {move.uci(chess960=True) for move in EXAMPLE.legal_moves} - set(unlisted_final_moves(EXAMPLE, ()))
    return listed == others
