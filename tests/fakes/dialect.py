"""A correct engine with the commands and answers of a certain engine: `python dialect.py NAME`.

Headers, trailers and columns are those of the engines if known; times are invented.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.counting import Answer, CountedMove, answer_by, board_after, divide, perft
from fakes.uci_engine import START, UciSession


@dataclass(frozen=True)
class Dialect:
    """How one engine is asked and how it answers."""

    command: str
    """Matches the command that counts, with a group `depth` and optionally `fen`."""
    answer: Answer
    setboard: bool = False
    """Whether positions are set up by `setboard FEN`, and UCI is not supported."""
    min_depth: int = 0
    """It crashes below this depth."""
    every_depth: bool = False
    """Whether it prints an answer for each depth up to the requested one."""
    prompt: str = ""
    """The prompt that it prints before it reads a command."""


def _obsidian(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    lines = [f"{move.uci} -> {move.nodes}" for move in moves if depth > 1]
    return [*lines, f"nodes: {total}"]


def _pychess(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    """The second count of a line is a running sum."""
    lines, so_far = [], 0
    for move in moves:
        so_far += move.nodes
        lines.append(f"{move.long:>8} {move.nodes:10} {so_far:10}")
    return [*lines, f"{depth:2} {total:10} {0.01:5.2f} {total * 100:12.2f}nps"]


GO_PERFT = r"go perft (?P<depth>\d+)"
PERFT = r"perft (?P<depth>\d+)"

LIST = "{move.uci}: {move.nodes}"
_stockfish = answer_by(
    LIST,
    "",
    "Nodes searched: {total}",
    "",
    head=("info string Available processors: 0-1", "info string Using 1 thread"),
)
_berserk = answer_by(
    "{move.uci:>5}: {move.nodes}",
    *("", "Nodes: {total}", "Time: 1ms", "NPS: {speed}", ""),
    head=("", "Running performance test to depth {depth}", ""),
)
_reckless = answer_by(
    "{number:3}     {move.uci:5}{move.nodes:12}        0.000s         0.00 kN/s",
    *("", "Total {total} nodes in 0.001s, {total} kN/s", ""),
    head=("", "  #     Move         Nodes        Time", ""),
)
_rubichess = answer_by("{move.uci} : {move.nodes}", "Total nodes: {total}", head=["Perft for depth {depth}"])
_plentychess = answer_by(LIST, "Perft: {total} nodes in 0.001s => {speed}nps")
_octopus = answer_by("{move.lettered} {move.nodes}", "n = {total:,}", "t = 0.001", "p = {speed:,}")
_motors = answer_by("{move.uci}\t{move.nodes}", "info depth {depth} nodes {total} time 1 nps {speed}")
_goob = answer_by("{number:4} : {move.uci} : {move.nodes}", "Nodes Searched: {total}, Time: 0ms")

DIALECTS = {
    "stockfish": Dialect(GO_PERFT, _stockfish),
    "ethereal": Dialect(PERFT, answer_by("", "{total}")),
    "berserk": Dialect(r"(?:go )?perft (?P<depth>\d+)(?: (?P<fen>.+))?", _berserk),
    "koivisto": Dialect(GO_PERFT, answer_by("{move.uci} {move.nodes}", "nodes: {total} nps: {speed}")),
    "viridithas": Dialect(GO_PERFT, answer_by(LIST, "info depth {depth} nodes {total} time 1 nps {speed}")),
    "reckless": Dialect(PERFT, _reckless),
    "obsidian": Dialect(GO_PERFT, _obsidian),
    "rubichess": Dialect(PERFT, _rubichess),
    "monty": Dialect(PERFT, answer_by(LIST, "perft {depth} time 0 nodes {total} ({millions:.2f} Mnps)")),
    "crafty": Dialect(PERFT, answer_by("", "total moves={total}  time=0.00"), setboard=True),
    "motors": Dialect(r"(?:go )?split ?perft (?P<depth>\d+)", _motors),
    "juddperft": Dialect(
        r"dividefast (?P<depth>\d+)",
        answer_by("{move.long} {move.nodes}", "", "Perft {depth}: {total}", ""),
        setboard=True,
    ),
    "octopus": Dialect(r"d (?P<depth>\d+)", _octopus, setboard=True),
    "pychess": Dialect(PERFT, _pychess, setboard=True, every_depth=True),
    "stockdory": Dialect(GO_PERFT, answer_by("", "Nodes searched: {total:,}", "Time: 1ms", "NPS: {speed:,}")),
    "plentychess": Dialect(GO_PERFT, _plentychess),
    "stash": Dialect(GO_PERFT, answer_by("", "info nodes {total}")),
    "horsie": Dialect(PERFT, answer_by(LIST, "", "Total: {total}"), min_depth=2),
    "goob": Dialect(PERFT, _goob),
    "aramis": Dialect(GO_PERFT, answer_by("", "Depth: {depth} Nodes: {total} Time: 6.4e-05"), every_depth=True),
    "bitboards": Dialect(PERFT, answer_by("", "{total} nodes in 0ms")),
    "pygmalion": Dialect(PERFT, answer_by(LIST, "Leafs: {total}")),
    "console": Dialect(GO_PERFT, _stockfish, prompt="perft> "),
}


class DialectEngine(UciSession):
    """A session with an engine of a certain dialect."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.greeting = f"id name {name}\noption name UCI_Chess960 type check default false"
        self._dialect = DIALECTS[name]
        self._board = board_after(START)

    def serve(self) -> None:
        print(self._dialect.prompt, end="", flush=True)
        super().serve()

    def hear(self, line: str) -> None:
        text = " ".join(line.split())
        try:
            if match := re.fullmatch(self._dialect.command, text):
                print(*self._count(**match.groupdict()), sep="\n")
            elif not self._dialect.setboard:
                super().hear(line)
            elif text.startswith("setboard "):
                self._board = board_after(text.removeprefix("setboard "))
        except ValueError as error:
            print(f"info string invalid position: {error}")
        print(self._dialect.prompt, end="")

    def position(self, fen: str, moves: Sequence[str]) -> None:
        self._board = board_after(fen, moves, self.chess960)

    def answer(self, depth: int) -> None:
        """Ignore `go perft` where it is not the command of the dialect."""

    def _count(self, depth: str, fen: str | None = None) -> Iterator[str]:
        last = int(depth)
        if last < self._dialect.min_depth:
            raise IndexError(f"no answer to depth {last}")
        if fen is not None:
            self._board = board_after(fen, chess960=self.chess960)
        for now in range(1 if self._dialect.every_depth else last, last + 1):
            moves = divide(self._board, now)
            total = sum(move.nodes for move in moves) if now > 0 else perft(self._board, 0)
            yield from self._dialect.answer(moves, total, now)


if __name__ == "__main__":
    DialectEngine(sys.argv[1]).serve()
