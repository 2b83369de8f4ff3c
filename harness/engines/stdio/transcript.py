"""The answer of an engine to one question, parsed line by line in known formats or those of its descriptor."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from ....generator.position import Position
from ..base import Divide, EngineFlood
from ..root_moves import as_king_takes_rook
from .dialects import TOTALS
from .grammar import OTHER_SEPARATORS
from .lines import TOTAL_RE, AnswerPatterns, root_move, san_move, totals, unread_count
from .output import printable

if TYPE_CHECKING:
    from .descriptor import Descriptor

MOST_LISTED = 50_000
"""Maximum number of root moves in an answer. A position has at most 218, but some engines list them at each depth."""
MOST_LINES = 5_000
"""Maximum number of lines to read, because some programs print endless prompts after the end of their input."""
MOST_UNREAD = 512
"""Maximum number of recent lines to keep that contain neither a root move nor a total."""
_MINUS = re.compile(r"(?<![^:=|\s])[-\N{MINUS SIGN}](?=[0-9])")
"""The sign of a negative count. A separator between a move and its count has white space on both sides."""
_COMPLAINT = re.compile(r"(?i)\b(?:error|illegal|invalid|unknown|unexpected|cannot|can't|not legal|failed)\b")
_FIGURE = re.compile(r"[:=]\s*\d+\s*$")
"""The end of a line with a statistic, such as "illegal moves: 3", which is not a complaint."""
MOST_NAMED = 3
"""Maximum number of moves or lines to list in a message."""


def endless(name: str) -> EngineFlood:
    """Return the exception for an engine that lists more than `MOST_LISTED` root moves."""
    return EngineFlood(f"{name} floods: more than {MOST_LISTED:,} moves in one answer")


@dataclass
class Transcript:
    """The part of an engine's answer that has been read so far."""

    depth: int
    known_format: str | None
    """The engine's format of totals, or None to accept any."""
    pairs: list[tuple[str, int]] = field(default_factory=list)
    total: int | None = None
    total_format: str | None = None
    """The format of the parsed total."""
    patterns: AnswerPatterns | None = None
    """The patterns of the engine's descriptor."""
    separator: str = ""
    """The engine's thousands separator, or "" for any of `SEPARATORS`."""
    first_depth: int | None = None
    """The depth of the first total in an answer, if totals for all depths are printed without the depth."""
    has_total: bool = False
    """Whether a total was printed. If not, `total` may be the sum over the root moves."""
    skipped: list[tuple[str, int]] = field(default_factory=list)
    """Formats and values of totals for other depths."""
    unread: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_UNREAD))
    """Lines that could not be parsed."""
    san_moves: list[tuple[str, int, str]] = field(default_factory=list)
    """Possible root moves in SAN, with counts and lines. They are accepted if all counts add up to the total."""
    is_partial: bool = False
    """Whether some root moves could not be parsed, so that only the total is used."""
    refusal: str = ""
    """A line that may reject the position. It is treated as a rejection unless a correct count follows."""

    @classmethod
    def of(cls, descriptor: Descriptor, depth: int, **others: Any) -> Self:
        """Return an empty answer for an engine with this descriptor. `others` are additional fields."""
        return cls(
            depth,
            descriptor.total_format,
            patterns=descriptor.patterns,
            separator=descriptor.separator or "",
            first_depth=descriptor.first_depth,
            **others,
        )

    def add(self, line: str) -> bool:
        """Add a line. Return True if it is the total, which ends the answer. Raises UnparseableOutput."""
        return not self.add_root_move(line) and self.add_total(line)

    def add_total(self, line: str) -> bool:
        """Add a line that is not a root move. Return True if it is the total. Raises UnparseableOutput."""
        for name, nodes, depth in self.read_totals(line):
            if self._is_asked(depth):
                self.take(name, nodes)
                return True
            self.skip_total(name, nodes)
        return self.keep_line(line)

    def keep_line(self, line: str) -> bool:
        """Store an unparsed line, unless it contains a root move or a total with a negative count.

        Return True if it is a negative total.
        """
        if (minus := _MINUS.search(line)) is not None:
            positive = line[: minus.start()] + line[minus.end() :]
            if self.add_root_move(positive):
                move_text, count = self.pairs.pop()
                self.pairs.append((move_text, -count))
                return False
            for name, nodes, depth in self.read_totals(positive):
                if self._is_asked(depth) and _begins_with(line[minus.end() :], nodes):
                    return self.take_negative(name, -nodes)
        move = None if self.patterns is not None and self.patterns.move is not None else san_move(line)
        if move is not None and len(self.san_moves) <= MOST_LISTED:
            self.san_moves.append((*move, line))
        else:
            self.unread.append(line)
        return False

    def take_negative(self, name: str, nodes: int) -> bool:
        """Set a negative total, which is never correct. Return True if it ends the answer."""
        self.take(name, nodes)
        return True

    def add_root_move(self, line: str) -> bool:
        """Add a line and return True if it is a root move. Raises UnparseableOutput."""
        patterns = self.patterns
        pair = (
            root_move(line, self.separator) if patterns is None or patterns.move is None else patterns.root_move(line)
        )
        if pair is not None:
            self.pairs.append(pair)
        return pair is not None

    def read_totals(self, line: str) -> list[tuple[str, int, int | None]]:
        """Return the totals that a line may contain, as in `lines.totals`. Raises UnparseableOutput."""
        if self.patterns is not None and self.patterns.total is not None:
            return self.patterns.totals(line)
        return list(totals(line, self.known_format, self.separator))

    def take(self, name: str, nodes: int) -> None:
        """Set the total of the answer and its format."""
        self.total, self.total_format, self.has_total = nodes, name, True
        self.take_san_moves()

    def take_san_moves(self) -> None:
        """Accept the root moves in SAN if all counts add up to the total or there is no total."""
        if self.san_moves and (not self.has_total or self.sum_with_san_moves == self.total):
            self.pairs.extend((move, count) for move, count, _ in self.san_moves)
            self.san_moves.clear()

    @property
    def sum_with_san_moves(self) -> int:
        """The sum of the counts of all root moves, including those in SAN."""
        return sum(count for _, count in self.pairs) + sum(count for _, count, _ in self.san_moves)

    def skip_total(self, name: str, nodes: int) -> None:
        """Record a total for another depth, and discard the preceding root moves, which belong to it."""
        self.skipped.append((name, nodes))
        self.pairs.clear()
        self.san_moves.clear()
        self.unread.clear()

    def _is_asked(self, depth: int | None) -> bool:
        """Return True if a total with this depth, if stated, ends the answer."""
        if depth is None and self.first_depth is not None:
            depth = self.first_depth + len(self.skipped)
        return depth in (None, self.depth)

    @property
    def is_endless(self) -> bool:
        """Whether there are more root moves than in any valid answer."""
        return len(self.pairs) + len(self.san_moves) > MOST_LISTED

    def gap(self, position: Position, missing_nodes: int | None) -> str:
        """Return a clause with the missing root moves and the lines that may contain them, or "".

        The counts in these lines add up to `missing_nodes`. If that is None, the lines start like moves.
        """
        lines = self.lines_of(missing_nodes)
        listed = {as_king_takes_rook(position, move) for move, _ in self.pairs}
        legal = position.legal_moves
        missing = sorted(move.uci(position.chess960) for move in legal if move.uci(chess960=True) not in listed)
        if missing_nodes is None and not lines:
            named = [line for line in self.unread if unread_count(line) is not None]
            lines = named if len(named) == len(missing) else []
        if not missing or not (lines or (len(missing) <= MOST_NAMED and missing_nodes is not None)):
            return ""
        if not lines:
            return f"root moves are missing, as in {_some(missing)}"
        quoted = _some([repr(printable(line)) for line in lines])
        are = "is" if len(missing) == 1 else "are"
        return f"a root move is written in an unknown way, as in {quoted}: {_some(missing)} {are} missing"

    def lines_of(self, nodes: int | None) -> list[str]:
        """Return the lines that may be root moves in an unknown format and, unless `nodes` is None, add up to it."""
        lines = (*(line for _, _, line in self.san_moves), *self.unread)
        counts = [(line, *found) for line in lines if (found := unread_count(line)) is not None]
        like_moves = [(line, count) for line, is_like_a_move, count in counts if is_like_a_move]
        every = [(line, count) for line, _, count in counts]
        for some in (like_moves, every, *([one] for one in every)):
            if nodes is None or sum(count for _, count in some) == nodes:
                return [line for line, _ in some]
        return []

    @property
    def remark(self) -> str:
        """The first line with a complaint, for use in a message, or "" if there is none."""
        lines = (line[:1_000] for line in self.unread)
        return next((printable(line) for line in lines if _COMPLAINT.search(line) and not _FIGURE.search(line)), "")

    def divide(self) -> Divide:
        """Return the root moves as a divide."""
        return Divide.of(self.pairs)


