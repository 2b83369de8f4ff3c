"""Templates for castling: king and rook on their start squares, and a piece that prevents castling or ends a right."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ...generator.events import Event
from ...generator.reachability.attacks import between, leaps
from ...generator.types.pieces import Color, PieceType
from ..position_builder import A_FILE, ALL_BUT_KING, OFFICERS, RANKS, THEM, US, PositionBuilder, Template, bits

_HOME = 4


class Wing(NamedTuple):
    """The squares of White's castling on one side."""

    rook: int
    king_to: int
    rook_to: int

    def of(self, color: Color) -> Wing:
        """Return the squares for a color; Black's are seven ranks higher."""
        return Wing(*(square + 8 * color.back_rank for square in self))


KINGSIDE, QUEENSIDE = Wing(7, 6, 5), Wing(0, 2, 3)
_WINGS = (KINGSIDE, QUEENSIDE)


def put_home(builder: PositionBuilder, color: Color, wings: tuple[Wing, ...] = _WINGS, right: bool = True) -> Wing:
    """Put a king and a rook on their standard start squares, with the right to castle if `right`; return the wing."""
    wing = builder.choose(wings).of(color)
    builder.may_mirror = False
    builder.place(color, PieceType.KING, _HOME + 8 * color.back_rank)
    builder.place(color, PieceType.ROOK, wing.rook)
    if right:
        builder.castling |= 1 << wing.rook
    return wing


def _clear(builder: PositionBuilder, wings: tuple[Wing, ...] = _WINGS) -> Wing:
    """Put White's king and rook on their start squares, with nothing between them."""
    wing = put_home(builder, US, wings)
    builder.keep_between(_HOME, wing.rook)
    return wing


def _gives_check(builder: PositionBuilder) -> None:
    wing = _clear(builder)
    king = builder.put(THEM, PieceType.KING, builder.reach(wing.rook_to, (0, 1)))
    builder.keep_between(king, wing.rook_to)


def _king_was_blocker(builder: PositionBuilder) -> None:
    """Black's king stands beyond White's on the first rank, where the castled rook gives check."""
    wing = _clear(builder)
    king = builder.put(THEM, PieceType.KING, builder.reach(_HOME, (1 if wing.rook < _HOME else -1, 0)))
    builder.keep_between(king, _HOME)


def _rook_or_its_path_attacked(builder: PositionBuilder, wings: tuple[Wing, ...], rook: bool) -> None:
    wing = _clear(builder, wings)
    target = wing.rook if rook else 1
    builder.put_attacker(THEM, target, (builder.choose(OFFICERS),), spare=bits((_HOME, wing.king_to, wing.rook_to)))


def _b_file_occupied(builder: PositionBuilder) -> None:
    """Only the square next to the queenside rook is occupied; the king does not pass it."""
    put_home(builder, US, (QUEENSIDE,))
    builder.keep(2, 3)
    if builder.flag():
        builder.put(US, builder.choose(OFFICERS), 1 << 1)
    else:
        builder.put(THEM, builder.choose((PieceType.KNIGHT, PieceType.BISHOP)), 1 << 1)


def _attack(builder: PositionBuilder, which: str, kinds: tuple[PieceType, ...] = ALL_BUT_KING) -> None:
    """Exactly one of the king's squares is attacked: its origin, the one that it passes, or its destination."""
    wing = _clear(builder)
    squares = {"start": _HOME, "path": wing.rook_to, "end": wing.king_to}
    target = squares.pop(which)
    kind = builder.choose(kinds)
    spare = bits(squares.values()) if kind is not PieceType.KING else 1 << _HOME
    builder.put_attacker(THEM, target, (kind,), among=~RANKS[0], spare=spare, check=which == "start")


def _take(builder: PositionBuilder, kinds: tuple[PieceType, ...]) -> None:
    """A white piece attacks a black rook that may still castle."""
    wing = put_home(builder, THEM)
    kind = builder.choose(kinds)
    if kind is PieceType.KING:
        builder.put(US, kind, leaps(US, kind, wing.rook))
    else:
        builder.put_attacker(US, wing.rook, (kind,))
    builder.put_last_mover()


