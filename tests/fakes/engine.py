"""An engine that misbehaves in one way: `python engine.py MODE [ARGUMENT]`. Needs the standard library only.

It speaks UCI with `go perft N` as Stockfish does. The counts of the starting position are known to depth 3; for
any other question python-chess is imported.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
START_DIVIDE = {
    "a2a3": 380, "b2b3": 420, "c2c3": 420, "d2d3": 539, "e2e3": 599, "f2f3": 380, "g2g3": 420, "h2h3": 380,
    "a2a4": 420, "b2b4": 421, "c2c4": 441, "d2d4": 560, "e2e4": 600, "f2f4": 401, "g2g4": 421, "h2h4": 420,
    "b1a3": 400, "b1c3": 440, "g1f3": 440, "g1h3": 400,
}  # fmt: skip
BAD_FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
"""The FEN at which some modes misbehave, unless an argument names another."""
MEMORY_LIMIT = 8 << 30
"""The limit at which `eats-memory` stops by itself, to protect the machine."""
CHILD_SECONDS = 60
"""How long the children of `leaves-children` live if they are not killed."""


class FakeEngine:
    """A correct engine. Each mode is a subclass that misbehaves."""

    def __init__(self, argument: str) -> None:
        self.argument = argument
        self.fen = START
        self.moves: list[str] = []
        self.chess960 = False
        self.asked = 0
        """How many times it has been asked to count."""

    def serve(self) -> None:
        """Answer one command per line until `quit` or the end of input."""
        while line := sys.stdin.readline():
            words = line.split()
            if words == ["quit"]:
                return
            self.answer(words)

    def answer(self, words: list[str]) -> None:
        """Answer a command; unknown ones are ignored."""
        match words:
            case ["uci"]:
                self.greet()
            case ["isready"]:
                say("readyok")
            case ["setoption", "name", "UCI_Chess960", "value", value]:
                self.chess960 = value == "true"
            case ["position", "startpos", *rest]:
                self.set_position(START, rest[1:])
            case ["position", "fen", *rest]:
                end = rest.index("moves") if "moves" in rest else len(rest)
                self.set_position(" ".join(rest[:end]), rest[end + 1 :])
            case ["go", "perft", depth]:
                self.asked += 1
                self.perft(int(depth))

    def greet(self) -> None:
        say("id name fake", "option name UCI_Chess960 type check default false", "uciok")

    def set_position(self, fen: str, moves: list[str]) -> None:
        self.fen, self.moves = fen, moves

    def perft(self, depth: int) -> None:
        self.show(self.divide(depth), 1 if depth == 0 else None)

    def show(self, divide: dict[str, int], total: int | None = None) -> None:
        total = sum(divide.values()) if total is None else total
        say(*(f"{move}: {count}" for move, count in divide.items()), "", f"Nodes searched: {total}", "")

    def divide(self, depth: int) -> dict[str, int]:
        """Return the correct count of each root move."""
        if self.fen == START and not self.moves and depth <= 3:
            shallow = {1: 1, 2: 20}
            return {move: shallow.get(depth, count) for move, count in START_DIVIDE.items() if depth > 0}
        import chess

        board = chess.Board(self.fen, chess960=self.chess960)
        for text in self.moves:
            board.push(board.parse_uci(text))

        def count(left: int) -> int:
            if left <= 1:
                return len(self.moves_of(board)) if left == 1 else 1
            return sum(below(move, left) for move in self.moves_of(board))

        def below(move: chess.Move, left: int) -> int:
            board.push(move)
            nodes = count(left - 1)
            board.pop()
            return nodes

        return {board.uci(move): below(move, depth) for move in self.moves_of(board) if depth > 0}

    def moves_of(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves that the engine knows."""
        return list(board.legal_moves)


def say(*lines: str) -> None:
    print("\n".join(lines), flush=True)


def sleep_for_ever() -> None:
    while True:
        time.sleep(60)


class Silent(FakeEngine):
    """Never prints anything."""

    def answer(self, words: list[str]) -> None:
        pass


class NoUciok(FakeEngine):
    """Answers `uci` without `uciok`."""

    def greet(self) -> None:
        say("id name fake", "id author nobody")


class PrintsNothing(FakeEngine):
    """Answers everything except questions for a count."""

    def perft(self, depth: int) -> None:
        pass


class RightNumberWrongLine(FakeEngine):
    """Prints an incorrect total, and the correct number elsewhere."""

    def perft(self, depth: int) -> None:
        total = sum(self.divide(depth).values())
        say(f"info string {total} nodes maybe", "", f"Nodes searched: {total + 1}", "")


class ClosesPipe(FakeEngine):
    """Closes its output when asked to count, and keeps running."""

    def perft(self, depth: int) -> None:
        os.close(sys.stdout.fileno())
        sleep_for_ever()


