"""A node of the tree: the position after a move, and the engines' answers about it."""

from __future__ import annotations

from dataclasses import dataclass

from ...generator.position import Position
from ...generator.types.moves import Move
from ..engines.base import Divide
from ..engines.root_moves import as_king_steps
from ..model.results.verdict import Verdict


@dataclass(frozen=True)
class NodeFailure:
    """The verdict and message for an engine that gave no answer."""

    verdict: Verdict
    message: str


Answer = Divide | NodeFailure
_NO_ANSWERS: tuple[tuple[Answer | None, ...], ...] = ((), (None,), (None, None))
_NOT_ASKED: tuple[tuple[bool, ...], ...] = ((), (False,), (False, False))


class Node:
    """A node of the tree. Illegal moves that an engine lists have nodes without children."""

    __slots__ = (
        "_position",
        "_san",
        "answers",
        "asked",
        "children",
        "depth",
        "is_open",
        "move",
        "parent",
        "rows",
        "text",
        "wrong",
    )

    def __init__(self, parent: Node | None, text: str, move: Move | None, depth: int, engines: int) -> None:
        """Create the node after a move in the parent's position, `depth` plies above the leaves."""
        self.parent = parent
        self.text = text
        """The move in UCI notation, with castling as king takes rook, or "" at the root."""
        self.move = move
        """The move, or None at the root and for illegal moves."""
        self.depth = depth
        self.answers: tuple[Answer | None, ...] = _NO_ANSWERS[engines]
        """The divide of each engine at this node, or None until it is known."""
        self.asked = _NOT_ASKED[engines]
        """Whether each engine has been asked for its divide."""
        self.children: list[Node] | None = None
        self.is_open = False
        self.rows = 1
        """The number of visible rows of the node and its descendants."""
        self.wrong = 0
        """The number of known differences at or below this node that have no other difference below them."""
        self._position: Position | None = None
        self._san: str | None = None

    @classmethod
    def root(cls, position: Position, depth: int, engines: int) -> Node:
        """Return the root of a tree."""
        node = cls(None, "", None, depth, engines)
        node._position = position
        return node

    @property
    def can_be_played(self) -> bool:
        """Whether the node has a position, as the root and all legal moves do."""
        return self.parent is None or self.move is not None

    @property
    def can_open(self) -> bool:
        """Whether the node may have children."""
        return self.depth > 0 and self.can_be_played

    @property
    def position(self) -> Position:
        """The position of the node, or that of its parent if the move is illegal."""
        if self._position is not None:
            return self._position
        assert self.parent is not None, "the root has its position"
        before = self.parent.position
        position = before if self.move is None else before.play_unchecked(self.move)
        if self.children is not None:
            self._position = position
        return position

    @property
    def before(self) -> Position:
        """The position before the move, or the position itself at the root."""
        return self.position if self.parent is None else self.parent.position

    @property
    def path(self) -> list[Node]:
        """The nodes from the child of the root down to this one."""
        nodes: list[Node] = []
        node = self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    @property
    def ply(self) -> int:
        """The distance from the root in plies."""
        return len(self.path)

    @property
    def uci(self) -> str:
        """The move in UCI notation, or "" at the root."""
        if self.parent is None:
            return ""
        before = self.parent.position
        if self.move is not None:
            return self.move.uci(before.chess960)
        return self.text if before.chess960 else as_king_steps(before, self.text)

    @property
    def san(self) -> str:
        """The move in SAN, or "" at the root and for illegal moves."""
        if self._san is None:
            self._san = "" if self.move is None or self.parent is None else self.parent.position.san(self.move)
        return self._san

    def answer_with_count(self, engine: int) -> Answer | None:
        """Return the answer that contains this node's count: the parent's, or for the root its own."""
        return (self if self.parent is None else self.parent).answers[engine]

    def count(self, engine: int) -> int | None:
        """Return an engine's count for this node, or None if it is unknown or the engine does not list the move."""
        answer = self.answer_with_count(engine)
        if not isinstance(answer, Divide):
            return None
        return answer.total if self.parent is None else answer.counts.get(self.text)

    def has(self, engine: int) -> bool | None:
        """Return whether an engine lists the move, or None if this is unknown."""
        answer = self.answer_with_count(engine)
        if self.parent is None:
            return True
        if not isinstance(answer, Divide) or answer.is_total_only:
            return None
        return self.text in answer.counts

    def repeats(self, engine: int) -> int:
        """Return how often an engine repeats the move in its list."""
        answer = self.answer_with_count(engine)
        return answer.repeated.get(self.text, 0) if self.parent is not None and isinstance(answer, Divide) else 0

    @property
    def differs(self) -> bool:
        """Whether the engines are known to differ about this node."""
        if len(self.answers) < 2 or None in (listed := [self.has(engine) for engine in (0, 1)]):
            return False
        if self.parent is None and not all(isinstance(answer, Divide) for answer in self.answers):
            return False
        first, second = ((listed[engine], self.count(engine), self.repeats(engine)) for engine in (0, 1))
        return first != second

    @property
    def kind(self) -> str:
        """How the engines differ: "missing", "extra", "duplicate", "count", or "" if no difference is known."""
        if not self.differs:
            return ""
        if not self.has(0):
            return "missing"
        if not self.has(1):
            return "extra"
        return "duplicate" if self.repeats(0) != self.repeats(1) else "count"
