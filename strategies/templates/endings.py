"""Templates for positions without moves (checkmate and stalemate at an edge), and for those with very many moves."""

from __future__ import annotations

from collections.abc import Callable

from ...generator.events import Event
from ...generator.position import Position
from ...generator.reachability.attacks import leaps
from ...generator.types.pieces import Color, PieceType
from ...generator.types.squares import squares_in
from ..position_builder import OFFICERS, RANKS, THEM, US, PositionBuilder, Template

_ROOKS = (PieceType.ROOK, PieceType.QUEEN)
_EDGE, _SECOND = RANKS[:2]
_CORNERS = 0x81
_NO_LINE_TO_ROOK = (PieceType.KING, PieceType.BISHOP, PieceType.KNIGHT, PieceType.PAWN)
_ALL_CORNERS = (56, 63, 0, 7)
_FRAME = 0xFF818181818181FF


def _edge_king(builder: PositionBuilder, squares: int = _EDGE) -> int:
    return builder.place(US, PieceType.KING, builder.pick(squares))


def _put_on_edge(builder: PositionBuilder, king: int, rank: int, kinds: tuple[PieceType, ...] = _ROOKS) -> None:
    """Put a rook or queen on a rank, at least two files from White's king, with nothing between them."""
    start = king + 8 * rank
    room = (builder.reach(start, (1, 0)) | builder.reach(start, (-1, 0))) & ~leaps(US, PieceType.KING, king)
    square = builder.place(THEM, builder.choose(kinds), builder.pick(room))
    builder.keep_between(start, square)
    if rank:
        builder.keep(start)


def _opposition(builder: PositionBuilder) -> None:
    king = _edge_king(builder)
    builder.place(THEM, PieceType.KING, king + 16)
    _put_on_edge(builder, king, 0)


def _ladder(builder: PositionBuilder) -> None:
    king = _edge_king(builder)
    _put_on_edge(builder, king, 0)
    _put_on_edge(builder, king, 1)


def _queen_in_front(builder: PositionBuilder) -> None:
    king = _edge_king(builder)
    queen = builder.place(THEM, PieceType.QUEEN, king + 8)
    builder.put_attacker(THEM, queen, (builder.choose((*OFFICERS, PieceType.PAWN, PieceType.KING)),), among=~_EDGE)


def _behind_own_pawns(builder: PositionBuilder) -> None:
    king = _edge_king(builder)
    for square in (king + 7, king + 8, king + 9):
        if 1 << square & _SECOND:
            builder.place(US, PieceType.PAWN, square)
    _put_on_edge(builder, king, 0)


def _smother(builder: PositionBuilder) -> None:
    king = _edge_king(builder, _CORNERS)
    inward = 1 if king == 0 else -1
    builder.place(US, builder.choose((PieceType.ROOK, PieceType.KNIGHT)), king + inward)
    builder.place(US, PieceType.PAWN, king + 8)
    builder.place(US, PieceType.PAWN, king + 8 + inward)
    builder.place(THEM, PieceType.KNIGHT, king + 8 + 2 * inward)


def _queen_a_knight_away(builder: PositionBuilder) -> None:
    king = _edge_king(builder, _CORNERS)
    builder.place(THEM, PieceType.QUEEN, builder.pick(leaps(THEM, PieceType.KNIGHT, king)))
    inward = 1 if king == 0 else -1
    builder.keep(king + inward, king + 8, king + 8 + inward)


def _pawn_in_front(builder: PositionBuilder) -> None:
    king = _edge_king(builder)
    builder.place(THEM, PieceType.PAWN, king + 8)
    builder.place(THEM, PieceType.KING, king + 16)


def _rook_beside_corner(builder: PositionBuilder) -> None:
    king = _edge_king(builder, _CORNERS)
    inward = 1 if king == 0 else -1
    rook = builder.place(THEM, PieceType.ROOK, king + 8 + inward)
    builder.put_attacker(
        THEM,
        rook,
        (builder.choose(_NO_LINE_TO_ROOK),),
        among=~_EDGE,
    )
    builder.keep(king + inward, king + 8)


def _block_pawns(builder: PositionBuilder) -> None:
    """Add up to two pairs of pawns that block each other and cannot capture."""
    for _ in range(builder.choose((0, 1, 2))):
        ours = builder.choose(range(16, 48))
        theirs = ours + 8
        near = leaps(US, PieceType.PAWN, ours) | leaps(THEM, PieceType.PAWN, theirs) | 1 << ours | 1 << theirs
        if not (builder.kept | builder.occupied) & near and builder.allowed_squares(THEM, PieceType.PAWN, 1 << theirs):
            builder.place(US, PieceType.PAWN, ours)
            builder.place(THEM, PieceType.PAWN, theirs)


_MATES: tuple[Callable[[PositionBuilder], None], ...] = (
    _opposition,
    _ladder,
    _queen_in_front,
    _behind_own_pawns,
    _smother,
)
_STALEMATES: tuple[Callable[[PositionBuilder], None], ...] = (_queen_a_knight_away, _pawn_in_front, _rook_beside_corner)


def _mate(builder: PositionBuilder) -> None:
    builder.choose(_MATES)(builder)


def _stalemate(builder: PositionBuilder) -> None:
    builder.choose(_STALEMATES)(builder)
    _block_pawns(builder)


_MOST_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
"""The reachable position with the most known moves, 218 (N. Petrovic, 1964)."""


def _most_moves(builder: PositionBuilder) -> None:
    """The record position with up to two pieces on other squares; it has about 160 to 218 moves."""
    record = Position.from_fen(_MOST_MOVES)
    pieces = [
        (color, kind, square)
        for color in Color
        for kind, board in enumerate(record.pieces[color])
        for square in squares_in(board)
    ]
    movable = [number for number, (color, kind, _) in enumerate(pieces) if color is US and kind != PieceType.KING]
    moved = {builder.choose(movable) for _ in range(builder.choose((0, 1, 2)))}
    for number, (color, kind, square) in enumerate(pieces):
        if number not in moved:
            builder.place(color, PieceType(kind), square)
    for number in sorted(moved):
        builder.put(US, PieceType(pieces[number][1]))


def _very_many(builder: PositionBuilder) -> None:
    builder.choose((_most_moves, _queens))(builder)


def _queens(builder: PositionBuilder) -> None:
    """Black's king stands in a corner, not attacked by any of as many white queens as promotions allow."""
    builder.place(THEM, PieceType.KING, builder.choose(_ALL_CORNERS))
    for _ in range(9):
        builder.put(US, PieceType.QUEEN)
    for kind in (PieceType.ROOK, PieceType.BISHOP, PieceType.KNIGHT):
        builder.put(US, kind)


def _frame_of_queens(builder: PositionBuilder) -> None:
    """Black's king is enclosed in a corner, and White's king and queens occupy the whole edge of the board."""
    corner = builder.place(THEM, PieceType.KING, builder.choose(_ALL_CORNERS))
    for square in squares_in(leaps(THEM, PieceType.KING, corner)):
        builder.place(US, PieceType.BISHOP if 1 << square & _FRAME else PieceType.KNIGHT, square)
    builder.place(US, PieceType.KING, builder.pick(_FRAME))
    for square in squares_in(_FRAME & ~builder.occupied):
        builder.place(US, PieceType.QUEEN, square)


TEMPLATES: dict[Event, Template] = {
    Event.MATE: _mate,
    Event.STALEMATE: _stalemate,
    Event.MOVES_GT_128: _very_many,
    Event.MOVES_GT_256: _frame_of_queens,
}
