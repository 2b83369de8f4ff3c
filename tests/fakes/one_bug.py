"""A generator with one fault of the zoo or its own, or with none, for types of engines that the zoo does not have.

    python one_bug.py uci FAULT [count] [standard] [ignores]    speaks UCI
    python one_bug.py argv FAULT FEN DEPTH [count]              takes the position as arguments
    python one_bug.py script FAULT DEPTH FEN [MOVES]            the perftree convention

`count` prints only totals. `standard` has no option UCI_Chess960. `ignores` skips moves that it does not know instead
of rejecting them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import chess
from perft_check.harness.zoo.catalogue import find_fault
from perft_check.harness.zoo.generator import Generator, IllegalMove

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.uci_engine import UciEngine


def generator_of(fault: str) -> Generator:
    if fault == "none":
        return Generator()
    made: Generator = find_fault(fault).seeded()
    return made


def board_after(
    generator: Generator, fen: str, moves: Iterable[str], chess960: bool = False, ignores: bool = False
) -> chess.Board:
    board = generator.set_up(fen, chess960)
    for text in moves:
        move = generator.find(board, text)
        if move is not None:
            generator.play(board, move)
        elif not ignores:
            raise IllegalMove(text)
        else:
            break
    return board


class OneBug(UciEngine):
    """A session."""

    greeting = "id name one bug"

    def __init__(self, fault: str, options: list[str]) -> None:
        super().__init__()
        self.generator, self.options = generator_of(fault), options
        if "standard" not in options:
            self.greeting += "\noption name UCI_Chess960 type check default false"

    def position(self, fen: str, moves: Sequence[str]) -> None:
        try:
            self.board = board_after(self.generator, fen, moves, self.chess960, "ignores" in self.options)
        except (ValueError, IllegalMove) as error:
            print(f"info string invalid fen or move: {error}")

    def answer(self, depth: int) -> None:
        assert self.board is not None
        write(self.generator.divide(self.board, depth), self.options, ": ", "Nodes searched: ")


def write(divide: Iterable[tuple[str, int]], options: list[str], between: str = " ", name: str = "\n") -> None:
    """Print root moves, unless only totals are asked for, and the total."""
    pairs = list(divide)
    if "count" not in options:
        print(*(f"{text}{between}{count}" for text, count in pairs), sep="\n")
    print(f"{name}{sum(count for _, count in pairs)}")


def main() -> None:
    kind, fault, *rest = sys.argv[1:]
    if kind == "uci":
        OneBug(fault, rest).serve()
        return
    depth, fen, moves = (rest[1], rest[0], []) if kind == "argv" else (rest[0], rest[1], " ".join(rest[2:]).split())
    generator = generator_of(fault)
    write(generator.divide(board_after(generator, fen, moves), int(depth)), rest)


if __name__ == "__main__":
    main()
