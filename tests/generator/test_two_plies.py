"""The two-plies kernel, compared with the kernel that plays every move, and the example in its documentation."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import chess
import pytest
from helpers import oracle
from helpers.backends import EACH_BACKEND
from helpers.each import check_each
from helpers.program import printed_by_python
from perft_check.generator import Position, perft
from perft_check.generator.kernels.tables import Backend
from perft_check.generator.sampling.sampler import PositionSampler
from perft_check.suites.bundled import BUNDLED, bundled_path
from perft_check.suites.loader import load_suite

HARD = oracle.DATA / "two_plies.csv"
"""Positions in which one contribution to the sum is difficult to compute; `...` repeats the text of the row above."""
PAGE = Path(__file__).parents[2] / "docs" / "two-plies.md"


def hard_positions() -> list[Position]:
    with HARD.open(encoding="utf-8", newline="") as file:
        return [Position.from_fen(row["fen"], chess960=None) for row in csv.DictReader(file)]


def check(position: Position, backend: Backend | None = None) -> None:
    for depth in (1, 2, 3):
        found = perft(position, depth, kernel="two-plies", backend=backend)
        assert found == perft(position, depth, kernel="turbo"), (depth, position.fen())


@EACH_BACKEND
def test_hard_positions(backend: Backend) -> None:
    check_each(lambda position: check(position, backend), hard_positions())


@pytest.mark.parametrize("chess960", [False, True])
def test_random_boards(chess960: bool) -> None:
    boards = oracle.random_boards(31, 600, chess960=chess960)
    check_each(lambda board: check(oracle.position_of(board)), boards)


def test_bundled_suites_at_small_depths() -> None:
    for suite in BUNDLED:
        for case in load_suite(bundled_path(suite)):
            for depth, nodes in case.counts:
                if nodes <= 200_000:
                    assert perft(case.position, depth, kernel="two-plies") == nodes, case.name


@pytest.mark.long
@pytest.mark.parametrize("chess960", [False, True])
def test_sampled_positions(chess960: bool) -> None:
    bundled = dict.fromkeys(case.position for suite in BUNDLED for case in load_suite(bundled_path(suite)))
    bases = [replace(one, chess960=True) if chess960 else one for one in bundled if chess960 or not one.chess960]
    sampler = PositionSampler(bases, 1, chess960=chess960)
    for _ in range(50):
        sampled = sampler.sample(10_000)
        for index in range(len(sampled)):
            check(Position.from_fen(sampled.fen(index), chess960))


MADE_ONE_BY_ONE = """
import sys
from perft_check.generator import Position, perft
from perft_check.generator.kernels.counting.two_plies import simple_moves

made, play = [], simple_moves.play
simple_moves.play = lambda *words: made.append(1) or play(*words)
for fen in sys.stdin.read().splitlines():
    position = Position.from_fen(fen, chess960=None)
    pairs = {perft(position, 2, kernel="two-plies", backend=backend) for backend in ("pext", "magic")}
    print(*pairs, len(made) // 2, len(position.legal_moves))
    made.clear()
"""
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CPW_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"


def test_few_moves_are_played_one_by_one() -> None:
    """Each row has the number of pairs of moves, of moves that were played one by one, and of legal moves."""
    fens = [KIWIPETE, CPW_5, *(position.fen(castling="shredder") for position in hard_positions())]
    printed = printed_by_python(MADE_ONE_BY_ONE, "\n".join(fens), NUMBA_DISABLE_JIT="1")
    kiwipete, cpw_5, *rows = [tuple(map(int, line.split())) for line in printed.splitlines()]
    assert (kiwipete, cpw_5) == ((2039, 0, 48), (1486, 1, 44))
    assert [sum(column) for column in zip(*rows, strict=True)][1:] == [85, 1892]


def test_the_example_in_the_documentation() -> None:
    page = PAGE.read_text(encoding="utf-8")
    found = re.search(r'perft "(.*)" 2 -e own:two-plies\n(\d+)\n', page)
    assert found is not None
    board, pairs = chess.Board(found[1]), int(found[2])
    opponent = chess.Board(found[1].replace(" w ", " b "))
    moves, replies = board.legal_moves.count(), opponent.legal_moves.count()
    assert f"{moves} x {replies} = {moves * replies} pairs" in page
    assert f"{moves * replies} - {moves * replies - pairs} = {pairs} pairs" in page
    assert perft(Position.from_fen(found[1]), 2, kernel="two-plies") == pairs
