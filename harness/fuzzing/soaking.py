"""The soak: random games inside the kernels, in which the kernels are compared with each other.

Differences are examined, reduced and reported as in any fuzzing run. The positions are divided into
shards, each with a seed of its own, so that the result depends on the seed and the number of
positions, not on the number of threads. Threads of this process play them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from math import inf

from ... import __version__
from ...generator.chess960 import STANDARD, chess960_start
from ...generator.events import Event
from ...generator.kernels.machine.memory import Control
from ...generator.line import Line
from ...generator.position import Position
from ...generator.reachability.labels import Label
from ...generator.soaking import CHECKS, KernelDifference, SoakResult, soak
from ...generator.validation import FenError
from ...strategies.drawing import tricky_positions
from ..asking.client import ForegroundCallRunner
from ..engines.base import EngineCrash
from ..engines.call import EngineCall
from ..engines.kinds.own import compile_notice
from ..model.results.events import Notice
from ..model.results.verdict import Verdict
from ..model.shutdown import POLL_SECONDS, Interrupt, Interrupted
from ..work.executor import TaskContext
from ..work.pool import TaskPool, value_of
from ..work.threads import LocalThreads
from ..work.worker_state import WORKER
from .campaign import NOWHERE, REDUCING_SHARE, Store, find_of
from .examining import Examiner, build_examiner
from .model import (
    Coverage,
    Discrepancy,
    Find,
    FuzzEvent,
    FuzzFinished,
    FuzzProgress,
    FuzzStarted,
    Hit,
    Signature,
)
from .needed_kernels import kernels_of_soak
from .plan import FuzzPlan
from .processes.messages import HitReduced
from .reducing import reduce

SHARD = 8_000_000
"""Positions of one shard: a few seconds of work."""
GAMES = "games inside the kernels"
"""The name that reports show in place of a strategy."""
PATIENCE_SECONDS = 1.5
"""How long shards may take to end once they are asked to."""
_SEED_STEP = 1_000_003


STARTS = 40
"""How many of the 960 starting positions of Chess960 games start from, besides the tricky positions."""


@dataclass(frozen=True)
class Shard:
    """A part of a soak."""

    number: int
    positions: int
    seed: int


def threads_here(plan: FuzzPlan) -> LocalThreads:
    """Return as many threads as a plan says, which play the games of shards."""
    return LocalThreads(plan.jobs, play)


def play(context: TaskContext, shard: Shard) -> SoakResult:
    """Play the games of a shard."""
    control = Control()
    with context.stopping(control.stop, lambda: control.nodes):
        result = soak(starts(), shard.positions, shard.seed, control=control)
    WORKER.note(positions=result.positions)
    return result


@cache
def starts() -> tuple[Position, ...]:
    """Return the positions from which games start."""
    numbers = range(0, 960, 960 // STARTS)
    setups = [chess960_start(number, (number * 7) % 960) for number in numbers]
    return (Position.start(), chess960_start(STANDARD), *tricky_positions(), *setups)


def soak_kernels(
    plan: FuzzPlan,
    positions: int | None,
    interrupt: Interrupt,
    store: Store = NOWHERE,
) -> Iterator[FuzzEvent]:
    """Soak a number of positions, or for the time of the plan; `store` keeps the finds.

    The first event is `FuzzStarted`, the last `FuzzFinished`. Raises UsageError.
    """
    started = FuzzStarted(
        version=__version__,
        engine=plan.engine,
        references=(),
        checks=tuple(CHECKS),
        seed=plan.seed,
        strategies=(GAMES,),
        examples=positions,
        possible_events=plan.possible_events,
    )
    pool: TaskPool[Shard] = TaskPool(threads_here(plan))
    yield started
    if (notice := compile_notice(kernels_of_soak())) is not None:
        yield Notice(notice)
    with closing(pool):
        yield from _Soak(plan, positions, interrupt, store, pool).run(started)


class _Soak:
    def __init__(
        self, plan: FuzzPlan, positions: int | None, interrupt: Interrupt, store: Store, pool: TaskPool[Shard]
    ) -> None:
        self._plan, self._positions, self._interrupt, self._store = plan, positions, interrupt, store
        self._began = time.monotonic()
        self._results: dict[int, SoakResult] = {}
        self._pool = pool
        self._next = 0

    def run(self, started: FuzzStarted) -> Iterator[FuzzEvent]:
        with suppress(Interrupted):
            ForegroundCallRunner(self._interrupt).call(
                lambda _: soak([Position.start()], 1, 0)
            )  # until all is compiled
        self._began = time.monotonic()
        with self._interrupt.failing():
            yield from self._play()
        seconds = time.monotonic() - self._began
        ordered = [result for _, result in sorted(self._results.items())]
        differences = [difference for result in ordered for difference in result.differences]
        finds = tuple(self._finds(differences))
        yield FuzzFinished(
            started,
            finds,
            _coverage(ordered),
            seconds,
            interrupted=self._interrupt.requested,
            internal_error=self._interrupt.fault is not None,
        )

    def _play(self) -> Iterator[FuzzEvent]:
        stopped_at: float | None = None
        while True:
            self._pool.give(self._next_shard)
            if not self._pool.is_busy and (self._is_over() or self._size() <= 0):
                return
            for shard, done in self._pool.results(POLL_SECONDS):
                self._results[shard.number] = value_of(done, EngineCrash)
            yield from map(Notice, self._pool.news())
            yield self._progress()
            if self._is_over():
                self._pool.stop()
                stopped_at = stopped_at or time.monotonic()
                if time.monotonic() - stopped_at > PATIENCE_SECONDS:
                    return  # a worker that hangs has nothing to wait for

    def _next_shard(self) -> Shard | None:
        """Return the next shard, None once the soak is over."""
        size = self._size()
        if self._is_over() or size <= 0:
            return None
        self._next += 1
        return Shard(self._next - 1, size, self._plan.seed * _SEED_STEP + self._next - 1)

    def _size(self) -> int:
        """Return the number of positions of the next shard; 0 or less after the last."""
        return SHARD if self._positions is None else min(SHARD, self._positions - self._next * SHARD)

    def _is_over(self) -> bool:
        has_differences = any(result.differences for result in self._results.values())
        kept = (self._plan.seconds or 0) * REDUCING_SHARE if has_differences else 0
        return self._interrupt.requested or self._seconds_left < kept

    @property
    def _seconds_left(self) -> float:
        """What is left of the time of the plan, reductions included; it begins when all is compiled."""
        return inf if self._plan.seconds is None else self._began + self._plan.seconds - time.monotonic()

    def _progress(self) -> FuzzProgress:
        done = sum(result.positions for result in self._results.values())
        failed = {difference.check for result in self._results.values() for difference in result.differences}
        return FuzzProgress(done + self._pool.progress(), time.monotonic() - self._began, len(failed), "soaking")

    def _finds(self, differences: list[KernelDifference]) -> Iterator[Find]:
        """Yield one reduced find of each signature, from the simplest position of each check that failed."""
        if not differences:
            return
        with closing(build_examiner(self._plan)) as examiner:
            examiner.start()
            # All are examined before the first is reduced, because a stopped reduction stops the examiner.
            discrepancies = self._discrepancies(differences, examiner)
            with self._stopped_in_time(examiner):
                for discrepancy, times in discrepancies:
                    hit = Hit(discrepancy, GAMES, 0)
                    reduced = self._reduce(hit, examiner)
                    if _has_fen(reduced.discrepancy):
                        self._store.keep_reduced(reduced.discrepancy, reduced.depth, None)
                    # Games of right kernels lead to reachable positions only.
                    yield find_of(self._plan, reduced, hit, times, Label.REACHABLE)

    @contextmanager
    def _stopped_in_time(self, examiner: Examiner) -> Iterator[None]:
        """Stop the examiner, and with it all reductions in this block, once the time of the plan is over."""
        timer = threading.Timer(min(max(0.0, self._seconds_left), threading.TIMEOUT_MAX), examiner.caller.stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _discrepancies(self, differences: list[KernelDifference], examiner: Examiner) -> list[tuple[Discrepancy, int]]:
        """Return one discrepancy of each signature, and how many differences its check has seen."""
        found: dict[Signature, tuple[Discrepancy, int]] = {}
        for check in CHECKS:
            failed = [difference for difference in differences if difference.check == check]
            if failed:
                simplest = min(failed, key=lambda difference: difference.position.occupied.bit_count())
                for discrepancy in _discrepancies_at(simplest, examiner, self._plan.depth):
                    found.setdefault(discrepancy.signature, (discrepancy, len(failed)))
        return list(found.values())

    def _reduce(self, hit: Hit, examiner: Examiner) -> HitReduced:
        """Reduce a hit; return it as it is once the work has to end, and where its position has no FEN."""

        def work(call: EngineCall) -> tuple[Discrepancy, int, bool]:
            call.on_stop(examiner.caller.stop)
            return reduce(hit.discrepancy, self._plan.depth, examiner)

        if _has_fen(hit.discrepancy) and not self._interrupt.requested:
            with suppress(Interrupted):
                return HitReduced(hit, *ForegroundCallRunner(self._interrupt).call(work))
        return HitReduced.as_found(hit, self._plan.depth)


def _coverage(results: list[SoakResult]) -> Coverage:
    words = [low | high << 64 for low, high in (result.events for result in results)]
    met = [event for event in Event if any(word >> event.value & 1 for word in words)]
    return Coverage(
        events=tuple((event.value, 1) for event in met),
        strategies=((GAMES, sum(result.positions for result in results)),),
        labels=(),
        are_counted=False,
    )


def _discrepancies_at(difference: KernelDifference, examiner: Examiner, depth: int) -> list[Discrepancy]:
    """Return the discrepancies that the examiner finds there, or else the difference itself as one."""
    line = Line(difference.position)
    message = f"{difference.check}: {CHECKS[difference.check]}"
    itself = Discrepancy(difference.check, Verdict.MISMATCH, line, None, message)
    return (examiner.examine(line, depth) if _has_fen(itself) else []) or [itself]


def _has_fen(discrepancy: Discrepancy) -> bool:
    """Tell whether a FEN describes the position: faulty kernels may lead to one without a king, for example."""
    base = discrepancy.line.base
    try:
        return Position.from_fen(base.fen(), base.chess960) == base
    except FenError:
        return False
