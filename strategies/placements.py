"""Strategies that place pieces: anywhere, behind blocked pawns, or for castling in Chess960."""

from __future__ import annotations

from hypothesis import strategies as st

from ..generator import validation
from ..generator.position import Position
from ..generator.reachability.classification import is_impossible
from ..generator.types.pieces import Color, PieceType
from ..generator.validation import kept_rights, possible_en_passant, possible_rights
from .common import COUNTERS, DrawFunction, accept_position, below
from .position_builder import (
    ALL_BUT_KING,
    INNER_FILES,
    OFFICERS,
    RANKS,
    THEM,
    TURNED,
    US,
    NoRoom,
    PositionBuilder,
    bits,
)

_KIND_FREQUENCIES = (
    *(PieceType.PAWN,) * 8,
    *(PieceType.KNIGHT,) * 2,
    *(PieceType.BISHOP,) * 2,
    *(PieceType.ROOK,) * 2,
    *(PieceType.QUEEN,) * 2,
)
_PIECE = below(64 * 2 * len(_KIND_FREQUENCIES))
_PIECE_COUNT = below(31)
_START = {PieceType.KNIGHT: 2, PieceType.BISHOP: 2, PieceType.ROOK: 2, PieceType.QUEEN: 1}


@st.composite
def placements(draw: DrawFunction, *, chess960: bool = False, impossible: bool = False) -> Position:
    """Generate positions from two bare kings to a crowded board, often with castling rights and en passant.

    Each side has at most the pieces that its sixteen original pieces can become. With `impossible`, some positions have
    more pieces or more checkers than a game allows.
    """
    builder = PositionBuilder(draw, chess960)
    beyond = impossible and draw(below(2)) == 1
    _put_kings(builder)
    _put_double_step(builder)
    for _ in range(draw(_PIECE_COUNT)):
        piece = draw(_PIECE)
        kind, color = _KIND_FREQUENCIES[piece // 128], Color(piece // 64 % 2)
        if beyond or _has_material_for(builder, color, kind):
            _put_piece(builder, color, kind, 1 << piece % 64, beyond)
    _give_rights(builder)
    position = builder.position(draw(TURNED), draw(COUNTERS))
    if not beyond and is_impossible(position):  # the check existed before the double step
        builder.en_passant = None
        position = builder.position(0, (0, 1))
    return position


def _put_kings(builder: PositionBuilder) -> None:
    """Put the kings anywhere, or on their start squares with up to two rooks."""
    at_home = builder.draw(below(4))
    for color in Color:
        home = RANKS[color.back_rank]
        files = INNER_FILES if builder.chess960 else 0x1010101010101010
        room = builder.allowed_squares(color, PieceType.KING, home & files)
        if not at_home >> color & 1 or not room:
            builder.put(color, PieceType.KING)
            continue
        king = builder.put(color, PieceType.KING, room)
        left, right = home & ((1 << king) - 1), home & ~((2 << king) - 1)
        corners = -1 if builder.chess960 else 0x8181818181818181
        rooks = builder.draw(below(4))
        for number, side in enumerate((left, right)):
            room = builder.allowed_squares(color, PieceType.ROOK, side & corners)
            if rooks >> number & 1 and room:
                builder.put(color, PieceType.ROOK, room)


def _put_double_step(builder: PositionBuilder) -> None:
    """Sometimes put a pawn that has just made a double step next to one that may capture it."""
    file = builder.draw(below(16))
    victim, target, start = 32 + file, 40 + file, 48 + file
    if file > 7 or (1 << victim | 1 << target | 1 << start) & builder.occupied:
        return
    beside = RANKS[4] & (2 << victim | 1 << victim >> 1)
    room = builder.allowed_squares(US, PieceType.PAWN, beside)
    if not room:
        return
    builder.place(THEM, PieceType.PAWN, victim)
    builder.put(US, PieceType.PAWN, room)
    builder.keep(target, start)
    builder.en_passant = target


def _has_material_for(builder: PositionBuilder, color: Color, kind: PieceType) -> bool:
    """Return True if one more piece is possible, given the sixteen pieces that a side starts with."""
    counts = [bitboard.bit_count() for bitboard in builder.pieces[color]]
    counts[kind] += 1
    promoted = sum(max(0, counts[kind] - start) for kind, start in _START.items())
    return sum(counts) <= 16 and counts[PieceType.PAWN] + promoted <= 8


def _put_piece(builder: PositionBuilder, color: Color, kind: PieceType, square: int, beyond: bool) -> None:
    if not builder.allowed_squares(color, kind, square, check=color is THEM):
        return
    is_check = not builder.allowed_squares(color, kind, square)
    if is_check and not beyond and validation.checkers_of(builder.sides, US):
        return
    builder.put(color, kind, square, check=color is THEM)


def _give_rights(builder: PositionBuilder) -> None:
    """Set some or all of the castling rights that the placement allows."""
    rooks = possible_rights(builder.sides, builder.chess960)
    if rooks:
        chosen = builder.draw(below(2 << len(rooks)))
        wanted = bits(rook for number, rook in enumerate(rooks) if chosen >> number & 1 or chosen >> len(rooks))
        builder.castling = kept_rights(builder.sides, wanted, builder.chess960)
    if builder.en_passant is None:
        targets = possible_en_passant(builder.sides, US)
        number = builder.draw(below(len(targets) + 1)) if targets else 0
        builder.en_passant = targets[number - 1] if number else None


_FREED = below(3)
_LOOSE = below(3)


@st.composite
def locked_positions(draw: DrawFunction, *, chess960: bool = False) -> Position:
    """Generate positions with king and rooks behind a chain of blocked pawns, with up to two pawns missing.

    The chain is close to both kings, so that they have little room. Pawns on adjacent files cannot capture each other.
    """
    for _ in range(4):
        builder = PositionBuilder(draw, chess960)
        try:
            _put_pieces(builder)
        except NoRoom:
            continue
        position = accept_position(builder.position(draw(TURNED), draw(COUNTERS)), impossible=False)
        if position is not None:
            return position
    return Position.from_fen("k7/p7/P7/8/8/5p1p/5P1P/4K2R w K - 0 1", chess960)


def _put_pieces(builder: PositionBuilder) -> None:
    border = 2 + builder.draw(below(2))
    _put_chain(builder, border)
    builder.put(US, PieceType.KING, (0x10 if not builder.chess960 else RANKS[0]) & _files(border, 8))
    builder.put(THEM, PieceType.KING, RANKS[7] & _files(0, border))
    king = builder.king_of(US)
    for side in builder.choose(((1, -1), (1,), (-1,), ())):
        corner = RANKS[0] & _files(king + 1, 8) if side > 0 else RANKS[0] & _files(0, king)
        room = builder.allowed_squares(US, PieceType.ROOK, corner & (0x81 if not builder.chess960 else RANKS[0]))
        if room:
            builder.put(US, PieceType.ROOK, room)
    for _ in range(builder.draw(_LOOSE)):
        builder.put(US if builder.flag() else THEM, builder.choose(OFFICERS))
    rights = bits(possible_rights(builder.sides, builder.chess960))
    builder.castling = kept_rights(builder.sides, rights, builder.chess960)


def _put_chain(builder: PositionBuilder, border: int) -> None:
    """Put two pawns that block each other on each file, except for a few missing ones."""
    odd = builder.draw(below(2))
    freed = {builder.draw(below(16)) for _ in range(builder.draw(_FREED))}
    for file in range(8):
        rank = (1 if file >= border else 4) + (file + odd) % 2
        for color, square in ((US, 8 * rank + file), (THEM, 8 * rank + 8 + file)):
            if 2 * file + color not in freed:
                builder.place(color, PieceType.PAWN, square)


def _files(first: int, end: int) -> int:
    """Return the bitboard of the files from `first` up to, but not including, `end`."""
    return sum(0x0101010101010101 << file for file in range(first, end))


_OBSTACLES = below(5)


@st.composite
def chess960_castlings(draw: DrawFunction) -> Position:
    """Generate Chess960 positions with castling rights and few other pieces.

    A side with castling rights has them for one or two rooks. The other pieces stand on the back rank of the side to
    move, or attack a square on it.
    """
    builder = PositionBuilder(draw, chess960=True)
    put_castling_pieces(builder, US)
    if builder.flag():
        put_castling_pieces(builder, THEM)
    else:
        builder.put(THEM, PieceType.KING)
    flags, counters = draw(TURNED), draw(COUNTERS)
    best = builder.position(flags, counters)
    for _ in range(draw(_OBSTACLES)):
        try:
            _put_obstacle(builder)
        except NoRoom:
            continue
        position = accept_position(builder.position(flags, counters), impossible=False)
        if position is None:
            break
        best = position
    return best


def put_castling_pieces(builder: PositionBuilder, color: Color) -> None:
    """Put a king on its back rank, on files b to g, and one or two rooks that may castle.

    Raises NoRoom if there is no room.
    """
    rank = RANKS[color.back_rank]
    king = builder.put(color, PieceType.KING, rank & INNER_FILES)
    left, right = rank & ((1 << king) - 1), rank & ~((2 << king) - 1)
    for side in builder.choose(((left,), (right,), (left, right))):
        room = builder.allowed_squares(color, PieceType.ROOK, side, check=color is THEM)
        if room:
            builder.castling |= 1 << builder.put(color, PieceType.ROOK, room, check=color is THEM)


def _put_obstacle(builder: PositionBuilder) -> None:
    """Put a piece of either color on White's back rank, or a black piece that attacks a square on it."""
    if builder.flag():
        color = US if builder.flag() else THEM
        builder.put(color, builder.choose(OFFICERS), RANKS[0], check=color is THEM)
    else:
        target = builder.draw(below(8))
        builder.put_attacker(THEM, target, (builder.choose(ALL_BUT_KING),), among=~RANKS[0], check=True)
