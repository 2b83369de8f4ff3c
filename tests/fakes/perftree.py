"""A correct script in the perftree convention: `python perftree.py DEPTH FEN ["MOVE MOVE ..."]`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.counting import board_after, divide


def main(depth: str, fen: str, moves: str = "") -> None:
    """Print the divide, a blank line, and the total."""
    counts = divide(board_after(fen, moves.split()), int(depth))
    for move in counts:
        print(move.uci, move.nodes)
    print()
    print(sum(move.nodes for move in counts) if int(depth) > 0 else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
