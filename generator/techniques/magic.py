"""Magic bitboards: a multiplication turns the blockers of a slider into the index of its attacks (after S. Lench).

    relevant = occupied & mask of the square       the squares whose occupation matters
    index    = relevant * magic >> shift           each relevant set is mapped to the index of its attacks
    moves    = attacks of the square [index] & ~own

    rook on e4, blockers on e6 and c4 (10 squares matter, so 1024 indices):

    mask       relevant   attacks
    ........   ........   ........
    ....1...   ........   ........
    ....1...   ....1...   ....1...       relevant * magic >> 54  =  one of 0 .. 1023,
    ....1...   ........   ....1...       the index of the set to the left
    .111.11.   ..1.....   ..11.111
    ....1...   ........   ....1...
    ....1...   ........   ....1...
    ........   ........   ....1...

A product is a sum of shifted copies of the relevant squares; a suitable factor, found by trial, carries all of them
into the top bits. Pawns need no table: a shift of the board moves all of them at once, and the origin of each move is
its target minus the shift. A move has an origin, a target, and a bit that marks captures. That bit lies above the
sixteen bits that a list stores: traces show it, but making the move does not need it.
"""

from __future__ import annotations

import numpy as np

from ..kernels import geometry
from ..kernels.attacks import NOT_FILE_A, NOT_FILE_H, king_attacks, knight_attacks
from ..kernels.board import Board, ours, theirs
from ..kernels.encoding import bit, encode
from ..kernels.machine.bits import ZERO, load, lsb, multiply, rest
from ..kernels.machine.jit import inline, subroutine
from ..kernels.pawns import RANK_3, RANK_8
from ..kernels.sliders.lookup import Tables
from ..kernels.sliders.magic import (
    BISHOP,
    DIRECTIONS,
    ROOK,
    attacks_of_subsets,
    blocker_subsets,
    place_attacks,
    read_magics,
)
from .operations import append, append_en_passant, append_pawn_move, looked_up
from .technique import Table, Technique, TechniqueName

CAPTURE = np.uint64(1 << 16)
RECORD = 8
ATTACKS = 64 * RECORD
ATTACK_WORDS = 102_400 + 5_248
"""Number of relevant sets of rooks plus that of bishops, over all squares."""

MAGICS = read_magics(
    1_000_003,
    """
     640617  424905  878244  219462  164542   48639   81026  147252
     329406   75791   87444   29832    8565   13145   21124   39869
     321721   39307   13174  185529  184229  451126   34708  155171
       8722    7619  194328   28830  245452    6662   29007   73068
      24992    4308  143327   24759  338168  102905   15661   66682
      35614   11052  128667  251380  164976  650843    4755   26367
      76816    2187   19215  104717   29718  261955   55723  147494
       5803   71084   30724  487612   70856  114232   56675   91688
    """,
    """
      19190    4383    1827     556     478     212    2461   26696
       1010    5755     653     376    2070    6700     646    4810
       2474    5447    6963    7306   25990    6389    4608    1369
       1884    1488    1012  102523  129926    6709    7727    1819
       3921    3219   14213  216487  158934   21685     255     698
        356    4439    4135    2968    9052    8348    1102    2258
      10333   10468    4678     180    1400    3542    1653    4791
        281    4963     577     631    1388    5831     166   14656
    """,
)
"""The magic numbers. They differ from those of perft-check's kernels, so that this technique is an independent
check."""

_3, _7, _8, _9, _16 = (np.uint64(number) for number in (3, 7, 8, 9, 16))
_MASK, _MAGIC, _SHIFT, _START = (np.uint64(number) for number in range(4))
_ROOK, _BISHOP = np.uint64(0), np.uint64(4)


