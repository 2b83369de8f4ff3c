"""The positions of a report or a suite, one of which is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static

from ..trees.places import Place
from .dialog import Dialog


class PickScreen(Dialog[int | None]):
    """Returns the number of the chosen place, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "leave", show=False)]

    def __init__(self, places: Sequence[Place]) -> None:
        super().__init__()
        self._places = places

    def compose(self) -> ComposeResult:
        """Yield the list."""
        with Vertical():
            yield Static(f"{len(self._places)} positions: Enter opens one, Esc stays", markup=False)
            yield OptionList(*(_line(place) for place in self._places), markup=False)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Return the choice."""
        self.dismiss(message.option_index)

    def action_leave(self) -> None:
        """Return that nothing was chosen."""
        self.dismiss(None)


def _line(place: Place) -> Text:
    return Text.assemble((place.name, "bold"), f"  {place.note}", no_wrap=True, overflow="ellipsis")
