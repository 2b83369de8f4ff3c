"""A correct engine with its own command for positions: `python own_position_word.py WORD [silent]`.

It needs python-chess, and speaks UCI without `position`: `WORD FEN` sets up a position, and `perft N` counts. With the
word `none` no command sets up positions. It complains about other words, unless it is silent.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.uci_engine import UciEngine


class OwnWord(UciEngine):
    """Sets up positions by its own word."""

    greeting = "id name told"

    def __init__(self, word: str, *, is_silent: bool) -> None:
        super().__init__()
        self._word, self._is_silent = word, is_silent

    def hear(self, line: str) -> None:
        match line.split():
            case ["uci" | "isready"]:
                super().hear(line)
            case [first, *rest] if first == self._word:
                self.position(" ".join(rest), [])
            case ["perft", depth]:
                self.answer(int(depth))
            case words if words and not self._is_silent:
                print("Unknown command:", line.strip())


if __name__ == "__main__":
    OwnWord(sys.argv[1], is_silent="silent" in sys.argv).serve()
