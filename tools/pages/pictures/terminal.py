"""Render a terminal as an SVG document that browsers and other programs draw in the same way.

Each word has its own position, and no text element contains a space. Programs treat spaces differently, and not all of
them can stretch a text to a given length, so columns would shift with a different font. Only fonts of the reader's
system are used; nothing is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape as escaped

from perft_check.harness.engines.spec import short_name
from perft_check.harness.fuzzing.model import FuzzFinished
from perft_check.harness.model.results.events import RunFinished
from perft_check.reports.board import COLUMNS
from perft_check.reports.html.board import SIZE, BoardPicture, board_of, board_rules_of_document, sprites
from perft_check.reports.html.components import escape_invisible
from perft_check.reports.terminal import fuzz, run
from rich.cells import cell_len
from rich.color import Color, blend_rgb
from rich.color_triplet import ColorTriplet
from rich.console import RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME as THEME

from .canvas import WIDTH, board_number, lines_of

CELL, LINE, FONT = 12.04, 24, 20
"""The width and height of a cell, and the font size at which the letters of most terminal fonts are as wide as a cell.
"""
LEFT, TOP, BOTTOM = 12, 44, 12
GAP = 4
"""The margin above and below a board."""
FACES = "'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace"
DIM = 0.25
"""The share of the background color in dim text."""
_WORD = re.compile(r"[^\s\xa0]+")


def picture(report: RenderableType, title: str = "perft-check") -> str:
    """Return a report as an SVG document; the same report gives the same bytes."""
    lines, boards = lines_of(report)
    drawn = {number: drawn for number, one in enumerate(boards) if (drawn := board_of(one.fen, one.wrong)) is not None}
    columns = max([WIDTH, *(sum(one.cell_length for one in line) for line in lines)])
    width, height = round(columns * CELL) + 2 * LEFT, LINE * len(lines) + TOP + BOTTOM
    styles: dict[str, str] = {}
    words = [part for row, line in enumerate(lines) for part in _words(row, line, styles)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-labelledby="title desc">',
        f'<title id="title">{_escape(title)}</title>',
        f'<desc id="desc">{_escape(_description(lines, drawn))}</desc>',
        f"<style>{_style(styles, has_boards=bool(drawn))}</style>",
        *_definitions(drawn),
        f'<rect class="page" width="{width}" height="{height}" rx="8"/>',
        *(f'<circle cx="{LEFT + 9 + 22 * n}" cy="22" r="7" fill="{one}"/>' for n, one in enumerate(_BUTTONS)),
        f'<text class="head" x="{width // 2}" y="28">{_escape(title)}</text>',
        *_grounds(lines),
        *words,
        *_boards(lines, drawn),
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


_BUTTONS = ("#ff5f57", "#febc2e", "#28c840")


def _description(lines: Sequence[Sequence[Segment]], drawn: dict[int, BoardPicture]) -> str:
    """Return the last paragraph, which is a summary, and descriptions of the boards."""
    text = "\n".join("".join(one.text for one in line).strip() for line in lines)
    last = " ".join(text.strip().rsplit("\n\n", 1)[-1].split())
    return " ".join([last, *(f"Board: {board.pieces}" for board in drawn.values())])


def _style(styles: dict[str, str], *, has_boards: bool) -> str:
    ground = _css(_triplet(Color.default(), foreground=False))
    rules = [
        f".page{{fill:{ground};stroke:#6c6c6c}}",
        f"text{{font-family:{FACES};font-size:{FONT}px}}",
        f".head{{fill:{_css(THEME.foreground_color)};font-family:sans-serif;font-size:18px;text-anchor:middle}}",
        *(f".{name}{{{rule}}}" for rule, name in styles.items()),
    ]
    return "".join([*rules, board_rules_of_document() if has_boards else ""])


def _definitions(drawn: dict[int, BoardPicture]) -> Iterator[str]:
    if drawn:
        yield f"<defs>{sprites(frozenset().union(*(board.symbols for board in drawn.values())))}</defs>"


def _place(line: Sequence[Segment]) -> Iterator[tuple[int, Segment]]:
    """Yield the segments of a line with the columns at which they begin."""
    column = 0
    for segment in line:
        yield column, segment
        column += segment.cell_length


def _words(row: int, line: Sequence[Segment], styles: dict[str, str]) -> Iterator[str]:
    y = TOP + LINE * row + 18
    for column, segment in _place(line):
        for found in _WORD.finditer(segment.text):
            at = LEFT + (column + cell_len(segment.text[: found.start()])) * CELL
            name = styles.setdefault(_rule(segment.style or Style()), f"r{len(styles)}")
            length = cell_len(found[0]) * CELL
            yield (
                f'<text class="{name}" x="{at:.2f}" y="{y}" textLength="{length:.2f}" '
                f'lengthAdjust="spacingAndGlyphs">{_escape(found[0])}</text>'
            )


def _grounds(lines: Sequence[Sequence[Segment]]) -> Iterator[str]:
    for row, line in enumerate(lines):
        for column, segment in _place(line):
            color = _colors(segment.style or Style())[1]
            if color is not None:
                yield (
                    f'<rect x="{LEFT + column * CELL:.2f}" y="{TOP + LINE * row}" '
                    f'width="{segment.cell_length * CELL:.2f}" height="{LINE}" fill="{_css(color)}"/>'
                )


def _boards(lines: Sequence[Sequence[Segment]], drawn: dict[int, BoardPicture]) -> Iterator[str]:
    """Yield the boards, each in the space that the report leaves for it."""
    begun: set[int] = set()
    for row, line in enumerate(lines):
        for column, segment in _place(line):
            number = board_number(segment)
            if number is None or number in begun or number not in drawn:
                continue
            begun.add(number)
            x, y = LEFT + column * CELL, TOP + LINE * row + GAP
            scale = (COLUMNS * CELL - 2 * GAP) / SIZE
            place = f"translate({x:.2f} {y}) scale({scale:.4f})"
            yield f'<g class="drawn" transform="{place}">{drawn[number].drawing}</g>'


def _rule(style: Style) -> str:
    """Return the properties of text as CSS."""
    rules = [f"fill:{_css(_colors(style)[0])}"]
    rules += ["font-weight:bold"] if style.bold else []
    rules += ["font-style:italic"] if style.italic else []
    rules += ["text-decoration:underline"] if style.underline else []
    return ";".join(rules)


def _colors(style: Style) -> tuple[ColorTriplet, ColorTriplet | None]:
    """Return the color of text, and of its background if it has one."""
    color = _triplet(style.color or Color.default(), foreground=True)
    ground = _triplet(style.bgcolor, foreground=False) if style.bgcolor and not style.bgcolor.is_default else None
    if style.reverse:
        color, ground = ground or THEME.background_color, color
    return (blend_rgb(color, ground or THEME.background_color, DIM) if style.dim else color), ground


def _triplet(color: Color, *, foreground: bool) -> ColorTriplet:
    return color.get_truecolor(THEME, foreground=foreground)


def _css(color: ColorTriplet) -> str:
    return str(color.hex)


def _escape(text: str) -> str:
    return escaped(escape_invisible(text), quote=False)


def report_picture(finished: RunFinished | FuzzFinished) -> str:
    """Return the terminal report of a run of suites or of a fuzzing run as an SVG document."""
    if isinstance(finished, RunFinished):
        return picture(run.render(finished), f"perft-check run: {short_name(finished.started.engine)}")
    return picture(fuzz.render(finished, quiet=True), f"perft-check fuzz: {short_name(finished.started.engine)}")
