r"""Descriptors define how to start and ask an engine and parse its answers. UCI is built in; others are JSON files.

    {"name": "Ethereal", "min_depth": 1,
     "launch": "ethereal", "setup": ["setoption name Hash value 1"],
     "case": "position fen {fen}\nperft {depth}", "end_re": "^\\d+$", "quit": "quit"}

`name` is the engine's name in all output, by default the name of the file.

`case` may contain {fen}, {depth}, {threads}, and {moves}, which is replaced by " moves e2e4 ..." or nothing. All keys
except `name` and `min_depth` may also be in `modes`, an object with one object per mode, as in collections of perft
engines; the first one of `MODES` that exists is used. `total` is the name of a format of totals (`dialects.TOTALS`),
and `separator` is the thousands separator. `first_depth` is the depth of the first total in an answer, if the engine
prints totals for all depths without stating the depths. `end_re`, `total_re` (with a group `nodes`, and optionally
`depth`) and `move_re` (with groups `move` and `count`) are regular expressions for lines. `chess960` states whether the
engine supports Chess960.

If `launch` contains placeholders, the program is started for each question (`types.program`), and there is no `case`.

`moves` is the input that asks for a list of moves, with {fen} and {gentype}. `gentypes` maps GenTypes to the engine's
names for them. `moves_end_re` matches the last line of a list; UCI engines do not need it. `convention` states how the
engine divides moves among its lists (`model.conventions`).
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ....atomic import write_atomically
from ....errors import UsageError, did_you_mean
from ....generator.types.moves import GenType
from ...model.conventions import check_given
from ..command_words import has_placeholders, join_words, missing_placeholder, split_words
from ..spec import check_name
from .dialects import TOTALS
from .grammar import OTHER_SEPARATORS
from .lines import AnswerPatterns, LinePattern

LONG_RUNNING_ONLY = ("setup", "case", "end_re", "quit", "uci", "moves", "gentypes", "moves_end_re", "convention")
"""Keys that do not apply to programs that are started for each question."""
MODES = ("single-no-cache", "single-with-cache", "multi-no-cache", "multi-with-cache")
_BY_FEN = "position fen {fen}"
UCI_CASE = "position fen {fen}{moves}\n{command}"
LARGEST = 2**20
"""Maximum size of a descriptor file in bytes."""
_KEYS = {
    "launch", "setup", "case", "end_re", "total_re", "move_re", "quit", "min_depth", "total", "separator",
    "first_depth", "uci", "chess960", "moves", "gentypes", "moves_end_re", "convention",
}  # fmt: skip
_OTHERS = {"modes"}
"""Valid keys that resemble other keys (`moves`)."""


@dataclass(frozen=True)
class ListQuestion:
    """How to ask an engine for lists of moves."""

    case: str
    """The input, with placeholders {fen} and {gentype}."""
    names: Mapping[GenType, str]
    """The engine's names for the GenTypes that it lists."""
    end: LinePattern | None = None
    """Matches the last line of a list. If None, `isready` is sent to a UCI engine."""
    convention: Mapping[str, str] = field(default_factory=dict)
    """The known part of its convention."""

    def lines(self, fen: str, gentype: GenType) -> list[str]:
        """Return the lines that ask for a list."""
        return self.case.replace("{fen}", fen).replace("{gentype}", self.names[gentype]).split("\n")


