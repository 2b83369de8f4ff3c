"""A fault as a UCI engine: `perft-check zoo serve NAME`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence

import chess

from .fault import Fault
from .generator import Crash, Hang, IllegalMove

CRASHED = 134
"""Exit status of a fault that crashes; shells report the same status for a program that called `abort`."""


def serve(fault: Fault, lines: Iterable[str]) -> int:
    """Answer commands, one per line, until `quit`; return the exit status, which is nonzero after a crash.

    A fault that hangs gives no more answers.
    """
    try:
        _FaultServer(fault).serve(lines)
    except Crash as crash:
        print(f"crashed: {crash}", file=sys.stderr)
        return CRASHED
    except Hang:
        while True:
            time.sleep(60)
    return 0


class _FaultServer:
    def __init__(self, fault: Fault) -> None:
        self._name, self._generator = fault.name, fault.seeded()
        self._chess960 = False
        self._board: chess.Board | None = chess.Board()

    def serve(self, lines: Iterable[str]) -> None:
        for line in lines:
            match line.split():
                case ["quit"]:
                    return
                case ["uci"]:
                    _say(f"id name zoo {self._name}", "option name UCI_Chess960 type check default false", "uciok")
                case ["isready"]:
                    _say("readyok")
                case ["ucinewgame"]:
                    self._generator.new_game()
                case ["setoption", "name", "UCI_Chess960", "value", value]:
                    self._chess960 = value == "true"
                case ["position", *words]:
                    self._board = self._position(words)
                case ["go", "perft", depth] if self._board is not None and depth.isdecimal():
                    self._count(self._board, int(depth))
                case ["d"] if self._board is not None:
                    _say(str(self._board), "", f"Fen: {self._generator.fen(self._board)}")

    def _count(self, board: chess.Board, depth: int) -> None:
        total = 0
        for text, count in self._generator.divide(board, depth) if depth else ():
            _say(f"{text}: {count}")
            total += count
        _say("", f"Nodes searched: {total if depth else 1}", "")

    def _position(self, words: Sequence[str]) -> chess.Board | None:
        """Return the position of a `position` command, or print a message and return None if it is invalid."""
        end = words.index("moves") if "moves" in words else len(words)
        moves = words[end + 1 :]
        try:
            if words[:1] == ["startpos"]:
                return self._generator.game(moves, self._chess960)
            return self._generator.line(" ".join(words[1:end]), moves, self._chess960)
        except IllegalMove as move:
            _say(f"info string illegal move {move}")
        except ValueError as error:
            _say(f"info string invalid fen: {error}")
        return None


def _say(*lines: str) -> None:
    print("\n".join(lines), flush=True)


if __name__ == "__main__":  # hunts use this because it starts twice as fast as the command line
    from .catalogue import find_fault

    sys.exit(serve(find_fault(sys.argv[1]), sys.stdin))
