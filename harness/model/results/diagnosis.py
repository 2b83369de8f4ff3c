"""The result of `diagnose`: the known faults that reproduce an engine's counts."""

from __future__ import annotations

from dataclasses import dataclass

from .verdict import ExitCode


@dataclass(frozen=True)
class Prediction:
    """A count that the user can request from the engine, with the count that each candidate fault predicts.

    If there are no candidates, a divide should be requested, because its root moves show where the engine is incorrect.
    """

    fen: str
    chess960: bool
    depth: int
    expected: int
    """The correct count."""
    predicted: tuple[tuple[str, int | None], ...]
    """The name of each candidate, with the count of an engine that has this fault; None if it gives no count."""
    moves: tuple[str, ...] = ()
    """The moves that the engine plays before it counts, as UCI text."""
    setup: str = ""
    """The options with which the position must be set up, named as in `SetupOption`; empty if the FEN is enough."""

    @property
    def counts(self) -> set[int | None]:
        """The distinct counts that the candidates predict."""
        return {count for _, count in self.predicted}


@dataclass(frozen=True)
class Candidate:
    """A fault that reproduces incorrect counts of the engine."""

    fault: str
    """The name of the fault in the zoo, or the title of a systematic error."""
    family: str
    """The root cause, which several faults may share."""
    scope: str
    """The restriction of the fault, such as "for Black only"; empty if there is none."""
    story: str
    """What is wrong, in one sentence."""
    rule: str
    """The rule that the fault breaks, as named by `perft-check explain`; empty if it breaks no rule of chess."""
    reproduced: int
    """Number of incorrect counts that the fault reproduces."""
    agreed: int
    """Number of correct counts that the fault does not change."""
    setup: str = ""
    """The setup options that the fault requires, named as in `SetupOption`; empty if it requires none."""
    confirmed_by: Prediction | None = None
    """The smallest known position, other than the given ones, that shows the fault with its restriction, or None."""

    @property
    def name(self) -> str:
        """The name of the fault, followed by its restriction if it has one."""
        return f"{self.fault} {self.scope}".strip()


@dataclass(frozen=True)
class Diagnosis:
    """The faults that reproduce an engine's counts."""

    differing: int
    """Number of given counts that are incorrect."""
    correct: int
    """Number of given counts that are correct."""
    candidates: tuple[Candidate, ...] = ()
    """The faults that reproduce every count that was tried, most likely first."""
    together: tuple[Candidate, ...] = ()
    """Two faults that together reproduce every count, if no single fault does."""
    partial: tuple[Candidate, ...] = ()
    """The faults that reproduce the largest number of incorrect counts, if none reproduces all of them."""
    tried: int = 0
    """Number of faults that were tried, not including their variants for one color or wing."""
    out_of_time: bool = False
    """Whether the time limit ended the search, so that other faults may also reproduce the counts."""
    untried: int = 0
    """Number of counts that were too large to be tried."""
    next_question: Prediction | None = None
    """The question to ask next, which distinguishes candidates or narrows down where the engine is incorrect."""

    @property
    def fits(self) -> bool:
        """Whether every count is correct, or one or two faults reproduce all counts."""
        return not self.differing or bool(self.candidates or self.together)

    @property
    def exit_code(self) -> ExitCode:
        """The exit status, which depends on whether any count is incorrect."""
        return ExitCode.MISMATCH if self.differing else ExitCode.AGREE
