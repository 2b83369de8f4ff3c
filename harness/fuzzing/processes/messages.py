"""The jobs of a fuzzing process, and the messages that it sends to its parent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...coverage.model import FirstReached, SourceLocation
from ...model.capabilities import CapabilityUse
from ...model.results.verdict import Verdict
from ..batch import BatchResult
from ..model import Discrepancy, Hit
from ..plan import BatchAssignment


@dataclass(frozen=True)
class ExamineBatch:
    """The job of examining a batch."""

    assignment: BatchAssignment
    reached: tuple[FirstReached, ...] = ()
    """The combined coverage of the engine's code from all processes, if measured."""

    @property
    def batch(self) -> int:
        """The number of the batch."""
        return self.assignment.number


@dataclass(frozen=True)
class ReduceHit:
    """The job of reducing a hit."""

    hit: Hit


@dataclass(frozen=True)
class EnginesReady:
    """The message that the engines are ready."""

    is_pipelined: bool = False
    """Whether the engine under test supports pipelining."""


@dataclass(frozen=True)
class WorkerNotice:
    """A message with a notice for the user, such as why the engines start slowly."""

    notice: str


@dataclass(frozen=True)
class CoverageReached:
    """A message with new coverage of the engine's code by this process."""

    locations: tuple[SourceLocation | None, ...]
    """The source locations of all branches, if more of them have become known; otherwise empty."""
    firsts: tuple[FirstReached, ...]


@dataclass(frozen=True)
class BatchProgress:
    """A message with the number of examples of the batch so far, and hits with new signatures."""

    batch: int
    examples: int
    new: tuple[Hit, ...]
    events: Mapping[int, int] = field(default_factory=dict)
    """Number of examples with each event so far."""


@dataclass(frozen=True)
class BatchDone:
    """The result of a completed or stopped batch."""

    result: BatchResult
    use: CapabilityUse = field(default_factory=CapabilityUse)
    """The capabilities of the engine under test that this process has used so far."""


@dataclass(frozen=True)
class HitReduced:
    """The result of a completed or stopped reduction."""

    hit: Hit
    discrepancy: Discrepancy
    depth: int
    """The depth at which the game shows the discrepancy."""
    reproducible: bool
    """Whether the discrepancy was reproduced in new processes."""

    @classmethod
    def as_found(cls, hit: Hit, depth: int) -> HitReduced:
        """Return the result for an unreduced hit; the history is kept only for a crash."""
        found = hit.discrepancy
        kept = found if found.verdict is Verdict.CRASH else replace(found, history=())
        return cls(hit, kept, depth, reproducible=True)


Job = ExamineBatch | ReduceHit
WorkerMessage = EnginesReady | WorkerNotice | CoverageReached | BatchProgress | BatchDone | HitReduced
