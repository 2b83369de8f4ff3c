"""The sweep: its cases and batches, and real programs whose faults it finds."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.planted import examiner_of, make_plan
from helpers.program import Run
from perft_check.generator.game import Game
from perft_check.generator.position_setup import PositionSetup
from perft_check.harness.fuzzing.batch import BatchContext, BatchResult
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.model import Discrepancy
from perft_check.harness.fuzzing.plan import SWEEP_BATCH, BatchAssignment, FuzzPlan, SweepCase, sweep_cases
from perft_check.harness.fuzzing.processes.messages import BatchDone
from perft_check.harness.fuzzing.processes.schedule import BatchSchedule
from perft_check.harness.fuzzing.sweep_batches import SweepBatch
from perft_check.suites.bundled import SETUPS, SWEEPS, bundled_path
from perft_check.suites.loader import load_suite

STANDARD, CHESS960 = (load_suite(bundled_path(SWEEPS[variant])) for variant in (False, True))
SET_UP, SET_UP_960 = (
    [case for case in load_suite(bundled_path(SETUPS)) if case.setup and case.position.chess960 is variant]
    for variant in (False, True)
)
WHOLE = len(STANDARD) + len(SET_UP) + 1
"""Number of cases of standard chess, one of which is in no suite."""
SERVE = f"uci:{shlex.quote(sys.executable)} -m perft_check.harness.zoo.serve"


def sweeping(examples: int | None = None, variants: tuple[bool, ...] = (False,), depth: int = 2) -> FuzzPlan:
    return replace(make_plan(examples=examples), includes_sweep=True, strategies=(), variants=variants, depth=depth)


def test_each_variant_has_its_cases() -> None:
    def kinds(*variants: bool) -> list[bool]:
        return [question.game.base.chess960 for question in sweep_cases(variants, 2)]

    assert kinds(False) == [False] * WHOLE
    assert Counter(kinds(False, True)) == {False: WHOLE, True: len(CHESS960) + len(SET_UP_960)}
    assert kinds(True) == [True] * (len(CHESS960) + len(SET_UP_960) + len(STANDARD) + 1)


def test_a_case_is_a_count_or_a_list_after_moves() -> None:
    usual = [one for one in sweep_cases((False,), 2) if not isinstance(one.game, PositionSetup)]
    for case, question in zip(STANDARD, usual[:-1], strict=True):
        assert question.game == Game(case.position, case.moves)
        assert question.depth == (1 if case.moves else case.max_depth)
        assert question.is_plain is (not case.moves)
        assert len(case.counts) == 1


def test_at_depth_1_no_case_is_deeper() -> None:
    assert {question.depth for question in sweep_cases((False,), 1)} == {1}
    assert {question.depth for question in sweep_cases((False,), 2)} >= {1, 2, 3, 4, 5}


@pytest.mark.parametrize("examples", [1, SWEEP_BATCH, SWEEP_BATCH + 1, WHOLE - 1, WHOLE, 1_000])
def test_the_sweep_comes_first_and_counts_as_examples(examples: int) -> None:
    plan, shares = sweeping(examples), list[BatchAssignment]()
    batches = BatchSchedule(plan)
    while (job := batches.next()) is not None:
        shares.append(job.assignment)
        batches.finish(BatchDone(BatchResult(job.batch)))
    assert [plan.assignment(number) for number in range(len(shares))] == shares
    assert plan.assignment(len(shares)).size == 0
    asked = [question for assignment in shares for question in assignment.sweep_cases]
    assert asked == list(plan.sweep[:examples])
    assert sum(assignment.size for assignment in shares) == examples
    assert [assignment.first for assignment in shares] == [
        sum(one.size for one in shares[:n]) for n in range(len(shares))
    ]
    sampled = [plan.variant(assignment.number).name for assignment in shares if not assignment.sweep_cases]
    assert sampled == [replace(plan, includes_sweep=False).variant(number).name for number in range(len(sampled))]


class RecordingCheck:
    """A check that finds nothing and records the cases that it examines."""

    name = "notes"

    def __init__(self) -> None:
        self.asked: list[tuple[SweepCase, bool]] = []

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        self.asked.append((SweepCase(probe.game, probe.depth), probe.is_exact))
        yield from ()


def test_each_case_is_examined_to_its_own_depth() -> None:
    recorder, plan = RecordingCheck(), sweeping()
    batch = SweepBatch(BatchContext(plan, plan.assignment(0), examiner_of(recorder), lambda _hits: None))
    batch.run()
    lines = [
        one.game.without_moves() if isinstance(one.game, PositionSetup) else one.game
        for one in plan.sweep[:SWEEP_BATCH]
    ]
    expected = [SweepCase(line, one.depth) for line, one in zip(lines, plan.sweep[:SWEEP_BATCH], strict=True)]
    assert recorder.asked == [(question, True) for question in expected]
    assert batch.result.strategies == {"sweep": SWEEP_BATCH}


LATE = """
import chess

