"""Everything looked up: sets of targets made beforehand, a mailbox for what is taken (after S. Luijten's Winglet).

    free  = every square but those of own pieces
    for each piece: for each square in attacks of piece from origin & free:
        move = (origin, target, piece, what the mailbox has on the target)

    knight on e4   attacks      &  free         =  moves
                   . . . . .       all but         the set, one move a bit,
                   . 1 . 1 .       own pieces      the lowest first
                   1 . . . 1
    rook on e4     attacks along the rank | attacks along the file, each looked up by the state of its line

Many moves at once come from one look-up; a loop takes them apart. What a target is worth stands in
the mailbox. The safety of the king is tested only when a move is made: if the other side could then
take it (after castling: on any square of its way), the move is taken back. A search that cuts most
moves off never makes them, and so never pays for the test.
"""

from __future__ import annotations

import numpy as np

from ..kernels.board import Board
from ..kernels.encoding import CASTLING, KIND_MASK, MAX_MOVES, origin_of, target_of
from ..kernels.machine.bits import ONE, ZERO, load, lsb, store, store16
from ..kernels.machine.jit import inline, kernel, subroutine
from ..kernels.machine.memory import NODES, STOP
from ..kernels.sliders.lookup import Tables
from . import lookup_tables as of
from .lookup_board import LookupBoard, make_move, of_board
from .lookup_moves import generate, move_at
from .names import TechniqueName
from .technique import Technique

_4 = np.uint64(4)
_BUFFER_BYTES = np.uint64(2 * MAX_MOVES)


@inline
def _attacks(walk: np.uint64, board: LookupBoard, square: np.uint64) -> bool:
    """Tell whether the mover attacks a square: a piece there would see, by its own moves, one of its kind."""
    occupied = board.own | board.their
    seen = of.of_square(walk, of.KNIGHT, square) & board.knights
    seen |= of.of_square(walk, of.KING, square) & board.king
    seen |= of.of_pawn(walk, of.PAWN_CAPTURE, board.side ^ ONE, square) & board.pawns
    seen |= of.orthogonal(walk, square, occupied) & (board.rooks | board.queens)
    seen |= of.diagonal(walk, square, occupied) & (board.bishops | board.queens)
    return bool(seen != ZERO)


@inline
def _is_legal(walk: np.uint64, after: LookupBoard, move: np.uint64) -> bool:
    """Tell, once a move is made, whether it was legal: the king, and the squares that it passed, must be safe."""
    legal = not _attacks(walk, after, lsb(after.their_king))
    if move & KIND_MASK == CASTLING:
        king, rook = origin_of(move), target_of(move)
        passed = king + ONE if rook > king else king - ONE
        legal = legal and not _attacks(walk, after, king) and not _attacks(walk, after, passed)
    return legal


@subroutine
def _keep_legal(walk: np.uint64, board: LookupBoard, moves: np.uint64, found: np.uint64) -> np.uint64:
    """Take out of the first column the moves that turn out illegal when made; return how many remain."""
    count = ZERO
    for number in range(found):
        index = np.uint64(number)
        move = move_at(moves, index)
        store16(moves, count, move)
        if _is_legal(walk, make_move(board, move), move):
            count += ONE
    return count


@subroutine
def _count(walk: np.uint64, board: LookupBoard, depth: np.uint64, control: np.uint64, moves: np.uint64) -> np.uint64:
    """Return the number of leaves; each move is made before its legality is tested."""
    found = generate(walk, board, moves)
    if depth == ONE:
        return _keep_legal(walk, board, moves, found)
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    count = ZERO
    for number in range(found):
        move = move_at(moves, np.uint64(number))
        after = make_move(board, move)
        if _is_legal(walk, after, move):
            count += _count(walk, after, depth - ONE, control, moves + _BUFFER_BYTES)
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    return count


@kernel
def list_moves_by_lookup(tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
    """Write the legal moves; return their number. `walk` is the address of the tables, the shared ones are unused."""
    state = of_board(board)
    return _keep_legal(walk, state, moves, generate(walk, state, moves))


@kernel
def count_leaves_by_lookup(
    tables: Tables, walk: np.uint64, board: Board, depth: np.uint64, control: np.uint64, moves: np.uint64
) -> np.uint64:
    """Return the number of leaves `depth` plies below, at least one; see `count_leaves_by_list`."""
    return _count(walk, of_board(board), depth, control, moves)


LOOKUP = Technique(
    name=TechniqueName.LOOKUP,
    origin="S. Luijten, Winglet",
    idea="every set of targets is made beforehand, and a move is tested when it is made",
    cost="making a move costs more than any test of it, and the moves of the last ply are made, too",
    shared="",
    build=of.build,
    chess960=False,
)
