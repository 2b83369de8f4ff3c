"""Templates for pawns: promotions, blocked double steps, and pawns at the edges of the board."""

from __future__ import annotations

from functools import partial

from ...generator.events import Event
from ...generator.kernels.geometry import KING_STEPS
from ...generator.reachability.attacks import attacks, leaps
from ...generator.types.pieces import PieceType
from ..position_builder import A_FILE, EVERYWHERE, OFFICERS, RANKS, SLANTED_UP, THEM, US, PositionBuilder, Template
from .castling import put_home

_SIDEWAYS = ((1, 0), (-1, 0))
_SLANTED = (*SLANTED_UP, (1, -1), (-1, -1))


def _pawn(builder: PositionBuilder, squares: int = EVERYWHERE) -> int:
    return builder.put(US, PieceType.PAWN, RANKS[6] & squares)


def _captures(pawn: int) -> int:
    return leaps(US, PieceType.PAWN, pawn)


def _put_victim(builder: PositionBuilder, pawn: int, squares: int = EVERYWHERE) -> int:
    """Put a piece that the pawn can capture."""
    return builder.put(THEM, builder.choose(OFFICERS), _captures(pawn) & squares)


def _promotion_square(builder: PositionBuilder, pawn: int) -> int:
    """Return a square on which the pawn can promote: an empty one ahead, or one with a piece to capture."""
    if builder.flag():
        return _put_victim(builder, pawn)
    builder.keep(pawn + 8)
    return pawn + 8


def _push(builder: PositionBuilder) -> None:
    builder.keep(_pawn(builder) + 8)


def _capture(builder: PositionBuilder) -> None:
    _put_victim(builder, _pawn(builder))


def _blocks_check(builder: PositionBuilder) -> None:
    """A king and a slider stand on the last rank, with the promotion square between them."""
    ahead = _pawn(builder) + 8
    builder.keep(ahead)
    builder.put_on_line(US, THEM, (ahead,), _SIDEWAYS)


def _captures_checker(builder: PositionBuilder) -> None:
    pawn = _pawn(builder)
    kind = builder.choose(OFFICERS)
    checker = builder.place(THEM, kind, builder.pick(_captures(pawn)))
    king = builder.place(US, PieceType.KING, builder.pick(attacks(THEM, kind, checker, builder.occupied)))
    builder.keep_between(king, checker)


def _in_check(builder: PositionBuilder) -> None:
    builder.choose((_blocks_check, _captures_checker))(builder)


def _captures_castling_rook(builder: PositionBuilder) -> None:
    rook = put_home(builder, THEM).rook
    builder.put(US, PieceType.PAWN, leaps(THEM, PieceType.PAWN, rook))
    builder.put_last_mover()


def _capture_pinner(builder: PositionBuilder) -> None:
    builder.put_on_line(US, THEM, (_pawn(builder),), SLANTED_UP)


def _pin_across_capture(builder: PositionBuilder) -> None:
    """A pinned pawn attacks a piece, not necessarily on the line of the pin."""
    pawn = _pawn(builder)
    builder.put_on_line(US, THEM, (pawn,), KING_STEPS)
    _put_victim(builder, pawn)


def _check_through_origin(builder: PositionBuilder) -> None:
    """The promoted piece gives check backward, through the square that the pawn left."""
    pawn = _pawn(builder)
    direction = builder.choose(((0, -1), (1, -1), (-1, -1)))
    if direction[0]:
        _put_victim(builder, pawn, 1 << pawn + 8 - direction[0])
    else:
        builder.keep(pawn + 8)
    king = builder.put(THEM, PieceType.KING, builder.reach(pawn, direction))
    builder.keep_between(king, pawn)


def _knight_checks(builder: PositionBuilder) -> None:
    square = _promotion_square(builder, _pawn(builder))
    builder.put(THEM, PieceType.KING, leaps(US, PieceType.KNIGHT, square))


def _discovers(builder: PositionBuilder) -> None:
    pawn = _pawn(builder)
    builder.keep(pawn + 8)
    builder.put_on_line(THEM, US, (pawn,), (*_SIDEWAYS, *_SLANTED))


def _double_check(builder: PositionBuilder) -> None:
    """The promoting pawn uncovers a slider, and the promoted piece also gives check."""
    pawn = _pawn(builder)
    square = _promotion_square(builder, pawn)
    seen = attacks(US, PieceType.QUEEN, square, builder.occupied ^ 1 << pawn) | leaps(US, PieceType.KNIGHT, square)
    builder.put_on_line(THEM, US, (pawn,), (*_SIDEWAYS, *_SLANTED), king_among=seen)


PROMOTIONS: dict[Event, Template] = {
    Event.PR_PUSH: _push,
    Event.PR_CAPTURE: _capture,
    Event.PR_BLOCKS_CHECK: _blocks_check,
    Event.PR_CAPTURES_CHECKER: _captures_checker,
    Event.PR_CAPTURES_CASTLE_ROOK: _captures_castling_rook,
    Event.PR_PINNED_CAPTURES_PINNER: _capture_pinner,
    Event.PR_PINNED_ILLEGAL_CAPTURE: _pin_across_capture,
    Event.PR_CHECK_THROUGH_FROM: _check_through_origin,
    Event.PR_UNDER_N_CHECK: _knight_checks,
    Event.PR_DISCOVERED: _discovers,
    Event.PR_DOUBLE_CHECK: _double_check,
    Event.PR_IN_CHECK_ANY: _in_check,
}


_EVERYONE = (*OFFICERS, PieceType.PAWN, PieceType.KING)
_H_FILE = 0x8080808080808080


def _block(builder: PositionBuilder, ahead: int) -> None:
    """A pawn on its start square has a piece `ahead` squares in front of it (1 or 2); the other square is empty."""
    pawn = builder.put(US, PieceType.PAWN, RANKS[1])
    builder.keep(pawn + 24 - 8 * ahead)
    color = builder.choose((US, THEM))
    builder.put(color, builder.choose(_EVERYONE), 1 << pawn + 8 * ahead)


def _allows_en_passant(builder: PositionBuilder) -> None:
    pawn = builder.put(US, PieceType.PAWN, RANKS[1])
    builder.keep(pawn + 8, pawn + 16)
    builder.put(THEM, PieceType.PAWN, RANKS[3] & (2 << pawn + 16 | 1 << pawn + 15))


def _across_the_edge(builder: PositionBuilder) -> None:
    """A pawn on an edge file would capture a piece near the opposite edge if shifts lacked a file mask."""
    pawn = builder.put(US, PieceType.PAWN, A_FILE | _H_FILE)
    across = 1 << pawn + 7 | 1 << pawn + 23 if pawn % 8 == 0 else 1 << pawn + 9 | 1 << pawn - 7
    builder.put(THEM, builder.choose(_EVERYONE), across)


TEMPLATES: dict[Event, Template] = {
    Event.DP_BLOCKED_INTERMEDIATE: partial(_block, ahead=1),
    Event.DP_BLOCKED_DEST: partial(_block, ahead=2),
    Event.DP_ALLOWS_EP: _allows_en_passant,
    Event.WRAP_PAWN_AH_ENEMY: _across_the_edge,
}
