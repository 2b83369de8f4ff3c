"""Runs as a history keeps them, and what two of them, or many, show side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..model.engine_names import given_name
from ..model.results.verdict import ExitCode, Verdict


@dataclass(frozen=True)
class RunOrigin:
    """What a run is of, as it is known before the run begins."""

    began: str
    """When, in UTC, as ISO 8601 writes it: 2026-11-22T11:58:03Z."""
    engine: str
    """The SPEC of the engine under test."""
    digest: str | None
    """SHA-256 of its files, in hexadecimal; of our own engines that of their sources; None where there is no file."""
    machine: str
    """System, processor and threads; nothing of the user."""
    commit: str | None
    """The git commit of the working folder, where there is one."""
    settings: Mapping[str, Any]
    """What the user has set that changes what is compared, or how fast, by the names of the settings."""

    @property
    def identity(self) -> str:
        """What runs of one engine have in common: the name that it was given, else its SPEC."""
        return given_name(self.engine) or self.engine


@dataclass(frozen=True)
class KeptRun:
    """A run in a history."""

    number: int
    version: str
    """The version of perft-check."""
    origin: RunOrigin
    exit_code: int
    seconds: float
    """Wall-clock time of the whole run."""
    planned: int
    """Positions that were to be checked."""
    agree: int
    """Positions that agree."""
    fail: int
    """Positions with which something is wrong."""
    nodes: int
    """Leaf nodes counted by the engine."""
    engine_seconds: float
    """Time spent in the engine."""

    @property
    def speed(self) -> float | None:
        """Leaf nodes a second, or None where too little was measured to say."""
        return self.nodes / self.engine_seconds if self.nodes and self.engine_seconds > 0.0005 else None

    @property
    def is_whole(self) -> bool:
        """Whether the run came to its end: nobody stopped it, and no fault of ours."""
        return self.exit_code not in (ExitCode.INTERRUPTED, ExitCode.INTERNAL_ERROR)


@dataclass(frozen=True)
class KeptCase:
    """How one position ended in a run that is kept."""

    suite: str
    name: str
    fen: str
    chess960: bool
    verdict: Verdict
    depth: int
    """The deepest depth compared; at a mismatch or failure, the one where it happened. 0 if none."""
    nodes: int
    seconds: float
    """Time spent in the engine."""
    what: str = ""
    """What is wrong, in one line."""

    @property
    def agreed_depth(self) -> int:
        """The deepest depth at which nothing was wrong; 0 if none."""
        return max(0, self.depth - 1) if self.verdict.is_failure else self.depth


class ChangeKind(Enum):
    """How a position differs between two runs."""

    NEWLY_BROKEN = "newly broken"
    """Wrong at a depth that agreed before."""
    FIRST_BROKEN = "broken, not compared before"
    """Wrong in a position, or at a depth, that was not compared before."""
    STILL_BROKEN = "still broken"
    NEWLY_RIGHT = "newly right"
    """Agrees at the depth that was wrong before."""
    LESS_COMPARED = "not compared any more"
    """Compared less deep than before, or not at all."""
    SLOWER = "slower"
    FASTER = "faster"


@dataclass(frozen=True)
class Change:
    """One position that differs between two runs."""

    kind: ChangeKind
    before: KeptCase | None
    after: KeptCase | None

    @property
    def case(self) -> KeptCase:
        """The position as the later run has it, else as the earlier one."""
        case = self.after or self.before
        assert case is not None, "one of the runs has the position"
        return case

    @property
    def pace(self) -> float | None:
        """The speed after, as a multiple of the one before, where both runs counted the same."""
        return None if self.before is None or self.after is None else pace_of(self.before, self.after)


def pace_of(before: KeptCase, after: KeptCase) -> float | None:
    """Return the later speed as a multiple of the earlier one, or None where the two did not count the same."""
    same = before.verdict is after.verdict is Verdict.AGREE and before.nodes == after.nodes
    return before.seconds / after.seconds if same and before.seconds > 0 and after.seconds > 0 else None


@dataclass(frozen=True)
class Noise:
    """Differences of speed that are too small to be told."""

    ratio: float = 1.25
    """A position is slower, or faster, where the times differ by more than this factor ..."""
    seconds: float = 0.05
    """... and by more than this time."""


@dataclass(frozen=True)
class RunsCompared:
    """Two runs, position by position."""

    before: KeptRun
    after: KeptRun
    changes: tuple[Change, ...]
    """Sorted by kind, in the order of the later run."""
    same: int
    """Positions of both runs in which nothing of that has changed."""
    pace: float | None
    """The later speed as a multiple of the earlier one, over what both counted; None where that took too little."""
    noise: Noise = Noise()

    def of(self, kind: ChangeKind) -> tuple[Change, ...]:
        """Return the changes of a kind."""
        return tuple(one for one in self.changes if one.kind is kind)

    @property
    def different_settings(self) -> Mapping[str, tuple[Any, Any]]:
        """The settings that differ, with both values; None where one is not set."""
        one, other = self.before.origin.settings, self.after.origin.settings
        names = dict.fromkeys([*one, *other])
        return {name: (one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)}

    @property
    def exit_code(self) -> ExitCode:
        """The exit status of the comparison: 1 where a position is newly broken, 4 where none is in both runs."""
        if self.of(ChangeKind.NEWLY_BROKEN):
            return ExitCode.MISMATCH
        in_both = self.same or any(one.before and one.after for one in self.changes)
        return ExitCode.AGREE if in_both else ExitCode.NOTHING_TO_RUN


@dataclass(frozen=True)
class RunsListed:
    """Runs of a history, the newest last."""

    runs: tuple[KeptRun, ...]
    earlier: int = 0
    """How many runs before them are left out."""


@dataclass(frozen=True)
class RunShown:
    """One run of a history with its positions."""

    run: KeptRun
    cases: tuple[KeptCase, ...]


@dataclass(frozen=True)
class SpeedLine:
    """The speed of one engine, run after run with the same settings."""

    name: str
    """What the engine is called."""
    runs: tuple[KeptRun, ...]
    """Runs that have a speed, the newest last."""

    @property
    def speeds(self) -> tuple[float, ...]:
        """Millions of leaf nodes a second."""
        return tuple((run.speed or 0.0) / 1e6 for run in self.runs)


@dataclass(frozen=True)
class SpeedsOverTime:
    """The speeds of engines over the runs of a history."""

    lines: tuple[SpeedLine, ...]
    left_out: int
    """Runs of these engines that had other settings than the newest one, did not end, or were too short."""
