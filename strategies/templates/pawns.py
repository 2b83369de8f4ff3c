"""Pawns: on the seventh rank with what stands around them, before others, and at the edges of the board."""

from __future__ import annotations

from functools import partial

from ...generator.events import Event
from ...generator.kernels.geometry import KING_STEPS
from ...generator.reachability.attacks import attacks, leaps
from ...generator.types.pieces import PieceType
from ..scene import A_FILE, EVERYWHERE, OFFICERS, RANKS, SLANTED_UP, THEM, US, PiecePlacement, Template
from .castling import put_home

_SIDEWAYS = ((1, 0), (-1, 0))
_SLANTED = (*SLANTED_UP, (1, -1), (-1, -1))


def _pawn(scene: PiecePlacement, squares: int = EVERYWHERE) -> int:
    return scene.put(US, PieceType.PAWN, RANKS[6] & squares)


def _captures(pawn: int) -> int:
    return leaps(US, PieceType.PAWN, pawn)


def _put_victim(scene: PiecePlacement, pawn: int, squares: int = EVERYWHERE) -> int:
    """Put something to be taken by the pawn."""
    return scene.put(THEM, scene.choose(OFFICERS), _captures(pawn) & squares)


def _promotion_square(scene: PiecePlacement, pawn: int) -> int:
    """Return a square on which the pawn can promote: the one ahead, empty, or one with something to take."""
    if scene.flag():
        return _put_victim(scene, pawn)
    scene.keep(pawn + 8)
    return pawn + 8


def _push(scene: PiecePlacement) -> None:
    scene.keep(_pawn(scene) + 8)


def _capture(scene: PiecePlacement) -> None:
    _put_victim(scene, _pawn(scene))


def _blocks_check(scene: PiecePlacement) -> None:
    """King and slider on the last rank, the promotion square between them."""
    ahead = _pawn(scene) + 8
    scene.keep(ahead)
    scene.put_on_line(US, THEM, (ahead,), _SIDEWAYS)


def _captures_checker(scene: PiecePlacement) -> None:
    pawn = _pawn(scene)
    kind = scene.choose(OFFICERS)
    checker = scene.place(THEM, kind, scene.pick(_captures(pawn)))
    king = scene.place(US, PieceType.KING, scene.pick(attacks(THEM, kind, checker, scene.occupied)))
    scene.keep_between(king, checker)


def _in_check(scene: PiecePlacement) -> None:
    scene.choose((_blocks_check, _captures_checker))(scene)


def _captures_castling_rook(scene: PiecePlacement) -> None:
    rook = put_home(scene, THEM).rook
    scene.put(US, PieceType.PAWN, leaps(THEM, PieceType.PAWN, rook))
    scene.put_last_mover()


def _capture_pinner(scene: PiecePlacement) -> None:
    scene.put_on_line(US, THEM, (_pawn(scene),), SLANTED_UP)


def _pin_across_capture(scene: PiecePlacement) -> None:
    """A pinned pawn with something to take off the line of the pin."""
    pawn = _pawn(scene)
    scene.put_on_line(US, THEM, (pawn,), KING_STEPS)
    _put_victim(scene, pawn)


def _check_through_origin(scene: PiecePlacement) -> None:
    """The new piece checks backwards, through the square that the pawn left."""
    pawn = _pawn(scene)
    direction = scene.choose(((0, -1), (1, -1), (-1, -1)))
    if direction[0]:
        _put_victim(scene, pawn, 1 << pawn + 8 - direction[0])
    else:
        scene.keep(pawn + 8)
    king = scene.put(THEM, PieceType.KING, scene.reach(pawn, direction))
    scene.keep_between(king, pawn)


def _knight_checks(scene: PiecePlacement) -> None:
    square = _promotion_square(scene, _pawn(scene))
    scene.put(THEM, PieceType.KING, leaps(US, PieceType.KNIGHT, square))


def _discovers(scene: PiecePlacement) -> None:
    pawn = _pawn(scene)
    scene.keep(pawn + 8)
    scene.put_on_line(THEM, US, (pawn,), (*_SIDEWAYS, *_SLANTED))


def _double_check(scene: PiecePlacement) -> None:
    """The pawn uncovers a slider, and the piece that it becomes checks as well."""
    pawn = _pawn(scene)
    square = _promotion_square(scene, pawn)
    seen = attacks(US, PieceType.QUEEN, square, scene.occupied ^ 1 << pawn) | leaps(US, PieceType.KNIGHT, square)
    scene.put_on_line(THEM, US, (pawn,), (*_SIDEWAYS, *_SLANTED), king_among=seen)


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


def _block(scene: PiecePlacement, ahead: int) -> None:
    """A pawn at home with a piece one or two squares `ahead`, and the other square empty."""
    pawn = scene.put(US, PieceType.PAWN, RANKS[1])
    scene.keep(pawn + 24 - 8 * ahead)
    color = scene.choose((US, THEM))
    scene.put(color, scene.choose(_EVERYONE), 1 << pawn + 8 * ahead)


def _allows_en_passant(scene: PiecePlacement) -> None:
    pawn = scene.put(US, PieceType.PAWN, RANKS[1])
    scene.keep(pawn + 8, pawn + 16)
    scene.put(THEM, PieceType.PAWN, RANKS[3] & (2 << pawn + 16 | 1 << pawn + 15))


def _across_the_edge(scene: PiecePlacement) -> None:
    """A pawn on an edge file, an enemy where a shift without a mask would make it capture."""
    pawn = scene.put(US, PieceType.PAWN, A_FILE | _H_FILE)
    across = 1 << pawn + 7 | 1 << pawn + 23 if pawn % 8 == 0 else 1 << pawn + 9 | 1 << pawn - 7
    scene.put(THEM, scene.choose(_EVERYONE), across)


TEMPLATES: dict[Event, Template] = {
    Event.DP_BLOCKED_INTERMEDIATE: partial(_block, ahead=1),
    Event.DP_BLOCKED_DEST: partial(_block, ahead=2),
    Event.DP_ALLOWS_EP: _allows_en_passant,
    Event.WRAP_PAWN_AH_ENEMY: _across_the_edge,
}
