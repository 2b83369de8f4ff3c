"""The in-process engine `zoo:NAME`, which has a fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ...generator.game import Game
from ...generator.position_setup import SetupOption, fen_of, options_of
from ..engines.base import Divide, EngineCrash, EngineRejection, EngineTimeout
from ..engines.call import EngineCall
from ..engines.engine import OF_UCI, REPEATED, WRITTEN, InProcessEngine
from ..engines.root_moves import as_king_takes_rook

if TYPE_CHECKING:
    import chess

    from .fault import Fault
    from .generator import Generator

T = TypeVar("T")


class ZooEngine(InProcessEngine):
    """An engine with a fault. A hang raises a timeout error immediately."""

    setups = WRITTEN | REPEATED | OF_UCI

    def __init__(self, fault: str | Fault) -> None:
        """Open a fault, given directly or by name. Raises UsageError for an unknown name."""
        from .catalogue import find_fault

        self.fault = find_fault(fault) if isinstance(fault, str) else fault
        self.name = f"zoo:{self.fault.name}"
        self.nodes = 0
        """Number of leaf nodes counted so far."""
        self._generator = self.fault.seeded()

    def start(self, call: EngineCall) -> None:
        """Do nothing; the generator is ready as soon as the engine is opened."""

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        """Return the number of leaf nodes. Raises EngineError."""
        return 1 if depth == 0 else self.divide(game, depth, call).total

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        """Return the number of leaf nodes below each root move. Raises EngineError."""
        return _answer(self.name, lambda: self._divide(game, depth, call))

    def fen(self, game: Game, call: EngineCall) -> str | None:
        """Return the FEN that the generator prints after the moves of a game. Raises EngineError."""
        return _answer(self.name, lambda: self._generator.fen(self._board(game)))

    def _divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        pairs = []
        for text, count in self._generator.divide(self._board(game), depth):
            pairs.append((as_king_takes_rook(game.position, text), count))
            call.found(*pairs[-1])
            call.add(count)
            self.nodes += count
            if call.should_end:
                break
        return Divide.of(pairs)

    def _board(self, game: Game) -> chess.Board:
        if SetupOption.NEW_GAME in options_of(game):
            self._generator.new_game()
        return board_of(self._generator, game)


def board_of(generator: Generator, game: Game) -> chess.Board:
    """Return the position of a game as a generator sets it up. Raises ValueError, IllegalMove."""
    moves, chess960 = game.uci_moves(), game.base.chess960
    if SetupOption.START_BY_NAME in options_of(game):
        return generator.game(moves, chess960)
    return generator.line(fen_of(game), moves, chess960)


def _answer(name: str, call: Callable[[], T]) -> T:
    """Return the result of a call, converting failures of the generator to `EngineError`."""
    from .generator import Crash, Hang, IllegalMove

    try:
        return call()
    except Crash as crash:
        raise EngineCrash(f"{name} has crashed: {crash}") from None
    except Hang as hang:
        raise EngineTimeout(f"{name} waits for {hang}") from None
    except IllegalMove as move:
        raise EngineRejection(f"{name} does not know the move {move}") from None
    except ValueError as error:
        raise EngineRejection(f"{name} refuses the position: {error}") from None
