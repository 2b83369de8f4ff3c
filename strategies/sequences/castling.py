"""Castling rights that end on the way, and king and rook that seem able to castle once more when they have.

A rook is taken and another one comes to its square; king or rook goes away and back; both have castled and walked
back; or the rook was a pawn.
"""

from __future__ import annotations

from functools import partial

from ...generator.reachability.attacks import leaps, origins
from ...generator.types.pieces import Color, PieceType
from ..scene import A_FILE, CORNERS, OFFICERS, RANKS, THEM, US, PiecePlacement
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
_PROMOTIONS = (PieceType.QUEEN, PieceType.ROOK, PieceType.BISHOP, PieceType.KNIGHT)
_SILENT = (PieceType.KNIGHT, PieceType.BISHOP)
"""Kinds that do not look along the rank to the king beside the rook that they take."""


def _rook_taken(scene: PiecePlacement) -> Script:
    """Among few moves, a rook that may castle is taken after a waiting move.

    A count to depth 3 takes few leaf nodes. Its capture is below the root, where perft may have a make-move of its own.
    """
    men = put_pieces(scene, US)
    _put_blocked_pawns(scene, men.king + 8, men.rook + 8)
    put_waiter(scene, US)
    taker = scene.put_attacker(THEM, men.rook, (scene.choose(_SILENT),))
    return Script((WAIT, go(scene, taker, men.rook), WAIT))


def _rook_replaced(scene: PiecePlacement, kinds: tuple[PieceType, ...]) -> Script:
    """A rook that may castle is taken, and another one recaptures."""
    men = put_pieces(scene, THEM)
    other = scene.put(THEM, PieceType.ROOK, scene.reach(men.rook, _DOWN))
    replaces = go(scene, other, men.rook)
    taker = scene.put_attacker(US, men.rook, (scene.choose(kinds),))
    scene.put_last_mover()
    return Script((go(scene, taker, men.rook), replaces, WAIT), lost=1 << men.rook)


def _rook_replaced_after_promotion(scene: PiecePlacement) -> Script:
    """A pawn takes a rook that may castle and promotes, and another rook recaptures."""
    men = put_pieces(scene, THEM)
    replaces = go(scene, scene.put(THEM, PieceType.ROOK, scene.reach(men.rook, _DOWN)), men.rook)
    pawn = scene.put(US, PieceType.PAWN, origins(US, PieceType.PAWN, men.rook, scene.occupied))
    scene.put_last_mover()
    takes = go(scene, pawn, men.rook, scene.choose(_PROMOTIONS))
    return Script((takes, replaces, WAIT), lost=1 << men.rook)


