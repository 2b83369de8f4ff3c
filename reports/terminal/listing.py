"""What is listed: the moves of a position by GenTypes, the walk of a technique, and the options of a command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from ...generator.types.moves import Move
from ...generator.types.pieces import piece_letter
from ...generator.types.squares import name_of
from ...harness.model.results.listing import ConfigurationShown, InForce, Listed, MoveListing
from ..text import count, whole
from .parts.board import board_text
from .parts.table import ReportTable

if TYPE_CHECKING:
    from ...generator.position import Position
    from ...generator.techniques.technique import Technique
    from ...generator.techniques.tracing import Step, Trace


def render(listed: Listed) -> RenderableType:
    """Return the FEN, then for each GenType a board and the moves."""
    parts: list[RenderableType] = [whole(listed.fen)]
    if listed.oddities:
        parts.append(Text(f"no game leads here: {'; '.join(listed.oddities)}", style="yellow"))
    for listing in listed.lists:
        parts += ["", _listing(listed.fen, listing)]
    return Group(*parts)


def _listing(fen: str, listing: MoveListing) -> RenderableType:
    """Return the board with the landing squares marked, and a row for each move, the highest value first."""
    marks = {move.landing: "green" for move in listing.moves if move.san is not None}
    marks |= {move.landing: "yellow" for move in listing.moves if move.san is None}
    table = ReportTable()
    table.add_columns("move", "SAN")
    table.add_columns("value", justify="right")
    for move in listing.moves:
        table.add_row(move.uci, move.san or "leaves the king in check", str(move.value) if move.value else "")
    title = Text(f"{listing.title}: {count(len(listing.moves), 'move')}", style="bold")
    return Group(title, board_text(fen, marks), table)


_MOST_SQUARES = 8


def walk_table(trace: Trace, position: Position) -> ReportTable:
    """Return a row for each square visited and each look-up, with the moves stored until the next one."""
    table = ReportTable(ruled=True)
    table.add_columns("step", justify="right")
    table.add_columns("square")
    table.add_columns("what is there")
    table.add_columns("asked", justify="right", turn=1)
    table.add_columns("moves stored")
    for number, (step, stores) in enumerate(_group(trace.steps), 1):
        table.add_row(str(number), *_cells(step, position), _render_stores(stores, position.chess960))
    return table


def _group(steps: tuple[Step, ...]) -> list[tuple[Step | None, list[Step]]]:
    """Return visits and look-ups, each with the moves stored before the next one; tests are left out."""
    steps = tuple(step for step in steps if step.kind != "test")
    starts = [place for place, step in enumerate(steps) if step.kind != "store"]
    groups: list[tuple[Step | None, list[Step]]] = []
    if not starts or starts[0] > 0:
        groups.append((None, list(steps[: starts[0] if starts else len(steps)])))
    for first, end in pairwise([*starts, len(steps)]):
        groups.append((steps[first], list(steps[first + 1 : end])))
    return [(step, stores) for step, stores in groups if step is not None or stores]


def _cells(step: Step | None, position: Position) -> tuple[str | Text, str, str]:
    if step is None:
        return "", "", ""
    if step.kind == "visit":
        return name_of(step.square), content_of(position, step.square), str(step.questions)
    found = [name_of(square) for square in step.targets]
    shown = ", ".join(found[:_MOST_SQUARES]) + (", ..." if len(found) > _MOST_SQUARES else "")
    what = f"looked up: {len(found)} {'square' if len(found) == 1 else 'squares'}"
    return Text(name_of(step.square), style="bold"), f"{what} {shown}".rstrip(), ""


def content_of(position: Position, square: int) -> str:
    """Return what stands on a square: "own N", "enemy p" or "empty"."""
    piece = position.piece_at(square)
    if piece is None:
        return "empty"
    color, kind = piece
    return f"{'own' if color is position.turn else 'enemy'} {piece_letter(color, kind)}"


def _render_stores(stores: list[Step], chess960: bool) -> Text:
    names = []
    for step in stores:
        assert step.move is not None, "a move stored"
        name = Move(step.move).uci(chess960)
        names.append(Text(name) if step.kept else Text(f"({name})", style="dim"))
    return Text(" ").join(names)


def walk_sum(walk: Trace, technique: Technique) -> str:
    """Return what a walk came to, and what of the moves it leaves to others."""
    parts = [
        f"{count(walk.number('visit'), 'square')} visited, {count(walk.number('look-up'), 'look-up')}, "
        f"{count(walk.number('store'), 'move')} stored"
    ]
    if walk.number("test"):
        parts.append(f"{count(walk.number('test'), 'more square')} visited on boards where moves were tried, not shown")
    if technique.shared:
        parts.append(f"{technique.shared}: by the rules that all share, not shown")
    return "; ".join(parts)


def heading(shown: ConfigurationShown) -> str:
    """Return the line that says which file and profile are in force."""
    profile = f", profile {_printable(shown.profile)}" if shown.profile is not None else ""
    return f"perft-check {shown.command}: {shown.file or 'no configuration file'}{profile}"


def options_table(shown: ConfigurationShown) -> ReportTable:
    """Return the options with their values and sources."""
    table = ReportTable()
    table.add_columns("key", "value", "from")
    for option in shown.options:
        table.add_row(option.key, whole(value_text(option)), option.source)
    return table


def value_text(option: InForce) -> str:
    """Return a value on one line: "-" where it is not set."""
    value = option.value
    if value is None or value == []:
        return "-"
    if isinstance(value, list):
        return ", ".join(_quote(value))
    return str(value).lower() if isinstance(value, bool) else _printable(str(value))


def _quote(texts: list[str]) -> Iterator[str]:
    """Yield texts, in quotes where they could be taken for two."""
    for text in texts:
        yield json.dumps(text) if "," in text else _printable(text)


def _printable(text: str) -> str:
    return text if text.isprintable() and text else json.dumps(text)
