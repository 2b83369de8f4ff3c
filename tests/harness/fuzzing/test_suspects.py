"""Every suspect that `fuzz` announces is settled: found or not reproduced."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.games import game_from
from helpers.headlines import without_moves
from helpers.planted import discrepancy_at, make_plan
from helpers.program import Run
from perft_check.harness.fuzzing.batch import BatchResult
from perft_check.harness.fuzzing.model import Hit
from perft_check.harness.fuzzing.processes.messages import BatchDone, BatchProgress
from perft_check.harness.fuzzing.processes.schedule import BatchSchedule

COUNTING = """
import sys

import chess


def count(board, depth):
    if depth == 0:
        return 1
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def divide(fen, depth):
    board, found = chess.Board(fen), {{}}
    for move in list(board.legal_moves):
        if {leaves_out}:
            continue
        board.push(move)
        found[board.peek().uci()] = count(board, depth - 1)
        board.pop()
    return found
"""
EXTRA_AND_CRASH = """
import os

from counting import divide


def wrong(fen, depth):
    found = divide(fen, depth)
    if fen.split()[2] != "-" and "q" not in fen.split()[0].lower():
        os._exit(3)
    if fen.split()[1] == "b" and "p" in fen.split()[0]:
        found["a1a1"] = 1
    return found
"""


def write_counting(folder: Path, leaves_out: str = "False") -> None:
    (folder / "counting.py").write_text(COUNTING.format(leaves_out=leaves_out))


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2"])
def test_every_suspect_is_settled(seed: str, fuzz: Run, tmp_path: Path) -> None:
    write_counting(tmp_path)
    (tmp_path / "engine.py").write_text(EXTRA_AND_CRASH)
    words = "-e", "python:engine:wrong", "-x", "-j", "2", "--seed", seed, "--timeout", "100"
    done = fuzz(*words, "--report", "json=report.json")
    suspects = set(re.findall(r"^suspect: (.*): [^:]*$", done.stderr, re.MULTILINE))
    settled = set(re.findall(r"^(?:found|not reproduced): (.*): [^:]*$", done.stderr, re.MULTILINE))
    assert suspects, done
    assert suspects == settled
    assert len(json.loads((tmp_path / "report.json").read_text())["findings"]) >= len(suspects)
    is_mismatch = any("move" in suspect for suspect in suspects)
    assert done.returncode == (1 if is_mismatch else 3)


def hit_at(rule: str, example: int) -> Hit:
    return Hit(discrepancy_at(game_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), rule), "walks", example)


def done_with(number: int, *hits: Hit) -> BatchDone:
    result = BatchResult(number)
    for hit in hits:
        result.note(hit)
    return BatchDone(result)


@pytest.mark.parametrize("fail_fast", [False, True])
def test_a_suspect_is_announced_when_no_earlier_batch_can_end_the_run(fail_fast: bool) -> None:
    batches = BatchSchedule(replace(make_plan(examples=None), fail_fast=fail_fast))
    numbers = [job.batch for _ in range(3) if (job := batches.next()) is not None]
    assert numbers == [0, 1, 2]
    late, last = hit_at("castling-through-check", 2), hit_at("castling-no-right", 3)
    assert batches.note(BatchProgress(2, 1, (last,))) == ([] if fail_fast else [last])
    assert batches.note(BatchProgress(1, 1, (late,))) == ([] if fail_fast else [late])
    assert batches.finish(done_with(1, late)) == []
    assert batches.finish(done_with(0)) == ([late] if fail_fast else [])
    assert batches.finish(done_with(2, last)) == []
    merged = [hits[0] for hits in batches.merge().hits.values()]
    assert merged == ([late] if fail_fast else [late, last])


@pytest.mark.parametrize("first_of_all", [False, True])
def test_hits_of_the_first_batch_are_announced_immediately(first_of_all: bool) -> None:
    batches = BatchSchedule(replace(make_plan(examples=None), fail_fast=True))
    assert [job.batch for _ in range(2) if (job := batches.next()) is not None] == [0, 1]
    early, late = hit_at("castling-in-check", 1), hit_at("castling-through-check", 2)
    assert batches.note(BatchProgress(1, 1, (late,))) == []
    assert batches.note(BatchProgress(0, 1, (early,) if first_of_all else ())) == [early] * first_of_all
    assert batches.finish(done_with(0, *[early] * first_of_all)) == ([] if first_of_all else [late])


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    ("leaves_out", "rule"),
    [
        ("depth == 1 and board.is_castling(move)", "missing move: Castling"),
        ("depth == 1 and move.promotion == chess.KNIGHT", "missing move: Promotion"),
    ],
)
def test_a_fault_at_depth_1_only_is_found_and_replayed(
    leaves_out: str, rule: str, fuzz: Run, run: Run, tmp_path: Path
) -> None:
    write_counting(tmp_path, leaves_out)
    words = "-e", "python:counting:divide", "-j", "1", "--seed", "2", "-n", "20000", "--strategy", "templates", "-x"
    done = fuzz(*words, "--timeout", "100")
    assert done.returncode == 1, done
    assert "not reproduced" not in done.stdout + done.stderr
    title = next(line for line in done.stdout.splitlines() if line.startswith("1. "))
    assert without_moves(title).removeprefix("1. ").startswith(rule)
    replay = next(line for line in done.stdout.splitlines() if line.startswith("reproduce: perft-check "))
    again = run(*shlex.split(replay.removeprefix("reproduce: perft-check ")))
    assert again.returncode == 1, again
    assert title in again.stdout.splitlines()
