"""Run hunts in parallel, and store their outcomes in a file so that scoring can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from ...atomic import write_atomically
from ...errors import UsageError
from ..shutdown import Interrupt
from ..worker_processes import spread
from .fault import Fault
from .hunt import SUITES, hunt
from .results import Hunt, Outcome


class _Jobs(msgspec.Struct):
    jobs: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Number of simultaneous hunts, or None if unknown."""


_read_outcome = msgspec.json.Decoder(Outcome).decode
_read_jobs = msgspec.json.Decoder(_Jobs).decode


class OutcomeFile:
    """Outcomes of hunts, stored in a JSON Lines file if a path is given."""

    def __init__(self, path: Path | None) -> None:
        """Read the file, and remove an incomplete last line from it. Raises UsageError."""
        self._path = path
        self._jobs: dict[Hunt, int] = {}
        self.by_hunt: dict[Hunt, Outcome] = {}
        if path is None:
            return
        if not path.absolute().parent.is_dir():
            raise UsageError(f"--results {path}: there is no folder {str(path.parent)!r}")
        try:
            self._read(path)
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise UsageError(f"cannot read {path}: {reason}") from None

    def _read(self, path: Path) -> None:
        if not path.exists():
            return
        if not path.is_file() and not path.is_dir():
            raise UsageError(f"--results {path} is not a regular file; give another")
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        for number, line in enumerate(whole, 1):
            try:
                outcome, jobs = _read_outcome(line), _read_jobs(line).jobs
            except msgspec.MsgspecError:
                raise UsageError(f"{path}, line {number}: not an outcome of a hunt; give another file") from None
            self._remember(outcome, jobs)
        if len(whole) < len(lines):
            write_atomically(path, "".join(whole).encode())

    def _remember(self, outcome: Outcome, jobs: int | None) -> None:
        self.by_hunt[outcome.hunt] = outcome
        if jobs is not None:
            self._jobs[outcome.hunt] = jobs

    def keep(self, outcome: Outcome, jobs: int) -> None:
        """Add an outcome and the number of simultaneous hunts, and write them to the file. Raises UsageError."""
        self._remember(outcome, jobs)
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**msgspec.to_builtins(outcome), "jobs": jobs}) + "\n")
        except OSError as error:
            raise UsageError(f"cannot write {self._path}: {error.strerror}") from None

    def jobs(self, hunts: Iterable[Hunt]) -> tuple[int, ...]:
        """Return the distinct numbers of simultaneous hunts with which these hunts ran, if known."""
        return tuple(sorted({self._jobs[task] for task in hunts if task in self._jobs}))


def hunts(faults: Iterable[Fault], strategies: Iterable[str], seeds: int, seconds: float) -> list[Hunt]:
    """Return all hunts, ordered by seed so that an interrupted score has complete seeds.

    Suites are counted only with the first seed, because the result does not depend on it.
    """
    chosen, wanted = list(faults), list(strategies)
    return [
        Hunt(fault.name, strategy, seed, seconds)
        for seed in range(1, seeds + 1)
        for strategy in wanted
        if seed == 1 or strategy not in SUITES
        for fault in chosen
    ]


def run_hunts(todo: list[Hunt], done: OutcomeFile, jobs: int, interrupt: Interrupt) -> Iterator[Hunt | Outcome]:
    """Run the remaining hunts, `jobs` at a time, and store each outcome immediately.

    Yields each hunt when it begins and its outcome when it ends. An interrupt discards unfinished hunts. Raises
    EngineCrash if a worker process dies, or UsageError if an outcome cannot be stored.
    """
    left = [task for task in todo if task not in done.by_hunt]
    for task, outcome in spread(hunt, left, jobs, interrupt, lambda task: f"hunting {task.fault}"):
        if outcome is not None:
            done.keep(outcome, jobs)
        yield outcome or task
