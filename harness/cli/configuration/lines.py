"""The line of each key in a TOML document; `tomllib` does not tell it."""

from __future__ import annotations

import re
import tomllib
from typing import Any

Path = tuple[str, ...]

_STRINGS = r"\"\"\"(?:[^\\]|\\.)*?\"\"\"\"{0,2}|'''.*?''''{0,2}|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'"
_KEY = r"(?:[\w-]+|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')"
_KEYS = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_STATEMENT = re.compile(rf"(?:[ \t\n]|#[^\n]*+)*+(?:\[\[?[ \t]*(?P<table>{_KEYS})|(?P<key>{_KEYS}))", re.DOTALL)
_TOKEN = re.compile(rf"{_STRINGS}|#[^\n]*|[^\"'#\[\]{{}}\n]+|.", re.DOTALL)
MOST_PARTS = 8
"""Parts of a key that are looked at; ours have no more."""


def lines_of_keys(text: str) -> dict[Path, int]:
    """Return the line, from 1, of each table and key of a document that `tomllib` takes.

    A key in an inline table has the line of the whole table: it is not listed.
    """
    text = text.replace("\r\n", "\n")
    lines: dict[Path, int] = {}
    table: Path = ()
    place = line = 0
    while statement := _STATEMENT.match(text, place):
        start = statement.end()
        line += text.count("\n", place, start)
        header, key = statement["table"], statement["key"]
        path = _parts(header) if header else (*table, *_parts(key))
        table = path if header else table
        for length in range(1, min(len(path), MOST_PARTS) + 1):
            lines.setdefault(path[:length], line + 1)
        # The rest of a header begins inside its brackets.
        place = _end(text, start, depth=0) if key else _end_of_line(text, start)
        line += text.count("\n", start, place)
    return lines


def _parts(key: str) -> Path:
    """Return the parts of a key such as `a."b c"`."""
    parts = []
    value: Any = tomllib.loads(f"{key} = 0")
    while isinstance(value, dict):
        ((part, value),) = value.items()
        parts.append(part)
    return tuple(parts)


def _end(text: str, start: int, depth: int) -> int:
    """Return where the line ends on which a value ends: a line break inside brackets or strings is none."""
    for token in _TOKEN.finditer(text, start):
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
        elif token[0] == "\n" and depth == 0:
            return token.start()
    return len(text)


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
