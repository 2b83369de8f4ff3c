"""Small trees: what a perft counts, and how a divide leads to a wrong move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from perft_check.generator import Position, divide, perft
from perft_check.generator.game import Game
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.zoo.engine import ZooEngine

from .svg import document, edge, label

TREE = "8/2p5/K1k5/8/2P5/8/8/8 w - - 0 1"
"""A position with few moves and few replies."""
WRONG, FAULT, WAY = "7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1", "ep-pinned-along", ("h8g8", "b2b4")
"""A position that a fault counts incorrectly, and the path to the wrong move."""
ROW = 24
_STYLE = (
    ".dot{fill:#1b1f24}.off{fill:#fdeeed;stroke:#b3211f;stroke-width:1.5}.way{stroke:#b3211f;stroke-width:2;fill:none}"
    ".number{text-anchor:end}.bad{fill:#b3211f;font-weight:bold}"
)


def draw_pictures() -> Iterator[tuple[str, str]]:
    """Yield the name of each picture and its text."""
    yield "perft.svg", _perft(Position.from_fen(TREE))
    yield "divide.svg", _divide(Position.from_fen(WRONG))


def _perft(root: Position) -> str:
    """Return the tree of two plies: a line for each leaf node."""
    parts: list[str] = []
    row = 0
    middles = []
    for move in root.legal_moves:
        after = root.play_unchecked(move)
        replies = list(after.legal_moves)
        ys = [_y(row + number) for number in range(len(replies))]
        middle = sum(ys) / len(ys)
        middles.append(middle)
        for y, reply in zip(ys, replies, strict=True):
            parts += [edge(240, middle, 330, y), label(340, y, after.san(reply)), _dot(332, y)]
        parts += [label(190, middle, root.san(move)), _dot(242, middle)]
        row += len(replies)
    top = sum(middles) / len(middles)
    parts += [edge(100, top, 182, middle) for middle in middles]
    parts += [label(24, top, "position"), _dot(102, top)]
    heads = [(190, f"perft 1 = {perft(root, 1)}"), (340, f"perft 2 = {perft(root, 2)}")]
    parts += [f'<text class="head" x="{x}" y="28">{text}</text>' for x, text in heads]
    description = f"From a position with {perft(root, 1)} moves, {perft(root, 2)} lines of two moves."
    return document((480, _height(row)), "The tree that perft counts", description, _STYLE, parts)


@dataclass(frozen=True)
class _Column:
    """A divide of both generators, and the row that is followed."""

    head: str
    names: Mapping[str, str]
    ours: Mapping[str, int]
    right: Mapping[str, int]
    followed: str


def _divide(root: Position) -> str:
    """Return the divides of a faulty and a correct generator, side by side, down to the wrong move."""
    columns: list[_Column] = []
    way: list[str] = []
    position = root
    for depth, followed in zip(range(3, 0, -1), (*WAY, ""), strict=True):
        columns.append(_column(position, depth, " ".join(["after", *way]) if way else "root moves", followed))
        if followed:
            move = position.parse_uci(followed)
            way.append(position.san(move))
            position = position.play_unchecked(move)
    parts = [part for number, column in enumerate(columns) for part in _shown(number, column)]
    rows = max(len(column.right) for column in columns)
    description = "The counts differ after Kg8, there after b4, and there the engine does not list cxb3."
    return document(
        (3 * 270 + 20, _height(rows + 1)), "A divide followed down to the wrong move", description, _STYLE, parts
    )


def _column(position: Position, depth: int, head: str, followed: str) -> _Column:
    right = {move.uci(): number for move, number in divide(position, depth).items()}
    ours = ZooEngine(FAULT).divide(Game(position), depth, EngineCall()).counts
    off = followed or next(move for move in right if ours.get(move) != right[move])
    names = {move.uci(): position.san(move) for move in position.legal_moves}
    return _Column(head, names, ours, right, off)


def _shown(number: int, column: _Column) -> Iterator[str]:
    left = 20 + 270 * number
    yield f'<text class="head" x="{left + 10}" y="28">{escape(column.head)}</text>'
    yield _number(left + 155, _y(0), "engine", "soft") + _number(left + 225, _y(0), "right", "soft")
    for row, (move, right) in enumerate(column.right.items(), 1):
        y, count = _y(row), column.ours.get(move)
        is_off = move == column.followed
        if is_off:
            yield f'<rect class="off" x="{left + 2}" y="{y - 12:g}" width="232" height="{ROW}" rx="3"/>'
            if number < 2:
                yield f'<path class="way" d="M{left + 234} {y:g}H{left + 252}V24H{left + 270}"/>'
        yield label(left + 10, y, column.names[move], "bad" if is_off else "")
        yield _number(left + 155, y, "-" if count is None else f"{count:,}", "bad" if is_off else "")
        yield _number(left + 225, y, f"{right:,}", "")


def _y(row: int) -> float:
    return 54 + ROW * row


def _height(rows: int) -> int:
    return round(_y(rows))


def _number(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="number {kind}" x="{x:g}" y="{y + 5:g}">{escape(text)}</text>'


def _dot(x: float, y: float) -> str:
    return f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="3.5"/>'
