"""Castling rights that end on the way, and king and rook that seem able to castle once more when they have.

A rook is taken and another one comes to its square; king or rook goes away and back; both have castled and walked
back; or the rook was a pawn.
"""

from __future__ import annotations

from functools import partial

from ...generator.reachability.attacks import leaps, origins
from ...generator.types.pieces import Color, Kind
from ..position_builder import A_FILE, CORNERS, OFFICERS, RANKS, THEM, US, PositionBuilder
from ..templates.chess960 import Condition, Geometry
from .script import (
    BACK,
    WAIT,
    Go,
    Men,
    Script,
    SequenceTemplate,
    Step,
    go,
    put_pieces,
    put_rook,
    put_waiter,
)

_UP, _DOWN = (0, 1), (0, -1)
_PROMOTIONS = (Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT)
_SILENT = (Kind.KNIGHT, Kind.BISHOP)
"""Kinds that do not look along the rank to the king beside the rook that they take."""


def _rook_taken(builder: PositionBuilder) -> Script:
    """Among few moves, a rook that may castle is taken after a waiting move.

    A count to depth 3 takes few leaf nodes. Its capture is below the root, where perft may have a make-move of its own.
    """
    men = put_pieces(builder, US)
    _put_blocked_pawns(builder, men.king + 8, men.rook + 8)
    put_waiter(builder, US)
    taker = builder.put_attacker(THEM, men.rook, (builder.choose(_SILENT),))
    return Script((WAIT, go(builder, taker, men.rook), WAIT))


def _rook_replaced(builder: PositionBuilder, kinds: tuple[Kind, ...]) -> Script:
    """A rook that may castle is taken, and another one recaptures."""
    men = put_pieces(builder, THEM)
    other = builder.put(THEM, Kind.ROOK, builder.reach(men.rook, _DOWN))
    replaces = go(builder, other, men.rook)
    taker = builder.put_attacker(US, men.rook, (builder.choose(kinds),))
    builder.put_last_mover()
    return Script((go(builder, taker, men.rook), replaces, WAIT), lost=1 << men.rook)


def _rook_replaced_after_promotion(builder: PositionBuilder) -> Script:
    """A pawn takes a rook that may castle and promotes, and another rook recaptures."""
    men = put_pieces(builder, THEM)
    replaces = go(builder, builder.put(THEM, Kind.ROOK, builder.reach(men.rook, _DOWN)), men.rook)
    pawn = builder.put(US, Kind.PAWN, origins(US, Kind.PAWN, men.rook, builder.occupied))
    builder.put_last_mover()
    takes = go(builder, pawn, men.rook, builder.choose(_PROMOTIONS))
    return Script((takes, replaces, WAIT), lost=1 << men.rook)


