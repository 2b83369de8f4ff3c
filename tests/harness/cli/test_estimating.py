"""A count that cannot end is refused before it begins, with the expected nodes and how long they would take."""

from __future__ import annotations

import math
import re
from contextlib import closing
from pathlib import Path

import pytest
from helpers.program import WIDE, Run, wrong
from perft_check.errors import UsageError
from perft_check.harness.cli.estimating import check_duration
from perft_check.harness.engines.asking.runner import ForegroundCallRunner
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.shutdown import catch_interrupts
from perft_check.suites.positions import resolve_game

pytestmark = pytest.mark.slow  # each test starts a process

SLOW = """
import time
import chess


def count(fen, depth):
    board = chess.Board(fen)
    nodes = perft(board, depth)
    time.sleep(nodes / SPEED)
    return nodes


def perft(board, depth):
    moves = list(board.legal_moves)
    if depth <= 1:
        return len(moves) if depth else 1
    return sum((board.push(move), perft(board, depth - 1), board.pop())[1] for move in moves)
"""
KINGS = "k7/8/8/8/8/8/8/7K w - - 0 1"
MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


@pytest.mark.parametrize("command", ["divide", "perft"])
@pytest.mark.parametrize("position", ["startpos", KINGS])
def test_a_count_that_cannot_end_is_refused(run: Run, command: str, position: str) -> None:
    said = wrong(run, command, position, "99", "-e", "python-chess")
    form = (
        r"depth 99 has about 10\^\d+ nodes, which will take python-chess more than a million years "
        r"at [\d.]+ (k|M)?n/s: "
        r"choose depth \d+, or set --timeout to at least that time"
    )
    assert re.fullmatch(form, said)


def test_a_slow_engine_is_measured(run: Run, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW.replace("SPEED", "500"))
    said = wrong(run, "perft", "startpos", "6", "-e", "python:slow:count")
    assert re.fullmatch(
        r"depth 6 has about \d+ M nodes, which will take python:slow:count \d+ days at \d+ n/s: "
        r"choose depth [34], or set --timeout to at least that time",
        said,
    )


def test_a_wrong_count_says_nothing_about_the_speed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("import time\n\ndef count(fen, depth):\n    time.sleep(0.05)\n    return 1\n")
    done = run("perft", "startpos", "6", "-e", "python:one:count")
    assert (done.returncode, done.stdout) == (1, "1\n"), done
    assert " nodes, " not in done.stderr


def test_a_longer_time_limit_allows_it(capsys: pytest.CaptureFixture[str]) -> None:
    line = resolve_game("startpos")
    with catch_interrupts() as interrupt, closing(open_engine("python-chess")) as engine:
        client = EngineSession(engine, ForegroundCallRunner(interrupt))
        with pytest.raises(UsageError, match="depth 12 has about"):
            check_duration(line, 12, [client], math.inf)
        check_duration(line, 12, [client], 1e20)
    assert "nodes" in capsys.readouterr().err


def test_a_game_that_is_over_takes_no_time(run: Run) -> None:
    done = run("perft", MATE, "99", "-e", "python-chess", **WIDE)
    assert (done.returncode, done.stdout) == (0, "0\n")


def test_what_takes_minutes_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW.replace("SPEED", "50_000"))
    done = run("perft", "startpos", "6", "-e", "python:slow:count", "--timeout", "0.5", **WIDE)
    assert re.search(
        r"^about \d+ M nodes, which will take python:slow:count .* at [\d.]+ k?n/s$", done.stderr, re.MULTILINE
    )
    assert done.returncode == 3  # it has not answered
