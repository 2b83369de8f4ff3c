"""The jobs of a fuzzing process, and the messages that it sends."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...coverage.model import FirstReached, SourceLocation
from ...model.capabilities import CapabilityUse
from ...model.results.verdict import Verdict
from ..batch import BatchResult
from ..model import Discrepancy, Hit
from ..plan import BatchAssignment
from ..timeline import CpuTime, EventsMet


@dataclass(frozen=True)
class ExamineBatch:
    """A job: examine a batch."""

    assignment: BatchAssignment
    reached: tuple[FirstReached, ...] = ()
    """What all processes have reached in the engine's code, if coverage is measured."""

    @property
    def batch(self) -> int:
        """The number of the batch."""
        return self.assignment.number


@dataclass(frozen=True)
class ReduceHit:
    """A job: reduce a hit."""

    hit: Hit


@dataclass(frozen=True)
class EnginesReady:
    """A message: the engines are ready."""

    is_pipelined: bool = False
    """Whether the engine under test supports pipelining."""


@dataclass(frozen=True)
class WorkerNotice:
    """A message: a notice for the user, such as why the engines start slowly."""

    notice: str
    compiles: bool = False
    """Whether kernels are being compiled, which does not count toward the time of the run."""


@dataclass(frozen=True)
class CoverageReached:
    """A message: what this process has reached in the engine's code for the first time."""

    locations: tuple[SourceLocation | None, ...]
    """The source location of each branch; empty unless this is the first message or more locations are known."""
    firsts: tuple[FirstReached, ...]


@dataclass(frozen=True)
class BatchProgress:
    """A message: the number of examples of the batch so far, and hits with new signatures."""

    batch: int
    examples: int
    new: tuple[Hit, ...]


@dataclass(frozen=True)
class BatchDone:
    """The result of a batch that is complete or was stopped."""

    result: BatchResult
    use: CapabilityUse = field(default_factory=CapabilityUse)
    """What the engine under test has been asked in this process so far."""


@dataclass(frozen=True)
class HitReduced:
    """The result of a reduction that is complete or was stopped."""

    hit: Hit
    discrepancy: Discrepancy
    depth: int
    """The depth at which the game shows the discrepancy."""
    reproducible: bool
    """Whether the discrepancy was reproduced in new processes."""

    @classmethod
    def as_found(cls, hit: Hit, depth: int) -> HitReduced:
        """Return the result for a hit that was not reduced; only a crash keeps its history."""
        found = hit.discrepancy
        kept = found if found.verdict is Verdict.CRASH else replace(found, history=())
        return cls(hit, kept, depth, reproducible=True)


Job = ExamineBatch | ReduceHit
WorkerMessage = (
    EnginesReady | WorkerNotice | CoverageReached | BatchProgress | EventsMet | CpuTime | BatchDone | HitReduced
)
