"""Tables of positions and counts, as spreadsheets and other tools write them, as the lines of EPD that they mean.

    fen,depth,nodes            FEN,D1,D2,D3            FEN;depth;nodes            FEN depth nodes
    FEN,1,20                   FEN,20,400,8902         FEN;1;20                   FEN 1 20

Cells are separated by commas, semicolons, tabs or bars, and may stand in quotes. A head names the columns; without one
there are a FEN, a depth and a count. Rows of one position that follow each other are one case.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from typing import NamedTuple

from .epd import quote

NumberedLine = tuple[int, str]
_HEAD = re.compile(r'\s*"?(?:fen|epd|position|id|name)"?\s*([,;\t|])', re.IGNORECASE)
_FEN_COLUMNS, _NAME_COLUMNS, _DEPTH_COLUMNS = {"fen", "epd", "position"}, {"id", "name"}, {"depth", "d", "ply", "plies"}
_COUNT_COLUMNS = {"nodes", "count", "perft", "leaves", "leaf nodes", "expected", "result"}
_COUNT_AT_DEPTH = re.compile(r"(?:d|depth|perft|ply)[ _-]?\(?(\d{1,2})\)?")
_FIELDS = r"[^\s,;|]*/[^\s,;|]*\s+[wb]\s+\S+\s+[^\s,;|]+"
_DEPTH = "(?:1[0-5]|0?[1-9])"
"""A deeper count than that is rather a number of nodes, in a table without a head: FEN,20,400."""
_ROW = re.compile(rf'\s*"?{_FIELDS}(?:\s+\d+\s+\d+)?"?\s*([,;\t|])\s*"?{_DEPTH}"?\s*\1\s*"?\d[\d,_]*"?\s*\1?\s*')
_WORDS = re.compile(rf" *({_FIELDS} +\d+ +\d+) +({_DEPTH}) +(\d[\d,_]*) *")


class _Columns(NamedTuple):
    """Where a row has what."""

    separator: str
    fen: int = 0
    depth: int | None = 1
    nodes: int | None = 2
    name: int | None = None
    counts: tuple[tuple[int, int], ...] = ()
    """Columns with the count at a depth."""


class _Row(NamedTuple):
    """What a line says, as parts of an EPD line."""

    number: int
    fen: str
    name: str
    operations: list[str]


def is_row(line: str) -> bool:
    """Tell whether a line is a row of a table, or its head."""
    return any(pattern.match(line) for pattern in (_HEAD, _ROW, _WORDS))


def as_epd_lines(lines: Iterable[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield numbered lines, those of a table as EPD. What is no row of it stays as it is."""
    rest = iter(lines)
    first = list(islice(rest, 1))
    if not first or not is_row(first[0][1]):
        yield from chain(first, rest)
        return
    columns = _read_head(first[0][1])
    rows = (_read(number, line, columns) for number, line in (rest if columns else chain(first, rest)))
    for _, alike in groupby(rows, key=lambda row: (row.fen, row.name) if row.operations else row.number):
        group = list(alike)
        name = [f"id {quote(group[0].name)}"] if group[0].name else []
        operations = [one for row in group for one in row.operations]
        yield group[0].number, " ;".join([group[0].fen, *operations, *name])


def _read_head(line: str) -> _Columns | None:
    """Return what the columns of a table are, None where the line is no head of one."""
    match = _HEAD.match(line)
    if match is None:
        return None
    names = [cell.strip().casefold() for cell in _cells(line, match[1])]
    counts = ((place, _COUNT_AT_DEPTH.fullmatch(name)) for place, name in enumerate(names))
    return _Columns(
        match[1],
        _place(names, _FEN_COLUMNS) or 0,
        _place(names, _DEPTH_COLUMNS),
        _place(names, _COUNT_COLUMNS),
        _place(names, _NAME_COLUMNS),
        tuple((place, int(found[1])) for place, found in counts if found),
    )


def _place(names: list[str], wanted: set[str]) -> int | None:
    return next((place for place, name in enumerate(names) if name in wanted), None)


def _cells(line: str, separator: str) -> list[str]:
    return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])


def _read(number: int, line: str, columns: _Columns | None) -> _Row:
    """Return a line as a row; one that is none has no operations."""
    if columns is None and (words := _WORDS.fullmatch(line)):
        return _Row(number, words[1], "", [f"D{words[2]} {words[3]}"])
    if columns is None and (row := _ROW.fullmatch(line)):
        columns = _Columns(row[1])
    if columns is None or columns.separator not in line:
        return _Row(number, line, "", [])
    cells = [cell.strip() for cell in _cells(line, columns.separator)] + [""] * 3
    counts = [f"D{depth} {cells[place]}" for place, depth in columns.counts if place < len(cells) and cells[place]]
    if columns.depth is not None and columns.nodes is not None and max(columns.depth, columns.nodes) < len(cells):
        depth = cells[columns.depth]
        counts.append(f"{'D' if depth.isdecimal() else 'depth '}{depth} {cells[columns.nodes]}")
    name = "" if columns.name is None or columns.name >= len(cells) else cells[columns.name]
    return _Row(number, cells[columns.fen] if columns.fen < len(cells) else "", name, counts)
