"""Taking apart trees that are looked at no more, a part at a time.

Nodes refer to each other up and down. The collector of garbage would look through hundreds of thousands of them at
once, and keep a key waiting for half a second.
"""

from __future__ import annotations

from time import monotonic

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
