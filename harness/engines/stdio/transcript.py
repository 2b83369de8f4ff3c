"""An engine's answer to one question, line by line, in a known dialect or in that of its descriptor."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ....generator.position import Position
from ..base import Divide, EngineFlood, UnparseableOutput, contradiction
from ..root_moves import as_king_takes_rook
from .grammar import OTHER_SEPARATORS
from .last_words import printable
from .lines import root_move, totals, unread_count
from .patterns import AnswerPatterns

MOST_LISTED = 50_000
"""Root moves of an answer. A position has at most 218, and an engine may list them for each depth on the way."""
MOST_UNREAD = 512
"""Lines of an answer that are kept, the last ones, though they tell neither a root move nor a total."""
MOST_NAMED = 3
"""So many moves and lines are named in a message."""


def endless(name: str) -> EngineFlood:
    """Return what to raise about an engine that lists more than that."""
    return EngineFlood(f"{name} floods: more than {MOST_LISTED:,} moves in one answer")


def check_sum(name: str, position: Position, heard: Transcript) -> None:
    """Raise UnparseableOutput where the root moves that an engine prints are not all that its answer has."""
    if not heard.pairs:
        return
    total, added = heard.total, sum(count for _, count in heard.pairs)
    if heard.has_total and total is not None and added != total:
        raise contradiction(name, total, heard.divide(), heard.gap(position, total - added))
    if not heard.has_total and (gap := heard.gap(position, None)):
        raise UnparseableOutput(f"{name} is not understood: {gap}")


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
    known: int | None = None
    """The right total, where it is known and `separator` is yet to be found out."""
    has_total: bool = False
    """Whether a total was written, and not only root moves."""
    unread: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_UNREAD))
    """Lines that tell nothing that is known."""

    def hear(self, line: str) -> bool:
        """Take in one line; return whether it was the total, which ends the answer. Raises UnparseableOutput."""
        patterns = self.patterns
        pair = (
            root_move(line, self.separator) if patterns is None or patterns.move is None else patterns.root_move(line)
        )
        if pair is not None:
            self.pairs.append(pair)
            return False
        if patterns is not None and patterns.total is not None:
            self.total = patterns.nodes(line)
            self.has_total = self.total is not None
            if not self.has_total:
                self.unread.append(line)
            return self.has_total
        for name, nodes, depth in self._totals(line):
            if depth in (None, self.depth):
                self.total, self.total_format, self.has_total = nodes, name, True
                return True
            self.pairs.clear()  # some count every depth on the way: those were the root moves of another one
            self.unread.clear()
        self.unread.append(line)
        return False

    def _totals(self, line: str) -> Iterator[tuple[str, int, int | None]]:
        """Yield the totals that a line may tell; note an unusual separator by which it tells the right one."""
        found = list(totals(line, self.known_format, self.separator))
        if self.known is not None and not self._is_right(found):
            for separator in OTHER_SEPARATORS:
                if self._is_right(read := list(totals(line, self.known_format, separator))):
                    self.separator, found = separator, read
        yield from found

    def _is_right(self, found: list[tuple[str, int, int | None]]) -> bool:
        """Tell whether a total is the known one, or what the root moves add up to."""
        right = {self.known, sum(count for _, count in self.pairs) or self.known}
        return any(nodes in right for _, nodes, _ in found)

    @property
    def is_endless(self) -> bool:
        """Whether there are more root moves than any answer has."""
        return len(self.pairs) > MOST_LISTED

    def gap(self, position: Position, missing_nodes: int | None) -> str:
        """Return, as a clause, which root moves of a position are missing and which lines may tell them; "" for none.

        The lines have so many nodes together, if that is known, or else they begin as moves do.
        """
        lines = self._unread_root_moves(missing_nodes)
        if missing_nodes is None and not lines:
            return ""
        listed = {as_king_takes_rook(position, move) for move, _ in self.pairs}
        legal = position.legal_moves
        missing = sorted(move.uci(position.chess960) for move in legal if move.uci(chess960=True) not in listed)
        if not missing or not (lines or len(missing) <= MOST_NAMED):
            return ""
        if not lines:
            return f"root moves are missing, as in {_some(missing)}"
        quoted = _some([repr(printable(line)) for line in lines])
        are = "is" if len(missing) == 1 else "are"
        return f"a root move is written in an unknown way, as in {quoted}: {_some(missing)} {are} missing"

    def _unread_root_moves(self, nodes: int | None) -> list[str]:
        """Return the lines that may be root moves written in an unknown way, of so many nodes if that is known."""
        counts = [(line, *found) for line in self.unread if (found := unread_count(line)) is not None]
        like_moves = [(line, count) for line, is_like_a_move, count in counts if is_like_a_move]
        every = [(line, count) for line, _, count in counts]
        for some in (like_moves, every, *([one] for one in every)):
            if nodes is None or sum(count for _, count in some) == nodes:
                return [line for line, _ in some]
        return []

    def divide(self) -> Divide:
        """Return the root moves as they came."""
        return Divide.of(self.pairs)


def _some(names: Sequence[str]) -> str:
    """Return names as a list, the first ones if there are many."""
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
