"""An engine that misbehaves in positions with a queen: `python moody.py crash|hang|garbage|slip`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.engine import Crashes, FakeEngine, Garbage, Hangs
from fakes.uci_engine import START


class Slips(FakeEngine):
    """Counts one leaf too many, in half a second."""

    def show(self, divide: dict[str, int], total: int | None = None) -> None:
        time.sleep(0.5)
        move = next(iter(divide))
        FakeEngine.show(self, divide | {move: divide[move] + 1})  # `self` is no Slips

    def answer(self, depth: int) -> None:
        Slips.show(self, self.divide(depth))


MOODS = {"crash": Crashes, "hang": Hangs, "garbage": Garbage, "slip": Slips}


class Moody(FakeEngine):
    """Is correct in the starting position and in positions without queens."""

    def answer(self, depth: int) -> None:
        has_queen = "q" in self.fen.split()[0].lower()
        misbehaving = MOODS[self.argument] if has_queen and self.fen != START else FakeEngine
        misbehaving.answer(self, depth)


if __name__ == "__main__":
    Moody(sys.argv[1]).serve()
