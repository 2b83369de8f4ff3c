"""Convert positions and counts in JSON or JSON Lines to rows.

    {"fen": FEN, "depth": 2, "nodes": 400}     {"name": NAME, "fen": FEN, "d1": 20, "d2": 400}
    {"fen": FEN, "counts": [20, 400]}          {"fen": FEN, "results": [{"depth": 2, "nodes": 400}]}
    {"FEN": [20, 400]}                         ["FEN ;D1 20 ;D2 400", ...]

Every field of a record, and every item of a list, must be understood, because an ignored one could be a position. A
list of counts begins at depth 1, or at depth 0 with a 1, and must contain the number of legal moves at depth 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..errors import shorten
from ..generator.position import Position, read_fen
from .case import Problem
from .epd import value_of
from .rows import (
    DEPTH,
    EMPTY,
    FEN,
    IGNORED,
    KNOWN,
    NAME,
    NODES,
    PURPOSE,
    NumberedLine,
    Row,
    as_lines,
    depth_of,
    is_depth,
    is_fen_name,
    is_number,
    roles_of,
)

HINT = "write it as EPD lines, FEN ;D1 20"
_FEN = re.compile(r"[^\s/]*(?:/[^\s/]*){4,}\s+[wb]\b")
_SPACE = re.compile(r"\s*")
_LONGEST_QUOTE = 60
_Counts = list[tuple[str, str]]


class _UnclearError(ValueError):
    """Raised for a value that is not understood."""


def is_json(first_line: str) -> bool:
    """Return True if a text with this first line is JSON or JSON Lines."""
    return first_line.startswith(("{", "["))


def as_epd_lines(text: str, chess960: bool | None, problems: list[Problem]) -> Iterator[NumberedLine]:
    """Yield the positions in JSON as EPD lines, and append errors to `problems`."""
    return as_lines(_all_rows(text, chess960, problems))


def _all_rows(text: str, chess960: bool | None, problems: list[Problem]) -> Iterator[Row]:
    reader = _Reader(text, chess960)
    try:
        rows = [row for value in _documents(text) for row in reader.rows(value)]
    except json.JSONDecodeError as error:
        problems.append(Problem(error.lineno, f"invalid JSON: {error.msg}"))
    except (_UnclearError, RecursionError) as error:
        problems.append(Problem(reader.line, str(error)))
    else:
        yield from rows


def _documents(text: str) -> Iterator[object]:
    """Yield the values in a text, which may be written one after another as in JSON Lines."""
    decoder = json.JSONDecoder(object_pairs_hook=_object)
    at = _end_of_space(text, 0)
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value
        at = _end_of_space(text, at)


def _end_of_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _object(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """Return an object. Reject duplicate keys, because `json` would silently keep only the last value."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _UnclearError(f"the key {key!r} occurs twice in the same object")
        found[key] = value
    return found


def _is_fen(value: object) -> bool:
    return isinstance(value, str) and _FEN.match(value.strip()) is not None


def _unclear(value: object, where: str) -> _UnclearError:
    return _UnclearError(f"{shorten(json.dumps(value), _LONGEST_QUOTE)!r} {where} is not understood: {HINT}")


