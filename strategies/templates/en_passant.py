"""Templates for en passant: two pawns side by side, with a king and a slider on a line through them."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ...generator.events import Event
from ...generator.kernels.geometry import BISHOP_DIRECTIONS, KING_STEPS, Direction
from ...generator.reachability.attacks import leaps
from ...generator.types.pieces import Color, PieceType
from ..position_builder import ALONG_FILE, OFF_FILE, OFFICERS, THEM, US, PositionBuilder, Template, reverse

_FILES = (3, 4, 2, 5, 1, 6, 0, 7)  # central files first, because lines have room on both sides
_EDGE_FILES, _INNER_FILES = _FILES[-2:], _FILES[:-2]


class _Pawns(NamedTuple):
    """The squares of a black pawn that has just made a double step, and of a white pawn that may capture it."""

    capturer: int
    victim: int
    target: int
    start: int

    @property
    def capture(self) -> Direction:
        """The direction in which the capturer moves."""
        return self.victim - self.capturer, 1

    @property
    def off_capture(self) -> tuple[Direction, ...]:
        """All directions except that of the capture and its reverse."""
        return tuple(d for d in KING_STEPS if d not in (self.capture, reverse(self.capture)))

    @property
    def across(self) -> tuple[Direction, ...]:
        """The two directions of the diagonal perpendicular to the capture."""
        return (-self.capture[0], 1), (self.capture[0], -1)


def _pawns(builder: PositionBuilder, files: tuple[int, ...] = _FILES) -> _Pawns:
    """Put the two pawns, the victim on one of `files`, and reserve the squares that it left and passed."""
    file = builder.choose(files)
    victim, target, start = 32 + file, 40 + file, 48 + file
    builder.place(THEM, PieceType.PAWN, victim)
    capturer = builder.place(
        US, PieceType.PAWN, victim + builder.choose([side for side in (-1, 1) if 0 <= file + side < 8])
    )
    builder.keep(target, start)
    builder.en_passant = target
    return _Pawns(capturer, victim, target, start)


def _on_rank(builder: PositionBuilder, king: Color) -> None:
    """A king and a slider stand on the rank of the pawns, with both pawns between them."""
    pawns = _pawns(builder)
    builder.put_on_line(king, king.other, (pawns.capturer, pawns.victim), ((1, 0), (-1, 0)))


def _piece_could_move_there_in_check(builder: PositionBuilder) -> None:
    """The victim gives check, and a piece can move to the en passant square without ending the check."""
    builder.put_attacker(US, _takes_checker(builder).target, (builder.choose(OFFICERS),))


def _legal(builder: PositionBuilder, files: tuple[int, ...] = _FILES) -> None:
    _pawns(builder, files)


def _takes_checker(builder: PositionBuilder) -> _Pawns:
    pawns = _pawns(builder)
    builder.place(US, PieceType.KING, builder.pick(leaps(THEM, PieceType.PAWN, pawns.victim)))
    return pawns


def _pin_along(builder: PositionBuilder) -> None:
    """The capturer is pinned on the diagonal on which it captures."""
    pawns = _pawns(builder)
    builder.put_on_line(US, THEM, (pawns.capturer,), (pawns.capture, reverse(pawns.capture)))


def _victim_leaves_file(builder: PositionBuilder) -> None:
    """A king and a slider stand on the victim's file, and the capturer lands between them."""
    builder.put_on_line(US, THEM, (_pawns(builder).victim,), ALONG_FILE)


def _destination_blocks(builder: PositionBuilder) -> None:
    builder.choose((_pin_along, _victim_leaves_file))(builder)


def _pin_on_file(builder: PositionBuilder) -> None:
    builder.put_on_line(US, THEM, (_pawns(builder).capturer,), ALONG_FILE)


def _pin_across(builder: PositionBuilder) -> None:
    pawns = _pawns(builder)
    builder.put_on_line(US, THEM, (pawns.capturer,), pawns.across)


def _victim_shields(builder: PositionBuilder) -> None:
    builder.put_on_line(US, THEM, (_pawns(builder).victim,), BISHOP_DIRECTIONS)


def _other_check(builder: PositionBuilder) -> None:
    """The double step uncovered a check that the capture does not end."""
    builder.put_on_line(US, THEM, (_pawns(builder).start,), OFF_FILE)


def _two_capturers(builder: PositionBuilder) -> _Pawns:
    pawns = _pawns(builder, _INNER_FILES)
    builder.place(US, PieceType.PAWN, 2 * pawns.victim - pawns.capturer)
    return pawns


def _one_of_two_pinned(builder: PositionBuilder) -> None:
    pawns = _two_capturers(builder)
    builder.put_on_line(US, THEM, (pawns.capturer,), (*ALONG_FILE, *pawns.across))


def _direct_check(builder: PositionBuilder) -> None:
    builder.put(THEM, PieceType.KING, leaps(US, PieceType.PAWN, _pawns(builder).target))


def _capturer_uncovers(builder: PositionBuilder) -> None:
    pawns = _pawns(builder)
    builder.put_on_line(THEM, US, (pawns.capturer,), pawns.off_capture)


def _victim_uncovers(builder: PositionBuilder) -> None:
    builder.put_on_line(THEM, US, (_pawns(builder).victim,), BISHOP_DIRECTIONS)


def _double_check(builder: PositionBuilder) -> None:
    """The capturer gives check from its new square, as does a rook on the file that it left."""
    pawns = _pawns(builder)
    builder.put(THEM, PieceType.KING, 1 << pawns.capturer + 16)
    builder.put_on_line(THEM, US, (pawns.capturer,), ((0, -1),))


def _piece_moves_there(builder: PositionBuilder) -> None:
    builder.put_attacker(US, _pawns(builder).target, (builder.choose((*OFFICERS, PieceType.KING)),))


TEMPLATES: dict[Event, Template] = {
    Event.EP_LEGAL: _legal,
    Event.EP_EVADE_CAPTURE_CHECKER: _takes_checker,
    Event.EP_DEST_BLOCKS_NEEDED: _destination_blocks,
    Event.EP_ILLEGAL_RANK_DOUBLE: partial(_on_rank, king=US),
    Event.EP_ILLEGAL_CAPTURER_PINNED_ORTHO: _pin_on_file,
    Event.EP_ILLEGAL_CAPTURER_PINNED_DIAG: _pin_across,
    Event.EP_ILLEGAL_VICTIM_SHIELD: _victim_shields,
    Event.EP_LEGAL_PINNED_ALONG: _pin_along,
    Event.EP_ILLEGAL_OTHER_CHECK: _other_check,
    Event.EP_TWO_CAPTURERS: _two_capturers,
    Event.EP_TWO_DIFFERENT_LEGALITY: _one_of_two_pinned,
    Event.EP_GIVES_DIRECT_CHECK: _direct_check,
    Event.EP_DISC_BY_CAPTURER: _capturer_uncovers,
    Event.EP_DISC_BY_VICTIM: _victim_uncovers,
    Event.EP_DISC_BY_BOTH_ONLY: partial(_on_rank, king=THEM),
    Event.EP_DOUBLE_CHECK: _double_check,
    Event.EP_SQUARE_PIECE_MOVES_THERE: _piece_moves_there,
    Event.EP_SQUARE_NO_EVASION: _piece_could_move_there_in_check,
    Event.WRAP_EP_FILE_AH: partial(_legal, files=_EDGE_FILES),
}
