"""Find which rule of piece movement, pawn moves or promotion a move breaks."""

from __future__ import annotations

from ...generator.kernels import geometry
from ...generator.kernels.geometry import BISHOP_DIRECTIONS, KING_STEPS, KNIGHT_STEPS, ROOK_DIRECTIONS, Direction
from ...generator.types.pieces import Color, PieceType
from ...generator.types.squares import name_of, squares_in
from .attempt import AttemptedMove
from .castling_conditions import not_castling
from .rules import NAMES, Explanation, Rule, because, name_at, sentence_case, the

STEPS: dict[PieceType, tuple[Direction, ...]] = {
    PieceType.KNIGHT: KNIGHT_STEPS,
    PieceType.BISHOP: BISHOP_DIRECTIONS,
    PieceType.ROOK: ROOK_DIRECTIONS,
    PieceType.QUEEN: KING_STEPS,
    PieceType.KING: KING_STEPS,
}
SLIDERS = (PieceType.BISHOP, PieceType.ROOK, PieceType.QUEEN)

HABITS = {
    PieceType.PAWN: "moves straight ahead and captures one square diagonally ahead",
    PieceType.KNIGHT: "jumps two squares one way and one square to the side",
    PieceType.BISHOP: "moves along diagonals",
    PieceType.ROOK: "moves along ranks and files",
    PieceType.QUEEN: "moves along ranks, files and diagonals",
    PieceType.KING: "moves one square in any direction",
}


def broken_movement(attempt: AttemptedMove) -> Explanation | None:
    """Return why a piece other than a pawn cannot make a move; castling is explained in `castling_conditions`."""
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
    """Return an explanation if a move captures a piece of the moving side."""
    if attempt.occupant is None or attempt.is_capture:
        return None
    taken = f"the {name_at(attempt.position, attempt.target)} on {attempt.to}"
    text = f"{attempt.moving} cannot take {taken}: both are {attempt.turn.word}'s."
    return because(Rule.CAPTURES_OWN_PIECE, sentence_case(text))


def _unreachable(attempt: AttemptedMove) -> Explanation:
    edge = _edge_of_wrap(attempt)
    if edge:
        return explain_wrap(attempt, edge)
    if attempt.kind is PieceType.KING and attempt.ranks == 0:
        return not_castling(attempt)
    return impossible(attempt)


def impossible(attempt: AttemptedMove) -> Explanation:
    """Explain a move that is impossible for the kind of piece."""
    text = f"{attempt.moving} cannot reach {attempt.to}: a {NAMES[attempt.kind]} {HABITS[attempt.kind]}."
    return because(Rule.PIECE_MOVEMENT, sentence_case(text))


def explain_wrap(attempt: AttemptedMove, edge: str) -> Explanation:
    """Explain a move that leaves the board at one edge and reappears at the other."""
    text = f"{attempt.moving} cannot reach {attempt.to}: the board ends at the {edge}-file."
    return because(Rule.WRAPS_EDGE, sentence_case(text))


def _edge_of_wrap(attempt: AttemptedMove) -> str | None:
    """Return the file at whose edge a move would wrap around if edges were not checked, or None.

    A program without edge checks adds to square numbers, which may start from a1 or from a8. The two numberings wrap to
    different squares.
    """
    for flip in (0, 56):
        for direction in STEPS[attempt.kind]:
            if attempt.target ^ flip in _walk_across(attempt, direction, flip):
                return "h" if direction[0] > 0 else "a"
    return None


def _walk_across(attempt: AttemptedMove, direction: Direction, flip: int) -> list[int]:
    """Return the squares that a piece reaches after wrapping once, up to and including the first occupied one."""
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


_FORBIDDEN = {
    PieceType.PAWN: (
        "The pawn on {origin} cannot stay a pawn on {target}: it must become a knight, bishop, rook or queen."
    ),
    PieceType.KING: "The pawn on {origin} cannot become a king on {target}, only a knight, bishop, rook or queen.",
}


