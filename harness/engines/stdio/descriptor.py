r"""Descriptors define how to start and ask an engine and parse its answers. UCI is built in; others are JSON files.

    {"name": "Ethereal", "min_depth": 1,
     "launch": "ethereal", "setup": ["setoption name Hash value 1"],
     "case": "position fen {fen}\nperft {depth}", "end_re": "^\\d+$", "quit": "quit"}

`name` is the engine's name in all output, by default the name of the file.

`case` may contain {fen}, {depth}, and {moves}, which is replaced by " moves e2e4 ..." or nothing. `total` is the name
of a format of totals (`dialects.TOTALS`), and `separator` is the thousands separator. `first_depth` is the depth of the
first total in an answer, if the engine prints totals for all depths without stating the depths. `end_re`, `total_re`
(with a group `nodes`, and optionally `depth`) and `move_re` (with groups `move` and `count`) are regular expressions
for lines. `chess960` states whether the engine supports Chess960.

If `launch` contains placeholders, the program is started for each question (`types.program`), and there is no `case`.

`moves` is the input that asks for a list of moves, with {fen} and {gentype}. `gentypes` maps GenTypes to the engine's
names for them. `moves_end_re` matches the last line of a list; UCI engines do not need it. `convention` states how the
engine divides moves among its lists (`model.conventions`).
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

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
_BY_FEN = "position fen {fen}"
UCI_CASE = "position fen {fen}{moves}\n{command}"
DESCRIPTORS = "see 'A descriptor' in the documentation"
"""The documentation of descriptors, to be named in messages."""
LARGEST = 2**20
"""Maximum size of a descriptor file in bytes."""


@dataclass(frozen=True)
class ListQuestion:
    """How to ask an engine for lists of moves."""

    case: str
    """The input, with placeholders {fen} and {gentype}."""
    names: Mapping[GenType, str]
    """The engine's names for the GenTypes that it lists."""
    end: LinePattern | None = None
    """Pattern for the last line of a list. If None, `isready` is sent to the UCI engine to mark the end."""
    convention: Mapping[str, str] = field(default_factory=dict)
    """The known settings of the engine's convention."""

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
    """Pattern for the last line of an answer. If None, an answer ends with the total."""
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
    """Whether the engine supports Chess960. If None, this is determined by the option UCI_Chess960 or, without UCI, by
    a trial."""
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
        return text.replace("{depth}", str(depth)).split("\n")

    def with_command(self, command: str) -> Descriptor:
        """Return a copy with the counting command, or an equal one if the command is known."""
        return replace(self, case=self.case.replace("{command}", command))

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


_Text = Annotated[str, msgspec.Meta(pattern=r"^[^\0]*[^\s\0][^\0]*\Z")]
"""A string that is not blank and has no NUL characters, so that it can be sent to a program."""
_Depth = Annotated[int, msgspec.Meta(ge=0, le=99)]


class _Keys(msgspec.Struct, kw_only=True):
    """The keys of a descriptor file."""

    launch: _Text
    name: str | None = None
    case: _Text | None = None
    setup: str | list[str] | None = None
    end_re: _Text | None = None
    total_re: _Text | None = None
    move_re: _Text | None = None
    quit: _Text | None = None
    min_depth: _Depth = 1
    total: str | None = None
    separator: str | None = None
    first_depth: _Depth | None = None
    uci: bool | None = None
    chess960: bool | None = None
    moves: _Text | None = None
    gentypes: dict[str, _Text] | None = None
    moves_end_re: _Text | None = None
    convention: dict[str, str] | None = None


