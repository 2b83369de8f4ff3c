"""The walk of a technique as an SVG animated by CSS. Without animation it shows the end of the walk.

Each frame has its own keyframes rule, which shows it from a certain fraction of the total time. The last frame is shown
to users who prefer reduced motion, and by programs that do not support animation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from perft_check.generator.position import Position
from perft_check.generator.types.moves import Move
from perft_check.generator.types.pieces import piece_letter
from perft_check.generator.types.squares import name_of
from perft_check.reports.html.board import MARGIN, SIZE, SQUARE, board_of, board_rules_of_document, sprites
from perft_check.reports.text import count

from .tracing import Step, Trace

SECONDS, REST = 0.5, 4
"""The duration of a frame in seconds, and the duration of the last frame as a number of frames."""
HEIGHT = SIZE + 78
_STYLE = (
    ".paper{fill:#eceff3}.words{fill:#1b1f24;font:15px sans-serif}.key{fill:#58616c;font:13px sans-serif}"
    ".seen{fill:#f6f7f9;stroke:#5b3a00;stroke-width:2}.kept{fill:#14532d}"
    ".lost{stroke:#b3211f;stroke-width:3;fill:none}"
    ".found{fill:none;stroke:#0b5cad;stroke-width:2.5;stroke-dasharray:5 3}"
    ".now{fill:none;stroke:#1b1f24;stroke-width:3;opacity:0}.then{opacity:0}"
)


@dataclass(frozen=True)
class Frame:
    """One step as a picture: permanent marks, temporary marks, and the words below the board."""

    stays: str
    square: int
    words: str


def picture(name: str, trace: Trace, position: Position) -> str:
    """Return the document for a technique."""
    board = board_of(position.fen())
    assert board is not None, "a position has a board"
    frames = [_frame(step, position) for step in trace.steps if step.kind != "test"]
    seen, found, kept = trace.number("visit"), trace.number("look-up"), trace.number("store")
    last = f"{count(seen, 'square')} visited, {count(found, 'look-up')}, {count(kept, 'move')} stored"
    drawn = [_drawn(number, frame) for number, frame in enumerate(frames)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {HEIGHT}" width="{SIZE}" height="{HEIGHT}" '
            'role="img" aria-labelledby="title desc">',
            f'<title id="title">{escape(name)}: the walk of the technique</title>',
            f'<desc id="desc">{escape(board.pieces)} {escape(last)}.</desc>',
            f"<style>{board_rules_of_document()}{_STYLE}{''.join(_animation(len(frames)))}</style>",
            f"<defs>{sprites(board.symbols)}</defs>",
            f'<rect class="paper" width="{SIZE}" height="{HEIGHT}"/><g class="drawn">{board.drawing}</g>',
            *drawn,
            f'<text class="words end" x="{MARGIN}" y="{SIZE + 24}">{escape(last)}</text>',
            *_legend(),
            "</svg>\n",
        ]
    )


def _animation(frames: int) -> Iterator[str]:
    """Yield the CSS rules that show each frame at its time, and the final words during the last frame."""
    total = frames + REST
    for number in range(frames):
        begin, end = 100 * number / total, 100 * (number + 1) / total
        yield f"@keyframes s{number}{{0%{{opacity:0}}{begin:.2f}%{{opacity:1}}}}"
        yield f"@keyframes t{number}{{0%{{opacity:0}}{begin:.2f}%{{opacity:1}}{end:.2f}%{{opacity:0}}}}"
        yield f".s{number}{{animation-name:s{number}}}.t{number}{{animation-name:t{number}}}"
    yield f"@keyframes end{{0%{{opacity:0}}{100 * frames / total:.2f}%{{opacity:1}}}}.end{{animation-name:end}}"
    yield f".a,.then,.now,.end{{animation-duration:{total * SECONDS:g}s;animation-timing-function:step-end;"
    yield "animation-iteration-count:infinite}"
    yield "@media (prefers-reduced-motion:reduce){.a,.then,.now,.end{animation:none}}"


def _drawn(number: int, frame: Frame) -> str:
    x, y = _corner(frame.square)
    return (
        f'<g class="a s{number}">{frame.stays}</g>'
        f'<rect class="now t{number}" x="{x + 2}" y="{y + 2}" width="{SQUARE - 4}" height="{SQUARE - 4}"/>'
        f'<text class="words then t{number}" x="{MARGIN}" y="{SIZE + 24}">{escape(frame.words)}</text>'
    )


def _frame(step: Step, position: Position) -> Frame:
    name = name_of(step.square)
    if step.kind == "visit":
        asked = f", asked {step.questions} times" if step.questions > 1 else ""
        return Frame(_seen(step.square), step.square, f"visits {name}: {_content_of(position, step.square)}{asked}")
    if step.kind == "look-up":
        many = "one square" if len(step.targets) == 1 else f"{len(step.targets)} squares"
        return Frame("".join(map(_found, step.targets)), step.square, f"looks up {name}: {many} at once")
    assert step.move is not None, "a move stored"
    move = Move(step.move).uci(position.chess960)
    if step.kept:
        return Frame(_kept(step.square), step.square, f"stores {move}")
    return Frame(_lost(step.square), step.square, f"writes {move}; the next move is written over it")


def _content_of(position: Position, square: int) -> str:
    """Return the content of a square: "own N", "enemy p" or "empty"."""
    piece = position.piece_at(square)
    if piece is None:
        return "empty"
    color, kind = piece
    return f"{'own' if color is position.turn else 'enemy'} {piece_letter(color, kind)}"


def _corner(square: int) -> tuple[int, int]:
    return MARGIN + SQUARE * (square % 8), MARGIN + SQUARE * (7 - square // 8)


def _seen(square: int) -> str:
    x, y = _corner(square)
    return f'<circle class="seen" cx="{x + 9}" cy="{y + 9}" r="4.5"/>'


def _kept(square: int) -> str:
    x, y = _corner(square)
    return f'<circle class="kept" cx="{x + 35}" cy="{y + 35}" r="6.5"/>'


def _lost(square: int) -> str:
    x, y = _corner(square)
    return f'<path class="lost" d="M{x + 30} {y + 5}l10 10m0-10l-10 10"/>'


def _found(square: int) -> str:
    x, y = _corner(square)
    return f'<rect class="found" x="{x + 5}" y="{y + 5}" width="35" height="35"/>'


def _legend() -> Iterator[str]:
    """Yield the marks with their meanings."""
    y = SIZE + 54
    yield f'<circle class="seen" cx="{MARGIN + 5}" cy="{y - 5}" r="4.5"/>'
    yield f'<text class="key" x="{MARGIN + 15}" y="{y}">visited</text>'
    yield f'<rect class="found" x="{MARGIN + 78}" y="{y - 12}" width="14" height="14"/>'
    yield f'<text class="key" x="{MARGIN + 98}" y="{y}">looked up</text>'
    yield f'<circle class="kept" cx="{MARGIN + 178}" cy="{y - 5}" r="6.5"/>'
    yield f'<text class="key" x="{MARGIN + 190}" y="{y}">stored</text>'
    yield f'<path class="lost" d="M{MARGIN + 248} {y - 10}l10 10m0-10l-10 10"/>'
    yield f'<text class="key" x="{MARGIN + 264}" y="{y}">overwritten</text>'
