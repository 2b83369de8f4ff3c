"""The displayed tree: its nodes with the engines' answers, which of them are open, and where the engines differ.

Each node stores the number of visible rows in its branch. A row is found by skipping branches on the way down, because
there may be hundreds of thousands of rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

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


T = TypeVar("T")


class Tree:
    """The tree below a position, counted by one or two engines."""

    def __init__(self, position: Position, depth: int, engines: int) -> None:
        """Create a tree of `depth` plies, at least 1, for one or two engines."""
        self.root = Node.root(position, depth, engines)
        self.engines = engines

    @property
    def rows(self) -> int:
        """The number of visible rows, including that of the root."""
        return self.root.rows

    def open(self, node: Node) -> bool:
        """Show the children of a node. Return True if it may have any."""
        if not node.can_open:
            return False
        if node.children is None:
            self._add_children(node)
        if not node.is_open:
            node.is_open = True
            _add_rows(node, sum(child.rows for child in node.children or ()))
        return True

    def close(self, node: Node) -> None:
        """Hide the children of a node."""
        if node.is_open:
            node.is_open = False
            _add_rows(node, 1 - node.rows)

    def row(self, number: int) -> Node:
        """Return the node in a row; the root is in row 0. Raises IndexError."""
        if not 0 <= number < self.root.rows:
            raise IndexError(number)
        node = self.root
        while number:
            number -= 1
            for child in node.children or ():
                if number < child.rows:
                    node = child
                    break
                number -= child.rows
        return node

    def row_of(self, node: Node) -> int:
        """Return the row of a visible node."""
        number = 0
        while node.parent is not None:
            number += 1
            for sibling in node.parent.children or ():
                if sibling is node:
                    break
                number += sibling.rows
            node = node.parent
        return number

    def show(self, node: Node) -> None:
        """Open all ancestors of a node."""
        above = node.parent
        while above is not None:
            self.open(above)
            above = above.parent

    def record(self, node: Node, engine: int, answer: Answer | None) -> None:
        """Record an engine's answer about a node; None removes it."""
        had_both = None not in node.answers
        node.answers = _replace_item(node.answers, engine, answer)
        node.asked = _replace_item(node.asked, engine, False)
        if isinstance(answer, Divide) and node.children is not None:
            self._add_illegal_moves(node, answer)
        if had_both or None not in node.answers:
            _update_differences(node)

    def mark_asked(self, node: Node, engine: int) -> None:
        """Record that an engine has been asked about a node."""
        node.asked = _replace_item(node.asked, engine, True)

    def find(self, moves: Sequence[str]) -> Node:
        """Return the node after a sequence of UCI moves, or the last existing node on the way there."""
        node = self.root
        for text in moves:
            self.open(node)
            below = next((child for child in node.children or () if text in (child.text, child.uci)), None)
            if below is None:
                break
            node = below
        return node

    def next_difference(self, start: Node, step: int = 1) -> Node | None:
        """Return the next known difference after `start` (the previous one if `step` is -1), or None if there is none.

        Closed branches are searched, too. The search wraps around at both ends.
        """
        ends = list(self._innermost_differences(self.root))
        if not ends:
            return None
        order = {id(node): number for number, node in enumerate(self._preorder(self.root))}
        while id(start) not in order and start.parent is not None:
            start = start.parent
        here = order[id(start)]
        if step > 0:
            return next((node for node in ends if order[id(node)] > here), ends[0])
        return next((node for node in reversed(ends) if order[id(node)] < here), ends[-1])

    def _preorder(self, node: Node) -> Iterator[Node]:
        """Yield the nodes of branches with differences, and their siblings, in preorder."""
        yield node
        if node.wrong:
            for child in node.children or ():
                yield from self._preorder(child)

    def _innermost_differences(self, node: Node) -> Iterator[Node]:
        if not node.wrong:
            return
        below = [child for child in node.children or () if child.wrong]
        if not below:
            yield node
        for child in below:
            yield from self._innermost_differences(child)

    def _add_children(self, node: Node) -> None:
        position, depth = node.position, node.depth - 1
        moves = sorted((move.uci(chess960=True), move) for move in position.legal_moves)
        node.children = [Node(node, text, move, depth, self.engines) for text, move in moves]
        node._position = position
        for answer in node.answers:
            if isinstance(answer, Divide):
                self._add_illegal_moves(node, answer)
        if None not in node.answers:
            _update_differences(node)

    def _add_illegal_moves(self, node: Node, divide: Divide) -> None:
        """Add nodes for the illegal moves of a divide."""
        assert node.children is not None, "the children are there"
        known = {child.text for child in node.children}
        others = [Node(node, text, None, node.depth - 1, self.engines) for text in divide.counts if text not in known]
        if others:
            node.children = sorted([*node.children, *others], key=lambda child: child.text)
            if node.is_open:
                _add_rows(node, len(others))


def _replace_item(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _add_rows(node: Node | None, more: int) -> None:
    """Add to the number of visible rows of a node and its ancestors, up to the first closed one."""
    while node is not None:
        node.rows += more
        if node.parent is not None and not node.parent.is_open:
            return
        node = node.parent


def _update_differences(node: Node) -> None:
    """Update the number of differences stored in the children of a node, the node, and its ancestors."""
    for child in node.children or ():
        child.wrong = _differences_from(child)
    above: Node | None = node
    while above is not None:
        above.wrong = _differences_from(above)
        above = above.parent


def _differences_from(node: Node) -> int:
    """Return the number of differences below a node. If there are none, return 1 if the node itself differs."""
    return sum(child.wrong for child in node.children or ()) or int(node.differs)
