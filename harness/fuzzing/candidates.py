"""Candidates for a reduction: changes that may simplify a game, and the cost that decides whether they do.

The largest changes come first. Most candidates are cheap to create and are rejected by their cost, so the slower test
of whether a candidate is sound is a separate function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations

from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import with_same_setup
from ...generator.symmetry import flip_colors, flip_move, mirror_files, mirror_move
from ...generator.types.pieces import Color, PieceType, with_piece, without
from ...generator.types.squares import pushed_pawn, squares_in
from ...generator.validation import FenError, check_en_passant, check_pieces, check_side_not_to_move
from ..model.results.events import implausibility_of

VALUES = {
    PieceType.PAWN: 1,
    PieceType.KNIGHT: 3,
    PieceType.BISHOP: 3,
    PieceType.ROOK: 5,
    PieceType.QUEEN: 9,
    PieceType.KING: 0,
}
WEAKER = {
    PieceType.QUEEN: (PieceType.PAWN, PieceType.BISHOP, PieceType.ROOK),
    PieceType.ROOK: (PieceType.PAWN, PieceType.KNIGHT),
}
WEAKER |= {
    PieceType.BISHOP: (PieceType.PAWN,),
    PieceType.KNIGHT: (PieceType.PAWN,),
    PieceType.PAWN: (),
    PieceType.KING: (),
}
PAIRS_BELOW = 11
"""Pairs of pieces are also removed if there are fewer pieces than this."""
FIFTY_MOVES = 100
"""The halfmove clock at which a draw can be claimed; some programs then generate no moves."""
LONG = 12
"""A game with more moves than this is only shortened, by removing large chunks at its start or end."""
SQUARES_TRIED = 6
"""Number of squares tried for each piece, those nearest to its corner first."""


def cost(game: Game) -> tuple[object, ...]:
    """Return the cost of a game. Simpler games cost less, and no two games have the same cost."""
    base = game.base
    pieces = list(pieces_of(base))
    return (
        len(game.moves),
        len(pieces),
        sum(VALUES[kind] for _, kind, _ in pieces),
        base.castling.bit_count(),
        base.en_passant is not None,
        base.turn is Color.BLACK,
        sum(_distance(color, square) for color, _, square in pieces),
        base.halfmove + base.fullmove,
        base.fen(),
        game.moves,
    )


def is_sound(candidate: Game, like: Game) -> bool:
    """Return True if a candidate is valid, its moves are legal, and its base is as plausible as that of `like`."""
    return _is_valid(candidate.base) and _is_playable(candidate) and implausibility(candidate) <= implausibility(like)


def implausibility(game: Game) -> int:
    """Return how unlikely the base of a game is to occur in a real game; 0 if it looks reachable."""
    return implausibility_of(game.base.fen(), game.base.chess960)


def _is_valid(base: Position) -> bool:
    """Return True if a FEN can describe a position. Castling rights are not checked: `without_pieces` removes them."""
    try:
        check_pieces(base.pieces)
        if base.en_passant is not None:
            check_en_passant(base.pieces, base.turn, base.en_passant)
        check_side_not_to_move(base.pieces, base.turn)
    except FenError:
        return False
    return True


def _is_playable(game: Game) -> bool:
    position = game.base
    for move in game.moves:
        if move not in position.legal_moves:
            return False
        position = position.play_unchecked(move)
    return True


def candidates_for(game: Game) -> Iterator[Game]:
    """Yield candidates for a game, with the same setup options if possible."""
    for candidate in _change(game):
        alike = with_same_setup(game, candidate.base, candidate.moves)
        if alike is not None:
            yield alike


def _change(game: Game) -> Iterator[Game]:
    """Yield candidates: fewer moves, pieces, rights and so on, the two symmetries, and simpler squares."""
    base, moves = game.base, game.moves
    if len(moves) > LONG:
        parts = [len(moves) >> power for power in range(len(moves).bit_length(), 0, -1)]
        yield from (Game(Game(base, moves[: len(moves) - kept]).position, moves[len(moves) - kept :]) for kept in parts)
        yield from (Game(base, moves[: len(moves) - part]) for part in reversed(parts[1:]))
        return
    for start in range(len(moves), 0, -1):
        yield Game(Game(base, moves[:start]).position, moves[start:])
    for end in range(len(moves) - 1, 0, -1):
        yield Game(base, moves[:end])
    for smaller in chain(_with_fewer_pieces(base), _with_less(base)):
        yield Game(smaller, moves)
    yield Game(flip_colors(base), tuple(map(flip_move, moves)))
    if not base.castling:
        yield Game(mirror_files(base), tuple(map(mirror_move, moves)))
    for moved in _with_simpler_squares(base):
        yield Game(moved, moves)


def _with_fewer_pieces(base: Position) -> Iterator[Position]:
    """Yield positions without groups of pieces, from large to small groups, and then without pairs."""
    pieces = [(color, kind, square) for color, kind, square in pieces_of(base) if kind is not PieceType.KING]
    size = len(pieces)
    while size > 0:
        for start in range(0, len(pieces), size):
            yield without_pieces(base, pieces[start : start + size])
        size //= 2
    if len(pieces) + 2 < PAIRS_BELOW:
        for pair in combinations(pieces, 2):
            yield without_pieces(base, pair)


def _with_less(base: Position) -> Iterator[Position]:
    """Yield positions with fewer rights, no en passant square, reset clocks, or weaker pieces."""
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
    for color, kind, square in pieces_of(base):
        for weaker in WEAKER[kind]:
            yield with_piece_moved(base, (color, kind, square), weaker, square)


def _with_simpler_squares(base: Position) -> Iterator[Position]:
    """Yield positions with one piece nearer to the corner of its side's queenside rook."""
    for color, kind, square in pieces_of(base):
        empty = squares_in(~base.occupied & (1 << 64) - 1)
        nearer = [one for one in empty if _distance(color, one) < _distance(color, square)]
        for target in sorted(nearer, key=lambda one: _distance(color, one))[:SQUARES_TRIED]:
            yield with_piece_moved(base, (color, kind, square), kind, target)


def pieces_of(base: Position) -> Iterator[tuple[Color, PieceType, int]]:
    """Yield the color, the type and the square of each piece."""
    for color in Color:
        for kind in PieceType:
            for square in squares_in(base.pieces[color][kind]):
                yield color, kind, square


def without_pieces(base: Position, pieces: Sequence[tuple[Color, PieceType, int]]) -> Position:
    """Return the position without some pieces, and without the rights and en passant square that depend on them."""
    gone = sum(1 << square for _, _, square in pieces)
    passed = base.en_passant
    if passed is not None and gone >> pushed_pawn(passed) & 1:
        passed = None
    castling = base.castling & ~gone
    for color, kind, square in pieces:
        if kind is PieceType.KING:
            castling &= ~(0xFF << 8 * color.back_rank) if square // 8 == color.back_rank else castling
    return replace(base, pieces=without(base.pieces, gone), castling=castling, en_passant=passed)


def with_piece_moved(base: Position, piece: tuple[Color, PieceType, int], kind: PieceType, square: int) -> Position:
    """Return the position with the type or square of one piece changed."""
    lifted = without_pieces(base, [piece])
    return replace(lifted, pieces=with_piece(lifted.pieces, piece[0], kind, square))


def _distance(color: Color, square: int) -> int:
    """Return the distance of a square from the corner in which a side's queenside rook starts."""
    rank = square // 8 if color is Color.WHITE else 7 - square // 8
    return rank + square % 8
