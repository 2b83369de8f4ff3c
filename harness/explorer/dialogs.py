"""The explorer's dialogs: the choice of a position, and the help page."""

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
    """A dialog that may be dismissed twice, because another key press may arrive before it has closed."""

    _is_dismissed = False

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the dialog unless it is closing. Textual raises an error if a screen is dismissed twice."""
        if self._is_dismissed:
            return AwaitComplete()
        self._is_dismissed = True
        return super().dismiss(result)


class PickScreen(Dialog[int | None]):
    """A dialog that returns the index of the chosen starting point, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "leave", show=False)]

    def __init__(self, starting_points: Sequence[StartingPoint]) -> None:
        super().__init__()
        self._starting_points = starting_points

    def compose(self) -> ComposeResult:
        """Yield the list."""
        with Vertical():
            yield Static(f"{len(self._starting_points)} positions: Enter opens one, Esc cancels", markup=False)
            yield OptionList(*(_line(start) for start in self._starting_points), markup=False)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Close the dialog with the chosen starting point."""
        self.dismiss(message.option_index)

    def action_leave(self) -> None:
        """Close the dialog without a choice."""
        self.dismiss(None)


def _line(start: StartingPoint) -> Text:
    return Text.assemble((start.name, "bold"), f"  {start.note}", no_wrap=True, overflow="ellipsis")


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
