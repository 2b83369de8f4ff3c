"""The faults of the zoo at the positions that demonstrate them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import chess
from helpers.asking import asking
from perft_check.generator.game import Game
from perft_check.harness.checking.descent.descending import descend
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.engines.types.stdin_engine import StdinEngine
from perft_check.harness.model.results.finding import Finding
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.engine import ZooEngine
from perft_check.harness.zoo.fault import Fault
from perft_check.harness.zoo.generator import Generator

SET_UP = {name: fault for name, fault in ZOO.items() if fault.demonstration.setup}
"""Faults that show only with certain position setups."""
SERVED = {name: fault for name, fault in ZOO.items() if name not in SET_UP}
LISTED = {name: fault for name, fault in SERVED.items() if fault.effect in ("extra", "missing", "duplicate", "state")}
"""Faults with incorrect move lists, directly or after an incorrectly played move."""
CONTROLS = {name: fault for name, fault in ZOO.items() if fault.is_control}


def game_of(fault: Fault) -> Game:
    """Return the game that demonstrates a fault."""
    return fault.demonstration.game


def board_of(fault: Fault, generator: Generator) -> chess.Board:
    """Return the position of a demonstration as a generator sets it up."""
    return generator.line(fault.demonstration.fen, fault.demonstration.moves, fault.demonstration.chess960)


def descent(fault: Fault, engine: ZooEngine | StdinEngine) -> Finding | None:
    """Descend from the position of a demonstration to the cause of the difference."""
    return descend(game_of(fault), fault.demonstration.depth, asking(engine, 30), asking(OwnEngine("own:turbo")))


def listed(generator: Generator, board: chess.Board) -> Counter[str]:
    return Counter(board.uci(move) for move in generator.moves(board))


def legal(board: chess.Board) -> Counter[str]:
    return Counter(board.uci(move) for move in board.legal_moves)


def played(generator: Generator, board: chess.Board, true: chess.Board, plies: int) -> Iterator[None]:
    """Walk the tree of legal moves, and yield at each position: `board` as the generator plays, `true` as it should be.

    Positions below an incorrect move list are skipped.
    """
    yield
    if plies == 0 or listed(generator, board) != legal(true):
        return
    by_text = {board.uci(move): move for move in generator.moves(board)}
    for move in list(true.legal_moves):
        generator.play(board, by_text[true.uci(move)])
        true.push(move)
        yield from played(generator, board, true, plies - 1)
        generator.undo(board)
        true.pop()
