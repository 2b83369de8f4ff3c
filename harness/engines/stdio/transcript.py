"""An engine's answer to one question, line by line, in a known dialect or in that of its descriptor."""

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
from .lines import TOTAL_RE, AnswerPatterns, game_move, root_move, totals, unread_count
from .output import printable

if TYPE_CHECKING:
    from .descriptor import Descriptor

MOST_LISTED = 50_000
"""Root moves of an answer. A position has at most 218, and an engine may list them for each depth on the way."""
MOST_LINES = 5_000
"""Lines of a whole answer, the first ones: some programs print a prompt without end once their input has ended."""
MOST_UNREAD = 512
"""Lines of an answer that are kept, the last ones, though they tell neither a root move nor a total."""
_MINUS = re.compile(r"(?<![^:=|\s])[-\N{MINUS SIGN}](?=[0-9])")
"""The sign of a negative count; a hyphen between a move and its count has white space on both sides."""
_COMPLAINT = re.compile(r"(?i)\b(?:error|illegal|invalid|unknown|unexpected|cannot|can't|not legal|failed)\b")
_FIGURE = re.compile(r"[:=]\s*\d+\s*$")
"""What a line ends with that tells a figure, as "illegal moves: 3", and does not complain."""
MOST_NAMED = 3
"""So many moves and lines are named in a message."""


def endless(name: str) -> EngineFlood:
    """Return what to raise about an engine that lists more than that."""
    return EngineFlood(f"{name} floods: more than {MOST_LISTED:,} moves in one answer")


