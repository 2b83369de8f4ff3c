"""The parts of the two-ply kernel as functions that Python can call, and boards of python-chess to try them on.

On these boards White is to move, so that the squares of the kernel are the usual ones. Black is never in check, White
only where the name says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import chess
import numba
import numpy as np
from perft_check.generator.kernels.board import Board
from perft_check.generator.kernels.counting.two_plies import our_pawns, our_pieces, pinned, their_pawns, their_pieces
from perft_check.generator.kernels.counting.two_plies.our_pieces import Mover, king_safety_of
from perft_check.generator.kernels.counting.two_plies.position import NOTES, sides_of
from perft_check.generator.kernels.counting.two_plies.simple_moves import PositionInfo, position_info
from perft_check.generator.kernels.counting.two_plies.tally import (
    Counters,
    Tally,
    count_at,
    count_squares,
    empty_tally,
    squares_counted,
    sum_counts,
)
from perft_check.generator.kernels.machine.execution_mode import ExecutionMode, current_mode
from perft_check.generator.kernels.pawns import PawnTargets
from perft_check.generator.kernels.tables import tables

from . import oracle

WORD = 1 << 64
NOTHING = np.uint64(0)


def word(bits: int) -> np.uint64:
    return np.uint64(bits)


def probe(function: Any) -> Any:
    """Return a part of the kernel, compiled for Python."""
    if current_mode() is ExecutionMode.PYTHON:
        return function
    compiled = numba.njit(getattr(function, "py_func", function))
    return lambda *arguments: words(compiled(*arguments))


def words(value: Any) -> Any:
    """Return what compiled code has returned with words in place of Python's numbers, as the kernel had them."""
    return type(value)(*map(words, value)) if isinstance(value, tuple) else word(value)


_position_info = probe(lambda tables, board, notes: position_info(tables, sides_of(board), notes))
add_counts, number_of, some_of, total_of = map(probe, (count_squares, count_at, squares_counted, sum_counts))
slider_replies = probe(their_pieces.slider_replies)
pawn_replies, pawn_arrivals, pawn_departures = map(
    probe, (their_pawns.pawn_replies, their_pawns.pawn_arrivals, their_pawns.pawn_departures)
)
knight_replies = probe(their_pieces.knight_replies)
capture_changes = probe(their_pieces.capture_changes)
pinned_replies = probe(pinned.pinned_replies)
pinner_changes, arrival_changes = probe(pinned.pinner_changes), probe(pinned.arrival_changes)
captures_offered = probe(their_pawns.captures_offered)
own_safety = probe(lambda tables, board: king_safety_of(tables, sides_of(board)))
king_steps = probe(lambda tables, look, own: our_pieces.add_castling_and_steps(tables, look, own, empty_tally()).steps)
king_mover, knight_mover = probe(our_pieces.king_mover), probe(our_pieces.knight_mover)
slider_mover = probe(our_pieces.slider_mover)
simple_targets, check_targets = probe(our_pieces.simple_targets), probe(our_pieces.check_targets)
king_changes, pawn_king_change = probe(our_pieces.king_changes), probe(our_pawns._king_change)
castling_limits = probe(our_pieces._castling_limits)
unsafe_promotions, promotion_change = probe(our_pawns._unsafe_promotions), probe(our_pawns._promotion_change)


def board_of(board: chess.Board) -> Board:
    return oracle.position_of(board).board


def info_of(board: chess.Board, notes: np.ndarray[Any, Any] | None = None) -> PositionInfo:
    """Return what is found once for a board; the notes get what our sliders attack."""
    notes = np.zeros(NOTES, dtype=np.uint64) if notes is None else notes
    found: PositionInfo = _position_info(tables(), board_of(board), word(notes.ctypes.data))
    return found


def movers(board: chess.Board, look: PositionInfo, notes: np.ndarray[Any, Any]) -> Iterator[Mover]:
    """Yield our king, knights that are not pinned, and sliders; `notes` has what was noted when `look` was found."""
    safety, address = own_safety(tables(), board_of(board)), word(notes.ctypes.data)
    yield king_mover(tables(), look, king_steps(tables(), look, safety))
    pinned = safety.orthogonal_pins | safety.diagonal_pins
    for square in board.pieces(chess.KNIGHT, chess.WHITE):
        if not int(pinned) >> square & 1:
            yield knight_mover(tables(), look, safety, word(square))
    for square in chess.SquareSet((board.bishops | board.rooks | board.queens) & board.occupied_co[chess.WHITE]):
        yield slider_mover(tables(), look, address, safety, word(square))


@cache
def boards(number: int = 150) -> tuple[chess.Board, ...]:
    """Return boards of both variants: random games, walks from rare positions, scattered pieces."""
    return (*_drawn(11, number // 2, chess960=False), *_drawn(12, number // 2, chess960=True))


@cache
def checked_boards(number: int = 100) -> tuple[chess.Board, ...]:
    """Return boards of the same kinds on which White is in check."""
    return (*_drawn(13, number // 2, chess960=False, check=True), *_drawn(14, number // 2, chess960=True, check=True))


def _drawn(seed: int, number: int, *, chess960: bool, check: bool = False) -> Iterator[chess.Board]:
    found = 0
    for board in oracle.random_boards(seed, 20 * number, chess960=chess960):
        if found < number and board.is_check() is check and any(board.legal_moves):
            found += 1
            yield board.copy(stack=False) if board.turn else board.mirror()


def theirs_to_move(board: chess.Board) -> chess.Board:
    """Return the board as if it were their move."""
    other = board.copy(stack=False)
    other.turn, other.ep_square = chess.BLACK, None
    return other


def after(board: chess.Board, move: chess.Move) -> chess.Board:
    """Return the board after a move, without what it offers en passant."""
    child = board.copy(stack=False)
    child.push(move)
    child.ep_square = None
    return child


def plain_moves(board: chess.Board, *, captures: bool) -> Iterator[chess.Move]:
    """Yield our captures, or our quiet moves, but for castling, promotions and en passant."""
    for move in list(board.legal_moves):
        is_special = move.promotion or board.is_castling(move) or board.is_en_passant(move)
        if not is_special and board.is_capture(move) is captures:
            yield move


def pinned_of(board: chess.Board) -> int:
    """Return their pinned pieces, as a set of squares."""
    return sum(
        1 << square for square in chess.SquareSet(board.occupied_co[chess.BLACK]) if board.is_pinned(False, square)
    )


def loose(board: chess.Board, *kinds: chess.PieceType) -> int:
    """Return their pieces of some kinds that are not pinned."""
    return sum(int(board.pieces(kind, chess.BLACK)) for kind in kinds) & ~pinned_of(board)


def moves_from(board: chess.Board, squares: int) -> int:
    """Return the number of pseudo-legal moves from some squares."""
    return sum(1 for _ in board.generate_pseudo_legal_moves(squares))


def tally_of(board: chess.Board, move: chess.Move, notes: np.ndarray[Any, Any]) -> Tally:
    """Return the sums over one simple move, which the notes get as well."""
    origin, target = 1 << move.from_square, 1 << move.to_square
    quiet = 0 if board.is_capture(move) else target
    ways = [0, 0, 0, 0]
    if board.piece_type_at(move.from_square) == chess.PAWN:
        ways[{8: 0, 16: 1, 7: 2, 9: 3}[move.to_square - move.from_square]] = target
    notes[:64] = 0
    notes[move.from_square] = target
    counters = Counters(word(quiet), NOTHING, NOTHING, NOTHING)
    return Tally(counters, word(origin), PawnTargets(*map(word, ways)), word(1), NOTHING)
