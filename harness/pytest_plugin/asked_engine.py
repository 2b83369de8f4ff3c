"""The engine of a session as tests ask it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ...generator.line import Line
from ..checking.comparing import write_move
from .complaints import as_failures, raising_for_the_test
from .given import position_of
from .tester import TESTER, Tester

if TYPE_CHECKING:
    from .given import GivenPosition


class AskedEngine:
    """An engine that has been started. What it is asked has the time limit of `--perft-timeout`."""

    def __init__(self, tester: Tester) -> None:
        self._tester = tester

    def __repr__(self) -> str:
        return f"<engine {self.name}>"

    @property
    def name(self) -> str:
        """The engine as the user names it."""
        return self._tester.settings.engine

    @raising_for_the_test
    def perft(self, position: GivenPosition, depth: int) -> int:
        """Return the number of leaf nodes.

        Raises EngineError where the engine gives no answer, ValueError for a bad FEN.
        """
        return self._tester.engine.perft(Line(position_of(position)), depth)

    @raising_for_the_test
    def divide(self, position: GivenPosition, depth: int) -> dict[str, int]:
        """Return the leaf nodes below each root move, `depth` at least 1.

        Castling is written as the position has it: e1g1, or e1h1 in Chess960. Where an engine prints no root moves, it
        is asked for the count after each legal move. Raises EngineError where the engine gives no answer, ValueError
        for a bad FEN.
        """
        line, engine = Line(position_of(position)), self._tester.engine
        divide = engine.with_children(line, depth, engine.divide(line, depth))
        return {write_move(line.position, move)[0]: count for move, count in divide.counts.items()}


def asked_engine(config: pytest.Config) -> AskedEngine:
    """Return the engine of a session, started. Fails the test where there is none."""
    __tracebackhide__ = True
    tester = config.stash.get(TESTER, None)
    if tester is None:
        pytest.fail("perft_engine: give --perft-engine SPEC, or perft_engine in the configuration of pytest", False)
    with as_failures():
        tester.start()
    return AskedEngine(tester)
