"""What the explorer does a part at a time, so that no key waits for it: opening branches, taking trees apart."""

from __future__ import annotations

from time import monotonic

from ..trees.controller import TreeController
from ..trees.node import Node


class Clearing:
    """The nodes that are still to be taken apart."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []

    @property
    def is_under_way(self) -> bool:
        """Whether there are such nodes."""
        return bool(self._nodes)

    def begin(self, root: Node) -> None:
        """Take a tree apart from now on."""
        self._nodes.append(root)

    def go_on(self, seconds: float) -> None:
        """Take some nodes apart, for so many seconds."""
        end = monotonic() + seconds
        while self._nodes and monotonic() < end:
            node = self._nodes.pop()
            self._nodes += node.children or ()
            node.parent, node.children = None, None


MOST_ROWS = 250_000
"""Rows up to which everything is opened."""


class Opening:
    """The branches that are still to be opened."""

    def __init__(self, desk: TreeController) -> None:
        self._desk = desk
        self._nodes: list[Node] = []

    @property
    def is_under_way(self) -> bool:
        """Whether there are such branches."""
        return bool(self._nodes)

    def begin(self, node: Node) -> None:
        """Open everything below a node from now on."""
        self._nodes = [node]

    def stop(self) -> None:
        """Leave the rest closed."""
        self._nodes = []

    def go_on(self, seconds: float) -> bool:
        """Open some branches, for so many seconds; tell whether there are more than can be shown."""
        end = monotonic() + seconds
        while self._nodes and monotonic() < end:
            if self._desk.tree.rows >= MOST_ROWS:
                self.stop()
                return True
            node = self._nodes.pop()
            if self._desk.open(node):
                self._nodes += [child for child in reversed(node.children or ()) if child.can_open]
        return False
