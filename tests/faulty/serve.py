"""A faulty generator as an engine: `python serve.py NAME` speaks UCI, `faulty.serve:NAME` is a Python callable."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from faulty.generators import FAULTS, UNDO_FAULTS, Generator

Divide = list[tuple[str, int]]


class IllegalMove(Exception):
    """A move that the generator does not know in its position."""


def divide(name: str, fen: str, depth: int, moves: Iterable[str] = (), chess960: bool = False) -> Divide:
    """Return the count below each root move, in the order of generation; a move listed twice comes twice."""
    generator = generator_of(name)
    return divide_board(generator, set_up(generator, fen, moves, chess960), depth)


def generator_of(name: str) -> Generator:
    """Return a new generator: `right`, or the one with the fault of this name."""
    return Generator() if name == "right" else (FAULTS | UNDO_FAULTS)[name].generator()


def set_up(generator: Generator, fen: str, moves: Iterable[str], chess960: bool) -> chess.Board:
    """Return the position after `moves`, played as the generator plays. Raises ValueError, IllegalMove."""
    board = chess.Board(fen, chess960=chess960)
    for text in moves:
        move = next((move for move in generator.moves(board) if board.uci(move) == text), None)
        if move is None:
            raise IllegalMove(text)
        generator.play(board, move)
    return board


def divide_board(generator: Generator, board: chess.Board, depth: int) -> Divide:
    """Return the count below each root move."""
    counts = []
    for move in generator.moves(board) if depth > 0 else ():
        text = board.uci(move)
        generator.play(board, move)
        counts.append((text, perft(generator, board, depth - 1)))
        generator.undo(board)
    return counts


def perft(generator: Generator, board: chess.Board, depth: int) -> int:
    """Return how many move sequences of this length there are."""
    if depth == 0:
        return 1
    moves = generator.moves(board)
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        generator.play(board, move)
        count += perft(generator, board, depth - 1)
        generator.undo(board)
    return count


class Server:
    """The UCI commands that a perft harness sends."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._generator = generator_of(name)
        self._chess960 = False
        self._board: chess.Board | None = chess.Board()

    def serve(self, lines: Iterable[str]) -> None:
        """Answer one command a line, until `quit`."""
        for line in lines:
            match line.split():
                case ["quit"]:
                    return
                case ["uci"]:
                    say(f"id name faulty {self._name}", "option name UCI_Chess960 type check default false", "uciok")
                case ["isready"]:
                    say("readyok")
                case ["setoption", "name", "UCI_Chess960", "value", value]:
                    self._chess960 = value == "true"
                case ["position", *words]:
                    self._board = self._position(words)
                case ["go", "perft", depth] if self._board is not None:
                    counts = divide_board(self._generator, self._board, int(depth))
                    total = sum(count for _, count in counts) if int(depth) > 0 else 1
                    say(*(f"{move}: {count}" for move, count in counts), "", f"Nodes searched: {total}", "")
                case ["d"] if self._board is not None:
                    say(str(self._board), "", f"Fen: {self._board.fen(shredder=self._chess960)}")

    def _position(self, words: Sequence[str]) -> chess.Board | None:
        """Set a position up; None, and a line that says so, where that fails."""
        end = words.index("moves") if "moves" in words else len(words)
        fen = chess.STARTING_FEN if words[:1] == ["startpos"] else " ".join(words[1:end])
        try:
            return set_up(self._generator, fen, words[end + 1 :], self._chess960)
        except IllegalMove as move:
            say(f"info string illegal move {move}")
        except ValueError as error:
            say(f"info string invalid fen: {error}")
        return None


def say(*lines: str) -> None:
    print("\n".join(lines), flush=True)


def __getattr__(name: str) -> Callable[..., Divide]:
    """Return the divide of one fault: `python:faulty.serve:NAME`."""
    fault = (FAULTS | UNDO_FAULTS).get(name)
    if fault is None:
        raise AttributeError(name)
    return partial(divide, name, chess960=fault.chess960)


if __name__ == "__main__":
    Server(sys.argv[1]).serve(sys.stdin)
