"""The main screen, navigation to nodes and positions, and handling of the engines' answers.

Opening many branches may take a long time, so keys are handled between its small steps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import replace
from time import monotonic

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Static

from ...generator.types.moves import GenType
from ...reports.text import count, short, speed
from ..engines.base import Divide
from ..trees.controller import StartingPoint, TreeController
from ..trees.engine_pane import DividedNode, Followed, MovesListed
from ..trees.tree import Node
from .board_view import BoardView, marks_of
from .panels import lists_text, rule_text, tabs_text
from .tree_view import TreeView
from .view import View, fen_of

_WORDS = {"rule": rule_text, "lists": lists_text}


class MainView(Vertical):
    """The widgets of the main screen, which show a `View`."""

    def __init__(self, controller: TreeController) -> None:
        super().__init__()
        self._controller = controller
        self._texts = {name: Static(id=name, markup=False) for name in ("title", "columns", "tabs", "words")}
        """The text widgets, kept because the view may be drawn while the screen is being removed."""
        self._shown: dict[str, Text] = {}
        """The displayed texts by widget."""

    def compose(self) -> ComposeResult:
        """Yield the widgets of the main screen."""
        yield self._texts["title"]
        with Horizontal(id="body"):
            with Vertical():
                yield self._texts["columns"]
                yield TreeView(self._controller)
            with Vertical(id="side"):
                yield BoardView("board")
                yield self._texts["tabs"]
                with VerticalScroll(id="panel", can_focus=False):
                    yield self._texts["words"]
        yield Footer(show_command_palette=False)

    @property
    def is_in_front(self) -> bool:
        """Whether no dialog covers this screen."""
        return self.app.screen is self.screen

    def show(self, view: View, title: str) -> None:
        """Redraw everything that has changed."""
        if not self.is_in_front:
            return
        tree = self.query_one(TreeView)
        tree.refresh_rows(view.cursor)
        self._set_text("columns", tree.heading(view.names))
        self._set_text("title", f"{self._activity(view)}  {title}: {' against '.join(view.names)}")
        self.show_side_panel(view)

    def show_side_panel(self, view: View) -> None:
        """Draw the board and the text panel."""
        self.query_one(BoardView).show(view.position.fen().split()[0], marks_of(view), view.is_flipped)
        self._set_text("tabs", tabs_text(view.panel))
        self._set_text("words", _WORDS[view.panel](view))

    def go_to(self, node: Node, *, rows_changed: bool) -> None:
        """Move the tree cursor to a node, and scroll the panel to its top."""
        tree = self.query_one(TreeView)
        if rows_changed:
            tree.refresh_rows(node)
        tree.go_to(node)
        self.query_one("#panel").scroll_home()

    def _set_text(self, widget: str, new: Text | str) -> None:
        """Show a text in a widget if it has changed."""
        text = Text(new) if isinstance(new, str) else new
        if self._shown.get(widget) != text:
            self._shown[widget] = text
            self._texts[widget].update(text, layout=widget == "words")

    def _activity(self, view: View) -> str:
        """Return the activity of the engines, or the number of known differences."""
        if self._controller.following is not None:
            return "following ..."
        busy = [number for number, pane in enumerate(self._controller.panes) if pane.is_busy]
        if not busy:
            root = self._controller.tree.root
            for name, answer in zip(view.names, root.answers, strict=True):
                if not isinstance(answer, Divide):
                    return f"no answer from {name}"
            return f"{count(root.wrong, 'difference')} known" if len(self._controller.panes) > 1 else "ready"
        pane = self._controller.panes[busy[0]]
        nodes = self._controller.nodes_so_far(busy[0])
        pace = speed(nodes, pane.caller.latest.seconds_spent)
        waiting = f", {count(pane.waiting, 'more question')}" if pane.waiting else ""
        return f"{view.names[busy[0]]} counts {short(nodes)} {pace}{waiting}".strip()


POLL_INTERVAL = 1 / 30
"""Seconds between polls for events from the engines."""
MAX_ROWS = 250_000
"""Number of rows at which "open everything" stops."""
_SLICE, _SLICE_DURING_KEYS = 0.008, 0.003
"""Maximum seconds of uninterrupted background work, normally and shortly after a key press."""
_AFTER_A_KEY = 0.1
"""Seconds after a key press during which another one is likely."""
_REDRAW_INTERVAL = 0.2
"""Minimum seconds between redraws caused by events."""


class Navigator:
    """Navigates the main screen between nodes."""

    def __init__(self, controller: TreeController, main: MainView, start: StartingPoint) -> None:
        """Open the tree of a starting point."""
        self._controller, self._main = controller, main
        self._drawn_at = 0.0
        self._pressed_at = 0.0
        self._is_stale = True
        """Whether there are changes that are not drawn yet."""
        self.view = self._begin_view(start)

    @property
    def is_busy(self) -> bool:
        """Whether there are changes that are not drawn yet."""
        return self._is_stale

    def draw(self) -> None:
        """Draw everything that has changed."""
        self._main.show(self.view, self.start.name)

    def note_key(self) -> None:
        """Record the time of a key press."""
        self._pressed_at = monotonic()

    @property
    def _slice(self) -> float:
        return _SLICE if monotonic() > self._pressed_at + _AFTER_A_KEY else _SLICE_DURING_KEYS

    def poll(self) -> None:
        """Handle events from the engines for a limited time, or redraw."""
        is_stale = self._controller.is_busy or self._is_stale
        if is_stale and monotonic() > self._drawn_at + _REDRAW_INTERVAL:
            self._drawn_at, self._is_stale = monotonic(), False
            self.draw()
            return
        for event in self._controller.events(self._slice):
            is_stale = True
            match event:
                case Followed():
                    self._show_cause(event)
                case MovesListed():
                    self.view.lists[fen_of(event.position), event.gentype] = event.answer
                case DividedNode():
                    self._go_to_wrong_move()
                    self._request_lists()
        self._is_stale = is_stale

    async def _run_in_slices(self, steps: Iterable[None]) -> None:
        """Run a long operation in slices between which keys are handled."""
        end = monotonic() + self._slice
        for _ in steps:
            if monotonic() > end:
                self._is_stale = True
                await asyncio.sleep(POLL_INTERVAL)
                end = monotonic() + self._slice
        self._is_stale = True

    def open_all(self, node: Node) -> None:
        """Start opening everything below a node."""
        self._main.run_worker(self._run_in_slices(self._open_branches(node)), group="opening", exclusive=True)

    def stop_opening(self) -> None:
        """Stop opening branches."""
        self._main.workers.cancel_group(self._main, "opening")

    def _open_branches(self, node: Node) -> Iterator[None]:
        """Open a branch and all branches below it, one per step, until there are `MAX_ROWS` rows."""
        branches = [node]
        while branches:
            if self._controller.tree.rows >= MAX_ROWS:
                self._main.notify(f"Opened up to {MAX_ROWS:,} rows.")
                return
            branch = branches.pop()
            if self._controller.open(branch):
                branches += [child for child in reversed(branch.children or ()) if child.can_open]
            yield

    def _show_cause(self, event: Followed) -> None:
        """Go to the cause of a followed difference, if one was found."""
        node = self.view.take_cause(event)
        if node is not None:
            self.go(node, is_after=True)
            self._go_to_wrong_move()

    def _go_to_wrong_move(self) -> None:
        """Go to the wrong move of a finding as soon as its node exists."""
        node = self.view.take_wrong_move()
        if node is not None:
            self.go(node)

    def open(self, start: StartingPoint) -> None:
        """Open the tree of another starting point."""
        self.view = self._begin_view(start, self.view)
        self._main.query_one(TreeView).refresh_rows(self.view.cursor)
        self.go(self.view.cursor)

    def _begin_view(self, start: StartingPoint, before: View | None = None) -> View:
        """Start counting the tree of a starting point, and return its view."""
        self.start = start
        if before is not None:
            self.stop_opening()
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
            awaited_move=None,
            followed="",
            is_after=False,
        )

    def go_to_row(self, number: int) -> None:
        """Move the cursor to a row. Row numbers that are out of range are clipped."""
        tree = self._controller.tree
        self.go(tree.row(min(max(0, number), tree.rows - 1)))

    def go(self, node: Node, is_after: bool = False) -> None:
        """Move the cursor to a node."""
        rows = self._controller.tree.rows
        self._controller.tree.show(node)
        self.view.cursor, self.view.is_after, self.view.followed = node, is_after, ""
        self._main.go_to(node, rows_changed=rows != self._controller.tree.rows)
        self.position_changed()

    def position_changed(self) -> None:
        """Redraw after the position has changed, and request the data that the panel needs."""
        view = self.view
        if view.gentype not in view.gentypes:
            view.gentype = GenType.LEGAL
        self._request_lists()
        self._main.show_side_panel(view)

    def _request_lists(self) -> None:
        """Ask the engine for the move list in the panel, unless it was already requested."""
        view = self.view
        key = (fen_of(view.position), view.gentype)
        if view.panel == "lists" and key not in view.asked_lists and view.gentype in self._controller.listed:
            view.asked_lists.add(key)
            self._controller.list_moves(view.position, view.gentype)
