"""Read and write EPD lines, each of which consists of a position and operations.

    FEN ;D1 20 ;id "name" ;c0 "purpose" ;moves "e2e4" ;setup "startpos"

Variations that occur in practice are accepted: spaces around semicolons, lower case, four or six fields, and a missing
first semicolon as in strict EPD. Anything that might lose a count is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..atomic import write_atomically
from ..errors import shorten
from ..generator.game import Game
from ..generator.position import Position
from ..generator.position_setup import PositionSetup, SetupOption, format_setup, parse_setup
from ..generator.types.moves import Move
from ..generator.validation import FenError
from .case import UNPRINTABLE, Case, Problem, Suite, SuiteError

_IGNORED = re.compile(
    r"ac[dns]|am|bm|ce|dm|draw_(?:accept|claim|offer|reject)|eco|fmvn|hmvc|nic|noop|pm|pv|rc|"
    r"ref(?:com|req)|resign|sm|sv|tc(?:gs|ri|si)|c[1-9]|v[0-9]"
)
"""The opcodes of the EPD standard that are irrelevant to counts."""

_STRING = r'"(?:[^"\\]|\\.)*"'
_OPERATION = re.compile(rf'(?:[^;"]|{_STRING})*')
_QUOTED = re.compile(_STRING)
_FIELDS_BEFORE_OPERATION = re.compile(r"(?:\S+\s+){4,}?(?=[A-Za-z])")
_PLAYED = re.compile(r"\smoves\s+[a-h][1-8]")
"""Unquoted moves after a FEN, as in UCI, which would denote another position."""
NUMBER = re.compile(r"[0-9]{1,30}|[0-9]{1,3}(?:,[0-9]{3}){1,9}|[0-9]{1,3}(?:_[0-9]{3}){1,9}")
_DEPTH = re.compile(r"d[0-9]+")
_TWO_NUMBERS = re.compile(r"(?:d|depth)?\W*(?P<depth>\d{1,2})\W+(?P<nodes>\d[\d,_]*)", re.IGNORECASE)
"""A depth and a count, written in another way than `D3 400`."""
_LONGEST_MESSAGE, _LONGEST_QUOTE = 200, 60
LINE = "FEN ;D1 20 ;D2 400"
"""A sample line for messages."""


class Epd(NamedTuple):
    """The parts of an EPD line."""

    fen: str
    operations: list[str] | None
    """The operations of the line, or None if a quote is not closed."""

    @classmethod
    def split(cls, text: str) -> Epd:
        """Split a line into its parts, which keep surrounding spaces."""
        operations = _split_operations(text)
        if operations is None:
            return cls("", None)
        fen = operations.pop(0).strip()
        fields = _FIELDS_BEFORE_OPERATION.match(fen)
        if fields and not _PLAYED.search(fen):
            operations.insert(0, fen[fields.end() :])
            fen = fields.group()
        return cls(fen, operations)


@dataclass
class Record:
    """A case that is being read, and the errors found so far."""

    line: int
    name: str | None = None
    purpose: str = ""
    position: Position | None = None
    has_position: bool = False
    """Whether a position was given, valid or not."""
    castling: str = ""
    """The castling field of a Chess960 position."""
    counts: dict[int, int] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    setup: frozenset[SetupOption] = frozenset()
    problems: list[Problem] = field(default_factory=list)

    def add_problem(self, message: str, line: int | None = None) -> None:
        """Record an error in a line, by default the record's own line."""
        self.problems.append(Problem(line or self.line, shorten(message, _LONGEST_MESSAGE)))

    def read_epd(self, epd: Epd, position: Position | FenError) -> None:
        """Read an EPD line whose position has already been parsed."""
        self.has_position = True
        if epd.operations is None:
            self.add_problem("a quote is not closed")
            return
        if isinstance(position, Position):
            self.position = position
            self.castling = epd.fen.split()[2] if position.chess960 else ""
        elif epd.fen and "/" not in epd.fen:
            self.add_problem(
                f"{shorten(epd.fen.strip(), _LONGEST_QUOTE)!r} is not a position: a line looks like {LINE}"
            )
        else:
            self.add_problem(str(position) if epd.fen else "no position before the first ';'")
        for operation in filter(None, map(str.strip, epd.operations)):
            self._read_operation(operation)

    def read_name(self, text: str) -> None:
        """Read an `id`, with or without quotes. Ignore a blank one."""
        name = UNPRINTABLE.sub(" ", unquote(text))
        if not name.strip():
            return
        if self.name not in (None, name):
            self.add_problem(f"two ids: {self.name!r} and {name!r}")
        self.name = name

    def read_count(self, depth_text: str, nodes_text: str, line: int | None = None) -> None:
        """Read the count at a depth; `depth_text` consists of digits."""
        depth_text = depth_text.lstrip("0") or "0"
        if len(depth_text) > 2:
            self.add_problem(f"depth {depth_text} is too large: the limit is 99", line)
        elif not nodes_text:
            self.add_problem(f"depth {depth_text} has no count: give its number of nodes", line)
        elif not NUMBER.fullmatch(nodes_text):
            hint = ": is a ';' missing?" if re.search(r"\s[Dd][0-9]", nodes_text) else ""
            self.add_problem(f"depth {depth_text} has {nodes_text!r} instead of a number of nodes{hint}", line)
        else:
            self._add_count(int(depth_text), value_of(nodes_text), line)

    def read_moves(self, text: str) -> None:
        """Read the UCI moves that an engine must play."""
        position, moves = self.position, []
        if position is None:  # this has already been reported
            return
        for word in unquote(text).split():
            try:
                moves.append(position.parse_uci(word))
            except ValueError as error:
                self.add_problem(f"moves {unquote(text)!r}: {error}")
                return
            position = position.play_unchecked(moves[-1])
        self.moves = tuple(moves)

    def read_setup(self, text: str) -> None:
        """Read the options with which the position is set up."""
        if self.position is None:
            return
        try:
            self.setup = parse_setup(unquote(text))
            PositionSetup.of(Game(self.position), self.setup)
        except ValueError as error:
            self.add_problem(f"setup {unquote(text)!r}: {error}")

    def _add_count(self, depth: int, nodes: int, line: int | None) -> None:
        if depth == 0:  # some files contain depth 0, but engines hang on `go perft 0`
            if nodes != 1:
                self.add_problem(f"depth 0 has 1 node, the position itself, not {nodes}", line)
        elif self.counts.setdefault(depth, nodes) != nodes:
            self.add_problem(f"depth {depth} is given twice, with {self.counts[depth]} nodes and with {nodes}", line)

    def _read_operation(self, text: str) -> None:
        opcode, *rest = text.split(None, 1)
        value = rest[0] if rest else ""
        name = opcode.lower()
        if _DEPTH.fullmatch(name):
            self.read_count(name[1:], value)
        elif name == "id":
            self.read_name(value)
        elif name == "moves":
            self.read_moves(value)
        elif name == "setup":
            self.read_setup(value)
        elif name == "c0":
            self.purpose = UNPRINTABLE.sub(" ", unquote(value))
        elif not _IGNORED.fullmatch(name):
            count = "counts are written as 'D3 400'"
            if (numbers := _TWO_NUMBERS.fullmatch(text)) is not None:
                count = f"write it as 'D{numbers['depth']} {numbers['nodes']}'"
            if re.match(r"d(?:[^a-z]|$)|depth", name):
                self.add_problem(f"{text!r} is not a count: {count}")
            else:
                self.add_problem(f"unknown operation {opcode!r}: {count}, names as 'id \"name\"'")


