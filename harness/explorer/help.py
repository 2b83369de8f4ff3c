"""All keys, on a page of their own."""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from .dialog import Dialog
from .keys import EDITING, MAIN
from .tree_view import SIGNS

_SIGNS = {
    "count": "the counts differ, here or below",
    "extra": "the engine alone has the move",
    "missing": "the engine does not have the move",
    "duplicate": "the engine has the move more than once",
}


class HelpScreen(Dialog[None]):
    """What each key does, and what the signs mean."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1,enter", "dismiss", "close", show=False),
        Binding("up", "scroll(-1)", "up", show=False),
        Binding("down", "scroll(1)", "down", show=False),
        Binding("pageup", "scroll(-15)", "up by a page", show=False),
        Binding("pagedown", "scroll(15)", "down by a page", show=False),
    ]

    def compose(self) -> ComposeResult:
        """Yield the table."""
        with VerticalScroll(can_focus=False):
            yield Static(_table(), markup=False)

    def action_scroll(self, rows: int) -> None:
        """Scroll by so many rows."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)


def _table() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_row(Text("Esc", style="bold"), Text("closes this page; Up, Down, PgUp, PgDn scroll it"))
    for group, keys in groupby((*MAIN, *EDITING), lambda key: key.group):
        table.add_row("", Text(f"\n{group}", style="bold"))
        for key in keys:
            table.add_row(Text(key.shown, style="bold"), Text(key.does))
    table.add_row("", Text("\nSigns", style="bold"))
    for kind, says in _SIGNS.items():
        table.add_row(Text(SIGNS[kind], style="bold"), Text(says))
    return table
