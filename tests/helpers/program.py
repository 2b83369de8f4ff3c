"""The program as its users run it, in a process of its own or called in this one: two outputs, an exit status."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch

import pytest
from helpers.fork_server import ForkedProcess, can_fork
from perft_check.harness.cli.program import run_command_line

PROGRAM = [sys.executable, "-m", "perft_check"]
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
IN_A_PIPE = {"COLUMNS": "100", "NO_COLOR": "1"}
COMPILING = re.compile(r"compiling (a kernel|\d+ kernels) for this machine, once: about \d+ s\n")
"""What stderr has where a test is the first to use a kernel."""
WIDE = {"COLUMNS": "1000"}
"""Variables for a run whose lines are not broken."""

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

needs_stockfish = pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed")


def run_in(folder: Path, *arguments: str, **variables: str) -> Done:
    """Run `perft-check` in a folder, as in a pipe: no colors, 100 columns; `variables` go to its environment.

    Its stderr is that of a machine on which the kernels are compiled.
    """
    process = start_in(folder, *arguments, **variables)
    stdout, stderr = process.communicate(timeout=300)
    return subprocess.CompletedProcess(process.args, process.wait(), stdout, COMPILING.sub("", stderr))


def start_in(folder: Path, *arguments: str, **variables: str) -> ForkedProcess | subprocess.Popen[str]:
    """Start `perft-check` in a folder as `run_in` does, with its outputs in pipes."""
    environment = os.environ | IN_A_PIPE | variables
    if can_fork(arguments, environment):
        return ForkedProcess(arguments, folder, environment)
    pipe = subprocess.PIPE
    words = [*PROGRAM, *arguments]
    return subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, cwd=folder, env=environment
    )


def called_in(folder: Path, captured: pytest.CaptureFixture[str], *arguments: str, **variables: str) -> Done:
    """Do what `run_in` does in this process, which saves the second that Python and the kernels take to load.

    `captured` must see what child processes write, as `capfd` does.
    """
    captured.readouterr()
    with chdir(folder), patch.dict(os.environ, IN_A_PIPE | variables):
        status = run_command_line(arguments)
    stdout, stderr = captured.readouterr()
    return subprocess.CompletedProcess(arguments, status, stdout, COMPILING.sub("", stderr))


def printed_by_python(code: str, stdin: str = "", **variables: str) -> str:
    """Return what a new Python process prints to stdout; it has to exit with status 0."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=stdin,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def wrong(run: Run, *arguments: str, **variables: str) -> str:
    """Return the one line of a command line that is refused."""
    done = run(*arguments, **variables)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("perft-check: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("perft-check: ").removesuffix("\n")
