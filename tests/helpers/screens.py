"""Run the program on a terminal, press keys, and read the screen."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import pyte
from helpers.program import PROGRAM
from helpers.terminal import start_on_terminal

MOST_SECONDS = 60.0
"""Time limit for a text to appear on the screen, in seconds."""


class Screen:
    """A terminal with a program on it."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        columns: int = 80,
        rows: int = 24,
        program: Sequence[str] = PROGRAM,
        **variables: str,
    ) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "CI", "NO_COLOR")}
        self._process, self._terminal = start_on_terminal(
            program, arguments, folder, (rows, columns), kept | {"TERM": "xterm-256color"} | variables
        )
        self._screen = pyte.HistoryScreen(columns, rows, history=1000)
        self._stream = pyte.ByteStream(self._screen)
        self._has_ended = False

    def __enter__(self) -> Screen:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if not self._has_ended:
            self._process.kill()
            self._process.wait()
        os.close(self._terminal)

    @property
    def text(self) -> str:
        """The text on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def press(self, keys: str) -> None:
        """Send keys to the program."""
        os.write(self._terminal, keys.encode())

    def shows(self, words: str) -> bool:
        """Wait for words, which may be wrapped, and return True if the screen shows them in time."""
        end = time.monotonic() + MOST_SECONDS
        while words not in self.text and words not in " ".join(self.text.split()):
            if time.monotonic() > end or not self._read(0.2):
                return words in self.text
        return True

    def reads(self) -> bool:
        """Read the output of a moment; return True if there may be more."""
        return self._read(0.2)

    def status(self) -> int:
        """Wait for the program to end by itself; return its exit status."""
        end = time.monotonic() + MOST_SECONDS
        while self._read(0.2) and time.monotonic() < end:
            pass
        self._has_ended = True
        return self._process.wait()

    @property
    def hides_cursor(self) -> bool:
        """True if the cursor is hidden."""
        return bool(self._screen.cursor.hidden)

    def send(self, number: int) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def _read(self, seconds: float) -> bool:
        """Read the output within a time; return True if there may be more."""
        if select.select([self._terminal], [], [], seconds)[0]:
            try:
                self._stream.feed(os.read(self._terminal, 65536))
            except OSError:  # on Linux: the other end is closed
                return False
        return True
