"""The displayed tree: which nodes are open, which node is in which row, and where the engines differ.

Each node stores the number of visible rows in its branch. A row is found by skipping branches on the way down, because
there may be hundreds of thousands of rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from ...generator.position import Position
from ..engines.base import Divide
from .node import Answer, Node

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
