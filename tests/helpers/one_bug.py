"""Engines in this process with one fault, that answer as some engines do: with totals only, ignoring moves ..."""

from __future__ import annotations

from fakes.one_bug import board_after, generator_of
from helpers.asking import Answering
from perft_check.generator.line import Line
from perft_check.harness.engines.base import Divide, EngineRejection
from perft_check.harness.engines.root_moves import as_king_takes_rook
from perft_check.harness.zoo.seeded.generator import IllegalMove


def one_bug(
    fault: str, *, totals: bool = False, ignores: bool = False, letters: bool = True, once: bool = False
) -> Answering:
    """Return an engine with a fault of the zoo, or with "none".

    `totals`: it prints no root moves. `ignores`: it leaves out moves that it does not list. Without
    `letters` its promotions have none, and stand there once for all four pieces if `once`.
    """
    generator = generator_of(fault)

    def divide(line: Line, depth: int) -> Divide:
        try:
            board = board_after(generator, line.base.fen(), line.uci_moves(), line.base.chess960, ignores)
        except IllegalMove as move:
            raise EngineRejection(f"no such move: {move}") from None
        pairs = [(as_king_takes_rook(line.position, move), count) for move, count in generator.divide(board, depth)]
        if not letters:
            pairs = [(move[:4], count) for move, count in pairs]
        if once:
            pairs = list(dict(pairs).items())
        total = sum(count for _, count in pairs)
        return Divide.of_total(total) if totals else Divide.of(pairs)

    return Answering(divide, lambda line, depth: divide(line, depth).total if depth else 1)
