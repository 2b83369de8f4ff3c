"""The wrong moves of a list of our own generator, by comparing it with the right one. Moves are in 16 bits."""

from __future__ import annotations

from collections.abc import Iterable

from ....generator.position import Position
from ....generator.types.moves import GenType, Move
from ...checking.comparing import explain_wrong_move
from ...checking.lists.right import differing
from ...explaining import Explanation, explain_duplicate, explain_extra, explain_missing, explain_stage
from ...model.results.events import WrongMove


def wrong_codes(
    position: Position, got: Iterable[int], expected: Iterable[int], gentype: GenType = GenType.LEGAL
) -> list[WrongMove]:
    """Return the extra, missing and repeated moves of the list `got`, with the rule behind each."""
    return [
        explain_wrong_move(position, text, kind, _why(position, text, gentype, kind))
        for code, kind in differing(got, expected)
        for text in [Move(code).uci(chess960=True)]
    ]


def _why(position: Position, text: str, gentype: GenType, kind: str) -> Explanation:
    if kind == "duplicate":
        return explain_duplicate(position, text)
    if gentype is not GenType.LEGAL:
        return explain_stage(position, text, gentype, belongs=kind == "missing")
    return explain_missing(position, text) if kind == "missing" else explain_extra(position, text)
