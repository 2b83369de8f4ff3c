"""Positions by placing pieces: anywhere, behind pawns that hold each other, or around castling in Chess960."""

from __future__ import annotations

from hypothesis import strategies as st

from ..generator import validation
from ..generator.position import Position
from ..generator.reachability.classification import is_impossible
from ..generator.types.pieces import Color, PieceType
from ..generator.validation import kept_rights, possible_en_passant, possible_rights
from .drawing import COUNTERS, DrawFunction, accept_position, below
from .scene import ALL_BUT_KING, INNER_FILES, OFFICERS, RANKS, THEM, TURNED, US, NoRoom, PiecePlacement, bits

_MAN_KINDS = (
    *(PieceType.PAWN,) * 8,
    *(PieceType.KNIGHT,) * 2,
    *(PieceType.BISHOP,) * 2,
    *(PieceType.ROOK,) * 2,
    *(PieceType.QUEEN,) * 2,
)
_MAN = below(64 * 2 * len(_MAN_KINDS))
_MEN = below(31)
_START = {PieceType.KNIGHT: 2, PieceType.BISHOP: 2, PieceType.ROOK: 2, PieceType.QUEEN: 1}


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
        room = scene.allowed_squares(color, PieceType.KING, home & files)
        if not at_home >> color & 1 or not room:
            scene.put(color, PieceType.KING)
            continue
        king = scene.put(color, PieceType.KING, room)
        left, right = home & ((1 << king) - 1), home & ~((2 << king) - 1)
        corners = -1 if scene.chess960 else 0x8181818181818181
        rooks = scene.draw(below(4))
        for number, side in enumerate((left, right)):
            room = scene.allowed_squares(color, PieceType.ROOK, side & corners)
            if rooks >> number & 1 and room:
                scene.put(color, PieceType.ROOK, room)


def _put_double_step(scene: PiecePlacement) -> None:
    """Sometimes put a pawn that has just come two squares, beside one that may take it."""
    file = scene.draw(below(16))
    victim, target, start = 32 + file, 40 + file, 48 + file
    if file > 7 or (1 << victim | 1 << target | 1 << start) & scene.occupied:
        return
    beside = RANKS[4] & (2 << victim | 1 << victim >> 1)
    room = scene.allowed_squares(US, PieceType.PAWN, beside)
    if not room:
        return
    scene.place(THEM, PieceType.PAWN, victim)
    scene.put(US, PieceType.PAWN, room)
    scene.keep(target, start)
    scene.en_passant = target


def _has_material_for(scene: PiecePlacement, color: Color, kind: PieceType) -> bool:
    """Return True if one more man can come of the sixteen that the side began with."""
    counts = [bitboard.bit_count() for bitboard in scene.pieces[color]]
    counts[kind] += 1
    promoted = sum(max(0, counts[kind] - start) for kind, start in _START.items())
    return sum(counts) <= 16 and counts[PieceType.PAWN] + promoted <= 8


def _put_man(scene: PiecePlacement, color: Color, kind: PieceType, square: int, beyond: bool) -> None:
    if not scene.allowed_squares(color, kind, square, check=color is THEM):
        return
    is_check = not scene.allowed_squares(color, kind, square)
    if is_check and not beyond and validation.checkers_of(scene.sides, US):
        return
    scene.put(color, kind, square, check=color is THEM)


def _give_rights(scene: PiecePlacement) -> None:
    """Give some of the castling rights that the placement allows, or all of them."""
    rooks = possible_rights(scene.sides, scene.chess960)
    if rooks:
        chosen = scene.draw(below(2 << len(rooks)))
        wanted = bits(rook for number, rook in enumerate(rooks) if chosen >> number & 1 or chosen >> len(rooks))
        scene.castling = kept_rights(scene.sides, wanted, scene.chess960)
    if scene.en_passant is None:
        targets = possible_en_passant(scene.sides, US)
        number = scene.draw(below(len(targets) + 1)) if targets else 0
        scene.en_passant = targets[number - 1] if number else None


_FREED = below(3)
_LOOSE = below(3)


