"""The whole kernel against the one that makes every move."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import chess
import pytest
from helpers import oracle, two_plies
from helpers.backends import EACH_BACKEND
from helpers.each import check_each
from perft_check.generator import Position, perft
from perft_check.generator.drawing.drawer import Drawer
from perft_check.generator.kernels.tables import Backend
from perft_check.suites.bundled import BUNDLED, bundled_path
from perft_check.suites.loader import load_suite

HARD = (
    # Fifteen pieces come to a square that a rook sees, and sixteen to one that no piece of theirs sees.
    "5bkn/B2r1ppp/2N1N3/1N2BN2/R6R/1N3N2/2N1N3/B2R2BK w - - 0 1",
    "r5rk/8/2N1N3/1N1K1N2/8/1N3N2/2N1N3/q7 w - - 0 1",
    "5bkn/B2R1ppp/2N1N3/1N2BN2/R6R/1N3N2/2N1N3/B2R2BK w - - 0 1",
    "5bkn/B2R1ppp/2N1N3/1N2BN2/R6R/1N1P1N2/2N1N3/B5BK w - - 0 1",
    # Nine queens on each side.
    "rqqqqrk1/pppppppp/q1q1q1q1/8/8/Q1Q1Q1Q1/PPPPPPPP/RQQQQRK1 w - - 0 1",
    "qqqqqkn1/qqqqpppp/8/8/8/8/QQQQPPPP/QQQQQKN1 b - - 0 1",
    # Captures that promote, to both sides, and next to their king.
    "1r1rk3/2P5/8/8/8/8/8/4K3 w - - 0 1",
    "r1b1k2r/1P2P1P1/8/8/8/8/1p2p1p1/R1B1K2R w KQkq - 0 1",
    "2rkr3/3P4/8/8/8/8/8/B3K2R w K - 0 1",
    # En passant that opens a line to their king.
    "8/8/8/8/1k1p3R/8/2P5/4K3 w - - 0 1",
    "8/8/1k6/8/3p4/8/2P5/4K1B1 w - - 0 1",
)
CHESS960 = (
    # The castling rook stands on the path of its king, or is pinned on the back rank.
    "1rk5/8/8/8/8/8/8/R2QK3 w b - 0 1",
    "5kr1/8/8/8/8/5N2/8/Q4K1R w g - 0 1",
    "Rrk5/8/8/8/8/8/8/4K3 w b - 0 1",
    "rkr5/8/8/2N5/8/8/8/RKR5 w CAca - 0 1",
)


def check(position: Position, backend: Backend | None = None) -> None:
    for depth in (1, 2, 3):
        found = perft(position, depth, kernel="two-plies", backend=backend)
        assert found == perft(position, depth, kernel="turbo"), (depth, position.fen())


@EACH_BACKEND
def test_where_a_contribution_is_hard(backend: Backend) -> None:
    hard = [Position.from_fen(fen) for fen in HARD]
    chess960 = [Position.from_fen(fen, chess960=True) for fen in CHESS960]
    check_each(lambda position: check(position, backend), [*hard, *chess960])


@pytest.mark.parametrize("chess960", [False, True])
def test_random_boards(chess960: bool) -> None:
    boards = oracle.random_boards(31, 600, chess960=chess960)
    check_each(lambda board: check(oracle.position_of(board)), boards)


def test_bundled_suites_at_cheap_depths() -> None:
    for suite in BUNDLED:
        for case in load_suite(bundled_path(suite)):
            for depth, nodes in case.counts:
                if nodes <= 200_000:
                    assert perft(case.position, depth, kernel="two-plies") == nodes, case.name


@pytest.mark.long
@pytest.mark.parametrize("chess960", [False, True])
def test_drawn_positions(chess960: bool) -> None:
    bundled = dict.fromkeys(case.position for suite in BUNDLED for case in load_suite(bundled_path(suite)))
    bases = [replace(one, chess960=True) if chess960 else one for one in bundled if chess960 or not one.chess960]
    drawer = Drawer(bases, 1, chess960=chess960)
    for _ in range(50):
        drawn = drawer.draw(10_000)
        for index in range(len(drawn)):
            check(Position.from_fen(drawn.fen(index), chess960))


PLAIN = """
from perft_check.generator import Position, perft
for fen in (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
):
    print(*(perft(Position.from_fen(fen), 2, kernel="two-plies", backend=backend) for backend in ("pext", "magic")))
"""


def test_it_runs_as_plain_python() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", PLAIN], capture_output=True, text=True, env=environment, check=True)
    assert (done.stdout.split(), done.stderr) == (["2039", "2039", "1486", "1486"], "")


def test_the_boards_of_these_tests_are_calm_and_varied() -> None:
    boards = two_plies.boards()
    assert all(board.turn is chess.WHITE and not board.is_check() for board in boards)
    assert len({board.fen() for board in boards}) > 140
    assert {board.chess960 for board in boards} == {False, True}
