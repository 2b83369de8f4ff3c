"""Has a position the same moves with the colors swapped, and with left and right swapped?"""

from __future__ import annotations

from collections.abc import Iterator

from ....generator.position import Position
from ....generator.symmetry import flip_colors, mirror_files
from ....generator.types.moves import GenType, Move
from ..model import Fault
from .base import Probe, faults_in, finding_here
from .lists import wrong_codes
from .subject import Subject

_RANKS, _FILES = 0b111000_111000, 0b000111_000111
"""What to change in the squares of a move, when the board is turned so."""


class Symmetry:
    """Compares with the color flip, which is read from its FEN, and with the file mirror where nobody may castle."""

    names = ("symmetry",)

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def __call__(self, probe: Probe) -> Iterator[Fault]:
        """Yield the faults."""
        position = probe.position
        flipped = self._subject.read(self._subject.fen(flip_colors(position)), position.chess960)
        yield from self._compare(probe, flipped, _RANKS, "with the colors swapped")
        if not position.castling:
            yield from self._compare(probe, mirror_files(position), _FILES, "with left and right swapped")

    def _compare(self, probe: Probe, image: Position, turned: int, how: str) -> Iterator[Fault]:
        back = [Move(move ^ turned) for move in self._subject.lists(image, GenType.LEGAL)]
        ours = self._subject.lists(probe.position, GenType.LEGAL)
        if sorted(back) != sorted(ours):
            wrong = wrong_codes(probe.position, back, ours)
            yield from faults_in(self.names[0], finding_here(probe, wrong, f"among the moves {how}"), probe.place)
