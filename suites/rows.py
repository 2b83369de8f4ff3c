"""Rows of tables and JSON, and the meaning of the names of columns and keys.

Unknown names are rejected, because they may be important.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

from .epd import NUMBER, quote

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
_DEPTH = re.compile("1[0-5]|0?[1-9]")
"""A plausible depth; larger numbers are more likely node counts."""
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


def as_lines(rows: Iterable[Row]) -> Iterator[NumberedLine]:
    """Yield rows as EPD lines, merging consecutive rows of the same position."""
    for _, alike in groupby(rows, lambda row: (row.fen, row.name, row.purpose) if row.is_row else row.line):
        first, *others = alike
        yield first.line, first.as_epd(others)


def is_depth(text: str) -> bool:
    """Return True if a text is a plausible depth."""
    return _DEPTH.fullmatch(text) is not None


def is_number(text: str) -> bool:
    """Return True if a text is a number of nodes."""
    return NUMBER.fullmatch(text) is not None
