"""Cross-check one position with all kernels.

In every position, the board itself is checked, and the list of legal moves is compared with the count and with the
GenTypes (captures and quiet moves, or evasions) that the other slider back-end generates. One random position in
`SAMPLE`, and every position in which the last comparison fails, also gets these checks: all pairs of lists, quiet
checks, the legality test, perft 2, and the reflected board. In one position in `PATTERNS_SAMPLE`, the legality test is
applied to all 65,536 patterns.

Lists are compared as sets, with one mark bit for each of the 65,536 moves. The bits of one list are set (a bit that is
already set shows a duplicate), then the bits of the other list are cleared (a bit that is not set shows a difference).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from perft_check.generator.kernels.attacks import (
    is_attacked,
    king_attacks,
    knight_attacks,
    our_attackers,
    their_pawn_attacks,
)
from perft_check.generator.kernels.board import Board, ours, theirs
from perft_check.generator.kernels.counting.last_ply import count_legal
from perft_check.generator.kernels.counting.walk import count_leaves
from perft_check.generator.kernels.encoding import (
    BUFFER_BYTES,
    CASTLING,
    KIND_MASK,
    KNIGHT,
    PROMOTION,
    PROMOTION_MASK,
    bit,
    origin_of,
    target_of,
)
from perft_check.generator.kernels.generate import (
    generate_captures,
    generate_evasions,
    generate_legal,
    generate_non_evasions,
    generate_quiet_checks,
    generate_quiets,
)
from perft_check.generator.kernels.legality import PATTERNS, is_legal
from perft_check.generator.kernels.machine.bits import ONE, ZERO, load, load16, lsb, popcount, rest, store, store16
from perft_check.generator.kernels.machine.jit import inline, subroutine
from perft_check.generator.kernels.machine.xorshift import is_sampled, next_state
from perft_check.generator.kernels.pawns import RANK_8
from perft_check.generator.kernels.play import play
from perft_check.generator.kernels.safety import king_safety
from perft_check.generator.kernels.sliders.lookup import Tables

_2, _3, _4, _6, _8, _15, _32 = (np.uint64(number) for number in (2, 3, 4, 6, 8, 15, 32))
_RANK_1, _RANK_6 = np.uint64(0xFF), np.uint64(0xFF << 40)
MARK_WORDS = 1 << 10
"""Number of words of mark bits.

