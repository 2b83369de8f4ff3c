"""No moves, and very many: the known pictures of mate and stalemate at an edge, and boards full of queens."""

from __future__ import annotations

from collections.abc import Callable

from ...generator.events import Event
from ...generator.position import Position
from ...generator.reachability.attacks import leaps
from ...generator.types.pieces import Color, PieceType
from ...generator.types.squares import squares_in
from ..scene import OFFICERS, RANKS, THEM, US, PiecePlacement, Template

_ROOKS = (PieceType.ROOK, PieceType.QUEEN)
_EDGE, _SECOND = RANKS[:2]
_CORNERS = 0x81
_ALL_CORNERS = (56, 63, 0, 7)
_FRAME = 0xFF818181818181FF


def _edge_king(scene: PiecePlacement, squares: int = _EDGE) -> int:
    return scene.place(US, PieceType.KING, scene.pick(squares))


def _put_on_edge(scene: PiecePlacement, king: int, rank: int, kinds: tuple[PieceType, ...] = _ROOKS) -> None:
    """Put a rook or queen on a rank, two files or more from our king, with nothing between."""
    start = king + 8 * rank
    room = (scene.reach(start, (1, 0)) | scene.reach(start, (-1, 0))) & ~leaps(US, PieceType.KING, king)
    square = scene.place(THEM, scene.choose(kinds), scene.pick(room))
    scene.keep_between(start, square)
    if rank:
        scene.keep(start)


def _opposition(scene: PiecePlacement) -> None:
    king = _edge_king(scene)
    scene.place(THEM, PieceType.KING, king + 16)
    _put_on_edge(scene, king, 0)


def _ladder(scene: PiecePlacement) -> None:
    king = _edge_king(scene)
    _put_on_edge(scene, king, 0)
    _put_on_edge(scene, king, 1)


def _queen_in_front(scene: PiecePlacement) -> None:
    king = _edge_king(scene)
    queen = scene.place(THEM, PieceType.QUEEN, king + 8)
    scene.put_attacker(THEM, queen, (scene.choose((*OFFICERS, PieceType.PAWN, PieceType.KING)),), among=~_EDGE)


def _behind_own_pawns(scene: PiecePlacement) -> None:
    king = _edge_king(scene)
    for square in (king + 7, king + 8, king + 9):
        if 1 << square & _SECOND:
            scene.place(US, PieceType.PAWN, square)
    _put_on_edge(scene, king, 0)


def _smother(scene: PiecePlacement) -> None:
    king = _edge_king(scene, _CORNERS)
    inward = 1 if king == 0 else -1
    scene.place(US, scene.choose((PieceType.ROOK, PieceType.KNIGHT)), king + inward)
    scene.place(US, PieceType.PAWN, king + 8)
    scene.place(US, PieceType.PAWN, king + 8 + inward)
    scene.place(THEM, PieceType.KNIGHT, king + 8 + 2 * inward)


def _queen_a_knight_away(scene: PiecePlacement) -> None:
    king = _edge_king(scene, _CORNERS)
    scene.place(THEM, PieceType.QUEEN, scene.pick(leaps(THEM, PieceType.KNIGHT, king)))
    inward = 1 if king == 0 else -1
    scene.keep(king + inward, king + 8, king + 8 + inward)


def _pawn_in_front(scene: PiecePlacement) -> None:
    king = _edge_king(scene)
    scene.place(THEM, PieceType.PAWN, king + 8)
    scene.place(THEM, PieceType.KING, king + 16)


def _rook_beside_corner(scene: PiecePlacement) -> None:
    king = _edge_king(scene, _CORNERS)
    inward = 1 if king == 0 else -1
    rook = scene.place(THEM, PieceType.ROOK, king + 8 + inward)
    scene.put_attacker(
        THEM, rook, (scene.choose((PieceType.KING, PieceType.BISHOP, PieceType.KNIGHT, PieceType.PAWN)),), among=~_EDGE
    )
    scene.keep(king + inward, king + 8)


def _block_pawns(scene: PiecePlacement) -> None:
    """Add a few pairs of pawns that block each other, if White's have nothing to take."""
    for _ in range(scene.choose((0, 1, 2))):
        ours = scene.choose(range(16, 48))
        theirs = ours + 8
        near = leaps(US, PieceType.PAWN, ours) | leaps(THEM, PieceType.PAWN, theirs) | 1 << ours | 1 << theirs
        if not (scene.kept | scene.occupied) & near and scene.allowed_squares(THEM, PieceType.PAWN, 1 << theirs):
            scene.place(US, PieceType.PAWN, ours)
            scene.place(THEM, PieceType.PAWN, theirs)


_MATES: tuple[Callable[[PiecePlacement], None], ...] = (
    _opposition,
    _ladder,
    _queen_in_front,
    _behind_own_pawns,
    _smother,
)
_STALEMATES: tuple[Callable[[PiecePlacement], None], ...] = (_queen_a_knight_away, _pawn_in_front, _rook_beside_corner)


def _mate(scene: PiecePlacement) -> None:
    scene.choose(_MATES)(scene)


def _stalemate(scene: PiecePlacement) -> None:
    scene.choose(_STALEMATES)(scene)
    _block_pawns(scene)


_MOST_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
"""218 moves, the most that is known of a position that a game can reach (N. Petrovic, 1964)."""


def _most_moves(scene: PiecePlacement) -> None:
    """The record position, or with up to two of its pieces elsewhere: some 160 to 218 moves."""
    record = Position.from_fen(_MOST_MOVES)
    men = [
        (color, kind, square)
        for color in Color
        for kind, board in enumerate(record.pieces[color])
        for square in squares_in(board)
    ]
    movable = [number for number, (color, kind, _) in enumerate(men) if color is US and kind != PieceType.KING]
    moved = {scene.choose(movable) for _ in range(scene.choose((0, 1, 2)))}
    for number, (color, kind, square) in enumerate(men):
        if number not in moved:
            scene.place(color, PieceType(kind), square)
    for number in sorted(moved):
        scene.put(US, PieceType(men[number][1]))


def _very_many(scene: PiecePlacement) -> None:
    scene.choose((_most_moves, _queens))(scene)


def _queens(scene: PiecePlacement) -> None:
    """Their king in a corner, and as many white queens as pawns can become, none of which attacks it."""
    scene.place(THEM, PieceType.KING, scene.choose(_ALL_CORNERS))
    for _ in range(9):
        scene.put(US, PieceType.QUEEN)
    for kind in (PieceType.ROOK, PieceType.BISHOP, PieceType.KNIGHT):
        scene.put(US, kind)


def _frame_of_queens(scene: PiecePlacement) -> None:
    """Their king in a corner, walled in; white queens all around the board but for the square of White's king."""
    corner = scene.place(THEM, PieceType.KING, scene.choose(_ALL_CORNERS))
    for square in squares_in(leaps(THEM, PieceType.KING, corner)):
        scene.place(US, PieceType.BISHOP if 1 << square & _FRAME else PieceType.KNIGHT, square)
    scene.place(US, PieceType.KING, scene.pick(_FRAME))
    for square in squares_in(_FRAME & ~scene.occupied):
        scene.place(US, PieceType.QUEEN, square)


TEMPLATES: dict[Event, Template] = {
    Event.MATE: _mate,
    Event.STALEMATE: _stalemate,
    Event.MOVES_GT_128: _very_many,
    Event.MOVES_GT_256: _frame_of_queens,
}
