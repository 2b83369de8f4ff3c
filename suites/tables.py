"""Read tables of positions and counts as written by spreadsheets and other tools.

    fen,depth,nodes            FEN,D1,D2,D3            FEN;depth;nodes            FEN depth nodes
    FEN,1,20                   FEN,20,400,8902         FEN;1;20                   FEN 1 20

Cells are separated by commas, semicolons, tabs or bars, and may be quoted. A header names the columns. Without a
header, a row consists of a FEN, an optional name, and numbers (see `rows`). Consecutive rows of the same position form
one case.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import NamedTuple

from .case import Problem
from .rows import (
    DEPTH,
    EMPTY,
    FEN,
    KNOWN,
    NAME,
    NODES,
    PURPOSE,
    WORDS,
    NumberedLine,
    Row,
    as_lines,
    depth_of,
    is_fen_name,
    is_number,
    roles_of,
)

_SEPARATORS = ",;\t|"
_OPERATION_SEPARATORS = ";\t"
"""Separators that may also precede an operation on an EPD line."""
_FOUR_FIELDS = r"[^\s,;|\"'`{}()\[\]]*/[^\s,;|]*\s+[wb]\s+[^\s,;|]+\s+[^\s,;|\"'`{}()\[\]]+"
_FEN = re.compile(rf"{_FOUR_FIELDS}(?:\s+\d+\s+\d+)?")
_WORDS = re.compile(rf" *({_FOUR_FIELDS})((?: +\d[\d,_]*){{3,}}) *")
_NAMED_COUNT = re.compile(r"[dD](\d{1,2})\s*[\s:=]\s*(\S+)")
_RULE = re.compile(r":?-+:?")
"""A cell of the line below the header of a Markdown table."""
_EXCEL = re.compile(r'"?sep=[,;\t|]"?', re.IGNORECASE)


class _Header(NamedTuple):
    """The first row of a table, which names the columns."""

    separator: str
    names: list[str]
    roles: list[str]


def is_row(line: str) -> bool:
    """Return True if a line is a row of a table, or its header."""
    if _EXCEL.fullmatch(line) or _WORDS.fullmatch(line):
        return True
    return _names_of(line) is not None or _cells_of(line) is not None


def as_epd_lines(
    lines: Iterable[NumberedLine], chess960: bool | None, problems: list[Problem]
) -> Iterator[NumberedLine]:
    """Yield rows as EPD lines, and other lines unchanged. Append errors to `problems`."""
    return as_lines(_rows(lines, problems), chess960, problems)


def _rows(lines: Iterable[NumberedLine], problems: list[Problem]) -> Iterator[Row]:
    rest = iter(lines)
    first = [one for one in islice(rest, 1) if not _EXCEL.fullmatch(one[1])] or list(islice(rest, 1))
    header: _Header | None = None
    if first and (found := _names_of(first[0][1])) is not None:
        separator, names = found
        try:
            header = _Header(separator, names, _check_counts(roles_of(names)))
        except ValueError as error:
            problems.append(Problem(first[0][0], f"the columns of the table: {error}"))
            return
    for number, line in rest if header else chain(first, rest):
        try:
            row = _read_named(number, line, header) if header else _read_unnamed(number, line)
        except ValueError as error:
            problems.append(Problem(number, str(error)))
        else:
            if row is not None:
                yield row


def _check_counts(roles: list[str]) -> list[str]:
    """Return the roles. Raises ValueError if there is a depth column but no count column, or vice versa."""
    if (DEPTH in roles) != (NODES in roles):
        there, missing = ("depth", "nodes") if DEPTH in roles else ("nodes", "depth")
        raise ValueError(f"there is a {there} column but no {missing} column; known are {KNOWN}")
    return roles


def _names_of(line: str) -> tuple[str, list[str]] | None:
    """Return the separator and the names of a header, or None if a line is not a header."""
    if "/" in line:
        return None
    for separator, cells in _possible_splits(line):
        if any(map(is_fen_name, cells)):
            return separator, cells
    return None


def _possible_splits(line: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each separator in a line, with the resulting cells."""
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
    """Return the cells of a line, or None if none of them is a FEN."""
    for separator, cells in _possible_splits(line):
        fens = [place for place, cell in enumerate(cells) if _FEN.fullmatch(cell)]
        following = cells[fens[0] + 1] if fens and fens[0] + 1 < len(cells) else ""
        if fens and (separator not in _OPERATION_SEPARATORS or is_number(following)):
            return cells
    return None


def _read_named(number: int, line: str, header: _Header) -> Row | None:
    """Return a line below a header as a row, or None if the line is empty. Raises ValueError."""
    if header.separator not in line:
        return Row(number, line, is_row=False)
    cells = _cells(line, header.separator)
    if all(not cell or _RULE.fullmatch(cell) for cell in cells):
        return None
    for place, cell in enumerate(cells, 1):
        if cell and (place > len(header.roles) or header.roles[place - 1] == EMPTY):
            raise ValueError(f"field {place}, {cell!r}, is in a column without a name")
    fields = list(zip(header.roles, cells, strict=False))
    counts = [(str(depth), cell) for role, cell in fields if cell and (depth := depth_of(role)) is not None]
    if DEPTH in header.roles:
        known = dict(fields)
        counts.append((known.get(DEPTH, ""), known.get(NODES, "")))
    return Row(number, _joined(fields, FEN), _joined(fields, NAME), _joined(fields, PURPOSE), tuple(counts))


def _joined(fields: Sequence[tuple[str, str]], wanted: str) -> str:
    return " ".join(cell for role, cell in fields if role == wanted and cell)


def _read_unnamed(number: int, line: str) -> Row | None:
    """Return a line of a table without a header as a row. Raises ValueError.

    A line that is not a row is kept unchanged, with `is_row` set to False.
    """
    if (words := _WORDS.fullmatch(line)) is not None:
        return Row(number, words[1], numbers=tuple(words[2].split()), where=WORDS)
    cells = _cells_of(line)
    return Row(number, line, is_row=False) if cells is None else _read_cells(number, cells)


def _read_cells(number: int, cells: list[str]) -> Row:
    """Return cells (a FEN, a name, and numbers) as a row. Raises ValueError."""
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
            raise ValueError(f"field {place}, {cell!r}, is not understood: add a header such as fen,depth,nodes")
        else:
            is_over = bool(numbers)
    return Row(number, row[FEN], row[NAME], counts=tuple(counts), numbers=tuple(numbers))