class StopsClocks(FakeEngine):
    """Prints FENs with clocks that never change."""

    def answer(self, words: list[str]) -> None:
        if words != ["d"]:
            super().answer(words)
            return
        import chess

        board = chess.Board(self.fen, chess960=self.chess960)
        for text in self.moves:
            board.push(board.parse_uci(text))
        board.halfmove_clock, board.fullmove_number = 0, 1
        say(f"Fen: {board.fen(en_passant='fen')}")


class Floods(FakeEngine):
    """Prints lines endlessly."""

    def perft(self, depth: int) -> None:
        for number in itertools.count():
            print(f"info string still counting, {number:0200}")


class FloodsOneLine(FakeEngine):
    """Prints one endless line."""

    def perft(self, depth: int) -> None:
        while True:
            print("still counting ", end="")


class ExitsOnBadFen(FakeEngine):
    """Exits with status 1 at a certain FEN."""

    def set_position(self, fen: str, moves: list[str]) -> None:
        if fen == (self.argument or BAD_FEN):
            sys.exit(1)
        super().set_position(fen, moves)


class IgnoresBadFen(FakeEngine):
    """Silently keeps the previous position at a certain FEN."""

    def set_position(self, fen: str, moves: list[str]) -> None:
        if fen != (self.argument or BAD_FEN):
            super().set_position(fen, moves)


class NoEnPassant(FakeEngine):
    """Has no en passant captures, and keeps the previous position at a FEN with an en passant square."""

    def set_position(self, fen: str, moves: list[str]) -> None:
        if fen.split()[3] == "-":
            super().set_position(fen, moves)

    def moves_of(self, board: chess.Board) -> list[chess.Move]:
        return [move for move in board.legal_moves if not board.is_en_passant(move)]


class OffersOptions(NoEnPassant):
    """Has no en passant captures, offers options of each type, and logs its first input in the file ARGUMENT."""

    def greet(self) -> None:
        say(
            "id name fake",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Ponder type check default false",
            "option name Analysis Contempt type combo default Both var Off var White var Both",
            "option name Clear Hash type button",
            "option name Eval File type string default the best max net.nnue",
            "option name UCI_Chess960 type check default false",
            "uciok",
        )

    def answer(self, words: list[str]) -> None:
        if not self.asked:
            with Path(self.argument).open("a") as file:
                file.write(" ".join(words) + "\n")
        super().answer(words)


class PerftOnly(FakeEngine):
    """Knows only `perft N`, and creates the file ARGUMENT when it is sent `go perft N`."""

    def answer(self, words: list[str]) -> None:
        match words:
            case ["go", "perft", _]:
                Path(self.argument).touch()
            case ["perft", depth]:
                self.perft(int(depth))
            case _:
                super().answer(words)


class RejectsBadFen(FakeEngine):
    """Rejects a certain FEN, and then counts nothing."""

    def set_position(self, fen: str, moves: list[str]) -> None:
        if fen == (self.argument or BAD_FEN):
            say("info string ERROR: invalid FEN")
            self.fen = ""
        else:
            super().set_position(fen, moves)

    def perft(self, depth: int) -> None:
        if self.fen:
            super().perft(depth)


class Crashes(FakeEngine):
    """Dies of SIGSEGV when asked to count."""

    def perft(self, depth: int) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)


class Exits(FakeEngine):
    """Exits with status 3 when asked to count."""

    def perft(self, depth: int) -> None:
        sys.exit(3)


class Hangs(FakeEngine):
    """Counts endlessly, and ignores `stop`, SIGTERM and the end of its input."""

    def perft(self, depth: int) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sleep_for_ever()


class Depth0Searches(FakeEngine):
    """Treats depth 0 as an endless search."""

    def perft(self, depth: int) -> None:
        if depth > 0:
            super().perft(depth)
            return
        for number in itertools.count(1):
            say(f"info depth {number} seldepth {number} score cp 20 nodes {number * 20} pv e2e4")
            time.sleep(0.1)


