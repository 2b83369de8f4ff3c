"""Time budgets of runs: how fast an engine answers, and which suites and counts fit into a given time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...generator.counting.perft import perft
from ...generator.game import Game
from ...generator.position import Position
from ...suites.bundled import ALL_BUNDLED, DEFAULT, QUICK, bundled_path
from ...suites.case import Suite
from ...suites.loader import load_suite
from ..engines.asking.session import EngineSession
from .benching.timing import LEAST_NODES, MOST_PLIES

CHOICES: tuple[tuple[str, ...], ...] = (ALL_BUNDLED, tuple(DEFAULT), QUICK, ("smoke",))
"""Suites of a run, the most thorough choice first."""
LIMITS: tuple[int, ...] = tuple(digit * 10**power for power in range(2, 7) for digit in (1, 2, 5))
"""Node limits for a count, from 100 to 5,000,000; no bundled count exceeds the last one."""
QUESTIONS = 3
"""Number of small counts to time; the fastest one determines the cost of a question."""
ENOUGH_SECONDS = 0.1
"""A count that takes this long, or has as many leaf nodes as one of `bench`, determines an engine's speed."""
MOST_SECONDS = 1.0
"""Counts that would take longer are not tried."""


@dataclass(frozen=True)
class QuestionCost:
    """The time that an engine takes to answer."""

    seconds: float
    """Fixed time per question, regardless of its size."""
    nodes_per_second: float
    """Leaf nodes per second, apart from that fixed time."""
    min_depth: int = 0
    chess960: bool = True
    """Whether Chess960 positions are included."""

    def is_for(self, suite: Suite) -> bool:
        """Return True if the engine supports most positions of a suite."""
        return self.chess960 or sum(case.position.chess960 for case in suite) * 2 < len(suite)

    def seconds_for(self, suites: Iterable[Suite], max_nodes: int) -> float:
        """Return the estimated time for all counts of at most `max_nodes` in these suites."""
        counts = [
            nodes
            for suite in suites
            for case in suite
            for depth, nodes in case.counts
            if nodes <= max_nodes and depth >= self.min_depth and (self.chess960 or not case.position.chess960)
        ]
        return len(counts) * self.seconds + sum(counts) / self.nodes_per_second


@dataclass(frozen=True)
class Budget:
    """The suites and the node limit of a run, and its estimated duration."""

    suites: tuple[str, ...]
    max_nodes: int
    seconds: float

    @property
    def leaves_nothing_out(self) -> bool:
        """Whether no count exceeds the limit."""
        return self.max_nodes >= LIMITS[-1]


def budget(cost: QuestionCost, seconds: float) -> Budget:
    """Return the most thorough run that fits into `seconds`, or the shortest run if none fits."""
    for names in CHOICES:
        suites = {name: load_suite(bundled_path(name)) for name in names}
        asked = tuple(name for name in names if cost.is_for(suites[name]))
        fitting = _budgets_within(cost, asked, [suites[name] for name in asked], seconds)
        if fitting:
            return fitting[-1]
    return Budget(asked, LIMITS[0], cost.seconds_for([suites[name] for name in asked], LIMITS[0]))


def _budgets_within(
    cost: QuestionCost, names: tuple[str, ...], suites: Sequence[Suite], seconds: float
) -> list[Budget]:
    budgets = [Budget(names, limit, cost.seconds_for(suites, limit)) for limit in LIMITS]
    return [one for one in budgets if one.seconds <= seconds]


def measure_cost(session: EngineSession, positions: Sequence[Position]) -> QuestionCost:
    """Measure how fast an engine counts positions; the first one is counted several times. Raises EngineError."""
    games = [Game(position) for position in positions]
    least = max(1, session.min_depth)
    question = min(_time_count(session, games[0], least) for _ in range(QUESTIONS))
    nodes, seconds = map(sum, zip(*(_time_long_count(session, game, least) for game in games), strict=True))
    return QuestionCost(
        question,
        nodes / max(seconds - question * len(games), seconds / 2),
        session.min_depth,
        session.no_chess960 is None,
    )


def _time_long_count(session: EngineSession, game: Game, least: int) -> tuple[int, float]:
    """Return nodes and seconds of the shallowest count that is long enough to be timed, but not too long."""
    for depth in range(least, MOST_PLIES + 1):
        nodes, seconds = perft(game.position, depth), _time_count(session, game, depth)
        if nodes >= LEAST_NODES or seconds > ENOUGH_SECONDS:
            break
        if not 0 < perft(game.position, depth + 1) * seconds < MOST_SECONDS * nodes:
            break
    return nodes, seconds


def _time_count(session: EngineSession, game: Game, depth: int) -> float:
    began = time.perf_counter()
    session.perft(game, depth)
    return time.perf_counter() - began
