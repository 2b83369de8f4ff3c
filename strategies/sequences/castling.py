"""Sequences in which a castling right ends although king and rook later stand as if they could castle.

A rook is captured and another one moves to its square, king or rook moves away and back, they castle and walk back, or
the rook is a promoted pawn.
"""

from __future__ import annotations

from functools import partial

from ...generator.reachability.attacks import leaps, origins
from ...generator.types.pieces import Color, PieceType
from ..position_builder import A_FILE, CORNERS, OFFICERS, RANKS, THEM, US, PositionBuilder
from ..templates.chess960 import Condition, Geometry
from .script import (
    BACK,
    WAIT,
    Go,
    KingAndRook,
    Script,
    SequenceTemplate,
    Step,
    go,
    put_king_and_rook,
    put_rook,
    put_waiter,
)

_UP, _DOWN = (0, 1), (0, -1)
_PROMOTIONS = (PieceType.QUEEN, PieceType.ROOK, PieceType.BISHOP, PieceType.KNIGHT)
_SILENT = (PieceType.KNIGHT, PieceType.BISHOP)
"""Pieces that cannot attack the king along the rank when they capture a rook next to it."""


def _rook_taken(builder: PositionBuilder) -> Script:
    """A rook that may castle is captured after a waiting move, in a position with few moves.

    A count to depth 3 is cheap and includes the capture below the root, where perft may use another make-move function.
    """
    pair = put_king_and_rook(builder, US)
    _put_blocked_pawns(builder, pair.king + 8, pair.rook + 8)
    put_waiter(builder, US)
    taker = builder.put_attacker(THEM, pair.rook, (builder.choose(_SILENT),))
    return Script((WAIT, go(builder, taker, pair.rook), WAIT))


def _rook_replaced(builder: PositionBuilder, kinds: tuple[PieceType, ...]) -> Script:
    """A rook that may castle is captured, and another rook recaptures."""
    pair = put_king_and_rook(builder, THEM)
    other = builder.put(THEM, PieceType.ROOK, builder.reach(pair.rook, _DOWN))
    replaces = go(builder, other, pair.rook)
    taker = builder.put_attacker(US, pair.rook, (builder.choose(kinds),))
    builder.put_last_mover()
    return Script((go(builder, taker, pair.rook), replaces, WAIT), lost=1 << pair.rook)


def _rook_replaced_after_promotion(builder: PositionBuilder) -> Script:
    """A pawn captures a rook that may castle and promotes, and another rook recaptures."""
    pair = put_king_and_rook(builder, THEM)
    replaces = go(builder, builder.put(THEM, PieceType.ROOK, builder.reach(pair.rook, _DOWN)), pair.rook)
    pawn = builder.put(US, PieceType.PAWN, origins(US, PieceType.PAWN, pair.rook, builder.occupied))
    builder.put_last_mover()
    takes = go(builder, pawn, pair.rook, builder.choose(_PROMOTIONS))
    return Script((takes, replaces, WAIT), lost=1 << pair.rook)


