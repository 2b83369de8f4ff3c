"""The opponent's king: pins, steps and castling, and the squares from which we attack the squares it needs."""

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
from ...castling import castling_path, castling_way
from ...machine.bits import ALL, ONE, ZERO, lowest, lsb, popcount, rest
from ...machine.jit import inline
from ...sliders.lookup import Tables
from .position import BoardSides, OurAttacks

_8 = np.uint64(8)
_BACK_RANK = np.uint64(56)


class Lines(NamedTuple):
    """Squares on the lines of one kind, diagonal or orthogonal, between their king and our sliders.

    If exactly one piece stands between king and slider and it is theirs, the slider is one of the `pinners`, and `pins`
    contains the squares from the king to the slider, including the slider. `held` contains the squares between king and
    slider if one or two pieces of either side stand there: if one of them leaves, this gives check or creates a pin.
    """

    pins: np.uint64
    pinners: np.uint64
    held: np.uint64


class Unpinned(NamedTuple):
    """Their knights and sliders that are not pinned; a queen is in both slider bitboards."""

    knights: np.uint64
    diagonals: np.uint64
    orthogonals: np.uint64


class Pins(NamedTuple):
    """The lines of both kinds, our sliders that pin a piece of the opponent, and the pieces that are not pinned."""

    orthogonal: np.uint64
    diagonal: np.uint64
    pinners: np.uint64
    held: np.uint64
    unpinned: Unpinned


@inline
def _lines(tables: Tables, sides: BoardSides, sliders: np.uint64) -> Lines:
    pins, pinners, held = ZERO, ZERO, ZERO
    while sliders != ZERO:
        way = between(tables, sides.their_king, lsb(sliders))
        # At least one piece stands there, because their king is not in check when it is our move.
        second = rest(way & sides.occupied)
        if rest(second) == ZERO:
            held |= way
        # If the only piece between is theirs, it is pinned. If it is ours, it is held, because it discovers check when
        # it leaves.
        if second == ZERO and way & sides.their != ZERO:
            pins |= way | lowest(sliders)
            pinners |= lowest(sliders)
        sliders = rest(sliders)
    return Lines(pins, pinners, held)


@inline
def pins_of(tables: Tables, sides: BoardSides) -> Pins:
    """Return the lines to their king, which must not be in check."""
    board, king = sides.board, sides.their_king
    orthogonal = _lines(tables, sides, rook_rays(tables, king) & board.orthogonals)
    diagonal = _lines(tables, sides, bishop_rays(tables, king) & board.diagonals)
    pinners, held = orthogonal.pinners | diagonal.pinners, orthogonal.held | diagonal.held
    loose = ~(orthogonal.pins | diagonal.pins)
    unpinned = Unpinned(board.their_knights & loose, board.their_diagonals & loose, board.their_orthogonals & loose)
    return Pins(orthogonal.pins, diagonal.pins, pinners, held, unpinned)


@inline
def pin_lines(pins: Pins) -> np.uint64:
    """Return the pin lines of both kinds."""
    return pins.orthogonal | pins.diagonal


