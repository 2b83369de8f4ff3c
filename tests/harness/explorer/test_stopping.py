"""Signals, Ctrl-C and Ctrl-Z on a terminal, which is restored, and nothing is left behind."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from helpers.processes import restore_signals

LEAVE, TAKE = b"\x1b[?1049l", b"\x1b[?1049h"
"""The escape sequences that leave and enter the alternate screen."""


class ExplorerTerminal:
    """The explorer on a pseudo-terminal."""

    def __init__(self, **variables: str) -> None:
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:  # pragma: no cover: this is the explorer itself
            restore_signals()
            words = [sys.executable, "-m", "perft_check", "explore", "--no-config", "startpos", "--depth", "1"]
            os.execve(words[0], words, {**os.environ, "TERM": "xterm", **variables})
        self.shown = b""

    def wait_for(self, words: bytes, times: int = 1) -> None:
        """Read until these bytes have occurred `times` times."""
        end = time.monotonic() + 60
        while self.shown.count(words) < times:
            assert time.monotonic() < end, self.shown[-500:]
            self._read()

    def write(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._terminal, keys)

    def status(self) -> int:
        """Wait for the end, and return the exit status."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._read()
            if pid:
                return os.waitstatus_to_exitcode(status)
        raise AssertionError("the explorer does not end")

    def close(self) -> None:
        """Kill the process if it is still running."""
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._terminal)

    def _read(self) -> None:
        if select.select([self._terminal], [], [], 0.05)[0]:
            with suppress(OSError):  # the terminal has no other end any more
                self.shown += os.read(self._terminal, 65536)


@pytest.fixture
def terminal() -> Iterator[ExplorerTerminal]:
    """Return an explorer that has been drawn."""
    explorer = ExplorerTerminal()
    try:
        explorer.wait_for(b"depth 1")
        yield explorer
    finally:
        explorer.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_restores_the_terminal(terminal: ExplorerTerminal, number: signal.Signals) -> None:
    """The exit status is that of interrupted commands."""
    os.kill(terminal.pid, number)
    assert terminal.status() == 130
    assert LEAVE in terminal.shown
    for mode in (1000, 1003, 1006):  # the mouse
        assert terminal.shown.rfind(f"\x1b[?{mode}l".encode()) > terminal.shown.rfind(f"\x1b[?{mode}h".encode())
    assert terminal.shown.rfind(b"\x1b[?25h") > terminal.shown.rfind(b"\x1b[?25l"), "the cursor is shown"


@pytest.mark.slow
@pytest.mark.parametrize("before", [b"", b"e", b"?"], ids=["tree", "editor", "help"])
def test_ctrl_c_quits_from_every_page(terminal: ExplorerTerminal, before: bytes) -> None:
    """No other key is required."""
    terminal.write(before + b"\x03")
    assert terminal.status() == 130
    assert LEAVE in terminal.shown


@pytest.mark.slow
def test_ctrl_z_suspends_and_fg_resumes(terminal: ExplorerTerminal) -> None:
    """In between, the shell has the terminal."""
    terminal.write(b"\x1a")
    terminal.wait_for(LEAVE)
    os.waitpid(terminal.pid, os.WUNTRACED)
    os.kill(terminal.pid, signal.SIGCONT)
    terminal.wait_for(TAKE, 2)
    terminal.write(b"q")
    assert terminal.status() == 0


@pytest.mark.slow
def test_a_dumb_terminal_is_rejected() -> None:
    explorer = ExplorerTerminal(TERM="dumb")
    try:
        assert explorer.status() == 2
        assert b"TERM is dumb" in explorer.shown
        assert TAKE not in explorer.shown
    finally:
        explorer.close()
