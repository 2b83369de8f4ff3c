"""Causes as a page shows them: what is wrong, on which board, why, how to see it again, and where else it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ....harness.checking.causes import CauseGroup
from ....harness.model.results.events import Finding
from ...terminal.parts.finding import claim, path_text, played_from, remarks
from ...text import count
from .facts import Fact, TreeTable

if TYPE_CHECKING:
    from ...pictures.board import BoardPicture

T = TypeVar("T")

SHOWN_MOVES = 8
"""Wrong moves that are explained before the others, which a click shows."""
SHOWN_OTHERS = 100
"""Other failures of one cause that the page names; a table may have them all."""
MOST_BOARDS = 200
"""Causes that have a board; a page may have thousands of causes."""


@dataclass(frozen=True)
class ShownMove:
    """A wrong move in words."""

    claim: str
    kind: str
    title: str
    """The rule."""
    sentence: str


@dataclass(frozen=True)
class ShownFinding:
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
    moves: tuple[ShownMove, ...]
    commands: tuple[str, ...]
    board: BoardPicture | None
    tree: TreeTable | None = None

    @property
    def first_moves(self) -> dict[str, list[ShownMove]]:
        """The moves that are explained at once, by the rule."""
        return _by_rule(self.moves[:SHOWN_MOVES])

    @property
    def more_moves(self) -> dict[str, list[ShownMove]]:
        """The moves that a click shows, likewise."""
        return _by_rule(self.moves[SHOWN_MOVES:])

    @property
    def left(self) -> int:
        """How many moves a click shows."""
        return max(0, len(self.moves) - SHOWN_MOVES)


def _by_rule(moves: Sequence[ShownMove]) -> dict[str, list[ShownMove]]:
    """Return moves by the title of the rule, in the order in which the titles come."""
    return {
        title: [move for move in moves if move.title == title] for title in dict.fromkeys(one.title for one in moves)
    }


@dataclass(frozen=True)
class Other:
    """Another failure of the same cause, in short."""

    name: str
    fen: str
    command: str


@dataclass(frozen=True)
class CauseSection:
    """A cause: its simplest failure, and the others."""

    title: str
    extent: str
    """In how many positions it shows."""
    shown: ShownFinding
    others: tuple[Other, ...] = ()
    left_out: int = 0
    """How many others are not named."""
    tone: str = "bad"


def moves_of(finding: Finding | None) -> tuple[ShownMove, ...]:
    """Return the wrong moves of a finding, a wrong state first."""
    wrong = (*finding.state, *finding.wrong) if finding is not None else ()
    return tuple(ShownMove(claim(move), move.kind, move.title, move.sentence) for move in wrong)


def shown_finding(
    number: int,
    name: str,
    facts: tuple[Fact, ...],
    place: str,
    finding: Finding | None,
    *,
    message: str = "",
    commands: tuple[str, ...] = (),
    tree: TreeTable | None = None,
) -> ShownFinding:
    """Return the failure that stands for the cause with this number, from 0.

    It shows in the position of the `finding`, if there is one, else at the `place`. Beyond the most boards it has none.
    """
    from ...pictures.board import board_of  # which loads python-chess

    fen = place if finding is None else finding.fen
    wrong = () if finding is None else finding.wrong
    return ShownFinding(
        name=name,
        facts=facts,
        remarks=tuple(dict.fromkeys(filter(None, [message, *(remarks(finding) if finding else ())]))),
        fen=fen,
        path="" if finding is None else path_text(finding),
        played_from="" if finding is None else played_from(finding),
        moves=moves_of(finding),
        commands=commands,
        board=board_of(fen, wrong) if number < MOST_BOARDS else None,
        tree=tree,
    )


def section_of(
    group: CauseGroup[T], title: str, noun: str, shown: ShownFinding, other: Callable[[T], Other], tone: str = "bad"
) -> CauseSection:
    """Return a cause with its first failure and the others in short, as far as they are shown."""
    others = tuple(map(other, group.members[1 : 1 + SHOWN_OTHERS]))
    return CauseSection(title, count(group.positions, noun), shown, others, len(group.members) - 1 - len(others), tone)
