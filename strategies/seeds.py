"""Tricky positions to start from: the bundled collections."""

from __future__ import annotations

from functools import cache

from ..generator.position import Position
from ..suites.loader import load_suite
from ..suites.making import KNOWN, RARE, WALKS


@cache
def tricky_positions() -> tuple[Position, ...]:
    """Return the smallest positions of rare events, the well-known ones and walks from both, each once."""
    paths = (RARE, KNOWN, WALKS)
    found = {case.position: None for path in paths for case in load_suite(path)}
    return tuple(found)


_SMALLEST_OTHERS = {
    "ep-illegal-victim-shield": "8/8/7b/5Pp1/8/8/8/k1K5 w - g6 0 1",
    "ep-square-no-evasion": "8/8/8/pPN5/1K6/8/8/k7 w - a6 0 1",
    "ca-lost-by-rook-move": "8/8/8/8/8/8/8/k3K2R w K - 0 1",
    "ca-kept-other-rook-moves": "8/8/8/8/8/8/7R/k3K2R w K - 0 1",
    "ca-kept-other-rook-taken": "4kr1r/8/4N3/8/8/8/8/K7 w k - 0 1",
    "ca-uci-lookalike": "8/8/8/8/8/8/2k5/K3R3 w - - 0 1",
    "dc-shield-stays-on-line": "8/8/8/Q7/8/K7/8/k7 w - - 0 1",
    "dp-allows-ep": "8/8/8/8/1p6/8/P7/K1k5 w - - 0 1",
    "moves-gt-128": "5Q2/Q3Q3/8/QQ4R1/B4N2/1K2Q3/QQ1Q4/7k w - - 0 1",
    "moves-gt-256": "kBQQQQQQ/BN5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
    "f-own-rook-outside": "8/8/8/8/8/8/3k4/1KR4R w C - 0 1",
}
"""Those of events that `rare.epd` lacks, by the event's label. An event that is added comes here: what is drawn for a
seed depends on that suite, which stays as it is.
"""


@cache
def smallest_positions() -> dict[str, Position]:
    """Return the smallest known position of each rare event, by the event's label."""
    others = {label: Position.from_fen(fen, chess960=None) for label, fen in _SMALLEST_OTHERS.items()}
    return others | {case.name: case.position for case in load_suite(RARE)}