def _comes_to(scene: PiecePlacement, men: Men) -> tuple[Go, Go]:
    """Put another rook of Black's that comes to the square of the one that may castle in two moves; return these."""
    via = scene.pick(scene.reach(men.rook, _DOWN) & ~RANKS[0])
    other = scene.put(THEM, PieceType.ROOK, RANKS[via // 8] & ~(1 << via))
    return go(scene, other, via), go(scene, via, men.rook)


def _square_taken_again(scene: PiecePlacement) -> Script:
    """What took the rook goes back, and another rook comes to its square."""
    men = put_pieces(scene, THEM)
    comes, replaces = _comes_to(scene, men)
    taker = scene.put_attacker(US, men.rook, (scene.choose(_SILENT),))
    put_waiter(scene, THEM)
    return Script((go(scene, taker, men.rook), WAIT, BACK, comes, WAIT, replaces, WAIT), lost=1 << men.rook)


def _king_takes_rook(scene: PiecePlacement) -> Script:
    """The king takes the rook and goes away, and another rook comes to its square."""
    men = put_pieces(scene, THEM)
    comes, replaces = _comes_to(scene, men)
    king = scene.put(US, PieceType.KING, leaps(US, PieceType.KING, men.rook))
    leaves = go(scene, king, scene.pick(leaps(US, PieceType.KING, king) & RANKS[5] & ~RANKS[comes.target // 8]))
    put_waiter(scene, US)
    put_waiter(scene, THEM)
    return Script((go(scene, king, men.rook), WAIT, BACK, comes, leaves, replaces, WAIT), lost=1 << men.rook)


def _rook_takes_rook(scene: PiecePlacement) -> Script:
    """A rook that may castle takes one that may as well, and comes back."""
    men = put_pieces(scene, US)
    scene.place(THEM, PieceType.KING, men.king + 56)
    put_rook(scene, THEM, men.rook + 56)
    put_waiter(scene, THEM)
    return Script((go(scene, men.rook, men.rook + 56), WAIT, BACK, WAIT), lost=1 << men.rook)


def _leaves(scene: PiecePlacement, color: Color, men: Men, kind: PieceType) -> Go:
    """Return a move of the king or the rook that ends the right."""
    if kind is PieceType.KING:
        return go(scene, men.king, scene.pick(leaps(color, kind, men.king) & ~scene.attacked_squares(color.other)))
    return go(scene, men.rook, scene.pick(scene.reach(men.rook, _UP if color is US else _DOWN)))


def _away_and_back(scene: PiecePlacement, kind: PieceType) -> Script:
    """King or rook moves away and back: the same position without the right."""
    men = put_pieces(scene, US)
    scene.complete()
    return Script((_leaves(scene, US, men, kind), WAIT, BACK, BACK), lost=1 << men.rook)


def _both_away_and_back(scene: PiecePlacement) -> Script:
    """Both sides lose their rights by moves of king or rook, and stand as before."""
    ours, theirs = put_pieces(scene, US), put_pieces(scene, THEM)
    scene.put_last_mover()
    away = _leaves(scene, US, ours, scene.choose((PieceType.ROOK, PieceType.KING)))
    reply = _leaves(scene, THEM, theirs, scene.choose((PieceType.ROOK, PieceType.KING)))
    return Script((away, reply, BACK, BACK), lost=1 << ours.rook | 1 << theirs.rook)


def _one_by_one(scene: PiecePlacement) -> Script:
    """Each side loses the right of one rook and castles with the other."""
    sides = []
    for color in (US, THEM):
        men = put_pieces(scene, color)
        rank = RANKS[men.king // 8] & ~scene.kept
        beyond = rank & ((1 << men.king) - 1) if men.rook > men.king else rank & ~((2 << men.king) - 1)
        other = scene.pick(beyond if scene.chess960 else beyond & CORNERS)
        put_rook(scene, color, other)
        sides.append((men, other))
    scene.put_last_mover()
    (ours, our_other), (theirs, their_other) = sides
    away = _leaves(scene, US, ours._replace(rook=our_other), PieceType.ROOK)
    reply = _leaves(scene, THEM, theirs._replace(rook=their_other), PieceType.ROOK)
    castles = Go(ours.king, ours.rook), Go(theirs.king, theirs.rook)
    return Script((away, reply, BACK, BACK, *castles))


def _repetition(scene: PiecePlacement) -> Script:
    """A repetition that ends no right; then the king castles."""
    men = put_pieces(scene, US)
    put_waiter(scene, US)
    return Script((WAIT, WAIT, BACK, BACK, Go(men.king, men.rook)))


def _other_rook_taken(scene: PiecePlacement, is_outside: bool) -> Script:
    """Another rook is taken, on the file of the one that may castle or beyond it, and that one castles."""
    men = put_pieces(scene, THEM)
    outside = scene.reach(men.rook, (1 if men.rook > men.king else -1, 0))
    other = scene.put(THEM, PieceType.ROOK, outside if is_outside else A_FILE << men.rook % 8)
    put_waiter(scene, THEM)
    taker = scene.put_attacker(US, other, (scene.choose(OFFICERS),))
    return Script((go(scene, taker, other), WAIT, BACK, Go(men.king, men.rook)))


def _other_rook_moves(scene: PiecePlacement) -> Script:
    """Another rook leaves the file of the one that may castle, which then castles."""
    men = put_pieces(scene, US)
    other = scene.put(US, PieceType.ROOK, A_FILE << men.rook % 8)
    target = scene.pick(scene.reach(other, scene.choose(((1, 0), (-1, 0)))))
    scene.complete()
    return Script((go(scene, other, target), WAIT, Go(men.king, men.rook)))


def _put_blocked_pawns(scene: PiecePlacement, *squares: int) -> None:
    """Put White's pawns on squares, and Black's above them."""
    for square in squares:
        scene.place(US, PieceType.PAWN, square)
        scene.place(THEM, PieceType.PAWN, square + 8)


def _small_tree(scene: PiecePlacement) -> Script:
    """A repetition among few moves: king and knight can both go and come back, and the king has then lost the right.

    A count to depth 5 takes few leaf nodes, and shows a hash key that does not distinguish the two positions.
    """
    men = put_pieces(scene, US)
    corner = scene.choose((56, 63))
    scene.place(THEM, PieceType.KING, corner)
    _put_blocked_pawns(scene, corner - 16, men.king + 8, men.rook + 8)
    scene.put(US, PieceType.KNIGHT, RANKS[0] | RANKS[1])
    return Script((WAIT, WAIT, BACK, BACK, Go(men.king, men.rook)))


def _is_near(geometry: Geometry) -> bool:
    """Whether the king can walk back in two steps, over the second rank."""
    return abs(geometry.king - geometry.king_to) <= 2


def _passes(geometry: Geometry) -> bool:
    """Whether the rook goes to where the king stood or past it, or the king to where the rook stood."""
    first, last = sorted((geometry.rook, geometry.rook_to))
    return _is_near(geometry) and (first <= geometry.king <= last or geometry.king_to == geometry.rook)


def _castle_and_walk_back(scene: PiecePlacement, condition: Condition) -> Script:
    """Castling, and then king and rook walk back: the same position without the right."""
    men = put_pieces(scene, US, condition)
    middle = 8 + (men.king + men.king_to) // 2
    king_back: tuple[Step, ...] = (go(scene, middle, men.king), WAIT)
    rook_back: tuple[Step, ...] = (Go(men.rook_to, men.rook), WAIT) if men.rook != men.rook_to else ()
    steps = (Go(men.king, men.rook), WAIT, go(scene, men.king_to, middle), WAIT, *rook_back, *king_back)
    return Script(steps, lost=1 << men.rook)


def _castle_and_walk_to_other_rook(scene: PiecePlacement) -> Script:
    """Castling, and then the king walks back to where it might castle with its other rook, had it the right."""
    men = put_pieces(scene, US, _is_near)
    is_a_side = men.rook < men.king
    beyond = RANKS[0] & ~((2 << men.king) - 1 if is_a_side else -1 << men.king) & ~scene.kept
    other = scene.pick(beyond if scene.chess960 else beyond & CORNERS)
    put_rook(scene, US, other)
    scene.keep_between(men.king, other)
    middle = 8 + (men.king + men.king_to) // 2
    steps = (Go(men.king, men.rook), WAIT, go(scene, men.king_to, middle), WAIT, go(scene, middle, men.king), WAIT)
    return Script(steps, lost=1 << other)


def _promote_beside_own_king(scene: PiecePlacement) -> Script:
    """A promoted rook comes back to where a rook might castle."""
    men = put_pieces(scene, US, has_right=False)
    top = men.rook + 56
    pawn = scene.place(US, PieceType.PAWN, top - 8)
    steps = (go(scene, pawn, top, PieceType.ROOK), WAIT, go(scene, top, men.rook), WAIT)
    return Script(steps, lost=1 << men.rook)


def _promote_beside_their_king(scene: PiecePlacement) -> Script:
    """A pawn becomes a rook where one of Black's might castle, and one of Black's takes it."""
    men = put_pieces(scene, THEM, has_right=False)
    pawn = scene.place(US, PieceType.PAWN, men.rook - 8)
    other = scene.put(THEM, PieceType.ROOK, scene.reach(pawn, _DOWN))
    scene.put_last_mover()
    steps = (go(scene, pawn, men.rook, PieceType.ROOK), go(scene, other, men.rook), WAIT)
    return Script(steps, lost=1 << men.rook)


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
