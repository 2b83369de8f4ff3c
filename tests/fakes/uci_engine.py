"""Base classes of the engines on stdin: a session, one in UCI, and a correct UCI engine by python-chess.

A test writes its engine with `helpers.fakes.written_engine`: a class that overrides a method or two, and `serve`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Session:
    """Executes one command per line until `quit` or the end of its input."""

    flushes = True

    def serve(self) -> None:
        while line := sys.stdin.readline():
            if line.split() == ["quit"]:
                return
            self.hear(line)
            if self.flushes:
                sys.stdout.flush()

    def hear(self, line: str) -> None:
        """Execute a line."""
        raise NotImplementedError


class UciSession(Session):
    """Reads the commands of UCI and `go perft N`, and ignores others. Needs the standard library only."""

    greeting = "id name x"

    def __init__(self) -> None:
        self.chess960 = False
        self.asked = 0
        """How many times it has been asked to count."""

    def hear(self, line: str) -> None:
        match line.split():
            case ["uci"]:
                self.greet()
            case ["isready"]:
                print("readyok")
            case ["setoption", "name", "UCI_Chess960", "value", value]:
                self.chess960 = value == "true"
            case ["position", *words]:
                end = words.index("moves") if "moves" in words else len(words)
                self.position(START if words[0] == "startpos" else " ".join(words[1:end]), words[end + 1 :])
            case ["go", "perft", depth]:
                self.asked += 1
                self.answer(int(depth))

    def greet(self) -> None:
        """Answer `uci`."""
        print(self.greeting, "uciok", sep="\n")

    def position(self, fen: str, moves: Sequence[str]) -> None:
        """Execute `position`."""
        raise NotImplementedError

    def answer(self, depth: int) -> None:
        """Execute `go perft`."""
        raise NotImplementedError


class UciEngine(UciSession):
    """A correct engine by python-chess."""

    prints_moves = True

    def __init__(self) -> None:
        import chess

        super().__init__()
        self.board: chess.Board | None = chess.Board()

    def position(self, fen: str, moves: Sequence[str]) -> None:
        import chess

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
