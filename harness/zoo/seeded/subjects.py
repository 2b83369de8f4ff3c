"""Our own generator, spoilt where only its API shows it: lists, validator, reading and printing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ....generator.kernels.tables import Backend
from ....generator.position import Position
from ....generator.types.moves import GenType, Move
from ....generator.validation import FenError
from ...fuzzing.checks.subject import OwnSubject
from .tally import Tally

T = TypeVar("T")


class SpoiltSubject(OwnSubject):
    """The right one; a fault overrides one method of it, and calls `reached` where its wrong branch is taken."""

    def __init__(self) -> None:
        self.tally = Tally()

    def reached(self) -> None:
        """Note that the wrong branch is taken."""
        self.tally.reached += 1


class SpoiltLists(SpoiltSubject):
    """Lists less what `drops` says and with what `adds` says."""

    def lists(self, position: Position, gentype: GenType, backend: Backend | None = None) -> list[Move]:
        """Return the moves of a GenType."""
        right = super().lists(position, gentype, backend)
        return spoil(self, right, lambda move: self.drops(position, gentype, move), self.adds(position, gentype, right))

    def drops(self, position: Position, gentype: GenType, move: Move) -> bool:
        """Tell whether a move is left out of its list."""
        return False

    def adds(self, position: Position, gentype: GenType, right: list[Move]) -> list[Move]:
        """Return what a list has besides the right moves."""
        return []


class SpoiltValidator(SpoiltSubject):
    """A validator that refuses what `refuses` says and accepts what `admits` says."""

    def accepted(self, position: Position, backend: Backend | None = None) -> list[Move]:
        """Return the moves that the validator takes for legal."""
        right = super().accepted(position, backend)
        admitted = [move for move in self.admits(position, right) if move not in right]
        return spoil(self, right, lambda move: self.refuses(position, move), admitted)

    def refuses(self, position: Position, move: Move) -> bool:
        """Tell whether a legal move is refused."""
        return False

    def admits(self, position: Position, right: list[Move]) -> list[Move]:
        """Return what is accepted besides the legal moves; legal ones are no harm."""
        return []


def spoil(subject: SpoiltSubject, right: list[Move], drops: Callable[[Move], bool], added: list[Move]) -> list[Move]:
    """Return the moves that are not dropped, and those added."""
    kept = [move for move in right if not drops(move)]
    if added or len(kept) < len(right):
        subject.reached()
    return kept + added


class WatchedSubject(SpoiltSubject):
    """Compares each answer with the right one; to be mixed in before a spoilt subject."""

    _right = OwnSubject()

    def lists(self, position: Position, gentype: GenType, backend: Backend | None = None) -> list[Move]:
        """Return the list, compared as a multiset."""
        answer = super().lists(position, gentype, backend)
        return self._judged(answer, sorted(answer) == sorted(self._right.lists(position, gentype, backend)))

    def accepted(self, position: Position, backend: Backend | None = None) -> list[Move]:
        """Return the moves accepted, compared as a multiset."""
        answer = super().accepted(position, backend)
        return self._judged(answer, sorted(answer) == sorted(self._right.accepted(position, backend)))

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after a move, compared."""
        answer = super().play(position, move)
        return self._judged(answer, answer == self._right.play(position, move))

    def fen(self, position: Position) -> str:
        """Return the FEN, compared."""
        answer = super().fen(position)
        return self._judged(answer, answer == self._right.fen(position))

    def read(self, fen: str, chess960: bool) -> Position:
        """Return the position read, compared; refusing what has to be refused is right."""
        try:
            right = self._right.read(fen, chess960)
        except FenError:
            right = None
        try:
            answer = super().read(fen, chess960)
        except FenError:
            self._judged(None, right is None)
            raise
        except Exception:
            self._judged(None, False)
            raise
        return self._judged(answer, answer == right)

    def _judged(self, answer: T, same: bool) -> T:
        self.tally.triggered += not same
        return answer


def watched_subject(spoilt: type[SpoiltSubject]) -> SpoiltSubject:
    """Return a new subject of this class whose differences from the right one are counted."""
    made: type[SpoiltSubject] = type(spoilt.__name__, (WatchedSubject, spoilt), {})
    return made()
