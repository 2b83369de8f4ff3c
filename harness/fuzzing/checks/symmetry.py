"""Does a position have the same moves with the colors swapped, and with left and right swapped?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....generator.position import Position
from ....generator.symmetry import flip_colors, flip_move, mirror_files, mirror_move
from ....generator.types.moves import GenType, Move
from ..model import Discrepancy
from .base import Probe, discrepancies_in, finding_here
from .lists import wrong_codes
from .subject import Subject

Turn = Callable[[int], Move]
"""Returns the move that a symmetry makes of a move; each is its own inverse."""


class Symmetry:
    """Compares the moves with those of the flipped position and, without castling rights, of the mirrored one.

    The flipped position is read from its FEN, so that reading is tested, too.
    """

    names = ("symmetry",)

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies."""
        position = probe.position
        flipped = self._subject.read(self._subject.fen(flip_colors(position)), position.chess960)
        yield from self._compare(probe, flipped, flip_move, "with the colors swapped")
        if not position.castling:
            yield from self._compare(probe, mirror_files(position), mirror_move, "with left and right swapped")

    def _compare(self, probe: Probe, image: Position, turn: Turn, how: str) -> Iterator[Discrepancy]:
        back = [turn(move) for move in self._subject.lists(image, GenType.LEGAL)]
        ours = self._subject.lists(probe.position, GenType.LEGAL)
        if sorted(back) != sorted(ours):
            wrong = wrong_codes(probe.position, back, ours)
            yield from discrepancies_in(self.names[0], finding_here(probe, wrong, f"among the moves {how}"), probe.line)
