"""Hunt many faults by many strategies, side by side, and sum up what was caught."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from ..errors import UsageError
from ..fuzzing.worker import leave_signals_to_the_parent
from ..interrupt import Interrupt
from .catalogue import ZOO
from .fault import Fault
from .hunting import Hunt, Outcome, hunt

POLL_SECONDS = 0.1


def hunts(faults: Iterable[Fault], strategies: Iterable[str], seeds: int, seconds: float) -> list[Hunt]:
    """Return everything to be hunted, one seed after another, so that an early end leaves whole columns."""
    chosen, wanted = list(faults), list(strategies)
    return [
        Hunt(fault.name, strategy, seed, seconds)
        for seed in range(1, seeds + 1)
        for strategy in wanted
        for fault in chosen
    ]


def carry_out(todo: list[Hunt], done: Results, jobs: int, interrupt: Interrupt) -> Iterator[Outcome]:
    """Carry out what is not done yet, `jobs` hunts at a time, and keep each outcome as soon as it is known."""
    left = [task for task in todo if task not in done.by_hunt]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, leave_signals_to_the_parent) as processes:
        running: set[Future[Outcome]] = set()
        while (left or running) and not interrupt.requested:
            while left and len(running) < jobs:
                running.add(processes.submit(hunt, left.pop(0)))
            finished, running = wait(running, POLL_SECONDS, FIRST_COMPLETED)
            for future in finished:
                outcome = future.result()
                done.keep(outcome)
                yield outcome
        processes.shutdown(wait=False, cancel_futures=True)


class Results:
    """Outcomes, kept in a file of one JSON line each, if there is one, so that a score can be resumed."""

    def __init__(self, path: Path | None) -> None:
        """Read what the file has; a last line that was cut off is left out. Raises UsageError."""
        self._path = path
        self.by_hunt: dict[Hunt, Outcome] = {}
        if path is None or not path.exists():
            return
        lines = path.read_text().splitlines(keepends=True)
        for number, line in enumerate(lines, 1):
            if not line.endswith("\n"):
                continue
            try:
                fields = json.loads(line)
                outcome = Outcome(hunt=Hunt(**fields.pop("hunt")), **fields)
            except (ValueError, TypeError, KeyError):
                raise UsageError(f"{path}, line {number}: no outcome of a hunt; give another file") from None
            self.by_hunt[outcome.hunt] = outcome
        if lines and not lines[-1].endswith("\n"):
            path.write_text("".join(lines[:-1]))

    def keep(self, outcome: Outcome) -> None:
        """Add an outcome, on the disk as well."""
        self.by_hunt[outcome.hunt] = outcome
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps(asdict(outcome)) + "\n")


@dataclass(frozen=True)
class Row:
    """What a strategy has caught of some faults, over all seeds."""

    faults: int
    detected: float
    """Faults, each counted by the share of seeds with which it was detected."""
    families: int
    families_detected: int
    """Families of which every fault was detected with at least half of the seeds."""
    triggered: float
    explained: float
    """Share of the detected faults with a rule that were told by a right one."""
    seconds: float | None
    """Median time to detection."""
    positions: float | None
    """Median number of positions to detection."""
    pieces: float | None
    """Median number of pieces of what was reduced."""


def summed(outcomes: Iterable[Outcome]) -> Row:
    """Return the sum of the outcomes of one strategy."""
    by_fault: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_fault.setdefault(outcome.hunt.fault, []).append(outcome)
    shares = {name: _share(found, "detected") for name, found in by_fault.items()}
    families: dict[str, list[float]] = {}
    for name, share in shares.items():
        families.setdefault(ZOO[name].family, []).append(share)
    detected = [outcome for found in by_fault.values() for outcome in found if outcome.detected]
    told = [outcome.explained for outcome in detected if outcome.explained is not None]
    return Row(
        faults=len(by_fault),
        detected=sum(shares.values()),
        families=len(families),
        families_detected=sum(min(found) >= 0.5 for found in families.values()),
        triggered=sum(_share(found, "triggered") for found in by_fault.values()),
        explained=sum(told) / len(told) if told else 1.0,
        seconds=median(outcome.seconds for outcome in detected) if detected else None,
        positions=median(outcome.positions for outcome in detected) if detected else None,
        pieces=median(sizes) if (sizes := [one.pieces for one in detected if one.pieces is not None]) else None,
    )


def _share(outcomes: list[Outcome], field: str) -> float:
    return sum(bool(getattr(outcome, field)) for outcome in outcomes) / len(outcomes)
