"""Do the lists of our own generator have exactly the moves of their contracts? python-chess builds the right lists.

Its validator is to accept the same moves, and positions that are images of each other are to have them as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ....generator.kernels.tables import available_backends
from ....generator.position import Position
from ....generator.symmetry import flip_colors, flip_move, mirror_files, mirror_move
from ....generator.types.moves import GenType, Move
from ...checking.comparing import explain_wrong_move
from ...checking.lists.right import differing
from ...explaining import Explanation, explain_duplicate, explain_extra, explain_missing, explain_stage
from ...model.results.events import WrongMove
from ..model import Discrepancy
from .base import Probe, discrepancies_in, finding_here
from .oracle import expected_lists
from .subject import Subject


def wrong_codes(
    position: Position, got: Iterable[int], expected: Iterable[int], gentype: GenType = GenType.LEGAL
) -> list[WrongMove]:
    """Return the extra, missing and repeated moves of the list `got`, with the rule behind each."""
    return [
        explain_wrong_move(position, text, kind, _why(position, text, gentype, kind))
        for code, kind in differing(got, expected)
        for text in [Move(code).uci(chess960=True)]
    ]


def _why(position: Position, text: str, gentype: GenType, kind: str) -> Explanation:
    if kind == "duplicate":
        return explain_duplicate(position, text)
    if gentype is not GenType.LEGAL:
        return explain_stage(position, text, gentype, belongs=kind == "missing")
    return explain_missing(position, text) if kind == "missing" else explain_extra(position, text)


class GenTypes:
    """Compares the lists of each slider back-end as multisets."""

    def __init__(self, wanted: tuple[GenType, ...], subject: Subject) -> None:
        self._wanted, self._subject = frozenset(wanted), subject
        self.names = tuple(gentype.name.lower() for gentype in GenType if gentype in self._wanted)

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies."""
        position = probe.position
        for gentype, expected in expected_lists(probe.board).items():
            if gentype not in self._wanted:
                continue
            truth = sorted(expected)
            for backend in available_backends():
                got = self._subject.lists(position, gentype, backend)
                if sorted(got) != truth:
                    wrong = wrong_codes(position, got, expected, gentype)
                    note = f"in the list of {gentype.name}, with the {backend} tables"
                    yield from discrepancies_in(gentype.name.lower(), finding_here(probe, wrong, note), probe.line)


class Validator:
    """Gives the validator all 65,536 patterns of 16 bits: every origin, target, promotion and kind."""

    names = ("validator",)

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies."""
        expected = sorted(probe.position.legal_moves)
        for backend in available_backends():
            accepted = self._subject.accepted_moves(probe.position, backend)
            if sorted(accepted) != expected:
                wrong = wrong_codes(probe.position, accepted, expected)
                note = f"among the moves that the validator accepts, with the {backend} tables"
                yield from discrepancies_in(self.names[0], finding_here(probe, wrong, note), probe.line)


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
