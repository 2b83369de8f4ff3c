"""Run the program on a terminal, and compare output with snapshots."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from threading import Thread
from unittest.mock import patch

from helpers.fork_server import ForkedProcess, can_fork
from helpers.processes import restore_signals
from helpers.program import PROGRAM
from perft_check.harness.cli.program import run_command_line

UPDATES = "UPDATE_SNAPSHOTS"
"""The environment variable that makes tests write snapshots instead of comparing them."""
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def start_on_terminal(
    program: Sequence[str], arguments: Sequence[str], folder: Path, size: tuple[int, int], variables: Mapping[str, str]
) -> tuple[ForkedProcess | subprocess.Popen[bytes], int]:
    """Start a program on a terminal of the given rows and columns, in a new session; return both."""
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    process: ForkedProcess | subprocess.Popen[bytes]
    if program is PROGRAM and can_fork(arguments, variables):
        process = ForkedProcess(arguments, folder, variables, end)
    else:
        process = subprocess.Popen(
            [*program, *arguments],
            stdin=end,
            stdout=end,
            stderr=end,
            cwd=folder,
            env=variables,
            start_new_session=True,
            preexec_fn=_control_terminal,
        )
    os.close(end)
    return process, terminal


def _control_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    restore_signals()


def run_on_terminal(arguments: list[str], folder: Path, columns: int = 80) -> tuple[int, str]:
    """Run the program on a terminal with a number of columns; return its exit status and output."""
    variables = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"TERM": "xterm"}
    process, terminal = start_on_terminal(PROGRAM, arguments, folder, (40, columns), variables)
    drawn = bytearray()
    _read_all(terminal, drawn)
    os.close(terminal)
    return process.wait(), drawn.decode()


def call_on_terminal(folder: Path, arguments: Sequence[str], columns: int) -> tuple[int, str]:
    """Run a command line in this process with stdout on a terminal; return its exit status and output."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    drawn = bytearray()
    reader = Thread(target=_read_all, args=(master, drawn))
    reader.start()
    unset = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    try:
        with (
            chdir(folder),
            patch.dict(os.environ, unset | {"TERM": "xterm"}, clear=True),
            os.fdopen(slave, "w", encoding="utf-8") as screen,
            patch.object(sys, "stdout", screen),
        ):
            status = run_command_line(arguments)
    finally:
        reader.join()
        os.close(master)
    return status, drawn.decode()


def _read_all(terminal: int, drawn: bytearray) -> None:
    try:
        while data := os.read(terminal, 65536):
            drawn += data
    except OSError:  # on Linux: the other end is closed
        pass


def compare_with_snapshot(path: Path, shown: str) -> None:
    """Compare a text with its snapshot."""
    if os.environ.get(UPDATES):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8"), (
        f"{path.name}: review the difference; {UPDATES}=1 updates the snapshot"
    )


def plain_lines(drawn: str) -> list[str]:
    """Return the lines of an output, without escape sequences and trailing spaces."""
    return [line.rstrip() for line in _CONTROL.sub("", drawn).splitlines()]