class LeavesChildren(FakeEngine):
    """Starts two processes, one in its own group and one in a new session, and writes their PIDs to a file."""

    def greet(self) -> None:
        sleeper = [sys.executable, "-c", f"import time; time.sleep({CHILD_SECONDS})"]
        quiet = subprocess.DEVNULL
        near = subprocess.Popen(sleeper, stdin=quiet, stdout=quiet, stderr=quiet)
        far = subprocess.Popen(sleeper, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
        if self.argument:
            Path(self.argument).write_text(f"{near.pid} {far.pid}\n", encoding="utf-8")
        say(f"info string children {near.pid} {far.pid}")
        super().greet()


class Slow(FakeEngine):
    """Needs 0.3 seconds for each answer."""

    def answer(self, words: list[str]) -> None:
        if words[:1] in (["uci"], ["isready"], ["go"]):
            time.sleep(0.3)
        super().answer(words)


class LeavesADaemon(FakeEngine):
    """Leaves a daemon behind, in its own session and with an empty environment."""

    def greet(self) -> None:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                Path(self.argument).write_text(f"{os.getpid()}\n")
                for stream in range(3):
                    os.close(stream)
                os.execve("/bin/sleep", ["sleep", str(CHILD_SECONDS)], {})
            os._exit(0)
        os.wait()
        super().greet()


class EatsMemory(FakeEngine):
    """Allocates and uses memory until it is stopped."""

    def perft(self, depth: int) -> None:
        step = 16 << 20
        hoard = [os.urandom(4096) * (step // 4096) for _ in range(MEMORY_LIMIT // step)]
        say(f"info string {len(hoard)} blocks")
        sleep_for_ever()


class Garbage(FakeEngine):
    """Prints meaningless bytes."""

    def perft(self, depth: int) -> None:
        sys.stdout.buffer.write(random.Random(0).randbytes(65536) + b"\n")
        sys.stdout.buffer.flush()


class NotUtf8(FakeEngine):
    """Is correct, but prints Latin-1 around its answer."""

    def greet(self) -> None:
        sys.stdout.buffer.write("id author José Capablanca y Graupera\n".encode("latin-1"))
        super().greet()

    def perft(self, depth: int) -> None:
        sys.stdout.buffer.write(b"info string \xff\xfe d\xe9j\xe0 vu\n")
        super().perft(depth)


class StderrFlood(FakeEngine):
    """Is correct, but first writes 4 MiB to stderr."""

    def perft(self, depth: int) -> None:
        for _ in range(1024):
            sys.stderr.write("debug: " * 585 + "\n")
        sys.stderr.flush()
        super().perft(depth)


class Contradicts(FakeEngine):
    """Prints a divide that does not add up to its total."""

    def perft(self, depth: int) -> None:
        divide = self.divide(depth)
        self.show(divide, sum(divide.values()) + 1)


class NoDivide(FakeEngine):
    """Prints only the total, as Ethereal does."""

    def perft(self, depth: int) -> None:
        say(str(sum(self.divide(depth).values()) if depth > 0 else 1))


class CrashOnce(FakeEngine):
    """Crashes at its first question, which the file ARGUMENT records across restarts."""

    def perft(self, depth: int) -> None:
        flag = Path(self.argument)
        if not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGSEGV)
        super().perft(depth)


class WrongEveryThird(FakeEngine):
    """Adds one to a root move of every third answer."""

    def perft(self, depth: int) -> None:
        divide = self.divide(depth)
        if self.asked % 3 == 0 and divide:
            divide[next(iter(divide))] += 1
        self.show(divide, None if divide else 1)


class Crlf(FakeEngine):
    """Writes Windows line endings."""

    def serve(self) -> None:
        sys.stdout.reconfigure(newline="\r\n")  # type: ignore[union-attr]
        super().serve()


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
    "no-uciok": NoUciok,
    "prints-nothing": PrintsNothing,
    "right-number-wrong-line": RightNumberWrongLine,
    "closes-pipe": ClosesPipe,
    "stops-clocks": StopsClocks,
    "floods": Floods,
    "floods-one-line": FloodsOneLine,
    "exits-on-bad-fen": ExitsOnBadFen,
    "ignores-bad-fen": IgnoresBadFen,
    "no-en-passant": NoEnPassant,
    "perft-only": PerftOnly,
    "rejects-bad-fen": RejectsBadFen,
    "crashes": Crashes,
    "exits": Exits,
    "hangs": Hangs,
    "depth-0-searches": Depth0Searches,
    "leaves-children": LeavesChildren,
    "leaves-a-daemon": LeavesADaemon,
    "slow": Slow,
    "eats-memory": EatsMemory,
    "garbage": Garbage,
    "not-utf8": NotUtf8,
    "stderr-flood": StderrFlood,
    "contradicts": Contradicts,
    "no-divide": NoDivide,
    "crash-once": CrashOnce,
    "wrong-every-third": WrongEveryThird,
    "crlf": Crlf,
    "no-last-newline": NoLastNewline,
    "offers-options": OffersOptions,
}


def main(arguments: Iterable[str]) -> None:
    mode, argument, *_ = [*arguments, "", ""]
    if mode not in MODES:
        sys.exit(f"usage: engine.py MODE [ARGUMENT], where MODE is one of {', '.join(MODES)}")
    try:
        MODES[mode](argument).serve()
    except BrokenPipeError:  # the reader has gone
        os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
