"""Rows of tables and JSON: the meaning of names of columns and keys, and of unlabeled numbers.

    FEN,1,20,2,400             pairs of a depth and a count
    FEN,20,400,8902            counts from depth 1
    FEN,1,20,400,8902          counts from depth 0

All rows of a file have the same interpretation: the one that agrees with the number of legal moves in every position.
If no interpretation agrees, or more than one does, the file is rejected. Unknown names are rejected as well, because
they may be important.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice
from types import MappingProxyType
from typing import NamedTuple

from ..generator.position import Position, read_fen
from .case import Problem
from .epd import NUMBER, quote, value_of

FEN, NAME, DEPTH, NODES, PURPOSE, IGNORED, EMPTY = "fen", "name", "depth", "nodes", "comment", "ignored", ""
"""The roles of columns. The role of a column with the counts at one depth is `D` followed by the depth."""

_NAMES: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        FEN: ("fen", "epd"),
        NAME: ("name", "id", "title", "label"),
        DEPTH: ("depth", "d", "ply", "plies", "level"),
        NODES: (
            *("nodes", "count", "counts", "perft", "leaves", "leaf nodes", "expected", "result", "results"),
            *("expected nodes", "node count", "nodecount", "node counts", "perfts"),
        ),
        PURPOSE: ("comment", "comments", "description", "note", "notes", "remark", "purpose"),
        IGNORED: (
            *("captures", "en passant", "ep", "e.p.", "castles", "castlings", "promotions", "checks", "double checks"),
            *("discovery checks", "discovered checks", "checkmates", "mates", "stalemates"),
            *("time", "seconds", "ms", "time ms", "nps", "source", "url", "link", "author"),
        ),
    }
)
_ROLES = {name: role for role, names in _NAMES.items() for name in names}
_POSITION = "position"
"""The name of a column of FENs, or of a column of names if another column contains FENs."""
_AT_DEPTH = re.compile(
    r"(?:(?:d|n|l|depth|level|ply|perft|nodes|count|expected)[ _-]*(?:d|depth)?[ _-]?)?\(?(\d{1,2})\)?"
)
_SPACES = re.compile(r"[\s_-]+")
KNOWN = "fen, depth, nodes, d1, d2 ... for the count at a depth, name, comment"
"""The known names, as listed in messages."""


def normalize(name: str) -> str:
    """Return a name in lower case, without quotes, and with underscores and hyphens replaced by spaces."""
    return _SPACES.sub(" ", name.strip().strip("\"'`").strip().casefold())


def is_fen_name(name: str) -> bool:
    """Return True if a column with this name contains the positions."""
    return normalize(name) in (*_NAMES[FEN], _POSITION)


def depth_of(role: str) -> int | None:
    """Return the depth of a role such as `D3`, or None for other roles."""
    return int(role[1:]) if role.startswith("D") else None


def roles_of(names: Sequence[str]) -> list[str]:
    """Return the role of each name.

    Several columns may contain names, comments or ignored values; all other roles are unique. If a name is unknown or a
    role occurs twice, raises ValueError with a sentence that describes the problem.
    """
    known = [normalize(name) for name in names]
    has_fen = any(name in _NAMES[FEN] for name in known)
    roles = [_role_of(name, has_fen) for name in known]
    unknown = [repr(name.strip()) for name, role in zip(names, roles, strict=True) if role is None]
    if unknown:
        which = f"{', '.join(unknown)} {'are' if len(unknown) > 1 else 'is'} unknown"
        raise ValueError(f"{which}; known are {KNOWN}: rename or remove {'them' if len(unknown) > 1 else 'it'}")
    found = [role for role in roles if role is not None]
    for role in dict.fromkeys(found):
        same = [repr(name.strip()) for name, one in zip(names, found, strict=True) if one == role]
        if len(same) > 1 and role not in (NAME, PURPOSE, IGNORED, EMPTY):
            meaning = {FEN: "the position", DEPTH: "the depth", NODES: "the number of nodes"}.get(
                role, f"depth {role[1:]}"
            )
            raise ValueError(f"{' and '.join(same)} both look like {meaning}: remove or rename all but one")
    return found


def _role_of(name: str, has_fen: bool) -> str | None:
    """Return the role of a normalized name, or None if it is unknown."""
    if name == _POSITION:
        return NAME if has_fen else FEN
    if not name:
        return EMPTY
    if (at_depth := _AT_DEPTH.fullmatch(name)) is not None:
        return f"D{int(at_depth[1])}"
    return _ROLES.get(name)


NumberedLine = tuple[int, str]
FIELDS, WORDS, LIST = "fields", "words", "list"
"""Where numbers are written: in fields of a line, after the words of a FEN, or in a list in JSON."""
SAMPLE = 200
"""Number of rows from which the interpretation is determined."""
_DEPTH = re.compile("1[0-5]|0?[1-9]")
"""A plausible depth; larger numbers are more likely node counts."""
_CLOCKS = 2
_HINTS = {
    FIELDS: "add a header such as fen,depth,nodes or fen,d1,d2",
    WORDS: "separate the fields by commas and add a header such as fen,depth,nodes or fen,d1,d2",
    LIST: 'name the depths, as in {"fen": ..., "d1": 20, "d2": 400}',
}
_Counts = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Row:
    """The fields of a row that describes a position."""

    line: int
    fen: str = ""
    name: str = ""
    purpose: str = ""
    counts: _Counts = ()
    """Depths and node counts, as written."""
    numbers: tuple[str, ...] = ()
    """Numbers whose interpretation depends on the entire file."""
    where: str = FIELDS
    """Where these numbers are written."""
    is_row: bool = True
    """False for a line that is not part of the table, whose text is then in `fen`."""

    def as_epd(self, others: Iterable[Row] = ()) -> str:
        """Return one EPD line for this row and others about the same position."""
        words = [_operation(*count) for row in (self, *others) for count in row.counts]
        if self.name:
            words.append(f"id {quote(self.name)}")
        if self.purpose:
            words.append(f"c0 {quote(self.purpose)}")
        return " ;".join([self.fen, *words]) if self.is_row else self.fen


def _operation(depth: str, nodes: str) -> str:
    return f"D{depth} {nodes}" if depth.isdecimal() else f"depth {depth} {nodes}"


class _Interpretation(NamedTuple):
    """An interpretation of the numbers of a row."""

    first: int | None
    """The depth of the first count, or None if each count follows its depth."""
    clocks: int = 0
    """How many of the numbers belong to the FEN."""

    def read(self, row: Row) -> Row | None:
        """Return a row with its numbers as counts, or None if this interpretation is impossible."""
        clocks, numbers = row.numbers[: self.clocks], row.numbers[self.clocks :]
        if not numbers:
            return None
        counts: _Counts = tuple((str(depth), nodes) for depth, nodes in enumerate(numbers, self.first or 0))
        if self.first is None:
            counts = tuple(zip(numbers[::2], numbers[1::2], strict=False))
            depths = [int(depth) for depth, _ in counts if _DEPTH.fullmatch(depth)]
            if len(numbers) % 2 or depths != sorted(set(depths)) or len(depths) < len(counts):
                return None
        return replace(row, fen=" ".join([row.fen, *clocks]), counts=row.counts + counts, numbers=())


_SHAPES = (None, 1, 0)
_INTERPRETATIONS = {
    FIELDS: [_Interpretation(first) for first in _SHAPES],
    LIST: [_Interpretation(first) for first in (1, 0)],
    WORDS: [_Interpretation(first, clocks) for clocks in (_CLOCKS, 0) for first in _SHAPES],
}


def as_lines(rows: Iterable[Row], chess960: bool | None, problems: list[Problem]) -> Iterator[NumberedLine]:
    """Yield rows as EPD lines, merging consecutive rows of the same position. Append errors to `problems`."""
    interpreted = _interpret(rows, chess960, problems)
    for _, alike in groupby(interpreted, lambda row: (row.fen, row.name, row.purpose) if row.is_row else row.line):
        first, *others = alike
        yield first.line, first.as_epd(others)


def _interpret(rows: Iterable[Row], chess960: bool | None, problems: list[Problem]) -> Iterator[Row]:
    rest = iter(rows)
    sample = list(islice(rest, SAMPLE))
    chosen: dict[str, _Interpretation | None] = {}
    for where in _INTERPRETATIONS:
        numbered = [row for row in sample if row.numbers and row.where == where]
        if numbered:
            chosen[where] = _choose(numbered, chess960, problems)
    for row in chain(sample, rest):
        if not row.numbers:
            yield row
            continue
        if row.where not in chosen:
            chosen[row.where] = _choose([row], chess960, problems)
        if (interpretation := chosen[row.where]) is None:
            continue  # already reported as a problem
        if (read := interpretation.read(row)) is not None:
            yield read
        else:
            problems.append(
                Problem(row.line, f"{_quote_numbers(row)} does not have the same meaning as in the rows before")
            )


def _choose(rows: Sequence[Row], chess960: bool | None, problems: list[Problem]) -> _Interpretation | None:
    """Return the interpretation of the numbers in all rows. If it is not unique, add a problem and return None."""
    candidates, where = _INTERPRETATIONS[rows[0].where], rows[0].where
    counts = _CorrectCounts(chess960)
    readable = [row for row in rows if counts.moves_of(row) is not None]
    if not readable:  # these are reported as problems
        return next((interpretation for interpretation in candidates if interpretation.read(rows[0]) is not None), None)
    for row in readable:
        fitting = [
            interpretation
            for interpretation in candidates
            if counts.agree(interpretation.read(row), 2 if interpretation.first == 0 else 1)
        ]
        if not fitting:
            moves = counts.moves_of(row)
            which = "" if moves is None else f": depth 1 has {moves:,} nodes there"
            message = f"{_quote_numbers(row)} cannot be read as counts{which}; if it is meant, {_HINTS[where]}"
            problems.append(Problem(row.line, message))
            return None
        candidates = fitting
    if len({_stated(interpretation, readable) for interpretation in candidates}) > 1:
        candidates = [
            interpretation
            for interpretation in candidates
            if all(counts.confirm(interpretation.read(row)) for row in readable)
        ]
    if len({_stated(interpretation, readable) for interpretation in candidates}) != 1:
        message = f"{_quote_numbers(readable[0])} may be a depth and its count, or counts from depth 1: {_HINTS[where]}"
        problems.append(Problem(readable[0].line, message))
        return None
    return candidates[0]


def _stated(
    interpretation: _Interpretation, rows: Sequence[Row]
) -> tuple[tuple[str, tuple[tuple[int, str], ...]], ...]:
    """Return the FENs and counts of rows under an interpretation, leaving out depth 0."""
    read = [row for one in rows if (row := interpretation.read(one)) is not None]
    return tuple((row.fen, tuple((int(d), nodes) for d, nodes in row.counts if int(d))) for row in read)


def _quote_numbers(row: Row) -> str:
    return repr(",".join(row.numbers))


class _CorrectCounts:
    """The correct counts of positions at small depths."""

    def __init__(self, chess960: bool | None) -> None:
        self._chess960 = chess960

    def agree(self, row: Row | None, depth: int) -> bool:
        """Return True if all counts of a row up to a depth are correct."""
        if row is None:
            return False
        position = read_fen(row.fen, self._chess960)
        if not isinstance(position, Position):  # the clocks are invalid
            return False
        stated = {int(at): value_of(nodes) for at, nodes in row.counts}
        return all(_nodes(position, at) == nodes for at, nodes in stated.items() if at <= depth)

    def confirm(self, row: Row | None) -> bool:
        """Return True if a row has counts at depths 1 and 2, and both are correct."""
        return row is not None and {1, 2} <= {int(at) for at, _ in row.counts} and self.agree(row, 2)

    def moves_of(self, row: Row) -> int | None:
        """Return the number of legal moves in the position of a row, or None if the FEN is invalid."""
        position = read_fen(row.fen, self._chess960)
        return len(position.legal_moves) if isinstance(position, Position) else None


def _nodes(position: Position, depth: int) -> int:
    from ..generator.counting.perft import perft

    return len(position.legal_moves) if depth == 1 else perft(position, depth)


def is_depth(text: str) -> bool:
    """Return True if a text is a plausible depth."""
    return _DEPTH.fullmatch(text) is not None


def is_number(text: str) -> bool:
    """Return True if a text is a number of nodes."""
    return NUMBER.fullmatch(text) is not None
