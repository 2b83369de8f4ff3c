"""The ray-cast technique: steps that would leave the board, and pins."""

from __future__ import annotations

import numpy as np
import pytest
from perft_check.generator import Position
from perft_check.generator.kernels.encoding import MAX_MOVES
from perft_check.generator.kernels.tables import tables
from perft_check.generator.techniques.ray_cast import RAY_CAST, list_moves_by_ray_cast
from perft_check.generator.types import frame
from perft_check.generator.types.moves import Move

pytestmark = pytest.mark.slow  # compiling takes long


def listed(fen: str) -> list[Move]:
    position = Position.from_fen(fen)
    buffer = np.empty(MAX_MOVES, dtype=np.uint16)
    address = np.uint64(buffer.ctypes.data)
    count = list_moves_by_ray_cast(tables(), RAY_CAST.address, position.board, address)
    return [frame.flip_move(int(move), position.turn) for move in buffer[: int(count)]]


def uci(fen: str, origin: str) -> list[str]:
    """Return the targets of the moves from a square, in the order of generation."""
    return [move.uci()[2:] for move in listed(fen) if move.uci().startswith(origin)]


def test_ray_cast_has_no_table() -> None:
    assert RAY_CAST.table_bytes == 0


def test_moves_of_a_rook_on_e4() -> None:
    fen = "8/8/4n3/8/2P1R3/8/8/K6k w - - 0 1"
    assert uci(fen, "e4") == ["e5", "e6", "f4", "g4", "h4", "e3", "e2", "e1", "d4"]


@pytest.mark.parametrize(
    ("fen", "origin", "targets"),
    [
        ("1k6/8/8/8/7R/8/8/K7 w - - 0 1", "h4", "h5 h6 h7 h8 h3 h2 h1 g4 f4 e4 d4 c4 b4 a4"),
        ("8/7k/8/8/B7/8/8/7K w - - 0 1", "a4", "b5 c6 d7 e8 b3 c2 d1"),
        ("8/7k/8/8/N7/8/8/7K w - - 0 1", "a4", "b6 c5 c3 b2"),
        ("8/8/k7/8/8/8/8/7K w - - 0 1", "h1", "h2 g1 g2"),
        ("8/8/k7/n6n/8/n5n1/7P/K7 w - - 0 1", "h2", "h3 h4 g3"),
    ],
)
def test_no_step_crosses_the_edge(fen: str, origin: str, targets: str) -> None:
    assert sorted(uci(fen, origin)) == sorted(targets.split())


def test_pieces_beyond_the_slider_do_not_lift_a_pin() -> None:
    assert uci("3qk3/3r4/8/8/3R4/8/8/3K4 w - - 0 1", "d4") == ["d5", "d6", "d7", "d3", "d2"]
    assert uci("4k3/3r4/8/8/3N4/8/8/3K4 w - - 0 1", "d4") == []


def test_illegal_king_steps() -> None:
    assert sorted(uci("8/8/8/8/3r1K2/8/5k2/8 w - - 0 1", "f4")) == ["e5", "f5", "g5"]
