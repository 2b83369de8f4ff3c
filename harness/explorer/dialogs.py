"""Screens on top of the explorer: the positions of a report or a suite, all keys, and the editor of positions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar, TypeVar

from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from ...generator.position import Position
from ...generator.types.squares import name_of
from ...generator.validation import FenError
from ..trees.draft import Draft
from ..trees.places import Place
from .board_view import BoardView
from .keys import EDITING, MAIN, hints
from .tree_view import SIGNS

Result = TypeVar("Result")


class Dialog(ModalScreen[Result]):
    """Returns a result when it is dismissed; keys that come faster than it goes change nothing."""

    _is_left = False

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Leave the screen. Textual raises an error where that is done twice."""
        if self._is_left:
            return AwaitComplete()
        self._is_left = True
        return super().dismiss(result)


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


_PIECES = "KQRBNPkqrbnp"
_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}


class EditScreen(Dialog[Position | None]):
    """Returns the edited position, or None where it is left as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.names, key.action, key.does, show=False) for key in EDITING if key.action and key.names != "1"),
        *(Binding(str(number), f"right({number - 1})", "right", show=False) for number in range(1, 5)),
        *(Binding(key, f"go{step}", key, show=False) for key, step in _STEPS.items()),
        *(Binding(piece, f"put('{piece}')", piece, show=False) for piece in _PIECES),
    ]

    def __init__(self, position: Position, is_flipped: bool) -> None:
        super().__init__()
        self.draft = Draft.of(position)
        self._is_flipped = is_flipped
        self._square = 12
        self._brush: str | None = None
        """The piece that a click puts, "" to empty squares; None where a click only moves the cursor."""

    def compose(self) -> ComposeResult:
        """Yield board, palette and words."""
        yield Static("Editing: the board, then Enter to explore it", id="title", markup=False)
        yield BoardView("draft")
        yield Static(id="palette", markup=False)
        yield Static(id="draft-words", markup=False)
        yield Static("  ".join(f"{key} {word}" for key, word in hints(EDITING)), id="hints", markup=False)

    def on_mount(self) -> None:
        """Draw the board."""
        self._draw()

    def _draw(self) -> None:
        draft = self.draft
        self.query_one(BoardView).show(draft.fen.split()[0], {self._square: "cursor"}, self._is_flipped)
        pieces = "".join(f"[{one}]" if one == self._brush else f" {one} " for one in _PIECES)
        self.query_one("#palette", Static).update(f"{pieces}  {'[empty]' if self._brush == '' else ' empty '}")
        self.query_one("#draft-words", Static).update(self._words())

    def _words(self) -> Text:
        draft = self.draft
        en_passant = "nowhere" if draft.en_passant is None else f"on {name_of(draft.en_passant)}"
        text = Text(f"{draft.turn.word} to move, castling {draft.rights or 'none'}, en passant {en_passant}\n")
        text.append(f"{draft.fen}\n", style="dim")
        text.append(draft.fault or "This can be explored.", style="bold red" if draft.fault else "bold")
        return text

    def _change(self, draft: Draft) -> None:
        self.draft = draft
        self._draw()

    def action_go(self, files: int, ranks: int) -> None:
        """Go to the next square."""
        turn = -1 if self._is_flipped else 1
        file, rank = self._square % 8 + files * turn, self._square // 8 + ranks * turn
        if 0 <= file < 8 and 0 <= rank < 8:
            self._square = rank * 8 + file
            self._draw()

    def action_put(self, piece: str) -> None:
        """Put a piece on the square."""
        self._change(self.draft.put(self._square, piece))

    def action_clear_square(self) -> None:
        """Empty the square."""
        self._change(self.draft.put(self._square, ""))

    def action_turn(self) -> None:
        """Let the other side move."""
        self._change(self.draft.other_turn())

    def action_right(self, number: int) -> None:
        """Give or take a castling right: king-side and queen-side of White, then of Black."""
        self._change(self.draft.toggle_right("KQkq"[number]))

    def action_en_passant(self) -> None:
        """Allow en passant on the square, or take it back."""
        self._change(self.draft.en_passant_at(self._square))

    def action_clear_board(self) -> None:
        """Empty the board."""
        self._change(self.draft.clear())

    def action_start(self) -> None:
        """Take the starting position."""
        self._change(Draft.start())

    def action_flip(self) -> None:
        """Turn the board."""
        self._is_flipped = not self._is_flipped
        self._draw()

    def action_explore(self) -> None:
        """Return the position, if it can be played."""
        try:
            position = self.draft.position()
        except FenError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self.dismiss(position)

    def action_leave(self) -> None:
        """Return that nothing is to change."""
        self.dismiss(None)

    def on_board_view_square_clicked(self, message: BoardView.SquareClicked) -> None:
        """Put the chosen piece of the palette, or go to the square."""
        message.stop()
        self._square = message.square
        self._change(self.draft if self._brush is None else self.draft.put(message.square, self._brush))

    def on_click(self, event: events.Click) -> None:
        """Choose a piece of the palette, or put it back."""
        palette = self.query_one("#palette", Static)
        if event.widget is not palette or (offset := event.get_content_offset(palette)) is None:
            return
        place = offset.x // 3
        chosen = _PIECES[place] if place < len(_PIECES) else ""
        self._brush = None if chosen == self._brush else chosen
        self._draw()
