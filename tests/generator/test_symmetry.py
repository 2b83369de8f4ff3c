"""The mirror images of `generator.symmetry` agree with python-chess, and have the same number of leaf nodes."""

from __future__ import annotations

import chess
from helpers import oracle
from helpers.budget import properties
from hypothesis import given
from perft_check.generator import Position, perft
from perft_check.generator.symmetry import flip_colors, mirror_files
from perft_check.strategies import positions


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
