"""Pin lines, pinned pieces, and what it changes that a pin begins or ends, against python-chess."""

from __future__ import annotations

import chess
from helpers import two_plies
from helpers.two_plies import WORD, word
from perft_check.generator.kernels.counting.two_plies.simple_moves import Limits
from perft_check.generator.kernels.tables import tables

PINNERS = (
    "4k3/4r3/8/8/8/8/4Q3/4K3 w - - 0 1",
    "4k3/3p4/8/1B6/8/8/8/4K3 w - - 0 1",
    "4k3/8/2b5/8/Q7/8/8/4K3 w - - 0 1",
    "4k3/4p3/8/8/4R3/8/8/4K3 w - - 0 1",
    "8/2k5/3p4/4Q3/8/8/8/4K3 w - - 0 1",
    "3n4/2k2q1R/8/8/8/8/8/4K3 w - - 0 1",
    "8/8/8/8/8/1k1p1r1Q/2p5/4K3 w - - 0 1",
    "k7/1n6/8/3B4/4p3/8/6Q1/4K3 w - - 0 1",
)


ARRIVALS = (
    # To pin a piece, from near and far, and by a capture.
    "6k1/5p2/4n3/8/8/1n6/8/K2B1Q2 w - - 0 1",
    "4k3/4r3/8/1n5R/8/8/4p3/K5Q1 w - - 0 1",
    "r1q1kb1r/3p4/8/8/8/1Q6/8/K6B w - - 0 1",
    # Between a pinned piece and its pinner, between it and its king, and in place of the pinner.
    "4k3/8/4r3/2N5/8/B6Q/4R2P/6K1 w - - 0 1",
    "k7/8/2q5/2P5/2B1N3/1P3P2/6P1/K6B w - - 0 1",
    "k2q3R/8/1P2N3/5B2/8/8/8/K6R w - - 0 1",
    "4k3/4r3/8/8/R7/8/4R3/6K1 w - - 0 1",
    "4k3/8/8/1r6/Q1B5/8/4B3/6K1 w - - 0 1",
    "8/k2p2Q1/5N2/3K4/8/8/8/8 w - - 0 1",
)


def test_who_is_pinned_and_how_they_move() -> None:
    pinned = 0
    for board in (*two_plies.boards(), *map(chess.Board, PINNERS)):
        look = two_plies.info_of(board)
        lines = int(look.pins.orthogonal | look.pins.diagonal)
        assert lines & int(look.sides.their) == two_plies.pinned_of(board), board.fen()
        moves = sum(
            not board.is_castling(move)
            for move in two_plies.theirs_to_move(board).generate_legal_moves(two_plies.pinned_of(board))
        )
        castling = sum(
            theirs.is_castling(move) and bool(two_plies.pinned_of(board) >> move.from_square & 1)
            for theirs in [two_plies.theirs_to_move(board)]
            for move in theirs.legal_moves
        )
        assert two_plies.pinned_replies(tables(), look.sides, look.pins) == moves - castling, board.fen()
        pinned += moves
    assert pinned > 20


def test_what_emptying_a_held_square_would_do() -> None:
    """A piece that leaves any other square makes no check and no pin."""
    for board in two_plies.boards():
        held = int(two_plies.info_of(board).pins.held)
        sliders = (board.bishops | board.rooks | board.queens) & board.occupied_co[chess.WHITE]
        for square in chess.SquareSet(board.occupied & ~board.kings & ~held & ~sliders):
            without = board.copy(stack=False)
            without.remove_piece_at(square)
            left = two_plies.pinned_of(board) & ~(1 << square)
            assert two_plies.pinned_of(without) == left, (board.fen(), chess.square_name(square))
            assert not two_plies.theirs_to_move(without).is_check()


def test_a_pinner_frees_its_piece_or_pins_it_from_further_off() -> None:
    checked = 0
    for board in (*two_plies.boards(), *map(chess.Board, PINNERS)):
        look = two_plies.info_of(board)
        for move in [*two_plies.plain_moves(board, captures=False), *two_plies.plain_moves(board, captures=True)]:
            origin, target = word(1 << move.from_square), word(1 << move.to_square)
            if not look.pins.pinners & origin or board.gives_check(move):
                continue
            king, child = board.king(chess.BLACK), two_plies.after(board, move)
            assert king is not None
            piece = chess.between(king, move.from_square) & board.occupied
            line = chess.ray(king, move.from_square)
            if piece == int(target) or int(target) & int(look.pins.orthogonal | look.pins.diagonal) & ~line:
                continue
            change = two_plies.pinner_changes(tables(), look.sides, look.pins, word(line), origin, target)
            now = sum(1 for _ in two_plies.theirs_to_move(board).generate_legal_moves(piece))
            then = sum(1 for _ in child.generate_legal_moves(piece))
            if two_plies.pinned_of(child) & piece and not int(target) & line:
                continue  # pinned anew by another slider, so not simple
            assert int(change) == (then - now) % WORD, (board.fen(), move)
            checked += 1
    assert checked > 60


def test_arrivals_make_take_over_and_end_pins() -> None:
    made = ended = taken_over = 0
    for board in (*two_plies.boards(), *map(chess.Board, (*PINNERS, *ARRIVALS))):
        look, before = two_plies.info_of(board), two_plies.pinned_of(board)
        lines = int(look.pins.orthogonal | look.pins.diagonal)
        for move in [*two_plies.plain_moves(board, captures=False), *two_plies.plain_moves(board, captures=True)]:
            origin, target = 1 << move.from_square, 1 << move.to_square
            pinning = _pinning(look.limits, board.piece_type_at(move.from_square))
            if board.gives_check(move) or origin & int(look.limits.held | look.pins.pinners) or target & before:
                continue
            child = two_plies.after(board, move)
            after = two_plies.pinned_of(child)
            turned = target & (lines | pinning)
            assert turned or after == before & ~target, (board.fen(), move)
            if not turned or target & int(look.limits.closed):
                continue
            # The piece that is taken for what it was: free if nothing pinned it, else pinned as it was.
            [piece] = chess.SquareSet(_piece_on(board, move.to_square, lines & before))
            now = two_plies.moves_from(child, 1 << piece)
            if before >> piece & 1:
                now = sum(1 for _ in two_plies.theirs_to_move(board).generate_legal_moves(1 << piece))
            then = sum(1 for _ in child.generate_legal_moves(1 << piece))
            arguments = (tables(), look.sides, look.pins, word(origin), word(target), word(pinning))
            assert int(two_plies.arrival_changes(*arguments)) == (then - now) % WORD, (board.fen(), move)
            was, is_now = before >> piece & 1, after >> piece & 1
            made, ended, taken_over = made + (is_now > was), ended + (was > is_now), taken_over + (was and is_now)
    assert made > 50
    assert ended > 5
    assert taken_over > 3


def _pinning(limits: Limits, kind: chess.PieceType | None) -> int:
    bishops = int(limits.bishop_pins) if kind in (chess.BISHOP, chess.QUEEN) else 0
    return bishops | (int(limits.rook_pins) if kind in (chess.ROOK, chess.QUEEN) else 0)


def _piece_on(board: chess.Board, target: chess.Square, pinned: int) -> int:
    """Return the piece of theirs on the ray from their king through `target`, rather a pinned one."""
    king = board.king(chess.BLACK)
    assert king is not None
    behind = chess.ray(king, target) & ~chess.between(king, target) & ~(1 << target | 1 << king)
    ray = chess.between(king, target) | sum(
        1 << square for square in chess.SquareSet(behind) if 1 << target & chess.between(king, square)
    )
    return ray & pinned or chess.between(king, target) & board.occupied
