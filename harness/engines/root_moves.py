"""Root moves of engines: uniform notation of castling, and final moves, which some engines omit."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...generator.position import Position
from ...generator.types.moves import MoveKind
from ...generator.types.pieces import PieceType
from ...generator.types.squares import FILES, name_of, square_of, squares_in
from .base import Divide
from .written_moves import as_uci, fits_several

_KING_TARGETS = FILES.index("c"), FILES.index("g")
"""The king's files after castling."""

WINGS = {"O-O": True, "O-O-O": False}
"""Whether castling in algebraic notation is king-side."""


def as_king_takes_rook(position: Position, text: str) -> str:
    """Return a move in any notation as UCI text with castling written as king takes rook.

    O-O and O-O-O are converted, and in standard chess also king moves of two files to the c- or g-file. In Chess960, a
    king move to a castling target is not converted, because it may be an ordinary move. Any other text
    is returned unchanged.
    """
    text = as_uci(position, text)
    if text in WINGS:
        return _towards(position, WINGS[text])
    try:
        origin, target = square_of(text[0:2]), square_of(text[2:4])
    except ValueError:
        return text
    own = position.pieces[position.turn]
    is_king_move = bool(own[PieceType.KING] >> origin & 1) and origin // 8 == target // 8
    if position.chess960 or not is_king_move or abs(target - origin) != 2 or target % 8 not in _KING_TARGETS:
        return text
    for rook in squares_in(position.castling & own[PieceType.ROOK]):
        if (rook > origin) == (target > origin):
            return name_of(origin) + name_of(rook)
    return text


def divide_of_pairs(position: Position, pairs: Iterable[tuple[str, int]], total: int | None = None) -> Divide:
    """Return the divide with root moves in any notation, or only its total if a move is ambiguous.

    `total` is the engine's total, by default the sum of the counts.
    """
    listed = list(pairs)
    if fits_several(position, (text for text, _ in listed)):
        return Divide.of_total(sum(count for _, count in listed) if total is None else total)
    return Divide.of([(as_king_takes_rook(position, text), count) for text, count in listed])


def castlings_by_king_target(position: Position) -> dict[str, str]:
    """Map legal castling moves written with the king's target to king takes rook.

    Moves that are the same in both notations, because the rook is on the king's target, are omitted.
    """
    castlings = [move for move in position.legal_moves if move.kind is MoveKind.CASTLING]
    by_target = {move.uci(): move.uci(chess960=True) for move in castlings}
    return {target: text for target, text in by_target.items() if target != text}


def _towards(position: Position, king_side: bool) -> str:
    """Return castling to one side, legal or not, with the rook that has the right, or else the outermost rook."""
    own, king = position.pieces[position.turn], position.king(position.turn)
    on_rank = own[PieceType.ROOK] & 0xFF << 8 * (king // 8)
    rooks = [rook for rook in squares_in(on_rank) if (rook > king) is king_side]
    may = [rook for rook in rooks if position.castling >> rook & 1] or rooks
    target = (max if king_side else min)(may, default=king // 8 * 8 + (6 if king_side else 2))
    return name_of(king) + name_of(target)


def as_king_steps(position: Position, text: str) -> str:
    """Return a UCI move, with castling written as in standard chess: e1g1 for e1h1.

    Castling need not be legal. Other moves are returned unchanged.
    """
    try:
        origin, target = square_of(text[0:2]), square_of(text[2:4])
    except ValueError:
        return text
    own = position.pieces[position.turn]
    if not (own[PieceType.KING] >> origin & 1 and own[PieceType.ROOK] >> target & 1):
        return text
    return text[0:2] + ("g" if target > origin else "c") + text[3]


EXAMPLE = Position.from_fen("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
"""A position with a mating move, stalemating moves, and other moves."""


def unlisted_final_moves(position: Position, listed: Collection[str]) -> list[str]:
    """Return the mating and stalemating moves that are not listed, with castling as king takes rook."""
    missing = {move.uci(chess960=True): move for move in position.legal_moves}
    for text in listed:
        missing.pop(text, None)
    return [text for text, move in missing.items() if not position.play_unchecked(move).legal_moves]


def are_left_out(listed: Iterable[str]) -> bool:
    """Return True if a list of root moves of `EXAMPLE`, at depth 2 or more, lacks final moves and no others."""
    listed = {as_king_takes_rook(EXAMPLE, text) for text in listed}
    others = {move.uci(chess960=True) for move in EXAMPLE.legal_moves} - set(unlisted_final_moves(EXAMPLE, ()))
    return listed == others
