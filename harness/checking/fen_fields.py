"""Determine which FEN fields an engine refuses, and whether it refuses positions in which the game has ended.

A refusal is not a fault but a limit, which is reported once; such positions are then skipped. `run` tests a field when
the engine fails at a position that has it; `fuzz` tests all fields before it generates positions. A field is considered
refused if the engine counts an easy position correctly without the field, but with it gives no count or the count of
another position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from ...generator.counting.perft import perft
from ...generator.game import Game
from ...generator.position import Position
from ...generator.reachability.retro import rights_from_corner
from ..engines.asking.session import EngineSession
from ..engines.asking.trials import is_silence
from ..engines.base import CountsAnotherPosition, EngineError
from .comparing import counts_correctly, is_count_of_start, least_depth
from .descent.draws import has_little_material


class _Field(NamedTuple):
    """A FEN field, or another property of positions, that some engines do not accept."""

    name: str
    is_in: Callable[[Position], bool]
    easy: Callable[[Position], Position]
    """A function that returns an easy position with the same field value as a given position."""
    plain: Position
    """The easy position, with a field value that every engine accepts."""
    example: Position
    """A position with the most extreme field value in the suites."""


KINGS_AND_ROOK = Position.from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
CHECKMATE = Position.from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
STALEMATE = Position.from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
FEW_PIECES = tuple(Position.from_fen(f"4k3/8/8/8/8/8/8/{row} w - - 0 1") for row in ("4K3", "2B1K3", "1N2K3"))
PAWN_BEFORE_KING = Position.from_fen("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")


def _may_refuse(error: EngineError) -> bool:
    """Return True if the error may mean that the engine refused the FEN, with or without a message."""
    return is_silence(error) or isinstance(error, CountsAnotherPosition)


def has_useless_en_passant(position: Position) -> bool:
    """Return True if the FEN of a position has an en passant square although no pawn may capture there."""
    return position.fen() != position.fen(en_passant="legal")


def _letters(position: Position) -> list[str]:
    return sorted(filter(str.isalpha, position.fen().split()[0].upper()))


_FIELDS = (
    _Field(
        "an en passant square where no pawn may capture",
        has_useless_en_passant,
        lambda _: Position.from_fen("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"),
        PAWN_BEFORE_KING,
        Position.from_fen("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"),
    ),
    _Field(
        "a halfmove clock of three digits",
        lambda position: position.halfmove >= 100,
        lambda position: replace(KINGS_AND_ROOK, halfmove=position.halfmove, fullmove=min(position.fullmove, 999)),
        KINGS_AND_ROOK,
        replace(KINGS_AND_ROOK, halfmove=150, fullmove=120),
    ),
    _Field(
        "a move number of four digits",
        lambda position: position.fullmove >= 1000,
        lambda position: replace(KINGS_AND_ROOK, fullmove=position.fullmove),
        KINGS_AND_ROOK,
        replace(KINGS_AND_ROOK, fullmove=9999),
    ),
    _Field(
        "a position of checkmate",
        lambda position: position.in_check and not position.legal_moves,
        lambda _: CHECKMATE,
        KINGS_AND_ROOK,
        CHECKMATE,
    ),
    _Field(
        "a position of stalemate",
        lambda position: not position.in_check and not position.legal_moves,
        lambda _: STALEMATE,
        KINGS_AND_ROOK,
        STALEMATE,
    ),
    _Field(
        "a position with too few pieces to mate",
        has_little_material,
        lambda position: next((few for few in FEW_PIECES if _letters(few) == _letters(position)), position),
        KINGS_AND_ROOK,
        FEW_PIECES[0],
    ),
)


class FieldRefusals:
    """The FEN fields that an engine is known to refuse."""

    def __init__(self, engine: EngineSession, notify: Callable[[str], None]) -> None:
        self._engine, self._notify = engine, notify
        self._refused: set[_Field] = set()
        self._is_corner_reported = False

    def known(self, position: Position) -> str | None:
        """Return the reason why a position is skipped, or None if the engine is not known to refuse it."""
        return next(
            (self._sentence(field) for field in _FIELDS if field in self._refused and field.is_in(position)), None
        )

    def try_all(self) -> None:
        """Test all fields with an engine that has been started. Raises Interrupted."""
        for field in _FIELDS:
            if self._gives_no_count(field.example) and self._is_refused(field, field.example):
                self._note(field)

    @property
    def are_known(self) -> bool:
        """Whether the engine is known to refuse a field."""
        return bool(self._refused)

    def find(self, game: Game, error: EngineError) -> str | None:
        """Return a clause that names the field that explains a missing count, or None.

        The field may be in the FEN that the engine was given, or in the FEN after the moves. A refusal is reported the
        first time. Raises Interrupted.
        """
        if (corner := self._note_corner(game.base, error)) is not None:
            return corner
        if error.of_reference or not _may_refuse(error):
            return None
        for position in dict.fromkeys((game.base, game.position)):
            for field in _FIELDS:
                if field.is_in(position) and self._is_refused(field, position):
                    self._note(field)
                    return self._sentence(field)
        return None

    def _note_corner(self, position: Position, error: EngineError) -> str | None:
        """Return a clause about castling rights of a king in a corner, or None if the position has none.

        A refusal is reported the first time. Such rights do not occur in Chess960 games, so there is no easy position
        to test.
        """
        if error.of_reference or not rights_from_corner(position):
            return None
        what = f"{self._engine.name} does not take castling rights of a king on the a or h file"
        if not self._is_corner_reported:
            self._notify(f"{what} ({error}): they occur in no game, so such positions are skipped if it refuses them")
        self._is_corner_reported = True
        return what

    def _note(self, field: _Field) -> None:
        self._refused.add(field)
        self._notify(f"{self._sentence(field)}: such positions are skipped")

    def _is_refused(self, field: _Field, position: Position) -> bool:
        plain, depth = Game(field.plain), least_depth(self._engine)
        return (
            counts_correctly(plain, depth, self._engine)
            and self._gives_no_count(field.easy(position))
            and counts_correctly(plain, depth, self._engine)
        )

    def _gives_no_count(self, position: Position) -> bool:
        depth = least_depth(self._engine)
        try:
            return is_count_of_start(self._engine.perft(Game(position), depth), perft(position, depth), depth)
        except EngineError as error:
            return _may_refuse(error)

    def _sentence(self, field: _Field) -> str:
        return f"{self._engine.name} does not take {field.name}"