@st.composite
def locked_positions(draw: DrawFunction, *, chess960: bool = False) -> Position:
    """Return positions with a chain of blocked pawns, king and rooks behind it, and one or two pawns set free.

    The chain runs before our king low down, before theirs high up, so that both have little room; pawns
    of adjacent files stand a rank apart and take nothing.
    """
    for _ in range(4):
        scene = PiecePlacement(draw, chess960)
        try:
            _put_pieces(scene)
        except NoRoom:
            continue
        position = accept_position(scene.position(draw(TURNED), draw(COUNTERS)), impossible=False)
        if position is not None:
            return position
    return Position.from_fen("k7/p7/P7/8/8/5p1p/5P1P/4K2R w K - 0 1", chess960)


def _put_pieces(scene: PiecePlacement) -> None:
    border = 2 + scene.draw(below(2))
    _put_chain(scene, border)
    scene.put(US, PieceType.KING, (0x10 if not scene.chess960 else RANKS[0]) & _files(border, 8))
    scene.put(THEM, PieceType.KING, RANKS[7] & _files(0, border))
    king = scene.king_of(US)
    for side in scene.choose(((1, -1), (1,), (-1,), ())):
        corner = RANKS[0] & _files(king + 1, 8) if side > 0 else RANKS[0] & _files(0, king)
        room = scene.allowed_squares(US, PieceType.ROOK, corner & (0x81 if not scene.chess960 else RANKS[0]))
        if room:
            scene.put(US, PieceType.ROOK, room)
    for _ in range(scene.draw(_LOOSE)):
        scene.put(US if scene.flag() else THEM, scene.choose(OFFICERS))
    rights = bits(possible_rights(scene.sides, scene.chess960))
    scene.castling = kept_rights(scene.sides, rights, scene.chess960)


def _put_chain(scene: PiecePlacement, border: int) -> None:
    """Put two pawns on each file that hold each other, then take away a few of either side."""
    odd = scene.draw(below(2))
    freed = {scene.draw(below(16)) for _ in range(scene.draw(_FREED))}
    for file in range(8):
        rank = (1 if file >= border else 4) + (file + odd) % 2
        for color, square in ((US, 8 * rank + file), (THEM, 8 * rank + 8 + file)):
            if 2 * file + color not in freed:
                scene.place(color, PieceType.PAWN, square)


def _files(first: int, end: int) -> int:
    """Return the files from `first` to before `end`."""
    return sum(0x0101010101010101 << file for file in range(first, end))


_OBSTACLES = below(5)


@st.composite
def chess960_castlings(draw: DrawFunction) -> Position:
    """Return Chess960 positions with castling rights and few other pieces.

    White's rights and Black's are of one to two rooks each; pieces stand on the back rank of the side
    to move, others attack some square of it.
    """
    scene = PiecePlacement(draw, chess960=True)
    put_castling_pieces(scene, US)
    if scene.flag():
        put_castling_pieces(scene, THEM)
    else:
        scene.put(THEM, PieceType.KING)
    flags, counters = draw(TURNED), draw(COUNTERS)
    best = scene.position(flags, counters)
    for _ in range(draw(_OBSTACLES)):
        try:
            _put_obstacle(scene)
        except NoRoom:
            continue
        position = accept_position(scene.position(flags, counters), impossible=False)
        if position is None:
            break
        best = position
    return best


def put_castling_pieces(scene: PiecePlacement, color: Color) -> None:
    """Put a king between files b and g on its back rank, one or two rooks beside it, with the right to castle.

    Raises NoRoom if there is no room.
    """
    rank = RANKS[color.back_rank]
    king = scene.put(color, PieceType.KING, rank & INNER_FILES)
    left, right = rank & ((1 << king) - 1), rank & ~((2 << king) - 1)
    for side in scene.choose(((left,), (right,), (left, right))):
        room = scene.allowed_squares(color, PieceType.ROOK, side, check=color is THEM)
        if room:
            scene.castling |= 1 << scene.put(color, PieceType.ROOK, room, check=color is THEM)


def _put_obstacle(scene: PiecePlacement) -> None:
    """Put a piece of either side on our back rank, or one that attacks a square of it."""
    if scene.flag():
        color = US if scene.flag() else THEM
        scene.put(color, scene.choose(OFFICERS), RANKS[0], check=color is THEM)
    else:
        target = scene.draw(below(8))
        scene.put_attacker(THEM, target, (scene.choose(ALL_BUT_KING),), among=~RANKS[0], check=True)