def _comes_to(builder: PositionBuilder, pair: KingAndRook) -> tuple[Go, Go]:
    """Put another black rook, and return its two moves to the square of the rook that may castle."""
    via = builder.pick(builder.reach(pair.rook, _DOWN) & ~RANKS[0])
    other = builder.put(THEM, PieceType.ROOK, RANKS[via // 8] & ~(1 << via))
    return go(builder, other, via), go(builder, via, pair.rook)


def _square_taken_again(builder: PositionBuilder) -> Script:
    """The piece that captured the rook moves back, and another rook moves to the square."""
    pair = put_king_and_rook(builder, THEM)
    comes, replaces = _comes_to(builder, pair)
    taker = builder.put_attacker(US, pair.rook, (builder.choose(_SILENT),))
    put_waiter(builder, THEM)
    return Script((go(builder, taker, pair.rook), WAIT, BACK, comes, WAIT, replaces, WAIT), lost=1 << pair.rook)


def _king_takes_rook(builder: PositionBuilder) -> Script:
    """The king captures the rook and leaves, and another rook moves to the square."""
    pair = put_king_and_rook(builder, THEM)
    comes, replaces = _comes_to(builder, pair)
    king = builder.put(US, PieceType.KING, leaps(US, PieceType.KING, pair.rook))
    leaves = go(builder, king, builder.pick(leaps(US, PieceType.KING, king) & RANKS[5] & ~RANKS[comes.target // 8]))
    put_waiter(builder, US)
    put_waiter(builder, THEM)
    return Script((go(builder, king, pair.rook), WAIT, BACK, comes, leaves, replaces, WAIT), lost=1 << pair.rook)


def _rook_takes_rook(builder: PositionBuilder) -> Script:
    """A rook that may castle captures another rook that may castle, and moves back."""
    pair = put_king_and_rook(builder, US)
    builder.place(THEM, PieceType.KING, pair.king + 56)
    put_rook(builder, THEM, pair.rook + 56)
    put_waiter(builder, THEM)
    return Script((go(builder, pair.rook, pair.rook + 56), WAIT, BACK, WAIT), lost=1 << pair.rook)


def _leaves(builder: PositionBuilder, color: Color, pair: KingAndRook, kind: PieceType) -> Go:
    """Return a move of the king or the rook that ends the right."""
    if kind is PieceType.KING:
        return go(
            builder,
            pair.king,
            builder.pick(leaps(color, kind, pair.king) & ~builder.attacked_squares(color.other)),
        )
    return go(builder, pair.rook, builder.pick(builder.reach(pair.rook, _UP if color is US else _DOWN)))


def _away_and_back(builder: PositionBuilder, kind: PieceType) -> Script:
    """King or rook moves away and back, which gives the same position without the right."""
    pair = put_king_and_rook(builder, US)
    builder.complete()
    return Script((_leaves(builder, US, pair, kind), WAIT, BACK, BACK), lost=1 << pair.rook)


def _both_away_and_back(builder: PositionBuilder) -> Script:
    """Both sides lose their rights by moving king or rook away and back."""
    ours, theirs = put_king_and_rook(builder, US), put_king_and_rook(builder, THEM)
    builder.put_last_mover()
    away = _leaves(builder, US, ours, builder.choose((PieceType.ROOK, PieceType.KING)))
    reply = _leaves(builder, THEM, theirs, builder.choose((PieceType.ROOK, PieceType.KING)))
    return Script((away, reply, BACK, BACK), lost=1 << ours.rook | 1 << theirs.rook)


def _one_by_one(builder: PositionBuilder) -> Script:
    """Each side loses the right of one rook and castles with the other rook."""
    sides = []
    for color in (US, THEM):
        pair = put_king_and_rook(builder, color)
        rank = RANKS[pair.king // 8] & ~builder.kept
        beyond = rank & ((1 << pair.king) - 1) if pair.rook > pair.king else rank & ~((2 << pair.king) - 1)
        other = builder.pick(beyond if builder.chess960 else beyond & CORNERS)
        put_rook(builder, color, other)
        sides.append((pair, other))
    builder.put_last_mover()
    (ours, our_other), (theirs, their_other) = sides
    away = _leaves(builder, US, ours._replace(rook=our_other), PieceType.ROOK)
    reply = _leaves(builder, THEM, theirs._replace(rook=their_other), PieceType.ROOK)
    castles = Go(ours.king, ours.rook), Go(theirs.king, theirs.rook)
    return Script((away, reply, BACK, BACK, *castles))


def _repetition(builder: PositionBuilder) -> Script:
    """A position is repeated without ending a right; then the king castles."""
    pair = put_king_and_rook(builder, US)
    put_waiter(builder, US)
    return Script((WAIT, WAIT, BACK, BACK, Go(pair.king, pair.rook)))


def _other_rook_taken(builder: PositionBuilder, is_outside: bool) -> Script:
    """Another rook, on the file of the one that may castle or beyond it, is captured; then the king castles."""
    pair = put_king_and_rook(builder, THEM)
    outside = builder.reach(pair.rook, (1 if pair.rook > pair.king else -1, 0))
    other = builder.put(THEM, PieceType.ROOK, outside if is_outside else A_FILE << pair.rook % 8)
    put_waiter(builder, THEM)
    taker = builder.put_attacker(US, other, (builder.choose(OFFICERS),))
    return Script((go(builder, taker, other), WAIT, BACK, Go(pair.king, pair.rook)))


def _other_rook_moves(builder: PositionBuilder) -> Script:
    """Another rook leaves the file of the one that may castle; then the king castles."""
    pair = put_king_and_rook(builder, US)
    other = builder.put(US, PieceType.ROOK, A_FILE << pair.rook % 8)
    target = builder.pick(builder.reach(other, builder.choose(((1, 0), (-1, 0)))))
    builder.complete()
    return Script((go(builder, other, target), WAIT, Go(pair.king, pair.rook)))


def _put_blocked_pawns(builder: PositionBuilder, *squares: int) -> None:
    """Put white pawns on these squares, and black pawns in front of them."""
    for square in squares:
        builder.place(US, PieceType.PAWN, square)
        builder.place(THEM, PieceType.PAWN, square + 8)


def _small_tree(builder: PositionBuilder) -> Script:
    """A repetition in a position with few moves, in which king and knight can move away and back.

    If the king moves, the right ends. A count to depth 5 is cheap, and reveals hash keys that ignore rights.
    """
    pair = put_king_and_rook(builder, US)
    corner = builder.choose((56, 63))
    builder.place(THEM, PieceType.KING, corner)
    _put_blocked_pawns(builder, corner - 16, pair.king + 8, pair.rook + 8)
    builder.put(US, PieceType.KNIGHT, RANKS[0] | RANKS[1])
    return Script((WAIT, WAIT, BACK, BACK, Go(pair.king, pair.rook)))


def _is_near(geometry: Geometry) -> bool:
    """Return True if the king can walk back in two steps, over the second rank."""
    return abs(geometry.king - geometry.king_to) <= 2


def _passes(geometry: Geometry) -> bool:
    """Return True if the rook moves to or past the king's origin, or the king moves to the rook's origin."""
    first, last = sorted((geometry.rook, geometry.rook_to))
    return _is_near(geometry) and (first <= geometry.king <= last or geometry.king_to == geometry.rook)


def _castle_and_walk_back(builder: PositionBuilder, condition: Condition) -> Script:
    """The king castles, and king and rook walk back, which gives the same position without the right."""
    pair = put_king_and_rook(builder, US, condition)
    middle = 8 + (pair.king + pair.king_to) // 2
    king_back: tuple[Step, ...] = (go(builder, middle, pair.king), WAIT)
    rook_back: tuple[Step, ...] = (Go(pair.rook_to, pair.rook), WAIT) if pair.rook != pair.rook_to else ()
    steps = (
        Go(pair.king, pair.rook),
        WAIT,
        go(builder, pair.king_to, middle),
        WAIT,
        *rook_back,
        *king_back,
    )
    return Script(steps, lost=1 << pair.rook)


def _castle_and_walk_to_other_rook(builder: PositionBuilder) -> Script:
    """The king castles and walks back to where a right would let it castle with the other rook."""
    pair = put_king_and_rook(builder, US, _is_near)
    is_a_side = pair.rook < pair.king
    beyond = RANKS[0] & ~((2 << pair.king) - 1 if is_a_side else -1 << pair.king) & ~builder.kept
    other = builder.pick(beyond if builder.chess960 else beyond & CORNERS)
    put_rook(builder, US, other)
    builder.keep_between(pair.king, other)
    middle = 8 + (pair.king + pair.king_to) // 2
    steps = (
        Go(pair.king, pair.rook),
        WAIT,
        go(builder, pair.king_to, middle),
        WAIT,
        go(builder, middle, pair.king),
        WAIT,
    )
    return Script(steps, lost=1 << other)


def _promote_beside_own_king(builder: PositionBuilder) -> Script:
    """A promoted rook moves to a square from which a right would let it castle."""
    pair = put_king_and_rook(builder, US, has_right=False)
    top = pair.rook + 56
    pawn = builder.place(US, PieceType.PAWN, top - 8)
    steps = (go(builder, pawn, top, PieceType.ROOK), WAIT, go(builder, top, pair.rook), WAIT)
    return Script(steps, lost=1 << pair.rook)


def _promote_beside_their_king(builder: PositionBuilder) -> Script:
    """A pawn promotes to a rook on a square where a black rook could castle, and a black rook captures it."""
    pair = put_king_and_rook(builder, THEM, has_right=False)
    pawn = builder.place(US, PieceType.PAWN, pair.rook - 8)
    other = builder.put(THEM, PieceType.ROOK, builder.reach(pawn, _DOWN))
    builder.put_last_mover()
    steps = (go(builder, pawn, pair.rook, PieceType.ROOK), go(builder, other, pair.rook), WAIT)
    return Script(steps, lost=1 << pair.rook)


SEQUENCES: dict[str, SequenceTemplate] = {
    "rook-taken": _rook_taken,
    "rook-replaced": partial(_rook_replaced, kinds=OFFICERS),
    "rook-replaced-after-promotion": _rook_replaced_after_promotion,
    "rook-square-taken-again": _square_taken_again,
    "king-takes-rook": _king_takes_rook,
    "rook-takes-rook": _rook_takes_rook,
    "rook-away-and-back": partial(_away_and_back, kind=PieceType.ROOK),
    "king-away-and-back": partial(_away_and_back, kind=PieceType.KING),
    "both-away-and-back": _both_away_and_back,
    "rights-one-by-one": _one_by_one,
    "other-rook-taken": partial(_other_rook_taken, is_outside=False),
    "other-rook-moves": _other_rook_moves,
    "repetition": _repetition,
    "repetition-in-a-small-tree": _small_tree,
    "castled-and-back": partial(_castle_and_walk_back, condition=_is_near),
    "castled-and-back-to-the-other-rook": _castle_and_walk_to_other_rook,
    "promoted-beside-own-king": _promote_beside_own_king,
    "promoted-beside-their-king": _promote_beside_their_king,
}
CHESS960_SEQUENCES: dict[str, SequenceTemplate] = {
    "outer-rook-taken": partial(_other_rook_taken, is_outside=True),
    "castled-past-each-other": partial(_castle_and_walk_back, condition=_passes),
    "king-and-rook-swap": partial(
        _castle_and_walk_back, condition=lambda one: (one.king_to, one.rook_to) == (one.rook, one.king)
    ),
}
