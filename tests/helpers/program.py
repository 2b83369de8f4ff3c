"""Run `perft-check` as users do, in a separate process or in this one."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch

import pytest
from helpers.each import check_each
from helpers.fork_server import ForkedProcess, can_fork
from perft_check.harness.cli.program import run_command_line

PROGRAM = [sys.executable, "-m", "perft_check"]
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
IN_A_PIPE = {"COLUMNS": "100", "NO_COLOR": "1"}
COMPILING = re.compile(r"compiling (a kernel|\d+ kernels) for this machine \(only once, about \d+ s\)\n")
"""The notice on stderr if a test is the first to use a kernel."""
WIDE = {"COLUMNS": "1000"}
"""Environment variables for unwrapped lines."""

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

needs_stockfish = pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed")


def run_in(folder: Path, *arguments: str, **variables: str) -> Done:
    """Run `perft-check` in a folder, with its output in pipes: no colors, 100 columns.

    `variables` are added to its environment. Notices about compilation are removed from stderr.
    """
    process = start_in(folder, *arguments, **variables)
    stdout, stderr = process.communicate(timeout=300)
    return subprocess.CompletedProcess(process.args, process.wait(), stdout, COMPILING.sub("", stderr))


def start_in(folder: Path, *arguments: str, **variables: str) -> ForkedProcess | subprocess.Popen[str]:
    """Start `perft-check` in a folder, like `run_in`."""
    environment = os.environ | IN_A_PIPE | variables
    if can_fork(arguments, environment):
        return ForkedProcess(arguments, folder, environment)
    pipe = subprocess.PIPE
    words = [*PROGRAM, *arguments]
    return subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, cwd=folder, env=environment
    )


def called_in(folder: Path, captured: pytest.CaptureFixture[str], *arguments: str, **variables: str) -> Done:
    """Do the same as `run_in` in this process, which saves the second for loading Python and the kernels.

    `captured` must include the output of child processes, like `capfd`.
    """
    captured.readouterr()
    with chdir(folder), patch.dict(os.environ, IN_A_PIPE | variables):
        status = run_command_line(arguments)
    stdout, stderr = captured.readouterr()
    return subprocess.CompletedProcess(arguments, status, stdout, COMPILING.sub("", stderr))


def printed_by_python(code: str, stdin: str = "", **variables: str) -> str:
    """Run code in a new Python process that must succeed; return its stdout."""
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
    """Run a command that must fail with exit status 2; return its message of one line."""
    done = run(*arguments, **variables)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("perft-check: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("perft-check: ").removesuffix("\n")


def check_mistakes(run: Run, messages: Mapping[str, str], *before: str) -> None:
    """Check that command lines fail with exit status 2 and one line that starts with their message.

    `before` are the first words of all command lines. A message after `...` may stand anywhere in its line.
    """

    def check(words: str) -> None:
        said, message = wrong(run, *before, *shlex.split(words)), messages[words]
        assert message[3:].lstrip() in said if message.startswith("...") else said.startswith(message), said

    check_each(check, messages)
