"""An engine that knows `perft N` only, and leaves a file, named by the argument, once it is asked for `go perft N`."""

from __future__ import annotations

import sys
from pathlib import Path

import chess


def count(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def main(mark: Path) -> None:
    board = chess.Board()
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                print("uciok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position", "fen", *rest]:
                place = rest.index("moves") if "moves" in rest else len(rest)
                board = chess.Board(" ".join(rest[:place]))
                for move in rest[place + 1 :]:
                    board.push_uci(move)
            case ["go", "perft", _]:
                mark.touch()
            case ["perft", depth]:
                print(f"Nodes searched: {count(board, int(depth))}", flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
