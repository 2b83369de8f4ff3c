r"""How to talk to an engine over its stdin, as data: built in for UCI, else from a JSON file.

    {"name": "ethereal", "min_depth": 1,
     "launch": "ethereal", "setup": ["setoption name Hash value 1"],
     "case": "position fen {fen}\nperft {depth}", "end_re": "^\\d+$", "quit": "quit"}

`case` may use {fen}, {depth}, {threads}, and {moves}: " moves e2e4 ..." or nothing. The keys from `launch` on
may also stand in `modes`, one object a mode, as collections of perft engines have them; the first of
`MODES` that is there is used. `total` names one of the ways to write a total (`dialects.TOTALS`).
"""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....atomic import write_atomically
from ....errors import UsageError
from .dialects import TOTALS

MODES = ("single-no-cache", "single-with-cache", "multi-no-cache", "multi-with-cache")
UCI_CASE = "position fen {fen}{moves}\n{command}"
_KEYS = {"launch", "setup", "case", "end_re", "quit", "min_depth", "total", "uci"}


@dataclass(frozen=True)
class Descriptor:
    """One engine's dialect."""

    name: str
    launch: tuple[str, ...]
    case: str
    setup: tuple[str, ...] = ()
    end: re.Pattern[str] | None = None
    """What the last line of an answer matches; None: the line with the total."""
    quit: str | None = "quit"
    min_depth: int = 1
    total: str | None = None
    """How totals are written; None accepts any way."""
    uci: bool = True
    """Whether `uci` is answered by `uciok`, and `isready` by `readyok`."""

    def lines(self, fen: str, moves: list[str], depth: int, threads: int) -> list[str]:
        """Return what to send for one case."""
        played = f" moves {' '.join(moves)}" if moves else ""
        text = self.case.replace("{fen}", fen).replace("{moves}", played)
        return text.replace("{depth}", str(depth)).replace("{threads}", str(threads)).split("\n")

    @property
    def plays_moves(self) -> bool:
        """Whether the engine can be told to play moves from a FEN."""
        return "{moves}" in self.case

    @property
    def position_lines(self) -> list[str]:
        """The lines of a case that set the position up: all up to the one with the FEN."""
        lines = self.case.split("\n")
        last = max((place for place, line in enumerate(lines) if "{fen}" in line), default=-1)
        return lines[: last + 1] if last + 1 < len(lines) else []

    def to_json(self) -> str:
        """Return the descriptor as the text of a file that `load_descriptor` reads."""
        fields: dict[str, Any] = {
            "name": self.name,
            "min_depth": self.min_depth,
            "launch": shlex.join(self.launch),
            "setup": list(self.setup),
            "case": self.case,
            "end_re": self.end.pattern if self.end else None,
            "total": self.total,
            "quit": self.quit,
            "uci": self.uci,
        }
        return json.dumps({key: value for key, value in fields.items() if value is not None}, indent=2) + "\n"


def save_descriptor(path: Path, descriptor: Descriptor) -> None:
    """Write a descriptor file, whole or not at all. Raises UsageError."""
    try:
        write_atomically(path, descriptor.to_json().encode())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def load_descriptor(path: Path) -> Descriptor:
    """Read a descriptor file. Raises UsageError with one line that says what is wrong."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no JSON: {error}") from None
    if not isinstance(document, dict):
        raise UsageError(f"{path}: an engine descriptor is a JSON object")
    fields = _fields(path, document)
    return Descriptor(
        name=str(document.get("name", path.stem)),
        launch=tuple(_launch(path, fields)),
        case=_text(path, fields, "case"),
        setup=tuple(_setup(path, fields)),
        end=_pattern(path, fields),
        quit=fields.get("quit", "quit"),
        min_depth=_whole(path, fields, "min_depth", 1),
        total=_total(path, fields),
        uci=bool(fields.get("uci", False)),
    )


def _fields(path: Path, document: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of the mode to use, with those of the document around it."""
    _refuse_misspelt(path, document)
    fields = {key: value for key, value in document.items() if key in _KEYS}
    modes = document.get("modes")
    if modes is None:
        return fields
    if not isinstance(modes, dict) or not all(isinstance(mode, dict) for mode in modes.values()) or not modes:
        raise UsageError(f"{path}: 'modes' must be an object with one object a mode")
    name = next((name for name in MODES if name in modes), next(iter(modes)))
    _refuse_misspelt(path, modes[name])
    return {**fields, **modes[name]}


def _refuse_misspelt(path: Path, fields: dict[str, Any]) -> None:
    """Raise UsageError for a key that looks like one of ours; others are somebody's notes."""
    for key in fields:
        close = difflib.get_close_matches(key, _KEYS, n=1, cutoff=0.75)
        if key not in _KEYS and close:
            raise UsageError(f"{path}: unknown key {key!r}: did you mean {close[0]!r}?")


def _text(path: Path, fields: dict[str, Any], key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{path}: {key!r} is missing or no text")
    if key == "case":
        for place in ("{fen}", "{depth}"):
            if place not in value:
                raise UsageError(f"{path}: 'case' has no {place}")
    return value


def _launch(path: Path, fields: dict[str, Any]) -> list[str]:
    text = _text(path, fields, "launch").replace("{threads}", str(os.cpu_count() or 1))
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{path}: {error} in 'launch'") from None


def _setup(path: Path, fields: dict[str, Any]) -> list[str]:
    setup = fields.get("setup", [])
    lines = [setup] if isinstance(setup, str) else setup
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise UsageError(f"{path}: 'setup' must be a list of lines")
    return lines


def _pattern(path: Path, fields: dict[str, Any]) -> re.Pattern[str] | None:
    pattern = fields.get("end_re")
    if pattern is None:
        return None
    try:
        return re.compile(pattern)
    except (re.error, TypeError) as error:
        raise UsageError(f"{path}: 'end_re' is no regular expression: {error}") from None


def _whole(path: Path, fields: dict[str, Any], key: str, default: int) -> int:
    value = fields.get(key, default)
    if not isinstance(value, int) or value < 0:
        raise UsageError(f"{path}: {key!r} must be a whole number, not {value!r}")
    return value


def _total(path: Path, fields: dict[str, Any]) -> str | None:
    name = fields.get("total")
    if name is not None and name not in TOTALS:
        raise UsageError(f"{path}: 'total' {name!r} is none of {', '.join(map(repr, TOTALS))}")
    return name
