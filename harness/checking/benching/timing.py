"""Timing engines side by side, in rounds, and what perft-check's techniques take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from ....errors import UsageError
from ....generator.game import Game
from ....generator.position import Position
from ... import values
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError
from ...engines.command_lines import divide_command
from ...model.results.bench import BenchProgress, Comparison, Speed, TechniqueCost
from ...model.results.verdict import Verdict

LEAST_NODES = 3_000_000
"""A position is counted to the least depth with this many leaves, unless the user gives a depth."""
MOST_PLIES = 12
TRIALS = 3
"""Short counts with each engine at a depth, from which the time of a deeper one is guessed."""

Tell = Callable[[str], None]


class Bench:
    """Times engines side by side.

    Each round asks every engine in turn about each position, so that a machine whose speed drifts slows
    them all; every second round asks them in reverse, so that none always follows the same other one.
    Every count is compared with that of perft-check's counting kernel. An engine that fails at a position is not
    asked about it again.
    """

    def __init__(
        self, engines: Sequence[EngineSession], ours: EngineSession, trouble: Tell = lambda _line: None
    ) -> None:
        """Take the engines, and perft-check's kernel as the reference; `trouble` is called when one fails.

        They are to be started before anything is measured.
        """
        self.engines, self._ours, self._trouble = engines, ours, trouble

    def start_position(
        self, name: str, game: Game, depth: int | None = None, most_seconds: float = math.inf
    ) -> list[Speed]:
        """Return the engines at a position, without rounds, and how deep they count it.

        If no depth is given, it is the least with `LEAST_NODES` leaves, or else the greatest that the slowest
        engine counts in about `most_seconds`. Engines that fail on the way have that verdict. Raises Interrupted, and
        UsageError if there is nothing to count at a depth.
        """
        if depth is not None:
            return self._speeds(name, game, depth)
        depth = max(1, *(engine.min_depth for engine in self.engines))
        chosen, seconds = self._try(game, self._speeds(name, game, depth), most_seconds)
        nodes, nodes_before, seconds_before = chosen[0].nodes, 0, 0.0
        while depth < MOST_PLIES and nodes < LEAST_NODES and (more := self._ours.perft(game, depth + 1)):
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
        nodes = self._ours.perft(game, depth)
        if not nodes:
            raise UsageError(f"{name}: no leaf node at depth {depth}, so nothing to time; give another depth")
        return [Speed(engine.spec, name, depth, nodes) for engine in self.engines]

    def _try(self, game: Game, speeds: Sequence[Speed], most_seconds: float) -> tuple[list[Speed], float]:
        """Count with each engine that has not failed; return their verdicts, and the seconds of the slowest.

        The shortest of a few counts is taken: the first one of an engine may take much longer.
        """
        tried, slowest = list(speeds), 0.0
        for place, engine in enumerate(self.engines):
            rounds: tuple[float, ...] = ()
            while tried[place].verdict is Verdict.AGREE and len(rounds) < TRIALS:
                tried[place] = self._time_once(engine, game, replace(tried[place], rounds=rounds), 0.0)
                rounds = tried[place].rounds
                if sum(tried[place].nodes / speed / 1e6 for speed in rounds) > most_seconds / 2:
                    break
            slowest = max(slowest, tried[place].nodes / max(rounds, default=math.inf) / 1e6)
        return [replace(one, rounds=()) for one in tried], slowest

    def time_round(
        self, lines: Mapping[str, Game], speeds: Sequence[Speed], number: int, least_seconds: float = 0.0
    ) -> list[Speed]:
        """Return the speeds with one more round, the one of this number. Raises Interrupted.

        An engine counts a position again and again until `least_seconds` are over, at least once.
        """
        timed = list(speeds)
        engines = len(self.engines)
        for first in range(0, len(timed), engines):
            order = range(engines)
            for place in reversed(order) if number % 2 else order:
                speed = timed[first + place]
                timed[first + place] = self._time_once(self.engines[place], lines[speed.position], speed, least_seconds)
        return timed

    def _time_once(self, engine: EngineSession, game: Game, speed: Speed, least_seconds: float) -> Speed:
        """Return a speed with one more round, or with the verdict on an engine that fails."""
        if speed.verdict is not Verdict.AGREE:
            return speed
        began, elapsed, times = time.perf_counter(), 0.0, 0
        try:
            while (counted := engine.perft(game, speed.depth)) == speed.nodes:
                elapsed, times = time.perf_counter() - began, times + 1
                if elapsed >= least_seconds:
                    return replace(speed, rounds=(*speed.rounds, times * speed.nodes / elapsed / 1e6))
        except EngineError as error:
            self._trouble(f"{engine.name} at {speed.position}: {error}")
            return replace(speed, verdict=error.verdict)
        wrong = f"{engine.name} counts {counted:,} at {speed.position}, depth {speed.depth}, instead of {speed.nodes:,}"
        command = divide_command(speed.position, speed.depth, engine.spec, "own:turbo")
        self._trouble(f"{wrong}: {command}")
        return replace(speed, verdict=Verdict.MISMATCH)


def costs(positions: Sequence[Position]) -> Iterator[TechniqueCost]:
    """Yield what each technique takes in those of the positions that it knows."""
    from ....generator.techniques.registry import ENTRIES, knows
    from ....generator.techniques.tracing import traces

    for name, entry in ENTRIES.items():
        walks = list(traces(name, [position for position in positions if knows(name, position)]))
        squares = sum(walk.number("visit") + walk.number("test") for walk in walks)
        look_ups = sum(walk.number("look-up") for walk in walks)
        moves = sum(walk.legal for walk in walks)
        is_recorded = bool(squares + look_ups)
        yield TechniqueCost(
            name=name,
            table_bytes=entry.technique.table_bytes,
            squares=squares / moves if is_recorded else None,
            look_ups=look_ups / moves if is_recorded else None,
            remark=entry.technique.cost,
            lists_moves=name != "turbo",
        )


Compare = Callable[[Sequence[Speed]], Comparison | None]


@dataclass(frozen=True)
class BenchPlan:
    """How long a bench takes, and how deep it counts."""

    seconds: float = values.BENCH_SECONDS
    """In all, once the engines have started."""
    rounds: int | None = None
    """How often each count is repeated; None until the time is over, or the comparison is clear."""
    shortest_count: float = 0.0
    """Seconds for which an engine counts a position again and again in a round, if there is time."""
    depths: Mapping[str, int] = field(default_factory=dict)
    """Those that are given, by the name of the position."""

    def most_seconds(self, counts: int) -> float:
        """Return the seconds that a count may take if each round has `counts` counts."""
        return self.seconds / counts / (self.rounds or values.GUARD_ROUNDS)


def run_bench(
    bench: Bench, lines: Mapping[str, Game], plan: BenchPlan, compare: Compare | None = None
) -> Iterator[BenchProgress]:
    """Yield how far the bench is, with its speeds, after each round, and once before the first.

    `compare` makes a comparison of the speeds so far. Raises Interrupted, EngineError, and UsageError if a position
    has nothing to count at a depth.
    """
    began = time.monotonic()
    share = plan.most_seconds(len(lines) * len(bench.engines))
    speeds: list[Speed] = []
    for name, line in lines.items():
        speeds += bench.start_position(name, line, plan.depths.get(name), share)
    chosen = time.monotonic()
    progress = BenchProgress(0, plan.rounds, chosen - began, plan.seconds - (chosen - began), tuple(speeds))
    yield progress
    for number in count():
        speeds = bench.time_round(lines, speeds, number, min(share, plan.shortest_count))
        now, rounds = time.monotonic(), number + 1
        a_round = (now - chosen) / rounds
        left = plan.seconds - (now - began) if plan.rounds is None else (plan.rounds - rounds) * a_round
        progress = replace(progress, rounds=rounds, seconds=now - began, left_seconds=left, speeds=tuple(speeds))
        if compare is not None:
            progress = replace(progress, comparison=compare(speeds))
        yield progress
        if _is_enough(progress, a_round, is_comparing=compare is not None):
            return


def _is_enough(progress: BenchProgress, a_round: float, *, is_comparing: bool) -> bool:
    """Return True if another round would not fit into the time, or would change nothing."""
    if progress.planned_rounds is not None:
        return progress.rounds >= progress.planned_rounds
    has_failed = all(one.verdict is not Verdict.AGREE for one in progress.speeds)
    is_clear = is_comparing and (progress.comparison is None or progress.comparison.is_clear)
    return has_failed or is_clear or progress.left_seconds < a_round