class TheirCastling(NamedTuple):
    """The squares that affect their castling.

    A path contains the squares that the king crosses and reaches; it is `ALL` if they cannot castle after any of our
    moves. A way contains the rook and the squares that must stay empty. `paths` and `ways` combine those of both rooks.
    Moves to or from `held` may affect their castling for other reasons.
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
    """Return the squares that affect their castling."""
    king, first, second = sides.their_king, ALL, ALL
    first_way, second_way, paths, ways, held = ZERO, ZERO, ZERO, ZERO, ZERO
    rooks = sides.board.castling & sides.their
    while rooks != ZERO:
        rook = lsb(rooks)
        # The tables contain squares of the first rank; theirs are on the same files of the eighth rank.
        way = castling_way(tables, king ^ _BACK_RANK, rook ^ _BACK_RANK) << _BACK_RANK
        third = way & sides.occupied
        if third == ZERO:
            # In Chess960, our rook behind theirs pins it, so that they cannot castle.
            held |= beyond(tables, king, rook)
            if pins.orthogonal & ONE << rook == ZERO:
                path = castling_path(tables, king ^ _BACK_RANK, rook ^ _BACK_RANK) << _BACK_RANK
                way |= ONE << rook
                paths, ways = paths | path, ways | way
                if first == ALL:
                    first, first_way = path, way
                else:
                    second, second_way = path, way
        # If the only piece in the way is ours, it could leave and enable castling. If it is theirs, the square remains
        # occupied even if we capture the piece. Of two pieces, at least one remains.
        elif third & sides.their == ZERO and rest(third) == ZERO:
            held |= third
        rooks = rest(rooks)
    return TheirCastling(first, first_way, second, second_way, paths, ways, held)


class Places(NamedTuple):
    """For each type of our pieces, the squares on which its arrival may change their king moves.

    There, the piece attacks a watch square that we do not yet attack, stands in the way of castling, or captures next
    to their king.
    """

    kings: np.uint64
    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64


class Watch(NamedTuple):
    """The watch squares, to which their king may step or which it may cross in castling, and how we can attack them.

    Of the squares next to their king, `steps` are those that their pieces do not occupy, and `near` those that they
    do. `castling` contains the paths, `squares` all watch squares, and `single` those that exactly one of our pieces
    attacks; if it is a pawn, it is one of `pawns`. `replies` is the number of king moves before our move.
    """

    steps: np.uint64
    near: np.uint64
    castling: TheirCastling
    squares: np.uint64
    single: np.uint64
    pawns: np.uint64
    places: Places
    replies: np.uint64


@inline
def king_moves(steps: np.uint64, castling: TheirCastling, attacked: np.uint64, target: np.uint64) -> np.uint64:
    """Return the number of king moves if we attack the non-empty set `attacked` and have moved to `target`."""
    count = popcount(steps & ~attacked)
    if castling.paths == ZERO:
        return count
    # The path of a missing rook is `ALL` and therefore attacked, so two tests are enough for any number of rooks.
    if castling.first & attacked | castling.first_way & target == ZERO:
        count += ONE
    if castling.second & attacked | castling.second_way & target == ZERO:
        count += ONE
    return count


@inline
def replies_of_king(watch: Watch, attacked: np.uint64, target: np.uint64) -> np.uint64:
    """Return the number of king moves if we attack `attacked` and have moved to `target`."""
    # If we have captured a piece next to their king, the king may recapture.
    return king_moves(watch.steps | target & watch.near, watch.castling, attacked, target)


@inline
def watch_squares(tables: Tables, sides: BoardSides, castling: TheirCastling) -> np.uint64:
    """Return the watch squares."""
    # In Chess960, a path may contain the king's own square, which need not be watched because simple moves give no
    # check.
    return king_attacks(tables, sides.their_king) & ~sides.their | castling.paths & ~sides.board.their_king


@inline
def watch_of(
    tables: Tables, sides: BoardSides, squares: np.uint64, our_attacks: OurAttacks, castling: TheirCastling
) -> Watch:
    """Return how we attack the watch squares `squares`, and the number of king moves before our move."""
    next_to = king_attacks(tables, sides.their_king)
    steps = next_to & ~sides.their
    # If two of our pieces attack a watch square, one of them attacks it after any move that blocks no line to it.
    free, single = squares & ~our_attacks.all.once, squares & our_attacks.all.once & ~our_attacks.all.twice
    return Watch(
        steps,
        next_to & sides.their,
        castling,
        squares,
        single,
        their_pawn_attacks(single) & sides.board.pawns,
        _places_of(tables, sides, free, next_to & sides.their | castling.ways),
        king_moves(steps, castling, our_attacks.all.once, ZERO),
    )


@inline
def _king_places(squares: np.uint64) -> np.uint64:
    places = squares | (squares & NOT_FILE_A) >> ONE | (squares & NOT_FILE_H) << ONE
    return places | places << _8 | places >> _8


@inline
def _places_of(tables: Tables, sides: BoardSides, squares: np.uint64, always: np.uint64) -> Places:
    """Return the squares from which our pieces attack any of `squares`, and the squares `always`."""
    if squares == ZERO:
        return Places(always, always, always, always, always)
    kings, pawns = _king_places(squares) | always, their_pawn_attacks(squares) | always
    knights = always
    if sides.board.knights != ZERO:
        knights |= all_knight_attacks(squares)
    # Attacks are symmetric: a bishop attacks a square from exactly the squares that a bishop on that square attacks.
    bishops, rooks = always, always
    while squares != ZERO:
        # In endings, we often have no bishop or queen.
        if sides.board.diagonals != ZERO:
            bishops |= bishop_attacks(tables, lsb(squares), sides.occupied)
        rooks |= rook_attacks(tables, lsb(squares), sides.occupied)
        squares = rest(squares)
    return Places(kings, pawns, knights, bishops, rooks)
