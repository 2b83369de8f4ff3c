"""Chess960 castling in all its geometry: king and rooks on any files, the way blocked, attacked or free."""

from __future__ import annotations

from hypothesis import strategies as st

from ..generator.position import Position
from ..generator.types.pieces import Color, Kind
from .drawing import COUNTERS, DrawFunction, below
from .repair import accept_position
from .scene import INNER_FILES, OFFICERS, RANKS, THEM, TURNED, US, NoRoom, PiecePlacement

_OBSTACLES = below(5)
_ATTACKERS = (*OFFICERS, Kind.PAWN)


@st.composite
def chess960_castlings(draw: DrawFunction) -> Position:
    """Return Chess960 positions with castling rights and few other pieces.

    White's rights and Black's are of one to two rooks each; pieces stand on the back rank of the side
    to move, others attack some square of it.
    """
    scene = PiecePlacement(draw, chess960=True)
    put_castling_men(scene, US)
    if scene.flag():
        put_castling_men(scene, THEM)
    else:
        scene.put(THEM, Kind.KING)
    flags, counters = draw(TURNED), draw(COUNTERS)
    best = scene.position(flags, counters)
    for _ in range(draw(_OBSTACLES)):
        try:
            _put_obstacle(scene)
        except NoRoom:
            continue
        position = accept_position(scene.position(flags, counters), impossible=False)
        if position is None:
            break
        best = position
    return best


def put_castling_men(scene: PiecePlacement, color: Color) -> None:
    """Put a king between files b and g on its back rank, one or two rooks beside it, with the right to castle.

    Raises NoRoom where there is no room.
    """
    rank = RANKS[color.back_rank]
    king = scene.put(color, Kind.KING, rank & INNER_FILES)
    left, right = rank & ((1 << king) - 1), rank & ~((2 << king) - 1)
    for side in scene.choose(((left,), (right,), (left, right))):
        room = scene.allowed(color, Kind.ROOK, side, check=color is THEM)
        if room:
            scene.castling |= 1 << scene.put(color, Kind.ROOK, room, check=color is THEM)


def _put_obstacle(scene: PiecePlacement) -> None:
    """Put a piece of either side on our back rank, or one that attacks a square of it."""
    if scene.flag():
        color = US if scene.flag() else THEM
        scene.put(color, scene.choose(OFFICERS), RANKS[0], check=color is THEM)
    else:
        target = scene.draw(below(8))
        scene.put_attacker(THEM, target, (scene.choose(_ATTACKERS),), among=~RANKS[0], check=True)
