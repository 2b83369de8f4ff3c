"""The tree that is shown: which nodes are open, which row is which node, and where the engines differ.

A node knows how many rows it takes with all that is open below it. So a row is found by going down, past whole
branches, and a tree of hundreds of thousands of rows is never walked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from ...generator.position import Position
from ..engines.base import Divide
from .node import Answer, Node

T = TypeVar("T")


class Tree:
    """The tree below a position, counted by one engine or two."""

    def __init__(self, position: Position, depth: int, engines: int) -> None:
        """Make a tree of `depth` plies, at least 1, for one or two `engines`."""
        self.root = Node.root(position, depth, engines)
        self.engines = engines

    @property
    def rows(self) -> int:
        """Rows that are shown, the root's included."""
        return self.root.rows

    def open(self, node: Node) -> bool:
        """Show what is below a node. Return True if there is something."""
        if not node.can_open:
            return False
        if node.children is None:
            self._add_children(node)
        if not node.is_open:
            node.is_open = True
            _add_rows(node, sum(child.rows for child in node.children or ()))
        return True

    def close(self, node: Node) -> None:
        """Hide what is below a node."""
        if node.is_open:
            node.is_open = False
            _add_rows(node, 1 - node.rows)

    def row(self, number: int) -> Node:
        """Return the node in a row, from 0 for the root. Raises IndexError."""
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
        """Return the row of a node that is shown."""
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
        """Open all that is above a node."""
        above = node.parent
        while above is not None:
            self.open(above)
            above = above.parent

    def record(self, node: Node, engine: int, answer: Answer | None) -> None:
        """Note what an engine has answered at a node; None takes its answer back."""
        had_both = None not in node.answers
        node.answers = _with(node.answers, engine, answer)
        node.asked = _with(node.asked, engine, False)
        if isinstance(answer, Divide) and node.children is not None:
            self._add_others(node, answer)
        if had_both or None not in node.answers:
            _sum_up(node)

    def ask(self, node: Node, engine: int) -> None:
        """Note that an engine is asked about a node."""
        node.asked = _with(node.asked, engine, True)

    def find(self, moves: Sequence[str]) -> Node:
        """Return the node after these moves, as king takes rook or as UCI writes them, or after those that exist."""
        node = self.root
        for text in moves:
            self.open(node)
            below = next((child for child in node.children or () if text in (child.text, child.uci)), None)
            if below is None:
                break
            node = below
        return node

    def next_difference(self, start: Node, step: int = 1) -> Node | None:
        """Return the next node after `start` (with `step` -1 the one before it) at which a known difference ends.

        It goes into branches that differ below, also into closed ones; after the last difference comes the first.
        """
        ends = list(self._ends(self.root))
        if not ends:
            return None
        order = {id(node): place for place, node in enumerate(self._preorder(self.root))}
        while id(start) not in order and start.parent is not None:
            start = start.parent
        here = order[id(start)]
        if step > 0:
            return next((node for node in ends if order[id(node)] > here), ends[0])
        return next((node for node in reversed(ends) if order[id(node)] < here), ends[-1])

    def _preorder(self, node: Node) -> Iterator[Node]:
        """Yield the nodes on branches that differ, and those beside them, from above."""
        yield node
        if node.wrong:
            for child in node.children or ():
                yield from self._preorder(child)

    def _ends(self, node: Node) -> Iterator[Node]:
        if not node.wrong:
            return
        below = [child for child in node.children or () if child.wrong]
        if not below:
            yield node
        for child in below:
            yield from self._ends(child)

    def _add_children(self, node: Node) -> None:
        position, depth = node.position, node.depth - 1
        moves = sorted((move.uci(chess960=True), move) for move in position.legal_moves)
        node.children = [Node(node, text, move, depth, self.engines) for text, move in moves]
        node._position = position
        for answer in node.answers:
            if isinstance(answer, Divide):
                self._add_others(node, answer)
        if None not in node.answers:
            _sum_up(node)

    def _add_others(self, node: Node, divide: Divide) -> None:
        """Add the moves of a divide that are not legal."""
        assert node.children is not None, "the children are there"
        known = {child.text for child in node.children}
        others = [Node(node, text, None, node.depth - 1, self.engines) for text in divide.counts if text not in known]
        if others:
            node.children = sorted([*node.children, *others], key=lambda child: child.text)
            if node.is_open:
                _add_rows(node, len(others))


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _add_rows(node: Node | None, more: int) -> None:
    """Add to the rows of a node and of those above it, as far up as they are shown."""
    while node is not None:
        node.rows += more
        if node.parent is not None and not node.parent.is_open:
            return
        node = node.parent


def _sum_up(node: Node) -> None:
    """Update the number of differences among the children of a node, and in the branches above it."""
    for child in node.children or ():
        child.wrong = _ends_from(child)
    above: Node | None = node
    while above is not None:
        above.wrong = _ends_from(above)
        above = above.parent


def _ends_from(node: Node) -> int:
    """Return at how many ends a difference is known from a node down: at itself, if at none below."""
    return sum(child.wrong for child in node.children or ()) or int(node.differs)
