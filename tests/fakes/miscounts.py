"""A correct generator whose totals are incorrect in one way in all positions.

python miscounts.py uci ERROR [moves]      speaks UCI; with `moves` it also prints correct root moves
python miscounts.py argv ERROR FEN DEPTH   takes the position as arguments
python:miscounts:count                     a function; the error is named in MISCOUNTS
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import chess
from fakes.counting import divide, perft
from fakes.uci_engine import UciEngine

Moves = Callable[[chess.Board], Iterable[chess.Move]]


def tree(board: chess.Board, depth: int, moves: Moves, last: Moves, *, keeps_turn: bool = False) -> int:
    """Return the number of leaves of a tree of the given moves."""
    if depth == 1:
        return len(list(last(board)))
    nodes = 0
    for move in list(moves(board)):
        after = board.copy(stack=False)
        after.push(move)
        if keeps_turn:
            after.turn, after.ep_square = board.turn, None
        nodes += tree(after, depth - 1, moves, last, keeps_turn=keeps_turn)
    return nodes


def legal(board: chess.Board) -> Iterable[chess.Move]:
    return board.legal_moves


def pseudo_legal(board: chess.Board) -> Iterable[chess.Move]:
    return board.pseudo_legal_moves


def of_white(board: chess.Board, depth: int) -> int:
    turned = board.copy(stack=False)
    if board.turn == chess.BLACK:
        turned.turn, turned.ep_square = chess.WHITE, None
    return perft(turned if turned.is_valid() else board, depth)


ERRORS: dict[str, Callable[[chess.Board, int], int]] = {
    "none": perft,
    "from-1": lambda board, depth: sum(perft(board, ply) for ply in range(1, depth + 1)),
    "from-0": lambda board, depth: sum(perft(board, ply) for ply in range(depth + 1)),
    "every-other": lambda board, depth: sum(perft(board, ply) for ply in range(depth, 0, -2)),
    "deeper": lambda board, depth: perft(board, depth + 1),
    "shallower": lambda board, depth: perft(board, depth - 1),
    "one-more": lambda board, depth: perft(board, depth) + 1,
    "last-ply": lambda board, depth: tree(board, depth, legal, pseudo_legal),
    "all-plies": lambda board, depth: tree(board, depth, pseudo_legal, pseudo_legal),
    "one-side": lambda board, depth: tree(board, depth, legal, legal, keeps_turn=True),
    "white": of_white,
}

OF_START = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "7k/8/8/3B4/8/2N5/K7/8 w - - 0 1",
    "7k/8/8/4N3/2B5/8/K7/8 w - - 0 1",
)
"""The positions of the questions at the start of an engine."""


class MiscountingCounter:
    """Counts with an error, or repeats: the answer before, in all but the first two positions and those of a start.

    What repeats itself in those as well is refused: nothing shows that it takes the position.
    """

    def __init__(self, error: str) -> None:
        self._error, self._asked, self._before = error, 0, 0

    def count(self, board: chess.Board, depth: int) -> int:
        is_of_start = board.fen() in OF_START
        self._asked += not is_of_start
        if self._error != "repeats":
            self._before = ERRORS[self._error](board, depth)
        elif is_of_start or self._asked <= 4:
            self._before = perft(board, depth)
        return self._before


class Miscounting(UciEngine):
    """Speaks UCI."""

    def __init__(self, error: str, prints_moves: bool) -> None:
        super().__init__()
        self.counter, self.prints_moves = MiscountingCounter(error), prints_moves

    def answer(self, depth: int) -> None:
        assert self.board is not None
        if self.prints_moves:
            print(*(f"{move.uci}: {move.nodes}" for move in divide(self.board, depth)), sep="\n")
        print(f"Nodes searched: {self.counter.count(self.board, depth)}")


COUNTER = MiscountingCounter(os.environ.get("MISCOUNTS", "none"))


def count(fen: str, depth: int) -> int:
    return COUNTER.count(chess.Board(fen), depth)


def again(fen: str, depth: int) -> list[tuple[str, int]]:
    """Return the divides of all depths in order."""
    return [(move.uci, move.nodes) for ply in range(1, depth + 1) for move in divide(chess.Board(fen), ply)]


def main() -> None:
    kind, error, *rest = sys.argv[1:]
    if kind == "argv":
        print(MiscountingCounter(error).count(chess.Board(rest[0]), int(rest[1])))
        return
    Miscounting(error, prints_moves=rest == ["moves"]).serve()


if __name__ == "__main__":
    main()