def load_descriptor(path: Path) -> Descriptor:
    """Read a descriptor file. Raises UsageError with a one-line message."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise UsageError(f"{path} is too large for an engine descriptor: more than {LARGEST >> 20} MiB")
        document = msgspec.json.decode(data)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(f"{path} is not valid JSON: {error}") from None
    if not isinstance(document, dict):
        raise UsageError(f"{path}: an engine descriptor must be a JSON object")
    try:
        _refuse_misspelt(document)
        return _descriptor_of(msgspec.convert(document, _Keys), path.stem)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$.")
        what = "expected text that is not blank" if "matching regex" in what else what
        raise UsageError(f"{path}: {place.rstrip('`')!r}: {what}" if place else f"{path}: {what}") from None
    except (ValueError, UsageError) as error:
        raise UsageError(f"{path}: {error}") from None


def _refuse_misspelt(document: Mapping[str, Any]) -> None:
    """Reject unknown keys that resemble a known one. Others are ignored as comments."""
    known = _Keys.__struct_fields__
    for key in document:
        close = difflib.get_close_matches(key[:40], known, n=1, cutoff=0.75)
        if key not in known and close:
            raise ValueError(f"unknown key {key!r:.40}: did you mean {close[0]!r}?")


def _descriptor_of(keys: _Keys, file_name: str) -> Descriptor:
    """Return the descriptor with these keys. Raises ValueError with the key."""
    if has_placeholders(keys.launch):
        if (place := missing_placeholder(keys.launch)) is not None:
            raise ValueError(f"'launch' needs {place}, because the program is started for each question")
        for key in LONG_RUNNING_ONLY:
            if getattr(keys, key) is not None:
                raise ValueError(f"{key!r} is of no use if the program is started for each question")
    elif keys.case is None:
        raise ValueError("'case' is missing")
    if keys.total is not None and keys.total not in TOTALS:
        raise ValueError(f"'total' {keys.total!r:.40} is none of {', '.join(map(repr, TOTALS))}")
    if keys.separator not in (None, "", *OTHER_SEPARATORS):
        known = " or ".join(map(repr, OTHER_SEPARATORS))
        raise ValueError(f"'separator' {keys.separator!r:.40} is not {known}: others are understood without it")
    try:
        launch = tuple(split_words(keys.launch))
    except ValueError as error:
        raise ValueError(f"{error} in 'launch'") from None
    move, total = _pattern("move_re", keys.move_re, "move", "count"), _pattern("total_re", keys.total_re, "nodes")
    return Descriptor(
        name=file_name if keys.name is None else _name(keys.name),
        launch=launch,
        case="" if keys.case is None else _require("case", keys.case, ("{fen}", "{depth}")),
        setup=(keys.setup,) if isinstance(keys.setup, str) else tuple(keys.setup or ()),
        end=_pattern("end_re", keys.end_re),
        quit=keys.quit or "quit",
        min_depth=keys.min_depth,
        total_format=keys.total,
        separator=keys.separator,
        first_depth=keys.first_depth,
        uci=bool(keys.uci),
        chess960=keys.chess960,
        patterns=AnswerPatterns(move, total) if move or total else None,
        lists=_lists(keys),
    )


def _name(text: str) -> str:
    try:
        return check_name(text)
    except ValueError as error:
        raise ValueError(f"'name' {error}") from None


def _lists(keys: _Keys) -> ListQuestion | None:
    """Return how to ask for lists of moves, or None if not specified."""
    if keys.moves is None:
        for key in ("gentypes", "moves_end_re", "convention"):
            if getattr(keys, key) is not None:
                raise ValueError(f"{key!r} is of no use without 'moves'")
        return None
    end = _pattern("moves_end_re", keys.moves_end_re)
    if end is None and not keys.uci:
        raise ValueError("'moves' needs 'moves_end_re', the last line of a list, or an engine with 'uci' true")
    known = {gentype.name.lower(): gentype for gentype in GenType}
    given = keys.gentypes or {name: name for name in known}
    for name, engines_name in given.items():
        if name not in known:
            raise ValueError(f"'gentypes' {name!r:.40}: {did_you_mean(name[:40], tuple(known))}")
        if "\n" in engines_name:
            raise ValueError(f"'gentypes' {name}: {engines_name!r:.40} is no name on one line")
    names = {gentype: given[name] for name, gentype in known.items() if name in given}
    convention = check_given((keys.convention or {}).items(), "'convention'")
    return ListQuestion(_require("moves", keys.moves, ("{fen}", "{gentype}")), names, end, convention)


def _require(key: str, text: str, places: Iterable[str]) -> str:
    """Return a text with these placeholders. Raises ValueError if one is missing."""
    for place in places:
        if place not in text:
            raise ValueError(f"{key!r} has no {place}")
    return text


def _pattern(key: str, text: str | None, *groups: str) -> LinePattern | None:
    """Return a regular expression with these named groups, or None if not specified. Raises ValueError."""
    if text is None:
        return None
    found = LinePattern(key, text)
    if missing := sorted({*groups} - found.group_names):
        raise ValueError(f"{key!r} has no group named {missing[0]!r}: write (?P<{missing[0]}>...)")
    return found
