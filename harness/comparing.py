"""Compare two divides of one position."""

from __future__ import annotations

from ..generator.position import Position
from .events import Difference, RootMove


def compare_divides(
    position: Position, depth: int, engine: str, got: dict[str, int], reference: str, expected: dict[str, int]
) -> Difference:
    """Return the root moves on which two divides differ; moves come as king takes rook (e1h1)."""
    known = {move.uci(chess960=True): move for move in position.legal_moves}
    moves = []
    for text in sorted(got.keys() | expected.keys()):
        if got.get(text) == expected.get(text):
            continue
        move = known.get(text)
        moves.append(
            RootMove(
                uci=text if move is None else move.uci(position.chess960),
                san=None if move is None else position.san(move),
                got=got.get(text),
                expected=expected.get(text),
            )
        )
    return Difference(
        engine=engine,
        reference=reference,
        fen=position.fen(),
        chess960=position.chess960,
        depth=depth,
        got=sum(got.values()),
        expected=sum(expected.values()),
        moves=tuple(moves),
    )
