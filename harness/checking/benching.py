"""Time engines side by side in rounds, compare their speeds, and measure the cost of perft-check's techniques."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from operator import truediv

from ...errors import UsageError
from ...generator.game import Game
from .. import values
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError, EngineTimeout
from ..engines.command_lines import divide_command
from ..model.results.bench import BenchProgress, Comparison, Speed, SpeedRatio, TechniqueCost
from ..model.results.verdict import Verdict

LEAST_NODES = 3_000_000
"""Unless the user gives a depth, a position is counted at the lowest depth with this many leaf nodes."""
MOST_PLIES = 12
TRIALS = 3
"""Number of short counts by each engine at a depth, used to estimate the time at a greater depth."""


class Bench:
    """Times engines side by side.

    In each round, every engine in turn counts each position, so that a drift in the speed of the machine affects all of
    them. Every second round reverses the order, so that no engine always follows the same other one. Every count is
    compared with that of perft-check's kernel. An engine that fails at a position does not count it again.
    """

    def __init__(
        self, engines: Sequence[EngineSession], kernel: EngineSession, warn: Callable[[str], None] = lambda _line: None
    ) -> None:
        """Create a bench for these engines, with perft-check's kernel as the reference.

        The engines and the kernel must be started before the first measurement. `warn` is called with one line when an
        engine fails.
        """
        self.engines, self._kernel, self._warn = engines, kernel, warn

    def start_position(
        self, name: str, game: Game, depth: int | None = None, most_seconds: float = math.inf
    ) -> list[Speed]:
        """Choose the depth for a position, and return a `Speed` without rounds for each engine.

        The default depth is the lowest with at least `LEAST_NODES` leaf nodes, or if that takes too long, the greatest
        that the slowest engine can count in about `most_seconds`. The speed of an engine that fails has the
        corresponding verdict. Raises Interrupted, and UsageError if there is nothing to count at a depth.
        """
        if depth is not None:
            return self._speeds(name, game, depth)
        depth = max(1, *(engine.min_depth for engine in self.engines))
        chosen, seconds = self._try(game, self._speeds(name, game, depth), most_seconds)
        nodes, nodes_before, seconds_before = chosen[0].nodes, 0, 0.0
        while depth < MOST_PLIES and nodes < LEAST_NODES and (more := self._kernel.perft(game, depth + 1)):
            a_node = (seconds - seconds_before) / max(1, nodes - nodes_before)
            if depth > 1 and seconds + a_node * (more - nodes) > most_seconds:
                break
            deeper = [replace(speed, depth=depth + 1, nodes=more) for speed in chosen]
            tried, longer = self._try(game, deeper, most_seconds)
            if longer > 2 * most_seconds:
                break
            nodes_before, seconds_before = nodes, seconds
            chosen, depth, nodes, seconds = tried, depth + 1, more, longer
        return chosen

    def _speeds(self, name: str, game: Game, depth: int) -> list[Speed]:
        try:
            nodes = self._kernel.perft(game, depth)
        except EngineTimeout as error:
            why = f"perft-check's kernel takes longer than --timeout at depth {depth}, so no count can be checked"
            raise UsageError(f"{name}: {why}; give a smaller depth") from error
        if not nodes:
            raise UsageError(f"{name}: no leaf node at depth {depth}, so nothing to time; give another depth")
        return [Speed(engine.spec, name, depth, nodes) for engine in self.engines]

    def _try(self, game: Game, speeds: Sequence[Speed], most_seconds: float) -> tuple[list[Speed], float]:
        """Count once more with each engine that has not failed; return updated speeds and the slowest engine's time.

        The fastest of a few counts is used, because the first count of an engine may take much longer.
        """
        tried, slowest = list(speeds), 0.0
        for index, engine in enumerate(self.engines):
            rounds: tuple[float, ...] = ()
            while tried[index].verdict is Verdict.AGREE and len(rounds) < TRIALS:
                tried[index] = self._time_once(engine, game, replace(tried[index], rounds=rounds), 0.0)
                rounds = tried[index].rounds
                if sum(tried[index].nodes / speed / 1e6 for speed in rounds) > most_seconds / 2:
                    break
            slowest = max(slowest, tried[index].nodes / max(rounds, default=math.inf) / 1e6)
        return [replace(one, rounds=()) for one in tried], slowest

    def time_round(
        self, games: Mapping[str, Game], speeds: Sequence[Speed], number: int, least_seconds: float = 0.0
    ) -> list[Speed]:
        """Return the speeds with round `number` added. Raises Interrupted.

        An engine repeats a count until `least_seconds` have passed.
        """
        timed = list(speeds)
        engines = len(self.engines)
        for first in range(0, len(timed), engines):
            order = range(engines)
            for index in reversed(order) if number % 2 else order:
                speed = timed[first + index]
                timed[first + index] = self._time_once(self.engines[index], games[speed.position], speed, least_seconds)
        return timed

    def _time_once(self, engine: EngineSession, game: Game, speed: Speed, least_seconds: float) -> Speed:
        """Return a speed with one more round, or with a verdict if the engine fails."""
        if speed.verdict is not Verdict.AGREE:
            return speed
        began, elapsed, times = time.perf_counter(), 0.0, 0
        try:
            while (counted := engine.perft(game, speed.depth)) == speed.nodes:
                elapsed, times = time.perf_counter() - began, times + 1
                if elapsed >= least_seconds:
                    return replace(speed, rounds=(*speed.rounds, times * speed.nodes / elapsed / 1e6))
        except EngineError as error:
            self._warn(f"{engine.name} at {speed.position}: {error}")
            return replace(speed, verdict=error.verdict)
        wrong = f"{engine.name} counts {counted:,} at {speed.position}, depth {speed.depth}, instead of {speed.nodes:,}"
        command = divide_command(speed.position, speed.depth, engine.spec, "own:turbo")
        self._warn(f"{wrong}: {command}")
        return replace(speed, verdict=Verdict.MISMATCH)


def costs() -> Iterator[TechniqueCost]:
    """Yield the cost of each technique."""
    from ...generator.techniques.registry import ENTRIES

    for name, entry in ENTRIES.items():
        yield TechniqueCost(
            name=name,
            table_bytes=entry.technique.table_bytes,
        )


def compare_speeds(speeds: Sequence[Speed], engine: str, other: str, fail_below: float | None) -> Comparison | None:
    """Return the comparison of an engine with another, or None if there is no position that both counted correctly."""
    mine, others = (
        {one.position: one for one in speeds if one.engine == name and one.verdict is Verdict.AGREE}
        for name in (engine, other)
    )
    ratios = tuple(
        SpeedRatio(name, speed.depth, tuple(map(truediv, speed.rounds, others[name].rounds)))
        for name, speed in mine.items()
        if name in others
    )
    return Comparison(engine, other, ratios, fail_below) if ratios else None


@dataclass(frozen=True)
class BenchPlan:
    """The settings of a bench: its duration, its depth, and the comparison to make."""

    seconds: float = values.BENCH_SECONDS
    """Total time in seconds, excluding the startup of the engines."""
    rounds: int | None = None
    """Number of repetitions of each count, or None to continue until time runs out or the comparison is clear."""
    shortest_count: float = 0.0
    """Minimum time in seconds to repeat a count in each round, if there is enough time."""
    depth: int | None = None
    """The depth of every count, or None to choose a depth for each position."""
    compared: str | None = None
    """The SPEC of the engine that the first engine is compared with."""
    fail_below: float | None = None
    """The ratio below which the first engine is too slow."""

    def most_seconds(self, counts: int) -> float:
        """Return the maximum duration of a count in seconds if each round has `counts` counts."""
        return self.seconds / counts / (self.rounds or values.GUARD_ROUNDS)


def run_bench(bench: Bench, games: Mapping[str, Game], plan: BenchPlan) -> Iterator[BenchProgress]:
    """Yield the progress of a bench before the first round and after each round.

    Raises Interrupted, EngineError, and UsageError if there is nothing to count at a depth.
    """
    began = time.monotonic()
    most_seconds = plan.most_seconds(len(games) * len(bench.engines))
    speeds: list[Speed] = []
    for name, game in games.items():
        speeds += bench.start_position(name, game, plan.depth, most_seconds)
    chosen = time.monotonic()
    progress = BenchProgress(0, plan.rounds, chosen - began, plan.seconds - (chosen - began), tuple(speeds))
    yield progress
    for number in count():
        speeds = bench.time_round(games, speeds, number, min(most_seconds, plan.shortest_count))
        now, rounds = time.monotonic(), number + 1
        a_round = (now - chosen) / rounds
        left = plan.seconds - (now - began) if plan.rounds is None else (plan.rounds - rounds) * a_round
        progress = replace(progress, rounds=rounds, seconds=now - began, left_seconds=left, speeds=tuple(speeds))
        if plan.compared is not None:
            comparison = compare_speeds(speeds, bench.engines[0].spec, plan.compared, plan.fail_below)
            progress = replace(progress, comparison=comparison)
        yield progress
        if _is_enough(progress, a_round, is_comparing=plan.compared is not None):
            return


def _is_enough(progress: BenchProgress, a_round: float, *, is_comparing: bool) -> bool:
    """Return True if there is no time for another round, or if it would not change the result."""
    if progress.planned_rounds is not None:
        return progress.rounds >= progress.planned_rounds
    has_failed = all(one.verdict is not Verdict.AGREE for one in progress.speeds)
    is_clear = is_comparing and (progress.comparison is None or progress.comparison.is_clear)
    return has_failed or is_clear or progress.left_seconds < a_round
