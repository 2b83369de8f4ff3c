"""The explorer in a browser: the server, and the screen as its page gets it."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyte
from helpers.program import PROGRAM

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TURNS = 600
"""Tenths of a second that the screen may take to show something, on a machine that has much to do."""


@contextmanager
def served(folder: Path, *words: str, program: Sequence[str] = PROGRAM) -> Iterator[str]:
    """Serve the explorer with these words; yield the address, with its token."""
    process = subprocess.Popen(
        [*program, "explore", *words, "--serve", "--port", "0"], cwd=folder, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "exploring at" in line)
        found = re.fullmatch(r"exploring at (http://127\.0\.0\.1:\d+/\?token=[\w-]{22}) : Ctrl-C ends\n", line)
        assert found, line
        yield found[1]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


class ExplorerPage:
    """The screen as the page gets it, with what the page has asked for."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._screen = pyte.Screen(200, 100)  # larger than any window
        self._stream = pyte.ByteStream(self._screen)
        self.requests: list[str] = []
        self.page = browser.new_page(viewport={"width": 730, "height": 470})
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._take))
        self.page.goto(f"{address}&fontsize=15")

    def _take(self, frame: bytes | str) -> None:
        if isinstance(frame, bytes):
            self._stream.feed(frame)

    @property
    def text(self) -> str:
        """What the screen shows, on one line."""
        return " ".join(" ".join(self._screen.display).split())

    def shows(self, words: str) -> bool:
        """Tell whether the screen comes to show words."""
        for _ in range(TURNS):
            if words in self.text:
                return True
            self.page.wait_for_timeout(100)
        return False

    def colors(self) -> int:
        """Return how many colors the page draws."""
        found: int = self.page.evaluate(
            """() => {
                const canvas = document.querySelector('canvas.xterm-text-layer');
                const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                const colors = new Set();
                for (let at = 0; at < data.length; at += 4) colors.add(`${data[at]} ${data[at + 1]} ${data[at + 2]}`);
                return colors.size;
            }"""
        )
        return found
