"""Our castling."""

from __future__ import annotations

import numpy as np

from ....castling import castling_is_safe, king_target, rook_target
from ....machine.bits import ONE, ZERO, lsb, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..fallback import replies_to_castling
from ..outlook import Outlook
from ..tally import Tally, with_replies, with_simple
from ..theirs.pins import pin_lines

_8 = np.uint64(8)


@inlined
def _barred(outlook: Outlook, attacked: np.uint64) -> np.uint64:
    """Return the squares of which simple castling, which changes no reply, empties or occupies none."""
    limits, watch = outlook.limits, outlook.watch
    of_king = watch.kings | watch.bishops | watch.rooks | limits.rooks | limits.rook_pins
    pushes = outlook.scene.board.their_pawns >> _8
    return attacked | pushes | of_king | limits.held | limits.closed | pin_lines(outlook.pins)


@inlined
def with_castling(
    tables: Tables,
    outlook: Outlook,
    rooks: np.uint64,
    attacked: np.uint64,
    orthogonal_pins: np.uint64,
    tally: Tally,
) -> Tally:
    """Add castling with `rooks`, whose ways are free; they attack `attacked`."""
    scene = outlook.scene
    king = scene.king
    while rooks != ZERO:
        rook = lsb(rooks)
        if castling_is_safe(tables, king, rook, attacked, orthogonal_pins):
            squares = ONE << king | ONE << rook | ONE << king_target(king, rook) | ONE << rook_target(king, rook)
            if squares & _barred(outlook, attacked) == ZERO:
                tally = with_simple(tally, ONE, ZERO)
            else:
                tally = with_replies(tally, replies_to_castling(tables, scene.board, king, rook))
        rooks = rest(rooks)
    return tally
