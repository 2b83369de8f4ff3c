"""Causes as a page shows them: what is wrong, on which board, why, how to see it again, and where else it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...harness.model.events import Finding, WrongMove
from ..terminal.parts.finding import claim, path_text, played_from, remarks
from .board import Board, board_of
from .parts import Fact
from .tree import Tree

SHOWN_MOVES = 8
"""Wrong moves that are explained before the others, which a click shows."""
SHOWN_OTHERS = 100
"""Other failures of one cause that the page names; a table may have them all."""
MOST_BOARDS = 200
"""Causes that have a board; a page may have thousands of causes."""


@dataclass(frozen=True)
class Move:
    """A wrong move in words."""

    claim: str
    kind: str
    title: str
    """The rule."""
    sentence: str


@dataclass(frozen=True)
class Shown:
    """One failure."""

    name: str
    facts: tuple[Fact, ...]
    """What was asked, and what came of it."""
    remarks: tuple[str, ...]
    fen: str
    """The position in which the fault shows."""
    path: str
    """The moves that lead there."""
    played_from: str
    moves: tuple[Move, ...]
    commands: tuple[str, ...]
    board: Board | None
    tree: Tree | None = None

    @property
    def first_moves(self) -> tuple[Move, ...]:
        """The moves that are explained at once."""
        return self.moves[:SHOWN_MOVES]

    @property
    def more_moves(self) -> tuple[Move, ...]:
        """The moves that a click shows."""
        return self.moves[SHOWN_MOVES:]


@dataclass(frozen=True)
class Other:
    """Another failure of the same cause, in short."""

    name: str
    fen: str
    command: str


@dataclass(frozen=True)
class Cause:
    """A cause: its simplest failure, and the others."""

    title: str
    extent: str
    """In how many positions it shows."""
    shown: Shown
    others: tuple[Other, ...] = ()
    left_out: int = 0
    """How many others are not named."""
    tone: str = "bad"


def moves_of(finding: Finding | None) -> tuple[Move, ...]:
    """Return the wrong moves of a finding, a wrong state first."""
    return tuple(Move(claim(move), move.kind, move.title, move.sentence) for move in _wrong(finding))


def board_for(fen: str, finding: Finding | None, number: int) -> Board | None:
    """Return the board of the cause with this number, from 0; None beyond the most boards."""
    return board_of(fen, _wrong(finding)) if number < MOST_BOARDS else None


def remarks_of(message: str, finding: Finding | None) -> tuple[str, ...]:
    """Return the sentences about a failure as a whole."""
    return tuple(dict.fromkeys(filter(None, [message, *(remarks(finding) if finding else ())])))


def path_of(finding: Finding | None) -> str:
    """Return the way down to the position with the fault."""
    return path_text(finding) if finding is not None else ""


def origin_of(finding: Finding | None) -> str:
    """Return where the engine has to play moves from, if the fault shows only then."""
    return played_from(finding) if finding is not None else ""


def _wrong(finding: Finding | None) -> Sequence[WrongMove]:
    return (*finding.state, *finding.wrong) if finding is not None else ()
