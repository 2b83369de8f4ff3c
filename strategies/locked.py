"""Locked positions: pawns hold each other, the kings have a square or two, and a deep tree has few leaves.

What needs many plies shows here at little cost: two ways to one position of which one leaves an en
passant square or a castling right behind, a move that is not undone cleanly.
"""

from __future__ import annotations

from hypothesis import strategies as st

from ..generator.position import Position
from ..generator.possible import kept_rights, possible_rights
from ..generator.types.pieces import Kind
from .drawing import COUNTERS, DrawFunction, below
from .repair import accept_position
from .scene import OFFICERS, RANKS, THEM, TURNED, US, NoRoom, PiecePlacement

_FREED = below(3)
_LOOSE = below(3)


@st.composite
def locked(draw: DrawFunction, *, chess960: bool = False) -> Position:
    """Return positions with a chain of blocked pawns, king and rooks behind it, and one or two pawns set free.

    The chain runs before our king low down, before theirs high up, so that both have little room; pawns
    of adjacent files stand a rank apart and take nothing.
    """
    for _ in range(4):
        scene = PiecePlacement(draw, chess960)
        try:
            _put_men(scene)
        except NoRoom:
            continue
        position = accept_position(scene.position(draw(TURNED), draw(COUNTERS)), impossible=False)
        if position is not None:
            return position
    return Position.from_fen("k7/p7/P7/8/8/5p1p/5P1P/4K2R w K - 0 1", chess960)


def _put_men(scene: PiecePlacement) -> None:
    border = 2 + scene.draw(below(2))
    _put_chain(scene, border)
    scene.put(US, Kind.KING, (0x10 if not scene.chess960 else RANKS[0]) & _files(border, 8))
    scene.put(THEM, Kind.KING, RANKS[7] & _files(0, border))
    king = scene.king_of(US)
    for side in scene.choose(((1, -1), (1,), (-1,), ())):
        corner = RANKS[0] & _files(king + 1, 8) if side > 0 else RANKS[0] & _files(0, king)
        room = scene.allowed(US, Kind.ROOK, corner & (0x81 if not scene.chess960 else RANKS[0]))
        if room:
            scene.put(US, Kind.ROOK, room)
    for _ in range(scene.draw(_LOOSE)):
        scene.put(US if scene.flag() else THEM, scene.choose(OFFICERS))
    pieces = tuple(scene.pieces[US]), tuple(scene.pieces[THEM])
    rights = sum(1 << rook for rook in possible_rights(pieces, scene.chess960))
    scene.castling = kept_rights(pieces, rights, scene.chess960)


def _put_chain(scene: PiecePlacement, border: int) -> None:
    """Put two pawns on each file that hold each other, then take away a few of either side."""
    odd = scene.draw(below(2))
    freed = {scene.draw(below(16)) for _ in range(scene.draw(_FREED))}
    for file in range(8):
        rank = (1 if file >= border else 4) + (file + odd) % 2
        for color, square in ((US, 8 * rank + file), (THEM, 8 * rank + 8 + file)):
            if 2 * file + color not in freed:
                scene.place(color, Kind.PAWN, square)


def _files(first: int, end: int) -> int:
    """Return the files from `first` to before `end`."""
    return sum(0x0101010101010101 << file for file in range(first, end))
