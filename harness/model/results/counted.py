"""The result of `perft`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