def _comes_to(builder: PositionBuilder, men: Men) -> tuple[Go, Go]:
    """Put another rook of Black's that comes to the square of the one that may castle in two moves; return these."""
    via = builder.pick(builder.reach(men.rook, _DOWN) & ~RANKS[0])
    other = builder.put(THEM, Kind.ROOK, RANKS[via // 8] & ~(1 << via))
    return go(builder, other, via), go(builder, via, men.rook)


def _square_taken_again(builder: PositionBuilder) -> Script:
    """What took the rook goes back, and another rook comes to its square."""
    men = put_pieces(builder, THEM)
    comes, replaces = _comes_to(builder, men)
    taker = builder.put_attacker(US, men.rook, (builder.choose(_SILENT),))
    put_waiter(builder, THEM)
    return Script((go(builder, taker, men.rook), WAIT, BACK, comes, WAIT, replaces, WAIT), lost=1 << men.rook)


def _king_takes_rook(builder: PositionBuilder) -> Script:
    """The king takes the rook and goes away, and another rook comes to its square."""
    men = put_pieces(builder, THEM)
    comes, replaces = _comes_to(builder, men)
    king = builder.put(US, Kind.KING, leaps(US, Kind.KING, men.rook))
    leaves = go(builder, king, builder.pick(leaps(US, Kind.KING, king) & RANKS[5] & ~RANKS[comes.target // 8]))
    put_waiter(builder, US)
    put_waiter(builder, THEM)
    return Script((go(builder, king, men.rook), WAIT, BACK, comes, leaves, replaces, WAIT), lost=1 << men.rook)


def _rook_takes_rook(builder: PositionBuilder) -> Script:
    """A rook that may castle takes one that may as well, and comes back."""
    men = put_pieces(builder, US)
    builder.place(THEM, Kind.KING, men.king + 56)
    put_rook(builder, THEM, men.rook + 56)
    put_waiter(builder, THEM)
    return Script((go(builder, men.rook, men.rook + 56), WAIT, BACK, WAIT), lost=1 << men.rook)


def _leaves(builder: PositionBuilder, color: Color, men: Men, kind: Kind) -> Go:
    """Return a move of the king or the rook that ends the right."""
    if kind is Kind.KING:
        return go(
            builder, men.king, builder.pick(leaps(color, kind, men.king) & ~builder.attacked_squares(color.other))
        )
    return go(builder, men.rook, builder.pick(builder.reach(men.rook, _UP if color is US else _DOWN)))


def _away_and_back(builder: PositionBuilder, kind: Kind) -> Script:
    """King or rook moves away and back: the same position without the right."""
    men = put_pieces(builder, US)
    builder.complete()
    return Script((_leaves(builder, US, men, kind), WAIT, BACK, BACK), lost=1 << men.rook)


def _both_away_and_back(builder: PositionBuilder) -> Script:
    """Both sides lose their rights by moves of king or rook, and stand as before."""
    ours, theirs = put_pieces(builder, US), put_pieces(builder, THEM)
    builder.put_last_mover()
    away = _leaves(builder, US, ours, builder.choose((Kind.ROOK, Kind.KING)))
    reply = _leaves(builder, THEM, theirs, builder.choose((Kind.ROOK, Kind.KING)))
    return Script((away, reply, BACK, BACK), lost=1 << ours.rook | 1 << theirs.rook)


def _one_by_one(builder: PositionBuilder) -> Script:
    """Each side loses the right of one rook and castles with the other."""
    sides = []
    for color in (US, THEM):
        men = put_pieces(builder, color)
        rank = RANKS[men.king // 8] & ~builder.kept
        beyond = rank & ((1 << men.king) - 1) if men.rook > men.king else rank & ~((2 << men.king) - 1)
        other = builder.pick(beyond if builder.chess960 else beyond & CORNERS)
        put_rook(builder, color, other)
        sides.append((men, other))
    builder.put_last_mover()
    (ours, our_other), (theirs, their_other) = sides
    away = _leaves(builder, US, ours._replace(rook=our_other), Kind.ROOK)
    reply = _leaves(builder, THEM, theirs._replace(rook=their_other), Kind.ROOK)
    castles = Go(ours.king, ours.rook), Go(theirs.king, theirs.rook)
    return Script((away, reply, BACK, BACK, *castles))


def _repetition(builder: PositionBuilder) -> Script:
    """A repetition that ends no right; then the king castles."""
    men = put_pieces(builder, US)
    put_waiter(builder, US)
    return Script((WAIT, WAIT, BACK, BACK, Go(men.king, men.rook)))


def _other_rook_taken(builder: PositionBuilder, is_outside: bool) -> Script:
    """Another rook is taken, on the file of the one that may castle or beyond it, and that one castles."""
    men = put_pieces(builder, THEM)
    outside = builder.reach(men.rook, (1 if men.rook > men.king else -1, 0))
    other = builder.put(THEM, Kind.ROOK, outside if is_outside else A_FILE << men.rook % 8)
    put_waiter(builder, THEM)
    taker = builder.put_attacker(US, other, (builder.choose(OFFICERS),))
    return Script((go(builder, taker, other), WAIT, BACK, Go(men.king, men.rook)))


def _other_rook_moves(builder: PositionBuilder) -> Script:
    """Another rook leaves the file of the one that may castle, which then castles."""
    men = put_pieces(builder, US)
    other = builder.put(US, Kind.ROOK, A_FILE << men.rook % 8)
    target = builder.pick(builder.reach(other, builder.choose(((1, 0), (-1, 0)))))
    builder.complete()
    return Script((go(builder, other, target), WAIT, Go(men.king, men.rook)))


def _put_blocked_pawns(builder: PositionBuilder, *squares: int) -> None:
    """Put White's pawns on squares, and Black's above them."""
    for square in squares:
        builder.place(US, Kind.PAWN, square)
        builder.place(THEM, Kind.PAWN, square + 8)


def _small_tree(builder: PositionBuilder) -> Script:
    """A repetition among few moves: king and knight can both go and come back, and the king has then lost the right.

    A count to depth 5 takes few leaf nodes, and shows a hash key that does not distinguish the two positions.
    """
    men = put_pieces(builder, US)
    corner = builder.choose((56, 63))
    builder.place(THEM, Kind.KING, corner)
    _put_blocked_pawns(builder, corner - 16, men.king + 8, men.rook + 8)
    builder.put(US, Kind.KNIGHT, RANKS[0] | RANKS[1])
    return Script((WAIT, WAIT, BACK, BACK, Go(men.king, men.rook)))


def _is_near(geometry: Geometry) -> bool:
    """Whether the king can walk back in two steps, over the second rank."""
    return abs(geometry.king - geometry.king_to) <= 2


def _passes(geometry: Geometry) -> bool:
    """Whether the rook goes to where the king stood or past it, or the king to where the rook stood."""
    first, last = sorted((geometry.rook, geometry.rook_to))
    return _is_near(geometry) and (first <= geometry.king <= last or geometry.king_to == geometry.rook)


def _castle_and_walk_back(builder: PositionBuilder, condition: Condition) -> Script:
    """Castling, and then king and rook walk back: the same position without the right."""
    men = put_pieces(builder, US, condition)
    middle = 8 + (men.king + men.king_to) // 2
    king_back: tuple[Step, ...] = (go(builder, middle, men.king), WAIT)
    rook_back: tuple[Step, ...] = (Go(men.rook_to, men.rook), WAIT) if men.rook != men.rook_to else ()
    steps = (Go(men.king, men.rook), WAIT, go(builder, men.king_to, middle), WAIT, *rook_back, *king_back)
    return Script(steps, lost=1 << men.rook)


def _castle_and_walk_to_other_rook(builder: PositionBuilder) -> Script:
    """Castling, and then the king walks back to where it might castle with its other rook, had it the right."""
    men = put_pieces(builder, US, _is_near)
    is_a_side = men.rook < men.king
    beyond = RANKS[0] & ~((2 << men.king) - 1 if is_a_side else -1 << men.king) & ~builder.kept
    other = builder.pick(beyond if builder.chess960 else beyond & CORNERS)
    put_rook(builder, US, other)
    builder.keep_between(men.king, other)
    middle = 8 + (men.king + men.king_to) // 2
    steps = (Go(men.king, men.rook), WAIT, go(builder, men.king_to, middle), WAIT, go(builder, middle, men.king), WAIT)
    return Script(steps, lost=1 << other)


def _promote_beside_own_king(builder: PositionBuilder) -> Script:
    """A promoted rook comes back to where a rook might castle."""
    men = put_pieces(builder, US, has_right=False)
    top = men.rook + 56
    pawn = builder.place(US, Kind.PAWN, top - 8)
    steps = (go(builder, pawn, top, Kind.ROOK), WAIT, go(builder, top, men.rook), WAIT)
    return Script(steps, lost=1 << men.rook)


def _promote_beside_their_king(builder: PositionBuilder) -> Script:
    """A pawn becomes a rook where one of Black's might castle, and one of Black's takes it."""
    men = put_pieces(builder, THEM, has_right=False)
    pawn = builder.place(US, Kind.PAWN, men.rook - 8)
    other = builder.put(THEM, Kind.ROOK, builder.reach(pawn, _DOWN))
    builder.put_last_mover()
    steps = (go(builder, pawn, men.rook, Kind.ROOK), go(builder, other, men.rook), WAIT)
    return Script(steps, lost=1 << men.rook)


SEQUENCES: dict[str, SequenceTemplate] = {
    "rook-taken": _rook_taken,
    "rook-replaced": partial(_rook_replaced, kinds=OFFICERS),
    "rook-replaced-after-promotion": _rook_replaced_after_promotion,
    "rook-square-taken-again": _square_taken_again,
    "king-takes-rook": _king_takes_rook,
    "rook-takes-rook": _rook_takes_rook,
    "rook-away-and-back": partial(_away_and_back, kind=Kind.ROOK),
    "king-away-and-back": partial(_away_and_back, kind=Kind.KING),
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
