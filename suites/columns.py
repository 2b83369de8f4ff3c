"""The names of columns in tables and of keys in JSON and source code: what each of them stands for.

A name that is not known is refused, never left out: it might have been the one that matters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

FEN, NAME, DEPTH, NODES, PURPOSE, IGNORED, EMPTY = "fen", "name", "depth", "nodes", "comment", "ignored", ""
"""What a column can stand for; one with the count at a depth is `D` and the depth."""

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
"""A FEN, or a name if there is a column of FENs besides."""
_AT_DEPTH = re.compile(
    r"(?:(?:d|n|l|depth|level|ply|perft|nodes|count|expected)[ _-]*(?:d|depth)?[ _-]?)?\(?(\d{1,2})\)?"
)
_SPACES = re.compile(r"[\s_-]+")
KNOWN = "fen, depth, nodes, d1, d2 ... for the count at a depth, name, comment"
"""What a message says of the names that are known."""


def plain(name: str) -> str:
    """Return a name without what differs between spellings: case, quotes, underscores."""
    return _SPACES.sub(" ", name.strip().strip("\"'`").strip().casefold())


def is_fen_name(name: str) -> bool:
    """Return True if a column of this name has the positions."""
    return plain(name) in (*_NAMES[FEN], _POSITION)


def depth_of(role: str) -> int | None:
    """Return the depth of a role such as `D3`, None for other roles."""
    return int(role[1:]) if role.startswith("D") else None


def roles_of(names: Sequence[str]) -> list[str]:
    """Return what each name stands for. Raises ValueError, with one sentence that says which one is not understood.

    Several columns may name a position; any other role can be taken once.
    """
    known = [plain(name) for name in names]
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
    """Return what a plain name stands for, None if it is unknown."""
    if name == _POSITION:
        return NAME if has_fen else FEN
    if not name:
        return EMPTY
    if (at_depth := _AT_DEPTH.fullmatch(name)) is not None:
        return f"D{int(at_depth[1])}"
    return _ROLES.get(name)
