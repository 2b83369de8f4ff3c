"""Compare two divides of one position: which moves differ, and which may account for a wrong number of them."""

from __future__ import annotations

from ...generator.movelist import MoveList
from ...generator.position import Position
from ...generator.types.moves import GenType, Move, MoveKind
from ..engines.base import Divide
from ..engines.castling_notation import as_king_steps
from ..explaining import Explanation, explain_extra, explain_missing
from ..model.events import Difference, RootMove, WrongMove


def differing_moves(got: Divide, expected: Divide) -> list[str]:
    """Return the root moves on which two divides differ, as king takes rook (e1h1), sorted.

    A move differs that only one side has, that one side has more than once, or whose count differs.
    """
    return [
        text
        for text in sorted(got.counts.keys() | expected.counts.keys())
        if got.counts.get(text) != expected.counts.get(text) or got.repeated.get(text) != expected.repeated.get(text)
    ]


def compare_divides(
    position: Position, depth: int, engine: str, got: Divide, reference: str, expected: Divide
) -> Difference:
    """Return how the divide of an engine differs from that of a reference."""
    return Difference(
        engine=engine,
        reference=reference,
        fen=position.fen(),
        chess960=position.chess960,
        depth=depth,
        got=got.total,
        expected=expected.total,
        moves=tuple(_root_move(position, text, got, expected) for text in differing_moves(got, expected)),
    )


def _root_move(position: Position, text: str, got: Divide, expected: Divide) -> RootMove:
    uci, san = written(position, text)
    return RootMove(
        uci=uci,
        san=san,
        got=got.counts.get(text),
        expected=expected.counts.get(text),
        repeated=got.repeated.get(text, 0),
    )


def written(position: Position, text: str) -> tuple[str, str | None]:
    """Return a move (king takes rook) in the notation of the position, and as SAN if it is legal."""
    for move in position.legal_moves:
        if move.uci(chess960=True) == text:
            return move.uci(position.chess960), position.san(move)
    return (text if position.chess960 else as_king_steps(position, text)), None


def explained(position: Position, text: str, kind: str, why: Explanation, engine_is_right: bool = False) -> WrongMove:
    """Return a wrong move (king takes rook) of a position with the rule behind it."""
    uci, san = written(position, text)
    return WrongMove(uci, san, kind, why.rule.value, why.rule.title, why.sentence, why.squares, engine_is_right)


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
