"""Results of a fuzzing run: discrepancies, findings, coverage, and the events that report them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ...generator.events import chance_of_new
from ...generator.game import Game
from ...generator.position_setup import options_of
from ...generator.reachability.classification import Reachability
from ..checking.causes import CauseGroup, ClassifiedFailure, count_key, group_by_cause, symptoms_of, without_particulars
from ..coverage.code import CodeCoverage
from ..model.capabilities import UntriedCapability
from ..model.results.events import Notice, implausibility_of
from ..model.results.finding import Cause, Finding
from ..model.results.verdict import ExitCode, Verdict, exit_code

SWEEP = "sweep"
"""The name that reports show for the sweep, in place of a strategy."""
Signature = tuple[str, ...]
"""What discrepancies with the same cause have in common; a reduction preserves it."""


@dataclass(frozen=True)
class Discrepancy:
    """An incorrect result found by a check, and the game that shows it."""

    check: str
    """Name of the check; check names never change."""
    verdict: Verdict
    game: Game
    """The position to examine, and the moves that the engine plays first."""
    finding: Finding | None
    """The wrong moves, all of the same kind and rule; None if the engine gave no answer."""
    message: str = ""
    """A sentence that describes a failure of the engine or supplements the finding."""
    reference_failed: bool = False
    """Whether a reference gave no answer, so that the result says nothing about the engine."""
    history: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """All games examined since the engine's process started, in case the game alone does not reproduce it."""

    @property
    def pieces(self) -> int:
        """Number of pieces on the board before the moves of the game."""
        return self.game.base.occupied.bit_count()

    @property
    def implausibility(self) -> int:
        """How unlikely the position before the moves is to occur in a real game; 0 if it looks reachable."""
        return implausibility_of(self.game.base.fen(), self.game.base.chess960)

    @property
    def is_of_engine(self) -> bool:
        """Whether the engine under test is incorrect, rather than a reference."""
        is_correct = self.finding is not None and self.finding.engine_is_correct
        return not (is_correct or self.reference_failed or self.verdict is Verdict.SPLIT)

    @property
    def signature(self) -> Signature:
        """The check, the verdict, and either the kinds and rules of the wrong moves or the message."""
        if self.finding is None:
            return (self.check, self.verdict.value, without_particulars(self.message))
        # If an engine lists no moves, the rule is a guess and does not identify a cause.
        # A fault of a key, a search or a predicate may have no wrong moves; its note then identifies the cause.
        has_note_alone = self.finding.cause in (Cause.KEY, Cause.SEARCH, Cause.PREDICATE) and not self.finding.wrong
        if self.finding.cause is Cause.COUNT or has_note_alone:
            return (self.check, self.verdict.value, count_key(self.finding))
        # An incorrect state is the same cause, whether it shows in a FEN or in later moves.
        seen_by = "state" if self.finding.state else self.check
        return (seen_by, self.verdict.value, *self.finding.signature)

    @property
    def name(self) -> str:
        """A short name for lists and suites, such as "missing en-passant-along-pin"."""
        if self.finding is None:
            return self.verdict.value
        return " ".join(self.finding.signature[1:]) or self.finding.cause.value


@dataclass(frozen=True)
class Hit:
    """A discrepancy as found in a generated example."""

    discrepancy: Discrepancy
    strategy: str
    """The strategy that generated the position."""
    example: int
    """Number of the example within the run, starting at 1."""
    depth: int = 0
    """The depth of the examination, if greater than that of the plan."""
    is_confirmed: bool = True
    """Whether it was reproduced alone or is a failure of the engine. Only a confirmed hit can end a run."""


@dataclass(frozen=True)
class FuzzFinding:
    """All hits with the same signature: the simplest discrepancy, and figures about the others."""

    discrepancy: Discrepancy
    """The reduced discrepancy."""
    first: Hit
    """The first hit."""
    times: int
    """Number of examples that showed the discrepancy."""
    pieces_before: int
    """Number of pieces before the reduction."""
    replay: str
    """The command that reproduces the discrepancy."""
    reproducible: bool = True
    """Whether new processes reproduce the discrepancy, alone or after its history."""
    label: Reachability = Reachability.REACHABLE
    """Whether a game can reach the position."""
    plausible_count: int = 0
    """Number of examples that showed it in standard chess positions that look reachable."""

    @property
    def pieces(self) -> int:
        """Number of pieces in the reduced position."""
        return self.discrepancy.pieces

    @property
    def is_impossible(self) -> bool:
        """Whether the position is impossible, so that an engine may refuse it or answer differently."""
        return self.label is Reachability.IMPOSSIBLE

    @property
    def verdict(self) -> Verdict:
        """The verdict of the discrepancy, or NOT_REPRODUCED."""
        return self.discrepancy.verdict if self.reproducible else Verdict.NOT_REPRODUCED

    @property
    def is_of_engine(self) -> bool:
        """Whether the engine under test is reproducibly incorrect in a position that it must handle."""
        return self.discrepancy.is_of_engine and self.reproducible and not self.is_impossible


