"""Tables of positions and counts, as spreadsheets and other tools write them.

    fen,depth,nodes            FEN,D1,D2,D3            FEN;depth;nodes            FEN depth nodes
    FEN,1,20                   FEN,20,400,8902         FEN;1;20                   FEN 1 20

Cells are separated by commas, semicolons, tabs or bars, and may stand in quotes. A head names the columns; without one
a row has a FEN, perhaps a name, and numbers (see `rows`). Rows of one position that follow each other are one case.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import NamedTuple

from .case import Problem
from .columns import DEPTH, EMPTY, FEN, KNOWN, NAME, NODES, PURPOSE, depth_of, is_fen_name, roles_of
from .rows import WORDS, NumberedLine, Row, as_lines, is_number

_SEPARATORS = ",;\t|"
_OPERATION_SEPARATORS = ";\t"
"""What may also stand before an operation of an EPD line."""
_FOUR_FIELDS = r"[^\s,;|\"'`{}()\[\]]*/[^\s,;|]*\s+[wb]\s+[^\s,;|]+\s+[^\s,;|\"'`{}()\[\]]+"
_FEN = re.compile(rf"{_FOUR_FIELDS}(?:\s+\d+\s+\d+)?")
_WORDS = re.compile(rf" *({_FOUR_FIELDS})((?: +\d[\d,_]*){{3,}}) *")
_IN_BRACKETS = re.compile(r"[^\"'/]*[\[{(]\s*[\"'`\[{(]")
"""The beginning of a line of source code."""
_NAMED_COUNT = re.compile(r"[dD](\d{1,2})\s*[\s:=]\s*(\S+)")
_RULE = re.compile(r":?-+:?")
"""A cell of the line below the head of a table in Markdown."""
_EXCEL = re.compile(r'"?sep=[,;\t|]"?', re.IGNORECASE)


class _Head(NamedTuple):
    """The first row of a table, which names its columns."""

    separator: str
    names: list[str]
    roles: list[str]


def is_row(line: str) -> bool:
    """Return True if a line is a row of a table, or its head."""
    if _EXCEL.fullmatch(line) or _WORDS.fullmatch(line):
        return True
    return _names_of(line) is not None or _cells_of(line) is not None


def as_epd_lines(
    lines: Iterable[NumberedLine], chess960: bool | None, problems: list[Problem]
) -> Iterator[NumberedLine]:
    """Yield the lines of a table as EPD, what is no row of it as it is. Add bad rows to the problems."""
    return as_lines(_rows(lines, problems), chess960, problems)


def _rows(lines: Iterable[NumberedLine], problems: list[Problem]) -> Iterator[Row]:
    rest = iter(lines)
    first = [one for one in islice(rest, 1) if not _EXCEL.fullmatch(one[1])] or list(islice(rest, 1))
    head: _Head | None = None
    if first and (found := _names_of(first[0][1])) is not None:
        separator, names = found
        try:
            head = _Head(separator, names, _check_counts(roles_of(names)))
        except ValueError as error:
            problems.append(Problem(first[0][0], f"the columns of the table: {error}"))
            return
    for number, line in rest if head else chain(first, rest):
        try:
            row = _read_named(number, line, head) if head else _read_unnamed(number, line)
        except ValueError as error:
            problems.append(Problem(number, str(error)))
        else:
            if row is not None:
                yield row


def _check_counts(roles: list[str]) -> list[str]:
    """Return what columns stand for. Raises ValueError for depths without counts, and counts without depths."""
    if (DEPTH in roles) != (NODES in roles):
        there, missing = ("depth", "nodes") if DEPTH in roles else ("nodes", "depth")
        raise ValueError(f"there is one for the {there} and none for the {missing}; known are {KNOWN}")
    return roles


def _names_of(line: str) -> tuple[str, list[str]] | None:
    """Return the separator and the names of columns, None if a line is no head of a table."""
    if "/" in line:
        return None
    for separator, cells in _ways_to_divide(line):
        if any(map(is_fen_name, cells)):
            return separator, cells
    return None


def _ways_to_divide(line: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the separators that a line has, with its cells."""
    for separator in _SEPARATORS:
        if separator in line:
            with suppress(ValueError):
                yield separator, _cells(line, separator)


