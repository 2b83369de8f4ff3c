"""Navigation: going to nodes and to other positions, and taking in the answers of the engines.

Opening branches and taking trees apart may take long. It is done a part at a time, so that no key waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from time import monotonic

from ...generator.position import Position
from ...generator.techniques.registry import NoChess960
from ...generator.techniques.tracing import Trace, trace
from ...generator.types.moves import GenType
from ..trees.controller import TreeController
from ..trees.engine_pane import Followed
from ..trees.jobs import DividedNode, MovesListed
from ..trees.node import Node
from ..trees.starting_points import StartingPoint
from .main_view import MainView
from .tree_view import TreeView
from .view import View, fen_of


def _take_apart(root: Node) -> Iterator[None]:
    """Cut the nodes of a tree that is not shown any more off each other, one at each step."""
    nodes = [root]
    while nodes:
        node = nodes.pop()
        nodes += node.children or ()
        node.parent, node.children = None, None
        yield


LOOKS_EVERY = 1 / 30
"""Seconds between two looks at what has come from the engines."""
MOST_ROWS = 250_000
"""Rows up to which everything is opened."""
_SLICE, _SLICE_BESIDE_KEYS = 0.008, 0.003
"""Seconds that a look at what has come, or opening a part of the tree, may keep a key waiting; and while keys come."""
_AFTER_A_KEY = 0.1
"""Seconds in which the next key is awaited."""
_LEAST_BETWEEN = 0.2
"""Seconds between two drawings of what comes from the engines."""


class Navigator:
    """Moves the main screen from node to node."""

    def __init__(self, controller: TreeController, main: MainView, start: StartingPoint) -> None:
        """Look at a start."""
        self._controller, self._main = controller, main
        self._drawn_at = 0.0
        self._pressed_at = 0.0
        self._is_stale = True
        """Whether there is something new that is not drawn yet."""
        self.view = self._begin_view(start)

    @property
    def is_busy(self) -> bool:
        """Whether there is something new that is not drawn yet."""
        return self._is_stale

    def draw(self) -> None:
        """Draw everything that has changed."""
        self._main.show(self.view, self.start.name)

    def note_key(self) -> None:
        """Remember when a key came."""
        self._pressed_at = monotonic()

    @property
    def _slice(self) -> float:
        return _SLICE if monotonic() > self._pressed_at + _AFTER_A_KEY else _SLICE_BESIDE_KEYS

    def tick(self, collect: Callable[[], None]) -> None:
        """Take what has come, for a moment; `collect` frees memory first."""
        is_stale = self._controller.is_busy or self._is_stale
        if is_stale and monotonic() > self._drawn_at + _LEAST_BETWEEN:
            self._drawn_at, self._is_stale = monotonic(), False
            self.draw()
            return
        collect()
        for event in self._controller.events(self._slice):
            is_stale = True
            match event:
                case Followed():
                    self._arrive(event)
                case MovesListed():
                    self.view.lists[fen_of(event.position), event.gentype] = event.answer
                case DividedNode():
                    self._go_to_the_wrong_move()
                    self._look_at_the_lists()
        self._is_stale = is_stale

    async def _take_steps(self, steps: Iterable[None]) -> None:
        """Take the steps of something that takes long, for a moment at a time, so that no key waits for it."""
        end = monotonic() + self._slice
        for _ in steps:
            if monotonic() > end:
                self._is_stale = True
                await asyncio.sleep(LOOKS_EVERY)
                end = monotonic() + self._slice
        self._is_stale = True

    def open_all(self, node: Node) -> None:
        """Open everything below a node from now on."""
        self._main.run_worker(self._take_steps(self._open_branches(node)), group="opening", exclusive=True)

    def stop_opening(self) -> None:
        """Leave the branches that are still closed as they are."""
        self._main.workers.cancel_group(self._main, "opening")

    def _open_branches(self, node: Node) -> Iterator[None]:
        """Open a branch and those below it, one at each step; say so if there would be too many rows."""
        branches = [node]
        while branches:
            if self._controller.tree.rows >= MOST_ROWS:
                self._main.notify(f"Opened up to {MOST_ROWS:,} rows.")
                return
            branch = branches.pop()
            if self._controller.open(branch):
                branches += [child for child in reversed(branch.children or ()) if child.can_open]
            yield

    def _arrive(self, event: Followed) -> None:
        """Go to the cause of a difference, or say why none was found."""
        node = self.view.arrive(event)
        if node is not None:
            self.go(node, is_after=True)
            self._go_to_the_wrong_move()

    def _go_to_the_wrong_move(self) -> None:
        """Go to the wrong move of a finding, as soon as the engine's list has come."""
        node = self.view.arrive_at_the_move()
        if node is not None:
            self.go(node)

    def open(self, start: StartingPoint) -> None:
        """Begin at another position."""
        self.view = self._begin_view(start, self.view)
        self._main.query_one(TreeView).refresh_rows(self.view.cursor)
        self.go(self.view.cursor)

    def _begin_view(self, start: StartingPoint, before: View | None = None) -> View:
        """Return the view of a start whose tree begins to be counted."""
        self.start = start
        if before is not None:
            self.stop_opening()
            self._main.run_worker(self._take_steps(_take_apart(self._controller.tree.root)), group="clearing")
        tree = self._controller.start_tree(start.position, start.depth)
        node = tree.find(start.path)
        tree.show(node)
        for step in node.path:
            self._controller.open(step)
        if before is None:
            return View(self._controller, node)
        return replace(
            before,
            cursor=node,
            findings={},
            expected=None,
            followed="",
            is_after=False,
            is_on_board=False,
            picked=None,
            step=0,
        )

    def go_to_row(self, number: int) -> None:
        """Put the cursor on a row, or on the first or the last one."""
        tree = self._controller.tree
        self.go(tree.row(min(max(0, number), tree.rows - 1)))

    def go(self, node: Node, is_after: bool = False) -> None:
        """Put the cursor on a node."""
        rows = self._controller.tree.rows
        self._controller.tree.show(node)
        self.view.cursor, self.view.is_after, self.view.followed = node, is_after, ""
        self._main.go_to(node, has_other_rows=rows != self._controller.tree.rows)
        self.position_changed()

    def position_changed(self) -> None:
        """Draw, and ask for what the panel needs of the position."""
        view = self.view
        view.picked, view.step = None, 0
        if view.gentype not in view.gentypes:
            view.gentype = GenType.LEGAL
        self._look_at_the_lists()
        if view.panel == "walk" and view.trace is None:
            walk = partial(self._walk, view.technique_name, view.position)
            self._main.run_worker(walk, thread=True, exclusive=True, group="walk")
        self._main.show_side_panel(view)

    def _look_at_the_lists(self) -> None:
        """Ask the engine for its list if the panel shows one that was not asked for."""
        view = self.view
        key = (fen_of(view.position), view.gentype)
        if view.panel == "lists" and key not in view.asked_lists and view.gentype in self._controller.listed:
            view.asked_lists.add(key)
            self._controller.list_moves(view.position, view.gentype)

    def _walk(self, name: str, position: Position) -> None:
        """Follow a technique, which takes a process of its own."""
        try:
            walk: Trace | str = trace(name, position)
        except NoChess960 as refusal:
            walk = f"{refusal}."
        self._main.app.call_from_thread(self._take_walk, (name, fen_of(position)), walk)

    def _take_walk(self, key: tuple[str, str], walk: Trace | str) -> None:
        self.view.traces[key] = walk
        self.draw()
