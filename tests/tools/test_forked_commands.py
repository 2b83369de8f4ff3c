"""A command forked by the test server behaves like one that a user starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.fork_server import ForkedProcess, can_fork
from helpers.processes import handles, until
from helpers.program import COMPILING, IN_A_PIPE, PROGRAM, run_in

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each command is started as a user does")

COUNT = ("perft", "startpos", "15", "-e", "python-chess")
"""A command that does not end by itself."""


def started(folder: Path, *arguments: str) -> ForkedProcess:
    """Fork a command."""
    variables = os.environ | IN_A_PIPE
    assert can_fork(arguments, variables)
    return ForkedProcess(arguments, folder, variables)


@pytest.mark.slow
def test_output_and_exit_status_are_the_same(tmp_path: Path) -> None:
    for words in (["divide", "startpos", "1"], ["moves", "startpos"], ["init"], ["pert"]):
        forked = started(tmp_path, *words)
        stdout, stderr = forked.communicate(timeout=300)
        environment = os.environ | IN_A_PIPE
        plain = subprocess.run(
            [*PROGRAM, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert (forked.returncode, stderr) == (plain.returncode, COMPILING.sub("", plain.stderr))
        assert stdout == plain.stdout


@pytest.mark.slow
def test_folder_and_variables_are_separate(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for number, folder in enumerate(folders, 1):
        folder.mkdir()
        (folder / "mine.py").write_text(f"def count(fen, depth): return {number}\n")
        assert run_in(folder, "perft", "startpos", "1", "-e", "python:mine:count", "--alone").stdout == f"{number}\n"
    options = ("-s", "smoke", "--max-depth", "1", "-q")
    refused = run_in(tmp_path, *options, CI="true")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert run_in(tmp_path, *options, CI="true", PERFT_CHECK_ENGINE="python-chess").returncode == 0
    assert run_in(tmp_path, *options).returncode == 0


def test_signals_reach_the_command(tmp_path: Path) -> None:
    process = started(tmp_path, *COUNT)
    until(lambda: handles(process.pid, signal.SIGTERM))
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=120) == ("", "interrupted before the count was complete\n")
    assert process.returncode == 130
    process = started(tmp_path, *COUNT)
    process.kill()
    assert process.wait(120) == -signal.SIGKILL


def test_variables_read_at_startup_need_a_new_process() -> None:
    assert can_fork(COUNT, os.environ | {"COLUMNS": "60"})
    assert not can_fork(COUNT, os.environ | {"NUMBA_CPU_NAME": "generic"})
    assert not can_fork(COUNT, os.environ | {"PYTHONOPTIMIZE": "1"})
    assert not can_fork(["x" * 200_000], os.environ)
