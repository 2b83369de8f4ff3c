"""Results of `perft` and `count`, and the progress of a count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .verdict import ExitCode


@dataclass(frozen=True)
class PerftFinished:
    """The number of leaf nodes of one position."""

    engine: str
    fen: str
    chess960: bool
    depth: int
    nodes: int
    seconds: float
    """Time that the count took."""
    kinds: tuple[Mapping[str, int], ...] = ()
    """For each depth, starting at 0, the number of moves of each kind that lead to leaf nodes, if requested."""
    reference: str | None = None
    """The reference that counted the same position, if any."""
    expected: int | None = None
    """The reference's count."""

    @property
    def is_wrong(self) -> bool:
        """Whether the count differs from the reference's."""
        return self.expected is not None and self.nodes != self.expected

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that follows from the count."""
        return ExitCode.MISMATCH if self.is_wrong else ExitCode.AGREE


@dataclass(frozen=True)
class PlyEnumerated:
    """A ply has been enumerated."""

    ply: int
    positions: int


@dataclass(frozen=True)
class CountProgress:
    """The progress of a count."""

    done: int
    """Number of pieces that have a result."""
    pieces: int
    nodes: int
    """Leaf nodes of all results."""
    counted_nodes: int
    """Leaf nodes of the results of this run."""
    seconds: float
    """Time since this run began."""
    left_seconds: float | None
    """Estimated time left, or None before the first result."""
    workers: int
    """Number of tasks that run at the same time."""


@dataclass(frozen=True)
class CountMismatch:
    """A piece of a count, or one of its positions, that another generator counts differently."""

    fen: str
    depth: int
    engine: str
    got: int
    reference: str
    expected: int


@dataclass(frozen=True)
class CountFinished:
    """The result of a count."""

    fen: str
    chess960: bool
    depth: int
    split: int
    engine: str
    positions: int
    pieces: int
    done: int
    nodes: int
    """The leaf nodes of all results; those of the position if `done` equals `pieces`."""
    seconds: float
    """The total time of all results, in all runs."""
    verified: int
    """Number of pieces that another generator has verified."""
    mismatch: CountMismatch | None = None
    interrupted: bool = False
    """Whether the user interrupted the count or its verification."""

    @property
    def is_complete(self) -> bool:
        """Whether each piece has a result."""
        return self.done == self.pieces

    @property
    def exit_code(self) -> ExitCode:
        """The exit status of the command."""
        if self.mismatch is not None:
            return ExitCode.MISMATCH
        return ExitCode.AGREE if self.is_complete and not self.interrupted else ExitCode.INTERRUPTED
