"""Read tables of positions and counts as written by spreadsheets and other tools.

    fen,depth,nodes            FEN;D1;D2;D3            id | fen | depth | nodes

Cells are separated by commas, semicolons, tabs or bars, and may be quoted. The first line is a header that names the
columns. Consecutive rows of the same position form one case.
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
    NumberedLine,
    Row,
    as_lines,
    depth_of,
    is_fen_name,
    roles_of,
)

_SEPARATORS = ",;\t|"
_FEN = r"[^\s/,;|]*(?:/[^\s/,;|]*)+\s+[wb]\s+[^\s,;|]+\s+[^\s,;|]+"
_NUMBER = r"\d[\d,_]*"
_HEADERLESS_ROW = re.compile(
    rf"(?:[^/\",;\t|]*[,;\t|]\s*)?[\"']?{_FEN}"
    rf"(?:(?: +\d+ +\d+)?[\"']?\s*[,;\t|]\s*{_NUMBER}\s*(?:[,;\t|].*)?|(?: +{_NUMBER}){{3,}} *)"
)
"""A position, possibly after a name, and numbers that may be depths or counts."""
HEADERLESS = "a table without a header: add one such as fen,depth,nodes, or write the counts as FEN ;D1 20 ;D2 400"
"""The message about such a row."""
_RULE = re.compile(r":?-+:?")
"""A cell of the line below the header of a Markdown table."""
_EXCEL = re.compile(r'"?sep=[,;\t|]"?', re.IGNORECASE)


class _Header(NamedTuple):
    """The first row of a table, which names the columns."""

    separator: str
    names: list[str]
    roles: list[str]


def is_header(line: str) -> bool:
    """Return True if a table begins with a line."""
    return _EXCEL.fullmatch(line) is not None or _names_of(line) is not None


def is_headerless_row(line: str) -> bool:
    """Return True if a line is a row that can only be understood with a header."""
    return _HEADERLESS_ROW.fullmatch(line) is not None


def as_epd_lines(lines: Iterable[NumberedLine], problems: list[Problem]) -> Iterator[NumberedLine]:
    """Yield rows as EPD lines, and other lines unchanged. Append errors to `problems`."""
    return as_lines(_rows(lines, problems))


def _rows(lines: Iterable[NumberedLine], problems: list[Problem]) -> Iterator[Row]:
    rest = iter(lines)
    first = [one for one in islice(rest, 1) if not _EXCEL.fullmatch(one[1])] or list(islice(rest, 1))
    found = _names_of(first[0][1]) if first else None
    if found is None:  # only a line such as sep=; came before
        yield from (Row(number, line, is_row=False) for number, line in chain(first, rest))
        return
    separator, names = found
    try:
        header = _Header(separator, names, _check_counts(roles_of(names)))
    except ValueError as error:
        problems.append(Problem(first[0][0], f"the columns of the table: {error}"))
        return
    for number, line in rest:
        try:
            row = _read_row(number, line, header)
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


def _read_row(number: int, line: str, header: _Header) -> Row | None:
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
