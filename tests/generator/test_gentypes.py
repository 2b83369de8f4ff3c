"""The moves of every GenType, as multisets, compared with the oracle and with moves worked out by hand."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import chess
import pytest
from helpers import oracle
from helpers.budget import CHESS960, budget, properties
from hypothesis import given
from perft_check.generator import ExtMove, GenType, Move, MoveList, Position
from perft_check.generator.kernels.tables import Backend
from perft_check.strategies import positions

BACKENDS: tuple[Backend | None, ...] = (None, "magic")
START = Position.start()
IN_CHECK = Position.from_fen("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1")


@cache
def text_of(move: Move) -> str:
    return move.uci(chess960=True)


def assert_lists_agree(board: chess.Board) -> None:
    position = oracle.position_of(board)
    for gentype, expected in oracle.expected_lists(board).items():
        for backend in BACKENDS:
            found = Counter(map(text_of, MoveList(position, gentype, backend).moves))
            if found != expected:
                extra, missing = sorted((found - expected).elements()), sorted((expected - found).elements())
                pytest.fail(f"{gentype.name}, back-end {backend}, in {position.fen()}: {extra=} {missing=}")


def test_known_positions() -> None:
    oracle.check_each_known(lambda known: assert_lists_agree(known.board()))


@budget(800, 100_000)
@CHESS960
def test_random_positions(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(1, number, chess960=chess960):
        assert_lists_agree(board)


@properties(60)
@given(positions())
def test_generated_positions(position: Position) -> None:
    assert_lists_agree(oracle.board_of(position))


ROOK_H1_UP = "h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8"
BY_HAND = [
    # Castling: the rook gives check (twice), the king uncovers its own rook, and a Chess960 king stays on its square.
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", GenType.QUIET_CHECKS, "e1h1 h1f1 h1h8"),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", GenType.QUIET_CHECKS, "e1a1 a1d1 a1a8"),
    ("r7/4p3/5p1q/3P4/4pQ2/4pP2/6pp/R3K1kr w Q - 1 3", GenType.QUIET_CHECKS, "e1a1 e1d2 e1e2"),
    ("5k2/8/8/8/8/8/8/6KR w H - 0 1", GenType.QUIET_CHECKS, "g1h1 h1h8"),
    # A push along the opponent's king's file uncovers nothing; elsewhere, a single or double push may give check.
    ("4k3/8/8/4P3/8/8/8/K3R3 w - - 0 1", GenType.QUIET_CHECKS, ""),
    ("8/8/8/8/k1P4R/8/8/4K3 w - - 0 1", GenType.QUIET_CHECKS, "c4c5"),
    ("8/8/8/8/8/8/k3P2R/4K3 w - - 0 1", GenType.QUIET_CHECKS, "e2e3 e2e4"),
    ("8/8/8/3k4/8/8/4P3/4K3 w - - 0 1", GenType.QUIET_CHECKS, "e2e4"),
    # A king uncovers its rook, but never steps next to the other king (d1e2).
    ("8/8/8/8/8/8/8/R2K1k2 w - - 0 1", GenType.QUIET_CHECKS, "d1c2 d1d2"),
    # Captures, including en passant, are not quiet checks (e5d6 gives check).
    ("8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1", GenType.QUIET_CHECKS, ""),
    ("8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1", GenType.CAPTURES, "e5d6"),
    # The only promotions among quiet checks are knights that give direct check, by a push or a capture.
    ("3r4/2k1P3/8/8/8/8/8/4K3 w - - 0 1", GenType.QUIET_CHECKS, "e7e8n"),
    ("3r4/4Pk2/8/8/8/8/8/4K3 w - - 0 1", GenType.QUIET_CHECKS, "e7d8n"),
    ("8/k3P2R/8/8/8/8/8/4K3 w - - 0 1", GenType.QUIET_CHECKS, ""),
    # A queen promotion counts as a capture even if it is a push; other promotions are quiet even if they capture.
    ("3n4/4P3/8/8/8/8/k7/4K3 w - - 0 1", GenType.CAPTURES, "e7e8q e7d8q"),
    (
        "3n4/4P3/8/8/8/8/k7/4K3 w - - 0 1",
        GenType.QUIETS,
        "e7e8r e7e8b e7e8n e7d8r e7d8b e7d8n e1d1 e1f1 e1d2 e1e2 e1f2",
    ),
    # Pseudo-legal moves include those of a pinned piece and king steps to attacked squares.
    ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", GenType.LEGAL, "e1d1 e1f1 e1d2 e1f2"),
    ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", GenType.NON_EVASIONS, "e1d1 e1f1 e1d2 e1f2 e2c1 e2c3 e2d4 e2f4 e2g1 e2g3"),
    # Castling is generated only if it is legal: not across an attacked square, nor if the rook would uncover a queen.
    ("k4r2/8/8/8/8/8/8/4K2R w K - 0 1", GenType.QUIETS, f"{ROOK_H1_UP} h1g1 h1f1 e1d1 e1f1 e1d2 e1e2 e1f2"),
    (
        "3k4/8/8/8/8/8/8/qR1K4 w B - 0 1",
        GenType.QUIETS,
        "b1c1 b1b2 b1b3 b1b4 b1b5 b1b6 b1b7 b1b8 d1c1 d1e1 d1c2 d1d2 d1e2",
    ),
    # A king in check leaves the line of the checking slider (so not e1e2), even to attacked squares; it never castles.
    ("k3r3/8/8/8/8/8/8/4K2R w K - 0 1", GenType.EVASIONS, "e1d1 e1f1 e1d2 e1f2"),
    # The king may capture the checking slider, whether it is protected or not.
    ("4k3/8/8/8/4r3/8/4q3/4K3 w - - 0 1", GenType.EVASIONS, "e1d1 e1f1 e1d2 e1f2 e1e2"),
    # In double check only king steps are evasions. In the second position, the king can capture neither rook.
    ("4r2k/8/8/8/1b6/8/8/3QK3 w - - 0 1", GenType.EVASIONS, "e1f1 e1f2"),
    ("8/8/8/8/3rKr2/8/8/k7 w - - 0 1", GenType.EVASIONS, "e4d3 e4e3 e4f3 e4d5 e4e5 e4f5"),
    # En passant captures the checking pawn, blocks the line of the check, or does not end a check by another piece.
    ("3k4/8/8/2Pp4/2K5/8/8/8 w - d6 0 4", GenType.EVASIONS, "c5d6 c4b3 c4c3 c4d3 c4b4 c4d4 c4b5 c4d5"),
    ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", GenType.EVASIONS, "e4d3 b5a4 b5b4 b5a5 b5c5 b5b6 b5c6"),
    ("2k5/K6r/8/2Pp4/8/8/8/8 w - d6 0 4", GenType.EVASIONS, "a7a6 a7b6 a7a8 a7b8"),
    # All four promotions may block the check or capture the checking piece.
    (
        "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1",
        GenType.EVASIONS,
        "e7e8q e7e8r e7e8b e7e8n e7f8q e7f8r e7f8b e7f8n c8b7 c8c7 c8d7",
    ),
    # A pinned piece may block a check, because evasions are pseudo-legal.
    ("8/2k5/3b4/8/2Q5/3K4/6PQ/5B2 b - - 2 2", GenType.EVASIONS, "d6c5 c7b6 c7b7 c7b8 c7d7 c7d8"),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("fen", "gentype", "moves"), BY_HAND)
def test_moves_worked_out_by_hand(fen: str, gentype: GenType, moves: str, backend: Backend | None) -> None:
    position = Position.from_fen(fen, chess960=None)
    assert sorted(map(text_of, MoveList(position, gentype, backend).moves)) == sorted(moves.split())


@pytest.mark.parametrize(("fen", "gentype", "moves"), BY_HAND)
def test_the_oracle_agrees_with_moves_worked_out_by_hand(fen: str, gentype: GenType, moves: str) -> None:
    board = chess.Board(fen, chess960=Position.from_fen(fen, chess960=None).chess960)
    assert sorted(oracle.expected_moves(board, gentype).elements()) == sorted(moves.split())


@pytest.mark.parametrize(
    "gentype", [gentype for gentype in GenType if gentype not in (GenType.EVASIONS, GenType.LEGAL)]
)
def test_other_gentypes_are_rejected_in_check(gentype: GenType) -> None:
    with pytest.raises(ValueError, match=f"^{gentype.name} need a king that is not in check: {IN_CHECK.fen()}$"):
        MoveList(IN_CHECK, gentype)


def test_evasions_are_rejected_if_not_in_check() -> None:
    with pytest.raises(ValueError, match=f"^EVASIONS need a king in check: {START.fen()}$"):
        MoveList(START, GenType.EVASIONS)


def test_an_unknown_backend_is_rejected() -> None:
    with pytest.raises(ValueError, match=r"^unknown slider back-end 'kindergarten': choose from pext, magic$"):
        MoveList(START, GenType.LEGAL, "kindergarten")  # type: ignore[arg-type]


@pytest.mark.parametrize("position", [START, IN_CHECK], ids=["start", "in check"])
def test_length_membership_and_iteration_of_a_list(position: Position) -> None:
    moves = MoveList(position, GenType.LEGAL)
    items = list(moves)
    assert all(type(item) is ExtMove and type(item.move) is Move and type(item.value) is int for item in items)
    assert [item.move for item in items] == moves.moves
    assert len(moves) == len(items)
    assert all(move in moves for move in moves.moves)
    assert list(position.legal_moves) == moves.moves


@pytest.mark.parametrize("stranger", [Move.make(12, 36), Move.make(0, 0), "e2e4", None])
def test_other_objects_are_not_in_a_list(stranger: object) -> None:
    assert stranger not in MoveList(START, GenType.LEGAL)


def test_quiet_moves_have_value_0() -> None:
    assert {item.value for item in MoveList(START, GenType.QUIETS)} == {0}


@CHESS960
def test_captures_are_ordered_by_victim_then_attacker(chess960: bool) -> None:
    for board in oracle.random_boards(4, 500, chess960=chess960):
        if board.is_check():
            continue
        ranks = []
        for move, value in MoveList(oracle.position_of(board), GenType.CAPTURES):
            assert -(2**31) <= value < 2**31
            attacker = board.piece_type_at(move.origin)
            victim = board.piece_type_at(move.target) or chess.PAWN  # nothing stands there: en passant
            assert attacker is not None
            if move.promotion is None:
                ranks.append(((victim, -attacker), value, move))
        for (one, one_value, first), (two, two_value, second) in combinations(ranks, 2):
            assert (one > two, one < two) == (one_value > two_value, one_value < two_value), (
                board.fen(),
                first,
                second,
            )


@pytest.mark.parametrize(
    ("fen", "count"),
    [
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218),
        ("kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1", 270),
    ],
)
def test_the_longest_lists_fit(fen: str, count: int) -> None:
    moves = MoveList(Position.from_fen(fen), GenType.LEGAL)
    assert len(moves) == len(set(moves.moves)) == count