def build() -> Table:
    """Return mask, magic, shift and attack offset of rook and bishop by square, then all attacks, as uint64 values."""
    table = np.zeros(ATTACKS + ATTACK_WORDS, dtype=np.uint64)
    place = ATTACKS
    for piece in (ROOK, BISHOP):
        for square in range(64):
            mask = geometry.blocker_mask(square, DIRECTIONS[piece])
            subsets = blocker_subsets(mask)
            number = MAGICS.number(piece, square)
            attacks = place_attacks(subsets, attacks_of_subsets(square, DIRECTIONS[piece], subsets), number)
            if attacks is None:
                raise AssertionError(f"the number of square {square} is not magic")
            record = square * RECORD + piece * 4
            table[record : record + 4] = mask, number, 64 - mask.bit_count(), place
            table[place : place + len(attacks)] = attacks
            place += len(attacks)
    return table


@inline
def _slider_attacks(walk: np.uint64, piece: np.uint64, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that a rook or a bishop on `square` attacks."""
    record = (square << _3) + piece
    relevant = occupied & load(walk, record + _MASK)
    index = multiply(relevant, load(walk, record + _MAGIC)) >> load(walk, record + _SHIFT)
    return load(walk, load(walk, record + _START) + index)


@inline
def _append_to(
    moves: np.uint64, count: np.uint64, origin: np.uint64, targets: np.uint64, is_capture: np.uint64
) -> np.uint64:
    while targets != ZERO:
        count = append(moves, count, is_capture | encode(origin, lsb(targets)))
        targets = rest(targets)
    return count


@inline
def _append_attacks(
    moves: np.uint64, count: np.uint64, origin: np.uint64, attacks: np.uint64, own: np.uint64, their: np.uint64
) -> np.uint64:
    """Store the captures of a piece and then its quiet moves."""
    attacks = looked_up(origin, attacks & ~own)
    count = _append_to(moves, count, origin, attacks & their, CAPTURE)
    return _append_to(moves, count, origin, attacks & ~their, ZERO)


@inline
def _append_shifted(
    moves: np.uint64, count: np.uint64, targets: np.uint64, offset: np.uint64, is_capture: np.uint64
) -> np.uint64:
    """Store the moves of pawns to each of `targets`, which are `offset` squares above their origins."""
    promoting = targets & RANK_8
    targets &= ~RANK_8
    while targets != ZERO:
        target = lsb(targets)
        count = append(moves, count, is_capture | encode(target - offset, target))
        targets = rest(targets)
    while promoting != ZERO:
        target = lsb(promoting)
        count = append_pawn_move(moves, count, target - offset, target)
        promoting = rest(promoting)
    return count


@inline
def _append_pawns(board: Board, their: np.uint64, empty: np.uint64, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store the moves of all pawns, including en passant."""
    single = board.pawns << _8 & empty
    # A pawn that is on the third rank after a single push started from the second.
    double = (single & RANK_3) << _8 & empty
    count = _append_shifted(moves, count, single, _8, ZERO)
    count = _append_shifted(moves, count, double, _16, ZERO)
    count = _append_shifted(moves, count, (board.pawns & NOT_FILE_A) << _7 & their, _7, CAPTURE)
    count = _append_shifted(moves, count, (board.pawns & NOT_FILE_H) << _9 & their, _9, CAPTURE)
    return append_en_passant(board, moves, count)


@subroutine
def generate(tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
    """Write all pseudo-legal moves except castling; return their number. `walk` is the address of the table."""
    own, their = ours(board), theirs(board)
    occupied = own | their
    count = _append_pawns(board, their, ~occupied, moves, ZERO)
    pieces = own ^ board.pawns
    while pieces != ZERO:
        origin = lsb(pieces)
        piece = bit(origin)
        attacks = ZERO
        if piece & board.knights != ZERO:
            attacks = knight_attacks(tables, origin)
        elif piece & board.king != ZERO:
            attacks = king_attacks(tables, origin)
        # A queen is a rook and a bishop in one.
        if piece & board.orthogonals != ZERO:
            attacks |= _slider_attacks(walk, _ROOK, origin, occupied)
        if piece & board.diagonals != ZERO:
            attacks |= _slider_attacks(walk, _BISHOP, origin, occupied)
        count = _append_attacks(moves, count, origin, attacks, own, their)
        pieces = rest(pieces)
    return count


MAGIC = Technique(
    name=TechniqueName.MAGIC,
    origin="magic bitboards, after S. Lench",
    build=build,
    shares=2 * 64 * 8,
)
