"""What a fuzzing run tells: faults, finds, coverage, and the events of the run."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.events import Cause, Finding, Notice
from ..model.verdict import ExitCode, Verdict, exit_code

EXAMPLE = ", as in "
"""What follows this in the message of a fault is an example, and no part of what the fault is."""


@dataclass(frozen=True)
class Place:
    """What has to be examined to see a fault: a FEN, and moves that the engine plays from it."""

    fen: str
    moves: tuple[str, ...]
    """UCI text, castling in the notation of the position."""
    chess960: bool

    @property
    def pieces(self) -> int:
        """Number of pieces on the board."""
        return sum(letter.isalpha() for letter in self.fen.split()[0])

    def __str__(self) -> str:
        return " ".join([self.fen, "moves", *self.moves]) if self.moves else self.fen


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in one place."""

    check: str
    """The check that has seen it, by a name that stays the same."""
    verdict: Verdict
    place: Place
    finding: Finding | None
    """The wrong moves, all of one kind and breaking one rule; None where the engine gave no answer."""
    message: str = ""
    """One sentence, about a failure of the engine or on top of the finding."""
    reference_failed: bool = False
    """Whether it is a reference that gave no answer, so that the engine cannot be judged."""

    @property
    def is_of_engine(self) -> bool:
        """Whether the engine under test is wrong, and not a reference."""
        is_right = self.finding is not None and self.finding.engine_is_right
        return not (is_right or self.reference_failed or self.verdict is Verdict.SPLIT)

    @property
    def signature(self) -> tuple[str, ...]:
        """What faults with one cause have in common; it stays the same when the position is reduced."""
        if self.finding is None:
            return (self.check, self.verdict.value, _without_particulars(self.message))
        if self.finding.cause is Cause.COUNT:  # who is told no moves can only guess at the rule
            return (self.check, self.verdict.value, _without_particulars(self.finding.note.partition(";")[0]))
        # A wrong state is one cause, whether it shows in a FEN or in the moves that follow.
        seen_by = "state" if self.finding.state else self.check
        return (seen_by, self.verdict.value, *self.finding.signature)

    @property
    def name(self) -> str:
        """A short name for lists and suites, such as "missing en-passant-along-pin"."""
        if self.finding is None:
            return self.verdict.value
        return " ".join(self.finding.signature[1:]) or self.finding.cause.value


def _without_particulars(message: str) -> str:
    """Return a message without its example and the words that have figures: counts, squares, moves and FENs."""
    return " ".join(
        word for word in message.partition(EXAMPLE)[0].split() if not any(letter.isdigit() for letter in word)
    )


@dataclass(frozen=True)
class Hit:
    """A fault as it was found."""

    fault: Fault
    strategy: str
    """The strategy that drew the position."""
    example: int
    """The number of the example within the run, from 1."""


@dataclass(frozen=True)
class Find:
    """A kind of fault: reduced, with what its finds have in common."""

    fault: Fault
    """The reduced fault."""
    first: Hit
    """Its first appearance."""
    times: int
    """In how many examples it appeared."""
    pieces_before: int
    """Pieces on the board before the reduction."""
    replay: str
    """The command that shows it again."""
    comes_again: bool = True
    """Whether the fault was there when its place was examined anew."""
    is_impossible: bool = False
    """Whether no game can lead to the position, so that an engine that differs there is not wrong."""

    @property
    def pieces(self) -> int:
        """Number of pieces in the reduced position."""
        return self.fault.place.pieces

    @property
    def is_of_engine(self) -> bool:
        """Whether the engine under test is wrong, in a position that it may be asked about."""
        return self.fault.is_of_engine and not self.is_impossible


@dataclass(frozen=True)
class Coverage:
    """How many of the examined positions met each event, and came from each strategy."""

    events: tuple[tuple[int, int], ...]
    """Events of the catalogue that were met, and by how many positions."""
    strategies: tuple[tuple[str, int], ...]
    """Examples of each strategy."""
    labels: tuple[tuple[str, int], ...]
    """Examples with each label of plausibility; empty where nobody has looked."""
    are_counted: bool = True
    """Whether events are counted by positions; if not, only that they were met is known."""

    @property
    def examples(self) -> int:
        """Number of examples."""
        return sum(number for _, number in self.strategies)


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
    """Examples to be examined; None where time is the limit."""
    possible_events: tuple[int, ...]
    """Events of the catalogue that what is drawn can meet."""


@dataclass(frozen=True)
class FuzzProgress:
    """A sign of life, several times a second."""

    examples: int
    seconds: float
    kinds: int
    """Kinds of faults found so far."""
    doing: str
    """What is under way, such as "fuzzing" or "reducing"."""


@dataclass(frozen=True)
class FaultSeen:
    """A kind of fault has appeared for the first time."""

    hit: Hit


@dataclass(frozen=True)
class FuzzFinished:
    """The last event, with everything that a report needs."""

    started: FuzzStarted
    finds: tuple[Find, ...]
    """Simplest first."""
    coverage: Coverage
    seconds: float
    interrupted: bool = False
    is_cut_short: bool = False
    """Whether the run ended early because the engine did not answer in time."""
    failure: str = ""
    """Why the run ended early, if it could not go on."""
    stored: str | None = None
    """The corpus to which the finds were added."""

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that the finds call for."""
        verdicts = [find.fault.verdict for find in self.finds]
        verdicts += [Verdict.CRASH] * bool(self.failure) + [Verdict.AGREE] * bool(self.coverage.examples)
        return exit_code(verdicts, self.interrupted)


FuzzEvent = FuzzStarted | Notice | FuzzProgress | FaultSeen | FuzzFinished
