"""An engine that misbehaves where there is a queen: `python moody.py crash|hang|garbage|slip`, else it is right."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.engine import START, Crashes, FakeEngine, Garbage, Hangs


class Slips(FakeEngine):
    """Takes half a second to count one leaf too many."""

    def show(self, divide: dict[str, int], total: int | None = None) -> None:
        time.sleep(0.5)
        move = next(iter(divide))
        FakeEngine.show(self, divide | {move: divide[move] + 1})  # `self` is no Slips

    def perft(self, depth: int) -> None:
        Slips.show(self, self.divide(depth))


MOODS = {"crash": Crashes, "hang": Hangs, "garbage": Garbage, "slip": Slips}


class Moody(FakeEngine):
    """Right from the start, and wherever there is no queen."""

    def perft(self, depth: int) -> None:
        has_queen = "q" in self.fen.split()[0].lower()
        misbehaving = MOODS[self.argument] if has_queen and self.fen != START else FakeEngine
        misbehaving.perft(self, depth)


if __name__ == "__main__":
    Moody(sys.argv[1]).serve()