HOMES = {chess.WHITE: chess.BB_RANK_1, chess.BLACK: chess.BB_RANK_8}

def ended(board, move):
    piece, taken = board.piece_type_at(move.from_square), board.piece_type_at(move.to_square)
    own = chess.BB_SQUARES[move.from_square] & HOMES[board.turn]
    other = chess.BB_SQUARES[move.to_square] & HOMES[not board.turn]
    if piece == chess.KING:
        own = HOMES[board.turn]
    if piece not in (chess.KING, chess.ROOK):
        own = 0
    if taken != chess.ROOK:
        other = 0
    return ENDED

def push(board, move):
    rights = board.castling_rights & ~ended(board, move)
    board.push(move)
    board.castling_rights = rights

def moves(board):
    for move in board.legal_moves:
        home = board.piece_type_at(move.from_square) == chess.KING and move.from_square in (chess.E1, chess.E8)
        rook = chess.square(7 if move.to_square > move.from_square else 0, chess.square_rank(move.from_square))
        if not board.is_castling(move) or (home and board.piece_at(rook) == chess.Piece(chess.ROOK, board.turn)):
            yield move

def count(board, depth):
    return sum(below for _, below in counts(board, depth)) if depth else 1

def counts(board, depth):
    for move in list(moves(board)):
        push(board, move)
        yield move.uci(), count(board, depth - 1)
        board.pop()

def divide(fen, depth):
    return dict(counts(chess.Board(fen), depth))
"""
"""A Python program that updates castling rights itself, by the squares of rooks and kings."""
RIGHT = "own | other"
FAULTS = {
    "a promotion that takes a rook leaves its right": "own | (0 if move.promotion else other)",
    "a knight that takes a rook leaves its right": "own | (0 if piece == chess.KNIGHT else other)",
    "a double step of a pawn ends a right": (
        "own | other | (HOMES[board.turn] if abs(move.from_square - move.to_square) == 16 else 0)"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("careful", [[], ["--careful"]])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_python_program_with_a_late_fault_is_found_by_the_sweep(
    fuzz: Run, tmp_path: Path, fault: str, careful: list[str]
) -> None:
    (tmp_path / "late.py").write_text(LATE.replace("ENDED", FAULTS[fault]))
    done = fuzz("-e", "python:late:divide", "--time", "60", "--seed", "1", "-j", "1", "--fail-fast", *careful)
    assert done.returncode == 1, done.stdout
    assert re.search(r"first in position [\d,]+ \(sweep\)", done.stdout), done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    ["first-move-skipped", "right-of-taking-rook", "right-by-rook-presence", "list-of-200", "key-without-rights"],
)
def test_a_process_with_a_late_fault_is_found_by_the_sweep(fuzz: Run, fault: str) -> None:
    done = fuzz("-e", f"{SERVE} {fault}", "--time", "60", "--seed", "1", "-j", "2", "--fail-fast")
    assert done.returncode == 1, done.stdout
    assert re.search(r"first in position [\d,]+ \(sweep\)", done.stdout), done.stdout


@pytest.mark.slow
def test_a_correct_program_passes_the_sweep(fuzz: Run, tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(LATE.replace("ENDED", RIGHT))
    size = str(WHOLE)
    for options in ([], ["--careful"]):
        done = fuzz("-e", "python:late:divide", "-n", size, "-j", "2", "--report", "json=-", *options)
        assert done.returncode == 0, done.stdout
        assert json.loads(done.stdout)["sweep"] == {"asked": WHOLE, "questions": WHOLE}


@pytest.mark.slow
def test_the_report_does_not_depend_on_the_number_of_processes(fuzz: Run) -> None:
    arguments = ["-e", f"{SERVE} right-lost-by-queen", "-n", str(WHOLE + 20), "--seed", "3", "--careful"]
    one, three = (fuzz(*arguments, "-j", jobs) for jobs in ("1", "3"))
    assert (one.returncode, three.returncode) == (1, 1)
    assert one.stdout == three.stdout
    assert f"; sweep cases: all {WHOLE}\n" in one.stdout


@pytest.mark.slow
def test_a_run_with_chosen_strategies_has_no_sweep(fuzz: Run) -> None:
    done = fuzz("-e", "own", "--strategy", "placements", "-n", "20", "--seed", "1", "-j", "1")
    assert done.returncode == 0, done.stderr
    assert "sweep" not in done.stdout


def test_perft_checks_generator_is_asked_the_cases_of_both_variants(fuzz: Run) -> None:
    done = fuzz("-n", "10", "--seed", "1", "-j", "1")
    assert done.returncode == 0, done.stderr
    assert f"; sweep cases: 10 of {WHOLE + len(CHESS960) + len(SET_UP_960)}\n" in done.stdout