@dataclass(frozen=True)
class Coverage:
    """Number of examined positions with each event and from each strategy."""

    events: tuple[tuple[int, int], ...]
    """The events that occurred, each with its number of positions."""
    strategies: tuple[tuple[str, int], ...]
    """Number of examples of each strategy."""

    @property
    def examples(self) -> int:
        """Number of examples."""
        return sum(number for _, number in self.strategies)

    @property
    def chance_of_new_event(self) -> float:
        """The probability that the next position has a new event; see `generator.sampling.chance`."""
        return chance_of_new(np.array([number for _, number in self.events], dtype=np.int64), self.examples)


@dataclass(frozen=True)
class FuzzSpeed:
    """The duration and the speed of a run."""

    seconds: float
    """Duration of the run, including start and reductions."""
    positions_a_second: float | None
    """None if the run took no time."""


@dataclass(frozen=True)
class FuzzStarted:
    """The first event of a run."""

    version: str
    engine: str
    references: tuple[str, ...]
    checks: tuple[str, ...]
    seed: int
    strategies: tuple[str, ...]
    examples: int | None
    """Number of examples to examine; None if time is the limit."""
    possible_events: tuple[int, ...]
    """The events that can occur in generated positions."""
    sweep: int = 0
    """Number of sweep cases, which come first; 0 if the sweep is omitted."""


@dataclass(frozen=True)
class FuzzProgress:
    """The progress of the run, reported several times per second."""

    examples: int
    seconds: float
    signatures: int
    """Number of signatures found so far."""
    doing: str
    """The current step, such as "fuzzing" or "reducing"."""
    events: int = 0
    """Number of distinct events so far."""


@dataclass(frozen=True)
class DiscrepancySeen:
    """A suspect: the first hit with its signature, not reproduced yet."""

    hit: Hit


@dataclass(frozen=True)
class DiscrepancySettled:
    """The result of trying to reproduce a suspect in new processes."""

    finding: FuzzFinding


@dataclass(frozen=True)
class FuzzFinished:
    """The last event, with everything that a report needs."""

    started: FuzzStarted
    findings: tuple[FuzzFinding, ...]
    """Grouped by cause; within a cause the simplest finding comes first."""
    coverage: Coverage
    seconds: float
    interrupted: bool = False
    internal_error: bool = False
    """Whether a bug in perft-check ended the run early."""
    is_cut_short: bool = False
    """Whether the run ended early because of timeouts."""
    failure: str = ""
    """Why a process failed, if that ended the run early."""
    stored: str | None = None
    """The corpus that the findings were added to."""
    fails_not_reproduced: bool = False
    """Whether a finding that is not reproducible affects the exit status."""
    depends_on_time: bool = False
    """Whether the examples depend on time or speed, in which case the same seed may produce a different report."""
    require_all: bool = False
    """Whether untried capabilities affect the exit status."""
    known: tuple[FuzzFinding, ...] = ()
    """The findings that are listed in the baseline and therefore do not affect the exit status."""
    fixed: tuple[str, ...] = ()
    """The failures of the baseline that no longer occur."""
    untried: tuple[UntriedCapability, ...] = ()
    """Capabilities that the run did not use, and how to include them."""
    code: CodeCoverage | None = None
    """Coverage of the engine's code, if measured."""

    @property
    def swept(self) -> int:
        """Number of sweep cases examined."""
        return dict(self.coverage.strategies).get(SWEEP, 0)

    @property
    def examples(self) -> int:
        """Number of examples in the run."""
        return self.coverage.examples

    @property
    def speed(self) -> FuzzSpeed:
        """The duration and the speed of the run."""
        rate = self.examples / self.seconds if self.seconds else None
        return FuzzSpeed(round(self.seconds, 6), None if rate is None else round(rate, 6))

    @property
    def exit_code(self) -> ExitCode:
        """The exit status of the run."""
        verdicts = [
            finding.discrepancy.verdict if self.fails_not_reproduced else finding.verdict for finding in self.findings
        ]
        verdicts += [Verdict.CRASH] * bool(self.failure) + [Verdict.AGREE] * bool(self.examples)
        code = exit_code(verdicts, self.interrupted, self.internal_error)
        is_whole = not (self.require_all and any(one.is_required for one in self.untried))
        return code if is_whole or code is not ExitCode.AGREE else ExitCode.NOTHING_TO_RUN


FuzzEvent = FuzzStarted | Notice | FuzzProgress | DiscrepancySeen | DiscrepancySettled | FuzzFinished


def causes_of_findings(findings: Iterable[FuzzFinding]) -> list[CauseGroup[FuzzFinding]]:
    """Return the findings grouped by cause, each with the simplest first."""
    return group_by_cause(_failure(finding) for finding in findings)


def _failure(finding: FuzzFinding) -> ClassifiedFailure[FuzzFinding]:
    found = finding.discrepancy
    symptoms = symptoms_of(finding.verdict, found.finding, found.message, finding.is_of_engine)
    simplicity = found.implausibility, len(options_of(found.game)), finding.pieces, found.name, str(found.game)
    return ClassifiedFailure(finding, symptoms, finding.times, finding.plausible_count, found.finding, simplicity)
