"""Has each list of a generator exactly the moves of its contract?

Of our own generator python-chess builds the right lists; its validator is to accept the same moves, and positions that
are images of each other are to have them as well. Of another engine, its convention says what belongs in a list.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ....generator.kernels.tables import available_backends
from ....generator.position import Position
from ....generator.symmetry import flip_colors, flip_move, mirror_files, mirror_move
from ....generator.types.moves import GenType, Move
from ...asking.client import EngineClient
from ...checking.comparing import explain_wrong_move
from ...checking.lists.guessing import Guess, guess
from ...checking.lists.right import askable, compare_lists
from ...checking.lists.wrong import wrong_moves
from ...explaining import Explanation, explain_duplicate, explain_extra, explain_missing, explain_stage
from ...model.conventions import Convention
from ...model.results.finding import WrongMove
from ..model import Discrepancy
from .base import Probe, discrepancies_in, finding_here
from .oracle import expected_lists

if TYPE_CHECKING:
    from ....generator.kernels.tables import Backend


class Subject:
    """Our own generator, as it is checked. Kernels are loaded when they are first asked: many faults do without."""

    def lists(self, position: Position, gentype: GenType, backend: Backend | None = None) -> list[Move]:
        """Return the moves of a GenType. Raises ValueError where its precondition fails."""
        from ....generator.movelist import MoveList

        return MoveList(position, gentype, backend).moves

    def accepted_moves(self, position: Position, backend: Backend | None = None) -> list[Move]:
        """Return the moves that the validator accepts, of all patterns of 16 bits."""
        from ....generator.generation import accepted_moves

        return accepted_moves(position, backend)

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move."""
        return position.play_unchecked(move)

    def fen(self, position: Position) -> str:
        """Print a position."""
        return position.fen()

    def read(self, fen: str, chess960: bool) -> Position:
        """Return the position of a FEN. Raises FenError where it describes none."""
        return Position.from_fen(fen, chess960)


def wrong_codes(
    position: Position, got: Collection[int], expected: Collection[int], gentype: GenType = GenType.LEGAL
) -> list[WrongMove]:
    """Return the extra, missing and repeated moves of the list `got`, with the rule behind each."""
    return [
        explain_wrong_move(position, text, kind, _why(position, text, gentype, kind))
        for code, kind in compare_lists(got, expected)
        for text in [Move(code).uci(chess960=True)]
    ]


def _why(position: Position, text: str, gentype: GenType, kind: str) -> Explanation:
    if kind == "duplicate":
        return explain_duplicate(position, text)
    if gentype is not GenType.LEGAL:
        return explain_stage(position, text, gentype, belongs=kind == "missing")
    return explain_missing(position, text) if kind == "missing" else explain_extra(position, text)


def _compare(
    check: str, probe: Probe, got: list[Move], expected: Collection[int], note: str, gentype: GenType = GenType.LEGAL
) -> Iterator[Discrepancy]:
    """Yield what is wrong in a list of moves in the position of a probe."""
    if sorted(got) != sorted(expected):
        wrong = wrong_codes(probe.position, got, expected, gentype)
        yield from discrepancies_in(check, finding_here(probe, wrong, note), probe.line)


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
            for backend in available_backends():
                got = self._subject.lists(position, gentype, backend)
                note = f"in the list of {gentype.name}, with the {backend} tables"
                yield from _compare(gentype.name.lower(), probe, got, expected, note, gentype)


class Validator:
    """Gives the validator all 65,536 patterns of 16 bits: every origin, target, promotion and kind."""

    names = ("validator",)

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies."""
        for backend in available_backends():
            accepted = self._subject.accepted_moves(probe.position, backend)
            note = f"among the moves that the validator accepts, with the {backend} tables"
            yield from _compare(self.names[0], probe, accepted, probe.position.legal_moves, note)


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
        yield from self._compare_image(probe, flipped, flip_move, "with the colors swapped")
        if not position.castling:
            yield from self._compare_image(probe, mirror_files(position), mirror_move, "with left and right swapped")

    def _compare_image(self, probe: Probe, image: Position, turn: Turn, how: str) -> Iterator[Discrepancy]:
        back = [turn(move) for move in self._subject.lists(image, GenType.LEGAL)]
        ours = self._subject.lists(probe.position, GenType.LEGAL)
        yield from _compare(self.names[0], probe, back, ours, f"among the moves {how}")


WIDE_FIRST = (
    GenType.LEGAL, GenType.NON_EVASIONS, GenType.CAPTURES, GenType.QUIETS, GenType.EVASIONS, GenType.QUIET_CHECKS
)  # fmt: skip
"""What is wrong in a list is no fault of its own in those that are made of it."""


class EngineLists:
    """Compares as multisets whatever lists an engine offers. Its convention is guessed at the first position."""

    names = ("lists",)

    def __init__(self, engine: EngineClient, given: Mapping[str, str]) -> None:
        """Take what the user says of the convention, values by the names of settings."""
        self._engine, self._given = engine, given

    @cached_property
    def guess(self) -> Guess:
        """What the engine lists, and by which convention. Raises Interrupted."""
        return guess(self._engine, self._given)

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        position, convention = probe.position, self.guess.convention
        wanted = askable(position, convention) & set(self.guess.offered)
        told: set[tuple[str, str]] = set()
        for gentype in (each for each in WIDE_FIRST if each in wanted):
            got = self._engine.moves(probe.line, gentype)
            wrong = [] if got is None else wrong_moves(position, gentype, got, convention)
            new = [move for move in wrong if (move.uci, move.kind) not in told]
            told |= {(move.uci, move.kind) for move in new}
            yield from self._discrepancies(probe, gentype, new, convention)

    def _discrepancies(
        self, probe: Probe, gentype: GenType, wrong: list[WrongMove], convention: Convention
    ) -> Iterator[Discrepancy]:
        if wrong:
            by = f", by the convention {' '.join(convention.differing)}" if convention.differing else ""
            note = f"in the list of {gentype.name}{by}"
            yield from discrepancies_in(self.names[0], finding_here(probe, wrong, note), probe.line)
