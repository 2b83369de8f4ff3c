"""One position, all kernels: whatever two of them say about it must agree.

Every position: the board itself; the list of legal moves against the count; and against the stages
(captures and quiet moves, or evasions) generated with the other slider back-end. One position in
`SAMPLE`, drawn at random, and every one where that last comparison fails: all lists one by one, quiet
checks, the legality test, perft 2, the reflected board. One in `PATTERNS_SAMPLE`: the legality test on all
65,536 patterns.

Lists are compared as sets, by marking: one bit for each of the 65,536 moves. The bit of every move of one list is set
(one that is set already shows a duplicate), then that of every move of the other is cleared (one that is not set shows
a difference).
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
"""The upper ten bits of a move are the index of the word, its target square that of the bit."""


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
    """Return True if we attack their king: they have just moved, and the move was not legal."""
    king = lsb(board.their_king)
    attackers = our_attackers(tables, board, king, ours(board) | theirs(board))
    return bool(attackers | king_attacks(tables, king) & board.king != ZERO)


@inline
def mark(marks: np.uint64, moves: np.uint64, count: np.uint64) -> bool:
    """Mark all moves of a list; return True if none was marked before."""
    twice = ZERO
    for index in range(count):
        move = load16(moves, np.uint64(index))
        word = load(marks, move >> _6)
        twice |= word & bit(target_of(move))
        store(marks, move >> _6, word | bit(target_of(move)))
    return bool(twice == ZERO)


@inline
def unmark(marks: np.uint64, moves: np.uint64, count: np.uint64) -> bool:
    """Take the marks of all moves of a list away; return True if each was there."""
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
    """Return True if two lists of one length have the same moves in the same order."""
    # Four moves at a time, as long as there are as many.
    change = ZERO
    for word in range(count >> _2):
        change |= load(first, np.uint64(word)) ^ load(second, np.uint64(word))
    for index in range(count & ~_3, count):
        change |= load16(first, np.uint64(index)) ^ load16(second, np.uint64(index))
    return bool(change == ZERO)


CHECKS = {
    "board": "The board is impossible: kings, overlapping pieces, castling rooks or the en passant square.",
    "king left": "The side that has moved has left its king in check.",
    "count": "The counting kernel finds another number of legal moves than the list kernel.",
    "back-end": "With the other slider back-end the legal moves are others.",
    "duplicate": "The non-evasions, or the evasions, name a move twice.",
    "stages": "Captures and quiet moves together are not the non-evasions.",
    "filter": "The pseudo-legal moves that leave the king safe, once played, are not the legal ones.",
    "quiet checks": "The quiet checks are not those quiet moves that, once played, give check.",
    "screen": "The stages of the other back-end are not the legal moves and those that lose the king.",
    "validator": "The legality test and the list of legal moves disagree about a move.",
    "perft": "Perft 2 differs between the kernels.",
    "mirror": "The board reflected from left to right has other moves.",
}
"""What is checked, in this order: a short name, and what has happened where the check fails."""

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
"""Move buffers of `MAX_MOVES` that `cross_check` needs: two lists, and the stages of a third."""

_FLIP_FILES = np.uint64(0b000111_000111)
_ODD, _PAIRS, _NIBBLES = (np.uint64(word) for word in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F))


class ListedPosition(NamedTuple):
    """A position with its checkers and pin lines, and its legal moves: so many at an address."""

    board: Board
    checkers: np.uint64
    orthogonal_pins: np.uint64
    legal: np.uint64
    number: np.uint64


def _keeping(condition: Callable[[Tables, Board, np.uint64], bool]) -> Callable[..., np.uint64]:
    """Return a function that keeps, in place, those of a list of moves that satisfy a condition, and counts them."""

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
    """Return True if our king cannot be taken after a move."""
    return not takes_king(tables, play(board, move))


@inline
def _is_quiet_check(tables: Tables, board: Board, move: np.uint64) -> bool:
    """Return True if one of QUIETS belongs to QUIET_CHECKS by the contract of the GenTypes."""
    if move & KIND_MASK == PROMOTION:
        direct = knight_attacks(tables, target_of(move)) & board.their_king
        return bool(move & PROMOTION_MASK == KNIGHT and direct != ZERO)
    is_step = move & KIND_MASK != CASTLING and bit(origin_of(move)) == board.king
    # Next to their king ours gives no check: the step is illegal, and their king is "attacked" by ours.
    if is_step and king_attacks(tables, target_of(move)) & board.their_king != ZERO:
        return False
    child = play(board, move)
    return is_attacked(tables, child, lsb(child.king), ours(child) | theirs(child))


_keep_safe_moves, _keep_quiet_checks = _keeping(_leaves_king_safe), _keeping(_is_quiet_check)


@inline
def _flip_files(word: np.uint64) -> np.uint64:
    # Neighbors change places, then pairs, then halves: three steps reverse the eight files of each rank.
    word = (word & _ODD) << ONE | word >> ONE & _ODD
    word = (word & _PAIRS) << _2 | word >> _2 & _PAIRS
    return (word & _NIBBLES) << _4 | word >> _4 & _NIBBLES


@inline
def _reflect_board(board: Board) -> Board:
    """Return the board with left and right exchanged, without castling, which knows them apart."""
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
    """Return True if the reflected board has the reflected moves, castling apart, in list and in count."""
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
    """Return perft 2 by the list kernel."""
    leaves = ZERO
    for index in range(listed.number):
        leaves += generate_legal(tables, play(listed.board, load16(listed.legal, np.uint64(index))), moves)
    return leaves


@subroutine
def _accepts_exactly(tables: Tables, listed: ListedPosition, marks: np.uint64, state: np.uint64) -> bool:
    """Return True if the legality test accepts the legal moves and none of the other patterns tried.

    It is asked about every legal move, as it is and with one bit flipped, and about as many patterns
    at random; in a few positions about all 65,536 that there are.
    """
    legal, count = listed.legal, listed.number
    right = mark(marks, legal, count)
    all_patterns = is_sampled(state, PATTERNS_SAMPLE)
    asked = np.uint64(PATTERNS) if all_patterns else _3 * count
    for index in range(asked):
        number = np.uint64(index)
        move = number
        if not all_patterns:
            # A legal move with one bit turned over is nearest to being taken for one; others are drawn blindly.
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
    """Return True if the pseudo-legal moves, by stages, are the legal ones and some that lose the king.

    The stages are generated with the other slider back-end, so that one comparison sees most faults
    of stages, filter and sliders. Those that lose the king are few, and played out.
    """
    board, checkers, orthogonal_pins, legal, count = listed
    if checkers == ZERO:
        number = generate_captures(other, board, moves)
        number += generate_quiets(other, board, orthogonal_pins, moves + (number << ONE))
    else:
        number = generate_evasions(other, board, checkers, moves)
    right = mark(marks, moves, number)
    right &= unmark(marks, legal, count)
    # As many as the legal moves, and each of these among them: none is left to be played out.
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
    """Compare the lists one by one, and return the first of these checks that fails, or NONE."""
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
    # Quiet checks are generated out of check only.
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
    """Return the number of the first check that fails, or NONE, and that of the legal moves.

    The legal moves are left at address `moves`, where there must be room for `BUFFERS` lists. `marks`
    is the address of `MARK_WORDS` words, all zero, and so again afterwards unless a check has failed.
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
