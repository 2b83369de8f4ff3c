"""An engine that writes endlessly: `python floods.py WHEN WHAT [FILE]`.

WHEN is "at-once", "when-ready", "when-it-counts" or "afterwards", which is after its first answer. "unless-perft" is an
engine that counts for `perft N`, and "talks" a correct one that writes much, but not endlessly. WHAT is what it writes,
a key of `WRITTEN`. A line is written to FILE when the flood has begun.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.engine import FakeEngine, say

WRITTEN = {
    "lines": b"rubbish\n",
    "slow-lines": b"rubbish\n",
    "short-lines": b"yes\n",
    "empty-lines": b"\r\n",
    "one-line": b"rubbish ",
    "moves": b"e2e4: 20\n",
    "answers": b"uciok\nreadyok\n",
    "errors": b"debug\n",
}
BLOCK = 65_536
TALK = 20_000
"""Lines of an engine that talks."""
NAP_SECONDS = 0.001
"""Pause between two lines of a slow engine."""


class Flooding(FakeEngine):
    """Is correct until it floods."""

    def __init__(self, when: str, what: str, file: str) -> None:
        super().__init__(file)
        self.when = when
        self.nap = NAP_SECONDS if what == "slow-lines" else 0.0
        self.block = WRITTEN[what] * (1 if self.nap else BLOCK // len(WRITTEN[what]))
        self.output = 2 if what == "errors" else 1

    def flood(self) -> None:
        """Write endlessly."""
        os.write(self.output, self.block)
        if self.argument:
            with Path(self.argument).open("a", encoding="utf-8") as file:
                file.write("a flood\n")
        while True:
            os.write(self.output, self.block)
            if self.nap:
                time.sleep(self.nap)

    def serve(self) -> None:
        if self.when == "at-once":
            self.flood()
        super().serve()

    def greet(self) -> None:
        super().greet()
        sys.stdout.flush()
        if self.when == "when-ready":
            self.flood()

    def hear(self, line: str) -> None:
        if self.when == "unless-perft" and line.startswith("perft "):
            super().answer(int(line.split()[1]))
        else:
            super().hear(line)

    def answer(self, depth: int) -> None:
        if self.when in ("when-it-counts", "unless-perft"):
            self.flood()
        if self.when == "talks":
            say(*(f"info string line {number:0200} of what it has to say" for number in range(TALK)))
        super().answer(depth)
        if self.when == "afterwards":
            self.flood()


if __name__ == "__main__":
    when, what, *file = sys.argv[1:]
    Flooding(when, what, "".join(file)).serve()
