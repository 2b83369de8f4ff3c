"""The tree widget, which draws only the visible rows."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...reports.text import short
from ..engines.base import Divide
from ..trees.controller import TreeController
from ..trees.tree import Node, NodeFailure

SIGNS = {"": " ", "count": "≠", "extra": "+", "missing": "-", "duplicate": "2"}
"""The first character of a row for each kind of difference."""
_WIDE, _MIDDLE = 70, 58
_MOVE = 7
_SAN = 8


class TreeView(ScrollView, can_focus=True, inherit_bindings=False):
    """A widget with a row for each visible node of a tree, and its counts."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "tree--cursor",
        "tree--extra",
        "tree--missing",
        "tree--duplicate",
        "tree--count",
        "tree--dim",
    }

    class RowClicked(Message):
        """Posted when a row is clicked."""

        def __init__(self, node: Node, is_twice: bool) -> None:
            super().__init__()
            self.node, self.is_twice = node, is_twice

    def __init__(self, controller: TreeController) -> None:
        super().__init__(id="tree")
        self._controller = controller
        self.cursor = controller.tree.root
        self._styles: dict[str, Style] = {}
        """The styles of the current theme, by name."""
        self._drawn_lines: dict[int, Strip] = {}
        """The lines of the screen as last drawn."""

    def go_to(self, cursor: Node) -> None:
        """Move the cursor to a visible node and scroll to it. Use this only if nothing else has changed."""
        old, row = self._controller.tree.row_of(self.cursor), self._controller.tree.row_of(cursor)
        self.cursor = cursor
        self.refresh_line(old)
        self.refresh_line(row)
        self.scroll_to_cursor()

    def refresh_rows(self, cursor: Node) -> None:
        """Redraw the rows that have changed."""
        self.cursor = cursor
        size = Size(self.scrollable_content_region.width, self._controller.tree.rows)
        if self.virtual_size != size:
            self._resize_rows(size)
            self.scroll_to_cursor()
        for line in range(self.size.height):
            row = line + self.scroll_offset.y
            if self._row(row) != self._drawn_lines.get(line):
                self.refresh_line(row)

    def _resize_rows(self, size: Size) -> None:
        """Change the number of rows. Lay out the widget only if the scrollbar appears or disappears."""
        if size.width == self.virtual_size.width and min(size.height, self.virtual_size.height) > self.size.height:
            self.set_reactive(TreeView.virtual_size, size)
            self.vertical_scrollbar.window_virtual_size = size.height
        else:
            self.virtual_size = size

    def scroll_to_cursor(self) -> None:
        """Scroll so that the cursor is visible."""
        row = self._controller.tree.row_of(self.cursor)
        self.scroll_to_region(Region(0, row, 1, 1), force=True)

    def notify_style_update(self) -> None:
        """Discard the styles of the previous theme."""
        self._styles = {}
        super().notify_style_update()

    class Resized(Message):
        """Posted when the width of the rows and the heading has changed."""

    def on_resize(self) -> None:
        """Fit the rows to the new width."""
        self.refresh_rows(self.cursor)
        self.call_after_refresh(self.scroll_to_cursor)
        self.post_message(self.Resized())

    def on_click(self, event: events.Click) -> None:
        """Post the row that was clicked."""
        row = event.y + self.scroll_offset.y
        if row < self._controller.tree.rows:
            self.post_message(self.RowClicked(self._controller.tree.row(row), event.chain > 1))

    def render_line(self, y: int) -> Strip:
        """Return a line of the widget."""
        self._drawn_lines[y] = self._row(y + self.scroll_offset.y)
        return self._drawn_lines[y]

    def _row(self, number: int) -> Strip:
        """Return a row of the tree, or a blank line after the last one."""
        width = self.scrollable_content_region.width
        if number >= self._controller.tree.rows:
            return Strip.blank(width, self._style(""))
        node = self._controller.tree.row(number)
        segments = self._segments(node, width)
        if node is self.cursor:
            return Strip([Segment("".join(part.text for part in segments), self._style("cursor"))], width)
        return Strip(segments, width)

    def _style(self, name: str) -> Style:
        """Return a style by name, or the base style for ""."""
        if name not in self._styles:
            base = self.rich_style
            self._styles[name] = base + self.get_component_rich_style(f"tree--{name}", partial=True) if name else base
        return self._styles[name]

    def heading(self, names: list[str]) -> str:
        """Return the column titles."""
        width = self.scrollable_content_region.width
        sizes = self._sizes(width)
        headings = [shorten_name(name, size - 1) for name, size in zip(names, sizes, strict=False)]
        headings += ["differ"] * (len(names) > 1)
        cells = [heading.rjust(size) for heading, size in zip(headings, sizes, strict=True)]
        return " move".ljust(max(0, width - sum(sizes))) + "".join(cells)

    def _sizes(self, width: int) -> list[int]:
        """Return the widths of the count columns."""
        root = self._controller.tree.root
        widest = max(len(f"{root.count(engine) or 0:,}") for engine in range(self._controller.tree.engines))
        minimum, maximum = (16, 24) if width >= _WIDE else (13, 13) if width >= _MIDDLE else (8, 10)
        columns = [min(max(widest + 2, minimum), maximum)] * self._controller.tree.engines
        return [*columns, 12 if width >= _WIDE else 8] if len(columns) > 1 else columns

    def _segments(self, node: Node, width: int) -> list[Segment]:
        kind = node.kind or ("count" if node.wrong else "")
        style, dim = self._style(kind), self._style("dim")
        sizes = self._sizes(width)
        arrow = " " if not node.can_open else "▾" if node.is_open else "▸"
        indent = ("  " if width >= _WIDE else " ") * min(node.ply, 12)
        name = f"{node.uci:<{_MOVE - 1}} {node.san:<{_SAN - 1}}" if node.parent else f"depth {node.depth}"
        space = max(0, width - sum(sizes))
        label = f"{SIGNS[kind]}{indent}{arrow} {name}"
        segments = [Segment(fit_text(label, space), style)]
        for engine, size in zip(range(self._controller.tree.engines), sizes, strict=False):
            text, is_known = self._count(node, engine, size - 1)
            segments.append(Segment(text.rjust(size), style if is_known else dim))
        if len(sizes) > self._controller.tree.engines:
            segments.append(Segment(_difference(node, sizes[-1] - 1).rjust(sizes[-1]), style))
        return segments

    def _count(self, node: Node, engine: int, size: int) -> tuple[str, bool]:
        """Return the text of a count, and whether the count is known."""
        answer = node.answer_with_count(engine)
        if isinstance(answer, NodeFailure):
            return (answer.verdict.value[:size] if node.parent is None else "?"), False
        if answer is None:
            asked = node.asked[engine] if node.parent is None else node.parent.asked[engine]
            so_far = None if node.parent is None else self._controller.partial(node.parent, engine).get(node.text)
            return (("…" if asked else "?") if so_far is None else number(so_far, size)), False
        here = node.answers[engine]
        if isinstance(here, NodeFailure):
            return here.verdict.value[:size], True
        count = node.count(engine)
        if count is None:
            return ("?" if isinstance(answer, Divide) and answer.is_total_only else "none"), True
        times = node.repeats(engine) + 1
        return (number(count, size) if times == 1 else f"{times}x {number(count, size - 3)}"), True


def number(count: int, size: int) -> str:
    """Return a count in at most `size` characters: with commas, without commas, or rounded."""
    for text in (f"{count:,}", str(count)):
        if len(text) <= size:
            return text
    return short(count).replace(" ", "")


def _difference(node: Node, size: int) -> str:
    """Return the difference between the counts, or "below" if only descendants differ."""
    got, expected = node.count(0), node.count(1)
    if node.kind in ("missing", "extra", "duplicate"):
        return shorten_name(node.kind, size)
    if got is None or expected is None:
        return ""
    if got == expected:
        return "below" if node.wrong else ""
    text = f"{got - expected:+,}"
    return text if len(text) <= size else f"{'+' if got > expected else '-'}{short(abs(got - expected))}"


def fit_text(text: str, size: int) -> str:
    """Return a text truncated or padded to `size` cells."""
    return text[:size].ljust(size)


def shorten_name(name: str, size: int) -> str:
    """Return a name in at most `size` cells. The end is kept because it distinguishes engines."""
    return name if len(name) <= size else f"…{name[len(name) - size + 1 :]}"