def value_of(number: str) -> int:
    """Return the value of a text that matches `NUMBER`."""
    return int(number.replace(",", "").replace("_", ""))


def quote(text: str) -> str:
    """Return a text as an EPD string, with quotes and backslashes escaped by a backslash."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def unquote(text: str) -> str:
    """Return the content of an EPD string, or the text itself if it is not quoted."""
    text = text.strip()
    return re.sub(r'\\(["\\])', r"\1", text[1:-1]) if _QUOTED.fullmatch(text) else text


def _split_operations(text: str) -> list[str] | None:
    """Split a line at semicolons outside quotes; return None if a quote is not closed."""
    if '"' not in text:
        return text.split(";")
    parts, start = [], 0
    while True:
        part = _OPERATION.match(text, start)
        assert part is not None  # the pattern matches the empty string
        parts.append(part.group())
        if part.end() == len(text):
            return parts
        if text[part.end()] != ";":
            return None
        start = part.end() + 1


def format_case(case: Case) -> str:
    """Return the EPD line of a case, with castling rights as X-FEN and the en passant square as given.

    Raises SuiteError if the case has no counts, because such a line could not be read.
    """
    if not case.counts:
        raise SuiteError(f"case {case.name!r} has no counts to write")
    counts = " ".join(f";D{depth} {nodes}" for depth, nodes in case.counts)
    purpose = f" ;c0 {quote(case.purpose)}" if case.purpose else ""
    played = " ".join(move.uci(case.position.chess960) for move in case.moves)
    moves = f" ;moves {quote(played)}" if played else ""
    setup = f" ;setup {quote(format_setup(case.setup))}" if case.setup else ""
    return f"{case.position.fen()} {counts} ;id {quote(case.name)}{purpose}{moves}{setup}"


def write_suite(path: Path, suite: Suite, header: Sequence[str] = ()) -> None:
    """Write a suite with the comment lines `header` at the top, and replace the file atomically.

    The old version is kept until the new one is on disk. Raises SuiteError if the suite has no cases or the file cannot
    be written.
    """
    if not suite.cases:
        raise SuiteError(f"suite {suite.name!r} has no cases to write")
    lines = [*_comment_lines(header), *map(format_case, suite)]
    try:
        if path.exists() and not path.is_file():
            raise SuiteError(f"cannot write {path}: it is not a regular file")
        write_atomically(path, "".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise SuiteError(f"cannot write {path}: {error.strerror}") from error


def _comment_lines(header: Sequence[str]) -> list[str]:
    texts = [header] if isinstance(header, str) else header  # a string would be a sequence of characters
    return [
        f"# {UNPRINTABLE.sub(' ', line)}".rstrip()  # unprintable characters would make the file unreadable
        for text in texts
        for line in text.splitlines() or [""]
    ]