def _rook_takes_rook(builder: PositionBuilder) -> None:
    """Two rooks that may castle face each other along the edge."""
    wing = put_home(builder, US)
    put_home(builder, THEM, (wing,))
    builder.keep_between(wing.rook, wing.rook + 56)
    builder.put_last_mover()


def _foreign_rook(builder: PositionBuilder) -> None:
    """A black rook stands on a start square of White's rooks, sometimes with a piece between it and White's king."""
    wing = builder.choose(_WINGS)
    builder.may_mirror = False
    builder.place(US, PieceType.KING, _HOME)
    builder.place(THEM, PieceType.ROOK, wing.rook)
    if builder.flag():
        builder.put(builder.choose((US, THEM)), PieceType.KNIGHT, between(_HOME, wing.rook))


def _other_rook_on_file(builder: PositionBuilder) -> None:
    """A second rook stands on the file of one that may still castle."""
    wing = put_home(builder, US)
    builder.put(US, PieceType.ROOK, A_FILE << wing.rook)


def _other_rook_taken(builder: PositionBuilder) -> None:
    """A second rook, between Black's king and the rook that may still castle, can be captured."""
    wing = put_home(builder, THEM)
    rook = builder.put(THEM, PieceType.ROOK, between(_HOME + 56, wing.rook))
    builder.put_attacker(US, rook, (builder.choose(OFFICERS),))


def _looks_like_castling(builder: PositionBuilder) -> None:
    """A rook or queen on the king's start square can make a move that is written like castling."""
    builder.may_mirror = False
    piece = builder.put(US, builder.choose((PieceType.ROOK, PieceType.QUEEN)), 1 << _HOME)
    target = builder.choose(_WINGS).king_to
    builder.keep(target)
    builder.keep_between(piece, target)


TEMPLATES: dict[Event, Template] = {
    Event.CA_OO: partial(_clear, wings=(KINGSIDE,)),
    Event.CA_OOO: partial(_clear, wings=(QUEENSIDE,)),
    Event.CA_GIVES_CHECK: _gives_check,
    Event.CA_CHECK_KING_WAS_BLOCKER: _king_was_blocker,
    Event.CA_OOO_B_ATTACKED_LEGAL: partial(_rook_or_its_path_attacked, wings=(QUEENSIDE,), rook=False),
    Event.CA_ROOK_ATTACKED_LEGAL: partial(_rook_or_its_path_attacked, wings=_WINGS, rook=True),
    Event.CA_OOO_B_OCC_ONLY_PREVENTS: _b_file_occupied,
    Event.CA_PREV_INCHECK_ONLY: partial(_attack, which="start"),
    Event.CA_PREV_PATH_ONLY: partial(_attack, which="path"),
    Event.CA_PREV_DEST_ONLY: partial(_attack, which="end"),
    Event.CA_PREV_PATH_BY_PAWN: partial(_attack, which="path", kinds=(PieceType.PAWN,)),
    Event.CA_PREV_PATH_BY_KING: partial(_attack, which="path", kinds=(PieceType.KING,)),
    Event.CA_LOST_BY_KING_CAPTURE: partial(_take, kinds=(PieceType.KING,)),
    Event.CA_LOST_BY_PIECE_CAPTURE: partial(_take, kinds=OFFICERS),
    Event.CA_LOST_ROOKxROOK_BOTH: _rook_takes_rook,
    Event.CA_LOST_BY_KING_MOVE: partial(put_home, color=US),
    Event.CA_LOST_BY_ROOK_MOVE: partial(put_home, color=US),
    Event.CA_OWN_ROOK_ON_CORNER_NO_RIGHT: partial(put_home, color=US, right=False),
    Event.CA_FOREIGN_ROOK_ON_CORNER_NO_RIGHT: _foreign_rook,
    Event.CA_KEPT_OTHER_ROOK_MOVES: _other_rook_on_file,
    Event.CA_KEPT_OTHER_ROOK_TAKEN: _other_rook_taken,
    Event.CA_UCI_LOOKALIKE: _looks_like_castling,
}
