"""The symmetries of chess: swapping colors, and swapping left and right."""

from __future__ import annotations

from dataclasses import replace

from .position import Position
from .types.frame import mirror
from .types.moves import Move

_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def mirror_bitboard(bitboard: int) -> int:
    """Return a bitboard with its files in reverse order."""
    return int.from_bytes(bitboard.to_bytes(8, "little").translate(_REVERSED), "little")


def flip_colors(position: Position) -> Position:
    """Return the position with White and Black swapped."""
    white, black = position.pieces
    return replace(
        position,
        pieces=(tuple(map(mirror, black)), tuple(map(mirror, white))),
        turn=position.turn.other,
        castling=mirror(position.castling),
        en_passant=None if position.en_passant is None else position.en_passant ^ 56,
    )


def mirror_files(position: Position) -> Position:
    """Return the position with left and right swapped; it must have no standard castling rights."""
    white, black = position.pieces
    return replace(
        position,
        pieces=(tuple(map(mirror_bitboard, white)), tuple(map(mirror_bitboard, black))),
        castling=mirror_bitboard(position.castling),
        en_passant=None if position.en_passant is None else position.en_passant ^ 7,
    )


def flip_move(move: int) -> Move:
    """Return the image of a move under `flip_colors`."""
    return Move(move ^ 0b111000_111000)


def mirror_move(move: int) -> Move:
    """Return the image of a move under `mirror_files`."""
    return Move(move ^ 0b000111_000111)


def turn_position(position: Position, flags: int) -> Position:
    """Return the position with colors swapped if bit 0 of `flags` is set, and files mirrored if bit 1 is set.

    Files are not mirrored if there are castling rights.
    """
    if flags & 2 and not position.castling:
        position = mirror_files(position)
    return flip_colors(position) if flags & 1 else position
