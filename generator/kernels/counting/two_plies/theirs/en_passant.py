"""En passant: what our double pushes offer to their pawns."""

from __future__ import annotations

import numpy as np

from ....attacks import NOT_FILE_A, NOT_FILE_H, bishop_attacks, rook_attacks
from ....machine.bits import ONE, ZERO, lowest, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..scene import Scene

_8, _16 = np.uint64(8), np.uint64(16)
_RANK_4 = np.uint64(0xFF << 24)


@inlined
def _is_safe(tables: Tables, scene: Scene, pushed: np.uint64, taker: np.uint64) -> bool:
    """Tell whether their king is safe after `taker` has taken en passant the pawn that has been `pushed`.

    Three squares have changed then, so all lines to their king are tried.
    """
    board = scene.board
    after = scene.occupied ^ taker ^ pushed >> _16 ^ pushed >> _8
    attackers = rook_attacks(tables, scene.their_king, after) & board.orthogonals
    attackers |= bishop_attacks(tables, scene.their_king, after) & board.diagonals
    return bool(attackers == ZERO)


@inlined
def captures_offered(tables: Tables, scene: Scene, doubles: np.uint64) -> np.uint64:
    """Return the number of legal captures en passant that double pushes offer; none of these gives check."""
    beside, count = scene.board.their_pawns & _RANK_4, ZERO
    left, right = doubles & (beside & NOT_FILE_A) >> ONE, doubles & (beside & NOT_FILE_H) << ONE
    while left != ZERO:
        if _is_safe(tables, scene, lowest(left), lowest(left) << ONE):
            count += ONE
        left = rest(left)
    while right != ZERO:
        if _is_safe(tables, scene, lowest(right), lowest(right) >> ONE):
            count += ONE
        right = rest(right)
    return count