def _some(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _begins_with(text: str, nodes: int) -> bool:
    """Return True if a text starts with this number, possibly with separators."""
    return str(nodes).startswith(re.split("[^0-9]", text, maxsplit=1)[0])


_STRICTNESS = {name: place for place, name in enumerate((TOTAL_RE, *TOTALS))}


@dataclass
class Survey(Transcript):
    """An answer about a position with known counts, used to find the correct count among other totals.

    It ends with the correct count, or with a total that is the sum over the root moves. If there is neither, `settle`
    chooses the most likely of the other totals, because the engine may count incorrectly.
    """

    known: Sequence[int] = ()
    """The correct counts, from depth 1 to the depth of the answer."""
    finds_separator: bool = True
    """Whether the thousands separator is to be determined."""
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_UNREAD))
    """The most recent lines of the answer."""
    likeliest: tuple[str, int, list[tuple[str, int]], list[tuple[str, int, str]]] | None = field(default=None)
    """The most likely of the incorrect totals: its format (the strictest one), its value, and the root moves and
    `san_moves` that precede it."""

    @property
    def counts(self) -> set[int]:
        """All candidates for the count: the totals, and the sum over the root moves."""
        found = {nodes for _, nodes in self.skipped}
        if self.total is not None:
            found.add(self.total)
        if self.pairs:
            found.add(sum(count for _, count in self.pairs))
        if self.san_moves:
            found.add(self.sum_with_san_moves)
        return found

    @property
    def read_count(self) -> int | None:
        """The parsed total, or else the sum over the root moves, or None if there is neither."""
        added = sum(count for _, count in self.pairs) if self.pairs else None
        return self.total if self.has_total else added

    def add(self, line: str) -> bool:
        """Add a line. Return True if it contains the correct count or the sum over the root moves.

        Raises UnparseableOutput.
        """
        self.lines.append(line)
        return super().add(line)

    def add_total(self, line: str) -> bool:
        """Add a line that is not a root move. Return True if it is the total. Raises UnparseableOutput."""
        for name, nodes, depth in self._likely_totals(line):
            if depth in (None, self.depth):
                if self._is_correct(nodes):
                    self.first_depth = self._depth_of_first(name) if depth is None else None
                    self.take(name, nodes)
                    return True
                self._keep(name, nodes)
            self.skip_total(name, nodes)
        return self.keep_line(line)

    def _depth_of_first(self, name: str) -> int | None:
        """Return the depth of the first total if the totals for all smaller depths precede this one, or None."""
        before = [skipped for other, skipped in self.skipped if other == name]
        is_every_depth = before == [1, *self.known[:-1]][-len(before) :]
        return self.depth - len(before) if before and is_every_depth else None

    def skip_total(self, name: str, nodes: int) -> None:
        """Record a total for another depth, and discard the root moves if they add up to it."""
        pairs, san_moves, unread = list(self.pairs), list(self.san_moves), list(self.unread)
        added = {sum(count for _, count in pairs), self.sum_with_san_moves}
        super().skip_total(name, nodes)
        if (pairs or san_moves) and nodes not in added:
            self.pairs.extend(pairs)
            self.san_moves.extend(san_moves)
        if nodes not in {*self.known[:-1], *added}:
            self.unread.extend(unread)

    def settle(self) -> bool:
        """Choose the most likely total if there is no correct one. Return True if there is a total."""
        if self.has_total or self.likeliest is None:
            return self.has_total
        name, nodes, pairs, san_moves = self.likeliest
        if (name, nodes) in self.skipped:
            self.skipped.remove((name, nodes))
        self.pairs[:], self.san_moves[:] = pairs, san_moves
        self.take(name, nodes)
        return True

    def take_negative(self, name: str, nodes: int) -> bool:
        """Record a negative total like any other incorrect total."""
        self._keep(name, nodes)
        return False

    def _likely_totals(self, line: str) -> list[tuple[str, int, int | None]]:
        """Return the totals that a line may contain, or only the correct one if it is there in any format."""
        found = self.read_totals(line)
        if any(self._is_correct(nodes) for _, nodes, _ in found):
            return found
        if self.patterns is not None and self.patterns.total is not None:
            return found
        for loosely in (False, True):
            for separator in (self.separator, *OTHER_SEPARATORS) if self.finds_separator else (self.separator,):
                for one in totals(line, self.known_format, separator, loosely=loosely):
                    if one[2] in (None, self.depth) and self._is_correct(one[1]):
                        self.separator = separator
                        return [one]
        return found

    def _is_correct(self, nodes: int) -> bool:
        added = {sum(count for _, count in self.pairs), self.sum_with_san_moves} - {0}
        return nodes == self.known[-1] or (nodes in added and nodes not in self.known)

    def _keep(self, name: str, nodes: int) -> None:
        if self.likeliest is None or _STRICTNESS[name] <= _STRICTNESS[self.likeliest[0]]:
            self.likeliest = name, nodes, list(self.pairs), list(self.san_moves)
