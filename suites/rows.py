"""What tables, JSON and source code say, row by row; and what numbers mean that no name explains.

    FEN,1,20,2,400             pairs of a depth and its count
    FEN,20,400,8902            counts from depth 1
    FEN,1,20,400,8902          counts from depth 0

One meaning holds for all rows of a file. It is the one that agrees in every row with the number of moves of the
position; if none or several do, the file is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice
from typing import NamedTuple

from ..generator.position import Position, read_fen
from .case import Problem
from .epd import NUMBER, quote, value_of

NumberedLine = tuple[int, str]
FIELDS, WORDS, RECORD, LIST = "fields", "words", "record", "list"
"""Where numbers stand: in fields of a line, after the words of a FEN, beside a FEN in brackets, or alone in them."""
SAMPLE = 200
"""Rows by which the meaning of numbers is decided."""
_DEPTH = re.compile("1[0-5]|0?[1-9]")
"""A deeper count than that is rather a number of nodes."""
_CLOCKS = 2
_HINTS = {
    FIELDS: "add a head such as fen,depth,nodes or fen,d1,d2",
    WORDS: "separate the fields by commas and add a head such as fen,depth,nodes or fen,d1,d2",
    **dict.fromkeys((RECORD, LIST), 'name the depths, as in {"fen": ..., "d1": 20, "d2": 400}'),
}
_Counts = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Row:
    """What one row says of a position."""

    line: int
    fen: str = ""
    name: str = ""
    purpose: str = ""
    counts: _Counts = ()
    """Depths and numbers of nodes, as they are written."""
    numbers: tuple[str, ...] = ()
    """Numbers whose meaning the whole file decides."""
    where: str = FIELDS
    """Where these stand."""
    operations: str = ""
    """What an EPD line has after its FEN."""
    is_row: bool = True
    """False for a line that is none of the table; its text is then `fen`."""

    def as_epd(self, others: Iterable[Row] = ()) -> str:
        """Return the EPD line of this row and of others about the same."""
        counts = [_operation(*count) for row in (self, *others) for count in row.counts]
        words = [*counts, self.operations]
        if self.name:
            words.append(f"id {quote(self.name)}")
        if self.purpose:
            words.append(f"c0 {quote(self.purpose)}")
        return " ;".join([self.fen, *filter(None, words)]) if self.is_row else self.fen


def _operation(depth: str, nodes: str) -> str:
    return f"D{depth} {nodes}" if depth.isdecimal() else f"depth {depth} {nodes}"


class _Meaning(NamedTuple):
    """One way to read the numbers of a row."""

    first: int | None
    """The depth of the first count; None if depths are given, each before its count."""
    clocks: int = 0
    """How many numbers belong to the FEN."""

    def read(self, row: Row) -> Row | None:
        """Return a row with its numbers as counts, None if they cannot mean that."""
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
_MEANINGS = {
    **{where: [_Meaning(first) for first in _SHAPES] for where in (FIELDS, RECORD)},
    LIST: [_Meaning(first) for first in (1, 0)],
    WORDS: [_Meaning(first, clocks) for clocks in (_CLOCKS, 0) for first in _SHAPES],
}


def as_lines(rows: Iterable[Row], chess960: bool | None, problems: list[Problem]) -> Iterator[NumberedLine]:
    """Yield the EPD lines of rows; those of one position that follow each other are one. Add what cannot be read."""
    settled = _settle(rows, chess960, problems)
    for _, alike in groupby(settled, lambda row: (row.fen, row.name, row.purpose) if row.is_row else row.line):
        first, *others = alike
        yield first.line, first.as_epd(others)


def _settle(rows: Iterable[Row], chess960: bool | None, problems: list[Problem]) -> Iterator[Row]:
    """Yield rows whose numbers are counts."""
    rest = iter(rows)
    sample = list(islice(rest, SAMPLE))
    chosen: dict[str, _Meaning | None] = {}
    for where in _MEANINGS:
        numbered = [row for row in sample if row.numbers and row.where == where]
        if numbered:
            chosen[where] = _choose(numbered, chess960, problems)
    for row in chain(sample, rest):
        if not row.numbers:
            yield row
            continue
        if row.where not in chosen:
            chosen[row.where] = _choose([row], chess960, problems)
        if (meaning := chosen[row.where]) is None:
            continue  # there is a problem already
        if (read := meaning.read(row)) is not None:
            yield read
        else:
            problems.append(Problem(row.line, f"{_said(row)} does not mean the same as in the rows before"))


def _choose(rows: Sequence[Row], chess960: bool | None, problems: list[Problem]) -> _Meaning | None:
    """Return what the numbers of all rows mean; None with a problem if that is not certain."""
    left, where = _MEANINGS[rows[0].where], rows[0].where
    facts = _Facts(chess960)
    readable = [row for row in rows if facts.moves_of(row) is not None]
    if not readable:  # which are problems of their own
        return next((meaning for meaning in left if meaning.read(rows[0]) is not None), None)
    for row in readable:
        fitting = [meaning for meaning in left if facts.agree(meaning.read(row), 2 if meaning.first == 0 else 1)]
        if not fitting:
            moves = facts.moves_of(row)
            which = "" if moves is None else f": depth 1 has {moves:,} nodes there"
            message = f"{_said(row)} cannot be read as counts{which}; if it is meant, {_HINTS[where]}"
            problems.append(Problem(row.line, message))
            return None
        left = fitting
    if len({_stated(meaning, readable) for meaning in left}) > 1:
        left = [meaning for meaning in left if all(facts.confirm(meaning.read(row)) for row in readable)]
    if len({_stated(meaning, readable) for meaning in left}) != 1:
        message = f"{_said(readable[0])} may be a depth and its count, or counts from depth 1: {_HINTS[where]}"
        problems.append(Problem(readable[0].line, message))
        return None
    return left[0]


def _stated(meaning: _Meaning, rows: Sequence[Row]) -> tuple[tuple[str, tuple[tuple[int, str], ...]], ...]:
    """Return what rows say if their numbers mean that, without the count at depth 0."""
    read = [row for one in rows if (row := meaning.read(one)) is not None]
    return tuple((row.fen, tuple((int(d), nodes) for d, nodes in row.counts if int(d))) for row in read)


def _said(row: Row) -> str:
    return repr(",".join(row.numbers))


class _Facts:
    """What is known of positions without a suite."""

    def __init__(self, chess960: bool | None) -> None:
        self._chess960 = chess960

    def agree(self, row: Row | None, depth: int) -> bool:
        """Return True if every count that a row has up to a depth is correct."""
        if row is None:
            return False
        position = read_fen(row.fen, self._chess960)
        if not isinstance(position, Position):  # its clocks are none
            return False
        stated = {int(at): value_of(nodes) for at, nodes in row.counts}
        return all(_nodes(position, at) == nodes for at, nodes in stated.items() if at <= depth)

    def confirm(self, row: Row | None) -> bool:
        """Return True if the counts of a row are correct at depths 1 and 2, and both are there."""
        return row is not None and {1, 2} <= {int(at) for at, _ in row.counts} and self.agree(row, 2)

    def moves_of(self, row: Row) -> int | None:
        """Return the number of moves of the position of a row, None if it cannot be read."""
        position = read_fen(row.fen, self._chess960)
        return len(position.legal_moves) if isinstance(position, Position) else None


def _nodes(position: Position, depth: int) -> int:
    from ..generator.counting.perft import perft

    return len(position.legal_moves) if depth == 1 else perft(position, depth)


def is_depth(text: str) -> bool:
    """Return True if a text is a depth to which people count."""
    return _DEPTH.fullmatch(text) is not None


def is_number(text: str) -> bool:
    """Return True if a text is a number of nodes."""
    return NUMBER.fullmatch(text) is not None
