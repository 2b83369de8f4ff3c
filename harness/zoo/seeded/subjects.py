"""Our own generator with hooks for faults that only its API shows: in lists, validator, reading and printing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ....generator.position import Position
from ....generator.types.moves import GenType, Move
from ....generator.validation import FenError
from ...fuzzing.checks.lists import Subject
from .generator import FaultTally

if TYPE_CHECKING:
    from ....generator.kernels.tables import Backend

T = TypeVar("T")


class FaultySubject(Subject):
    """Our own generator; a fault overrides one method, and calls `reached` where its wrong code runs."""

    def __init__(self) -> None:
        self.tally = FaultTally()

    def note_reached(self) -> None:
        """Note that the wrong code runs."""
        self.tally.reached += 1


class FaultyLists(FaultySubject):
    """Lists without the moves that `drops` names, and with those that `adds` returns."""

    def lists(self, position: Position, gentype: GenType, backend: Backend | None = None) -> list[Move]:
        """Return the moves of a GenType."""
        right = super().lists(position, gentype, backend)
        added = self.adds(position, gentype, right)
        return alter_list(self, right, lambda move: self.drops(position, gentype, move), added)

    def drops(self, position: Position, gentype: GenType, move: Move) -> bool:
        """Tell whether a move is left out of its list."""
        return False

    def adds(self, position: Position, gentype: GenType, right: list[Move]) -> list[Move]:
        """Return the moves that are added to a list."""
        return []


class FaultyValidator(FaultySubject):
    """A validator that refuses the legal moves that `refuses` names, and accepts those that `admits` returns."""

    def accepted_moves(self, position: Position, backend: Backend | None = None) -> list[Move]:
        """Return the moves that the validator accepts."""
        right = super().accepted_moves(position, backend)
        admitted = [move for move in self.admits(position, right) if move not in right]
        return alter_list(self, right, lambda move: self.refuses(position, move), admitted)

    def refuses(self, position: Position, move: Move) -> bool:
        """Tell whether a legal move is refused."""
        return False

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        """Return further moves that are accepted; legal moves among them are ignored."""
        return []


def alter_list(
    subject: FaultySubject, right: list[Move], drops: Callable[[Move], bool], added: list[Move]
) -> list[Move]:
    """Return a list without the moves that are dropped, and with those added."""
    kept = [move for move in right if not drops(move)]
    if added or len(kept) < len(right):
        subject.note_reached()
    return kept + added


class WatchedSubject(FaultySubject):
    """Compares each answer with the right one; a mix-in that comes before the faulty class."""

    _right = Subject()

    def lists(self, position: Position, gentype: GenType, backend: Backend | None = None) -> list[Move]:
        """Return the list, compared as a multiset."""
        answer = super().lists(position, gentype, backend)
        return self._judge(answer, sorted(answer) == sorted(self._right.lists(position, gentype, backend)))

    def accepted_moves(self, position: Position, backend: Backend | None = None) -> list[Move]:
        """Return the moves accepted, compared as a multiset."""
        answer = super().accepted_moves(position, backend)
        return self._judge(answer, sorted(answer) == sorted(self._right.accepted_moves(position, backend)))

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after a move, compared."""
        answer = super().play(position, move)
        return self._judge(answer, answer == self._right.play(position, move))

    def fen(self, position: Position) -> str:
        """Return the FEN, compared."""
        answer = super().fen(position)
        return self._judge(answer, answer == self._right.fen(position))

    def read(self, fen: str, chess960: bool) -> Position:
        """Return the position read, compared; refusing a wrong FEN is right."""
        try:
            right = self._right.read(fen, chess960)
        except FenError:
            right = None
        try:
            answer = super().read(fen, chess960)
        except FenError:
            self._judge(None, right is None)
            raise
        except Exception:
            self._judge(None, False)
            raise
        return self._judge(answer, answer == right)

    def _judge(self, answer: T, same: bool) -> T:
        self.tally.triggered += not same
        return answer


def watch_subject(faulty: type[FaultySubject]) -> FaultySubject:
    """Return a new subject of this class that counts its wrong answers."""
    made: type[FaultySubject] = type(faulty.__name__, (WatchedSubject, faulty), {})
    return made()