def _cells(line: str, separator: str) -> list[str]:
    """Return the cells of a line. Raises ValueError if a quote is not closed."""
    if separator == "|":  # as in Markdown
        line = line.strip().removeprefix("|").removesuffix("|")
    try:
        cells = next(csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True), [])
    except csv.Error:
        raise ValueError("a cell has a quote that is not closed, or text after it") from None
    return [_unquoted(cell.strip()) for cell in cells]


def _unquoted(cell: str) -> str:
    return cell[1:-1].strip() if len(cell) > 1 and cell[0] == cell[-1] == "'" else cell


def _cells_of(line: str) -> list[str] | None:
    """Return the cells of a line, one of which is a FEN; None if it has none."""
    if _IN_BRACKETS.match(line):
        return None
    for separator, cells in _ways_to_divide(line):
        fens = [place for place, cell in enumerate(cells) if _FEN.fullmatch(cell)]
        following = cells[fens[0] + 1] if fens and fens[0] + 1 < len(cells) else ""
        if fens and (separator not in _OPERATION_SEPARATORS or is_number(following)):
            return cells
    return None


def _read_named(number: int, line: str, head: _Head) -> Row | None:
    """Read a line below the header of a table; return None for an empty one. Raises ValueError."""
    if head.separator not in line:
        return Row(number, line, is_row=False)
    cells = _cells(line, head.separator)
    if all(not cell or _RULE.fullmatch(cell) for cell in cells):
        return None
    for place, cell in enumerate(cells, 1):
        if cell and (place > len(head.roles) or head.roles[place - 1] == EMPTY):
            raise ValueError(f"field {place}, {cell!r}, is in no column that has a name")
    said = list(zip(head.roles, cells, strict=False))
    counts = [(str(depth), cell) for role, cell in said if cell and (depth := depth_of(role)) is not None]
    if DEPTH in head.roles:
        known = dict(said)
        counts.append((known.get(DEPTH, ""), known.get(NODES, "")))
    return Row(number, _joined(said, FEN), _joined(said, NAME), _joined(said, PURPOSE), tuple(counts))


def _joined(said: Sequence[tuple[str, str]], wanted: str) -> str:
    return " ".join(cell for role, cell in said if role == wanted and cell)


def _read_unnamed(number: int, line: str) -> Row | None:
    """Return a line as a row of a table without a head; one that is none as it is. Raises ValueError."""
    if (words := _WORDS.fullmatch(line)) is not None:
        return Row(number, words[1], numbers=tuple(words[2].split()), where=WORDS)
    cells = _cells_of(line)
    return Row(number, line, is_row=False) if cells is None else _read_cells(number, cells)


def _read_cells(number: int, cells: list[str]) -> Row:
    """Return cells as a row: a FEN, numbers, and text that is a name. Raises ValueError."""
    row = {FEN: "", NAME: ""}
    numbers, counts, is_over = list[str](), list[tuple[str, str]](), False
    for place, cell in enumerate(cells, 1):
        role = FEN if _FEN.fullmatch(cell) else NAME
        if (count := _NAMED_COUNT.fullmatch(cell)) is not None:
            counts.append((count[1], count[2]))
        elif is_number(cell) and row[FEN] and not is_over:
            numbers.append(cell)
        elif cell and not row[role] and not numbers and cell[0].isalnum() and not is_number(cell):
            row[role] = cell
        elif cell:
            raise ValueError(f"field {place}, {cell!r}, is not understood: add a head such as fen,depth,nodes")
        else:
            is_over = bool(numbers)
    return Row(number, row[FEN], row[NAME], counts=tuple(counts), numbers=tuple(numbers))
