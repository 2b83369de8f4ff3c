"""An engine that misbehaves in one position when it is asked ahead: `python ahead.py MODE FEN`.

In other positions it is correct. Some modes are odd in all positions, and correct.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.engine import Crashes, FakeEngine, Garbage, Hangs, say


class AheadEngine(FakeEngine):
    """Is correct in all positions but one, and remembers what it has counted."""

    def __init__(self, argument: str) -> None:
        super().__init__(argument)
        self.known: dict[tuple[str, bool, int], dict[str, int]] = {}
        self.misbehave: Callable[[FakeEngine, int], object] = FakeEngine.answer

    def divide(self, depth: int) -> dict[str, int]:
        key = (self.fen, self.chess960, depth)
        if key not in self.known:
            self.known[key] = super().divide(depth)
        return dict(self.known[key])

    def answer(self, depth: int) -> None:
        if self.fen == self.argument:
            self.misbehave(self, depth)
        else:
            super().answer(depth)


def repeat_a_move(engine: FakeEngine, depth: int) -> None:
    """List one move twice in place of another."""
    (first, count), _, *rest = engine.divide(depth).items()
    lines = [f"{move}: {number}" for move, number in [(first, count), (first, count), *rest]]
    say(*lines, "", f"Nodes searched: {len(lines)}")


def crash_halfway(engine: FakeEngine, depth: int) -> None:
    """Die in the middle of a line of an answer."""
    first, *_ = engine.divide(depth)
    print(f"{first}: 1\n{first[:2]}", end="", flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


def answering(times: Iterable[int]) -> Callable[[FakeEngine, int], object]:
    """Return a function that repeats an answer."""

    def answer(engine: FakeEngine, depth: int) -> None:
        for _ in times:
            engine.show(engine.divide(depth))

    return answer


IN_ONE: dict[str, Callable[[FakeEngine, int], object]] = {
    "omits": lambda engine, depth: engine.show(dict([*engine.divide(depth).items()][1:])),
    "repeats": repeat_a_move,
    "crashes": Crashes.answer,  # type: ignore[dict-item]
    "crashes-halfway": crash_halfway,
    "hangs": Hangs.answer,  # type: ignore[dict-item]
    "garbage": Garbage.answer,  # type: ignore[dict-item]
    "floods": lambda *_: [print("info string still counting" + 200 * ".") for _ in itertools.count()],
    "refuses": lambda *_: say("info string ERROR: invalid FEN"),
    "twice": answering(range(2)),
    "answers-without-end": answering(itertools.count()),
    "miscounts-total": lambda engine, depth: say(str(sum(engine.divide(depth).values()) + 1)),
}
"""What an engine does in the one position, in place of counting."""


class Keeps(AheadEngine):
    """Silently keeps the previous position."""

    def position(self, fen: str, moves: Sequence[str]) -> None:
        if fen != self.argument:
            super().position(fen, moves)


class Halves(AheadEngine):
    """Writes half a line at a time."""

    def show(self, divide: dict[str, int], total: int | None = None) -> None:
        total = sum(divide.values()) if total is None else total
        for line in (*(f"{move}: {count}" for move, count in divide.items()), f"Nodes searched: {total}"):
            for part in (line[:3], line[3:] + "\n"):
                sys.stdout.write(part)
                sys.stdout.flush()


class CrlfAhead(AheadEngine):
    """Writes Windows line endings."""

    def serve(self) -> None:
        sys.stdout.reconfigure(newline="\r\n")  # type: ignore[union-attr]
        super().serve()


class Chatters(AheadEngine):
    """Prints remarks around the lines of its answer, and lists its moves in reverse order."""

    def show(self, divide: dict[str, int], total: int | None = None) -> None:
        print("info string counting", "", "  NNUE evaluation using a network: 12", "\x00\x01\xff e2e4", sep="\n")
        for move, count in reversed(divide.items()):
            print(f"  {move}: {count}", f"info depth 1 currmove {move}", "", sep="\n")
        print("", f"Nodes searched: {sum(divide.values())}", "Time: 12 ms", "Nodes/second: 20", sep="\n", flush=True)


class StderrFloodAhead(AheadEngine):
    """Writes more to stderr than a pipe holds before each answer."""

    def show(self, divide: dict[str, int], total: int | None = None) -> None:
        sys.stderr.write("debug: " * 12_000 + "\n")
        sys.stderr.flush()
        super().show(divide, total)


class OneLineAtATime(AheadEngine):
    """Reads byte by byte, and reads no line before it has answered the last one."""

    def serve(self) -> None:
        line = b""
        while byte := os.read(0, 1):
            line += byte
            if byte == b"\n":
                time.sleep(0.0005)
                self.hear(line.decode())
                sys.stdout.flush()
                line = b""


class TotalsOnly(AheadEngine):
    """Prints only the total."""

    def show(self, divide: dict[str, int], total: int | None = None) -> None:
        print(sum(divide.values()), flush=True)


class KingTakesRook(AheadEngine):
    """Writes castling as king takes rook in standard chess too."""

    def divide(self, depth: int) -> dict[str, int]:
        castling = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}
        return {castling.get(move, move): count for move, count in super().divide(depth).items()}


class Letters(AheadEngine):
    """Writes castling as O-O."""

    def divide(self, depth: int) -> dict[str, int]:
        castling = {"e1g1": "O-O", "e1c1": "O-O-O"} if "K2R w" in self.fen else {}
        return {castling.get(move, move): count for move, count in super().divide(depth).items()}


class Muddles(AheadEngine):
    """Counts one leaf too many if the next question has already arrived."""

    def serve(self) -> None:
        text = ""
        while data := os.read(0, 65_536):
            *lines, text = (text + data.decode()).split("\n")
            for place, line in enumerate(lines):
                self.is_asked_more = any(later.startswith("go") for later in lines[place + 1 :])
                self.hear(line)
                sys.stdout.flush()

    def show(self, divide: dict[str, int], total: int | None = None) -> None:
        first = next(iter(divide))
        super().show(divide | {first: divide[first] + self.is_asked_more})


MODES: dict[str, type[AheadEngine]] = {
    "keeps": Keeps,
    "halves": Halves,
    "crlf": CrlfAhead,
    "chatters": Chatters,
    "stderr-flood": StderrFloodAhead,
    "one-line-at-a-time": OneLineAtATime,
    "totals-only": TotalsOnly,
    "miscounts-total": TotalsOnly,
    "king-takes-rook": KingTakesRook,
    "letters": Letters,
    "muddles": Muddles,
}
"""Engines that are odd in all positions."""


def main(mode: str, *words: str) -> None:
    engine = MODES.get(mode, AheadEngine)(" ".join(words))
    if mode in IN_ONE:
        engine.misbehave = IN_ONE[mode]
    engine.serve()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except BrokenPipeError:  # the reader has gone
        os._exit(1)