class _Reader:
    """Reads rows from the decoded values of a JSON text, in the order of the file."""

    def __init__(self, text: str, chess960: bool | None) -> None:
        self._text = text.replace("\\/", "/")
        self._chess960 = chess960
        self._at = 0
        self.line = 1
        """The line of the latest position."""

    def _line_of(self, fen: str) -> int:
        """Return the line number of a position, which comes after all positions that were looked up before."""
        if (at := self._text.find(fen, self._at)) >= 0:
            self.line += self._text.count("\n", self._at, at)
            self._at = at
        return self.line

    def rows(self, value: object) -> Iterator[Row]:
        """Yield the rows of a value. Raises _UnclearError."""
        if isinstance(value, str) and _is_fen(value):  # an EPD line
            yield Row(line=self._line_of(value), fen=value.strip())
        elif isinstance(value, dict):
            yield from self._rows_of_object(value)
        elif isinstance(value, list):
            for item in value:
                found = list(self.rows(item))
                if not found:
                    raise _unclear(item, "next to positions")
                yield from found
        else:
            raise _unclear(value, "next to positions")

    def _rows_of_object(self, value: Mapping[str, Any]) -> Iterator[Row]:
        """Yield the rows of a record, of an object whose keys are FENs, or of an object that contains them."""
        if any(map(_is_fen, value)):
            for key, counts in value.items():
                if not _is_fen(key):
                    raise _unclear({key: counts}, "next to positions")
                listed = counts if isinstance(counts, list | dict) else [counts]
                yield self._record({FEN: key, **(listed if isinstance(listed, dict) else {NODES: listed})})
        elif any(map(is_fen_name, value)):
            yield self._record(value)
        elif any(map(_is_fen, value.values())):
            raise _unclear(value, "with a FEN")
        else:
            for item in value.values():
                if isinstance(item, dict | list):
                    yield from self.rows(item)

    def _record(self, record: Mapping[str, Any]) -> Row:
        """Return an object with a FEN as a row."""
        try:
            roles = roles_of(list(record))
        except ValueError as error:
            raise _UnclearError(f"the keys of a record: {error}") from None
        texts: dict[str, list[str]] = {role: [] for role in (FEN, NAME, PURPOSE, DEPTH)}
        counts: _Counts = []
        numbers: tuple[str, ...] = ()
        total = ""
        for (key, value), role in zip(record.items(), roles, strict=True):
            depth, text = depth_of(role), _text_of(value)
            if role == IGNORED or (value is None and role in (NAME, PURPOSE, EMPTY)):
                continue
            if role == NODES and isinstance(value, list | dict):
                more, numbers = _counts_of(value)
                counts += more
            elif text is None or role == EMPTY or (role == FEN and not _is_fen(value)):
                raise _unclear({key: value}, "next to a FEN")
            elif role == NODES:
                total = text
            elif depth is not None:
                counts.append((str(depth), text))
            else:
                texts[role].append(text)
        line = self._line_of(record[next(key for key, role in zip(record, roles, strict=True) if role == FEN)])
        depths = "".join(texts[DEPTH])
        if numbers and depths not in ("", str(len(numbers))):
            raise _UnclearError(f"depth {depths} does not match {len(numbers)} counts: {HINT}")
        if not numbers and (depths or total):
            if not (depths and total):
                raise _UnclearError(f"a record has no {'nodes' if depths else 'depth'!r}; known are {KNOWN}")
            counts.append((depths, total))
        fen, name, purpose = (" ".join(texts[role]) for role in (FEN, NAME, PURPOSE))
        if numbers:
            first = _first_depth(numbers, fen.strip(), self._chess960)
            counts += ((str(depth), nodes) for depth, nodes in enumerate(numbers, first))
        return Row(line, fen.strip(), name, purpose, tuple(counts))


def _first_depth(numbers: Sequence[str], fen: str, chess960: bool | None) -> int:
    """Return the depth, 1 or 0, of the first of the counts of a position. Raises _UnclearError."""
    position = read_fen(fen, chess960)
    if not isinstance(position, Position):  # reported when the position is read
        return 1
    moves, counts = len(position.legal_moves), list(map(value_of, numbers[:2]))
    possible = [depth for depth in (1, 0) if counts[: 2 - depth] == [1, moves][depth:]]
    if len(possible) == 1:
        return possible[0]
    listed = ", ".join(numbers)
    hint = 'name the depths, as in {"fen": ..., "d1": 20, "d2": 400}'
    if possible:
        raise _UnclearError(f"[{listed}] may begin at depth 0 or 1: {hint}")
    raise _UnclearError(f"[{listed}] are not counts from depth 1, which has {moves:,} nodes: {hint}")


def _text_of(value: object) -> str | None:
    """Return a string or whole number as text, or None for any other value."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def _number(value: object) -> str:
    text = _text_of(value)
    if text is None or not is_number(text):
        raise _unclear(value, "among counts")
    return text


def _counts_of(value: list[Any] | dict[str, Any]) -> tuple[_Counts, tuple[str, ...]]:
    """Return the counts at given depths, and the counts without a depth, of a list or of an object."""
    if isinstance(value, dict):
        try:
            depths = [depth_of(role) for role in roles_of(list(value))]
        except ValueError:
            raise _unclear(value, "next to a FEN") from None
        if None in depths:
            raise _unclear(value, "next to a FEN")
        return [(str(depth), _number(nodes)) for depth, nodes in zip(depths, value.values(), strict=True)], ()
    if not any(isinstance(item, dict) for item in value):
        return [], tuple(map(_number, value))
    return list(map(_pair, value)), ()


def _pair(item: object) -> tuple[str, str]:
    """Return the depth and the count in an object with these keys."""
    try:
        by_role = dict(zip(roles_of(list(item)), item.values(), strict=True)) if isinstance(item, dict) else {}
    except ValueError:
        by_role = {}
    if by_role.keys() != {DEPTH, NODES} or not is_depth(str(by_role[DEPTH])):
        raise _unclear(item, "among counts")
    return str(by_role[DEPTH]), _number(by_role[NODES])
