"""What is on the main screen, and how it is drawn anew: only what has changed."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from ...reports.text import count, short, speed
from ..engines.base import Divide
from ..trees.controller import TreeController
from .board_view import BoardView
from .keys import MAIN, hints
from .marking import marks_of
from .panels import lists_text, rule_text, tabs_text, walk_text
from .tree_view import TreeView
from .view import View
from .words_view import WordsView

_WIDE, _HIGH = 130, 40
"""Cells from which there is room for the large board."""
_WORDS = {"rule": rule_text, "lists": lists_text, "walk": walk_text}


class MainScreen(App[None]):
    """The tree, the board and the words beside it."""

    CSS_PATH = Path(__file__).with_name("style.tcss")
    TITLE = "perft-check explore"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, desk: TreeController) -> None:
        super().__init__()
        self._desk = desk
        self._said: dict[str, Text] = {}
        """What the lines of the screen show."""
        self.view: View
        self.place_name = ""
        """What the position at the root is called."""

    def compose(self) -> ComposeResult:
        """Yield the parts of the main screen."""
        yield Static(id="title", markup=False)
        with Horizontal(id="body"):
            with Vertical():
                yield Static(id="columns", markup=False)
                yield TreeView(self._desk)
            with Vertical(id="side"):
                yield BoardView("board")
                yield Static(id="tabs", markup=False)
                yield WordsView("panel")
        yield Static("  ".join(f"{key} {word}" for key, word in hints(MAIN)), id="hints", markup=False)

    def on_resize(self) -> None:
        """Take the large board where there is room for it."""
        self.screen_stack[0].set_class(self.size.width >= _WIDE and self.size.height >= _HIGH, "wide")
        self.call_after_refresh(self.draw)

    def on_tree_view_resized(self) -> None:
        """Fit the heading."""
        self.draw()

    @property
    def is_in_front(self) -> bool:
        """Whether no other screen covers the main one."""
        return self.screen_stack[0] is self.screen

    def draw(self) -> None:
        """Draw everything anew that has changed."""
        if not self.is_in_front:
            return
        tree = self.query_one(TreeView)
        tree.refresh_rows(self.view.cursor)
        self._say("columns", tree.heading(self.view.names))
        names = " against ".join(self.view.names)
        self._say("title", f"{self._activity()}  {self.place_name}: {names}")
        self.draw_beside()

    def draw_beside(self) -> None:
        """Draw the board and the words beside the tree."""
        view = self.view
        self.query_one(BoardView).show(view.position.fen().split()[0], marks_of(view), view.is_flipped)
        self._say("tabs", tabs_text(view.panel))
        self.query_one(WordsView).show(_WORDS[view.panel](view))

    def _say(self, part: str, words: Text | str) -> None:
        """Show words in one of the lines, where they are others than before."""
        text = Text(words) if isinstance(words, str) else words
        if self._said.get(part) != text:
            self._said[part] = text
            self.query_one(f"#{part}", Static).update(text, layout=False)

    def _activity(self) -> str:
        """Return what the engines are doing."""
        if self._desk.following is not None:
            return "following ..."
        busy = [number for number, side in enumerate(self._desk.sides) if side.is_busy]
        if not busy:
            root = self._desk.tree.root
            for name, answer in zip(self.view.names, root.answers, strict=True):
                if not isinstance(answer, Divide):
                    return f"no answer of {name}"
            return f"{count(root.wrong, 'difference')} known" if len(self._desk.sides) > 1 else "ready"
        side = self._desk.sides[busy[0]]
        nodes = self._desk.nodes_under_way(busy[0])
        pace = speed(nodes, side.caller.task.seconds_spent)
        waiting = f", {count(side.waiting, 'more question')}" if side.waiting else ""
        return f"{self.view.names[busy[0]]} counts {short(nodes)} {pace}{waiting}".strip()
