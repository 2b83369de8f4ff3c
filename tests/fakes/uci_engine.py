"""A correct UCI engine by python-chess: a base class for engines that differ in one thing.

A test writes its engine with `helpers.fakes.written_engine`: a class that overrides a method or two, and `serve`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import chess


class UciEngine:
    """Answers one command per line until `quit`."""

    greeting = "id name x"
    prints_moves = True

    def __init__(self) -> None:
        self.board: chess.Board | None = chess.Board()
        self.chess960 = False

    def serve(self) -> None:
        for line in sys.stdin:
            self.hear(line)
            sys.stdout.flush()

    def hear(self, line: str) -> None:
        """Execute a line."""
        match line.split():
            case ["uci"]:
                print(self.greeting, "uciok", sep="\n")
            case ["isready"]:
                print("readyok")
            case ["setoption", "name", "UCI_Chess960", "value", value]:
                self.chess960 = value == "true"
            case ["position", *words]:
                end = words.index("moves") if "moves" in words else len(words)
                fen = chess.STARTING_FEN if words[0] == "startpos" else " ".join(words[1:end])
                self.position(fen, words[end + 1 :])
            case ["go", "perft", depth]:
                self.answer(int(depth))
            case ["quit"]:
                sys.exit()

    def position(self, fen: str, moves: Sequence[str]) -> None:
        """Execute `position`."""
        self.set_up(chess.Board(fen, chess960=self.chess960), moves)

    def set_up(self, board: chess.Board, moves: Sequence[str]) -> None:
        """Set up a position and play moves."""
        self.board = board
        for text in moves:
            board.push_uci(text)

    def answer(self, depth: int) -> None:
        """Print the root moves of the position with their counts, and the total."""
        assert self.board is not None
        total = 0
        for move, below in self.counts(self.board, depth):
            total += below
            if self.prints_moves:
                print(f"{self.text(move)}: {below}")
        print(f"\nNodes searched: {total}\n")

    def text(self, move: chess.Move) -> str:
        """Return a root move as the engine writes it."""
        return move.uci()

    def counts(self, board: chess.Board, depth: int) -> Iterator[tuple[chess.Move, int]]:
        """Yield each move with its count."""
        for move in self.moves(board):
            board.push(move)
            below = self.count(board, depth - 1)
            board.pop()
            yield move, below

    def count(self, board: chess.Board, depth: int) -> int:
        """Return the number of leaf nodes."""
        if depth < 2:
            return len(self.moves(board)) if depth else 1
        return sum(below for _, below in self.counts(board, depth))

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves that the engine considers legal."""
        return list(board.legal_moves)
