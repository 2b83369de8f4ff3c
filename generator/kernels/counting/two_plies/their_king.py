"""Their king: who is pinned to it, its steps and castling, and from where we attack the squares that it needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...attacks import (
    NOT_FILE_A,
    NOT_FILE_H,
    all_knight_attacks,
    between,
    beyond,
    bishop_attacks,
    bishop_rays,
    king_attacks,
    rook_attacks,
    rook_rays,
    their_pawn_attacks,
)
from ...castling import king_target, rook_target
from ...machine.bits import ALL, ONE, ZERO, lowest, lsb, popcount, rest
from ...machine.jit import inline
from ...sliders.lookup import Tables
from .position import BoardSides, OurAttacks

_8 = np.uint64(8)
_BACK_RANK = np.uint64(56)


class Lines(NamedTuple):
    """Squares on the lines of one kind.

    `pins` are those from the king to a slider of ours, this included, with one piece between, which is theirs; the
    slider is one of the `pinners`. `held` are the squares between king and slider with one or two pieces on them,
    whoever's: if one of these leaves, there is a check or another pin.
    """

    pins: np.uint64
    pinners: np.uint64
    held: np.uint64


class Pins(NamedTuple):
    """The lines of both kinds, and our sliders that pin a piece of theirs."""

    orthogonal: np.uint64
    diagonal: np.uint64
    pinners: np.uint64
    held: np.uint64


@inline
def _lines(tables: Tables, sides: BoardSides, sliders: np.uint64) -> Lines:
    pins, pinners, held = ZERO, ZERO, ZERO
    while sliders != ZERO:
        way = between(tables, sides.their_king, lsb(sliders))
        # At least one piece stands there: it is our move, so their king is not in check.
        second = rest(way & sides.occupied)
        if rest(second) == ZERO:
            held |= way
        # One piece between, and theirs: pinned. One of ours there discovers check when it leaves, and is held.
        if second == ZERO and way & sides.their != ZERO:
            pins |= way | lowest(sliders)
            pinners |= lowest(sliders)
        sliders = rest(sliders)
    return Lines(pins, pinners, held)


@inline
def pins_of(tables: Tables, sides: BoardSides) -> Pins:
    """Return the lines to their king, which is not in check."""
    board, king = sides.board, sides.their_king
    orthogonal = _lines(tables, sides, rook_rays(tables, king) & board.orthogonals)
    diagonal = _lines(tables, sides, bishop_rays(tables, king) & board.diagonals)
    return Pins(orthogonal.pins, diagonal.pins, orthogonal.pinners | diagonal.pinners, orthogonal.held | diagonal.held)


@inline
def pin_lines(pins: Pins) -> np.uint64:
    """Return the pin lines of both kinds."""
    return pins.orthogonal | pins.diagonal


class TheirCastling(NamedTuple):
    """What their castling depends on.

    A path has the squares that the king crosses and reaches; it is `ALL` where they cannot castle whatever we do. A
    way has those that must stay empty, and the rook. `paths` and `ways` are the squares of both. On `held` an arrival
    or departure of ours may change in other ways whether they can castle.
    """

    first: np.uint64
    first_way: np.uint64
    second: np.uint64
    second_way: np.uint64
    paths: np.uint64
    ways: np.uint64
    held: np.uint64


@inline
def their_castling(tables: Tables, sides: BoardSides, pins: Pins) -> TheirCastling:
    """Return what their castling depends on."""
    king, first, second = sides.their_king, ALL, ALL
    first_way, second_way, paths, ways, held = ZERO, ZERO, ZERO, ZERO, ZERO
    rooks = sides.board.castling & sides.their
    while rooks != ZERO:
        rook = lsb(rooks)
        # The targets are squares of the first rank, from a1 = 0; theirs are the same files of the eighth.
        king_to, rook_to = king_target(king, rook) | _BACK_RANK, rook_target(king, rook) | _BACK_RANK
        path = between(tables, king, king_to) | ONE << king_to
        way = path | between(tables, rook, rook_to) | ONE << rook_to
        third = way & (sides.occupied ^ sides.board.their_king ^ ONE << rook)
        if third == ZERO:
            # In Chess960 a rook of ours behind theirs pins it, and they cannot castle.
            held |= beyond(tables, king, rook)
            if pins.orthogonal & ONE << rook == ZERO:
                way |= ONE << rook
                paths, ways = paths | path, ways | way
                if first == ALL:
                    first, first_way = path, way
                else:
                    second, second_way = path, way
        # A piece of ours alone in the way could leave and let them castle. One of theirs stays, or ours has taken it
        # and stands there; of two pieces one stays.
        elif third & sides.their == ZERO and rest(third) == ZERO:
            held |= third
        rooks = rest(rooks)
    return TheirCastling(first, first_way, second, second_way, paths, ways, held)


class Watch(NamedTuple):
    """The watch squares, which their king steps on or crosses in castling, and who attacks them.

    `steps` are the squares next to their king that are free of their pieces, `near` those with a piece of theirs,
    `castling` has the paths; `squares` are all that is watched. From `kings` ... `rooks` such a piece of ours attacks
    a watch square. `replies` is the number of king moves before we move.
    """

    steps: np.uint64
    near: np.uint64
    castling: TheirCastling
    squares: np.uint64
    kings: np.uint64
    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    replies: np.uint64


@inline
def king_moves(steps: np.uint64, castling: TheirCastling, attacked: np.uint64, target: np.uint64) -> np.uint64:
    """Return the number of king moves when we attack `attacked`, which is not empty, and have moved to `target`."""
    count = popcount(steps & ~attacked)
    if castling.paths == ZERO:
        return count
    # A path of a rook that is not there is `ALL`, and so attacked: two tests do for any number of rooks.
    if castling.first & attacked | castling.first_way & target == ZERO:
        count += ONE
    if castling.second & attacked | castling.second_way & target == ZERO:
        count += ONE
    return count


@inline
def replies_of_king(watch: Watch, attacked: np.uint64, target: np.uint64) -> np.uint64:
    """Return the number of king moves when we attack `attacked`, and have moved to `target`."""
    # What we have taken next to their king leaves it a square to step to, where we stand now.
    return king_moves(watch.steps | target & watch.near, watch.castling, attacked, target)


@inline
def watch_of(tables: Tables, sides: BoardSides, our_attacks: OurAttacks, castling: TheirCastling) -> Watch:
    """Return the watch squares, and who attacks them."""
    next_to = king_attacks(tables, sides.their_king)
    steps = next_to & ~sides.their
    # In Chess960 a path may be the king's own square. Simple moves give no check, so nobody watches that.
    squares = steps | castling.paths & ~sides.board.their_king
    bishops, rooks = _slider_places(tables, sides, squares)
    return Watch(
        steps,
        next_to & sides.their,
        castling,
        squares,
        _king_places(squares),
        their_pawn_attacks(squares),
        all_knight_attacks(squares),
        bishops,
        rooks,
        king_moves(steps, castling, our_attacks.all.once, ZERO),
    )


@inline
def _king_places(squares: np.uint64) -> np.uint64:
    places = squares | (squares & NOT_FILE_A) >> ONE | (squares & NOT_FILE_H) << ONE
    return places | places << _8 | places >> _8


@inline
def _slider_places(tables: Tables, sides: BoardSides, squares: np.uint64) -> tuple[np.uint64, np.uint64]:
    # Attacks are symmetric: a bishop attacks a square from where a bishop on the square would attack it.
    bishops, rooks = ZERO, ZERO
    while squares != ZERO:
        bishops |= bishop_attacks(tables, lsb(squares), sides.occupied)
        rooks |= rook_attacks(tables, lsb(squares), sides.occupied)
        squares = rest(squares)
    return bishops, rooks
