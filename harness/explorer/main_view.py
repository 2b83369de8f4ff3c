"""The main screen: the tree, the board and the words beside it. Only what has changed is drawn anew."""

from __future__ import annotations

from rich.console import Console
from rich.segment import Segment
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from ...reports.text import count, short, speed
from ..engines.base import Divide
from ..trees.controller import TreeController
from ..trees.node import Node
from .board_view import BoardView, marks_of
from .keys import MAIN, hints
from .panels import lists_text, rule_text, tabs_text, walk_text
from .tree_view import TreeView
from .view import View

_WORDS = {"rule": rule_text, "lists": lists_text, "walk": walk_text}


class WordsView(ScrollView, can_focus=False):
    """A text that is wrapped to the width that there is, and can be scrolled; nothing else moves when it changes."""

    def __init__(self, name: str) -> None:
        """Make a view with the name `name` in style sheets."""
        super().__init__(id=name)
        self._text = Text()
        self._lines: list[Text] = []
        self._wraps_by = Console(color_system="truecolor", width=80)

    def show(self, text: Text) -> None:
        """Show a text from its beginning, where it is another than before."""
        if text != self._text:
            self._text = text
            self._wrap()

    def on_resize(self) -> None:
        """Wrap the text anew."""
        self._wrap()

    def _wrap(self) -> None:
        width = max(1, self.scrollable_content_region.width)
        self._lines = list(self._text.wrap(self._wraps_by, width, overflow="fold"))
        self.virtual_size = Size(width, len(self._lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a line of the screen."""
        number, width = y + self.scroll_offset.y, self.scrollable_content_region.width
        if number >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        base = self.rich_style
        parts = [
            Segment(text, base if style is None else base + style)
            for text, style, control in self._lines[number].render(self._wraps_by)
            if not control and text != "\n"
        ]
        return Strip(parts).adjust_cell_length(width, base)


class MainView(Vertical):
    """What the main screen has, and how a view of the trees is shown on it."""

    def __init__(self, controller: TreeController) -> None:
        super().__init__()
        self._controller = controller
        self._said: dict[str, Text] = {}
        """What the lines of the screen show."""

    def compose(self) -> ComposeResult:
        """Yield the parts of the main screen."""
        yield Static(id="title", markup=False)
        with Horizontal(id="body"):
            with Vertical():
                yield Static(id="columns", markup=False)
                yield TreeView(self._controller)
            with Vertical(id="side"):
                yield BoardView("board")
                yield Static(id="tabs", markup=False)
                yield WordsView("panel")
        yield Static("  ".join(f"{key} {word}" for key, word in hints(MAIN)), id="hints", markup=False)

    @property
    def is_in_front(self) -> bool:
        """Whether no other screen covers this one."""
        return self.app.screen is self.screen

    def show(self, view: View, place_name: str) -> None:
        """Draw everything anew that has changed."""
        if not self.is_in_front:
            return
        tree = self.query_one(TreeView)
        tree.refresh_rows(view.cursor)
        self._say("columns", tree.heading(view.names))
        self._say("title", f"{self._activity(view)}  {place_name}: {' against '.join(view.names)}")
        self.show_beside(view)

    def show_beside(self, view: View) -> None:
        """Draw the board and the words beside the tree."""
        self.query_one(BoardView).show(view.position.fen().split()[0], marks_of(view), view.is_flipped)
        self._say("tabs", tabs_text(view.panel))
        self.query_one(WordsView).show(_WORDS[view.panel](view))

    def go_to(self, node: Node, *, has_other_rows: bool) -> None:
        """Put the cursor of the tree on a node, and show the words of it from their beginning."""
        tree = self.query_one(TreeView)
        if has_other_rows:
            tree.refresh_rows(node)
        tree.go_to(node)
        self.query_one(WordsView).scroll_home(animate=False)

    def _say(self, part: str, words: Text | str) -> None:
        """Show words in one of the lines, where they are others than before."""
        text = Text(words) if isinstance(words, str) else words
        if self._said.get(part) != text:
            self._said[part] = text
            self.query_one(f"#{part}", Static).update(text, layout=False)

    def _activity(self, view: View) -> str:
        """Return what the engines are doing."""
        if self._controller.following is not None:
            return "following ..."
        busy = [number for number, side in enumerate(self._controller.sides) if side.is_busy]
        if not busy:
            root = self._controller.tree.root
            for name, answer in zip(view.names, root.answers, strict=True):
                if not isinstance(answer, Divide):
                    return f"no answer of {name}"
            return f"{count(root.wrong, 'difference')} known" if len(self._controller.sides) > 1 else "ready"
        side = self._controller.sides[busy[0]]
        nodes = self._controller.nodes_under_way(busy[0])
        pace = speed(nodes, side.caller.latest.seconds_spent)
        waiting = f", {count(side.waiting, 'more question')}" if side.waiting else ""
        return f"{view.names[busy[0]]} counts {short(nodes)} {pace}{waiting}".strip()
