"""The result of `perft`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .verdict import ExitCode


@dataclass(frozen=True)
class PerftFinished:
    """The leaf nodes of one position."""

    engine: str
    fen: str
    chess960: bool
    depth: int
    nodes: int
    seconds: float
    """Time that the count took."""
    kinds: tuple[Mapping[str, int], ...] = ()
    """For each depth from 0 on how many moves of each kind lead to the leaves, where that was asked for."""
    reference: str | None = None
    """The generator that has counted the same, if any."""
    expected: int | None = None
    """Its count."""

    @property
    def is_wrong(self) -> bool:
        """Whether the count differs from that of the reference."""
        return self.expected is not None and self.nodes != self.expected

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that the count calls for."""
        return ExitCode.MISMATCH if self.is_wrong else ExitCode.AGREE
