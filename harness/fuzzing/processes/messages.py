"""The jobs that a fuzzing process is given, and its answers, on the way and in the end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...coverage.model import FirstReached, SourcePlace
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
    """What all processes have reached in the engine's code, if that is measured."""

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
    """An answer: the engines are ready."""

    is_pipelined: bool = False
    """Whether the engine under test can be asked ahead of its answers."""


@dataclass(frozen=True)
class WorkerNotice:
    """An answer: a notice for the user, such as why the engines start slowly."""

    notice: str
    compiles: bool = False
    """Whether kernels are being compiled, which is none of the time of the run."""


@dataclass(frozen=True)
class CoverageReached:
    """An answer: what was reached in the engine's code for the first time in this process."""

    places: tuple[SourcePlace | None, ...]
    """The place of each branch, once for each process, and again if more are known than before; else none."""
    firsts: tuple[FirstReached, ...]


@dataclass(frozen=True)
class BatchProgress:
    """An answer: the number of examples of the batch so far, and hits with new signatures."""

    batch: int
    examples: int
    new: tuple[Hit, ...]


@dataclass(frozen=True)
class BatchDone:
    """An answer: a batch is done, or was stopped."""

    result: BatchResult
    use: CapabilityUse = field(default_factory=CapabilityUse)
    """What the engine under test has been asked in this process until then."""


@dataclass(frozen=True)
class HitReduced:
    """An answer: a hit is reduced, or the reduction was stopped."""

    hit: Hit
    discrepancy: Discrepancy
    depth: int
    """The depth at which the line shows the discrepancy."""
    reproducible: bool
    """Whether the discrepancy was there again when its line was examined again."""

    @classmethod
    def as_found(cls, hit: Hit, depth: int) -> HitReduced:
        """Return a hit that was not examined again; only a crash keeps its history, which may be needed."""
        found = hit.discrepancy
        kept = found if found.verdict is Verdict.CRASH else replace(found, history=())
        return cls(hit, kept, depth, reproducible=True)


Job = ExamineBatch | ReduceHit
WorkerMessage = (
    EnginesReady | WorkerNotice | CoverageReached | BatchProgress | EventsMet | CpuTime | BatchDone | HitReduced
)
