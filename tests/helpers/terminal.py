"""A terminal to run the program on."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from pathlib import Path

from helpers.program import PROGRAM

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
    drawn = b""
    try:
        while data := os.read(terminal, 65536):
            drawn += data
    except OSError:  # Linux's way to say that the other end is closed
        pass
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), drawn.decode()


def plain(drawn: str) -> list[str]:
    """Return the lines of what was drawn, without colors and without spaces at their ends."""
    return [line.rstrip() for line in _CONTROL.sub("", drawn).splitlines()]
