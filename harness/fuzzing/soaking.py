"""The soak as a fuzzing run: random games inside the kernels; what differs is examined, reduced and told.

The positions are divided into shards, each with a seed of its own, so that the result depends on
the seed and the number of positions alone, not on the number of threads.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress

from ... import __version__
from ...generator.chess960 import STANDARD, chess960_start
from ...generator.events import Event
from ...generator.kernels.machine.control import Control
from ...generator.line import Line
from ...generator.position import Position
from ...generator.soaking import CHECKS, Difference, SoakResult, soak
from ...generator.validation import FenError
from ...strategies.seeds import tricky_positions
from ..engines.asker import ForegroundCaller
from ..engines.task import Task
from ..model.events import Notice
from ..model.shutdown import POLL_SECONDS, Interrupt, Interrupted
from ..model.verdict import Verdict
from .batch import Signature
from .building import build_examiner
from .campaign import Store
from .checks.base import place_of
from .examining import Examiner
from .model import Coverage, Fault, Find, FuzzEvent, FuzzFinished, FuzzProgress, FuzzStarted, Hit
from .plan import Plan
from .reduction.reducing import reduce
from .replaying import replay_command

SHARD = 8_000_000
"""Positions of one shard: a few seconds of work."""
GAMES = "games inside the kernels"
"""What stands for a strategy."""
STARTS = 40
"""Set-ups of Chess960, of the 960, from which games start, beside the tricky positions."""
_SEED_STEP = 1_000_003


def soak_kernels(
    plan: Plan, positions: int | None, interrupt: Interrupt, store: Store = lambda _fault, _depth: None
) -> Iterator[FuzzEvent]:
    """Soak `positions` positions, or for the time of the plan: first `FuzzStarted`, last `FuzzFinished`.

    `store` keeps what is found.
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
        yield from self._play()
        seconds = time.monotonic() - self._began
        ordered = [result for _, result in sorted(self._results.items())]
        differences = [difference for result in ordered for difference in result.differences]
        finds = tuple(self._finds(differences))
        met = [event for event in Event if any(_met(result, event) for result in ordered)]
        coverage = Coverage(
            events=tuple((event.value, 1) for event in met),
            strategies=((GAMES, sum(result.positions for result in ordered)),),
            labels=(),
            are_counted=False,
        )
        yield FuzzFinished(started, finds, coverage, seconds, self._interrupt.requested)

    def _play(self) -> Iterator[FuzzEvent]:
        boards = starts()
        with ThreadPoolExecutor(self._plan.jobs) as threads:
            while True:
                while not self._is_over() and len(self._controls) < self._plan.jobs and (size := self._size()) > 0:
                    control = Control()
                    seed = self._plan.seed * _SEED_STEP + self._next
                    shard = threads.submit(soak, boards, size, seed, control=control)
                    self._controls[shard] = self._next, control
                    self._next += 1
                if not self._controls:
                    return
                done, _ = wait(self._controls, POLL_SECONDS, FIRST_COMPLETED)
                for shard in done:
                    number, _ = self._controls.pop(shard)
                    self._results[number] = shard.result()
                yield self._progress()
                if self._is_over():
                    for _, control in self._controls.values():
                        control.stop()

    def _size(self) -> int:
        return SHARD if self._positions is None else min(SHARD, self._positions - self._next * SHARD)

    def _is_over(self) -> bool:
        seconds = self._plan.seconds
        return self._interrupt.requested or (seconds is not None and time.monotonic() - self._began > seconds)

    def _progress(self) -> FuzzProgress:
        done = sum(result.positions for result in self._results.values())
        running = sum(control.nodes for _, control in self._controls.values())
        failed = {difference.check for result in self._results.values() for difference in result.differences}
        return FuzzProgress(done + running, time.monotonic() - self._began, len(failed), "soaking")

    def _finds(self, differences: list[Difference]) -> Iterator[Find]:
        """Yield what is wrong at the simplest position of each check that failed, reduced; each kind once."""
        if not differences:
            return
        with closing(build_examiner(self._plan)) as examiner:
            examiner.start()
            # All are examined before the first is reduced: once that is stopped, nothing is examined any more.
            for fault, times in self._faults(differences, examiner):
                reduced, depth, comes_again = self._reduced(fault, examiner)
                with suppress(FenError):  # nor is there a line of a suite for it
                    self._store(reduced, depth)
                # Never `is_impossible`: games lead to such a position only by a fault of the kernels.
                yield Find(
                    fault=reduced,
                    first=Hit(fault, GAMES, 0),
                    times=times,
                    pieces_before=fault.place.pieces,
                    replay=replay_command(self._plan, reduced, depth),
                    comes_again=comes_again,
                )

    def _faults(self, differences: list[Difference], examiner: Examiner) -> list[tuple[Fault, int]]:
        """Return the faults, one of each kind, and how many differences their check has seen."""
        found: dict[Signature, tuple[Fault, int]] = {}
        for check in CHECKS:
            failed = [difference for difference in differences if difference.check == check]
            if failed:
                simplest = min(failed, key=lambda difference: difference.position.occupied.bit_count())
                for fault in _faults_at(simplest, examiner, self._plan.depth):
                    found.setdefault(fault.signature, (fault, len(failed)))
        return list(found.values())

    def _reduced(self, fault: Fault, examiner: Examiner) -> tuple[Fault, int, bool]:
        """Reduce a fault; return it as it is once the user has asked to stop, and where it has no FEN."""

        def work(task: Task) -> tuple[Fault, int, bool]:
            task.on_stop(examiner.caller.stop)
            return reduce(fault, self._plan.depth, examiner)

        if not self._interrupt.requested:
            with suppress(Interrupted, FenError):
                return ForegroundCaller(self._interrupt).call(work)
        return fault, self._plan.depth, True


def _met(result: SoakResult, event: Event) -> int:
    low, high = result.events
    return (low | high << 64) >> event.value & 1


def _faults_at(difference: Difference, examiner: Examiner, depth: int) -> list[Fault]:
    """Return what the examiner sees there; if it sees nothing, the difference itself is the fault."""
    position = difference.position
    try:
        line = Line(Position.from_fen(position.fen(), position.chess960))
        found = examiner.examine(line, depth)
    except FenError:
        line, found = Line(position), []
    message = f"{difference.check}: {CHECKS[difference.check]}"
    return found or [Fault(difference.check, Verdict.MISMATCH, place_of(line), None, message)]
