"""An engine that is odd in one way: `python engine.py MODE [ARGUMENT]`. Needs the standard library only.

It speaks UCI with `go perft N` as Stockfish does. The counts of the starting position are known to depth 3; for any
other question python-chess is imported. `benchmarks/robustness/misbehaving.py` has engines that fail in other ways.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.uci_engine import START, UciSession

if TYPE_CHECKING:
    import chess

START_DIVIDE = {
    "a2a3": 380, "b2b3": 420, "c2c3": 420, "d2d3": 539, "e2e3": 599, "f2f3": 380, "g2g3": 420, "h2h3": 380,
    "a2a4": 420, "b2b4": 421, "c2c4": 441, "d2d4": 560, "e2e4": 600, "f2f4": 401, "g2g4": 421, "h2h4": 420,
    "b1a3": 400, "b1c3": 440, "g1f3": 440, "g1h3": 400,
}  # fmt: skip


class FakeEngine(UciSession):
    """A correct engine. Each mode is a subclass that is odd."""

    greeting = "id name fake\noption name UCI_Chess960 type check default false"

    def __init__(self, argument: str) -> None:
        super().__init__()
        self.argument = argument
        self.fen = START
        self.played: Sequence[str] = ()

    def position(self, fen: str, moves: Sequence[str]) -> None:
        self.fen, self.played = fen, moves

    def answer(self, depth: int) -> None:
        self.show(self.divide(depth), 1 if depth == 0 else None)

    def show(self, divide: dict[str, int], total: int | None = None) -> None:
        total = sum(divide.values()) if total is None else total
        say(*(f"{move}: {count}" for move, count in divide.items()), "", f"Nodes searched: {total}", "")

    def divide(self, depth: int) -> dict[str, int]:
        """Return the correct count of each root move."""
        if self.fen == START and not self.played and depth <= 3:
            shallow = {1: 1, 2: 20}
            return {move: shallow.get(depth, count) for move, count in START_DIVIDE.items() if depth > 0}
        board = self.board()

        def count(left: int) -> int:
            if left <= 1:
                return len(self.moves(board)) if left == 1 else 1
            return sum(below(move, left) for move in self.moves(board))

        def below(move: chess.Move, left: int) -> int:
            board.push(move)
            nodes = count(left - 1)
            board.pop()
            return nodes

        return {board.uci(move): below(move, depth) for move in self.moves(board) if depth > 0}

    def board(self) -> chess.Board:
        import chess

        board = chess.Board(self.fen, chess960=self.chess960)
        for text in self.played:
            board.push(board.parse_uci(text))
        return board

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves that the engine knows."""
        return list(board.legal_moves)


def say(*lines: str) -> None:
    print("\n".join(lines), flush=True)


def sleep_for_ever() -> None:
    while True:
        time.sleep(60)


class Silent(FakeEngine):
    """Never prints anything."""

    def hear(self, line: str) -> None:
        pass


class StopsClocks(FakeEngine):
    """Prints FENs with clocks that never change."""

    def hear(self, line: str) -> None:
        if line.split() != ["d"]:
            super().hear(line)
            return
        board = self.board()
        board.halfmove_clock, board.fullmove_number = 0, 1
        say(f"Fen: {board.fen(en_passant='fen')}")


class NoEnPassant(FakeEngine):
    """Has no en passant captures, and keeps the previous position at a FEN with an en passant square."""

    def position(self, fen: str, moves: Sequence[str]) -> None:
        if fen.split()[3] == "-":
            super().position(fen, moves)

    def moves(self, board: chess.Board) -> list[chess.Move]:
        return [move for move in board.legal_moves if not board.is_en_passant(move)]


class OffersOptions(NoEnPassant):
    """Has no en passant captures, offers options of each type, and logs its first input in the file ARGUMENT."""

    greeting = """\
id name fake
option name Hash type spin default 16 min 1 max 1024
option name Ponder type check default false
option name Analysis Contempt type combo default Both var Off var White var Both
option name Clear Hash type button
option name Eval File type string default the best max net.nnue
option name UCI_Chess960 type check default false"""

    def hear(self, line: str) -> None:
        if not self.asked:
            with Path(self.argument).open("a") as file:
                file.write(line)
        super().hear(line)


class PerftOnly(FakeEngine):
    """Knows only `perft N`, and creates the file ARGUMENT when it is sent `go perft N`."""

    def hear(self, line: str) -> None:
        match line.split():
            case ["go", "perft", _]:
                Path(self.argument).touch()
            case ["perft", depth]:
                self.answer(int(depth))
            case _:
                super().hear(line)


class Crashes(FakeEngine):
    """Dies of SIGSEGV when asked to count."""

    def answer(self, depth: int) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)


class Hangs(FakeEngine):
    """Counts endlessly, and ignores `stop`, SIGTERM and the end of its input."""

    def answer(self, depth: int) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sleep_for_ever()


class Slow(FakeEngine):
    """Needs 0.3 seconds for each answer."""

    def hear(self, line: str) -> None:
        if line.split()[:1] in (["uci"], ["isready"], ["go"]):
            time.sleep(0.3)
        super().hear(line)


class Garbage(FakeEngine):
    """Prints meaningless bytes."""

    def answer(self, depth: int) -> None:
        sys.stdout.buffer.write(random.Random(0).randbytes(65536) + b"\n")
        sys.stdout.buffer.flush()


class NoDivide(FakeEngine):
    """Prints only the total, as Ethereal does."""

    def answer(self, depth: int) -> None:
        say(str(sum(self.divide(depth).values()) if depth > 0 else 1))


class WrongEveryThird(FakeEngine):
    """Adds one to a root move of every third answer."""

    def answer(self, depth: int) -> None:
        divide = self.divide(depth)
        if self.asked % 3 == 0 and divide:
            divide[next(iter(divide))] += 1
        self.show(divide, None if divide else 1)


class NoLastNewline(FakeEngine):
    """Exits after one answer whose last line has no newline."""

    def show(self, divide: dict[str, int], total: int | None = None) -> None:
        total = sum(divide.values()) if total is None else total
        print(*(f"{move}: {count}" for move, count in divide.items()), "", sep="\n")
        print(f"Nodes searched: {total}", end="", flush=True)
        sys.exit(0)


MODES: dict[str, type[FakeEngine]] = {
    "right": FakeEngine,
    "silent": Silent,
    "stops-clocks": StopsClocks,
    "no-en-passant": NoEnPassant,
    "offers-options": OffersOptions,
    "perft-only": PerftOnly,
    "crashes": Crashes,
    "hangs": Hangs,
    "slow": Slow,
    "garbage": Garbage,
    "no-divide": NoDivide,
    "wrong-every-third": WrongEveryThird,
    "no-last-newline": NoLastNewline,
}


if __name__ == "__main__":
    mode, argument, *_ = [*sys.argv[1:], ""]
    try:
        MODES[mode](argument).serve()
    except BrokenPipeError:  # the reader has gone
        os._exit(1)
