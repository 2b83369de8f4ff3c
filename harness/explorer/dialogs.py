"""Screens on top of the explorer: the positions of a report or a suite, and all keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from ..trees.starting_points import StartingPoint
from .keys import GROUPS
from .tree_view import SIGNS

Result = TypeVar("Result")


class Dialog(ModalScreen[Result]):
    """A dialog that can be dismissed twice, as keys may arrive before it has disappeared."""

    _is_left = False

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Leave the screen. Textual raises an error if that is done twice."""
        if self._is_left:
            return AwaitComplete()
        self._is_left = True
        return super().dismiss(result)


class PickScreen(Dialog[int | None]):
    """Returns the number of the chosen start, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "leave", show=False)]

    def __init__(self, starting_points: Sequence[StartingPoint]) -> None:
        super().__init__()
        self._starting_points = starting_points

    def compose(self) -> ComposeResult:
        """Yield the list."""
        with Vertical():
            yield Static(f"{len(self._starting_points)} positions: Enter opens one, Esc stays", markup=False)
            yield OptionList(*(_line(start) for start in self._starting_points), markup=False)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Return the choice."""
        self.dismiss(message.option_index)

    def action_leave(self) -> None:
        """Return that nothing was chosen."""
        self.dismiss(None)


def _line(start: StartingPoint) -> Text:
    return Text.assemble((start.name, "bold"), f"  {start.note}", no_wrap=True, overflow="ellipsis")


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
    ]

    def compose(self) -> ComposeResult:
        """Yield the table."""
        with VerticalScroll():
            yield Static(_table(), markup=False)


def _table() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_row(Text("Esc", style="bold"), Text("closes this page; Up, Down, PgUp, PgDn scroll it"))
    for group, keys in GROUPS.items():
        table.add_row("", Text(f"\n{group}", style="bold"))
        for key in keys:
            table.add_row(Text(key.key_display or key.key, style="bold"), Text(key.tooltip))
    table.add_row("", Text("\nSigns", style="bold"))
    for kind, says in _SIGNS.items():
        table.add_row(Text(SIGNS[kind], style="bold"), Text(says))
    return table
