"""A UCI engine whose answers vary: `python varying.py WHAT SHARE FILE`.

`deep` adds a leaf to that share of the counts of depth 2 and more, `all` to that share of all counts, and
`first` omits the first root move. The file contains the number of questions to all processes, which decides instead of
chance.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.engine import FakeEngine
from fakes.uci_engine import START


class Varying(FakeEngine):
    """Is correct in the starting position."""

    def answer(self, depth: int) -> None:
        what, share, name = self.argument.split()
        file = Path(name)
        number = int(file.read_text()) + 1 if file.exists() else 1
        file.write_text(str(number))
        divide = self.divide(depth)
        is_asked = self.fen != START and (depth > 1 or what != "deep")
        if divide and is_asked and random.Random(number).random() < float(share):
            move = next(iter(divide))
            if what == "first":
                del divide[move]
            else:
                divide[move] += 1
        self.show(divide, None if divide else 1)


if __name__ == "__main__":
    Varying(" ".join(sys.argv[1:])).serve()