The upper ten bits of a move are the index of its word; the lower six bits, its destination, are the index of its bit.
"""


@inline
def _do_rights_fit(rooks: np.uint64, king: np.uint64, back_rank: np.uint64) -> bool:
    """Return True if castling rooks are on the same back rank as their king, at most one on each side of it."""
    if rooks == ZERO:
        return True
    left = rooks & (king - ONE)
    return bool(
        king & back_rank != ZERO and rooks & ~back_rank == ZERO and rest(left) == ZERO and rest(rooks ^ left) == ZERO
    )


@inline
def is_possible(board: Board) -> bool:
    """Return True if moves can be generated from a board; king safety is not tested."""
    if popcount(board.king) != ONE or popcount(board.their_king) != ONE:
        return False
    own, their = ours(board), theirs(board)
    sliders, their_sliders = board.diagonals | board.orthogonals, board.their_diagonals | board.their_orthogonals
    pieces = popcount(board.pawns) + popcount(board.knights) + popcount(sliders) + ONE
    pieces += popcount(board.their_pawns) + popcount(board.their_knights) + popcount(their_sliders) + ONE
    # If there are as many pieces as occupied squares, no two share a square. Queens, which are in two words, are
    # counted once through the union.
    if pieces != popcount(own | their) or (board.pawns | board.their_pawns) & (_RANK_1 | RANK_8) != ZERO:
        return False
    rooks, their_rooks = board.orthogonals & ~board.diagonals, board.their_orthogonals & ~board.their_diagonals
    if board.castling != ZERO:
        if board.castling & ~(rooks | their_rooks) != ZERO:
            return False
        if not _do_rights_fit(board.castling & own, board.king, _RANK_1):
            return False
        if not _do_rights_fit(board.castling & their, board.their_king, RANK_8):
            return False
    if board.en_passant == ZERO:
        return True
    passed = board.en_passant
    return bool(
        rest(passed) == ZERO
        and passed & _RANK_6 != ZERO
        and (passed | passed << _8) & (own | their) == ZERO
        and passed >> _8 & board.their_pawns != ZERO
        and their_pawn_attacks(passed) & board.pawns != ZERO
    )


@inline
def takes_king(tables: Tables, board: Board) -> bool:
    """Return True if the opponent's king is attacked, so that the opponent's last move was illegal."""
    king = lsb(board.their_king)
    attackers = our_attackers(tables, board, king, ours(board) | theirs(board))
    return bool(attackers | king_attacks(tables, king) & board.king != ZERO)


@inline
def mark(marks: np.uint64, moves: np.uint64, count: np.uint64) -> bool:
    """Mark all moves of a list; return True if none of them was marked before."""
    twice = ZERO
    for index in range(count):
        move = load16(moves, np.uint64(index))
        word = load(marks, move >> _6)
        twice |= word & bit(target_of(move))
        store(marks, move >> _6, word | bit(target_of(move)))
    return bool(twice == ZERO)


@inline
def unmark(marks: np.uint64, moves: np.uint64, count: np.uint64) -> bool:
    """Clear the marks of all moves of a list; return True if each of them was marked."""
    missing = ZERO
    for index in range(count):
        move = load16(moves, np.uint64(index))
        word = load(marks, move >> _6)
        missing |= ~word & bit(target_of(move))
        store(marks, move >> _6, word & ~bit(target_of(move)))
    return bool(missing == ZERO)


@inline
def is_marked(marks: np.uint64, move: np.uint64) -> bool:
    """Return True if a move is marked."""
    return bool(load(marks, move >> _6) & bit(target_of(move)) != ZERO)


@inline
def are_same(first: np.uint64, second: np.uint64, count: np.uint64) -> bool:
    """Return True if two lists of the same length have the same moves in the same order."""
    # Compare four moves at a time, then the rest.
    change = ZERO
    for word in range(count >> _2):
        change |= load(first, np.uint64(word)) ^ load(second, np.uint64(word))
    for index in range(count & ~_3, count):
        change |= load16(first, np.uint64(index)) ^ load16(second, np.uint64(index))
    return bool(change == ZERO)


CHECKS = {
    "board": "The board is impossible: kings, overlapping pieces, castling rooks or the en passant square.",
    "king left": "The side that has moved has left its king in check.",
    "count": "The counting kernel and the list kernel find different numbers of legal moves.",
    "back-end": "The two slider back-ends give different legal moves.",
    "duplicate": "The non-evasions, or the evasions, contain a move twice.",
    "stages": "Captures and quiet moves together are not the non-evasions.",
    "filter": "The pseudo-legal moves after which the king is safe are not the legal moves.",
    "quiet checks": "The quiet checks are not the quiet moves that give check when played.",
    "screen": "The GenTypes of the other back-end are not the legal moves and moves that lose the king.",
    "validator": "The legality test and the list of legal moves disagree about a move.",
    "perft": "Perft 2 differs between the kernels.",
    "mirror": "The board reflected from left to right has different moves.",
}
"""The checks in order: a short name, and what its failure means."""

NONE = ZERO
(
    BOARD,
    KING_LEFT,
    COUNT,
    BACK_END,
    DUPLICATE,
    STAGES,
    FILTER,
    QUIET_CHECKS,
    SCREEN,
    LEGALITY,
    PERFT,
    MIRROR,
) = (np.uint64(number) for number in range(1, len(CHECKS) + 1))

SAMPLE, PATTERNS_SAMPLE = np.uint64(128), np.uint64(1 << 14)
BUFFERS = 4
"""Number of move buffers of `MAX_MOVES` that `cross_check` needs: two lists, and the GenTypes of a third."""

_FLIP_FILES = np.uint64(0b000111_000111)
_ODD, _PAIRS, _NIBBLES = (np.uint64(word) for word in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F))


class ListedPosition(NamedTuple):
    """A position with its checkers, pin lines, and the address and number of its legal moves."""

    board: Board
    checkers: np.uint64
    orthogonal_pins: np.uint64
    legal: np.uint64
    number: np.uint64


def _keeping(condition: Callable[[Tables, Board, np.uint64], bool]) -> Callable[..., np.uint64]:
    """Return a function that filters a list of moves in place by a condition, and returns the number of moves kept."""

    @subroutine
    def keep(tables: Tables, board: Board, moves: np.uint64, count: np.uint64) -> np.uint64:
        kept = ZERO
        for index in range(count):
            move = load16(moves, np.uint64(index))
            store16(moves, kept, move)
            if condition(tables, board, move):
                kept += ONE
        return kept

    return keep


@inline
def _leaves_king_safe(tables: Tables, board: Board, move: np.uint64) -> bool:
    """Return True if the opponent cannot capture the king after a move."""
    return not takes_king(tables, play(board, move))


@inline
def _is_quiet_check(tables: Tables, board: Board, move: np.uint64) -> bool:
    """Return True if a move of QUIETS belongs to QUIET_CHECKS by the definition of the GenTypes."""
    if move & KIND_MASK == PROMOTION:
        direct = knight_attacks(tables, target_of(move)) & board.their_king
        return bool(move & PROMOTION_MASK == KNIGHT and direct != ZERO)
    is_step = move & KIND_MASK != CASTLING and bit(origin_of(move)) == board.king
    # A king step next to the other king is no check: it is illegal, although it "attacks" that king.
    if is_step and king_attacks(tables, target_of(move)) & board.their_king != ZERO:
        return False
    child = play(board, move)
    return is_attacked(tables, child, lsb(child.king), ours(child) | theirs(child))


_keep_safe_moves, _keep_quiet_checks = _keeping(_leaves_king_safe), _keeping(_is_quiet_check)


@inline
def _flip_files(word: np.uint64) -> np.uint64:
    # Swap neighbors, then pairs, then halves: three steps reverse the eight files of each rank.
    word = (word & _ODD) << ONE | word >> ONE & _ODD
    word = (word & _PAIRS) << _2 | word >> _2 & _PAIRS
    return (word & _NIBBLES) << _4 | word >> _4 & _NIBBLES


@inline
def _reflect_board(board: Board) -> Board:
    """Return the board with left and right swapped, without castling rights, which are not symmetric."""
    return Board(
        _flip_files(board.pawns),
        _flip_files(board.knights),
        _flip_files(board.diagonals),
        _flip_files(board.orthogonals),
        _flip_files(board.king),
        _flip_files(board.their_pawns),
        _flip_files(board.their_knights),
        _flip_files(board.their_diagonals),
        _flip_files(board.their_orthogonals),
        _flip_files(board.their_king),
        _flip_files(board.en_passant),
        ZERO,
    )


@subroutine
def _reflects(tables: Tables, listed: ListedPosition, marks: np.uint64, moves: np.uint64) -> bool:
    """Return True if the list and the count of the reflected board agree with the reflected moves, except castling."""
    mirror, legal = _reflect_board(listed.board), listed.legal
    found = generate_legal(tables, mirror, moves)
    if count_legal(tables, mirror) != found:
        return False
    for index in range(found):
        place = np.uint64(index)
        store16(moves, place, load16(moves, place) ^ _FLIP_FILES)
    right = mark(marks, moves, found)
    for index in range(listed.number):
        move = load16(legal, np.uint64(index))
        if move & KIND_MASK != CASTLING:
            right &= unmark(marks, legal + (np.uint64(index) << ONE), ONE)
            found -= ONE
    return bool(right and found == ZERO)


@subroutine
def _perft_2(tables: Tables, listed: ListedPosition, moves: np.uint64) -> np.uint64:
    """Return perft 2 as counted by the list kernel."""
    leaves = ZERO
    for index in range(listed.number):
        leaves += generate_legal(tables, play(listed.board, load16(listed.legal, np.uint64(index))), moves)
    return leaves


@subroutine
def _accepts_exactly(tables: Tables, listed: ListedPosition, marks: np.uint64, state: np.uint64) -> bool:
    """Return True if the legality test accepts the legal moves and none of the other patterns.

    The test is applied to every legal move, to every legal move with one bit flipped, and to as many random patterns.
    In a few positions, it is applied to all 65,536 patterns.
    """
    legal, count = listed.legal, listed.number
    right = mark(marks, legal, count)
    all_patterns = is_sampled(state, PATTERNS_SAMPLE)
    asked = np.uint64(PATTERNS) if all_patterns else _3 * count
    for index in range(asked):
        number = np.uint64(index)
        move = number
        if not all_patterns:
            # A legal move with one bit flipped is most likely to be accepted by mistake. The other patterns are random.
            state = next_state(state)
            move = state >> _32 & np.uint64(PATTERNS - 1)
            if number < _2 * count:
                flipped = ONE << (move & _15) if number < count else ZERO
                move = load16(legal, number if number < count else number - count) ^ flipped
        right &= is_legal(tables, listed.board, move) == is_marked(marks, move)
    unmark(marks, legal, count)
    return right


@subroutine
def _screens(tables: Tables, other: Tables, listed: ListedPosition, marks: np.uint64, moves: np.uint64) -> bool:
    """Return True if the pseudo-legal moves of all GenTypes are the legal moves and moves that expose the king.

    The GenTypes are generated with the other slider back-end, so that one comparison detects most faults of GenTypes,
    filter and sliders. The few moves that expose the king are played.
    """
    board, checkers, orthogonal_pins, legal, count = listed
    if checkers == ZERO:
        number = generate_captures(other, board, moves)
        number += generate_quiets(other, board, orthogonal_pins, moves + (number << ONE))
    else:
        number = generate_evasions(other, board, checkers, moves)
    right = mark(marks, moves, number)
    right &= unmark(marks, legal, count)
    # They are exactly the legal moves: none is left to be played.
    if number == count:
        return right
    for index in range(number):
        move = load16(moves, np.uint64(index))
        if is_marked(marks, move):
            right &= takes_king(tables, play(board, move))
            unmark(marks, moves + (np.uint64(index) << ONE), ONE)
    return right


@subroutine
def _first_unequal(
    tables: Tables, other: Tables, listed: ListedPosition, marks: np.uint64, moves: np.uint64
) -> np.uint64:
    """Compare the lists one by one; return the first check that fails, or NONE."""
    board, checkers, orthogonal_pins, legal, count = listed
    if count_legal(other, board) != count or generate_legal(other, board, moves) != count:
        return BACK_END
    if not are_same(legal, moves, count):
        return BACK_END
    stages = moves + BUFFER_BYTES
    if checkers == ZERO:
        number = generate_non_evasions(tables, board, orthogonal_pins, moves)
        captures = generate_captures(tables, board, stages)
        staged = captures + generate_quiets(tables, board, orthogonal_pins, stages + (captures << ONE))
    else:
        number = staged = generate_evasions(tables, board, checkers, moves)
        generate_evasions(tables, board, checkers, stages)
    if not mark(marks, moves, number):
        return DUPLICATE
    if staged != number or not unmark(marks, stages, number):
        return STAGES
    kept = _keep_safe_moves(tables, board, moves, number)
    if kept != count or not mark(marks, legal, count) or not unmark(marks, moves, kept):
        return FILTER
    # Quiet checks are generated only if the king is not in check.
    if checkers != ZERO:
        return NONE
    checks = generate_quiet_checks(tables, board, orthogonal_pins, moves)
    kept = _keep_quiet_checks(tables, board, stages, generate_quiets(tables, board, orthogonal_pins, stages))
    if kept != checks or not mark(marks, moves, checks) or not unmark(marks, stages, kept):
        return QUIET_CHECKS
    return NONE


@inline
def cross_check(
    tables: Tables,
    other: Tables,
    board: Board,
    moves: np.uint64,
    marks: np.uint64,
    state: np.uint64,
    control: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """Return the number of the first failed check (or NONE), and the number of legal moves.

    The legal moves are stored at address `moves`, which must have space for `BUFFERS` lists. `marks` is the address of
    `MARK_WORDS` words, which must be zero, and are zero again afterwards unless a check has failed.
    """
    if not is_possible(board):
        return BOARD, ZERO
    if takes_king(tables, board):
        return KING_LEFT, ZERO
    found = generate_legal(tables, board, moves)
    if count_legal(tables, board) != found:
        return COUNT, found
    room = moves + BUFFER_BYTES
    safety = king_safety(tables, board, lsb(board.king), ours(board) | theirs(board))
    listed = ListedPosition(board, safety.checkers, safety.orthogonal_pins, moves, found)
    right = _screens(tables, other, listed, marks, room)
    if right and not is_sampled(state, SAMPLE):
        return NONE, found
    failed = _first_unequal(tables, other, listed, marks, room)
    if failed != NONE:
        return failed, found
    if not right:
        return SCREEN, found
    if not _accepts_exactly(tables, listed, marks, state):
        return LEGALITY, found
    if _perft_2(tables, listed, room) != count_leaves(tables, board, _2, control, ZERO):
        return PERFT, found
    if not _reflects(tables, listed, marks, room):
        return MIRROR, found
    return NONE, found
