"""Make the bundled suites: choose positions, count them with our own kernel, within limits.

The counts made here are claims; `perft-check suites make` has them confirmed by generators that are
not ours before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ..generator.counting import perft
from ..generator.position import Position
from .case import Case, Suite
from .loader import load_suite
from .selection import Chooser

KNOWN = Path(__file__).with_name("known.epd")
"""Well-known positions, with their names and counts."""
RARE = Path(__file__).with_name("rare.epd")
"""Smallest known positions of rare events, named by the event."""

STANDARD_GAMES, CHESS960_GAMES, DOUBLE_GAMES, SPECIAL_WALKS = 120, 90, 30, 120
KNOWN_NODES = 5_000_000
CHOSEN_NODES = 400_000
SMOKE_NODES = 100_000
"""Counts beyond these many nodes are left out, so that slow generators can verify every suite."""
MAX_DEPTH = 6


def make_suites(seed: int) -> Iterator[Suite]:
    """Yield the bundled suites, in the order of `bundled.BUNDLED`; the same seed makes the same suites."""
    known, rare = load_suite(KNOWN).cases, load_suite(RARE).cases
    chooser = Chooser(seed, [case.position for case in (*known, *rare)])
    standard = [case for case in known if not case.position.chess960]
    other = [case for case in known if case.position.chess960]
    rare_standard = _distinct(case for case in rare if not case.position.chess960)
    rare_other = _distinct(case for case in rare if case.position.chess960)
    famous = [case for case in known if case.name.startswith("cpw-")]
    yield _suite("smoke", [*_extended(famous, SMOKE_NODES), *_extended([*rare_standard, *rare_other], SMOKE_NODES, 3)])
    games = _named("game", chooser.standard(STANDARD_GAMES))
    yield _suite("standard", [*_extended(standard, KNOWN_NODES), *_extended(games, CHOSEN_NODES)])
    games = _named("game960", chooser.chess960(CHESS960_GAMES, double=False))
    double = _named("double960", chooser.chess960(DOUBLE_GAMES, double=True))
    yield _suite(
        "chess960", [*_extended([*other, *rare_other], KNOWN_NODES), *_extended([*games, *double], CHOSEN_NODES)]
    )
    seeds = [case.position for case in (*standard, *rare_standard)]
    walks = _named("walk", chooser.special(SPECIAL_WALKS, seeds))
    yield _suite("special", _extended([*rare_standard, *walks], CHOSEN_NODES))


def _suite(name: str, cases: Iterable[Case]) -> Suite:
    return Suite(name, tuple(cases))


def _distinct(cases: Iterable[Case]) -> list[Case]:
    """Return the cases without those whose position has come before under another event's name."""
    first: dict[str, Case] = {}
    for case in cases:
        first.setdefault(case.position.fen(), case)
    return list(first.values())


def _named(prefix: str, positions: Iterable[Position]) -> list[Case]:
    return [Case(f"{prefix}-{number:03d}", position, (), "made") for number, position in enumerate(positions, 1)]


def _extended(cases: Iterable[Case], max_nodes: int, max_depth: int = MAX_DEPTH) -> Iterator[Case]:
    """Yield the cases with all counts from depth 1 that keep within the limits, at least the first.

    Counts that a case brings along are kept as they are, to be verified like the others.
    """
    for case in cases:
        given = dict(case.counts)
        counts: list[tuple[int, int]] = []
        for depth in range(1, max_depth + 1):
            nodes = given.get(depth)
            if nodes is None:
                nodes = perft(case.position, depth)
            if counts and nodes > max_nodes:
                break
            counts.append((depth, nodes))
            if nodes == 0:
                break
        yield replace(case, counts=tuple(counts))
