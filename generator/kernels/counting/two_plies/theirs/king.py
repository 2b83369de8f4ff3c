"""Their king: its steps and castling, as our attacks allow, and from where our pieces attack the squares it needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....attacks import (
    NOT_FILE_A,
    NOT_FILE_H,
    all_knight_attacks,
    bishop_attacks,
    king_attacks,
    rook_attacks,
    their_pawn_attacks,
)
from ....machine.bits import ONE, ZERO, lsb, popcount, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..ours.sight import Sight
from ..scene import Scene
from .castling import TheirCastling

_8 = np.uint64(8)


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


@inlined
def king_moves(steps: np.uint64, castling: TheirCastling, attacked: np.uint64, target: np.uint64) -> np.uint64:
    """Return the number of king moves when we attack `attacked`, which is not empty, and have moved to `target`."""
    count = popcount(steps & ~attacked)
    if castling.paths == ZERO:
        return count
    if castling.first & attacked | castling.first_way & target == ZERO:
        count += ONE
    if castling.second & attacked | castling.second_way & target == ZERO:
        count += ONE
    return count


@inlined
def replies_of_king(watch: Watch, attacked: np.uint64, target: np.uint64) -> np.uint64:
    """Return the number of king moves when we attack `attacked`, and have moved to `target`."""
    return king_moves(watch.steps | target & watch.near, watch.castling, attacked, target)


@inlined
def watch_of(tables: Tables, scene: Scene, sight: Sight, castling: TheirCastling) -> Watch:
    """Return the watch squares, and who attacks them."""
    next_to = king_attacks(tables, scene.their_king)
    steps = next_to & ~scene.their
    squares = steps | castling.paths & ~scene.board.their_king
    bishops, rooks = _slider_places(tables, scene, squares)
    return Watch(
        steps,
        next_to & scene.their,
        castling,
        squares,
        _king_places(squares),
        their_pawn_attacks(squares),
        all_knight_attacks(squares),
        bishops,
        rooks,
        king_moves(steps, castling, sight.all.once, ZERO),
    )


@inlined
def _king_places(squares: np.uint64) -> np.uint64:
    places = squares | (squares & NOT_FILE_A) >> ONE | (squares & NOT_FILE_H) << ONE
    return places | places << _8 | places >> _8


@inlined
def _slider_places(tables: Tables, scene: Scene, squares: np.uint64) -> tuple[np.uint64, np.uint64]:
    bishops, rooks = ZERO, ZERO
    while squares != ZERO:
        bishops |= bishop_attacks(tables, lsb(squares), scene.occupied)
        rooks |= rook_attacks(tables, lsb(squares), scene.occupied)
        squares = rest(squares)
    return bishops, rooks
