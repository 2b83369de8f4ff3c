"""The boards of the rare events at the end of `docs/concepts.md`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from .exhibits import Exhibit, gallery
from .pictures.boards import board_of_event, file_of

IN_A_ROW = 3


def render_families() -> str:
    """Return a table of boards for each family of events."""
    families = groupby(gallery().exhibits, key=lambda exhibit: exhibit.family)
    return "\n\n".join(f"### {family}\n\n{_render_table(list(exhibits))}" for family, exhibits in families)


def _render_table(exhibits: Sequence[Exhibit]) -> str:
    width = min(IN_A_ROW, len(exhibits))
    lines: list[str] = []
    for start in range(0, len(exhibits), width):
        row = exhibits[start : start + width]
        lines += [_render_line(map(_render_picture, row), width)]
        lines += [] if start else [_render_line(["---"] * width, width)]
        lines += [_render_line((f"**{one.event.label}**: {one.event.sentence}" for one in row), width)]
    return "\n".join(lines)


def _render_line(cells: Iterable[str], width: int) -> str:
    filled = [*cells]
    return "| " + " | ".join(filled + [""] * (width - len(filled))) + " |"


def _render_picture(exhibit: Exhibit) -> str:
    return f"![{board_of_event(exhibit).pieces}](pictures/{file_of(exhibit)})"
