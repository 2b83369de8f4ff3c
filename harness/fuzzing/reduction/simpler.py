"""What is simpler than a line, and how simple a line is: the vocabulary of the reduction.

Candidates come boldest first. Each is a valid position in which all moves of the line can still be
played; whether the fault is still there is for the reduction to find out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from ....generator.line import Line
from ....generator.position import Position
from ....generator.reachability.labels import is_impossible
from ....generator.symmetry import flip_colors, mirror_files
from ....generator.types.moves import Move
from ....generator.types.pieces import Color, Kind
from ....generator.types.squares import squares_in
from ....generator.validation import FenError

VALUES = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 0}
WEAKER = {Kind.QUEEN: (Kind.PAWN, Kind.BISHOP, Kind.ROOK), Kind.ROOK: (Kind.PAWN, Kind.KNIGHT)}
WEAKER |= {Kind.BISHOP: (Kind.PAWN,), Kind.KNIGHT: (Kind.PAWN,), Kind.PAWN: (), Kind.KING: ()}
PAIRS_BELOW = 11
"""Below so many pieces they are also taken off by twos."""
FIFTY_MOVES = 100
"""Plies without capture or pawn move after which a player may claim a draw, which some programs take for no moves."""
PLACES_TRIED = 6
"""So many squares are tried for each piece, the plainest first."""


def cost(line: Line) -> tuple[object, ...]:
    """Return how far a line is from the simplest one; what is smaller is simpler, and no two are alike."""
    base = line.base
    pieces = list(_pieces(base))
    return (
        len(line.moves),
        len(pieces),
        sum(VALUES[kind] for _, kind, _ in pieces),
        base.castling.bit_count(),
        base.en_passant is not None,
        base.turn is Color.BLACK,
        sum(_distance(color, square) for color, _, square in pieces),
        base.halfmove + base.fullmove,
        base.fen(),
        line.moves,
    )


def simpler(line: Line) -> Iterator[Line]:
    """Yield lines that may be simpler, valid, and no less possible than the line itself."""
    may_be_impossible = is_impossible(line.base)
    for base, moves in _changes(line):
        candidate = _checked(base, moves)
        if candidate is not None and (may_be_impossible or not is_impossible(candidate.base)):
            yield candidate


def _changes(line: Line) -> Iterator[tuple[Position, tuple[Move, ...]]]:
    base, moves = line.base, line.moves
    for start in range(len(moves), 0, -1):
        yield Line(base, moves[:start]).position, moves[start:]
    for end in range(len(moves) - 1, 0, -1):
        yield base, moves[:end]
    for smaller in (*_with_fewer_pieces(base), *_with_less(base)):
        yield smaller, moves
    yield flip_colors(base), tuple(Move(move ^ 0b111000_111000) for move in moves)
    if not base.castling:
        yield mirror_files(base), tuple(Move(move ^ 0b000111_000111) for move in moves)
    for moved in _with_plainer_squares(base):
        yield moved, moves


def _with_fewer_pieces(base: Position) -> Iterator[Position]:
    men = [(color, kind, square) for color, kind, square in _pieces(base) if kind is not Kind.KING]
    size = len(men)
    while size > 1:
        for start in range(0, len(men), size):
            yield _without(base, men[start : start + size])
        size //= 2
    for man in men:
        yield _without(base, [man])
    if len(men) + 2 < PAIRS_BELOW:
        for pair in combinations(men, 2):
            yield _without(base, pair)


def _with_less(base: Position) -> Iterator[Position]:
    """Yield positions with fewer rights, without en passant, with clocks at their start, with weaker pieces."""
    if base.castling:
        yield replace(base, castling=0)
    for rook in squares_in(base.castling):
        yield replace(base, castling=base.castling ^ 1 << rook)
    if base.en_passant is not None:
        yield replace(base, en_passant=None)
    if (base.halfmove, base.fullmove) != (0, 1):
        yield replace(base, halfmove=0, fullmove=1)
        yield replace(base, fullmove=1)
        yield replace(base, halfmove=0)
        yield replace(base, halfmove=min(base.halfmove, FIFTY_MOVES))
    for color, kind, square in _pieces(base):
        for weaker in WEAKER[kind]:
            yield _placed(_without(base, [(color, kind, square)]), color, weaker, square)


def _with_plainer_squares(base: Position) -> Iterator[Position]:
    """Yield positions in which one piece stands nearer to where its side sits."""
    for color, kind, square in _pieces(base):
        nearer = [place for place in range(64) if _distance(color, place) < _distance(color, square)]
        free = [place for place in sorted(nearer, key=lambda place: _distance(color, place)) if not _at(base, place)]
        lifted = _without(base, [(color, kind, square)])
        for place in free[:PLACES_TRIED]:
            yield _placed(lifted, color, kind, place)


def _checked(base: Position, moves: tuple[Move, ...]) -> Line | None:
    """Return the line, or None where the position is not valid or a move cannot be played."""
    try:
        line = Line(Position.from_fen(base.fen(), base.chess960))
    except FenError:
        return None
    for move in moves:
        if move not in line.position.legal_moves:
            return None
        line = line.after(move)
    return line


def _pieces(base: Position) -> Iterator[tuple[Color, Kind, int]]:
    for color in Color:
        for kind in Kind:
            for square in squares_in(base.pieces[color][kind]):
                yield color, kind, square


def _without(base: Position, men: Sequence[tuple[Color, Kind, int]]) -> Position:
    """Return the position without some pieces, and without the rights that were theirs."""
    gone = sum(1 << square for _, _, square in men)
    white, black = (tuple(word & ~gone for word in side) for side in base.pieces)
    passed = base.en_passant
    if passed is not None and gone >> (passed - 8 if passed >= 32 else passed + 8) & 1:
        passed = None
    castling = base.castling & ~gone
    for color, kind, square in men:
        if kind is Kind.KING:
            castling &= ~(0xFF << 8 * color.back_rank) if square // 8 == color.back_rank else castling
    return replace(base, pieces=(white, black), castling=castling, en_passant=passed)


def _placed(base: Position, color: Color, kind: Kind, square: int) -> Position:
    sides = [list(side) for side in base.pieces]
    sides[color][kind] |= 1 << square
    return replace(base, pieces=(tuple(sides[0]), tuple(sides[1])))


def _at(base: Position, square: int) -> bool:
    return bool(base.occupied >> square & 1)


def _distance(color: Color, square: int) -> int:
    """Return how far a square is from the corner where a side's queen's rook starts."""
    rank = square // 8 if color is Color.WHITE else 7 - square // 8
    return rank + square % 8
