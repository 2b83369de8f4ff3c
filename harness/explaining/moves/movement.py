"""How pieces other than pawns move, and which pieces block their way."""

from __future__ import annotations

from ....generator.kernels import geometry
from ....generator.kernels.geometry import BISHOP_DIRECTIONS, KING_STEPS, KNIGHT_STEPS, ROOK_DIRECTIONS, Direction
from ....generator.types.pieces import Kind
from ....generator.types.squares import squares_in
from ..rules import Explanation, Rule, because
from ..words import NAMES, name_at, sentence_case, the
from .attempt import AttemptedMove
from .castling_conditions import not_castling

STEPS: dict[Kind, tuple[Direction, ...]] = {
    Kind.KNIGHT: KNIGHT_STEPS,
    Kind.BISHOP: BISHOP_DIRECTIONS,
    Kind.ROOK: ROOK_DIRECTIONS,
    Kind.QUEEN: KING_STEPS,
    Kind.KING: KING_STEPS,
}
SLIDERS = (Kind.BISHOP, Kind.ROOK, Kind.QUEEN)

HABITS = {
    Kind.PAWN: "moves straight ahead and captures one square diagonally ahead",
    Kind.KNIGHT: "jumps two squares one way and one square to the side",
    Kind.BISHOP: "moves along diagonals",
    Kind.ROOK: "moves along ranks and files",
    Kind.QUEEN: "moves along ranks, files and diagonals",
    Kind.KING: "moves one square in any direction",
}


def broken_movement(attempt: AttemptedMove) -> Explanation | None:
    """Return why a piece other than a pawn cannot move like this; castling is explained elsewhere."""
    position, kind, origin = attempt.position, attempt.kind, attempt.origin
    reach = geometry.rays if kind in SLIDERS else geometry.leaper_attacks
    if not reach(origin, STEPS[kind]) >> attempt.target & 1:
        return _unreachable(attempt)
    if kind in SLIDERS:
        blockers = squares_in(geometry.between(origin, attempt.target) & position.occupied)
        if blockers:
            first = min(blockers, key=lambda square: abs(square - origin))
            text = f"{attempt.moving} cannot jump over {the(position, first)} to reach {attempt.to}."
            return because(Rule.JUMPS_OVER, sentence_case(text), first)
    return own_piece_taken(attempt)


def own_piece_taken(attempt: AttemptedMove) -> Explanation | None:
    """Explain a capture of an own piece."""
    if attempt.occupant is None or attempt.is_capture:
        return None
    taken = f"the {name_at(attempt.position, attempt.target)} on {attempt.to}"
    text = f"{attempt.moving} cannot take {taken}: both are {attempt.turn.word}'s."
    return because(Rule.CAPTURES_OWN_PIECE, sentence_case(text))


def _unreachable(attempt: AttemptedMove) -> Explanation:
    edge = _wrapped_edge(attempt)
    if edge:
        return explain_wrap(attempt, edge)
    if attempt.kind is Kind.KING and attempt.ranks == 0:
        return not_castling(attempt)
    return impossible(attempt)


def impossible(attempt: AttemptedMove) -> Explanation:
    """Explain a move that a piece of this kind never makes."""
    text = f"{attempt.moving} cannot reach {attempt.to}: a {NAMES[attempt.kind]} {HABITS[attempt.kind]}."
    return because(Rule.PIECE_MOVEMENT, sentence_case(text))


def explain_wrap(attempt: AttemptedMove, edge: str) -> Explanation:
    """Explain a move that leaves the board at one edge file and comes back at the other."""
    text = f"{attempt.moving} cannot reach {attempt.to}: the board ends at the {edge}-file."
    return because(Rule.WRAPS_EDGE, sentence_case(text))


def _wrapped_edge(attempt: AttemptedMove) -> str | None:
    """Return the edge file across which a move wraps if squares are numbers and edges are not checked.

    Programs number squares from a1 or from a8, and the two numberings wrap to different squares.
    """
    for flip in (0, 56):
        for direction in STEPS[attempt.kind]:
            if attempt.target ^ flip in _walk_across(attempt, direction, flip):
                return "h" if direction[0] > 0 else "a"
    return None


def _walk_across(attempt: AttemptedMove, direction: Direction, flip: int) -> list[int]:
    """Return the squares that stepping reaches after one wrap, up to the first occupied square."""
    beyond: list[int] = []
    square, crossings = attempt.origin ^ flip, 0
    while True:
        following = square + direction[0] + 8 * direction[1]
        crossings += geometry.step(square, direction) is None
        if not 0 <= following < 64 or crossings > 1:
            return beyond
        if crossings:
            beyond.append(following)
        if attempt.kind not in SLIDERS or attempt.position.occupied >> (following ^ flip) & 1:
            return beyond
        square = following
