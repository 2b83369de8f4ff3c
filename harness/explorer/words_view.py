"""Words that are wrapped and can be scrolled. Nothing else on the screen moves when they change."""

from __future__ import annotations

from rich.console import Console
from rich.segment import Segment
from rich.text import Text
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip


class WordsView(ScrollView, can_focus=False):
    """A text, wrapped to the width that there is."""

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
