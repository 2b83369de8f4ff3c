"""En passant that is offered and declined, and offered again: by another pawn, after castling, after a double check."""

from __future__ import annotations

from functools import partial

from ...generator.kernels.geometry import KING_STEPS
from ...generator.reachability.attacks import leaps
from ...generator.types.pieces import Color, PieceType
from ...generator.types.squares import squares_in
from ..scene import INNER_FILES, THEM, US, PiecePlacement, sliders_along
from .script import BACK, WAIT, Go, Script, SequenceTemplate, Step, go, put_pieces

_FILES = (3, 4, 2, 5, 1, 6, 0, 7)
_SIDES = (-1, 1)


def _offer(scene: PiecePlacement, color: Color, file: int) -> Go:
    """Put a pawn that can go two squares, and return this move."""
    start, step = (8, 16) if color is US else (48, -16)
    pawn = scene.place(color, PieceType.PAWN, start + file)
    return go(scene, pawn, pawn + step)


def _put_taker(scene: PiecePlacement, offer: Go) -> Go:
    """Put a pawn beside where an offered one ends, and return its capture."""
    file, passed = offer.target % 8, (offer.origin + offer.target) // 2
    color = THEM if passed < 32 else US
    side = scene.choose([side for side in _SIDES if 0 <= file + side < 8])
    return Go(scene.place(color, PieceType.PAWN, offer.target + side), passed)


def _put_offer(scene: PiecePlacement, color: Color = US) -> tuple[Go, Go]:
    """Put two pawns; return the double step of one and its capture by the other."""
    offer = _offer(scene, color, scene.choose(_FILES))
    return offer, _put_taker(scene, offer)


def _decline(scene: PiecePlacement, then: tuple[Step, ...]) -> Script:
    """The pawn is not taken at once."""
    offer, takes = _put_offer(scene)
    return Script((offer, *then), passed=takes.target)


def _late(scene: PiecePlacement) -> Script:
    """The moves of `_decline` in another order: the double step comes last, and the pawn is taken."""
    offer, takes = _put_offer(scene)
    return Script((WAIT, WAIT, offer, takes))


def _again_beside(scene: PiecePlacement) -> Script:
    """One pawn is declined, and the one on its other side is taken."""
    file = scene.choose(_FILES[:-2])
    first, second = scene.choose(((-1, 1), (1, -1)))
    taker = scene.place(THEM, PieceType.PAWN, 24 + file)
    offers = _offer(scene, US, file + first), _offer(scene, US, file + second)
    return Script((offers[0], WAIT, offers[1], Go(taker, 16 + file + second)))


def _answer(scene: PiecePlacement, files: tuple[int, ...]) -> Script:
    """The answer to an offer is another offer on one of these files, counted from it, which is taken."""
    offer, _ = _put_offer(scene)
    file = scene.choose([file for by in files if 0 <= (file := offer.origin % 8 + by) < 8])
    answer = _offer(scene, THEM, file)
    return Script((offer, answer, _put_taker(scene, answer)))


def _after_castling(scene: PiecePlacement) -> Script:
    """The other side offers right after we have castled."""
    men = put_pieces(scene, US)
    offer, takes = _put_offer(scene, THEM)
    return Script((Go(men.king, men.rook), offer, takes))


def _after_double_check(scene: PiecePlacement) -> Script:
    """A knight gives double check with the slider behind it; the king moves, and we offer."""
    offer, takes = _put_offer(scene)
    king = scene.put(THEM, PieceType.KING, INNER_FILES & 0xFFFFFF0000000000)
    options = [
        (origin, target, direction)
        for target in squares_in(leaps(US, PieceType.KNIGHT, king) & ~scene.occupied & ~scene.kept)
        for direction in KING_STEPS
        for origin in squares_in(scene.reach(king, direction) & leaps(US, PieceType.KNIGHT, target))
    ]
    origin, target, direction = scene.choose(options)
    scene.place(US, PieceType.KNIGHT, origin)
    slider = scene.put(US, scene.choose(sliders_along(direction)), scene.reach(origin, direction))
    scene.keep_between(slider, king)
    return Script((go(scene, origin, target), WAIT, offer, takes))


SEQUENCES: dict[str, SequenceTemplate] = {
    "ep-declined": partial(_decline, then=(WAIT, WAIT)),
    "ep-declined-and-repeated": partial(_decline, then=(WAIT, WAIT, BACK, BACK)),
    "ep-late": _late,
    "ep-again-beside": _again_beside,
    "ep-answered-on-the-file": partial(_answer, files=(0,)),
    "ep-answered-beside": partial(_answer, files=(-1, 1, -2, 2)),
    "ep-after-castling": _after_castling,
    "ep-after-double-check": _after_double_check,
}
