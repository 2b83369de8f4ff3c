"""Make the bundled suites: choose positions, count them with our own kernel, within limits.

The counts made here are claims; `perft-check suites make` has them confirmed by generators that are
not ours before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ..generator.counting.leaves import perft
from ..generator.position import Position
from .bundled import SWEEPS, bundled_path
from .case import Case, Suite
from .loader import load_suite
from .selection import PositionChooser

KNOWN = Path(__file__).with_name("known.epd")
"""Well-known positions, with their names and counts."""
RARE = Path(__file__).with_name("rare.epd")
"""Smallest known positions of rare events, named by the event."""
WALKS = Path(__file__).with_name("walks.epd")
"""Positions a short random walk away from those, made like the suites, from where fuzzing sets out."""
CHOSEN = ("smoke", "special", "chess960-special", *SWEEPS.values())
"""The suites whose positions and depths are chosen by what they catch; they are only counted again here."""

STANDARD_GAMES, CHESS960_GAMES, DOUBLE_GAMES, SPECIAL_WALKS = 120, 90, 30, 120
KNOWN_NODES = 5_000_000
CHOSEN_NODES = 400_000
WALK_NODES = 1_000
"""Counts beyond these many nodes are left out, so that slow generators can verify every suite."""
MAX_DEPTH = 6


@dataclass(frozen=True)
class DrawnCases:
    """The positions that there are to choose from, without counts except of known ones, each under one name."""

    known: list[Case]
    rare: list[Case]
    games: list[Case]
    chess960: list[Case]
    walks: list[Case]

    def all(self) -> list[Case]:
        """Return all of them, each position once."""
        return distinct([*self.rare, *self.known, *self.games, *self.chess960, *self.walks])


def draw(seed: int) -> DrawnCases:
    """Return known positions and seeded random ones; the same seed draws the same."""
    known, rare = list(load_suite(KNOWN)), distinct(load_suite(RARE))
    chooser = PositionChooser(seed, [case.position for case in (*known, *load_suite(RARE))])
    games = _name("game", chooser.standard(STANDARD_GAMES))
    single = _name("game960", chooser.chess960(CHESS960_GAMES, double=False))
    double = _name("double960", chooser.chess960(DOUBLE_GAMES, double=True))
    seeds = [case.position for case in (*known, *rare) if not case.position.chess960]
    walks = _name("walk", chooser.special(SPECIAL_WALKS, seeds))
    return DrawnCases(known, rare, games, [*single, *double], walks)


def make_suites(seed: int, chosen: Mapping[str, Suite] | None = None) -> Iterator[Suite]:
    """Yield the bundled suites, in the order of `bundled.BUNDLED`, then the walks.

    The same seed makes the same suites. The positions and depths of the `CHOSEN` ones are those of
    `chosen`, and of the suites that are there where it lacks one.
    """
    chosen = {name: load_suite(bundled_path(name)) for name in CHOSEN} | dict(chosen or {})
    drawn = draw(seed)
    yield count_suite(chosen["smoke"])
    standard = [case for case in drawn.known if not case.position.chess960]
    yield _suite("standard", [*extend_counts(standard, KNOWN_NODES), *extend_counts(drawn.games, CHOSEN_NODES)])
    other = [case for case in (*drawn.known, *drawn.rare) if case.position.chess960]
    yield _suite("chess960", [*extend_counts(other, KNOWN_NODES), *extend_counts(drawn.chess960, CHOSEN_NODES)])
    yield count_suite(chosen["special"])
    yield count_suite(chosen["chess960-special"])
    for name in SWEEPS.values():
        yield count_suite(chosen[name])
    yield _suite("walks", extend_counts(drawn.walks, WALK_NODES))


def _suite(name: str, cases: Iterable[Case]) -> Suite:
    return Suite(name, tuple(cases))


def count_suite(suite: Suite) -> Suite:
    """Return a suite with all its counts made anew."""

    def counts(case: Case) -> tuple[tuple[int, int], ...]:
        return tuple((depth, perft(case.position, depth)) for depth, _ in case.counts)

    return replace(suite, cases=tuple(replace(case, counts=counts(case)) for case in suite))


def distinct(cases: Iterable[Case]) -> list[Case]:
    """Return the cases without those whose position has come before under another name."""
    first: dict[str, Case] = {}
    for case in cases:
        first.setdefault(case.position.fen(), case)
    return list(first.values())


def _name(prefix: str, positions: Iterable[Position]) -> list[Case]:
    return [Case(f"{prefix}-{number:03d}", position, (), "made") for number, position in enumerate(positions, 1)]


def extend_counts(cases: Iterable[Case], max_nodes: int, max_depth: int = MAX_DEPTH) -> Iterator[Case]:
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
