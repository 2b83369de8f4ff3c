"""Find the lines of an engine that are suspected of a fault: ask about a position and its neighbors, with coverage.

Some neighbors of a position with an incorrect count have incorrect counts as well, and the others do not. The branches
that the answers executed are compared in `suspicion.py`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Self

from ...errors import UsageError
from ...generator.counting import perft as own
from ...generator.game import Game
from ...generator.position import Position
from ..checking.comparing import agree, least_depth
from ..checking.covering import measured_coverage, without_counters
from ..coverage.source_files import WITHOUT_LINES, source_folders
from ..engines.asking.session import EngineSession
from ..engines.base import Divide, EngineError
from ..engines.files import files_of
from ..model.results.finding import Finding, SuspiciousLines
from .neighbors import neighbors_of
from .suspicion import Execution, Measure, ochiai, rank_lines, score_branches

MOST_NEIGHBORS = 200
MOST_NODES, MOST_NODES_SLOW = 300_000, 10_000
"""Maximum number of leaf nodes of a count, and that of slow engines."""
DEEPEST = 5
"""Maximum depth of a count."""
SECONDS = 20.0
"""Time after which no more neighbors are counted."""
MOST_SHOWN = 5
"""Number of places to report for a finding."""
MOST_SUSPECTED = 3
"""Maximum number of findings of a run to which suspicious lines are added."""


class LineSuspector:
    """Finds suspicious lines for the findings about an engine, which it asks in a process of its own."""

    def __init__(self, session: EngineSession) -> None:
        """Prepare to ask an engine that has not been started. Raises UsageError if its type has no counters."""
        self._session = session
        self._source = measured_coverage(session.engine)
        self._most_nodes = MOST_NODES_SLOW if session.engine.is_slow else MOST_NODES

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._session.close()

    def start(self) -> None:
        """Start the engine. Raises EngineError, Interrupted, and UsageError if its counters or lines are not known.

        Its first answer is not compared with others, because it may fill tables.
        """
        self._session.start()
        if self._execute(Position.start(), least_depth(self._session)) is None:
            raise without_counters(self._session.engine)
        if not any(one is not None and one.is_source for one in self._source.locations()):
            raise UsageError(f"{self._session.name}: {WITHOUT_LINES}")

    def suspect(self, finding: Finding, base: Position) -> Finding:
        """Return a finding with its suspicious lines, if its position or `base` shows an incorrect count.

        Raises Interrupted.
        """
        if finding.engine_is_correct:
            return finding
        positions = [Position.from_fen(finding.fen, finding.chess960), base]
        if finding.base_fen is not None:
            positions.insert(1, Position.from_fen(finding.base_fen, finding.chess960))
        executions = self.compare(positions)
        return replace(finding, suspicious=tuple(islice(self.rank(executions), MOST_SHOWN)))

    def compare(self, positions: Iterable[Position]) -> list[Execution]:
        """Return what the first position with an incorrect count, and its neighbors, execute.

        The depth is the smallest at which any position has an incorrect count. Return nothing if no count is incorrect,
        or no neighbor's count is correct. Raises Interrupted.
        """
        failing = next(self._failures(dict.fromkeys(positions)), None)
        if failing is None:
            return []
        position, depth = failing
        deadline = time.monotonic() + SECONDS
        executions = []
        for one in (position, *neighbors_of(position, MOST_NEIGHBORS)):
            if time.monotonic() > deadline:
                break
            if (execution := self._execute(one, depth)) is not None:
                executions.append(execution)
        return executions if len({one.has_failed for one in executions}) == 2 else []

    def rank(self, executions: Sequence[Execution], measure: Measure = ochiai) -> Iterator[SuspiciousLines]:
        """Yield the lines that were executed by an incorrect answer, the most suspicious first."""
        folders = source_folders(files_of(self._session.spec))
        return rank_lines(score_branches(executions, measure), self._source.locations(), folders)

    def _failures(self, positions: Iterable[Position]) -> Iterator[tuple[Position, int]]:
        """Yield the positions with an incorrect count and its depth, the smallest depth first."""
        for depth in range(least_depth(self._session), DEEPEST + 1):
            for position in positions:
                execution = self._execute(position, depth)
                if execution is not None and execution.has_failed:
                    yield position, depth

    def _execute(self, position: Position, depth: int) -> Execution | None:
        """Return what the count of a position executes, or None if it is too large or there is no answer."""
        session, game = self._session, Game(position)
        if own.perft(position, depth) > self._most_nodes or not session.can_take(game):
            return None
        expected = Divide.of((move.uci(chess960=True), count) for move, count in own.root_counts(position, depth))
        self._source.reset()
        try:
            has_failed = not agree(session.divide(game, depth), expected)
            if session.engine.counts_totals_apart:
                has_failed |= session.perft(game, depth) != expected.total
        except EngineError:
            return None
        counters = self._source.read()
        return Execution(counters, has_failed) if counters.any() else None
