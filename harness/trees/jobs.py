"""What an engine is asked, and the events with its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...generator.game import Game
from ...generator.position import Position
from ...generator.types.moves import GenType
from ..checking.lists.correct import askable, correct_list
from ..checking.lists.guessing import guess
from ..checking.lists.wrong import differences, wrong_moves
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError, EngineRejection
from ..model.conventions import Convention
from .node import Answer, Node, NodeFailure


@dataclass(frozen=True)
class DividedNode:
    """An engine has answered about a node; `answer` is None if it was stopped."""

    node: Node
    side: int
    answer: Answer | None


@dataclass(frozen=True)
class ComparedList:
    """An engine's list of a GenType beside the right one, by the engine's convention; castling as king takes rook."""

    moves: tuple[str, ...]
    right: tuple[str, ...]
    """The legal ones alone if the convention leaves open which others are listed."""
    wrong: tuple[tuple[str, str, str], ...]
    """The moves that are wrong, each with "missing", "extra" or "duplicate", and why."""


@dataclass(frozen=True)
class MovesListed:
    """An engine has listed the moves of a GenType; None if it offers no list, `NodeFailure` if it gave no answer."""

    position: Position
    gentype: GenType
    answer: ComparedList | NodeFailure | None


class Conventions:
    """The convention of one engine's lists, guessed once, from its lists in telling positions."""

    def __init__(self) -> None:
        self._guessed: Convention | None = None

    def of(self, session: EngineSession) -> Convention:
        """Return the convention of the engine, which is asked about it the first time. Raises Interrupted."""
        if self._guessed is None:
            self._guessed = guess(session, {}).convention
        return self._guessed


@dataclass(frozen=True)
class DivideJob:
    """The divide of a node, from its own FEN."""

    node: Node
    side: int

    def carry_out(self, session: EngineSession) -> DividedNode:
        """Ask for the divide; if the engine prints only totals, also for the count after each move."""
        game = Game(self.node.position)
        if game.position.chess960 and session.engine.chess960 is False:
            raise EngineRejection(f"{session.name} does not support Chess960: {session.engine.no_chess960}")
        divide = session.divide(game, self.node.depth)
        return DividedNode(self.node, self.side, session.with_children(game, self.node.depth, divide))

    def report_failure(self, failure: NodeFailure | None) -> DividedNode:
        """Return the event for a divide that did not come; `failure` is None if it was stopped."""
        return DividedNode(self.node, self.side, failure)


@dataclass(frozen=True)
class ListJob:
    """The moves of a GenType, compared by the convention of the engine: correct generators differ in these."""

    position: Position
    gentype: GenType
    conventions: Conventions

    def carry_out(self, session: EngineSession) -> MovesListed:
        """Ask for the list."""
        convention = self.conventions.of(session)
        asked = self.gentype in askable(self.position, convention)
        moves = session.moves(Game(self.position), self.gentype) if asked else None
        compared = None if moves is None else _compare(self.position, self.gentype, moves, convention)
        return MovesListed(self.position, self.gentype, compared)

    def report_failure(self, failure: NodeFailure | None) -> MovesListed:
        """Return the event for a list that did not come; `failure` is None if it was stopped."""
        return MovesListed(self.position, self.gentype, failure)


TreeJob = DivideJob | ListJob
"""A question to one engine."""


def _compare(position: Position, gentype: GenType, moves: Sequence[str], convention: Convention) -> ComparedList:
    found = differences(position, gentype, moves, convention)
    why = wrong_moves(position, gentype, moves, convention)
    wrong = ((text, kind, one.sentence) for (text, kind), one in zip(found, why, strict=True))
    return ComparedList(tuple(moves), tuple(correct_list(position, gentype, convention)), tuple(wrong))


def failure_of(error: EngineError) -> NodeFailure:
    """Return the failure that an engine's error reports."""
    return NodeFailure(error.verdict, str(error))
