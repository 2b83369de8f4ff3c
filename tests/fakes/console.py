"""A console with peculiar commands that only its help names; argv[1] chooses the commands."""

from __future__ import annotations

import sys
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).parents[1]))
from fakes.counting import perft

HELPS = {
    "table": "Available commands:\n  newpos FEN      set up a position\n  perftsplit N    nodes of each move\n  quit",
    "dashes": "* walk <depth> - count leaf nodes\n* place <fen> - put the pieces on the board\n* exit - end",
    "list": "Commands: new, place FEN, countmoves [depth], save FILE, quit",
    "whole": "best <depth> <fen>\nnodes <depth> <fen>\nsave <fen> <file>",
    "uci": "uci, isready, position, go, rootcount <depth>, perft_file FILE, quit",
}
"""Help texts."""
SETS_UP = ("newpos", "place")
COUNTS = ("perftsplit", "walk", "countmoves", "rootcount")


def answer(manner: str, words: list[str], board: chess.Board) -> str:
    """Return the answer to a command; commands for positions set up the board."""
    offered = HELPS[manner]
    if words[0] == ("?" if manner == "whole" else "help"):
        return offered
    if words[0] == "save":
        Path("saved").touch()
    if manner == "uci":
        if words[:2] == ["position", "fen"]:
            board.set_fen(" ".join(words[2:8]))
        if words[0] == "position":
            return ""
        known = {"uci": "id name Console\nuciok", "isready": "readyok"}
        if words[0] in known:
            return known[words[0]]
    if words[0] not in offered.replace(",", " ").split() or len(words) < 2:
        return f"I do not know {words[0]}"
    if manner == "whole":
        depth = int(words[1]) if words[1].isdigit() else 0
        return str(perft(chess.Board(" ".join(words[2:])), depth)) if words[0] == "nodes" else "e2e4"
    if words[0] in SETS_UP:
        board.set_fen(" ".join(words[1:]))
        return "ok"
    return f"Leaves: {perft(board, int(words[1]))}" if words[0] in COUNTS else ""


def main() -> None:
    """Answer the lines of stdin."""
    board = chess.Board()
    print("Console of a chess program, type help", flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[:1] in (["quit"], ["exit"]):
            break
        if words:
            print(answer(sys.argv[1], words, board), flush=True)


main()
