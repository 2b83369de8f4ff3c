"""A terminal to run the program on."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from threading import Thread
from unittest.mock import patch

from helpers.program import PROGRAM
from perft_check.harness.cli.program import run_command_line

UPDATES = "UPDATE_SNAPSHOTS"
"""The variable that has snapshots written in place of compared."""
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_a_terminal(arguments: list[str], folder: Path, columns: int = 80) -> tuple[int, str]:
    """Run the program on a terminal of so many columns; return its exit status and all that it has drawn."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        os.chdir(folder)
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"TERM": "xterm"}
        # Not `execv`: the readline library, where it is loaded, adds COLUMNS where `os.environ` does not show it.
        os.execve(sys.executable, [*PROGRAM, *arguments], environment)
    drawn = bytearray()
    _read_all(terminal, drawn)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), drawn.decode()


def called_on_a_terminal(folder: Path, arguments: Sequence[str], columns: int) -> tuple[int, str]:
    """Carry out a command line in this process with its stdout on a terminal; return its status and what is drawn."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    drawn = bytearray()
    reader = Thread(target=_read_all, args=(ours, drawn))
    reader.start()
    unset = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    try:
        with (
            chdir(folder),
            patch.dict(os.environ, unset | {"TERM": "xterm"}, clear=True),
            os.fdopen(theirs, "w", encoding="utf-8") as screen,
            patch.object(sys, "stdout", screen),
        ):
            status = run_command_line(arguments)
    finally:
        reader.join()
        os.close(ours)
    return status, drawn.decode()


def _read_all(terminal: int, drawn: bytearray) -> None:
    try:
        while data := os.read(terminal, 65536):
            drawn += data
    except OSError:  # Linux's way to say that the other end is closed
        pass


def compare_with_kept(path: Path, shown: str) -> None:
    """Compare a text with the one that was looked at and kept."""
    if os.environ.get(UPDATES):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8"), f"{path.name}: look at it; with {UPDATES}=1 it is written anew"


def plain(drawn: str) -> list[str]:
    """Return the lines of what was drawn, without colors and without spaces at their ends."""
    return [line.rstrip() for line in _CONTROL.sub("", drawn).splitlines()]
