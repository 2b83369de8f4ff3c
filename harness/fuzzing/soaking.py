"""The soak: random games inside the kernels, in which the kernels are compared with each other.

Differences are examined, reduced and reported as in any fuzzing run. The positions are divided into
shards, each with a seed of its own, so that the result depends on the seed and the number of
positions, not on the number of threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from math import inf

from ... import __version__
from ...generator.chess960 import STANDARD, chess960_start
from ...generator.events import Event
from ...generator.kernels.machine.control import Control
from ...generator.line import Line
from ...generator.position import Position
from ...generator.reachability.labels import Label
from ...generator.soaking import CHECKS, Difference, SoakResult, soak
from ...generator.validation import FenError
from ...strategies.seeds import tricky_positions
from ..engines.asker import ForegroundCaller
from ..engines.task import Task
from ..model.results.events import Notice
from ..model.results.verdict import Verdict
from ..model.shutdown import POLL_SECONDS, Interrupt, Interrupted
from .building import build_examiner
from .campaign import NOWHERE, REDUCING_SHARE, Store, find_of
from .examining import Examiner
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
from .plan import Plan
from .processes.messages import Reduced
from .reduction.reducing import reduce

SHARD = 8_000_000
"""Positions of one shard: a few seconds of work."""
GAMES = "games inside the kernels"
"""The name that reports show in place of a strategy."""
STARTS = 40
"""How many of the 960 starting positions of Chess960 games start from, besides the tricky positions."""
_SEED_STEP = 1_000_003


def soak_kernels(
    plan: Plan, positions: int | None, interrupt: Interrupt, store: Store = NOWHERE
) -> Iterator[FuzzEvent]:
    """Soak a number of positions, or for the time of the plan. `store` keeps the finds.

    The first event is `FuzzStarted`, the last `FuzzFinished`.
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
    yield started
    yield Notice("compiling the kernels, if they are not yet: up to half a minute")
    yield from _Soak(plan, positions, interrupt, store).run(started)


def starts() -> list[Position]:
    """Return the positions from which games start."""
    numbers = range(0, 960, 960 // STARTS)
    setups = [chess960_start(number, (number * 7) % 960) for number in numbers]
    return [Position.start(), chess960_start(STANDARD), *tricky_positions(), *setups]


class _Soak:
    def __init__(self, plan: Plan, positions: int | None, interrupt: Interrupt, store: Store) -> None:
        self._plan, self._positions, self._interrupt, self._store = plan, positions, interrupt, store
        self._began = time.monotonic()
        self._results: dict[int, SoakResult] = {}
        self._controls: dict[Future[SoakResult], tuple[int, Control]] = {}
        self._next = 0

    def run(self, started: FuzzStarted) -> Iterator[FuzzEvent]:
        with suppress(Interrupted):
            ForegroundCaller(self._interrupt).call(lambda _: soak([Position.start()], 1, 0))  # until all is compiled
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
        boards = starts()
        with ThreadPoolExecutor(self._plan.jobs) as threads:
            while True:
                self._give_out(threads, boards)
                if not self._controls:
                    return
                for shard in wait(self._controls, POLL_SECONDS, FIRST_COMPLETED).done:
                    number, _ = self._controls.pop(shard)
                    self._results[number] = shard.result()
                yield self._progress()
                if self._is_over():
                    for _, control in self._controls.values():
                        control.stop()

    def _give_out(self, threads: ThreadPoolExecutor, boards: list[Position]) -> None:
        """Start shards until all threads are busy, if the soak is not over."""
        while not self._is_over() and len(self._controls) < self._plan.jobs and (size := self._size()) > 0:
            control = Control()
            shard = threads.submit(soak, boards, size, self._plan.seed * _SEED_STEP + self._next, control=control)
            self._controls[shard] = self._next, control
            self._next += 1

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
        running = sum(control.nodes for _, control in self._controls.values())
        failed = {difference.check for result in self._results.values() for difference in result.differences}
        return FuzzProgress(done + running, time.monotonic() - self._began, len(failed), "soaking")

    def _finds(self, differences: list[Difference]) -> Iterator[Find]:
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
                    reduced = self._reduced(hit, examiner)
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

    def _discrepancies(self, differences: list[Difference], examiner: Examiner) -> list[tuple[Discrepancy, int]]:
        """Return one discrepancy of each signature, and how many differences its check has seen."""
        found: dict[Signature, tuple[Discrepancy, int]] = {}
        for check in CHECKS:
            failed = [difference for difference in differences if difference.check == check]
            if failed:
                simplest = min(failed, key=lambda difference: difference.position.occupied.bit_count())
                for discrepancy in _discrepancies_at(simplest, examiner, self._plan.depth):
                    found.setdefault(discrepancy.signature, (discrepancy, len(failed)))
        return list(found.values())

    def _reduced(self, hit: Hit, examiner: Examiner) -> Reduced:
        """Reduce a hit; return it as it is once the work has to end, and where its position has no FEN."""

        def work(task: Task) -> tuple[Discrepancy, int, bool]:
            task.on_stop(examiner.caller.stop)
            return reduce(hit.discrepancy, self._plan.depth, examiner)

        if _has_fen(hit.discrepancy) and not self._interrupt.requested:
            with suppress(Interrupted):
                return Reduced(hit, *ForegroundCaller(self._interrupt).call(work))
        return Reduced.as_found(hit, self._plan.depth)


def _coverage(results: list[SoakResult]) -> Coverage:
    met = [event for event in Event if any(_meets(result, event) for result in results)]
    return Coverage(
        events=tuple((event.value, 1) for event in met),
        strategies=((GAMES, sum(result.positions for result in results)),),
        labels=(),
        are_counted=False,
    )


def _meets(result: SoakResult, event: Event) -> int:
    low, high = result.events
    return (low | high << 64) >> event.value & 1


def _discrepancies_at(difference: Difference, examiner: Examiner, depth: int) -> list[Discrepancy]:
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
