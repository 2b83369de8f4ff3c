"""The gallery: each rare event with its smallest position, faults that show there, and bugs of published programs.

`events.csv` has a row for each event; `tools/gallery/` makes it. `published.csv` has bugs that the fuzzer found in
published packages (benchmarks/trophies/trophies.md), each with the event that its position is about.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from perft_check.generator.events import Event
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.model.results.finding import Finding

if TYPE_CHECKING:
    from perft_check.harness.zoo.fault import Fault

EXHAUSTED = 4
"""All valid positions of so many men, and of fewer, were tried."""
FAMILIES = {
    "EP": "En passant",
    "PR": "Promotion",
    "CA": "Castling",
    "K": "The king",
    "CK": "Check",
    "PIN": "Pins",
    "DC": "Discovered check",
    "DP": "Double pushes",
    "WRAP": "Around the edge",
    "MATE": "No moves, and many",
    "STALEMATE": "No moves, and many",
    "MOVES": "No moves, and many",
    "F": "Chess960",
}
"""What the first words of the names of events stand for."""


class PublishedBug(NamedTuple):
    """A bug of a published program."""

    event: Event
    package: str
    fen: str
    says: str


@dataclass(frozen=True)
class ShownEvent:
    """A fault and what it gets wrong."""

    fault: Fault
    finding: Finding


@dataclass(frozen=True)
class Exhibit:
    """An event in its smallest position."""

    event: Event
    position: Position
    least: int | None
    shown: tuple[ShownEvent, ...]
    elsewhere: tuple[ShownEvent, ...]
    published: tuple[PublishedBug, ...]

    @property
    def family(self) -> str:
        """The family of events."""
        return FAMILIES[self.event.name.split("_")[0]]

    @property
    def men(self) -> int:
        """How many pieces stand in the position."""
        return sum(letter.isalpha() for letter in self.position.fen().split(" ")[0])


@dataclass(frozen=True)
class Gallery:
    """All exhibits."""

    exhibits: tuple[Exhibit, ...]


TABLE = Path(__file__).with_name("events.csv")
PUBLISHED = Path(__file__).with_name("published.csv")


class ExhibitRow(NamedTuple):
    """What the table says of an event."""

    event: Event
    fen: str
    least: int | None
    """How many men the event takes at least; None where it takes more than `EXHAUSTED`."""
    faults: tuple[str, ...]
    elsewhere: tuple[str, ...]
    """Faults that show in a position of their own, in which the event is met."""


def gallery() -> Gallery:
    """Return the gallery; each fault is run in its positions, which takes some seconds."""
    return Gallery(tuple(map(_exhibit, rows())))


@cache
def rows() -> tuple[ExhibitRow, ...]:
    """Return the table of events."""
    return tuple(
        ExhibitRow(
            _event(row["event"]), row["fen"], _number(row["least"]), _words(row["faults"]), _words(row["elsewhere"])
        )
        for row in _read(TABLE)
    )


@cache
def bugs() -> tuple[PublishedBug, ...]:
    """Return the bugs of published programs."""
    return tuple(
        PublishedBug(_event(row["event"]), row["package"], row["fen"], row["says"]) for row in _read(PUBLISHED)
    )


def _exhibit(row: ExhibitRow) -> Exhibit:
    from perft_check.harness.zoo.catalogue import find_fault

    position = Position.from_fen(row.fen, chess960=row.event.chess960)
    here = ((find_fault(name), shown_by(find_fault(name), position)) for name in row.faults)
    there = ((find_fault(name), shown_at_home(find_fault(name))) for name in row.elsewhere)
    return Exhibit(
        row.event,
        position,
        row.least,
        tuple(ShownEvent(fault, finding) for fault, finding in here if finding is not None),
        tuple(ShownEvent(fault, finding) for fault, finding in there if finding is not None),
        tuple(bug for bug in bugs() if bug.event is row.event),
    )


def _read(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _event(label: str) -> Event:
    return next(event for event in Event if event.label == label)


def _number(text: str) -> int | None:
    return int(text) if text else None


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def shown_by(fault: Fault, position: Position) -> Finding | None:
    """Return what a fault that runs as an engine gets wrong in a position; None for nothing, and where it crashes."""
    from perft_check.harness.engines.base import EngineError

    try:
        here = _descend(fault, Game(position), 1)
        if here is not None and here.wrong:
            return here
        below = _descend(fault, Game(position), 2)
    except EngineError:
        return None
    return below if below is not None and below.state else None


def shown_at_home(fault: Fault) -> Finding | None:
    """Return what a fault that runs as an engine gets wrong in the position that shows it by design."""
    return _descend(fault, fault.demonstration.game, fault.demonstration.depth)


def _descend(fault: Fault, game: Game, depth: int) -> Finding | None:
    """Follow what a fault counts wrong down to its cause. Raises EngineError."""
    from perft_check.harness.checking.descent.descending import descend
    from perft_check.harness.engines.asking.runner import CallRunner
    from perft_check.harness.engines.asking.session import EngineSession
    from perft_check.harness.engines.types.python_chess import PythonChessEngine
    from perft_check.harness.zoo.engine import ZooEngine

    caller = CallRunner()
    asked = EngineSession(ZooEngine(fault), caller)
    return descend(game, depth, asked, EngineSession(PythonChessEngine(), caller, is_reference=True))
