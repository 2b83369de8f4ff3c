"""Positions by placing pieces: kings, castling rooks, a pawn to take en passant, then men by the score."""

from __future__ import annotations

from hypothesis import strategies as st

from ..generator import validation
from ..generator.position import Position
from ..generator.possible import kept_rights, possible_en_passant, possible_rights
from ..generator.reachability.labels import is_impossible
from ..generator.types.pieces import Color, Kind, Pieces
from .drawing import COUNTERS, DrawFunction, below
from .scene import INNER_FILES, RANKS, THEM, TURNED, US, PiecePlacement, bits

_MAN_KINDS = (
    *(Kind.PAWN,) * 8,
    *(Kind.KNIGHT,) * 2,
    *(Kind.BISHOP,) * 2,
    *(Kind.ROOK,) * 2,
    *(Kind.QUEEN,) * 2,
)
_MAN = below(64 * 2 * len(_MAN_KINDS))
_MEN = below(31)
_START = {Kind.KNIGHT: 2, Kind.BISHOP: 2, Kind.ROOK: 2, Kind.QUEEN: 1}


@st.composite
def placements(draw: DrawFunction, *, chess960: bool = False, impossible: bool = False) -> Position:
    """Return positions from two lone kings to a crowded board, with castling rights and en passant often.

    Each side has what can come of sixteen men; with `impossible`, sometimes more of everything, and
    more checks than can be.
    """
    scene = PiecePlacement(draw, chess960)
    beyond = impossible and draw(below(2)) == 1
    _put_kings(scene)
    _put_double_step(scene)
    for _ in range(draw(_MEN)):
        man = draw(_MAN)
        kind, color = _MAN_KINDS[man // 128], Color(man // 64 % 2)
        if beyond or _has_material_for(scene, color, kind):
            _put_man(scene, color, kind, 1 << man % 64, beyond)
    _give_rights(scene)
    position = scene.position(draw(TURNED), draw(COUNTERS))
    if not beyond and is_impossible(position):  # a check older than the double step
        scene.en_passant = None
        position = scene.position(0, (0, 1))
    return position


def _put_kings(scene: PiecePlacement) -> None:
    """Put the kings anywhere, or at home beside up to two rooks."""
    at_home = scene.draw(below(4))
    for color in Color:
        home = RANKS[color.back_rank]
        files = INNER_FILES if scene.chess960 else 0x1010101010101010
        room = scene.allowed(color, Kind.KING, home & files)
        if not at_home >> color & 1 or not room:
            scene.put(color, Kind.KING)
            continue
        king = scene.put(color, Kind.KING, room)
        left, right = home & ((1 << king) - 1), home & ~((2 << king) - 1)
        corners = -1 if scene.chess960 else 0x8181818181818181
        rooks = scene.draw(below(4))
        for number, side in enumerate((left, right)):
            room = scene.allowed(color, Kind.ROOK, side & corners)
            if rooks >> number & 1 and room:
                scene.put(color, Kind.ROOK, room)


def _put_double_step(scene: PiecePlacement) -> None:
    """Sometimes put a pawn that has just come two squares, beside one that may take it."""
    file = scene.draw(below(16))
    victim, target, start = 32 + file, 40 + file, 48 + file
    if file > 7 or (1 << victim | 1 << target | 1 << start) & scene.occupied:
        return
    beside = RANKS[4] & (2 << victim | 1 << victim >> 1)
    room = scene.allowed(US, Kind.PAWN, beside)
    if not room:
        return
    scene.place(THEM, Kind.PAWN, victim)
    scene.put(US, Kind.PAWN, room)
    scene.keep(target, start)
    scene.en_passant = target


def _has_material_for(scene: PiecePlacement, color: Color, kind: Kind) -> bool:
    """Tell whether one more man can come of the sixteen that the side began with."""
    own = scene.pieces[color]
    counts = [bitboard.bit_count() for bitboard in own]
    counts[kind] += 1
    promoted = sum(max(0, counts[kind] - start) for kind, start in _START.items())
    return sum(counts) <= 16 and counts[Kind.PAWN] + promoted <= 8


def _put_man(scene: PiecePlacement, color: Color, kind: Kind, square: int, beyond: bool) -> None:
    if not scene.allowed(color, kind, square, check=color is THEM):
        return
    is_check = not scene.allowed(color, kind, square)
    if is_check and not beyond and validation.checkers_of(_pieces(scene), US):
        return
    scene.put(color, kind, square, check=color is THEM)


def _pieces(scene: PiecePlacement) -> Pieces:
    return tuple(scene.pieces[US]), tuple(scene.pieces[THEM])


def _give_rights(scene: PiecePlacement) -> None:
    """Give some of the castling rights that the placement allows, or all of them."""
    rooks = possible_rights(_pieces(scene), scene.chess960)
    if rooks:
        chosen = scene.draw(below(2 << len(rooks)))
        wanted = bits(rook for number, rook in enumerate(rooks) if chosen >> number & 1 or chosen >> len(rooks))
        scene.castling = kept_rights(_pieces(scene), wanted, scene.chess960)
    if scene.en_passant is None:
        targets = possible_en_passant(_pieces(scene), US)
        number = scene.draw(below(len(targets) + 1)) if targets else 0
        scene.en_passant = targets[number - 1] if number else None
