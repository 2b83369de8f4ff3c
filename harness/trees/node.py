"""A node of the tree: a position, reached by a move, and what each engine answers there."""

from __future__ import annotations

from dataclasses import dataclass

from ...generator.position import Position
from ...generator.types.moves import Move
from ..engines.base import Divide
from ..engines.root_moves import as_king_steps
from ..model.results.verdict import Verdict


@dataclass(frozen=True)
class NodeFailure:
    """An engine gave no answer."""

    verdict: Verdict
    message: str


Answer = Divide | NodeFailure
_NONE: tuple[tuple[Answer | None, ...], ...] = ((), (None,), (None, None))
_NO: tuple[tuple[bool, ...], ...] = ((), (False,), (False, False))


class Node:
    """A position in the tree. A move that cannot be played has a node as well, which has no children."""

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
        """Make the node after a move of the parent, `depth` plies above the leaves; `engines` engines answer there."""
        self.parent = parent
        self.text = text
        """The move that leads here, as king takes rook; "" at the root."""
        self.move = move
        """The move if it is legal, else None."""
        self.depth = depth
        self.answers: tuple[Answer | None, ...] = _NONE[engines]
        """The divide of each engine here; None as long as there is none."""
        self.asked = _NO[engines]
        """Whether each engine has been asked for it."""
        self.children: list[Node] | None = None
        self.is_open = False
        self.rows = 1
        """Rows that the node takes, with those below it that are shown."""
        self.wrong = 0
        """How many moves are known to differ at the ends of the branches from here, this one included."""
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
        """Whether there is a position: at the root, and after every legal move."""
        return self.parent is None or self.move is not None

    @property
    def can_open(self) -> bool:
        """Whether there may be nodes below."""
        return self.depth > 0 and self.can_be_played

    @property
    def position(self) -> Position:
        """The position; of a move that cannot be played the one before it."""
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
        """The position before the move that leads here; at the root the position itself."""
        return self.position if self.parent is None else self.parent.position

    @property
    def path(self) -> list[Node]:
        """The nodes from below the root down to this one."""
        nodes: list[Node] = []
        node = self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    @property
    def ply(self) -> int:
        """Plies below the root."""
        return len(self.path)

    @property
    def uci(self) -> str:
        """The move in the notation of the position; "" at the root."""
        if self.parent is None:
            return ""
        before = self.parent.position
        if self.move is not None:
            return self.move.uci(before.chess960)
        return self.text if before.chess960 else as_king_steps(before, self.text)

    @property
    def san(self) -> str:
        """The move in algebraic notation, or "" if it has none."""
        if self._san is None:
            self._san = "" if self.move is None or self.parent is None else self.parent.position.san(self.move)
        return self._san

    def answer_with_count(self, engine: int) -> Answer | None:
        """Return what an engine has answered that has this node's count: at the parent, or at the root here."""
        return (self if self.parent is None else self.parent).answers[engine]

    def count(self, engine: int) -> int | None:
        """Return an engine's count below this node; None if it is not known, or if the engine has no such move."""
        answer = self.answer_with_count(engine)
        if not isinstance(answer, Divide):
            return None
        return answer.total if self.parent is None else answer.counts.get(self.text)

    def has(self, engine: int) -> bool | None:
        """Return True if an engine lists the move, None if that is not known."""
        answer = self.answer_with_count(engine)
        if self.parent is None:
            return True
        if not isinstance(answer, Divide) or answer.is_total_only:
            return None
        return self.text in answer.counts

    def repeats(self, engine: int) -> int:
        """Return how often an engine lists the move beyond the first time."""
        answer = self.answer_with_count(engine)
        return answer.repeated.get(self.text, 0) if self.parent is not None and isinstance(answer, Divide) else 0

    @property
    def differs(self) -> bool:
        """Whether two engines are known to differ about this node."""
        if len(self.answers) < 2 or None in (listed := [self.has(engine) for engine in (0, 1)]):
            return False
        if self.parent is None and not all(isinstance(answer, Divide) for answer in self.answers):
            return False
        first, second = ((listed[engine], self.count(engine), self.repeats(engine)) for engine in (0, 1))
        return first != second

    @property
    def kind(self) -> str:
        """How it differs: "missing", "extra", "duplicate", "count", or "" if it is not known to differ."""
        if not self.differs:
            return ""
        if not self.has(0):
            return "missing"
        if not self.has(1):
            return "extra"
        return "duplicate" if self.repeats(0) != self.repeats(1) else "count"
