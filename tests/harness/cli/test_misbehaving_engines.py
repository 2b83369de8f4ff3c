"""Engines that misbehave or are too slow: commands end by themselves, and refuse counts that cannot end."""

from __future__ import annotations

import ast
import math
import re
import shlex
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from helpers.processes import processes_called_with, until
from helpers.program import WIDE, Run, run_in, wrong
from perft_check.errors import UsageError
from perft_check.harness.cli.estimating import check_duration
from perft_check.harness.engines.asking.runner import ForegroundCallRunner
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.shutdown import catch_interrupts
from perft_check.suites.positions import resolve_game

pytestmark = pytest.mark.slow  # each test starts processes

PROGRAM = Path(__file__).parents[3] / "benchmarks" / "robustness" / "misbehaving.py"
COMMANDS = {
    "count": ["count", "startpos", "2", "--split", "1", "--threads", "2"],
    "cover": ["cover", "-s", "smoke", "--max-depth", "1", "--time", "2"],
    "bench": ["bench", "-p", "kiwipete", "--depth", "1", "--seconds", "0.1", "--rounds", "1"],
    "divide": ["divide", "kiwipete", "1"],
    "perft": ["perft", "kiwipete", "1"],
}
TIMEOUT = "0.5"


def names() -> list[str]:
    """Return the names of the engines: the first word of each call that makes one."""
    tree = ast.parse(PROGRAM.read_text())
    makers = {"engine", "starting", "counting", "printing"}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    made = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in makers]
    return [str(word.value) for call in made if isinstance(word := call.args[0], ast.Constant)]


DAILY = {
    ("count", "drips"),
    ("count", "ignores-signals"),
    ("count", "stops-when-it-counts"),
    ("count", "zero-bytes-when-it-counts"),
    ("count", "invalid-utf-8-when-it-counts"),
    ("count", "answers-in-utf-16"),
    ("count", "forks-and-hangs"),
    ("count", "closes-its-output"),
    ("count", "lines-without-end"),
    ("cover", "forks-and-hangs"),
    ("cover", "exits-3"),
    ("bench", "hangs"),
    ("bench", "segfault"),
    ("divide", "drips"),
    ("divide", "not-a-number"),
    ("perft", "a-line-without-an-end"),
    ("perft", "forks-and-hangs"),
}
"""These are tried every day, all the others with `pytest -m long`."""
PAIRS = [
    pytest.param(command, name, marks=[pytest.mark.long] * ((command, name) not in DAILY))
    for command in COMMANDS
    for name in names()
]


def test_all_that_are_tried_daily_are_there() -> None:
    assert len(names()) > 100
    assert {name for _, name in DAILY} <= {*names()}


@pytest.mark.parametrize(("command", "name"), PAIRS)
def test_it_ends_by_itself_and_leaves_nothing_behind(run: Run, tmp_path: Path, command: str, name: str) -> None:
    mark = f"--mark={tmp_path}"
    engine = f"uci:{shlex.join([sys.executable, str(PROGRAM), name, mark])}"
    has_daemon = "daemon" in name or "forks" in name  # only a process of its own adopts what an engine leaves behind
    ask = partial(run_in, tmp_path) if has_daemon else run
    done = ask(*COMMANDS[command], "-e", engine, "--timeout", TIMEOUT)
    assert done.returncode in (0, 1, 2, 3, 4), done
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == 0 or done.stderr.strip() or done.stdout.strip()
    until(lambda: not processes_called_with(mark), f"the end of all processes of {name}")
    until(lambda: not processes_called_with(f"misbehaving-daemon-of-{name}"), f"the end of the daemons of {name}")


@pytest.mark.parametrize("options", [["--threads", "3"], ["--jobs", "3"]])
def test_a_count_keeps_the_limit_wherever_it_counts(run: Run, tmp_path: Path, options: list[str]) -> None:
    mark = f"--mark={tmp_path}"
    engine = f"uci:{shlex.join([sys.executable, str(PROGRAM), 'hangs', mark])}"
    done = run("count", "startpos", "2", "--split", "1", "-e", engine, "--timeout", "3", *options)
    assert (done.returncode, done.stdout) == (3, ""), done.stderr
    *_, last = done.stderr.splitlines()
    assert last.startswith("perft-check: the first 3 pieces have failed: misbehaving.py has not answered within 3")
    until(lambda: not processes_called_with(mark))


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
