"""Engines that misbehave or are too slow: commands end by themselves, and refuse counts that cannot end."""

from __future__ import annotations

import ast
import shlex
import sys
from functools import partial
from pathlib import Path

import pytest
from helpers.processes import processes_called_with, until
from helpers.program import WIDE, Run, run_in

pytestmark = pytest.mark.slow  # each test starts processes

PROGRAM = Path(__file__).parents[3] / "benchmarks" / "robustness" / "misbehaving.py"
COMMANDS = {
    "count": ["count", "startpos", "2", "--split", "1", "--threads", "2"],
    "cover": ["cover", "-s", "smoke", "--max-depth", "1", "--filter", "cpw"],
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


def test_a_count_keeps_the_time_limit(run: Run, tmp_path: Path) -> None:
    mark = f"--mark={tmp_path}"
    engine = f"uci:{shlex.join([sys.executable, str(PROGRAM), 'hangs', mark])}"
    done = run("count", "startpos", "2", "--split", "1", "-e", engine, "--timeout", "3", "--threads", "3")
    assert (done.returncode, done.stdout) == (3, ""), done.stderr
    *_, last = done.stderr.splitlines()
    assert last.startswith("perft-check: the first 3 pieces have failed: misbehaving.py has not answered within 3")
    until(lambda: not processes_called_with(mark))


MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


def test_a_game_that_is_over_takes_no_time(run: Run) -> None:
    done = run("perft", MATE, "99", "-e", "python-chess", **WIDE)
    assert (done.returncode, done.stdout) == (0, "0\n")