@dataclass(frozen=True)
class Descriptor:
    """How to start and ask an engine, and how it writes its answers."""

    name: str
    launch: tuple[str, ...]
    case: str
    setup: tuple[str, ...] = ()
    end: LinePattern | None = None
    """Matches the last line of an answer. If None, an answer ends with the total."""
    quit: str | None = "quit"
    min_depth: int = 1
    total_format: str | None = None
    """The format of totals, or None to accept any."""
    separator: str | None = None
    """The thousands separator, "" for any of `SEPARATORS`, or None if not known yet."""
    first_depth: int | None = None
    """The depth of the first total in an answer, if totals for all depths are printed without the depth."""
    uci: bool = True
    """Whether the engine answers `uci` and `isready`."""
    chess960: bool | None = None
    """Whether it supports Chess960. If None, this depends on the option UCI_Chess960, or without UCI on a trial."""
    patterns: AnswerPatterns | None = None
    """Patterns for root moves and totals in unknown formats."""
    lists: ListQuestion | None = None
    """How to ask for lists of moves by GenType, if supported."""
    spec: str = field(default="", compare=False)
    """The SPEC given by the user, for command lines in messages."""

    def lines(self, fen: str, moves: list[str], depth: int) -> list[str]:
        """Return the lines that ask for a count."""
        played = f" moves {' '.join(moves)}" if moves else ""
        text = self.case.replace("{fen}", fen).replace("{moves}", played)
        return text.replace("{depth}", str(depth)).replace("{threads}", "1").split("\n")

    @property
    def start_lines(self) -> list[str]:
        """The lines sent to a new process before the first question."""
        return [*(["uci", "isready"] if self.uci else []), *self.setup]

    @property
    def is_per_question(self) -> bool:
        """Whether the program is started for each question."""
        return has_placeholders(" ".join(self.launch))

    @property
    def plays_moves(self) -> bool:
        """Whether the case has a placeholder for moves."""
        return "{moves}" in self.case

    @property
    def names_start(self) -> bool:
        """Whether the case contains `position fen {fen}`, which `position startpos` can replace."""
        return _BY_FEN in self.case

    def by_name(self) -> Descriptor:
        """Return a copy with `position startpos` in place of the FEN."""
        return replace(self, case=self.case.replace(_BY_FEN, "position startpos"))

    @property
    def position_lines(self) -> list[str]:
        """The lines of the case that set up the position, up to the FEN. Empty if the FEN is a response to a prompt."""
        lines = self.case.split("\n")
        last = max((place for place, line in enumerate(lines) if "{fen}" in line), default=-1)
        return lines[: last + 1] if last + 1 < len(lines) and "{fen}" not in lines else []

    def to_json(self) -> str:
        """Return the descriptor as text that `load_descriptor` can read."""
        fields: dict[str, Any] = {
            "name": self.name,
            "min_depth": self.min_depth,
            "launch": join_words(self.launch),
            "setup": list(self.setup),
            "case": self.case,
            "end_re": self.end.text if self.end else None,
            "total_re": self.patterns.total.text if self.patterns and self.patterns.total else None,
            "move_re": self.patterns.move.text if self.patterns and self.patterns.move else None,
            "total": self.total_format,
            "separator": self.separator or None,
            "first_depth": self.first_depth,
            "quit": self.quit,
            "uci": self.uci,
            "chess960": self.chess960,
            **self._list_fields(),
        }
        if self.is_per_question:
            fields |= dict.fromkeys(LONG_RUNNING_ONLY)
        return json.dumps({key: value for key, value in fields.items() if value is not None}, indent=2) + "\n"

    def _list_fields(self) -> dict[str, Any]:
        if (lists := self.lists) is None:
            return {}
        return {
            "moves": lists.case,
            "gentypes": {gentype.name.lower(): name for gentype, name in lists.names.items()},
            "moves_end_re": lists.end.text if lists.end else None,
            "convention": dict(lists.convention) or None,
        }


def save_descriptor(path: Path, descriptor: Descriptor) -> None:
    """Write a descriptor file atomically. Raises UsageError."""
    try:
        write_atomically(path, descriptor.to_json().encode())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def load_descriptor(path: Path) -> Descriptor:
    """Read a descriptor file. Raises UsageError with a one-line message."""
    fields = _Fields(path, _document(path))
    patterns = AnswerPatterns(fields.pattern("move_re", {"move", "count"}), fields.pattern("total_re", {"nodes"}))
    return Descriptor(
        name=fields.name(),
        launch=fields.launch(),
        case="" if fields.is_per_question else fields.case(),
        setup=fields.lines("setup"),
        end=fields.pattern("end_re", set()),
        quit=fields.text("quit", "quit"),
        min_depth=fields.whole("min_depth", 1),
        total_format=fields.total_format(),
        separator=fields.separator(),
        first_depth=fields.first_depth(),
        uci=fields.flag("uci") or False,
        chess960=fields.flag("chess960"),
        patterns=patterns if patterns.move or patterns.total else None,
        lists=fields.lists(),
    )


