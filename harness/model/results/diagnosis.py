"""The result of `diagnose`: which known faults reproduce the counts of an engine."""

from __future__ import annotations

from dataclasses import dataclass

from .verdict import ExitCode


@dataclass(frozen=True)
class Prediction:
    """A count to ask for, and what a fault makes of it."""

    fen: str
    chess960: bool
    depth: int
    expected: int
    """The correct count."""
    predicted: tuple[tuple[str, int | None], ...]
    """For each candidate, by its name, the count of an engine that has its fault; None if it gives none."""
    moves: tuple[str, ...] = ()
    """The moves that the engine plays first, as UCI text."""
    setup: str = ""
    """How the engine has to be brought to the position, in the words of `SetupOption`; empty for a FEN alone."""


@dataclass(frozen=True)
class Candidate:
    """A fault that reproduces wrong counts."""

    fault: str
    """Its name in the zoo, or the title of a systematic error."""
    family: str
    """The root cause, which several faults share."""
    scope: str
    """Where it acts, such as "for Black only"; empty for everywhere."""
    story: str
    """What is wrong, in one sentence."""
    rule: str
    """The rule that it breaks, as `perft-check explain` names it; empty if it breaks none of chess."""
    reproduced: int
    """How many of the differing counts it reproduces."""
    agreed: int
    """How many of the correct counts it leaves correct."""
    setup: str = ""
    """How the engine was brought to the position if the fault needs that, in the words of `SetupOption`."""
    confirmed_by: Prediction | None = None
    """The smallest known position that shows it."""

    @property
    def name(self) -> str:
        """The fault and its scope."""
        return f"{self.fault} {self.scope}".strip()


@dataclass(frozen=True)
class Diagnosis:
    """Which faults reproduce what an engine has counted."""

    differing: int
    """How many of the given counts are wrong."""
    correct: int
    """How many of them are correct."""
    candidates: tuple[Candidate, ...] = ()
    """The faults that reproduce every count that was tried, the likeliest first."""
    together: tuple[Candidate, ...] = ()
    """Two faults that reproduce every count together, if none does alone."""
    partial: tuple[Candidate, ...] = ()
    """The faults that reproduce most of the differing counts, if none reproduces all."""
    tried: int = 0
    """How many faults were tried, those for one color or wing not counted."""
    out_of_time: bool = False
    """Whether the time limit ended the search, so that other faults may fit as well."""
    untried: int = 0
    """How many counts were too large to be tried."""
    next_question: Prediction | None = None
    """The count to ask for next: it separates the candidates, or narrows down where the engine is wrong."""

    @property
    def fits(self) -> bool:
        """Whether every count is correct, or a fault or two reproduce all of them."""
        return not self.differing or bool(self.candidates or self.together)

    @property
    def exit_code(self) -> ExitCode:
        """The exit status: whether counts are wrong."""
        return ExitCode.MISMATCH if self.differing else ExitCode.AGREE
