"""A correct engine with its own command for positions: `python own_position_word.py WORD [silent]`.

It needs python-chess, and speaks UCI without `position`: `WORD FEN` sets up a position, and `perft N` counts. With the
word `none` no command sets up positions. It complains about other words, unless it is silent.
"""

from __future__ import annotations

import sys
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.counting import divide


def serve(word: str, *, is_silent: bool) -> None:
    board = chess.Board()
    for line in sys.stdin:
        match line.split():
            case ["quit"]:
                return
            case ["uci"]:
                print("id name told\nuciok")
            case ["isready"]:
                print("readyok")
            case [first, *rest] if first == word:
                board = chess.Board(" ".join(rest))
            case ["perft", depth]:
                moves = divide(board, int(depth))
                print(*(f"{move.uci}: {move.nodes}" for move in moves), sep="\n")
                print("Nodes:", sum(move.nodes for move in moves))
            case words if words and not is_silent:
                print("Unknown command:", line.strip())
        sys.stdout.flush()


if __name__ == "__main__":
    serve(sys.argv[1], is_silent="silent" in sys.argv)