def _document(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file. Raises UsageError."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise UsageError(f"{path} is too large for an engine descriptor: more than {LARGEST >> 20} MiB")
        document = json.loads(data.decode("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None
    except (ValueError, RecursionError) as error:  # including numbers with too many digits
        raise UsageError(f"{path} is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise UsageError(f"{path}: an engine descriptor is a JSON object")
    return document


class _Fields:
    """The fields of a descriptor file. Methods raise UsageError with the file and the key."""

    def __init__(self, path: Path, document: dict[str, Any]) -> None:
        """Collect the fields of the document and of the mode to use."""
        self._path = path
        self._refuse_misspelt(document)
        self._fields = {key: value for key, value in document.items() if key in _KEYS or key == "name"}
        modes = document.get("modes")
        if modes is None:
            return
        if not isinstance(modes, dict) or not all(isinstance(mode, dict) for mode in modes.values()) or not modes:
            raise self._error("'modes' must be an object with one object a mode")
        name = next((name for name in MODES if name in modes), next(iter(modes)))
        self._refuse_misspelt(modes[name])
        self._fields |= {key: value for key, value in modes[name].items() if key in _KEYS}

    def text(self, key: str, default: str | None = None) -> str:
        """Return a non-blank string."""
        value = self._fields.get(key, default)
        if not isinstance(value, str) or not value.strip():
            raise self._error(f"{key!r} is missing or no text")
        return self._sendable(key, value)

    def name(self) -> str:
        """Return the name of the engine, by default that of the file."""
        if "name" not in self._fields:
            return self._path.stem
        try:
            return check_name(self._fields["name"])
        except ValueError as error:
            raise self._error(f"'name' {error}") from None

    @property
    def is_per_question(self) -> bool:
        """Whether the program is started for each question."""
        return has_placeholders(str(self._fields.get("launch")))

    def case(self) -> str:
        """Return the input that asks for a count."""
        value = self.text("case")
        for place in ("{fen}", "{depth}"):
            if place not in value:
                raise self._error(f"'case' has no {place}")
        return value

    def lists(self) -> ListQuestion | None:
        """Return how to ask for lists of moves, or None if not specified."""
        if self._fields.get("moves") is None:
            for key in ("gentypes", "moves_end_re", "convention"):
                if self._fields.get(key) is not None:
                    raise self._error(f"{key!r} is of no use without 'moves'")
            return None
        case, end = self.text("moves"), self.pattern("moves_end_re", set())
        for place in ("{fen}", "{gentype}"):
            if place not in case:
                raise self._error(f"'moves' has no {place}")
        if end is None and not self.flag("uci"):
            raise self._error("'moves' needs 'moves_end_re', the last line of a list, or an engine with 'uci' true")
        convention = check_given(self._object("convention").items(), f"{self._path}: 'convention'")
        return ListQuestion(case, self._gentypes(), end, convention)

    def _gentypes(self) -> dict[GenType, str]:
        """Return the engine's names for GenTypes, by default perft-check's names for all of them."""
        known = {gentype.name.lower(): gentype for gentype in GenType}
        given = self._object("gentypes") or {name: name for name in known}
        for name, engines_name in given.items():
            if name not in known:
                raise self._error(f"'gentypes' {name!r:.40}: {did_you_mean(name[:40], tuple(known))}")
            if not isinstance(engines_name, str) or not engines_name.strip() or "\n" in engines_name:
                raise self._error(f"'gentypes' {name}: {engines_name!r:.40} is no name on one line")
            self._sendable("gentypes", engines_name)
        return {gentype: given[name] for name, gentype in known.items() if name in given}

    def _object(self, key: str) -> dict[str, Any]:
        value = self._fields.get(key, {})
        if not isinstance(value, dict):
            raise self._error(f"{key!r} must be an object")
        return value

    def launch(self) -> tuple[str, ...]:
        """Return the words of the command."""
        if self.is_per_question:
            if (place := missing_placeholder(self.text("launch"))) is not None:
                raise self._error(f"'launch' has no {place}, which the command of a program for one question needs")
            for key in LONG_RUNNING_ONLY:
                if self._fields.get(key) is not None:
                    raise self._error(f"{key!r} is of no use if the program is started for each question")
        try:
            return tuple(split_words(self.text("launch").replace("{threads}", str(os.cpu_count() or 1))))
        except ValueError as error:
            raise self._error(f"{error} in 'launch'") from None

    def lines(self, key: str) -> tuple[str, ...]:
        """Return a list of lines, which may be a single string."""
        value = self._fields.get(key, [])
        lines = [value] if isinstance(value, str) else value
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise self._error(f"{key!r} must be a list of lines")
        return tuple(self._sendable(key, line) for line in lines)

    def pattern(self, key: str, groups: set[str]) -> LinePattern | None:
        """Return a regular expression with these named groups, or None if not specified."""
        if self._fields.get(key) is None:
            return None
        try:
            found = LinePattern(key, self.text(key))
        except ValueError as error:
            raise self._error(str(error)) from None
        if missing := sorted(groups - found.group_names):
            raise self._error(f"{key!r} has no group named {missing[0]!r}: write (?P<{missing[0]}>...)")
        return found

    def whole(self, key: str, default: int) -> int:
        """Return an integer from 0 to 99."""
        value = self._fields.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 99:
            raise self._error(f"{key!r} must be a whole number from 0 to 99, not {value!r:.40}")
        return value

    def first_depth(self) -> int | None:
        """Return the depth of the first total in an answer, or None if that is the depth of the question."""
        return None if self._fields.get("first_depth") is None else self.whole("first_depth", 0)

    def flag(self, key: str) -> bool | None:
        """Return a boolean, or None if not specified."""
        value = self._fields.get(key)
        if value is not None and not isinstance(value, bool):
            raise self._error(f"{key!r} must be true or false, not {value!r:.40}")
        return value

    def total_format(self) -> str | None:
        """Return the name of a format of totals, or None if not specified."""
        name = self._fields.get("total")
        if name is not None and (not isinstance(name, str) or name not in TOTALS):
            raise self._error(f"'total' {name!r:.40} is none of {', '.join(map(repr, TOTALS))}")
        return name

    def separator(self) -> str | None:
        """Return the thousands separator, or None if not specified."""
        value = self._fields.get("separator")
        if value is not None and value not in ("", *OTHER_SEPARATORS):
            known = " or ".join(map(repr, OTHER_SEPARATORS))
            raise self._error(f"'separator' {value!r:.40} is not {known}: others are understood without it")
        return value

    def _refuse_misspelt(self, fields: dict[str, Any]) -> None:
        """Reject unknown keys that resemble a known one. Others are ignored as comments."""
        for key in fields:
            close = difflib.get_close_matches(key[:40], _KEYS, n=1, cutoff=0.75)
            if key not in _KEYS | _OTHERS and close:
                raise self._error(f"unknown key {key!r:.40}: did you mean {close[0]!r}?")

    def _sendable(self, key: str, value: str) -> str:
        if any("\ud800" <= letter <= "\udfff" or letter == "\0" for letter in value):
            raise self._error(f"{key!r} has characters that cannot be sent")
        return value

    def _error(self, message: str) -> UsageError:
        return UsageError(f"{self._path}: {message}")
