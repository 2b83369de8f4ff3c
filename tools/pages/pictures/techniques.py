"""The walks of the techniques that can be traced, for docs/techniques.md."""

from __future__ import annotations

from collections.abc import Iterator

from perft_check.generator import Position
from perft_check.generator.techniques.registry import ENTRIES

from .tracing import trace
from .walk import picture

POSITION = "4k3/4p3/8/8/4R3/8/4P3/4K3 w - - 0 1"
UNTRACED = ("stockfish", "turbo")
"""The techniques of perft-check's own kernels do not use the traceable operations."""


def draw_pictures() -> Iterator[tuple[str, str]]:
    """Yield the name of each picture and its text."""
    position = Position.from_fen(POSITION)
    for name in ENTRIES:
        if name not in UNTRACED:
            yield file_of(name), picture(name, trace(name, position), position)


def file_of(name: str) -> str:
    """Return the file of a technique's picture."""
    return f"technique-{name}.svg"
