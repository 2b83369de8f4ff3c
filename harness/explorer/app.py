"""The explorer application: the actions bound to its keys, and its dialogs."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, TypeVar

from rich.table import Table
from rich.text import Text
from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Event, InputEvent
from textual.screen import ModalScreen
from textual.widgets import Static

from ..garbage_collection import seldom_collecting
from ..model.results.verdict import ExitCode
from ..shutdown import Interrupt
from ..trees.controller import StartingPoint, TreeController
from .keys import GROUPS, MAIN
from .navigation import POLL_INTERVAL, MainView, Navigator
from .tree_view import SIGNS, TreeView
from .view import View, text_of

Result = TypeVar("Result")


class Dialog(ModalScreen[Result]):
    """A dialog that may be dismissed twice, because another key press may arrive before it has closed."""

    _is_dismissed = False

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the dialog unless it is closing. Textual raises an error if a screen is dismissed twice."""
        if self._is_dismissed:
            return AwaitComplete()
        self._is_dismissed = True
        return super().dismiss(result)


_MEANINGS = {
    "count": "the counts differ, here or below",
    "extra": "only the engine has the move",
    "missing": "the engine does not have the move",
    "duplicate": "the engine has the move more than once",
}


class HelpScreen(Dialog[None]):
    """The help page with all keys and signs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1,enter", "dismiss", "close", show=False),
    ]

    def compose(self) -> ComposeResult:
        """Yield the table."""
        with VerticalScroll():
            yield Static(_table(), markup=False)


def _table() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_row(Text("Esc", style="bold"), Text("close this page; Up, Down, PgUp and PgDn scroll it"))
    for group, keys in GROUPS.items():
        table.add_row("", Text(f"\n{group}", style="bold"))
        for key in keys:
            table.add_row(Text(key.key_display or key.key, style="bold"), Text(key.tooltip))
    table.add_row("", Text("\nSigns", style="bold"))
    for kind, meaning in _MEANINGS.items():
        table.add_row(Text(SIGNS[kind], style="bold"), Text(meaning))
    return table


_WIDE, _HIGH = 130, 40
"""Minimum size of the terminal, in cells, for the large board."""


class Explorer(App[None]):
    """Shows the trees of one or two engines below a position."""

    CSS_PATH = Path(__file__).with_name("style.tcss")
    TITLE = "perft-check explore"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [*MAIN]

    def __init__(
        self,
        controller: TreeController,
        start: StartingPoint,
        is_light: bool = False,
        interrupt: Interrupt | None = None,
    ) -> None:
        """Show the tree of a starting point. The caller closes the controller.

        When an interrupt is requested, the explorer exits with the status of an interrupted run.
        """
        super().__init__()
        self.theme = "textual-light" if is_light else "textual-dark"
        self.animation_level = "none"
        self._controller = controller
        self._main = MainView(controller)
        self.navigator = Navigator(controller, self._main, start)
        self._interrupt = interrupt or Interrupt()
        self._while_mounted = ExitStack()
        self.copied: list[str] = []
        """The copied texts. They are also printed at the end, because not every terminal supports copying."""

    @property
    def view(self) -> View:
        """The state of the main screen."""
        return self.navigator.view

    def compose(self) -> ComposeResult:
        """Yield the widgets of the main screen."""
        yield self._main

    def on_mount(self) -> None:
        """Start polling for answers and interrupts."""
        self.set_interval(POLL_INTERVAL, self._check_interrupt)
        self._while_mounted.enter_context(seldom_collecting())
        self._main.query_one(TreeView).focus()
        self.set_interval(POLL_INTERVAL, self.navigator.poll)
        self.call_after_refresh(self.navigator.draw)

    def on_unmount(self) -> None:
        """Restore the garbage collector's settings."""
        self._while_mounted.close()

    async def on_event(self, event: Event) -> None:
        """Record the time of a key press or click."""
        if isinstance(event, InputEvent):
            self.navigator.note_key()
        await super().on_event(event)

    def on_resize(self) -> None:
        """Use the large board if it fits."""
        self.screen_stack[0].set_class(self.size.width >= _WIDE and self.size.height >= _HIGH, "wide")
        self.call_after_refresh(self.navigator.draw)

    def on_tree_view_resized(self) -> None:
        """Redraw the heading at the new width."""
        self.navigator.draw()

    def _check_interrupt(self) -> None:
        if self._interrupt.requested:
            self.action_interrupt()

    # Actions: the tree.

    def action_move(self, step: int) -> None:
        """Move up or down by rows."""
        self.navigator.go_to_row(self._controller.tree.row_of(self.view.cursor) + step)

    def action_page(self, step: int) -> None:
        """Move up or down by pages."""
        self.action_move(step * max(1, self._main.query_one(TreeView).size.height - 1))

    def action_edge(self, step: int) -> None:
        """Go to the first or the last row."""
        self.navigator.go_to_row(0 if step < 0 else self._controller.tree.rows - 1)

    def action_open(self) -> None:
        """Open the branch under the cursor, or enter it if it is open."""
        node = self.view.cursor
        if node.is_open and node.children:
            self.navigator.go(node.children[0])
        else:
            self._controller.open(node)
            self.navigator.draw()

    def action_close(self) -> None:
        """Close the branch, or go to its parent if it is closed."""
        node = self.view.cursor
        if node.is_open:
            self._controller.tree.close(node)
            self.navigator.draw()
        elif node.parent is not None:
            self.navigator.go(node.parent)

    def action_next(self, step: int) -> None:
        """Go to the next or the previous known difference."""
        node = self._controller.tree.next_difference(self.view.cursor, step)
        if node is None:
            self.notify("No difference is known yet." if self._controller.is_busy else "No difference is known.")
        else:
            self.navigator.go(node)

    def action_follow(self) -> None:
        """Follow the difference below the cursor to its cause."""
        node = self.view.cursor
        if len(self._controller.panes) < 2:
            self.notify("There is no engine to compare with: name one with -a.")
            return
        if not node.can_open and node.parent is not None:
            node = node.parent
        self.view.followed = ""
        if not self._controller.follow(node):
            self.notify("A difference is already being followed; x stops that.")
        self.navigator.draw()

    def action_open_all(self) -> None:
        """Open all branches below the cursor."""
        self.navigator.open_all(self.view.cursor)

    def action_deepen(self, step: int) -> None:
        """Increase or decrease the depth of the tree."""
        depth = self.navigator.start.depth + step
        if 1 <= depth <= 99:
            path = tuple(node.text for node in self.view.cursor.path)
            self.navigator.open(replace(self.navigator.start, depth=depth, path=path))

    def action_ask_again(self) -> None:
        """Ask the engines again about the position under the cursor, or about the parent of a leaf."""
        node = self.view.cursor
        self._controller.ask_again(node if node.can_open or node.parent is None else node.parent)
        self.navigator.draw()

    def action_stop(self) -> None:
        """Stop counting and opening branches."""
        self.navigator.stop_opening()
        self._controller.stop()

    # Actions: the board.

    def action_before(self) -> None:
        """Switch between the positions before and after the move under the cursor."""
        self.view.is_after = not self.view.is_after
        self.navigator.position_changed()

    def action_attacks(self) -> None:
        """Toggle the marks on squares that the opponent attacks."""
        self.view.shows_attacks = not self.view.shows_attacks
        self.navigator.draw()

    def action_flip(self) -> None:
        """Flip the board."""
        self.view.is_flipped = not self.view.is_flipped
        self.navigator.draw()

    def on_tree_view_row_clicked(self, message: TreeView.RowClicked) -> None:
        """Go to a row; a second click opens it."""
        self.navigator.go(message.node)
        if message.is_twice:
            self.action_open()

    # Actions: the panels.

    def action_panel(self, name: str) -> None:
        """Show a panel."""
        self.view.panel = name
        self._main.query_one("#panel").scroll_home()
        self.navigator.position_changed()

    def action_scroll_panel(self, step: int) -> None:
        """Scroll the panel."""
        self._main.query_one("#panel").scroll_relative(y=step * 5)

    def action_gentype(self, step: int) -> None:
        """Show the moves of the next GenType."""
        possible = self.view.gentypes
        here = possible.index(self.view.gentype) if self.view.gentype in possible else -1
        self.view.gentype, self.view.panel = possible[(here + step) % len(possible)], "lists"
        self.navigator.position_changed()

    # Actions: the program.

    def action_copy(self, what: str) -> None:
        """Copy a text to the clipboard, and keep it to be printed at the end."""
        text = text_of(self.view, what)
        self.copied.append(text)
        self.copy_to_clipboard(text)
        self.notify(text, title=f"{what} copied", markup=False)

    def action_dark(self) -> None:
        """Switch between the dark and the light theme."""
        self.theme = "textual-dark" if self.theme == "textual-light" else "textual-light"

    def action_help(self) -> None:
        """Show all keys."""
        self.push_screen(HelpScreen(), lambda _nothing: self.navigator.draw())

    def action_interrupt(self) -> None:
        """Exit with the status of an interrupted run."""
        self.exit(return_code=ExitCode.INTERRUPTED)
