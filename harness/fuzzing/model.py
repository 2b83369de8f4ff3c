"""The results of a fuzzing run: discrepancies, findings, coverage, and the events that report them."""

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
from .timeline import CampaignTimeline

SWEEP = "sweep"
"""The name that reports show for the sweep, in place of a strategy."""
Signature = tuple[str, ...]
"""What discrepancies of one cause have in common; a reduction keeps it."""


@dataclass(frozen=True)
class Discrepancy:
    """Something incorrect that a check has found, and the game that shows it."""

    check: str
    """The name of the check; names never change."""
    verdict: Verdict
    game: Game
    """The position to examine, with the moves that the engine has to play first."""
    finding: Finding | None
    """The wrong moves, all of one kind and breaking one rule; None if the engine gave no answer."""
    message: str = ""
    """One sentence about a failure of the engine, or in addition to the finding."""
    reference_failed: bool = False
    """Whether a reference gave no answer, so that the engine cannot be judged."""
    history: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """All games examined since the engine's process was started, if one position alone may not reproduce it."""

    @property
    def pieces(self) -> int:
        """Number of pieces on the board before the moves of the game."""
        return self.game.base.occupied.bit_count()

    @property
    def implausibility(self) -> int:
        """How unlikely the position before the moves is in a real game; 0 if it looks reachable."""
        return implausibility_of(self.game.base.fen(), self.game.base.chess960)

    @property
    def is_of_engine(self) -> bool:
        """Whether the engine under test is incorrect, and not a reference."""
        is_correct = self.finding is not None and self.finding.engine_is_correct
        return not (is_correct or self.reference_failed or self.verdict is Verdict.SPLIT)

    @property
    def signature(self) -> Signature:
        """The check, the verdict, and the kinds and rules of the wrong moves or the message."""
        if self.finding is None:
            return (self.check, self.verdict.value, without_particulars(self.message))
        # If an engine lists no moves, the rule is a guess, so it does not distinguish causes.
        if self.finding.cause is Cause.COUNT:
            return (self.check, self.verdict.value, count_key(self.finding))
        # An incorrect state is one cause, whether it shows in a FEN or in the moves after it.
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
    """A discrepancy as it was found in a generated example."""

    discrepancy: Discrepancy
    strategy: str
    """The strategy that generated the position."""
    example: int
    """The number of the example within the run, from 1."""
    depth: int = 0
    """The depth at which it was examined, if that is deeper than the plan's."""
    is_confirmed: bool = True
    """Whether examining its position reproduced it, or it is a failure; only then can it end a run."""


@dataclass(frozen=True)
class FuzzFinding:
    """All hits with one signature, reported as one finding: the simplest discrepancy and figures about the rest."""

    discrepancy: Discrepancy
    """The reduced discrepancy."""
    first: Hit
    """The first of the hits."""
    times: int
    """Number of examples that showed it."""
    pieces_before: int
    """Pieces on the board before the reduction."""
    replay: str
    """The command that reproduces it."""
    reproducible: bool = True
    """Whether new processes reproduce the discrepancy, alone or after its history."""
    label: Reachability = Reachability.REACHABLE
    """Whether a game can lead to the position."""
    plausible_count: int = 0
    """Number of those examples that were standard chess and looked reachable."""

    @property
    def pieces(self) -> int:
        """Number of pieces in the reduced position."""
        return self.discrepancy.pieces

    @property
    def is_impossible(self) -> bool:
        """Whether a program may refuse the position, so that a different answer is not the engine's fault."""
        return self.label is Reachability.IMPOSSIBLE

    @property
    def verdict(self) -> Verdict:
        """The verdict of the discrepancy, or NOT_REPRODUCED."""
        return self.discrepancy.verdict if self.reproducible else Verdict.NOT_REPRODUCED

    @property
    def is_of_engine(self) -> bool:
        """Whether the engine under test is reproducibly incorrect in a position that it must support."""
        return self.discrepancy.is_of_engine and self.reproducible and not self.is_impossible


@dataclass(frozen=True)
class Coverage:
    """How many examined positions had each event, and came from each strategy."""

    events: tuple[tuple[int, int], ...]
    """The events that occurred, and in how many positions."""
    strategies: tuple[tuple[str, int], ...]
    """Examples of each strategy."""
    labels: tuple[tuple[str, int], ...]
    """Examples with each label of reachability; empty if the labels were not computed."""

    @property
    def examples(self) -> int:
        """Number of examples."""
        return sum(number for _, number in self.strategies)

    @property
    def chance_of_new_event(self) -> float:
        """The probability that the next position has a new event; see `generator.sampling.chance`."""
        return chance_of_new(np.array([number for _, number in self.events], dtype=np.int64), self.examples)


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
    """Number of cases of the sweep, with which the run begins; 0 if it is left out."""


@dataclass(frozen=True)
class FuzzProgress:
    """How far the run is, several times a second."""

    examples: int
    seconds: float
    signatures: int
    """Number of signatures found so far."""
    doing: str
    """The present step, such as "fuzzing" or "reducing"."""
    timeline: CampaignTimeline | None = None
    """The timeline so far, if it is known."""


@dataclass(frozen=True)
class DiscrepancySeen:
    """A suspect: the first hit of a signature, which has not been reproduced yet."""

    hit: Hit


@dataclass(frozen=True)
class DiscrepancySettled:
    """The result of reproducing a suspect in new processes: a finding, or not reproduced."""

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
    """Whether the run ended early because the engine did not answer in time."""
    failure: str = ""
    """Why the run ended early, if a process failed."""
    stored: str | None = None
    """The corpus to which the findings were added."""
    fails_not_reproduced: bool = False
    """Whether a finding that is not reproducible affects the exit status."""
    timeline: CampaignTimeline | None = None
    """The timeline of the run, if it is known."""
    depends_on_time: bool = False
    """Whether time or the speed of the engine decided what was examined, so that a seed does not repeat the report."""
    require_all: bool = False
    """Whether untried capabilities affect the exit status."""
    known: tuple[FuzzFinding, ...] = ()
    """The findings that the baseline has, which do not count for the exit status."""
    untried: tuple[UntriedCapability, ...] = ()
    """Capabilities that the engine was not asked for, and how to include them."""
    code: CodeCoverage | None = None
    """The coverage of the engine's code, if it was measured."""

    @property
    def swept(self) -> int:
        """Number of cases of the sweep that were examined."""
        return dict(self.coverage.strategies).get(SWEEP, 0)

    @property
    def reported_timeline(self) -> CampaignTimeline | None:
        """The timeline if reports include it; without it the same seed gives the same bytes."""
        return self.timeline if self.depends_on_time else None

    @property
    def examples(self) -> int:
        """Number of examples of the run."""
        return self.coverage.examples

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
