"""The legality test for all 65,536 patterns, compared with the generators, python-chess, and examples."""

from __future__ import annotations

from collections.abc import Iterable

import chess
import pytest
from helpers import oracle
from helpers.backends import HERE
from helpers.budget import CHESS960, budget, properties
from hypothesis import given
from perft_check.generator import GenType, Move, MoveKind, MoveList, PieceType, Position
from perft_check.generator.generation import accepted_moves
from perft_check.strategies import positions
from perft_check.suites.bundled import BUNDLED, bundled_path
from perft_check.suites.loader import load_suite


def assert_accepts_the_legal_moves(position: Position) -> None:
    legal = sorted(MoveList(position, GenType.LEGAL).moves)
    for backend in HERE:
        accepted = sorted(accepted_moves(position, backend))
        if accepted != legal:
            wrong = sorted(map(repr, set(accepted) ^ set(legal)))
            pytest.fail(f"back-end {backend}, in {position.fen()}: {' '.join(wrong)}")


@pytest.mark.parametrize("suite", BUNDLED)
def test_bundled_positions(suite: str) -> None:
    for case in load_suite(bundled_path(suite)).cases:
        assert_accepts_the_legal_moves(case.position)


@budget(1_500, 20_000)
@CHESS960
def test_random_positions(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(31, number, chess960=chess960):
        assert_accepts_the_legal_moves(oracle.position_of(board))


@properties(100)
@given(positions())
def test_generated_positions(position: Position) -> None:
    assert_accepts_the_legal_moves(position)


@budget(30, 1_000)
@CHESS960
def test_legality_agrees_with_python_chess(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(32, number, chess960=chess960):
        position = oracle.position_of(board)
        accepted = sorted(move.uci(chess960=True) for move in accepted_moves(position))
        assert accepted == sorted(oracle.text_of(board, move) for move in board.legal_moves), board.fen()


def test_is_legal_agrees_with_legal_moves() -> None:
    for known in oracle.known_positions()[::8]:
        position = known.position()
        legal = set(position.legal_moves)
        assert {move for move in _some_patterns(position) if position.is_legal(move)} == legal, known.name


def _some_patterns(position: Position) -> Iterable[int]:
    """Return the legal moves and all patterns that differ from one of them in one bit."""
    return {int(move) ^ flip for move in position.legal_moves for flip in (0, *(1 << bit for bit in range(16)))}


@pytest.mark.parametrize("number", [-1, 1 << 16, Move.make(12, 28) + (1 << 16)])
def test_integers_of_more_than_16_bits_are_not_moves(number: int) -> None:
    assert not Position.start().is_legal(number)


def move(text: str, kind: MoveKind = MoveKind.NORMAL) -> Move:
    origin, target = chess.parse_square(text[:2]), chess.parse_square(text[2:4])
    return Move.make(origin, target, kind, PieceType("nbrq".index(text[4]) + PieceType.KNIGHT) if text[4:] else None)


EP, CASTLE, PROMOTE = MoveKind.EN_PASSANT, MoveKind.CASTLING, MoveKind.PROMOTION
KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
# Illegal moves that engines have accepted as legal, each with a similar legal move.
REFUSED = [
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", CASTLE, "e1h1", CASTLE),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", MoveKind.NORMAL, "e1h1", CASTLE),
    ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1h1", CASTLE, "h1g1", MoveKind.NORMAL),
    ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "e1h1", CASTLE, "e1e2", MoveKind.NORMAL),
    ("4k3/8/8/8/8/8/8/rR2K1N1 w B - 0 1", "e1b1", CASTLE, "b1a1", MoveKind.NORMAL),
    ("4k3/8/8/8/8/8/7R/4K2R w K - 0 1", "e1h2", CASTLE, "e1h1", CASTLE),
    ("8/8/8/8/8/8/6k1/4K2R b K - 0 1", "g2h1", CASTLE, "g2h1", MoveKind.NORMAL),
    ("4k3/8/8/8/3nP3/8/8/4K3 w - - 0 1", "e4d4", MoveKind.NORMAL, "e4e5", MoveKind.NORMAL),
    ("4k3/8/8/8/8/8/1p6/4K3 b - - 0 1", "b2a1", EP, "b2b1q", PROMOTE),
    ("4k3/8/8/p7/7P/8/8/4K3 w - - 0 1", "h4a6", MoveKind.NORMAL, "h4h5", MoveKind.NORMAL),
    ("4k3/8/8/p6P/8/8/8/4K3 w - a6 0 1", "h5a6", EP, "h5h6", MoveKind.NORMAL),
    ("4k3/8/8/8/3P4/8/8/4K3 w - - 0 1", "d4d6", MoveKind.NORMAL, "d4d5", MoveKind.NORMAL),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", MoveKind.NORMAL, "e5d6", EP),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", EP, "e5e6", MoveKind.NORMAL),
    ("4k3/8/8/3p2B1/8/8/8/4K3 w - - 0 1", "g5d8q", PROMOTE, "g5d8", MoveKind.NORMAL),
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", MoveKind.NORMAL, "a7a8n", PROMOTE),
    ("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "a6a7q", PROMOTE, "a6a7", MoveKind.NORMAL),
    ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", "e1e2", MoveKind.NORMAL, "e8e7", MoveKind.NORMAL),
    (KINGS, "e8e7", MoveKind.NORMAL, "e1e2", MoveKind.NORMAL),
    (KINGS, "d1d2", MoveKind.NORMAL, "e1d2", MoveKind.NORMAL),
]


@pytest.mark.parametrize(("fen", "wrong", "wrong_kind", "right", "correct_kind"), REFUSED)
def test_illegal_moves_that_engines_have_accepted(
    fen: str, wrong: str, wrong_kind: MoveKind, right: str, correct_kind: MoveKind
) -> None:
    position = Position.from_fen(fen, chess960=None)
    assert not position.is_legal(move(wrong, wrong_kind))
    assert position.is_legal(move(right, correct_kind))


@pytest.mark.parametrize("kind", [MoveKind.NORMAL, MoveKind.EN_PASSANT, MoveKind.CASTLING])
def test_promotion_bits_are_only_for_promotions(kind: MoveKind) -> None:
    position = Position.from_fen("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1")
    moves = [move for move in position.legal_moves if move.kind is kind]
    assert moves
    for move_ in moves:
        assert position.is_legal(move_)
        assert not any(position.is_legal(move_ | piece << 12) for piece in (1, 2, 3))
