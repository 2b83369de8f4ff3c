"""Chess has no left or right, but for castling, and no favourite color: mirrored positions have mirrored moves."""

from __future__ import annotations

import chess
import pytest
from helpers import oracle
from helpers.budget import budget, properties
from hypothesis import given
from perft_check.generator import GenType, Move, MoveList, Position, perft
from perft_check.generator.symmetry import flip_colors, mirror_files
from perft_check.strategies import positions

CHESS960 = pytest.mark.parametrize("chess960", [False, True], ids=["standard", "chess960"])
FLIP_RANKS, FLIP_FILES = 0b111000, 0b000111


def mirrored(move: Move, flip: int) -> Move:
    return Move.make(move.origin ^ flip, move.target ^ flip, move.kind, move.promotion)


def moves_by_gentype(position: Position) -> dict[GenType, list[Move]]:
    gentypes = {GenType.LEGAL, GenType.EVASIONS} if position.in_check else set(GenType) - {GenType.EVASIONS}
    return {gentype: MoveList(position, gentype).moves for gentype in sorted(gentypes)}


def assert_mirrored(board: chess.Board, image: chess.Board, flip: int) -> None:
    position, mirror = oracle.position_of(board), oracle.position_of(image)
    found = {gentype: sorted(moves) for gentype, moves in moves_by_gentype(mirror).items()}
    expected = {
        gentype: sorted(mirrored(move, flip) for move in moves) for gentype, moves in moves_by_gentype(position).items()
    }
    assert found == expected, board.fen()
    assert perft(mirror, 3) == perft(position, 3), board.fen()
    assert perft(mirror, 2, kernel="list") == perft(position, 2, kernel="list"), board.fen()


@budget(100, 5_000)
@CHESS960
def test_colors(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(21, number, chess960=chess960):
        assert_mirrored(board, board.mirror(), FLIP_RANKS)


def without_castling(board: chess.Board) -> chess.Board:
    copy = board.copy(stack=False)
    copy.castling_rights = chess.BB_EMPTY
    return copy


@budget(100, 5_000)
@CHESS960
def test_files_without_castling_rights(chess960: bool, number: int) -> None:
    for board in map(without_castling, oracle.random_boards(22, number, chess960=chess960)):
        assert_mirrored(board, board.transform(chess.flip_horizontal), FLIP_FILES)


@properties(50)
@given(positions())
def test_generated_positions(position: Position) -> None:
    """The images are those of `generator.symmetry`, too."""
    board = oracle.board_of(position)
    assert_mirrored(board, board.mirror(), FLIP_RANKS)
    assert oracle.position_of(board.mirror()) == flip_colors(position)
    bare = without_castling(board)
    assert_mirrored(bare, bare.transform(chess.flip_horizontal), FLIP_FILES)
    assert oracle.position_of(bare.transform(chess.flip_horizontal)) == mirror_files(oracle.position_of(bare))


def test_an_image_with_other_moves_is_found() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    with pytest.raises(AssertionError):
        assert_mirrored(board, without_castling(board).mirror(), FLIP_RANKS)


def test_known_positions() -> None:
    def check(known: oracle.Known) -> None:
        board = known.board()
        assert_mirrored(board, board.mirror(), FLIP_RANKS)
        bare = without_castling(board)
        assert_mirrored(bare, bare.transform(chess.flip_horizontal), FLIP_FILES)

    oracle.check_each_known(check)
