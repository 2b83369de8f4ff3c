"""A correct engine on stdin without UCI: `python plain.py MANNER`, with one of `MANNERS`.

The manner defines the commands for a position and for a count.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.counting import Answer, CountedMove, answer_by, board_after, divide
from fakes.uci_engine import START, Session

GREEN, BOLD, PLAIN = "\x1b[32m", "\x1b[1m", "\x1b[0m"


@dataclass(frozen=True)
class Manner:
    """How the engine is asked and answers."""

    position: str
    """The command before a FEN."""
    answer: Answer
    """Makes the lines of an answer from the root moves, the total and the depth."""
    every_depth: bool = False
    """Whether it prints an answer for each depth up to the requested one."""
    prompt: str = ""
    flushes: bool = True


def _table(_moves: list[CountedMove], total: int, depth: int) -> list[str]:
    return [f"{depth:5} {total:10} {7:5} {total * 143:9}"]


def _thousands(_moves: list[CountedMove], total: int, depth: int) -> list[str]:
    written = f"{total:,}".replace(",", ".")
    return [f"Perft {depth}: {written} leaf nodes in 7 ms"]


_leaves = answer_by("{move.uci}\t{move.nodes}", "Leaves: {total}  (7 ms)")
_colors = answer_by(
    f"{{number:3}}. {GREEN}{{move.uci}}{PLAIN} {{move.nodes:>8}}", f"{BOLD}Total moves{PLAIN}: {{total}}  in 0.01s"
)
_leafs = answer_by("", "Depth: {depth}", "Leafs: {total}", "Speed: {speed} leafs/s")
_dashes = answer_by("{move.uci} - {move.nodes}", "", "Nodes  : {total}", "Time   : 0.007s")

MANNERS = {
    "table": Manner("position fen", _table, every_depth=True),
    "every-depth": Manner("setfen", answer_by("", "Nodes: {total}"), every_depth=True),
    "prompt": Manner("load", _leaves, prompt="chess> "),
    "colors": Manner("position fen", _colors),
    "unflushed": Manner("setboard", _dashes, flushes=False),
    "thousands": Manner("setboard", _thousands),
    "leafs": Manner("fen", _leafs),
    "odd": Manner("setboard", answer_by("", "** counted {total} ends (depth {depth}) **")),
}


class PlainEngine(Session):
    """A session without UCI."""

    def __init__(self, manner: Manner) -> None:
        self._manner, self.flushes = manner, manner.flushes
        self._board = board_after(START)

    def serve(self) -> None:
        print(self._manner.prompt, end="", flush=self._manner.flushes)
        super().serve()

    def hear(self, line: str) -> None:
        manner, text = self._manner, " ".join(line.split())
        if text.startswith(f"{manner.position} "):
            self._board = board_after(text.removeprefix(f"{manner.position} "))
        elif text.startswith("perft ") and text.removeprefix("perft ").isdecimal():
            last = int(text.removeprefix("perft "))
            for depth in range(1 if manner.every_depth else last, last + 1):
                moves = divide(self._board, depth)
                print("\n".join(manner.answer(moves, sum(move.nodes for move in moves), depth)))
        else:
            print(f"unknown: {text}")
        print(manner.prompt, end="")


if __name__ == "__main__":
    PlainEngine(MANNERS[sys.argv[1]]).serve()
