"""The reachability of single positions, for each possible reason."""

import pytest
from perft_check.generator import Position
from perft_check.generator.reachability.retro import captures_needed
from perft_check.strategies import Reachability, reachability_of

REACHABLE = {
    "the start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "castling gave check": "5k2/8/8/8/8/8/8/5RK1 b - - 1 1",
    "the double step uncovered the check": "2k5/K6r/8/2Pp4/8/8/8/8 w - d6 0 4",
    "the pushed pawn checks": "3k4/8/8/2Pp4/2K5/8/8/8 w - d6 0 4",
    "a knight uncovered a rook": "4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1",
    "a bishop behind a pawn that has moved": "4k3/8/8/8/8/1P6/8/B3K3 w - - 0 1",
}
VALID = {
    "a pawn at home gives check": "8/4p3/3K4/8/8/8/8/7k w - - 0 1",
    "two knights check at once": "4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1",
    "checked through the pawn before it came": "8/8/7b/5Pp1/8/8/8/k1K5 w - g6 0 1",
    "five pawns on one file, nothing captured": ("rnbqkbnr/pppppppp/8/P7/P7/P7/P7/RNBQKBNR w KQkq - 0 1"),
    "a bishop that was never let in": "4k3/8/8/8/8/8/1P6/B3K3 w - - 0 1",
}
IMPOSSIBLE = {
    "three checkers": "4k3/8/3N1N2/8/8/8/8/K3R3 b - - 0 1",
    "nine pawns": "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
    "check from both ends of a line": "R3k2R/8/8/8/8/8/8/K7 b - - 0 1",
    "the check is older than the double step": "4k3/8/8/2Pp4/8/8/8/K6r w - d6 0 1",
    "a king in the corner that may castle": "r6k/8/8/8/8/8/8/4K3 b a - 0 1",
    "a king on the a-file that may castle": "4k3/8/8/8/8/8/8/K4R2 b F - 0 1",
}


@pytest.mark.parametrize(
    ("label", "fen"),
    [
        pytest.param(label, fen, id=name)
        for label, fens in (
            (Reachability.REACHABLE, REACHABLE),
            (Reachability.VALID, VALID),
            (Reachability.IMPOSSIBLE, IMPOSSIBLE),
        )
        for name, fen in fens.items()
    ],
)
def test_reachability(label: Reachability, fen: str) -> None:
    assert reachability_of(Position.from_fen(fen, chess960=None)) is label


@pytest.mark.parametrize(
    ("fen", "captures"),
    [
        ("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 0),
        ("4k3/8/8/8/8/1P6/1P6/4K3 w - - 0 1", 1),
        ("4k3/8/8/P7/P7/P7/8/4K3 w - - 0 1", 3),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
    ],
)
def test_captures_needed(fen: str, captures: object) -> None:
    position = Position.from_fen(fen)
    assert captures_needed(position.turn, position.pieces[position.turn][0]) == captures
