"""A tree controller, which asks engines about nodes and records their answers."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...generator.position import Position
from ...generator.types.moves import GenType
from ..engines.asking.session import EngineSession
from ..engines.base import Divide
from .engine_pane import Conventions, DividedNode, DivideJob, EnginePane, Followed, ListJob, follow
from .tree import Node, NodeFailure, Tree


@dataclass(frozen=True)
class StartingPoint:
    """A position to explore."""

    name: str
    position: Position
    depth: int
    """Depth of the tree in plies, at least 1."""
    path: tuple[str, ...] = ()
    """UCI moves from the position to the node that is selected first."""


class TreeController:
    """Asks one or two engines about the nodes of a tree without blocking the caller."""

    def __init__(self, sessions: Sequence[EngineSession]) -> None:
        """Create a controller for the sessions of an engine and its reference, if any."""
        self._outbox: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.panes = tuple(EnginePane(session, self._outbox.put) for session in sessions)
        self._conventions = Conventions()
        self.tree: Tree
        self.following: Node | None = None
        """The node below which a difference is being followed, if any."""

    def start_tree(self, position: Position, depth: int) -> Tree:
        """Create a new tree, and ask the engines about its root."""
        self.stop()
        self.following = None
        self.tree = Tree(position, depth, len(self.panes))
        self.open(self.tree.root)
        return self.tree

    def open(self, node: Node) -> bool:
        """Open a node, and ask the engines about it. Return True if it can be opened."""
        if not self.tree.open(node):
            return False
        for number, pane in enumerate(self.panes):
            if node.answers[number] is None and not node.asked[number]:
                self.tree.mark_asked(node, number)
                pane.ask(DivideJob(node, number))
        return True

    def ask_again(self, node: Node) -> None:
        """Discard the answers about a node, and ask the engines again."""
        for number in range(len(self.panes)):
            if node.answers[number] is not None:
                self.tree.record(node, number, None)
        self.open(node)

    def list_moves(self, position: Position, gentype: GenType) -> None:
        """Ask the engine for its moves of a GenType, which must be one of `listed`."""
        self.panes[0].ask(ListJob(position, gentype, self._conventions))

    @property
    def listed(self) -> tuple[GenType, ...]:
        """The GenTypes that the engine is known to list."""
        return self.panes[0].session.gentypes or ()

    def follow(self, node: Node) -> bool:
        """Start following the difference below a node. Return False if that is impossible."""
        if len(self.panes) < 2 or not node.can_open or self.following is not None:
            return False
        self.following = node
        follow(node, self.panes, self._outbox.put)
        return True

    def stop(self) -> None:
        """Stop all engines and drop their pending questions."""
        for pane in self.panes:
            pane.stop()

    def close(self) -> None:
        """Close the engines."""
        for pane in self.panes:
            pane.close()

    @property
    def is_busy(self) -> bool:
        """Whether an engine is working, or an event is waiting to be handled."""
        is_asked = self.following is not None or any(pane.is_busy for pane in self.panes)
        return is_asked or not self._outbox.empty()

    def events(self, seconds: float) -> Iterator[object]:
        """Yield events for at most `seconds`, after recording divides in the tree. Re-raises internal errors."""
        end = time.monotonic() + seconds
        for pane in self.panes:
            pane.enforce_deadline()
        while time.monotonic() < end:
            try:
                event = self._outbox.get_nowait()
            except queue.Empty:
                return
            if isinstance(event, BaseException):
                raise event
            if isinstance(event, DividedNode):
                self.tree.record(event.node, event.engine, event.answer)
            elif isinstance(event, Followed):
                if event.node is not self.following:  # belongs to a previous tree
                    continue
                self.following = None
            yield event

    def nodes_so_far(self, number: int) -> int:
        """Return the number of leaf nodes that an engine has reported for its current question, or 0."""
        pane = self.panes[number]
        return pane.caller.latest.nodes if pane.under_way is not None else 0

    def partial(self, node: Node, number: int) -> dict[str, int]:
        """Return the counts of the completed root moves of a divide in progress."""
        pane = self.panes[number]
        job = pane.under_way
        if not isinstance(job, DivideJob) or job.node is not node:
            return {}
        return dict(pane.caller.latest.root_moves)


def failures(node: Node) -> list[NodeFailure]:
    """Return the failures of the engines at a node."""
    return [answer for answer in node.answers if isinstance(answer, NodeFailure)]


def divides(node: Node) -> tuple[Divide, Divide] | None:
    """Return the divides of both engines at a node, or None unless both are known."""
    if len(node.answers) < 2:
        return None
    first, second = node.answers[:2]
    return (first, second) if isinstance(first, Divide) and isinstance(second, Divide) else None