@dataclass
class Transcript:
    """An engine's answer to one question, as far as it has been heard."""

    depth: int
    known_format: str | None
    """The format in which this engine writes totals; None accepts any."""
    pairs: list[tuple[str, int]] = field(default_factory=list)
    total: int | None = None
    total_format: str | None = None
    """The format in which the total was written."""
    patterns: AnswerPatterns | None = None
    """How this engine writes root moves and totals, where its descriptor says so."""
    separator: str = ""
    """What it writes between thousands, if none of the usual characters."""
    first_depth: int | None = None
    """The depth of the first total of an answer, where the engine counts every depth on the way and its totals do not
    say which it is.
    """
    has_total: bool = False
    """Whether a total was written, and not only root moves."""
    passed: list[tuple[str, int]] = field(default_factory=list)
    """Totals that are not the one of this answer, with their formats."""
    unread: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_UNREAD))
    """Lines that tell nothing that is known."""
    games: list[tuple[str, int, str]] = field(default_factory=list)
    """Moves as in games, their counts and lines: root moves if they add up to the total with the others."""
    is_partial: bool = False
    """Whether only some of its root moves are understood, so that the total alone counts."""
    refusal: str = ""
    """A line before the answer that may reject the position: it does so if no correct count follows."""

    @classmethod
    def of(cls, descriptor: Descriptor, depth: int, **others: Any) -> Self:
        """Return an empty answer of the engine that a descriptor describes; `others` are more fields."""
        return cls(
            depth,
            descriptor.total_format,
            patterns=descriptor.patterns,
            separator=descriptor.separator or "",
            first_depth=descriptor.first_depth,
            **others,
        )

    def hear(self, line: str) -> bool:
        """Take in one line; return whether it was the total, which ends the answer. Raises UnparseableOutput."""
        return not self.hear_root_move(line) and self.hear_total(line)

    def hear_total(self, line: str) -> bool:
        """Take in a line that is no root move; return whether it was the total. Raises UnparseableOutput."""
        for name, nodes, depth in self.read_totals(line):
            if self._is_asked(depth):
                self.take(name, nodes)
                return True
            self.pass_over(name, nodes)
        return self.leave(line)

    def leave(self, line: str) -> bool:
        """Keep a line that tells neither a root move of the usual forms nor a total; one may have a negative count.

        Return whether that is the total.
        """
        if (minus := _MINUS.search(line)) is not None:
            positive = line[: minus.start()] + line[minus.end() :]
            if self.hear_root_move(positive):
                move_text, count = self.pairs.pop()
                self.pairs.append((move_text, -count))
                return False
            for name, nodes, depth in self.read_totals(positive):
                if self._is_asked(depth) and _begins_with(line[minus.end() :], nodes):
                    return self.take_negative(name, -nodes)
        move = None if self.patterns is not None and self.patterns.move is not None else game_move(line)
        if move is not None and len(self.games) <= MOST_LISTED:
            self.games.append((*move, line))
        else:
            self.unread.append(line)
        return False

    def take_negative(self, name: str, nodes: int) -> bool:
        """Take a total below 0, which no count is; return whether it ends the answer."""
        self.take(name, nodes)
        return True

    def hear_root_move(self, line: str) -> bool:
        """Take in a line if it is a root move; return True if it is. Raises UnparseableOutput."""
        patterns = self.patterns
        pair = (
            root_move(line, self.separator) if patterns is None or patterns.move is None else patterns.root_move(line)
        )
        if pair is not None:
            self.pairs.append(pair)
        return pair is not None

    def read_totals(self, line: str) -> list[tuple[str, int, int | None]]:
        """Return the totals that a line may tell, as `lines.totals` does. Raises UnparseableOutput."""
        if self.patterns is not None and self.patterns.total is not None:
            return self.patterns.totals(line)
        return list(totals(line, self.known_format, self.separator))

    def take(self, name: str, nodes: int) -> None:
        """Take a total, written in this format, for the one of this answer."""
        self.total, self.total_format, self.has_total = nodes, name, True
        self.take_games()

    def take_games(self) -> None:
        """Take moves as in games for root moves if these then add up to the total, or if there is no total."""
        if self.games and (not self.has_total or self.added_with_games == self.total):
            self.pairs.extend((move, count) for move, count, _ in self.games)
            self.games.clear()

    @property
    def added_with_games(self) -> int:
        """What the root moves add up to, moves as in games included."""
        return sum(count for _, count in self.pairs) + sum(count for _, count, _ in self.games)

    def pass_over(self, name: str, nodes: int) -> None:
        """Note that a total is of another depth: some engines count every depth on the way, with root moves."""
        self.passed.append((name, nodes))
        self.pairs.clear()
        self.games.clear()
        self.unread.clear()

    def _is_asked(self, depth: int | None) -> bool:
        """Return True if the next total, which says that it is of this depth or says none, ends this answer."""
        if depth is None and self.first_depth is not None:
            depth = self.first_depth + len(self.passed)
        return depth in (None, self.depth)

    @property
    def is_endless(self) -> bool:
        """Whether there are more root moves than any answer has."""
        return len(self.pairs) + len(self.games) > MOST_LISTED

    def gap(self, position: Position, missing_nodes: int | None) -> str:
        """Return, as a clause, which root moves of a position are missing and which lines may tell them; "" for none.

        The lines have so many nodes together, if that is known, or else they begin as moves do.
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
        """Return the lines that may be root moves written in an unknown way, of so many nodes if that is known."""
        lines = (*(line for _, _, line in self.games), *self.unread)
        counts = [(line, *found) for line in lines if (found := unread_count(line)) is not None]
        like_moves = [(line, count) for line, is_like_a_move, count in counts if is_like_a_move]
        every = [(line, count) for line, _, count in counts]
        for some in (like_moves, every, *([one] for one in every)):
            if nodes is None or sum(count for _, count in some) == nodes:
                return [line for line, _ in some]
        return []

    @property
    def remark(self) -> str:
        """The first line in which the engine complains of something, as it may stand in a message; "" for none."""
        told = (line[:1_000] for line in self.unread)
        return next((printable(line) for line in told if _COMPLAINT.search(line) and not _FIGURE.search(line)), "")

    def divide(self) -> Divide:
        """Return the root moves as they came."""
        return Divide.of(self.pairs)


def _some(names: Sequence[str]) -> str:
    """Return names as a list, the first ones if there are many."""
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _begins_with(text: str, nodes: int) -> bool:
    """Return True if a text begins with a number, whatever separates its thousands."""
    return str(nodes).startswith(re.split("[^0-9]", text, maxsplit=1)[0])


_STRICTNESS = {name: place for place, name in enumerate((TOTAL_RE, *TOTALS))}


@dataclass
class Survey(Transcript):
    """An answer in which the known count is the total, also where other numbers look like one.

    It ends with the known count, or with a total to which the root moves add up. Where it has neither, `settle` takes
    the likeliest of the other totals: the engine may count incorrectly.
    """

    known: Sequence[int] = ()
    """The correct totals of the depths from 1 to this one."""
    finds_separator: bool = True
    """Whether it is yet to be found out what is written between thousands."""
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_UNREAD))
    """All lines of the answer, the last ones if there are many."""
    likeliest: tuple[str, int, list[tuple[str, int]], list[tuple[str, int, str]]] | None = field(default=None)
    """The strictest format, the last total in it, its root moves and `games`, of totals that are not right."""

    @property
    def counts(self) -> set[int]:
        """All that may be the count: the totals, and what the root moves add up to."""
        found = {nodes for _, nodes in self.passed}
        if self.total is not None:
            found.add(self.total)
        if self.pairs:
            found.add(sum(count for _, count in self.pairs))
        if self.games:
            found.add(self.added_with_games)
        return found

    @property
    def read_count(self) -> int | None:
        """The total that was read, else what the root moves add up to; None if there is neither."""
        added = sum(count for _, count in self.pairs) if self.pairs else None
        return self.total if self.has_total else added

    def hear(self, line: str) -> bool:
        """Take in one line; return whether it has the known count, or what the root moves add up to.

        Raises UnparseableOutput.
        """
        self.lines.append(line)
        return super().hear(line)

    def hear_total(self, line: str) -> bool:
        """Take in a line that is no root move; return whether it has the count. Raises UnparseableOutput."""
        for name, nodes, depth in self._likely_totals(line):
            if depth in (None, self.depth):
                if self._is_correct(nodes):
                    self.first_depth = self._depth_of_first(name) if depth is None else None
                    self.take(name, nodes)
                    return True
                self._keep(name, nodes)
            self.pass_over(name, nodes)
        return self.leave(line)

    def _depth_of_first(self, name: str) -> int | None:
        """Return the depth of the first total where the right ones of all lower depths came before it, else None."""
        before = [passed for other, passed in self.passed if other == name]
        is_every_depth = before == [1, *self.known[:-1]][-len(before) :]
        return self.depth - len(before) if before and is_every_depth else None

    def pass_over(self, name: str, nodes: int) -> None:
        """Note a total of another depth, or a number that is none: then the root moves are those of this answer."""
        pairs, games, unread = list(self.pairs), list(self.games), list(self.unread)
        added = {sum(count for _, count in pairs), self.added_with_games}
        super().pass_over(name, nodes)
        if (pairs or games) and nodes not in added:
            self.pairs.extend(pairs)
            self.games.extend(games)
        if nodes not in {*self.known[:-1], *added}:
            self.unread.extend(unread)

    def settle(self) -> bool:
        """Take the likeliest total, where none is right; return True if there is one."""
        if self.has_total or self.likeliest is None:
            return self.has_total
        name, nodes, pairs, games = self.likeliest
        if (name, nodes) in self.passed:
            self.passed.remove((name, nodes))
        self.pairs[:], self.games[:] = pairs, games
        self.take(name, nodes)
        return True

    def take_negative(self, name: str, nodes: int) -> bool:
        """Keep a negative total, as any other incorrect one."""
        self._keep(name, nodes)
        return False

    def _likely_totals(self, line: str) -> list[tuple[str, int, int | None]]:
        """Return the totals that a line may tell: the right one, if it is there in any way of writing it."""
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
        added = {sum(count for _, count in self.pairs), self.added_with_games} - {0}
        return nodes == self.known[-1] or (nodes in added and nodes not in self.known)

    def _keep(self, name: str, nodes: int) -> None:
        if self.likeliest is None or _STRICTNESS[name] <= _STRICTNESS[self.likeliest[0]]:
            self.likeliest = name, nodes, list(self.pairs), list(self.games)
