"""The main screen: the tree, the board and the text panel. Only what has changed is redrawn."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Static

from ...reports.text import count, short, speed
from ..engines.base import Divide
from ..trees.controller import TreeController
from ..trees.node import Node
from .board_view import BoardView, marks_of
from .panels import lists_text, rule_text, tabs_text
from .tree_view import TreeView
from .view import View

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
