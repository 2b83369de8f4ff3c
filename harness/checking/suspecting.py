"""Which moves account for a wrong number of moves, where nobody lists them."""

from __future__ import annotations

from ...generator.movelist import MoveList
from ...generator.position import Position
from ...generator.types.moves import GenType, Move, MoveKind
from ..explaining import explain_extra, explain_missing
from ..model.events import WrongMove
from .comparing import explained


def suspects(position: Position, surplus: int) -> tuple[WrongMove, ...]:
    """Return the moves that are probably counted too many, or (`surplus` below 0) too few; none where it is unclear.

    Moves that are illegal or legal for one and the same rule are wrong together. If exactly one rule
    has as many of them as the count is off, they are the suspects; or, if several have, and one of
    these is about en passant, castling or promotion, those.
    """
    legal = set(position.legal_moves)
    candidates = sorted(_pseudo_legal(position) - legal if surplus > 0 else legal)
    groups: dict[str, list[tuple[Move, WrongMove]]] = {}
    for move in candidates:
        text = move.uci(chess960=True)
        kind, explain = ("extra", explain_extra) if surplus > 0 else ("missing", explain_missing)
        wrong = explained(position, text, kind, explain(position, text))
        groups.setdefault(wrong.rule, []).append((move, wrong))
    fitting = [group for group in groups.values() if len(group) == abs(surplus)]
    peculiar = [group for group in fitting if all(move.kind is not MoveKind.NORMAL for move, _ in group)]
    chosen = fitting if len(fitting) == 1 else peculiar
    return tuple(wrong for _, wrong in chosen[0]) if len(chosen) == 1 else ()


def _pseudo_legal(position: Position) -> set[Move]:
    gentype = GenType.EVASIONS if position.in_check else GenType.NON_EVASIONS
    return set(MoveList(position, gentype).moves)
