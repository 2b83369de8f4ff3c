"""The gallery as data: exhibits, and what is shown of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ....generator.events import Event
from ....generator.position import Position
from ...model.results.events import Finding

if TYPE_CHECKING:
    from ..fault import Fault

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
