"""Questions to an engine, and the events with its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...generator.game import Game
from ...generator.position import Position
from ...generator.types.moves import GenType
from ..checking.lists.correct import askable, correct_list
from ..checking.lists.guessing import guess_convention
from ..checking.lists.wrong import differences, wrong_moves
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError, EngineRejection
from ..model.conventions import Convention
from .node import Answer, Node, NodeFailure


@dataclass(frozen=True)
class DividedNode:
    """An event: an engine has answered about a node. `answer` is None if the engine was stopped."""

    node: Node
    engine: int
    answer: Answer | None


@dataclass(frozen=True)
class ComparedList:
    """An engine's move list of a GenType and the correct list. Castling is written as king takes rook."""

    moves: tuple[str, ...]
    correct: tuple[str, ...]
    """The correct list under the engine's convention, with only legal moves if illegal ones are optional."""
    wrong: tuple[tuple[str, str, str], ...]
    """The wrong moves, each with "missing", "extra" or "duplicate" and a reason."""


@dataclass(frozen=True)
class MovesListed:
    """An event: an engine has answered with a move list. `answer` is None if it offers no such list."""

    position: Position
    gentype: GenType
    answer: ComparedList | NodeFailure | None


class Conventions:
    """The convention of an engine's move lists, inferred once from its lists in a few positions."""

    def __init__(self) -> None:
        self._guessed: Convention | None = None

    def of(self, session: EngineSession) -> Convention:
        """Return the engine's convention, inferred on the first call. Raises Interrupted."""
        if self._guessed is None:
            self._guessed = guess_convention(session, {}).convention
        return self._guessed


@dataclass(frozen=True)
class DivideJob:
    """A question for the divide of a node, which is sent as a FEN."""

    node: Node
    engine: int

    def carry_out(self, session: EngineSession) -> DividedNode:
        """Ask for the divide, or for the count after each move if the engine prints only totals."""
        game = Game(self.node.position)
        if game.position.chess960 and session.engine.chess960 is False:
            raise EngineRejection(f"{session.name} does not support Chess960: {session.engine.no_chess960}")
        divide = session.divide(game, self.node.depth)
        return DividedNode(self.node, self.engine, session.with_children(game, self.node.depth, divide))

    def report_failure(self, failure: NodeFailure | None) -> DividedNode:
        """Return the event for a divide that failed; `failure` is None if it was stopped."""
        return DividedNode(self.node, self.engine, failure)


@dataclass(frozen=True)
class ListJob:
    """A question for the moves of a GenType, which are compared under the engine's convention."""

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
        """Return the event for a list that failed; `failure` is None if it was stopped."""
        return MovesListed(self.position, self.gentype, failure)


TreeJob = DivideJob | ListJob
"""A question to one engine."""


def _compare(position: Position, gentype: GenType, moves: Sequence[str], convention: Convention) -> ComparedList:
    found = differences(position, gentype, moves, convention)
    why = wrong_moves(position, gentype, moves, convention)
    wrong = ((text, kind, one.sentence) for (text, kind), one in zip(found, why, strict=True))
    return ComparedList(tuple(moves), tuple(correct_list(position, gentype, convention)), tuple(wrong))


def failure_of(error: EngineError) -> NodeFailure:
    """Convert an engine's error to a failure."""
    return NodeFailure(error.verdict, str(error))