def broken_pawn_move(attempt: AttemptedMove) -> Explanation | None:
    """Return why a pawn cannot make a move; promotion is explained in `broken_promotion`."""
    moved = (abs(attempt.files), attempt.ranks)
    if moved == (0, 1):
        return _broken_step(attempt)
    if moved == (0, 2):
        return _broken_double_step(attempt)
    if moved == (1, 1):
        return _broken_capture(attempt)
    # Without edge checks, these squares are one square diagonally ahead of the pawn.
    if abs(attempt.files) == 7 and attempt.ranks in (0, 2):
        return explain_wrap(attempt, "h" if attempt.files < 0 else "a")
    if attempt.ranks < 0:
        text = f"{attempt.moving} cannot go back to {attempt.to}: pawns only move forward."
        return because(Rule.PAWN_BACKWARDS, sentence_case(text))
    return impossible(attempt)


def _broken_step(attempt: AttemptedMove) -> Explanation | None:
    if attempt.occupant is None:
        return None
    blocker = the(attempt.position, attempt.target)
    if attempt.is_capture:
        text = f"{attempt.moving} cannot take {blocker} straight ahead: pawns capture diagonally."
        return because(Rule.PAWN_CAPTURES_STRAIGHT, sentence_case(text))
    return because(Rule.PAWN_PUSH_BLOCKED, sentence_case(f"{attempt.moving} cannot move ahead: {blocker} blocks it."))


def _broken_double_step(attempt: AttemptedMove) -> Explanation | None:
    start = 1 if attempt.turn is Color.WHITE else 6
    if attempt.origin // 8 != start:
        text = f"{attempt.moving} cannot move two squares, which is allowed only from rank {start + 1}."
        return because(Rule.PAWN_DOUBLE_PUSH_RANK, sentence_case(text))
    for square in ((attempt.origin + attempt.target) // 2, attempt.target):
        if attempt.position.occupied >> square & 1:
            text = f"{attempt.moving} cannot move two squares: {the(attempt.position, square)} blocks its way."
            return because(Rule.PAWN_DOUBLE_PUSH_BLOCKED, sentence_case(text), square)
    return None


def _broken_capture(attempt: AttemptedMove) -> Explanation | None:
    if attempt.occupant is not None:
        return own_piece_taken(attempt)
    if attempt.victim is not None:
        return None
    if _looks_like_en_passant(attempt):
        victim = the(attempt.position, attempt.beside)
        text = f"{victim} has not just moved two squares, so {attempt.moving} cannot take it en passant."
        return because(Rule.EN_PASSANT_NOT_AVAILABLE, sentence_case(text), attempt.beside)
    text = f"{attempt.moving} moves diagonally only to capture, and there is nothing to take on {attempt.to}."
    return because(Rule.PAWN_CAPTURE_EMPTY, sentence_case(text))


def _looks_like_en_passant(attempt: AttemptedMove) -> bool:
    """Return True if the opponent's pawn next to the moving one may have just made a double step."""
    rank = 4 if attempt.turn is Color.WHITE else 3
    enemy_pawns = attempt.position.pieces[attempt.turn.other][PieceType.PAWN]
    start = 2 * attempt.target - attempt.beside
    beside = bool(enemy_pawns >> attempt.beside & 1)
    return attempt.origin // 8 == rank and beside and not attempt.position.occupied >> start & 1


def broken_promotion(attempt: AttemptedMove) -> Explanation | None:
    """Return what is wrong with a move's promotion piece, which may be missing."""
    promotion = attempt.promotion
    if attempt.kind is not PieceType.PAWN:
        if promotion is None:
            return None
        text = f"{attempt.moving} cannot become a {NAMES[promotion]}: only pawns promote."
        return because(Rule.PROMOTION_BY_OTHER_PIECE, sentence_case(text))
    if attempt.target // 8 != attempt.turn.other.back_rank:
        if promotion is None:
            return None
        rank = attempt.turn.other.back_rank + 1
        text = f"{attempt.moving} cannot become a {NAMES[promotion]} on {attempt.to}: pawns promote on rank {rank}."
        return because(Rule.PROMOTION_NOT_LAST_RANK, sentence_case(text))
    if promotion is None:
        text = f"{attempt.moving} must become another piece on {attempt.to}, and the move does not say which."
        return because(Rule.PROMOTION_PIECE_MISSING, sentence_case(text))
    if promotion in _FORBIDDEN:
        text = _FORBIDDEN[promotion].format(origin=name_of(attempt.origin), target=attempt.to)
        return because(Rule.PROMOTION_TO_FORBIDDEN_PIECE, text)
    return None
