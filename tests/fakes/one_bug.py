"""A generator with one fault of the zoo, or with none, for types of engines that the zoo does not have.

    python one_bug.py uci FAULT [count] [standard] [ignores] [letterless|once]     speaks UCI
    python one_bug.py argv FAULT FEN DEPTH [count]      takes the position as arguments
    python one_bug.py script FAULT DEPTH FEN [MOVES]    the perftree convention
    python:one_bug:moves_of, divide_of, count_of        functions; the fault is named in ONE_BUG

`count` prints only totals. `standard` has no option UCI_Chess960. `ignores` skips moves that it does not know instead
of rejecting them. `letterless` writes promotions without their letter, and `once` writes each of those only once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator

import chess
from perft_check.harness.zoo.catalogue import find_fault
from perft_check.harness.zoo.seeded.generator import Generator, IllegalMove


class KeepsTaken(Generator):
    """Taking back an en passant capture does not restore the captured pawn."""

    def undo(self, board: chess.Board) -> None:
        last = board.pop()
        if board.is_en_passant(last):
            board._remove_piece_at(chess.square(chess.square_file(last.to_square), chess.square_rank(last.from_square)))


class StaysPromoted(Generator):
    """Taking back a promotion to a queen leaves a queen on the seventh rank."""

    def undo(self, board: chess.Board) -> None:
        last = board.pop()
        if last.promotion == chess.QUEEN:
            board._set_piece_at(last.from_square, chess.QUEEN, board.turn)


UNDOS = {"keeps-taken": KeepsTaken, "stays-promoted": StaysPromoted}


def generator_of(fault: str) -> Generator:
    if fault == "none":
        return Generator()
    if fault in UNDOS:
        return UNDOS[fault]()
    made: Generator = find_fault(fault).seeded()
    return made


def board_after(generator: Generator, fen: str, moves: Iterable[str], chess960: bool, ignores: bool) -> chess.Board:
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


class Uci:
    """A session."""

    def __init__(self, fault: str, options: list[str]) -> None:
        self._generator, self._options = generator_of(fault), options
        self._chess960 = False
        self._board = chess.Board()

    def serve(self, lines: Iterable[str]) -> None:
        for line in lines:
            for answer in self._answers(line.split()):
                print(answer, flush=True)

    def _answers(self, words: list[str]) -> Iterator[str]:
        match words:
            case ["quit"]:
                sys.exit(0)
            case ["uci"]:
                yield "id name one bug"
                if "standard" not in self._options:
                    yield "option name UCI_Chess960 type check default false"
                yield "uciok"
            case ["isready"]:
                yield "readyok"
            case ["setoption", "name", "UCI_Chess960", "value", value]:
                self._chess960 = value == "true"
            case ["position", *words]:
                end = words.index("moves") if "moves" in words else len(words)
                fen = chess.STARTING_FEN if words[0] == "startpos" else " ".join(words[1:end])
                try:
                    self._board = board_after(
                        self._generator, fen, words[end + 1 :], self._chess960, "ignores" in self._options
                    )
                except (ValueError, IllegalMove) as error:
                    yield f"info string invalid fen or move: {error}"
            case ["go", "perft", depth]:
                yield from self._count(int(depth))

    def _count(self, depth: int) -> Iterator[str]:
        pairs = list(self._generator.divide(self._board, depth))
        if "letterless" in self._options or "once" in self._options:
            pairs = [(text[:4], count) for text, count in pairs]
        if "once" in self._options:
            pairs = list(dict(pairs).items())
        if "count" not in self._options:
            yield from (f"{text}: {count}" for text, count in pairs)
        yield f"Nodes searched: {sum(count for _, count in pairs)}"


def moves_of(fen: str) -> list[str]:
    generator = generator_of(os.environ["ONE_BUG"])
    board = generator.set_up(fen, False)
    return [board.uci(move) for move in generator.moves(board)]


def count_of(fen: str, depth: int) -> int:
    generator = generator_of(os.environ["ONE_BUG"])
    return generator.perft(generator.set_up(fen, False), depth)


def divide_of(fen: str, depth: int, moves: list[str]) -> list[tuple[str, int]]:
    generator = generator_of(os.environ["ONE_BUG"])
    return list(generator.divide(board_after(generator, fen, moves, False, False), depth))


def main() -> None:
    kind, fault, *rest = sys.argv[1:]
    if kind == "uci":
        Uci(fault, rest).serve(sys.stdin)
        return
    depth, fen, moves = (rest[1], rest[0], []) if kind == "argv" else (rest[0], rest[1], " ".join(rest[2:]).split())
    generator = generator_of(fault)
    pairs = list(generator.divide(board_after(generator, fen, moves, False, False), int(depth)))
    if "count" not in rest:
        print("\n".join(f"{text} {count}" for text, count in pairs))
    print(f"\n{sum(count for _, count in pairs)}")


if __name__ == "__main__":
    main()
