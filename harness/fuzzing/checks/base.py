"""What every check gets, and how it tells what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from ....generator.line import Line
from ....generator.position import Position
from ...model.events import Cause, Finding, WrongMove
from ...model.verdict import Verdict
from ..model import Fault, Place

if TYPE_CHECKING:
    import chess


@dataclass(frozen=True)
class Probe:
    """A place to be examined to a depth."""

    line: Line
    depth: int

    @property
    def position(self) -> Position:
        """The position at the end of the line."""
        return self.line.position

    @cached_property
    def place(self) -> Place:
        """The line as the model has it."""
        return place_of(self.line)

    @cached_property
    def board(self) -> chess.Board:
        """The position as python-chess reaches it by the moves of the line; castling is king takes rook."""
        import chess

        board = chess.Board(self.line.base.fen(castling="shredder"), chess960=True)
        for move in self.line.moves:
            board.push_uci(move.uci(chess960=True))
        return board


class Check(Protocol):
    """Looks at a place and yields what is wrong."""

    @property
    def names(self) -> tuple[str, ...]:
        """What it calls the kinds of faults that it can see: short names that stay the same."""

    def __call__(self, probe: Probe) -> Iterator[Fault]:
        """Yield the faults. Raises EngineError where an engine gives no answer."""


def place_of(line: Line) -> Place:
    """Return a line as the model has it."""
    return Place(line.base.fen(), tuple(line.uci_moves()), line.base.chess960)


def line_of(place: Place) -> Line:
    """Return the line of a place. Raises ValueError where a move cannot be played."""
    line = Line(Position.from_fen(place.fen, place.chess960))
    for text in place.moves:
        line = line.after(line.position.parse_uci(text))
    return line


def faults_in(check: str, finding: Finding, otherwise: Place) -> Iterator[Fault]:
    """Yield one fault for each kind and rule of wrong move in a finding.

    `otherwise` is the place to examine again where the finding does not tell one.
    """
    place = _place_of_finding(finding, otherwise)
    if finding.cause is Cause.COUNT or _lists_nothing(finding):
        yield Fault(check, Verdict.MISMATCH, place, finding, finding.note)
    elif finding.state:
        for group in _by_rule(finding.state):
            yield Fault(check, Verdict.MISMATCH, place, replace(finding, state=group))
    elif finding.wrong:
        for group in _by_rule(finding.wrong):
            yield Fault(check, Verdict.MISMATCH, place, replace(finding, wrong=group))
    else:
        yield Fault(check, Verdict.MISMATCH, place, finding, finding.note)


def finding_here(probe: Probe, wrong: Iterable[WrongMove], note: str = "") -> Finding:
    """Return the finding of moves that are wrong in the position of a probe itself."""
    moves = tuple(wrong)
    line = probe.line
    return Finding(
        cause=Cause.MOVES,
        fen=line.position.fen(),
        chess960=line.base.chess960,
        wrong=moves,
        base_fen=line.base.fen() if line.moves else None,
        base_moves=tuple(line.uci_moves()),
        note=note,
    )


def _place_of_finding(finding: Finding, otherwise: Place) -> Place:
    if finding.cause in (Cause.VANISHED, Cause.REFUSED):  # what is wrong shows where the count was
        return otherwise
    if finding.base_fen is not None:
        return Place(finding.base_fen, finding.base_moves, finding.chess960)
    return Place(finding.fen, (), finding.chess960)


def _lists_nothing(finding: Finding) -> bool:
    """Tell whether every one of several moves is missing: that is one fault, not one for each rule."""
    rules = {move.rule for move in finding.wrong}
    if finding.cause is not Cause.MOVES or len(rules) < 2 or any(move.kind != "missing" for move in finding.wrong):
        return False
    return len(finding.wrong) == len(Position.from_fen(finding.fen, finding.chess960).legal_moves)


def _by_rule(moves: Iterable[WrongMove]) -> list[tuple[WrongMove, ...]]:
    groups: dict[tuple[str, str], list[WrongMove]] = {}
    for move in moves:
        groups.setdefault((move.kind, move.rule), []).append(move)
    return [tuple(group) for _, group in sorted(groups.items())]
