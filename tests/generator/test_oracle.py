"""The shortcuts of the oracle, compared with python-chess's plain methods."""

from __future__ import annotations

import chess
from helpers import oracle
from helpers.budget import CHESS960, budget, properties
from helpers.gentype_oracle import decode, encode, gives_check
from helpers.oracle import Known
from hypothesis import given
from perft_check.generator import GenType, Position, perft
from perft_check.generator.symmetry import flip_colors, mirror_files
from perft_check.strategies import positions


@budget(200, 5_000)
@CHESS960
def test_gives_check_agrees_with_python_chess(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(11, number, chess960=chess960):
        for move in board.legal_moves:
            if move.promotion is None and not board.is_capture(move) and not board.is_castling(move):
                assert gives_check(board, move) is board.gives_check(move), (board.fen(), move)


@budget(200, 5_000)
@CHESS960
def test_legal_moves_are_pseudo_legal_and_leave_the_king_safe(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(12, number, chess960=chess960):
        lists = oracle.expected_lists(board)
        pseudo_legal = lists[GenType.EVASIONS if board.is_check() else GenType.NON_EVASIONS]
        safe = []
        for text in pseudo_legal:
            board.push(board.parse_uci(text) if text in lists[GenType.LEGAL] else chess.Move.from_uci(text))
            if not board.was_into_check():
                safe.append(text)
            board.pop()
        assert sorted(safe) == sorted(lists[GenType.LEGAL]), board.fen()


@properties(100)
@given(positions())
def test_16_bit_moves_are_decoded_and_encoded(position: Position) -> None:
    board = chess.Board(position.fen(castling="shredder"), chess960=True)
    codes = {encode(board, move): move for move in board.legal_moves}
    assert {number: decode(number) for number in codes} == codes
    assert set(codes) == set(position.legal_moves)


def test_known_positions_have_the_stated_number_of_moves() -> None:
    def check(known: Known) -> None:
        assert known.board().legal_moves.count() == known.counts[0]

    oracle.check_each_known(check)


def assert_mirrored(position: Position) -> None:
    """Check both mirror images; swapping left and right requires that there are no castling rights."""
    board = oracle.board_of(position)
    bare = board.copy(stack=False)
    bare.castling_rights = chess.BB_EMPTY
    for image, mirror in (
        (board.mirror(), flip_colors(position)),
        (bare.transform(chess.flip_horizontal), mirror_files(oracle.position_of(bare))),
    ):
        assert oracle.position_of(image) == mirror
    assert perft(flip_colors(position), 3) == perft(position, 3)
    assert perft(mirror_files(oracle.position_of(bare)), 3) == perft(oracle.position_of(bare), 3)


def test_known_positions() -> None:
    oracle.check_each_known(lambda known: assert_mirrored(known.position()))


@properties(50)
@given(positions())
def test_generated_positions(position: Position) -> None:
    assert_mirrored(position)
