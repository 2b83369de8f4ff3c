"""Pin lines, pinned pieces, and what it changes that a pinner leaves, against python-chess."""

from __future__ import annotations

import chess
from helpers import two_plies
from helpers.two_plies import WORD, word
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


def test_who_is_pinned_and_how_they_move() -> None:
    pinned = 0
    for board in (*two_plies.boards(), *map(chess.Board, PINNERS)):
        look = two_plies.outlook(board)
        lines = int(look.pins.orthogonal | look.pins.diagonal)
        assert lines & int(look.scene.their) == two_plies.pinned_of(board), board.fen()
        moves = sum(
            not board.is_castling(move)
            for move in two_plies.theirs_to_move(board).generate_legal_moves(two_plies.pinned_of(board))
        )
        castling = sum(
            theirs.is_castling(move) and bool(two_plies.pinned_of(board) >> move.from_square & 1)
            for theirs in [two_plies.theirs_to_move(board)]
            for move in theirs.legal_moves
        )
        assert two_plies.pinned_replies(tables(), look.scene, look.pins) == moves - castling, board.fen()
        pinned += moves
    assert pinned > 20


def test_what_emptying_a_held_square_would_do() -> None:
    """A piece that leaves any other square makes no check and no pin."""
    for board in two_plies.boards():
        held = int(two_plies.outlook(board).pins.held)
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
        look = two_plies.outlook(board)
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
            change = two_plies.pinner_changes(tables(), look.scene, look.pins, word(line), origin, target)
            now = sum(1 for _ in two_plies.theirs_to_move(board).generate_legal_moves(piece))
            then = sum(1 for _ in child.generate_legal_moves(piece))
            if two_plies.pinned_of(child) & piece and not int(target) & line:
                continue  # pinned anew by another slider, so not simple
            assert int(change) == (then - now) % WORD, (board.fen(), move)
            checked += 1
    assert checked > 60
