"""What a side is asked for, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ...generator.line import Line
from ...generator.position import Position
from ...generator.types.moves import GenType
from ..engines.asker import Asker
from ..engines.base import EngineError, EngineRejection
from .node import Answer, Failure, Node


@dataclass(frozen=True)
class Divided:
    """A side has answered about a node; `answer` is None where it was stopped."""

    node: Node
    side: int
    answer: Answer | None


@dataclass(frozen=True)
class MovesListed:
    """A side has listed the moves of a GenType; None where it offers no list, a `Failure` where it gave no answer."""

    position: Position
    gentype: GenType
    moves: tuple[str, ...] | Failure | None


class Job(Protocol):
    """A question to one side."""

    def carry_out(self, asker: Asker) -> object:
        """Ask, and return the event that tells the answer. Raises EngineError, Interrupted."""

    def failed(self, failure: Failure | None) -> object:
        """Return the event that tells that there is no answer; None where it was stopped."""


@dataclass(frozen=True)
class DivideJob:
    """The divide of a node, from its own FEN."""

    node: Node
    side: int

    def carry_out(self, asker: Asker) -> Divided:
        """Ask for the divide; of a side that prints only totals for the count after each move as well."""
        line = Line(self.node.position)
        if line.position.chess960 and not asker.chess960:
            raise EngineRejection(f"{asker.name} cannot be asked about Chess960")
        told = asker.divide(line, self.node.depth)
        return Divided(self.node, self.side, asker.with_children(line, self.node.depth, told))

    def failed(self, failure: Failure | None) -> Divided:
        """Return that there is no divide."""
        return Divided(self.node, self.side, failure)


@dataclass(frozen=True)
class ListJob:
    """The moves of a GenType."""

    position: Position
    gentype: GenType

    def carry_out(self, asker: Asker) -> MovesListed:
        """Ask for the list."""
        moves = asker.moves(Line(self.position), self.gentype)
        return MovesListed(self.position, self.gentype, None if moves is None else tuple(moves))

    def failed(self, failure: Failure | None) -> MovesListed:
        """Return that there is no list."""
        return MovesListed(self.position, self.gentype, failure)


def failure_of(error: EngineError) -> Failure:
    """Return the failure that an engine's error tells of."""
    return Failure(error.verdict, str(error))
