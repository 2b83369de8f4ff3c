"""Sessions with engines, and an engine made of functions."""

from __future__ import annotations

from collections.abc import Callable

from perft_check.generator.game import Game
from perft_check.harness.checking.running.plan import SessionOpener
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import EngineSession, TimeLimit
from perft_check.harness.engines.base import Divide
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.engine import Engine, InProcessEngine


def asking(engine: Engine, seconds: float = 60.0, *, is_reference: bool = False) -> EngineSession:
    """Return a session with an engine, with a time limit in seconds for each answer."""
    return EngineSession(engine, CallRunner(), TimeLimit(seconds), is_reference=is_reference)


def opener_of(make: Callable[[], Engine], *, is_reference: bool = False) -> SessionOpener:
    """Return a function that opens a session with an engine that `make` returns, as the plan of a run has it."""

    def open_session(runner: CallRunner, limit: TimeLimit) -> EngineSession:
        return EngineSession(make(), runner, limit, is_reference=is_reference)

    return open_session


class Answering(InProcessEngine):
    """An engine whose answers are computed by functions."""

    name = "made"

    def __init__(
        self,
        divide: Callable[[Game, int], Divide],
        perft: Callable[[Game, int], int] | None = None,
        fen: Callable[[Game], str | None] = lambda _line: None,
    ) -> None:
        self._divide, self._perft, self._fen = divide, perft, fen

    def start(self, call: EngineCall) -> None:
        pass

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        return self._divide(game, depth).total if self._perft is None else self._perft(game, depth)

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        return self._divide(game, depth)

    def fen(self, game: Game, call: EngineCall) -> str | None:
        return self._fen(game)
