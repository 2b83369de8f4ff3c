"""Compare two divides of one position: which moves differ."""

from __future__ import annotations

from ...generator.line import Line
from ...generator.position import Position
from ...generator.setup import Setup
from ..asking.client import EngineClient
from ..engines.base import Divide
from ..engines.castling_notation import as_king_steps
from ..explaining import Explanation
from ..model.results.events import Difference, RootMove, WrongMove


def differing_moves(got: Divide, expected: Divide) -> list[str]:
    """Return the root moves on which two divides differ, as king takes rook (e1h1), sorted.

    A move differs that only one side has, that one side has more than once, or whose count differs. None
    is known to differ where one side has told its total only.
    """
    if got.is_total_only or expected.is_total_only:
        return []
    return [
        text
        for text in sorted(got.counts.keys() | expected.counts.keys())
        if got.counts.get(text) != expected.counts.get(text) or got.repeated.get(text) != expected.repeated.get(text)
    ]


def agree(got: Divide, expected: Divide) -> bool:
    """Tell whether two divides agree, as far as they tell the same."""
    return got.total == expected.total and not differing_moves(got, expected)


def both_divides(line: Line, depth: int, engine: EngineClient, reference: EngineClient) -> tuple[Divide, Divide]:
    """Return the divides of both; where they differ and one is only a total, with the count of each child."""
    right = line.afresh()
    got, expected = engine.divide(line, depth), reference.divide(right, depth)
    if agree(got, expected):
        return got, expected
    got = engine.with_children(line, depth, got, played=isinstance(line, Setup))
    return got, reference.with_children(right, depth, expected)


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
    uci, san = write_move(position, text)
    return RootMove(
        uci=uci,
        san=san,
        got=got.counts.get(text),
        expected=expected.counts.get(text),
        repeated=got.repeated.get(text, 0),
    )


def write_move(position: Position, text: str) -> tuple[str, str | None]:
    """Return a move (king takes rook) in the notation of the position, and as SAN if it is legal."""
    for move in position.legal_moves:
        if move.uci(chess960=True) == text:
            return move.uci(position.chess960), position.san(move)
    return (text if position.chess960 else as_king_steps(position, text)), None


def explain_wrong_move(
    position: Position, text: str, kind: str, why: Explanation, engine_is_right: bool = False
) -> WrongMove:
    """Return a wrong move (king takes rook) of a position with the rule behind it."""
    uci, san = write_move(position, text)
    return WrongMove(uci, san, kind, why.rule.value, why.rule.title, why.sentence, why.squares, engine_is_right)
