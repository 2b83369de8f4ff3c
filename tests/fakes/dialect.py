"""A right engine that asks to be asked, and answers, as a certain engine does: `python dialect.py NAME`.

Headers, trailers and columns are those of the engines as far as they are known; times are made up.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.counting import CountedMove, board_after, divide, perft

START = chess.STARTING_FEN
Answer = Callable[[list[CountedMove], int, int], list[str]]
"""From the root moves, the total and the depth to the lines of the answer."""


@dataclass(frozen=True)
class Dialect:
    """How one engine is asked and how it answers."""

    command: str
    """What asks for a count: a pattern with the group `depth`, and perhaps `fen`."""
    answer: Answer
    setboard: bool = False
    """Whether positions come as `setboard FEN`, and UCI is unknown."""
    min_depth: int = 0
    """Below this depth it crashes."""
    every_depth: bool = False
    """Whether it answers for each depth up to the one asked for."""
    prompt: str = ""
    """What it writes before it reads a command, without a newline, as on a console."""


def _stockfish(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    header = ["info string Available processors: 0-1", "info string Using 1 thread"]
    return [*header, *(f"{move.uci}: {move.nodes}" for move in moves), "", f"Nodes searched: {total}", ""]


def _ethereal(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    return [str(total)]


def _berserk(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    header = ["", f"Running performance test to depth {depth}", ""]
    lines = [f"{move.uci:>5}: {move.nodes}" for move in moves]
    return [*header, *lines, "", f"Nodes: {total}", "Time: 1ms", f"NPS: {total * 1000}", ""]


def _koivisto(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    return [*(f"{move.uci} {move.nodes}" for move in moves), f"nodes: {total} nps: {total * 1000}"]


def _viridithas(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    lines = [f"{move.uci}: {move.nodes}" for move in moves]
    return [*lines, f"info depth {depth} nodes {total} time 1 nps {total * 1000}"]


def _reckless(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    columns = "  #     Move         Nodes        Time"
    lines = [
        f"{number:3}     {move.uci:5}{move.nodes:12}        0.000s {0.0:12.2f} kN/s"
        for number, move in enumerate(moves, 1)
    ]
    return ["", columns, "", *lines, "", f"Total {total} nodes in 0.001s, {total} kN/s", ""]


def _obsidian(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    lines = [f"{move.uci} -> {move.nodes}" for move in moves if depth > 1]
    return [*lines, f"nodes: {total}"]


def _rubichess(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    lines = [f"{move.uci} : {move.nodes}" for move in moves]
    return [f"Perft for depth {depth}", *lines, f"Total nodes: {total}"]


def _monty(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    lines = [f"{move.uci}: {move.nodes}" for move in moves]
    return [*lines, f"perft {depth} time 0 nodes {total} ({total / 1000:.2f} Mnps)"]


def _crafty(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    return [f"total moves={total}  time=0.00"]


def _motors(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    lines = [f"{move.uci}\t{move.nodes}" for move in moves]
    return [*lines, f"info depth {depth} nodes {total} time 1 nps {total * 1000}"]


def _juddperft(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    return [*(f"{move.long} {move.nodes}" for move in moves), "", f"Perft {depth}: {total}", ""]


def _octopus(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    lines = [f"{move.lettered} {move.nodes}" for move in moves]
    return [*lines, f"n = {total:,}", "t = 0.001", f"p = {total * 1000:,}"]


def _pychess(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    """The second count of a line is the sum so far."""
    lines, so_far = [], 0
    for move in moves:
        so_far += move.nodes
        lines.append(f"{move.long:>8} {move.nodes:10} {so_far:10}")
    return [*lines, f"{depth:2} {total:10} {0.01:5.2f} {total * 100:12.2f}nps"]


def _stockdory(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    return [f"Nodes searched: {total:,}", "Time: 1ms", f"NPS: {total * 1000:,}"]


def _plentychess(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    lines = [f"{move.uci}: {move.nodes}" for move in moves]
    return [*lines, f"Perft: {total} nodes in 0.001s => {total * 1000}nps"]


def _stash(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    return [f"info nodes {total}"]


def _horsie(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    lines = [f"{move.uci}: {move.nodes}" for move in moves]
    return [*lines, "", f"Total: {total}"]


def _goob(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    lines = [f"{number:4} : {move.uci} : {move.nodes}" for number, move in enumerate(moves, 1)]
    return [*lines, f"Nodes Searched: {total}, Time: 0ms"]


def _aramis(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    return [f"Depth: {depth} Nodes: {total} Time: 6.4e-05"]


def _bitboards(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    return [f"{total} nodes in 0ms"]


def _pygmalion(moves: list[CountedMove], total: int, depth: int) -> list[str]:
    return [*(f"{move.uci}: {move.nodes}" for move in moves), f"Leafs: {total}"]


GO_PERFT = r"go perft (?P<depth>\d+)"
PERFT = r"perft (?P<depth>\d+)"

DIALECTS = {
    "stockfish": Dialect(GO_PERFT, _stockfish),
    "ethereal": Dialect(PERFT, _ethereal),
    "berserk": Dialect(r"(?:go )?perft (?P<depth>\d+)(?: (?P<fen>.+))?", _berserk),
    "koivisto": Dialect(GO_PERFT, _koivisto),
    "viridithas": Dialect(GO_PERFT, _viridithas),
    "reckless": Dialect(PERFT, _reckless),
    "obsidian": Dialect(GO_PERFT, _obsidian),
    "rubichess": Dialect(PERFT, _rubichess),
    "monty": Dialect(PERFT, _monty),
    "crafty": Dialect(PERFT, _crafty, setboard=True),
    "motors": Dialect(r"(?:go )?split ?perft (?P<depth>\d+)", _motors),
    "juddperft": Dialect(r"dividefast (?P<depth>\d+)", _juddperft, setboard=True),
    "octopus": Dialect(r"d (?P<depth>\d+)", _octopus, setboard=True),
    "pychess": Dialect(PERFT, _pychess, setboard=True, every_depth=True),
    "stockdory": Dialect(GO_PERFT, _stockdory),
    "plentychess": Dialect(GO_PERFT, _plentychess),
    "stash": Dialect(GO_PERFT, _stash),
    "horsie": Dialect(PERFT, _horsie, min_depth=2),
    "goob": Dialect(PERFT, _goob),
    "aramis": Dialect(GO_PERFT, _aramis, every_depth=True),
    "bitboards": Dialect(PERFT, _bitboards),
    "pygmalion": Dialect(PERFT, _pygmalion),
    "console": Dialect(GO_PERFT, _stockfish, prompt="perft> "),
}


class DialectEngine:
    """One session with an engine of a certain dialect."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._dialect = DIALECTS[name]
        self._board = board_after(START)
        self._chess960 = False

    def serve(self, lines: Iterable[str]) -> None:
        """Answer one command a line until `quit`."""
        print(self._dialect.prompt, end="", flush=True)
        for line in lines:
            text = " ".join(line.split())
            if text == "quit":
                return
            try:
                answer = list(self.answer(text))
            except ValueError as error:
                answer = [f"info string invalid position: {error}"]
            if answer:
                print("\n".join(answer))
            print(self._dialect.prompt, end="", flush=True)

    def answer(self, text: str) -> Iterator[str]:
        """Yield the lines that answer a command; what is unknown is ignored, as UCI asks."""
        if match := re.fullmatch(self._dialect.command, text):
            yield from self._count(**match.groupdict())
        elif self._dialect.setboard:
            if text.startswith("setboard "):
                self._board = board_after(text.removeprefix("setboard "))
        elif text == "uci":
            yield from (f"id name {self._name}", "option name UCI_Chess960 type check default false", "uciok")
        elif text == "isready":
            yield "readyok"
        elif text.startswith("setoption name UCI_Chess960 value "):
            self._chess960 = text.endswith(" true")
        elif text.startswith("position "):
            place, _, moves = text.removeprefix("position ").partition(" moves ")
            fen = START if place == "startpos" else place.removeprefix("fen ")
            self._board = board_after(fen, moves.split(), self._chess960)

    def _count(self, depth: str, fen: str | None = None) -> Iterator[str]:
        last = int(depth)
        if last < self._dialect.min_depth:
            raise IndexError(f"{self._name} crashes at depth {last}")
        if fen is not None:
            self._board = board_after(fen, chess960=self._chess960)
        for now in range(1 if self._dialect.every_depth else last, last + 1):
            moves = divide(self._board, now)
            total = sum(move.nodes for move in moves) if now > 0 else perft(self._board, 0)
            yield from self._dialect.answer(moves, total, now)


if __name__ == "__main__":
    DialectEngine(sys.argv[1]).serve(sys.stdin)
