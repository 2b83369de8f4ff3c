"""The exhibits: each rare event with its smallest position, the faults that show there, and bugs of published programs.

`events.csv` has a row for each event; `tools/gallery/` makes it. `published.csv` has bugs that the fuzzer found in
published packages (docs/trophies.md), each with the event that its position is about.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ....generator.events import Event
from ....generator.line import Line
from ....generator.position import Position
from ...asking.client import CallRunner, EngineClient
from ...checking.descent.descending import descend
from ...engines.base import EngineError
from ...engines.kinds.python_chess import PythonChessEngine
from ...model.results.events import Finding
from ..catalogue import find_fault
from ..engine import ZooEngine
from ..fault import Fault
from .model import Exhibit, Gallery, PublishedBug, ShownEvent

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
    caller = CallRunner()
    asked, right = (
        EngineClient(ZooEngine(fault.name), caller),
        EngineClient(PythonChessEngine(), caller, is_reference=True),
    )
    line = Line(position)
    try:
        here = descend(line, 1, asked, right)
        if here is not None and here.wrong:
            return here
        below = descend(line, 2, asked, right)
    except EngineError:
        return None
    return below if below is not None and below.state else None


def shown_at_home(fault: Fault) -> Finding | None:
    """Return what a fault that runs as an engine gets wrong in the position that shows it by design."""
    shows, caller = fault.shows, CallRunner()
    asked, right = (
        EngineClient(ZooEngine(fault.name), caller),
        EngineClient(PythonChessEngine(), caller, is_reference=True),
    )
    return descend(shows.line, shows.depth, asked, right)
