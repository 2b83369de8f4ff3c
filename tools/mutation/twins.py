"""Names that are easily confused; each is replaced by its twin if both names are known at that place."""

from __future__ import annotations

_PAIRS = """
own their
ours theirs
origin target
king rook
king_to rook_to
single double
left right
orthogonal_pins diagonal_pins
orthogonal_checkers diagonal_checkers
orthogonal_stops diagonal_stops
orthogonal_lines diagonal_lines
checking_bishop checking_rook
as_bishop as_rook
diagonals orthogonals
pawns knights
rook_attacks bishop_attacks
rook_rays bishop_rays
knight_attacks king_attacks
pawn_attacks their_pawn_attacks
attacked_by_them attacked_near_king
king_target rook_target
origin_of target_of
between line
lsb lowest
NOT_FILE_A NOT_FILE_H
_NOT_FILES_AB _NOT_FILES_GH
RANK_7 RANK_8
CAPTURES QUIETS
EVASIONS NON_EVASIONS
EN_PASSANT CASTLING
NORMAL PROMOTION
KNIGHT QUEEN
BISHOP ROOK
ROOK_ATTACKS ROOK_MASK
BISHOP_ATTACKS BISHOP_MASK
ROOK_ZONE BISHOP_ZONE
ROOK_DIRECTIONS BISHOP_DIRECTIONS
KING_STEPS KNIGHT_STEPS
"""
TWINS: dict[str, str] = {}
for _first, _second in (_pair.split() for _pair in _PAIRS.split("\n") if _pair):
    TWINS |= {_first: _second, _second: _first}

WORDS = ("pawns", "knights", "diagonals", "orthogonals", "king")
TWIN_WORDS = {word: f"their_{word}" for word in WORDS} | {f"their_{word}": word for word in WORDS}
"""Fields of a board, and the same field of the other side."""
